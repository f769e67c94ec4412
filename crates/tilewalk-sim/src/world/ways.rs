//! Routes of travelling agents, computed when needed and cached.
//!
//! A route follows from the map and a [`Trip`]. Nothing here is saved, and no result depends on the
//! cache. Each agent has two cached routes, one of them around other agents.

use std::sync::{Arc, OnceLock};

use crate::agent::Drive;
use crate::cancel::Cancel;
use crate::geom::{Notch, TilePos};
use crate::id::AgentId;
use crate::map::Map;
use crate::map::islands::Islands;
use crate::map::search::{Errand, Search, Way};
use crate::scenario::Scenario;

use super::quarry::Trip;

/// Tiles a search looks at before it asks whether a way leads there at all.
const PATIENCE: u32 = 10_000;

/// Tiles a search for a way round somebody looks at, at most.
const DETOUR: u32 = 20_000;

/// What the travellers of a world know.
#[derive(Debug, Default)]
pub struct Ways {
    /// By agent; none in a world without travellers, and without patterns that are gone back to.
    known: Vec<[Option<Known>; 2]>,
    search: Search,
    islands: Arc<OnceLock<Islands>>,
}

/// A way that has been looked for; `None` when there is none.
#[derive(Debug, Clone)]
struct Known {
    errand: Errand,
    way: Option<Arc<Way>>,
}

impl Clone for Ways {
    fn clone(&self) -> Self {
        let mut search = Search::default();
        search.cancel.clone_from(&self.search.cancel);
        Self { known: self.known.clone(), search, islands: Arc::clone(&self.islands) }
    }

    /// Keeps what it knows itself: that holds good for any frame of the same scenario.
    fn clone_from(&mut self, other: &Self) {
        if !Arc::ptr_eq(&self.islands, &other.islands) {
            *self = other.clone();
        }
    }
}

impl Ways {
    /// Nothing known yet.
    pub fn new(scenario: &Scenario) -> Self {
        let modes = || scenario.kinds.iter().flat_map(|kind| &kind.modes);
        let travel = modes().any(|mode| mode.resume || matches!(mode.drive, Drive::Travel { .. }));
        let count = if travel { scenario.starts.len() } else { 0 };
        Self { known: vec![[None, None]; count], ..Self::default() }
    }

    /// Searches check this flag.
    pub(super) fn set_cancel(&mut self, cancel: Cancel) {
        self.search.cancel = cancel;
    }

    /// The way of a trip; `None` when no way leads there, or when the search was cancelled.
    pub(crate) fn of_trip(&mut self, map: &Map, id: AgentId, trip: Trip) -> Option<Arc<Way>> {
        let errand = Errand { from: trip.from, to: trip.to, held: trip.held };
        let known = self.known.get_mut(id.index())?;
        if let Some(found) = known.iter().flatten().find(|known| known.errand == errand) {
            return found.way.clone();
        }
        let islands = &self.islands;
        let way = if trip.held == 0 {
            let leads =
                || islands.get_or_init(|| Islands::of(map)).connect(map, trip.from, trip.to);
            self.search.walk(map, errand, PATIENCE, leads)
        } else {
            self.search.walk(map, errand, DETOUR, || false)
        };
        if self.search.cancel.is_requested() {
            // The search may be incomplete.
            return None;
        }
        let way = way.map(Arc::new);
        known.swap(0, 1);
        known[0] = Some(Known { errand, way: way.clone() });
        way
    }

    /// The way of a trip, if it has been worked out.
    pub fn known(&self, id: AgentId, trip: Trip) -> Option<&Way> {
        let errand = Errand { from: trip.from, to: trip.to, held: trip.held };
        let mut known = self.known.get(id.index())?.iter().flatten();
        known.find(|known| known.errand == errand)?.way.as_deref()
    }

    /// The first step of the cheapest walk to one of `goals`, of those equally far to the one of
    /// the lowest rank; `None` when no way leads to any.
    pub(crate) fn nearest(
        &mut self,
        map: &Map,
        from: TilePos,
        mut goals: impl Iterator<Item = TilePos>,
        rank: impl Fn(TilePos) -> Option<usize>,
    ) -> Option<Notch> {
        let islands = self.islands.get_or_init(|| Islands::of(map));
        let leads = |goal| map.resolve(goal).is_some_and(|goal| islands.connect(map, from, goal));
        if !goals.any(leads) {
            return None;
        }
        self.search.walk_to_nearest(map, from, rank)?.steps.first().copied()
    }
}
