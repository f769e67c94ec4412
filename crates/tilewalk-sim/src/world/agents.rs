//! What can be asked of one agent, column by column.

use crate::agent::{AgentKind, Mode};
use crate::body::{Body, Motion};
use crate::event::Obstruction;
use crate::geom::{TilePos, Vec2, heading};
use crate::id::AgentId;
use crate::map::search::Way;
use crate::time::Frame;

use super::watch::{Spot, Tally};
use super::{DriveState, Flags, World};

impl World {
    /// Where an agent is and how it moves.
    #[inline]
    pub fn motion(&self, id: AgentId) -> Motion {
        self.state.motion(id.index())
    }

    /// An agent's position, in tiles.
    #[inline]
    pub fn position(&self, id: AgentId) -> Vec2 {
        self.state.position(id.index())
    }

    /// An agent's velocity, in tiles/s.
    #[inline]
    pub fn velocity(&self, id: AgentId) -> Vec2 {
        self.state.velocity(id.index())
    }

    /// The unit vector an agent faces.
    #[inline]
    pub fn heading(&self, id: AgentId) -> Vec2 {
        self.state.heading(id.index())
    }

    /// An agent's heading in degrees, clockwise from east, in [0, 360).
    pub fn heading_degrees(&self, id: AgentId) -> f32 {
        heading::to_degrees(self.heading(id))
    }

    /// The tile an agent is on: the projection of its position.
    #[inline]
    pub fn tile(&self, id: AgentId) -> TilePos {
        TilePos::containing(self.position(id))
    }

    /// Where an agent started.
    pub fn home(&self, id: AgentId) -> Vec2 {
        self.scenario.starts[id.index()].position
    }

    /// An agent's design.
    #[inline]
    pub fn kind(&self, id: AgentId) -> &AgentKind {
        self.scenario.kind(id)
    }

    /// An agent's body.
    #[inline]
    pub fn body(&self, id: AgentId) -> &Body {
        &self.kind(id).body
    }

    /// The mode an agent is in.
    #[inline]
    pub fn mode(&self, id: AgentId) -> &Mode {
        &self.kind(id).modes[usize::from(self.state.mode[id.index()])]
    }

    /// Frames since the agent entered its mode.
    pub fn frames_in_mode(&self, id: AgentId) -> u32 {
        self.state.mode_frames[id.index()]
    }

    /// Seconds since the agent entered its mode.
    pub fn seconds_in_mode(&self, id: AgentId) -> f32 {
        self.scenario.seconds(Frame(u64::from(self.frames_in_mode(id))))
    }

    /// What is true of an agent in this frame.
    #[inline]
    pub fn flags(&self, id: AgentId) -> Flags {
        self.state.flags[id.index()]
    }

    /// What an agent's drive remembers.
    #[inline]
    pub fn drive_state(&self, id: AgentId) -> DriveState {
        self.state.drive[id.index()]
    }

    /// Why the last step on tiles was refused, if it was.
    pub fn obstruction(&self, id: AgentId) -> Option<Obstruction> {
        self.state.obstruction[id.index()]
    }

    /// What a body touches, if anything: a solid tile, or the tile of an obstacle.
    pub fn touches(&self, id: AgentId) -> Option<TilePos> {
        self.state.touches[id.index()]
    }

    /// Which of the mode's patterns an agent is at; 0 without several.
    #[inline]
    pub fn pick(&self, id: AgentId) -> u16 {
        self.state.pick[id.index()]
    }

    /// Does an agent move from tile centre to tile centre, with the pattern it is at?
    pub fn is_on_tiles(&self, id: AgentId) -> bool {
        self.mode(id).is_on_tiles(self.pick(id))
    }

    /// What tells whether an agent gets anywhere.
    pub fn spot(&self, id: AgentId) -> Spot {
        self.state.spots[id.index()]
    }

    /// What has happened to an agent since frame 0.
    pub fn tally(&self, id: AgentId) -> Tally {
        self.state.tallies[id.index()]
    }

    /// The way an agent travels, as far as it has been worked out.
    pub fn way(&self, id: AgentId) -> Option<&Way> {
        match self.drive_state(id) {
            DriveState::Travel { trip, .. } => self.ways.known(id, trip?),
            _ => None,
        }
    }
}
