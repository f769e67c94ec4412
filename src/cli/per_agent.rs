//! What a run's summary tells of each agent.

use serde::Serialize;

use crate::world::World;

/// How often what happened to an agent.
#[derive(Debug, Serialize)]
pub(super) struct PerAgent {
    agent: String,
    /// Bumps into something solid.
    bumps: u32,
    /// Mean time between bumps: seconds of the run for each; null without one.
    seconds_between_bumps: Option<f32>,
    /// Times its way was blocked.
    blocked: u32,
    /// Times it was stuck.
    stuck: u32,
    /// Times it went in circles.
    circling: u32,
}

impl PerAgent {
    /// One entry per agent, in agent order.
    pub(super) fn of(world: &World) -> Vec<Self> {
        let entry = |id| {
            let tally = world.tally(id);
            Self {
                agent: world.scenario().name(id).to_string(),
                bumps: tally.bumps,
                seconds_between_bumps: tally.seconds_between_bumps(world.time()),
                blocked: tally.blocked,
                stuck: tally.stuck,
                circling: tally.circling,
            }
        };
        world.ids().map(entry).collect()
    }
}
