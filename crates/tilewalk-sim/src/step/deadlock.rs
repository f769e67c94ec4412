//! Deadlock: a cycle of walkers in which each walker wants the tile of the next walker.
//!
//! A blocked walker waits for at most one agent: the holder of the wanted tile. The search follows
//! these agents one by one. It runs only for a walker that another agent has blocked for three
//! seconds.

use crate::event::{Cycle, Obstruction};
use crate::id::AgentId;
use crate::world::{DriveState, Flags, World};

/// The reason why a blocked walker makes no headway.
pub(super) enum Hold {
    /// An agent at the head of the queue keeps moving, so the walker only waits.
    Queue,
    /// An agent ahead is stuck or will not move.
    Jam,
    /// The walker is in a cycle of agents that wait for each other.
    Cycle,
}

/// Returns true if every agent of a walker's cycle has waited for `limit` frames.
pub(super) fn is_ripe(world: &World, id: AgentId, limit: u32) -> bool {
    waiting(world, id).all(|member| world.detectors(member).frames >= limit)
}

/// Returns the agents of the cycle that contains a walker. The walker is the last one.
pub(super) fn cycle(world: &World, id: AgentId) -> Cycle {
    let mut cycle = Cycle::new();
    waiting(world, id).for_each(|member| cycle.add(member));
    cycle
}

/// Iterates over the agents that a walker waits for, directly and indirectly. Ends with the walker
/// itself if it is in a cycle.
pub fn waiting(world: &World, id: AgentId) -> impl Iterator<Item = AgentId> {
    let next = move |&at: &AgentId| if at == id { None } else { blocker(world, at) };
    // A walker can wait for a cycle that it is not in, so the number of agents is limited.
    core::iter::successors(blocker(world, id), next).take(world.len())
}

/// Returns the agent on the tile that a walker wants. Returns `None` if no agent blocks the walker,
/// or if the walker is not in the world.
pub(super) fn blocker(world: &World, id: AgentId) -> Option<AgentId> {
    match world.obstruction(id) {
        Some(Obstruction::Agent(other)) if world.flags(id).has(Flags::BLOCKED) => {
            world.is_present(id).then_some(other)
        }
        Some(_) | None => None,
    }
}

/// Returns the reason why a walker makes no headway. Another agent must block the walker.
pub(super) fn hold(world: &World, id: AgentId) -> Hold {
    let mut jammed = false;
    let mut head = id;
    for next in waiting(world, id) {
        if next == id {
            return Hold::Cycle;
        }
        jammed |= world.flags(next).has(Flags::STUCK);
        head = next;
    }
    // Without a head, the walker waits for a cycle.
    let ends = blocker(world, head).is_none();
    if jammed || ends && !moves_on(world, head) { Hold::Jam } else { Hold::Queue }
}

/// Returns true if the agent at the head of a queue moves or will move. Also true if the agent is
/// not in the world.
fn moves_on(world: &World, id: AgentId) -> bool {
    if !world.is_present(id) {
        return true;
    }
    let flags = world.flags(id);
    let ended = [Flags::BLOCKED, Flags::FINISHED, Flags::ARRIVED, Flags::QUARANTINED];
    if ended.into_iter().any(|flag| flags.has(flag)) {
        return false;
    }
    match world.drive_state(id) {
        DriveState::Path { .. }
        | DriveState::Matrix { .. }
        | DriveState::Steps { .. }
        | DriveState::Thrust { .. } => true,
        // The first step can still be to come.
        DriveState::Chase { aim, .. } => aim.is_some_and(|aim| aim.to != world.tile(id)),
        DriveState::Travel { progress, .. } => {
            progress.is_some_and(|progress| progress.to != world.tile(id))
        }
        DriveState::Stand
        | DriveState::Steer(_)
        | DriveState::Keys { .. }
        | DriveState::FleeTiles { .. } => world.velocity(id).length() > STANDSTILL,
    }
}

/// Speed below which an agent counts as standing, in tiles/s. At this speed, the agent needs ten
/// seconds for a tile.
const STANDSTILL: f32 = 0.1;
