//! Plans with a line for each step, as several planners and mapf-visualizer write them.
//!
//! ```text
//! map_file=arena.map
//! starts=(5,16),(21,29),
//! goals=(6,16),(21,28),
//! solution=
//! 0:(5,16),(21,29),
//! 1:(6,16),(21,28),
//! ```
//!
//! The lines above the steps can be missing. A position is `(column,row)` or `(column,row,HEADING)`.
//! Plans of pickups and deliveries add the target and the number of the task, or -1 for none:
//! `(5,16)->(9,3):12`.

use tilewalk_sim::scenario::limits::MAX_AGENTS;

use crate::show;

use super::super::error::LineProblem;
use super::super::lines::{LineError, Lines};
use super::plan::{Duty, Plan, Pose, size_problem};
use super::{Cursor, MAX_POSITIONS};

/// The headings of mapf-visualizer, in quarter turns clockwise from the right. Y grows downwards.
const HEADINGS: [(&str, Option<i32>); 5] = [
    ("X_PLUS", Some(0)),
    ("Y_PLUS", Some(1)),
    ("X_MINUS", Some(2)),
    ("Y_MINUS", Some(3)),
    ("NONE", None),
];

/// Returns true if a line is a step, such as `0:(5,16),`.
pub(super) fn is_step(line: &str) -> bool {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = line[digits..].trim_start();
    digits > 0 && rest.strip_prefix(':').is_some_and(|rest| rest.trim_start().starts_with('('))
}

/// Returns true if a line can be above the steps: `name=value`, a measured time without `=`, or the
/// description of a task.
pub(super) fn is_header(line: &str) -> bool {
    let name = |text: &str| {
        !text.is_empty() && text.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_')
    };
    let is_task = line.split_once(':').is_some_and(|(number, rest)| {
        number.parse::<u32>().is_ok() && rest.contains("->") && rest.contains("appear=")
    });
    let key = line.split_once('=').map(|(key, _)| key);
    is_task || key.is_some_and(name) || line.starts_with("preprocessing_comp_time")
}

/// The entries of a step.
struct Entry {
    pose: Pose,
    duty: Option<([i32; 2], i64)>,
}

/// Reads a plan.
pub(super) fn read(lines: &mut Lines) -> Result<Plan, LineError> {
    let mut above = Above::default();
    let mut agents = None;
    // The poses of a step follow those of the step before.
    let mut poses: Vec<Pose> = Vec::new();
    let mut duties: Vec<Vec<Duty>> = Vec::new();
    let mut step = 0_u32;
    while let Some(line) = lines.next()? {
        if !is_step(line) {
            if step > 0 || !is_header(line) {
                let what =
                    format!("expected `{step}:(x,y),`, found `{}`", show::text(&short(line)));
                return Err(LineError::Wrong(LineProblem::new(1, what)));
            }
            above.read(line).map_err(LineError::Wrong)?;
            continue;
        }
        let mut cursor = Cursor::new(line);
        let number = cursor.number().map_err(LineError::Wrong)?;
        if number != i64::from(step) {
            let what = format!("expected step {step}, found step {number}");
            return Err(LineError::Wrong(LineProblem::new(1, what)));
        }
        let before = poses.len();
        let first = step == 0;
        let read = entries(&mut cursor, |agent, entry| {
            poses.push(entry.pose);
            if first {
                duties.push(Vec::new());
            }
            let Some(list) = duties.get_mut(agent) else { return };
            if let Some((goal, task)) = entry.duty {
                let duty = Duty {
                    frame: step,
                    goal: Some(goal),
                    task: Some(task).filter(|task| *task >= 0),
                };
                let last = list.last();
                if last.is_none_or(|last| (last.goal, last.task) != (duty.goal, duty.task)) {
                    list.push(duty);
                }
            }
        });
        read.map_err(LineError::Wrong)?;
        let count = poses.len() - before;
        let expected = *agents.get_or_insert(count);
        if count != expected || count == 0 {
            let what = format!("step {step} has {count} positions, and step 0 has {expected}");
            return Err(LineError::Wrong(cursor.wrong(what)));
        }
        step += 1;
        if let Some(what) = size_problem(expected, step as usize) {
            return Err(LineError::Wrong(LineProblem::new(1, what)));
        }
    }
    let agents = agents.unwrap_or(0);
    if agents == 0 {
        return Err(LineError::Wrong(LineProblem::new(1, "the plan has no steps")));
    }
    above.check(agents).map_err(LineError::Wrong)?;
    let frames = step as usize;
    let by_agent =
        (0..agents * frames).map(|index| poses[index % frames * agents + index / frames]);
    let mut plan = Plan::of_tiles(agents, by_agent.collect());
    let goal = |goal: &[i32; 2]| vec![Duty { frame: 0, goal: Some(*goal), task: None }];
    plan.duties = if duties.iter().any(|list| !list.is_empty()) {
        duties
    } else {
        above.goals.iter().map(goal).collect()
    };
    plan.starts = above.starts.into_iter().map(Some).collect();
    plan.map = above.map;
    Ok(plan)
}

fn short(line: &str) -> String {
    line.chars().take(24).collect()
}

/// The values above the steps.
#[derive(Default)]
struct Above {
    starts: Vec<[i32; 2]>,
    goals: Vec<[i32; 2]>,
    map: Option<String>,
}

impl Above {
    fn read(&mut self, line: &str) -> Result<(), LineProblem> {
        let Some((key, value)) = line.split_once('=') else { return Ok(()) };
        let list = match key {
            "map_file" => {
                // A name without its folder: the map must lie beside the plan.
                let name = value.trim().rsplit(['/', '\\']).next().unwrap_or_default();
                self.map = Some(name.to_owned()).filter(|name| !name.is_empty() && name != "..");
                return Ok(());
            }
            "starts" => &mut self.starts,
            "goals" => &mut self.goals,
            _ => return Ok(()),
        };
        let mut cursor = Cursor::new(line);
        cursor.at = key.len() + 1;
        while !cursor.is_at_end() {
            list.push(cursor.pair()?);
            if list.len() > MAX_AGENTS as usize {
                return Err(cursor.wrong(format!("more than {MAX_AGENTS} agents")));
            }
            if !cursor.skip(",") && !cursor.is_at_end() {
                return Err(cursor.problem("expected `,`"));
            }
        }
        Ok(())
    }

    fn check(&self, agents: usize) -> Result<(), LineProblem> {
        for (name, list) in [("starts", &self.starts), ("goals", &self.goals)] {
            if !list.is_empty() && list.len() != agents {
                let what =
                    format!("`{name}` has {} positions, and the steps have {agents}", list.len());
                return Err(LineProblem::new(1, what));
            }
        }
        Ok(())
    }
}

/// Reads the entries after the number of a step.
fn entries(cursor: &mut Cursor, mut add: impl FnMut(usize, Entry)) -> Result<(), LineProblem> {
    cursor.expect(":")?;
    let mut agent = 0;
    while !cursor.is_at_end() {
        add(agent, entry(cursor)?);
        agent += 1;
        if agent as u64 > MAX_POSITIONS {
            return Err(cursor.wrong(format!("more than {MAX_POSITIONS} positions")));
        }
        if !cursor.skip(",") && !cursor.is_at_end() {
            return Err(cursor.problem("expected `,`"));
        }
    }
    Ok(())
}

fn entry(cursor: &mut Cursor) -> Result<Entry, LineProblem> {
    cursor.expect("(")?;
    let x = cursor.coordinate()?;
    cursor.expect(",")?;
    let y = cursor.coordinate()?;
    let mut pose = Pose::on_tile([x, y]);
    if cursor.skip(",") {
        cursor.skip_space();
        let rest = cursor.rest();
        let word = rest.find([')', ',']).map_or(rest, |end| &rest[..end]).trim_end();
        let found = HEADINGS.iter().find(|(known, _)| *known == word);
        let Some(&(_, turn)) = found else {
            let known: Vec<_> = HEADINGS.iter().map(|(known, _)| *known).collect();
            let what = format!(
                "unknown heading `{}`; known headings: {}",
                show::text(&short(word)),
                known.join(", ")
            );
            return Err(cursor.wrong(what));
        };
        pose.turn = turn;
        cursor.at += word.len();
    }
    cursor.expect(")")?;
    let duty = if cursor.skip("->") {
        let goal = cursor.pair()?;
        cursor.expect(":")?;
        Some((goal, cursor.number()?))
    } else {
        None
    };
    Ok(Entry { pose, duty })
}
