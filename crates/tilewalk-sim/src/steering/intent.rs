//! The intent of a steered agent: the destination of its steering list, if any.
//!
//! The destination is the position that a behaviour reports to its probe, so no formula exists
//! twice.

use crate::geom::Vec2;

use super::behaviour::{Arrive, DynamicArrive, FollowPath};
use super::spec::Destination;
use super::{
    Behaviour, BreakdownRow, Memory, Note, Probe, Senses, Surroundings, Target, WeightedBehaviour,
};

/// Distance within which a destination counts as reached, in tiles. An agent nearer than half a
/// tile is on the tile. Behaviours without brakes overshoot by less than this distance.
const REACH: f32 = 0.5;

/// Largest speed of a target that counts as at rest, in tiles/s.
const STANDSTILL: f32 = 0.1;

/// Largest distance between two places that count as the same place, in tiles.
const SAME_PLACE: f32 = 0.5;

/// The goal of an agent's motion in a frame.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Intent {
    /// The intent was not computed in this frame.
    #[default]
    Unchecked,
    /// The agent has reached the destinations of all its behaviours. The value is the first of
    /// them.
    Rest(Goal),
    /// The agent follows its force or pattern, which has no destination.
    Move,
    /// The agent moves to a destination.
    Reach(Goal),
}

/// The destination of a behaviour.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Goal {
    /// Position of the destination, in tiles; not wrapped.
    pub at: Vec2,
    /// The target whose position is the destination. `None` if the destination is another place,
    /// such as a hiding spot.
    pub target: Option<Target>,
    /// Distance within which the destination counts as reached, in tiles.
    pub reach: f32,
    /// Whether the destination is at rest, because its targets are at rest.
    pub stands: bool,
    /// Whether the agent can circle the destination forever, as a body without brakes does.
    pub can_circle: bool,
}

impl Intent {
    /// Distance within which a place counts as reached, in tiles.
    pub(crate) const PLACE_REACH: f32 = REACH;

    /// Returns the intent of a walker at the position `here`. The destination is at `offset` from
    /// `here`. Both are in tiles. `stands` is true if the destination is at rest.
    pub(crate) fn to_place(here: Vec2, offset: Vec2, stands: bool) -> Self {
        Self::to_place_within(here, offset, stands, REACH)
    }

    /// Returns the same intent for a destination that counts as reached within `reach` tiles.
    pub(crate) fn to_place_within(here: Vec2, offset: Vec2, stands: bool, reach: f32) -> Self {
        let at = here + offset;
        let goal = Goal { at, target: None, reach, stands, can_circle: false };
        if offset.length() <= reach { Self::Rest(goal) } else { Self::Reach(goal) }
    }

    /// Returns the destination, reached or not.
    pub(crate) fn goal(self) -> Option<Goal> {
        match self {
            Self::Rest(goal) | Self::Reach(goal) => Some(goal),
            Self::Unchecked | Self::Move => None,
        }
    }
}

impl Goal {
    /// Returns true if both destinations are the same agent, or places at most half a tile apart.
    /// `offset` returns the shortest vector between two positions on the map, in tiles.
    pub(crate) fn is_same(&self, other: &Self, offset: impl FnOnce(Vec2, Vec2) -> Vec2) -> bool {
        let agent = |goal: &Self| match goal.target {
            agent @ Some(Target::Agent(_) | Target::Instance(_)) => agent,
            Some(Target::Point(_) | Target::Home | Target::Group(_) | Target::LastSeen(_))
            | None => None,
        };
        agent(self).is_some() && agent(self) == agent(other)
            || offset(self.at, other.at).length() <= SAME_PLACE
    }
}

impl Behaviour {
    /// Returns the distance within which the behaviour's destination counts as reached, in tiles.
    fn reach(&self) -> f32 {
        let (Self::FollowPath(FollowPath { reach, .. })
        | Self::Arrive(Arrive { tolerance: reach, .. })
        | Self::DynamicArrive(DynamicArrive { target_radius: reach, .. })) = self
        else {
            return REACH;
        };
        reach.max(REACH)
    }
}

fn counts(row: &WeightedBehaviour) -> bool {
    row.enabled && row.weight > 0.0 && row.behaviour.spec().destination.is_some()
}

/// Returns true if the list contains an enabled behaviour with a destination and a weight above 0.
pub(crate) fn has_goal(rows: &[WeightedBehaviour]) -> bool {
    rows.iter().any(counts)
}

/// Returns the intent of a steering list: the destination of the first behaviour that has not
/// reached its destination. `radius` returns the radius of a target's body, in tiles, or `None` for
/// a target without a body.
pub(crate) fn intent(
    rows: &[WeightedBehaviour],
    senses: &mut Senses,
    memory: Memory,
    around: &impl Surroundings,
    radius: impl Fn(Target) -> Option<f32>,
) -> Intent {
    let mut reached = None;
    for row in rows.iter().filter(|row| counts(row)) {
        senses.target = row.target.and_then(|target| around.see(target));
        senses.group = row.target.and_then(Target::group);
        senses.other = row.other.and_then(|other| around.see(other));
        let destination = row.behaviour.spec().destination;
        let mut probe = DestinationProbe { destination, found: None };
        row.behaviour.propose(senses, &mut memory.clone(), around, &mut probe);
        let Some(at) = probe.found else { continue };
        let own = senses.body.radius;
        let is_target = destination == Some(Destination::Target);
        let met = row.target.filter(|_| is_target).and_then(&radius);
        let bodies = met.map_or(0.0, |other| own + other);
        // A place under the body counts as reached, even if the centre can't get there.
        let reach = row.behaviour.reach() + bodies.max(senses.body.excess());
        let seen = [senses.target, senses.other].into_iter().flatten();
        let stands = seen.map(|seen| seen.velocity.length()).all(|speed| speed <= STANDSTILL);
        let target = row.target.filter(|_| is_target);
        let goal = Goal { at, target, reach, stands, can_circle: true };
        if at.distance(senses.motion.position) > reach {
            return Intent::Reach(goal);
        }
        reached.get_or_insert(goal);
    }
    reached.map_or(Intent::Move, Intent::Rest)
}

/// A probe that records the first note with the destination of a behaviour.
struct DestinationProbe {
    destination: Option<Destination>,
    found: Option<Vec2>,
}

impl Probe for DestinationProbe {
    fn listens(&self) -> bool {
        true
    }

    fn note(&mut self, note: impl FnOnce() -> Note) {
        if let (Some(Destination::Target | Destination::BesideTarget), Note::Target(at))
        | (Some(Destination::Waypoint), Note::Waypoint(at))
        | (Some(Destination::HidingSpot), Note::HidingSpot { at, chosen: true, .. }) =
            (self.destination, note())
        {
            self.found.get_or_insert(at);
        }
    }

    fn row(&mut self, _: impl FnOnce() -> BreakdownRow) {}
}
