//! The behaviours, by name: which there are, and who works each out.

use crate::geom::Vec2;

use super::{
    Alignment, Arrive, AvoidAgents, AvoidObstacles, AvoidWalls, Cohesion, DynamicArrive, Evade,
    Flee, MatchVelocity, Memory, Neighbourhood, OffsetPursue, Probe, Pursue, Seen, Senses,
    Separation, Surroundings, Tether, Wander, Wish, dynamic, pursuit, seek,
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
        false
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
        Wish::force(match self {
            Self::Wander(wander) => wander.propose(senses, memory, probe),
            Self::AvoidWalls(walls) => walls.propose(senses, probe),
            Self::AvoidObstacles(obstacles) => obstacles.propose(senses, probe),
            Self::AvoidAgents(agents) => agents.propose(senses, around, probe),
            Self::Separation(separation) => separation.propose(senses, around, probe),
            Self::Alignment(alignment) => alignment.propose(senses, around, probe),
            Self::Cohesion(cohesion) => cohesion.propose(senses, around, probe),
            _ => match senses.target {
                Some(seen) => self.propose_about(seen, senses, probe),
                None => Vec2::ZERO,
            },
        })
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
            // These are about no target.
            Self::Wander(_)
            | Self::AvoidWalls(_)
            | Self::AvoidObstacles(_)
            | Self::AvoidAgents(_)
            | Self::Separation(_)
            | Self::Alignment(_)
            | Self::Cohesion(_) => Vec2::ZERO,
        }
    }
}
