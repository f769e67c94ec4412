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

/// Returns one line with the reason for a verdict. `look` shows the frame of the verdict.
pub(super) fn sentence(judge: &Judge, verdict: &Verdict, look: &Look) -> String {
    let expectation = judge.expectation();
    let window = judge.window().map_or_else(String::new, |window| {
        format!("in frames {} to {}", window.first, window.last)
    });
    let [start, first, second] = texts(expectation, look);
    let (value, bounds) = bounded(&expectation.form);
    match verdict.finding {
        Finding::NoStart => {
            let (text, end) = (start.text, verdict.frame);
            format!(
                "the window did not start: `{text}` never held up to frame {end}; at the end: {}",
                start.values
            )
        }
        Finding::Held => format!("`{}` held: {}", first.text, first.values),
        Finding::HeldAlways => format!("`{}` held {window}", first.text),
        Finding::HeldNever => {
            format!("`{}` did not hold {window}; at the end: {}", first.text, first.values)
        }
        Finding::NotHeld => format!("`{}` did not hold: {}", first.text, first.values),
        Finding::NoTrigger => format!("no trigger: `{}` did not become true {window}", first.text),
        Finding::Answered(1) => "the only trigger was answered".to_owned(),
        Finding::Answered(triggers) => format!("all {triggers} triggers were answered"),
        Finding::Unanswered(trigger) => format!(
            "`{}` became true at frame {trigger}; no answer up to frame {}: {}",
            first.text, verdict.frame, second.values
        ),
        Finding::NeitherHeld => {
            format!("neither `{}` nor `{}` held {window}", first.text, second.text)
        }
        Finding::TooEarly => {
            let (early, late) = (second.text, first.text);
            format!("`{early}` held before `{late}`; at this frame: {}", first.values)
        }
        Finding::Settled(since) => format!("`{}` held from frame {since} on", first.text),
        Finding::Unsettled(hold) => {
            let frames = count(hold, "frame");
            format!("`{}` did not settle for {frames} {window}: {}", first.text, first.values)
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
        Finding::Hash(hash) => format!("the state hash is {}", hex(hash)),
        Finding::OtherHash(hash, known) => {
            format!("the state hash is {}, not {}", hex(hash), hex(known))
        }
        Finding::OtherEngine(engine, _) => format!(
            "the state is of engine {engine}, this is engine {ENGINE_REVISION}: check the run, then \
             renew the state with `tilewalk test --bless`"
        ),
        Finding::NoGolden(_) => "no known hash: write it with `tilewalk test --bless`".to_owned(),
    }
}

/// Returns the text of a bounded expression and the text of its bounds. Both are empty for forms
/// without bounds.
fn bounded(form: &Form) -> (String, String) {
    let Form::Bounds { value, below, above } = form else { return Default::default() };
    let bounds = [("above", above), ("below", below)];
    let bounds = bounds.iter().filter_map(|(word, at)| at.map(|at| format!("{word} {at}")));
    (format!("`{}`", value.text()), bounds.collect::<Vec<_>>().join(" and "))
}

/// Returns the first agent in the condition or value that decides a verdict. Returns `None` if the
/// condition or value has no agent. `look` shows the frame of the verdict.
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

/// The text of a condition, and the values of its parts in a frame.
#[derive(Default)]
struct Described<'a> {
    text: &'a str,
    values: String,
}

/// Describes the start condition of the window and the first two conditions of the form. The text
/// of a missing condition is empty.
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
