//! Formats the reason for a verdict.

use crate::condition::Condition;
use crate::id::AgentId;
use crate::report::parts::{self, number};
use crate::report::summary::hex;
use crate::scenario::expectation::{Expectation, Form};
use crate::step::ENGINE_REVISION;
use crate::words::count;
use crate::world::Look;

use super::{Finding, Judge, Verdict};

/// Returns one line that gives the reason for a verdict. `look` is the frame of the verdict.
pub(super) fn sentence(judge: &Judge, verdict: &Verdict, look: &Look) -> String {
    let expectation = judge.expectation();
    let window = judge.window().map_or_else(String::new, |window| {
        format!("in frames {} to {}", window.first, window.last)
    });
    let [start, first, second] = texts(expectation, look);
    let (value, bounds) = bounded(&expectation.form);
    match verdict.finding {
        Finding::NoStart => {
            format!("the window did not start: `{}` did not hold: {}", start.text, start.values)
        }
        Finding::Held => format!("`{}` held: {}", first.text, first.values),
        Finding::HeldAlways => format!("`{}` held {window}", first.text),
        Finding::HeldNever => {
            format!("`{}` did not hold {window}; at the end: {}", first.text, first.values)
        }
        Finding::NotHeld => format!("`{}` did not hold: {}", first.text, first.values),
        Finding::NoTrigger => format!("no trigger: `{}` did not become true {window}", first.text),
        Finding::Answered(triggers) => {
            format!("{}, each with an answer", count(triggers, "trigger"))
        }
        Finding::Unanswered(trigger) => format!(
            "`{}` became true at frame {trigger}; no answer up to frame {}: {}",
            first.text, verdict.frame, second.values
        ),
        Finding::NeitherHeld => {
            format!("neither `{}` nor `{}` held {window}", first.text, second.text)
        }
        Finding::TooEarly => {
            format!("`{}` held before `{}`: {}", second.text, first.text, first.values)
        }
        Finding::Settled(since) => format!("`{}` held from frame {since} on", first.text),
        Finding::Unsettled => {
            format!("`{}` did not settle {window}: {}", first.text, first.values)
        }
        Finding::Repeated(times) => {
            format!("`{}` became true {}", first.text, count(times, "time"))
        }
        Finding::NotRepeated(Some(last)) => format!(
            "`{}` became true at frame {last}, and not again up to frame {}: {}",
            first.text, verdict.frame, first.values
        ),
        Finding::NotRepeated(None) => format!(
            "`{}` did not become true up to frame {}: {}",
            first.text, verdict.frame, first.values
        ),
        Finding::NoSpan => "the window is shorter than a span".to_owned(),
        Finding::Within(least, greatest) => {
            format!("{value} was between {} and {} {window}", number(least), number(greatest))
        }
        Finding::OutOfBounds(now) => {
            format!("{value} was {}, not {bounds}", number(now))
        }
        Finding::Undefined => {
            format!("{value} was undefined {window}")
        }
        Finding::Hash(hash) => match &expectation.form {
            Form::Golden(Some(golden)) if golden.hash != hash => {
                format!("the state hash is {}, not {}", hex(hash), hex(golden.hash))
            }
            _ => format!("the state hash is {}", hex(hash)),
        },
        Finding::OtherEngine(engine, _) => {
            format!("recorded with engine {engine}, this is engine {ENGINE_REVISION}")
        }
        Finding::NoGolden(_) => "no known hash: write it with `tilewalk test --bless`".to_owned(),
    }
}

/// Returns the expression whose value has bounds, and the bounds.
fn bounded(form: &Form) -> (String, String) {
    let Form::Bounds { value, below, above } = form else { return Default::default() };
    let bounds = [("above", above), ("below", below)];
    let bounds = bounds.iter().filter_map(|(word, at)| at.map(|at| format!("{word} {at}")));
    (format!("`{}`", value.text()), bounds.collect::<Vec<_>>().join(" and "))
}

/// Returns the agent that a verdict is about. `look` is the frame of the verdict.
pub(super) fn agent(judge: &Judge, verdict: &Verdict, look: &Look) -> Option<AgentId> {
    let expectation = judge.expectation();
    let mut conditions: Vec<_> = match (verdict.finding, &expectation.form) {
        (Finding::NoStart, _) => expectation.start_condition().into_iter().collect(),
        (_, Form::Bounds { value, .. }) => return value.agent(look),
        (_, form) => form.conditions().collect(),
    };
    // The answer and the condition that came too early say more than the first condition.
    conditions.reverse();
    conditions.into_iter().find_map(|condition| condition.agent(look))
}

/// A condition and its values.
#[derive(Default)]
struct Described<'a> {
    text: &'a str,
    values: String,
}

/// Describes the condition that starts the window, and the conditions of the form.
fn texts<'a>(expectation: &'a Expectation, look: &Look) -> [Described<'a>; 3] {
    let describe = |condition: Option<&'a Condition>| {
        condition.map_or_else(Described::default, |condition| Described {
            text: condition.text(),
            values: parts::why(condition, look, None),
        })
    };
    let mut form = expectation.form.conditions();
    [expectation.start_condition(), form.next(), form.next()].map(describe)
}
