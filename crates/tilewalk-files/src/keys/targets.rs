//! Keys whose values are targets.

use crate::keys::table::{Key, Table, ValueKind};

/// Returns the keys in `table` that accept a target or a list of targets.
pub fn of(table: &Table) -> impl Iterator<Item = &'static str> {
    let is_target = |key: &&Key| {
        matches!(key.kind, ValueKind::Defined("target") | ValueKind::Array("target", _))
    };
    table.keys.iter().filter(is_target).map(|key| key.name)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::of;
    use crate::keys::agent::MODE;
    use crate::keys::steer::BEHAVIOURS;

    #[test]
    fn modes_and_behaviours_have_targets() {
        assert_eq!(of(&MODE).collect::<Vec<_>>(), ["chase", "flee_tiles", "travel"]);
        let found: BTreeSet<_> = BEHAVIOURS.iter().flat_map(of).collect();
        assert_eq!(found, ["between", "from", "leader", "target", "to"].into());
    }
}
