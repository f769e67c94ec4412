//! Properties of agents that are spawned and removed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tilewalk_files::Options;
use tilewalk_sim::event::EventKind;
use tilewalk_sim::geom::Vec2;
use tilewalk_sim::id::AgentId;
use tilewalk_sim::report::absence;
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::scenario::sources::{FileRole, SourceFile, Sources};
use tilewalk_sim::step::{SpawnWait, explain, spawn_wait, step};
use tilewalk_sim::world::World;

use crate::support::build;

const FIELD: &str = "
seed = 3
tiles = '''
....................
....................
....................
....................
....................
....................
'''
[places]
door = [19, 3]
";

/// Agents of a map: walkers that appear at a fixed rate and are removed at the door, and a plane that drops
/// bombs.
pub(super) const TRAFFIC: &str = "
[[agent]]
name = 'walker'
template = true
max = 4
at = { within = [0, 0, 3, 5] }
steer = [{ do = 'separation', weight = 2 }, { do = 'wander' }, { do = 'seek', target = 'door' }]
remove = 'distance(door) < 1'
[[agent]]
name = 'plane'
at = [4, 2]
pattern = 'flight'
[[agent]]
name = 'bomb'
template = true
max = 3
steer = [{ do = 'wander' }]
[[spawn]]
agent = 'walker'
every = 0.7
first = 0.3
[[on]]
signal = 'drop'
spawn = 'bomb'
inherit = 'velocity'
lifetime = 2.5
";

const FLIGHT: &str = "
kind = 'steps'
unit = 'degrees'
steps = [{ forward = 5 }, { signal = 'drop', forward = 1 }, { right = 180 }]
repeat = true
";

fn sources(agents: &str) -> Arc<Sources> {
    let file =
        |place, text: String| SourceFile { place, label: "law.toml".into(), text: text.into() };
    let files = vec![
        file(FileRole::Map, format!("{FIELD}{agents}")),
        file(FileRole::Pattern("flight".to_owned()), FLIGHT.to_owned()),
    ];
    Arc::new(Sources { files, ..Sources::default() })
}

pub(super) fn scenario(agents: &str) -> Arc<Scenario> {
    let loaded =
        tilewalk_files::reload(&sources(agents), &Options::default()).expect("stored files");
    loaded.scenario.unwrap_or_else(|| panic!("{}", loaded.report.plain()))
}

pub(super) fn world(agents: &str) -> World {
    World::new(scenario(agents))
}

pub(super) fn names(world: &World) -> Vec<String> {
    world.ids().map(|id| world.name(id).to_string()).collect()
}

/// Steps `frames` frames. Returns the frame numbers of all events of the type `word`, by agent name.
pub(super) fn frames_of(world: &mut World, frames: u64, word: &str) -> BTreeMap<String, Vec<u64>> {
    let mut found: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for _ in 0..frames {
        step(world);
        for event in world.events().iter().filter(|event| event.kind.word() == word) {
            let name = world.scenario().numbered(event.agent, event.number).to_string();
            found.entry(name).or_default().push(event.frame.0);
        }
    }
    found
}

#[test]
fn instances_appear_on_schedule_and_no_name_is_used_twice() {
    let mut world = world(
        "[[agent]]\nname = 'a'\ntemplate = true\nmax = 2\nat = [3, 3]\n\
         [[spawn]]\nagent = 'a'\nevery = 0.5\nfirst = 0.2\ntotal = 7\nlifetime = 0.8\n",
    );
    assert_eq!((names(&world), world.population()), (vec![], 0), "frame 0 has no instances");
    // A frame is 0.05 s. Each instance is removed before the next but one appears, so two slots are enough.
    let spawned = frames_of(&mut world, 200, "spawned");
    let expected = [4, 14, 24, 34, 44, 54, 64].map(|frame| vec![frame]);
    let all: Vec<_> = (1..=7).map(|number| format!("a.{number}")).collect();
    assert_eq!(spawned, all.into_iter().zip(expected).collect());
    assert_eq!(world.population(), 0);
}

/// In each frame, the start of the instance is a new random tile. All tiles but one are occupied.
#[test]
fn spawn_wait_reports_whether_the_random_position_is_free() {
    let tiles = (0..6).flat_map(|y| (0..20).map(move |x| (x, y))).skip(1);
    let solid = "body = { solid = true }\n";
    let post = |(x, y)| format!("[[agent]]\nname = 'p{x}_{y}'\nat = [{x}, {y}]\n{solid}");
    let posts: String = tiles.map(post).collect();
    let scenario = scenario(&format!(
        "{posts}[[agent]]\nname = 'a'\ntemplate = true\nmax = 2\nat = {{ within = [0, 0, 19, 5] }}\n\
         {solid}[[spawn]]\nagent = 'a'\nevery = 0.05\n"
    ));
    let mut seen = BTreeSet::new();
    for seed in 0..20 {
        let mut seeded = Scenario::clone(&scenario);
        build::edit(&mut seeded, |parts| parts.seed = seed);
        let mut world = build::world(seeded);
        for _ in 0..5 {
            let waits = spawn_wait(&world, 0);
            step(&mut world);
            let appears = world.events().iter().any(|event| event.kind.word() == "spawned");
            assert_eq!(waits, if appears { SpawnWait::Due(1) } else { SpawnWait::Closed });
            seen.insert(appears);
        }
    }
    assert_eq!(seen.len(), 2, "instances both appear and wait");
}

#[test]
fn instances_are_removed_after_their_lifetime_and_free_their_slots() {
    let mut world = world(
        "[[agent]]\nname = 'a'\ntemplate = true\nmax = 2\nat = [3, 3]\n\
         [[spawn]]\nagent = 'a'\nevery = 0.05\nlifetime = 0.5\n",
    );
    let gone = frames_of(&mut world, 40, "removed");
    let expected = [("a.1", 11), ("a.2", 12), ("a.3", 21), ("a.4", 22), ("a.5", 31), ("a.6", 32)];
    let expected = expected.map(|(name, frame)| (name.to_owned(), vec![frame]));
    assert_eq!(gone, expected.into_iter().collect());
}

#[test]
fn a_spawn_rule_waits_for_its_condition_and_for_a_free_position() {
    let mut world = world(
        "[[agent]]\nname = 'block'\nat = [3, 3]\nbody = { solid = true }\nremove = 'time > 1.99'\n\
         [[agent]]\nname = 'a'\ntemplate = true\nmax = 5\nat = [3, 3]\nbody = { solid = true }\n\
         remove = 'event(spawned)'\n\
         [[agent]]\nname = 'b'\ntemplate = true\nmax = 5\nat = [8, 3]\n\
         [[spawn]]\nagent = 'a'\nevery = 0.1\ntotal = 1\n\
         [[spawn]]\nagent = 'b'\nevery = 0.1\ntotal = 1\nwhen = 'event(block, removed)'\n",
    );
    for _ in 0..30 {
        step(&mut world);
    }
    let waiting = absence::of_name(&world, "a.1").expect("the agent is absent");
    assert!(waiting.ends_with("; waiting: the position is closed"), "{waiting}");
    let waiting = absence::of_name(&world, "b.1").expect("the agent is absent");
    assert!(waiting.ends_with("; waiting for its condition"), "{waiting}");
    let spawned = frames_of(&mut world, 30, "spawned");
    // The condition of `block` holds at frame 40, so `block` is removed in frame 41. The condition of
    // `b` sees this event in frame 42.
    let expected = [("a.1", 41), ("b.1", 42)].map(|(name, frame)| (name.to_owned(), vec![frame]));
    assert_eq!(spawned, expected.into_iter().collect());
}

#[test]
fn an_agent_spawned_by_a_signal_copies_the_motion_of_its_sender() {
    let mut world = world(TRAFFIC);
    let mut dropped = 0;
    for _ in 0..400 {
        step(&mut world);
        for event in world.events() {
            let EventKind::Spawned { by: Some(plane) } = event.kind else { continue };
            let bomb = event.agent;
            assert_eq!(world.name(plane).to_string(), "plane");
            assert_eq!(world.motion(bomb).position, world.motion(plane).position);
            assert_eq!(world.heading(bomb), world.heading(plane));
            assert_eq!(world.velocity(bomb), world.velocity(plane));
            assert_eq!(world.home(bomb), world.position(bomb));
            let sent = |event: &&tilewalk_sim::event::Event| {
                event.agent == plane && matches!(event.kind, EventKind::Signal { .. })
            };
            assert_eq!(world.events().iter().filter(sent).count(), 1, "in the same frame");
            dropped += 1;
        }
    }
    assert!(dropped > 20, "{dropped} bombs");
}

#[test]
fn population_and_memory_stay_within_max_while_agents_are_spawned() {
    let mut world = world(TRAFFIC);
    let bytes = world.state_bytes();
    for _ in 0..5000 {
        step(&mut world);
        assert!(world.population() <= 1 + 4 + 3);
    }
    assert_eq!(world.state_bytes(), bytes);
    let walker = world.scenario().kinds().iter().position(|kind| kind.name == "walker");
    assert!(world.appeared(walker.expect("the walkers") as u32) > 20);
}

/// Returns the positions of the agent `name` in the next `frames` frames.
fn track(mut world: World, name: &str, frames: u32) -> Vec<Vec2> {
    let id = world.find(name).expect("an agent of that name");
    let at = |_| {
        step(&mut world);
        world.position(id)
    };
    (0..frames).map(at).collect()
}

#[test]
fn adding_a_template_does_not_change_the_motion_of_other_agents() {
    const WANDERERS: &str = "[[agent]]\nname = 'w'\nat = 'anywhere'\ncount = 9\n\
        steer = [{ do = 'avoid_walls' }, { do = 'wander' }]\n";
    let mut more = TRAFFIC.replace("max = 4", "max = 50").replace("every = 0.7", "every = 0.05");
    let alone = format!("{more}{WANDERERS}");
    more += "[[agent]]\nname = 'spark'\ntemplate = true\nmax = 8\nsteer = [{ do = 'wander' }]\n\
        [[spawn]]\nagent = 'spark'\nat = 'anywhere'\nevery = 0.2\nlifetime = 1.1\n";
    let with = format!("{more}{WANDERERS}");
    for name in ["w.1", "w.5", "w.9", "plane"] {
        let before = track(world(WANDERERS_AND_PLANE), name, 300);
        for map in [&alone, &with] {
            assert_eq!(track(world(map), name, 300), before, "{name}");
        }
    }
}

const WANDERERS_AND_PLANE: &str = "[[agent]]\nname = 'plane'\nat = [4, 2]\npattern = 'flight'\n\
    [[agent]]\nname = 'w'\nat = 'anywhere'\ncount = 9\n\
    steer = [{ do = 'avoid_walls' }, { do = 'wander' }]\n";

#[test]
fn absent_agents_are_not_sensed() {
    // The same flock, with and without an agent that is removed in frame 1.
    let flock = |gone: &str| {
        format!(
            "{gone}[[agent]]\nname = 'boid'\ngroup = 'herd'\ncount = 40\nat = 'anywhere'\n\
             steer = [{{ do = 'separation' }}, {{ do = 'alignment' }}, {{ do = 'cohesion' }},\
             {{ do = 'avoid_agents' }}]\n\
             [[agent]]\nname = 'wolf'\ngroup = 'wolves'\nat = [0, 0]\nsteer = [{{ do = 'seek', target = 'herd' }}]\n\
             [[agent]]\nname = 'rook'\ngroup = 'wolves'\nat = [10, 0]\npace = 2\nchase = 'herd'\n"
        )
    };
    let gone = "[[agent]]\nname = 'gone'\ngroup = 'herd'\nat = [0, 0]\nbody = { solid = true }\n\
        remove = 'true'\n";
    let (mut with, mut without) = (world(&flock(gone)), world(&flock("")));
    assert_eq!(with.population(), without.population() + 1);
    for frame in 0..300 {
        step(&mut with);
        step(&mut without);
        for id in without.ids() {
            let twin = with.find(&without.name(id).to_string()).expect("an agent of that name");
            // In frame 1, transitions and conditions of removal still read frame 0, in which the agent is
            // present, but senses no longer find it.
            assert_eq!(with.motion(twin), without.motion(id), "frame {frame}");
        }
    }
    assert!(with.events().iter().all(|event| event.agent != AgentId(0)));
}

#[test]
fn conditions_about_an_absent_agent_are_false() {
    let scenario = scenario(TRAFFIC);
    let mut world = World::new(Arc::clone(&scenario));
    let holds = |world: &World, text: &str| {
        let mut condition =
            tilewalk_files::condition("test", text, &scenario).0.expect("a condition");
        let condition = condition.condition(&scenario).expect("a condition of this map");
        condition.holds(&tilewalk_sim::world::Look::at(world), None)
    };
    let never = [
        "walker.3.x < 99",
        "walker.3.x != 5",
        "walker.3.mode == \"steer\"",
        "walker.3.mode != \"steer\"",
        "distance(walker.3, plane) < 999",
        "distance(plane, walker.3) < 999",
        "distance(walker.3, walker.1) >= 0",
        "sees(plane, walker.3)",
        "in(walker.3, [0, 0, 19, 5])",
        "walker.3.blocked",
        "exists(walker.3)",
        "any(walker, x > -1)",
        "distance(plane, walker) < 999",
        "exists(walker)",
    ];
    for text in never {
        assert!(!holds(&world, text), "{text}");
    }
    assert!(holds(&world, "exists(plane) and all(walker, x > 99)"));
    let (mut appeared, mut left) = (false, false);
    for _ in 0..2000 {
        step(&mut world);
        appeared |=
            holds(&world, "event(walker.3, spawned) and exists(walker.3) and walker.3.x != 99");
        left |= holds(&world, "event(walker.3, removed) and not exists(walker.3)");
    }
    assert!(appeared && left);
    for text in never.iter().take(11) {
        assert!(!holds(&world, text), "{text}");
    }
}

#[test]
fn invalid_conditions_about_instances_are_errors() {
    let scenario = scenario(TRAFFIC);
    for (text, error) in [
        ("walker.0.x > 1", "unknown name `walker.0`"),
        ("walker.x > 1", "expected one agent, but `walker` is a group"),
        ("exists(door)", "expected an agent or a group"),
        ("exists()", "wrong number of arguments"),
        ("event(walker.1, appeared)", "unknown event `appeared`"),
    ] {
        let report = tilewalk_files::condition("test", text, &scenario).1.plain();
        assert!(report.contains(error), "{text}: {report}");
    }
}

#[test]
fn explaining_absent_agents_does_not_panic_and_reports_their_absence() {
    let mut world = world(TRAFFIC);
    for _ in 0..600 {
        let before = world.clone();
        step(&mut world);
        for id in (0..world.len() as u32).map(AgentId) {
            let why = explain(&before, id);
            assert_eq!(why.agent, id);
        }
        for name in ["walker.1", "walker.4", "walker.999", "bomb.2"] {
            let is_present = world.find(name).is_some();
            assert_eq!(absence::of_name(&world, name).is_none(), is_present, "{name}");
        }
    }
    let text = absence::of_name(&world, "walker.1").expect("the agent has left");
    assert_eq!(text, "walker.1 is not in the world at frame 600: it left the world earlier");
    assert_eq!(absence::of_name(&world, "nobody.1"), None);
}
