//! Builds scenarios in code, for properties that need many of them.

use std::sync::{Arc, LazyLock};

use tilewalk_sim::agent::{AgentKind, Drive, Mode, Placed};
use tilewalk_sim::body::Body;
use tilewalk_sim::geom::{TilePos, Vec2, heading};
use tilewalk_sim::grid::Grid;
use tilewalk_sim::id::AgentId;
use tilewalk_sim::map::{Corners, Edges, Map};
use tilewalk_sim::pattern::{Pattern, Placement};
use tilewalk_sim::scenario::parts::ScenarioParts;
use tilewalk_sim::scenario::{Scenario, Start};
use tilewalk_sim::steering::combine::Combine;
use tilewalk_sim::steering::{AvoidWalls, Behaviour, Target, Wander, WeightedBehaviour};
use tilewalk_sim::tile::TileKind;
use tilewalk_sim::world::World;

/// Builds a map from rows of `.` floor, `#` wall and `T` tree.
pub fn map(rows: &[String], edges: Edges) -> Map {
    let mut wall = TileKind::floor("#", "wall");
    (wall.walk, wall.opaque) = (false, true);
    let mut tree = TileKind::floor("T", "tree");
    tree.obstacle = Some(0.35);
    let legend = vec![TileKind::floor(".", "floor"), wall, tree];
    let cells = rows.iter().flat_map(|row| row.chars());
    let cells =
        cells.map(|glyph| ".#T".find(glyph).expect("the legend has the glyph") as u8).collect();
    let tiles = Grid::from_cells(rows[0].len() as u32, cells).expect("rows have equal length");
    Map::new(tiles, legend, vec![], edges, Corners::default()).expect("the map is valid")
}

/// Returns a scenario without agents.
pub fn scenario(map: Map) -> Scenario {
    let parts = ScenarioParts {
        traced: None,
        title: "test".to_owned(),
        tick: 0.05,
        seed: 1,
        map: Arc::new(map),
        places: vec![],
        kinds: vec![],
        starts: vec![],
        groups: vec![],
        paths: vec![],
        spawns: vec![],
        expectations: vec![],
        sources: Arc::default(),
    };
    parts.build().expect("valid parts")
}

/// Changes the parts of a scenario and builds it again.
#[track_caller]
pub fn edit(scenario: &mut Scenario, change: impl FnOnce(&mut ScenarioParts)) {
    static EMPTY: LazyLock<Scenario> =
        LazyLock::new(|| self::scenario(Map::drawn(&["."], Edges::Wall).expect("a map")));
    let mut parts = core::mem::replace(scenario, EMPTY.clone()).into_parts();
    change(&mut parts);
    *scenario = parts.build().expect("valid parts");
}

/// Adds one agent and returns its id.
pub fn add(scenario: &mut Scenario, name: &str, at: Vec2, body: Body, drive: Drive) -> AgentId {
    let id = AgentId(scenario.starts().len() as u32);
    let mode = Mode::new(drive.word().to_owned(), 1, drive);
    edit(scenario, |parts| {
        parts.starts.push(Start {
            kind: parts.kinds.len() as u32,
            number: 0,
            position: at,
            heading: heading::from_degrees(0.0),
            absent: false,
        });
        parts.kinds.push(AgentKind {
            name: name.to_owned(),
            glyph: "A".to_owned(),
            color: None,
            group: None,
            body,
            watched: vec![],
            every: 1,
            modes: vec![mode],
            first: id,
            count: 1,
            template: false,
            remove: None,
        });
    });
    id
}

/// Returns a steering behaviour of weight 1.
pub fn behaviour(behaviour: Behaviour, target: Option<Target>) -> WeightedBehaviour {
    WeightedBehaviour {
        behaviour,
        target,
        other: None,
        weight: 1.0,
        probability: 0.8,
        enabled: true,
    }
}

/// Returns a drive that wanders, but avoids walls first.
pub fn wander() -> Drive {
    let rows = vec![
        WeightedBehaviour {
            weight: 10.0,
            ..behaviour(Behaviour::AvoidWalls(AvoidWalls::default()), None)
        },
        behaviour(Behaviour::Wander(Wander::default()), None),
    ];
    Drive::Steer { combine: Combine::Prioritized, rows }
}

/// Returns a drive that seeks a point and avoids nothing.
pub fn seek(point: Vec2) -> Drive {
    let rows = vec![behaviour(Behaviour::Seek, Some(Target::Point(point)))];
    Drive::Steer { combine: Combine::Prioritized, rows }
}

/// Returns a drive that follows a pattern in map coordinates.
pub fn absolute_pattern(pattern: Pattern) -> Drive {
    Drive::Pattern(Placed {
        name: "test".to_owned(),
        pattern: Arc::new(pattern),
        placement: Placement::At(TilePos::new(0, 0)),
    })
}

/// Returns frame 0 of a scenario.
pub fn world(scenario: Scenario) -> World {
    World::new(Arc::new(scenario))
}

/// Returns the number of repetitions of a long test: the environment variable `TILEWALK_CASES`, or
/// `default` without it.
pub fn tries(default: usize) -> usize {
    std::env::var("TILEWALK_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Returns a configuration with as many cases as the environment variable `PROPTEST_CASES` sets, or
/// `default` without it.
pub fn cases(default: u32) -> proptest::test_runner::Config {
    let from_environment = std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok());
    // Some properties reject most random inputs.
    let max_global_rejects = 1_000_000;
    let cases = from_environment.unwrap_or(default);
    proptest::test_runner::Config { cases, max_global_rejects, ..Default::default() }
}
