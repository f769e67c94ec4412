//! Reloads during a run: which state agents keep when agents, the map or conditions change.

use std::sync::Arc;

use tilewalk_files::Options;
use tilewalk_sim::command::Command;
use tilewalk_sim::event::Obstruction;
use tilewalk_sim::id::AgentId;
use tilewalk_sim::report::explanation::AgentStep;
use tilewalk_sim::rng::{RngKey, Use, name_hash};
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::step::{explain_with, step, step_with};
use tilewalk_sim::world::{Flags, World};

fn scenario(text: &str) -> Arc<Scenario> {
    let origin = tilewalk_test_support::builtin::text("reloaded.toml", text);
    let loaded = tilewalk_files::load(&origin, &Options::default()).expect("a map");
    loaded.scenario.unwrap_or_else(|| panic!("{}", loaded.report.plain()))
}

/// Returns a map: floor with a wall around it, and the tables in `rest`.
fn field(width: usize, height: usize, rest: &str) -> String {
    let wall = "#".repeat(width + 2);
    let rows = format!("#{}#\n", ".".repeat(width)).repeat(height);
    format!("tiles = '''\n{wall}\n{rows}{wall}\n'''\n{rest}")
}

fn run(text: &str, frames: u64) -> World {
    let mut world = World::new(scenario(text));
    for _ in 0..frames {
        step(&mut world);
    }
    world
}

/// Steps one frame in which the map is reloaded from `text`.
fn reload(world: &mut World, text: &str) {
    step_with(world, &[Command::Reload(scenario(text))]);
}

fn find(world: &World, name: &str) -> AgentId {
    world.find(name).unwrap_or_else(|| panic!("no {name}"))
}

#[test]
fn a_reload_matches_the_blocking_agent_by_name() {
    let walker = "[[agent]]\nname = \"a\"\nat = [1, 1]\ntravel = [8, 1]\npace = 10\n";
    let blocker = "[[agent]]\nname = \"b\"\nat = [4, 1]\nbody = { solid = true }\n";
    let other = "[[agent]]\nname = \"c\"\nat = [7, 1]\n";
    let both = field(8, 1, &format!("{walker}{other}{blocker}"));
    let mut world = run(&both, 45);
    let a = find(&world, "a");
    assert_eq!(world.obstruction(a), Some(Obstruction::Agent(find(&world, "b"))));
    reload(&mut world, &field(8, 1, &format!("{other}{blocker}{walker}")));
    let a = find(&world, "a");
    assert_eq!(world.obstruction(a), Some(Obstruction::Agent(find(&world, "b"))), "its id changed");
    reload(&mut world, &field(8, 1, walker));
    let a = find(&world, "a");
    assert_eq!((world.obstruction(a), world.flags(a).has(Flags::BLOCKED)), (None, false));
    for _ in 0..200 {
        step(&mut world);
    }
    assert!(world.tile(a).x > 6, "the route is free: {}", world.tile(a));
}

#[test]
fn a_reload_onto_a_narrower_torus_wraps_the_positions_of_agents() {
    let torus = |width: usize| {
        let rows = format!("{}\n", ".".repeat(width)).repeat(6);
        format!(
            "edges = \"wrap\"\ntiles = '''\n{rows}'''\n[[agent]]\nname = \"a\"\nat = [45, 3]\n\
             travel = [2, 2]\npace = 9\n[[agent]]\nname = \"b\"\nat = [50, 4]\n\
             body = {{ solid = true }}\n"
        )
    };
    let narrow = torus(20).replace("at = [45, 3]", "at = [5, 3]").replace("[50, 4]", "[10, 4]");
    let mut world = run(&torus(60), 3);
    reload(&mut world, &narrow);
    for _ in 0..200 {
        for id in world.ids() {
            assert!((0.0..20.0).contains(&world.position(id).x), "{}", world.position(id));
        }
        step(&mut world);
    }
    assert_eq!((world.tile(AgentId(0)).x, world.tile(AgentId(0)).y), (2, 2));
}

/// The thief starts in view of the guard and leaves it. Then a reload adds a condition, which must use the
/// current position of the thief, not its start.
#[test]
fn a_condition_added_by_a_reload_does_not_see_a_target_that_has_left() {
    let map = |switch: &str| {
        field(
            30,
            3,
            &format!(
                "[[agent]]\nname = \"guard\"\nat = [1, 1]\nbody = {{ view = {{ range = 4 }} }}\n\
                 [[agent.mode]]\nname = \"rest\"\n{switch}[[agent.mode]]\nname = \"hunt\"\n\
                 chase = \"thief\"\n[[agent]]\nname = \"thief\"\nat = [3, 1]\ntravel = [28, 1]\n\
                 pace = 1\n"
            ),
        )
    };
    let mut world = run(&map(""), 25);
    reload(&mut world, &map("switch = [{ when = \"sees(thief)\", to = \"hunt\" }]\n"));
    let guard = find(&world, "guard");
    let [sight] = world.sights(guard) else { panic!("one watched target") };
    assert_eq!((sight.seen, sight.at), (false, None));
    step(&mut world);
    assert_eq!(world.mode(guard).name, "rest");
    assert_eq!(world.events(), []);
}

#[test]
fn a_reload_that_changes_ids_keeps_events_with_their_agents() {
    let switch = "[[agent.mode]]\nname = \"go\"\nsteer = [{ do = \"seek\", target = [9, 1] }]\n\
                  switch = [{ when = \"event(bump)\", to = \"rest\" }]\n[[agent.mode]]\nname = \"rest\"\n";
    let guard = format!("[[agent]]\nname = \"guard\"\nat = [5, 1]\n{switch}");
    let ant = format!("[[agent]]\nname = \"ant\"\nat = [1, 1]\n{switch}");
    let alone = field(8, 1, &guard);
    let mut world = run(&alone, 0);
    while world.events().iter().all(|event| event.kind.word() != "bump") {
        step(&mut world);
        assert!(world.frame().0 < 200, "the guard reaches the wall");
    }
    reload(&mut world, &field(8, 1, &format!("{ant}{guard}")));
    let modes = ["ant", "guard"].map(|name| world.mode(find(&world, name)).name.clone());
    assert_eq!(modes, ["go", "rest"]);
}

#[test]
fn a_timer_added_by_a_reload_does_not_inherit_the_count_of_a_signal() {
    let map = |timer: &str| {
        field(
            20,
            3,
            &format!(
                "[[agent]]\nname = \"gun\"\nat = [1, 1]\n\
                 pattern = \"sortie\"\n\
                 pace = 2\n[[agent]]\nname = \"missile\"\ntemplate = true\nmax = 50\n{timer}\
                 [[on]]\nsignal = \"bomb\"\nspawn = \"missile\"\nlifetime = 0.2\n"
            ),
        )
    };
    let mut world = run(&map(""), 0);
    let missile = world.scenario().starts()[1].kind;
    while world.appeared(missile) < 3 {
        step(&mut world);
        assert!(world.frame().0 < 2000, "three bombs");
    }
    reload(
        &mut world,
        &map("[[spawn]]\nagent = \"missile\"\nat = [9, 1]\nevery = 1000\nfirst = 0.5\ntotal = 1\n"),
    );
    let counts: Vec<_> = world.spawners().iter().map(|it| it.spawned).collect();
    assert_eq!(counts[0], 0, "{counts:?}");
    assert_eq!(counts[1], 3, "{counts:?}");
    for _ in 0..20 {
        step(&mut world);
    }
    assert_eq!(world.spawners()[0].spawned, 1);
}

/// The reload adds an agent before the others, so the ids of the explained agents change.
#[test]
fn explanations_match_agents_by_name_in_the_frame_of_a_reload() {
    let agent = |name: &str, x: u32| {
        format!("[[agent]]\nname = \"{name}\"\nat = [{x}, 1]\nsteer = [{{ do = \"wander\" }}]\n")
    };
    let (cat, dog) = (agent("cat", 2), agent("dog", 9));
    let before = run(&field(20, 3, &format!("{cat}{dog}")), 30);
    let commands =
        [Command::Reload(scenario(&field(20, 3, &format!("{}{cat}{dog}", agent("ant", 15)))))];
    let mut now = before.clone();
    step_with(&mut now, &commands);
    for name in ["cat", "dog"] {
        let (was, agent) = (find(&before, name), find(&now, name));
        let why = explain_with(&before, &commands, [agent]).pop();
        assert_eq!(why.as_ref().map(|why| why.forces.rows.is_empty()), Some(false), "{name}");
        let step = AgentStep { agent, before: Some(&before), now: &now, why: why.as_ref() };
        let report = step.report();
        let at = before.position(was);
        assert_eq!(report.before.map(|state| [state.x, state.y]), Some([at.x, at.y]), "{name}");
    }
    let ant = find(&now, "ant");
    assert!(explain_with(&before, &commands, [ant]).is_empty());
    let step = AgentStep { agent: ant, before: Some(&before), now: &now, why: None };
    assert_eq!(step.report().before, None);
}

/// The random numbers of an instance depend on its name, even in the frame of a reload.
#[test]
fn random_numbers_depend_on_instance_names_after_a_reload() {
    let map = |height: usize| {
        field(
            20,
            height,
            "[[agent]]\nname = \"walker\"\ntemplate = true\nmax = 2\n\
             pattern = [\"jig\", \"hop\", \"zigzag\", \"square\", \"snake\", \"rectangle\"]\n\
             choose = \"random\"\n\
             [[spawn]]\nagent = \"walker\"\nat = [9, 4]\nevery = 0.1\nlifetime = 0.15\n",
        )
    };
    let mut checked = 0;
    for frames in 20..60 {
        let mut world = run(&map(10), frames);
        let before: Vec<_> =
            world.ids().map(|id| (world.name(id).to_string(), world.number(id))).collect();
        let frame = world.frame().0;
        reload(&mut world, &map(12));
        for (name, _) in before {
            let Some(id) = world.find(&name) else { continue };
            let mode = world.mode(id);
            let agent = name_hash(&name);
            let seed = world.scenario().seed();
            let key = RngKey { seed, frame, agent, mode: mode.key, behaviour: 0 };
            let expected = key.stream(Use::Pattern).index(6);
            assert_eq!(world.pick(id), expected as u16, "{name} in frame {frame}");
            checked += 1;
        }
    }
    assert!(checked > 20, "{checked}");
}
