//! Values marked as unused never change a run of a shipped map. Each value marked as used changes at least
//! one run.

use std::collections::BTreeSet;
use std::sync::Arc;

use tilewalk_files::settings::{self, Setting};
use tilewalk_files::values::TunableValue;
use tilewalk_files::values::usage::AgentActivity;
use tilewalk_files::{Options, read::tuning};
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::step::step;
use tilewalk_sim::world::World;
use tilewalk_test_support::builtin;

const FRAMES: u32 = 100;

/// Number of frames after which each used value has changed a run. For example, the guard of the castle has
/// then seen the thief.
const LONG_FRAMES: u32 = 400;

/// Maps with more agents are skipped, because they take long and test no further values.
const MAX_AGENTS: usize = 150;

fn load(name: &str, set: Vec<Setting>) -> Arc<Scenario> {
    let options = Options { set, ..Options::default() };
    let loaded = tilewalk_files::load(&builtin::origin(name), &options).expect("a map");
    loaded.scenario.unwrap_or_else(|| panic!("{name} can't be read with {:?}", options.set))
}

/// Returns the state hashes of the first frames. They depend on the motion of agents, and not directly on
/// their values.
fn hashes(scenario: &Arc<Scenario>, frames: u32) -> Vec<u64> {
    let mut world = World::new(Arc::clone(scenario));
    let frame = |_| {
        step(&mut world);
        world.hash()
    };
    (0..frames).map(frame).collect()
}

/// Returns the values of agents that are marked as unused or, if `unused` is false, those marked as used.
fn tunables(scenario: &Scenario, unused: bool) -> Vec<TunableValue> {
    let of_kind = |kind: &tilewalk_sim::agent::AgentKind| {
        let activity = AgentActivity { scenario, kind, mode: None, by_hand: false };
        let ranked =
            activity.ranked(tuning::tunables(scenario.sources(), &kind.name).expect("values"));
        ranked.into_iter().filter(|each| each.unused().is_some() == unused).collect::<Vec<_>>()
    };
    scenario.kinds().iter().flat_map(of_kind).map(|ranked| ranked.tunable).collect()
}

/// Returns a setting with a slightly larger value, or a slightly smaller one if the value is at its upper
/// limit.
fn nudged(tunable: &TunableValue) -> Setting {
    let present = tunable.present();
    let other = |up| tunable.nudged(&present, up).filter(|text| *text != present);
    let value = other(true).or_else(|| other(false)).unwrap_or("90".to_owned());
    settings::with_text(&tunable.path, &value).expect("a setting")
}

/// Returns a setting with the largest or the smallest allowed value.
fn extreme(tunable: &TunableValue, largest: bool) -> Setting {
    let (low, high) = (tunable.range.start(), tunable.range.end());
    let value = if largest { high } else { low };
    settings::with_text(&tunable.path, &value.to_string()).expect("a setting")
}

fn small_maps() -> impl Iterator<Item = (String, Arc<Scenario>)> {
    let maps = builtin::maps().into_iter().map(|map| (map.name.clone(), load(&map.name, vec![])));
    maps.filter(|(_, scenario)| scenario.starts().len() <= MAX_AGENTS)
}

#[test]
fn unused_values_change_no_run_of_a_shipped_map() {
    let mut tried = BTreeSet::new();
    for (name, scenario) in small_maps() {
        let unused = tunables(&scenario, true);
        if unused.is_empty() {
            continue;
        }
        let plain = hashes(&scenario, FRAMES);
        let others =
            [nudged, |tunable: &_| extreme(tunable, true), |tunable: &_| extreme(tunable, false)];
        for other in others {
            let set = unused.iter().map(other).collect();
            let changed = hashes(&load(&name, set), FRAMES);
            let frame = plain.iter().zip(&changed).position(|(a, b)| a != b);
            assert_eq!(frame, None, "{name}: {:?}", unused.iter().map(|o| &o.path));
        }
        tried.extend(unused.iter().map(|tunable| tunable.key));
    }
    for key in ["mass", "max_speed", "max_turn_accel", "range", "keel", "probability", "every"] {
        assert!(tried.contains(key), "{key} is unused in no map: {tried:?}");
    }
}

#[test]
fn each_used_value_changes_a_run_of_a_shipped_map() {
    let mut without_effect: BTreeSet<String> = BTreeSet::new();
    let mut with_effect: BTreeSet<String> = BTreeSet::new();
    for (name, scenario) in small_maps() {
        let mut plain = None;
        for tunable in tunables(&scenario, false) {
            let inside = tunable.path.within_agent();
            let body = inside.starts_with("body.") || inside == "every";
            if !body || with_effect.contains(&*inside) {
                continue;
            }
            let plain = plain.get_or_insert_with(|| hashes(&scenario, LONG_FRAMES));
            // A slightly smaller view rarely hides an agent, so views get the smallest value.
            let view = inside.contains("view");
            let other = if view { extreme(&tunable, false) } else { nudged(&tunable) };
            let options = Options { set: vec![other], ..Options::default() };
            let loaded = tilewalk_files::load(&builtin::origin(&name), &options).expect("a map");
            let differs =
                loaded.scenario.is_some_and(|other| hashes(&other, LONG_FRAMES) != *plain);
            let list = if differs { &mut with_effect } else { &mut without_effect };
            list.insert(inside);
        }
    }
    let never: Vec<_> = without_effect.difference(&with_effect).collect();
    assert!(never.is_empty(), "marked as used, but without effect: {never:?}");
}
