//! In a saved frame, behaviours, modes and patterns that refer to an agent's home still refer to its
//! original start.

use tilewalk_files::{Options, write::frame_to_map};
use tilewalk_sim::agent::Drive;
use tilewalk_sim::command::Command;
use tilewalk_sim::geom::{TilePos, Vec2};
use tilewalk_sim::id::{AgentId, SteeringPathId};
use tilewalk_sim::pattern::Placement;
use tilewalk_sim::steering::{SPECS, Spec, Target, TargetKeys};
use tilewalk_sim::step::{step, step_with};
use tilewalk_sim::world::World;
use tilewalk_test_support::builtin;

/// The first agent, whose start is [`HOME`].
const A: AgentId = AgentId(0);

const HOME: Vec2 = Vec2::new(4.5, 4.5);

/// The position of the agent in the saved frame.
const AWAY: Vec2 = Vec2::new(30.5, 12.5);

/// Spellings of a mode. KEY stands for its key.
const MODES: [&str; 3] =
    ["KEY", "[[agent.mode]]\nname = 'go'\nKEY", "mode = [{ name = 'go', KEY }]"];

/// Spellings of a behaviour. KEYS stands for its keys on one line, and LINES for its keys on separate lines.
const BEHAVIOURS: [&str; 5] = [
    "steer = [{ KEYS }]",
    "[[agent.steer]]\nLINES",
    "[[agent.mode]]\nname = 'go'\nsteer = [{ KEYS }]",
    "[[agent.mode]]\nname = 'go'\n[[agent.mode.steer]]\nLINES",
    "mode = [{ name = 'go', steer = [{ KEYS }] }]",
];

fn read(text: &str) -> World {
    let origin = builtin::text("map.toml", text);
    let loaded = tilewalk_files::load(&origin, &Options::default()).expect("map is readable");
    let report = loaded.report.plain();
    World::new(loaded.scenario.unwrap_or_else(|| panic!("{report}\n{text}")))
}

/// Returns a map with an agent `a` that has the given keys, and another agent.
fn map(keys: &str) -> String {
    let tiles = format!("{}\n", ".".repeat(40)).repeat(20);
    format!(
        "tiles = '''\n{tiles}'''\n[[agent]]\nname = 'a'\nat = [4, 4]\n{keys}\n\
         [[agent]]\nname = 'b'\nat = [20, 2]\n"
    )
}

/// Moves the agent away from its start and saves the frame. Returns the world at this frame, the world of
/// the saved map at frame 0, and the text of the saved map.
fn saved(keys: &str) -> (World, World, String) {
    let mut world = read(&map(keys));
    step_with(&mut world, &[Command::Place { agent: A, at: AWAY }]);
    let text = frame_to_map::text(&world).unwrap_or_else(|why| panic!("{keys}: {why}"));
    let saved = read(&text);
    assert!(world.position(A).distance(AWAY) < 1.0, "{keys}");
    assert!(world.position(A).distance(saved.position(A)) < 1e-3, "{keys}");
    (world, saved, text)
}

fn drive(world: &World) -> &Drive {
    &world.kind(A).modes[0].drive
}

fn targets(world: &World) -> Vec<Target> {
    match drive(world) {
        Drive::Steer { rows, .. } => {
            rows.iter().flat_map(|row| [row.target, row.other]).flatten().collect()
        }
        Drive::Chase { target } | Drive::FleeTiles { target } | Drive::Travel { target } => {
            vec![*target]
        }
        other => panic!("no target: {other:?}"),
    }
}

/// Asserts that saving changes neither the targets nor the motion of the agent. Steps on tiles restart, so
/// its position may differ by one tile.
#[track_caller]
fn assert_keeps_home(keys: &str) {
    let (mut world, mut saved, text) = saved(keys);
    let home = |target: Target| if target == Target::Home { Target::Point(HOME) } else { target };
    let before: Vec<_> = targets(&world).into_iter().map(home).collect();
    assert!(before.contains(&Target::Point(HOME)), "{keys}");
    assert_eq!(targets(&saved), before, "{text}");
    for frame in 0..100 {
        let distance = world.position(A).distance(saved.position(A));
        let limit = if world.is_on_tiles(A) { 1.5 } else { 0.5 };
        assert!(distance < limit, "{keys}: {distance} at frame {frame}");
        step(&mut world);
        step(&mut saved);
    }
}

/// Returns further keys of a behaviour: those that it requires, or those that let `track` see its target
/// without noise.
fn required_keys(spec: &Spec) -> Vec<&'static str> {
    match spec.word {
        "tether" => vec!["radius = 2.0"],
        "offset_pursue" => vec!["offset = [1.0, 0.0]"],
        "track" => vec!["noise_chance = 0.0", "range = 100.0"],
        _ => vec![],
    }
}

#[test]
fn behaviours_with_home_as_target_keep_it_in_a_saved_frame() {
    let mut count = 0;
    for spec in SPECS {
        let target = match spec.subject {
            TargetKeys::Target(key) => format!("{key} = 'home'"),
            TargetKeys::Pair(key) => format!("{key} = ['b', 'home']"),
            TargetKeys::Heading(..) | TargetKeys::Nothing => continue,
        };
        let word = format!("do = '{}'", spec.word);
        let keys: Vec<&str> = [&*word, &*target].into_iter().chain(required_keys(spec)).collect();
        for spelling in BEHAVIOURS {
            let spelled = spelling.replace("KEYS", &keys.join(", "));
            assert_keeps_home(&spelled.replace("LINES", &keys.join("\n")));
            count += 1;
        }
    }
    assert!(count >= 80, "{count}");
}

#[test]
fn modes_with_home_as_target_keep_it_in_a_saved_frame() {
    for key in ["chase", "flee_tiles", "travel"] {
        for spelling in MODES {
            assert_keeps_home(&spelling.replace("KEY", &format!("{key} = 'home'")));
        }
    }
}

#[test]
fn the_current_mode_comes_first_in_a_saved_frame_with_inline_modes() {
    let switch = "switch = [{ when = 'time_in_mode > 0.1', to = 'go' }]";
    let mut world = read(&map(&format!(
        "mode = [{{ name = 'wait', {switch} }}, {{ name = 'go', travel = 'home' }}]"
    )));
    for _ in 0..20 {
        step(&mut world);
    }
    assert_eq!(world.mode(A).name, "go");
    let text = frame_to_map::text(&world).expect("frame can be saved");
    assert_eq!(read(&text).mode(A).name, "go", "{text}");
}

#[test]
fn patterns_keep_their_placement_in_a_saved_frame() {
    let at = Placement::At(TilePos::containing(HOME));
    for pattern in ["'rectangle'", "['rectangle', 'lane']"] {
        for spelling in MODES {
            let (_, saved, text) = saved(&spelling.replace("KEY", &format!("pattern = {pattern}")));
            assert!(drive(&saved).patterns().all(|used| used.placement == at), "{text}");
        }
    }
}

#[test]
fn followed_patterns_keep_their_points_in_a_saved_frame() {
    for word in ["follow_path", "stay_on_path"] {
        for spelling in BEHAVIOURS {
            let keys = [format!("do = '{word}'"), "pattern = 'rectangle'".to_owned()];
            let spelled = spelling.replace("KEYS", &keys.join(", "));
            let (world, saved, text) = saved(&spelled.replace("LINES", &keys.join("\n")));
            let points = |world: &World| {
                let path = world.path(A, SteeringPathId(0)).expect("agent has a path");
                (0..4).map(|index| path.point(index)).collect::<Vec<_>>()
            };
            assert_eq!(points(&saved), points(&world), "{text}");
        }
    }
}
