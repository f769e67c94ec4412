//! Checks the arguments of calls and converts calls into the checked tree.

use core::ops::Range;

use crate::condition::ConditionError;
use crate::condition::syntax::{Node, Shape};
use crate::condition::tree::{Number, Subject, Test, Value, one};
use crate::condition::words::{CALLS, Call, EVENTS};
use crate::geom::{TilePos, TileRect, Vec2};
use crate::steering::{SightTarget, Target};

use super::{Checked, Checker, ConditionContext, Named, Scope, error};

impl<S: Scope> Checker<'_, S> {
    /// Returns the agent of a call and the remaining argument. The agent is the first of two
    /// arguments; a call with one argument uses the agent of the condition.
    fn owner<'n, 'a>(
        &self,
        arguments: &'n [Node<'a>],
        call: &CallSite,
    ) -> Checked<(Subject, &'n Node<'a>)> {
        match arguments {
            [what] if self.me => Ok((Subject::Me, what)),
            [_] => Err(call.missing_agent()),
            [agent, what] => match &agent.kind {
                Shape::Path(path) => Ok((self.subject(path, &agent.span)?, what)),
                _ => error(&agent.span, "expected an agent"),
            },
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
            let known = CALLS.iter().map(|&(word, ..)| word);
            let message = format!("unknown function `{word}`");
            return Err(ConditionError::new(span.clone(), message).unknown(word, known));
        };
        let call_site = CallSite { span: span.clone(), usage };
        let test = match call {
            Call::Distance => return self.distance(arguments, &call_site).map(Value::Number),
            Call::Sees => {
                let (agent, argument) = self.owner(arguments, &call_site)?;
                Test::Sees(agent, self.target(argument)?)
            }
            Call::In => {
                let (agent, area) = self.owner(arguments, &call_site)?;
                Test::In(agent, self.area(area)?)
            }
            Call::Exists => match arguments {
                [agent] => Test::Exists(self.agents(agent)?),
                _ => return Err(call_site.wrong_count()),
            },
            Call::Chance => self.chance(arguments, &call_site)?,
            Call::Event => self.event(arguments, &call_site)?,
            Call::Any | Call::All => self.members(call, arguments, &call_site)?,
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

    /// Checks a value and returns the test that the value has changed.
    pub(super) fn change(&mut self, node: &Node) -> Checked<Test> {
        match self.value(node)? {
            Value::Test(test) if test.is_momentary() => Err(ConditionError::new(
                node.span.clone(),
                "`changed` can't be used with a condition that lasts only one frame",
            )
            .help("write the condition without `changed`")),
            value => Ok(Test::Changed(Box::new(value))),
        }
    }

    /// Checks a call of `distance`. If the call has two arguments, either can be the agent.
    fn distance(&self, arguments: &[Node], call: &CallSite) -> Checked<Number> {
        match arguments {
            [_] if self.me => {
                let (agent, argument) = self.owner(arguments, call)?;
                Ok(Number::Distance(agent, self.target(argument)?))
            }
            [_] => Err(call.missing_agent()),
            [a, b] => match (self.target(a)?, self.target(b)?) {
                (Target::Agent(id), other) | (other, Target::Agent(id)) => {
                    Ok(Number::Distance(Subject::Agent(id), other))
                }
                (Target::Instance(instance), other) | (other, Target::Instance(instance)) => {
                    Ok(Number::Distance(Subject::Instance(instance), other))
                }
                _ => Err(call.error("one of the two arguments must be an agent")),
            },
            _ => Err(call.wrong_count()),
        }
    }

    /// Checks the name of an agent or a group.
    fn agents(&self, node: &Node) -> Checked<Target> {
        match self.target(node)? {
            target @ (Target::Agent(_) | Target::Instance(_) | Target::Group(_)) => Ok(target),
            Target::Point(_) | Target::Home | Target::LastSeen(_) => {
                error(&node.span, "expected an agent or a group")
            }
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
        match self.target(node)? {
            Target::Point(at) => Ok(one(TilePos::containing(at))),
            _ => error(&node.span, "expected a place or `[x0, y0, x1, y1]`"),
        }
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
            (self.me.then_some(Subject::Me), what)
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

    fn members(&mut self, call: Call, arguments: &[Node], call_site: &CallSite) -> Checked<Test> {
        let [group, condition] = arguments else { return Err(call_site.wrong_count()) };
        let Target::Group(members) = self.target(group)? else {
            return error(&group.span, "expected a group");
        };
        let me = core::mem::replace(&mut self.me, true);
        let test = self.test(condition);
        self.me = me;
        let test = Box::new(test?);
        Ok(if call == Call::Any { Test::Any(members, test) } else { Test::All(members, test) })
    }

    fn target(&self, node: &Node) -> Checked<Target> {
        match &node.kind {
            Shape::Path(path) => match path[..] {
                ["home"] if self.me => Ok(Target::Home),
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
                    Subject::Me => error(&node.span, "missing target"),
                },
            },
            Shape::Call("last_seen", arguments) if self.me => match arguments[..] {
                [ref argument] => match self.target(argument)? {
                    Target::Agent(id) => Ok(Target::LastSeen(SightTarget::Agent(id))),
                    Target::Group(group) => Ok(Target::LastSeen(SightTarget::Group(group))),
                    _ => error(&argument.span, "expected an agent or a group"),
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
            _ => error(&node.span, "expected an agent, a group, a place or a point"),
        }
    }
}

/// The usage text of a call, and its byte range in the condition.
struct CallSite {
    span: Range<usize>,
    usage: &'static str,
}

impl CallSite {
    fn error(&self, message: impl Into<String>) -> ConditionError {
        ConditionError::new(self.span.clone(), message).help(format!("write {}", self.usage))
    }

    /// Returns the error for a missing agent argument. The help text shows the last form of the
    /// usage, which has an agent.
    fn missing_agent(&self) -> ConditionError {
        let form = self.usage.rsplit(" or ").next().unwrap_or(self.usage);
        ConditionError::new(self.span.clone(), "missing agent").help(format!("write {form}"))
    }

    fn wrong_count(&self) -> ConditionError {
        self.error("wrong number of arguments")
    }
}

/// Returns the value of each part that is a number, and whether the number is written as an
/// integer; `None` for other parts.
fn numbers(parts: &[Node]) -> Vec<Option<(f64, bool)>> {
    let number = |node: &Node| match node.kind {
        Shape::Number(number, integer) => Some((number, integer)),
        _ => None,
    };
    parts.iter().map(number).collect()
}
