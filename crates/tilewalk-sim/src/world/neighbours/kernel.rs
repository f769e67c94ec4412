//! Sums over neighbours, several agents at a time (SIMD).
//!
//! A lane holds one *agent*. The candidates are processed one by one, in the order of the index.
//! Each sum therefore has the same order in every lane. A candidate that is not a neighbour adds
//! exact zeros, which change no bit. The sums therefore depend only on the neighbours.

use crate::geom::Vec2;
use crate::geom::lanes::{LANES, Lanes, short_way, splat};
use crate::steering::crowd::Crowd;

#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Member {
    /// X coordinate of the position, in tiles.
    pub x: f32,
    /// Y coordinate of the position, in tiles.
    pub y: f32,
    /// X component of the heading, a unit vector.
    pub hx: f32,
    /// Y component of the heading, a unit vector.
    pub hy: f32,
}

/// The region around an agent that contains the agent's neighbours.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Region {
    /// Radius in tiles, exclusive: neighbours are nearer than the radius.
    pub radius: f32,
    /// Smallest cosine of the angle between the heading and the direction to a neighbour. `None` if
    /// neighbours can be in any direction.
    pub cone: Option<f32>,
    /// Size of the map in tiles if the map wraps; otherwise zero.
    pub around: Vec2,
}

impl Region {
    pub fn offset(&self, agent: &Member, other: &Member) -> Vec2 {
        let (mut dx, mut dy) = (splat(other.x - agent.x), splat(other.y - agent.y));
        if self.around != Vec2::ZERO {
            (dx, dy) = (short_way(dx, self.around.x), short_way(dy, self.around.y));
        }
        Vec2::new(dx.to_array()[0], dy.to_array()[0])
    }

    /// Returns true if an agent at an offset in tiles is a neighbour. An agent at the same position
    /// is always a neighbour.
    pub fn holds(&self, agent: &Member, offset: Vec2) -> bool {
        let squared = offset.x * offset.x + offset.y * offset.y;
        let ahead = offset.x * agent.hx + offset.y * agent.hy;
        let seen = |cone| squared == 0.0 || ahead >= cone * squared.sqrt();
        squared < self.radius * self.radius && self.cone.is_none_or(seen)
    }
}

/// The agents of a SIMD batch, and the sums over their neighbours.
#[derive(Debug, Clone, Copy)]
pub struct Block {
    x: Lanes,
    y: Lanes,
    hx: Lanes,
    hy: Lanes,
    count: Lanes,
    same_place: Lanes,
    apart: [Lanes; 2],
    headings: [Lanes; 2],
    offsets: [Lanes; 2],
}

impl Block {
    /// Creates a batch of agents with empty sums.
    ///
    /// The components are loaded one by one from the original agents. Loads from fresh copies of
    /// whole agents would have to wait for the writes of these copies.
    #[inline]
    pub fn new(agents: [&Member; LANES]) -> Self {
        let column = |of: fn(&Member) -> f32| Lanes::new(agents.map(of));
        let zero = splat(0.0);
        Self {
            x: column(|agent| agent.x),
            y: column(|agent| agent.y),
            hx: column(|agent| agent.hx),
            hy: column(|agent| agent.hy),
            count: zero,
            same_place: zero,
            apart: [zero; 2],
            headings: [zero; 2],
            offsets: [zero; 2],
        }
    }

    /// Adds the neighbours among the candidates to the sums, in order. `wrapping` is true if the
    /// shortest vector to a candidate can cross the map edge.
    #[inline]
    pub fn add(&mut self, region: &Region, candidates: &[Member], wrapping: bool) {
        match (wrapping, region.cone.is_some()) {
            (false, false) => self.add_all::<false, false>(region, candidates),
            (false, true) => self.add_all::<false, true>(region, candidates),
            (true, false) => self.add_all::<true, false>(region, candidates),
            (true, true) => self.add_all::<true, true>(region, candidates),
        }
    }

    fn add_all<const WRAP: bool, const CONE: bool>(
        &mut self,
        region: &Region,
        candidates: &[Member],
    ) {
        let reach = splat(region.radius * region.radius);
        let (one, zero) = (splat(1.0), splat(0.0));
        let cone = splat(region.cone.unwrap_or(-1.0));
        // A local copy stays in registers during the loop.
        let mut sums = *self;
        for other in candidates {
            let mut dx = splat(other.x) - sums.x;
            let mut dy = splat(other.y) - sums.y;
            if WRAP {
                dx = short_way(dx, region.around.x);
                dy = short_way(dy, region.around.y);
            }
            let squared = dx * dx + dy * dy;
            let mut near = squared.simd_lt(reach) & squared.simd_gt(zero);
            if CONE {
                let ahead = dx * sums.hx + dy * sums.hy;
                near &= ahead.simd_ge(cone * squared.sqrt());
            }
            let push = near & (one / squared);
            sums.count += near & one;
            sums.same_place += squared.simd_eq(zero) & one;
            sums.apart[0] -= dx * push;
            sums.apart[1] -= dy * push;
            sums.headings[0] += near & splat(other.hx);
            sums.headings[1] += near & splat(other.hy);
            sums.offsets[0] += near & dx;
            sums.offsets[1] += near & dy;
        }
        *self = sums;
    }

    /// Returns the sums of each agent in the batch. The sums exclude candidates at exactly the
    /// agent's position.
    #[inline]
    pub fn crowds(&self) -> [Crowd; LANES] {
        let count = self.count.to_array();
        let pairs = |sums: &[Lanes; 2]| [sums[0].to_array(), sums[1].to_array()];
        let (apart, headings) = (pairs(&self.apart), pairs(&self.headings));
        let offsets = pairs(&self.offsets);
        let pair = |sums: &[[f32; LANES]; 2], lane: usize| Vec2::new(sums[0][lane], sums[1][lane]);
        core::array::from_fn(|lane| Crowd {
            count: count[lane],
            apart: pair(&apart, lane),
            headings: pair(&headings, lane),
            offsets: pair(&offsets, lane),
        })
    }

    /// Returns the number of candidates at the position of each agent, including the agent itself.
    #[inline]
    pub fn in_same_place(&self) -> [f32; LANES] {
        self.same_place.to_array()
    }
}
