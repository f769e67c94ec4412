//! Reads `steps` patterns.

use super::{Design, diagonal};
use crate::keys::pattern::{AMOUNT, STEPS_ROW};
use crate::keys::words::UNITS;
use crate::text::reader::Entry;
use crate::text::reader::TableReader;
use tilewalk_sim::pattern::steps::{StepsPattern, StepsRow, Unit};
use tilewalk_sim::pattern::{MAX_TILES, Pattern};

pub fn read(table: &TableReader) -> Option<Design> {
    let degrees = table.word("unit", &UNITS);
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
    let repeat = table.flag("repeat");
    let steps = table.require("steps")?;
    let count = steps.array()?.len();
    if !(1..=MAX_TILES).contains(&count) {
        steps.error(format!("`steps` needs between 1 and {MAX_TILES} rows, but has {count}"));
        return None;
    }
    let rows = steps.tables(&STEPS_ROW).into_iter().map(|row| read_row(row, unit)).collect();
    let pattern = Pattern::Steps(StepsPattern { rows, repeat, unit });
    Some(Design { pattern, absolute: false })
}

fn read_row(table: TableReader, unit: Unit) -> StepsRow {
    let amount = |key| {
        let entry = table.take(key);
        entry.and_then(|entry| read_amount(&entry, unit)).unwrap_or(0.0)
    };
    let (forward, backward) = (amount("forward"), amount("backward"));
    let (left, right) = (amount("left"), amount("right"));
    let wait = table.count("wait");
    let pace = table.integer("pace").map(|pace| pace as u32);
    let signal = table.take("signal").and_then(|value| value.line()).map(ToOwned::to_owned);
    if !STEPS_ROW.names().any(|key| table.has(key)) && !table.issues.is_partial() {
        table.issues.error(table.span(), "a steps row must have at least one key");
    }
    if wait > 0 && [forward, backward, left, right] != [0.0; 4] {
        let message = "`wait` can't be combined with a turn or a move: use two rows";
        table.issues.error(table.span(), message);
    }
    table.finish();
    StepsRow { turn: right - left, forward: forward - backward, wait, pace, signal }
}

/// Reads a turn or distance: an integer, or a float with `unit = "degrees"`.
fn read_amount(entry: &Entry, unit: Unit) -> Option<f32> {
    match unit {
        Unit::Degrees => entry.float(AMOUNT),
        Unit::Notches | Unit::RightAngles => {
            entry.integer(0..=*AMOUNT.end() as i64).map(|number| number as f32)
        }
    }
}
