//! Rung 6: the only way time moves.
//!
//! One frame is a fixed list of phases. Everything an agent senses is the state of the previous
//! frame, so the result does not depend on the order of agents; where two want one tile, agent
//! order settles it. A step cannot fail, and on a valid world it cannot panic.
//!
//! To explain a frame, the very same code runs on a copy of the frame before, with somebody
//! watching.

mod act;
mod aim;
mod chase;
mod decide;
mod explain;
mod glide;
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

use crate::world::World;

pub use explain::{Attempt, Due, Explanation, explain, explain_all};
use explain::{Nobody, Watch};

/// Makes the next frame.
pub fn step(world: &mut World) {
    run(world, &mut Nobody);
}

/// The phases of a frame, in order.
fn run(world: &mut World, watch: &mut impl Watch) {
    begin(world);
    think::think(world, watch);
    act::act(world, watch);
    overlap::part(world);
    smooth::smooth(world);
    look::look(world);
}

/// The phases before anybody thinks: who changes the mode, the frame's number, what can be looked up.
fn begin(world: &mut World) {
    decide::decide(world);
    world.begin_frame();
    sense::sense(world);
    decide::enter(world);
}
