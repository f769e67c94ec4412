//! Moves agents to other tiles.

use crate::command::Command;
use crate::geom::TilePos;
use crate::id::AgentId;

use super::Session;

impl Session {
    /// Moves an agent to the centre of a tile, and simulates the next frame. Returns false and does
    /// nothing if the agent does not fit on the tile.
    pub fn put(&mut self, agent: AgentId, tile: TilePos) -> bool {
        let at = tile.centre();
        if !self.world().has_room(agent, at) {
            return false;
        }
        self.give_up();
        self.history.step(&[Command::Place { agent, at }]);
        self.recent.note(self.history.world());
        self.update_hits();
        self.refresh();
        true
    }
}
