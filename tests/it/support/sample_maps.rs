//! Small maps for tests of the screen, such as one with an agent of every kind.

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
    let cells = ROWS
        .concat()
        .chars()
        .map(|c| ".#~T,=".find(c).expect("legend has the glyph") as u8)
        .collect();
    let tiles = Grid::from_cells(ROWS[0].len() as u32, cells).expect("rows have equal length");
    Map::new(tiles, legend, vec![], Edges::Wall, Corners::default()).expect("map is valid")
}

fn tiles(places: &[(i32, i32)]) -> Vec<TilePos> {
    places.iter().map(|&(x, y)| TilePos::new(x, y)).collect()
}

fn path() -> Drive {
    let rules = PathRules { closed: true, ..PathRules::default() };
    let corners = tiles(&[(3, 2), (3, 10), (12, 10), (12, 2)]);
    build::absolute_pattern(Pattern::Path(
        PathPattern::new(&corners, rules).expect("path is valid"),
    ))
}

fn matrix() -> Drive {
    let mut allowed: Vec<_> = (2..9).flat_map(|x| [(x, 1), (x, 7)]).collect();
    allowed.extend((1..8).flat_map(|y| [(2, y), (8, y), (y + 1, y)]));
    let matrix = MatrixPattern::new(tiles(&allowed), true, DeadEnd::Back).expect("matrix is valid");
    build::absolute_pattern(Pattern::Matrix(matrix))
}

fn steps() -> Drive {
    let row = |turn, forward| StepsRow { turn, forward, ..StepsRow::default() };
    let stop = StepsRow { wait: 3, signal: Some("plough".to_owned()), ..StepsRow::default() };
    let rows = vec![row(0.0, 4.0), row(2.0, 2.0), stop, row(2.0, 4.0), row(2.0, 2.0)];
    build::absolute_pattern(Pattern::Steps(StepsPattern {
        rows,
        repeat: true,
        unit: Unit::Notches,
    }))
}

/// Opens the map with one agent of every kind.
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
            let kind = parts.kinds.last_mut().expect("kind was added");
            glyph.clone_into(&mut kind.glyph);
            kind.modes = vec![mode];
        });
    }
    let scenario = Arc::new(scenario);
    Opened::new("stage", "stage.toml", scenario)
}

/// Opens a map with a deer that runs towards a tree. Dithering almost always skips its `seek` for home.
pub fn deer() -> Opened {
    let mut scenario = build::scenario(ground());
    build::edit(&mut scenario, |parts| parts.title = "Deer".into());
    let home = build::behaviour(Behaviour::Seek, Some(Target::Home));
    let tree = build::behaviour(Behaviour::AvoidObstacles(AvoidObstacles::default()), None);
    let ahead = build::behaviour(Behaviour::Seek, Some(Target::Point(Vec2::new(12.5, 3.6))));
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

/// Opens a map with a craft that repeats a pattern of four legs.
pub fn craft() -> Opened {
    let mut scenario = build::scenario(ground());
    build::edit(&mut scenario, |parts| parts.title = "Craft".into());
    let ahead = Leg { until_moved: Some(3.0), ..Leg::default() };
    let turn = Leg { port: true, until_turned: Some(90.0), ..Leg::default() };
    let back = Leg {
        starboard: true,
        until_moved: Some(1.5),
        until_turned: Some(30.0),
        port: false,
        signal: None,
    };
    let legs = vec![ahead, turn, back, Leg::default()];
    let pattern = ThrustPattern { legs, heading_from: HeadingFrom::Velocity, repeat: true };
    let drive = build::absolute_pattern(Pattern::Thrust(pattern));
    build::add(&mut scenario, "craft", Vec2::new(9.5, 2.5), Body::default(), drive);
    let scenario = Arc::new(scenario);
    Opened::new("craft", "craft.toml", scenario)
}

/// Returns the default theme for a terminal with 256 colours.
pub fn dark_theme() -> Theme {
    Theme::of(Name::Dark, Depth::Indexed)
}

/// Returns a screen of a given size that shows the map.
pub fn map_screen(width: u16, height: u16) -> App {
    App::new(entries(), Start::Map(opened()), Rect::new(0, 0, width, height), dark_theme()).0
}

/// Returns a screen of a given size that shows the gallery.
pub fn gallery(width: u16, height: u16) -> App {
    let mut app =
        App::new(entries(), Start::Gallery, Rect::new(0, 0, width, height), dark_theme()).0;
    app.previewed(Ok(opened()));
    app
}

fn entries() -> Vec<GalleryEntry> {
    let entry = |id: &str, title: &str, comment: &str| GalleryEntry {
        id: id.to_owned(),
        title: title.to_owned(),
        comment: comment.to_owned(),
        error: None,
    };
    let comment = "A guard, an ogre, a ploughman and a vagabond share a meadow.\n\
                   Watch: each of them moves in a way of its own.\nTry: `pace`.";
    vec![
        entry("stage", "Stage: one of every sort", comment),
        entry("torus", "Torus: a world without edges", "Round and round."),
    ]
}
