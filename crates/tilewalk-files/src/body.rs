//! Reads bodies: `body = { … }`.

use tilewalk_sim::body::{Body, NUMBERS, NumberForm};
use toml::de::DeTable;

use std::ops::Range;

use super::keys::Table;
use super::keys::agent::{BODY, VIEW};
use super::reader::TableReader;
use super::value_path::InnerTable;

/// Reads the body of an agent. Returns the body and the byte range of its radius. Missing and
/// invalid values get their defaults.
pub fn read(agent: &TableReader) -> (Body, Range<usize>) {
    let mut body = Body::default();
    let mut radius = agent.span();
    with_table(agent, "body", &BODY, InnerTable::Body, |table| {
        read_numbers(table, "", &mut body);
        body.solid = table.flag("solid");
        radius = table.take("radius").map_or(table.span(), |entry| entry.span());
        let read = |view: &TableReader| read_numbers(view, "view.", &mut body);
        with_table(table, "view", &VIEW, InnerTable::View, read);
    });
    (body, radius)
}

/// Reads the inner table at `key` with `read`. If the agent's tunable values are recorded, a
/// missing table is read as an empty table.
fn with_table(
    outer: &TableReader,
    key: &'static str,
    keys: &'static Table,
    inner: InnerTable,
    read: impl FnOnce(&TableReader),
) {
    let (entry, none) = (outer.take(key), DeTable::new());
    let table = match &entry {
        Some(entry) => entry.table(keys),
        None if outer.path().is_none() => None,
        None => Some(TableReader::new(keys, &none, outer.span(), outer.issues)),
    };
    if let Some(table) = table {
        let table = table.at(outer.path().map(|path| path.inner(inner)));
        read(&table);
        table.finish();
    }
}

/// Reads the numbers of a body whose keys begin with a prefix. Skips the numbers of inner tables.
fn read_numbers(table: &TableReader, prefix: &str, body: &mut Body) {
    for number in NUMBERS {
        let Some(key) = number.key.strip_prefix(prefix).filter(|key| !key.contains('.')) else {
            continue;
        };
        table.record_tunable(key);
        let value = match number.form {
            NumberForm::Count => Some(table.count(key) as f32),
            NumberForm::Plain | NumberForm::Angle => table.float(key),
        };
        if let Some(value) = value {
            (number.set)(body, value);
        }
    }
}
