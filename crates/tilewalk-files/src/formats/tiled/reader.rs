//! Reads the files of Tiled.
//!
//! `roxmltree` parses XML, and `serde_json` splits JSON. `flate2`, `ruzstd` and `base64` decode the
//! tiles as a stream. Files are not trusted: sizes are checked before memory is allocated, and each
//! template is read once, so memory use stays close to the size of the files.
//! `tests/it/imports/malicious_tmx.rs` runs with 64 MiB of address space.
//!
//! The `tiled` crate is not suitable. It allocates the sizes that a file declares, and decodes
//! whole layers at once. It ignores unknown data silently, and reports errors without a line.

mod element;
mod known_sets;
mod layer;
mod left_out;
mod map_object;
mod marks;
mod objects;
mod pictures;
mod properties;
mod remarks;
mod set_images;
mod shape;
mod stamp;
mod syntax;
mod tile_image;
mod tile_numbers;
mod tile_sets;
mod walls;

use std::collections::BTreeMap;

use super::{Drawing, Rules};
use crate::disk::store::Store;
use crate::formats::LevelOptions;
use crate::formats::pictures::Looks;
use crate::formats::tiled::selector::{Selector, SolidityRule};
use crate::formats::tiled::solidity::{AppliedRule, Candidate, Remark, Solidity};
use crate::formats::tiled::words::{self};
use crate::text::diagnostic::{Diagnostic, Issues};
use crate::text::report::Report;
use crate::tiles::legend::Legend;
use crate::tiles::rows::too_large;
use element::{Element, Files};
use layer::{Pass, TileLayer};
use map_object::Templates;
use marks::{EMPTY, MarkId, Marks};
use objects::{Drawn, ObjectContext};
use tilewalk_sim::geom::{TilePos, Vec2};
use tilewalk_sim::grid::Grid;
use tilewalk_sim::map::Map;
use tilewalk_sim::sort::SmallSort;

pub use tile_sets::check as check_set;

/// Maximum depth of nested layers.
const MAX_DEPTH: usize = 50;

/// Sizes that are needed to read the layers of a map.
#[derive(Debug, Clone, Copy)]
struct Frame {
    /// Number of tiles along each axis; `None` for an infinite map.
    size: Option<(u32, u32)>,
    /// Tile size along each axis, in pixels.
    tile: (f64, f64),
    /// Distance between neighbouring tiles along each axis, in the pixel coordinates of objects.
    step: (f64, f64),
    /// Upper left tile of the map, in the coordinates of an infinite map; (0, 0) for other maps.
    origin: (i64, i64),
    is_isometric: bool,
}

/// A rectangle of tiles of an infinite map. Both corners are inclusive.
#[derive(Debug, Clone, Copy)]
struct Area {
    first: (i64, i64),
    last: (i64, i64),
}

/// Reads a map, and adds its tile kinds to the legend. The drawing is `None` after any error. The
/// report contains the problems in other files, such as tile sets.
pub fn read(
    issues: &Issues,
    rules: &Rules,
    legend: &mut Legend,
    store: &Store,
    wanted: &LevelOptions,
) -> (Option<Drawing>, Report) {
    let mut files = Files { store, report: Report::default() };
    let drawing = element::document(issues, "map", |map| {
        let drawing = draw(&map, rules, legend, wanted, &mut files)?;
        for element in map.children() {
            match element.name() {
                "layer" | "group" | "objectgroup" | "tileset" | "properties" | "imagelayer"
                | "editorsettings" => {}
                _ => element.unread(),
            }
        }
        issues.is_sound().then_some(drawing)
    });
    let drawing = drawing.filter(|_| files.report.errors() == 0);
    (drawing, files.report)
}

fn draw(
    map: &Element,
    rules: &Rules,
    legend: &mut Legend,
    wanted: &LevelOptions,
    files: &mut Files,
) -> Option<Drawing> {
    let mut frame = frame(map)?;
    let store = files.store;
    let mut marks = Marks::new(legend, rules.empty(legend), wanted.known.clone());
    let mut sets = tile_sets::read_all(map, frame, rules, &mut marks, files)?;
    let mut templates = Templates::default();
    templates.add(map, rules, files, MAX_DEPTH);
    sets.add_of_templates(&templates, frame, (rules, &mut marks), files);
    let mut layers = layer::collect(map, frame, rules)?;
    let area = area(map, frame, &layers)?;
    frame.origin = area.first;
    let size = area.size();
    for layer in &mut layers {
        layer.prepare(rules, &mut marks);
    }
    left_out::in_map(map, rules, &mut marks, MAX_DEPTH);
    let (cells, mut drawn, remarks, picture) = {
        let mut pass = Pass {
            layers: &layers,
            area,
            sets: &sets,
            rules,
            combine: rules.combine,
            uses_terrain: false,
            uses_pictures: false,
            is_first: true,
        };
        let mut cells = cells(pass, &mut marks)?;
        pass.is_first = false;
        let context = ObjectContext {
            frame,
            size,
            rules,
            sets: &sets,
            marks: &mut marks,
            templates: &templates,
            cells: &mut cells,
        };
        let drawn = objects::read_all(map, pass, context);
        let mut remarks: Vec<_> =
            drawn.nameless.iter().map(|layer| remarks::of_nameless_areas(layer)).collect();
        let is_picture = close_pictures(pass, &drawn, &mut marks, &mut cells, &mut remarks)?;
        pass.uses_pictures = !is_picture;
        // Terrains count only if no other rule marks a tile.
        let has_walls = !drawn.walls.is_empty() || sets.has_walls();
        let is_open = !has_walls && cells.cells().iter().all(|&id| marks.walks(id));
        if is_open && marks.list().iter().any(|mark| mark.rule == SolidityRule::Terrain) {
            pass.uses_terrain = true;
            cells = self::cells(pass, &mut marks)?;
            drawn.free(&mut cells);
        }
        if !has_walls && cells.cells().iter().all(|&id| !marks.decides(id)) {
            close_empty(pass, &drawn, &mut marks, &mut cells, &mut remarks)?;
        }
        remarks::about_layers(pass, &mut marks, (&cells, &drawn), &mut remarks)?;
        tile_numbers::about_numbers(pass, &marks, &mut remarks)?;
        remarks.extend(remarks::of_known_sets(&sets));
        if cells.cells().iter().any(|&id| !marks.walks(id)) {
            remarks::about_tiles(pass, &marks, &mut remarks);
            remarks::about_properties(&marks, &mut remarks);
            remarks::about_names(&drawn.solid_names, &mut remarks);
        }
        let is_orthogonal = matches!(map.attribute("orientation"), None | Some("orthogonal"));
        let picture = match wanted.looks {
            None | Some(Looks::Plain) => None,
            Some(looks @ (Looks::Colors | Looks::Names)) => {
                Some(pictures::draw(pass, (frame.tile, is_orthogonal), looks, store)?)
            }
        };
        let unread = picture.as_ref().and_then(|picture| picture.remark.clone());
        remarks.extend(unread.map(|text| Remark { text, options: Vec::new() }));
        (cells, drawn, remarks, picture)
    };
    sets.take_walls().finish(map, size, &mut drawn.walls);
    let solidity = solidity(&marks, &cells, remarks);
    warn_unmarked(map, &marks, &cells, &drawn, &solidity);
    let kinds = marks.kinds();
    let tiles = cells.cells().iter().map(|&id| kinds[usize::from(id)]).collect();
    *legend = marks.into_legend();
    Some(Drawing {
        tiles: Grid::from_cells(size.0, tiles)?,
        places: drawn.places,
        paths: drawn.paths,
        walls: drawn.walls,
        agents: drawn.agents,
        solidity: Some(solidity),
        origin: area.first,
        picture,
    })
}

/// Draws all layers into a new grid, from bottom to top. Returns `None` if the data of a layer is
/// invalid.
fn cells(pass: Pass, marks: &mut Marks) -> Option<Grid<MarkId>> {
    let (width, height) = pass.area.size();
    let mut cells = Grid::filled(width, height, EMPTY);
    for layer in pass.layers {
        layer.draw(pass, marks, &mut cells)?;
    }
    layer::close_outside(pass, marks, &mut cells)?;
    Some(cells)
}

/// Warns if no rule or object makes a tile solid or walkable.
fn warn_unmarked(
    map: &Element,
    marks: &Marks,
    cells: &Grid<MarkId>,
    drawn: &Drawn,
    solidity: &Solidity,
) {
    if !map.issues.is_sound()
        || !drawn.walls.is_empty()
        || cells.cells().iter().any(|&id| marks.decides(id))
    {
        return;
    }
    let message = "no tile is marked as solid, so the whole map is walkable";
    let help = "give tiles a property `solid`, name a layer `walls`, or add a [tiled] table to \
                the map file";
    let warning = Diagnostic::warning(map.span(), message).help(help);
    let names: Vec<_> = solidity.candidates.iter().take(3).map(Candidate::option).collect();
    let import = format!("or import with one of: {}", names.join(", "));
    map.issues.push(warning.help(if names.is_empty() { String::new() } else { import }));
}

/// Counts the tiles to which each rule assigned a kind.
fn solidity(marks: &Marks, cells: &Grid<MarkId>, remarks: Vec<Remark>) -> Solidity {
    let mut counts = vec![0_u64; marks.list().len()];
    for &id in cells.cells() {
        counts[usize::from(id)] += 1;
    }
    let mut sums: BTreeMap<(bool, SolidityRule, &str), u64> = BTreeMap::new();
    for (id, (mark, &count)) in marks.list().iter().zip(&counts).enumerate() {
        let walks = marks.walks(id as MarkId);
        if count > 0 && !(walks && mark.rule == SolidityRule::Nothing) {
            *sums.entry((walks, mark.rule, &mark.name)).or_default() += count;
        }
    }
    let (mut solid, mut walkable) = (Vec::new(), Vec::new());
    for ((walks, rule, name), tiles) in sums {
        let list = if walks { &mut walkable } else { &mut solid };
        list.push(AppliedRule { rule, name: name.to_owned(), tiles });
    }
    let is_used = |selector: &Selector| {
        solid.iter().any(|each| (each.rule, &each.name) == (selector.rule, &selector.name))
    };
    let candidates = marks.candidates.iter().filter(|(selector, _)| !is_used(selector));
    let mut candidates: Vec<_> = candidates
        .map(|(selector, &count)| Candidate { selector: selector.clone(), count })
        .collect();
    candidates.retain(|candidate| candidate.count > 0);
    let tiles = cells.cells().len() as u64;
    // A selector of all tiles of the map is hardly useful, so it comes last.
    candidates.small_sort_by_key(|candidate| {
        (candidate.count >= tiles, std::cmp::Reverse(candidate.count))
    });
    let left_out = marks.left_out.iter().map(|(what, count)| (*what, *count)).collect();
    Solidity { solid, walkable, candidates, remarks, left_out, tiles }
}

/// Reads the sizes of a map and of its tiles. Reports unsupported kinds of maps and returns `None`.
fn frame(map: &Element) -> Option<Frame> {
    let orientation = map.attribute("orientation").unwrap_or("orthogonal");
    let is_known = ["orthogonal", "isometric", "staggered", "oblique"].contains(&orientation);
    if !is_known {
        let shown = crate::show::text(orientation);
        let message = format!("the map is {shown}; tilewalk has only square tiles");
        let help = "in Tiled, set Map > Map Properties > Orientation to Orthogonal and save the \
                    map under another name: rows and columns stay the same, but each tile then has \
                    8 neighbours";
        let error = Diagnostic::error(map.span_of("orientation"), message);
        map.issues.push(error.help(help));
        return None;
    }
    if orientation != "orthogonal" {
        let message = format!("the {orientation} map is read as a grid of square tiles");
        map.warn_at("orientation", message, "rows and columns are those that Tiled shows");
    }
    let is_infinite =
        map.attribute("infinite").is_some_and(|value| !["0", "false"].contains(&value));
    let size = if is_infinite {
        None
    } else {
        let (width, height) = (map.side("width"), map.side("height"));
        Some((width?, height?))
    };
    let pixels = 1.0..=1_000_000.0;
    let tile_width = map.required("tilewidth", pixels.clone());
    let tile_height = map.required("tileheight", pixels);
    let tile = (tile_width?, tile_height?);
    let step = match (orientation, map.attribute("staggeraxis")) {
        // The coordinates of objects follow the slanted axes, with the same unit on both.
        ("isometric", _) => (tile.1, tile.1),
        ("staggered", Some("x")) => (tile.0 / 2.0, tile.1),
        ("staggered", _) => (tile.0, tile.1 / 2.0),
        _ => tile,
    };
    let is_isometric = orientation == "isometric";
    Some(Frame { size, tile, step, origin: (0, 0), is_isometric })
}

/// Returns the area of a map; for an infinite map, the area of all tiles in use. Reports an area
/// that is too large and returns `None`.
fn area(map: &Element, frame: Frame, layers: &[TileLayer]) -> Option<Area> {
    if let Some((width, height)) = frame.size {
        return Some(Area { first: (0, 0), last: (i64::from(width) - 1, i64::from(height) - 1) });
    }
    let area = layer::used(map, layers)?;
    let most = i64::from(Map::MAX_SIDE);
    let fits = |first: i64, last: i64| last - first < most;
    if fits(area.first.0, area.last.0) && fits(area.first.1, area.last.1) {
        return Some(area);
    }
    too_large(map.span_of("infinite"), map.issues)
}

impl Area {
    /// Returns the smallest area that contains this area and a tile.
    fn with(self, at: (i64, i64)) -> Self {
        let first = (self.first.0.min(at.0), self.first.1.min(at.1));
        Self { first, last: (self.last.0.max(at.0), self.last.1.max(at.1)) }
    }

    /// Returns the numbers of columns and rows.
    fn size(self) -> (u32, u32) {
        let side = |first: i64, last: i64| (last - first + 1) as u32;
        (side(self.first.0, self.last.0), side(self.first.1, self.last.1))
    }
}

impl Frame {
    /// Returns the upper left corner of the map in the pixel coordinates of objects.
    fn origin_pixels(self) -> (f64, f64) {
        (self.origin.0 as f64 * self.step.0, self.origin.1 as f64 * self.step.1)
    }

    /// Converts object coordinates from pixels to tiles.
    fn tiles(self, (x, y): (f64, f64)) -> (f64, f64) {
        (x / self.step.0, y / self.step.1)
    }

    /// Converts object coordinates from pixels to tiles; `None` if the point is too far from the
    /// map.
    fn point(self, point: (f64, f64)) -> Option<Vec2> {
        let (x, y) = self.tiles(point);
        let limit = f64::from(crate::keys::table::MAX_COORDINATE);
        let within = |number: f64| (-limit..=limit).contains(&number);
        (within(x) && within(y)).then(|| Vec2::new(x as f32, y as f32))
    }
}

/// Decides whether the layers that can be pictures are pictures, and returns the result. If they are
/// not, makes their tiles solid. `cells` is drawn without these layers. Returns `None` if the data of
/// a layer is invalid.
fn close_pictures(
    pass: Pass,
    drawn: &Drawn,
    marks: &mut Marks,
    cells: &mut Grid<MarkId>,
    remarks: &mut Vec<Remark>,
) -> Option<bool> {
    if !pass.layers.iter().any(|layer| layer.can_be_picture) {
        return Some(false);
    }
    if are_pictures(pass, drawn, marks, cells)? {
        let pictures = pass.layers.iter().filter(|layer| layer.can_be_picture);
        remarks.extend(pictures.map(|layer| remarks::of_picture(layer.name())));
        return Some(true);
    }
    let pass = Pass { uses_pictures: true, ..pass };
    let before = core::mem::replace(cells, self::cells(pass, marks)?);
    for (cell, &before) in cells.cells_mut().iter_mut().zip(before.cells()) {
        // Objects have closed the tile.
        if marks.walks(*cell) && !marks.walks(before) {
            *cell = before;
        }
    }
    drawn.free(cells);
    Some(false)
}

/// Returns true if the layers that can be pictures have a tile with a collision mark, or with a
/// corner of a free wall. Returns `None` if the data of a layer is invalid.
fn are_pictures(
    pass: Pass,
    drawn: &Drawn,
    marks: &mut Marks,
    cells: &Grid<MarkId>,
) -> Option<bool> {
    let mut drawing = Grid::filled(cells.width(), cells.height(), EMPTY);
    for layer in pass.layers.iter().filter(|layer| layer.can_be_picture) {
        layer.draw(pass, marks, &mut drawing)?;
    }
    let mut tiles = drawing.cells().iter().zip(cells.cells());
    let is_marked = tiles.any(|(&tile, &cell)| tile != EMPTY && marks.is_collision(cell));
    let mut corners = drawn.walls.iter().flat_map(|wall| &wall.points);
    let is_on = |at| drawing.get(TilePos::containing(at)).is_some_and(|&tile| tile != EMPTY);
    Some(is_marked || corners.any(|&corner| is_on(corner)))
}

/// Finds a layer with a name such as `Walkable`, and makes the tiles solid that it marks as not
/// walkable. Changes nothing without such a layer, or if the objects do not decide. Returns `None`
/// if the data of the layer is invalid.
fn close_empty(
    pass: Pass,
    drawn: &Drawn,
    marks: &mut Marks,
    cells: &mut Grid<MarkId>,
    remarks: &mut Vec<Remark>,
) -> Option<()> {
    let Some(layer) = pass.layers.iter().find(|layer| words::is_walkable(layer.name())) else {
        return Some(());
    };
    let mut drawing = Grid::filled(cells.width(), cells.height(), EMPTY);
    layer.draw(pass, marks, &mut drawing)?;
    let (mut on, mut off) = (0_u64, 0_u64);
    for place in &drawn.places {
        match drawing.get(TilePos::containing(place.at)) {
            Some(&EMPTY) => off += 1,
            Some(_) => on += 1,
            None => {}
        }
    }
    remarks.push(remarks::of_walkable_layer(layer.name(), on.cmp(&off)));
    if on == off {
        return Some(());
    }
    let closed = marks.plain(false, SolidityRule::Layer, layer.name());
    for (cell, &marked) in cells.cells_mut().iter_mut().zip(drawing.cells()) {
        if (marked == EMPTY) == (on > off) {
            *cell = closed;
        }
    }
    drawn.free(cells);
    Some(())
}
