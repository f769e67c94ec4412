//! Seeking: a frame is the same whether it is reached by seeking or by stepping.

use std::sync::Arc;

use tilewalk_files::{Options, settings};
use tilewalk_sim::command::Command;
use tilewalk_sim::geom::{Direction, Vec2};
use tilewalk_sim::history::{DEFAULT_BUDGET, History};
use tilewalk_sim::id::AgentId;
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::scenario::sources::{FileRole, SourceFile, Sources};
use tilewalk_sim::step::{step, step_with};
use tilewalk_sim::time::Frame;
use tilewalk_sim::world::World;
use tilewalk_test_support::builtin;

use crate::support::build;
use crate::support::maps;

/// Memory budget, in bytes, with which a history keeps as few frames as possible.
const TIGHT: usize = 1;

/// Returns the hashes of the frames 0 to `frames`, simulated in order without a history.
fn plain_hashes(scenario: &Arc<Scenario>, frames: u64) -> Vec<u64> {
    let mut world = World::new(Arc::clone(scenario));
    let mut hashes = vec![world.hash()];
    for _ in 0..frames {
        step(&mut world);
        hashes.push(world.hash());
    }
    hashes
}

/// Returns `count` pseudo-random numbers less than `below`.
fn random_frames(count: u64, below: u64) -> impl Iterator<Item = u64> {
    let next = |n: &u64| Some(n.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695));
    std::iter::successors(Some(12_345), next).map(move |n| (n >> 33) % below).take(count as usize)
}

/// Seeks to a frame, and compares it and the previous frame with `hashes`.
fn visit(history: &mut History, frame: u64, hashes: &[u64], name: &str) {
    history.go_to(Frame(frame));
    let before = frame.saturating_sub(1);
    assert_eq!((history.frame().0, history.before().frame().0), (frame, before), "{name}");
    assert_eq!(history.world().hash(), hashes[frame as usize], "{name}, frame {frame}");
    assert_eq!(history.before().hash(), hashes[before as usize], "{name}, before {frame}");
}

#[test]
fn seeking_and_stepping_agree_on_every_built_in_map() {
    const FRAMES: u64 = 150;
    for map in builtin::maps() {
        let scenario = maps::scenario(&map.name);
        let hashes = plain_hashes(&scenario, FRAMES);
        for budget in [TIGHT, DEFAULT_BUDGET] {
            let mut history = History::new(Arc::clone(&scenario), budget);
            history.go_to(Frame(FRAMES));
            for frame in (0..=FRAMES).rev().step_by(if budget == TIGHT { 7 } else { 1 }) {
                visit(&mut history, frame, &hashes, &map.name);
            }
            for frame in random_frames(20, FRAMES + 1) {
                visit(&mut history, frame, &hashes, &map.name);
            }
        }
    }
}

/// A map whose transitions depend on the events of the previous frame.
const ON_EVENTS: &str = r#"
tiles = "...."
[[agent]]
name = "guard"
at = [1, 0]
[[agent.mode]]
name = "rest"
switch = [{ when = "chance(0.5)", to = "look" }]
[[agent.mode]]
name = "look"
switch = [{ when = "event(mode)", to = "rest" }]
"#;

#[test]
fn transitions_on_events_are_the_same_after_seeking() {
    const FRAMES: u64 = 100;
    let origin = builtin::text("events.toml", ON_EVENTS);
    let scenario = tilewalk_files::load(&origin, &Options::default()).unwrap().scenario.unwrap();
    let hashes = plain_hashes(&scenario, FRAMES);
    let mut history = History::new(scenario, TIGHT);
    history.go_to(Frame(FRAMES));
    for frame in (1..=FRAMES).rev().chain(random_frames(50, FRAMES + 1)) {
        visit(&mut history, frame, &hashes, "events");
        let mut next = history.before().clone();
        step(&mut next);
        assert_eq!(next.hash(), hashes[frame.max(1) as usize], "explained at frame {frame}");
    }
}

#[test]
fn a_command_in_the_past_starts_a_new_run_and_keeps_the_old_run() {
    let scenario = maps::scenario("dodge");
    let hashes = plain_hashes(&scenario, 100);
    let mut history = History::new(Arc::clone(&scenario), DEFAULT_BUDGET);
    history.go_to(Frame(100));
    history.go_to(Frame(40));
    let drive = Command::Drive { agent: AgentId(0), direction: Some(Direction::East) };
    for _ in 0..20 {
        history.step(std::slice::from_ref(&drive));
    }
    assert_eq!((history.frame(), history.run().end()), (Frame(60), Frame(60)));
    assert_ne!(history.world().hash(), hashes[60]);
    let old_run = history.comparison().expect("the old run");
    assert_eq!(history.comparison_world().map(World::hash), Some(hashes[60]));
    let branched = history.world().hash();
    visit(&mut history, 40, &hashes, "up to the branch");
    history.go_to(Frame(60));
    assert_eq!(history.world().hash(), branched);
    history.switch_run(old_run);
    history.go_to(Frame(100));
    assert_eq!(history.world().hash(), hashes[100]);
    history.restart();
    assert_eq!(
        (history.runs().len(), history.frame()),
        (2, Frame(0)),
        "restarting a run without commands adds no run"
    );
}

/// Returns the hashes of all frames of the current run, simulated in order with its commands.
fn hashes_of_run(history: &History) -> Vec<u64> {
    let run = history.run();
    let mut world = World::new(Arc::clone(run.start()));
    let mut hashes = vec![world.hash()];
    while world.frame() < run.end() {
        let next = world.frame().next();
        step_with(&mut world, run.log().at(next));
        hashes.push(world.hash());
    }
    hashes
}

/// Returns the scenario with one changed value.
fn tweaked(scenario: &Scenario, setting: &str) -> Arc<Scenario> {
    let mut sources = Sources::clone(scenario.sources());
    sources.set = vec![settings::parse(setting).expect("a setting")];
    let options = Options::of(&sources);
    let loaded = tilewalk_files::reload(&Arc::new(sources), &options).expect("the stored files");
    loaded.scenario.expect("a valid value")
}

/// Returns a random command, or `None` in most cases.
fn random_command(scenario: &Arc<Scenario>, rng: &mut impl FnMut(u64) -> u64) -> Option<Command> {
    let agent = AgentId(rng(scenario.starts().len() as u64) as u32);
    match rng(40) {
        0..=5 => Some(Command::Drive { agent, direction: Some(Direction::ALL[rng(8) as usize]) }),
        6 => Some(Command::Drive { agent, direction: None }),
        7 => {
            let (width, height) = (scenario.map().width(), scenario.map().height());
            let at = Vec2::new(rng(u64::from(width)) as f32, rng(u64::from(height)) as f32);
            Some(Command::Place { agent, at: at + Vec2::splat(0.5) })
        }
        8 => {
            let kind = &scenario.kinds()[rng(scenario.kinds().len() as u64) as usize].name;
            let setting = format!("{kind}.max_speed={}", rng(5) + 1);
            Some(Command::Reload(tweaked(scenario, &setting)))
        }
        _ => None,
    }
}

/// Returns a function that draws a pseudo-random number less than its argument.
fn new_rng(seed: u64) -> impl FnMut(u64) -> u64 {
    let mut state = seed;
    move |below| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (state >> 33) % below
    }
}

/// Returns a memory budget, in bytes, for four keyframes of a scenario.
fn four_keyframes(scenario: &Arc<Scenario>) -> usize {
    World::new(Arc::clone(scenario)).state_bytes() * 7
}

/// Returns a history of `frames` frames with random commands, restarts and runs that branch off.
fn random_history(scenario: &Arc<Scenario>, frames: u64, budget: usize, seed: u64) -> History {
    let mut history = History::new(Arc::clone(scenario), budget);
    let mut rng = new_rng(seed);
    for _ in 0..3 {
        for _ in 0..rng(50) {
            history.step(random_command(scenario, &mut rng).as_slice());
        }
        history.restart();
    }
    while history.frame().0 < frames {
        history.step(random_command(scenario, &mut rng).as_slice());
        if rng(300) == 0 {
            // The next command starts another run.
            let back = history.frame().0.saturating_sub(rng(60));
            history.go_to(Frame(back));
        }
    }
    history
}

#[test]
fn seeking_and_stepping_agree_in_runs_with_commands_restarts_and_branches() {
    const FRAMES: u64 = 2000;
    let scenario = maps::scenario("castle");
    for budget in [four_keyframes(&scenario), DEFAULT_BUDGET] {
        let mut history = random_history(&scenario, FRAMES, budget, 77);
        let hashes = hashes_of_run(&history);
        assert!(history.run().log().len() > 100 && history.runs().len() > 3);
        for frame in (0..=FRAMES).rev() {
            visit(&mut history, frame, &hashes, "from last to first");
        }
        for frame in random_frames(build::tries(500) as u64, FRAMES + 1) {
            visit(&mut history, frame, &hashes, "at random");
        }
        let most = budget.max(10 * four_keyframes(&scenario));
        assert!(history.run().snapshots().bytes() <= most);
    }
}

#[test]
fn seeking_and_stepping_agree_on_every_map_with_random_commands() {
    for (number, map) in builtin::maps().iter().enumerate() {
        let scenario = maps::scenario(&map.name);
        let tight = four_keyframes(&scenario);
        let mut history = random_history(&scenario, 120, tight, number as u64);
        let hashes = hashes_of_run(&history);
        for frame in random_frames(25, hashes.len() as u64) {
            visit(&mut history, frame, &hashes, &map.name);
        }
    }
}

/// A map of agents with three modes. In the first and the last mode they have a target. In the mode in
/// between they have none, and they are moved in SIMD batches.
const THREE_MODES: &str = "
seed = 3
tiles = '''
....................
....................
....................
....................
....................
....................
'''
[[wall]]
from = [15.0, 0.0]
to = [15.0, 6.0]
[[agent]]
name = 'boid'
at = { within = [0, 0, 9, 5] }
count = 16
[[agent.mode]]
name = 'seek'
steer = [{ do = 'seek', target = [19, 3] }]
switch = [{ when = 'time_in_mode > 6', to = 'roam' }]
[[agent.mode]]
name = 'roam'
combine = 'weighted'
steer = [{ do = 'wander', jitter = 40 }]
switch = [{ when = 'time_in_mode > 9', to = 'rest' }]
[[agent.mode]]
name = 'rest'
steer = [{ do = 'arrive', target = 'home' }]
";

/// The targets of earlier modes are not part of the state, so they must not influence the stuck detectors.
#[test]
fn stuck_detectors_depend_only_on_the_state_of_the_frame() {
    let label = "errands.toml".to_owned();
    let file = SourceFile { place: FileRole::Map, label, text: THREE_MODES.into() };
    let sources = Arc::new(Sources { files: vec![file], ..Sources::default() });
    let loaded = tilewalk_files::reload(&sources, &Options::default()).expect("stored files");
    let scenario = loaded.scenario.expect("a valid map");
    let hashes = plain_hashes(&scenario, 480);
    let mut history = History::new(scenario, DEFAULT_BUDGET);
    for frame in [480, 290, 480, 250, 480, 180, 270] {
        visit(&mut history, frame, &hashes, "errands");
    }
}
