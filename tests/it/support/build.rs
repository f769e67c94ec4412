//! Scenarios made by hand, for laws that need many of them.

use std::sync::{Arc, LazyLock};

use tilewalk::agent::{AgentKind, Drive, Mode, Placed};
use tilewalk::body::Body;
use tilewalk::geom::{TilePos, Vec2, heading};
use tilewalk::grid::Grid;
use tilewalk::id::AgentId;
use tilewalk::map::{Corners, Edges, Map};
use tilewalk::pattern::{Pattern, Placement};
use tilewalk::scenario::parts::ScenarioParts;
use tilewalk::scenario::{Scenario, Start};
use tilewalk::steering::combine::Combine;
use tilewalk::steering::{AvoidWalls, Behaviour, Target, Wander, WeightedBehaviour};
use tilewalk::tile::TileKind;
use tilewalk::world::World;

/// A map drawn with `.` floor, `#` wall and `T` tree.
pub fn map(rows: &[String], edges: Edges) -> Map {
    let mut wall = TileKind::floor("#", "wall");
    (wall.walk, wall.opaque) = (false, true);
    let mut tree = TileKind::floor("T", "tree");
    tree.obstacle = Some(0.35);
    let legend = vec![TileKind::floor(".", "floor"), wall, tree];
    let cells = rows.iter().flat_map(|row| row.chars());
    let cells =
        cells.map(|glyph| ".#T".find(glyph).expect("a glyph of the legend") as u8).collect();
    let tiles = Grid::from_cells(rows[0].len() as u32, cells).expect("rows of equal length");
    Map::new(tiles, legend, vec![], edges, Corners::default()).expect("a map")
}

/// A scenario without agents.
pub fn scenario(map: Map) -> Scenario {
    let parts = ScenarioParts {
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

/// Changes the parts of a scenario, and checks them again.
#[track_caller]
pub fn edit(scenario: &mut Scenario, change: impl FnOnce(&mut ScenarioParts)) {
    static EMPTY: LazyLock<Scenario> =
        LazyLock::new(|| self::scenario(Map::drawn(&["."], Edges::Wall).expect("a map")));
    let mut parts = core::mem::replace(scenario, EMPTY.clone()).into_parts();
    change(&mut parts);
    *scenario = parts.build().expect("valid parts");
}

/// Adds one agent; returns its number.
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

/// A steering row of weight 1.
pub fn row(behaviour: Behaviour, target: Option<Target>) -> WeightedBehaviour {
    WeightedBehaviour {
        behaviour,
        target,
        other: None,
        weight: 1.0,
        probability: 0.8,
        enabled: true,
    }
}

/// Wandering with walls avoided first.
pub fn wander() -> Drive {
    let rows = vec![
        WeightedBehaviour {
            weight: 10.0,
            ..row(Behaviour::AvoidWalls(AvoidWalls::default()), None)
        },
        row(Behaviour::Wander(Wander::default()), None),
    ];
    Drive::Steer { combine: Combine::Prioritized, rows }
}

/// Steering straight at a point, whatever stands between.
pub fn seek(point: Vec2) -> Drive {
    let rows = vec![row(Behaviour::Seek, Some(Target::Point(point)))];
    Drive::Steer { combine: Combine::Prioritized, rows }
}

/// A pattern whose tiles are tiles of the map.
pub fn absolute(pattern: Pattern) -> Drive {
    Drive::Pattern(Placed {
        name: "test".to_owned(),
        pattern: Arc::new(pattern),
        placement: Placement::At(TilePos::new(0, 0)),
    })
}

/// Frame 0.
pub fn world(scenario: Scenario) -> World {
    World::new(Arc::new(scenario))
}

/// How often a long test tries: a few times as a rule, `TILEWALK_CASES` times where figures are
/// wanted.
pub fn tries(few: usize) -> usize {
    std::env::var("TILEWALK_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(few)
}

/// So many cases, or as many as the environment variable `PROPTEST_CASES` asks for.
pub fn cases(usual: u32) -> proptest::test_runner::Config {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok());
    // Some laws pass most of what chance offers over.
    let max_global_rejects = 1_000_000;
    let cases = asked.unwrap_or(usual);
    proptest::test_runner::Config { cases, max_global_rejects, ..Default::default() }
}
