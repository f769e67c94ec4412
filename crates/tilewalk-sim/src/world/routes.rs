//! Routes on the map: flow fields for steered bodies, and cached routes for travelling agents. Both
//! are computed when needed, never saved, and affect no result.
//!
//! A flow field contains the directions to one goal tile. Small bodies share flow fields. Bodies
//! that need clearance share the flow fields of their radius. Each such radius has its own route
//! map, which is created when it is first needed. The route map depends only on the scenario, and
//! all copies of a world share it.
//!
//! A field is created when it is first needed, and computed only as far as the requested tiles. On
//! large maps, the map's connected components (islands) show which tiles have no route at all.
//! Fields depend only on the map and the goal, so all copies of a world share them. The least
//! recently used fields are dropped first. Dropping a field costs time but changes no result. A
//! field also stores how far bodies on its tiles can follow the route in a straight line.
//!
//! The route of a travelling agent depends only on the map and a [`RouteProgress`]. Each agent has
//! two cached routes, so that a detour around other agents does not replace the original route.

use core::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use crate::agent::{AgentKind, Drive};
use crate::cancel::Cancel;
use crate::geom::{Direction, TilePos};
use crate::id::AgentId;
use crate::map::components::Components;
use crate::map::route::{NextStep, RouteField, WayAhead};
use crate::map::search::{FoundPath, PathQuery, PathSearch};
use crate::map::{Map, StepError};
use crate::scenario::Scenario;
use crate::steering::Behaviour;
use crate::time::Frame;
use crate::world::drive_state::RouteProgress;

/// The flow fields of a scenario, for bodies of all sizes.
#[derive(Debug)]
pub struct Routes {
    small: Flows,
    /// The maps and flow fields with clearance, one entry per radius.
    cleared: Box<[ClearedRoutes]>,
}

/// The map and the flow fields for bodies with one radius.
#[derive(Debug)]
struct ClearedRoutes {
    /// Radius of the bodies in tiles.
    radius: f32,
    map: OnceLock<Map>,
    flows: Flows,
}

impl Routes {
    pub fn new(scenario: &Scenario) -> Self {
        let map = &scenario.map;
        let mut radii: Vec<f32> = Vec::new();
        for kind in scenario.kinds.iter().filter(|kind| uses_flow(kind)) {
            let radius = kind.body.radius;
            if map.needs_clearance(radius) && !radii.contains(&radius) {
                radii.push(radius);
            }
        }
        let cleared =
            |radius| ClearedRoutes { radius, map: OnceLock::new(), flows: Flows::new(map) };
        Self { small: Flows::new(map), cleared: radii.into_iter().map(cleared).collect() }
    }

    /// Returns the route map of bodies with a radius in tiles. Returns `None` if these bodies use
    /// the map of the scenario.
    pub fn map<'a>(&'a self, base: &Map, radius: f32) -> Option<&'a Map> {
        let routes = self.of(radius)?;
        Some(routes.map.get_or_init(|| base.cleared(radius)))
    }

    /// Returns the next step of a body from `tile` towards `goal`. `radius` is the radius of the
    /// body in tiles. Returns `None` if there is no route. After a cancellation, ignore the result.
    pub fn next_step(
        &self,
        base: &Map,
        radius: f32,
        frame: Frame,
        [tile, goal]: [TilePos; 2],
        cancel: &Cancel,
    ) -> Option<NextStep> {
        let (on, flows) = self.flows(base, radius);
        flows.next_step(on, frame, goal, tile, cancel)
    }

    /// Calls `visit` with the tiles after `tile` on the route of a body towards `goal`, until it
    /// returns false or the route ends. The next step from `tile` must be known.
    pub fn follow(
        &self,
        base: &Map,
        radius: f32,
        frame: Frame,
        [tile, goal]: [TilePos; 2],
        visit: impl FnMut(TilePos) -> bool,
    ) {
        let (on, flows) = self.flows(base, radius);
        flows.follow(on, frame, goal, tile, visit);
    }

    /// Returns the tile that bodies can move to in a straight line from `tile`, on the route
    /// towards `goal`. Calls `compute` if it is not known. `radius` is the radius of the bodies.
    pub fn way_ahead(
        &self,
        base: &Map,
        radius: f32,
        frame: Frame,
        [tile, goal]: [TilePos; 2],
        compute: impl FnOnce() -> WayAhead,
    ) -> WayAhead {
        let (on, flows) = self.flows(base, radius);
        flows.way_ahead(on, frame, goal, tile, compute)
    }

    /// Returns the route map and the flow fields of bodies with a radius in tiles.
    fn flows<'a>(&'a self, base: &'a Map, radius: f32) -> (RouteMap<'a>, &'a Flows) {
        match (self.of(radius), self.map(base, radius)) {
            (Some(routes), Some(map)) => {
                (RouteMap { base, map, radius: Some(radius) }, &routes.flows)
            }
            _ => (RouteMap { base, map: base, radius: None }, &self.small),
        }
    }

    fn of(&self, radius: f32) -> Option<&ClearedRoutes> {
        self.cleared.iter().find(|routes| routes.radius == radius)
    }
}

fn uses_flow(kind: &AgentKind) -> bool {
    let mut rows = kind.modes.iter().flat_map(|mode| mode.drive.steering());
    rows.any(|row| matches!(row.behaviour, Behaviour::Flow(_)))
}

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

/// Maximum number of tiles that the searches of all fields store together (4 bytes each, or 6 if a
/// field has several goals, and 4 more bytes near bodies).
const MAX_TILES: usize = 1 << 25;

/// Maximum number of tiles to search before checking whether a route exists. A larger search could
/// take longer than a frame.
const FIRST_FIELD_SEARCH: usize = 1 << 16;

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
    field: Arc<GoalField>,
    /// Number of the frame that last used the field.
    last_used: AtomicU64,
}

/// The routes to a goal.
#[derive(Debug)]
struct GoalField {
    routes: RwLock<RouteField>,
    /// The result of [`Flows::way_ahead`] for each tile, packed by [`pack`]; 0 if not known.
    /// Empty until the first result.
    ways: RwLock<Vec<u32>>,
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
        let known = field.routes.read().unwrap_or_else(PoisonError::into_inner);
        if known.is_known(tile) {
            return known.next_step(tile);
        }
        drop(known);
        let joined =
            |islands: &Components| route_map.goals(goal).any(|goal| islands.joins(tile, goal));
        if self.islands.get().is_some_and(|islands| !joined(islands)) {
            return None;
        }
        let mut field = field.routes.write().unwrap_or_else(PoisonError::into_inner);
        field.look_for(map, tile, FIRST_FIELD_SEARCH, cancel);
        if !field.is_known(tile) && !cancel.is_requested() {
            if !Components::once(&self.islands, map, cancel).is_some_and(joined) {
                return None;
            }
            field.look_for(map, tile, usize::MAX, cancel);
        }
        if field.is_known(tile) { field.next_step(tile) } else { None }
    }

    /// Calls `visit` with the tiles after `tile` on the route towards `goal`, until it returns false
    /// or the route ends. The next step from `tile` must be known. The steps from all later tiles
    /// are then known too, since they are nearer to the goal.
    pub fn follow(
        &self,
        on: RouteMap,
        frame: Frame,
        goal: TilePos,
        mut tile: TilePos,
        mut visit: impl FnMut(TilePos) -> bool,
    ) {
        let field = self.field(on, frame, goal);
        let field = field.routes.read().unwrap_or_else(PoisonError::into_inner);
        while let Some(NextStep::Step(direction)) = field.next_step(tile) {
            match on.map.resolve(tile.neighbour(direction)) {
                Some(next) if visit(next) => tile = next,
                Some(_) | None => return,
            }
        }
    }

    /// Returns the tile that bodies can move to in a straight line from `tile`, on the route
    /// towards `goal`. Calls `compute` if it is not known.
    pub fn way_ahead(
        &self,
        on: RouteMap,
        frame: Frame,
        goal: TilePos,
        tile: TilePos,
        compute: impl FnOnce() -> WayAhead,
    ) -> WayAhead {
        let Some(index) = on.map.tiles().index(tile) else { return compute() };
        let field = self.field(on, frame, goal);
        let known = field.ways.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(way) = known.get(index).and_then(|&packed| unpack(packed, on.map, tile)) {
            return way;
        }
        drop(known);
        let way = compute();
        let Some(packed) = pack(way, on.map, tile) else { return way };
        let mut known = field.ways.write().unwrap_or_else(PoisonError::into_inner);
        if known.is_empty() {
            // Mapped page by page on first write, like the tables of a search.
            *known = vec![0; on.map.tiles().cells().len()];
        }
        known[index] = packed;
        way
    }

    fn field(&self, on: RouteMap, frame: Frame, goal: TilePos) -> Arc<GoalField> {
        let cache = self.cache.read().unwrap_or_else(PoisonError::into_inner);
        if let Ok(index) = cache.binary_search_by_key(&goal, |each| each.goal) {
            cache[index].last_used.store(frame.0, Ordering::Relaxed);
            return Arc::clone(&cache[index].field);
        }
        drop(cache);
        let mut cache = self.cache.write().unwrap_or_else(PoisonError::into_inner);
        self.make_room(&mut cache);
        let routes = RwLock::new(RouteField::begun(on.map, on.goals(goal)));
        let field = Arc::new(GoalField { routes, ways: RwLock::default() });
        let entry =
            CachedField { goal, field: Arc::clone(&field), last_used: AtomicU64::new(frame.0) };
        let place = cache.partition_point(|each| each.goal < goal);
        cache.insert(place, entry);
        field
    }

    /// Drops the least recently used fields until there is room for one more field.
    fn make_room(&self, cache: &mut Vec<CachedField>) {
        let weight = |each: &CachedField| {
            each.field.routes.read().unwrap_or_else(PoisonError::into_inner).weight()
        };
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

/// Added to packed offsets, so that they are positive.
const PACKED_ZERO: i32 = 64;

/// Added to the packed number of steps if a way is final.
const PACKED_FINAL: u8 = 1 << 7;

/// Packs a way into a number that is not 0. The tile is stored relative to `from`, the tile where
/// the way begins, and the cost as a tile kind with this cost. Returns `None` if there is no such
/// kind.
fn pack(way: WayAhead, map: &Map, from: TilePos) -> Option<u32> {
    let offset = map.tile_offset(from, way.tile);
    let [x, y] = [offset.x, offset.y].map(|offset| (offset + PACKED_ZERO) as u8);
    let steps = way.steps as u8 | if way.is_final { PACKED_FINAL } else { 0 };
    let kind = map.legend().iter().position(|kind| kind.cost == way.cheapest)?;
    Some(u32::from_le_bytes([x, y, steps, kind as u8]))
}

/// Returns the way of a packed number. Returns `None` for 0.
fn unpack(packed: u32, map: &Map, from: TilePos) -> Option<WayAhead> {
    let [x, y, steps, kind] = packed.to_le_bytes();
    let [x, y] = [x, y].map(|offset| i32::from(offset) - PACKED_ZERO);
    let tile = map.resolve(from + TilePos::new(x, y)).filter(|_| packed != 0)?;
    let cheapest = map.legend().get(usize::from(kind))?.cost;
    let is_final = steps & PACKED_FINAL != 0;
    Some(WayAhead { tile, steps: u32::from(steps & !PACKED_FINAL), cheapest, is_final })
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
