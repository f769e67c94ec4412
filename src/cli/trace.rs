//! Writes traces: one row per agent and frame, as CSV or as newline-delimited JSON.
//!
//! Each number is written as the shortest decimal that parses back to the same f32.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::files::trace::{COLUMNS, Format};
use crate::report::frame::State;
use crate::world::World;

use super::CliError;

/// A trace being written.
pub(super) struct Trace {
    file: BufWriter<File>,
    format: Format,
    path: String,
}

impl Trace {
    /// Creates the file. The file extension selects the format.
    pub(super) fn create(path: &Path) -> Result<Self, CliError> {
        let shown = path.display().to_string();
        let Some(format) = Format::of(path) else {
            return Err(CliError::TraceFormat { path: shown });
        };
        let file = File::create(path).map_err(|source| write_error(&shown, source))?;
        let mut trace = Self { file: BufWriter::new(file), format, path: shown };
        if format == Format::Csv {
            trace.write(|out| writeln!(out, "{}", COLUMNS.join(",")))?;
        }
        Ok(trace)
    }

    /// Writes one row per agent.
    pub(super) fn frame(&mut self, world: &World) -> Result<(), CliError> {
        let (frame, time) = (world.frame().to_string(), (world.time() + 0.0).to_string());
        let format = self.format;
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
            // Names of agents and modes need no quotes in CSV and no escapes in JSON.
            self.write(|out| match format {
                Format::Csv => writeln!(out, "{}", row.join(",")),
                Format::Ndjson => write_json(out, &row),
            })?;
        }
        Ok(())
    }

    /// Writes the buffered rows to the file.
    pub(super) fn finish(mut self) -> Result<(), CliError> {
        self.write(Write::flush)
    }

    fn write(
        &mut self,
        write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    ) -> Result<(), CliError> {
        write(&mut self.file).map_err(|source| write_error(&self.path, source))
    }
}

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
