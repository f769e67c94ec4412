//! Writes traces: one row per agent and frame, as CSV or as newline-delimited JSON.
//!
//! Each number is written as the shortest decimal that parses back to the same f32.

use std::collections::BTreeSet;
use std::io::{self, BufWriter, Stdout, Write};
use std::path::Path;

use tilewalk_sim::sort::SmallCollect;

use crate::condition::{Named, Scope};
use crate::files::disk::output_file::Replacement;
use crate::files::read::trace::{COLUMNS, MORE_COLUMNS, TraceFormat};
use crate::id::AgentId;
use crate::report::frame::State;
use crate::scenario::Scenario;
use crate::world::World;

use super::CliError;
use super::explain::unknown_agent;

/// File name that selects standard output.
pub(super) const STDOUT: &str = "-";

/// Number of columns of a trace.
const WIDTH: usize = COLUMNS.len() + MORE_COLUMNS.len();

/// Where a trace is written.
enum Target {
    Stdout(Stdout),
    File(Replacement),
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stdout(out) => out.write(bytes),
            Self::File(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stdout(out) => out.flush(),
            Self::File(file) => file.flush(),
        }
    }
}

/// A trace file that is being written.
pub(super) struct Trace {
    out: BufWriter<Target>,
    format: TraceFormat,
    path: String,
    /// Names of the agents and groups to trace; empty for all agents.
    agents: Vec<String>,
}

impl Trace {
    /// Creates the file and writes the header. The file extension selects the format; `-` selects
    /// CSV on standard output.
    ///
    /// `agents` are names of agents and groups. An empty list selects all agents.
    pub(super) fn create(
        path: &Path,
        agents: &[String],
        scenario: &Scenario,
    ) -> Result<Self, CliError> {
        for name in agents {
            if scenario.find_instance(name).is_none() && named(scenario, name).is_empty() {
                return Err(unknown_agent(scenario, name));
            }
        }
        let shown = path.display().to_string();
        let (out, format) = if path == Path::new(STDOUT) {
            (Target::Stdout(io::stdout()), TraceFormat::Csv)
        } else {
            let Some(format) = TraceFormat::of(path) else {
                return Err(CliError::TraceFormat { path: shown });
            };
            let file = Replacement::begin(path).map_err(|source| write_error(&shown, source))?;
            (Target::File(file), format)
        };
        let (out, agents) = (BufWriter::new(out), agents.to_vec());
        let mut trace = Self { out, format, path: shown, agents };
        if format == TraceFormat::Csv {
            let header = [&COLUMNS[..], &MORE_COLUMNS].concat().join(",");
            trace.write(|out| writeln!(out, "{header}"))?;
        }
        Ok(trace)
    }

    /// Returns the traced agents that are present, in agent order. The names are looked up in each
    /// frame because commands can change the scenario.
    fn traced(&self, world: &World) -> Vec<AgentId> {
        if self.agents.is_empty() {
            return world.ids().collect();
        }
        let agents = self.agents.iter().flat_map(|name| match world.find(name) {
            Some(agent) => vec![agent],
            None => named(world.scenario(), name),
        });
        let agents: BTreeSet<AgentId> = agents.filter(|&id| world.is_present(id)).small_collect();
        agents.into_iter().collect()
    }

    /// Writes one row per traced agent for the current frame.
    pub(super) fn frame(&mut self, world: &World) -> Result<(), CliError> {
        let (frame, time) = (world.frame().to_string(), (world.time() + 0.0).to_string());
        let format = self.format;
        for id in self.traced(world) {
            let State { mode, x, y, vx, vy, heading, tile_x, tile_y, smoothed_heading, .. } =
                State::of(world, id);
            let unit = world.heading(id);
            let [name, mode] = [world.name(id).to_string(), mode].map(|text| match format {
                TraceFormat::Csv => csv_cell(text),
                TraceFormat::Ndjson => serde_json::Value::String(text).to_string(),
            });
            let row: [String; WIDTH] = [
                frame.clone(),
                time.clone(),
                name,
                mode,
                x.to_string(),
                y.to_string(),
                vx.to_string(),
                vy.to_string(),
                heading.to_string(),
                tile_x.to_string(),
                tile_y.to_string(),
                smoothed_heading.to_string(),
                (unit.x + 0.0).to_string(),
                (unit.y + 0.0).to_string(),
            ];
            self.write(|out| match format {
                TraceFormat::Csv => writeln!(out, "{}", row.join(",")),
                TraceFormat::Ndjson => write_json(out, &row),
            })?;
        }
        Ok(())
    }

    /// Completes the trace. Only now, it replaces an existing file.
    pub(super) fn finish(self) -> Result<(), CliError> {
        let finished = match self.out.into_inner() {
            Ok(Target::Stdout(mut out)) => out.flush(),
            Ok(Target::File(file)) => file.finish(),
            Err(error) => Err(error.into_error()),
        };
        finished.map_err(|source| write_error(&self.path, source))
    }

    fn write(
        &mut self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), CliError> {
        write(&mut self.out).map_err(|source| write_error(&self.path, source))
    }
}

/// Returns the agent or the members of the group called `name`. Returns an empty list for an
/// unknown name.
fn named(scenario: &Scenario, name: &str) -> Vec<AgentId> {
    match Scope::find(scenario, name) {
        Some(Named::Agent(agent)) => vec![agent],
        Some(Named::Group(group)) => scenario.members(group).to_vec(),
        Some(Named::Place(_) | Named::Instance(_)) | None => {
            scenario.find(name).into_iter().collect()
        }
    }
}

/// Returns a text as a cell of comma-separated values. Only agents of other programs have names that
/// need quotes.
fn csv_cell(text: String) -> String {
    if text.contains([',', '"']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

fn write_json(out: &mut dyn Write, row: &[String; WIDTH]) -> io::Result<()> {
    for (index, (column, value)) in COLUMNS.into_iter().chain(MORE_COLUMNS).zip(row).enumerate() {
        let before = if index == 0 { '{' } else { ',' };
        write!(out, "{before}\"{column}\":{value}")?;
    }
    out.write_all(b"}\n")
}

fn write_error(path: &str, source: io::Error) -> CliError {
    CliError::Write { what: path.to_owned(), source }
}
