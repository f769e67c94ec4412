//! What a behaviour knows: the state of the previous frame, as one agent sees it.

use crate::body::{Body, Motion};
use crate::geom::{TilePos, Vec2};
use crate::id::{AgentId, CourseId, GroupId};
use crate::map::Map;
use crate::map::route::Lead;
use crate::rng::Dice;

use super::course::Laid;
use super::{Crowd, Neighbourhood, Target};

/// What one behaviour of one agent knows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Senses<'a> {
    /// How the agent itself moves.
    pub(crate) motion: Motion,
    /// Its body.
    pub body: &'a Body,
    /// The ground.
    pub map: &'a Map,
    /// Seconds a frame.
    pub(crate) dt: f32,
    /// The target as seen from here, if the behaviour has one and it exists.
    pub target: Option<Seen>,
    /// The second target, for a behaviour about two.
    pub other: Option<Seen>,
    /// The dice of this agent, frame, mode and behaviour.
    pub(crate) dice: Dice,
}

impl Senses<'_> {
    /// The factor on errors of velocity, in 1/s.
    #[inline]
    pub fn gain(&self) -> f32 {
        self.body.gain_in(self.dt)
    }

    /// The speed as a share of the largest; 0 for a body that can't move.
    pub(crate) fn speed_share(&self) -> f32 {
        let top = self.body.max_speed;
        if top > 0.0 { self.motion.velocity.length() / top } else { 0.0 }
    }
}

/// Who else there is: how an agent finds what its behaviours are about.
pub(crate) trait Surroundings {
    /// A target as the agent sees it; `None` when it does not exist (a group without another
    /// member).
    fn see(&self, target: Target) -> Option<Seen>;

    /// What the agent's neighbours come to.
    fn crowd(&self, who: &Neighbourhood) -> Crowd;

    /// Shows every neighbour, and the short way to it.
    fn visit_neighbours(&self, who: &Neighbourhood, visit: impl FnMut(AgentId, Vec2));

    /// Shows every other member of a group (`None`: everyone else) who could meet the agent within
    /// so many seconds at the present velocities, and perhaps some who couldn't; in no special
    /// order.
    fn visit_passing(&self, of: Option<GroupId>, seconds: f32, visit: impl FnMut(Passerby));

    /// A course as it lies for the agent; `None` when there is no such course.
    fn course(&self, _course: CourseId) -> Option<Laid<'_>> {
        None
    }

    /// What to do on `tile` to walk to `goal`; `None` when no way leads there.
    fn lead(&self, _goal: TilePos, _tile: TilePos) -> Option<Lead> {
        None
    }
}

/// A target as an agent sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seen {
    /// From the agent to the target, in tiles, the short way round.
    pub offset: Vec2,
    /// The target's velocity, in tiles/s; zero for places.
    pub velocity: Vec2,
    /// The unit vector it faces; east for places.
    pub heading: Vec2,
}

/// Another agent, as one sees it who may run into it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Passerby {
    /// Who it is.
    pub id: AgentId,
    /// Where it is, and how it moves.
    pub seen: Seen,
    /// Its radius, in tiles.
    pub radius: f32,
}

impl Seen {
    /// The target where it will be after `seconds` at its present velocity.
    #[must_use]
    pub(crate) fn in_time(self, seconds: f32) -> Self {
        Self { offset: self.offset + self.velocity * seconds, ..self }
    }
}

/// What steering remembers from frame to frame.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Memory {
    /// The wander point on its circle, in the body's frame; `None` until it is first needed.
    pub wander: Option<Vec2>,
    /// The current point of the path that is followed, by its number.
    pub waypoint: u32,
    /// Did the flow find no way when it was last asked?
    pub no_route: bool,
}
