//! Draws the map without agents: regions of tiles, obstacles, free walls and places.

use crate::geom::{TilePos, Vec2};
use crate::map::{Edges, Map};
use crate::palette::Rgb;
use crate::scenario::Scenario;
use crate::steering::note::Dash;

use super::super::font::{Align, Text};
use super::super::picture::{Ink, Outline, Placed, Shape, Stroke};
use super::super::style::{Ground, Style};
use tilewalk_sim::sort::SmallSort;

/// Pixels of a tile from which lines between tiles are drawn.
const GRID: f32 = 14.0;

/// Pixels of a tile from which regions have outlines.
const OUTLINED: f32 = 3.0;

/// The shown part of a map, in whole tiles: its corner and its size.
#[derive(Debug, Clone, Copy)]
pub struct Part {
    corner: [i32; 2],
    size: [usize; 2],
}

impl Part {
    /// Returns the tiles of a rectangle that are on the map.
    pub fn of(map: &Map, [from, to]: [Vec2; 2]) -> Self {
        let (width, height) = (map.width() as f32, map.height() as f32);
        let clamped = |at: Vec2| [at.x.clamp(0.0, width), at.y.clamp(0.0, height)];
        let corner = clamped(from.floor()).map(|side| side as i32);
        let end = clamped(to.ceil()).map(|side| side as i32);
        let size = [0, 1].map(|axis: usize| (end[axis] - corner[axis]).max(0) as usize);
        Self { corner, size }
    }

    /// Returns all tiles of the part, row by row.
    pub fn tiles(self) -> impl Iterator<Item = TilePos> {
        let ([left, top], [width, height]) = (self.corner, self.size);
        let place = move |x: usize, y: usize| TilePos::new(left + x as i32, top + y as i32);
        (0..height).flat_map(move |y| (0..width).map(move |x| place(x, y)))
    }
}

/// Draws the ground. `font` is the size of texts.
pub fn draw(
    scenario: &Scenario,
    area: [Vec2; 2],
    placed: Placed,
    font: f32,
    style: &Style,
) -> Vec<Shape> {
    let map = scenario.map();
    let part = Part::of(map, area);
    let [from, to] = area.map(|corner| placed.at(corner));
    let mut shapes = vec![Shape::area(Outline::rectangle(from, to), style.background())];
    let looks: Vec<Ground> = map.legend().iter().map(|kind| style.ground(kind)).collect();
    let mut kinds: Vec<Ground> = Vec::new();
    for look in looks.iter().filter(|look| look.fill.is_some()) {
        if !kinds.contains(look) {
            kinds.push(*look);
        }
    }
    kinds.small_sort_by_key(|look| look.is_wall);
    let class = |tile: TilePos| {
        let look = map.tiles().get(tile).map(|index| looks[usize::from(*index)]);
        look.and_then(|look| kinds.iter().position(|kind| *kind == look))
    };
    let classes: Vec<Option<u8>> =
        part.tiles().map(|tile| class(tile).map(|index| index as u8)).collect();
    let regions: Vec<Outline> =
        (0..kinds.len()).map(|index| outlines(part, &classes, index as u8, placed)).collect();
    for (kind, outline) in kinds.iter().zip(&regions).filter(|(kind, _)| !kind.is_wall) {
        region(kind, outline, placed.scale, &mut shapes);
    }
    grid(part, placed, style, &mut shapes);
    obstacles(map, part, placed, style, &mut shapes);
    for (kind, outline) in kinds.iter().zip(&regions).filter(|(kind, _)| kind.is_wall) {
        region(kind, outline, placed.scale, &mut shapes);
    }
    border(map, placed, style, &mut shapes);
    walls(map, placed, style, &mut shapes);
    places(scenario, area, placed, font, style, &mut shapes);
    shapes
}

fn region(kind: &Ground, outline: &Outline, scale: f32, shapes: &mut Vec<Shape>) {
    let (Some(fill), false) = (kind.fill, outline.0.is_empty()) else { return };
    // Small tiles have no outline, so walls get its colour.
    let fill = kind.line.filter(|_| kind.is_wall && scale < OUTLINED).unwrap_or(fill);
    shapes.push(Shape::area(outline.clone(), fill));
    if let Some(line) = kind.line.filter(|_| scale >= OUTLINED) {
        let width = (scale * 0.06).clamp(0.7, if kind.is_wall { 2.5 } else { 1.5 });
        shapes.push(Shape::Line { outline: outline.clone(), stroke: Stroke::solid(line, width) });
    }
}

/// Directions of the sides of a tile, clockwise.
const SIDES: [[i32; 2]; 4] = [[1, 0], [0, 1], [-1, 0], [0, -1]];

/// Returns the outlines of all tiles of a class. Tiles that share a side are in the same outline.
fn outlines(part: Part, classes: &[Option<u8>], class: u8, placed: Placed) -> Outline {
    let [width, height] = part.size;
    let is_inside = |x: i32, y: i32| {
        (0..width as i32).contains(&x)
            && (0..height as i32).contains(&y)
            && classes[y as usize * width + x as usize] == Some(class)
    };
    let across = width + 1;
    // Bits of the sides that begin at each corner, with the inside to the right.
    let mut sides = vec![0_u8; across * (height + 1)];
    for (index, _) in classes.iter().enumerate().filter(|(_, it)| **it == Some(class)) {
        let (x, y) = ((index % width) as i32, (index / width) as i32);
        for (side, [dx, dy, cx, cy]) in
            [[0, -1, 0, 0], [1, 0, 1, 0], [0, 1, 1, 1], [-1, 0, 0, 1]].into_iter().enumerate()
        {
            if !is_inside(x + dx, y + dy) {
                sides[(y + cy) as usize * across + (x + cx) as usize] |= 1 << side;
            }
        }
    }
    let corner = |at: usize| {
        let [left, top] = part.corner;
        let (x, y) = ((at % across) as i32, (at / across) as i32);
        placed.at(Vec2::new((left + x) as f32, (top + y) as f32))
    };
    let mut outline = Outline::default();
    for start in 0..sides.len() {
        while sides[start] != 0 {
            let first = sides[start].trailing_zeros() as usize;
            let (mut at, mut side) = (start, first);
            let mut points = vec![corner(start)];
            loop {
                sides[at] &= !(1 << side);
                let [dx, dy] = SIDES[side];
                at = (at as i32 + dx + dy * across as i32) as usize;
                // At a corner between two diagonal tiles, the outline stays at its tile.
                let next = [1, 0, 3].map(|turn| (side + turn) % 4);
                let next = next.into_iter().find(|next| sides[at] & (1 << next) != 0);
                let Some(next) = next else { break };
                if next != side {
                    points.push(corner(at));
                }
                side = next;
            }
            outline.add(Outline::polygon(points));
        }
    }
    outline
}

fn grid(part: Part, placed: Placed, style: &Style, shapes: &mut Vec<Shape>) {
    if placed.scale < GRID {
        return;
    }
    let [left, top] = part.corner;
    let [width, height] = part.size.map(|tiles| tiles as i32);
    let mut outline = Outline::default();
    let at = |x: i32, y: i32| placed.at(Vec2::new(x as f32, y as f32));
    for x in 1..width {
        outline.add_line([at(left + x, top), at(left + x, top + height)]);
    }
    for y in 1..height {
        outline.add_line([at(left, top + y), at(left + width, top + y)]);
    }
    shapes.push(Shape::Line { outline, stroke: Stroke::solid(style.grid(), 1.0) });
}

fn obstacles(map: &Map, part: Part, placed: Placed, style: &Style, shapes: &mut Vec<Shape>) {
    let mut disc = |centre: Vec2, radius: f32, [fill, line]: [Rgb; 2]| {
        let width = (placed.scale * 0.05).clamp(0.7, 2.0);
        let stroke = (placed.scale >= OUTLINED).then(|| Stroke::solid(line, width));
        let fill = if stroke.is_some() { fill } else { line };
        shapes.push(Shape::Disc {
            centre: placed.at(centre),
            radius: (radius * placed.scale).max(0.6),
            fill: Some(fill.into()),
            stroke,
            name: String::new(),
        });
    };
    for tile in part.tiles() {
        if let Some(kind) = map.kind(tile)
            && let Some(radius) = kind.obstacle
        {
            disc(tile.centre(), radius, style.obstacle(Some(kind)));
        }
    }
    for obstacle in map.obstacles().standing() {
        disc(obstacle.centre, obstacle.radius, style.obstacle(None));
    }
}

/// Draws the border of the map. The border of a torus is dashed.
fn border(map: &Map, placed: Placed, style: &Style, shapes: &mut Vec<Shape>) {
    let size = Vec2::new(map.width() as f32, map.height() as f32);
    let dash = match map.edges() {
        Edges::Wall => Dash::Solid,
        Edges::Wrap => Dash::Dashed,
    };
    let width = (placed.scale * 0.06).clamp(1.0, 2.5);
    let stroke = Stroke { dash, ..Stroke::solid(style.wall(), width) };
    let outline = Outline::rectangle(placed.at(Vec2::ZERO), placed.at(size));
    shapes.push(Shape::Line { outline, stroke });
}

/// Draws the free walls, with a short line on the side of each normal. A wall that stops only bodies from
/// this side has an arrow.
fn walls(map: &Map, placed: Placed, style: &Style, shapes: &mut Vec<Shape>) {
    let width = (placed.scale * 0.1).clamp(1.0, 3.0);
    let rgb = style.text(style.hues.text);
    for wall in map.walls().list() {
        let (from, to) = (placed.at(wall.from), placed.at(map.wall_end(wall)));
        shapes.push(Shape::line(from, to, rgb, width));
        if placed.scale < OUTLINED {
            continue;
        }
        let middle = from.midpoint(to);
        let tip = middle + map.wall_normal(wall) * placed.scale * 0.45;
        if wall.one_sided {
            shapes.extend(arrow(middle, tip, rgb.into(), width * 0.7));
        } else {
            shapes.push(Shape::line(middle, tip, rgb, width * 0.6));
        }
    }
}

/// Returns a line with an arrowhead at its end.
pub fn arrow(from: Vec2, to: Vec2, ink: Ink, width: f32) -> [Shape; 2] {
    let along = to - from;
    let unit = along / along.length().max(0.001);
    let size = (width * 4.0).min(along.length());
    let (back, side) = (to - unit * size, Vec2::new(-unit.y, unit.x) * size * 0.45);
    let head = Outline::polygon([to, back + side, back - side]);
    [Shape::line(from, back, ink, width), Shape::area(head, ink)]
}

/// Draws the places with their names.
fn places(
    scenario: &Scenario,
    [from, to]: [Vec2; 2],
    placed: Placed,
    font: f32,
    style: &Style,
    shapes: &mut Vec<Shape>,
) {
    let is_inside = |at: Vec2| at.cmpge(from).all() && at.cmple(to).all();
    for place in scenario.places().iter().filter(|place| is_inside(place.at)) {
        let (at, size) = (placed.at(place.at), font * 0.32);
        let rhomb = [Vec2::X, Vec2::Y, -Vec2::X, -Vec2::Y].map(|side| at + side * size);
        let rgb = style.text(style.hues.dim);
        shapes.push(Shape::area(Outline::polygon(rhomb), rgb));
        let text =
            Text { text: &place.name, size: font * 0.8, ink: rgb.into(), align: Align::Centre };
        shapes.extend(text.with_halo(at + Vec2::new(0.0, font * 1.1), style.background().into()));
    }
}
