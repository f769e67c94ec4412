//! Draws vectors: an agent's velocity, the force of each behaviour, and the total force.

use core::f32::consts::FRAC_PI_2;

use crate::geom::vector::rotate_by;
use crate::geom::{Vec2, truncate, unit};
use crate::id::AgentId;
use crate::steering::{BreakdownRow, LIMIT};
use crate::step::Explanation;
use crate::tui::draw::canvas::Canvas;
use crate::tui::draw::strokes::Dash;
use crate::tui::glyph;
use crate::words;
use crate::world::World;

/// Drawn length of the maximum force, in tiles.
const LONGEST: f32 = 3.0;

/// Time that a velocity vector covers, in simulated seconds.
const AHEAD: f32 = 0.5;

/// Radius of the arc that shows a turn, in tiles. The agent is at its centre.
const TURN: f32 = 1.2;

/// Minimum length of a drawn vector, in tiles. Shorter vectors are not drawn.
const SHORTEST: f32 = 0.05;

/// Draws the velocity of an agent as the distance that the agent covers in half a second.
pub fn velocity(world: &World, id: AgentId, canvas: &mut Canvas) {
    let offset = world.velocity(id) * AHEAD;
    arrow(world.position(id), offset, canvas.theme.velocity, canvas);
}

/// Draws the applied total force of an explained step. The maximum force is three tiles long.
pub fn force(world: &World, why: &Explanation, canvas: &mut Canvas) {
    let offset = scaled(why.output.force, world.body(why.agent).max_force);
    arrow(world.position(why.agent), offset, canvas.theme.force, canvas);
}

fn arrow(from: Vec2, offset: Vec2, style: ratatui::style::Style, canvas: &mut Canvas) {
    if offset.length() > SHORTEST {
        canvas.strokes.line(from, from + offset, Dash::Solid, style);
        canvas.sign(from + offset, words::arrow(offset), style);
    }
}

/// Draws the force of each behaviour as a line, and its turn as an arc.
///
/// The end of each line shows the behaviour's number. The part of a force that was not applied is
/// dashed.
pub fn behaviours(world: &World, why: &Explanation, canvas: &mut Canvas) {
    let body = world.body(why.agent);
    let from = world.position(why.agent);
    for (index, row) in why.forces.rows.iter().enumerate() {
        if row.behaviour == LIMIT {
            continue;
        }
        push(from, index, row, body.max_force, canvas);
        let turn = row.accepted.turn / body.max_turn_accel;
        if turn.is_finite() && turn != 0.0 {
            let (style, heading) = (canvas.theme.vector(index), world.heading(why.agent) * TURN);
            let angle = turn.clamp(-1.0, 1.0) * FRAC_PI_2;
            canvas.strokes.arc(from, heading, angle, Dash::Solid, style);
            canvas.sign(from + rotate_by(heading, angle), glyph::row(index), style);
        }
    }
}

/// Draws a vector with its number. A vector of the length `longest` is three tiles long.
pub fn numbered(from: Vec2, vector: Vec2, longest: f32, index: usize, canvas: &mut Canvas) {
    let (offset, style) = (scaled(vector, longest), canvas.theme.vector(index));
    if offset.length() > SHORTEST {
        canvas.strokes.line(from, from + offset, Dash::Solid, style);
        canvas.sign(from + offset, glyph::row(index), style);
    }
}

fn push(from: Vec2, index: usize, row: &BreakdownRow, limit: f32, canvas: &mut Canvas) {
    let taken = scaled(row.accepted.force, limit);
    let wanted = scaled(row.raw.force * row.weight, limit);
    let style = canvas.theme.vector(index);
    let end = if wanted.length() > taken.length() + SHORTEST { wanted } else { taken };
    if end.length() <= SHORTEST {
        return;
    }
    canvas.strokes.line(from, from + taken, Dash::Solid, style);
    canvas.strokes.line(from + taken, from + end, Dash::Dashed, style);
    canvas.sign(from + end, glyph::row(index), style);
}

/// Converts a force to a vector in tiles. A force of `limit` or more is three tiles long. Without a
/// limit, every force is one tile long.
fn scaled(force: Vec2, limit: f32) -> Vec2 {
    if limit > 0.0 { truncate(force / limit, 1.0) * LONGEST } else { unit(force) }
}
