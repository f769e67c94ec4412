//! Tile kinds of the last import of a map. An update keeps their glyphs, because the user can have
//! painted tiles with them.

use std::collections::BTreeSet;
use std::iter::repeat;

use toml::de::DeTable;
use unicode_segmentation::UnicodeSegmentation;

use crate::text::diagnostic::{FileId, Issues};
use crate::text::reader::Entry;
use crate::tiles::legend::Legend;
use tilewalk_sim::sort::SmallCollect;
use tilewalk_sim::tile::TileKind;

/// Tile kinds of the last import, and the glyphs that the user's map uses. Empty for a new import.
#[derive(Debug, Clone, Default)]
pub struct KnownKinds {
    /// Kinds in the legend of the last import.
    kinds: Vec<TileKind>,
    /// Glyphs of the tiles that the user changed after the last import.
    painted: BTreeSet<String>,
    /// Glyphs in the legend of the user's map.
    defined: BTreeSet<String>,
}

impl KnownKinds {
    /// Reads the text of the last import, and the map that the user made of it.
    pub fn of_maps(imported: &str, edited: &str) -> Self {
        let ((kinds, before), (own, now)) = (parts(imported), parts(edited));
        let defined = own.into_iter().map(|kind| kind.glyph).small_collect();
        Self { kinds, painted: painted(&before, &now), defined }
    }

    /// Returns the kinds of the last import.
    pub fn kinds(&self) -> &[TileKind] {
        &self.kinds
    }

    /// Returns the place of a glyph in the legend of the last import. Other glyphs come last.
    pub fn place(&self, glyph: &str) -> usize {
        self.kinds.iter().position(|kind| kind.glyph == glyph).unwrap_or(usize::MAX)
    }

    /// Returns the kinds of the last import with which the user painted.
    pub fn painted(&self) -> impl Iterator<Item = &TileKind> {
        self.kinds.iter().filter(|kind| self.painted.contains(&kind.glyph))
    }

    /// Returns true if a new kind can get a glyph without changing the meaning of tiles.
    pub fn is_free(&self, glyph: &str) -> bool {
        let is_known = self.kinds.iter().any(|kind| kind.glyph == glyph);
        !is_known && !self.painted.contains(glyph) && !self.defined.contains(glyph)
    }

    /// Returns a glyph for a kind: the glyph of the same kind in the last import, or else the first free
    /// one of `glyphs`. `is_taken` returns true for the glyphs of other kinds of this import.
    pub fn glyph(
        &self,
        kind: &TileKind,
        mut glyphs: impl Iterator<Item = String>,
        is_taken: impl Fn(&str) -> bool,
    ) -> Option<String> {
        let is_same = |known: &&TileKind| {
            known.name == kind.name && has_same_rules(known, kind) && !is_taken(&known.glyph)
        };
        let known = self.kinds.iter().find(is_same).map(|known| known.glyph.clone());
        known.or_else(|| glyphs.find(|glyph| self.is_free(glyph) && !is_taken(glyph)))
    }
}

/// Returns true if two kinds differ at most in their looks: in glyph, name and colour.
pub fn has_same_rules(a: &TileKind, b: &TileKind) -> bool {
    let rules = |kind: &TileKind| (kind.walk, kind.opaque, kind.cost, kind.drag, kind.obstacle);
    rules(a) == rules(b)
}

/// Returns the kinds in the legend of a map, and its rows of glyphs.
fn parts(map: &str) -> (Vec<TileKind>, String) {
    let issues = Issues::new(FileId::default(), map.into());
    let Ok(document) = DeTable::parse(map) else { return Default::default() };
    let mut legend = Legend::empty();
    if let Some((key, value)) = document.get_ref().get_key_value("legend") {
        legend.read(&Entry::new("legend", key.span(), value, &issues));
    }
    let rows = document.get_ref().get("tiles").and_then(|value| value.get_ref().as_str());
    (legend.into_kinds(), rows.unwrap_or_default().to_owned())
}

/// Returns the glyphs of the tiles that differ between two versions of a map; all glyphs if the versions
/// have different sizes.
fn painted(before: &str, now: &str) -> BTreeSet<String> {
    fn glyphs(rows: &str) -> impl Iterator<Item = &str> {
        rows.lines().flat_map(|row| row.graphemes(true))
    }
    let sizes =
        |rows: &str| rows.lines().map(|row| row.graphemes(true).count()).collect::<Vec<_>>();
    let is_resized = sizes(before) != sizes(now);
    let before = glyphs(before).map(Some).chain(repeat(None));
    let is_painted = |(now, before): &(&str, Option<&str>)| is_resized || Some(*now) != *before;
    let painted: BTreeSet<&str> =
        glyphs(now).zip(before).filter(is_painted).map(|(now, _)| now).small_collect();
    painted.into_iter().map(str::to_owned).small_collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAP: &str = "tiles = '''\n..a\nb..\n'''\n[legend]\n\"a\" = { name = \"cost 5\", cost = 5.0 }\n\
                       \"b\" = { name = \"tree\", walk = false, opaque = true, color = \"#00ff00\" }\n";

    #[test]
    fn a_known_kind_keeps_its_glyph_and_a_new_kind_gets_an_unused_one() {
        let edited = MAP.replace("b..", "bc.") + "\"d\" = { name = \"mine\" }\n";
        let known = KnownKinds::of_maps(MAP, &edited);
        let glyph = |kind: &TileKind, taken: &str| {
            known.glyph(kind, "abcdef".chars().map(String::from), |glyph| taken.contains(glyph))
        };
        let five = TileKind { cost: 5.0, ..TileKind::floor("", "cost 5") };
        assert_eq!(glyph(&five, "").as_deref(), Some("a"));
        let six = TileKind { cost: 6.0, ..five.clone() };
        assert_eq!(glyph(&six, "").as_deref(), Some("e"));
        assert_eq!(glyph(&six, "e").as_deref(), Some("f"));
        assert_eq!(glyph(&six, "ef"), None);
        let tree = TileKind { walk: false, opaque: true, ..TileKind::floor("", "tree") };
        assert_eq!(glyph(&tree, "").as_deref(), Some("b"));
        let open = TileKind { walk: true, ..tree };
        assert_eq!(glyph(&open, "").as_deref(), Some("e"));
    }

    #[test]
    fn painted_kinds_are_those_of_changed_tiles() {
        let painted = |edited: &str| {
            let known = KnownKinds::of_maps(MAP, edited);
            known.painted().map(|kind| kind.glyph.clone()).collect::<String>()
        };
        assert_eq!(painted(MAP), "");
        assert_eq!(painted(&MAP.replace("..a", ".aa")), "a");
        assert_eq!(painted(&MAP.replace("..a", "...")), "");
        // In a map of another size, each tile can be a changed one.
        assert_eq!(painted(&MAP.replace("..a\n", "..a\n...\n")), "ab");
        assert_eq!(painted("tiles_file = \"a.txt\""), "");
        assert_eq!(KnownKinds::default().place("a"), usize::MAX);
    }
}
