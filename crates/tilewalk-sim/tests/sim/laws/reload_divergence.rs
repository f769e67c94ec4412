//! Reloads in a history: each reload adds a run, which can be recorded and compared with the previous run.

use std::sync::Arc;

use tilewalk_files::Options;
use tilewalk_sim::command::Command;
use tilewalk_sim::geom::{Direction, Vec2};
use tilewalk_sim::history::diff::{Comparison, Moment};
use tilewalk_sim::history::divergence::RunDivergence;
use tilewalk_sim::history::recorder::Recorder;
use tilewalk_sim::history::recording::Recording;
use tilewalk_sim::history::run::RunId;
use tilewalk_sim::history::{DEFAULT_BUDGET, History};
use tilewalk_sim::id::AgentId;
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::step::step_with;
use tilewalk_sim::time::Frame;
use tilewalk_sim::world::World;

use super::recordings::compile;

const MAP: &str = r#"
tiles = """
................
................
.....##.........
................
................
"""
[[agent]]
name = "cat"
at = [1, 1]
steer = [{ do = "wander" }]
[[agent]]
name = "dog"
at = [14, 3]
steer = [{ do = "pursue", target = "cat" }]
[[agent]]
name = "owl"
at = [3, 4]
pattern = "rectangle"
"#;

fn load(text: &str) -> Arc<Scenario> {
    let (label, text) = ("map.toml".to_owned(), text.to_owned());
    let loaded = tilewalk_files::load(
        &tilewalk_test_support::builtin::text(label, text),
        &Options::default(),
    );
    let loaded = loaded.expect("a readable map");
    loaded.scenario.unwrap_or_else(|| panic!("{}", loaded.report.plain()))
}

/// Returns a history of 120 frames, in which the cat is controlled manually for ten frames and the dog is
/// moved once.
fn edited_run() -> History {
    let mut history = History::new(load(MAP), DEFAULT_BUDGET);
    history.go_to(Frame(40));
    for _ in 0..10 {
        history.step(&[Command::Drive { agent: AgentId(0), direction: Some(Direction::East) }]);
    }
    history.step(&[Command::Place { agent: AgentId(1), at: Vec2::new(8.5, 4.5) }]);
    history.go_to(Frame(120));
    history
}

/// Simulates a run from its start scenario and its commands, without the stored frames of the history.
/// Returns the state hashes of frames 0 to `frames`.
fn simulated_hashes(history: &History, run: RunId, frames: u64) -> Vec<u64> {
    let run = &history.runs()[run];
    let mut world = World::new(Arc::clone(run.start()));
    let mut hashes = vec![world.hash()];
    for frame in 1..=frames {
        step_with(&mut world, run.log().at(Frame(frame)));
        hashes.push(world.hash());
    }
    hashes
}

/// Returns five versions of the map. The last one is the original.
fn versions() -> [String; 5] {
    let slower = MAP.replace("at = [14, 3]", "at = [14, 3]\nbody = { max_speed = 1.5 }");
    let wall = slower.replace(".....##.........", ".....####.......");
    let no_owl = MAP.split("[[agent]]\nname = \"owl\"").next().expect("a map").to_owned();
    let more =
        format!("{MAP}[[agent]]\nname = \"ant\"\nat = [9, 0]\nsteer = [{{ do = \"wander\" }}]\n");
    [slower, wall, no_owl, more, MAP.to_owned()]
}

fn reload(history: &mut History, text: &str) {
    history.reload(load(text));
    while !history.pursue(|| true) {}
}

#[test]
fn each_of_five_reloads_adds_a_run_and_the_original_map_restores_the_hashes() {
    let mut history = edited_run();
    let first = simulated_hashes(&history, RunId(0), 120);
    assert_eq!(first[120], history.world().hash());
    for (index, text) in versions().iter().enumerate() {
        reload(&mut history, text);
        assert_eq!((history.present(), history.frame()), (RunId(index as u32 + 1), Frame(120)));
        let hashes = simulated_hashes(&history, history.present(), 120);
        assert_eq!(history.world().hash(), hashes[120], "save {index}");
        assert_eq!(history.world().hash() == first[120], index == 4, "save {index}");
    }
    assert_eq!(simulated_hashes(&history, RunId(5), 120), first);
    assert_eq!(history.runs()[RunId(5)].log().len(), history.runs()[RunId(0)].log().len());
}

#[test]
fn every_run_of_a_recording_with_five_reloads_is_replayed_exactly() {
    let mut history = edited_run();
    let mut bytes = Vec::new();
    let mut recorder = Recorder::begin(&mut bytes).expect("memory");
    recorder.update(&history).expect("memory");
    for (index, text) in versions().iter().enumerate() {
        if index == 2 {
            history.go_to(Frame(60));
            history.reload_from_here(load(text));
            for _ in 0..5 {
                history.step(&[Command::Drive {
                    agent: AgentId(1),
                    direction: Some(Direction::West),
                }]);
            }
            history.go_to(Frame(130));
        } else {
            reload(&mut history, text);
        }
        recorder.update(&history).expect("memory");
    }
    assert_eq!(history.runs().len(), 6);
    let recording = Recording::read(&bytes).expect("a recording");
    assert!(recording.cut.is_none());
    let scenarios = recording.compile(compile).expect("its files");
    let mut replayed = History::replay(&recording, &scenarios, 1 << 20);
    assert_eq!(replayed.runs().len(), 6);
    for run in 0..6 {
        let (run, end) = (RunId(run), history.runs()[RunId(run)].end());
        let hashes = simulated_hashes(&history, run, end.0);
        replayed.switch_run(run);
        replayed.go_to(end);
        assert!(replayed.run().divergence().is_none(), "run {run:?}");
        for frame in (0..=end.0).rev() {
            replayed.go_to(Frame(frame));
            assert_eq!(replayed.world().hash(), hashes[frame as usize], "{run:?}, frame {frame}");
        }
    }
}

#[test]
fn reloads_during_a_seek_keep_its_target_frame() {
    let mut history = edited_run();
    history.seek(Frame(100));
    history.reload(load(&versions()[0]));
    assert_eq!(history.sought().map(|(frame, _)| frame), Some(Frame(100)));
    history.reload(load(&versions()[1]));
    while !history.pursue(|| false) {}
    assert_eq!(history.frame(), Frame(100));
    assert_eq!(history.world().hash(), simulated_hashes(&history, RunId(2), 100)[100]);
}

#[test]
fn reload_from_here_keeps_all_earlier_frames() {
    let mut history = edited_run();
    let first = simulated_hashes(&history, RunId(0), 120);
    history.go_to(Frame(70));
    history.reload_from_here(load(&versions()[1]));
    assert_eq!((history.present(), history.frame()), (RunId(1), Frame(71)));
    history.go_to(Frame(70));
    assert_eq!(history.world().hash(), first[70]);
    // A reload at the end of a run also starts a new run and keeps the old one.
    history.go_to(history.run().end());
    history.reload_from_here(load(&versions()[3]));
    assert_eq!(history.run().branch().map(|branch| branch.parent), Some(RunId(1)));
    history.switch_run(RunId(0));
    history.go_to(Frame(120));
    assert_eq!(history.world().hash(), first[120]);
}

#[test]
fn reload_fresh_drops_all_commands() {
    let mut history = edited_run();
    history.reload_fresh(load(&versions()[0]));
    assert_eq!(history.frame(), Frame(0));
    assert!(history.run().log().is_empty());
    assert_eq!(history.world().hash(), World::new(load(&versions()[0])).hash());
}

#[test]
fn a_divergence_search_agrees_with_a_comparison_of_all_frames() {
    for text in versions() {
        let mut history = edited_run();
        reload(&mut history, &text);
        let mut divergence = RunDivergence::new(RunId(0), RunId(1), Frame(0));
        let mut calls = 0;
        while !divergence.resume(&history, || false) {
            calls += 1;
        }
        assert!(calls <= 121, "at least one frame in each call");
        let (mut old, mut new) = (history.clone(), history.clone());
        old.switch_run(RunId(0));
        let mut comparison = Comparison::new(0.0);
        let mut firsts = std::collections::BTreeMap::new();
        for frame in 0..=120 {
            old.go_to(Frame(frame));
            new.go_to(Frame(frame));
            comparison.add(Moment::World(old.world()), Moment::World(new.world()));
            let mut now = Comparison::new(0.0);
            now.add(Moment::World(old.world()), Moment::World(new.world()));
            for each in now.differences() {
                firsts.entry(each.agent.clone()).or_insert(frame);
            }
        }
        let first = comparison.differences().first();
        assert_eq!(divergence.first(), first);
        for name in ["cat", "dog", "owl", "ant"] {
            // A comparison keeps only a limited number of differences in a frame, so it can find an agent
            // later than the divergence search.
            let (found, known) =
                (divergence.of(name).map(|it| it.frame.0), firsts.get(name).copied());
            assert!(found <= known || known.is_none(), "{name}: {found:?} {known:?}");
            assert_eq!(found.is_some(), found.is_some() || known.is_some(), "{name}");
        }
    }
}

#[test]
fn a_divergence_search_compares_all_frames_of_both_runs() {
    let mut history = edited_run();
    let late = MAP.replace("at = [14, 3]", "at = [14, 3]\nbody = { max_speed = 3.9 }");
    history.go_to(Frame(0));
    reload(&mut history, &late);
    let mut divergence = RunDivergence::new(RunId(0), RunId(1), Frame(0));
    assert!(divergence.resume(&history, || true));
    assert_eq!(divergence.compared(), 121);
}

/// A map with walkers that appear one by one near the left border and are removed after 1.5 s, and with a
/// walker that appears in the middle and is not removed.
const CROWD: &str = r#"
tiles = """
................
................
................
"""
[[agent]]
name = "walker"
template = true
max = 6
steer = [{ do = "wander" }]
[[spawn]]
agent = "walker"
at = [2, 1]
every = 0.4
first = 0.1
lifetime = 1.5
[[spawn]]
agent = "walker"
at = [9, 1]
every = 1000
first = 1.2
"#;

/// An instance is compared with the instance of the same name in the other run, even if their ids differ.
#[test]
fn a_divergence_search_matches_instances_by_name() {
    let mut history = History::new(load(CROWD), DEFAULT_BUDGET);
    history.go_to(Frame(120));
    // At this frame, the id of the steady walker is too large for `max = 3`, but a smaller id is free. So a
    // reload with `max = 3` changes only its id.
    let steady = "walker.4";
    let old = |world: &World| world.find(steady).filter(|id| id.0 >= 3);
    let is_free = |world: &World| (0..3).any(|id| !world.is_present(AgentId(id)));
    let frame = (20..120).find(|&frame| {
        history.go_to(Frame(frame));
        old(history.world()).is_some() && is_free(history.world())
    });
    assert!(frame.is_some(), "a frame with a free id");
    history.reload_from_here(load(&CROWD.replace("max = 6", "max = 3")));
    assert!(history.world().find(steady).is_some_and(|id| id.0 < 3));
    history.go_to(Frame(110));
    let mut divergence = RunDivergence::new(RunId(0), RunId(1), Frame(0));
    assert!(divergence.resume(&history, || true));
    assert!(divergence.first().is_some(), "other walkers are removed");
    assert_eq!(divergence.of(steady), None);
    // In the run with the shorter interval, every walker but the first differs, including walkers that reuse
    // the id of a removed one.
    history.reload(load(&CROWD.replace("every = 0.4", "every = 0.3")));
    while !history.pursue(|| true) {}
    let mut divergence = RunDivergence::new(RunId(1), RunId(2), Frame(0));
    assert!(divergence.resume(&history, || true));
    let found: Vec<_> = (1..=9).map(|number| divergence.of(&format!("walker.{number}"))).collect();
    for (number, difference) in found.iter().enumerate().skip(1) {
        let difference = difference.unwrap_or_else(|| panic!("walker.{}", number + 1));
        assert_eq!(difference.field, "in the world");
    }
}
