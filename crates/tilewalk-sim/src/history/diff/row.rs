//! A row of a trace: the state of one agent at one frame.

use crate::geom::{TilePos, Vec2};
use crate::rng::name_hash;

use super::facts::Columns;

/// The columns of a trace, except the frame number.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TraceRow {
    agent: String,
    key: u64,
    /// Time since frame 0, in seconds.
    pub time: f32,
    /// Name of the agent's current mode.
    pub mode: String,
    /// Position, in tiles.
    pub position: Vec2,
    /// Velocity, in tiles/s.
    pub velocity: Vec2,
    /// Heading in degrees, clockwise from east.
    pub heading: f32,
    /// Tile that contains the agent's position.
    pub tile: TilePos,
}

impl TraceRow {
    /// Returns the name of the agent. Empty in a default row.
    pub fn agent(&self) -> &str {
        &self.agent
    }

    /// Sets the name of the agent and updates the hash. Reuses the allocation of the old name.
    pub fn set_agent(&mut self, name: &str) {
        if self.agent != name {
            self.agent.clear();
            self.agent.push_str(name);
            self.key = name_hash(name);
        }
    }

    /// Returns the hash of the agent's name, by which rows are matched.
    pub fn key(&self) -> u64 {
        self.key
    }

    pub(super) fn columns(&self) -> Columns<'_> {
        let Self { agent: _, key: _, time, ref mode, position, velocity, heading, tile } = *self;
        Columns { mode, position, velocity, heading, tile, time }
    }
}
