//! The conflicts of plans of path planners.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;

use crate::files::traces::conflicts::{self, Conflict, ConflictKind, Conflicts};
use crate::files::traces::{Input, PathKind, plans};
use crate::files::{self, Options, import, show};
use crate::geom::TilePos;
use crate::scenario::Scenario;
use crate::scenario::run::RunTable;
use crate::words;

use super::super::CliError;
use super::super::output::{Output, complain, report_problems};
use super::CheckArgs;

/// Largest number of conflicts to print as text.
const MAX_PRINTED: usize = 20;

/// A plan with its conflicts.
pub(super) struct CheckedPlan {
    label: String,
    notation: plans::Notation,
    paths: PathKind,
    map: Option<String>,
    /// Width and height of the map.
    size: [i64; 2],
    table: RunTable,
    conflicts: Conflicts,
}

/// A plan in the JSON output.
#[derive(Debug, Serialize)]
struct PlanJson<'a> {
    plan: &'a str,
    notation: &'static str,
    paths: &'static str,
    map: Option<&'a str>,
    agents: usize,
    frames: u32,
    counts: CountsJson,
    cut: bool,
    conflicts: Vec<ConflictJson<'a>>,
}

#[derive(Debug, Serialize)]
struct CountsJson {
    start: usize,
    wall: usize,
    jump: usize,
    vertex: usize,
    edge: usize,
}

#[derive(Debug, Serialize)]
struct ConflictJson<'a> {
    kind: &'static str,
    frame: u32,
    tile: [i32; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    other: Option<[i32; 2]>,
    agents: Vec<&'a str>,
}

impl CheckedPlan {
    /// Reads a plan and its map, and finds the conflicts. Returns `None` after printing the errors
    /// of the map.
    pub fn open(path: &Path, args: &CheckArgs) -> Result<Option<Self>, CliError> {
        let input = if path == Path::new("-") {
            let input = Input::new("standard input".to_owned(), std::io::stdin());
            input.map_err(|error| files::ReadError::io(path, error))?
        } else {
            Input::open(path)?
        };
        let from = &args.runs.from;
        let plan = plans::open(input, &from.options())?;
        let (notation, mut starts) = (plan.notation, plan.starts);
        let map = plan.run.options.map.clone();
        let scenario = match &map {
            None => None,
            Some(map) => match scenario(map, args)? {
                None => return Ok(None),
                scenario => scenario,
            },
        };
        // A height keeps the tiles as they are in the plan.
        let height = scenario.as_ref().map_or(1, |scenario| scenario.map().height());
        let table = plan.run.on_map(Some(height))?;
        if let Some(scenario) = &scenario {
            add_starts(&mut starts, &table, scenario);
        }
        let walls = scenario.as_ref().map(|scenario| &**scenario.map());
        let conflicts = conflicts::find(&table, walls, &starts);
        Ok(Some(Self {
            label: table.label.clone(),
            notation,
            paths: from.plan_paths.unwrap_or(PathKind::Actual),
            map: map.as_deref().map(show::path),
            size: walls.map_or([0; 2], |map| [map.width().into(), map.height().into()]),
            table,
            conflicts,
        }))
    }

    pub fn has_conflicts(&self) -> bool {
        !self.conflicts.list.is_empty()
    }

    /// Prints the first conflicts and a summary.
    pub fn print(&self, out: &mut Output) -> Result<(), CliError> {
        let list = &self.conflicts.list;
        for conflict in list.iter().take(MAX_PRINTED) {
            out.line(format_args!("{}: {}", self.label, self.sentence(conflict)))?;
        }
        if list.len() > MAX_PRINTED {
            let more = words::count((list.len() - MAX_PRINTED) as u64, "more conflict");
            out.line(format_args!("{}: {more}; --json prints all", self.label))?;
        }
        if self.conflicts.is_cut {
            out.line(format_args!(
                "{}: too many conflicts: the rest of the plan is not checked",
                self.label
            ))?;
        }
        if self.map.is_none() {
            out.line(format_args!(
                "{}: walls are not checked: name the map with --map",
                self.label
            ))?;
        }
        out.line(self.summary())
    }

    fn summary(&self) -> String {
        let agents = words::count(self.table.agents.len() as u64, "agent");
        let frames = words::count(self.table.frames.into(), "frame");
        let found: Vec<_> = ConflictKind::ALL
            .into_iter()
            .map(|kind| (self.conflicts.count(kind) as u64, kind))
            .filter(|(count, _)| *count > 0)
            .map(|(count, kind)| counted(count, kind))
            .collect();
        let found = if found.is_empty() { "no conflicts".to_owned() } else { found.join(", ") };
        format!("{}: {agents}, {frames}: {found}", self.label)
    }

    fn sentence(&self, conflict: &Conflict) -> String {
        let tile = at(conflict.tile);
        let other = conflict.other.map(at).unwrap_or_default();
        let what = match conflict.kind {
            ConflictKind::Start => format!("starts at {tile} instead of {other}"),
            ConflictKind::Wall if self.is_outside(conflict.tile) => {
                format!("outside the map at {tile}")
            }
            ConflictKind::Wall => format!("on a wall at {tile}"),
            ConflictKind::Jump => format!("jumps from {other} to {tile}"),
            ConflictKind::Vertex => format!("vertex conflict at {tile}"),
            ConflictKind::Edge => format!("edge conflict between {tile} and {other}"),
        };
        let names: Vec<_> = self.names(conflict).collect();
        let noun = if names.len() == 1 { "agent" } else { "agents" };
        format!("frame {}: {noun} {}: {what}", conflict.frame, names.join(", "))
    }

    fn is_outside(&self, tile: TilePos) -> bool {
        let [width, height] = self.size;
        !(0..width).contains(&tile.x.into()) || !(0..height).contains(&tile.y.into())
    }

    fn names<'a>(&'a self, conflict: &'a Conflict) -> impl Iterator<Item = &'a str> {
        conflict.agents.iter().map(|agent| self.table.agents[*agent as usize].as_str())
    }

    fn conflict_json<'a>(&'a self, conflict: &'a Conflict) -> ConflictJson<'a> {
        ConflictJson {
            kind: conflict.kind.word(),
            frame: conflict.frame,
            tile: [conflict.tile.x, conflict.tile.y],
            other: conflict.other.map(|tile| [tile.x, tile.y]),
            agents: self.names(conflict).collect(),
        }
    }

    fn json(&self) -> PlanJson<'_> {
        let count = |kind| self.conflicts.count(kind);
        PlanJson {
            plan: &self.label,
            notation: self.notation.word(),
            paths: self.paths.word(),
            map: self.map.as_deref(),
            agents: self.table.agents.len(),
            frames: self.table.frames,
            counts: CountsJson {
                start: count(ConflictKind::Start),
                wall: count(ConflictKind::Wall),
                jump: count(ConflictKind::Jump),
                vertex: count(ConflictKind::Vertex),
                edge: count(ConflictKind::Edge),
            },
            cut: self.conflicts.is_cut,
            conflicts: self.conflicts.list.iter().map(|it| self.conflict_json(it)).collect(),
        }
    }
}

/// Prints plans as a JSON array.
pub(super) fn print_json(plans: &[CheckedPlan], out: &mut Output) -> Result<(), CliError> {
    out.json(&plans.iter().map(CheckedPlan::json).collect::<Vec<_>>())
}

/// Returns the paths of plans, and the other paths.
pub(super) fn separated(paths: &[PathBuf]) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let is_plan = |path: &PathBuf| path == Path::new("-") || plans::is_plan_file(path);
    paths.iter().cloned().partition(is_plan)
}

/// Loads a map. Returns `None` after printing its errors.
fn scenario(map: &Path, args: &CheckArgs) -> Result<Option<Arc<Scenario>>, CliError> {
    let loaded = import::open_any(map, &Options::default())?;
    report_problems(&loaded.report, args.color);
    if loaded.scenario.is_none() {
        complain(&format!("{} has errors: the plan is not checked", show::path(map)));
    }
    Ok(loaded.scenario)
}

/// Adds the starts of the map's agents to the starts that the plan does not name.
fn add_starts(starts: &mut Vec<Option<TilePos>>, table: &RunTable, scenario: &Scenario) {
    starts.resize(table.agents.len(), None);
    for (start, name) in starts.iter_mut().zip(&table.agents) {
        if start.is_none()
            && let Some(id) = scenario.find(name)
        {
            *start = Some(TilePos::containing(scenario.starts()[id.index()].position));
        }
    }
}

fn at(tile: TilePos) -> String {
    format!("({}, {})", tile.x, tile.y)
}

fn counted(count: u64, kind: ConflictKind) -> String {
    match kind {
        ConflictKind::Start => words::count(count, "wrong start"),
        ConflictKind::Wall => words::count_with(count, "position on walls", "positions on walls"),
        ConflictKind::Jump => words::count(count, "jump"),
        ConflictKind::Vertex => words::count(count, "vertex conflict"),
        ConflictKind::Edge => words::count(count, "edge conflict"),
    }
}
