//! Reads MovingAI scenarios (`.scen` files): routes to plan on a map, with their optimal lengths.
//!
//! ```text
//! version 1
//! 0  maps/dao/arena.map  49  49  1  11  1  12  1
//! ```
//!
//! A line has these fields: bucket, map, width and height of the map, start (x, y), goal (x, y),
//! and optimal length.

use std::ops::{Range, RangeInclusive};
use std::path::{Path, PathBuf};

use crate::show;
use crate::text::diagnostic::{Diagnostic, Issues};
use crate::text::report::{Report, read_source};
use crate::text::source::{self, ReadError};
use tilewalk_sim::geom::TilePos;
use tilewalk_sim::map::Map;

/// File name extension of scenarios.
pub const ENDING: &str = "scen";

/// Advice for lines that can't be read.
const FIELDS: &str = "write in each line: bucket, map, width, height, start x, start y, goal x, goal y, \
                      optimal length";

/// Maximum number of decimals for computing the rounding error.
const MOST_DECIMALS: usize = 17;

/// A route to plan between two tiles of a map.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Query {
    /// Number of the query in its file, from 1.
    pub number: usize,
    /// Line in the file, from 1.
    pub line: usize,
    /// Tile where the route starts.
    pub from: TilePos,
    /// Tile where the route ends.
    pub to: TilePos,
    /// Length of the shortest route, in tiles. If the start and the goal differ, 0 means that the
    /// goal can't be reached.
    pub length: f64,
}

/// The queries of a file. All queries are on the same map.
#[derive(Debug, Clone, PartialEq)]
pub struct Queries {
    /// Name of the map, as written in the file.
    pub map: String,
    /// Width and height of the map, in tiles.
    pub size: (u32, u32),
    /// The queries, in the order of the file.
    pub list: Vec<Query>,
    /// Largest rounding error of the lengths, in tiles. The error is half a unit of the last
    /// decimal of the length with the most decimals. 0 if no length has decimals.
    pub rounding: f64,
}

impl Queries {
    /// Returns the file name of the map, without directories.
    pub fn map_name(&self) -> &str {
        self.map.rsplit(['/', '\\']).next().unwrap_or_default()
    }

    /// Returns the path of the map. `map` is a map file or a directory of maps. Without `map`, the
    /// map is beside the scenario.
    pub fn map_near(&self, scenario: &Path, map: Option<&Path>) -> PathBuf {
        match map {
            Some(map) if map.is_dir() => map.join(self.map_name()),
            Some(map) => map.to_owned(),
            None => scenario.with_file_name(self.map_name()),
        }
    }

    /// Returns the reason why the queries do not fit a map: the map has another size. Returns
    /// `None` if the sizes are equal.
    pub fn misfit(&self, map: &Map) -> Option<String> {
        let (width, height) = self.size;
        let same = (map.width(), map.height()) == self.size;
        (!same).then(|| {
            format!(
                "the scenario is for a map of {width} × {height} tiles, but the map has {} × {}",
                map.width(),
                map.height()
            )
        })
    }

    /// Returns the relative error of the length of a planned route. `planned` is this length in
    /// tiles, or `None` if the planner found no route.
    ///
    /// Differences up to the rounding error of the file count as 0. The error is infinite if only
    /// the file or only the planner has a route.
    pub fn error(&self, query: &Query, planned: Option<f64>) -> f64 {
        let has_route = query.length > 0.0 || query.from == query.to;
        let difference = planned.map(|planned| (planned - query.length).abs());
        match difference {
            Some(difference) if has_route && difference <= self.rounding => 0.0,
            Some(difference) if has_route => difference / query.length,
            None if !has_route => 0.0,
            Some(_) | None => f64::INFINITY,
        }
    }

    /// Keeps only the queries whose numbers are in the range. Numbers start at 1.
    pub fn select(&mut self, numbers: &RangeInclusive<usize>) {
        self.list.retain(|query| numbers.contains(&query.number));
    }
}

/// Reads a scenario from disk. The queries are `None` if the file has errors.
///
/// # Errors
/// Returns an error if the file can't be read. Problems in the file are in the report.
pub fn read(path: &Path) -> Result<(Option<Queries>, Report), ReadError> {
    let (source, problems) = source::read(path, show::path(path))?;
    let mut report = Report::default();
    let queries = read_source(&mut report, source, problems, parse);
    Ok((queries, report))
}

/// Parses a range of query numbers: `12`, `1..50` or `51..`. Both ends are included.
///
/// # Errors
/// Returns an error if the text is not such a range, or if a number is below 1.
pub fn numbers(text: &str) -> Result<RangeInclusive<usize>, String> {
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let last = last.strip_prefix('=').unwrap_or(last);
    let first = first.parse::<usize>().ok();
    let last = if last.is_empty() { Some(usize::MAX) } else { last.parse().ok() };
    match (first, last) {
        (Some(first), Some(last)) if (1..=last).contains(&first) => Ok(first..=last),
        _ => Err("use numbers from 1, as in `12`, `1..50` or `51..`".to_owned()),
    }
}

pub(crate) fn parse(issues: &Issues) -> Option<Queries> {
    let mut queries: Option<Queries> = None;
    let mut at = 0;
    for (index, line) in issues.text().split_inclusive('\n').enumerate() {
        let text = line.trim_end();
        let span = at..at + text.len();
        at += line.len();
        if index == 0 {
            let words: Vec<_> = text.split_whitespace().collect();
            if !matches!(words.as_slice(), ["version", "1" | "1.0"]) {
                let problem = Diagnostic::error(span, "a scenario must begin with `version 1`");
                issues.push(problem.help("other versions are not supported"));
                return None;
            }
        } else if !text.trim().is_empty() {
            read_line(text, index + 1, span, &mut queries, issues);
        }
        if issues.is_full() {
            break;
        }
    }
    if queries.is_none() && issues.is_sound() {
        let problem = Diagnostic::error(0..0, "the scenario has no queries");
        issues.push(problem.help(FIELDS));
    }
    queries.filter(|_| issues.is_sound())
}

/// Reads one line as a query, and adds the query to `queries`. Reports an invalid line.
fn read_line(
    text: &str,
    line: usize,
    span: Range<usize>,
    queries: &mut Option<Queries>,
    issues: &Issues,
) {
    let is_gap = |c: char| if text.contains('\t') { c == '\t' } else { c.is_whitespace() };
    let fields: Vec<_> = text.split(is_gap).map(str::trim).filter(|it| !it.is_empty()).collect();
    let [_, map, width, height, from_x, from_y, to_x, to_y, length] = fields.as_slice() else {
        let message = format!("expected 9 fields, found {}", fields.len());
        issues.push(Diagnostic::error(span, message).help(FIELDS));
        return;
    };
    let side = |text: &str| text.parse().ok().filter(|side| (1..=Map::MAX_SIDE).contains(side));
    let (Some(width), Some(height)) = (side(width), side(height)) else {
        let most = Map::MAX_SIDE;
        let message = format!("width and height must be between 1 and {most} tiles");
        issues.push(Diagnostic::error(span, message).help(FIELDS));
        return;
    };
    let tile = |x: &str, y: &str| {
        let (x, y) = (x.parse::<u32>().ok()?, y.parse::<u32>().ok()?);
        (x < width && y < height).then(|| TilePos::new(x as i32, y as i32))
    };
    let (Some(from), Some(to)) = (tile(from_x, from_y), tile(to_x, to_y)) else {
        let problem = Diagnostic::error(span, "start and goal must be tiles of the map");
        issues.push(problem.help(FIELDS));
        return;
    };
    let decimals = length.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let is_length = |length: &f64| length.is_finite() && *length >= 0.0;
    let Some(length) = length.parse().ok().filter(is_length) else {
        let problem = Diagnostic::error(span, "the optimal length must be a number from 0");
        issues.push(problem.help(FIELDS));
        return;
    };
    let all = queries.get_or_insert_with(|| Queries {
        map: (*map).to_owned(),
        size: (width, height),
        list: Vec::new(),
        rounding: 0.0,
    });
    if all.map != *map || all.size != (width, height) {
        let problem = Diagnostic::error(span, "the query is on another map than the first query");
        issues.push(problem.help("split the scenario into one file per map"));
        return;
    }
    if decimals > 0 {
        let rounding = (0..decimals.min(MOST_DECIMALS)).fold(0.5, |half, _| half / 10.0);
        all.rounding = if all.rounding == 0.0 { rounding } else { all.rounding.min(rounding) };
    }
    let number = all.list.len() + 1;
    all.list.push(Query { number, line, from, to, length });
}
