//! The rules that make tiles of a Tiled map solid or walkable, and selectors such as `layer:Walls`.

use std::fmt;
use std::str::FromStr;

/// Rule that assigns a kind to a tile. The rules are listed in order of precedence, the highest
/// first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// A selector that the user chose, as with `--solid`.
    Chosen,
    /// A tile number in `[tiled]`.
    Table,
    /// A property of the tile.
    TileProperty,
    /// The class of the tile.
    TileClass,
    /// A layer name in `[tiled]`.
    LayerTable,
    /// Collision shapes that cover at least half of the tile.
    Shapes,
    /// A property of the layer.
    LayerProperty,
    /// The name of the layer.
    Layer,
    /// The terrain or Wang colour of the tile.
    Terrain,
    /// An object, or the object layer that contains the object.
    Objects,
    /// A tile set that can't be read.
    Missing,
    /// No rule gives the tile a kind.
    Nothing,
}

/// The rules that a selector can name, each with its keyword.
const SELECTABLE: [(&str, Rule); 7] = [
    ("tile-property", Rule::TileProperty),
    ("tile-class", Rule::TileClass),
    ("shapes", Rule::Shapes),
    ("layer-property", Rule::LayerProperty),
    ("layer", Rule::Layer),
    ("terrain", Rule::Terrain),
    ("objects", Rule::Objects),
];

/// Selector of tiles or objects in a Tiled map, such as all tiles with a property or all objects of
/// a layer.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Selector {
    /// Rule that the selector applies to, such as `Rule::Layer`.
    pub rule: Rule,
    /// Name of a property, class, layer, tile set or terrain.
    pub name: String,
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
        let (word, name) = text.split_once(':').unwrap_or((text, ""));
        let found = SELECTABLE.iter().find(|(each, _)| *each == word);
        match found {
            Some(&(_, rule)) if !name.is_empty() => Ok(Self { rule, name: name.to_owned() }),
            Some(_) => Err(format!("write a name after `{word}:`")),
            None => {
                let words: Vec<_> =
                    SELECTABLE.iter().map(|(word, _)| format!("`{word}:NAME`")).collect();
                Err(format!("write one of {}", words.join(", ")))
            }
        }
    }
}

impl Rule {
    /// Returns a description of the rule for messages. `name` is the name to which the rule
    /// applies, and must be safe to print.
    pub fn describe(self, name: &str) -> String {
        let what = match self {
            Self::Chosen => return format!("chosen: `{name}`"),
            Self::Nothing => return "no rule".to_owned(),
            Self::Table => "[tiled] tiles of the set",
            Self::LayerTable => "[tiled] layer",
            Self::TileProperty => "tile property",
            Self::TileClass => "tile class",
            Self::Shapes => "collision shapes of the set",
            Self::LayerProperty => "layer property",
            Self::Layer => "layer name",
            Self::Terrain => "terrain",
            Self::Objects => "object layer",
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
        for text in ["layer:Walls", "tile-property:is:solid", "objects:a b", "shapes:set"] {
            assert_eq!(text.parse::<Selector>().unwrap().to_string(), text);
        }
        assert!("layer".parse::<Selector>().unwrap_err().contains("name after `layer:`"));
        assert!("wall:x".parse::<Selector>().unwrap_err().contains("`tile-class:NAME`"));
    }
}
