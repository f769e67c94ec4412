//! Neighbourhoods of an agent, and sums over the neighbours.

use crate::geom::Vec2;
use crate::id::GroupId;

/// Selects neighbours: agents of a group within a radius, optionally in a cone around the heading.
///
/// The agent itself never counts. A neighbour at the same position has no direction and is in every
/// cone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Neighbourhood {
    /// Distance below which an agent is a neighbour, in tiles; > 0.
    pub radius: f32,
    /// Full angle of the cone around the heading, in radians; `None` for no cone.
    ///
    /// The test uses the *unit* vector to the neighbour, so the cone has the same angle at any
    /// distance.
    pub angle: Option<f32>,
    /// Group of the neighbours; `None` for all agents.
    pub of: Option<GroupId>,
    /// Whether distances are measured between the edges of bodies instead of their centres. Only
    /// separation uses this measure. It computes its own sums.
    pub by_edges: bool,
}

impl Neighbourhood {
    /// The default of [`Neighbourhood::radius`], in tiles.
    pub const RADIUS: f32 = 4.0;

    /// Returns the cosine of half the cone's angle; `None` without a cone.
    pub(crate) fn cone(&self) -> Option<f32> {
        let angle = self.angle.filter(|&angle| angle < core::f32::consts::TAU);
        angle.map(|angle| libm::cosf(angle / 2.0))
    }
}

/// Sums over the neighbours of an agent, in a fixed order.
///
/// The memory alignment keeps each value within one cache line, since large flocks write the values
/// in random order.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[repr(align(32))]
pub(crate) struct Crowd {
    /// Number of neighbours.
    pub count: f32,
    /// Σ (p − n) / |p − n|²: repulsion that grows with proximity, in 1/tiles.
    pub(crate) apart: Vec2,
    /// Sum of the neighbours' headings, which are unit vectors.
    pub(crate) headings: Vec2,
    /// Sum of the shortest vectors to the neighbours, in tiles.
    pub(crate) offsets: Vec2,
}

/// Minimum distance in the computation of repulsion, in tiles. Nearer agents count as being at this
/// distance.
pub(crate) const TOUCHING: f32 = 0.01;
