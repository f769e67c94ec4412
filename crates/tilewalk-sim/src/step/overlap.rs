//! Zero overlap: solid bodies that overlap are moved apart (Buckland ch. 3).
//!
//! Each of a pair moves by half the overlap along the line of centres, pair by pair in agent order;
//! as that may push them into others, there are up to four passes. Walls win: a body is moved as any
//! other motion is, and stops at what is solid. Velocities stay as they are.
//!
//! *Limitations*: bodies pass through each other when they are so fast that no frame finds them
//! overlapping; in a throng some overlap may be left for the next frame; and where all solid bodies
//! stand or walk on tiles nobody looks, though a person may drive one into another.

use crate::event::EventKind;
use crate::geom::Vec2;
use crate::id::AgentId;
use crate::map::sweep;
use crate::world::bodies::Bodies;
use crate::world::neighbours::apart;
use crate::world::{Flags, World};

/// How often all pairs are gone through.
const PASSES: u32 = 4;

/// Less overlap than this, in tiles, is touching: wider than the rounding of positions.
const TOUCHING: f32 = 1e-3;

/// Moves solid bodies apart, and reports who began to overlap.
pub(super) fn part(world: &mut World) {
    let Some(mut bodies) = world.bodies.take() else { return };
    for pass in 0..PASSES {
        bodies.sort(&world.state);
        if pass == 0 {
            meet(world, &mut bodies);
        }
        if !part_once(world, &mut bodies) {
            break;
        }
    }
    world.bodies = Some(bodies);
}

/// Goes through all pairs once; was anybody moved?
fn part_once(world: &mut World, bodies: &mut Bodies) -> bool {
    let mut moved = false;
    for rank in 0..bodies.ids.len() {
        let id = bodies.ids[rank];
        for index in 0..bodies.look_near(rank, &world.state) {
            let other = bodies.ids[bodies.near(index)];
            moved |= part_two(world, id, other);
        }
    }
    moved
}

/// Moves two apart, if they overlap and one of them gives way.
fn part_two(world: &mut World, id: AgentId, other: AgentId) -> bool {
    let Some((way, overlap)) = overlap(world, id, other) else { return false };
    let (mine, theirs) = match (gives_way(world, id), gives_way(world, other)) {
        (true, true) => (0.5, 0.5),
        (true, false) => (1.0, 0.0),
        (false, true) => (0.0, 1.0),
        (false, false) => return false,
    };
    shift(world, id, -way * (overlap * mine));
    shift(world, other, way * (overlap * theirs));
    true
}

/// The direction from one to another, and by how much they overlap, if they do.
fn overlap(world: &World, id: AgentId, other: AgentId) -> Option<(Vec2, f32)> {
    let offset = world.scenario().map.offset(world.position(id), world.position(other));
    let overlap = world.body(id).radius + world.body(other).radius - offset.length();
    if overlap <= TOUCHING {
        return None;
    }
    let way = crate::geom::unit(offset);
    let way = if way == Vec2::ZERO { -apart(id, other, &world.names) } else { way };
    Some((way, overlap))
}

/// Is it moved by others? Who walks on tiles keeps to them, who stands stays unless a person moves
/// it, and who is frozen is.
fn gives_way(world: &World, id: AgentId) -> bool {
    let driven = world.held(id).is_some() && !world.is_on_tiles(id);
    let gives_way = driven || world.mode(id).gives_way(world.pick(id));
    gives_way && !world.flags(id).has(Flags::QUARANTINED)
}

/// Moves a body, held out of walls.
fn shift(world: &mut World, id: AgentId, motion: Vec2) {
    let map = &world.scenario().map;
    let slid = sweep::slide(map, world.position(id), motion, world.body(id).radius);
    let end = map.wrap(slid.end);
    world.state.set_position(id.index(), end);
}

/// Notes who overlaps whom before anybody is moved, and reports where that is new.
fn meet(world: &mut World, bodies: &mut Bodies) {
    bodies.partners.clear();
    bodies.partners.resize(bodies.ids.len(), None);
    for rank in 0..bodies.ids.len() {
        for index in 0..bodies.look_near(rank, &world.state) {
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
