//! Writes films as recordings of a terminal, in the format asciicast v3 of asciinema. Events have the
//! seconds since the event before.

use std::io::{self, Write};

use super::cells::Cells;

/// Writes the header of a film.
///
/// # Errors
/// Returns the error of `out`.
pub fn begin(out: &mut dyn Write, cells: &Cells, title: &str) -> io::Result<()> {
    let (columns, rows) = (cells.width, cells.height());
    let title = serde_json::Value::from(title);
    writeln!(
        out,
        "{{\"version\":3,\"term\":{{\"cols\":{columns},\"rows\":{rows}}},\"title\":{title}}}"
    )
}

/// Writes a frame that follows the frame before after `milliseconds`.
///
/// # Errors
/// Returns the error of `out`.
pub fn frame(
    out: &mut dyn Write,
    milliseconds: u64,
    cells: &Cells,
    last: Option<&Cells>,
) -> io::Result<()> {
    event(out, milliseconds, 'o', &cells.terminal_text(last))
}

/// Writes the end of a film: the last frame is visible for `milliseconds`.
///
/// # Errors
/// Returns the error of `out`.
pub fn end(out: &mut dyn Write, milliseconds: u64) -> io::Result<()> {
    event(out, 0, 'o', "\x1b[0m\x1b[?25h")?;
    event(out, milliseconds, 'x', "0")
}

fn event(out: &mut dyn Write, milliseconds: u64, code: char, data: &str) -> io::Result<()> {
    let (seconds, rest) = (milliseconds / 1000, milliseconds % 1000);
    let data = serde_json::Value::from(data);
    writeln!(out, "[{seconds}.{rest:03}, \"{code}\", {data}]")
}
