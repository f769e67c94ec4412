//! The overlay `sight`: the field of view of an agent, the tiles in it that are hidden, and the line to
//! each target with what blocks it.

use ratatui::buffer::Buffer;

use crate::geom::vector::rotate_by;
use crate::geom::{TilePos, Vec2};
use crate::id::AgentId;
use crate::steering::Target;
use crate::tui::draw::canvas::Canvas;
use crate::tui::draw::strokes::Dash;
use crate::tui::glyph;
use crate::world::World;

/// Maximum number of tiles that are tested for sight.
const MOST_TILES: usize = 2000;

/// Maximum number of lines to targets.
const MOST_TARGETS: usize = 20;

/// Marks the tiles in an agent's field of view that walls and obstacles hide.
pub fn hidden(world: &World, id: AgentId, canvas: &Canvas, buffer: &mut Buffer) {
    let (map, motion, view) = (canvas.map, world.motion(id), world.body(id).view);
    let own = world.tile(id);
    let is_hidden = |tile: &TilePos| {
        let offset = map.offset(motion.position, tile.centre());
        let is_open = map.kind(*tile).is_some_and(|kind| kind.walk && !kind.opaque);
        *tile != own
            && is_open
            && view.holds(offset, motion.heading)
            && !map.sees(motion.position, motion.position + offset)
    };
    let is_near =
        |tile: &TilePos| map.offset(motion.position, tile.centre()).length() <= view.range;
    if canvas.view.zoom.is_far() {
        return;
    }
    let near = canvas.view.tiles().filter(is_near).take(MOST_TILES);
    for tile in near.filter(is_hidden) {
        canvas.tile(tile, Some(glyph::UNAPPLIED), canvas.theme.dim, buffer);
    }
}

/// Draws the border of an agent's field of view, and the lines to its targets. A dashed line leads
/// to a target that the agent does not see.
pub fn draw(world: &World, id: AgentId, canvas: &mut Canvas) {
    let (motion, view) = (world.motion(id), world.body(id).view);
    let style = canvas.theme.feeler;
    if view.angle >= core::f32::consts::TAU {
        canvas.strokes.circle(motion.position, view.range, Dash::Dotted, style);
    } else {
        let first = rotate_by(motion.heading * view.range, -view.angle / 2.0);
        let last = rotate_by(motion.heading * view.range, view.angle / 2.0);
        canvas.strokes.arc(motion.position, first, view.angle, Dash::Dotted, style);
        for edge in [first, last] {
            canvas.strokes.line(motion.position, motion.position + edge, Dash::Dotted, style);
        }
    }
    for target in targets(world, id) {
        line(world, id, target, canvas);
    }
}

/// Returns the targets that the agent looks for. Without such targets, returns the agents in its
/// range.
fn targets(world: &World, id: AgentId) -> Vec<Target> {
    let watched = &world.kind(id).watched;
    if !watched.is_empty() {
        return watched.iter().map(|target| target.target()).collect();
    }
    let range = world.body(id).view.range;
    let is_near = |&other: &AgentId| {
        let map = world.scenario().map();
        other != id && map.offset(world.position(id), world.position(other)).length() <= range
    };
    world.ids().filter(is_near).take(MOST_TARGETS).map(Target::Agent).collect()
}

/// Draws the line of sight to a target, and marks what blocks it.
fn line(world: &World, id: AgentId, target: Target, canvas: &mut Canvas) {
    let Some(seen) = world.see(id, target) else { return };
    let Some(check) = world.check_view(id, target) else { return };
    let (eye, theme) = (world.position(id), canvas.theme);
    let other = eye + seen.offset;
    let sees = world.sees(id, target);
    let (dash, style) = if sees { (Dash::Solid, theme.target) } else { (Dash::Dashed, theme.hit) };
    canvas.strokes.line(eye, other, dash, style);
    let tile = check.tile.map(TilePos::centre);
    let block: Option<Vec2> = tile.or_else(|| canvas.map.sight_hit(eye, other));
    if let Some(block) = block {
        canvas.sign(block, glyph::HIT, theme.hit);
    }
}
