//! Properties of a run that continues with another scenario.

use std::sync::Arc;

use crate::support::maps;
use proptest::prelude::*;
use tilewalk::builtin;
use tilewalk::command::Command;
use tilewalk::files::{self, Options};
use tilewalk::history::{DEFAULT_BUDGET, History};
use tilewalk::scenario::Scenario;
use tilewalk::step::{step, step_with};
use tilewalk::time::Frame;
use tilewalk::world::World;
use toml_edit::{DocumentMut, Item, Table, value};

fn read(text: &str) -> Option<Arc<Scenario>> {
    let origin = builtin::text("edited", text);
    files::load(&origin, &Options::default()).ok()?.scenario
}

fn names() -> Vec<String> {
    builtin::maps().into_iter().map(|map| map.name).filter(|name| name != "big").collect()
}

/// The text of a shipped map.
fn text_of(scenario: &Scenario) -> String {
    scenario.sources().files[0].text.to_string()
}

/// A world of a scenario after some frames.
fn after(scenario: &Arc<Scenario>, frames: u64) -> World {
    let mut world = World::new(Arc::clone(scenario));
    for _ in 0..frames {
        step(&mut world);
    }
    world
}

/// A patrol that is left again and again, and goes on where it was left.
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

/// In whatever agents are: on their way, joining, chasing, with a pattern they have left.
#[test]
fn the_same_scenario_in_every_frame_changes_nothing() {
    const FRAMES: u64 = 700;
    let mut odd = Vec::new();
    let shipped = names().into_iter().map(|name| (maps::scenario(&name), name));
    let resuming = read(RESUMES).expect("a valid map");
    for (scenario, name) in shipped.chain([(resuming, "a map that resumes".to_owned())]) {
        let again = Arc::new(Scenario::clone(&scenario));
        let (mut plain, mut reloaded) = (after(&scenario, 0), after(&scenario, 0));
        for frame in 0..FRAMES {
            step(&mut plain);
            let next = if frame % 2 == 0 { &again } else { &scenario };
            // Not in every frame, so that what a reload leaves behind has time to show.
            let commands = [Command::Reload(Arc::clone(next))];
            let commands = if frame % 7 < 3 { &commands[..] } else { &[] };
            step_with(&mut reloaded, commands);
            if plain.hash() != reloaded.hash() || plain.events() != reloaded.events() {
                odd.push(format!("{name} at frame {frame}"));
                break;
            }
        }
    }
    assert!(odd.is_empty(), "{odd:?}");
}

#[test]
fn another_weight_changes_those_of_its_kind_alone_in_that_frame() {
    let mut tried = 0;
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
                tried += 1;
            }
        }
    }
    assert!(tried > 30, "{tried}");
}

/// One change of a map's text.
#[derive(Debug, Clone)]
enum Edit {
    Remove(usize),
    Rename(usize),
    Twin(usize),
    Turned,
    Count(usize, i64),
    Radius(usize, f64),
    Smoothing(usize, i64),
    Stand(usize),
    ModesTurned(usize),
    FirstModeGone(usize),
    Resume(usize),
    Wall(usize),
    Narrower,
    Lower,
    Taller,
}

fn edit() -> impl Strategy<Value = Edit> {
    let agent = 0..8_usize;
    prop_oneof![
        agent.clone().prop_map(Edit::Remove),
        agent.clone().prop_map(Edit::Rename),
        agent.clone().prop_map(Edit::Twin),
        Just(Edit::Turned),
        (agent.clone(), 1..9_i64).prop_map(|(agent, count)| Edit::Count(agent, count)),
        (agent.clone(), 0.05..0.5).prop_map(|(agent, radius)| Edit::Radius(agent, radius)),
        (agent.clone(), 0..9_i64).prop_map(|(agent, frames)| Edit::Smoothing(agent, frames)),
        agent.clone().prop_map(Edit::Stand),
        agent.clone().prop_map(Edit::ModesTurned),
        agent.clone().prop_map(Edit::FirstModeGone),
        agent.prop_map(Edit::Resume),
        any::<usize>().prop_map(Edit::Wall),
        Just(Edit::Narrower),
        Just(Edit::Lower),
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
        Edit::Twin(index) => {
            let agents = document["agent"].as_array_of_tables_mut().expect("agents");
            let mut twin = agents.get(index % agents.len()).expect("an agent").clone();
            twin["name"] = value("twin");
            let mut all: Vec<Table> = agents.iter().cloned().collect();
            all.insert(0, twin);
            *agents = all.into_iter().collect();
        }
        Edit::Turned => {
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
        Edit::ModesTurned(index) => with_agent(document, index, |agent| {
            let modes = agent.get_mut("mode").and_then(Item::as_array_of_tables_mut);
            if let Some(modes) = modes {
                let all: Vec<Table> = modes.iter().cloned().collect();
                *modes = all.into_iter().rev().collect();
            }
        }),
        Edit::FirstModeGone(index) => with_agent(document, index, |agent| {
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
        Edit::Lower => with_tiles(document, |rows| rows.truncate(rows.len() * 2 / 3)),
        Edit::Taller => with_tiles(document, |rows| rows.extend(rows.clone())),
    }
}

/// Nobody's body is in a wall, and every number is a number.
fn sound(world: &World) -> Result<(), TestCaseError> {
    let map = world.scenario().map();
    for id in world.ids() {
        let (at, name) = (world.position(id), world.scenario().name(id).to_string());
        prop_assert!(at.is_finite(), "{name} is nowhere");
        let ground = map.kind(world.tile(id));
        prop_assert!(ground.is_some_and(|kind| kind.walk), "{name} stands in a wall at {at}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_edited_the_run_goes_on(
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
        sound(&world)?;
        step_with(&mut world, &[Command::Reload(Arc::clone(&edited))]);
        sound(&world)?;
        for _ in 0..30 {
            step(&mut world);
            sound(&world)?;
        }
        // And back again.
        step_with(&mut world, &[Command::Reload(Arc::clone(&scenario))]);
        for _ in 0..10 {
            step(&mut world);
            sound(&world)?;
        }
    }
}

#[test]
fn a_run_with_a_reload_can_be_scrubbed_and_the_old_one_returned_to() {
    let scenario = maps::scenario("flock");
    let text = text_of(&scenario).replace("weight = 2, radius = 6", "weight = 0, radius = 6");
    let edited = read(&text.replace("count   = 60", "count   = 40")).expect("a valid map");
    let mut history = History::new(Arc::clone(&scenario), DEFAULT_BUDGET);
    history.go_to(Frame(60));
    let end = history.world().hash();
    history.go_to(Frame(30));
    history.step(&[Command::Reload(edited)]);
    history.go_to(Frame(50));
    let (there, first) = (history.world().hash(), history.present());
    assert_eq!((history.world().len(), history.comparison_world().map(World::len)), (40, Some(60)));
    for frame in [29, 30, 31, 50, 0, 31, 50] {
        history.go_to(Frame(frame));
        assert_eq!(history.world().len(), if frame > 30 { 40 } else { 60 });
    }
    assert_eq!(history.world().hash(), there);
    history.switch_run(history.comparison().expect("the run that was left"));
    history.go_to(Frame(60));
    assert!(history.present() != first && history.world().hash() == end);
}
