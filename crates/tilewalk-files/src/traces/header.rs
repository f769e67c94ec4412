//! The options of a run: names of columns, units and selection.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::show;

use super::columns::Role;
use super::error::LineProblem;

/// How to read the run of another program. Options from the command line replace those of the
/// header line in the file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TraceOptions {
    /// Map on which the agents move.
    #[serde(skip)]
    pub map: Option<PathBuf>,
    /// Known columns, each with the name of the column in the file.
    pub columns: Vec<(String, String)>,
    /// Units of the file per tile.
    pub scale: Option<f64>,
    /// The point of the file that is the top left corner of the map, or the bottom left corner if y
    /// grows upwards.
    pub origin: Option<[f64; 2]>,
    /// Whether y grows upwards.
    pub y_up: Option<bool>,
    /// Frames per second.
    pub fps: Option<f64>,
    /// Corners of an area that the empty map contains if the run has no map, in tiles.
    #[serde(skip)]
    pub extent: Option<[[f32; 2]; 2]>,
    /// Agents of the map that are in the world besides those of the run.
    pub with: Vec<String>,
    /// First frame to read, counted from 0.
    pub rows_from: Option<u64>,
    /// Last frame to read, counted from 0.
    pub rows_to: Option<u64>,
    /// The only agents to read. Empty for all agents.
    pub rows_of: Vec<String>,
    /// The paths to read from a plan that has those of the planner and those that were executed.
    /// `None` reads the executed paths.
    pub paths: Option<PathKind>,
}

/// Paths of a plan of the League of Robot Runners.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum PathKind {
    /// The tiles that the planner wanted the agents to enter.
    Planner,
    /// The tiles on which the agents were.
    Actual,
}

impl PathKind {
    /// The words of `--paths`.
    pub const WORDS: [(&'static str, Self); 2] =
        [("planner", Self::Planner), ("actual", Self::Actual)];

    /// Returns the word of `--paths`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Planner => "planner",
            Self::Actual => "actual",
        }
    }

    /// Parses a word of `--paths`.
    ///
    /// # Errors
    /// Returns an error for any other word.
    pub fn parse(text: &str) -> Result<Self, String> {
        let found = Self::WORDS.iter().find(|(word, _)| *word == text);
        found.map(|(_, kind)| *kind).ok_or_else(|| "expected planner or actual".to_owned())
    }
}

/// The unit of a heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Angle {
    #[default]
    Degrees,
    Radians,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Upward {
    Up,
    Down,
}

/// The header line of a run: a JSON object.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Header {
    map: Option<PathBuf>,
    tick: Option<f64>,
    fps: Option<f64>,
    scale: Option<f64>,
    origin: Option<[f64; 2]>,
    y: Option<Upward>,
    pub heading: Option<Angle>,
    #[serde(default)]
    pub sparse: bool,
    /// Whether positions are tiles. `None` if all coordinates decide.
    pub cells: Option<bool>,
    /// Whether the line ends a frame, so that a program that follows the file shows the frame at
    /// once.
    #[serde(default)]
    pub end: bool,
    #[serde(default)]
    columns: std::collections::BTreeMap<String, String>,
}

/// The object that contains a header in a line of JSON.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HeaderLine {
    tilewalk: Header,
}

impl Header {
    /// Reads a header line: `{"tilewalk": {…}}`, in CSV after `#`. Returns `None` for any other
    /// line.
    pub fn read(line: &str) -> Option<Result<Self, LineProblem>> {
        let text = line.strip_prefix('#').unwrap_or(line);
        let skipped = line.len() - text.len();
        let inner = text.trim_start().strip_prefix('{')?.trim_start();
        inner.strip_prefix("\"tilewalk\"")?;
        let read = serde_json::from_str::<HeaderLine>(text)
            .map_err(|error| LineProblem::new(error.column() + skipped, show::json_reason(&error)));
        Some(read.map(|line| line.tilewalk).and_then(Self::checked))
    }

    fn checked(self) -> Result<Self, LineProblem> {
        let numbers = [self.tick, self.fps, self.scale].into_iter().flatten();
        if numbers.into_iter().any(|number| !(number.is_finite() && number > 0.0)) {
            return Err(LineProblem::new(1, "`tick`, `fps` and `scale` must be above 0"));
        }
        if let Some(role) = self.columns.keys().find(|role| Role::named(role).is_none()) {
            return Err(LineProblem::new(1, unknown_role(role)));
        }
        Ok(self)
    }
}

fn unknown_role(role: &str) -> String {
    let known: Vec<_> = Role::WORDS.iter().map(|(word, _)| *word).collect();
    format!("unknown column `{}`; known columns: {}", show::text(role), known.join(", "))
}

impl TraceOptions {
    /// Adds the values of a header that no option replaces.
    /// The path of the map in the header is relative to `folder`, the directory of the file.
    pub(super) fn complete(&mut self, header: &Header, folder: Option<&Path>) {
        let folder = folder.unwrap_or(Path::new(""));
        self.map = self.map.take().or_else(|| Some(folder.join(header.map.as_ref()?)));
        self.scale = self.scale.or(header.scale);
        self.origin = self.origin.or(header.origin);
        self.y_up = self.y_up.or_else(|| header.y.map(|y| y == Upward::Up));
        self.fps = self.fps.or(header.fps).or_else(|| header.tick.map(|tick| 1.0 / tick));
        for (role, name) in &header.columns {
            if !self.columns.iter().any(|(known, _)| known == role) {
                self.columns.push((role.clone(), name.clone()));
            }
        }
    }
}

/// Parses an entry of `--columns`, such as `x=pos.x`.
///
/// # Errors
/// Returns an error if the text has no `=` or names an unknown column.
pub fn parse_column(text: &str) -> Result<(String, String), String> {
    let Some((role, name)) = text.split_once('=') else {
        return Err(format!("expected NAME=COLUMN, such as x=pos.x, not `{}`", show::text(text)));
    };
    if Role::named(role).is_none() {
        return Err(unknown_role(role));
    }
    if name.is_empty() {
        return Err(format!("missing column after `{role}=`"));
    }
    Ok((role.to_owned(), name.to_owned()))
}

/// Parses a point of `--origin`, such as `0,600`.
///
/// # Errors
/// Returns an error if the text is not two numbers.
pub fn parse_point(text: &str) -> Result<[f64; 2], String> {
    let number = |text: &str| text.trim().parse().ok().filter(|number: &f64| number.is_finite());
    let point = text.split_once(',').and_then(|(x, y)| Some([number(x)?, number(y)?]));
    point.ok_or_else(|| format!("expected X,Y, such as 0,600, not `{}`", show::text(text)))
}
