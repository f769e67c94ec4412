//! Plans with a line for each agent, as the planners of CBS write them. The row comes before the
//! column:
//!
//! ```text
//! Agent 0: (8,22)->(9,22)->
//! Agent 1: (3,4)->(3,5)->(3,6)->
//! ```
//!
//! An agent whose path ends earlier than others stays at its last tile.

use crate::show;

use super::super::error::LineProblem;
use super::super::lines::{LineError, Lines};
use super::Cursor;
use super::plan::{Duty, Plan, Pose, size_problem};

/// Returns true if a line is the path of an agent, such as `Agent 0: (8,22)->`.
pub(super) fn is_path(line: &str) -> bool {
    let Some(rest) = line.strip_prefix("Agent ") else { return false };
    let rest = rest.trim_start();
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let rest = rest[digits..].trim_start();
    digits > 0 && rest.strip_prefix(':').is_some_and(|rest| rest.trim_start().starts_with('('))
}

/// Reads a plan.
pub(super) fn read(lines: &mut Lines) -> Result<Plan, LineError> {
    let mut paths: Vec<Vec<[i32; 2]>> = Vec::new();
    let (mut longest, mut total) = (0, 0);
    while let Some(line) = lines.next()? {
        let mut cursor = Cursor::new(line);
        let path = path(&mut cursor, paths.len()).map_err(LineError::Wrong)?;
        longest = path.len().max(longest);
        total += path.len();
        paths.push(path);
        let problem = size_problem(paths.len(), longest).or_else(|| size_problem(1, total));
        if let Some(what) = problem {
            return Err(LineError::Wrong(LineProblem::new(1, what)));
        }
    }
    let mut poses = Vec::with_capacity(paths.len() * longest);
    for path in &paths {
        let last = path[path.len() - 1];
        let stays = core::iter::repeat_n(&last, longest - path.len());
        poses.extend(path.iter().chain(stays).map(|tile| Pose::on_tile(*tile)));
    }
    let mut plan = Plan::of_tiles(paths.len(), poses);
    let goal = |path: &Vec<[i32; 2]>| vec![Duty { goal: path.last().copied(), ..Duty::default() }];
    plan.duties = paths.iter().map(goal).collect();
    Ok(plan)
}

/// Reads the path of an agent. `number` is the expected number of the agent.
fn path(cursor: &mut Cursor, number: usize) -> Result<Vec<[i32; 2]>, LineProblem> {
    if !is_path(cursor.line) {
        let found: String = cursor.line.chars().take(24).collect();
        let what =
            format!("expected `Agent {number}: (row,column)->`, found `{}`", show::text(&found));
        return Err(LineProblem::new(1, what));
    }
    cursor.expect("Agent")?;
    cursor.skip_space();
    let found = cursor.number()?;
    if usize::try_from(found) != Ok(number) {
        let what = format!("expected agent {number}, found agent {found}");
        return Err(LineProblem::new(1, what));
    }
    cursor.expect(":")?;
    let mut path = Vec::new();
    loop {
        let [row, column] = cursor.pair()?;
        path.push([column, row]);
        let goes_on = cursor.skip("->");
        if cursor.is_at_end() {
            return Ok(path);
        }
        if !goes_on {
            return Err(cursor.problem("expected `->`"));
        }
    }
}
