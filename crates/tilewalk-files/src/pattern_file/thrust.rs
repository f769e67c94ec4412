//! Thrust patterns: control rows of a craft.

use super::Design;
use crate::diagnostic::Diagnostic;
use crate::reader::TableReader;
use tilewalk_sim::pattern::thrust::{HeadingFrom, Leg, ThrustPattern};
use tilewalk_sim::pattern::{MAX_TILES, Pattern};

/// The limits a leg may have, in tiles and degrees.
const LIMIT: core::ops::RangeInclusive<f64> = 0.001..=10_000.0;

/// Reads the keys of a thrust pattern.
pub fn read(table: &mut TableReader) -> Option<Design> {
    let words = [("velocity", HeadingFrom::Velocity), ("orientation", HeadingFrom::Orientation)];
    let heading_from =
        table.take("heading_from").and_then(|value| value.word(&words, &[])).unwrap_or_default();
    let repeat = table.take("repeat").and_then(|value| value.boolean()).unwrap_or(true);
    let legs = table.require("legs")?;
    let count = legs.array()?.len();
    if !(1..=MAX_TILES).contains(&count) {
        legs.error(format!("`legs` needs between 1 and {MAX_TILES} legs, but has {count}"));
        return None;
    }
    let legs = legs.tables("a leg").into_iter().map(read_leg).collect();
    let pattern = Pattern::Thrust(ThrustPattern { legs, heading_from, repeat });
    Some(Design { pattern, absolute: false })
}

fn read_leg(mut table: TableReader) -> Leg {
    let mut burns = |key| table.take(key).and_then(|value| value.boolean()).unwrap_or(false);
    let (port, starboard) = (burns("port"), burns("starboard"));
    let limits = [table.has("until_moved"), table.has("until_turned")];
    let warn = match limits {
        [false, false] => Some((
            "this leg has no limit and never ends",
            "add `until_moved` (tiles) or `until_turned` (degrees)",
        )),
        [true, true] => Some((
            "this leg has two limits and ends at the first limit reached",
            "use two legs to apply one limit after the other",
        )),
        [_, _] => None,
    };
    let leg = Leg {
        port,
        starboard,
        until_moved: table.float("until_moved", LIMIT),
        until_turned: table.float("until_turned", LIMIT),
    };
    if let Some((message, help)) = warn.filter(|_| !table.issues.is_partial()) {
        table.issues.push(Diagnostic::warning(table.span(), message).help(help));
    }
    table.finish(&[]);
    leg
}
