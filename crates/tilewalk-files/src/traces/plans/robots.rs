//! Plans of the League of Robot Runners.

use std::collections::BTreeMap;

use tilewalk_sim::sort::{SmallCollect, SmallSort};
use xxhash_rust::xxh3::xxh3_64;

use crate::show;
use crate::text::source::ReadError;

use super::super::error::RunError;
use super::super::lines::Input;
use super::WithContent;
use super::plan::{Duty, Plan, Pose, size_problem};
use super::robots_json::{EventEntry, File, Model, Moves, Start};

/// Largest size of a file, in bytes.
const MAX_SIZE: u64 = 1 << 30;

/// Ticks per move of files that do not name them.
const USUAL_TICKS: u32 = 10;

/// Largest number of ticks per move.
const MAX_TICKS: u32 = 1000;

/// Column and row of a step in the direction of each quarter turn clockwise from the right.
const STEPS: [[i32; 2]; 4] = [[1, 0], [0, 1], [-1, 0], [0, -1]];

/// Reads a plan.
pub(super) fn read(mut input: Input) -> Result<WithContent, RunError> {
    let label = input.label.clone();
    let bytes = input.bytes(MAX_SIZE);
    let bytes = bytes.map_err(|error| ReadError::Io { label: label.clone(), error })?;
    let Some(bytes) = bytes else {
        let what = format!("the file is larger than {} MiB", MAX_SIZE >> 20);
        return Err(RunError::File { label, what });
    };
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
    let file: File = serde_json::from_slice(text).map_err(|error| RunError::Line {
        label: label.clone(),
        line: error.line().max(1) as u64,
        column: error.column().max(1),
        what: show::json_reason(&error),
    })?;
    let plan = plan(&file).map_err(|Problem { what, moves }| {
        match moves.and_then(|(key, agent)| place(text, key, agent)) {
            Some((line, column)) => RunError::Line { label, line, column, what },
            None => RunError::File { label, what },
        }
    })?;
    Ok((plan, (bytes.len() as u64, xxh3_64(&bytes))))
}

/// A problem of a file that is valid JSON.
#[derive(Debug)]
struct Problem {
    what: String,
    /// Key of the paths, and the agent whose moves are invalid, if the problem is in moves.
    moves: Option<(&'static str, usize)>,
}

impl From<String> for Problem {
    fn from(what: String) -> Self {
        Self { what, moves: None }
    }
}

/// Returns the line and the column at which the moves of an agent begin.
fn place(text: &[u8], key: &str, agent: usize) -> Option<(u64, usize)> {
    let text = std::str::from_utf8(text).ok()?;
    let list = text.find(&format!("\"{key}\""))? + key.len() + 2;
    // Moves contain no quotes, so that each agent has two.
    let quote = text[list..].match_indices('"').nth(2 * agent)?.0 + list;
    let line = text[..quote].matches('\n').count() as u64 + 1;
    let start = text[..quote].rfind('\n').map_or(0, |end| end + 1);
    Some((line, text[start..quote].chars().count() + 1))
}

fn plan(file: &File) -> Result<Plan, Problem> {
    let (name, paths) = match (&file.actual_paths, &file.planner_paths) {
        (Some(actual), _) => ("actualPaths", actual),
        (None, Some(planner)) => ("plannerPaths", planner),
        (None, None) => return Err("missing `actualPaths`".to_owned().into()),
    };
    let agents = file.team_size.unwrap_or(paths.len());
    let planner = file.planner_paths.as_ref();
    let counts = [("start", Some(file.start.len())), (name, Some(paths.len()))];
    let counts = counts.into_iter().chain([("plannerPaths", planner.map(Vec::len))]);
    for (name, count) in counts.filter_map(|(name, count)| Some((name, count?))) {
        if count < agents {
            return Err(
                format!("`{name}` has {count} entries, and there are {agents} agents").into()
            );
        }
    }
    let paths = &paths[..agents];
    let planner = planner.map(|planner| &planner[..agents]);
    let all = || paths.iter().chain(planner.into_iter().flatten());
    let longest = all().map(|moves| moves.count).max().unwrap_or(0);
    let frames = usize::try_from(longest).unwrap_or(usize::MAX).saturating_add(1);
    if let Some(problem) = size_problem(agents, frames) {
        return Err(problem.into());
    }
    let in_ticks = all().any(|moves| moves.in_ticks);
    let parts = if in_ticks { file.agent_max_counter.unwrap_or(USUAL_TICKS) } else { 1 };
    if !(1..=MAX_TICKS).contains(&parts) {
        let what = format!("`agentMaxCounter` is {parts}, and must be 1 to {MAX_TICKS}");
        return Err(what.into());
    }
    let model = file.action_model.or_else(|| all().find_map(Moves::model)).unwrap_or(Model::Turns);
    let walk = Walk { model, parts: parts as i32 };
    for (kind, list) in [(name, Some(paths)), ("plannerPaths", planner)] {
        for (agent, moves) in list.into_iter().flatten().enumerate() {
            let problem = |what| Problem { what, moves: Some((kind, agent)) };
            walk.check(moves)
                .and_then(|()| check_first_tile(moves, &file.start[agent]))
                .map_err(problem)?;
        }
    }
    let mut actual = Vec::with_capacity(agents * frames);
    let mut planned = Vec::new();
    for agent in 0..agents {
        let first = actual.len();
        let start = walk.start(file.start[agent].at, file.start[agent].turn);
        actual.push(start);
        for letter in letters(&paths[agent], frames - 1) {
            actual.push(walk.moved(actual[actual.len() - 1], letter));
        }
        if let Some(planner) = planner {
            planned.push(start);
            let moves = letters(&planner[agent], frames - 1).enumerate();
            planned.extend(moves.map(|(step, letter)| walk.moved(actual[first + step], letter)));
        }
    }
    let mut plan = Plan::of_tiles(agents, actual);
    plan.frames = frames;
    plan.parts = parts as i32;
    plan.planned = planner.map(|_| planned);
    add_events(file, &mut plan);
    Ok(plan)
}

/// Refuses moves in ticks that begin at another tile than the start of the agent.
fn check_first_tile(moves: &Moves, start: &Start) -> Result<(), String> {
    let [x, y] = start.at;
    match moves.first_tile {
        Some(tile) if tile != start.at => Err(format!(
            "the first segment begins at row {}, column {}, and `start` is row {y}, column {x}",
            tile[1], tile[0]
        )),
        _ => Ok(()),
    }
}

/// Returns the letters of moves, with waits at the end up to a length.
fn letters(moves: &Moves, length: usize) -> impl Iterator<Item = u8> + '_ {
    let each = moves.list.iter().flat_map(|it| core::iter::repeat_n(it.letter, it.count as usize));
    each.chain(core::iter::repeat(b'W')).take(length)
}

/// How agents move.
struct Walk {
    model: Model,
    /// Frames per move.
    parts: i32,
}

impl Walk {
    /// Refuses a move that the model does not have.
    fn check(&self, moves: &Moves) -> Result<(), String> {
        let mut step = 0;
        for run in &moves.list {
            let letter = char::from(run.letter);
            if !self.model.letters().contains(letter) {
                let (letter, known) = (show::text(&letter.to_string()), self.model.letters());
                return Err(format!(
                    "unknown move `{letter}` in move {step}: the moves are {known}"
                ));
            }
            step += run.count;
        }
        Ok(())
    }

    fn start(&self, at: [i32; 2], turn: Option<i32>) -> Pose {
        let turn = match self.model {
            Model::Directions => None,
            Model::Turns => Some(turn.unwrap_or(0) * self.parts),
        };
        Pose { at: at.map(|it| it * self.parts), turn }
    }

    fn moved(&self, pose: Pose, letter: u8) -> Pose {
        let circle = 4 * self.parts;
        let ahead = |turn: i32| STEPS[((turn + self.parts / 2) / self.parts % 4) as usize];
        let turned = |by: i32| pose.turn.map(|turn| (turn + by).rem_euclid(circle));
        let (step, turn) = match (self.model, letter) {
            (Model::Directions, b'R') => (STEPS[0], pose.turn),
            (Model::Directions, b'D') => (STEPS[1], pose.turn),
            (Model::Directions, b'L') => (STEPS[2], pose.turn),
            (Model::Directions, b'U') => (STEPS[3], pose.turn),
            (Model::Turns, b'F') => (pose.turn.map_or([0, 0], ahead), pose.turn),
            (Model::Turns, b'R') => ([0, 0], turned(1)),
            (Model::Turns, b'C') => ([0, 0], turned(-1)),
            (Model::Directions | Model::Turns, _) => ([0, 0], pose.turn),
        };
        Pose { at: [pose.at[0] + step[0], pose.at[1] + step[1]], turn }
    }
}

/// A change of what an agent does, in the order in which changes of a frame apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Change {
    /// A number of errands of a task is finished.
    Finished { task: i64, errands: usize },
    /// The agent begins a task, or has none.
    Assigned(Option<i64>),
}

/// Adds the events of a file, and derives the goals.
fn add_events(file: &File, plan: &mut Plan) {
    let frame = |frame: i64| u32::try_from(frame).ok();
    let agent = |agent: i64| u32::try_from(agent).ok().filter(|it| (*it as usize) < plan.agents);
    let mut events: Vec<(u32, u32, String)> = Vec::new();
    let mut changes: Vec<(u32, u32, Change)> = Vec::new();
    for error in file.errors.iter().chain(&file.schedule_errors) {
        let Some(at) = frame(error.frame) else { continue };
        let text: String = error.text.chars().filter(|c| !show::is_hidden(*c)).take(200).collect();
        match error.agents.map(agent) {
            [Some(first), Some(second)] => {
                events.push((at, first, format!("{text} with {second}")));
                events.push((at, second, format!("{text} with {first}")));
            }
            [Some(one), None] | [None, Some(one)] => events.push((at, one, text)),
            [None, None] => events.push((at, 0, format!("all agents: {text}"))),
        }
    }
    for (number, entry) in file.events.iter().enumerate() {
        match entry {
            EventEntry::OfAgent(list) => {
                let Some(agent) = agent(number as i64) else { continue };
                for (task, at, word) in list {
                    let Some(at) = frame(*at) else { continue };
                    let word: String =
                        word.chars().filter(|c| !show::is_hidden(*c)).take(100).collect();
                    match word.as_str() {
                        "assigned" => changes.push((at, agent, Change::Assigned(Some(*task)))),
                        "finished" => {
                            changes.push((at, agent, Change::Finished { task: *task, errands: 1 }));
                        }
                        _ => {}
                    }
                    events.push((at, agent, format!("task {task} {word}")));
                }
            }
            EventEntry::Finished { frame: at, agent: number, task, errands } => {
                let (Some(at), Some(agent)) = (frame(*at), agent(*number)) else { continue };
                let errands = usize::try_from(*errands).unwrap_or(0);
                changes.push((at, agent, Change::Finished { task: *task, errands }));
                events.push((at, agent, format!("task {task}: errand {errands} finished")));
            }
        }
    }
    for (number, schedule) in file.actual_schedule.iter().enumerate() {
        let Some(agent) = agent(number as i64) else { continue };
        for (at, task) in &schedule.0 {
            changes.push((*at, agent, Change::Assigned(*task)));
            if let Some(task) = task {
                events.push((*at, agent, format!("task {task} assigned")));
            }
        }
    }
    changes.small_sort();
    plan.duties = duties(file, plan.agents, &changes);
    plan.events = events;
}

/// Returns what each agent has to do. `changes` are in order of frames.
fn duties(file: &File, agents: usize, changes: &[(u32, u32, Change)]) -> Vec<Vec<Duty>> {
    if changes.is_empty() {
        return Vec::new();
    }
    let errands: BTreeMap<i64, &[[i32; 2]]> =
        file.tasks.iter().map(|task| (task.number, task.errands.as_slice())).small_collect();
    let mut finished: BTreeMap<i64, usize> = BTreeMap::new();
    let mut duties = vec![Vec::<Duty>::new(); agents];
    for &(frame, agent, change) in changes {
        let list = &mut duties[agent as usize];
        let current = list.last().and_then(|duty| duty.task);
        let task = match change {
            Change::Finished { task, errands: count } => {
                finished.insert(task, count);
                if current != Some(task) {
                    continue;
                }
                let all = errands.get(&task).map_or(0, |errands| errands.len());
                Some(task).filter(|_| count < all)
            }
            Change::Assigned(task) => task,
        };
        let next = |task: i64| {
            let done = finished.get(&task).copied().unwrap_or(0);
            errands.get(&task)?.get(done).copied()
        };
        let duty = Duty { frame, goal: task.and_then(next), task };
        match list.last_mut().filter(|last| last.frame == frame) {
            Some(last) => *last = duty,
            None => list.push(duty),
        }
    }
    duties
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> File {
        serde_json::from_str(text).unwrap()
    }

    fn tiles(plan: &Plan, agent: usize) -> Vec<[i32; 2]> {
        let own = agent * plan.frames..(agent + 1) * plan.frames;
        plan.actual[own].iter().map(|pose| pose.at).collect()
    }

    #[test]
    fn turns_and_steps_forward_follow_the_heading() {
        let plan = plan(&file(
            r#"{"actionModel":"MAPF_T","start":[[5,3,"N"]],"actualPaths":["F,R,F,W,C,C,F"]}"#,
        ))
        .unwrap();
        let found = tiles(&plan, 0);
        assert_eq!(found, [[3, 5], [3, 4], [3, 4], [4, 4], [4, 4], [4, 4], [4, 4], [3, 4]]);
        assert_eq!(plan.actual.last().unwrap().turn, Some(2));
    }

    #[test]
    fn steps_up_lower_the_row() {
        let plan = plan(&file(
            r#"{"actionModel":"MAPF","start":[[5,3,"N/A"],[0,0,"N/A"]],"actualPaths":["U,L,D,R,W","D"]}"#,
        ))
        .unwrap();
        assert_eq!(tiles(&plan, 0), [[3, 5], [3, 4], [2, 4], [2, 5], [3, 5], [3, 5]]);
        assert_eq!(tiles(&plan, 1), [[0, 0], [0, 1], [0, 1], [0, 1], [0, 1], [0, 1]]);
    }

    #[test]
    fn the_planner_starts_each_step_at_the_executed_pose() {
        let plan = plan(&file(
            r#"{"actionModel":"MAPF","start":[[0,0,"N/A"]],"actualPaths":["W,R"],
                "plannerPaths":["D,R"]}"#,
        ))
        .unwrap();
        let planned: Vec<_> = plan.planned.unwrap().iter().map(|pose| pose.at).collect();
        assert_eq!(planned, [[0, 0], [0, 1], [1, 0]]);
    }

    #[test]
    fn poses_at_the_start_of_segments_are_ignored() {
        let plan = plan(&file(
            r#"{"actionModel":"MAPF_T","agentMaxCounter":4,"start":[[5,3,"E"]],
                "actualPaths":["[(0,5,3,0,0):(F 4,R 2)][(6,5,3,0,0):(R 2,F 3)]"]}"#,
        ))
        .unwrap();
        assert_eq!(plan.parts, 4);
        assert_eq!(plan.actual.last().unwrap(), &Pose { at: [16, 23], turn: Some(4) });
    }

    #[test]
    fn a_first_segment_that_begins_elsewhere_is_refused() {
        let text = |pose: &str| {
            format!(
                r#"{{"start":[[0,0,"E"],[5,3,"E"]],
                    "actualPaths":["[(0,0,0,0,0):(W 4)]","[(0,{pose},0):(F 4)][(4,9,9,9,0):(F 4)]"]}}"#
            )
        };
        assert!(plan(&file(&text("5,3,0"))).is_ok());
        for (pose, shown) in [("6,3,0", "row 6, column 3"), ("5,4,0", "row 5, column 4")] {
            let problem = plan(&file(&text(pose))).unwrap_err();
            assert_eq!(problem.moves, Some(("actualPaths", 1)));
            assert!(problem.what.contains(shown), "{}", problem.what);
        }
    }

    #[test]
    fn goals_follow_the_errands_of_the_current_task() {
        let plan = plan(&file(
            r#"{"start":[[0,0,"E"]],"actualPaths":["W,W,W,W,W,W,W"],"actualSchedule":["1:7,6:-1"],
                "tasks":[[7,0,[1,2,3,4]]],"events":[[3,0,7,1],[5,0,7,2]]}"#,
        ))
        .unwrap();
        let goals: Vec<_> = plan.duties[0].iter().map(|duty| (duty.frame, duty.goal)).collect();
        assert_eq!(goals, [(1, Some([2, 1])), (3, Some([4, 3])), (5, None), (6, None)]);
    }
}
