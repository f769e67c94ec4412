//! The frame around the map: title, scale bar, legend and rulers.

use crate::agent::AgentKind;
use crate::geom::Vec2;
use crate::map::Map;
use crate::overlays::{Layer, Overlays, TABLE};
use crate::palette::Rgb;
use crate::scenario::Scenario;
use crate::steering::note::Dash;

use super::super::font::{Align, SANS, Text};
use super::super::picture::{Outline, Placed, Shape, Stroke};
use super::super::style::{Ground, Style, border};
use super::agents::Colors;
use super::ground::Part;
use super::layout::{Contents, Layout, ROW, fitted};

/// The sample of an entry of the legend.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Sample {
    Disc(Rgb),
    Region(Ground),
    Obstacle([Rgb; 2]),
    Line(Rgb, Dash),
}

/// An entry of the legend.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    sample: Sample,
    text: String,
}

/// What a picture shows of agents.
#[derive(Debug)]
pub struct Shown<'a> {
    /// The kinds of agents whose overlays are shown.
    pub kinds: Vec<&'a AgentKind>,
    pub overlays: Overlays,
    /// Length of trails in seconds.
    pub trail: f64,
}

/// Largest number of entries of agents, and of tiles.
const MOST: usize = 12;

/// Width of a sample and the gap behind it, in em.
const SAMPLE: f32 = 1.7;

/// Longest scale bar and room for its text, in em.
const BAR: [f32; 2] = [7.0, 4.6];

/// Returns the entries of the legend: agents, kinds of tiles in the shown part, and overlays.
pub fn entries(
    scenario: &Scenario,
    area: [Vec2; 2],
    colors: &Colors,
    Shown { kinds, overlays, trail }: &Shown,
    style: &Style,
) -> Vec<Entry> {
    let mut list: Vec<Entry> = Vec::new();
    let agents = colors.legend(scenario);
    let more = agents.len().saturating_sub(MOST);
    for (text, rgb) in agents.into_iter().take(MOST) {
        list.push(Entry { sample: Sample::Disc(rgb), text });
    }
    if let (Some(last), true) = (list.last_mut(), more > 0) {
        last.text = format!("{} and {more} more", last.text);
    }
    list.extend(tiles(scenario.map(), area, style));
    let mut line = |text: String, rgb: Rgb, dash: Dash| {
        list.push(Entry { sample: Sample::Line(rgb, dash), text });
    };
    if overlays.has(Layer::Trail) && *trail > 0.0 {
        line(format!("trail of {trail} s"), style.mark(style.hues.dim), Dash::Solid);
    }
    let is_shown = |layer: Layer| overlays.has(layer) && kinds.iter().any(|kind| has(kind, layer));
    for entry in TABLE.iter().filter(|entry| is_shown(entry.layer)) {
        if let Some((rgb, dash)) = sample(entry.layer, style) {
            line(text(entry.layer, entry.name).to_owned(), rgb, dash);
        }
    }
    list
}

/// Behaviours whose notes an overlay shows.
const NOTED: [(Layer, &[&str]); 8] = [
    (Layer::Feelers, &["avoid_walls", "hug_walls"]),
    (Layer::Box, &["avoid_obstacles"]),
    (Layer::Planes, &["avoid_crowd"]),
    (Layer::Wander, &["wander"]),
    (Layer::Predicted, &["pursue", "evade", "interpose", "offset_pursue", "avoid_agents"]),
    (Layer::Spots, &["hide"]),
    (Layer::Path, &["follow_path", "stay_on_path", "flow"]),
    (Layer::Neighbours, &["separation", "alignment", "cohesion", "avoid_crowd", "avoid_agents"]),
];

/// Returns whether an overlay can show something of a kind of agents.
fn has(kind: &AgentKind, layer: Layer) -> bool {
    let mut rows = kind.modes.iter().flat_map(|mode| mode.drive.steering());
    if let Some((_, words)) = NOTED.iter().find(|(noted, _)| *noted == layer) {
        return rows.any(|row| words.contains(&row.behaviour.word()));
    }
    match layer {
        Layer::Behaviours | Layer::Force | Layer::Cells => rows.next().is_some(),
        Layer::Targets => rows.any(|row| row.target.is_some()),
        Layer::Pattern => kind
            .modes
            .iter()
            .any(|mode| mode.drive.patterns().next().is_some() || mode.drive.target().is_some()),
        Layer::Heading
        | Layer::Velocity
        | Layer::Feelers
        | Layer::Box
        | Layer::Planes
        | Layer::Wander
        | Layer::Predicted
        | Layer::Spots
        | Layer::Path
        | Layer::Neighbours
        | Layer::Trail
        | Layer::Preview
        | Layer::Events
        | Layer::Visits
        | Layer::Lines
        | Layer::Sight
        | Layer::Rulers
        | Layer::Minimap => true,
    }
}

/// Returns the line of an overlay in the legend. Returns `None` for overlays that explain themselves.
fn sample(layer: Layer, style: &Style) -> Option<(Rgb, Dash)> {
    let hues = style.hues;
    let (rgb, dash) = match layer {
        Layer::Velocity => (hues.text, Dash::Solid),
        Layer::Force => (hues.bright, Dash::Solid),
        Layer::Behaviours => return Some((style.vector(0), Dash::Solid)),
        Layer::Feelers | Layer::Planes => (hues.accent, Dash::Solid),
        Layer::Box => (hues.accent, Dash::Dotted),
        Layer::Wander => (hues.ground, Dash::Solid),
        Layer::Targets | Layer::Predicted | Layer::Spots => (hues.target, Dash::Solid),
        Layer::Path => (hues.path, Dash::Dashed),
        Layer::Pattern => (hues.path, Dash::Dotted),
        Layer::Neighbours => (hues.neighbour, Dash::Dotted),
        Layer::Cells => (hues.dim, Dash::Dotted),
        Layer::Preview => (hues.text, Dash::Dotted),
        Layer::Visits => (hues.hit, Dash::Solid),
        Layer::Sight => (hues.accent, Dash::Dashed),
        Layer::Heading
        | Layer::Trail
        | Layer::Events
        | Layer::Lines
        | Layer::Rulers
        | Layer::Minimap => return None,
    };
    Some((style.mark(rgb), dash))
}

fn text(layer: Layer, name: &'static str) -> &'static str {
    match layer {
        Layer::Velocity => "velocity × 0.5 s",
        Layer::Force => "total force",
        Layer::Behaviours => "force of each behaviour",
        Layer::Sight => "field of view",
        Layer::Pattern => "pattern or route ahead",
        Layer::Preview => "next 3 s",
        Layer::Visits => "visits per tile",
        Layer::Heading
        | Layer::Feelers
        | Layer::Box
        | Layer::Planes
        | Layer::Wander
        | Layer::Targets
        | Layer::Predicted
        | Layer::Spots
        | Layer::Path
        | Layer::Neighbours
        | Layer::Cells
        | Layer::Trail
        | Layer::Events
        | Layer::Lines
        | Layer::Rulers
        | Layer::Minimap => name,
    }
}

fn tiles(map: &Map, area: [Vec2; 2], style: &Style) -> Vec<Entry> {
    let mut seen = vec![false; map.legend().len()];
    for tile in Part::of(map, area).tiles() {
        if let Some(index) = map.tiles().get(tile) {
            seen[usize::from(*index)] = true;
        }
    }
    let mut list: Vec<Entry> = Vec::new();
    for (kind, _) in map.legend().iter().zip(seen).filter(|(_, seen)| *seen) {
        let ground = style.ground(kind);
        let sample = match kind.obstacle {
            Some(_) => Sample::Obstacle(style.obstacle(Some(kind))),
            None if ground.fill.is_some() => Sample::Region(ground),
            None => continue,
        };
        let entry = Entry { sample, text: kind.name.clone() };
        if !list.contains(&entry) && list.len() < MOST {
            list.push(entry);
        }
    }
    list
}

/// Returns the widths of the scale bar and the entries, in em.
pub fn widths(entries: &[Entry]) -> Vec<f32> {
    let texts = entries.iter().map(|entry| SAMPLE + SANS.width(&entry.text, 0.9));
    core::iter::once(BAR.iter().sum()).chain(texts).collect()
}

/// Draws the frame around the map. Margins cover what extends beyond the map.
pub fn draw(
    layout: &Layout,
    contents: &Contents,
    entries: &[Entry],
    title: &str,
    style: &Style,
) -> Vec<Shape> {
    let [width, height] = layout.size.map(|side| side as f32);
    let [from, to] = layout.corners();
    let rectangle = |a: Vec2, b: Vec2| Shape::area(Outline::rectangle(a, b), style.background());
    let mut shapes = vec![
        rectangle(Vec2::ZERO, Vec2::new(width, from.y)),
        rectangle(Vec2::new(0.0, to.y), Vec2::new(width, height)),
        rectangle(Vec2::new(0.0, from.y), Vec2::new(from.x, to.y)),
        rectangle(Vec2::new(to.x, from.y), Vec2::new(width, to.y)),
    ];
    let font = layout.font;
    let ink = style.text(style.hues.text).into();
    let [left, right] = layout.sides();
    let room = right - left - font * 14.0;
    let title = fitted(title, font * 1.15, room.max(0.0));
    let head = Text { text: &title, size: font * 1.15, ink, align: Align::Left };
    shapes.push(head.shape(Vec2::new(left, font * 1.6)));
    let places = contents.places((right - left) / font);
    let at =
        |[x, row]: [f32; 2]| Vec2::new(left + x * font, layout.legend + (row + 0.5) * ROW * font);
    if let Some(place) = places.first() {
        scale_bar(layout, at(*place), style, &mut shapes);
    }
    for (entry, place) in entries.iter().zip(places.iter().skip(1)) {
        draw_entry(entry, at(*place), font, style, &mut shapes);
    }
    shapes
}

/// Draws the number and the time of the frame.
pub fn stamp(layout: &Layout, text: &str, style: &Style) -> Shape {
    let ink = style.text(style.hues.dim).into();
    let text = Text { text, size: layout.font, ink, align: Align::Right };
    text.shape(Vec2::new(layout.sides()[1], layout.font * 1.6))
}

/// Draws a bar of a round number of tiles.
fn scale_bar(layout: &Layout, at: Vec2, style: &Style, shapes: &mut Vec<Shape>) {
    let font = layout.font;
    let longest = font * BAR[0];
    let lengths = [1000, 500, 200, 100, 50, 20, 10, 5, 2, 1];
    let fits = |tiles: &u32| *tiles as f32 * layout.scale <= longest;
    let tiles = lengths.into_iter().find(fits).unwrap_or(1);
    let end = at + Vec2::new((tiles as f32 * layout.scale).min(longest), 0.0);
    let rgb = style.text(style.hues.text);
    shapes.push(Shape::line(at, end, rgb, font * 0.12));
    for tick in [at, end] {
        let half = Vec2::new(0.0, font * 0.3);
        shapes.push(Shape::line(tick - half, tick + half, rgb, font * 0.12));
    }
    let text = if tiles == 1 { "1 tile".to_owned() } else { format!("{tiles} tiles") };
    let text = Text { text: &text, size: font * 0.9, ink: rgb.into(), align: Align::Left };
    shapes.push(text.shape(end + Vec2::new(font * 0.6, font * 0.33)));
}

fn draw_entry(entry: &Entry, at: Vec2, font: f32, style: &Style, shapes: &mut Vec<Shape>) {
    let middle = at + Vec2::new(font * 0.6, 0.0);
    let half = Vec2::new(font * 0.6, font * 0.4);
    let disc = |radius: f32, fill: Rgb, line: Rgb| Shape::Disc {
        centre: middle,
        radius: font * radius,
        fill: Some(fill.into()),
        stroke: Some(Stroke::solid(line, font * 0.06)),
        name: String::new(),
    };
    match entry.sample {
        Sample::Disc(rgb) => shapes.push(disc(0.42, rgb, border(rgb, style))),
        Sample::Obstacle([fill, line]) => shapes.push(disc(0.42, fill, line)),
        Sample::Region(ground) => {
            let outline = Outline::rectangle(middle - half, middle + half);
            shapes.push(Shape::area(outline.clone(), ground.fill.unwrap_or(style.background())));
            let line = ground.line.unwrap_or_else(|| style.mark(style.hues.border));
            shapes.push(Shape::Line { outline, stroke: Stroke::solid(line, font * 0.08) });
        }
        Sample::Line(rgb, dash) => {
            let across = Vec2::new(half.x, 0.0);
            let outline = Outline::line([middle - across, middle + across]);
            let stroke = Stroke { dash, ..Stroke::solid(rgb, font * 0.16) };
            shapes.push(Shape::Line { outline, stroke });
        }
    }
    let ink = style.text(style.hues.text).into();
    let text = Text { text: &entry.text, size: font * 0.9, ink, align: Align::Left };
    shapes.push(text.shape(at + Vec2::new(font * SAMPLE, font * 0.33)));
}

/// Draws the numbers of columns above the map and of rows to its left.
pub fn rulers(layout: &Layout, [from, to]: [Vec2; 2], placed: Placed, style: &Style) -> Vec<Shape> {
    let (font, size) = (layout.font, layout.font * 0.8);
    let steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
    let is_wide = |step: &i32| *step as f32 * layout.scale >= 2.2 * font;
    let step = steps.into_iter().find(is_wide).unwrap_or(1000);
    let ink = style.text(style.hues.dim).into();
    let [corner, _] = layout.corners();
    let numbers = |from: f32, to: f32| {
        let first = (from.ceil() as i32).div_euclid(step) * step;
        (first..)
            .step_by(step as usize)
            .take_while(move |number| (*number as f32) < to)
            .filter(move |number| *number as f32 + 0.5 > from)
    };
    let mut shapes = Vec::new();
    for column in numbers(from.x, to.x) {
        let at = placed.at(Vec2::new(column as f32 + 0.5, 0.0));
        let text = Text { text: &column.to_string(), size, ink, align: Align::Centre };
        shapes.push(text.shape(Vec2::new(at.x, corner.y - font * 0.35)));
    }
    for row in numbers(from.y, to.y) {
        let at = placed.at(Vec2::new(0.0, row as f32 + 0.5));
        let text = Text { text: &row.to_string(), size, ink, align: Align::Right };
        shapes.push(text.shape(Vec2::new(corner.x - font * 0.45, at.y + size * 0.35)));
    }
    shapes
}
