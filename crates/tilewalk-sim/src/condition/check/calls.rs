//! Checks the arguments of calls and converts calls into the checked tree.

use core::ops::Range;

use crate::condition::ConditionError;
use crate::condition::agents::{Agents, Aim, Subject};
use crate::condition::functions::{Arguments, CALLS, FOREIGN_NAMES, Function, Glance, Predicate};
use crate::condition::syntax::{Node, Shape};
use crate::condition::tree::{Number, Test, Value};
use crate::condition::words::EVENTS;
use crate::geom::{TilePos, TileRect, Vec2};
use crate::steering::Target;

use super::{Checked, Checker, ConditionContext, Me, Named, Scope, error};

impl<S: Scope> Checker<'_, S> {
    /// Checks a call of a function.
    pub(super) fn call(
        &mut self,
        word: &str,
        arguments: &[Node],
        span: &Range<usize>,
    ) -> Checked<Value> {
        let Some(row) = CALLS.iter().find(|row| row.name == word) else {
            return Err(unknown_function(word, span));
        };
        let call = &CallSite { span: span.clone(), usage: row.usage };
        let function = match row.arguments {
            Arguments::AgentAim(create) => {
                let (agent, argument) = self.owner(arguments, call)?;
                self.glance(create(agent, self.aim(argument)?), argument)?
            }
            Arguments::AimPair(create) => {
                let (agent, aim) = self.aim_pair(arguments, call)?;
                create(agent, aim)
            }
            Arguments::AgentArea(create) => {
                let (agent, area) = self.owner(arguments, call)?;
                create(agent, self.area(area)?)
            }
            Arguments::Agents(create) => match arguments {
                [agents] => create(self.agents(agents)?),
                _ => return Err(call.wrong_count()),
            },
            Arguments::AgentsPair(create) => {
                let (first, second) = self.agents_pair(arguments, call)?;
                create(first, second)
            }
            Arguments::AgentsPairOrGroup(create) => {
                let (first, second) = self.agents_pair_or_group(arguments, call)?;
                create(first, second)
            }
            Arguments::Probability(create) => {
                let probability = self.probability(arguments, call)?;
                self.draws += 1;
                create(probability, self.draws - 1)
            }
            Arguments::AgentEvent(create) => {
                let (agent, event) = self.event(arguments, call)?;
                create(agent, event)
            }
            Arguments::Any => {
                let (members, test) = self.members(arguments, call, Self::test)?;
                return Ok(Value::Test(Test::Any(members, Box::new(test))));
            }
            Arguments::All => {
                let (members, test) = self.members(arguments, call, Self::test)?;
                return Ok(Value::Test(Test::All(members, Box::new(test))));
            }
            Arguments::Count => {
                let (members, test) = self.members(arguments, call, Self::test)?;
                return Ok(Value::Number(Number::Count(members, Box::new(test))));
            }
            Arguments::Fold(fold) => {
                let (members, number) = self.members(arguments, call, Self::number)?;
                return Ok(Value::Number(Number::Fold(fold, members, Box::new(number))));
            }
            Arguments::Apply(function) => {
                let [number] = arguments else { return Err(call.wrong_count()) };
                let number = Box::new(self.number(number)?);
                return Ok(Value::Number(Number::Apply(function, number)));
            }
            Arguments::Changed => return self.changed(arguments, call).map(Value::Test),
        };
        Ok(match function {
            Function::Predicate(predicate) => Value::Test(Test::Predicate(predicate)),
            Function::Measure(measure) => Value::Number(Number::Measure(measure)),
        })
    }

    /// Completes `sees` and `noticed`. Inside agents, `sees` is the result of the last check of an
    /// agent that watches the target. Returns an error for `noticed` if the agent does not watch the
    /// target.
    fn glance(&self, function: Function, node: &Node) -> Checked<Function> {
        let Function::Predicate(Predicate::Sees(subject, aim, glance)) = function else {
            return Ok(function);
        };
        if glance == Glance::Now {
            let is_global = self.context == ConditionContext::Global;
            let glance = if is_global { Glance::Now } else { Glance::LastOrNow };
            return Ok(Function::Predicate(Predicate::Sees(subject, aim, glance)));
        }
        let sighted = match aim {
            Aim::Target(target) => target.as_sight_target(),
            Aim::Bound(_) => None,
        };
        let Some(sighted) = sighted else {
            let message = "`noticed` needs the name of an agent or a group";
            return Err(ConditionError::new(node.span.clone(), message).help("use `sees`"));
        };
        // The targets of agents are known when all transitions have been read.
        let is_known = self.context != ConditionContext::Rule || self.is_recheck;
        let observer = self.set_of(subject).filter(|_| is_known);
        match observer.and_then(|observer| Some((observer, self.scope.watches(observer, sighted)?)))
        {
            Some((observer, false)) => {
                let [observer, target] =
                    [observer, Named::from(sighted)].map(|it| self.scope.name(it));
                Err(not_watched(&observer, &target, node.span.clone()))
            }
            Some((_, true)) | None => Ok(function),
        }
    }

    fn changed(&mut self, arguments: &[Node], call: &CallSite) -> Checked<Test> {
        let place = match self.context {
            ConditionContext::Rule => "a transition",
            ConditionContext::Spawn => "a spawn rule",
            ConditionContext::Global => "",
        };
        match arguments {
            [_] if !place.is_empty() => {
                error(&call.span, format!("`changed` can't be used in {place}"))
            }
            [value] => self.change(value),
            _ => Err(call.wrong_count()),
        }
    }

    /// Checks two targets, of which either can be the agent.
    fn aim_pair(&self, arguments: &[Node], call: &CallSite) -> Checked<(Subject, Aim)> {
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
                Ok((agent, self.aim(argument)?))
            }
            [_] => Err(call.missing_agent()),
            [a, b] => {
                let (a, b) = (self.aim(a)?, self.aim(b)?);
                let found = agent(a).map(|agent| (agent, b));
                match found.or_else(|| agent(b).map(|agent| (agent, a))) {
                    Some((agent, aim)) => Ok((agent, aim)),
                    None => Err(call.error("one of the two arguments must be an agent")),
                }
            }
            _ => Err(call.wrong_count()),
        }
    }

    fn probability(&self, arguments: &[Node], call: &CallSite) -> Checked<f32> {
        if self.context == ConditionContext::Global {
            let message = "`chance` can only be used in `switch`, in `remove` and in the `when` of `[[spawn]]`";
            return error(&call.span, message);
        }
        match numbers(arguments)[..] {
            [Some((probability, _))] if (0.0..=1.0).contains(&probability) => {
                Ok(probability as f32)
            }
            _ => Err(call.error("the probability must be a number between 0 and 1")),
        }
    }

    fn event(
        &self,
        arguments: &[Node],
        call: &CallSite,
    ) -> Checked<(Option<Subject>, &'static str)> {
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
            return Ok((agent, known));
        }
        let message = format!("unknown event `{word}`");
        Err(ConditionError::new(what.span.clone(), message).unknown(&word, EVENTS))
    }

    /// Checks two agents or groups. With one argument, the other is the agent of the condition.
    fn agents_pair(&self, arguments: &[Node], call: &CallSite) -> Checked<(Agents, Agents)> {
        match arguments {
            [other] if self.me != Me::Missing => {
                Ok((Agents::One(Subject::Me), self.agents(other)?))
            }
            [_] => Err(call.missing_agent()),
            [first, second] => Ok((self.agents(first)?, self.agents(second)?)),
            _ => Err(call.wrong_count()),
        }
    }

    /// Checks two agents or groups. With one group, the pairs are those of its members. With one
    /// agent, the other is the agent of the condition.
    fn agents_pair_or_group(
        &self,
        arguments: &[Node],
        call: &CallSite,
    ) -> Checked<(Agents, Agents)> {
        match arguments {
            [only] => {
                let agents = self.agents(only)?;
                let is_other = self.me != Me::Missing && matches!(agents, Agents::One(_));
                let first = if is_other { Agents::One(Subject::Me) } else { agents };
                Ok((first, agents))
            }
            [first, second] => Ok((self.agents(first)?, self.agents(second)?)),
            _ => Err(call.wrong_count()),
        }
    }

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
            let area = TileRect::new(TilePos::new(*x0, *y0), TilePos::new(*x1, *y1));
            self.note_area(&node.span, area, [*x0, *y0]);
            return Ok(area);
        }
        let Target::Point(at) = self.target(node)? else {
            return error(&node.span, "expected a place or `[x0, y0, x1, y1]`");
        };
        let tile = TilePos::containing(at);
        Ok(TileRect::new(tile, tile))
    }

    /// Notes an area with reversed corners, or without a tile on the map.
    fn note_area(&self, span: &Range<usize>, area: TileRect, first: [i32; 2]) {
        let TileRect { min, max } = area;
        if first != [min.x, min.y] {
            let help = format!("write `[{}, {}, {}, {}]`", min.x, min.y, max.x, max.y);
            self.note(span, "the corners of the area are reversed".to_owned(), help);
        }
        let Some(map) = self.scope.map() else { return };
        let [width, height] = [map.width(), map.height()].map(i64::from);
        let is_outside =
            i64::from(min.x) >= width || i64::from(min.y) >= height || max.x < 0 || max.y < 0;
        if is_outside {
            self.note(
                span,
                format!("the area is outside the map of {width} × {height} tiles"),
                String::new(),
            );
        }
    }

    /// Notes a point that is not on the map.
    fn note_point(&self, span: &Range<usize>, point: Vec2) {
        let Some(map) = self.scope.map() else { return };
        if map.resolve(TilePos::containing(point)).is_none() {
            let (width, height) = (map.width(), map.height());
            self.note(
                span,
                format!("the point is outside the map of {width} × {height} tiles"),
                String::new(),
            );
        }
    }

    fn note(&self, span: &Range<usize>, message: String, help: String) {
        self.notes.borrow_mut().push(ConditionError::new(span.clone(), message).help(help));
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

    fn target(&self, node: &Node) -> Checked<Target> {
        match &node.kind {
            Shape::Path(path) => match path[..] {
                ["home"] if self.me != Me::Missing => Ok(Target::Home),
                ["home"] => error(
                    &node.span,
                    "`home` needs an agent: use it in a transition, `any` or `all`",
                ),
                [word] => match self.find(word) {
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
                [Some((x, of_x)), Some((y, of_y))] => {
                    let is_tile = of_x && of_y;
                    let point = if is_tile {
                        TilePos::new(x as i32, y as i32).centre()
                    } else {
                        Vec2::new(x as f32, y as f32)
                    };
                    self.note_point(&node.span, point);
                    Ok(Target::Point(point))
                }
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

/// Returns the error for `noticed` with a target that the agent does not watch.
fn not_watched(observer: &str, target: &str, span: Range<usize>) -> ConditionError {
    let message = format!("{observer} does not watch {target}, so it never notices it");
    let help = format!(
        "use `sees`, or let a transition of {observer} test `sees({target})`: an agent watches the \
         agents and groups that its transitions and targets name"
    );
    ConditionError::new(span, message).help(help)
}

fn unknown_function(word: &str, span: &Range<usize>) -> ConditionError {
    let error = ConditionError::new(span.clone(), format!("unknown function `{word}`"));
    match FOREIGN_NAMES.into_iter().find(|&(name, _)| name == word) {
        Some((_, function)) => error.help(format!("write `{function}`")),
        None => error.unknown(word, CALLS.iter().map(|row| row.name)),
    }
}

/// The usage text of a call, and its byte range in the condition.
pub(super) struct CallSite {
    span: Range<usize>,
    usage: &'static str,
}

impl CallSite {
    fn error(&self, message: impl Into<String>) -> ConditionError {
        ConditionError::new(self.span.clone(), message).help(format!("write {}", self.usage))
    }

    /// Returns the error for a missing agent argument. The help text shows only the last form of
    /// the usage, which has an agent.
    fn missing_agent(&self) -> ConditionError {
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
