//! Bodies: `body = { … }`. Their numbers are those of [`NUMBERS`].

use tilewalk_sim::body::{Body, Form, NUMBERS};
use toml::de::DeTable;

use super::reader::TableReader;

/// Begins the keys of the table in a body.
const VIEW: &str = "view.";

/// The keys of a body.
pub fn keys() -> impl Iterator<Item = &'static str> {
    let numbers = NUMBERS.iter().map(|number| number.key).filter(|key| !key.contains('.'));
    numbers.chain(["solid", "view"])
}

/// Reads the body of an agent. A value that is missing or wrong gets its default.
pub fn read(agent: &mut TableReader) -> Body {
    let mut body = Body::default();
    // An agent without one is asked as well, for the list of what may be set.
    let (entry, none) = (agent.take("body"), DeTable::new());
    let table = match &entry {
        Some(entry) => entry.table("a body"),
        None => Some(TableReader::new("a body", &none, agent.span(), agent.issues)),
    };
    let Some(table) = table else { return body };
    let mut table = table.at(format!("{}.body", agent.path()));
    read_numbers(&mut table, "", &mut body);
    if let Some(solid) = table.take("solid").and_then(|value| value.boolean()) {
        body.solid = solid;
    }
    read_view(&mut table, &mut body);
    table.finish(&[]);
    body
}

/// `view = { range, angle }`.
fn read_view(outer: &mut TableReader, body: &mut Body) {
    let (entry, none) = (outer.take("view"), DeTable::new());
    let table = match &entry {
        Some(entry) => entry.table("a view"),
        None => Some(TableReader::new("a view", &none, outer.span(), outer.issues)),
    };
    let Some(table) = table else { return };
    let mut table = table.at(format!("{}.view", outer.path()));
    read_numbers(&mut table, VIEW, body);
    table.finish(&[]);
}

/// Reads the numbers whose keys begin with a prefix; without one, those outside the inner tables.
fn read_numbers(table: &mut TableReader, prefix: &str, body: &mut Body) {
    for number in NUMBERS {
        let Some(key) = number.key.strip_prefix(prefix).filter(|key| !key.contains('.')) else {
            continue;
        };
        let range = number.range.clone();
        let value = match number.form {
            Form::Count => {
                let range = *range.start() as u32..=*range.end() as u32;
                let default = number.default().unwrap_or_default() as u32;
                Some(table.frames_or(key, range, default) as f32)
            }
            Form::Plain | Form::Angle => {
                table.offer(key, range.clone(), number.default(), number.unit);
                table.float(key, range)
            }
        };
        if let Some(value) = value {
            (number.set)(body, value);
        }
    }
}
