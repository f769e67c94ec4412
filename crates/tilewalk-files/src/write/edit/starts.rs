//! Edits the positions of starts and places, which map files write as pairs of numbers.

use toml_edit::{Document, Item, TableLike, Value};

use super::Patch;
use super::{Edit, Located, document, map_of};
use crate::show;
use tilewalk_sim::geom::{TilePos, Vec2};
use tilewalk_sim::scenario::sources::{FileRole, Sources};

/// A named position in a map file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NamedPoint {
    /// The start of an agent or a group, by name.
    Start(String),
    /// A place of the map, by name.
    Place(String),
}

/// A start or place with an exact position.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    /// The start or place at this position.
    pub point: NamedPoint,
    /// Tile that contains the position.
    pub tile: TilePos,
    /// Decimal text of the two coordinates.
    numbers: [String; 2],
}

impl NamedPoint {
    /// Describes the start or place for messages, such as "place gate".
    pub fn describe(&self) -> String {
        match self {
            Self::Start(name) => format!("start of {name}"),
            Self::Place(name) => format!("place {name}"),
        }
    }
}

impl Standing {
    /// Returns the edit that moves the position to a tile. A point keeps its position within the
    /// tile.
    pub fn to(&self, tile: TilePos) -> Edit {
        let by = [tile.x - self.tile.x, tile.y - self.tile.y];
        let moved = |axis: usize| {
            let number = &self.numbers[axis];
            match number.parse::<i64>() {
                Ok(whole) => (whole + i64::from(by[axis])).to_string(),
                Err(_) => number.parse::<f64>().map_or(number.clone(), |number| {
                    // Rounding removes the error of the addition.
                    let moved = ((number + f64::from(by[axis])) * 1e6).round() / 1e6;
                    format!("{moved:?}")
                }),
            }
        };
        Edit::Move { point: self.point.clone(), to: [moved(0), moved(1)] }
    }
}

/// Returns all starts and places of a map that have exact positions. The list is empty if the map
/// file is not valid TOML.
pub fn standing(files: &Sources) -> Vec<Standing> {
    let Ok(Ok(document)) = map_of(files).map(document) else { return Vec::new() };
    let starts = starts(&document).map(|(name, at)| (NamedPoint::Start(name.to_owned()), at));
    let places = document.get("places").and_then(Item::as_table_like);
    let places = places.into_iter().flat_map(|table| table.iter());
    let places = places.map(|(name, item)| (NamedPoint::Place(name.to_owned()), item));
    starts.chain(places).filter_map(|(point, item)| stand(point, item)).collect()
}

/// Returns the values of `name` and `at` of each agent that has both keys.
fn starts<'a>(document: &'a Document<&str>) -> impl Iterator<Item = (&'a str, &'a Item)> {
    let item = document.get("agent");
    let inline = item.and_then(Item::as_array).into_iter().flatten();
    let inline = inline.filter_map(|value| Some(value.as_inline_table()? as &dyn TableLike));
    let headers = item.and_then(Item::as_array_of_tables).into_iter().flatten();
    let tables = headers.map(|table| table as &dyn TableLike).chain(inline);
    tables.filter_map(|table| Some((table.get("name")?.as_str()?, table.get("at")?)))
}

fn stand(point: NamedPoint, item: &Item) -> Option<Standing> {
    let [x, y] = pair(item)?;
    let tile = match (x.as_integer(), y.as_integer()) {
        (Some(x), Some(y)) => TilePos::new(i32::try_from(x).ok()?, i32::try_from(y).ok()?),
        _ => TilePos::containing(Vec2::new(x.as_float()? as f32, y.as_float()? as f32)),
    };
    #[expect(clippy::wildcard_enum_match_arm, reason = "foreign enum: others are no numbers")]
    let text = |value: &Value| match value {
        // Unlike the written number, the value has no `+` sign and no underscores.
        Value::Integer(number) => number.value().to_string(),
        Value::Float(number) => format!("{:?}", number.value()),
        _ => String::new(),
    };
    Some(Standing { point, tile, numbers: [text(x), text(y)] })
}

fn pair(item: &Item) -> Option<[&Value; 2]> {
    let array = item.as_array().filter(|array| array.len() == 2)?;
    Some([array.get(0)?, array.get(1)?])
}

/// Returns patches that replace the numbers of a position.
pub(super) fn put(
    point: &NamedPoint,
    to: &[String; 2],
    files: &Sources,
) -> Result<Located, String> {
    let text = map_of(files)?;
    let document = document(text)?;
    let item = item(point, &document)?;
    let pair = pair(item).ok_or_else(|| unfixed(point, item))?;
    let mut patches = Vec::new();
    let mut old = [String::new(), String::new()];
    for (axis, value) in pair.into_iter().enumerate() {
        let span = value.span().ok_or(super::UNFIT)?;
        let before = text.get(span.clone()).ok_or(super::UNFIT)?.trim();
        before.clone_into(&mut old[axis]);
        let (before, after) = (before.to_owned(), to[axis].clone());
        patches.push(Patch { at: span.start, before, after });
    }
    let back = Edit::Move { point: point.clone(), to: old };
    Ok(Located { place: FileRole::Map, patches, back })
}

fn item<'a>(point: &NamedPoint, document: &'a Document<&str>) -> Result<&'a Item, String> {
    let found = match point {
        NamedPoint::Start(name) => {
            starts(document).find_map(|(agent, at)| (agent == name).then_some(at))
        }
        NamedPoint::Place(name) => {
            document.get("places").and_then(Item::as_table_like).and_then(|it| it.get(name))
        }
    };
    found.ok_or_else(|| format!("the {} is not in the map file", show::text(&point.describe())))
}

/// Returns the error message for a random position, which can't be moved.
fn unfixed(point: &NamedPoint, item: &Item) -> String {
    let value = show::text(item.to_string().trim());
    let point = show::text(&point.describe());
    format!("can't move the {point}: the position is random (`at = {value}`)")
}
