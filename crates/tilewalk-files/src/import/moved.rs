//! Moves positions in a map, after columns or rows were added on the left or at the top of its source.

use std::ops::Range;

use toml_edit::{Document, Item, TableLike, Value};

use crate::show;
use tilewalk_sim::sort::SmallSort;

/// Columns and rows by which the tiles of a source have moved.
pub type Shift = (i32, i32);

/// Keys whose values are positions, lists of positions, or rectangles.
const POSITIONS: [&str; 14] = [
    "at",
    "within",
    "from",
    "to",
    "points",
    "vertices",
    "travel",
    "chase",
    "flee_tiles",
    "target",
    "between",
    "leader",
    "home",
    "center",
];

/// Maximum number of tiles that are compared for a shift.
const MOST_COMPARED: usize = 20_000;

/// Maximum number of shifts that are compared along each axis.
const MOST_SHIFTS: i32 = 64;

/// A text with moved positions.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct MovedText {
    /// The text with moved positions.
    pub text: String,
    /// Number of moved positions.
    pub moved: usize,
    /// Values that may contain positions and were not moved, safe to print.
    pub unmoved: Vec<String>,
}

/// Returns the shift for which most tiles of two versions agree, if they differ in size. Returns
/// (0, 0) if no other shift is better.
pub fn find_shift(base: &[Vec<&str>], theirs: &[Vec<&str>]) -> Shift {
    let size = |rows: &[Vec<&str>]| (rows.first().map_or(0, Vec::len) as i32, rows.len() as i32);
    let (old, new) = (size(base), size(theirs));
    let range = |change: i32| change.clamp(-MOST_SHIFTS, 0)..=change.clamp(0, MOST_SHIFTS);
    let area = (old.0 * old.1).max(1) as usize;
    let step = area.div_ceil(MOST_COMPARED) | 1;
    let agreeing = |(dx, dy): Shift| {
        let is_same = |index: &usize| {
            let (x, y) = (*index as i32 % old.0, *index as i32 / old.0);
            let there = theirs.get((y + dy) as usize).and_then(|row| row.get((x + dx) as usize));
            base[y as usize].get(x as usize) == there
        };
        (0..area).step_by(step).filter(is_same).count()
    };
    if old.0 == 0 || old == new {
        return (0, 0);
    }
    let shifts = range(new.1 - old.1).flat_map(|dy| range(new.0 - old.0).map(move |dx| (dx, dy)));
    let mut best = ((0, 0), agreeing((0, 0)));
    for shift in shifts {
        let count = agreeing(shift);
        if count > best.1 {
            best = (shift, count);
        }
    }
    best.0
}

/// Moves all positions of a map or pattern. Returns `None` if the text is not valid TOML.
pub fn moved(text: &str, shift: Shift) -> Option<MovedText> {
    let document = Document::parse(text).ok()?;
    let mut mover = Mover { shift, edits: Vec::new(), moved: MovedText::default() };
    mover.table(document.as_table(), false);
    let Mover { mut edits, moved, .. } = mover;
    let mut text = text.to_owned();
    edits.small_sort_by_key(|(span, _)| span.start);
    for (span, number) in edits.into_iter().rev() {
        text.replace_range(span, &number);
    }
    Some(MovedText { text, ..moved })
}

struct Mover {
    shift: Shift,
    edits: Vec<(Range<usize>, String)>,
    moved: MovedText,
}

impl Mover {
    /// Moves the positions in a table. `all` is true for a table in which all values are positions.
    fn table(&mut self, table: &dyn TableLike, all: bool) {
        for (key, item) in table.iter() {
            match item {
                Item::Value(value) => self.value(key, value, all),
                Item::Table(table) if key != "tiled" && key != "legend" => {
                    self.table(table, key == "places");
                }
                Item::ArrayOfTables(tables) => {
                    for table in tables {
                        self.table(table, false);
                    }
                }
                Item::None | Item::Table(_) => {}
            }
        }
    }

    fn value(&mut self, key: &str, value: &Value, all: bool) {
        let is_position = all || POSITIONS.contains(&key);
        match value {
            Value::Array(array) if is_position => {
                let numbers = array.iter().filter(|each| number(each).is_some()).count();
                if numbers == array.len() && matches!(numbers, 2 | 4) {
                    for (index, each) in array.iter().enumerate() {
                        let by = if index % 2 == 0 { self.shift.0 } else { self.shift.1 };
                        self.add(each, by);
                    }
                    self.moved.moved += 1;
                    return;
                }
                for each in array {
                    self.value(key, each, true);
                }
            }
            Value::Array(array) => {
                let pair = array.len() == 2 && array.iter().all(|each| number(each).is_some());
                if pair && !matches!(key, "range" | "heading" | "moves") {
                    self.unmoved(key, value);
                }
                for each in array {
                    if let Value::InlineTable(table) = each {
                        self.table(table, false);
                    }
                }
            }
            Value::InlineTable(table) => self.table(table, false),
            Value::String(text) if has_pair(text.value()) && key != "tiles" => {
                self.unmoved(key, value);
            }
            Value::String(_)
            | Value::Integer(_)
            | Value::Float(_)
            | Value::Boolean(_)
            | Value::Datetime(_) => {}
        }
    }

    /// Adds `by` to a number.
    fn add(&mut self, value: &Value, by: i32) {
        let (Some(span), Some(number)) = (value.span(), number(value)) else { return };
        let number = number + f64::from(by);
        let text = match value {
            Value::Integer(_) => format!("{number}"),
            Value::String(_)
            | Value::Float(_)
            | Value::Boolean(_)
            | Value::Datetime(_)
            | Value::Array(_)
            | Value::InlineTable(_) => {
                let rounded = (number * 1000.0).round() / 1000.0;
                format!("{rounded:?}")
            }
        };
        self.edits.push((span, text));
    }

    fn unmoved(&mut self, key: &str, value: &Value) {
        let (dx, dy) = self.shift;
        let value = show::text(value.to_string().trim());
        let message = format!("`{} = {value}` is not moved by ({dx}, {dy})", show::text(key));
        self.moved.unmoved.push(message);
    }
}

fn number(value: &Value) -> Option<f64> {
    value.as_float().or_else(|| value.as_integer().map(|number| number as f64))
}

/// Returns true if a text contains a pair of numbers in brackets, as positions in conditions do.
fn has_pair(text: &str) -> bool {
    let is_pair = |inner: &str| {
        let mut numbers = inner.split(',').map(|part| part.trim().parse::<f64>().is_ok());
        numbers.next() == Some(true) && numbers.next() == Some(true) && numbers.next().is_none()
    };
    text.split('[').skip(1).any(|rest| rest.split(']').next().is_some_and(is_pair))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_move_and_other_pairs_are_listed() {
        let text = "[places]\na = [4, 1]  # a\n[[agent]]\nat = [2.5, 1.0]\nspeed = [1, 2]\n\
                    steer = [{ do = \"seek\", target = [0, 0] }]\n[[wall]]\npoints = [[0.0, 0.0], [1.5, 2.0]]\n\
                    [[expect]]\nnever = \"distance(a, [3, 4]) < 1\"\n";
        let found = moved(text, (1, -2)).unwrap();
        let expected = text
            .replace("[4, 1]", "[5, -1]")
            .replace("[2.5, 1.0]", "[3.5, -1.0]")
            .replace("[0, 0]", "[1, -2]")
            .replace("[[0.0, 0.0], [1.5, 2.0]]", "[[1.0, -2.0], [2.5, 0.0]]");
        assert_eq!(found.text, expected);
        assert_eq!(found.moved, 5);
        assert_eq!(found.unmoved.len(), 2, "{:?}", found.unmoved);
        assert!(found.unmoved[0].contains("`speed = [1, 2]` is not moved by (1, -2)"));
    }

    #[test]
    fn the_shift_of_a_grown_map_is_found() {
        let rows = |text: &'static str| -> Vec<Vec<&str>> {
            text.split(' ').map(|row| row.split("").filter(|it| !it.is_empty()).collect()).collect()
        };
        let base = rows("#.# ..# ###");
        assert_eq!(find_shift(&base, &rows("x#.# x..# x###")), (1, 0));
        assert_eq!(find_shift(&base, &rows("#.#x ..#x ###x")), (0, 0));
        assert_eq!(find_shift(&base, &rows("xxxx x#.# x..# x###")), (1, 1));
        assert_eq!(find_shift(&base, &rows(".# .# ##")), (-1, 0));
        assert_eq!(find_shift(&rows("... ..."), &rows(".... ....")), (0, 0));
    }
}
