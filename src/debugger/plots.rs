//! Values of one agent over the last seconds before the current frame, for the plots.

use core::mem::{Discriminant, discriminant};

use crate::agent::Drive;
use crate::id::AgentId;
use crate::steering::{BreakdownRow, Note, RowState};
use crate::step::Explanation;
use crate::time::Frame;
use crate::world::World;

use super::samples::Samples;
use super::translation::Translation;

/// The plotted values of one frame.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sample {
    /// Speed in tiles/s. `None` if the agent was not in the world, or if `seen` is false.
    pub speed: Option<f32>,
    /// Magnitude of the combined steering force, in tiles/s² · mass. `None` without steering.
    pub force: Option<f32>,
    /// Distance in tiles to the agent's first target, as sensed for this frame. `None` without a
    /// target.
    pub distance: Option<f32>,
    /// The result of each steering behaviour in this frame.
    pub fates: Fates,
    /// Whether the frame was recorded. If not, `speed` is `None`.
    pub seen: bool,
    /// Whether the motion in this frame was explained. If not, `force` and `distance` are `None`.
    pub explained: bool,
}

/// The results of the behaviours of a steering list, in list order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Fates(Vec<Discriminant<RowState>>);

impl Fates {
    /// Collects the results from the rows of a force breakdown.
    pub fn of(rows: &[BreakdownRow]) -> Self {
        Self(rows.iter().map(|row| discriminant(&row.state)).collect())
    }

    /// Returns true if two frames differ in the result of the behaviour at list index `row`.
    pub fn differ(&self, other: &Self, row: usize) -> bool {
        self.0.get(row) != other.0.get(row)
    }
}

/// The plotted values of one agent over the last seconds.
#[derive(Debug, Clone)]
pub struct Plots {
    agent: AgentId,
    /// Number of the instance, see [`World::number`].
    number: u32,
    samples: Samples<Sample>,
}

impl Plots {
    /// Creates plots without values. `number` is the agent's number (see [`World::number`]), and
    /// `tick` the duration of a frame in seconds.
    pub fn of(agent: AgentId, number: u32, tick: f64) -> Self {
        Self { agent, number, samples: Samples::new(tick) }
    }

    /// Returns true if the plotted agent is in the world of the current frame, with the same instance
    /// number.
    pub fn is_in(&self, world: &World) -> bool {
        world.is_present_as(self.agent, self.number)
    }

    /// Removes all values. `tick` is the duration of a frame in seconds.
    pub fn clear(&mut self, tick: f64) {
        self.samples = Samples::new(tick);
    }

    pub fn agent(&self) -> AgentId {
        self.agent
    }

    /// Sets the current frame, where the plots end. Removes the values of later frames.
    pub fn look_at(&mut self, frame: Frame) {
        self.samples.look_at(frame);
    }

    /// Returns true if the frame belongs to the plots, but has no explanation yet.
    pub fn lacks(&mut self, frame: Frame) -> bool {
        self.samples.takes(frame) && self.samples.get(frame).is_none_or(|sample| !sample.explained)
    }

    /// Returns the id of the plotted agent in a world, if the agent is there with the same instance
    /// number. `agents` translates the ids of the current frame.
    pub fn id_in(&self, world: &World, agents: &Translation) -> Option<AgentId> {
        agents.id(self.agent).filter(|&id| world.is_present_as(id, self.number))
    }

    /// Records the agent's speed in a frame, without an explanation. `agents` translates the ids of
    /// the current frame.
    pub fn note(&mut self, world: &World, agents: &Translation) {
        let speed = self.id_in(world, agents).map(|id| world.velocity(id).length());
        // Frame 0 has no explanation.
        let first = world.frame() == Frame(0);
        self.change(world.frame(), |sample| {
            (sample.speed, sample.seen) = (speed, true);
            sample.explained |= first;
        });
    }

    /// Records the explanation of the agent's motion from `before` to the next frame.
    pub fn note_explanation(&mut self, before: &World, why: &Explanation) {
        let steers = !why.forces.rows.is_empty();
        let force = steers.then(|| why.output.force.length());
        let distance = distance(before, why);
        let fates = Fates::of(&why.forces.rows);
        self.change(why.frame, |sample| {
            (sample.force, sample.distance) = (force, distance);
            (sample.fates, sample.explained) = (fates, true);
        });
    }

    /// Records that a frame has no explanation, because the agent was not in the world.
    pub fn note_absence(&mut self, frame: Frame) {
        self.change(frame, |sample| sample.explained = true);
    }

    fn change(&mut self, frame: Frame, change: impl FnOnce(&mut Sample)) {
        if !self.samples.takes(frame) {
            return;
        }
        if let Some(sample) = self.samples.get(frame) {
            change(sample);
        } else {
            let mut sample = Sample::default();
            change(&mut sample);
            self.samples.put(frame, sample);
        }
    }

    /// Returns the latest plotted frame whose values are missing or incomplete. Returns `None` if
    /// all values are complete.
    pub fn missing(&self) -> Option<Frame> {
        self.samples.latest_missing(|sample| sample.explained && sample.seen)
    }

    /// Returns the values of a frame. Returns `None` if they are incomplete or the frame is not
    /// plotted.
    pub fn at(&self, frame: Frame) -> Option<&Sample> {
        let (_, sample) = self.samples.iter().rev().find(|(known, _)| *known == frame)?;
        Some(sample).filter(|sample| sample.explained && sample.seen)
    }

    /// Iterates over the values of the plotted frames, oldest first. Some values can be incomplete.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Frame, &Sample)> {
        self.samples.iter()
    }
}

/// Returns the distance in tiles to the target of the agent's drive. For other drives, returns the
/// distance to the agent's first steering target. Returns `None` without a target.
fn distance(before: &World, why: &Explanation) -> Option<f32> {
    let map = before.scenario().map();
    let here = before.position(why.agent_before);
    let noted = why.forces.notes.iter().find_map(|(_, note)| {
        let Note::Target(at) = note else { return None };
        Some(map.offset(here, *at).length())
    });
    let (Drive::Chase { target } | Drive::FleeTiles { target } | Drive::Travel { target }) =
        before.mode(why.agent_before).drive
    else {
        return noted;
    };
    before.see(why.agent_before, target).map(|seen| seen.offset.length())
}
