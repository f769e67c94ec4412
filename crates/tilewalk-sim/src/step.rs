//! The simulation step. No other code advances a world.
//!
//! A frame runs these phases in order: commands, transitions, sensing, thinking, acting, overlap,
//! smoothing, looking. Agents sense only the state of the previous frame, so the result does not
//! depend on their order. If two agents want the same tile, the first one in agent order gets it. A
//! step cannot fail, and it does not panic on a valid world.
//!
//! To explain a frame, [`explain()`] runs the same code on a copy of the previous frame.

mod act;
mod aim;
mod chase;
mod decide;
mod explain;
mod glide;
mod keys;
mod look;
mod overlap;
mod progress;
mod quarantine;
mod sense;
mod smooth;
mod think;
mod thrust;
mod travel;
mod walk;

use crate::command::Command;
use crate::world::{Held, World};

pub use explain::{Attempt, Due, Explanation, explain, explain_all, explain_with};
use explain::{Nobody, Watch};

/// Advances a world by one frame.
pub fn step(world: &mut World) {
    step_with(world, &[]);
}

/// Advances a world by one frame with the commands of that frame.
pub fn step_with(world: &mut World, commands: &[Command]) {
    try_step(world, commands);
}

/// Like [`step_with`]. Returns false and leaves the world unchanged if the step was cancelled (see
/// [`World::set_cancel`]).
pub fn try_step(world: &mut World, commands: &[Command]) -> bool {
    world.prepare_undo();
    let complete = run(world, commands, &mut Nobody);
    if !complete {
        world.undo_step();
    }
    complete
}

/// Runs the phases of a frame in order. Returns false if the step was cancelled: the world is then
/// invalid and must be restored.
fn run(world: &mut World, commands: &[Command], watch: &mut impl Watch) -> bool {
    begin(world, commands);
    think::think(world, watch);
    act::act(world, watch);
    overlap::part(world);
    smooth::smooth(world);
    look::look(world);
    // Each phase returns early when cancelled, and a request stays until it is withdrawn.
    !world.cancel().is_requested()
}

/// The phases before anybody thinks: what comes from outside, who changes the mode, the frame's
/// number, what can be looked up.
fn begin(world: &mut World, commands: &[Command]) {
    obey(world, commands);
    decide::decide(world);
    world.begin_frame();
    sense::sense(world);
    decide::enter(world);
}

/// Takes in what comes from outside.
fn obey(world: &mut World, commands: &[Command]) {
    world.let_go();
    for command in commands {
        match command {
            &Command::Drive { agent, way } => world.hold(agent, Held { way }),
            &Command::Place { agent, at } => world.put(agent, at),
            Command::Reload(scenario) => world.adopt(scenario),
        }
    }
}
