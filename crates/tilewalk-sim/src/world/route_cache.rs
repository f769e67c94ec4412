//! Routes of travelling agents, computed when needed and cached.
//!
//! A route depends only on the map and a [`RouteProgress`]. The cache is never saved and affects no
//! result. Each agent has two cached routes, so that a detour around other agents does not replace
//! the original route.

use std::sync::{Arc, OnceLock};

use crate::agent::Drive;
use crate::cancel::Cancel;
use crate::geom::{Direction, TilePos};
use crate::id::AgentId;
use crate::map::Map;
use crate::map::components::Components;
use crate::map::search::{FoundPath, PathQuery, PathSearch};
use crate::scenario::Scenario;

use super::route_progress::RouteProgress;

/// Maximum number of tiles to search before checking whether a route exists.
const FIRST_SEARCH: u32 = 10_000;

/// Maximum number of tiles to search for a detour around other agents.
const MAX_DETOUR: u32 = 20_000;

/// A cache of routes for agents that travel on tiles.
#[derive(Debug, Default)]
pub struct RouteCache {
    /// The last two routes of each agent, newest first. Empty if no agent needs routes.
    known: Vec<[Option<CachedRoute>; 2]>,
    search: PathSearch,
    islands: Arc<OnceLock<Components>>,
}

#[derive(Debug, Clone)]
struct CachedRoute {
    query: PathQuery,
    path: Option<Arc<FoundPath>>,
}

impl Clone for RouteCache {
    fn clone(&self) -> Self {
        let mut search = PathSearch::default();
        search.cancel.clone_from(&self.search.cancel);
        Self { known: self.known.clone(), search, islands: Arc::clone(&self.islands) }
    }

    /// Keeps the existing cache if it belongs to the same scenario, because routes are valid for
    /// all frames of that scenario.
    fn clone_from(&mut self, other: &Self) {
        if !Arc::ptr_eq(&self.islands, &other.islands) {
            *self = other.clone();
        }
    }
}

impl RouteCache {
    pub fn new(scenario: &Scenario) -> Self {
        let modes = || scenario.kinds.iter().flat_map(|kind| &kind.modes);
        let travel = modes().any(|mode| mode.resume || matches!(mode.drive, Drive::Travel { .. }));
        let count = if travel { scenario.starts.len() } else { 0 };
        Self { known: vec![[None, None]; count], ..Self::default() }
    }

    /// Sets the flag that cancels route searches, including a search in progress.
    pub(super) fn set_cancel(&mut self, cancel: Cancel) {
        self.search.cancel = cancel;
    }

    /// Copies the latest routes from a cache of the same scenario.
    pub(super) fn learn(&mut self, other: &Self) {
        let last = |known: &[Option<CachedRoute>; 2]| known[0].as_ref().map(|last| last.query);
        for (own, other) in self.known.iter_mut().zip(&other.known) {
            if last(other).is_some() && last(own) != last(other) {
                own.clone_from(other);
            }
        }
    }

    /// Returns the route of an agent. Searches for the route if it is not in the cache. Returns
    /// `None` if there is no route or the search was cancelled.
    pub(crate) fn route(
        &mut self,
        map: &Map,
        id: AgentId,
        progress: RouteProgress,
    ) -> Option<Arc<FoundPath>> {
        let query = PathQuery { from: progress.from, to: progress.to, held: progress.held };
        let known = self.known.get_mut(id.index())?;
        if let Some(found) = known.iter().flatten().find(|known| known.query == query) {
            return found.path.clone();
        }
        let islands = &self.islands;
        let path = if progress.held == 0 {
            let cancel = self.search.cancel.clone();
            let leads = || {
                Components::once(islands, map, &cancel)
                    .is_some_and(|islands| islands.connect(map, progress.from, progress.to))
            };
            self.search.walk(map, query, FIRST_SEARCH, leads)
        } else {
            self.search.walk(map, query, MAX_DETOUR, || false)
        };
        if self.search.cancel.is_requested() {
            // The search may be incomplete, so its result is not cached.
            return None;
        }
        let path = path.map(Arc::new);
        known.swap(0, 1);
        known[0] = Some(CachedRoute { query, path: path.clone() });
        path
    }

    /// Returns the route of an agent; `None` if the route is not in the cache or does not exist.
    pub fn known(&self, id: AgentId, progress: RouteProgress) -> Option<&FoundPath> {
        let query = PathQuery { from: progress.from, to: progress.to, held: progress.held };
        let mut known = self.known.get(id.index())?.iter().flatten();
        known.find(|known| known.query == query)?.path.as_deref()
    }

    /// Returns the first step of the cheapest route to one of `goals`. Returns `None` if no route
    /// exists or `from` is a goal.
    ///
    /// `rank` returns the rank of a goal, and `None` for other tiles. If several goals are equally
    /// near, the route leads to the goal with the lowest rank.
    pub(crate) fn nearest(
        &mut self,
        map: &Map,
        from: TilePos,
        mut goals: impl Iterator<Item = TilePos>,
        rank: impl Fn(TilePos) -> Option<usize>,
    ) -> Option<Direction> {
        let islands = Components::once(&self.islands, map, &self.search.cancel)?;
        let leads = |goal| map.resolve(goal).is_some_and(|goal| islands.connect(map, from, goal));
        if !goals.any(leads) {
            return None;
        }
        self.search.walk_to_nearest(map, from, rank)?.steps.first().copied()
    }
}
