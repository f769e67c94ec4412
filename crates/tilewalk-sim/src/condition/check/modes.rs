//! Checks names of modes that a condition compares with the mode of an agent.

use crate::condition::ConditionError;
use crate::condition::tree::{ModeName, Subject, Text};

use super::{Checked, Checker, Me, Named, Scope};

impl<S: Scope> Checker<'_, S> {
    /// Returns an error if a mode name is compared with the mode of an agent that does not have
    /// such a mode. For a group, at least one member must have it.
    pub(super) fn check_mode(&self, name: &Text, mode: &Text) -> Checked<()> {
        let (Text::Literal(name), Text::Mode(subject)) = (name, mode) else { return Ok(()) };
        let Some(owner) = self.set_of(*subject) else { return Ok(()) };
        let Some(modes) = self.scope.modes(owner) else { return Ok(()) };
        if modes.contains(&name.name.as_str()) {
            return Ok(());
        }
        let message = format!("{} has no mode \"{}\"", self.scope.name(owner), name.name);
        Err(ConditionError::new(name.span.clone(), message).unknown(&name.name, modes))
    }

    /// Returns the agent or group that a subject belongs to. Returns `None` for the agent of the
    /// condition.
    pub(super) fn set_of(&self, subject: Subject) -> Option<Named> {
        match subject {
            Subject::Me => match self.me {
                Me::Missing | Me::Own => None,
                Me::Member(of) => of,
            },
            Subject::Bound(back) => {
                self.bound.iter().rev().nth(back.into()).and_then(|(_, of)| *of)
            }
            Subject::Agent(id) => Some(Named::Agent(id)),
            Subject::Instance(instance) => Some(Named::Instance(instance)),
        }
    }

    /// Completes a comparison of texts. If a mode name is compared with the mode of an agent,
    /// stores that agent in the mode name.
    pub(super) fn with_agents(&self, left: Text, right: Text) -> (Text, Text) {
        let of = |text: &Text| match text {
            Text::Mode(Subject::Me) if self.me != Me::Own => None,
            Text::Mode(Subject::Bound(_)) | Text::Literal(_) => None,
            Text::Mode(subject) => Some(*subject),
        };
        let compared = |text: Text, of: Option<Subject>| match text {
            Text::Literal(name) => Text::Literal(ModeName { of, ..name }),
            mode @ Text::Mode(_) => mode,
        };
        let (of_left, of_right) = (of(&left), of(&right));
        (compared(left, of_right), compared(right, of_left))
    }
}
