//! Properties of tiles and objects, and what they say about bodies.

use std::rc::Rc;

use crate::formats::tiled::words::{is_one_way, is_spelled, says_walkable, truth};

/// The effect of a tile or object on the tiles below.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Passage {
    /// Bodies can't enter.
    Closed,
    /// Bodies can enter, even if there is a wall below.
    Open,
    /// The tiles below stay as they are.
    Unchanged,
}

impl Passage {
    /// Returns the effect of something that is walkable (true) or solid (false).
    pub fn of(walks: bool) -> Self {
        if walks { Self::Open } else { Self::Closed }
    }

    /// Returns the effect of a property; `None` for names and values without a meaning.
    pub fn of_property(name: &str, value: &str) -> Option<Self> {
        let (walks, is_true) = (says_walkable(name)?, truth(value)?);
        Some(match (walks, is_true) {
            (true, true) => Self::Open,
            (true, false) | (false, true) => Self::Closed,
            // Something that is not solid itself does not remove a wall below.
            (false, false) => Self::Unchanged,
        })
    }
}

/// Whether a wall stops bodies from one side only, and whether it hides what is behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WallKind {
    pub one_sided: bool,
    pub opaque: bool,
}

/// Properties of a tile or object, together with those that it inherits. A copy shares the data with
/// the original, since thousands of objects can inherit the same properties.
#[derive(Debug, Clone, Default)]
pub struct Properties(Vec<Rc<List>>);

/// The properties of one element, in file order.
#[derive(Debug, Default)]
struct List {
    entries: Vec<(String, String)>,
    passage: Option<Passage>,
    one_way: Option<bool>,
    one_sided: Option<bool>,
    opaque: Option<bool>,
}

impl Properties {
    pub fn new(entries: Vec<(String, String)>) -> Self {
        if entries.is_empty() {
            return Self::default();
        }
        let flag = |is_meant: &dyn Fn(&str) -> bool| {
            let meant = entries.iter().filter(|(name, _)| is_meant(name));
            { meant }.find_map(|(_, value)| truth(value))
        };
        let list = List {
            passage: entries.iter().find_map(|(name, value)| Passage::of_property(name, value)),
            one_way: flag(&is_one_way),
            one_sided: flag(&|name| is_spelled(name, "onesided")),
            opaque: flag(&|name| is_spelled(name, "opaque")),
            entries,
        };
        Self(vec![Rc::new(list)])
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds inherited properties. A property that is already known takes precedence.
    pub fn inherit(&mut self, more: &Self) {
        self.0.extend(more.0.iter().cloned());
    }

    /// Returns the names and values. If a name occurs several times, the first value counts.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let entries = self.0.iter().flat_map(|list| &list.entries);
        entries.map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Returns the effect on the tiles below; `None` if no property has a meaning.
    pub fn passage(&self) -> Option<Passage> {
        self.0.iter().find_map(|list| list.passage)
    }

    /// Returns true if a property makes the tile or object a one-way platform.
    pub fn is_one_way(&self) -> bool {
        self.0.iter().find_map(|list| list.one_way) == Some(true)
    }

    /// Returns how walls of the tile or object work.
    pub fn wall(&self) -> WallKind {
        let one_sided = self.0.iter().find_map(|list| list.one_sided) == Some(true);
        let opaque = self.0.iter().find_map(|list| list.opaque) != Some(false);
        WallKind { one_sided, opaque }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_properties_take_precedence_over_inherited_ones() {
        let of = |list: &[(&str, &str)]| {
            let entries = list.iter().map(|(name, value)| ((*name).into(), (*value).into()));
            Properties::new(entries.collect())
        };
        let tile = of(&[("Solid", "true"), ("one-way", "true"), ("Opaque", "false")]);
        let mut object = of(&[("solid", "false"), ("oneWay", "false"), ("One_Sided", "1")]);
        object.inherit(&tile);
        assert_eq!((object.passage(), object.is_one_way()), (Some(Passage::Unchanged), false));
        assert_eq!(object.wall(), WallKind { one_sided: true, opaque: false });
        assert_eq!((tile.passage(), tile.is_one_way()), (Some(Passage::Closed), true));
        let mut plain = Properties::default();
        plain.inherit(&tile);
        assert_eq!((plain.passage(), plain.is_one_way()), (Some(Passage::Closed), true));
        assert_eq!(of(&[("walkable", "true")]).passage(), Some(Passage::Open));
        assert_eq!(of(&[("walkable", "false")]).passage(), Some(Passage::Closed));
        assert_eq!(of(&[("colour", "true"), ("solid", "7")]).passage(), None);
    }
}
