//! Flow fields: one field of directions for each goal tile. Bodies that need clearance have fields
//! of their own (see `routes`).
//!
//! A field is created when it is first needed, and computed only as far as the requested tiles. On
//! large maps, the map's connected components (islands) show which tiles have no route at all.
//!
//! Fields depend only on the map and the goal, so they are never saved, and all copies of a world
//! share them. The least recently used fields are dropped first. Dropping a field costs time but
//! changes no result.

use core::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use crate::cancel::Cancel;
use crate::geom::{Direction, TilePos};
use crate::map::components::Components;
use crate::map::route::{NextStep, RouteField};
use crate::map::{Map, StepError};
use crate::time::Frame;

/// The maps for computing routes to a goal.
#[derive(Debug, Clone, Copy)]
pub struct RouteMap<'a> {
    /// The map of the scenario.
    pub base: &'a Map,
    /// The map used for routes: `base`, or a map with clearance for a large body.
    pub map: &'a Map,
    /// Radius of the body in tiles. `None` if `map` is `base`.
    pub radius: Option<f32>,
}

/// Maximum number of tiles that all fields store together (13 bytes each).
const MAX_TILES: usize = 1 << 25;

/// Maximum number of tiles to search before checking whether a route exists. A larger search could
/// take longer than a frame.
const FIRST_SEARCH: usize = 1 << 16;

#[derive(Debug)]
pub struct Flows {
    /// The cached fields, sorted by goal.
    cache: RwLock<Vec<CachedField>>,
    /// The connected components of the map. Computed after a long search without a result.
    islands: OnceLock<Components>,
    /// Maximum number of cached fields; smaller on larger maps.
    max_fields: usize,
}

#[derive(Debug)]
struct CachedField {
    goal: TilePos,
    field: Arc<RwLock<RouteField>>,
    /// Number of the frame that last used the field.
    last_used: AtomicU64,
}

impl Flows {
    pub fn new(map: &Map) -> Self {
        let max_fields = ((1 << 27) / map.tiles().cells().len().max(1)).clamp(8, 256);
        Self { cache: RwLock::new(Vec::new()), islands: OnceLock::new(), max_fields }
    }

    /// Returns the next step from `tile` towards `goal`. Returns `None` if there is no route.
    ///
    /// If an obstacle or a wall blocks the goal, or the body does not fit there, the route leads to
    /// a tile near the goal. After a cancellation, ignore the result.
    pub fn next_step(
        &self,
        route_map: RouteMap,
        frame: Frame,
        goal: TilePos,
        tile: TilePos,
        cancel: &Cancel,
    ) -> Option<NextStep> {
        let map = route_map.map;
        let field = self.field(route_map, frame, goal);
        let known = field.read().unwrap_or_else(PoisonError::into_inner);
        if known.is_known(tile) {
            return known.next_step(tile);
        }
        drop(known);
        let joined =
            |islands: &Components| route_map.goals(goal).any(|goal| islands.joins(tile, goal));
        if self.islands.get().is_some_and(|islands| !joined(islands)) {
            return None;
        }
        let mut field = field.write().unwrap_or_else(PoisonError::into_inner);
        field.look_for(map, tile, FIRST_SEARCH, cancel);
        if !field.is_known(tile) && !cancel.is_requested() {
            if !Components::once(&self.islands, map, cancel).is_some_and(joined) {
                return None;
            }
            field.look_for(map, tile, usize::MAX, cancel);
        }
        if field.is_known(tile) { field.next_step(tile) } else { None }
    }

    fn field(&self, on: RouteMap, frame: Frame, goal: TilePos) -> Arc<RwLock<RouteField>> {
        let cache = self.cache.read().unwrap_or_else(PoisonError::into_inner);
        if let Ok(index) = cache.binary_search_by_key(&goal, |each| each.goal) {
            cache[index].last_used.store(frame.0, Ordering::Relaxed);
            return Arc::clone(&cache[index].field);
        }
        drop(cache);
        let mut cache = self.cache.write().unwrap_or_else(PoisonError::into_inner);
        self.make_room(&mut cache);
        let field = Arc::new(RwLock::new(RouteField::begun(on.map, on.goals(goal))));
        let entry =
            CachedField { goal, field: Arc::clone(&field), last_used: AtomicU64::new(frame.0) };
        let place = cache.partition_point(|each| each.goal < goal);
        cache.insert(place, entry);
        field
    }

    /// Drops the least recently used fields until there is room for one more field.
    fn make_room(&self, cache: &mut Vec<CachedField>) {
        let weight =
            |each: &CachedField| each.field.read().unwrap_or_else(PoisonError::into_inner).weight();
        while cache.len() >= self.max_fields || cache.iter().map(weight).sum::<usize>() > MAX_TILES
        {
            let last_used = |each: &CachedField| each.last_used.load(Ordering::Relaxed);
            let oldest = (0..cache.len()).min_by_key(|&index| last_used(&cache[index]));
            match oldest {
                Some(index) => drop(cache.remove(index)),
                None => return,
            }
        }
    }
}

impl<'a> RouteMap<'a> {
    /// Iterates over the tiles at which a route to a goal can end. The goal is first. If an
    /// obstacle or a wall blocks the goal, the goal's neighbours follow. For a large body, the
    /// tiles of [`Map::goals_beside`] follow instead.
    fn goals(self, goal: TilePos) -> impl Iterator<Item = TilePos> + use<'a> {
        let Self { base, map, radius } = self;
        let blocked =
            matches!(map.refusal(goal), Some(StepError::Obstacle(_) | StepError::FreeWall(..)));
        let around = Direction::ALL.into_iter().filter(move |_| blocked && radius.is_none());
        let around = around.filter_map(move |notch| map.resolve(goal.neighbour(notch)));
        let beside = radius.map(|radius| base.goals_beside(map, goal, radius));
        core::iter::once(goal).chain(around).chain(beside.into_iter().flatten())
    }
}
