//! Writes traces: a row per agent and frame, as CSV or as lines of JSON.
//!
//! Each number is the shortest decimal that reads back to the same f32.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::files::trace::{COLUMNS, Format};
use crate::report::frame::State;
use crate::world::World;

use super::CliError;

/// A trace that is being written.
pub(super) struct Trace {
    writer: Writer,
    path: String,
}

enum Writer {
    Csv(Box<csv::Writer<File>>),
    Ndjson(BufWriter<File>),
}

impl Trace {
    /// Creates the file. Its extension selects the format.
    pub(super) fn create(path: &Path) -> Result<Self, CliError> {
        let shown = path.display().to_string();
        let open = || File::create(path).map_err(|source| write_error(&shown, source));
        let writer = match Format::of(path) {
            Some(Format::Csv) => {
                let mut csv = csv::Writer::from_writer(open()?);
                csv.write_record(COLUMNS).map_err(|error| write_error(&shown, error.into()))?;
                Writer::Csv(Box::new(csv))
            }
            Some(Format::Ndjson) => Writer::Ndjson(BufWriter::new(open()?)),
            None => return Err(CliError::TraceFormat { path: shown }),
        };
        Ok(Self { writer, path: shown })
    }

    /// Writes a row for every agent.
    pub(super) fn frame(&mut self, world: &World) -> Result<(), CliError> {
        self.rows(world).map_err(|source| write_error(&self.path, source))
    }

    fn rows(&mut self, world: &World) -> io::Result<()> {
        let (frame, time) = (world.frame().to_string(), (world.time() + 0.0).to_string());
        for id in world.ids() {
            let State { mode, x, y, vx, vy, heading, tile_x, tile_y, .. } = State::of(world, id);
            let row: [String; 11] = [
                frame.clone(),
                time.clone(),
                world.scenario().name(id).to_string(),
                mode,
                x.to_string(),
                y.to_string(),
                vx.to_string(),
                vy.to_string(),
                heading.to_string(),
                tile_x.to_string(),
                tile_y.to_string(),
            ];
            match &mut self.writer {
                Writer::Csv(csv) => csv.write_record(&row)?,
                Writer::Ndjson(out) => write_json(out, &row)?,
            }
        }
        Ok(())
    }

    /// Writes the buffered rest.
    pub(super) fn finish(mut self) -> Result<(), CliError> {
        let flushed = match &mut self.writer {
            Writer::Csv(csv) => csv.flush(),
            Writer::Ndjson(out) => out.flush(),
        };
        flushed.map_err(|source| write_error(&self.path, source))
    }
}

/// Writes an object. Names of agents and modes contain nothing that needs an escape.
fn write_json(out: &mut impl Write, row: &[String; 11]) -> io::Result<()> {
    for (index, (column, value)) in COLUMNS.into_iter().zip(row).enumerate() {
        let before = if index == 0 { '{' } else { ',' };
        let quote = if matches!(column, "agent" | "mode") { "\"" } else { "" };
        write!(out, "{before}\"{column}\":{quote}{value}{quote}")?;
    }
    out.write_all(b"}\n")
}

fn write_error(path: &str, source: io::Error) -> CliError {
    CliError::Write { what: path.to_owned(), source }
}
