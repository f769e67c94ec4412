//! The parts of an LDtk file that are read. Unknown keys are ignored.

use core::fmt;
use core::marker::PhantomData;
use std::borrow::Cow;

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::formats::levels::MAX_LEVELS;

/// A project. Its levels are parsed on demand.
#[derive(Debug, serde::Deserialize)]
pub struct Project<'a> {
    #[serde(borrow)]
    pub defs: Defs<'a>,
    #[serde(borrow, default)]
    levels: AtMost<&'a RawValue, MAX_LEVELS>,
    /// Worlds of the project, which can contain further levels.
    #[serde(borrow, default)]
    worlds: AtMost<World<'a>, 1000>,
}

#[derive(Debug, serde::Deserialize)]
struct World<'a> {
    #[serde(borrow, default)]
    levels: AtMost<&'a RawValue, MAX_LEVELS>,
}

/// Definitions that all levels of a project share.
#[derive(Debug, serde::Deserialize)]
pub struct Defs<'a> {
    #[serde(borrow)]
    pub layers: AtMost<LayerDef<'a>, 1000>,
}

/// Definition of a layer that all levels share: its name and its values.
#[derive(Debug, serde::Deserialize)]
pub struct LayerDef<'a> {
    #[serde(borrow, rename = "identifier")]
    pub name: Cow<'a, str>,
    #[serde(borrow, rename = "intGridValues", default)]
    pub values: AtMost<ValueDef<'a>, 1000>,
}

/// Definition of a value of an `IntGrid` layer: its number, name and colour.
#[derive(Debug, serde::Deserialize)]
pub struct ValueDef<'a> {
    #[serde(default)]
    pub value: u32,
    #[serde(borrow, rename = "identifier", default)]
    pub name: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub color: Option<Cow<'a, str>>,
}

/// A level of which only the name is parsed.
#[derive(Debug, serde::Deserialize)]
pub struct LevelName<'a> {
    #[serde(borrow, rename = "identifier")]
    pub name: Cow<'a, str>,
}

/// A level with its layers.
#[derive(Debug, serde::Deserialize)]
pub struct Level<'a> {
    #[serde(borrow, rename = "identifier")]
    pub name: Cow<'a, str>,
    /// Path of the file with the layers, relative to the project.
    #[serde(borrow, rename = "externalRelPath", default)]
    pub file: Option<Cow<'a, str>>,
    /// Layers, topmost first; `None` if they are in a file of their own.
    #[serde(borrow, rename = "layerInstances", default)]
    pub layers: Option<AtMost<Layer<'a>, 1000>>,
}

/// A layer of a level.
#[derive(Debug, serde::Deserialize)]
pub struct Layer<'a> {
    #[serde(borrow, rename = "__identifier")]
    pub name: Cow<'a, str>,
    #[serde(borrow, rename = "__type")]
    pub kind: Cow<'a, str>,
    /// Number of columns of tiles.
    #[serde(rename = "__cWid")]
    pub width: u32,
    #[serde(rename = "__cHei")]
    pub height: u32,
    /// Side length of a tile, in pixels.
    #[serde(rename = "__gridSize", deserialize_with = "side")]
    pub tile: u32,
    /// Value of each tile of an `IntGrid` layer; 0 for none.
    #[serde(rename = "intGridCsv", default)]
    pub cells: AtMost<u32, { 4096 * 4096 }>,
    /// Whether the layer stores its values in the form of old LDtk versions.
    #[serde(rename = "intGrid", default, deserialize_with = "has_elements")]
    pub old_cells: bool,
    #[serde(borrow, rename = "entityInstances", default)]
    pub entities: AtMost<Entity<'a>, 100_000>,
}

/// An entity in a layer of a level.
#[derive(Debug, serde::Deserialize)]
pub struct Entity<'a> {
    #[serde(borrow, rename = "__identifier")]
    pub name: Cow<'a, str>,
    /// Position of the pivot in the level, in pixels.
    #[serde(rename = "px")]
    pub pixel: [f64; 2],
    /// Position of the pivot within the entity, from 0 to 1.
    #[serde(rename = "__pivot", default)]
    pub pivot: [f64; 2],
    #[serde(default)]
    pub width: f64,
    #[serde(default)]
    pub height: f64,
}

/// Parses the JSON text of a file, or of a part of a file.
pub fn parse<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, serde_json::Error> {
    serde_json::from_str(text)
}

impl<'a> Project<'a> {
    /// Returns the JSON text of each level, including the levels in worlds.
    pub fn levels(&self) -> impl Iterator<Item = &'a RawValue> {
        let others = self.worlds.0.iter().flat_map(|world| &world.levels.0);
        self.levels.0.iter().chain(others).copied()
    }
}

/// A list with a limited number of elements. A missing list (`null`) is empty.
#[derive(Debug)]
pub struct AtMost<T, const MOST: usize>(pub Vec<T>);

impl<T, const MOST: usize> Default for AtMost<T, MOST> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>, const MOST: usize> Deserialize<'de> for AtMost<T, MOST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(List(PhantomData))
    }
}

struct List<T, const MOST: usize>(PhantomData<T>);

impl<'de, T: Deserialize<'de>, const MOST: usize> Visitor<'de> for List<T, MOST> {
    type Value = AtMost<T, MOST>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "a list of at most {MOST} elements")
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(AtMost::default())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut list = Vec::new();
        while let Some(element) = seq.next_element()? {
            if list.len() == MOST {
                return Err(A::Error::custom(format!("a list has more than {MOST} elements")));
            }
            list.push(element);
        }
        Ok(AtMost(list))
    }
}

/// Reads the side of a tile, from 1 to 1,000,000 pixels.
fn side<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    let side = u32::deserialize(deserializer)?;
    if (1..=1_000_000).contains(&side) {
        return Ok(side);
    }
    Err(D::Error::custom("`__gridSize` must be between 1 and 1000000"))
}

/// Reads a list. Returns true if the list is not empty.
fn has_elements<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    let list: Option<AtMost<IgnoredAny, { 1 << 26 }>> = Deserialize::deserialize(deserializer)?;
    Ok(list.is_some_and(|list| !list.0.is_empty()))
}
