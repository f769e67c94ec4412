//! Reads the runs of other programs: one row per agent and frame, as CSV or as one JSON object per
//! line.
//!
//! [`TraceOptions`] name the columns and the units of the file. A header line in the file can do
//! the same. [`read`] collects the rows, and [`RunFile::on_map`] converts them to tiles.

mod columns;
mod csv;
mod error;
mod header;
mod lines;
mod ndjson;
mod table;

pub use error::RunError;
pub use header::{TraceOptions, parse_column, parse_point};
pub use lines::{Input, is_run_path};
pub use table::{RunFile, read};
