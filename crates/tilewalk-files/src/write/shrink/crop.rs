//! Crops a map: cuts rows of tiles, in the map and its patterns, and moves all coordinates,
//! also those in conditions.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::{Arc, LazyLock};

use toml_edit::{Array, DocumentMut, Item, TableLike, Value};

use crate::keys::agent::{AGENT, MODE, TRANSITION};
use crate::keys::expect::EXPECT;
use crate::keys::map::{MAP, ON, SPAWN};
use crate::keys::table::ValueKind;
use crate::tiles::legend::write_legend;
use crate::write::frame_to_map;
use tilewalk_sim::condition::lexer::{Token, TokenKind, tokens};
use tilewalk_sim::geom::TilePos;
use tilewalk_sim::map::Map;
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::sort::SmallCollect;

/// A side of a map from which shrinking removes rows or columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Left side: the columns with the smallest x.
    Left,
    /// Top side: the rows with the smallest y.
    Top,
    /// Right side: the columns with the largest x.
    Right,
    /// Bottom side: the rows with the largest y.
    Bottom,
}

impl Side {
    /// All sides, in the order in which a reduction crops them.
    pub const ALL: [Self; 4] = [Self::Right, Self::Bottom, Self::Left, Self::Top];
}

/// Glyph of the plain walkable tile in the built-in legend.
const FLOOR: &str = ".";

/// The tiles of a map. Cells keep their coordinates when the map is cropped.
#[derive(Debug, Clone)]
pub struct Ground {
    width: usize,
    /// Index of the glyph of each tile, in reading order.
    cells: Vec<u8>,
    glyphs: Arc<[String]>,
    /// First column, first row, end column and end row, in tiles of the original map. The end
    /// column and the end row are exclusive.
    crop: [usize; 4],
}

impl Ground {
    pub fn new(map: &Map) -> Self {
        let tiles = map.tiles();
        let (width, height) = (tiles.width() as usize, tiles.height() as usize);
        let mut glyphs: Vec<String> = map.legend().iter().map(|kind| kind.glyph.clone()).collect();
        if !glyphs.iter().any(|glyph| glyph == FLOOR) {
            glyphs.push(FLOOR.to_owned());
        }
        let crop = [0, 0, width, height];
        Self { width, cells: tiles.cells().to_vec(), glyphs: glyphs.into(), crop }
    }

    /// Returns the first column, first row, end column and end row, in tiles of the original map.
    /// The end column and the end row are exclusive.
    pub fn crop(&self) -> [i64; 4] {
        self.crop.map(|side| side as i64)
    }

    /// Returns the width and the height of the cropped map, in tiles.
    pub fn size(&self) -> (usize, usize) {
        let [left, top, right, bottom] = self.crop;
        (right - left, bottom - top)
    }

    /// Returns the tiles without `count` columns or rows at a side. Returns `None` if nothing would
    /// remain.
    pub fn without(&self, side: Side, count: usize) -> Option<Self> {
        let [mut left, mut top, mut right, mut bottom] = self.crop;
        match side {
            Side::Left => left += count,
            Side::Top => top += count,
            Side::Right => right = right.saturating_sub(count),
            Side::Bottom => bottom = bottom.saturating_sub(count),
        }
        let crop = [left, top, right, bottom];
        (left < right && top < bottom).then(|| Self { crop, ..self.clone() })
    }

    /// Returns the tiles of the cropped map that are not floor, in reading order.
    pub fn obstructed(&self) -> Vec<TilePos> {
        let [left, top, right, bottom] = self.crop;
        let tiles = (top..bottom).flat_map(|y| (left..right).map(move |x| (x, y)));
        let is_floor = |(x, y)| self.glyphs[usize::from(self.cells[y * self.width + x])] == FLOOR;
        let tiles = tiles.filter(|&tile| !is_floor(tile));
        tiles.map(|(x, y)| TilePos::new(x as i32, y as i32)).collect()
    }

    /// Returns the tiles of the cropped map whose glyphs differ from those of another map of the
    /// same size, in reading order.
    pub fn differing(&self, other: &Self) -> Vec<TilePos> {
        let [left, top, right, bottom] = self.crop;
        let tiles = (top..bottom).flat_map(|y| (left..right).map(move |x| (x, y)));
        let tiles = tiles.filter(|&(x, y)| {
            let cell = y * self.width + x;
            let glyph = |ground: &'_ Self| usize::from(ground.cells[cell]);
            self.glyphs[glyph(self)] != other.glyphs[glyph(other)]
        });
        tiles.map(|(x, y)| TilePos::new(x as i32, y as i32)).collect()
    }

    /// Replaces tiles with floor. Tiles outside the original map are ignored.
    pub fn clear(&mut self, tiles: &[TilePos]) {
        let floor = self.glyphs.iter().position(|glyph| glyph == FLOOR).unwrap_or(0) as u8;
        for tile in tiles {
            let (Ok(x), Ok(y)) = (usize::try_from(tile.x), usize::try_from(tile.y)) else {
                continue;
            };
            let row = self.cells.chunks_mut(self.width).nth(y);
            if let Some(cell) = row.and_then(|row| row.get_mut(x)) {
                *cell = floor;
            }
        }
    }

    /// Returns the glyphs that occur on the cropped map.
    pub fn used(&self) -> BTreeSet<&str> {
        self.rows().flatten().map(|&cell| self.glyphs[usize::from(cell)].as_str()).small_collect()
    }

    fn rows(&self) -> impl Iterator<Item = &[u8]> {
        let [left, top, right, bottom] = self.crop;
        let rows = self.cells.chunks(self.width).take(bottom).skip(top);
        rows.map(move |row| &row[left..right])
    }

    /// Formats the cropped map as rows of glyphs, the value of the key `tiles`.
    pub fn text(&self) -> String {
        let mut rows = String::with_capacity(self.cells.len());
        for row in self.rows() {
            rows.extend(row.iter().map(|&cell| self.glyphs[usize::from(cell)].as_str()));
            rows.push('\n');
        }
        rows
    }
}

/// Removes the rows of tiles from a map, so that new rows can be written. If a tiles file contains
/// the rows, copies the places and the legend of that file to the map.
///
/// # Errors
/// Returns a message if the legend can't be copied.
pub fn inline_rows(
    map: &mut DocumentMut,
    scenario: &Scenario,
    ground: &Ground,
) -> Result<(), String> {
    map.remove("tiles");
    map.remove("tiled");
    if map.remove("tiles_file").is_none() {
        return Ok(());
    }
    for place in scenario.places() {
        let places = map.entry("places").or_insert_with(toml_edit::table);
        let Some(places) = places.as_table_like_mut() else { continue };
        if !places.contains_key(&place.name) {
            let at = [place.at.x, place.at.y].map(frame_to_map::number_value);
            places.insert(&place.name, Item::Value(Array::from_iter(at).into()));
        }
    }
    // The legend of the tiles file can differ from the standard legend.
    let used = ground.used();
    let own = map.get("legend").and_then(Item::as_table_like);
    let is_new = |glyph: &str| own.is_none_or(|own| !own.contains_key(glyph));
    let kinds = scenario.map().legend().iter();
    let kinds = kinds.filter(|kind| used.contains(kind.glyph.as_str()) && is_new(&kind.glyph));
    let kinds: Vec<_> = kinds.filter(|kind| kind.obstacle.is_none() && kind.cost == 1.0).collect();
    let mut text = String::new();
    write_legend(&mut text, &kinds.into_iter().cloned().collect::<Vec<_>>());
    let added: DocumentMut = text.parse().map_err(|_| "the legend is not valid TOML")?;
    for (glyph, kind) in added.get("legend").and_then(Item::as_table).into_iter().flatten() {
        let legend = map.entry("legend").or_insert_with(toml_edit::table);
        if let Some(legend) = legend.as_table_like_mut() {
            legend.insert(glyph, kind.clone());
        }
    }
    Ok(())
}

/// Converts rows of glyphs to a TOML string of several lines.
pub fn rows_string(text: &str) -> Value {
    let literal = format!("'''\n{text}'''").parse::<Value>().ok();
    literal.filter(|value| value.as_str() == Some(text)).unwrap_or_else(|| text.into())
}

/// Crops the cells of a matrix. `-offset` is the number of columns and rows to remove at the left
/// and at the top. Returns `None` if a removed cell is an allowed tile.
pub fn crop_cells(pattern: &mut DocumentMut, offset: Offset) -> Option<()> {
    let Some(cells) = pattern.get("cells").and_then(Item::as_str) else { return Some(()) };
    let (columns, rows_above) = ((-offset.x) as usize, (-offset.y) as usize);
    let lines: Vec<&str> = cells.lines().collect();
    let is_used = |(y, line): (usize, &&str)| {
        line.chars().enumerate().any(|(x, c)| c == '1' && (y < rows_above || x < columns))
    };
    if lines.iter().enumerate().any(is_used) {
        return None;
    }
    let left = |line: &&str| line.chars().skip(columns).chain(['\n']).collect::<String>();
    let text: String = lines.iter().skip(rows_above).map(left).collect();
    pattern.insert("cells", Item::Value(rows_string(&text)));
    Some(())
}

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
    conditions.map(|key| key.name).chain(["from", "value"]).small_collect()
});

/// Moves the coordinates of a table. Returns the bounds of the coordinates before the move.
pub fn shift_table(table: &mut dyn TableLike, offset: Offset) -> Bounds {
    let mut mover = CoordinateShift { offset, bounds: Bounds::default() };
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

struct CoordinateShift {
    offset: Offset,
    bounds: Bounds,
}

impl CoordinateShift {
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
                let moved = moved_condition(text.value(), self.offset);
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
        let tiles: Vec<i64> = list.iter().filter_map(shift_tile).collect();
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
fn shift_tile(value: &Value) -> Option<i64> {
    value.as_integer().or_else(|| value.as_float().map(|number| number.floor() as i64))
}

/// Distance by which coordinates move, in tiles; positive to the right and downwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offset {
    pub x: i64,
    pub y: i64,
}

/// Adds an offset to a number in a text. Integers stay integers. Returns `None` if the offset is 0
/// or the text is not a decimal number.
fn moved_number(text: &str, by: i64) -> Option<String> {
    if by == 0 {
        return None;
    }
    match text.parse::<i64>() {
        Ok(number) => Some((number + by).to_string()),
        // Positions have the precision of `f32`.
        Err(_) => {
            text.parse::<f64>().ok().map(|number| format!("{:?}", (number + by as f64) as f32))
        }
    }
}

/// Adapts a condition to moved coordinates. Adds the offset to all coordinates in lists. Subtracts
/// the offset from fields: for an offset of -12, `cat.x` becomes `(cat.x + 12)`. A text that is not
/// a condition is returned unchanged.
fn moved_condition(text: &str, offset: Offset) -> String {
    let Ok(tokens) = tokens(text) else { return text.to_owned() };
    let mut edits = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Word(word) => {
                let old = match word {
                    "x" | "tile_x" => offset.x,
                    "y" | "tile_y" => offset.y,
                    _ => continue,
                };
                let first = moved_subject(&tokens, index);
                if old != 0 && !is_change(&tokens, first, index) {
                    edits.push((tokens[first].span.start, 0, "(".to_owned()));
                    let sign = if old > 0 { '-' } else { '+' };
                    edits.push((token.span.end, 0, format!(" {sign} {})", old.abs())));
                }
            }
            TokenKind::Mark('[') => moved_list(&tokens[index + 1..], offset, &mut edits),
            TokenKind::Number(_)
            | TokenKind::Text(_)
            | TokenKind::Comparison(_)
            | TokenKind::Mark(_)
            | TokenKind::End => {}
        }
    }
    let (mut moved, mut at) = (String::new(), 0);
    for (start, length, new) in edits {
        let _ = write!(moved, "{}{new}", &text[at..start]);
        at = start + length;
    }
    moved + &text[at..]
}

/// Returns the index of the first token of a field, such as `boid` in `boid.3.x`.
fn moved_subject(tokens: &[Token], field: usize) -> usize {
    let mut first = field;
    while let [.., before, dot] = &tokens[..first]
        && dot.kind == TokenKind::Mark('.')
        && matches!(before.kind, TokenKind::Word(_) | TokenKind::Number(_))
    {
        first -= 2;
    }
    first
}

/// Returns true if a field is the whole argument of `changed`. The field then needs no offset,
/// because only its changes count.
fn is_change(tokens: &[Token], first: usize, last: usize) -> bool {
    let is_argument = matches!(
        &tokens[..first],
        [.., word, open] if word.kind == TokenKind::Word("changed") && open.kind == TokenKind::Mark('(')
    );
    is_argument && tokens.get(last + 1).is_some_and(|token| token.kind == TokenKind::Mark(')'))
}

/// Moves the numbers of a list. x and y alternate. `tokens` start after the opening bracket.
fn moved_list(tokens: &[Token], offset: Offset, edits: &mut Vec<(usize, usize, String)>) {
    let (mut is_y, mut minus) = (false, None);
    for token in tokens {
        match token.kind {
            TokenKind::Mark('-') => minus = Some(token.span.start),
            TokenKind::Number(number) => {
                let start = minus.take().unwrap_or(token.span.start);
                let sign = if start < token.span.start { "-" } else { "" };
                let by = if is_y { offset.y } else { offset.x };
                if let Some(new) = moved_number(&format!("{sign}{number}"), by) {
                    edits.push((start, token.span.end - start, new));
                }
            }
            TokenKind::Mark(',') => is_y = !is_y,
            TokenKind::Mark(_)
            | TokenKind::Word(_)
            | TokenKind::Text(_)
            | TokenKind::Comparison(_)
            | TokenKind::End => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilewalk_sim::map::Edges;

    #[test]
    fn tiles_beside_the_map_are_not_cleared() {
        let map = Map::drawn(&["##", "##"], Edges::Wall).unwrap();
        let mut ground = Ground::new(&map);
        let beside = [(-1, 0), (0, -1), (-1, 1), (2, 0), (3, -1), (0, 2), (i32::MIN, i32::MAX)];
        ground.clear(&beside.map(|(x, y)| TilePos::new(x, y)));
        assert_eq!(ground.text(), "##\n##\n");
        ground.clear(&[TilePos::new(1, 0)]);
        assert_eq!(ground.text(), "#.\n##\n");
    }

    #[test]
    fn coordinates_in_conditions_are_moved_with_the_map() {
        let offset = Offset { x: -10, y: 2 };
        for (before, after) in [
            ("cat.x > 3", "(cat.x + 10) > 3"),
            ("boid.3.tile_y == y", "(boid.3.tile_y - 2) == (y - 2)"),
            ("changed(cat.x) or changed(cat.x > 3)", "changed(cat.x) or changed((cat.x + 10) > 3)"),
            ("distance(cat, [4, 10.5]) < 2", "distance(cat, [-6, 12.5]) < 2"),
            ("in(cat, [-4, 1, 20, 3])", "in(cat, [-14, 3, 10, 5])"),
            ("cat.mode == 'x' and cat.speed > 1", "cat.mode == 'x' and cat.speed > 1"),
        ] {
            assert_eq!(moved_condition(before, offset), after);
        }
        assert_eq!(moved_condition("cat.x > 3", Offset { x: 0, y: 5 }), "cat.x > 3");
    }
}
