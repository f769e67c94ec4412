//! Words that are valid values in map and pattern files, with their meanings, and keys whose
//! values are targets.

use crate::keys::table::{Key, Table, ValueKind};
use tilewalk_sim::map::{Corners, Edges};
use tilewalk_sim::pattern::matrix::DeadEnd;
use tilewalk_sim::pattern::path::Ends;
use tilewalk_sim::pattern::thrust::HeadingFrom;

pub const EDGES: [(&str, Edges); 2] = [("wall", Edges::Wall), ("wrap", Edges::Wrap)];

pub const CORNERS: [(&str, Corners); 3] =
    [("patterns", Corners::Patterns), ("cut", Corners::Cut), ("block", Corners::Block)];

pub const ENDS: [(&str, Ends); 2] = [("reverse", Ends::Reverse), ("stop", Ends::Stop)];

pub const DEAD_ENDS: [(&str, DeadEnd); 2] = [("back", DeadEnd::Back), ("stay", DeadEnd::Stay)];

pub const HEADINGS: [(&str, HeadingFrom); 2] =
    [("velocity", HeadingFrom::Velocity), ("orientation", HeadingFrom::Orientation)];

/// Whether a solid tile in any layer of a Tiled map counts, instead of the topmost tile.
pub const COMBINE: [(&str, bool); 2] = [("top", false), ("any", true)];

pub const UNITS: [(&str, ()); 1] = [("degrees", ())];

/// Returns the value kind that accepts these words.
pub(super) fn kind<T>(words: &[(&'static str, T)]) -> ValueKind {
    ValueKind::Words(words.iter().map(|(word, _)| *word).collect())
}

/// Returns the keys in `table` that accept a target or a list of targets.
pub fn target_forms(table: &Table) -> impl Iterator<Item = &'static str> {
    let is_target = |key: &&Key| {
        matches!(key.kind, ValueKind::Defined("target") | ValueKind::Array("target", _))
    };
    table.keys.iter().filter(is_target).map(|key| key.name)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::target_forms;
    use crate::keys::agent::MODE;
    use crate::keys::steer::BEHAVIOURS;

    #[test]
    fn the_keys_for_targets_of_modes_and_behaviours_are_listed() {
        assert_eq!(target_forms(&MODE).collect::<Vec<_>>(), ["chase", "flee_tiles", "travel"]);
        let found: BTreeSet<_> = BEHAVIOURS.iter().flat_map(target_forms).collect();
        assert_eq!(found, ["between", "from", "leader", "target", "to"].into());
    }
}
