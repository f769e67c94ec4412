//! Derives tile kinds for the values of `IntGrid` layers from the names of values and layers.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::formats::ldtk::project::LayerDef;
use crate::show;
use crate::text::diagnostic::Diagnostic;
use crate::tiles::glyph;
use crate::tiles::legend::Legend;
use tilewalk_sim::color::Color;
use tilewalk_sim::tile::TileKind;

/// Words in the names of solid values, and in the names of layers whose values are solid.
const SOLID: [&str; 10] = [
    "wall",
    "solid",
    "collision",
    "collide",
    "block",
    "obstacle",
    "rock",
    "stone",
    "cliff",
    "tree",
];

/// Words in the names of liquids. Liquids are not walkable, but transparent.
const LIQUID: [&str; 4] = ["water", "lava", "acid", "void"];

/// Words in value names. Values with such a name are walkable in any layer.
const OPEN: [&str; 9] =
    ["ladder", "door", "floor", "bridge", "stair", "path", "walkable", "platform", "empty"];

/// Glyphs for values, in order of preference. The first letter of the name is tried before them.
const GLYPHS: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNPQRSUVWXYZ0123456789";

/// Effect of a value of an `IntGrid` layer on its tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effect {
    Wall,
    Liquid,
    Floor,
    /// Floor, because the names of the value and the layer contain no known word.
    Guessed,
}

/// Name and colour of a value.
type Look<'a> = (Option<&'a str>, Option<Color>);

/// The values of a project, and the tile kinds of the values that were used.
pub struct Values<'a> {
    /// Name and colour of each value. The key is the name of the layer and the number of the value.
    defined: BTreeMap<(&'a str, u32), Look<'a>>,
    /// Glyph of each value in use. The key is the name of the value, and whether the value is
    /// solid.
    glyphs: BTreeMap<(String, bool), String>,
    guessed: BTreeSet<String>,
}

impl<'a> Values<'a> {
    pub fn new(layers: &'a [LayerDef<'a>]) -> Self {
        let color = |color: &Cow<str>| Color::parse(color);
        let of_layer = |layer: &'a LayerDef<'a>| {
            let value = |value: &'a crate::formats::ldtk::project::ValueDef<'a>| {
                let color = value.color.as_ref().and_then(color);
                ((&*layer.name, value.value), (value.name.as_deref(), color))
            };
            layer.values.0.iter().map(value)
        };
        let defined = layers.iter().flat_map(of_layer).collect();
        Self { defined, glyphs: BTreeMap::new(), guessed: BTreeSet::new() }
    }

    /// Returns the tile kind of a value. Adds the kind to the legend if necessary. Returns `None`
    /// if the legend is full or no glyph is free.
    pub fn kind(&mut self, layer: &str, value: u32, legend: &mut Legend) -> Option<u8> {
        let (name, color) = self.defined.get(&(layer, value)).copied().unwrap_or_default();
        let effect = effect(layer, name);
        let name = name.map_or_else(|| format!("{layer} {value}"), ToOwned::to_owned);
        let shown = show::text(&name);
        if effect == Effect::Guessed {
            self.guessed.insert(shown.clone());
        }
        let solid = matches!(effect, Effect::Wall | Effect::Liquid);
        let key = (shown, solid);
        if let Some(glyph) = self.glyphs.get(&key) {
            return legend.index(glyph);
        }
        let glyph = match key.0.as_str() {
            "wall" | "walls" | "Wall" | "Walls" => "#".to_owned(),
            "water" | "Water" => "~".to_owned(),
            name => self.free_glyph(name)?,
        };
        if legend.index(&glyph).is_none() {
            let opaque = effect == Effect::Wall;
            let kind = TileKind { walk: !solid, opaque, color, ..TileKind::floor(&glyph, &key.0) };
            if !legend.insert(kind) {
                return None;
            }
        }
        let index = legend.index(&glyph);
        self.glyphs.insert(key, glyph);
        index
    }

    /// Returns an unused glyph, preferably the first letter of a name; `None` if all glyphs are
    /// used.
    fn free_glyph(&self, name: &str) -> Option<String> {
        let first = name.chars().next().map(|first| first.to_ascii_lowercase());
        let letters = first.into_iter().filter(|first| GLYPHS.contains(*first));
        // Projects with many values also use Braille patterns.
        let more = ('\u{2801}'..='\u{28ff}').map(String::from);
        let glyphs = letters.chain(GLYPHS.chars()).map(String::from).chain(more);
        let is_free = |glyph: &String| {
            glyph::fault(glyph).is_none() && self.glyphs.values().all(|used| used != glyph)
        };
        glyphs.into_iter().find(is_free)
    }

    /// Returns a warning about the values that are read as floor because their names contain no
    /// known word. Returns `None` if there are no such values.
    pub fn guess(&self, at: usize) -> Option<Diagnostic> {
        if self.guessed.is_empty() {
            return None;
        }
        let names: Vec<_> = self.guessed.iter().map(|name| format!("`{name}`")).collect();
        let message =
            format!("read as floor, because no name says otherwise: {}", names.join(", "));
        let help = "in LDtk, name solid values `wall`, or their layer `Collisions`; \
                    or set `walk = false` in [legend]";
        Some(Diagnostic::warning(at..at, message).help(help))
    }
}

/// Returns the effect of a value. The name of the value takes precedence over the name of the
/// layer.
fn effect(layer: &str, name: Option<&str>) -> Effect {
    let name = name.unwrap_or_default();
    if is_any(name, &OPEN) {
        Effect::Floor
    } else if is_any(name, &LIQUID) {
        Effect::Liquid
    } else if is_any(name, &SOLID) || is_any(layer, &SOLID) {
        Effect::Wall
    } else {
        Effect::Guessed
    }
}

/// Returns true if a word of a name begins with one of `words`. In `MainCollisions`, the words are
/// `Main` and `Collisions`.
fn is_any(name: &str, words: &[&str]) -> bool {
    let mut before = ' ';
    let mut starts = Vec::new();
    for (at, c) in name.char_indices() {
        if !before.is_alphabetic() || before.is_lowercase() && c.is_uppercase() {
            starts.push(at);
        }
        before = c;
    }
    let begins = |at: usize, word: &str| {
        name[at..].get(..word.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(word))
    };
    starts.into_iter().any(|at| words.iter().any(|word| begins(at, word)))
}
