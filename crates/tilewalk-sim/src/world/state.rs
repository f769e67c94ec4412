//! The columns of the world: all state of agents that is saved, hashed and restored.

use crate::agent::AgentKind;
use crate::body::Motion;
use crate::event::Obstruction;
use crate::geom::Vec2;
use crate::id::AgentId;
use crate::map::Touch;
use crate::scenario::{Scenario, Start};

use super::columns::columns;
use super::hash::Hasher;
use super::oscillation::OscillationDetector;
use super::population::{Birth, Presence, Spawner};
use super::progress::{Detectors, EventCounts};
use super::saved::{Saved, SavedVisitor};
use super::saved_patterns::{SavedPattern, resuming};
use super::{DriveState, Flags, Sight};

// To add a column, declare it here. The macro generates copying, size, hash and the rest.
//
// A `per_agent` column has one entry per agent:
//     name: type = value at the start, kept when, diff "name in `diff`";
// With `diff elsewhere`, `history::diff::facts` must show the column in another form.
//
// A `per_kind` column has a number of entries per agent that depends on the agent's kind:
//     name: type = [value at the start; entries per agent];
//
// A `per_scenario` column has a number of entries that depends only on the scenario:
//     name: type = all entries at the start;
//
// The order is the order of the hash: changing it changes all state hashes.
columns! {
    /// The state of all agents at one frame, as a structure of arrays in agent order.
    ///
    /// Each component of position, velocity and heading has its own column of f32, so that loops
    /// over agents can use SIMD.
    pub(crate) struct State {
        per_agent(start) {
            /// Whether the agent is in the world. The other entries of an absent agent have no
            /// meaning.
            present: Presence = Presence(!start.absent), kept Always, diff elsewhere;
            /// X coordinate of the position, in tiles.
            x: f32 = start.position.x, kept InPlace, diff elsewhere;
            /// Y coordinate of the position, in tiles.
            y: f32 = start.position.y, kept InPlace, diff elsewhere;
            /// X component of the velocity, in tiles/s.
            vx: f32 = 0.0, kept InPlace, diff elsewhere;
            /// Y component of the velocity, in tiles/s.
            vy: f32 = 0.0, kept InPlace, diff elsewhere;
            /// X component of the heading, a unit vector.
            hx: f32 = start.heading.x, kept InPlace, diff elsewhere;
            /// Y component of the heading, a unit vector.
            hy: f32 = start.heading.y, kept InPlace, diff elsewhere;
            /// Angular velocity, in radians/s.
            angular_velocity: f32 = 0.0, kept InPlace, diff "angular velocity";
            /// Index of the current mode in the mode list of the agent's kind.
            mode: u16 = 0, kept InMode, diff elsewhere;
            /// Frames since the agent entered its mode.
            mode_frames: u32 = 0, kept InMode, diff "frames in mode";
            /// Status flags, such as blocked or arrived.
            flags: Flags = Flags::default(), kept InMode, diff "flags";
            /// Index of the current pattern in the mode's list; 0 if there is no list.
            pick: u16 = 0, kept InMode, diff "pattern index";
            /// Values that the drive keeps between frames.
            drive: DriveState = DriveState::Stand, kept InMode, diff "drive";
            /// Tile, obstacle or wall that the body touches; `None` if it touches nothing.
            touches: Option<Touch> = None, kept InMode, diff "touched tile";
            /// Reason why the agent is blocked; `None` if it is not blocked.
            obstruction: Option<Obstruction> = None, kept InMode, diff "step blocked by";
            /// State of the stuck and circling detectors.
            detectors: Detectors = Detectors::at(start.position), kept InPlace, diff "detectors";
            /// Event counts since frame 0.
            event_counts: EventCounts = EventCounts::default(), kept Always, diff "event counts";
        }
        per_kind(kind) {
            /// Saved patterns: one entry per mode with `resume = true`. `None` if the mode has no
            /// saved pattern.
            saved_patterns: Option<SavedPattern> = [None; resuming(&kind.modes)];
            /// Perceived targets: one entry per target that the agent's kind watches.
            sights: Sight = [Sight::default(); kind.watched.len()];
            /// Recent headings of an agent: one entry for each frame that the displayed heading
            /// averages.
            recent: Vec2 = [Vec2::ZERO; kind.body.smoothing as usize];
            /// State of the oscillation detector: one entry for each agent with a destination.
            /// `None` if the detector has not started.
            oscillation: Option<OscillationDetector> = [None; usize::from(kind.has_goal())];
            /// Number, start and lifetime of each instance of a template.
            births: Birth = [Birth::default(); usize::from(kind.template)];
        }
        per_scenario(scenario) {
            /// Number of instances that have appeared since frame 0, by kind. Empty without
            /// templates.
            appeared: u32 = vec![0; scenario.templates()];
            /// Countdown and count of each spawn rule, in the order of the scenario's list.
            spawners: Spawner = scenario.spawns.iter().map(Spawner::new).collect();
        }
    }
}

/// The condition under which an agent keeps its entry of a column. It applies when the world
/// switches to another scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    /// The new scenario has an agent with the same name.
    Always,
    /// The new scenario has an agent with the same name, and the terrain allows the agent's
    /// position.
    InPlace,
    /// Same as `InPlace`, and the new scenario has an equivalent mode with the same name.
    InMode,
}

impl State {
    #[inline]
    pub(crate) fn is_present(&self, id: AgentId) -> bool {
        self.present[id.index()].0
    }

    #[inline]
    pub(crate) fn position(&self, index: usize) -> Vec2 {
        Vec2::new(self.x[index], self.y[index])
    }

    #[inline]
    pub(crate) fn velocity(&self, index: usize) -> Vec2 {
        Vec2::new(self.vx[index], self.vy[index])
    }

    #[inline]
    pub(crate) fn heading(&self, index: usize) -> Vec2 {
        Vec2::new(self.hx[index], self.hy[index])
    }

    #[inline]
    pub(crate) fn motion(&self, index: usize) -> Motion {
        Motion {
            position: self.position(index),
            velocity: self.velocity(index),
            heading: self.heading(index),
            angular_velocity: self.angular_velocity[index],
        }
    }

    #[inline]
    pub(crate) fn set_position(&mut self, index: usize, position: Vec2) {
        (self.x[index], self.y[index]) = (position.x, position.y);
    }

    #[inline]
    pub(crate) fn set_velocity(&mut self, index: usize, velocity: Vec2) {
        (self.vx[index], self.vy[index]) = (velocity.x, velocity.y);
    }

    #[inline]
    pub(crate) fn set_heading(&mut self, index: usize, heading: Vec2) {
        (self.hx[index], self.hy[index]) = (heading.x, heading.y);
    }

    #[inline]
    pub(crate) fn set_motion(&mut self, index: usize, motion: Motion) {
        self.set_position(index, motion.position);
        self.set_velocity(index, motion.velocity);
        self.set_heading(index, motion.heading);
        self.angular_velocity[index] = motion.angular_velocity;
    }
}
