//! The behaviours, by name: which there are, and who works each out.

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
    /// Full speed towards the target.
    Seek,
    /// Full speed away from the target.
    Flee(Flee),
    /// Towards the target, to stop there.
    Arrive(Arrive),
    /// Towards where the target will be.
    Pursue(Pursue),
    /// Away from where the target will be.
    Evade(Evade),
    /// In between the two targets.
    Interpose,
    /// To a place beside the target, as in a formation.
    OffsetPursue(OffsetPursue),
    /// Full force towards the target.
    DynamicSeek,
    /// Full force away from the target.
    DynamicFlee,
    /// Towards the target with full force, to stop there.
    DynamicArrive(DynamicArrive),
    /// As the target moves.
    MatchVelocity(MatchVelocity),
    /// Not too far from the target.
    Tether(Tether),
    /// Bends its velocity towards the target; alone in its list.
    Track(Track),
    /// Turns to a heading.
    Align(Align),
    /// Turns to where the target is.
    Face(Turning),
    /// Turns to where it goes.
    LookAhead(Turning),
    /// Behind an obstacle, out of the target's sight.
    Hide(Hide),
    /// Tile by tile along the shortest walk to the target.
    Flow(Flow),
    /// From point to point of a path.
    FollowPath(FollowPath),
    /// Not too far from a path.
    StayOnPath(StayOnPath),
    /// Along walls, at a distance.
    HugWalls(HugWalls),
    /// A smooth random walk.
    Wander(Wander),
    /// Round obstacles in the way.
    AvoidObstacles(AvoidObstacles),
    /// Away from walls that feelers touch.
    AvoidWalls(AvoidWalls),
    /// Aside from others it would run into.
    AvoidAgents(AvoidAgents),
    /// Away from neighbours.
    Separation(Separation),
    /// As neighbours face.
    Alignment(Alignment),
    /// To the middle of neighbours.
    Cohesion(Cohesion),
}

impl Behaviour {
    /// The word for it in files.
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

    /// Does it propose turns? All others propose forces.
    pub fn is_angular(&self) -> bool {
        matches!(self, Self::Align(_) | Self::Face(_) | Self::LookAhead(_))
    }

    /// Whose sums it needs, if it is about neighbours.
    pub(crate) fn neighbourhood(&self) -> Option<Neighbourhood> {
        match self {
            Self::Separation(Separation(who))
            | Self::Alignment(Alignment(who))
            | Self::Cohesion(Cohesion(who)) => Some(*who),
            _ => None,
        }
    }

    /// What it proposes, before weighting.
    ///
    /// A behaviour whose target does not exist (a group whose only member is the agent itself)
    /// proposes nothing.
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

    /// The force of a behaviour that is about a target.
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
            // Those that are about no target alone have been asked already.
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
