//! Draws agents as discs to scale with their heading, their trails and their names.

use crate::agent::Drive;
use crate::geom::Vec2;
use crate::id::AgentId;
use crate::palette::{Rgb, mix};
use crate::scenario::Scenario;
use crate::world::{Flags, World};

use super::super::font::{Align, SANS, Text};
use super::super::picture::{Outline, Placed, Shape, Stroke};
use super::super::style::{Style, border};
use super::trails::Trails;

/// What the colour of an agent shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ColorBy {
    /// The kind of agent, with the colours of the map.
    #[default]
    Agent,
    Mode,
    Group,
}

impl ColorBy {
    /// The words of the command line, in the order of the values.
    pub const WORDS: [&str; 3] = ["agent", "mode", "group"];

    /// Returns the value of a word.
    pub fn parse(word: &str) -> Option<Self> {
        let all = [Self::Agent, Self::Mode, Self::Group];
        Self::WORDS.iter().position(|known| *known == word).map(|index| all[index])
    }
}

/// The colours of agents and their meanings.
#[derive(Debug, Clone)]
pub struct Colors {
    by: ColorBy,
    /// Names of the modes, if they have colours.
    modes: Vec<String>,
    kinds: Vec<Rgb>,
    style: Style,
}

impl Colors {
    /// Returns the colours of the agents of a scenario.
    pub fn of(scenario: &Scenario, by: ColorBy, style: Style) -> Self {
        let mut modes: Vec<String> = Vec::new();
        for mode in scenario.kinds().iter().flat_map(|kind| &kind.modes) {
            if by == ColorBy::Mode && !modes.contains(&mode.name) {
                modes.push(mode.name.clone());
            }
        }
        let kinds = scenario.kinds().iter().enumerate().map(|(index, kind)| match by {
            ColorBy::Agent | ColorBy::Mode => style.agents(kind, index),
            ColorBy::Group => kind
                .group
                .map_or(style.text(style.hues.dim), |group| style.numbered(group.0 as usize)),
        });
        let kinds = kinds.collect();
        Self { by, modes, kinds, style }
    }

    /// Returns the colour of an agent.
    pub fn get(&self, world: &World, id: AgentId) -> Rgb {
        let kind = world.scenario().starts()[id.index()].kind as usize;
        if self.by == ColorBy::Mode {
            let name = &world.mode(id).name;
            let index = self.modes.iter().position(|mode| mode == name).unwrap_or(kind);
            return self.style.numbered(index);
        }
        self.kinds.get(kind).copied().unwrap_or(self.style.hues.text)
    }

    /// Returns the colours with their names, for the legend.
    pub fn legend(&self, scenario: &Scenario) -> Vec<(String, Rgb)> {
        match self.by {
            ColorBy::Agent => {
                let kinds = scenario.kinds().iter().zip(&self.kinds);
                let name = |(kind, rgb): (&crate::agent::AgentKind, &Rgb)| match kind.count {
                    1 => (kind.name.clone(), *rgb),
                    count if kind.template => (format!("{} (≤ {count})", kind.name), *rgb),
                    count => (format!("{} ({count})", kind.name), *rgb),
                };
                kinds.map(name).collect()
            }
            ColorBy::Mode => {
                let modes = self.modes.iter().enumerate();
                modes.map(|(index, mode)| (mode.clone(), self.style.numbered(index))).collect()
            }
            ColorBy::Group => {
                let groups = scenario.groups().iter().enumerate();
                let named =
                    groups.map(|(index, group)| (group.name.clone(), self.style.numbered(index)));
                let alone = scenario.kinds().iter().any(|kind| kind.group.is_none());
                let alone =
                    alone.then(|| ("no group".to_owned(), self.style.text(self.style.hues.dim)));
                named.chain(alone).collect()
            }
        }
    }
}

/// Least radius of a drawn disc, in pixels.
const LEAST: f32 = 1.0;

/// Radius from which a disc has a heading, in pixels.
const HEADED: f32 = 3.0;

/// Draws the disc of an agent.
pub fn disc(
    world: &World,
    id: AgentId,
    placed: Placed,
    rgb: Rgb,
    style: &Style,
    shapes: &mut Vec<Shape>,
) {
    let (centre, radius) = (placed.at(world.position(id)), world.body(id).radius * placed.scale);
    let is_large = radius >= HEADED;
    let is_faulty = world.flags(id).has(Flags::QUARANTINED);
    let line = if is_faulty { style.mark(style.hues.bad) } else { border(rgb, style) };
    let width = if is_faulty { 2.5 } else { (radius * 0.12).clamp(0.6, 1.6) };
    shapes.push(Shape::Disc {
        centre,
        radius: radius.max(LEAST),
        fill: Some(rgb.into()),
        stroke: (is_large || is_faulty).then(|| Stroke::solid(line, width)),
        name: world.name(id).to_string(),
    });
    if is_large && !matches!(world.mode(id).drive, Drive::Stand) {
        let ahead = world.shown_heading(id) * radius;
        let side = Vec2::new(-ahead.y, ahead.x);
        let head = [
            centre + ahead * 0.78,
            centre - ahead * 0.5 + side * 0.55,
            centre - ahead * 0.22,
            centre - ahead * 0.5 - side * 0.55,
        ];
        shapes.push(Shape::area(Outline::polygon(head), style.background()));
    }
}

/// Number of pieces of a trail with different widths.
const PIECES: usize = 4;

/// Draws the trail of an agent. It is narrow and pale where it is old.
pub fn trail(
    world: &World,
    id: AgentId,
    trails: &Trails,
    (placed, rgb): (Placed, Rgb),
    style: &Style,
    shapes: &mut Vec<Shape>,
) {
    let points = trails.of(world, id);
    if points.len() < 2 || points.windows(2).all(|pair| pair[0] == pair[1]) {
        return;
    }
    let map = world.scenario().map();
    let widest = (placed.scale * 0.16).clamp(0.8, 4.0);
    let pieces = if placed.scale < 4.0 { 1 } else { PIECES };
    let steps = points.len() - 1;
    for piece in 0..pieces {
        let [first, last] = [piece, piece + 1].map(|piece| steps * piece / pieces);
        let mut outline = Outline::default();
        let mut part = vec![placed.at(points[first])];
        for pair in points[first..=last].windows(2) {
            // On a torus, a trail continues at the opposite edge.
            let is_broken = map.offset(pair[0], pair[1]) != pair[1] - pair[0];
            if is_broken && (pair[1] - pair[0]).length() > 1.0 {
                outline.add_line(core::mem::take(&mut part));
            }
            part.push(placed.at(pair[1]));
        }
        outline.add_line(part);
        let share = (piece + 1) as f32 / pieces as f32;
        let rgb = style.mark(mix(style.background(), rgb, 0.5 + 0.3 * share));
        shapes.push(Shape::Line {
            outline,
            stroke: Stroke::solid(rgb, widest * (0.4 + 0.6 * share)),
        });
    }
}

/// Draws the names of agents beside them, where they cover no other name and no named agent. A name
/// without room is omitted.
pub fn names(
    world: &World,
    agents: &[AgentId],
    placed: Placed,
    font: f32,
    style: &Style,
) -> Vec<Shape> {
    let size = font * 0.9;
    let radius = |id: AgentId| (world.body(id).radius * placed.scale).max(LEAST);
    let mut taken: Vec<[Vec2; 2]> = agents
        .iter()
        .map(|&id| {
            let (at, radius) = (placed.at(world.position(id)), Vec2::splat(radius(id)));
            [at - radius, at + radius]
        })
        .collect();
    let mut shapes = Vec::new();
    for &id in agents {
        let (name, at) = (world.name(id).to_string(), placed.at(world.position(id)));
        let (width, away) = (SANS.width(&name, size), radius(id) + size * 0.35);
        // The left end of the baseline: right, left, above and below of the agent.
        let spots = [
            Vec2::new(away, size * 0.35),
            Vec2::new(-away - width, size * 0.35),
            Vec2::new(-width / 2.0, -away),
            Vec2::new(-width / 2.0, away + size * 0.75),
        ];
        let area = |spot: Vec2| {
            let start = at + spot;
            [start - Vec2::new(0.0, size * 0.8), start + Vec2::new(width, size * 0.25)]
        };
        let is_free = |spot: &Vec2| {
            let [from, to] = area(*spot);
            taken.iter().all(|[start, end]| start.cmpge(to).any() || end.cmple(from).any())
        };
        let Some(spot) = spots.into_iter().find(is_free) else { continue };
        taken.push(area(spot));
        let ink = style.text(style.hues.text).into();
        let text = Text { text: &name, size, ink, align: Align::Left };
        shapes.extend(text.with_halo(at + spot, style.background().into()));
    }
    shapes
}
