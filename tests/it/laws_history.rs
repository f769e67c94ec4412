//! Laws of history: whatever way one comes to a frame, it is the same frame.

use std::sync::Arc;

use tilewalk::command::Command;
use tilewalk::files::{self, Options, Origin, builtin};
use tilewalk::geom::Notch;
use tilewalk::history::{DEFAULT_BUDGET, History};
use tilewalk::id::AgentId;
use tilewalk::scenario::Scenario;
use tilewalk::step::step;
use tilewalk::time::Frame;
use tilewalk::world::World;

/// A budget that keeps the fewest frames there can be.
const TIGHT: usize = 1;

fn scenario(name: &str) -> Arc<Scenario> {
    let origin = Origin::Builtin(name.to_owned());
    let loaded = files::load(&origin, &Options::default()).expect("a built-in map");
    loaded.scenario.expect("a valid map")
}

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
        let scenario = scenario(&map.name);
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

#[test]
fn a_command_in_the_past_begins_a_run_and_the_old_one_stays_as_it_was() {
    let scenario = scenario("dodge");
    let hashes = straight(&scenario, 100);
    let mut history = History::new(Arc::clone(&scenario), DEFAULT_BUDGET);
    history.go_to(Frame(100));
    history.go_to(Frame(40));
    let drive = Command::Drive { agent: AgentId(0), way: Some(Notch::East) };
    for _ in 0..20 {
        history.step(std::slice::from_ref(&drive));
    }
    assert_eq!((history.frame(), history.run().end()), (Frame(60), Frame(60)));
    assert_ne!(history.world().hash(), hashes[60]);
    let old = history.ghost().expect("the run that was left");
    assert_eq!(history.ghost_world().map(World::hash), Some(hashes[60]));
    let branched = history.world().hash();
    visit(&mut history, 40, &hashes, "up to the branch");
    history.go_to(Frame(60));
    assert_eq!(history.world().hash(), branched);
    history.return_to(old);
    history.go_to(Frame(100));
    assert_eq!(history.world().hash(), hashes[100]);
    history.restart();
    assert_eq!((history.runs().len(), history.frame()), (2, Frame(0)), "nothing was done in it");
}
