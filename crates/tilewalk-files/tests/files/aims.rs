//! Runs of other programs with the columns `goal` and `wants`: agents that are stuck, oscillate or are
//! deadlocked.

use std::fmt::Write;
use std::io::Cursor;
use std::sync::Arc;

use tilewalk_files::traces::{Input, TraceOptions, parse_column, read};
use tilewalk_files::{Options, load};
use tilewalk_sim::scenario::run::FollowedRun;
use tilewalk_sim::step::{deadlock_of, step};
use tilewalk_sim::world::{Flags, World};
use tilewalk_test_support::builtin;

const MAP: &str = "tiles = '''\n........\n....#...\n........\n'''\n\
                   [places]\ngate = [6, 1]\nlair = [0, 1]\n";

fn world(text: &str, options: &TraceOptions) -> World {
    let input = Input::new("run".to_owned(), Cursor::new(text.as_bytes().to_vec())).unwrap();
    let table = read(input, options).unwrap().on_map(Some(3)).unwrap();
    let run = Some(Arc::new(FollowedRun::new(table)));
    let map = builtin::text("map", MAP.to_owned());
    let loaded = load(&map, &Options { run, ..Options::default() }).unwrap();
    World::new(loaded.scenario.unwrap_or_else(|| panic!("{}", loaded.report.plain())))
}

/// Returns the first frame at which each agent has a flag.
fn first(text: &str, flag: Flags) -> Vec<Option<u64>> {
    let mut world = world(text, &TraceOptions::default());
    let mut found = vec![None; world.len()];
    while Some(world.frame()) != world.scenario().end() {
        step(&mut world);
        for id in world.ids().collect::<Vec<_>>() {
            if world.flags(id).has(flag) {
                found[id.index()].get_or_insert(world.frame().0);
            }
        }
    }
    found
}

/// Returns a run of ten seconds in which no agent moves: ten frames per second, with the given cells of
/// each agent.
fn standing(columns: &str, agents: &[&str]) -> String {
    let mut text = format!("time,agent,{columns}\n");
    for frame in 0..100 {
        for agent in agents {
            let _ = writeln!(text, "{},{agent}", f64::from(frame) / 10.0);
        }
    }
    text
}

#[test]
fn agents_that_want_the_tiles_of_each_other_are_deadlocked() {
    let run = standing("x,y,wants.x,wants.y", &["cat,1,0,2,0", "dog,2,0,1,0", "fox,3,0,2,0"]);
    let deadlocked = first(&run, Flags::DEADLOCKED);
    assert_eq!(deadlocked, [Some(35), Some(35), None], "the fox waits behind the cycle");
    assert_eq!(first(&run, Flags::STUCK), [Some(35); 3]);
    let mut world = world(&run, &TraceOptions::default());
    (0..50).for_each(|_| step(&mut world));
    let [cat, dog] = ["cat", "dog"].map(|name| world.find(name).unwrap());
    assert_eq!(deadlock_of(&world, cat), [dog, cat]);
}

#[test]
fn bodies_that_touch_on_the_way_to_their_goals_are_deadlocked() {
    let run = standing(
        "x,y,goal",
        &["cat,2.0,1.5,gate", "dog,2.6,1.5,lair", "fox,2.0,0.9,gate", "owl,7.5,0.5,"],
    );
    let deadlocked = first(&run, Flags::DEADLOCKED);
    assert_eq!(deadlocked, [Some(35), Some(35), None, None]);
    // The fox touches the cat, but the cat is not in its direction.
    assert_eq!(first(&run, Flags::STUCK), [Some(35), Some(35), Some(35), None]);
}

#[test]
fn an_agent_that_waits_for_a_moving_agent_is_not_stuck() {
    let mut text = "time,agent,x,y,wants.x,wants.y\n".to_owned();
    for frame in 0..100 {
        // The dog moves on every two seconds, and the cat always wants its tile.
        let x = 2 + frame / 20;
        let time = f64::from(frame) / 10.0;
        let _ = writeln!(text, "{time},cat,1,0,{x},0\n{time},dog,{x},0,{},0", x + 1);
    }
    assert_eq!(first(&text, Flags::STUCK), [None, None]);
}

#[test]
fn an_agent_at_its_goal_is_not_stuck() {
    let run =
        standing("x,y,goal", &["cat,6.5,1.2,gate", "dog,3.5,1.5,gate", "fox,3.5,2.5,nowhere"]);
    assert_eq!(first(&run, Flags::STUCK), [None, Some(35), None]);
}

#[test]
fn without_goals_no_agent_is_stuck() {
    let run = standing("x,y,hp", &["cat,1,0,3", "dog,2,0,4"]);
    assert_eq!(first(&run, Flags::STUCK), [None, None]);
}

#[test]
fn an_agent_that_runs_to_and_fro_before_its_goal_oscillates() {
    let mut text = "time,agent,x,y,goal\n".to_owned();
    for frame in 0..200 {
        let phase = frame % 20;
        let x = 1.5 + 0.2 * f64::from(phase.min(20 - phase));
        let _ = writeln!(text, "{},cat,{x},1.5,gate", f64::from(frame) / 10.0);
    }
    assert!(first(&text, Flags::OSCILLATING)[0].is_some_and(|frame| frame < 100));
    assert_eq!(first(&text.replace("gate", ""), Flags::OSCILLATING), [None]);
}

#[test]
fn an_agent_that_steps_to_and_fro_jitters() {
    let mut text = "time,agent,x,y,wants.x,wants.y\n".to_owned();
    for frame in 0..100 {
        let x = 1.5 + 0.2 * f64::from(frame % 2);
        let _ = writeln!(text, "{},cat,{x},1.5,5.5,1.5", f64::from(frame) / 10.0);
    }
    assert_eq!(first(&text, Flags::OSCILLATING), [Some(30)]);
}

#[test]
fn renamed_goals_are_points_in_the_units_of_the_file() {
    let text = "{\"t\": 0, \"x\": 8, \"y\": 8, \"dest\": {\"x\": 24, \"y\": 8}, \"next\": [16, 40]}\n\
                {\"t\": 1, \"x\": 9.5, \"y\": 8, \"dest\": {\"x\": 24, \"y\": 8}, \"next\": null}\n";
    let columns = ["time=t", "goal=dest", "wants=next"].map(|it| parse_column(it).unwrap());
    let options = TraceOptions {
        columns: columns.to_vec(),
        scale: Some(16.0),
        y_up: Some(true),
        ..TraceOptions::default()
    };
    let world = world(text, &options);
    let scenario = world.scenario();
    let trace = &scenario.traced().unwrap().trace;
    let id = world.ids().next().unwrap();
    let point = |at: Option<tilewalk_sim::geom::Vec2>| at.map(|at| [at.x, at.y]);
    assert_eq!(point(trace.goal(id, world.frame())), Some([1.5, 2.5]));
    assert_eq!(point(trace.wants(id, world.frame())), Some([1.0, 0.5]));
    assert_eq!(point(trace.wants(id, world.frame().next())), None);
}

/// The planner wants both robots to move ahead, and the simulator lets them wait.
#[test]
fn robots_that_wait_for_each_other_are_deadlocked() {
    let moves = |letter: &str| [letter; 10].join(",");
    let text = format!(
        "{{\"actionModel\":\"MAPF_T\",\"start\":[[0,1,\"E\"],[0,2,\"W\"]],\
         \"actualPaths\":[\"{w}\",\"{w}\"],\"plannerPaths\":[\"{f}\",\"{f}\"]}}",
        w = moves("W"),
        f = moves("F")
    );
    assert_eq!(first(&text, Flags::DEADLOCKED), [Some(4), Some(4)]);
    // In a plan without the paths of a planner, the robots want to wait.
    let waits = text.replace("plannerPaths", "other");
    assert_eq!(first(&waits, Flags::STUCK), [None, None]);
}
