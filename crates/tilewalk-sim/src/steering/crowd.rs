//! The crowd around an agent: who counts as a neighbour, and what all of them come to.

use crate::geom::Vec2;
use crate::id::GroupId;

/// Who counts as a neighbour: the members of a group whose centres are nearer than a radius, and
/// who stand in a cone about the heading, if there is one.
///
/// The agent itself never counts. A neighbour in the very same place has no direction; it is in any
/// cone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Neighbourhood {
    /// Centres nearer than this count, in tiles; > 0.
    pub radius: f32,
    /// The whole angle of the cone about the heading, in radians; `None`: all round.
    ///
    /// It is compared with the *unit* vector to the neighbour: a cone opens as far at any distance.
    pub angle: Option<f32>,
    /// The group; `None`: everyone.
    pub of: Option<GroupId>,
}

impl Neighbourhood {
    /// The radius, when a file gives none.
    pub const RADIUS: f32 = 4.0;

    /// The least cosine to the heading at which a direction is in the cone; `None`: all are.
    pub(crate) fn cone(&self) -> Option<f32> {
        let angle = self.angle.filter(|&angle| angle < core::f32::consts::TAU);
        angle.map(|angle| libm::cosf(angle / 2.0))
    }
}

/// What an agent's neighbours come to, added up in an order that hangs on them alone.
///
/// Aligned so that none lies across two cache lines: in a large flock they are written far from
/// each other.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[repr(align(32))]
pub(crate) struct Crowd {
    /// How many there are.
    pub count: f32,
    /// Σ (p − n) / |p − n|²: away from each, the more the nearer; in 1/tiles.
    pub(crate) apart: Vec2,
    /// The sum of their headings.
    pub(crate) headings: Vec2,
    /// The sum of the ways to them, each the short way round, in tiles.
    pub(crate) offsets: Vec2,
}

/// Closer than this, in tiles, two push each other apart as if they were this far from each other.
///
/// It is what two in the very same place count as, whose distance gives no measure.
pub(crate) const TOUCHING: f32 = 0.01;
