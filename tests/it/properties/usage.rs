//! Values marked as unused never change a run of a shipped map. Each value marked as used changes at
//! least one.

use std::collections::BTreeSet;
use std::sync::Arc;

use tilewalk::builtin;
use tilewalk::files::settings::Setting;
use tilewalk::files::tunable::TunableValue;
use tilewalk::files::usage::AgentActivity;
use tilewalk::files::{self, Options, tuning};
use tilewalk::scenario::Scenario;
use tilewalk::step::step;
use tilewalk::world::World;

const FRAMES: u32 = 100;

/// Until then whatever counts has made a difference somewhere: the castle's guard has seen the thief.
const LONG: u32 = 400;

/// A map with many agents costs much, and says no more.
const MOST_AGENTS: usize = 150;

fn load(name: &str, set: Vec<Setting>) -> Arc<Scenario> {
    let options = Options { set, ..Options::default() };
    let loaded = files::load(&builtin::origin(name), &options).expect("a map");
    loaded.scenario.unwrap_or_else(|| panic!("{name} can't be read with {:?}", options.set))
}

/// The hashes of the first frames: they hold what agents do, and nothing of what they are.
fn hashes(scenario: &Arc<Scenario>, frames: u32) -> Vec<u64> {
    let mut world = World::new(Arc::clone(scenario));
    let frame = |_| {
        step(&mut world);
        world.hash()
    };
    (0..frames).map(frame).collect()
}

/// The numbers of all kinds of a map that nothing depends on; or those that are said to count.
fn tunables(scenario: &Scenario, unused: bool) -> Vec<TunableValue> {
    let of_kind = |kind: &tilewalk::agent::AgentKind| {
        let doing = AgentActivity { scenario, kind, mode: None, by_hand: false };
        let ranked =
            doing.ranked(tuning::tunables(scenario.sources(), &kind.name).expect("values"));
        ranked.into_iter().filter(|each| each.unused().is_some() == unused).collect::<Vec<_>>()
    };
    scenario.kinds().iter().flat_map(of_kind).map(|ranked| ranked.tunable).collect()
}

/// A little more, or less where there is no more.
fn nudged(tunable: &TunableValue) -> Setting {
    let present = tunable.present();
    let other = |up| tunable.nudged(&present, up).filter(|text| *text != present);
    let value = other(true).or_else(|| other(false)).unwrap_or("90".to_owned());
    Setting::of(&tunable.path, &value).expect("a setting")
}

/// The largest value there may be, or the least.
fn extreme(tunable: &TunableValue, largest: bool) -> Setting {
    let (low, high) = (tunable.range.start(), tunable.range.end());
    let value = if largest { high } else { low };
    Setting::of(&tunable.path, &value.to_string()).expect("a setting")
}

fn small_maps() -> impl Iterator<Item = (String, Arc<Scenario>)> {
    let maps = builtin::maps().into_iter().map(|map| (map.name.clone(), load(&map.name, vec![])));
    maps.filter(|(_, scenario)| scenario.starts().len() <= MOST_AGENTS)
}

#[test]
fn what_is_said_to_be_unused_makes_no_difference_in_any_shipped_map() {
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
        assert!(tried.contains(key), "{key} is unused nowhere: {tried:?}");
    }
}

#[test]
fn what_is_said_to_count_makes_a_difference_in_some_shipped_map() {
    let mut idle: BTreeSet<String> = BTreeSet::new();
    let mut counts: BTreeSet<String> = BTreeSet::new();
    for (name, scenario) in small_maps() {
        let mut plain = None;
        for tunable in tunables(&scenario, false) {
            let inside = tunable.path.within_agent();
            let body = inside.starts_with("body.") || inside == "every";
            if !body || counts.contains(&*inside) {
                continue;
            }
            let plain = plain.get_or_insert_with(|| hashes(&scenario, LONG));
            // A little less of a view seldom hides anybody.
            let view = inside.contains("view");
            let other = if view { extreme(&tunable, false) } else { nudged(&tunable) };
            let options = Options { set: vec![other], ..Options::default() };
            let loaded = files::load(&builtin::origin(&name), &options).expect("a map");
            let differs = loaded.scenario.is_some_and(|other| hashes(&other, LONG) != *plain);
            let list = if differs { &mut counts } else { &mut idle };
            list.insert(inside);
        }
    }
    let never: Vec<_> = idle.difference(&counts).collect();
    assert!(never.is_empty(), "said to count, but nothing depends on {never:?}");
}
