//! Checks the arguments of calls and converts calls into the checked tree.

use core::ops::Range;

use crate::condition::ConditionError;
use crate::condition::syntax::{Node, Shape};
use crate::condition::tree::{Aim, Number, Subject, Test, Value, one};
use crate::condition::words::{CALLS, Call, EVENTS, HABITS};
use crate::geom::{TilePos, TileRect, Vec2};
use crate::steering::Target;

use super::{Checked, Checker, ConditionContext, Me, Named, Scope, error};

impl<S: Scope> Checker<'_, S> {
    /// Returns the agent of a call, and the argument after the agent. With only one argument, the
    /// agent is the agent of the condition.
    fn owner<'n, 'a>(
        &self,
        arguments: &'n [Node<'a>],
        call: &CallSite,
    ) -> Checked<(Subject, &'n Node<'a>)> {
        match arguments {
            [what] if self.me != Me::Missing => Ok((Subject::Me, what)),
            [_] => Err(call.missing_agent()),
            [agent, what] => {
                let Shape::Path(path) = &agent.kind else {
                    return error(&agent.span, "expected an agent");
                };
                Ok((self.subject(path, &agent.span)?, what))
            }
            _ => Err(call.wrong_count()),
        }
    }

    pub(super) fn call(
        &mut self,
        word: &str,
        arguments: &[Node],
        span: &Range<usize>,
    ) -> Checked<Value> {
        let Some(&(_, call, usage)) = CALLS.iter().find(|&&(known, ..)| known == word) else {
            return Err(unknown_function(word, span));
        };
        let call_site = CallSite { span: span.clone(), usage };
        let test = match call {
            Call::Distance
            | Call::Gap
            | Call::Count
            | Call::Fold(_)
            | Call::Polarisation
            | Call::Absolute => {
                return self.number_call(call, arguments, &call_site).map(Value::Number);
            }
            Call::Sees => {
                let (agent, argument) = self.owner(arguments, &call_site)?;
                Test::Sees(agent, self.aim(argument)?)
            }
            Call::In => {
                let (agent, area) = self.owner(arguments, &call_site)?;
                Test::In(agent, self.area(area)?)
            }
            Call::Exists => match arguments {
                [agents] => Test::Exists(self.agents(agents)?),
                _ => return Err(call_site.wrong_count()),
            },
            Call::Touching => self.touching(arguments, &call_site)?,
            Call::Chance => self.chance(arguments, &call_site)?,
            Call::Event => self.event(arguments, &call_site)?,
            Call::Any | Call::All => {
                let (members, test) = self.members(arguments, &call_site, Self::test)?;
                let test = Box::new(test);
                if call == Call::Any { Test::Any(members, test) } else { Test::All(members, test) }
            }
            Call::Changed => match arguments {
                [_] if self.asker == ConditionContext::Rule => {
                    return error(span, "`changed` can't be used in a transition");
                }
                [_] if self.asker == ConditionContext::Spawn => {
                    return error(span, "`changed` can't be used in a spawn rule");
                }
                [value] => self.change(value)?,
                _ => return Err(call_site.wrong_count()),
            },
        };
        Ok(Value::Test(test))
    }

    /// Checks a call whose result is a number.
    fn number_call(
        &mut self,
        call: Call,
        arguments: &[Node],
        call_site: &CallSite,
    ) -> Checked<Number> {
        Ok(match (call, arguments) {
            (Call::Distance, _) => self.distance(arguments, call_site)?,
            (Call::Gap, _) => self.gap(arguments, call_site)?,
            (Call::Count, _) => {
                let (members, test) = self.members(arguments, call_site, Self::test)?;
                Number::Count(members, Box::new(test))
            }
            (Call::Fold(fold), _) => {
                let (members, number) = self.members(arguments, call_site, Self::number)?;
                Number::Fold(fold, members, Box::new(number))
            }
            (Call::Polarisation, [agents]) => Number::Polarisation(self.agents(agents)?),
            (Call::Absolute, [number]) => Number::Absolute(Box::new(self.number(number)?)),
            _ => return Err(call_site.wrong_count()),
        })
    }

    /// Checks a value and returns the test that the value has changed.
    pub(super) fn change(&mut self, node: &Node) -> Checked<Test> {
        match self.value(node)? {
            Value::Test(test) if test.is_momentary() => Err(ConditionError::new(
                node.span.clone(),
                "`changed` can't be used with a condition that lasts only one frame",
            )
            .help("write the condition without `changed`")),
            Value::Number(number) if number.is_momentary() => Err(ConditionError::new(
                node.span.clone(),
                "`changed` can't be used with a number of events of one frame",
            )),
            value @ (Value::Test(_) | Value::Number(_) | Value::Text(_)) => {
                Ok(Test::Changed(Box::new(value)))
            }
        }
    }

    /// Checks a call of `distance`. With two arguments, either argument can be the agent.
    fn distance(&self, arguments: &[Node], call: &CallSite) -> Checked<Number> {
        let agent = |aim: Aim| match aim {
            Aim::Target(Target::Agent(id)) => Some(Subject::Agent(id)),
            Aim::Target(Target::Instance(instance)) => Some(Subject::Instance(instance)),
            Aim::Bound(back) => Some(Subject::Bound(back)),
            Aim::Target(
                Target::Group(_) | Target::Point(_) | Target::Home | Target::LastSeen(_),
            ) => None,
        };
        match arguments {
            [_] if self.me != Me::Missing => {
                let (agent, argument) = self.owner(arguments, call)?;
                Ok(Number::Distance(agent, self.aim(argument)?))
            }
            [_] => Err(call.missing_agent()),
            [a, b] => {
                let (a, b) = (self.aim(a)?, self.aim(b)?);
                let found = agent(a).map(|agent| (agent, b));
                match found.or_else(|| agent(b).map(|agent| (agent, a))) {
                    Some((agent, aim)) => Ok(Number::Distance(agent, aim)),
                    None => Err(call.error("one of the two arguments must be an agent")),
                }
            }
            _ => Err(call.wrong_count()),
        }
    }

    fn area(&self, node: &Node) -> Checked<TileRect> {
        if let Shape::List(parts) = &node.kind {
            let shape = "an area must be four integers: `[x0, y0, x1, y1]`";
            let corners: Option<Vec<i32>> = numbers(parts)
                .into_iter()
                .map(|number| number.filter(|&(_, integer)| integer).map(|(n, _)| n as i32))
                .collect();
            let Some([x0, y0, x1, y1]) = corners.as_deref() else {
                return error(&node.span, shape);
            };
            return Ok(TileRect::new(TilePos::new(*x0, *y0), TilePos::new(*x1, *y1)));
        }
        let Target::Point(at) = self.target(node)? else {
            return error(&node.span, "expected a place or `[x0, y0, x1, y1]`");
        };
        Ok(one(TilePos::containing(at)))
    }

    fn chance(&mut self, arguments: &[Node], call: &CallSite) -> Checked<Test> {
        if self.asker != ConditionContext::Rule {
            return error(&call.span, "`chance` can only be used in transitions");
        }
        match numbers(arguments)[..] {
            [Some((probability, _))] if (0.0..=1.0).contains(&probability) => {
                self.draws += 1;
                Ok(Test::Chance { probability: probability as f32, index: self.draws - 1 })
            }
            _ => Err(call.error("the probability must be a number between 0 and 1")),
        }
    }

    fn event(&self, arguments: &[Node], call: &CallSite) -> Checked<Test> {
        let (agent, what) = if let [what] = arguments {
            // In a breakpoint, an event without an agent can belong to any agent.
            ((self.me != Me::Missing).then_some(Subject::Me), what)
        } else {
            let (agent, what) = self.owner(arguments, call)?;
            (Some(agent), what)
        };
        let Shape::Path(path) = &what.kind else {
            return error(&what.span, "expected an event, such as `bump`");
        };
        let word = path.join(".");
        if let Some(known) = EVENTS.into_iter().find(|known| *known == word) {
            return Ok(Test::Event(agent, known));
        }
        let message = format!("unknown event `{word}`");
        Err(ConditionError::new(what.span.clone(), message).unknown(&word, EVENTS))
    }

    /// Checks the target of a call. The name of a member is also a valid target.
    fn aim(&self, node: &Node) -> Checked<Aim> {
        if let Shape::Path(path) = &node.kind
            && let [word] = path[..]
            && let Some(back) = self.bound_index(word)
        {
            return Ok(Aim::Bound(back));
        }
        self.target(node).map(Aim::Target)
    }

    pub(super) fn target(&self, node: &Node) -> Checked<Target> {
        match &node.kind {
            Shape::Path(path) => match path[..] {
                ["home"] if self.me != Me::Missing => Ok(Target::Home),
                ["home"] => error(
                    &node.span,
                    "`home` needs an agent: use it in a transition, `any` or `all`",
                ),
                [word] => match self.scope.find(word) {
                    Some(Named::Agent(id)) => Ok(Target::Agent(id)),
                    Some(Named::Instance(instance)) => Ok(Target::Instance(instance)),
                    Some(Named::Group(group)) => Ok(Target::Group(group)),
                    Some(Named::Place(at)) => Ok(Target::Point(at)),
                    None => Err(self.unknown_agent(word, &node.span)),
                },
                _ => match self.subject(path, &node.span)? {
                    Subject::Agent(id) => Ok(Target::Agent(id)),
                    Subject::Instance(instance) => Ok(Target::Instance(instance)),
                    Subject::Me | Subject::Bound(_) => error(&node.span, "missing target"),
                },
            },
            Shape::Call("last_seen", arguments) if self.me != Me::Missing => match arguments[..] {
                [ref argument] => match self.target(argument)?.as_sight_target() {
                    Some(sighted) => Ok(Target::LastSeen(sighted)),
                    None => error(&argument.span, "expected an agent or a group"),
                },
                _ => error(&node.span, "`last_seen` takes one argument: an agent or a group"),
            },
            Shape::List(parts) => match numbers(parts)[..] {
                [Some((x, true)), Some((y, true))] => {
                    Ok(Target::Point(TilePos::new(x as i32, y as i32).centre()))
                }
                [Some((x, _)), Some((y, _))] => Ok(Target::Point(Vec2::new(x as f32, y as f32))),
                _ => error(&node.span, "a point must be two numbers: `[x, y]`"),
            },
            Shape::Or(_)
            | Shape::And(_)
            | Shape::Not(_)
            | Shape::Compare(..)
            | Shape::Arithmetic(..)
            | Shape::Negative(_)
            | Shape::Number(..)
            | Shape::Text(_)
            | Shape::Constant(_)
            | Shape::Binding(..)
            | Shape::Call(..) => {
                error(&node.span, "expected an agent, a group, a place or a point")
            }
        }
    }
}

fn unknown_function(word: &str, span: &Range<usize>) -> ConditionError {
    let error = ConditionError::new(span.clone(), format!("unknown function `{word}`"));
    match HABITS.into_iter().find(|&(habit, _)| habit == word) {
        Some((_, ours)) => error.help(format!("write `{ours}`")),
        None => error.unknown(word, CALLS.iter().map(|&(word, ..)| word)),
    }
}

/// The usage text of a call, and its byte range in the condition.
pub(super) struct CallSite {
    pub(super) span: Range<usize>,
    usage: &'static str,
}

impl CallSite {
    pub(super) fn error(&self, message: impl Into<String>) -> ConditionError {
        ConditionError::new(self.span.clone(), message).help(format!("write {}", self.usage))
    }

    /// Returns the error for a missing agent argument. The help text shows only the last form of
    /// the usage, which has an agent.
    pub(super) fn missing_agent(&self) -> ConditionError {
        let form = self.usage.rsplit(" or ").next().unwrap_or(self.usage);
        ConditionError::new(self.span.clone(), "missing agent").help(format!("write {form}"))
    }

    pub(super) fn wrong_count(&self) -> ConditionError {
        self.error("wrong number of arguments")
    }
}

/// Returns the value of each number in `parts`, and whether the number is written as an integer.
/// Returns `None` for each part that is not a number.
fn numbers(parts: &[Node]) -> Vec<Option<(f64, bool)>> {
    let number = |node: &Node| {
        let Shape::Number(number, integer) = node.kind else { return None };
        Some((number, integer))
    };
    parts.iter().map(number).collect()
}
