//! Properties of runs in which a reload replaces the scenario.

use std::sync::Arc;

use proptest::prelude::*;
use tilewalk_files::Options;
use tilewalk_sim::command::Command;
use tilewalk_sim::history::{DEFAULT_BUDGET, History};
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::step::{step, step_with};
use tilewalk_sim::time::Frame;
use tilewalk_sim::world::World;
use tilewalk_test_support::builtin;
use toml_edit::{DocumentMut, Item, Table, value};

use crate::support::maps;

fn read(text: &str) -> Option<Arc<Scenario>> {
    let origin = builtin::text("edited", text);
    tilewalk_files::load(&origin, &Options::default()).ok()?.scenario
}

fn names() -> Vec<String> {
    builtin::maps().into_iter().map(|map| map.name).filter(|name| name != "big").collect()
}

/// Returns the text of the map file of a scenario.
fn text_of(scenario: &Scenario) -> String {
    scenario.sources().files[0].text.to_string()
}

/// Returns the world of a scenario after `frames` frames.
fn after(scenario: &Arc<Scenario>, frames: u64) -> World {
    let mut world = World::new(Arc::clone(scenario));
    for _ in 0..frames {
        step(&mut world);
    }
    world
}

/// A map with a guard that leaves its patrol repeatedly and resumes it where it left off.
const RESUMES: &str = r#"
tiles = '''
....................
....................
....................
....................
....................
....................
....................
....................
....................
....................
....................
....................
....................
....................
'''
[[agent]]
name = "guard"
at = [2, 2]
[[agent.mode]]
name = "patrol"
pattern = "there_and_back"
resume = true
switch = [{ when = "time_in_mode > 1.3", to = "away" }]
[[agent.mode]]
name = "away"
travel = [15, 9]
switch = [{ when = "time_in_mode > 0.7", to = "patrol" }]
"#;

/// Some agents of these maps travel, chase, are on the way to their pattern, or have left it for another
/// mode.
#[test]
fn reloading_an_equal_scenario_changes_nothing() {
    const FRAMES: u64 = 700;
    let mut differing = Vec::new();
    let shipped = names().into_iter().map(|name| (maps::scenario(&name), name));
    let resuming = read(RESUMES).expect("a valid map");
    for (scenario, name) in shipped.chain([(resuming, "a map that resumes".to_owned())]) {
        let again = Arc::new(Scenario::clone(&scenario));
        let (mut plain, mut reloaded) = (after(&scenario, 0), after(&scenario, 0));
        for frame in 0..FRAMES {
            step(&mut plain);
            let next = if frame % 2 == 0 { &again } else { &scenario };
            // The frames without a reload show whether a reload has a delayed effect.
            let commands = [Command::Reload(Arc::clone(next))];
            let commands = if frame % 7 < 3 { &commands[..] } else { &[] };
            step_with(&mut reloaded, commands);
            if plain.hash() != reloaded.hash() || plain.events() != reloaded.events() {
                differing.push(format!("{name} at frame {frame}"));
                break;
            }
        }
    }
    assert!(differing.is_empty(), "{differing:?}");
}

#[test]
fn a_reloaded_weight_changes_only_its_own_kind_in_the_frame_of_the_reload() {
    let mut checked = 0;
    for name in names() {
        let scenario = maps::scenario(&name);
        for kind in scenario.kinds() {
            let mut document: DocumentMut = text_of(&scenario).parse().expect("a map");
            let agents = document["agent"].as_array_of_tables_mut().expect("agents");
            let named = |agent: &Table| agent["name"].as_str() == Some(kind.name.as_str());
            let place = agents.iter().position(named).expect("the agent");
            let agent = agents.get_mut(place).expect("the agent");
            let Some(rows) = agent.get_mut("steer").and_then(Item::as_array_mut) else {
                continue;
            };
            let row = rows.get_mut(0).and_then(|row| row.as_inline_table_mut()).expect("a row");
            row.insert("weight", 0.37.into());
            let edited = read(&document.to_string()).expect("a valid map");
            for frame in [0, 40, 211] {
                let (mut plain, mut other) = (after(&scenario, frame), after(&scenario, frame));
                step(&mut plain);
                step_with(&mut other, &[Command::Reload(Arc::clone(&edited))]);
                for id in plain.ids().filter(|&id| plain.kind(id).name != kind.name) {
                    assert_eq!(plain.motion(id), other.motion(id), "{name}, {}", kind.name);
                    assert_eq!(plain.drive_state(id), other.drive_state(id), "{name}");
                }
                checked += 1;
            }
        }
    }
    assert!(checked > 30, "{checked}");
}

/// A random change of a map's text.
#[derive(Debug, Clone)]
enum Edit {
    Remove(usize),
    Rename(usize),
    Duplicate(usize),
    Reverse,
    Count(usize, i64),
    Radius(usize, f64),
    Smoothing(usize, i64),
    Stand(usize),
    ReverseModes(usize),
    RemoveFirstMode(usize),
    Resume(usize),
    Wall(usize),
    Narrower,
    Shorter,
    Taller,
}

fn edit() -> impl Strategy<Value = Edit> {
    let agent = 0..8_usize;
    prop_oneof![
        agent.clone().prop_map(Edit::Remove),
        agent.clone().prop_map(Edit::Rename),
        agent.clone().prop_map(Edit::Duplicate),
        Just(Edit::Reverse),
        (agent.clone(), 1..9_i64).prop_map(|(agent, count)| Edit::Count(agent, count)),
        (agent.clone(), 0.05..0.5).prop_map(|(agent, radius)| Edit::Radius(agent, radius)),
        (agent.clone(), 0..9_i64).prop_map(|(agent, frames)| Edit::Smoothing(agent, frames)),
        agent.clone().prop_map(Edit::Stand),
        agent.clone().prop_map(Edit::ReverseModes),
        agent.clone().prop_map(Edit::RemoveFirstMode),
        agent.prop_map(Edit::Resume),
        any::<usize>().prop_map(Edit::Wall),
        Just(Edit::Narrower),
        Just(Edit::Shorter),
        Just(Edit::Taller),
    ]
}

fn with_agent(document: &mut DocumentMut, index: usize, change: impl FnOnce(&mut Table)) {
    let agents = document["agent"].as_array_of_tables_mut().expect("agents");
    let count = agents.len().max(1);
    if let Some(agent) = agents.get_mut(index % count) {
        change(agent);
    }
}

fn with_tiles(document: &mut DocumentMut, change: impl FnOnce(&mut Vec<String>)) {
    let Some(tiles) = document.get("tiles").and_then(Item::as_str) else { return };
    let mut rows: Vec<String> = tiles.lines().map(str::to_owned).collect();
    change(&mut rows);
    document["tiles"] = value(rows.join("\n"));
}

fn set_body(agent: &mut Table, key: &str, number: impl Into<toml_edit::Value>) {
    if agent.get("body").is_none() {
        agent.insert("body", value(toml_edit::InlineTable::new()));
    }
    if let Some(body) = agent["body"].as_table_like_mut() {
        body.insert(key, value(number));
    }
}

fn apply(document: &mut DocumentMut, edit: &Edit) {
    match *edit {
        Edit::Remove(index) => {
            let agents = document["agent"].as_array_of_tables_mut().expect("agents");
            agents.remove(index % agents.len());
        }
        Edit::Rename(index) => with_agent(document, index, |a| a["name"] = value("somebody")),
        Edit::Duplicate(index) => {
            let agents = document["agent"].as_array_of_tables_mut().expect("agents");
            let mut twin = agents.get(index % agents.len()).expect("an agent").clone();
            twin["name"] = value("twin");
            let mut all: Vec<Table> = agents.iter().cloned().collect();
            all.insert(0, twin);
            *agents = all.into_iter().collect();
        }
        Edit::Reverse => {
            let agents = document["agent"].as_array_of_tables_mut().expect("agents");
            let all: Vec<Table> = agents.iter().cloned().collect();
            *agents = all.into_iter().rev().collect();
        }
        Edit::Count(index, count) => with_agent(document, index, |a| a["count"] = value(count)),
        Edit::Radius(index, radius) => {
            with_agent(document, index, |a| set_body(a, "radius", radius));
        }
        Edit::Smoothing(index, frames) => {
            with_agent(document, index, |a| set_body(a, "smoothing", frames));
        }
        Edit::Stand(index) => with_agent(document, index, |agent| {
            for key in ["mode", "steer", "combine", "pattern", "chase", "flee_tiles", "travel"]
                .into_iter()
                .chain(["keys", "pace", "offset", "choose", "resume", "switch"])
            {
                agent.remove(key);
            }
        }),
        Edit::ReverseModes(index) => with_agent(document, index, |agent| {
            let modes = agent.get_mut("mode").and_then(Item::as_array_of_tables_mut);
            if let Some(modes) = modes {
                let all: Vec<Table> = modes.iter().cloned().collect();
                *modes = all.into_iter().rev().collect();
            }
        }),
        Edit::RemoveFirstMode(index) => with_agent(document, index, |agent| {
            let modes = agent.get_mut("mode").and_then(Item::as_array_of_tables_mut);
            if let Some(modes) = modes {
                modes.remove(0);
                for mode in modes.iter_mut() {
                    mode.remove("switch");
                }
            }
        }),
        Edit::Resume(index) => with_agent(document, index, |agent| {
            let modes = agent.get_mut("mode").and_then(Item::as_array_of_tables_mut);
            for mode in modes.into_iter().flat_map(|modes| modes.iter_mut()) {
                if mode.contains_key("pattern") {
                    let resumes = mode.get("resume").and_then(Item::as_bool).unwrap_or(false);
                    mode["resume"] = value(!resumes);
                }
            }
        }),
        Edit::Wall(place) => with_tiles(document, |rows| {
            let row = place % rows.len();
            let width = rows[row].chars().count().max(1);
            let column = (place / 64) % width;
            let change = |(x, c)| if x / 2 == column / 2 { '#' } else { c };
            rows[row] = rows[row].chars().enumerate().map(change).collect();
        }),
        Edit::Narrower => with_tiles(document, |rows| {
            for row in rows {
                *row = row.chars().take(row.chars().count() * 2 / 3).collect();
            }
        }),
        Edit::Shorter => with_tiles(document, |rows| rows.truncate(rows.len() * 2 / 3)),
        Edit::Taller => with_tiles(document, |rows| rows.extend(rows.clone())),
    }
}

/// Checks that all positions are finite and on walkable tiles.
fn check_positions(world: &World) -> Result<(), TestCaseError> {
    let map = world.scenario().map();
    for id in world.ids() {
        let (at, name) = (world.position(id), world.scenario().name(id).to_string());
        prop_assert!(at.is_finite(), "{name} has no finite position");
        let ground = map.kind(world.tile(id));
        prop_assert!(ground.is_some_and(|kind| kind.walk), "{name} stands in a wall at {at}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn agents_stay_on_walkable_tiles_after_a_reload_of_any_edited_map(
        map in 0..64_usize,
        edits in prop::collection::vec(edit(), 1..4),
        frames in 0..300_u64,
    ) {
        let names = names();
        let scenario = maps::scenario(&names[map % names.len()]);
        let mut document: DocumentMut = text_of(&scenario).parse().expect("a map");
        for edit in &edits {
            if document.get("agent").and_then(Item::as_array_of_tables).is_some_and(|a| !a.is_empty()) {
                apply(&mut document, edit);
            }
        }
        let Some(edited) = read(&document.to_string()) else { return Ok(()) };
        let mut world = after(&scenario, frames);
        check_positions(&world)?;
        step_with(&mut world, &[Command::Reload(Arc::clone(&edited))]);
        check_positions(&world)?;
        for _ in 0..30 {
            step(&mut world);
            check_positions(&world)?;
        }
        // Reload the original scenario.
        step_with(&mut world, &[Command::Reload(Arc::clone(&scenario))]);
        for _ in 0..10 {
            step(&mut world);
            check_positions(&world)?;
        }
    }
}

#[test]
fn seeking_across_a_reload_and_in_the_previous_run_gives_the_same_frames() {
    let scenario = maps::scenario("flock");
    let text = text_of(&scenario).replace("weight = 2, radius = 6", "weight = 0, radius = 6");
    let edited = read(&text.replace("count   = 60", "count   = 40")).expect("a valid map");
    let mut history = History::new(Arc::clone(&scenario), DEFAULT_BUDGET);
    history.go_to(Frame(60));
    let end = history.world().hash();
    history.go_to(Frame(30));
    history.step(&[Command::Reload(edited)]);
    history.go_to(Frame(50));
    let (hash, reloaded_run) = (history.world().hash(), history.present());
    assert_eq!((history.world().len(), history.comparison_world().map(World::len)), (40, Some(60)));
    for frame in [29, 30, 31, 50, 0, 31, 50] {
        history.go_to(Frame(frame));
        assert_eq!(history.world().len(), if frame > 30 { 40 } else { 60 });
    }
    assert_eq!(history.world().hash(), hash);
    history.switch_run(history.comparison().expect("the previous run"));
    history.go_to(Frame(60));
    assert!(history.present() != reloaded_run && history.world().hash() == end);
}
