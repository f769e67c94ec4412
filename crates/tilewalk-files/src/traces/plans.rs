//! Reads the plans of path planners, in which several agents move from tile to tile.
//!
//! [`Notation::of`] recognises a plan by its content. `read` converts it to a run, with an agent
//! for each number of the plan and a frame for each step. Besides the motion, the run has these
//! values:
//!
//! | value | meaning |
//! |---|---|
//! | `wants.x`, `wants.y` | the tile that the agent enters next |
//! | `goal.x`, `goal.y` | the tile to which the agent has to go, if the plan names it |
//! | `task` | the number of the agent's task, if it has one |
//! | `from.x`, `from.y` | with the paths of the planner: the tile on which the agent really was one step earlier |

mod agents;
mod plan;
mod robots;
mod robots_json;
mod steps;

use std::path::Path;

use tilewalk_sim::geom::TilePos;

use crate::show;
use crate::text::source::ReadError;

use super::error::{LineProblem, RunError};
use super::header::{PathKind, TraceOptions};
use super::lines::{Input, LineError, Lines};
use super::table::RunFile;

use plan::Plan;

/// Largest number of positions in a plan: agents × frames.
const MAX_POSITIONS: u64 = 40_000_000;

/// Largest absolute value of a coordinate.
const MAX_COORDINATE: i32 = 1_000_000;

/// Name of the group of all agents of a plan.
pub const GROUP: &str = "robots";

/// A notation of plans.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notation {
    /// A line for each step: `0:(5,16),(21,29),`. A position can have a heading,
    /// `(5,16,X_PLUS)`, or a target and a task, `(5,16)->(9,3):12`.
    Steps,
    /// A line for each agent, with the row before the column: `Agent 0: (8,22)->(9,22)->`.
    Agents,
    /// The JSON of the League of Robot Runners.
    Robots,
}

impl Notation {
    /// Returns the notation of a file that begins with `head`. Returns `None` if it is not a plan.
    pub fn of(head: &[u8]) -> Option<Self> {
        let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
        let valid = match std::str::from_utf8(head) {
            Ok(text) => text,
            // The head can end within a character.
            Err(error) => std::str::from_utf8(&head[..error.valid_up_to()]).unwrap_or_default(),
        };
        if valid.trim_start().starts_with('{') {
            return robots_json::is_plan(valid).then_some(Self::Robots);
        }
        let mut is_log = false;
        for line in valid.lines() {
            let line = line.trim();
            if line.is_empty() {
                continue;
            }
            if steps::is_step(line) {
                return Some(Self::Steps);
            }
            if agents::is_path(line) {
                return Some(Self::Agents);
            }
            if !steps::is_header(line) {
                return None;
            }
            is_log |= ["starts=(", "solution=", "map_file="].iter().any(|it| line.starts_with(it));
        }
        is_log.then_some(Self::Steps)
    }

    /// Returns the name of the notation for output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Steps => "steps",
            Self::Agents => "agents",
            Self::Robots => "robots",
        }
    }
}

/// Returns true if a file contains a plan. Returns false if it can't be read, and for file names
/// that show another content.
pub fn is_plan_file(path: &Path) -> bool {
    let other = ["toml", "twr", "tmx", "tmj", "tsx", "tsj", "ldtk", "map", "scen", "csv", "md"];
    let ending = path.extension().and_then(|ending| ending.to_str());
    if ending.is_some_and(|ending| other.contains(&ending)) || path == Path::new("-") {
        return false;
    }
    let head = Input::open(path).ok().and_then(|mut input| input.head().ok());
    head.is_some_and(|head| Notation::of(&head).is_some())
}

/// A plan that was read.
#[derive(Debug)]
pub struct PlanFile {
    /// The run of the plan.
    pub run: RunFile,
    /// Notation of the file.
    pub notation: Notation,
    /// The tiles at which the agents have to start, if the file names them apart from the paths.
    pub starts: Vec<Option<TilePos>>,
    /// Whether the file has the paths of the planner apart from the executed paths.
    pub has_planner: bool,
}

/// Opens a plan.
///
/// # Errors
/// Returns an error if the input can't be read, or if it is not a valid plan.
pub fn open(mut input: Input, options: &TraceOptions) -> Result<PlanFile, RunError> {
    let label = input.label.clone();
    let head = input.head().map_err(|error| ReadError::Io { label: label.clone(), error })?;
    let Some(notation) = Notation::of(&head) else {
        return Err(RunError::File { label, what: "not a plan of a path planner".to_owned() });
    };
    read(input, notation, options)
}

/// Reads a plan.
///
/// # Errors
/// Returns an error if the input can't be read, or if the plan is invalid.
pub(super) fn read(
    input: Input,
    notation: Notation,
    options: &TraceOptions,
) -> Result<PlanFile, RunError> {
    let label = input.label.clone();
    let refused = |what: &str| Err(RunError::File { label: label.clone(), what: what.to_owned() });
    let has_units = options.scale.is_some() || options.origin.is_some() || options.y_up.is_some();
    if has_units || !options.columns.is_empty() {
        return refused("plans have tiles: --columns, --scale, --origin and --y can't be used");
    }
    let folder = input.folder.clone();
    let read = match notation {
        Notation::Steps => by_lines(input, steps::read)?,
        Notation::Agents => by_lines(input, agents::read)?,
        Notation::Robots => robots::read(input)?,
    };
    let (plan, content) = read;
    if options.paths == Some(PathKind::Planner) && plan.planned.is_none() {
        return refused("the file has no paths of a planner apart from the executed paths");
    }
    let mut options = options.clone();
    if options.map.is_none() {
        let beside = |name: &String| folder.as_ref().map(|folder| folder.join(name));
        options.map = plan.map.as_ref().and_then(beside).filter(|map| map.is_file());
    }
    let starts = plan.starts.iter().map(|start| start.map(|[x, y]| TilePos::new(x, y))).collect();
    let has_planner = plan.planned.is_some();
    let table = plan.into_table(label.clone(), content, &options)?;
    let run = RunFile::on_tiles(table, options)?;
    Ok(PlanFile { run, notation, starts, has_planner })
}

/// A plan, and the size and hash of its file.
type WithContent = (Plan, (u64, u64));

/// Reads a plan line by line.
fn by_lines(
    input: Input,
    read: fn(&mut Lines) -> Result<Plan, LineError>,
) -> Result<WithContent, RunError> {
    let mut lines = input.lines();
    let plan = read(&mut lines).map_err(|error| lines.error(error))?;
    Ok((plan, lines.content()))
}

/// A place in a line of a plan.
struct Cursor<'a> {
    line: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    fn new(line: &'a str) -> Self {
        Self { line, at: 0 }
    }

    fn rest(&self) -> &'a str {
        &self.line[self.at..]
    }

    fn skip_space(&mut self) {
        self.at = self.line.len() - self.rest().trim_start().len();
    }

    fn is_at_end(&mut self) -> bool {
        self.skip_space();
        self.rest().is_empty()
    }

    /// Skips a text with the whitespace before it. Returns false if something else follows.
    fn skip(&mut self, text: &str) -> bool {
        self.skip_space();
        let found = self.rest().starts_with(text);
        if found {
            self.at += text.len();
        }
        found
    }

    /// Skips a text that must follow.
    fn expect(&mut self, text: &str) -> Result<(), LineProblem> {
        if self.skip(text) { Ok(()) } else { Err(self.problem(&format!("expected `{text}`"))) }
    }

    /// Returns a problem at the current place.
    fn problem(&self, expected: &str) -> LineProblem {
        let found: String = self.rest().chars().take(12).collect();
        let found = if found.is_empty() {
            "the end of the line".to_owned()
        } else {
            format!("`{}`", show::text(&found))
        };
        self.wrong(format!("{expected}, found {found}"))
    }

    /// Returns a problem at the current place, without the text that follows.
    fn wrong(&self, what: String) -> LineProblem {
        LineProblem::new(self.line[..self.at].chars().count() + 1, what)
    }

    /// Reads a whole number.
    fn number(&mut self) -> Result<i64, LineProblem> {
        self.skip_space();
        let rest = self.rest();
        let digits = rest.strip_prefix('-').unwrap_or(rest);
        let length = digits.bytes().take_while(u8::is_ascii_digit).count();
        let length = if length == 0 { 0 } else { length + rest.len() - digits.len() };
        let number = rest[..length].parse().map_err(|_| self.problem("expected a number"))?;
        self.at += length;
        Ok(number)
    }

    /// Reads a coordinate of a tile.
    fn coordinate(&mut self) -> Result<i32, LineProblem> {
        self.skip_space();
        let start = self.at;
        let number = self.number()?;
        let fits = |number: &i32| number.abs() <= MAX_COORDINATE;
        let coordinate = i32::try_from(number).ok().filter(fits);
        coordinate.ok_or_else(|| {
            self.at = start;
            self.wrong(format!("the coordinate {number} is beyond ±{MAX_COORDINATE}"))
        })
    }

    /// Reads a pair such as `(5,16)`.
    fn pair(&mut self) -> Result<[i32; 2], LineProblem> {
        self.expect("(")?;
        let first = self.coordinate()?;
        self.expect(",")?;
        let second = self.coordinate()?;
        self.expect(")")?;
        Ok([first, second])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_content_shows_the_notation() {
        for (text, notation) in [
            ("0:(5,16),(21,29),\n", Some(Notation::Steps)),
            ("\u{FEFF}0: (5,16)\n", Some(Notation::Steps)),
            ("agents=2\nstarts=(1,2),(3,4),\nsolution=\n0:(1,2)", Some(Notation::Steps)),
            ("agents=2\nstarts=(1,2),(3", Some(Notation::Steps)),
            ("0:(1,2)->(3,4):-1,", Some(Notation::Steps)),
            ("Agent 0: (8,22)->(9,22)->\n", Some(Notation::Agents)),
            ("{\n \"actionModel\": \"MAPF\"", Some(Notation::Robots)),
            ("{\"start\": [[1,2,\"E\"]], \"actualPaths\": [", Some(Notation::Robots)),
            ("{\"layers\": [], \"tiledversion\": \"1.10\"", None),
            ("{\"frame\":0,\"agent\":\"a\",\"x\":1,\"y\":2}\n", None),
            ("frame,agent,x,y\n0,a,1,2\n", None),
            ("#####\n#..@#\n#####\n", None),
            ("title = \"a map\"\n", None),
            ("", None),
        ] {
            assert_eq!(Notation::of(text.as_bytes()), notation, "{text}");
        }
    }
}
