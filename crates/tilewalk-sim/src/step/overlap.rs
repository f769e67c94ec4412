//! Zero overlap: separates solid bodies that overlap (Buckland ch. 3).
//!
//! Each body of a pair moves by half of the overlap along the line between the centres, pair by
//! pair in agent order. This can cause new overlaps, so there are up to four passes. Walls stop
//! this motion like any other motion. Velocities do not change.
//!
//! *Limitations*: fast bodies can pass through each other if no frame finds them overlapping. In a
//! dense crowd, some overlap can remain for the next frame. If all solid bodies stand or walk on
//! tiles, overlaps are not checked, even under manual control.

use crate::event::EventKind;
use crate::geom::Vec2;
use crate::id::AgentId;
use crate::map::sweep;
use crate::world::bodies::Bodies;
use crate::world::neighbours::apart;
use crate::world::{Flags, World};

/// Maximum number of passes over all pairs of bodies per frame.
const PASSES: u32 = 4;

/// Largest overlap at which bodies only touch, in tiles. Larger than the rounding error of
/// positions.
const TOUCHING: f32 = 1e-3;

/// Separates solid bodies, and reports new overlaps.
pub(super) fn separate(world: &mut World) {
    let Some(mut bodies) = world.bodies.take() else { return };
    for pass in 0..PASSES {
        bodies.sort(&world.state);
        if pass == 0 {
            note_overlaps(world, &mut bodies);
        }
        if !separate_all(world, &mut bodies) {
            break;
        }
    }
    world.bodies = Some(bodies);
}

/// Separates all pairs once. Returns true if a body moved.
fn separate_all(world: &mut World, bodies: &mut Bodies) -> bool {
    let mut moved = false;
    for rank in 0..bodies.ids.len() {
        let id = bodies.ids[rank];
        for index in 0..bodies.find_near(rank, &world.state) {
            let other = bodies.ids[bodies.near(index)];
            moved |= separate_pair(world, id, other);
        }
    }
    moved
}

/// Separates two bodies that overlap. Returns true if one of them moved.
fn separate_pair(world: &mut World, id: AgentId, other: AgentId) -> bool {
    let Some((direction, overlap)) = overlap(world, id, other) else { return false };
    let (share, other_share) = match (gives_way(world, id), gives_way(world, other)) {
        (true, true) => (0.5, 0.5),
        (true, false) => (1.0, 0.0),
        (false, true) => (0.0, 1.0),
        (false, false) => return false,
    };
    shift(world, id, -direction * (overlap * share));
    shift(world, other, direction * (overlap * other_share));
    true
}

/// Returns the direction from one body to the other and the depth of their overlap, in tiles.
/// Returns `None` if they do not overlap.
fn overlap(world: &World, id: AgentId, other: AgentId) -> Option<(Vec2, f32)> {
    let offset = world.scenario().map.offset(world.position(id), world.position(other));
    let overlap = world.body(id).radius + world.body(other).radius - offset.length();
    if overlap <= TOUCHING {
        return None;
    }
    let direction = crate::geom::unit(offset);
    let direction =
        if direction == Vec2::ZERO { -apart(id, other, &world.names) } else { direction };
    Some((direction, overlap))
}

/// Returns true if other bodies can push the agent. Walkers on tiles, standing agents without
/// manual control and frozen agents cannot be pushed.
fn gives_way(world: &World, id: AgentId) -> bool {
    let driven = world.control_of(id).is_some() && !world.is_on_tiles(id);
    let gives_way = driven || world.mode(id).gives_way(world.pick(id));
    gives_way && !world.flags(id).has(Flags::QUARANTINED)
}

fn shift(world: &mut World, id: AgentId, motion: Vec2) {
    let map = &world.scenario().map;
    let slid = sweep::slide(map, world.position(id), motion, world.body(id).radius);
    let end = map.wrap(slid.end);
    world.state.set_position(id.index(), end);
}

/// Updates the overlap flags before bodies are separated, and reports new overlaps.
fn note_overlaps(world: &mut World, bodies: &mut Bodies) {
    bodies.partners.clear();
    bodies.partners.resize(bodies.ids.len(), None);
    for rank in 0..bodies.ids.len() {
        for index in 0..bodies.find_near(rank, &world.state) {
            let other = bodies.near(index);
            let (id, other_id) = (bodies.ids[rank], bodies.ids[other]);
            if overlap(world, id, other_id).is_some() {
                bodies.partners[rank].get_or_insert(other_id);
                bodies.partners[other].get_or_insert(id);
            }
        }
    }
    for (&id, partner) in bodies.ids.iter().zip(&bodies.partners) {
        let flags = &mut world.state.flags[id.index()];
        let began = !flags.has(Flags::OVERLAPPING);
        flags.set(Flags::OVERLAPPING, partner.is_some());
        if let (Some(other), true) = (*partner, began) {
            world.report(id, EventKind::Overlap(other));
        }
    }
}
