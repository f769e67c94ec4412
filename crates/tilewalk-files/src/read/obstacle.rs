//! Reads obstacles (`[[obstacle]]`) and free walls (`[[wall]]`). Checks the size of bodies and
//! obstacles that are wider than a tile.

use crate::formats::tiled::DrawnWall;
use crate::keys::map::{
    MAX_LARGE_OBSTACLES, MAX_OBSTACLES, MAX_WALL_LENGTH, MAX_WALLS, OBSTACLE, WALL,
};
use crate::read::agent::AgentDraft;
use crate::show;
use crate::text::diagnostic::{Diagnostic, Issues};
use crate::text::reader::{Entry, Pair, TableReader};
use tilewalk_sim::geom::{TilePos, Vec2};
use tilewalk_sim::grid::Grid;
use tilewalk_sim::map::{Edges, Map, Obstacle, TILE_RADIUS, Wall};

/// Reads the obstacles of a map. Reports obstacles outside the map, radii that are too large, and a
/// list that is too long.
pub fn read_obstacles(list: &Entry, grid: Option<&Grid<u8>>, edges: Edges) -> Vec<Obstacle> {
    let tables = list.tables(&OBSTACLE);
    if tables.len() > MAX_OBSTACLES {
        list.error(format!("the map has more than {MAX_OBSTACLES} obstacles"));
        return Vec::new();
    }
    let obstacles: Vec<_> =
        tables.into_iter().filter_map(|table| read_one(table, grid, edges)).collect();
    let large = obstacles.iter().filter(|obstacle| obstacle.radius > TILE_RADIUS).count();
    if large > MAX_LARGE_OBSTACLES {
        let message = format!(
            "the map has more than {MAX_LARGE_OBSTACLES} obstacles with a radius above {TILE_RADIUS}"
        );
        list.error(message);
        return Vec::new();
    }
    obstacles
}

fn read_one(table: TableReader, grid: Option<&Grid<u8>>, edges: Edges) -> Option<Obstacle> {
    let at = table.require("at");
    let centre = at.as_ref().and_then(Entry::pair).map(Pair::point);
    let radius = table.float("radius");
    if let (Some(at), Some(centre), Some(grid)) = (at, centre, grid)
        && !grid.contains(TilePos::containing(centre))
    {
        at.error("the obstacle is outside the map");
    }
    if let (Some(radius), Some(grid)) = (radius, grid)
        && let Some(most) = largest_size(grid.width(), grid.height(), edges, radius)
        && let Some(entry) = table.take("radius")
    {
        entry.error_with_help(too_large(radius, most), WRAP_HELP);
    }
    let opaque = table.flag("opaque");
    table.finish();
    Some(Obstacle { centre: centre?, radius: radius?, opaque })
}

/// The walls of a map, and the name of each `[[wall]]` table. A table without a name has an empty
/// name.
#[derive(Debug, Default)]
pub struct WallList {
    pub walls: Vec<Wall>,
    pub names: Vec<String>,
}

impl WallList {
    /// Adds the walls of a Tiled map. Reports too many walls.
    pub fn add_drawn(&mut self, drawn: &[DrawnWall], issues: &Issues) {
        self.push_drawn(drawn);
        let length: f32 = self.walls.iter().map(|wall| (wall.to - wall.from).length()).sum();
        if self.walls.len() > MAX_WALLS || length > MAX_WALL_LENGTH {
            let message = format!(
                "the map and its tiles file have more than {MAX_WALLS} walls, or walls of more \
                 than {MAX_WALL_LENGTH} tiles in total"
            );
            issues.error(0..0, message);
            *self = Self::default();
        }
    }

    /// Adds any number of walls of a Tiled map.
    pub fn push_drawn(&mut self, drawn: &[DrawnWall]) {
        for DrawnWall { label, points, one_sided, opaque } in drawn {
            let entry = self.names.len() as u32;
            self.names.push(show::text(label));
            for ends in points.windows(2) {
                let (from, to) = (ends[0], ends[1]);
                let (one_sided, opaque) = (*one_sided, *opaque);
                self.walls.push(Wall { from, to, one_sided, opaque, entry });
            }
        }
    }
}

/// Reads all walls of a map. `grid` and `edges` describe the map. Reports invalid walls. Returns no
/// walls if there are too many.
pub fn read_walls(list: &Entry, grid: Option<&Grid<u8>>, edges: Edges) -> WallList {
    let mut read = WallList::default();
    let mut length = 0.0;
    for table in list.tables(&WALL) {
        let name = table.take("name").and_then(|name| name.line()).unwrap_or_default();
        let entry = read.names.len() as u32;
        read.names.push(name.to_owned());
        let points = points(&table, grid, edges);
        let (one_sided, opaque) = (table.flag("one_sided"), table.flag("opaque"));
        for ends in points.windows(2) {
            let (from, to) = (ends[0], ends[1]);
            length += (to - from).length();
            read.walls.push(Wall { from, to, one_sided, opaque, entry });
        }
        table.finish();
    }
    if read.walls.len() > MAX_WALLS {
        list.error(format!("the map has more than {MAX_WALLS} walls"));
        return WallList::default();
    }
    if length > MAX_WALL_LENGTH {
        list.error(format!(
            "the walls of the map are longer than {MAX_WALL_LENGTH} tiles in total"
        ));
        return WallList::default();
    }
    read
}

/// Returns the points of a wall or polyline; no points after an error.
fn points(table: &TableReader, grid: Option<&Grid<u8>>, edges: Edges) -> Vec<Vec2> {
    let closed = table.take("closed");
    let (elements, closed) = if let Some(points) = table.take("points") {
        for end in ["from", "to"].into_iter().filter_map(|key| table.take(key)) {
            end.error_at_key(format!("`{}` and `points` can't be used together", end.key), "");
        }
        let closed = closed.and_then(|closed| closed.boolean()).unwrap_or(false);
        (corners(&points, closed), closed)
    } else {
        if let Some(closed) = closed {
            closed.error_at_key("`closed` needs `points`", "");
        }
        (["from", "to"].into_iter().filter_map(|key| table.require(key)).collect(), false)
    };
    let pairs: Vec<_> = elements.iter().map(Entry::pair).collect();
    warn_tiles(&elements, &pairs);
    let read = elements.iter().zip(&pairs);
    let read = read.filter_map(|(entry, pair)| Some((entry, (*pair)?.point())));
    let mut points: Vec<Vec2> = Vec::with_capacity(elements.len() + 1);
    for (entry, point) in read {
        if grid.is_some_and(|grid| !contains(grid, point)) {
            entry.error("the wall is outside the map");
        } else if points.last().is_some_and(|&last| is_same(grid, edges, last, point)) {
            entry.error("the wall has no length here: this point equals the point before");
        }
        points.push(point);
    }
    if points.len() < elements.len() || elements.len() < 2 {
        return Vec::new();
    }
    if closed && points.first() != points.last() {
        points.push(points[0]);
    }
    points
}

/// Returns the corners of a polyline; no corners if there are too few.
fn corners<'a>(points: &Entry<'a>, closed: bool) -> Vec<Entry<'a>> {
    let elements: Vec<Entry> = points.array().into_iter().flatten().collect();
    let (kind, least) = if closed { ("a closed wall", 3) } else { ("a wall", 2) };
    if elements.len() >= least {
        return elements;
    }
    let count = elements.len();
    points.error(format!("{kind} needs at least {least} points, but has {count}"));
    Vec::new()
}

/// Returns true if a point is on the map or on its border.
fn contains(grid: &Grid<u8>, point: Vec2) -> bool {
    (0.0..=grid.width() as f32).contains(&point.x)
        && (0.0..=grid.height() as f32).contains(&point.y)
}

/// Returns true if two points are at the same position. On a wrapping map, opposite edges coincide.
fn is_same(grid: Option<&Grid<u8>>, edges: Edges, a: Vec2, b: Vec2) -> bool {
    let size = grid.map(|grid| Vec2::new(grid.width() as f32, grid.height() as f32));
    match size.filter(|_| edges == Edges::Wrap) {
        Some(size) => a.rem_euclid(size) == b.rem_euclid(size),
        None => a == b,
    }
}

/// Warns if a wall has a point that is written as a tile. Reports only the first of these points.
/// The wall passes through the centre of that tile and blocks it, which is rarely intended.
fn warn_tiles(elements: &[Entry], pairs: &[Option<Pair>]) {
    let mut all = elements.iter().zip(pairs);
    let tile = all.find_map(|(entry, pair)| match pair {
        Some(Pair::Tile(tile)) => Some((entry, *tile)),
        Some(Pair::Point(_)) | None => None,
    });
    let Some((entry, tile)) = tile else { return };
    let mixed = pairs.iter().flatten().any(|pair| matches!(pair, Pair::Point(_)));
    let start = if mixed { "the wall mixes tiles and points: " } else { "" };
    let centre = tile.centre();
    let message = format!("{start}`{}` is the centre of a tile", entry.written());
    let help = format!(
        "write `[{:?}, {:?}]` for the centre of the tile, or `[{}.0, {}.0]` for its upper left corner",
        centre.x, centre.y, tile.x, tile.y
    );
    entry.issues.push(Diagnostic::warning(entry.span(), message).help(help));
}

/// Advice for a body or obstacle that is too large for a map that wraps.
const WRAP_HELP: &str =
    "on a map that wraps, a diameter must be less than half of each side; use a larger map";

/// Reports bodies with a radius above `TILE_RADIUS` that move on tiles. Also reports bodies that
/// are too large for a map that wraps.
pub fn check_sizes(drafts: &[AgentDraft], map: &Map, issues: &Issues) {
    for draft in drafts.iter().filter(|draft| draft.kind.body.radius > TILE_RADIUS) {
        let (name, radius) = (&draft.kind.name, draft.kind.body.radius);
        if let Some(most) = largest_size(map.width(), map.height(), map.edges(), radius) {
            let error = Diagnostic::error(draft.radius_span.clone(), too_large(radius, most));
            issues.push(error.help(WRAP_HELP));
        }
        if let Some(mode) = draft.kind.modes.iter().find(|mode| mode.may_walk()) {
            let message = format!(
                "`{name}` moves on tiles in the mode `{}`, but its radius is {radius}",
                mode.name
            );
            let help = "bodies that move on tiles have a radius of at most 0.5; larger bodies find \
                        their way with `steer` and the behaviour `flow`";
            issues.push(Diagnostic::error(draft.radius_span.clone(), message).help(help));
        }
    }
}

/// Returns the upper limit for radii in tiles if `radius` reaches it. Returns `None` for a radius
/// that fits. Only maps that wrap have a limit, and only for radii above `TILE_RADIUS`.
fn largest_size(width: u32, height: u32, edges: Edges, radius: f32) -> Option<f32> {
    let limit = width.min(height) as f32 / 4.0;
    let is_too_large = edges == Edges::Wrap && radius > TILE_RADIUS && radius >= limit;
    is_too_large.then_some(limit)
}

/// Returns the error message for a radius that is too large. `most` is the limit in tiles; the
/// radius must be below it.
pub fn too_large(radius: f32, most: f32) -> String {
    format!("`radius` must be less than {most} on this map, but is {radius}")
}
