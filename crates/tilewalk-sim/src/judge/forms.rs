//! The forms of expectations: how a judge decides each form, and the reasons that it gives.
//!
//! A new form needs an arm in [`FormState::observe`]. Each new reason needs a variant of
//! [`Finding`] and a sentence. A form that a single frame can violate also needs an arm in
//! [`operands`].

use crate::condition::Condition;
use crate::id::AgentId;
use crate::report::parts::{self, number};
use crate::report::summary::hex;
use crate::scenario::expectation::{Expectation, Form, Golden};
use crate::step::ENGINE_REVISION;
use crate::words::count;
use crate::world::Look;

use super::{Judge, Outcome, Verdict, Window};

/// The reason for an outcome. All frames are frame numbers of the run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Finding {
    /// The window never started, because its start condition never held.
    NoStart,
    /// The trace of another program ended before the frame at which the window starts.
    EndedBefore(u64),
    /// The trigger at the given frame was not answered, and the trace of another program ended before
    /// its time was over.
    EndedWaiting(u64),
    /// The condition held at the frame of the verdict.
    Held,
    /// The condition held in every frame of the window.
    HeldAlways,
    /// The condition held in no frame of the window.
    HeldNever,
    /// The condition did not hold at the frame of the verdict.
    NotHeld,
    /// The trigger never became true in the window.
    NoTrigger,
    /// Every trigger was answered in time. The value is the number of triggers.
    Answered(u64),
    /// The trigger at the given frame was not answered in time.
    Unanswered(u64),
    /// Neither the `before` condition nor the `first` condition of a precedence held in the window.
    NeitherHeld,
    /// The `before` condition of a precedence held before the `first` condition.
    TooEarly,
    /// The condition held from the given frame to the end of the window.
    Settled(u64),
    /// The condition cannot hold for the given number of frames any more before the window ends.
    Unsettled(u64),
    /// The condition became true often enough. The value is the number of times that it became
    /// true.
    Repeated(u64),
    /// The condition did not become true again in time. The value is the frame at which it last
    /// became true. `None` means that it never became true.
    NotRepeated(Option<u64>),
    /// The window is shorter than the span in which the condition must become true.
    NoSpan,
    /// All values were within the bounds. Contains the smallest and the largest value.
    Within(f64, f64),
    /// The value was out of bounds at the frame of the verdict. Contains the value.
    OutOfBounds(f64),
    /// The value was undefined in all frames of the window.
    Undefined,
    /// The state hash of the window's last frame equals the known hash.
    Hash(u64),
    /// The state hash of the window's last frame differs from the known hash. Contains the found
    /// hash, then the known hash.
    OtherHash(u64, u64),
    /// The known state hash is from another engine revision. Contains that revision, and the state
    /// hash of the window's last frame.
    OtherEngine(u16, u64),
    /// The expectation has no known state hash. Contains the state hash of the window's last frame.
    NoGolden(u64),
}

impl Finding {
    /// Returns the state hash of the window's last frame. Returns `None` for reasons without a
    /// state hash.
    pub fn hash(self) -> Option<u64> {
        match self {
            Self::Hash(hash)
            | Self::OtherHash(hash, _)
            | Self::OtherEngine(_, hash)
            | Self::NoGolden(hash) => Some(hash),
            Self::NoStart
            | Self::EndedBefore(_)
            | Self::EndedWaiting(_)
            | Self::Held
            | Self::HeldAlways
            | Self::HeldNever
            | Self::NotHeld
            | Self::NoTrigger
            | Self::Answered(_)
            | Self::Unanswered(_)
            | Self::NeitherHeld
            | Self::TooEarly
            | Self::Settled(_)
            | Self::Unsettled(_)
            | Self::Repeated(_)
            | Self::NotRepeated(_)
            | Self::NoSpan
            | Self::Within(..)
            | Self::OutOfBounds(_)
            | Self::Undefined => None,
        }
    }
}

/// The state that a judge carries from frame to frame in the window.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FormState {
    /// Whether the trigger or the repeated condition held in the previous frame.
    was: bool,
    /// A frame number whose meaning depends on the form:
    ///
    /// - Response: the frame of the first unanswered trigger.
    /// - Settles: the first frame of the current series in which the condition holds.
    /// - Repeats: the last frame at which the condition became true.
    mark: Option<u64>,
    /// Number of triggers of a response, or number of times that a repeated condition became true.
    count: u64,
    /// The smallest and the largest value in the window so far. `None` before the first defined
    /// value.
    range: Option<(f64, f64)>,
}

/// An outcome and its reason.
type Decision = (Outcome, Finding);

const fn pass(finding: Finding) -> Decision {
    (Outcome::Pass, finding)
}

const fn fail(finding: Finding) -> Decision {
    (Outcome::Fail, finding)
}

const fn inconclusive(finding: Finding) -> Decision {
    (Outcome::Inconclusive, finding)
}

impl FormState {
    /// Judges a frame of the window. A response also needs the frames after the window in which an
    /// answer is still in time. `is_end` is true if no frame follows. Returns `None` while the outcome
    /// is open.
    pub fn observe(
        &mut self,
        form: &Form,
        look: &Look,
        window: Window,
        is_end: bool,
    ) -> Option<Decision> {
        let frame = look.now.frame().0;
        let is_last = frame >= window.last;
        let holds = |condition: &Condition| condition.holds(look, None);
        let at_end = |decision: Decision| is_last.then_some(decision);
        match form {
            Form::Eventually(condition) if holds(condition) => Some(pass(Finding::Held)),
            Form::Eventually(_) => at_end(fail(Finding::HeldNever)),
            Form::Never(condition) if holds(condition) => Some(fail(Finding::Held)),
            Form::Never(_) => at_end(pass(Finding::HeldNever)),
            Form::Always(condition) if holds(condition) => at_end(pass(Finding::HeldAlways)),
            Form::Always(_) => Some(fail(Finding::NotHeld)),
            Form::Response { when, then, within } => {
                if frame <= window.last && self.became_true(holds(when)) {
                    self.mark.get_or_insert(frame);
                    self.count += 1;
                }
                if let Some(trigger) = self.mark {
                    if holds(then) {
                        self.mark = None;
                    } else if frame - trigger >= *within {
                        return Some(fail(Finding::Unanswered(trigger)));
                    } else if is_end {
                        return Some(inconclusive(Finding::EndedWaiting(trigger)));
                    }
                }
                match (self.mark, self.count) {
                    (Some(_), _) => None,
                    (None, 0) => at_end(inconclusive(Finding::NoTrigger)),
                    (None, count) => at_end(pass(Finding::Answered(count))),
                }
            }
            Form::Precedence { first, .. } if holds(first) => Some(pass(Finding::Held)),
            Form::Precedence { before, .. } if holds(before) => Some(fail(Finding::TooEarly)),
            Form::Precedence { .. } => at_end(inconclusive(Finding::NeitherHeld)),
            Form::Settles { condition, hold } => {
                self.mark = if holds(condition) { self.mark.or(Some(frame)) } else { None };
                let earliest = self.mark.unwrap_or(frame + 1);
                if earliest.saturating_add(*hold) > window.last {
                    return Some(fail(Finding::Unsettled(*hold)));
                }
                at_end(pass(Finding::Settled(earliest)))
            }
            Form::Repeats { condition, every } => {
                if self.became_true(holds(condition)) {
                    self.mark = Some(frame);
                    self.count += 1;
                }
                // A span can start at the first frame of the window, or after the last repetition.
                let start = self.mark.map_or(window.first, |last| last + 1);
                if frame >= start && frame - start >= *every {
                    return Some(fail(Finding::NotRepeated(self.mark)));
                }
                match self.count {
                    0 => at_end(inconclusive(Finding::NoSpan)),
                    count => at_end(pass(Finding::Repeated(count))),
                }
            }
            Form::Bounds { value, below, above } => {
                if let Some(value) = value.value(look, None) {
                    let is_within = below.is_none_or(|below| value < below)
                        && above.is_none_or(|above| value > above);
                    if !is_within {
                        return Some(fail(Finding::OutOfBounds(value)));
                    }
                    let (least, greatest) = self.range.unwrap_or((value, value));
                    self.range = Some((least.min(value), greatest.max(value)));
                }
                match self.range {
                    Some((least, greatest)) => at_end(pass(Finding::Within(least, greatest))),
                    None => at_end(inconclusive(Finding::Undefined)),
                }
            }
            Form::Golden(golden) => is_last.then(|| compare(*golden, look)),
        }
    }

    /// Returns true if the condition holds now and did not hold in the previous frame. `holds` is
    /// its current value.
    fn became_true(&mut self, holds: bool) -> bool {
        let was = core::mem::replace(&mut self.was, holds);
        holds && !was
    }
}

/// Compares the state hash of a frame with the known hash, `golden`.
fn compare(golden: Option<Golden>, look: &Look) -> Decision {
    let hash = look.now.hash();
    match golden {
        None => inconclusive(Finding::NoGolden(hash)),
        Some(golden) if golden.engine != ENGINE_REVISION => {
            inconclusive(Finding::OtherEngine(golden.engine, hash))
        }
        Some(golden) if golden.hash != hash => fail(Finding::OtherHash(hash, golden.hash)),
        Some(_) => pass(Finding::Hash(hash)),
    }
}

/// Returns the indices of the operands that violate an expectation. `look` shows the frame of the
/// verdict.
///
/// For conditions, the indices count the operands of the top-level `and` or `or`. For a value, 0 is
/// `below` and 1 is `above`. Empty if no single frame violates the expectation.
pub(super) fn operands(form: &Form, finding: Finding, look: &Look) -> Vec<usize> {
    if let (Form::Bounds { below, .. }, Finding::OutOfBounds(value)) = (form, finding) {
        let is_too_great = below.is_some_and(|below| value >= below);
        return vec![usize::from(!is_too_great)];
    }
    let (condition, holds) = if let (Form::Never(condition), Finding::Held) = (form, finding) {
        (condition, true)
    } else if let (Form::Always(condition), Finding::NotHeld) = (form, finding) {
        (condition, false)
    } else if let (Form::Precedence { before, .. }, Finding::TooEarly) = (form, finding) {
        (before, true)
    } else {
        return Vec::new();
    };
    let (_, parts) = condition.parts();
    let parts = parts.enumerate().filter(|(_, part)| part.holds(look, None) == holds);
    parts.map(|(index, _)| index).collect()
}

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
        Finding::EndedBefore(start) => format!(
            "the window starts at frame {start}, but the run ends at frame {}",
            verdict.frame
        ),
        Finding::EndedWaiting(trigger) => format!(
            "`{}` became true at frame {trigger}; the run ends at frame {} without an answer: {}",
            first.text, verdict.frame, second.values
        ),
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
