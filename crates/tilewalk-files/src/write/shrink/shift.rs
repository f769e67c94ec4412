//! Moves all coordinates of a map or a pattern.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use toml_edit::{Array, Item, TableLike, Value};

use crate::keys::agent::{AGENT, MODE, TRANSITION};
use crate::keys::expect::EXPECT;
use crate::keys::map::{MAP, ON, SPAWN};
use crate::keys::table::ValueKind;
use crate::write::shrink::condition;
use crate::write::shrink::offset::{Offset, moved_number};

/// Keys whose value can be a pair of coordinates, or a list of pairs.
const PAIRS: [&str; 13] = [
    "at",
    "from",
    "to",
    "offset",
    "travel",
    "chase",
    "flee_tiles",
    "target",
    "leader",
    "between",
    "points",
    "vertices",
    "segments",
];

/// Keys of a map whose values can be conditions or expressions.
pub static CONDITIONS: LazyLock<BTreeSet<&'static str>> = LazyLock::new(|| {
    let keys = [&MAP, &AGENT, &MODE, &TRANSITION, &SPAWN, &ON, &EXPECT];
    let keys = keys.into_iter().flat_map(|table| &table.keys);
    let conditions = keys.filter(|key| matches!(key.kind, ValueKind::Condition));
    conditions.map(|key| key.name).chain(["from", "value"]).collect()
});

/// Moves the coordinates of a table. Returns the bounds of the coordinates before the move.
pub fn table(table: &mut dyn TableLike, offset: Offset) -> Bounds {
    let mut mover = Mover { offset, bounds: Bounds::default() };
    mover.table(table);
    mover.bounds
}

/// The smallest rectangle of tiles that contains a set of coordinates; `None` without coordinates.
#[derive(Debug, Clone, Copy, Default)]
pub struct Bounds(Option<[i64; 4]>);

impl Bounds {
    fn add(&mut self, x: i64, y: i64) {
        let [left, top, right, bottom] = self.0.unwrap_or([x, y, x, y]);
        self.0 = Some([left.min(x), top.min(y), right.max(x), bottom.max(y)]);
    }

    /// Returns true if the bounds and a rectangle of tiles share no tile. `end_x` and `end_y` are
    /// exclusive.
    pub fn is_apart(&self, [first_x, first_y, end_x, end_y]: [i64; 4]) -> bool {
        self.0.is_none_or(|[left, top, right, bottom]| {
            right < first_x || bottom < first_y || left >= end_x || top >= end_y
        })
    }

    /// Returns true if all coordinates are in a rectangle of tiles. `end_x` and `end_y` are
    /// exclusive.
    pub fn is_within(&self, [first_x, first_y, end_x, end_y]: [i64; 4]) -> bool {
        self.0.is_none_or(|[left, top, right, bottom]| {
            left >= first_x && top >= first_y && right < end_x && bottom < end_y
        })
    }
}

struct Mover {
    offset: Offset,
    bounds: Bounds,
}

impl Mover {
    fn table(&mut self, table: &mut dyn TableLike) {
        // The offset from a leader is no position.
        let is_relative = table.get("do").and_then(Item::as_str) == Some("offset_pursue");
        for (key, item) in table.iter_mut() {
            match (key.get(), item) {
                ("offset", _) if is_relative => {}
                ("places", item) => {
                    let places = item.as_table_like_mut();
                    for (_, place) in places.into_iter().flat_map(|places| places.iter_mut()) {
                        place.as_value_mut().into_iter().for_each(|value| self.pairs(value));
                    }
                }
                (key, Item::Value(value)) => self.value(key, value),
                (_, Item::Table(inner)) => self.table(inner),
                (_, Item::ArrayOfTables(tables)) => {
                    tables.iter_mut().for_each(|inner| self.table(inner));
                }
                (_, Item::None) => {}
            }
        }
    }

    fn value(&mut self, key: &str, value: &mut Value) {
        match value {
            Value::Array(list) if key == "within" => self.pair_or_area(list),
            Value::Array(_) if PAIRS.contains(&key) => self.pairs(value),
            Value::Array(list) => list.iter_mut().for_each(|value| self.value(key, value)),
            Value::InlineTable(inner) => self.table(inner),
            Value::String(text) if CONDITIONS.contains(key) => {
                let moved = condition::moved(text.value(), self.offset);
                if moved != *text.value() {
                    *value = moved.into();
                }
            }
            Value::String(_)
            | Value::Integer(_)
            | Value::Float(_)
            | Value::Boolean(_)
            | Value::Datetime(_) => {}
        }
    }

    /// Moves a pair of coordinates, or the pairs in a list.
    fn pairs(&mut self, value: &mut Value) {
        let Value::Array(list) = value else { return };
        if list.iter().all(|each| each.is_integer() || each.is_float()) {
            self.pair_or_area(list);
        } else {
            list.iter_mut().for_each(|value| self.pairs(value));
        }
    }

    /// Moves the coordinates in a list of numbers. x and y alternate.
    fn pair_or_area(&mut self, list: &mut Array) {
        let tiles: Vec<i64> = list.iter().filter_map(tile).collect();
        if tiles.len() != list.len() || !matches!(tiles.len(), 2 | 4) {
            return;
        }
        tiles.chunks(2).for_each(|pair| self.bounds.add(pair[0], pair[1]));
        for (index, number) in list.iter_mut().enumerate() {
            let by = if index % 2 == 0 { self.offset.x } else { self.offset.y };
            let moved = moved_number(number.to_string().trim(), by);
            if let Some(mut moved) = moved.and_then(|moved| moved.parse::<Value>().ok()) {
                *moved.decor_mut() = number.decor().clone();
                *number = moved;
            }
        }
    }
}

/// Returns the column or row of the tile that contains a coordinate; `None` if the value is not a
/// number.
fn tile(value: &Value) -> Option<i64> {
    value.as_integer().or_else(|| value.as_float().map(|number| number.floor() as i64))
}
