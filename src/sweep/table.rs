//! The results of a sweep: one row per run, in one of several file formats.
//!
//! A results file gets its name only when it is complete.

mod named;
#[cfg(feature = "parquet")]
mod parquet;

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::files::disk::output_file::NewFile;
use crate::files::show;

use super::plan::Plan;
use super::row::{MAX_LINE, ResultRow, are_of_results, fields, line};
use super::{SweepError, publish, regular_file};
use named::{json, names, row_of_json};

/// The file format of results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated values with a header line.
    Csv,
    /// One JSON object per line.
    Ndjson,
    /// Apache Parquet, with typed columns.
    #[cfg(feature = "parquet")]
    Parquet,
}

impl Format {
    /// The file name extensions of results, each with its format.
    pub const ENDINGS: &[(&'static str, Self)] = &[
        ("csv", Self::Csv),
        ("ndjson", Self::Ndjson),
        #[cfg(feature = "parquet")]
        ("parquet", Self::Parquet),
    ];

    /// Returns the format for the extension of a path.
    ///
    /// # Errors
    /// Returns an error for an unknown extension, or if this build does not support the format.
    pub fn of(path: &Path) -> Result<Self, SweepError> {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if let Some((_, format)) = Self::ENDINGS.iter().find(|(other, _)| *other == ending) {
            return Ok(*format);
        }
        let path = show::path(path);
        if ending == "parquet" {
            return Err(SweepError::NoParquet { path });
        }
        let endings: Vec<_> =
            Self::ENDINGS.iter().map(|(ending, _)| format!(".{ending}")).collect();
        Err(SweepError::Ending { path, endings: endings.join(" or ") })
    }
}

/// A results file that is being written under a temporary name.
pub(super) struct Table<'a> {
    plan: &'a Plan,
    path: PathBuf,
    sink: Sink,
    /// Number of the run whose row must be added next.
    next: u64,
}

enum Sink {
    Csv(BufWriter<NewFile>),
    Ndjson(BufWriter<NewFile>),
    #[cfg(feature = "parquet")]
    Parquet(Box<parquet::Writer>),
}

impl<'a> Table<'a> {
    /// Starts a results file under a temporary name. The extension of `path` selects the format.
    pub fn create(path: &Path, plan: &'a Plan) -> Result<Self, SweepError> {
        let format = Format::of(path)?;
        let file = BufWriter::new(publish::beside(path)?);
        let sink = match format {
            Format::Csv => {
                let mut file = file;
                let written = writeln!(file, "{}", line(&plan.header()));
                written.map_err(SweepError::io("write", path))?;
                Sink::Csv(file)
            }
            Format::Ndjson => Sink::Ndjson(file),
            #[cfg(feature = "parquet")]
            Format::Parquet => {
                let writer = parquet::Writer::new(file, plan);
                Sink::Parquet(Box::new(writer.map_err(SweepError::io("write", path))?))
            }
        };
        Ok(Self { plan, path: path.to_owned(), sink, next: 0 })
    }

    /// Adds the row of the next run. `line` is the CSV line of the row. Returns an error if the row
    /// belongs to another run.
    pub fn add(&mut self, row: &ResultRow, line: &str) -> Result<(), SweepError> {
        if row.run != self.next {
            return Err(self.no_row());
        }
        self.next += 1;
        let written = match &mut self.sink {
            Sink::Csv(file) => writeln!(file, "{line}"),
            Sink::Ndjson(file) => writeln!(file, "{}", json(self.plan, row)),
            #[cfg(feature = "parquet")]
            Sink::Parquet(writer) => writer.add(self.plan, row),
        };
        written.map_err(SweepError::io("write", &self.path))
    }

    /// Completes the file and renames it to its final name. Returns an error if rows are missing, or if the
    /// file already exists.
    pub fn finish(self) -> Result<(), SweepError> {
        if self.next != self.plan.runs() {
            return Err(self.no_row());
        }
        let Self { path, sink, .. } = self;
        let file = match sink {
            Sink::Csv(file) | Sink::Ndjson(file) => {
                file.into_inner().map_err(io::IntoInnerError::into_error)
            }
            #[cfg(feature = "parquet")]
            Sink::Parquet(writer) => writer.finish(),
        };
        match publish::new(file.map_err(SweepError::io("write", &path))?, &path)? {
            Ok(()) => Ok(()),
            Err(_) => Err(SweepError::OtherPlan { path: show::path(&path) }),
        }
    }

    /// Returns the error for a missing or damaged row of the next run.
    pub fn no_row(&self) -> SweepError {
        SweepError::NoRow { path: show::path(&self.path), run: self.next }
    }
}

/// Returns true if an open file has the columns of results. The extension of `path` selects the
/// format.
pub(super) fn has_columns(file: &mut File, path: &Path) -> Result<bool, SweepError> {
    let columns: Option<Vec<String>> = match Format::of(path)? {
        Format::Csv => {
            let fields = fields(&first_line(file, path)?);
            fields.map(|fields| fields.iter().map(ToOwned::to_owned).collect())
        }
        Format::Ndjson => names(&first_line(file, path)?),
        #[cfg(feature = "parquet")]
        Format::Parquet => {
            let file = file.try_clone().map_err(SweepError::io("read", path))?;
            parquet::column_names(file)
        }
    };
    Ok(columns.is_some_and(|columns| are_of_results(&columns)))
}

/// Returns the first line of a file, without its line break. Returns an empty line if it is not
/// text.
fn first_line(file: &mut File, path: &Path) -> Result<String, SweepError> {
    let bytes = regular_file::beginning(file, path, MAX_LINE)?;
    let line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    Ok(str::from_utf8(line).unwrap_or_default().to_owned())
}

/// Reads a results file and calls `row` with each row, in the order of the runs.
///
/// # Errors
/// Returns an error if the file cannot be read, or if its rows do not belong to the plan.
pub fn read(path: &Path, plan: &Plan, mut row: impl FnMut(&ResultRow)) -> Result<(), SweepError> {
    let format = Format::of(path)?;
    let mut next = 0;
    // Returns whether the row is the next one.
    let mut add = |read: Option<ResultRow>| {
        let Some(read) = read.filter(|row| row.run == next) else { return false };
        next += 1;
        row(&read);
        true
    };
    let file = File::open(path).map_err(SweepError::io("read", path))?;
    match format {
        Format::Csv | Format::Ndjson => {
            let mut lines = BufReader::new(file).lines();
            if format == Format::Csv {
                let header = lines.next().transpose().map_err(SweepError::io("read", path))?;
                if header != Some(line(&plan.header())) {
                    return Err(SweepError::OtherPlan { path: show::path(path) });
                }
            }
            for line in lines {
                let line = line.map_err(SweepError::io("read", path))?;
                let is_csv = format == Format::Csv;
                if !add(if is_csv { plan.row(&line) } else { row_of_json(plan, &line) }) {
                    break;
                }
            }
        }
        #[cfg(feature = "parquet")]
        Format::Parquet => {
            parquet::read(file, plan, &mut add).map_err(SweepError::io("read", path))?;
        }
    }
    if next < plan.runs() {
        return Err(SweepError::DamagedRow { path: show::path(path), run: next });
    }
    Ok(())
}
