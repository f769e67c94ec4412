//! The simulation step. No other code advances a world.
//!
//! A frame runs these phases in order: commands, transitions, removal, sensing, thinking, acting,
//! overlap, detectors, spawning, smoothing, looking. Sensing prepares the lookup tables of the frame. Looking
//! updates the perceived targets of agents. Agents sense only the state of the previous frame, so
//! the result does not depend on their order. If two agents want the same tile, the first agent in
//! agent order gets it.
//!
//! A step cannot fail, and it does not panic on a valid world.
//!
//! To explain a frame, [`explain()`] runs the same code on a copy of the previous frame.

mod act;
mod aim;
mod contact;
mod decide;
mod explain;
mod holds;
mod jitter;
mod keys;
mod observer;
mod population;
mod progress;
mod think;
mod thrust;
mod trace;
mod travel;
mod walk;

use crate::command::Command;
use crate::id::AgentId;
use crate::step::observer::{NoObserver, Observer};
use crate::world::{ManualControl, World};

pub use crate::step::explain::{
    Explanation, StepAttempt, explain, explain_all, explain_with, try_explain,
};
pub use crate::step::holds::{blockers_of, deadlock_of};
pub use crate::step::observer::Due;
pub use crate::step::population::{SpawnWait, removal_conditions, spawn_wait};

/// The engine revision. It increases with each release that can alter a state hash. The reader of a
/// recording can thus distinguish a changed engine from a damaged recording.
pub const ENGINE_REVISION: u16 = 3;

/// Advances the world by one frame, without commands.
pub fn step(world: &mut World) {
    step_with(world, &[]);
}

/// Advances the world by one frame, after applying the commands.
///
/// The result depends only on the world and the commands. Commands for agents that do not exist are
/// ignored.
pub fn step_with(world: &mut World, commands: &[Command]) {
    try_step(world, commands);
}

/// Advances the world by one frame like [`step_with`], and returns true. Another thread can cancel
/// the step (see [`World::set_cancel`]). A cancelled step returns false and leaves the world
/// unchanged.
pub fn try_step(world: &mut World, commands: &[Command]) -> bool {
    world.prepare_undo();
    let complete = run(world, commands, &mut NoObserver);
    if !complete {
        world.undo_step();
    }
    complete
}

/// Runs the phases of a frame, in order. Returns false if the step was cancelled. The world is then
/// invalid and must be restored.
fn run(world: &mut World, commands: &[Command], observer: &mut impl Observer) -> bool {
    begin(world, commands);
    think::think(world, observer);
    if world.cancel().is_requested() {
        return false;
    }
    act::act(world, observer);
    if world.cancel().is_requested() {
        return false;
    }
    progress::separate(world);
    holds::check(world);
    jitter::check(world);
    population::spawn(world);
    trace::arrive(world);
    world.remember_headings();
    look(world);
    true
}

/// Runs the phases before thinking, and starts the new frame.
fn begin(world: &mut World, commands: &[Command]) {
    apply_commands(world, commands);
    decide::decide(world);
    population::decide(world);
    world.begin_frame();
    population::remove(world);
    trace::leave(world);
    sense(world);
    decide::enter(world);
    progress::begin(world);
}

fn apply_commands(world: &mut World, commands: &[Command]) {
    world.clear_controls();
    for command in commands {
        match command {
            &Command::Drive { agent, direction } => {
                world.control(agent, ManualControl { direction });
            }
            &Command::Place { agent, at } => world.put(agent, at),
            Command::Reload(scenario) => world.adopt(scenario),
        }
    }
}

/// Rebuilds the tables of occupied tiles and neighbours. Increments each agent's number of frames
/// in its mode.
fn sense(world: &mut World) {
    let scenario = world.scenario().clone();
    let walks = |id: AgentId| {
        let mode = world.state.mode[id.index()];
        let pick = world.state.pick[id.index()];
        scenario.kind(id).modes[usize::from(mode)].is_on_tiles(pick)
    };
    world.occupancy.rebuild(&world.state, walks);
    world.neighbours.sort(&world.state);
    for frames in &mut world.state.mode_frames {
        *frames = frames.saturating_add(1);
    }
}

/// Updates the perceived targets of each kind whose check is due in this frame.
fn look(world: &mut World) {
    let scenario = world.scenario().clone();
    for kind in scenario.kinds.iter().filter(|kind| !kind.watched.is_empty()) {
        if !world.frame().0.is_multiple_of(kind.every.into()) {
            continue;
        }
        for id in kind.ids() {
            if world.is_present(id) {
                world.look_around(id);
            }
        }
    }
}
