//! The behaviours, by name: which there are, and who works each out.

use crate::geom::Vec2;

use super::spec::Spec;
use super::{
    Align, Alignment, Arrive, AvoidAgents, AvoidObstacles, AvoidWalls, Cohesion, DynamicArrive,
    Evade, Flee, Flow, FollowPath, Hide, HugWalls, MatchVelocity, Memory, Neighbourhood,
    OffsetPursue, Probe, Pursue, Seen, Senses, Separation, StayOnPath, Surroundings, Tether, Track,
    Turning, Wander, Wish, align, arrive, avoid_agents, avoid_obstacles, avoid_walls, dynamic,
    flock, flow, hide, hug_walls, paths, pursuit, seek, tether, track, wander,
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

    /// Does it propose turns? All others propose forces.
    pub fn is_angular(&self) -> bool {
        matches!(self, Self::Align(_) | Self::Face(_) | Self::LookAhead(_))
    }

    /// Whose sums it needs, if it is about neighbours.
    pub fn neighbourhood(&self) -> Option<Neighbourhood> {
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
    pub fn propose(
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
