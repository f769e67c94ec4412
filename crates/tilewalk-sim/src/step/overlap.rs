//! Zero overlap: solid bodies touch instead of overlapping (Buckland ch. 3, with swept bodies).
//!
//! The drives move each body as if it were alone. This phase treats these motions as desired
//! motions, and finds motions without overlaps (see `locomotion::contacts`). Bodies that touch
//! nothing keep their motions exactly.
//!
//! Velocities do not change. A body that presses against another body continues when its path is
//! free.

use crate::event::EventKind;
use crate::id::AgentId;
use crate::locomotion::contacts::Moving;
use crate::world::bodies::Bodies;
use crate::world::{Flags, World};

/// Stores the positions of the solid bodies before they move.
pub(super) fn begin(world: &mut World) {
    if let Some(mut bodies) = world.bodies.take() {
        bodies.begin_frame(world.scenario(), &world.state);
        world.bodies = Some(bodies);
    }
}

/// Moves solid bodies as far as other solid bodies allow, and reports new contacts.
pub(super) fn separate(world: &mut World) {
    let Some(mut bodies) = world.bodies.take() else { return };
    desire(world, &mut bodies);
    let map = &world.scenario().map;
    bodies.find_pairs(map, &world.state, &world.names);
    bodies.contacts.solve(map);
    for rank in 0..bodies.ids.len() {
        settle(world, bodies.ids[rank], &bodies.contacts.bodies[rank]);
    }
    note_contacts(world, &mut bodies);
    world.bodies = Some(bodies);
}

/// Reads the desired motion of each body: its motion in this frame so far.
fn desire(world: &World, bodies: &mut Bodies) {
    let map = &world.scenario().map;
    for (&id, body) in bodies.ids.iter().zip(&mut bodies.contacts.bodies) {
        body.desired = map.offset(body.start, world.position(id));
        body.motion = body.desired;
        body.movable = gives_way(world, id);
    }
}

/// Returns true if other bodies can push the agent. Walkers on tiles, standing agents without
/// manual control and frozen agents cannot be pushed.
fn gives_way(world: &World, id: AgentId) -> bool {
    let driven = world.control_of(id).is_some() && !world.is_on_tiles(id);
    let gives_way = driven || world.mode(id).gives_way(world.pick(id));
    gives_way && !world.flags(id).has(Flags::QUARANTINED)
}

/// Moves an agent as the contacts allow. Does nothing without contacts.
fn settle(world: &mut World, id: AgentId, body: &Moving) {
    if body.motion != body.desired {
        let position = world.scenario().map.wrap(body.start + body.motion);
        world.state.set_position(id.index(), position);
    }
}

/// Updates the overlap flags. For a body that touched no other body in the previous frame, reports
/// the first body that it meets.
fn note_contacts(world: &mut World, bodies: &mut Bodies) {
    let Bodies { ids, contacts, partners, .. } = bodies;
    partners.clear();
    partners.resize(ids.len(), None);
    for [first, second] in contacts.desired().map(|pair| pair.map(|rank| rank as usize)) {
        partners[first].get_or_insert(ids[second]);
        partners[second].get_or_insert(ids[first]);
    }
    for (&id, partner) in ids.iter().zip(partners) {
        let flags = &mut world.state.flags[id.index()];
        let began = !flags.has(Flags::OVERLAPPING);
        flags.set(Flags::OVERLAPPING, partner.is_some());
        if let (Some(other), true) = (*partner, began) {
            world.report(id, EventKind::Overlap(other));
        }
    }
}
