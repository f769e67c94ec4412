//! Sums over the neighbours of agents.
//!
//! The sums are computed for several agents at a time (SIMD). A lane holds one *agent*. The
//! candidates are processed one by one, in the order of the index. Each sum therefore has the same
//! order in every lane. A candidate that is not a neighbour adds exact zeros, which change no bit.
//! The sums therefore depend only on the neighbours.

use crate::geom::Vec2;
use crate::geom::lanes::{Eight, LANES, Lanes, Mask, Simd, short_way, transpose};
use crate::map::{Edges, Map};
use crate::steering::senses::{Crowd, Neighbourhood};
use crate::world::neighbours::cells::REACH;
use crate::world::neighbours::index::{Entry, Index};

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
    pub fn of(neighbourhood: &Neighbourhood, map: &Map) -> Self {
        let around = match map.edges() {
            Edges::Wall => Vec2::ZERO,
            Edges::Wrap => Vec2::new(map.width() as f32, map.height() as f32),
        };
        Self { radius: neighbourhood.radius, cone: neighbourhood.cone(), around }
    }

    pub fn offset(&self, agent: &Entry, other: &Entry) -> Vec2 {
        let (dx, dy) = (other.x - agent.x, other.y - agent.y);
        if self.around == Vec2::ZERO {
            return Vec2::new(dx, dy);
        }
        Vec2::new(short_way(dx, self.around.x), short_way(dy, self.around.y))
    }

    /// Returns true if an agent at an offset in tiles is a neighbour. An agent at the same position
    /// is always a neighbour.
    pub fn holds(&self, agent: &Entry, offset: Vec2) -> bool {
        let squared = offset.x * offset.x + offset.y * offset.y;
        let ahead = offset.x * agent.hx + offset.y * agent.hy;
        let seen = |cone| squared == 0.0 || ahead >= cone * squared.sqrt();
        squared < self.radius * self.radius && self.cone.is_none_or(seen)
    }
}

/// Returns the neighbour sums of one agent, and the number of entries at exactly the agent's position.
/// The sums exclude these entries.
pub fn sums_of(index: &Index, region: &Region, agent: Entry) -> (Crowd, f32) {
    let (column, row) = (index.cells.column(agent.x), index.cells.row(agent.y));
    let mut block = Block::<f32>::new((), |_| &agent);
    block.add_around(index, region, row, (column, column));
    block.crowd()
}

/// The agents of a batch, one per lane, and the sums over their neighbours.
#[derive(Debug, Clone, Copy)]
pub struct Block<L> {
    x: L,
    y: L,
    hx: L,
    hy: L,
    count: L,
    same_place: L,
    apart: [L; 2],
    headings: [L; 2],
    offsets: [L; 2],
}

impl<L: Lanes> Block<L> {
    /// Creates a batch of agents with empty sums.
    ///
    /// The components are loaded one by one from the original agents. Loads from fresh copies of
    /// whole agents would have to wait for the writes of these copies.
    #[inline(always)]
    pub fn new<'a>(simd: L::Simd, agent: impl Fn(usize) -> &'a Entry) -> Self {
        let zero = L::splat(simd, 0.0);
        Self {
            x: L::from_fn(
                simd,
                #[inline(always)]
                |lane| agent(lane).x,
            ),
            y: L::from_fn(
                simd,
                #[inline(always)]
                |lane| agent(lane).y,
            ),
            hx: L::from_fn(
                simd,
                #[inline(always)]
                |lane| agent(lane).hx,
            ),
            hy: L::from_fn(
                simd,
                #[inline(always)]
                |lane| agent(lane).hy,
            ),
            count: zero,
            same_place: zero,
            apart: [zero; 2],
            headings: [zero; 2],
            offsets: [zero; 2],
        }
    }

    /// Adds the neighbours of the agents to their sums. All agents are in the same row of cells.
    /// `columns` are the columns of the leftmost and the rightmost agent.
    #[inline(always)]
    pub fn add_around(&mut self, index: &Index, region: &Region, row: u32, columns: (u32, u32)) {
        index.visit_around(
            row,
            columns,
            REACH,
            #[inline(always)]
            |places, wrapping| self.add(region, &index.entries()[places], wrapping),
        );
    }

    /// Adds the neighbours among the candidates to the sums, in order. `wrapping` is true if the
    /// shortest vector to a candidate can cross the map edge.
    #[inline(always)]
    fn add(&mut self, region: &Region, candidates: &[Entry], wrapping: bool) {
        match (wrapping, region.cone.is_some()) {
            (false, false) => self.add_all::<false, false>(region, candidates),
            (false, true) => self.add_all::<false, true>(region, candidates),
            (true, false) => self.add_all::<true, false>(region, candidates),
            (true, true) => self.add_all::<true, true>(region, candidates),
        }
    }

    #[inline(always)]
    fn add_all<const WRAP: bool, const CONE: bool>(
        &mut self,
        region: &Region,
        candidates: &[Entry],
    ) {
        let simd = self.x.simd();
        let reach = L::splat(simd, region.radius * region.radius);
        let (one, zero) = (L::splat(simd, 1.0), L::splat(simd, 0.0));
        let cone = L::splat(simd, region.cone.unwrap_or(-1.0));
        // A local copy stays in registers during the loop.
        let mut sums = *self;
        for other in candidates {
            let mut dx = L::splat(simd, other.x) - sums.x;
            let mut dy = L::splat(simd, other.y) - sums.y;
            if WRAP {
                dx = short_way(dx, region.around.x);
                dy = short_way(dy, region.around.y);
            }
            let squared = dx * dx + dy * dy;
            let mut near = squared.lt(reach) & squared.gt(zero);
            if CONE {
                let ahead = dx * sums.hx + dy * sums.hy;
                near = near & ahead.ge(cone * squared.sqrt());
            }
            let push = (one / squared).only(near);
            // No sum is ever −0: all begin at +0, and only (−0) + (−0) is −0.
            sums.count = sums.count.plus(one, near);
            sums.same_place = sums.same_place.plus(one, squared.le(zero));
            sums.apart = [sums.apart[0] - dx * push, sums.apart[1] - dy * push];
            let heading = [L::splat(simd, other.hx), L::splat(simd, other.hy)];
            for axis in 0..2 {
                sums.headings[axis] = sums.headings[axis].plus(heading[axis], near);
                sums.offsets[axis] = sums.offsets[axis].plus([dx, dy][axis], near);
            }
        }
        *self = sums;
    }

    /// Returns a mask of the lanes whose agent shares its position with another candidate.
    #[inline(always)]
    pub fn shared_places(&self) -> u32 {
        self.same_place.gt(self.same_place.like(1.0)).bits()
    }
}

impl<S: Simd> Block<Eight<S>> {
    /// Returns the sums of each agent as a row of [`Crowd`]. The sums exclude candidates at exactly the
    /// agent's position.
    #[inline(always)]
    pub fn rows(&self) -> [[f32; LANES]; LANES] {
        let Self { count, apart, headings, offsets, .. } = *self;
        let zero = count.like(0.0);
        let [[ax, ay], [hx, hy], [ox, oy]] = [apart, headings, offsets];
        transpose([count, ax, ay, hx, hy, ox, oy, zero]).map(
            #[inline(always)]
            |row| *row,
        )
    }
}

impl Block<f32> {
    /// Returns the sums of the agent, and the number of candidates at its position, including the agent
    /// itself. The sums exclude these candidates.
    fn crowd(&self) -> (Crowd, f32) {
        let crowd = Crowd {
            count: self.count,
            apart: self.apart.into(),
            headings: self.headings.into(),
            offsets: self.offsets.into(),
        };
        (crowd, self.same_place)
    }
}
