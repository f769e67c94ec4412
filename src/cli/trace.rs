//! Traces: one row per agent per frame, as CSV or as lines of JSON.
//!
//! Numbers are written as the shortest decimal that reads back to the same f32.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::files::trace::COLUMNS;
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
    /// Opens the file, in the format that its ending names.
    pub(super) fn create(path: &Path) -> Result<Self, CliError> {
        let shown = path.display().to_string();
        let ending = path.extension().and_then(|ending| ending.to_str());
        let open = || File::create(path).map_err(|source| write_error(&shown, source));
        let writer = match ending {
            Some("csv") => {
                let mut csv = csv::Writer::from_writer(open()?);
                csv.write_record(COLUMNS).map_err(|error| write_error(&shown, error.into()))?;
                Writer::Csv(Box::new(csv))
            }
            Some("ndjson") => Writer::Ndjson(BufWriter::new(open()?)),
            _ => return Err(CliError::TraceFormat { path: shown }),
        };
        Ok(Self { writer, path: shown })
    }

    /// Writes a row for every agent.
    pub(super) fn frame(&mut self, world: &World) -> Result<(), CliError> {
        self.rows(world).map_err(|source| write_error(&self.path, source))
    }

    fn rows(&mut self, world: &World) -> io::Result<()> {
        for id in world.ids() {
            let motion = world.motion(id);
            let tile = world.tile(id);
            let number = |value: f32| (value + 0.0).to_string();
            let row: [String; 11] = [
                world.frame().to_string(),
                number(world.time()),
                world.scenario().name(id).to_string(),
                world.mode(id).name.clone(),
                number(motion.position.x),
                number(motion.position.y),
                number(motion.velocity.x),
                number(motion.velocity.y),
                number(world.heading_degrees(id)),
                tile.x.to_string(),
                tile.y.to_string(),
            ];
            match &mut self.writer {
                Writer::Csv(csv) => csv.write_record(&row)?,
                Writer::Ndjson(out) => write_json(out, &row)?,
            }
        }
        Ok(())
    }

    /// Writes what is still held back.
    pub(super) fn finish(mut self) -> Result<(), CliError> {
        let flushed = match &mut self.writer {
            Writer::Csv(csv) => csv.flush(),
            Writer::Ndjson(out) => out.flush(),
        };
        flushed.map_err(|source| write_error(&self.path, source))
    }
}

/// One object; the names of agents and modes hold nothing that would need an escape.
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
