//! Judges the forms of expectations frame by frame.

use crate::condition::Condition;
use crate::scenario::expectation::{Form, Golden};
use crate::step::ENGINE_REVISION;
use crate::world::Look;

use super::{Finding, Outcome, Window};

/// The state that a judge carries from frame to frame in the window.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Track {
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
type Certain = (Outcome, Finding);

const fn pass(finding: Finding) -> Certain {
    (Outcome::Pass, finding)
}

const fn fail(finding: Finding) -> Certain {
    (Outcome::Fail, finding)
}

const fn inconclusive(finding: Finding) -> Certain {
    (Outcome::Inconclusive, finding)
}

impl Track {
    /// Judges a frame of the window. A response also needs the frames after the window in which an
    /// answer is still in time. Returns `None` while the outcome is open.
    pub fn observe(&mut self, form: &Form, look: &Look, window: Window) -> Option<Certain> {
        let frame = look.now.frame().0;
        let is_last = frame >= window.last;
        let holds = |condition: &Condition| condition.holds(look, None);
        let at_end = |certain: Certain| is_last.then_some(certain);
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
fn compare(golden: Option<Golden>, look: &Look) -> Certain {
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
