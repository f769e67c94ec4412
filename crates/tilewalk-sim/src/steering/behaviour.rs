//! The enum of all behaviours, and dispatch to their implementations.

pub(crate) mod align;
pub(crate) mod avoid_agents;
pub(crate) mod avoid_crowd;
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
pub(crate) mod track;
pub(crate) mod wander;

use crate::geom::Vec2;
use crate::id::SteeringPathId;

use super::spec::Spec;
use super::{Memory, Neighbourhood, NoProbe, Probe, Senses, SteeringOutput, Surroundings};

pub use align::{Align, Turning};
pub use avoid_agents::AvoidAgents;
pub use avoid_crowd::AvoidCrowd;
pub use avoid_obstacles::AvoidObstacles;
pub use avoid_walls::AvoidWalls;
pub use dynamic::{DynamicArrive, MatchVelocity};
pub use flock::{Alignment, Cohesion, Separation};
pub use flow::Flow;
pub use hide::Hide;
pub use hug_walls::{Hand, HugWalls};
pub use paths::{FollowPath, StayOnPath};
pub use pursuit::{Evade, OffsetPursue, Pursue};
pub use seek::{Arrive, Flee, Tether};
pub use track::{Noise, Track};
pub use wander::Wander;

/// Declares all behaviours. Generates the enum, the list of descriptions, the description of each
/// behaviour, and a constructor with default parameters for each behaviour that has a name for it.
macro_rules! behaviours {
    ($($(#[$about:meta])* $name:ident$(($Parameters:ty))? = $spec:path $(, fn $create:ident)?;)*) => {
        /// A behaviour with its parameters.
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub enum Behaviour {
            $($(#[$about])* $name$(($Parameters))?,)*
        }

        /// Descriptions of all behaviours, in the order of the variants of [`Behaviour`].
        pub const SPECS: [&Spec; [$(stringify!($name)),*].len()] = [$(&$spec),*];

        impl Behaviour {
            /// Returns the name, defaults and parameters of this kind of behaviour.
            pub fn spec(&self) -> &'static Spec {
                match self {
                    $(Self::$name { .. } => &$spec,)*
                }
            }

            $($(
                #[doc = concat!("Creates [`Self::", stringify!($name), "`] with default parameters.")]
                pub fn $create() -> Self {
                    ($spec.create)()
                }
            )?)*
        }
    };
}

behaviours! {
    /// Moves at full speed towards the target.
    Seek = seek::SEEK, fn seek;
    /// Moves at full speed away from the target.
    Flee(Flee) = seek::FLEE, fn flee;
    /// Moves to the target and stops there.
    Arrive(Arrive) = seek::ARRIVE, fn arrive;
    /// Moves towards the predicted position of the target.
    Pursue(Pursue) = pursuit::PURSUE, fn pursue;
    /// Moves away from the predicted position of the target.
    Evade(Evade) = pursuit::EVADE, fn evade;
    /// Moves to the predicted midpoint of two targets.
    Interpose = pursuit::INTERPOSE, fn interpose;
    /// Keeps a position relative to the target, for formations.
    OffsetPursue(OffsetPursue) = pursuit::OFFSET_PURSUE;
    /// Applies full force towards the target.
    DynamicSeek = dynamic::DYNAMIC_SEEK, fn dynamic_seek;
    /// Applies full force away from the target.
    DynamicFlee = dynamic::DYNAMIC_FLEE, fn dynamic_flee;
    /// Applies force to reach the target and stop there.
    DynamicArrive(DynamicArrive) = dynamic::DYNAMIC_ARRIVE, fn dynamic_arrive;
    /// Accelerates to the target's velocity.
    MatchVelocity(MatchVelocity) = dynamic::MATCH_VELOCITY, fn match_velocity;
    /// Stays within a distance of the target.
    Tether(Tether) = seek::TETHER;
    /// Bends the velocity towards the target. `Track` must be the only behaviour of its list.
    Track(Track) = track::TRACK, fn track;
    /// Turns to a fixed heading, or to the heading of the target.
    Align(Align) = align::ALIGN;
    /// Turns to face the target.
    Face(Turning) = align::FACE, fn face;
    /// Turns to face the direction of motion.
    LookAhead(Turning) = align::LOOK_AHEAD, fn look_ahead;
    /// Hides from the target behind an obstacle.
    Hide(Hide) = hide::HIDE, fn hide;
    /// Follows the cheapest route to the target, tile by tile.
    Flow(Flow) = flow::FLOW, fn flow;
    /// Follows the points of a path.
    FollowPath(FollowPath) = paths::FOLLOW_PATH;
    /// Stays within a distance of a path.
    StayOnPath(StayOnPath) = paths::STAY_ON_PATH;
    /// Moves along walls at a fixed distance.
    HugWalls(HugWalls) = hug_walls::HUG_WALLS, fn hug_walls;
    /// Moves in a smooth random walk.
    Wander(Wander) = wander::WANDER, fn wander;
    /// Steers around obstacles ahead.
    AvoidObstacles(AvoidObstacles) = avoid_obstacles::AVOID_OBSTACLES, fn avoid_obstacles;
    /// Steers away from walls detected by feelers.
    AvoidWalls(AvoidWalls) = avoid_walls::AVOID_WALLS, fn avoid_walls;
    /// Steers around agents on a collision course.
    AvoidAgents(AvoidAgents) = avoid_agents::AVOID_AGENTS, fn avoid_agents;
    /// Replaces the velocity of all other behaviours by the nearest one without a collision.
    AvoidCrowd(AvoidCrowd) = avoid_crowd::AVOID_CROWD, fn avoid_crowd;
    /// Moves away from neighbours.
    Separation(Separation) = flock::SEPARATION, fn separation;
    /// Matches the mean heading of neighbours.
    Alignment(Alignment) = flock::ALIGNMENT, fn alignment;
    /// Moves towards the mean position of neighbours.
    Cohesion(Cohesion) = flock::COHESION, fn cohesion;
}

impl Behaviour {
    /// Follows the points of a path, with default parameters. The id comes from
    /// [`Builder::path`](crate::scenario::builder::Builder::path).
    pub fn follow_path(path: SteeringPathId) -> Self {
        Self::FollowPath(FollowPath { path, reach: FollowPath::REACH })
    }

    /// Stays within a distance of a path, with default parameters. The id comes from
    /// [`Builder::path`](crate::scenario::builder::Builder::path).
    pub fn stay_on_path(path: SteeringPathId) -> Self {
        let (width, predict) = (StayOnPath::WIDTH, StayOnPath::PREDICT);
        Self::StayOnPath(StayOnPath { path, width, predict })
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
        let (Self::Separation(Separation(neighbourhood))
        | Self::Alignment(Alignment(neighbourhood))
        | Self::Cohesion(Cohesion(neighbourhood))) = self
        else {
            return None;
        };
        Some(*neighbourhood)
    }

    /// Returns true if the force depends only on the map and the agent's motion.
    pub(crate) fn needs_only_map(&self) -> bool {
        matches!(self, Self::AvoidWalls(_) | Self::AvoidObstacles(_) | Self::HugWalls(_))
    }

    /// Returns the force of a behaviour that needs only the map, without reporting it. Returns zero for
    /// other behaviours.
    #[inline(never)]
    pub(crate) fn propose_on_map(&self, senses: &Senses) -> Vec2 {
        if let Self::AvoidWalls(walls) = self {
            walls.propose(senses, &mut NoProbe)
        } else if let Self::AvoidObstacles(obstacles) = self {
            obstacles.propose(senses, &mut NoProbe)
        } else if let Self::HugWalls(hug) = self {
            hug.propose(senses, &mut NoProbe)
        } else {
            Vec2::ZERO
        }
    }

    /// Returns the desired output before weighting. Returns zero if the target does not exist, such
    /// as a group without other members.
    #[inline]
    pub(crate) fn propose(
        &self,
        senses: &Senses,
        memory: &mut Memory,
        around: &impl Surroundings,
        probe: &mut impl Probe,
    ) -> SteeringOutput {
        self.output(senses, memory, around, probe).unwrap_or(SteeringOutput::NONE)
    }

    /// Returns the desired output. Returns `None` if the target or the path does not exist.
    fn output(
        &self,
        senses: &Senses,
        memory: &mut Memory,
        around: &impl Surroundings,
        probe: &mut impl Probe,
    ) -> Option<SteeringOutput> {
        let target = senses.target;
        let force = match self {
            Self::Align(align) => return Some(SteeringOutput::turn(align.propose(senses, probe))),
            Self::Face(turning) => {
                return Some(SteeringOutput::turn(turning.face(target?, senses, probe)));
            }
            Self::LookAhead(turning) => {
                return Some(SteeringOutput::turn(turning.look_ahead(senses, probe)));
            }
            Self::Seek => seek::seek(senses, target?, probe),
            Self::Flee(flee) => flee.propose(senses, target?, probe),
            Self::Arrive(arrive) => arrive.propose(senses, target?, probe),
            Self::Pursue(pursue) => pursue.propose(senses, target?, around, probe),
            Self::Evade(evade) => evade.propose(senses, target?, around, probe),
            Self::Interpose => pursuit::interpose(senses, target?, senses.other?, probe),
            Self::OffsetPursue(place) => place.propose(senses, target?, probe),
            Self::DynamicSeek => dynamic::seek(senses, target?, probe),
            Self::DynamicFlee => dynamic::flee(senses, target?, probe),
            Self::DynamicArrive(arrive) => arrive.propose(senses, target?, probe),
            Self::MatchVelocity(matched) => matched.propose(senses, target?, probe),
            Self::Tether(tether) => tether.propose(senses, target?, probe),
            Self::Track(track) => track.propose(senses, target?, probe),
            Self::Hide(hide) => hide.propose(senses, target?, around, probe),
            Self::Flow(flow) => flow.propose(senses, target?, memory, around, probe),
            Self::FollowPath(follow) => {
                follow.propose(senses, around.path(follow.path)?, memory, probe)
            }
            Self::StayOnPath(stay) => stay.propose(senses, around.path(stay.path)?, probe),
            Self::HugWalls(hug) => hug.propose(senses, probe),
            Self::Wander(wander) => wander.propose(senses, memory, probe),
            Self::AvoidObstacles(obstacles) => obstacles.propose(senses, probe),
            Self::AvoidWalls(walls) => walls.propose(senses, probe),
            Self::AvoidAgents(agents) => agents.propose(senses, around, probe),
            // Acts after all forces are combined.
            Self::AvoidCrowd(_) => Vec2::ZERO,
            Self::Separation(separation) => separation.propose(senses, around, probe),
            Self::Alignment(Alignment(near)) => {
                flock::propose(near, Alignment::propose_batch, senses, around, probe)
            }
            Self::Cohesion(cohesion) => cohesion.propose(senses, around, probe),
        };
        Some(SteeringOutput::force(force))
    }
}
