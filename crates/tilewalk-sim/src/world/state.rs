//! The columns: everything about agents that is saved, hashed, and put back by time travel.

use crate::agent::AgentKind;
use crate::body::Motion;
use crate::event::Obstruction;
use crate::geom::{TilePos, Vec2};
use crate::scenario::Scenario;

use super::left::Left;
use super::watch::{Spot, Tally};
use super::{DriveState, Flags, Sight};

/// One entry per agent in every column but the last three.
///
/// The numbers of the motion stand each in a column of its own, in f32, so that a loop over agents
/// can take several at once.
#[derive(Debug, PartialEq)]
pub struct State {
    /// Position, in tiles.
    pub x: Vec<f32>,
    /// Position, in tiles.
    pub y: Vec<f32>,
    /// Velocity, in tiles/s.
    pub vx: Vec<f32>,
    /// Velocity, in tiles/s.
    pub vy: Vec<f32>,
    /// Heading, a unit vector.
    pub hx: Vec<f32>,
    /// Heading, a unit vector.
    pub hy: Vec<f32>,
    /// Angular velocity, in radians/s.
    pub angular_velocity: Vec<f32>,
    /// Index of the mode in the agent's kind.
    pub mode: Vec<u16>,
    /// Frames since the mode was entered.
    pub mode_frames: Vec<u32>,
    /// Facts of this frame.
    pub flags: Vec<Flags>,
    /// Which of the mode's patterns it is at; 0 without several.
    pub pick: Vec<u16>,
    /// Memory of the drive.
    pub drive: Vec<DriveState>,
    /// The tile of what the body touches.
    pub touches: Vec<Option<TilePos>>,
    /// Why the last step was refused.
    pub obstruction: Vec<Option<Obstruction>>,
    /// What tells whether it gets anywhere.
    pub spots: Vec<Spot>,
    /// What has happened to it so far.
    pub tallies: Vec<Tally>,
    /// What was left of patterns that go on where they were left: an entry per agent and mode that
    /// resumes, in agent order.
    pub left: Vec<Option<Left>>,
    /// What agents have seen of those they look out for: as many entries for each as its kind has,
    /// in agent order.
    pub sights: Vec<Sight>,
    /// The last headings of those who smooth, all of one agent after the other.
    pub recent: Vec<Vec2>,
}

impl Clone for State {
    fn clone(&self) -> Self {
        let mut copy = Self {
            x: Vec::new(),
            y: Vec::new(),
            vx: Vec::new(),
            vy: Vec::new(),
            hx: Vec::new(),
            hy: Vec::new(),
            angular_velocity: Vec::new(),
            mode: Vec::new(),
            mode_frames: Vec::new(),
            flags: Vec::new(),
            pick: Vec::new(),
            drive: Vec::new(),
            touches: Vec::new(),
            obstruction: Vec::new(),
            spots: Vec::new(),
            tallies: Vec::new(),
            left: Vec::new(),
            sights: Vec::new(),
            recent: Vec::new(),
        };
        copy.clone_from(self);
        copy
    }

    /// Reuses the columns: a frame that is kept again and again costs no allocation.
    fn clone_from(&mut self, other: &Self) {
        self.x.clone_from(&other.x);
        self.y.clone_from(&other.y);
        self.vx.clone_from(&other.vx);
        self.vy.clone_from(&other.vy);
        self.hx.clone_from(&other.hx);
        self.hy.clone_from(&other.hy);
        self.angular_velocity.clone_from(&other.angular_velocity);
        self.mode.clone_from(&other.mode);
        self.mode_frames.clone_from(&other.mode_frames);
        self.flags.clone_from(&other.flags);
        self.pick.clone_from(&other.pick);
        self.drive.clone_from(&other.drive);
        self.touches.clone_from(&other.touches);
        self.obstruction.clone_from(&other.obstruction);
        self.spots.clone_from(&other.spots);
        self.tallies.clone_from(&other.tallies);
        self.left.clone_from(&other.left);
        self.sights.clone_from(&other.sights);
        self.recent.clone_from(&other.recent);
    }
}

impl State {
    /// The columns at frame 0, before the first modes are entered.
    pub(super) fn at_start(scenario: &Scenario) -> Self {
        let starts = &scenario.starts;
        let column = |of: fn(&crate::scenario::Start) -> f32| starts.iter().map(of).collect();
        let count = starts.len();
        let watched = |kind: &AgentKind| kind.watched.len() * kind.count as usize;
        let sights = scenario.kinds.iter().map(watched).sum();
        let of = |kind: &AgentKind| u64::from(kind.count) * u64::from(kind.body.smoothing);
        let recent: u64 = scenario.kinds.iter().map(of).sum();
        Self {
            x: column(|start| start.position.x),
            y: column(|start| start.position.y),
            vx: vec![0.0; count],
            vy: vec![0.0; count],
            hx: column(|start| start.heading.x),
            hy: column(|start| start.heading.y),
            angular_velocity: vec![0.0; count],
            mode: vec![0; count],
            mode_frames: vec![0; count],
            flags: vec![Flags::default(); count],
            pick: vec![0; count],
            drive: vec![DriveState::Stand; count],
            touches: vec![None; count],
            obstruction: vec![None; count],
            spots: starts.iter().map(|start| Spot::at(start.position)).collect(),
            tallies: vec![Tally::default(); count],
            left: vec![None; super::left::slots(scenario)],
            sights: vec![Sight::default(); sights],
            recent: vec![Vec2::ZERO; recent as usize],
        }
    }

    /// How much memory it takes, in bytes.
    pub fn bytes(&self) -> usize {
        let numbers = [&self.x, &self.y, &self.vx, &self.vy, &self.hx, &self.hy];
        let numbers: usize = numbers.into_iter().map(|column| size_of_val(column.as_slice())).sum();
        numbers
            + size_of_val(self.angular_velocity.as_slice())
            + size_of_val(self.mode.as_slice())
            + size_of_val(self.mode_frames.as_slice())
            + size_of_val(self.flags.as_slice())
            + size_of_val(self.pick.as_slice())
            + size_of_val(self.drive.as_slice())
            + size_of_val(self.touches.as_slice())
            + size_of_val(self.obstruction.as_slice())
            + size_of_val(self.spots.as_slice())
            + size_of_val(self.tallies.as_slice())
            + size_of_val(self.left.as_slice())
            + size_of_val(self.sights.as_slice())
            + size_of_val(self.recent.as_slice())
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
