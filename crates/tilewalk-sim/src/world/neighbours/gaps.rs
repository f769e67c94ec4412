//! Finds the smallest gap between bodies, for conditions.
//!
//! The gap is the distance between the centres minus both radii. On a map that wraps, the shorter
//! distance counts. Small groups are compared pair by pair. For a large group, an index is built
//! when a condition needs it, at most once per frame. The results are the same with and without an
//! index; only the cost differs.

use core::slice;
use std::sync::{Arc, Mutex, PoisonError};

use crate::condition::Several;
use crate::id::{AgentId, GroupId};
use crate::locomotion::contacts::TOUCHING;
use crate::scenario::Scenario;
use crate::world::World;

use super::members::Members;
use super::search::{GroupSearch, SMALL_GROUP};

/// Maximum number of pairs that are compared without an index.
const FEW_PAIRS: usize = SMALL_GROUP * SMALL_GROUP;

/// Maximum number of searches per frame in a large group without an index. Building an index pays
/// off only if more searches follow.
const SEARCHES_WITHOUT_INDEX: u32 = 2;

/// The cached indexes of the groups that conditions have searched. Outdated indexes are kept to
/// reuse their memory.
#[derive(Debug, Default)]
pub struct GapIndexes(Mutex<Cached>);

#[derive(Debug, Default)]
struct Cached {
    /// The scenario for which the indexes were created.
    scenario: Option<Arc<Scenario>>,
    indexes: Vec<GapIndex>,
}

/// The index of a group, or of all agents.
#[derive(Debug)]
struct GapIndex {
    search: GroupSearch,
    /// Whether the index contains the current positions.
    is_current: bool,
    /// Number of searches since the positions changed.
    searches: u32,
}

/// A pair of agents with the gap between their bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NearestPair {
    /// The distance between the edges of the bodies, in tiles; negative if they overlap.
    pub gap: f64,
    /// The agent from the first set of agents.
    pub first: AgentId,
    /// The agent from the second set of agents.
    pub second: AgentId,
}

/// The pair with the smallest gap so far. Of pairs with equal gaps, this is the first one in agent
/// order.
#[derive(Debug, Default)]
struct Nearest {
    pair: Option<NearestPair>,
    compared: u64,
}

impl GapIndexes {
    /// Marks all cached indexes as outdated. Must be called after positions have changed, before
    /// conditions are evaluated.
    pub fn forget(&mut self) {
        let cached = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        for index in &mut cached.indexes {
            (index.is_current, index.searches) = (false, 0);
        }
    }
}

impl Cached {
    /// Returns the index of a group with the current positions. Returns `None` if a linear search
    /// is cheaper. `searches` is the number of searches that the caller plans.
    fn index(&mut self, world: &World, of: Option<GroupId>, searches: u32) -> Option<&GapIndex> {
        let scenario = world.scenario();
        if !self.scenario.as_ref().is_some_and(|known| Arc::ptr_eq(known, scenario)) {
            (self.scenario, self.indexes) = (Some(Arc::clone(scenario)), Vec::new());
        }
        let place = self.indexes.iter().position(|index| index.search.members.group == of);
        let place = place.unwrap_or_else(|| {
            self.indexes.push(GapIndex::new(scenario, of));
            self.indexes.len() - 1
        });
        let index = &mut self.indexes[place];
        index.searches = index.searches.saturating_add(searches);
        if index.searches <= SEARCHES_WITHOUT_INDEX {
            return None;
        }
        if !index.is_current {
            index.search.sort(&world.state);
            index.is_current = true;
        }
        Some(index)
    }
}

impl GapIndex {
    fn new(scenario: &Scenario, group: Option<GroupId>) -> Self {
        let search = GroupSearch::new(scenario, Members::new(scenario, group));
        Self { search, is_current: false, searches: 0 }
    }

    /// Returns the largest radius of all members, in tiles.
    fn widest(&self) -> f64 {
        f64::from(self.search.max_radius)
    }

    /// Updates `nearest` with the gaps between an agent and the members. Skips members whose gap
    /// cannot be the smallest. `is_first` is true if the agent is from the first set of agents.
    fn compare(&self, world: &World, id: AgentId, is_first: bool, nearest: &mut Nearest) {
        let (at, reach) = (world.position(id), radius(world, id) + self.widest());
        let map = &world.scenario().map;
        let all = f64::from(map.width()) + f64::from(map.height());
        let mut distance = nearest.pair.map_or(reach, |pair| pair.gap + reach);
        while distance >= 0.0 {
            self.search.visit_within(at, distance as f32, |other| {
                let (first, second) = if is_first { (id, other) } else { (other, id) };
                nearest.compare(world, first, second);
            });
            let needed = nearest.pair.map_or(f64::INFINITY, |pair| pair.gap + reach);
            if needed <= distance || distance > all {
                return;
            }
            distance = needed.min(2.0 * distance + 1.0);
        }
    }
}

impl Nearest {
    fn compare(&mut self, world: &World, first: AgentId, second: AgentId) {
        if first == second {
            return;
        }
        self.compared += 1;
        let new = NearestPair { gap: gap(world, first, second), first, second };
        let is_nearer = self.pair.is_none_or(|old| {
            new.gap < old.gap || new.gap == old.gap && (first, second) < (old.first, old.second)
        });
        if is_nearer {
            self.pair = Some(new);
        }
    }
}

fn radius(world: &World, id: AgentId) -> f64 {
    f64::from(world.body(id).radius)
}

/// Returns the gap between two bodies, in tiles. The gap is negative if the bodies overlap.
fn gap(world: &World, first: AgentId, second: AgentId) -> f64 {
    let offset = world.scenario().map.offset(world.position(first), world.position(second));
    let (x, y) = (f64::from(offset.x), f64::from(offset.y));
    (x * x + y * y).sqrt() - (radius(world, first) + radius(world, second))
}

impl World {
    /// Returns the two different agents with the smallest gap between their bodies, one from each
    /// set. Of pairs with equal gaps, returns the first in agent order. Returns `None` if the world
    /// contains no such pair.
    pub fn gap(&self, first: Several, second: Several) -> Option<NearestPair> {
        let mut nearest = Nearest::default();
        self.compare_all(first, second, &mut nearest);
        nearest.pair
    }

    fn compare_all(&self, first: Several, second: Several, nearest: &mut Nearest) {
        let firsts = self.list(&first);
        let seconds = self.list(&second);
        let present = |id: &&AgentId| self.is_present(**id);
        let is_large = firsts.len().saturating_mul(seconds.len()) > FEW_PAIRS
            || firsts.len().min(seconds.len()) == 1
                && firsts.len().max(seconds.len()) > SMALL_GROUP;
        // The smaller set searches in the index of the larger one.
        let is_first = firsts.len() <= seconds.len();
        let (few, many) = if is_first { (firsts, second) } else { (seconds, first) };
        if let (true, Several::Group(group)) = (is_large, many) {
            let mut cached = self.neighbours.gaps.0.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(index) = cached.index(self, Some(group), few.len() as u32) {
                for &id in few.iter().filter(present) {
                    index.compare(self, id, is_first, nearest);
                }
                return;
            }
        }
        for &first in firsts.iter().filter(present) {
            for &second in seconds.iter().filter(present) {
                nearest.compare(self, first, second);
            }
        }
    }

    fn list<'a>(&'a self, several: &'a Several) -> &'a [AgentId] {
        match several {
            Several::One(id) => slice::from_ref(id),
            Several::Group(group) => self.scenario().members(*group),
        }
    }

    /// Returns true if an agent's solid body overlaps another solid body by more than the tolerance
    /// of contacts. Returns false for absent agents.
    pub fn is_overlapping(&self, id: AgentId) -> bool {
        let mut found = false;
        let mut compare = |other: AgentId| {
            found = found
                || other != id
                    && self.body(other).solid
                    && gap(self, id, other) < -f64::from(TOUCHING);
        };
        if !self.body(id).solid || !self.is_present(id) {
            return false;
        }
        if self.len() > SMALL_GROUP {
            let mut cached = self.neighbours.gaps.0.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(index) = cached.index(self, None, 1) {
                let reach = radius(self, id) + index.widest();
                index.search.visit_within(self.position(id), reach as f32, compare);
                return found;
            }
        }
        self.ids().for_each(&mut compare);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Body;
    use crate::geom::Vec2;
    use crate::map::{Edges, Map};
    use crate::scenario::builder::{Agent, Builder};

    /// Returns a pseudorandom number in [0, 1) and advances `seed`.
    fn draw(seed: &mut u64) -> f32 {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695);
        (*seed >> 40) as f32 / (1 << 24) as f32
    }

    /// Returns a world with the groups `a` and `b`, which contain all agents of the world. `spread`
    /// is the share of the map's width and height that contains agents.
    fn world(counts: [usize; 2], spread: f32, edges: Edges, seed: &mut u64) -> World {
        let mut builder = Builder::new(Map::drawn(&[&".".repeat(90)[..]; 60], edges).unwrap());
        let groups = [builder.group("a"), builder.group("b")];
        for (group, count) in groups.into_iter().zip(counts) {
            for index in 0..count {
                let at =
                    Vec2::new(0.5 + draw(seed) * 89.0 * spread, 0.5 + draw(seed) * 59.0 * spread);
                let body = Body { radius: 0.05 + draw(seed) * 0.4, ..Body::default() };
                let name = format!("agent_{}_{index}", group.0);
                builder.add(Agent::new(&name, at).body(body).group(group));
            }
        }
        World::new(Arc::new(builder.build().unwrap()))
    }

    fn members(world: &World, set: Several) -> Vec<AgentId> {
        world.list(&set).to_vec()
    }

    /// Finds the pair with the smallest gap by comparing all pairs.
    fn by_force(world: &World, first: Several, second: Several) -> Option<NearestPair> {
        let mut nearest = Nearest::default();
        for a in members(world, first) {
            for b in members(world, second) {
                nearest.compare(world, a, b);
            }
        }
        nearest.pair
    }

    #[test]
    fn the_index_finds_the_same_pair_as_a_comparison_of_all_pairs() {
        let mut seed = 3;
        let (a, b) = (Several::Group(GroupId(0)), Several::Group(GroupId(1)));
        for round in 0..40 {
            let edges = [Edges::Wall, Edges::Wrap][round % 2];
            let counts = [1 + (draw(&mut seed) * 90.0) as usize, 40 + round * 3];
            let spread = [1.0, 0.2, 0.01][round % 3];
            let mut world = world(counts, spread, edges, &mut seed);
            for _ in 0..3 {
                let one = Several::One(AgentId((draw(&mut seed) * counts[0] as f32) as u32));
                for (first, second) in [(a, b), (b, a), (a, a), (b, b), (one, b), (a, one)] {
                    for _ in 0..4 {
                        let expected = by_force(&world, first, second);
                        assert_eq!(world.gap(first, second), expected, "{first:?} {second:?}");
                    }
                }
                // The index must not survive the motion of an agent.
                let moved = AgentId((draw(&mut seed) * world.len() as f32) as u32);
                let at = Vec2::new(5.0 + draw(&mut seed) * 80.0, 5.0 + draw(&mut seed) * 50.0);
                world.put(moved, at);
            }
        }
    }

    /// Checks the number of comparisons against the bounds of `condition/walk.rs`.
    #[test]
    fn a_search_takes_few_comparisons() {
        let group = Several::Group(GroupId(0));
        for count in [1000, 4000] {
            for spread in [1.0, 0.3] {
                let world = world([count, 0], spread, Edges::Wrap, &mut 5);
                let mut pairs = Nearest::default();
                world.compare_all(group, group, &mut pairs);
                let mut each = 0;
                for id in (0..count as u32).map(AgentId) {
                    let mut nearest = Nearest::default();
                    world.compare_all(Several::One(id), group, &mut nearest);
                    each += nearest.compared;
                }
                let [pairs, each] = [pairs.compared, each].map(|sum| sum / count as u64);
                assert!(pairs <= 32 && each <= 128, "{count} in {spread}: {pairs} and {each}");
            }
        }
    }
}
