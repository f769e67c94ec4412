//! The heat map counts the visits of a plain run, no matter how the current frame was reached.

use std::collections::BTreeMap;

use proptest::prelude::*;
use tilewalk::debugger::session::Session;
use tilewalk::debugger::visits::Visits;
use tilewalk::files::{self, Options};
use tilewalk::geom::TilePos;
use tilewalk::history::History;
use tilewalk::step::step_with;
use tilewalk::time::Frame;
use tilewalk::tui::Opened;
use tilewalk::tui::overlays::HeatMapScope;
use tilewalk::world::World;

use crate::laws::trails_and_plots::{action, perform};
use crate::support::sample_maps::opened;

/// Returns the visits of the named agents in a plain run with the same commands.
fn plain(history: &History, names: &[&str]) -> BTreeMap<TilePos, u32> {
    let run = history.run();
    let mut world = World::new(run.start().clone());
    let places = |world: &World| -> BTreeMap<String, TilePos> {
        let scenario = world.scenario();
        let named = |id| (scenario.name(id).to_string(), world.tile(id));
        let counted = |(name, _): &(String, TilePos)| names.contains(&name.as_str());
        world.ids().map(named).filter(counted).collect()
    };
    let mut counts = BTreeMap::new();
    let mut before = BTreeMap::new();
    loop {
        let now = places(&world);
        for (name, tile) in &now {
            if before.get(name) != Some(tile) {
                *counts.entry(*tile).or_default() += 1;
            }
        }
        before = now;
        if world.frame() == history.frame() {
            return counts;
        }
        let next = world.frame().next();
        step_with(&mut world, run.log().at(next));
    }
}

/// Returns the visits that the session counted up to the current frame.
fn counted(session: &Session) -> BTreeMap<TilePos, u32> {
    let frame = session.world().frame();
    let tally =
        session.visits().and_then(|visits| visits.at(frame)).expect("the visits are counted");
    tally.visited().iter().map(|&tile| (tile, tally.count(tile))).collect()
}

const ALL: [&str; 4] = ["guard", "ogre", "ploughman", "vagabond"];

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn heat_map_counts_equal_those_of_a_plain_run_to_the_current_frame(
        actions in prop::collection::vec(action(), 1..14),
        scope in prop::sample::select(vec![HeatMapScope::Agent, HeatMapScope::All]),
        since in 0..6_usize,
    ) {
        let mut session = Session::new(opened());
        for (index, action) in actions.iter().enumerate() {
            if index == since {
                session.count_visits(Some(scope));
            }
            perform(&mut session, action);
        }
        session.count_visits(Some(scope));
        while !session.recall(|| true) {}
        let names = if scope == HeatMapScope::All { &ALL[..] } else { &ALL[..1] };
        prop_assert_eq!(counted(&session), plain(session.history(), names));
    }
}

fn session(map: &str) -> Session {
    let origin = tilewalk::builtin::text("walks.toml", map);
    let loaded = files::load(&origin, &Options::default()).expect("a text");
    let scenario = loaded.scenario.expect("a map without errors");
    Session::new(Opened::new("walks", "walks.toml", scenario))
}

const MEADOW: &str = "tiles = '''\n............\n............\n............\n'''\n\
    [[agent]]\nname = 'w'\ncount = 3\nat = 'anywhere'\nsteer = [{ do = 'wander' }]\n\
    [[agent]]\nname = 'loner'\nat = [0, 0]\nsteer = [{ do = 'wander' }]\n";

/// Changing a value creates a new scenario. The agents stay on their tiles, so no visits are added.
#[test]
fn changing_a_value_counts_no_visits() {
    let mut session = session(MEADOW);
    session.count_visits(Some(HeatMapScope::All));
    session.run(60, || true);
    let setting = files::settings::parse("w.max_speed=1").expect("a setting");
    session.change(&setting).expect("the value can be changed");
    session.run(60, || true);
    let names = ["w.1", "w.2", "w.3", "loner"];
    for frame in [121, 100, 61, 60, 59, 90, 3, 121, 0] {
        session.go_to(Frame(frame));
        while !session.pursue(|| true) {}
        while !session.recall(|| true) {}
        assert_eq!(counted(&session), plain(session.history(), &names), "frame {frame}");
    }
}

#[test]
fn the_heat_map_is_off_by_default_and_its_group_is_that_of_the_selected_agent() {
    let mut session = session(MEADOW);
    assert!(session.visits().is_none());
    session.run(200, || true);
    session.count_visits(Some(HeatMapScope::Group));
    while !session.recall(|| true) {}
    assert_eq!(session.visits().map(|visits| visits.counted().name()), Some("w"));
    assert_eq!(counted(&session), plain(session.history(), &["w.1", "w.2", "w.3"]));
    session.select_next(-1);
    session.count_visits(Some(HeatMapScope::Group));
    while !session.recall(|| true) {}
    assert_eq!(
        session.visits().map(|visits| visits.counted().name()),
        Some("loner"),
        "the agent has no group"
    );
    assert_eq!(counted(&session), plain(session.history(), &["loner"]));
    session.count_visits(None);
    assert!(session.visits().is_none());
}

/// Counting proceeds in slices and reports its progress. No counts are shown until counting is complete.
#[test]
fn visits_of_a_long_run_are_counted_in_slices() {
    let mut session = session(MEADOW);
    session.run(30_000, || true);
    session.count_visits(Some(HeatMapScope::All));
    let frame = session.world().frame();
    let percent = |session: &Session| session.visits().map(|visits| visits.percent(frame));
    let known = |session: &Session| session.visits().and_then(|visits| visits.at(frame)).is_some();
    assert!(!known(&session), "counting takes more than one slice");
    let mut last = 0;
    while !known(&session) {
        let mut left = 3000;
        session.recall(|| {
            left -= 1;
            left > 0
        });
        let now = percent(&session).expect("the progress");
        assert!((last..=100).contains(&now), "{last} then {now}");
        last = now;
    }
    assert_eq!(last, 100);
    // After a step back, the counts are known at once, because only the visits of one frame are subtracted.
    session.go_to(Frame(frame.0 - 1));
    assert!(session.visits().and_then(|visits: &Visits| visits.at(Frame(frame.0 - 1))).is_some());
    assert_eq!(counted(&session), plain(session.history(), &["w.1", "w.2", "w.3", "loner"]));
}
