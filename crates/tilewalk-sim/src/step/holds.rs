//! Decides which agents merely wait for others, which are stuck, and which are deadlocked.
//!
//! An agent is *held* by the agent on the tile that it wants, and a solid vehicle by each solid body
//! that it presses against. An agent that follows a trace is held as [`super::aim`] describes. The
//! check runs every half second, after all bodies have moved, because the contacts of a frame are
//! not saved. It examines only *suspects*: agents that made no headway for so long that they could
//! be stuck.
//!
//! - A suspect merely waits if the agents that hold it, directly or indirectly, include one that
//!   moves on. Then the queue moves.
//! - A suspect has gathered if it presses against a vehicle that has the same place to reach, and
//!   that is at the place or has gathered itself.
//! - A suspect that has done neither for three seconds, and in two checks, is stuck. Stuck agents that hold each other in a cycle are deadlocked.
//!
//! The next agent of the cycle is saved as the obstruction of each deadlocked vehicle. For a walker,
//! it is the obstruction anyway.

use core::mem;
use std::sync::Arc;

use crate::event::{Cycle, EventKind, Obstruction};
use crate::id::AgentId;
use crate::map::Map;
use crate::steering::{Intent, intent};
use crate::step::progress::{
    STANDSTILL, blocker, can_be_held, end_deadlock, frames, holder, note_stuck, suspect_after,
};
use crate::step::{aim, think};
use crate::world::holds::{HeldAgent, Holds};
use crate::world::progress::{CHECK_EVERY, STUCK_AFTER};
use crate::world::{DriveState, Flags, World};

/// Returns the agents of the cycle that contains a deadlocked agent. The first agent holds the
/// deadlocked agent, and the deadlocked agent is the last one. If two cycles share an agent, the
/// result can end earlier, before an agent that it already contains.
pub fn deadlock_of(world: &World, id: AgentId) -> Vec<AgentId> {
    let mut agents = Vec::new();
    let mut known = vec![false; world.len()];
    let mut at = id;
    while let Some(next) = holder(world, at)
        && !mem::replace(&mut known[next.index()], true)
    {
        agents.push(next);
        at = next;
        if at == id {
            break;
        }
    }
    agents
}

/// Returns the agents that block an agent, directly or indirectly: the agent that blocks it, the agent
/// that blocks that one, and so on. In a cycle, the last agent occurs twice, or is the agent itself.
/// Empty if no agent blocks it.
pub fn blockers_of(world: &World, id: AgentId) -> Vec<AgentId> {
    let mut chain = vec![id];
    let mut at = id;
    let is_held =
        |id| [Flags::BLOCKED, Flags::DEADLOCKED].iter().any(|&it| world.flags(id).has(it));
    while let Some(next) = holder(world, at).filter(|&next| is_held(at) && world.is_present(next)) {
        let repeats = chain.contains(&next);
        chain.push(next);
        at = next;
        if repeats {
            break;
        }
    }
    chain.split_off(1)
}

/// Checks the suspects, if a check is due in this frame.
pub(super) fn check(world: &mut World) {
    if !world.frame().0.is_multiple_of(frames(CHECK_EVERY, world.scenario()).into()) {
        return;
    }
    let mut holds = mem::take(&mut world.thoughts.holds);
    build(world, &mut holds);
    if !holds.is_empty() {
        judge(world, &mut holds);
        find_deadlocks(world, &mut holds);
    }
    world.thoughts.holds = holds;
}

/// Builds the graph of the agents that hold the suspects. Leaves it empty if there are none.
fn build(world: &World, holds: &mut Holds) {
    let limit = frames(STUCK_AFTER, world.scenario());
    holds.clear(world.len());
    for id in world.ids() {
        let is_late = world.detectors(id).frames >= limit;
        if is_late && !world.flags(id).has(Flags::QUARANTINED) && can_be_held(world, id) {
            holds.add_suspect(id);
        }
    }
    if holds.is_empty() {
        return;
    }
    for id in world.ids() {
        if let Some(holder) = blocker(world, id) {
            holds.add(id, holder);
        }
    }
    if let Some(bodies) = &world.bodies {
        for [held, holder] in bodies.contacts.pressing() {
            holds.add(bodies.ids[held as usize], bodies.ids[holder as usize]);
        }
    }
    aim::add_holders(world, holds, limit);
    holds.find_involved();
    for index in 0..holds.involved.len() {
        let id = holds.involved[index];
        let intent = intent_of(world, id);
        let agent = holds.agent_mut(id);
        agent.intent = intent;
        agent.waits = moves_on(world, id, intent, limit);
        agent.gathered = matches!(intent, Intent::Rest(_));
    }
    let Some(bodies) = &world.bodies else { return };
    for id in bodies.contacts.pausing().map(|body| bodies.ids[body]) {
        // The gap in front of the vehicle has just opened.
        if !holds.is_held(id) && !world.flags(id).has(Flags::STUCK) {
            holds.agent_mut(id).waits = true;
        }
    }
}

/// Returns the intent of a vehicle after its move. Returns [`Intent::Unchecked`] for other agents,
/// and for vehicles that moved on in the last second. They are most of the vehicles in a moving
/// crowd, and computing all their intents would take too long.
fn intent_of(world: &World, id: AgentId) -> Intent {
    if let Some(trace) = world.scenario().trace_of(id) {
        aim::intent_of(world, trace, id)
    } else if !has_goal(world, id) {
        Intent::Unchecked
    } else if world.detectors(id).frames > suspect_after(world.scenario()) {
        // The intent was computed in this frame.
        world.thoughts.intents[id.index()]
    } else if world.flags(id).has(Flags::AT_PLACE) {
        think::intent_of(world, id)
    } else {
        Intent::Unchecked
    }
}

/// Returns true if the agent is a vehicle with a place to reach.
fn has_goal(world: &World, id: AgentId) -> bool {
    let is_steered = matches!(world.drive_state(id), DriveState::Steer(_));
    is_steered && intent::has_goal(world.mode(id).drive.steering())
}

/// Decides which suspects are stuck.
fn judge(world: &mut World, holds: &mut Holds) {
    let scenario = Arc::clone(world.scenario());
    let map: &Map = &scenario.map;
    let [limit, check_every] = [STUCK_AFTER, CHECK_EVERY].map(|seconds| frames(seconds, &scenario));
    // An agent at its place does not wait.
    holds.spread(|agent| &mut agent.waits, |_, held| !matches!(held.intent, Intent::Rest(_)));
    holds.spread(
        |agent| &mut agent.gathered,
        |holder, held| match (holder.intent.goal(), held.intent.goal()) {
            (Some(one), Some(other)) => {
                one.is_same(&other, |from, to| map.offset(map.wrap(from), map.wrap(to)))
            }
            (_, None) | (None, Some(_)) => false,
        },
    );
    for &id in &holds.involved {
        let HeldAgent { is_suspect, waits, gathered, .. } = *holds.agent(id);
        if !is_suspect {
            continue;
        }
        let detectors = &mut world.state.detectors[id.index()];
        if waits || gathered {
            detectors.counts_from = detectors.frames;
            note_stuck(world, id, false);
        } else if detectors.counts_from == 0 {
            // In a queue, gaps open and close. The next check decides.
            detectors.counts_from = detectors.frames + check_every - limit;
        } else if detectors.frames - detectors.counts_from >= limit {
            note_stuck(world, id, true);
        }
    }
}

/// Finds the cycles of stuck suspects, and reports the agents that are new in them.
fn find_deadlocks(world: &mut World, holds: &mut Holds) {
    let state = &world.state;
    let is_late: &dyn Fn(AgentId) -> bool = &|id| state.flags[id.index()].has(Flags::STUCK);
    holds.find_components(is_late);
    for index in 0..holds.involved.len() {
        let id = holds.involved[index];
        let next = holder(world, id);
        let is_known = next.is_some_and(|next| holds.holds_in_cycle(next, id));
        if is_known {
            holds.agent_mut(id).is_in_cycle = true;
        } else if holds.agent(id).is_suspect && holds.agent(id).component.is_none() {
            end_deadlock(world, id);
        }
    }
    for index in 0..holds.involved.len() {
        let id = holds.involved[index];
        if holds.agent(id).component.is_none() {
            continue;
        }
        if !holds.agent(id).is_in_cycle {
            close_cycle(world, holds, id);
        }
    }
    for &id in &holds.involved {
        let is_new = !world.flags(id).has(Flags::DEADLOCKED);
        if is_new && holds.agent(id).component.is_some() {
            world.state.flags[id.index()].set(Flags::DEADLOCKED, true);
            let mut cycle = Cycle::new();
            for member in deadlock_of(world, id) {
                cycle.add(member);
            }
            world.report(id, EventKind::Deadlocked(cycle));
        }
    }
}

/// Saves the next agent of each agent in a cycle that contains the vehicle `first`. Prefers agents
/// whose next agent is not known yet, so that each cycle is named as a whole.
fn close_cycle(world: &mut World, holds: &mut Holds, first: AgentId) {
    let obstruction = &mut world.state.obstruction;
    let mut save = |id: AgentId, next| obstruction[id.index()] = Some(Obstruction::Agent(next));
    if holds.find_cycle(first, true, &mut save) {
        let mut member = first;
        while !mem::replace(&mut holds.agent_mut(member).is_in_cycle, true) {
            member = holder(world, member).unwrap_or(first);
        }
    } else {
        holds.find_cycle(first, false, |id, next| {
            if id == first {
                save(id, next);
            }
        });
        holds.agent_mut(first).is_in_cycle = true;
    }
}

/// Returns true if an agent has made headway recently, or will move. Also true if the agent is not
/// in the world. `intent` is the intent of a vehicle. `limit` is the number of frames without
/// headway after which an agent is stuck.
fn moves_on(world: &World, id: AgentId, intent: Intent, limit: u32) -> bool {
    if !world.is_present(id) {
        return true;
    }
    let flags = world.flags(id);
    let ended = [Flags::BLOCKED, Flags::FINISHED, Flags::ARRIVED, Flags::QUARANTINED, Flags::STUCK];
    if ended.into_iter().any(|flag| flags.has(flag)) {
        return false;
    }
    let has_speed = || world.velocity(id).length() > STANDSTILL;
    if world.active_control(id, world.mode(id)).is_some() {
        return has_speed();
    }
    if world.scenario().is_traced(id) {
        return match intent {
            Intent::Reach(_) => world.detectors(id).frames < limit,
            Intent::Rest(_) => false,
            Intent::Move | Intent::Unchecked => has_speed(),
        };
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
        DriveState::Steer(_) => match intent {
            Intent::Reach(_) => world.detectors(id).frames < limit,
            Intent::Rest(_) => false,
            Intent::Unchecked if has_goal(world, id) => world.detectors(id).frames < limit,
            Intent::Move | Intent::Unchecked => has_speed(),
        },
        DriveState::Stand | DriveState::Keys { .. } | DriveState::FleeTiles { .. } => has_speed(),
    }
}
