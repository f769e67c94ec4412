//! The legend of a map: tile kinds by glyph. A tile kind is built in or defined by the map.
//!
//! A glyph is one grapheme cluster, one column wide.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::keys::map::{LEGEND, LEGEND_ENTRY};
use crate::show;
use crate::text::reader::Entry;
use crate::text::span_tree::quoted;
use tilewalk_sim::color::{Color, WORDS};
use tilewalk_sim::tile::TileKind;

/// Maximum number of tile kinds per map. Indices of kinds are bytes, and one byte means "no kind".
pub const MAX_KINDS: usize = 255;

/// Index that marks an ASCII glyph without a tile kind.
const NONE: u8 = 255;

/// The tile kinds of a map, with lookup by glyph.
#[derive(Debug, Clone)]
pub struct Legend {
    kinds: Vec<TileKind>,
    /// Kind indices of ASCII glyphs. Lookup must be fast, because a map can have millions of tiles.
    ascii: [u8; 128],
    others: BTreeMap<String, u8>,
}

impl Legend {
    /// Returns the built-in legend of tilewalk's own glyphs.
    pub fn standard() -> Self {
        let wall = TileKind { walk: false, opaque: true, ..kind("#", "wall", "gray") };
        let water = TileKind { walk: false, ..kind("~", "water", "blue") };
        let rough = TileKind { cost: 2.0, ..kind(",", "rough", "green") };
        let tree =
            TileKind { obstacle: Some(0.35), opaque: true, ..kind("T", "tree", "light_green") };
        let pillar = TileKind { obstacle: Some(0.45), ..kind("O", "pillar", "gray") };
        let door = TileKind { opaque: true, ..kind("+", "door", "yellow") };
        let floor = TileKind::floor(".", "floor");
        let space = TileKind::floor(" ", "floor");
        Self::of([
            floor,
            space,
            wall,
            water,
            kind("=", "bridge", "yellow"),
            rough,
            tree,
            pillar,
            door,
        ])
    }

    /// Returns the legend of MovingAI octile maps. Trees, water and tiles out of bounds are not
    /// walkable. A lower-case letter marks a ramp on the ground of the upper-case letter.
    pub fn octile() -> Self {
        let shut =
            |glyph, name, color| TileKind { walk: false, opaque: true, ..kind(glyph, name, color) };
        let water = TileKind { walk: false, ..kind("W", "water", "blue") };
        Self::of([
            TileKind::floor(".", "floor"),
            TileKind::floor("G", "floor"),
            kind("S", "swamp", "cyan"),
            shut("@", "out of bounds", "gray"),
            shut("O", "out of bounds", "gray"),
            shut("T", "tree", "green"),
            water,
            TileKind::floor("g", "floor"),
            kind("s", "swamp", "cyan"),
            shut("t", "tree", "green"),
        ])
    }

    /// Returns the legend of Sokoban levels. Boxes are not walkable.
    pub fn sokoban() -> Self {
        let shut = |glyph, name, color| TileKind { walk: false, ..kind(glyph, name, color) };
        let same = |glyphs: &'static str, kind: TileKind| {
            glyphs.split("").filter(|glyph| !glyph.is_empty()).map(move |glyph| {
                let drawn = glyph.to_owned();
                TileKind { glyph: glyph.to_owned(), drawn, ..kind.clone() }
            })
        };
        let outside = TileKind { drawn: " ".to_owned(), ..shut("x", "outside", "gray") };
        let lists = [
            same(" -_", TileKind::floor("", "floor")),
            same("#", TileKind { opaque: true, ..shut("", "wall", "gray") }),
            same("@p", TileKind::floor("", "player")),
            same("+P", kind("", "player on goal", "yellow")),
            same("$b", shut("", "box", "light_red")),
            same("*B", shut("", "box on goal", "light_green")),
            same(".o", kind("", "goal", "yellow")),
        ];
        Self::of(lists.into_iter().flatten().chain([outside]))
    }

    /// Returns a legend without kinds.
    pub fn empty() -> Self {
        Self::of([])
    }

    fn of(kinds: impl IntoIterator<Item = TileKind>) -> Self {
        let mut legend = Self { kinds: vec![], ascii: [NONE; 128], others: BTreeMap::new() };
        for kind in kinds {
            legend.insert(kind);
        }
        legend
    }

    /// Adds a kind or replaces the kind with the same glyph. Returns false if the legend is full.
    pub fn insert(&mut self, kind: TileKind) -> bool {
        if let Some(index) = self.index(&kind.glyph) {
            self.kinds[usize::from(index)] = kind;
            return true;
        }
        if self.kinds.len() >= MAX_KINDS {
            return false;
        }
        let index = self.kinds.len() as u8;
        match kind.glyph.as_bytes() {
            [byte] => self.ascii[usize::from(*byte)] = index,
            _ => {
                self.others.insert(kind.glyph.clone(), index);
            }
        }
        self.kinds.push(kind);
        true
    }

    /// Returns the index of the tile kind with this glyph; `None` if the glyph is not in the
    /// legend.
    pub fn index(&self, glyph: &str) -> Option<u8> {
        match glyph.as_bytes() {
            [byte] => self.ascii_index(*byte),
            _ => self.others.get(glyph).copied(),
        }
    }

    /// Returns the index of the tile kind with this ASCII glyph; `None` if the legend has no such
    /// glyph.
    pub fn ascii_index(&self, byte: u8) -> Option<u8> {
        self.ascii.get(usize::from(byte)).copied().filter(|&index| index != NONE)
    }

    pub fn kinds(&self) -> &[TileKind] {
        &self.kinds
    }

    pub fn into_kinds(self) -> Vec<TileKind> {
        self.kinds
    }

    /// Adds the entries of `[legend]`. Reports invalid glyphs and a legend with too many tile
    /// kinds.
    pub fn read(&mut self, entry: &Entry) {
        let Some(table) = entry.table(&LEGEND) else { return };
        let mut refused = None;
        for (name, span, entry) in table.into_entries() {
            if let Some(fault) = glyph_fault(name) {
                let message = "a legend key must be one character, one column wide";
                let problem = crate::text::diagnostic::Diagnostic::error(span, message);
                let help = format!("`{}` {fault}", show::text(name));
                entry.issues.push(problem.help(help));
                continue;
            }
            let before = self.index(name).map(|index| self.kinds[usize::from(index)].clone());
            let kind = read_kind(name, before, &entry);
            if !self.insert(kind) {
                refused = refused.or(Some(span));
            }
        }
        if let Some(span) = refused {
            let message = format!("the legend has more than {MAX_KINDS} tile kinds");
            entry.issues.error(span, message);
        }
    }
}

fn kind(glyph: &str, name: &str, color: &str) -> TileKind {
    TileKind { color: Color::parse(color), ..TileKind::floor(glyph, name) }
}

/// Reads an entry. Missing keys get their defaults. If the entry replaces the tile kind `before`,
/// the default name is the name of `before`.
fn read_kind(glyph: &str, before: Option<TileKind>, entry: &Entry) -> TileKind {
    let name = before.map_or_else(|| glyph.to_owned(), |kind| kind.name);
    let mut kind = TileKind::floor(glyph, &name);
    let Some(table) = entry.table(&LEGEND_ENTRY) else { return kind };
    if let Some(name) = table.take("name").and_then(|name| name.line()) {
        name.clone_into(&mut kind.name);
    }
    kind.walk = table.flag("walk");
    kind.opaque = table.flag("opaque");
    kind.cost = table.float("cost").unwrap_or(kind.cost);
    kind.drag = table.float("drag").unwrap_or(kind.drag);
    kind.obstacle = table.float("obstacle");
    kind.color = table.take("color").and_then(|color| read_color(&color));
    if let Some(drawn) = table.take("glyph").and_then(|drawn| read_glyph(&drawn)) {
        drawn.clone_into(&mut kind.drawn);
    }
    table.finish();
    kind
}

/// Returns the reason why a text is not a valid glyph; `None` for a valid glyph.
pub fn glyph_fault(text: &str) -> Option<&'static str> {
    let mut graphemes = text.graphemes(true);
    if graphemes.next().is_none() {
        return Some("is empty");
    }
    if text.chars().any(show::is_hidden) {
        return Some("is invisible");
    }
    if graphemes.next().is_some() {
        return Some("has more than one character");
    }
    match text.width() {
        0 => Some("has zero width"),
        1 if joins_neighbours(text) => Some("joins the characters beside it"),
        1 => None,
        _ => Some("is wider than one column"),
    }
}

/// Returns true if a character forms one grapheme cluster with a character before or after it. As a
/// glyph, it would change the number of tiles in a row.
fn joins_neighbours(character: &str) -> bool {
    // Characters that join only some others, such as regional indicators, join themselves.
    let rows = [[character, "."], [".", character], [character, character]];
    rows.iter().any(|row| row.concat().graphemes(true).count() != row.len())
}

pub fn read_glyph<'a>(entry: &Entry<'a>) -> Option<&'a str> {
    let text = entry.string()?;
    let Some(fault) = glyph_fault(text) else { return Some(text) };
    let message = format!("`{}` must be one character, one column wide", entry.key);
    entry.error_with_help(message, format!("`{}` {fault}", show::text(text)));
    None
}

/// Reads a colour word or `"#rrggbb"`. Reports any other value and returns `None`.
pub fn read_color(entry: &Entry) -> Option<Color> {
    let text = entry.string()?;
    let color = Color::parse(text);
    if color.is_none() {
        let all = || format!("valid colours: {}, or `#rrggbb`", show::list(WORDS));
        let help = entry.suggestion(text, WORDS, all);
        entry.error_with_help(format!("invalid colour `{}`", show::text(text)), help);
    }
    color
}

/// Appends `[legend]` with tile kinds to the text of a map.
pub fn write_legend(text: &mut String, kinds: &[TileKind]) {
    if !kinds.is_empty() {
        text.push_str("\n[legend]\n");
    }
    for kind in kinds {
        let mut keys = vec![format!("name = {}", quoted(&kind.name))];
        if !kind.walk {
            keys.push("walk = false".to_owned());
        }
        if kind.opaque {
            keys.push("opaque = true".to_owned());
        }
        if kind.cost != 1.0 {
            keys.push(format!("cost = {:?}", kind.cost));
        }
        if kind.drawn != kind.glyph {
            keys.push(format!("glyph = {}", quoted(&kind.drawn)));
        }
        match kind.color {
            Some(Color::Ansi(number)) => {
                let word = WORDS.get(usize::from(number)).unwrap_or(&"white");
                keys.push(format!("color = \"{word}\""));
            }
            Some(Color::Rgb(r, g, b)) => keys.push(format!("color = \"#{r:02x}{g:02x}{b:02x}\"")),
            None => {}
        }
        let _ = writeln!(text, "{} = {{ {} }}", quoted(&kind.glyph), keys.join(", "));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_glyph_is_one_grapheme_cluster_of_width_one() {
        for glyph in ["a", " ", "é", "e\u{301}", "█", "ж"] {
            assert_eq!(glyph_fault(glyph), None, "{glyph:?}");
        }
        for text in ["", "ab", "世", "\u{301}", "\t", "\u{1b}", "\u{200d}", "🦀", "a\u{202e}"] {
            assert!(glyph_fault(text).is_some(), "{text:?}");
        }
    }

    #[test]
    fn a_glyph_joins_no_other_glyph() {
        // An Arabic number sign, a Devanagari vowel sign, a conjunct consonant, a regional indicator.
        for text in ["\u{601}", "\u{903}", "\u{915}\u{94d}", "\u{1f1e6}"] {
            assert!(glyph_fault(text).is_some(), "{text:?}");
        }
    }
}
