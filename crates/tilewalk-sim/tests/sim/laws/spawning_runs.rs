//! Seeking, recording, reloading and comparing runs in which agents are spawned and removed.

use std::sync::Arc;

use tilewalk_sim::command::Command;
use tilewalk_sim::event::{EventKind, Removal};
use tilewalk_sim::geom::Vec2;
use tilewalk_sim::history::diff::{Comparison, Moment};
use tilewalk_sim::history::recorder::Recorder;
use tilewalk_sim::history::{DEFAULT_BUDGET, History};
use tilewalk_sim::id::AgentId;
use tilewalk_sim::step::{step, step_with};
use tilewalk_sim::time::Frame;

use super::recordings;
use super::spawning::{TRAFFIC, frames_of, names, scenario, world};

/// Steps `frames` frames. Returns the state hash and the names of the present agents for the current frame
/// and each new frame.
fn record(history: &mut History, frames: usize) -> Vec<(u64, Vec<String>)> {
    let mut all = vec![(history.world().hash(), names(history.world()))];
    for _ in 0..frames {
        history.step(&[]);
        all.push((history.world().hash(), names(history.world())));
    }
    all
}

#[test]
fn seeking_gives_the_same_hashes_and_agent_names_as_stepping() {
    let mut history = History::new(scenario(TRAFFIC), 1 << 16);
    let all = record(&mut history, 900);
    assert!(all.iter().any(|(_, names)| names.contains(&"walker.9".to_owned())));
    for frame in [0, 6, 7, 899, 450, 449, 451, 13, 14, 700, 333, 899, 1] {
        history.go_to(Frame(frame as u64));
        while !history.pursue(|| true) {}
        assert_eq!((history.world().hash(), names(history.world())), all[frame], "frame {frame}");
    }
    // Backwards and forwards, frame by frame: removed agents return and are removed again.
    for frame in (100..300).rev().chain(100..300) {
        history.go_to(Frame(frame as u64));
        while !history.pursue(|| true) {}
        assert_eq!(names(history.world()), all[frame].1);
    }
}

#[test]
fn a_reload_keeps_instances_by_name_and_drops_those_without_a_slot() {
    let reload = |text: String| [Command::Reload(scenario(&text))];
    let mut world = world(TRAFFIC);
    (0..150).for_each(|_| step(&mut world));
    let before: Vec<_> = names(&world);
    assert!(before.iter().filter(|name| name.starts_with("walker")).count() >= 3, "{before:?}");
    let positions: Vec<_> = world.ids().map(|id| world.position(id)).collect();

    // More slots, another order and a changed value: all instances continue under their names.
    let moved = TRAFFIC.replace("max = 4", "max = 9").replace("weight = 2", "weight = 3");
    let moved = format!("[[agent]]\nname = 'new'\nat = [0, 0]\n{moved}");
    let mut other = world.clone();
    step_with(&mut other, &reload(moved));
    for (name, at) in before.iter().zip(positions) {
        if let Some(id) = other.find(name) {
            assert!((other.position(id) - at).length() < 0.5, "{name} continues");
        } else {
            let left = |event: &tilewalk_sim::event::Event| {
                matches!(event.kind, EventKind::Removed(Removal::Agent | Removal::Lifetime))
            };
            assert!(other.events().iter().any(left), "{name} is lost");
        }
    }
    // New instances get new names.
    let spawned = frames_of(&mut other, 60, "spawned");
    assert!(spawned.keys().all(|name| !before.contains(name)), "{spawned:?}");

    // Fewer slots: the instances without a slot are dropped, and no name is used again.
    let mut fewer = world.clone();
    step_with(&mut fewer, &reload(TRAFFIC.replace("max = 4", "max = 1")));
    assert!(names(&fewer).iter().filter(|name| name.starts_with("walker")).count() <= 1);
    let spawned = frames_of(&mut fewer, 300, "spawned");
    assert!(spawned.keys().all(|name| !before.contains(name)), "{spawned:?}");

    // Fewer slots, but enough for the present instances: all of them continue.
    let mut few = world.clone();
    let walkers = few.scenario().kinds().iter().find(|kind| kind.name == "walker").expect("a kind");
    let slots: Vec<AgentId> = walkers.ids().collect();
    let gap = (0..2000).any(|_| {
        step(&mut few);
        !few.is_present(slots[1]) && few.is_present(slots[3])
    });
    assert!(gap, "a free slot before an instance");
    let before = names(&few);
    step_with(&mut few, &reload(TRAFFIC.replace("max = 4", "max = 3")));
    let left = |event: &&tilewalk_sim::event::Event| matches!(event.kind, EventKind::Removed(_));
    let left = few.events().iter().filter(left).count();
    let after = names(&few);
    let lost = before.iter().filter(|name| !after.contains(name)).count();
    assert_eq!(lost, left, "{before:?}, then {after:?}");

    // If the new map lacks the template, or has an ordinary agent of that name, all instances are dropped.
    for text in [
        "[[agent]]\nname = 'plane'\nat = [4, 2]\npattern = 'flight'\n".to_owned(),
        "[[agent]]\nname = 'walker'\nat = [4, 2]\n".to_owned(),
    ] {
        let mut gone = world.clone();
        step_with(&mut gone, &reload(text));
        assert_eq!(gone.population(), 1);
        (0..50).for_each(|_| step(&mut gone));
    }
}

#[test]
fn a_recording_replays_spawned_and_removed_agents() {
    let scenario = scenario(TRAFFIC);
    let mut history = History::new(Arc::clone(&scenario), DEFAULT_BUDGET);
    let mut bytes = Vec::new();
    let mut recorder = Recorder::begin(&mut bytes).expect("memory");
    for frame in 0..500_u64 {
        let agent = AgentId((frame % 8) as u32);
        let commands = match frame % 50 {
            9 => vec![Command::Place { agent, at: Vec2::new(9.5, 3.5) }],
            20..30 => vec![Command::Drive { agent: AgentId(0), direction: None }],
            _ => vec![],
        };
        history.step(&commands);
        if frame % 97 == 0 {
            recorder.update(&history).expect("memory");
        }
    }
    recorder.update(&history).expect("memory");
    recorder.finish().expect("memory");
    let hash = history.world().hash();
    let (_, mut replayed) = recordings::read(&bytes).expect("a recording");
    replayed.go_to(Frame(500));
    while !replayed.pursue(|| true) {}
    assert_eq!(replayed.world().hash(), hash);
    assert_eq!(names(replayed.world()), names(history.world()));
}

#[test]
fn a_comparison_of_runs_matches_instances_by_name() {
    let run = |text: &str, other: &str, frames: u32| {
        let mut comparison = Comparison::new(0.0);
        let mut worlds = [world(text), world(other)];
        for _ in 0..frames {
            comparison.add(Moment::World(&worlds[0]), Moment::World(&worlds[1]));
            worlds.iter_mut().for_each(step);
        }
        comparison
    };
    assert!(run(TRAFFIC, TRAFFIC, 300).is_same());
    // Only the lifetime of bombs is longer: the first bomb differs, and later it exists only in the second
    // run.
    let longer = TRAFFIC.replace("lifetime = 2.5", "lifetime = 2.6");
    let comparison = run(TRAFFIC, &longer, 300);
    let first = &comparison.differences()[0];
    assert_eq!((first.agent.as_str(), first.field.as_str()), ("bomb.1", "frames until removal"));
    assert!(comparison.only(0).is_empty());
    assert!(comparison.only(1).contains_key("bomb.1"));
    // The first walker appears later: the countdown differs at frame 0.
    let comparison = run(TRAFFIC, &TRAFFIC.replace("first = 0.3", "first = 0.4"), 1);
    let first = &comparison.differences()[0];
    assert_eq!(first.agent, "spawn 1 of walker");
}

#[test]
fn an_agent_that_touches_the_instance_it_seeks_is_not_stuck() {
    let mut world = world(
        "
[[agent]]
name = 'post'
template = true
max = 1
at = [10.0, 3.0]
body = { solid = true, radius = 0.5 }
[[spawn]]
agent = 'post'
every = 1000
first = 0.05
[[agent]]
name = 'seeker'
at = [2.0, 3.0]
body = { solid = true, radius = 0.5 }
steer = [{ do = 'seek', target = 'post.1' }]
",
    );
    (0..200).for_each(|_| step(&mut world));
    let [post, seeker] = ["post.1", "seeker"].map(|name| world.find(name).expect("present"));
    assert!(world.position(post).distance(world.position(seeker)) < 1.01, "they touch");
    assert_eq!(world.tally(seeker).stuck, 0);
}

#[test]
fn agents_that_block_each_other_are_not_deadlocked_once_one_is_removed() {
    let text = "
[[wall]]
points = [[0.0, 1.0], [7.0, 1.0], [7.0, 0.0]]
[[agent]]
name = 'a'
at = [0, 0]
travel = [6, 0]
pace = 10
body = { solid = true }
[[agent]]
name = 'b'
at = [6, 0]
travel = [0, 0]
pace = 10
body = { solid = true }
remove = 'time_in_mode > 4.58'
";
    let mut world = world(text);
    (0..150).for_each(|_| step(&mut world));
    let [a, b] = [AgentId(0), AgentId(1)].map(|id| world.tally(id));
    assert!(a.blocked > 0 && b.blocked > 0, "the agents met");
    assert_eq!((a.deadlocked, b.deadlocked), (0, 0), "the route is free again");
}
