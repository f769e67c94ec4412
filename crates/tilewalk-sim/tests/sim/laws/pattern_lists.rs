//! Lists of patterns: their order, random choices, and the change from one pattern to the next.

use std::sync::Arc;

use tilewalk_files::Options;
use tilewalk_sim::agent::{Choose, Drive, Placed};
use tilewalk_sim::body::Body;
use tilewalk_sim::event::EventKind;
use tilewalk_sim::geom::{TilePos, Vec2};
use tilewalk_sim::id::AgentId;
use tilewalk_sim::map::Edges;
use tilewalk_sim::pattern::path::{Ends, PathRules};
use tilewalk_sim::pattern::steps::{StepsRow, Unit};
use tilewalk_sim::pattern::thrust::{HeadingFrom, Leg};
use tilewalk_sim::pattern::{PathPattern, Pattern, Placement, StepsPattern, ThrustPattern};
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::step::step;
use tilewalk_sim::world::{Flags, World};

use super::tiles::hunter;
use crate::support::build;

const A: AgentId = AgentId(0);

/// Returns a path pattern that stops two columns to the right of its start and `y` rows below it.
fn short_path(y: i32) -> Pattern {
    let tiles = [TilePos::new(0, 0), TilePos::new(2, y)];
    Pattern::Path(
        PathPattern::new(&tiles, PathRules { ends: Ends::Stop, ..PathRules::default() }).unwrap(),
    )
}

fn turn() -> Pattern {
    let row = StepsRow { turn: 1.0, ..StepsRow::default() };
    Pattern::Steps(StepsPattern { rows: vec![row], repeat: true, unit: Unit::Notches })
}

fn with_patterns(patterns: Vec<Pattern>, choose: Choose, seed: u64) -> Scenario {
    let rows = vec![".".repeat(12); 8];
    let list = patterns.into_iter().enumerate().map(|(index, pattern)| Placed {
        name: format!("p{index}"),
        pattern: Arc::new(pattern),
        placement: Placement::Home,
    });
    let drive = Drive::Patterns { list: list.collect(), choose };
    let map = build::map(&rows, Edges::Wall);
    let mut scenario = hunter(map, TilePos::new(4, 3), drive, 1);
    build::edit(&mut scenario, |parts| parts.seed = seed);
    scenario
}

/// Steps until `count` further patterns have started. Returns their indices in the list.
fn next_patterns(world: &mut World, count: usize) -> Vec<u16> {
    let mut picks = Vec::new();
    while picks.len() < count {
        step(world);
        assert!(world.frame().0 < 100 * count as u64 + 100, "each pattern ends");
        for event in world.events().iter().filter(|event| event.agent == A) {
            if let EventKind::Pattern { pick } = event.kind {
                picks.push(pick);
            }
        }
    }
    picks
}

#[test]
fn patterns_cycle_in_the_order_of_the_list() {
    let mut world =
        build::world(with_patterns(vec![short_path(0), turn(), short_path(2)], Choose::Cycle, 1));
    assert_eq!(next_patterns(&mut world, 7), [1, 2, 0, 1, 2, 0, 1]);
    assert!(!world.flags(A).has(Flags::FINISHED));
}

/// All pairs of successive patterns are equally frequent (χ² test).
#[test]
fn random_patterns_are_chosen_uniformly_and_independently() {
    let mut world =
        build::world(with_patterns(vec![turn(), turn(), turn(), turn()], Choose::Random, 5));
    let picks = next_patterns(&mut world, 16_000);
    let mut counts = [0_u32; 16];
    for pair in picks.windows(2) {
        counts[usize::from(pair[0] * 4 + pair[1])] += 1;
    }
    let expected = (picks.len() - 1) as f64 / 16.0;
    let chi2: f64 = counts
        .iter()
        .map(|&n| (f64::from(n) - expected) * (f64::from(n) - expected) / expected)
        .sum();
    assert!(chi2 < 37.7, "χ² = {chi2} with 15 degrees of freedom (p < 0.001)");
}

#[test]
fn the_first_pattern_is_also_chosen_at_random() {
    let first = |seed| {
        let world = build::world(with_patterns(vec![turn(), turn()], Choose::Random, seed));
        world.pattern_use(A).expect("a pattern").name.clone()
    };
    let second = (0..400).filter(|&seed| first(seed) == "p1").count();
    assert!((150..250).contains(&second), "{second} of 400");
}

#[test]
fn random_patterns_depend_on_the_seed_and_not_on_other_agents() {
    let run = |seed, bystander| {
        let mut scenario =
            with_patterns(vec![short_path(0), turn(), short_path(2)], Choose::Random, seed);
        if bystander {
            let at = TilePos::new(11, 7).centre();
            build::add(&mut scenario, "by", at, Body::default(), Drive::Stand);
        }
        next_patterns(&mut build::world(scenario), 40)
    };
    assert_eq!(run(3, false), run(3, true));
    assert_ne!(run(3, false), run(4, false));
}

/// For each agent, the second pattern is placed at its own home, so the agent returns there to join it.
#[test]
fn each_agent_of_a_group_joins_its_next_path_at_its_own_home() {
    let rows = format!("{}\n", ".".repeat(30)).repeat(30);
    let text = format!(
        "tiles = '''\n{rows}'''\n[[agent]]\nname = \"a\"\nat = {{ within = [2, 2, 20, 12] }}\ncount = 9\n\
         pattern = [\"cast_off\", \"there_and_back\"]\npace = 1\n"
    );
    let origin = tilewalk_test_support::builtin::text("lot", text);
    let loaded = tilewalk_files::load(&origin, &Options::default()).expect("readable files");
    let mut world = World::new(loaded.scenario.expect("a valid map"));
    let mut joined = 0;
    for _ in 0..14 {
        step(&mut world);
        for event in world.events().iter().filter(|event| event.kind == EventKind::Joined) {
            let home = TilePos::containing(world.home(event.agent));
            assert_eq!((event.frame.0, world.tile(event.agent)), (12, home));
            joined += 1;
        }
    }
    assert_eq!(joined, 9);
}

/// Returns a thrust pattern that moves a craft straight ahead by a number of tiles.
fn sail(tiles: f32) -> Pattern {
    let leg = Leg { until_moved: Some(tiles), ..Leg::default() };
    let heading_from = HeadingFrom::default();
    Pattern::Thrust(ThrustPattern { legs: vec![leg], heading_from, repeat: true })
}

/// In a list, a thrust pattern ends after its last leg, even if `repeat` is true. The craft stops before a
/// pattern on tiles and starts the next thrust pattern at rest, but keeps its velocity between two thrust
/// patterns.
#[test]
fn a_craft_stops_between_a_thrust_pattern_and_a_pattern_on_tiles() {
    let mut world =
        build::world(with_patterns(vec![sail(1.5), turn(), short_path(0)], Choose::Cycle, 1));
    for pick in [1, 2, 0, 1, 2, 0] {
        while !world.events().iter().any(|event| event.kind == EventKind::Pattern { pick }) {
            step(&mut world);
            assert!(world.frame().0 < 1000);
        }
        assert_eq!((world.velocity(A), world.motion(A).angular_velocity), (Vec2::ZERO, 0.0));
        // Pattern 1 starts where the craft stopped, but both patterns on tiles end at the centre of a tile.
        if pick != 1 {
            assert_eq!(world.position(A), world.tile(A).centre(), "pattern {pick}");
        }
        assert_eq!(world.is_on_tiles(A), pick != 0);
        step(&mut world);
    }

    let mut world = build::world(with_patterns(vec![sail(1.0), sail(2.0)], Choose::Cycle, 1));
    for expected in [1, 0, 1] {
        assert_eq!(next_patterns(&mut world, 1), [expected]);
        assert!(world.velocity(A).length() > 0.5, "it keeps its velocity");
    }
}
