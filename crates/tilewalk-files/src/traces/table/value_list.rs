//! The values of a column while a run is read. A column consists of numbers until it contains a text.

use tilewalk_sim::trace::NO_TEXT;

use crate::traces::columns::{Cell, Record};

use super::Names;

/// The values of a column, one per row so far.
#[derive(Clone, Default)]
pub(super) struct ValueList {
    pub numbers: Vec<f32>,
    /// The texts, if the column contains a text. Numbers among them are texts, too.
    pub texts: Option<Vec<u32>>,
    /// How numbers are written, in case the column contains a text later.
    spellings: Spellings,
    /// The first integer that differs from its number.
    pub rounded: Option<RoundedInteger>,
}

/// An integer that a number of 24 bits does not represent.
#[derive(Debug, Clone, Copy)]
pub(super) struct RoundedInteger {
    pub integer: f64,
    pub line: u32,
    pub column: u32,
}

impl ValueList {
    /// Adds missing values for the rows before `row`.
    pub fn pad(&mut self, row: usize) {
        match &mut self.texts {
            Some(texts) => texts.resize(row, NO_TEXT),
            None => self.numbers.resize(row, f32::NAN),
        }
    }

    /// Adds the cell of a slot as the value of a row in a line.
    pub fn push(&mut self, row: usize, record: &Record, slot: usize, line: u32, texts: &mut Names) {
        self.pad(row);
        let text = |range: &core::ops::Range<usize>| &record.text[range.clone()];
        match (&record.cells[slot], &mut self.texts) {
            (Cell::Missing, _) => {}
            (Cell::Number(number, range), None) => {
                self.numbers.push(*number as f32);
                if number.fract() == 0.0 && f64::from(*number as f32) != *number {
                    let column = record.places[slot] as u32;
                    self.rounded.get_or_insert(RoundedInteger { integer: *number, line, column });
                }
                match range {
                    Some(range) => self.spellings.push(row, text(range)),
                    None if is_short(*number) => {}
                    None => self.spellings.push(row, &number.to_string()),
                }
            }
            (Cell::Number(number, None), Some(list)) => {
                list.push(texts.number(&number.to_string(), 0));
            }
            (Cell::Number(_, Some(range)) | Cell::Text(range), Some(list)) => {
                let guess = list.last().copied().unwrap_or(0);
                list.push(texts.number(text(range), guess));
            }
            (Cell::Text(range), None) => {
                let mut list = self.number_texts(texts);
                list.push(texts.number(text(range), 0));
                (self.numbers, self.spellings) = (Vec::new(), Spellings::default());
                self.texts = Some(list);
            }
        }
    }

    /// Returns the numbers so far as texts.
    fn number_texts(&self, texts: &mut Names) -> Vec<u32> {
        let mut spellings = self.spellings.iter().peekable();
        let mut list = Vec::with_capacity(self.numbers.len() + 1);
        for (row, number) in self.numbers.iter().enumerate() {
            let spelling = spellings.next_if(|(spelled, _)| *spelled as usize == row);
            list.push(match spelling {
                Some((_, text)) => texts.number(text, list.last().copied().unwrap_or(0)),
                None if number.is_nan() => NO_TEXT,
                None => texts.number(&number.to_string(), 0),
            });
        }
        list
    }

    /// Removes the values from a row on.
    pub fn truncate(&mut self, rows: usize) {
        self.numbers.truncate(rows);
        if let Some(texts) = &mut self.texts {
            texts.truncate(rows);
        }
        self.spellings.truncate(rows);
    }

    /// Removes the value of a row. Later values move up.
    pub fn remove(&mut self, row: usize) {
        if row < self.numbers.len() {
            self.numbers.remove(row);
        }
        if let Some(texts) = self.texts.as_mut().filter(|texts| row < texts.len()) {
            texts.remove(row);
        }
        self.spellings.remove(row);
    }

    /// Returns the memory of the spellings, in bytes.
    pub fn spelling_bytes(&self) -> usize {
        self.spellings.text.len() + size_of_val(&*self.spellings.rows)
    }
}

/// Returns true if a number has at most six digits, so that an `f32` with its value is formatted
/// like it.
fn is_short(number: f64) -> bool {
    let scales = [1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6];
    scales.into_iter().any(|scale| {
        let digits = (number * scale).round();
        digits.abs() < 1e6 && digits / scale == number
    })
}

/// The texts of numbers whose formatted `f32` is another text. Most columns have none.
#[derive(Debug, Clone, Default)]
struct Spellings {
    rows: Vec<u32>,
    /// The texts. Each one ends with a line break, which no value contains.
    text: String,
}

impl Spellings {
    fn push(&mut self, row: usize, text: &str) {
        self.rows.push(row as u32);
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn iter(&self) -> impl Iterator<Item = (u32, &str)> {
        self.rows.iter().copied().zip(self.text.split_terminator('\n'))
    }

    /// Removes and returns the last text if its row is at least `row`.
    fn pop_from(&mut self, row: usize) -> Option<(usize, String)> {
        let last = self.rows.pop_if(|last| *last as usize >= row)?;
        let end = self.text.len() - 1;
        let start = self.text[..end].rfind('\n').map_or(0, |before| before + 1);
        let text = self.text[start..end].to_owned();
        self.text.truncate(start);
        Some((last as usize, text))
    }

    fn truncate(&mut self, rows: usize) {
        while self.pop_from(rows).is_some() {}
    }

    fn remove(&mut self, row: usize) {
        let mut later = Vec::new();
        while let Some(entry) = self.pop_from(row) {
            later.push(entry);
        }
        for (spelled, text) in later.into_iter().rev().filter(|(spelled, _)| *spelled != row) {
            self.push(spelled - 1, &text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_removed_rows_are_removed() {
        let mut spellings = Spellings::default();
        for (row, text) in [(1, "1.10"), (3, "007"), (4, "1e3"), (6, "2.0")] {
            spellings.push(row, text);
        }
        spellings.remove(3);
        let found: Vec<_> = spellings.iter().collect();
        assert_eq!(found, [(1, "1.10"), (3, "1e3"), (5, "2.0")]);
        spellings.truncate(3);
        assert_eq!(spellings.iter().collect::<Vec<_>>(), [(1, "1.10")]);
        spellings.remove(0);
        assert_eq!(spellings.iter().collect::<Vec<_>>(), [(0, "1.10")]);
    }

    #[test]
    fn numbers_of_at_most_six_digits_are_short() {
        for number in [0.0, 1.0, -1.5, 0.1, 0.3, 123.456, 999_999.0, 0.000_001] {
            assert!(is_short(number), "{number}");
            assert_eq!((number as f32).to_string(), number.to_string());
        }
        for number in [0.1 + 0.2, 1_000_000.0, 16_777_217.0, 1e-7] {
            assert!(!is_short(number), "{number}");
        }
    }
}
