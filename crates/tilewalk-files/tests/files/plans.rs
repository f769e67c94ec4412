//! Plans of path planners: notations, mistakes in files, and conflicts.

use std::path::PathBuf;

use proptest::prelude::*;

use tilewalk_files::import::Choices;
use tilewalk_files::traces::conflicts::{self, Conflict, ConflictKind, Conflicts};
use tilewalk_files::traces::plans::{self, PlanFile};
use tilewalk_files::traces::{Input, PathKind, TraceOptions};
use tilewalk_files::{Options, Origin, load};
use tilewalk_sim::geom::TilePos;
use tilewalk_sim::map::{Edges, Map};
use tilewalk_sim::scenario::run::RunTable;
use tilewalk_sim::trace::Values;

fn open(text: &str, paths: Option<PathKind>) -> Result<PlanFile, String> {
    let input = Input::new("plan".to_owned(), std::io::Cursor::new(text.to_owned())).unwrap();
    let options = TraceOptions { paths, ..TraceOptions::default() };
    plans::open(input, &options).map_err(|error| error.to_string())
}

fn table(text: &str) -> RunTable {
    open(text, None).unwrap().run.on_map(Some(1)).unwrap()
}

/// Returns the tiles of an agent in order of frames.
fn tiles(table: &RunTable, agent: usize) -> Vec<(i32, i32)> {
    let tile = |row: &tilewalk_sim::scenario::run::RunRow| TilePos::containing(row.position);
    table.rows_of(agent).iter().map(tile).map(|tile| (tile.x, tile.y)).collect()
}

fn column<'a>(table: &'a RunTable, name: &str) -> &'a [f32] {
    let column = table.columns.iter().find(|column| column.name == name).unwrap();
    match &column.values {
        Values::Numbers(numbers) => numbers,
        Values::Texts(_) => panic!("{name} has texts"),
    }
}

/// Returns the conflicts of a plan on a map as texts.
fn found(text: &str, rows: &[&str], paths: Option<PathKind>) -> Vec<String> {
    let plan = open(text, paths).unwrap();
    let starts = plan.starts.clone();
    let table = plan.run.on_map(Some(1)).unwrap();
    let map = (!rows.is_empty()).then(|| Map::drawn(rows, Edges::Wall).unwrap());
    let found = conflicts::find(&table, map.as_ref(), &starts);
    found.list.iter().map(shown).collect()
}

fn shown(conflict: &Conflict) -> String {
    let Conflict { kind, frame, tile, other, agents } = conflict;
    let other = other.map_or(String::new(), |it| format!(" {},{}", it.x, it.y));
    format!("{frame} {} {},{}{other} {agents:?}", kind.word(), tile.x, tile.y)
}

const STEPS: &str = "agents=2\nmap_file=../map/arena.map\nstarts=(1,1),(3,1),\ngoals=(2,1),(3,2),\n\
                     solution=\n0:(1,1),(3,1),\n1:(2,1),(3,2),\n2:(2,1),(3,2),\n";

#[test]
fn steps_have_columns_first() {
    let plan = table(STEPS);
    assert_eq!(plan.agents, ["0", "1"]);
    assert_eq!(plan.frames, 3);
    assert_eq!(plan.tick, Some(1.0));
    assert_eq!(tiles(&plan, 0), [(1, 1), (2, 1), (2, 1)]);
    assert_eq!(tiles(&plan, 1), [(3, 1), (3, 2), (3, 2)]);
    assert_eq!(column(&plan, "wants.y"), [1.0, 1.0, 1.0, 2.0, 2.0, 2.0]);
    assert_eq!(column(&plan, "goal.x"), [2.0, 2.0, 2.0, 3.0, 3.0, 3.0]);
}

#[test]
fn steps_can_have_headings() {
    let plan = table("0:(0,0,Y_MINUS),\n1:(0,0,X_PLUS),\n2:(1,0,X_PLUS),\n3:(1,0,Y_PLUS)\n");
    let headings: Vec<_> = plan.rows.iter().map(|row| (row.heading.x, row.heading.y)).collect();
    assert_eq!(headings, [(0.0, -1.0), (1.0, 0.0), (1.0, 0.0), (0.0, 1.0)]);
}

#[test]
fn steps_can_have_targets_and_tasks() {
    let text = "task=\n0:129->113,appear=0,finished=23\nsolution=\n\
                0:(33,17)->(24,3):-1,(5,6)->(7,8):4,\n1:(32,17)->(29,2):0,(5,7)->(7,8):4,\n";
    let plan = table(text);
    assert_eq!(column(&plan, "goal.x"), [24.0, 29.0, 7.0, 7.0]);
    let tasks = column(&plan, "task");
    assert!(tasks[0].is_nan());
    assert_eq!(tasks[1..], [0.0, 4.0, 4.0]);
}

#[test]
fn agents_have_rows_first_and_stay_at_the_end_of_their_paths() {
    let plan = table("Agent 0: (8,22)->(9,22)->\nAgent 1: (3,4)->(3,5)->(3,6)\n");
    assert_eq!(tiles(&plan, 0), [(22, 8), (22, 9), (22, 9)]);
    assert_eq!(tiles(&plan, 1), [(4, 3), (5, 3), (6, 3)]);
}

#[test]
fn robots_have_ticks_events_and_goals() {
    let text = r#"{"actionModel":"MAPF_T","version":"2026 LoRR","agentMaxCounter":10,"teamSize":1,
        "start":[[5,3,"E"]],"actualPaths":["[(0,5,3,0,0):(F 10,R 10)][(20,5,3,0,0):(F 5)]"],
        "actualSchedule":["1:4"],"tasks":[[4,0,[5,4]]],"events":[[10,0,4,1]],
        "errors":[[4,0,-1,12,"late"]]}"#;
    let plan = table(text);
    assert_eq!(plan.frames, 26);
    assert_eq!(plan.tick, Some(0.1));
    let at = |frame: usize| (plan.rows[frame].position.x, plan.rows[frame].position.y);
    assert_eq!(at(0), (3.5, 5.5));
    assert_eq!(at(10), (4.5, 5.5));
    assert_eq!(at(25), (4.5, 6.0), "the pose at the start of the second segment is ignored");
    let (x, y) = (column(&plan, "wants.x"), column(&plan, "wants.y"));
    assert_eq!((x[0], y[0]), (4.0, 5.0));
    let events: Vec<_> = plan
        .events
        .iter()
        .map(|(frame, _, text)| (*frame, plan.texts[*text as usize].as_str()))
        .collect();
    assert_eq!(events, [(1, "task 4 assigned"), (10, "task 4: errand 1 finished"), (12, "late")]);
}

#[test]
fn mistakes_in_files_have_a_line_and_a_column() {
    for (text, message) in [
        ("0:(1,2),\n2:(1,2),\n", "plan:2:1: expected step 1, found step 2"),
        ("0:(1,2),(3,4),\n1:(1,2),\n", "plan:2:9: step 1 has 1 positions, and step 0 has 2"),
        ("0:(1,2),\n1:(1,x),\n", "plan:2:6: expected a number, found `x),`"),
        ("0:(1,2),\n1:(1,2;\n", "plan:2:7: expected `)`, found `;`"),
        ("0:(1,2)(3,4)\n", "plan:1:8: expected `,`, found `(3,4)`"),
        (
            "0:(1,2,UP),\n",
            "plan:1:8: unknown heading `UP`; known headings: X_PLUS, Y_PLUS, X_MINUS, Y_MINUS, NONE",
        ),
        ("0:(1,2)->(3,4),\n", "plan:1:15: expected `:`, found `,`"),
        ("0:(1,99999999),\n", "plan:1:6: the coordinate 99999999 is beyond ±1000000"),
        ("0:(1,2),\nhello\n", "plan:2:1: expected `1:(x,y),`, found `hello`"),
        ("starts=(1,2\n0:(1,2),\n", "plan:1:12: expected `)`, found the end of the line"),
        (
            "starts=(1,2),(3,4)\n0:(1,2),\n",
            "plan:2:1: `starts` has 2 positions, and the steps have 1",
        ),
        ("starts=(1,2)\n", "plan:1:1: the plan has no steps"),
        ("Agent 0: (1,2)->\nAgent 2: (1,2)->\n", "plan:2:1: expected agent 1, found agent 2"),
        ("Agent 0: (1,2)=>(1,3)\n", "plan:1:15: expected `->`, found `=>(1,3)`"),
        (
            "Agent 0: (1,2)->\nnothing\n",
            "plan:2:1: expected `Agent 1: (row,column)->`, found `nothing`",
        ),
        ("{\"teamSize\":1,\n\"start\":[[1,2]]}", "plan: missing `actualPaths`"),
        (
            "{\"teamSize\":1,\n\"start\":[[1]]}",
            "plan:2:13: expected a start `[row, column, heading]`, found `[1]`",
        ),
        ("{\"teamSize\":1,\n\"start\":[[1,2]],", "plan:2:16: EOF while parsing a value"),
        (
            "{\"start\":[[1,2]],\n\"actualPaths\":[\"F,X\"]}",
            "plan:2:20: unknown move `X` in move 1",
        ),
        (
            "{\"start\":[[1,2]],\n\"actualPaths\":[\"[(5,1,2,0,0):(F 10)]\"]}",
            "plan:2:37: a segment begins at tick 5, and must begin at tick 0",
        ),
        (
            "{\"actionModel\":\"MAPF\",\"start\":[[1,2]],\"actualPaths\":[\"R,F\"]}",
            "plan:1:54: unknown move `F` in move 1: the moves are UDLRWT",
        ),
        (
            "{\"teamSize\":2,\"start\":[[1,2]],\"actualPaths\":[\"F\",\"F\"]}",
            "plan: `start` has 1 entries, and there are 2 agents",
        ),
        (
            "{\"start\":[[1,2]],\"actualPaths\":[\"[(0,1,2,0,0):(W 4000000000)]\"]}",
            "plan:1:62: an agent has more than 40000000 positions",
        ),
    ] {
        assert_eq!(open(text, None).map(|_| ()), Err(message.to_owned()), "{text}");
    }
}

#[test]
fn only_plans_with_both_kinds_of_paths_have_those_of_the_planner() {
    let message = "plan: the file has no paths of a planner apart from the executed paths";
    assert_eq!(open(STEPS, Some(PathKind::Planner)).map(|_| ()), Err(message.to_owned()));
}

const ROOM: [&str; 4] = ["....", ".##.", "....", "...."];

#[test]
fn each_kind_of_conflict_is_found() {
    for (text, expected) in [
        ("0:(0,0),(3,3),\n1:(1,0),(3,2),\n", vec![]),
        ("0:(0,0),(2,0),\n1:(1,0),(1,0),\n", vec!["1 vertex 1,0 [0, 1]"]),
        ("0:(0,0),(0,0),(0,0),\n", vec!["0 vertex 0,0 [0, 1, 2]"]),
        ("0:(0,0),(1,0),\n1:(1,0),(0,0),\n", vec!["1 edge 0,0 1,0 [0, 1]"]),
        ("0:(1,0),\n1:(1,1),\n", vec!["1 wall 1,1 [0]"]),
        ("0:(3,0),\n1:(4,0),\n", vec!["1 wall 4,0 [0]"]),
        ("0:(0,0),\n1:(0,-1),\n", vec!["1 wall 0,-1 [0]"]),
        ("0:(0,0),\n1:(0,2),\n", vec!["1 jump 0,2 0,0 [0]"]),
        ("0:(2,2),\n1:(3,3),\n", vec!["1 jump 3,3 2,2 [0]"]),
        ("starts=(1,0)\n0:(0,0),\n1:(0,0),\n", vec!["0 start 0,0 1,0 [0]"]),
        // Agents that follow each other in a circle exchange no tiles.
        ("0:(2,2),(3,2),(3,3),(2,3),\n1:(3,2),(3,3),(2,3),(2,2),\n", vec![]),
    ] {
        assert_eq!(found(text, &ROOM, None), expected, "{text}");
    }
}

#[test]
fn the_paths_of_the_planner_are_compared_with_the_executed_positions() {
    // The planner lets agent 0 enter the tile of agent 1 twice. The executed path waits.
    let text = r#"{"actionModel":"MAPF","start":[[0,0],[0,1]],
        "actualPaths":["W,W,D","W,W,W"],"plannerPaths":["R,R,D","W,W,W"]}"#;
    assert_eq!(found(text, &ROOM, None), [""; 0]);
    let planner = found(text, &ROOM, Some(PathKind::Planner));
    assert_eq!(planner, ["1 vertex 1,0 [0, 1]", "2 vertex 1,0 [0, 1]"], "no jump to (0, 1)");
}

#[test]
fn squares_that_overlap_between_tiles_are_in_conflict() {
    let plan = |first: &str, second: &str| {
        format!(
            r#"{{"agentMaxCounter":10,"start":[[2,0,"E"],[2,2,"W"]],
                "actualPaths":["[(0,2,0,0,0):({first})]","[(0,2,2,0,0):({second})]"]}}"#
        )
    };
    // Both want the tile between them.
    assert_eq!(found(&plan("F 10", "F 10"), &ROOM, None), ["6 vertex 1,2 [0, 1]"]);
    // An agent follows another one closely.
    let follows = plan("F 10", "R 10,R 10,F 10").replace("F 10)]\",", "W 20,F 10,F 10)]\",");
    assert_eq!(found(&follows, &ROOM, None), [""; 0]);
    // Neighbours exchange their tiles.
    let swap =
        plan("F 10", "F 10").replace("[2,2,\"W\"]", "[2,1,\"W\"]").replace("(0,2,2", "(0,2,1");
    assert_eq!(found(&swap, &ROOM, None), ["1 edge 0,2 1,2 [0, 1]"]);
}

/// Finds conflicts by comparing all agents with each other.
fn brute_force(paths: &[Vec<(i32, i32)>], open: impl Fn(i32, i32) -> bool) -> Vec<String> {
    let mut all = Vec::new();
    let frames = paths[0].len();
    for frame in 0..frames {
        let mut lines = Vec::new();
        for (agent, path) in paths.iter().enumerate() {
            let (x, y) = path[frame];
            if !open(x, y) {
                lines.push((1, (y, x), format!("{frame} wall {x},{y} [{agent}]")));
            }
            if frame > 0 {
                let (px, py) = path[frame - 1];
                if (px - x).abs() + (py - y).abs() > 1 {
                    lines.push((2, (y, x), format!("{frame} jump {x},{y} {px},{py} [{agent}]")));
                }
            }
            let here: Vec<_> = (0..paths.len()).filter(|it| paths[*it][frame] == (x, y)).collect();
            if here.len() > 1 && here[0] == agent {
                lines.push((3, (y, x), format!("{frame} vertex {x},{y} {here:?}")));
            }
            if frame > 0 && path[frame - 1] != (x, y) {
                let (px, py) = path[frame - 1];
                let swaps = |it: &usize| {
                    let (before, now) = (paths[*it][frame - 1], paths[*it][frame]);
                    [(before, now), (now, before)].contains(&((px, py), (x, y))) && before != now
                };
                let agents: Vec<_> = (0..paths.len()).filter(swaps).collect();
                let opposite = agents.iter().any(|it| paths[*it][frame] == (px, py));
                if opposite && agents[0] == agent {
                    let (low, high) =
                        if (py, px) < (y, x) { ((px, py), (x, y)) } else { ((x, y), (px, py)) };
                    let text = format!(
                        "{frame} edge {},{} {},{} {agents:?}",
                        low.0, low.1, high.0, high.1
                    );
                    lines.push((4, (low.1, low.0), text));
                }
            }
        }
        lines.sort();
        all.extend(lines.into_iter().map(|it| it.2));
    }
    all
}

fn any_paths() -> impl Strategy<Value = Vec<Vec<(i32, i32)>>> {
    (1..7_usize, 1..8_usize).prop_flat_map(|(agents, frames)| {
        let tile = (-1..4_i32, -1..4_i32);
        // Mostly steps, so that most plans have few jumps.
        let step = prop_oneof![6 => (0..5_usize).prop_map(Err), 1 => tile.clone().prop_map(Ok)];
        let path = (tile, prop::collection::vec(step, frames - 1)).prop_map(|(start, steps)| {
            let mut path = vec![start];
            for step in steps {
                let (x, y) = path[path.len() - 1];
                let ways = [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1)];
                path.push(step.unwrap_or_else(|way: usize| (x + ways[way].0, y + ways[way].1)));
            }
            path
        });
        prop::collection::vec(path, agents)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn conflicts_are_those_of_a_comparison_of_all_agents(paths in any_paths()) {
        let step = |frame: usize| {
            let tiles = paths.iter().map(|path| format!("({},{}),", path[frame].0, path[frame].1));
            format!("{frame}:{}\n", tiles.collect::<String>())
        };
        let text: String = (0..paths[0].len()).map(step).collect();
        let is_open = |x: i32, y: i32| {
            let row = usize::try_from(y).ok().and_then(|y| ROOM.get(y));
            let glyph = row.and_then(|row| row.as_bytes().get(usize::try_from(x).ok()?));
            glyph == Some(&b'.')
        };
        // Edges with the same first tile are in the order of their agents in both lists.
        let sorted = |mut list: Vec<String>| { list.sort(); list };
        prop_assert_eq!(sorted(found(&text, &ROOM, None)), sorted(brute_force(&paths, is_open)));
    }

    #[test]
    fn any_text_is_read_or_refused(text in "(0:|Agent 0: |starts=|\\{\"teamSize\":1,|)[-0-9(),:>A-Z_\\n ]{0,60}") {
        let _ = open(&text, None);
    }
}

/// Returns the folder that the environment variable `TILEWALK_PLANS` names. Without it, prints that
/// the test is skipped.
#[expect(clippy::print_stdout, reason = "a skipped test says so")]
fn public_plans() -> Option<PathBuf> {
    let folder = std::env::var_os("TILEWALK_PLANS").map(PathBuf::from);
    if folder.is_none() {
        println!("skipped: TILEWALK_PLANS names no folder of plans");
    }
    folder
}

/// Checks a public plan on its map.
fn check_public(plan: &str, map: &str, paths: Option<PathKind>) -> Option<(RunTable, Conflicts)> {
    let folder = public_plans()?;
    let options = TraceOptions { paths, ..TraceOptions::default() };
    let plan = plans::open(Input::open(&folder.join(plan)).unwrap(), &options).unwrap();
    let starts = plan.starts.clone();
    let table = plan.run.on_map(Some(1)).unwrap();
    let imported = tilewalk_files::import::import(&folder.join(map), &Choices::default()).unwrap();
    let text = imported.texts.unwrap().map_alone;
    let origin = Origin::Text { label: map.to_owned(), text, set: None };
    let scenario = load(&origin, &Options::default()).unwrap().scenario.unwrap();
    let found = conflicts::find(&table, Some(scenario.map()), &starts);
    Some((table, found))
}

#[test]
fn public_plans_have_no_conflicts() {
    for (plan, map, agents, frames) in [
        ("demo_random-32-32-20.txt", "random-32-32-20.map", 10, 39),
        ("demo_tunnel.txt", "tunnel.map", 4, 16),
        ("demo_2x2.txt", "2x2.map", 1, 6),
        ("mapf_plan_example.json", "random-32-32-20.map", 300, 60),
        ("warehouse_small_2024.json", "warehouse_small.map", 20, 101),
        ("warehouse_small_2023.json", "warehouse_small.map", 60, 104),
        ("warehouse_small_2026.json", "warehouse_small.map", 200, 1001),
    ] {
        let Some((table, found)) = check_public(plan, map, None) else { return };
        assert_eq!((table.agents.len(), table.frames), (agents, frames), "{plan}");
        assert_eq!(found, Conflicts::default(), "{plan}");
    }
}

#[test]
fn the_planner_of_a_public_plan_has_conflicts() {
    let (plan, map) = ("warehouse_small_2023.json", "warehouse_small.map");
    let Some((table, found)) = check_public(plan, map, Some(PathKind::Planner)) else { return };
    assert!(found.list.iter().all(|conflict| conflict.kind == ConflictKind::Vertex));
    let mut first: Vec<_> =
        found.list.iter().take_while(|it| it.frame == 82).map(|it| it.agents.clone()).collect();
    first.sort();
    assert_eq!(first, [[8, 28], [13, 27], [19, 22]]);
    // The log of the file names the first of them.
    let logged = table.events.iter().any(|(frame, agent, text)| {
        (*frame, *agent) == (82, 22) && table.texts[*text as usize] == "vertex conflict with 19"
    });
    assert!(logged);
}
