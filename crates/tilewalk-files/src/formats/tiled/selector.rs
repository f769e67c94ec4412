//! Selectors of tiles, layers and objects, as the options of an import write them.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::keys::map::MAX_TILE;

/// Rule that assigns a kind to a tile. The rules are listed in order of precedence, the highest
/// first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SolidityRule {
    /// A selector that the user chose, as with `--solid`.
    Chosen,
    /// A tile number in `[tiled]` or in a selector.
    Table,
    /// A property of the tile.
    TileProperty,
    /// A tile number of a tile set that is known from a game.
    KnownSet,
    /// The class of the tile.
    TileClass,
    /// A layer name in `[tiled]`.
    LayerTable,
    /// Collision shapes that cover at least half of the tile.
    Shapes,
    /// A value of an `IntGrid` layer in LDtk.
    Value,
    /// An enum tag of the tile in LDtk.
    Tag,
    /// A property of the layer.
    LayerProperty,
    /// The name of the layer.
    Layer,
    /// The terrain or Wang colour of the tile.
    Terrain,
    /// An object, or the object layer that contains the object.
    Objects,
    /// The name of an entity in LDtk.
    Entity,
    /// The positions without a tile of a layer.
    Outside,
    /// A tile set that can't be read.
    Missing,
    /// No rule gives the tile a kind.
    Nothing,
}

/// The rules that a selector can name, each with its keyword.
const SELECTABLE: [(&str, SolidityRule); 11] = [
    ("tile-property", SolidityRule::TileProperty),
    ("tile-class", SolidityRule::TileClass),
    ("tiles", SolidityRule::Table),
    ("shapes", SolidityRule::Shapes),
    ("layer-property", SolidityRule::LayerProperty),
    ("layer", SolidityRule::Layer),
    ("outside", SolidityRule::Outside),
    ("terrain", SolidityRule::Terrain),
    ("objects", SolidityRule::Objects),
    ("tag", SolidityRule::Tag),
    ("entity", SolidityRule::Entity),
];

/// Name in a selector `outside:*`, which stands for all layers.
pub const ALL_LAYERS: &str = "*";

/// Selector of tiles or objects, such as all tiles with a property or all objects of a layer.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Selector {
    /// Rule that the selector applies to, such as `SolidityRule::Layer`.
    pub rule: SolidityRule,
    /// Name of a property, class, layer, tile set, terrain, tag or entity. For tile numbers, the
    /// name of the tile set, `/`, and a number or two numbers with `-`.
    pub name: String,
}

impl Selector {
    /// Creates a selector of this rule with a name.
    pub fn new(rule: SolidityRule, name: &str) -> Self {
        Self { rule, name: name.to_owned() }
    }

    /// Returns the tile set and the tile numbers of a selector such as `tiles:SET/3-7`. Returns
    /// `None` for other selectors.
    pub fn tiles(&self) -> Option<(&str, RangeInclusive<u32>)> {
        let (set, numbers) =
            self.name.rsplit_once('/').filter(|_| self.rule == SolidityRule::Table)?;
        let (first, last) = numbers.split_once('-').unwrap_or((numbers, numbers));
        let (first, last) = (first.parse().ok()?, last.parse().ok()?);
        (first <= last && last <= MAX_TILE).then_some((set, first..=last))
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let word = SELECTABLE.iter().find(|(_, rule)| *rule == self.rule);
        write!(f, "{}:{}", word.map_or("", |(word, _)| word), self.name)
    }
}

impl FromStr for Selector {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let rule = named(text, &SELECTABLE)?;
        let selector = Self::new(rule.0, rule.1);
        if rule.0 == SolidityRule::Table && selector.tiles().is_none() {
            return Err(
                "write `tiles:SET/3`, or `tiles:SET/3-7` for a range of tile numbers".into()
            );
        }
        Ok(selector)
    }
}

/// Splits a text such as `layer:Walls`. Returns the value of the keyword, and the name.
///
/// # Errors
/// Returns a message with all keywords if the text has none of them, or has no name.
fn named<'a, T: Copy>(text: &'a str, all: &[(&str, T)]) -> Result<(T, &'a str), String> {
    let (word, name) = text.split_once(':').unwrap_or((text, ""));
    match all.iter().find(|(each, _)| *each == word) {
        Some(&(_, value)) if !name.is_empty() => Ok((value, name)),
        Some(_) => Err(format!("write a name after `{word}:`")),
        None => {
            let words: Vec<_> = all.iter().map(|(word, _)| format!("`{word}:NAME`")).collect();
            Err(format!("write one of {}", words.join(", ")))
        }
    }
}

/// A part of a map that an import leaves out, such as a layer.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ignored {
    /// Kind of the part.
    pub kind: IgnoredKind,
    /// Name of the layer, group or property, or name or class of the object.
    pub name: String,
}

/// Kind of a part that an import leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum IgnoredKind {
    /// A tile layer.
    Layer,
    /// A group of layers, with all layers in it.
    Group,
    /// An object layer.
    Objects,
    /// Objects with a name or class.
    Object,
    /// All objects without one of the given names or classes.
    OtherObjects,
    /// All tile layers that are not named.
    Others,
    /// Tiles, layers and groups with a property that is true or a positive number.
    Property,
}

/// The parts that an import can leave out, each with its keyword.
const IGNORABLE: [(&str, IgnoredKind); 7] = [
    ("layer", IgnoredKind::Layer),
    ("group", IgnoredKind::Group),
    ("objects", IgnoredKind::Objects),
    ("object", IgnoredKind::Object),
    ("other-objects", IgnoredKind::OtherObjects),
    ("others", IgnoredKind::Others),
    ("property", IgnoredKind::Property),
];

impl fmt::Display for Ignored {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let word = IGNORABLE.iter().find(|(_, kind)| *kind == self.kind);
        write!(f, "{}:{}", word.map_or("", |(word, _)| word), self.name)
    }
}

impl FromStr for Ignored {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (kind, name) = named(text, &IGNORABLE)?;
        Ok(Self { kind, name: name.to_owned() })
    }
}

/// How the tiles of several layers at one position are combined.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Combine {
    /// The topmost tile with a kind counts.
    #[default]
    Top,
    /// A solid tile in any layer counts.
    Any,
}

impl Combine {
    /// Returns the word for the option and the key `combine`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Top => "top",
            Self::Any => "any",
        }
    }
}

impl FromStr for Combine {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        [Self::Top, Self::Any]
            .into_iter()
            .find(|each| each.word() == text)
            .ok_or_else(|| "write `top` or `any`".to_owned())
    }
}

impl SolidityRule {
    /// Returns a description of the rule for messages. `name` is the name to which the rule
    /// applies, and must be safe to print.
    pub fn describe(self, name: &str) -> String {
        let what = match self {
            Self::Chosen => return format!("chosen: `{name}`"),
            Self::Nothing => return "no rule".to_owned(),
            Self::Table => "[tiled] tiles of the set",
            Self::LayerTable => "[tiled] layer",
            Self::TileProperty => "tile property",
            Self::KnownSet => "one-way platforms of the set",
            Self::TileClass => "tile class",
            Self::Shapes => "collision shapes of the set",
            Self::Value => "IntGrid value",
            Self::Tag => "tag",
            Self::LayerProperty => "layer property",
            Self::Layer => "layer name",
            Self::Terrain => "terrain",
            Self::Objects => "object layer",
            Self::Entity => "entity",
            Self::Outside => "outside the layer",
            Self::Missing => "missing tile set",
        };
        format!("{what} `{name}`")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_are_written_as_they_are_read() {
        for text in ["layer:Walls", "tile-property:is:solid", "objects:a b", "tiles:a/b/3-7"] {
            assert_eq!(text.parse::<Selector>().unwrap().to_string(), text);
        }
        let tiles: Selector = "tiles:a/b/3-7".parse().unwrap();
        assert_eq!(tiles.tiles(), Some(("a/b", 3..=7)));
        assert!("layer".parse::<Selector>().unwrap_err().contains("name after `layer:`"));
        assert!("wall:x".parse::<Selector>().unwrap_err().contains("`tile-class:NAME`"));
        assert!("tiles:x/7-3".parse::<Selector>().unwrap_err().contains("tiles:SET/3-7"));
        for text in
            ["layer:Above", "group:a:b", "objects:Signs", "other-objects:wall", "property:z"]
        {
            assert_eq!(text.parse::<Ignored>().unwrap().to_string(), text);
        }
        assert!("tag:x".parse::<Ignored>().unwrap_err().contains("`group:NAME`"));
    }
}
