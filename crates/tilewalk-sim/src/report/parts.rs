//! The parts of a condition at a frame: their values, and the reasons for their results.

use serde::Serialize;

use crate::condition::functions::{FunctionReason, Glance};
use crate::condition::{
    self, Agents, Compared, Condition, Facts, Number, Several, Subject, Test, Text,
};
use crate::id::AgentId;
use crate::steering::Target;
use crate::words;
use crate::world::Look;

/// A part of a condition, with the result of its test.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Part {
    /// The operator `and` or `or` before this part. Empty for the first part.
    #[serde(skip)]
    pub joint: &'static str,
    /// The source text of the part, escaped for printing.
    pub text: String,
    /// Whether the part holds.
    pub holds: bool,
    /// The number that the part compares. `None` if the part compares no numbers, or if the number
    /// is undefined.
    pub value: Option<f64>,
    /// The reason for the result, such as `range 9.4 of 8`. `None` if the value explains the
    /// result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The part without its leading `not`, and whether that holds. `None` without a leading `not`.
    #[serde(skip)]
    pub inner: Option<(String, bool)>,
    /// The result with values, such as `gap(guard, thief) = 0.42, needs < 0.1`.
    #[serde(skip)]
    pub why: String,
}

/// Tests each operand of a top-level `and` or `or` at a frame. Any other condition is tested as one
/// part. Fields without an agent name refer to the agent `me`.
pub fn parts(when: &Condition, look: &Look, me: Option<AgentId>) -> Vec<Part> {
    let (joint, parts) = when.parts();
    let test = |(index, part): (usize, condition::ConditionPart)| {
        let asked = Asked { part, look, me };
        Part {
            joint: if index == 0 { "" } else { joint },
            text: part.text.to_owned(),
            holds: part.holds(look, me),
            value: part.measured(look, me),
            reason: asked.reason(),
            inner: inner(part, part.holds(look, me)),
            why: asked.why(),
        }
    };
    parts.enumerate().map(test).collect()
}

/// Returns one line that explains the result of a condition. The line contains the values of the
/// parts that decide the result. Fields without an agent name refer to the agent `me`.
pub fn why(when: &Condition, look: &Look, me: Option<AgentId>) -> String {
    let holds = when.holds(look, me);
    let deciding = parts(when, look, me).into_iter().filter(|part| part.holds == holds);
    deciding.map(|part| part.why).collect::<Vec<_>>().join("; ")
}

impl Part {
    /// Returns the text and the result of the part, such as `distance(thief) < 2: 3.41`. A part
    /// without a value has the result `yes` or `no`. The reason follows in parentheses.
    pub fn value_text(&self) -> String {
        format!("{}: {}", self.text, self.result_text())
    }

    /// Returns the compared value, or `yes` or `no` for a part without a value. The reason follows
    /// in parentheses. A part with `not` also shows the result without it, such as `no (sees(thief):
    /// yes, range 2.2 of 9)`.
    pub fn result_text(&self) -> String {
        let verdict = |holds: bool| if holds { "yes" } else { "no" };
        let result = match self.value {
            Some(value) => format!("{value:.2}"),
            None => verdict(self.holds).to_owned(),
        };
        match (&self.inner, &self.reason) {
            (Some((text, holds)), None) => format!("{result} ({text}: {})", verdict(*holds)),
            (Some((text, holds)), Some(reason)) => {
                format!("{result} ({text}: {}, {reason})", verdict(*holds))
            }
            (None, reason) => with_reason(result, reason.as_deref()),
        }
    }

    /// Returns the text and result of the part. For every part except the first, the text begins
    /// with `and` or `or`.
    pub fn joined_text(&self) -> String {
        let gap = if self.joint.is_empty() { "" } else { " " };
        format!("{}{gap}{}", self.joint, self.value_text())
    }
}

/// Returns the operands of a top-level `and` or `or` as if all of them hold, without values.
pub(super) fn parts_if_all_hold(when: &Condition) -> Vec<Part> {
    let (joint, parts) = when.parts();
    let assumed = |(index, part): (usize, condition::ConditionPart)| Part {
        joint: if index == 0 { "" } else { joint },
        text: part.text.to_owned(),
        holds: true,
        value: None,
        reason: None,
        inner: inner(part, true),
        why: String::new(),
    };
    parts.enumerate().map(assumed).collect()
}

/// Returns the source text of a part without each leading `not`, and whether that holds if the part
/// holds as given. Returns `None` without a leading `not`.
fn inner(part: condition::ConditionPart, holds: bool) -> Option<(String, bool)> {
    let (mut test, mut text, mut holds) = (part.test, part.text, holds);
    while let Test::Not(inner) = test {
        text = text.trim_start().strip_prefix("not")?.trim_start();
        (test, holds) = (inner, !holds);
    }
    matches!(part.test, Test::Not(_)).then(|| (text.to_owned(), holds))
}

/// Names the terms that decide the result of a condition: `needs A and B` if the condition does not
/// hold, and `prevented by not A` if it holds. `parts` are all parts of the condition.
pub fn deciding_terms(parts: &[Part], holds: bool) -> String {
    let joins_all = parts.last().is_some_and(|part| part.joint == "and");
    // One part settles `or` if it holds, and `and` if it does not.
    let joint = if joins_all == holds { " or " } else { " and " };
    let terms = parts.iter().filter(|part| part.holds == holds);
    let term = |part: &Part| match (&part.inner, holds) {
        (Some((text, _)), true) => text.clone(),
        (None, true) => format!("not {}", part.text),
        (_, false) => part.text.clone(),
    };
    let terms: Vec<_> = terms.map(term).collect();
    format!("{} {}", if holds { "prevented by" } else { "needs" }, terms.join(joint))
}

fn with_reason(text: String, reason: Option<&str>) -> String {
    match reason {
        Some(reason) => format!("{text} ({reason})"),
        None => text,
    }
}

/// Formats a number with at most three decimals. Non-zero numbers below 0.0005 are written with an
/// exponent.
pub(crate) fn number(value: f64) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text.trim_start_matches('-') == "0" && value != 0.0 {
        return format!("{value:.1e}");
    }
    text.to_owned()
}

/// A part of a condition to test at a frame.
#[derive(Debug, Clone, Copy)]
struct Asked<'a> {
    part: condition::ConditionPart<'a>,
    look: &'a Look<'a>,
    me: Option<AgentId>,
}

impl Asked<'_> {
    fn why(&self) -> String {
        let reason = self.reason();
        let holds = self.part.holds(self.look, self.me);
        let values = self.part.sides(self.look, self.me);
        let (Test::Compare(sign, left, _), Some([a, b]), Some([x, y])) =
            (self.part.test, self.part.sides, values)
        else {
            let verdict = if holds { "true" } else { "false" };
            let reason = reason.map_or_else(String::new, |reason| format!(": {reason}"));
            return format!("{} is {verdict}{reason}", self.part.text);
        };
        let is_mirrored = matches!(left, Number::Literal(_));
        let (name, value, sign, other, limit) =
            if is_mirrored { (b, y, sign.mirrored(), a, x) } else { (a, x, *sign, b, y) };
        let Some(value) = value else { return format!("{name} is undefined") };
        let Some(limit) = limit else { return format!("{other} is undefined") };
        let value = with_reason(format!("{name} = {}", number(value)), reason.as_deref());
        self.compared(&value, sign, other, limit, holds)
    }

    /// Describes a comparison with a limit. `other` is the source text of the limit.
    fn compared(
        &self,
        value: &str,
        sign: Compared,
        other: &str,
        limit: f64,
        holds: bool,
    ) -> String {
        let is_constant = matches!(
            self.part.test,
            Test::Compare(_, Number::Literal(_), _) | Test::Compare(_, _, Number::Literal(_))
        );
        let limit =
            if is_constant { other.to_owned() } else { format!("{other} = {}", number(limit)) };
        let verb = if holds { "which is" } else { "needs" };
        format!("{value}, {verb} {} {limit}", sign.sign())
    }

    /// Returns the reason for the result. Returns `None` if the values alone explain the result.
    fn reason(&self) -> Option<String> {
        match self.part.without_not() {
            Test::Predicate(predicate) => self.function_reason(predicate.reason()?),
            Test::Compare(_, left, right) => {
                let reason = [left, right].into_iter().find_map(|side| {
                    let Number::Measure(measure) = side else { return None };
                    measure.reason()
                });
                if let Some(reason) = reason {
                    return self.function_reason(reason);
                }
                let extreme = self.part.extreme(self.look, self.me);
                extreme.map(|id| self.look.now.name(id).to_string())
            }
            Test::Same { left: Text::Mode(subject), right: Text::Literal(_), .. }
            | Test::Same { left: Text::Literal(_), right: Text::Mode(subject), .. } => {
                let world = self.look.now;
                self.id(*subject).map(|id| format!("mode \"{}\"", world.mode(id).name))
            }
            Test::Any(..) | Test::All(..) => self.deciding(),
            Test::Constant(_)
            | Test::Or(_)
            | Test::And(_)
            | Test::Not(_)
            | Test::Fact(..)
            | Test::Same { .. }
            | Test::Is(..)
            | Test::Changed(_) => None,
        }
    }

    fn function_reason(&self, reason: FunctionReason) -> Option<String> {
        match reason {
            FunctionReason::Sight(subject, target, glance) => self.sight(subject, target, glance),
            FunctionReason::Tile(subject) => {
                self.id(subject).map(|id| format!("at {}", self.look.now.tile(id)))
            }
            FunctionReason::Event(word) => self.event(word),
            FunctionReason::Pair { first, second, gap } => self.pair(first, second, gap),
        }
    }

    /// Describes how the subject sees a target: the distance, the angle, or the obstacle that hides
    /// the target. Returns `None` if the subject is not in the world.
    fn sight(&self, subject: Subject, target: Target, glance: Glance) -> Option<String> {
        let (world, id) = (self.look.now, self.id(subject)?);
        let (seen, now) = (self.look.sees(id, target, glance), world.sees(id, target));
        let Some(check) = world.check_view(id, target) else {
            return Some("no such target in the world".to_owned());
        };
        let view = world.body(id).view;
        let half = f64::from(view.angle.to_degrees()) / 2.0;
        let range = format!("range {:.1} of {}", check.distance, number(view.range.into()));
        Some(if seen && !now {
            format!("seen at the last check, {range}")
        } else if now && !seen {
            format!("not seen at the last check, {range}")
        } else if seen || check.distance > view.range {
            range
        } else if half < 180.0 && f64::from(check.angle) > half {
            format!("angle {:.0}° of {}°", check.angle, number(half))
        } else if let Some(tile) = check.tile {
            format!("behind {}", words::tile(&world.scenario().map, tile))
        } else if let Some(wall) = check.wall {
            format!("behind {}", words::wall(&world.scenario().map, wall))
        } else if let Some(obstacle) = check.obstacle {
            format!("behind an obstacle at {}", words::point(obstacle.centre))
        } else {
            range
        })
    }

    /// Names the agents to which an event happened. Returns `None` if there are none.
    fn event(&self, word: &str) -> Option<String> {
        let mut agents = self.look.agents_of_event(word);
        let first = self.look.now.name(agents.next()?).to_string();
        Some(match agents.count() {
            0 => first,
            more => format!("{first} and {more} more"),
        })
    }

    /// Describes the nearest pair of bodies, with their gap in tiles if `gap` is true. Omits the
    /// names if the condition compares two single agents.
    fn pair(&self, first: Agents, second: Agents, gap: bool) -> Option<String> {
        let (world, one) = (self.look.now, |agents| matches!(agents, Agents::One(_)));
        let pair = world.gap(self.several(first)?, self.several(second)?)?;
        let names = format!("{} and {}", world.name(pair.first), world.name(pair.second));
        match (one(first) && one(second), gap) {
            (true, true) => Some(format!("gap {}", number(pair.gap))),
            (true, false) => None,
            (false, true) => Some(format!("gap {} of {names}", number(pair.gap))),
            (false, false) => Some(names),
        }
    }

    /// Names the group members that decide the result of `any` or `all`. Returns `None` for other
    /// parts.
    fn deciding(&self) -> Option<String> {
        let ids = self.part.deciding(self.look, self.me)?;
        let first = ids.first().map(|&id| self.look.now.name(id).to_string());
        Some(match (self.part.without_not(), first, ids.len()) {
            (Test::Any(..), None, _) => "no member".to_owned(),
            (_, None, _) => "every member".to_owned(),
            (Test::All(..), Some(first), 1) => format!("not {first}"),
            (Test::All(..), Some(first), count) => format!("not {first} and {} more", count - 1),
            (_, Some(first), 1) => first,
            (_, Some(first), count) => format!("{first} and {} more", count - 1),
        })
    }

    fn several(&self, agents: Agents) -> Option<Several> {
        match agents {
            Agents::One(subject) => self.id(subject).map(Several::One),
            Agents::Group(group) => Some(Several::Group(group)),
        }
    }

    /// Returns the agent that a subject refers to. Returns `None` if that agent is not in the
    /// world.
    fn id(&self, subject: Subject) -> Option<AgentId> {
        let id = match subject {
            Subject::Me => self.me,
            Subject::Agent(id) => Some(id),
            Subject::Instance(instance) => self.look.instance(instance),
            // Parts are outside of the functions that name members.
            Subject::Bound(_) => None,
        };
        id.filter(|&id| self.look.is_present(id))
    }
}
