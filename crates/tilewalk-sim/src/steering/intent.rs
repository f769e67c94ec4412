//! The intent of a steered agent: the destination of its steering list, if any.
//!
//! The destination is the position that a behaviour reports to its probe, so no formula exists
//! twice.

use crate::geom::Vec2;

use super::spec::Destination;
use super::{
    Behaviour, BreakdownRow, Memory, Note, Probe, Senses, Surroundings, Target, WeightedBehaviour,
};

/// Distance within which a destination counts as reached, in tiles. An agent nearer than half a
/// tile is on the tile. Behaviours without brakes overshoot by less than this distance.
const REACH: f32 = 0.5;

/// Largest speed of a target that counts as at rest, in tiles/s.
const STANDSTILL: f32 = 0.1;

/// The goal of an agent's motion in a frame.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Intent {
    /// The intent was not computed in this frame.
    #[default]
    Unchecked,
    /// The agent has reached the destinations of all its behaviours.
    Rest,
    /// The agent follows its force or pattern, which has no destination.
    Move,
    /// The agent moves to a destination.
    Reach {
        /// Position of the destination, in tiles; not wrapped.
        at: Vec2,
        /// Distance within which the destination counts as reached, in tiles.
        reach: f32,
        /// Whether the destination is at rest, because its targets are at rest.
        stands: bool,
        /// Whether the agent can circle the destination forever, as a body without brakes does.
        can_circle: bool,
    },
}

impl Intent {
    /// Returns the intent of a walker at the position `here`. The destination is at `offset` from
    /// `here`. Both are in tiles. `stands` is true if the destination is at rest.
    pub(crate) fn to_place(here: Vec2, offset: Vec2, stands: bool) -> Self {
        let reached = offset.length() <= REACH;
        if reached {
            Self::Rest
        } else {
            Self::Reach { at: here + offset, reach: REACH, stands, can_circle: false }
        }
    }
}

impl Behaviour {
    /// Returns the distance within which the behaviour's destination counts as reached, in tiles.
    fn reach(&self) -> f32 {
        if let Self::FollowPath(follow) = self { follow.reach.max(REACH) } else { REACH }
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
    let mut rests = false;
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
        if at.distance(senses.motion.position) > reach {
            let seen = [senses.target, senses.other].into_iter().flatten();
            let stands = seen.map(|seen| seen.velocity.length()).all(|speed| speed <= STANDSTILL);
            return Intent::Reach { at, reach, stands, can_circle: true };
        }
        rests = true;
    }
    if rests { Intent::Rest } else { Intent::Move }
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
