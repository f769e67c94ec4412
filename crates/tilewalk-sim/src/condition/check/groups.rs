//! Checks functions of groups, their members, and the member names that a condition defines.

use core::ops::Range;

use crate::condition::ConditionError;
use crate::condition::syntax::{Node, Shape};
use crate::condition::tree::{Agents, Members, Number, Subject, Test};
use crate::condition::words::is_reserved;

use super::calls::CallSite;
use super::{Checked, Checker, Me, Named, Scope, error};

impl<S: Scope> Checker<'_, S> {
    /// Checks the name of an agent or a group.
    pub(super) fn agents(&self, node: &Node) -> Checked<Agents> {
        let Shape::Path(path) = &node.kind else {
            return error(&node.span, "expected an agent or a group");
        };
        if let [word] = path[..]
            && self.bound_index(word).is_none()
        {
            match self.scope.find(word) {
                Some(Named::Group(group)) => return Ok(Agents::Group(group)),
                Some(Named::Place(_)) => {
                    let message = format!("expected an agent or a group, but `{word}` is a place");
                    return error(&node.span, message);
                }
                Some(Named::Agent(_) | Named::Instance(_)) | None => {}
            }
        }
        self.subject(path, &node.span).map(Agents::One)
    }

    /// Checks the arguments of a function of a group: `(group, argument)` or `(a in group,
    /// argument)`. Returns the members and the checked argument.
    pub(super) fn members<T>(
        &mut self,
        arguments: &[Node],
        call: &CallSite,
        check: impl FnOnce(&mut Self, &Node) -> Checked<T>,
    ) -> Checked<(Members, T)> {
        let [first, argument] = arguments else { return Err(call.wrong_count()) };
        let (name, group) = if let Shape::Binding(name, group) = &first.kind {
            (Some(*name), group.as_ref())
        } else {
            (None, first)
        };
        let of = self.agents(group)?;
        let set = match of {
            Agents::Group(group) => Some(Named::Group(group)),
            Agents::One(subject) => self.set_of(subject),
        };
        let members = Members { of, is_named: name.is_some() };
        let Some(name) = name else {
            let me = core::mem::replace(&mut self.me, Me::Member(set));
            let checked = check(self, argument);
            self.me = me;
            return Ok((members, checked?));
        };
        let start = first.span.start;
        self.check_new_name(name, start..start + name.len())?;
        self.bound.push((name.to_owned(), set));
        let checked = check(self, argument);
        self.bound.pop();
        Ok((members, checked?))
    }

    /// Returns an error if a new member name already has another meaning.
    fn check_new_name(&self, name: &str, span: Range<usize>) -> Checked<()> {
        let reason = if self.scope.find(name).is_some() {
            "an agent, a group or a place has this name"
        } else if self.bound_index(name).is_some() {
            "an outer function uses this name"
        } else if is_reserved(name) {
            "conditions use this word"
        } else {
            return Ok(());
        };
        let message = format!("the name `{name}` is already used");
        Err(ConditionError::new(span, message).help(format!("choose another name: {reason}")))
    }

    pub(super) fn gap(&self, arguments: &[Node], call: &CallSite) -> Checked<Number> {
        match arguments {
            [other] if self.me != Me::Missing => {
                Ok(Number::Gap(Agents::One(Subject::Me), self.agents(other)?))
            }
            [_] => Err(call.missing_agent()),
            [first, second] => Ok(Number::Gap(self.agents(first)?, self.agents(second)?)),
            _ => Err(call.wrong_count()),
        }
    }

    /// Checks a call of `touching`. With a group as the only argument, the test compares every pair
    /// of its members. With an agent as the only argument, the test compares it with the agent of
    /// the condition.
    pub(super) fn touching(&self, arguments: &[Node], call: &CallSite) -> Checked<Test> {
        match arguments {
            [only] => {
                let agents = self.agents(only)?;
                let is_other = self.me != Me::Missing && matches!(agents, Agents::One(_));
                let first = if is_other { Agents::One(Subject::Me) } else { agents };
                Ok(Test::Touching(first, agents))
            }
            [first, second] => Ok(Test::Touching(self.agents(first)?, self.agents(second)?)),
            _ => Err(call.wrong_count()),
        }
    }
}
