//! What a behaviour looked at, as lines and signs.

use crate::body::Motion;
use crate::geom::vector::rotate_by;
use crate::geom::{Notch, Vec2, unit};
use crate::steering::Note;
use crate::tui::draw::canvas::Canvas;
use crate::tui::draw::strokes::Dash;
use crate::tui::glyph;
use crate::tui::overlays::{Layer, Overlays};

/// Tiles from an agent to the arrow of where it would face.
const FACING: f32 = 1.5;

/// The layer a note belongs to.
pub fn layer(note: &Note) -> Layer {
    match note {
        Note::Target(_) | Note::Facing(_) => Layer::Targets,
        Note::Predicted(_) => Layer::Predicted,
        Note::HidingSpot { .. } => Layer::Spots,
        Note::Segment { .. } | Note::Waypoint(_) => Layer::Path,
        Note::Neighbourhood { .. } | Note::Neighbour(_) => Layer::Neighbours,
        Note::Feeler { .. } => Layer::Feelers,
        Note::DetectionBox { .. } => Layer::Box,
        Note::WanderCircle { .. } => Layer::Wander,
    }
}

/// Draws a note, if its layer is shown; `before` is the motion of the agent that sensed it.
pub fn draw(note: &Note, before: Motion, overlays: Overlays, canvas: &mut Canvas) {
    if !overlays.has(layer(note)) {
        return;
    }
    let theme = canvas.theme;
    match *note {
        Note::Target(at) => canvas.sign(at, glyph::TARGET, theme.target),
        Note::Predicted(at) => canvas.sign(at, glyph::PREDICTED, theme.target),
        Note::Facing(way) => facing(before.position, way, canvas),
        Note::HidingSpot { at, chosen } => {
            let style = if chosen { theme.target } else { theme.dim };
            let sign = if chosen { glyph::CHOSEN_SPOT } else { glyph::SPOT };
            canvas.sign(at, sign, style);
        }
        Note::Segment { from, to } => canvas.strokes.line(from, to, Dash::Dashed, theme.path),
        Note::Waypoint(at) => canvas.sign(at, glyph::WAYPOINT, theme.path),
        Note::Neighbourhood { radius, angle } => neighbourhood(before, radius, angle, canvas),
        Note::Neighbour(id) => canvas.marked.push(id),
        Note::Feeler { from, to, hit } => {
            canvas.strokes.line(from, hit.unwrap_or(to), Dash::Solid, theme.feeler);
            if let Some(hit) = hit {
                canvas.strokes.line(hit, to, Dash::Dashed, theme.hit);
                canvas.sign(hit, glyph::HIT, theme.hit);
            }
        }
        Note::DetectionBox { from, to, half_width, hit } => {
            let free = (Dash::Dotted, theme.feeler);
            let look = hit.map_or(free, |_| (Dash::Solid, theme.hit));
            outline(from, to, half_width, look, canvas);
            if let Some(obstacle) = hit {
                canvas.strokes.circle(obstacle.centre, obstacle.radius, Dash::Solid, theme.hit);
                canvas.sign(obstacle.centre, glyph::HIT, theme.hit);
            }
        }
        Note::WanderCircle { centre, radius, point } => {
            canvas.strokes.circle(centre, radius, Dash::Solid, theme.wander);
            canvas.strokes.line(before.position, point, Dash::Dotted, theme.wander);
            canvas.sign(point, glyph::WANDER, theme.wander);
        }
    }
}

/// Where it would face.
fn facing(from: Vec2, way: Vec2, canvas: &mut Canvas) {
    let to = from + way * FACING;
    canvas.strokes.line(from, to, Dash::Dotted, canvas.theme.target);
    canvas.sign(to, Notch::nearest(way, false).arrow(), canvas.theme.target);
}

/// The four sides of a detection box.
fn outline(
    from: Vec2,
    to: Vec2,
    half_width: f32,
    (dash, style): (Dash, ratatui::style::Style),
    canvas: &mut Canvas,
) {
    let side = unit((to - from).perp()) * half_width;
    let corners = [from - side, to - side, to + side, from + side, from - side];
    for pair in corners.windows(2) {
        canvas.strokes.line(pair[0], pair[1], dash, style);
    }
}

/// A circle, or a cone about the heading.
fn neighbourhood(of: Motion, radius: f32, angle: Option<f32>, canvas: &mut Canvas) {
    let style = canvas.theme.neighbour;
    let Some(angle) = angle else {
        canvas.strokes.circle(of.position, radius, Dash::Dotted, style);
        return;
    };
    let first = rotate_by(of.heading * radius, -angle / 2.0);
    let last = rotate_by(first, angle);
    canvas.strokes.arc(of.position, first, angle, Dash::Dotted, style);
    for side in [first, last] {
        canvas.strokes.line(of.position, of.position + side, Dash::Dotted, style);
    }
}
