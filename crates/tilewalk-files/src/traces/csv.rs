//! Reads rows of comma-separated values. Semicolons and tabs also separate values.

use crate::show;
use crate::text::quotes::quoted;

use super::columns::{Cell, Columns, Record};
use super::error::LineProblem;

/// The layout of a file of comma-separated values.
#[derive(Debug, Clone)]
pub(super) struct Layout {
    delimiter: char,
    /// Slot of each column, in the order of the file.
    slots: Vec<usize>,
}

impl Layout {
    /// Reads the line with the names of the columns.
    pub fn read(line: &str, columns: &mut Columns) -> Result<Self, LineProblem> {
        let count = |delimiter: char| line.matches(delimiter).count();
        let delimiters = [',', ';', '\t'];
        let delimiter = delimiters.into_iter().max_by_key(|&it| (count(it), it == ','));
        let delimiter = delimiter.unwrap_or(',');
        let mut layout = Self { delimiter, slots: Vec::new() };
        let mut names: Vec<String> = Vec::new();
        let mut start = 1;
        layout.split(line, |name, place| {
            start = place;
            names.push(name.trim().to_owned());
            Ok(())
        })?;
        for (index, name) in names.iter().enumerate() {
            if name.is_empty() {
                return Err(LineProblem::new(start, format!("column {} has no name", index + 1)));
            }
            if names[..index].contains(name) {
                let what = format!("two columns are called `{}`", show::text(name));
                return Err(LineProblem::new(start, what));
            }
            layout.slots.push(columns.slot(name, columns.len()));
        }
        Ok(layout)
    }

    /// Reads a row.
    pub fn record(&self, line: &str, record: &mut Record) -> Result<(), LineProblem> {
        record.clear();
        let mut index = 0;
        let slots = &self.slots;
        self.split(line, |value, place| {
            let Some(&slot) = slots.get(index) else {
                let what = format!("the line has more than {} values", slots.len());
                return Err(LineProblem::new(place, what));
            };
            index += 1;
            let value = value.trim();
            let cell = match value.parse::<f64>() {
                _ if value.is_empty() => Cell::Missing,
                Ok(number) if number.is_finite() && is_plain(value) => Cell::Number(number, None),
                Ok(number) if number.is_finite() => record.number_cell(number, value),
                // `nan` and `inf` are how programs write a number that is missing.
                Ok(_) => Cell::Missing,
                Err(_) => record.text_cell(value),
            };
            record.set(slot, cell, place);
            Ok(())
        })?;
        if index < slots.len() {
            let place = line.chars().count() + 1;
            let what = format!("the line has {index} values instead of {}", slots.len());
            return Err(LineProblem::new(place, what));
        }
        Ok(())
    }

    /// Calls `each` for each value with its column in the line. A value in quotes can contain the
    /// delimiter, and two quotes stand for one.
    fn split(
        &self,
        line: &str,
        mut each: impl FnMut(&str, usize) -> Result<(), LineProblem>,
    ) -> Result<(), LineProblem> {
        let mut place = 1;
        if !line.contains('"') {
            for value in line.split(self.delimiter) {
                each(value, place)?;
                place += value.chars().count() + 1;
            }
            return Ok(());
        }
        let mut rest = line;
        loop {
            let (value, length) = if rest.starts_with('"') {
                quoted(rest).ok_or_else(|| LineProblem::new(place, "the quote is not closed"))?
            } else {
                let length = rest.find(self.delimiter).unwrap_or(rest.len());
                (rest[..length].to_owned(), length)
            };
            each(&value, place)?;
            place += rest[..length].chars().count() + 1;
            let after = &rest[length..];
            match after.strip_prefix(self.delimiter) {
                Some(next) => rest = next,
                None if after.is_empty() => return Ok(()),
                None => return Err(LineProblem::new(place - 1, "expected the end of the value")),
            }
        }
    }
}

/// Returns true if a number is written as an `f32` with its value is formatted: at most six digits,
/// without superfluous zeros and exponents.
fn is_plain(number: &str) -> bool {
    let digits = number.strip_prefix('-').unwrap_or(number);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "1"));
    let count = digits.len() - usize::from(digits.len() > whole.len());
    let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit());
    count <= 6
        && are_digits(whole)
        && are_digits(fraction)
        && (whole == "0" || !whole.starts_with('0'))
        && !fraction.ends_with('0')
}
