//! A map with one agent of every kind, and other small maps for the screen.

use std::sync::Arc;

use ratatui::layout::Rect;
use tilewalk::agent::{Drive, Mode};
use tilewalk::body::Body;
use tilewalk::depth::Depth;
use tilewalk::geom::{TilePos, Vec2};
use tilewalk::grid::Grid;
use tilewalk::map::{Corners, Edges, Map};
use tilewalk::pattern::matrix::DeadEnd;
use tilewalk::pattern::path::PathRules;
use tilewalk::pattern::steps::{StepsRow, Unit};
use tilewalk::pattern::thrust::{HeadingFrom, Leg};
use tilewalk::pattern::{MatrixPattern, PathPattern, Pattern, StepsPattern, ThrustPattern};
use tilewalk::steering::combine::Combine;
use tilewalk::steering::{AvoidObstacles, Behaviour, Target, WeightedBehaviour};
use tilewalk::tile::TileKind;
use tilewalk::tui::app::App;
use tilewalk::tui::theme::{Name, Theme};
use tilewalk::tui::{GalleryEntry, Opened, Start};

use crate::support::build;

const ROWS: [&str; 13] = [
    "##################",
    "#................#",
    "#................#",
    "#...TT...........#",
    "#...TT......~~...#",
    "#..........~~~~..#",
    "#..........~~~...#",
    "#................#",
    "#....,,....==....#",
    "#....,,,.........#",
    "#................#",
    "#................#",
    "##################",
];

fn ground() -> Map {
    let floor = TileKind::floor;
    let wall = TileKind { walk: false, opaque: true, ..floor("#", "wall") };
    let water = TileKind { walk: false, ..floor("~", "water") };
    let tree = TileKind { obstacle: Some(0.35), opaque: true, ..floor("T", "tree") };
    let rough = TileKind { cost: 2.0, ..floor(",", "rough") };
    let legend = vec![floor(".", "floor"), wall, water, tree, rough, floor("=", "bridge")];
    let cells = ROWS.concat().chars().map(|c| ".#~T,=".find(c).expect("a glyph") as u8).collect();
    let tiles = Grid::from_cells(ROWS[0].len() as u32, cells).expect("equal rows");
    Map::new(tiles, legend, vec![], Edges::Wall, Corners::default()).expect("a map")
}

fn tiles(places: &[(i32, i32)]) -> Vec<TilePos> {
    places.iter().map(|&(x, y)| TilePos::new(x, y)).collect()
}

fn path() -> Drive {
    let rules = PathRules { closed: true, ..PathRules::default() };
    let corners = tiles(&[(3, 2), (3, 10), (12, 10), (12, 2)]);
    build::absolute(Pattern::Path(PathPattern::new(&corners, rules).expect("a path")))
}

fn matrix() -> Drive {
    let mut allowed: Vec<_> = (2..9).flat_map(|x| [(x, 1), (x, 7)]).collect();
    allowed.extend((1..8).flat_map(|y| [(2, y), (8, y), (y + 1, y)]));
    let matrix = MatrixPattern::new(tiles(&allowed), true, DeadEnd::Back).expect("a matrix");
    build::absolute(Pattern::Matrix(matrix))
}

fn steps() -> Drive {
    let row = |turn, forward| StepsRow { turn, forward, ..StepsRow::default() };
    let stop = StepsRow { wait: 3, signal: Some("plough".to_owned()), ..StepsRow::default() };
    let rows = vec![row(0.0, 4.0), row(2.0, 2.0), stop, row(2.0, 4.0), row(2.0, 2.0)];
    build::absolute(Pattern::Steps(StepsPattern { rows, repeat: true, unit: Unit::Notches }))
}

/// The map, opened.
pub fn opened() -> Opened {
    let mut scenario = build::scenario(ground());
    build::edit(&mut scenario, |parts| parts.title = "Stage: one of every sort".into());
    build::edit(&mut scenario, |parts| parts.seed = 7);
    let looks = [("guard", "G"), ("ogre", "O"), ("ploughman", "P"), ("vagabond", "v")];
    let places = [(3, 2), (2, 1), (4, 8), (12, 9)];
    let drives = [path(), matrix(), steps(), build::wander()];
    for (((name, glyph), (x, y)), drive) in looks.into_iter().zip(places).zip(drives) {
        let pace = if name == "vagabond" { 1 } else { 4 };
        let at = TilePos::new(x, y).centre();
        build::add(&mut scenario, name, at, Body::default(), Drive::Stand);
        let mode = Mode::new(drive.word().to_owned(), pace, drive);
        build::edit(&mut scenario, |parts| {
            let kind = parts.kinds.last_mut().expect("just added");
            glyph.clone_into(&mut kind.glyph);
            kind.modes = vec![mode];
        });
    }
    let scenario = Arc::new(scenario);
    Opened::new("stage", "stage.toml", scenario)
}

/// A deer that runs at a tree, and whose wish to go home is almost always dithered out.
pub fn deer() -> Opened {
    let mut scenario = build::scenario(ground());
    build::edit(&mut scenario, |parts| parts.title = "Deer".into());
    let home = build::row(Behaviour::Seek, Some(Target::Home));
    let tree = build::row(Behaviour::AvoidObstacles(AvoidObstacles::default()), None);
    let ahead = build::row(Behaviour::Seek, Some(Target::Point(Vec2::new(12.5, 3.6))));
    let rows = vec![
        WeightedBehaviour { probability: 0.01, ..home },
        WeightedBehaviour { weight: 10.0, probability: 1.0, ..tree },
        ahead,
    ];
    let drive = Drive::Steer { combine: Combine::Dithered, rows };
    build::add(&mut scenario, "deer", Vec2::new(1.5, 3.6), Body::default(), drive);
    let scenario = Arc::new(scenario);
    Opened::new("deer", "deer.toml", scenario)
}

/// A craft on its way round a square.
pub fn craft() -> Opened {
    let mut scenario = build::scenario(ground());
    build::edit(&mut scenario, |parts| parts.title = "Craft".into());
    let ahead = Leg { until_moved: Some(3.0), ..Leg::default() };
    let turn = Leg { port: true, until_turned: Some(90.0), ..Leg::default() };
    let back =
        Leg { starboard: true, until_moved: Some(1.5), until_turned: Some(30.0), port: false };
    let legs = vec![ahead, turn, back, Leg::default()];
    let pattern = ThrustPattern { legs, heading_from: HeadingFrom::Velocity, repeat: true };
    let drive = build::absolute(Pattern::Thrust(pattern));
    build::add(&mut scenario, "craft", Vec2::new(9.5, 2.5), Body::default(), drive);
    let scenario = Arc::new(scenario);
    Opened::new("craft", "craft.toml", scenario)
}

/// The usual theme on a terminal of 256 colours.
pub fn colors() -> Theme {
    Theme::of(Name::Dark, Depth::Indexed)
}

/// A screen of a size that shows the map.
pub fn watching(width: u16, height: u16) -> App {
    App::new(entries(), Start::Map(opened()), Rect::new(0, 0, width, height), colors()).0
}

/// A screen of a size that shows the list of maps.
pub fn gallery(width: u16, height: u16) -> App {
    let mut app = App::new(entries(), Start::Gallery, Rect::new(0, 0, width, height), colors()).0;
    app.previewed(Ok(opened()));
    app
}

fn entries() -> Vec<GalleryEntry> {
    let entry = |id: &str, title: &str, comment: &str| GalleryEntry {
        id: id.to_owned(),
        title: title.to_owned(),
        comment: comment.to_owned(),
    };
    let comment = "A guard, an ogre, a ploughman and a vagabond share a meadow.\n\
                   Watch: each of them moves in a way of its own.\nTry: `pace`.";
    vec![
        entry("stage", "Stage: one of every sort", comment),
        entry("torus", "Torus: a world without edges", "Round and round."),
    ]
}
