//! Reads obstacles: `[[obstacle]]`.

use crate::keys::map::{MAX_LARGE_OBSTACLES, MAX_OBSTACLES, OBSTACLE};
use crate::read::size;
use crate::text::reader::{Entry, Pair, TableReader};
use tilewalk_sim::geom::TilePos;
use tilewalk_sim::grid::Grid;
use tilewalk_sim::map::{Edges, Obstacle, TILE_RADIUS};

/// Reads the obstacles of a map. Reports obstacles outside the map, radii that are too large, and a
/// list that is too long.
pub fn read(list: &Entry, grid: Option<&Grid<u8>>, edges: Edges) -> Vec<Obstacle> {
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
        && let Some(most) = size::largest(grid.width(), grid.height(), edges, radius)
        && let Some(entry) = table.take("radius")
    {
        entry.error_with_help(size::too_large(radius, most), size::WRAP_HELP);
    }
    let opaque = table.flag("opaque");
    table.finish();
    Some(Obstacle { centre: centre?, radius: radius?, opaque })
}
