//! Reads tile sets, in the map or in `.tsx` files next to the map.

use std::collections::BTreeMap;

use super::properties;
use super::xml::{Element, document};
use crate::diagnostic::{Diagnostic, Issues};
use crate::keys::map::MAX_TILE;
use crate::legend::Legend;
use crate::origin::{Found, Store};
use crate::report::Report;
use crate::report::read_source;
use crate::show;
use crate::tiled::rules::{Rules, Stretch};

/// Maximum number of tile sets per map.
const MAX_SETS: usize = 250;

/// Tile sets of a map, ordered by their first tile numbers.
#[derive(Debug)]
pub struct Sets<'a>(Vec<Set<'a>>);

#[derive(Debug)]
struct Set<'a> {
    /// Number of the first tile of the set in the layers.
    first: u32,
    content: Content,
    /// Tile kinds that `[tiled]` assigns.
    ruled: &'a [Stretch],
}

/// Content of a tile set.
#[derive(Debug, Default)]
struct Content {
    name: String,
    /// Number of tiles, if the file states it.
    count: Option<u32>,
    /// Tile kinds by tile number.
    kinds: BTreeMap<u32, u8>,
}

pub fn read_all<'a>(
    map: &Element,
    rules: &'a Rules,
    legend: &Legend,
    store: &Store,
    report: &mut Report,
) -> Option<Sets<'a>> {
    let mut sets = Vec::new();
    for element in map.all("tileset") {
        if sets.len() == MAX_SETS {
            element.error(format!("the map has more than {MAX_SETS} tile sets"));
            return None;
        }
        let first = element.required("firstgid", 1.0..=f64::from(MAX_TILE));
        let content = match element.attribute("source") {
            Some(source) => outside(&element, source, legend, store, report),
            None => Some(content(&element, legend)),
        };
        let (Some(first), Some(content)) = (first, content) else { continue };
        let ruled = rules.set(&content.name);
        sets.push(Set { first: first as u32, content, ruled });
    }
    sets.sort_by_key(|set| set.first);
    Some(Sets(sets))
}

/// Checks a `.tsx` file.
pub fn check(issues: &Issues) -> Option<()> {
    document(issues, "tileset", |element| {
        content(&element, &Legend::standard());
        Some(())
    })
}

/// Reads a tile set file. Problems with the file name are reported in the map.
fn outside(
    element: &Element,
    source: &str,
    legend: &Legend,
    store: &Store,
    report: &mut Report,
) -> Option<Content> {
    let shown = show::text(source);
    if let Some(fault) = fault(source) {
        let message = format!("can't read the tile set `{shown}`: {fault}");
        let help = "put the tile set in the map directory, or embed the tile set in the map";
        element.issues.push(Diagnostic::error(element.span_of("source"), message).help(help));
        return None;
    }
    match store.sibling(source) {
        Found::Read(source, problems) => read_source(report, source, problems, |issues| {
            document(issues, "tileset", |element| Some(content(&element, legend)))
        }),
        Found::Missing => {
            element.error_at("source", format!("no tile set `{shown}` in the map directory"));
            None
        }
        Found::Refused(why) => {
            element.error_at("source", format!("the tile set `{shown}` {why}"));
            None
        }
    }
}

/// Returns the reason why a path is not allowed; `None` for an allowed path.
fn fault(source: &str) -> Option<&'static str> {
    if source.is_empty() {
        Some("the path is empty")
    } else if source.starts_with('/') || source.contains(['\\', ':']) {
        Some("the path is not relative to the map")
    } else if source.split('/').any(|part| part == "..") {
        Some("the path leads outside the map directory")
    } else if source.chars().any(show::is_hidden) || source.len() > 1000 {
        Some("the path is invalid")
    } else {
        None
    }
}

fn content(set: &Element, legend: &Legend) -> Content {
    let name = set.attribute("name").unwrap_or_default().to_owned();
    let count = set.number("tilecount", 0.0..=f64::from(MAX_TILE)).map(|count| count as u32);
    if let Some(source) = set.attribute("source").filter(|_| set.attribute("firstgid").is_none()) {
        let message = format!(
            "an external tile set can't refer to another tile set: `{}`",
            show::text(source)
        );
        set.error_at("source", message);
    }
    let mut kinds = BTreeMap::new();
    let (mut shaped, mut beyond) = (false, 0);
    for tile in set.all("tile") {
        let id = tile.required("id", 0.0..=f64::from(MAX_TILE));
        shaped |= tile.all("objectgroup").next().is_some();
        let (Some(id), kind) = (id.map(|id| id as u32), properties::kind(&tile, legend)) else {
            continue;
        };
        beyond = beyond.max(id + 1);
        if let Some(kind) = kind {
            kinds.insert(id, kind);
        }
    }
    // Tile sets of single images can have gaps in their numbers.
    let count = count.map(|count| count.max(beyond));
    if shaped {
        let name = show::text(&name);
        let message = format!("the collision shapes of `{name}` are ignored");
        let help = "give these tiles a boolean property `solid` instead (applies to whole tiles)";
        set.warn(message, help);
    }
    Content { name, count, kinds }
}

impl Sets<'_> {
    /// Returns the kind of the tile with a number in a layer; `None` if the tile has no kind.
    /// Returns an error if no tile set contains the number.
    pub fn kind(&self, number: u32) -> Result<Option<u8>, ()> {
        let index = self.0.partition_point(|set| set.first <= number);
        let set = index.checked_sub(1).map(|index| &self.0[index]).ok_or(())?;
        let tile = number - set.first;
        if set
            .content
            .count
            .is_some_and(|count| tile >= count && !set.content.kinds.contains_key(&tile))
        {
            return Err(());
        }
        let ruled = set.ruled.iter().find(|(tiles, _)| tiles.contains(&tile));
        Ok(ruled.map(|&(_, kind)| kind).or_else(|| set.content.kinds.get(&tile).copied()))
    }
}
