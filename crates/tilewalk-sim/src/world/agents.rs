//! Queries about one agent. Functions panic for ids that do not exist in the scenario.

use crate::agent::{AgentKind, Mode};
use crate::body::{Body, Motion};
use crate::event::Obstruction;
use crate::geom::{TilePos, Vec2, heading};
use crate::id::AgentId;
use crate::map::Touch;
use crate::map::search::FoundPath;
use crate::time::Frame;

use super::oscillation::OscillationDetector;
use super::progress::{Detectors, EventCounts};
use super::{DriveState, Flags, World};

impl World {
    /// Returns an agent's position, velocity, heading and angular velocity as one value.
    #[inline]
    pub fn motion(&self, id: AgentId) -> Motion {
        self.state.motion(id.index())
    }

    /// Returns the position of the centre of an agent's body, in tiles.
    #[inline]
    pub fn position(&self, id: AgentId) -> Vec2 {
        self.state.position(id.index())
    }

    /// Returns an agent's velocity, in tiles/s.
    #[inline]
    pub fn velocity(&self, id: AgentId) -> Vec2 {
        self.state.velocity(id.index())
    }

    /// Returns an agent's heading, a unit vector.
    #[inline]
    pub fn heading(&self, id: AgentId) -> Vec2 {
        self.state.heading(id.index())
    }

    /// Returns an agent's heading in degrees, clockwise from east, in [0, 360).
    pub fn heading_degrees(&self, id: AgentId) -> f32 {
        heading::to_degrees(self.heading(id))
    }

    /// Returns the tile that contains an agent's position.
    #[inline]
    pub fn tile(&self, id: AgentId) -> TilePos {
        TilePos::containing(self.position(id))
    }

    /// Returns the position where an agent started, in tiles.
    pub fn home(&self, id: AgentId) -> Vec2 {
        self.birth(id).map_or(self.scenario.starts[id.index()].position, |birth| birth.home)
    }

    /// Returns the kind that defines an agent's body and modes.
    #[inline]
    pub fn kind(&self, id: AgentId) -> &AgentKind {
        self.scenario.kind(id)
    }

    /// Returns the size, mass, limits and senses of an agent.
    #[inline]
    pub fn body(&self, id: AgentId) -> &Body {
        &self.kind(id).body
    }

    /// Returns the current mode of an agent, which defines how the agent moves.
    #[inline]
    pub fn mode(&self, id: AgentId) -> &Mode {
        &self.kind(id).modes[usize::from(self.state.mode[id.index()])]
    }

    /// Returns the number of frames since the agent entered its mode.
    pub fn frames_in_mode(&self, id: AgentId) -> u32 {
        self.state.mode_frames[id.index()]
    }

    /// Returns the time since the agent entered its mode, in seconds.
    pub(crate) fn seconds_in_mode(&self, id: AgentId) -> f32 {
        self.scenario.seconds(Frame(u64::from(self.frames_in_mode(id))))
    }

    /// Returns an agent's status flags, such as blocked or arrived.
    #[inline]
    pub fn flags(&self, id: AgentId) -> Flags {
        self.state.flags[id.index()]
    }

    /// Returns the state of an agent's drive, such as the progress along a pattern.
    #[inline]
    pub fn drive_state(&self, id: AgentId) -> DriveState {
        self.state.drive[id.index()]
    }

    /// Returns the reason why an agent is blocked; `None` if the agent is not blocked.
    pub fn obstruction(&self, id: AgentId) -> Option<Obstruction> {
        self.state.obstruction[id.index()]
    }

    /// Returns the tile, obstacle or wall that an agent's body touches; `None` if it touches
    /// nothing.
    pub fn touches(&self, id: AgentId) -> Option<Touch> {
        self.state.touches[id.index()]
    }

    /// Returns the index of the current pattern in the mode's list; 0 if there is no list.
    #[inline]
    pub fn pick(&self, id: AgentId) -> u16 {
        self.state.pick[id.index()]
    }

    /// Returns true if an agent moves from tile centre to tile centre in its current mode and
    /// pattern.
    pub fn is_on_tiles(&self, id: AgentId) -> bool {
        self.mode(id).is_on_tiles(self.pick(id))
    }

    /// Returns the state of an agent's stuck and circling detectors.
    pub fn detectors(&self, id: AgentId) -> Detectors {
        self.state.detectors[id.index()]
    }

    /// Returns the state of an agent's oscillation detector. Returns `None` if the detector has not
    /// started, or if no mode of the agent has a destination.
    pub fn oscillation(&self, id: AgentId) -> Option<OscillationDetector> {
        self.state.oscillation[self.oscillation_slot(id)?]
    }

    /// Returns the index of an agent's entry in the column of oscillation detectors. Returns `None`
    /// if no mode of the agent has a destination.
    #[inline]
    pub(crate) fn oscillation_slot(&self, id: AgentId) -> Option<usize> {
        let kind = self.scenario.starts[id.index()].kind as usize;
        let first = self.layout.oscillation[kind]?;
        Some(first + (id.0 - self.scenario.kinds[kind].first.0) as usize)
    }

    /// Returns an agent's event counts since frame 0, such as the number of bumps.
    pub fn tally(&self, id: AgentId) -> EventCounts {
        self.state.event_counts[id.index()]
    }

    /// Returns the planned route of a travelling agent. Returns `None` for other drives, without a
    /// target, or if the route is not in the cache.
    pub fn found_path(&self, id: AgentId) -> Option<&FoundPath> {
        let DriveState::Travel { progress, .. } = self.drive_state(id) else { return None };
        self.route_cache.known(id, progress?)
    }
}
