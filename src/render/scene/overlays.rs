//! Draws overlays: the notes of steering behaviours, forces, routes and views.

use core::f32::consts::TAU;

use crate::body::Motion;
use crate::geom::vector::rotate_by;
use crate::geom::{TilePos, Vec2, truncate, unit};
use crate::id::AgentId;
use crate::map::Map;
use crate::overlays::{Layer, Overlays};
use crate::palette::Rgb;
use crate::steering::note::{NoteOverlay, Pen, Primitive, Sign};
use crate::steering::{LIMIT, Note};
use crate::step::Explanation;
use crate::world::World;

use super::super::font::{Align, SANS, Text};
use super::super::picture::{Dash, Ink, Outline, Placed, Shape, Stroke};
use super::super::style::Style;
use super::ground::arrow;

/// Drawn length of the maximum force, in tiles.
const LONGEST: f32 = 3.0;

/// Time that a velocity vector covers, in simulated seconds.
const AHEAD: f32 = 0.5;

/// Shortest drawn vector, in tiles.
const SHORTEST: f32 = 0.05;

/// Largest number of drawn tiles of a route or pattern.
const MOST_TILES: usize = 4096;

/// Draws the overlays of agents.
#[derive(Debug)]
pub struct Pens<'a> {
    pub placed: Placed,
    pub font: f32,
    pub style: &'a Style,
    pub overlays: Overlays,
    pub shapes: Vec<Shape>,
    /// The agents that a note marks.
    pub marked: Vec<AgentId>,
    /// Areas of texts, in pixels.
    pub labels: Vec<[Vec2; 2]>,
}

impl Pens<'_> {
    /// Returns the width of thin lines.
    fn thin(&self) -> f32 {
        (self.placed.scale * 0.07).clamp(0.8, 2.2)
    }

    fn stroke(&self, rgb: Rgb, dash: Dash) -> Stroke {
        Stroke { dash, ..Stroke::solid(rgb, self.thin()) }
    }

    fn line(&mut self, points: impl IntoIterator<Item = Vec2>, stroke: Stroke) {
        let placed = self.placed;
        let outline = Outline::line(points.into_iter().map(|at| placed.at(at)));
        self.shapes.push(Shape::Line { outline, stroke });
    }

    fn circle(&mut self, centre: Vec2, radius: f32, stroke: Stroke) {
        let (centre, radius) = (self.placed.at(centre), radius * self.placed.scale);
        let (stroke, name) = (Some(stroke), String::new());
        self.shapes.push(Shape::Disc { centre, radius, fill: None, stroke, name });
    }

    fn arrow(&mut self, from: Vec2, offset: Vec2, rgb: Rgb) {
        let [from, to] = [from, from + offset].map(|at| self.placed.at(at));
        self.shapes.extend(arrow(from, to, rgb.into(), self.thin() * 1.3));
    }

    fn text(&mut self, at: Vec2, text: &str, rgb: Rgb) {
        let ink: Ink = self.style.text(rgb).into();
        let size = self.font * 0.8;
        let half = Vec2::new(SANS.width(text, size) / 2.0, 0.0);
        // A text moves down or up until it covers no other text.
        let area = |at: Vec2| [at - half - Vec2::new(0.0, size), at + half];
        let is_free = |at: &Vec2| {
            let [from, to] = area(*at);
            self.labels.iter().all(|[start, end]| start.cmpge(to).any() || end.cmple(from).any())
        };
        let rows = [0, 1, -1, 2, -2, 3, -3, 4, -4];
        let mut spots = rows
            .into_iter()
            .map(|row| self.placed.at(at) + Vec2::new(0.0, size * 1.05 * row as f32));
        let at = spots.find(is_free).unwrap_or(self.placed.at(at));
        self.labels.push(area(at));
        let text = Text { text, size, ink, align: Align::Centre };
        let halo = self.style.background().into();
        self.shapes.extend(text.with_halo(at, halo));
    }

    /// Draws the explanation of a step: the shapes of its notes, the force of each behaviour and the
    /// total force.
    pub fn explanation(&mut self, world: &World, before: &World, why: &Explanation) {
        let motion = before.motion(why.agent_before);
        for (_, note) in &why.forces.notes {
            self.note(note, motion);
        }
        let (from, body) = (world.position(why.agent), world.body(why.agent));
        if self.overlays.has(Layer::Behaviours) {
            for (index, row) in why.forces.rows.iter().enumerate() {
                if row.behaviour == LIMIT {
                    continue;
                }
                let taken = scaled(row.accepted.force, body.max_force);
                let wanted = scaled(row.raw.force * row.weight, body.max_force);
                self.force(from, [taken, wanted], row.behaviour, index);
            }
        }
        if self.overlays.has(Layer::Force) {
            let offset = scaled(why.output.force, body.max_force);
            if offset.length() > SHORTEST {
                let rgb = self.style.mark(self.style.hues.bright);
                self.arrow(from, offset, rgb);
            }
        }
    }

    /// Draws the accepted part of a force as an arrow, and the rest as a dashed line. The name of the
    /// behaviour is at its end.
    fn force(&mut self, from: Vec2, [taken, wanted]: [Vec2; 2], name: &str, index: usize) {
        let rgb = self.style.vector(index);
        let end = if wanted.length() > taken.length() + SHORTEST { wanted } else { taken };
        if end.length() <= SHORTEST {
            return;
        }
        if end != taken {
            let stroke = self.stroke(rgb, Dash::Dashed);
            self.line([from + taken, from + end], stroke);
        }
        if taken.length() > SHORTEST {
            self.arrow(from, taken, rgb);
        }
        let away = unit(end) * (self.font * 0.9 / self.placed.scale);
        let down = Vec2::new(0.0, self.font * 0.28 / self.placed.scale);
        self.text(from + end + away + down, name, rgb);
    }

    /// Draws the velocity as the distance of half a second.
    pub fn velocity(&mut self, world: &World, id: AgentId) {
        let offset = world.velocity(id) * AHEAD;
        if offset.length() > SHORTEST {
            let rgb = self.style.mark(self.style.hues.text);
            self.arrow(world.position(id), offset, rgb);
        }
    }

    fn note(&mut self, note: &Note, before: Motion) {
        let (overlay, primitives) = note.drawing(before);
        let hues = self.style.hues;
        let (layer, rgb) = match overlay {
            NoteOverlay::Targets => (Layer::Targets, hues.target),
            NoteOverlay::Predicted => (Layer::Predicted, hues.target),
            NoteOverlay::HidingSpots => (Layer::Spots, hues.target),
            NoteOverlay::Path => (Layer::Path, hues.path),
            NoteOverlay::Neighbours => (Layer::Neighbours, hues.neighbour),
            NoteOverlay::Cells => (Layer::Cells, hues.dim),
            NoteOverlay::Feelers => (Layer::Feelers, hues.accent),
            NoteOverlay::DetectionBox => (Layer::Box, hues.accent),
            NoteOverlay::HalfPlanes => (Layer::Planes, hues.accent),
            NoteOverlay::Wander => (Layer::Wander, hues.ground),
        };
        if self.overlays.has(layer) {
            let rgb = self.style.mark(rgb);
            for primitive in primitives {
                self.primitive(primitive, rgb);
            }
        }
    }

    fn primitive(&mut self, primitive: Primitive, rgb: Rgb) {
        let hit = self.style.mark(self.style.hues.hit);
        let stroke = |pens: &Self, Pen { dash, is_hit }: Pen| {
            pens.stroke(if is_hit { hit } else { rgb }, dash)
        };
        match primitive {
            Primitive::Sign { at, sign } => self.sign(at, sign, rgb),
            Primitive::Line { from, to, pen } => self.line([from, to], stroke(self, pen)),
            Primitive::Circle { centre, radius, pen } => {
                self.circle(centre, radius, stroke(self, pen));
            }
            Primitive::Arc { centre, from, angle, pen } => {
                self.line(Outline::arc(centre, from, angle), stroke(self, pen));
            }
            Primitive::Agent(id) => self.marked.push(id),
        }
    }

    fn sign(&mut self, at: Vec2, sign: Sign, rgb: Rgb) {
        let size = (self.font * 0.4 / self.placed.scale).max(0.12);
        let solid = self.stroke(rgb, Dash::Solid);
        let [x, y] = [Vec2::X, Vec2::Y].map(|axis| axis * size);
        let rhomb = [at + x, at + y, at - x, at - y];
        match sign {
            Sign::Target => self.target(at, rgb),
            Sign::Predicted => self.line(rhomb.into_iter().chain([at + x]), solid),
            Sign::Arrow(direction) => {
                let offset = direction.vector() * size;
                self.arrow(at - offset, offset, rgb);
            }
            Sign::HidingSpot => self.circle(at, size * 0.7, solid),
            Sign::ChosenHidingSpot => {
                self.circle(at, size * 0.7, solid);
                self.circle(at, size * 0.3, Stroke { width: solid.width * 2.0, ..solid });
            }
            Sign::Distance(tiles) => {
                let beside = Vec2::new(size * 2.4, size * 0.6);
                self.text(at + beside, &tiles.to_string(), self.style.hues.dim);
            }
            Sign::Waypoint => self.area(rhomb, rgb.into()),
            Sign::Hit => {
                let hit = self.stroke(self.style.mark(self.style.hues.hit), Dash::Solid);
                let hit = Stroke { width: hit.width * 1.5, ..hit };
                let size = size * 0.6;
                self.line([at - Vec2::splat(size), at + Vec2::splat(size)], hit);
                self.line([at + Vec2::new(size, -size), at + Vec2::new(-size, size)], hit);
            }
            Sign::Wander => self.circle(at, size * 0.5, solid),
        }
    }

    fn target(&mut self, at: Vec2, rgb: Rgb) {
        let size = (self.font * 0.5 / self.placed.scale).max(0.2);
        let stroke = self.stroke(rgb, Dash::Solid);
        self.circle(at, size, stroke);
        for axis in [Vec2::X, Vec2::Y] {
            for side in [axis, -axis] {
                self.line([at + side * size * 0.5, at + side * size * 1.5], stroke);
            }
        }
    }

    fn area(&mut self, points: impl IntoIterator<Item = Vec2>, ink: Ink) {
        let placed = self.placed;
        let outline = Outline::polygon(points.into_iter().map(|at| placed.at(at)));
        self.shapes.push(Shape::area(outline, ink));
    }

    /// Draws the tiles of an agent's pattern, and the route ahead.
    pub fn pattern(&mut self, world: &World, id: AgentId) {
        let rgb = self.style.mark(self.style.hues.path);
        if let Some((pattern, anchor)) = world.pattern(id) {
            for &tile in pattern.tiles().iter().take(MOST_TILES) {
                let corner = TilePos::centre(anchor + tile) - Vec2::splat(0.5);
                let square = [Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y].map(|side| corner + side);
                self.area(square, Ink { rgb, alpha: 40 });
            }
        }
        let map = world.scenario().map();
        let mut here = world.position(id);
        let mut part = vec![here];
        let stroke = self.stroke(rgb, Dash::Dotted);
        for tile in world.ahead(id).take(MOST_TILES) {
            let next = tile.centre();
            if map.offset(here, next) != next - here {
                self.line(core::mem::take(&mut part), stroke);
            }
            part.push(next);
            here = next;
        }
        if part.len() > 1 {
            self.line(part, stroke);
            let square = self.font * 0.3 / self.placed.scale;
            let end = [Vec2::X, Vec2::Y, -Vec2::X, -Vec2::Y].map(|side| here + side * square);
            self.area(end, rgb.into());
        }
    }

    /// Draws the part of an agent's field of view that nothing hides.
    pub fn sight(&mut self, world: &World, id: AgentId) {
        let (motion, view) = (world.motion(id), world.body(id).view);
        let map = world.scenario().map();
        let eye = motion.position;
        let is_round = view.angle >= TAU;
        let first = rotate_by(motion.heading * view.range, -view.angle / 2.0);
        let rays = ((view.angle * 40.0) as u32).max(8);
        let mut points = if is_round { Vec::new() } else { vec![eye] };
        for ray in 0..=rays {
            let ray = rotate_by(first, view.angle * ray as f32 / rays as f32);
            let to = eye + ray * clear_share(map, eye, ray);
            points.push(map.sight_hit(eye, to).unwrap_or(to));
        }
        let rgb = self.style.mark(self.style.hues.accent);
        self.area(points.iter().copied(), Ink { rgb, alpha: 34 });
        let stroke = self.stroke(rgb, Dash::Dashed);
        let begin = points[0];
        self.line(
            points.into_iter().chain([begin]),
            Stroke { width: stroke.width * 0.7, ..stroke },
        );
    }

    /// Draws the values of an agent that follows the run of another program.
    pub fn traced(&mut self, world: &World, id: AgentId) {
        let scenario = world.scenario();
        let Some(traced) = scenario.traced().filter(|_| scenario.is_traced(id)) else { return };
        let (trace, frame) = (&traced.trace, world.frame());
        if self.overlays.has(Layer::Behaviours) {
            for (index, columns) in trace.vectors().iter().enumerate() {
                if let Some(vector) = trace.vector(id, frame, columns) {
                    let offset = scaled(vector, columns.longest);
                    self.force(world.position(id), [offset; 2], &columns.name, index);
                }
            }
        }
        if self.overlays.has(Layer::Targets) {
            let rgb = self.style.mark(self.style.hues.target);
            if let Some(wants) = trace.wants(id, frame) {
                self.sign(wants, Sign::Waypoint, rgb);
            }
            if let Some(goal) = trace.goal(id, frame) {
                self.target(goal, rgb);
            }
        }
    }

    /// Draws the motion of the next seconds, which `ahead` contains.
    pub fn preview(&mut self, ahead: &[Vec2], world: &World) {
        let map = world.scenario().map();
        let rgb = self.style.mark(self.style.hues.text);
        let stroke = self.stroke(rgb, Dash::Dotted);
        let mut part = Vec::new();
        for (index, &at) in ahead.iter().enumerate() {
            let last = ahead[index.saturating_sub(1)];
            if map.offset(last, at) != at - last {
                self.line(core::mem::take(&mut part), stroke);
            }
            part.push(at);
        }
        self.line(part, stroke);
    }

    /// Draws a ring around the agents that notes mark.
    pub fn rings(&mut self, world: &World) {
        let stroke = self.stroke(self.style.mark(self.style.hues.neighbour), Dash::Solid);
        let mut marked = core::mem::take(&mut self.marked);
        marked.sort_unstable();
        marked.dedup();
        for id in marked.into_iter().filter(|id| world.is_present(*id)) {
            self.circle(world.position(id), world.body(id).radius + 0.12, stroke);
        }
    }
}

/// Returns the share of a ray from 0 to 1 that no opaque tile hides. The agent's own tile hides nothing.
fn clear_share(map: &Map, eye: Vec2, ray: Vec2) -> f32 {
    let own = TilePos::containing(eye);
    let steps = (ray.length() * 12.0).ceil().min(4000.0) as u32;
    let is_hidden = |share: &f32| {
        let tile = TilePos::containing(eye + ray * *share);
        tile != own && map.is_opaque(tile)
    };
    let Some(step) = (1..=steps).map(|step| step as f32 / steps as f32).find(is_hidden) else {
        return 1.0;
    };
    let (mut clear, mut hidden) = (step - 1.0 / steps as f32, step);
    for _ in 0..10 {
        let middle = f32::midpoint(clear, hidden);
        if is_hidden(&middle) { hidden = middle } else { clear = middle }
    }
    clear
}

/// Converts a force to a vector in tiles. A force of `limit` or more is three tiles long. Without a
/// limit, every force is one tile long.
fn scaled(force: Vec2, limit: f32) -> Vec2 {
    if limit > 0.0 { truncate(force / limit, 1.0) * LONGEST } else { unit(force) }
}
