//! Draws overlays on the map, for the selected agent or for all agents in view.
//!
//! The shapes come from the world and from the explanation of the last step. Each `Note` of a
//! behaviour names its overlay and its shapes (see `steering::note`).
//!
//! Strokes of Braille dots are drawn first and merged into the cells below them (see `strokes`).
//! Symbols are drawn next, and agents last.

mod lines;
mod notes;
mod pattern;
mod sight;
mod traced;
mod vectors;

use ratatui::buffer::Buffer;

use crate::debugger::session::Session;
use crate::id::AgentId;
use crate::map::TILE_RADIUS;
use crate::step::Explanation;
use crate::tui::glyph;
use crate::tui::overlays::{Layer, MOST_AGENTS, Overlays};
use crate::world::World;

use super::canvas::Canvas;
use super::ghosts;
use super::strokes::Dash;

/// Draws the visible overlays of all observed agents, the selected agent last.
///
/// Neighbours are not drawn here. The canvas collects them, because agents are drawn later.
pub fn draw(session: &Session, overlays: Overlays, canvas: &mut Canvas, buffer: &mut Buffer) {
    let selected = session.selected();
    let others = session.observed().iter().copied().filter(|&id| Some(id) != selected);
    let everyone: Vec<AgentId> = others.chain(selected).collect();
    if overlays.has(Layer::Pattern) {
        for &id in &everyone {
            pattern::draw(session, id, canvas, buffer);
        }
    }
    if overlays.has(Layer::Sight) {
        for &id in &everyone {
            sight::hidden(session.world(), id, canvas, buffer);
            sight::draw(session.world(), id, canvas);
        }
    }
    ghosts::trail(session, canvas);
    if overlays.has(Layer::Preview) {
        preview(session, canvas);
    }
    for &id in &everyone {
        if overlays.has(Layer::Trail) {
            trail(session, id, canvas);
        }
        if let Some(explanation) = session.explanation_of(id) {
            draw_explanation(session, explanation, overlays, canvas);
        }
        traced::draw(session.world(), id, overlays, canvas);
        if overlays.has(Layer::Velocity) {
            vectors::velocity(session.world(), id, canvas);
        }
    }
    if canvas.view.zoom.has_room_for_bodies() {
        bodies(session, canvas);
    }
    canvas.merge(buffer);
    if overlays.has(Layer::Lines) {
        lines::draw(session, canvas, buffer);
    }
}

/// Draws the outlines of bodies that are wider than a tile and wider than a cell. Draws at most
/// [`MOST_AGENTS`] outlines.
pub fn wide_bodies(world: &World, canvas: &mut Canvas) {
    let least = TILE_RADIUS.max(0.5 / canvas.view.zoom.scale().max_element());
    let is_wide = |&id: &AgentId| world.body(id).radius > least;
    for id in world.ids().filter(is_wide).take(MOST_AGENTS) {
        outline(world, id, canvas);
    }
}

fn outline(world: &World, id: AgentId, canvas: &mut Canvas) {
    let index = world.scenario().starts()[id.index()].kind as usize;
    let style = canvas.theme.agents(world.kind(id), index);
    canvas.strokes.circle(world.position(id), world.body(id).radius, Dash::Solid, style);
}

/// Draws the outlines of all visible bodies, at most [`MOST_AGENTS`].
fn bodies(session: &Session, canvas: &mut Canvas) {
    let world = session.world();
    let seen = world.ids().filter(|&id| canvas.view.place(world.position(id)).is_some());
    let seen: Vec<AgentId> = seen.take(MOST_AGENTS).collect();
    for id in seen {
        outline(world, id, canvas);
    }
}

/// Draws the explanation of a step: the shapes of its notes, the force of each behaviour and the
/// total force.
fn draw_explanation(session: &Session, why: &Explanation, overlays: Overlays, canvas: &mut Canvas) {
    let before = session.before().motion(why.agent_before);
    for (_, note) in &why.forces.notes {
        notes::draw(note, before, overlays, canvas);
    }
    if overlays.has(Layer::Behaviours) {
        vectors::behaviours(session.world(), why, canvas);
    }
    if overlays.has(Layer::Force) {
        vectors::force(session.world(), why, canvas);
    }
}

/// Draws the next positions of the selected agent as a dashed line, with a tick for each second.
fn preview(session: &Session, canvas: &mut Canvas) {
    let scenario = session.scenario();
    let (map, style) = (scenario.map(), canvas.theme.next);
    let per_second = (1.0 / scenario.tick()).round().max(1.0) as usize;
    let track = session.preview_track();
    for (frame, pair) in track.windows(2).enumerate() {
        let (from, to) = (pair[0], pair[0] + map.offset(pair[0], pair[1]));
        canvas.strokes.line(from, to, Dash::Dotted, style);
        if (frame + 1) % per_second == 0 {
            canvas.sign(pair[1], glyph::TICK, style);
        }
    }
}

/// Draws the trail of an agent, with a tick for each second. On a torus, the trail continues at the
/// opposite edge.
fn trail(session: &Session, id: AgentId, canvas: &mut Canvas) {
    let world = session.world();
    let map = world.scenario().map();
    let style = canvas.theme.trail;
    let here = world.position(id);
    let mut last = None;
    for point in session.past().trail().of(id, session.world().number(id)) {
        if let Some(from) = last {
            canvas.strokes.line(from, from + map.offset(from, point.at), Dash::Solid, style);
        }
        if point.second {
            canvas.sign(point.at, glyph::TICK, style);
        }
        last = Some(point.at);
    }
    if let Some(from) = last {
        canvas.strokes.line(from, from + map.offset(from, here), Dash::Solid, style);
    }
}
