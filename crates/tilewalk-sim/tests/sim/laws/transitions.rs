//! Properties of transitions, of sight and of last seen positions.

use std::sync::Arc;

use proptest::prelude::*;
use tilewalk_files::{Options, Origin};
use tilewalk_sim::event::EventKind;
use tilewalk_sim::geom::{TilePos, Vec2};
use tilewalk_sim::id::AgentId;
use tilewalk_sim::map::Edges;
use tilewalk_sim::steering::{SightTarget, Target};
use tilewalk_sim::step::step;
use tilewalk_sim::world::World;

use crate::support::build;

fn world(text: &str) -> World {
    let origin = tilewalk_test_support::builtin::text("rules.toml", text);
    let loaded = tilewalk_files::load(&origin, &Options::default()).expect("a map");
    World::new(loaded.scenario.unwrap_or_else(|| panic!("{}", loaded.report.plain())))
}

const ME: AgentId = AgentId(0);
const OTHER: AgentId = AgentId(1);

/// Returns the mode of the first agent in each of the next frames.
fn modes(world: &mut World, frames: usize) -> Vec<String> {
    (0..frames)
        .map(|_| {
            step(world);
            world.mode(ME).name.clone()
        })
        .collect()
}

const TWO_MODES: &str = r#"
tiles = "............"
[[agent]]
name = "a"
at = [0, 0]
[[agent.mode]]
name = "stay"
switch = [{ when = "time_in_mode >= 0.2", to = "go" }]
[[agent.mode]]
name = "go"
steer = [{ do = "seek", target = [9, 0] }]
switch = [{ when = "time_in_mode >= 0.1", to = "stay" }]
"#;

/// Transitions see the previous frame: a condition that holds at frame 4 changes the mode in frame 5.
#[test]
fn a_condition_that_holds_changes_the_mode_in_the_next_frame() {
    let mut world = world(TWO_MODES);
    let expected = ["stay", "stay", "stay", "stay", "go", "go", "go", "stay", "stay"];
    assert_eq!(modes(&mut world, 9), expected);
    // The frame of the change is frame 0 of the new mode, which already moves the agent.
    let mut world = self::world(TWO_MODES);
    (0..5).for_each(|_| step(&mut world));
    assert_eq!(world.frames_in_mode(ME), 0);
    assert!(world.velocity(ME).x > 0.0);
    let EventKind::Mode { from: 0, to: 1, rule: Some(0) } = world.events()[0].kind else {
        panic!("{:?}", world.events());
    };
}

/// If the mode of a pattern is entered in frame E, the first step is in frame E + pace.
#[test]
fn the_first_step_of_a_pattern_comes_pace_frames_after_its_mode_is_entered() {
    let folder = tempfile::tempdir().expect("a folder");
    let map = folder.path().join("walk.toml");
    let text = TWO_MODES
        .replace(r#"steer = [{ do = "seek", target = [9, 0] }]"#, "pattern = \"line\"\npace = 3");
    std::fs::write(&map, text.replace("0.1", "9")).expect("a map");
    let line = "kind = \"path\"\nvertices = [[0, 0], [9, 0]]\n";
    std::fs::write(folder.path().join("line.toml"), line).expect("a pattern");
    let loaded = tilewalk_files::load(&Origin::Disk(map), &Options::default()).expect("a map");
    let mut world = World::new(loaded.scenario.expect("a map without errors"));
    let mut stepped = Vec::new();
    for frame in 1..=14 {
        let before = world.tile(ME);
        step(&mut world);
        if world.tile(ME) != before {
            stepped.push(frame);
        }
    }
    assert_eq!(stepped, [8, 11, 14], "entered in frame 5");
}

/// Each agent switches to the mode that the other one had in the previous frame, so they swap modes in
/// every frame.
#[test]
fn all_transitions_of_a_frame_read_the_previous_frame() {
    let agent = |name: &str, other: &str, first: &str, second: &str| {
        format!(
            "[[agent]]\nname = \"{name}\"\nat = \"anywhere\"\n\
             [[agent.mode]]\nname = \"{first}\"\n\
             switch = [{{ when = '{other}.mode == \"{second}\"', to = \"{second}\" }}]\n\
             [[agent.mode]]\nname = \"{second}\"\n\
             switch = [{{ when = '{other}.mode == \"{first}\"', to = \"{first}\" }}]\n"
        )
    };
    let text = format!(
        "tiles = \"....\"\n{}{}",
        agent("a", "b", "red", "blue"),
        agent("b", "a", "blue", "red")
    );
    let mut world = world(&text);
    for frame in 0..6 {
        let (mine, others) = (&world.mode(ME).name, &world.mode(OTHER).name);
        let swapped = if frame % 2 == 0 { ("red", "blue") } else { ("blue", "red") };
        assert_eq!((mine.as_str(), others.as_str()), swapped);
        step(&mut world);
    }
}

#[test]
fn the_key_every_limits_the_frames_in_which_transitions_are_checked() {
    let text = TWO_MODES.replace("name = \"a\"", "name = \"a\"\nevery = 4");
    let mut world = world(&text);
    let changed: Vec<u64> = (0..40)
        .filter_map(|_| {
            step(&mut world);
            world.events().first().map(|event| event.frame.0)
        })
        .collect();
    assert_eq!(changed, [5, 9, 17, 21, 29, 33]);
}

#[test]
fn each_chance_holds_with_its_probability_and_independently_of_others() {
    let text = r#"
tiles = "...................."
[[agent]]
name = "a"
at = "anywhere"
[[agent.mode]]
name = "one"
switch = [
  { when = "chance(0.2) and chance(0.5)", to = "two" },
  { when = "chance(0.2)", to = "three" },
]
[[agent.mode]]
name = "two"
switch = [{ when = "true", to = "one" }]
[[agent.mode]]
name = "three"
switch = [{ when = "true", to = "one" }]
"#;
    let mut world = world(text);
    let (mut tries, mut two, mut three) = (0, 0, 0);
    for _ in 0..20_000 {
        tries += i32::from(world.mode(ME).name == "one");
        step(&mut world);
        two += i32::from(world.mode(ME).name == "two");
        three += i32::from(world.mode(ME).name == "three");
    }
    // The expected shares are 0.1 and 0.9 · 0.2 of the tries, each within four standard deviations.
    let expected = |share: f64| {
        (f64::from(tries) * share, 4.0 * (f64::from(tries) * share * (1.0 - share)).sqrt())
    };
    for (count, share) in [(two, 0.1), (three, 0.18)] {
        let (mean, tolerance) = expected(share);
        assert!((f64::from(count) - mean).abs() < tolerance, "{count} of {tries}, not {mean}");
    }
}

const SENTRY: &str = r#"
tiles = '''
..........
......#...
..........
'''
[[agent]]
name = "sentry"
at = [1, 1]
body = { view = { range = 7.9, angle = 360 } }
[[agent.mode]]
name = "watch"
switch = [{ when = "sees(mouse) and time_in_mode > 100", to = "search" }]
[[agent.mode]]
name = "search"
steer = [{ do = "arrive", target = "last_seen(mouse)" }]
[[agent]]
name = "mouse"
at = [9, 0]
body = { max_speed = 3, max_force = 1000, gain = 1000 }
steer = [{ do = "seek", target = [8, 2] }]
"#;

#[test]
fn seen_and_lost_events_alternate_and_the_last_seen_position_is_kept() {
    let mut world = world(SENTRY);
    let mouse = SightTarget::Agent(OTHER);
    assert!(!world.sight(ME, mouse).expect("a sight of the mouse").seen);
    assert!(world.see(ME, Target::LastSeen(mouse)).is_none(), "never seen");
    let mut kinds = Vec::new();
    for _ in 0..80 {
        step(&mut world);
        let sight = world.sight(ME, mouse).expect("a sight");
        assert_eq!(
            sight.seen,
            world.sees(ME, Target::Agent(OTHER)),
            "sight is updated in every frame"
        );
        if sight.seen {
            assert_eq!(sight.at, Some(world.position(OTHER)));
        }
        let last =
            world.see(ME, Target::LastSeen(mouse)).map(|seen| seen.offset + world.position(ME));
        assert_eq!(last, sight.at);
        kinds.extend(
            world.events().iter().filter(|event| event.agent == ME).map(|event| event.kind),
        );
    }
    assert_eq!(kinds.first(), Some(&EventKind::Seen(mouse)));
    for pair in kinds.windows(2) {
        assert_ne!(pair[0], pair[1], "seen and lost alternate");
    }
    assert!(kinds.contains(&EventKind::Lost(mouse)), "the wall hides the mouse: {kinds:?}");
}

/// Only the direction to the target counts, and not its distance.
#[test]
fn a_view_cone_has_the_same_angle_at_any_distance() {
    let rows = vec![".".repeat(200); 200];
    let mut scenario = build::scenario(build::map(&rows, Edges::Wall));
    let mut body = tilewalk_sim::body::Body::default();
    body.view = tilewalk_sim::body::View { range: 500.0, angle: 60_f32.to_radians() };
    let eye = Vec2::new(20.5, 100.5);
    build::add(&mut scenario, "eye", eye, body, tilewalk_sim::agent::Drive::Stand);
    let world = build::world(scenario);
    for distance in [0.6_f32, 2.0, 15.0, 90.0, 150.0] {
        for (degrees, seen) in [
            (0.0_f32, true),
            (29.0, true),
            (-29.0, true),
            (31.0, false),
            (-31.0, false),
            (180.0, false),
        ] {
            let direction = tilewalk_sim::geom::heading::from_degrees(degrees);
            let at = eye + direction * distance;
            let inside = TilePos::containing(at);
            if (0..200).contains(&inside.x) && (0..200).contains(&inside.y) {
                assert_eq!(world.sees(ME, Target::Point(at)), seen, "{degrees}° at {distance}");
            }
        }
    }
}

proptest! {
    #![proptest_config(build::cases(64))]

    /// All agents see in all directions. Two of them see each other, or neither sees the other.
    #[test]
    fn sight_between_agents_is_symmetric(
        cells in proptest::collection::vec(0_u8..4, 20 * 12),
        spots in proptest::collection::vec((0.05_f32..19.95, 0.05_f32..11.95), 6),
        wrap in any::<bool>(),
    ) {
        let rows: Vec<String> = cells
            .chunks(20)
            .map(|row| row.iter().map(|&cell| if cell == 0 { '#' } else { '.' }).collect())
            .collect();
        let edges = if wrap { Edges::Wrap } else { Edges::Wall };
        let mut scenario = build::scenario(build::map(&rows, edges));
        let body = tilewalk_sim::body::Body::default();
        for (index, &(x, y)) in spots.iter().enumerate() {
            let name = format!("a{index}");
            build::add(&mut scenario, &name, Vec2::new(x, y), body, tilewalk_sim::agent::Drive::Stand);
        }
        let world = World::new(Arc::new(scenario));
        for a in world.ids() {
            for b in world.ids() {
                let sees = world.sees(a, Target::Agent(b));
                prop_assert_eq!(sees, world.sees(b, Target::Agent(a)), "{:?} {:?}", a, b);
            }
        }
    }
}

/// Checks all pairs of tiles at most 6 tiles apart on 1,000 random maps. Every second map wraps, and 0 to 50
/// % of its tiles are opaque.
#[test]
fn sight_between_all_pairs_of_tiles_is_symmetric() {
    const RANGE: f32 = 6.0;
    let (mut seen, mut hidden) = (0_u32, 0_u32);
    for number in 0_u64..1000 {
        let rows: Vec<String> = (0..9_u64)
            .map(|y| {
                let wall = |x: u64| {
                    let hash = tilewalk_sim::rng::name_hash(&format!("{number} {x} {y}"));
                    hash % 100 < number % 51
                };
                (0..12).map(|x| if wall(x) { '#' } else { '.' }).collect()
            })
            .collect();
        let edges = if number % 2 == 0 { Edges::Wall } else { Edges::Wrap };
        let map = build::map(&rows, edges);
        let tiles: Vec<TilePos> = map.tiles().iter().map(|(tile, _)| tile).collect();
        for (index, a) in tiles.iter().enumerate() {
            for b in &tiles[index + 1..] {
                let (a, b) = (a.centre(), b.centre());
                if map.offset(a, b).length() > RANGE {
                    continue;
                }
                let sees = map.sees(a, b);
                assert_eq!(sees, map.sees(b, a), "{a} and {b} of map {number}: {rows:?}");
                *if sees { &mut seen } else { &mut hidden } += 1;
            }
        }
    }
    assert!(seen > 1_000_000 && hidden > 100_000, "{seen} seen, {hidden} hidden");
}
