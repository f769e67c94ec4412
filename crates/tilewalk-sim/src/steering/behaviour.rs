//! The list of behaviours and their dispatch.

use crate::geom::Vec2;

use super::{
    Align, Alignment, Arrive, AvoidAgents, AvoidObstacles, AvoidWalls, Cohesion, DynamicArrive,
    Evade, Flee, Flow, FollowPath, Hide, HugWalls, MatchVelocity, Memory, Neighbourhood,
    OffsetPursue, Probe, Pursue, Seen, Senses, Separation, StayOnPath, Surroundings, Tether, Track,
    Turning, Wander, Wish, dynamic, pursuit, seek,
};

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
    /// Keeps an offset from the target, as in a formation.
    OffsetPursue(OffsetPursue),
    /// Applies full force towards the target.
    DynamicSeek,
    /// Applies full force away from the target.
    DynamicFlee,
    /// Applies force towards the target and stops there.
    DynamicArrive(DynamicArrive),
    /// Matches the velocity of the target.
    MatchVelocity(MatchVelocity),
    /// Stays within a distance of the target.
    Tether(Tether),
    /// Bends the velocity towards the target; the only behaviour of its list.
    Track(Track),
    /// Turns to a heading.
    Align(Align),
    /// Turns towards the target.
    Face(Turning),
    /// Turns towards the velocity.
    LookAhead(Turning),
    /// Hides from the target behind an obstacle.
    Hide(Hide),
    /// Follows the shortest path to the target, tile by tile.
    Flow(Flow),
    /// Follows the points of a path.
    FollowPath(FollowPath),
    /// Stays within a distance of a path.
    StayOnPath(StayOnPath),
    /// Moves along walls at a distance.
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

impl Behaviour {
    /// Returns the keyword used in files.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Seek => "seek",
            Self::Flee(_) => "flee",
            Self::Arrive(_) => "arrive",
            Self::Pursue(_) => "pursue",
            Self::Evade(_) => "evade",
            Self::Interpose => "interpose",
            Self::OffsetPursue(_) => "offset_pursue",
            Self::DynamicSeek => "dynamic_seek",
            Self::DynamicFlee => "dynamic_flee",
            Self::DynamicArrive(_) => "dynamic_arrive",
            Self::MatchVelocity(_) => "match_velocity",
            Self::Tether(_) => "tether",
            Self::Track(_) => "track",
            Self::Align(_) => "align",
            Self::Face(_) => "face",
            Self::LookAhead(_) => "look_ahead",
            Self::Hide(_) => "hide",
            Self::Flow(_) => "flow",
            Self::FollowPath(_) => "follow_path",
            Self::StayOnPath(_) => "stay_on_path",
            Self::HugWalls(_) => "hug_walls",
            Self::AvoidObstacles(_) => "avoid_obstacles",
            Self::Wander(_) => "wander",
            Self::AvoidWalls(_) => "avoid_walls",
            Self::AvoidAgents(_) => "avoid_agents",
            Self::Separation(_) => "separation",
            Self::Alignment(_) => "alignment",
            Self::Cohesion(_) => "cohesion",
        }
    }

    /// Returns true if the behaviour returns angular accelerations instead of forces.
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
    ) -> Wish {
        match (self, senses.target) {
            (Self::Align(align), _) => Wish::turn(align.propose(senses, probe)),
            (Self::LookAhead(turning), _) => Wish::turn(turning.look_ahead(senses, probe)),
            (Self::Face(turning), Some(seen)) => Wish::turn(turning.face(seen, senses, probe)),
            (Self::Wander(wander), _) => Wish::force(wander.propose(senses, memory, probe)),
            (Self::AvoidWalls(walls), _) => Wish::force(walls.propose(senses, probe)),
            (Self::AvoidObstacles(obstacles), _) => Wish::force(obstacles.propose(senses, probe)),
            (Self::AvoidAgents(agents), _) => Wish::force(agents.propose(senses, around, probe)),
            (Self::Separation(separation), _) => {
                Wish::force(separation.propose(senses, around, probe))
            }
            (Self::Alignment(alignment), _) => {
                Wish::force(alignment.propose(senses, around, probe))
            }
            (Self::Cohesion(cohesion), _) => Wish::force(cohesion.propose(senses, around, probe)),
            (Self::HugWalls(hug), _) => Wish::force(hug.propose(senses, probe)),
            (Self::FollowPath(follow), _) => match around.course(follow.course) {
                Some(path) => Wish::force(follow.propose(senses, path, memory, probe)),
                None => Wish::NONE,
            },
            (Self::StayOnPath(stay), _) => match around.course(stay.course) {
                Some(path) => Wish::force(stay.propose(senses, path, probe)),
                None => Wish::NONE,
            },
            (Self::Flow(flow), Some(seen)) => {
                Wish::force(flow.propose(senses, seen, memory, around, probe))
            }
            (_, Some(seen)) => Wish::force(self.propose_about(seen, senses, probe)),
            (_, None) => Wish::NONE,
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
            // Handled by `propose`.
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
