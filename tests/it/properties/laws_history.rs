//! Seeking: a frame is the same however it is reached.

use std::sync::Arc;

use tilewalk::builtin;
use tilewalk::command::Command;
use tilewalk::files::{self, Options};
use tilewalk::geom::{Direction, Vec2};
use tilewalk::history::{DEFAULT_BUDGET, History};
use tilewalk::id::AgentId;
use tilewalk::scenario::Scenario;
use tilewalk::scenario::sources::{FileRole, SourceFile, Sources};
use tilewalk::step::{step, step_with};
use tilewalk::time::Frame;
use tilewalk::world::World;

use crate::support::build;
use crate::support::maps;

/// A budget that keeps the fewest frames there can be.
const TIGHT: usize = 1;

/// The hashes of the first frames, made one after the other by the step alone.
fn straight(scenario: &Arc<Scenario>, frames: u64) -> Vec<u64> {
    let mut world = World::new(Arc::clone(scenario));
    let mut hashes = vec![world.hash()];
    for _ in 0..frames {
        step(&mut world);
        hashes.push(world.hash());
    }
    hashes
}

/// Numbers that look like chance.
fn shuffled(count: u64, below: u64) -> impl Iterator<Item = u64> {
    let next = |n: &u64| Some(n.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695));
    std::iter::successors(Some(12_345), next).map(move |n| (n >> 33) % below).take(count as usize)
}

fn visit(history: &mut History, frame: u64, hashes: &[u64], name: &str) {
    history.go_to(Frame(frame));
    let before = frame.saturating_sub(1);
    assert_eq!((history.frame().0, history.before().frame().0), (frame, before), "{name}");
    assert_eq!(history.world().hash(), hashes[frame as usize], "{name}, frame {frame}");
    assert_eq!(history.before().hash(), hashes[before as usize], "{name}, before {frame}");
}

#[test]
fn every_shipped_map_can_be_scrubbed() {
    const FRAMES: u64 = 150;
    for map in builtin::maps() {
        let scenario = maps::scenario(&map.name);
        let hashes = straight(&scenario, FRAMES);
        for budget in [TIGHT, DEFAULT_BUDGET] {
            let mut history = History::new(Arc::clone(&scenario), budget);
            history.go_to(Frame(FRAMES));
            for frame in (0..=FRAMES).rev().step_by(if budget == TIGHT { 7 } else { 1 }) {
                visit(&mut history, frame, &hashes, &map.name);
            }
            for frame in shuffled(20, FRAMES + 1) {
                visit(&mut history, frame, &hashes, &map.name);
            }
        }
    }
}

/// A map whose transitions depend on the events of the frame before.
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
    let scenario = files::load(&origin, &Options::default()).unwrap().scenario.unwrap();
    let hashes = straight(&scenario, FRAMES);
    let mut history = History::new(scenario, TIGHT);
    history.go_to(Frame(FRAMES));
    for frame in (1..=FRAMES).rev().chain(shuffled(50, FRAMES + 1)) {
        visit(&mut history, frame, &hashes, "events");
        let mut next = history.before().clone();
        step(&mut next);
        assert_eq!(next.hash(), hashes[frame.max(1) as usize], "explained at frame {frame}");
    }
}

#[test]
fn a_command_in_the_past_begins_a_run_and_the_old_one_stays_as_it_was() {
    let scenario = maps::scenario("dodge");
    let hashes = straight(&scenario, 100);
    let mut history = History::new(Arc::clone(&scenario), DEFAULT_BUDGET);
    history.go_to(Frame(100));
    history.go_to(Frame(40));
    let drive = Command::Drive { agent: AgentId(0), direction: Some(Direction::East) };
    for _ in 0..20 {
        history.step(std::slice::from_ref(&drive));
    }
    assert_eq!((history.frame(), history.run().end()), (Frame(60), Frame(60)));
    assert_ne!(history.world().hash(), hashes[60]);
    let old = history.comparison().expect("the run that was left");
    assert_eq!(history.comparison_world().map(World::hash), Some(hashes[60]));
    let branched = history.world().hash();
    visit(&mut history, 40, &hashes, "up to the branch");
    history.go_to(Frame(60));
    assert_eq!(history.world().hash(), branched);
    history.switch_run(old);
    history.go_to(Frame(100));
    assert_eq!(history.world().hash(), hashes[100]);
    history.restart();
    assert_eq!((history.runs().len(), history.frame()), (2, Frame(0)), "nothing was done in it");
}

/// The hashes of all frames of the present run, made with its commands by the step alone.
fn linear(history: &History) -> Vec<u64> {
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

/// The same map with another value.
fn tweaked(scenario: &Scenario, setting: &str) -> Arc<Scenario> {
    let mut sources = Sources::clone(scenario.sources());
    sources.set = vec![setting.to_owned()];
    let options = Options::of(&sources).expect("a setting");
    let loaded = files::reload(&Arc::new(sources), &options).expect("what was kept");
    loaded.scenario.expect("a good value")
}

/// Something that is done to a run in a frame; most frames go by without.
fn deed(scenario: &Arc<Scenario>, dice: &mut impl FnMut(u64) -> u64) -> Option<Command> {
    let agent = AgentId(dice(scenario.starts().len() as u64) as u32);
    match dice(40) {
        0..=5 => Some(Command::Drive { agent, direction: Some(Direction::ALL[dice(8) as usize]) }),
        6 => Some(Command::Drive { agent, direction: None }),
        7 => {
            let (width, height) = (scenario.map().width(), scenario.map().height());
            let at = Vec2::new(dice(u64::from(width)) as f32, dice(u64::from(height)) as f32);
            Some(Command::Place { agent, at: at + Vec2::splat(0.5) })
        }
        8 => {
            let kind = &scenario.kinds()[dice(scenario.kinds().len() as u64) as usize].name;
            let setting = format!("{kind}.max_speed={}", dice(5) + 1);
            Some(Command::Reload(tweaked(scenario, &setting)))
        }
        _ => None,
    }
}

fn dice(seed: u64) -> impl FnMut(u64) -> u64 {
    let mut state = seed;
    move |below| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (state >> 33) % below
    }
}

/// A budget that keeps four keyframes of a scenario.
fn four_keyframes(scenario: &Arc<Scenario>) -> usize {
    World::new(Arc::clone(scenario)).state_bytes() * 7
}

/// Lives through so many frames, with deeds and a few new beginnings.
fn lived(scenario: &Arc<Scenario>, frames: u64, budget: usize, seed: u64) -> History {
    let mut history = History::new(Arc::clone(scenario), budget);
    let mut dice = dice(seed);
    for _ in 0..3 {
        for _ in 0..dice(50) {
            history.step(deed(scenario, &mut dice).as_slice());
        }
        history.restart();
    }
    while history.frame().0 < frames {
        history.step(deed(scenario, &mut dice).as_slice());
        if dice(300) == 0 {
            // What is done next begins another run.
            let back = history.frame().0.saturating_sub(dice(60));
            history.go_to(Frame(back));
        }
    }
    history
}

#[test]
fn a_run_with_deeds_and_new_beginnings_can_be_scrubbed() {
    const FRAMES: u64 = 2000;
    let scenario = maps::scenario("castle");
    for budget in [four_keyframes(&scenario), DEFAULT_BUDGET] {
        let mut history = lived(&scenario, FRAMES, budget, 77);
        let hashes = linear(&history);
        assert!(history.run().log().len() > 100 && history.runs().len() > 3);
        for frame in (0..=FRAMES).rev() {
            visit(&mut history, frame, &hashes, "from last to first");
        }
        for frame in shuffled(build::tries(500) as u64, FRAMES + 1) {
            visit(&mut history, frame, &hashes, "at random");
        }
        let most = budget.max(10 * four_keyframes(&scenario));
        assert!(history.run().snapshots().bytes() <= most);
    }
}

#[test]
fn any_map_with_any_deeds_can_be_scrubbed() {
    for (number, map) in builtin::maps().iter().enumerate() {
        let scenario = maps::scenario(&map.name);
        let tight = four_keyframes(&scenario);
        let mut history = lived(&scenario, 120, tight, number as u64);
        let hashes = linear(&history);
        for frame in shuffled(25, hashes.len() as u64) {
            visit(&mut history, frame, &hashes, &map.name);
        }
    }
}

/// Agents that want to reach a place in two of three modes. In between, groups of them roam with SIMD.
const ERRANDS: &str = "
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

/// What an agent wanted in an earlier mode is not state. It must not influence the detectors.
#[test]
fn detectors_depend_on_the_frame_alone() {
    let label = "errands.toml".to_owned();
    let file = SourceFile { place: FileRole::Map, label, text: ERRANDS.into() };
    let sources = Arc::new(Sources { files: vec![file], ..Sources::default() });
    let loaded = files::reload(&sources, &Options::default()).expect("stored files");
    let scenario = loaded.scenario.expect("a valid map");
    let hashes = straight(&scenario, 480);
    let mut history = History::new(scenario, DEFAULT_BUDGET);
    for frame in [480, 290, 480, 250, 480, 180, 270] {
        visit(&mut history, frame, &hashes, "errands");
    }
}
