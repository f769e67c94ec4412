//! Steps patterns: control rows.

use super::{Design, diagonal};
use crate::reader::TableReader;
use crate::{MAX_PACE, value::Entry};
use tilewalk_sim::pattern::steps::{StepsPattern, StepsRow, Unit};
use tilewalk_sim::pattern::{MAX_TILES, Pattern};

/// The most one row may turn, move or wait.
const MOST: f64 = 1_000_000.0;

/// Reads the keys of a steps pattern.
pub fn read(table: &mut TableReader) -> Option<Design> {
    let degrees = table.take("unit").and_then(|value| value.word(&[("degrees", ())], &[]));
    let moves = table.take("moves");
    let diagonal = moves.as_ref().and_then(diagonal).unwrap_or(true);
    let unit = match (degrees, diagonal) {
        (Some(()), _) => Unit::Degrees,
        (None, false) => Unit::RightAngles,
        (None, true) => Unit::Notches,
    };
    if let (Some(()), Some(moves)) = (degrees, moves) {
        moves.error("`moves` can't be used with `unit = \"degrees\"`");
    }
    let repeat = table.take("repeat").and_then(|value| value.boolean()).unwrap_or(true);
    let steps = table.require("steps")?;
    let count = steps.array()?.len();
    if !(1..=MAX_TILES).contains(&count) {
        steps.error(format!("`steps` needs between 1 and {MAX_TILES} rows, but has {count}"));
        return None;
    }
    let rows = steps.tables("a steps row").into_iter().map(|row| read_row(row, unit)).collect();
    let pattern = Pattern::Steps(StepsPattern { rows, repeat, unit });
    Some(Design { pattern, absolute: false })
}

fn read_row(mut table: TableReader, unit: Unit) -> StepsRow {
    let mut amount = |key| {
        let entry = table.take(key);
        entry.and_then(|entry| read_amount(&entry, unit)).unwrap_or(0.0)
    };
    let (forward, backward) = (amount("forward"), amount("backward"));
    let (left, right) = (amount("left"), amount("right"));
    let wait = table.take("wait").and_then(|value| value.count(0..=MOST as u32)).unwrap_or(0);
    let pace = table.take("pace").and_then(|value| value.count(1..=MAX_PACE));
    let signal = table.take("signal").and_then(|value| value.line()).map(ToOwned::to_owned);
    let keys = ["forward", "backward", "left", "right", "wait", "pace", "signal"];
    if !keys.iter().any(|key| table.has(key)) && !table.issues.is_partial() {
        table.issues.error(table.span(), "a steps row must have at least one key");
    }
    if wait > 0 && [forward, backward, left, right] != [0.0; 4] {
        let message = "`wait` can't be combined with a turn or a move: use two rows";
        table.issues.error(table.span(), message);
    }
    table.finish(&[]);
    StepsRow { turn: right - left, forward: forward - backward, wait, pace, signal }
}

/// A turn or a distance: an integer, unless degrees and free tiles are meant.
fn read_amount(entry: &Entry, unit: Unit) -> Option<f32> {
    match unit {
        Unit::Degrees => entry.float(0.0..=MOST),
        Unit::Notches | Unit::RightAngles => {
            entry.integer(0..=MOST as i64).map(|number| number as f32)
        }
    }
}
