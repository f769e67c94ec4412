//! Reads levels of the editor LDtk: `.ldtk` projects, and the `.ldtkl` files with their levels.
//!
//! Values of `IntGrid` layers become tile kinds. At each position, a solid value takes precedence
//! over other values. Among other values, the topmost layer takes precedence. Entities become
//! places. Other layers are ignored.
//!
//! A project can have thousands of levels. Only the level to import is read completely.

mod project;
mod values;

use std::collections::BTreeMap;
use std::path::{Component, Path};

use serde_json::value::RawValue;

use super::{Wanted, levels};
use crate::diagnostic::{Diagnostic, Issues};
use crate::keys::MAX_COORDINATE;
use crate::legend::{Legend, MAX_KINDS};
use crate::name::unique;
use crate::origin::{Found, Store};
use crate::report::{Report, read_source};
use crate::show;
use crate::source::Source;
use crate::tiled::{Drawing, DrawnPlace};
use crate::tiles::too_large;
use project::{Entity, Layer, Level, LevelName, Project};
use tilewalk_sim::geom::{TilePos, Vec2};
use tilewalk_sim::grid::Grid;
use tilewalk_sim::map::Map;
use tilewalk_sim::report::words;
use values::Values;

/// Advice for a damaged file.
const SAVE: &str = "save the project again with LDtk 1.0 or later";

/// Returns the names of all levels. Returns an empty list if a part of the file is invalid.
pub fn titles(text: &str) -> Vec<String> {
    let Ok(project) = project::parse::<Project>(text) else { return Vec::new() };
    let name = |level: &RawValue| {
        project::parse::<LevelName>(level.get()).map(|level| level.name.into_owned())
    };
    project.levels().map(name).collect::<Result<_, _>>().unwrap_or_default()
}

/// Reads a level, and adds tile kinds for its values to the legend. The drawing is `None` after any
/// error. If the level has a file of its own, the report contains the problems in that file.
pub fn read(
    issues: &Issues,
    legend: &mut Legend,
    store: &Store,
    wanted: &Wanted,
) -> (Option<Drawing>, Report) {
    let mut others = Report::default();
    let drawing = read_project(issues, legend, store, wanted, &mut others);
    (drawing.filter(|_| others.errors() == 0), others)
}

fn read_project(
    issues: &Issues,
    legend: &mut Legend,
    store: &Store,
    wanted: &Wanted,
    others: &mut Report,
) -> Option<Drawing> {
    let project: Project = parse(issues.text(), issues)?;
    let name = |level: &RawValue| Some(parse::<LevelName>(level.get(), issues)?.name.into_owned());
    let names = project.levels().map(name).collect::<Option<Vec<_>>>()?;
    if names.is_empty() {
        let help = "in LDtk, add a level and save the project";
        issues.push(Diagnostic::error(0..0, "the project has no level").help(help));
        return None;
    }
    let index = levels::choose(&names, wanted.level, issues)?;
    let text = project.levels().nth(index)?.get();
    let level: Level = parse(text, issues)?;
    let values = Values::new(&project.defs.layers.0);
    let at = offset(text, issues.text());
    if level.layers.is_some() {
        return Canvas { at, values, legend, issues }.draw(&level);
    }
    let Some(name) = &level.file else {
        let message = format!("the level `{}` has no layers", show::text(&level.name));
        issues.push(Diagnostic::error(at..at, message).help(SAVE));
        return None;
    };
    let source = match open(name, store) {
        Ok(source) => source,
        Err(why) => {
            let message = format!("the level file `{}` {why}", show::text(name));
            let help = "keep the level files in the directory where LDtk writes them";
            issues.push(Diagnostic::error(at..at, message).help(help));
            return None;
        }
    };
    read_source(others, source.0, source.1, |issues| {
        let level: Level = parse(issues.text(), issues)?;
        if level.layers.is_none() {
            let error = Diagnostic::error(0..0, "the level file has no layers");
            issues.push(error.help(SAVE));
            return None;
        }
        Canvas { at: 0, values, legend, issues }.draw(&level)
    })
}

/// Parses a file or a part of the file. Reports errors at their position in the file and returns
/// `None`.
fn parse<'a, T: serde::Deserialize<'a>>(part: &'a str, issues: &Issues) -> Option<T> {
    let error = match project::parse(part) {
        Ok(value) => return Some(value),
        Err(error) => error,
    };
    let lines = part.split_inclusive('\n').take(error.line().saturating_sub(1));
    let within = lines.map(str::len).sum::<usize>() + error.column().saturating_sub(1);
    let text = issues.text();
    let mut at = (offset(part, text) + within).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    // The rest of the message repeats the position.
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    let message = format!("invalid LDtk file: {}", show::text(message));
    issues.push(Diagnostic::error(at..at, message).help(SAVE));
    None
}

/// Returns the byte offset of `part` in `text`. `part` must be a slice of `text`.
fn offset(part: &str, text: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize)
}

/// Reads the file of a level.
///
/// # Errors
/// Returns the reason if the file can't be read. Messages put this reason after the file name.
fn open(name: &str, store: &Store) -> Result<(Source, Vec<Diagnostic>), String> {
    let is_inside = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    if !Path::new(name).components().all(is_inside) || name.chars().any(show::is_hidden) {
        return Err("is not in the directory of the project".to_owned());
    }
    match store.sibling(name) {
        Found::Read(source, problems) => Ok((source, problems)),
        Found::Missing => Err("does not exist".to_owned()),
        Found::Refused(why) => Err(why),
    }
}

/// The state of drawing a level.
struct Canvas<'a, 'b> {
    /// Byte offset of the level in the file.
    at: usize,
    values: Values<'a>,
    legend: &'b mut Legend,
    issues: &'b Issues,
}

impl Canvas<'_, '_> {
    /// Draws the `IntGrid` layers and the entities of a level. Returns `None` after any error.
    fn draw(mut self, level: &Level) -> Option<Drawing> {
        let layers = level.layers.as_ref().map_or(&[][..], |layers| &layers.0);
        let is_grid = |layer: &&Layer| layer.kind == "IntGrid" && !layer.cells.0.is_empty();
        let grids: Vec<_> = layers.iter().filter(is_grid).collect();
        let Some(first) = grids.iter().min_by_key(|layer| layer.tile) else {
            self.refuse_empty(level, layers);
            return None;
        };
        let (width, height, tile) = (first.width, first.height, first.tile);
        if !(1..=Map::MAX_SIDE).contains(&width) || !(1..=Map::MAX_SIDE).contains(&height) {
            return too_large(self.at..self.at, self.issues);
        }
        let floor = self.legend.index(".").unwrap_or_default();
        let mut tiles = Grid::filled(width, height, floor);
        for layer in grids.iter().rev() {
            if layer.tile.is_multiple_of(tile) {
                self.paint(layer, &mut tiles, layer.tile / tile)?;
            } else {
                let (name, side) = (show::text(&layer.name), layer.tile);
                self.warn(format!(
                    "the layer `{name}` is ignored: its grid of {side} pixels does not fit the grid of {tile}"
                ));
            }
        }
        if let Some(guess) = self.values.guess(self.at) {
            self.issues.push(guess);
        }
        let places = self.places(layers, tile);
        Some(Drawing { places, ..Drawing::of_tiles(tiles) })
    }

    fn warn(&self, message: String) {
        self.issues.push(Diagnostic::warning(self.at..self.at, message));
    }

    /// Reports that a level has no tiles.
    fn refuse_empty(&self, level: &Level, layers: &[Layer]) {
        let name = show::text(&level.name);
        let message = format!("the level `{name}` has no IntGrid layer with tiles");
        let help = if layers.iter().any(|layer| layer.old_cells) {
            "an old version of LDtk saved the project; save it again with LDtk 1.0 or later"
        } else {
            "in LDtk, add an IntGrid layer and paint the walls of the level"
        };
        self.issues.push(Diagnostic::error(self.at..self.at, message).help(help));
    }

    /// Paints a layer over the layers below. A value covers `scale` tiles along each axis. Reports
    /// a layer of the wrong size and returns `None`.
    fn paint(&mut self, layer: &Layer, tiles: &mut Grid<u8>, scale: u32) -> Option<()> {
        let (width, height, cells) = (layer.width, layer.height, &layer.cells.0);
        if u64::from(width) * u64::from(height) != cells.len() as u64 {
            let (name, found) = (show::text(&layer.name), cells.len());
            let message =
                format!("the layer `{name}` has {found} values for {width} × {height} tiles");
            self.issues.push(Diagnostic::error(self.at..self.at, message).help(SAVE));
            return None;
        }
        let mut kinds = BTreeMap::new();
        let (right, bottom) = (u64::from(tiles.width()), u64::from(tiles.height()));
        for (index, &value) in cells.iter().enumerate().filter(|(_, value)| **value != 0) {
            let kind = match kinds.get(&value) {
                Some(&kind) => kind,
                None => self.kind(layer, value)?,
            };
            kinds.insert(value, kind);
            let (column, row) = (index as u64 % u64::from(width), index as u64 / u64::from(width));
            let covered = |from: u64, end: u64| {
                let begin = from * u64::from(scale);
                begin.min(end)..(begin + u64::from(scale)).min(end)
            };
            for y in covered(row, bottom) {
                for x in covered(column, right) {
                    self.lay(tiles.get_mut(TilePos::new(x as i32, y as i32)), kind);
                }
            }
        }
        Some(())
    }

    fn kind(&mut self, layer: &Layer, value: u32) -> Option<u8> {
        let kind = self.values.kind(&layer.name, value, self.legend);
        if kind.is_none() {
            let message = format!("the level has more than {MAX_KINDS} kinds of tiles");
            let help = "in LDtk, use fewer IntGrid values, or move some to another level";
            self.issues.push(Diagnostic::error(self.at..self.at, message).help(help));
        }
        kind
    }

    /// Sets the kind of a tile. A solid tile keeps its kind unless the new kind is also solid.
    fn lay(&self, tile: Option<&mut u8>, kind: u8) {
        let is_solid = |kind: u8| !self.legend.kinds()[usize::from(kind)].walk;
        if let Some(tile) = tile.filter(|tile| is_solid(kind) || !is_solid(**tile)) {
            *tile = kind;
        }
    }

    /// Converts entities to places at their centres.
    fn places(&self, layers: &[Layer], tile: u32) -> Vec<DrawnPlace> {
        let mut taken = BTreeMap::new();
        let (mut places, mut far) = (Vec::new(), 0_u64);
        for entity in layers.iter().flat_map(|layer| &layer.entities.0) {
            let Some(at) = centre(entity, tile) else {
                far += 1;
                continue;
            };
            let name = unique(&entity.name, &mut taken);
            places.push(DrawnPlace::new(name, at, entity.name.clone().into_owned()));
        }
        if far > 0 {
            let count = words::count_with(far, "entity is", "entities are");
            self.warn(format!("{count} ignored: too far from the map"));
        }
        places
    }
}

/// Returns the centre of an entity in tiles; `None` if it is too far from the map.
fn centre(entity: &Entity, tile: u32) -> Option<Vec2> {
    let limit = f64::from(MAX_COORDINATE);
    let along = |pixel: f64, pivot: f64, size: f64| {
        let tiles = (pixel + (0.5 - pivot) * size) / f64::from(tile);
        (-limit..=limit).contains(&tiles).then_some(tiles as f32)
    };
    let ([x, y], [across, down]) = (entity.pixel, entity.pivot);
    Some(Vec2::new(along(x, across, entity.width)?, along(y, down, entity.height)?))
}
