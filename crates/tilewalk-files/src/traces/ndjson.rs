//! Reads rows of JSON objects, one per line. Objects and arrays inside an object become columns
//! with dots, such as `pos.x`. The elements of an array of two or three numbers are called x, y and
//! z.

use core::fmt;
use std::borrow::Cow;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::show;

use super::columns::{Cell, Columns, Record};
use super::error::LineProblem;

/// Largest depth of objects inside each other.
const MAX_DEPTH: usize = 8;

/// Largest number of elements of an array that become columns.
const MAX_ELEMENTS: usize = 16;

/// Largest number of columns.
const MAX_COLUMNS: usize = 1000;

/// The largest integer up to which an `f64` represents every integer.
const MAX_EXACT: u64 = 1 << 53;

/// Reads the object in a line.
pub(super) fn record(
    line: &str,
    columns: &mut Columns,
    record: &mut Record,
    path: &mut String,
) -> Result<(), LineProblem> {
    record.clear();
    path.clear();
    let mut deserializer = serde_json::Deserializer::from_str(line);
    let mut guess = 0;
    let flat = Flat { columns, record, path, guess: &mut guess, depth: 0 };
    let read = flat.deserialize(&mut deserializer).and_then(|()| deserializer.end());
    read.map_err(|error| LineProblem::new(error.column().max(1), show::json_reason(&error)))?;
    if line.starts_with('{') { Ok(()) } else { Err(LineProblem::new(1, "expected a JSON object")) }
}

/// The name of a value in an object. It borrows from the line if it has no escapes.
#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

/// Stores the values below a path of names in a record.
struct Flat<'a> {
    columns: &'a mut Columns,
    record: &'a mut Record,
    /// Names of the enclosing objects, separated by dots.
    path: &'a mut String,
    /// The slot that follows the one of the last value.
    guess: &'a mut usize,
    depth: usize,
}

impl Flat<'_> {
    fn put<E: Error>(self, cell: Cell) -> Result<(), E> {
        let slot = self.columns.slot(self.path, *self.guess);
        if slot >= MAX_COLUMNS {
            return Err(E::custom(format!("more than {MAX_COLUMNS} columns")));
        }
        *self.guess = slot + 1;
        self.record.set(slot, cell, 1);
        Ok(())
    }

    fn number<E: Error>(self, number: f64) -> Result<(), E> {
        self.put(Cell::Number(number, None))
    }

    /// Returns the place of a value inside this one. Appends `name` to the path.
    fn inner(&mut self, name: &str) -> Flat<'_> {
        if !self.path.is_empty() {
            self.path.push('.');
        }
        self.path.push_str(name);
        let Self { columns, record, path, guess, depth } = self;
        Flat { columns, record, path, guess, depth: *depth + 1 }
    }

    fn deeper<E: Error>(&self) -> Result<(), E> {
        if self.depth < MAX_DEPTH {
            return Ok(());
        }
        Err(E::custom(format!("more than {MAX_DEPTH} objects inside each other")))
    }
}

impl<'de> DeserializeSeed<'de> for Flat<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Flat<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        self.number(f64::from(u8::from(value)))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        if value.unsigned_abs() <= MAX_EXACT {
            return self.number(value as f64);
        }
        let cell = self.record.number_cell(value as f64, &value.to_string());
        self.put(cell)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        if value <= MAX_EXACT {
            return self.number(value as f64);
        }
        let cell = self.record.number_cell(value as f64, &value.to_string());
        self.put(cell)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        self.number(value)
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<(), E> {
        let cell = self.record.text_cell(value);
        self.put(cell)
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.put(Cell::Missing)
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut elements: A) -> Result<(), A::Error> {
        self.deeper()?;
        let length = self.path.len();
        let mut index = 0;
        loop {
            let number = index.to_string();
            let name = ["x", "y", "z"].get(index).copied().unwrap_or(&number);
            if index >= MAX_ELEMENTS {
                return Err(A::Error::custom(format!("more than {MAX_ELEMENTS} elements")));
            }
            let next = elements.next_element_seed(self.inner(name))?;
            self.path.truncate(length);
            if next.is_none() {
                return Ok(());
            }
            index += 1;
        }
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut entries: A) -> Result<(), A::Error> {
        self.deeper()?;
        let length = self.path.len();
        while let Some(Key(name)) = entries.next_key::<Key>()? {
            entries.next_value_seed(self.inner(&name))?;
            self.path.truncate(length);
        }
        Ok(())
    }
}
