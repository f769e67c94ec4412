//! Finds the parts of an expectation that are responsible for a failure.

use crate::condition::Condition;
use crate::scenario::expectation::{Expectation, Form};
use crate::world::Look;

use super::{Finding, Verdict};

/// Returns the indices of the operands that violate an expectation. `look` shows the frame of the
/// verdict.
///
/// For conditions, the indices count the operands of the top-level `and` or `or`. For a value, 0 is
/// `below` and 1 is `above`. Empty if no single frame violates the expectation.
pub(super) fn operands(expectation: &Expectation, verdict: &Verdict, look: &Look) -> Vec<usize> {
    let finding = verdict.finding;
    match &expectation.form {
        Form::Never(condition) if finding == Finding::Held => with(condition, true, look),
        Form::Always(condition) if finding == Finding::NotHeld => with(condition, false, look),
        Form::Precedence { before, .. } if finding == Finding::TooEarly => with(before, true, look),
        Form::Bounds { below, .. } => {
            let Finding::OutOfBounds(value) = finding else { return Vec::new() };
            let is_too_great = below.is_some_and(|below| value >= below);
            vec![usize::from(!is_too_great)]
        }
        Form::Never(_)
        | Form::Always(_)
        | Form::Precedence { .. }
        | Form::Eventually(_)
        | Form::Response { .. }
        | Form::Settles { .. }
        | Form::Repeats { .. }
        | Form::Golden(_) => Vec::new(),
    }
}

/// Returns the indices of the top-level operands that hold. If `holds` is false, returns the
/// operands that do not hold.
fn with(condition: &Condition, holds: bool, look: &Look) -> Vec<usize> {
    let (_, parts) = condition.parts();
    let parts = parts.enumerate().filter(|(_, part)| part.holds(look, None) == holds);
    parts.map(|(index, _)| index).collect()
}
