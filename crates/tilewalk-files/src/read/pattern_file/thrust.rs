//! Reads `thrust` patterns.

use super::Design;
use crate::keys::pattern::LEG;
use crate::keys::words::HEADINGS;
use crate::text::diagnostic::Diagnostic;
use crate::text::reader::TableReader;
use tilewalk_sim::pattern::thrust::{Leg, ThrustPattern};
use tilewalk_sim::pattern::{MAX_TILES, Pattern};

pub fn read(table: &TableReader) -> Option<Design> {
    let heading_from = table.word("heading_from", &HEADINGS).unwrap_or_default();
    let repeat = table.flag("repeat");
    let legs = table.require("legs")?;
    let count = legs.array()?.len();
    if !(1..=MAX_TILES).contains(&count) {
        legs.error(format!("`legs` needs between 1 and {MAX_TILES} legs, but has {count}"));
        return None;
    }
    let legs = legs.tables(&LEG).into_iter().map(read_leg).collect();
    let pattern = Pattern::Thrust(ThrustPattern { legs, heading_from, repeat });
    Some(Design { pattern, absolute: false })
}

fn read_leg(table: TableReader) -> Leg {
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
        port: table.flag("port"),
        starboard: table.flag("starboard"),
        until_moved: table.float("until_moved"),
        until_turned: table.float("until_turned"),
    };
    if let Some((message, help)) = warn.filter(|_| !table.issues.is_partial()) {
        table.issues.push(Diagnostic::warning(table.span(), message).help(help));
    }
    table.finish();
    leg
}
