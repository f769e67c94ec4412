//! The enum of all behaviours, and dispatch to their implementations.

pub(crate) mod align;
pub(crate) mod arrive;
pub(crate) mod avoid_agents;
pub(crate) mod avoid_obstacles;
pub(crate) mod avoid_walls;
pub(crate) mod dynamic;
pub(crate) mod flock;
pub(crate) mod flow;
pub(crate) mod hide;
pub(crate) mod hug_walls;
pub(crate) mod paths;
pub(crate) mod pursuit;
pub(crate) mod seek;
pub(crate) mod tether;
pub(crate) mod track;
pub(crate) mod wander;

use crate::geom::Vec2;

use super::spec::Spec;
use super::{Memory, Neighbourhood, Probe, Seen, Senses, SteeringOutput, Surroundings};

pub use align::{Align, Turning};
pub use arrive::Arrive;
pub use avoid_agents::AvoidAgents;
pub use avoid_obstacles::AvoidObstacles;
pub use avoid_walls::AvoidWalls;
pub use dynamic::{DynamicArrive, MatchVelocity};
pub use flock::{Alignment, Cohesion, Separation};
pub use flow::Flow;
pub use hide::Hide;
pub use hug_walls::{Hand, HugWalls};
pub use paths::{FollowPath, StayOnPath};
pub use pursuit::{Evade, OffsetPursue, Pursue};
pub use seek::Flee;
pub use tether::Tether;
pub use track::Track;
pub use wander::Wander;

/// A behaviour with its parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Behaviour {
    /// Moves at full speed towards the target.
    Seek,
    /// Moves at full speed away from the target.
    Flee(Flee),
    /// Moves to the target and stops there.
    Arrive(Arrive),
    /// Moves towards the predicted position of the target.
    Pursue(Pursue),
    /// Moves away from the predicted position of the target.
    Evade(Evade),
    /// Moves between two targets.
    Interpose,
    /// Keeps a position relative to the target, for formations.
    OffsetPursue(OffsetPursue),
    /// Applies full force towards the target.
    DynamicSeek,
    /// Applies full force away from the target.
    DynamicFlee,
    /// Applies force to reach the target and stop there.
    DynamicArrive(DynamicArrive),
    /// Matches the target's velocity.
    MatchVelocity(MatchVelocity),
    /// Stays within a distance of the target.
    Tether(Tether),
    /// Bends the velocity towards the target. Must be the only behaviour of its list.
    Track(Track),
    /// Turns to a fixed heading, or to the heading of the target.
    Align(Align),
    /// Turns to face the target.
    Face(Turning),
    /// Turns to face the direction of motion.
    LookAhead(Turning),
    /// Hides from the target behind an obstacle.
    Hide(Hide),
    /// Follows the shortest path to the target, tile by tile.
    Flow(Flow),
    /// Follows the points of a path.
    FollowPath(FollowPath),
    /// Stays within a distance of a path.
    StayOnPath(StayOnPath),
    /// Moves along walls at a fixed distance.
    HugWalls(HugWalls),
    /// Moves in a smooth random walk.
    Wander(Wander),
    /// Steers around obstacles ahead.
    AvoidObstacles(AvoidObstacles),
    /// Steers away from walls detected by feelers.
    AvoidWalls(AvoidWalls),
    /// Steers around agents on a collision course.
    AvoidAgents(AvoidAgents),
    /// Moves away from neighbours.
    Separation(Separation),
    /// Matches the mean heading of neighbours.
    Alignment(Alignment),
    /// Moves towards the mean position of neighbours.
    Cohesion(Cohesion),
}

/// Descriptions of all behaviours.
pub const SPECS: [&Spec; 28] = [
    &seek::SEEK,
    &seek::FLEE,
    &arrive::ARRIVE,
    &pursuit::PURSUE,
    &pursuit::EVADE,
    &pursuit::INTERPOSE,
    &pursuit::OFFSET_PURSUE,
    &dynamic::DYNAMIC_SEEK,
    &dynamic::DYNAMIC_FLEE,
    &dynamic::DYNAMIC_ARRIVE,
    &dynamic::MATCH_VELOCITY,
    &tether::TETHER,
    &track::TRACK,
    &align::ALIGN,
    &align::FACE,
    &align::LOOK_AHEAD,
    &hide::HIDE,
    &flow::FLOW,
    &paths::FOLLOW_PATH,
    &paths::STAY_ON_PATH,
    &hug_walls::HUG_WALLS,
    &wander::WANDER,
    &avoid_obstacles::AVOID_OBSTACLES,
    &avoid_walls::AVOID_WALLS,
    &avoid_agents::AVOID_AGENTS,
    &flock::SEPARATION,
    &flock::ALIGNMENT,
    &flock::COHESION,
];

impl Behaviour {
    /// Returns the description of the behaviour.
    pub fn spec(&self) -> &'static Spec {
        match self {
            Self::Seek => &seek::SEEK,
            Self::Flee(_) => &seek::FLEE,
            Self::Arrive(_) => &arrive::ARRIVE,
            Self::Pursue(_) => &pursuit::PURSUE,
            Self::Evade(_) => &pursuit::EVADE,
            Self::Interpose => &pursuit::INTERPOSE,
            Self::OffsetPursue(_) => &pursuit::OFFSET_PURSUE,
            Self::DynamicSeek => &dynamic::DYNAMIC_SEEK,
            Self::DynamicFlee => &dynamic::DYNAMIC_FLEE,
            Self::DynamicArrive(_) => &dynamic::DYNAMIC_ARRIVE,
            Self::MatchVelocity(_) => &dynamic::MATCH_VELOCITY,
            Self::Tether(_) => &tether::TETHER,
            Self::Track(_) => &track::TRACK,
            Self::Align(_) => &align::ALIGN,
            Self::Face(_) => &align::FACE,
            Self::LookAhead(_) => &align::LOOK_AHEAD,
            Self::Hide(_) => &hide::HIDE,
            Self::Flow(_) => &flow::FLOW,
            Self::FollowPath(_) => &paths::FOLLOW_PATH,
            Self::StayOnPath(_) => &paths::STAY_ON_PATH,
            Self::HugWalls(_) => &hug_walls::HUG_WALLS,
            Self::AvoidObstacles(_) => &avoid_obstacles::AVOID_OBSTACLES,
            Self::Wander(_) => &wander::WANDER,
            Self::AvoidWalls(_) => &avoid_walls::AVOID_WALLS,
            Self::AvoidAgents(_) => &avoid_agents::AVOID_AGENTS,
            Self::Separation(_) => &flock::SEPARATION,
            Self::Alignment(_) => &flock::ALIGNMENT,
            Self::Cohesion(_) => &flock::COHESION,
        }
    }

    /// Returns the name of the behaviour in files.
    pub fn word(&self) -> &'static str {
        self.spec().word
    }

    /// Returns true if the output of the behaviour is a turn. All other behaviours output forces.
    pub fn is_angular(&self) -> bool {
        matches!(self, Self::Align(_) | Self::Face(_) | Self::LookAhead(_))
    }

    /// Returns the neighbourhood whose sums the behaviour needs, if any.
    pub(crate) fn neighbourhood(&self) -> Option<Neighbourhood> {
        match self {
            Self::Separation(Separation(neighbourhood))
            | Self::Alignment(Alignment(neighbourhood))
            | Self::Cohesion(Cohesion(neighbourhood)) => Some(*neighbourhood),
            _ => None,
        }
    }

    /// Returns the desired output before weighting; zero if the target does not exist, such as a
    /// group without other members.
    pub(crate) fn propose(
        &self,
        senses: &Senses,
        memory: &mut Memory,
        around: &impl Surroundings,
        probe: &mut impl Probe,
    ) -> SteeringOutput {
        match (self, senses.target) {
            (Self::Align(align), _) => SteeringOutput::turn(align.propose(senses, probe)),
            (Self::LookAhead(turning), _) => {
                SteeringOutput::turn(turning.look_ahead(senses, probe))
            }
            (Self::Face(turning), Some(seen)) => {
                SteeringOutput::turn(turning.face(seen, senses, probe))
            }
            (Self::Wander(wander), _) => {
                SteeringOutput::force(wander.propose(senses, memory, probe))
            }
            (Self::AvoidWalls(walls), _) => SteeringOutput::force(walls.propose(senses, probe)),
            (Self::AvoidObstacles(obstacles), _) => {
                SteeringOutput::force(obstacles.propose(senses, probe))
            }
            (Self::AvoidAgents(agents), _) => {
                SteeringOutput::force(agents.propose(senses, around, probe))
            }
            (Self::Separation(separation), _) => {
                SteeringOutput::force(separation.propose(senses, around, probe))
            }
            (Self::Alignment(alignment), _) => {
                SteeringOutput::force(alignment.propose(senses, around, probe))
            }
            (Self::Cohesion(cohesion), _) => {
                SteeringOutput::force(cohesion.propose(senses, around, probe))
            }
            (Self::HugWalls(hug), _) => SteeringOutput::force(hug.propose(senses, probe)),
            (Self::FollowPath(follow), _) => match around.course(follow.course) {
                Some(path) => SteeringOutput::force(follow.propose(senses, path, memory, probe)),
                None => SteeringOutput::NONE,
            },
            (Self::StayOnPath(stay), _) => match around.course(stay.course) {
                Some(path) => SteeringOutput::force(stay.propose(senses, path, probe)),
                None => SteeringOutput::NONE,
            },
            (Self::Flow(flow), Some(seen)) => {
                SteeringOutput::force(flow.propose(senses, seen, memory, around, probe))
            }
            (_, Some(seen)) => SteeringOutput::force(self.propose_about(seen, senses, probe)),
            (_, None) => SteeringOutput::NONE,
        }
    }

    /// Returns the force of a behaviour with a target.
    fn propose_about(&self, seen: Seen, senses: &Senses, probe: &mut impl Probe) -> Vec2 {
        match self {
            Self::Seek => seek::seek(senses, seen, probe),
            Self::Flee(flee) => flee.propose(senses, seen, probe),
            Self::Arrive(arrive) => arrive.propose(senses, seen, probe),
            Self::Pursue(pursue) => pursue.propose(senses, seen, probe),
            Self::Evade(evade) => evade.propose(senses, seen, probe),
            Self::Interpose => senses
                .other
                .map_or(Vec2::ZERO, |other| pursuit::interpose(senses, seen, other, probe)),
            Self::OffsetPursue(place) => place.propose(senses, seen, probe),
            Self::DynamicSeek => dynamic::seek(senses, seen, probe),
            Self::DynamicFlee => dynamic::flee(senses, seen, probe),
            Self::DynamicArrive(arrive) => arrive.propose(senses, seen, probe),
            Self::MatchVelocity(matched) => matched.propose(senses, seen, probe),
            Self::Tether(tether) => tether.propose(senses, seen, probe),
            Self::Track(track) => track.propose(senses, seen, probe),
            Self::Hide(hide) => hide.propose(senses, seen, probe),
            // `propose` handles this behaviour.
            Self::Wander(_)
            | Self::AvoidWalls(_)
            | Self::AvoidObstacles(_)
            | Self::Align(_)
            | Self::Face(_)
            | Self::LookAhead(_)
            | Self::FollowPath(_)
            | Self::StayOnPath(_)
            | Self::HugWalls(_)
            | Self::Flow(_)
            | Self::AvoidAgents(_)
            | Self::Separation(_)
            | Self::Alignment(_)
            | Self::Cohesion(_) => Vec2::ZERO,
        }
    }
}
