//! Putting agents elsewhere.

use crate::command::Command;
use crate::geom::TilePos;
use crate::id::AgentId;

use super::Session;

impl Session {
    /// Puts an agent on a tile in the next frame, which is made. Where its body doesn't fit nothing
    /// is done; says whether it was.
    pub fn put(&mut self, agent: AgentId, tile: TilePos) -> bool {
        let at = tile.centre();
        if !self.world().has_room(agent, at) {
            return false;
        }
        self.give_up();
        self.history.step(&[Command::Place { agent, at }]);
        self.past.note(self.history.world());
        self.find_hits();
        self.refresh();
        true
    }
}
