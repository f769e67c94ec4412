//! Flow fields: one field of directions for each tile that some agent flows to.
//!
//! A field is created when it is first needed and grows only as far as the tiles it is asked about.
//! On large maps, regions show which tiles have no route at all. The answers depend only on the map
//! and the goal, so fields are never saved, and all copies of a world share them. The fields that
//! were not used for the longest time are dropped first. Dropping one costs time but changes no
//! result.

use core::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use crate::cancel::Cancel;
use crate::geom::{Notch, TilePos};
use crate::map::region::Regions;
use crate::map::route::{Lead, RouteField};
use crate::map::{Map, Refusal};
use crate::time::Frame;

/// Tiles that all fields together may hold in memory (13 bytes each).
const MOST_TILES: usize = 1 << 25;

/// Tiles that are looked at before it is asked whether there is a way at all: to look at more takes
/// longer than a frame may.
const LARGE: usize = 1 << 16;

/// The fields that are kept.
#[derive(Debug)]
pub struct Flows {
    /// Sorted by goal.
    kept: RwLock<Vec<Kept>>,
    /// What is joined to what, once a long search has found nothing.
    regions: OnceLock<Regions>,
    /// How many may be kept: fewer on larger maps.
    most: usize,
}

#[derive(Debug)]
struct Kept {
    goal: TilePos,
    field: Arc<RwLock<RouteField>>,
    /// The frame in which it was last asked for.
    asked: AtomicU64,
}

impl Flows {
    /// None yet.
    pub fn new(map: &Map) -> Self {
        let most = ((1 << 27) / map.tiles().cells().len().max(1)).clamp(8, 256);
        Self { kept: RwLock::new(Vec::new()), regions: OnceLock::new(), most }
    }

    /// What to do on a tile of the map to walk to another; `None` when no way leads there.
    ///
    /// Where an obstacle keeps everybody off the goal itself, the tiles around it are the goals.
    /// Meaningless when cancelled.
    pub fn lead(
        &self,
        map: &Map,
        frame: Frame,
        goal: TilePos,
        tile: TilePos,
        cancel: &Cancel,
    ) -> Option<Lead> {
        let field = self.field(map, frame, goal);
        let known = field.read().unwrap_or_else(PoisonError::into_inner);
        if known.is_known(tile) {
            return known.lead(tile);
        }
        drop(known);
        let joined = |regions: &Regions| goals(map, goal).any(|goal| regions.joins(tile, goal));
        if self.regions.get().is_some_and(|regions| !joined(regions)) {
            return None;
        }
        let mut field = field.write().unwrap_or_else(PoisonError::into_inner);
        field.look_for(map, tile, LARGE, cancel);
        if !field.is_known(tile) && !cancel.is_requested() {
            if !joined(self.regions.get_or_init(|| Regions::of(map))) {
                return None;
            }
            field.look_for(map, tile, usize::MAX, cancel);
        }
        if field.is_known(tile) { field.lead(tile) } else { None }
    }

    fn field(&self, map: &Map, frame: Frame, goal: TilePos) -> Arc<RwLock<RouteField>> {
        let kept = self.kept.read().unwrap_or_else(PoisonError::into_inner);
        if let Ok(index) = kept.binary_search_by_key(&goal, |each| each.goal) {
            kept[index].asked.store(frame.0, Ordering::Relaxed);
            return Arc::clone(&kept[index].field);
        }
        drop(kept);
        let mut kept = self.kept.write().unwrap_or_else(PoisonError::into_inner);
        self.make_room(&mut kept);
        let field = Arc::new(RwLock::new(RouteField::begun(map, goals(map, goal))));
        let begun = Kept { goal, field: Arc::clone(&field), asked: AtomicU64::new(frame.0) };
        let place = kept.partition_point(|each| each.goal < goal);
        kept.insert(place, begun);
        field
    }

    /// Forgets the fields that nobody has asked for longest, until there is room for one more.
    fn make_room(&self, kept: &mut Vec<Kept>) {
        let weight =
            |each: &Kept| each.field.read().unwrap_or_else(PoisonError::into_inner).weight();
        while kept.len() >= self.most || kept.iter().map(weight).sum::<usize>() > MOST_TILES {
            let asked = |each: &Kept| each.asked.load(Ordering::Relaxed);
            let oldest = (0..kept.len()).min_by_key(|&index| asked(&kept[index]));
            match oldest {
                Some(index) => drop(kept.remove(index)),
                None => return,
            }
        }
    }
}

/// A goal, or what is around it where an obstacle keeps everybody off it.
fn goals(map: &Map, goal: TilePos) -> impl Iterator<Item = TilePos> {
    let blocked = matches!(map.refusal(goal), Some(Refusal::Obstacle(_)));
    let around = Notch::ALL.into_iter().filter(move |_| blocked);
    let around = around.filter_map(move |notch| map.resolve(goal.neighbour(notch)));
    core::iter::once(goal).chain(around)
}
