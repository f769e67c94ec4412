//! Checks exact starts, and selects random starts.
//!
//! Random starts are different tiles on which the body fits. The random numbers of an agent depend
//! on its name. An additional agent therefore changes another start only if both need the same
//! tile.
//!
//! Conflicts between the starts of solid agents are reported.

use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};

use crate::read::agent::{At, StartDraft, StartHeading};
use crate::text::diagnostic::{Diagnostic, Issues};
use tilewalk_sim::geom::{TilePos, TileRect, Vec2, heading};
use tilewalk_sim::map::{Map, StepError, TILE_RADIUS};
use tilewalk_sim::report::words;
use tilewalk_sim::rng::{RngKey, Use, name_hash};
use tilewalk_sim::scenario::Start;

/// Number of random tiles to try before searching for a free tile.
const DRAWS: usize = 64;

/// Occupied tiles. Also contains the free tiles for the last kind of body that needed a search.
struct OccupiedTiles {
    taken: TileSet,
    solid: Solid,
    free: Option<Free>,
}

/// The tiles on which a body can start.
struct Free {
    on_tiles: bool,
    radius: f32,
    /// Tiles on which the body can't start.
    blocked: TileSet,
    /// Number of free tiles per row. The search skips rows without free tiles.
    by_row: Vec<u32>,
}

impl OccupiedTiles {
    fn take(&mut self, draft: StartDraft, tile: TilePos) {
        self.solid.take(draft, tile);
        self.taken.insert(tile);
        if let Some(free) = &mut self.free
            && free.blocked.insert(tile)
        {
            free.by_row[tile.y as usize] -= 1;
        }
    }

    fn is_free(&self, draft: StartDraft, map: &Map, tile: TilePos) -> bool {
        !self.taken.contains(tile)
            && has_room(draft, map, tile)
            && self.solid.has_room(draft, tile, map)
    }

    /// Returns the first free tile of a rectangle; `None` if no tile is free. The search runs row
    /// by row from `from`, and continues at the top of the rectangle.
    fn next_free(
        &mut self,
        draft: StartDraft,
        map: &Map,
        rect: TileRect,
        from: TilePos,
    ) -> Option<TilePos> {
        if self.solid.has_wide && draft.kind.body.solid {
            let rows = rect.min.y..=rect.max.y;
            let row = |y| (rect.min.x..=rect.max.x).map(move |x| TilePos::new(x, y));
            return rows.flat_map(row).find(|&tile| self.is_free(draft, map, tile));
        }
        let (on_tiles, radius) = (on_tiles(draft), draft.kind.body.radius);
        let known =
            self.free.take().filter(|free| (free.on_tiles, free.radius) == (on_tiles, radius));
        let free = known.unwrap_or_else(|| {
            let blocked = |tile| self.taken.contains(tile) || !has_room(draft, map, tile);
            let blocked = TileSet::of(map, blocked);
            let by_row = (0..map.height() as i32).map(|y| blocked.absent_in_row(y)).collect();
            Free { on_tiles, radius, blocked, by_row }
        });
        let row = |y: i32, x0: i32| {
            let any = free.by_row[y as usize] > 0;
            any.then(|| free.blocked.first_absent(y, x0..=rect.max.x)).flatten()
        };
        let first = row(from.y, from.x);
        let below = || (from.y + 1..=rect.max.y).find_map(|y| row(y, rect.min.x));
        let above = || (rect.min.y..=from.y).find_map(|y| row(y, rect.min.x));
        let found = first.or_else(below).or_else(above);
        self.free = Some(free);
        found
    }
}

/// Returns the starts of all agents in the order of their ids. If errors are reported, the list can
/// be incomplete.
pub fn place(drafts: &[StartDraft], map: &Map, seed: u64, issues: &Issues) -> Vec<Start> {
    let solid = Solid::new(drafts);
    let mut ground = OccupiedTiles { taken: TileSet::new(map), solid, free: None };
    // Exact starts are checked first, because random starts must avoid their tiles.
    for &draft in drafts.iter().filter(|draft| !draft.kind.template) {
        let Some(At::Here(point)) = draft.start.at else { continue };
        if let Some(tile) = check_exact(draft, point, draft.start.span.clone(), map, issues) {
            ground.taken.insert(tile);
            if draft.kind.body.solid {
                ground.solid.claim(draft, tile, map, issues);
            }
        }
    }
    let mut starts = Vec::new();
    for (index, &draft) in drafts.iter().enumerate() {
        let count = draft.kind.count;
        if draft.kind.template {
            starts.extend(places(draft, index as u32));
            continue;
        }
        let mut random =
            draft.start.at.and_then(|at| area(at, draft.start.span.clone(), map, issues));
        if issues.is_full() {
            random = None;
        }
        for number in 1..=count {
            let number = if draft.start.numbered { number } else { 0 };
            let drawn = random.and_then(|rect| draw(draft, number, rect, map, &mut ground, seed));
            if let (Some(rect), None) = (random, drawn) {
                no_room(draft, number.saturating_sub(1), rect, issues);
                random = None;
            }
            let position = match (drawn, draft.start.at) {
                (Some(tile), _) => tile.centre(),
                (None, Some(At::Here(point))) if on_tiles(draft) => {
                    TilePos::containing(point).centre()
                }
                (None, Some(At::Here(point))) => point,
                (None, _) => continue,
            };
            let heading = match draft.start.heading {
                StartHeading::Fixed(heading) => heading,
                StartHeading::Random(from, turn) => {
                    let drawn = rng_key(draft, number, seed).stream(Use::StartHeading).unit();
                    heading::from_degrees(from + turn * drawn)
                }
            };
            let kind = index as u32;
            starts.push(Start { kind, number, position, heading, absent: false });
        }
    }
    starts
}

/// Returns a start for each possible instance of a template. All instances are absent.
fn places(draft: StartDraft, kind: u32) -> impl Iterator<Item = Start> {
    // The rule by which an instance appears sets its position and heading.
    let (position, heading) = (Vec2::ZERO, Vec2::X);
    (1..=draft.kind.count).map(move |number| Start {
        kind,
        number,
        position,
        heading,
        absent: true,
    })
}

fn on_tiles(draft: StartDraft) -> bool {
    draft.kind.modes.first().is_some_and(|mode| mode.drive.is_on_tiles())
}

/// Returns true if the body fits on the tile.
fn has_room(draft: StartDraft, map: &Map, tile: TilePos) -> bool {
    if on_tiles(draft) {
        map.refusal(tile).is_none()
    } else {
        map.fits(tile.centre(), draft.kind.body.radius)
    }
}

/// Checks an exact start at `span`, and reports a start where the body does not fit. Returns the
/// tile of the start; `None` outside the map.
pub fn check_exact(
    draft: StartDraft,
    point: Vec2,
    span: Range<usize>,
    map: &Map,
    issues: &Issues,
) -> Option<TilePos> {
    let tile = TilePos::containing(point);
    let name = &draft.kind.name;
    if !map.tiles().contains(tile) {
        let (width, height) = (map.width(), map.height());
        let message = format!("`{name}` starts outside the map of {width} × {height} tiles");
        let help = "write `[x, y]`; the upper left tile is `[0, 0]`";
        issues.push(Diagnostic::error(span, message).help(help));
        return None;
    }
    let kind = map.kind(tile).map_or("?", |kind| kind.name.as_str());
    match map.refusal(tile) {
        Some(StepError::Wall(_)) => {
            let message = format!("`{name}` starts on {tile}, which is not walkable ({kind})");
            issues.error(span, message);
        }
        Some(StepError::FreeWall(_, wall)) if on_tiles(draft) => {
            let wall = words::wall(map, wall);
            let message = format!("`{name}` starts on {tile}, whose centre is on {wall}");
            issues.error(span, message);
        }
        Some(_) if on_tiles(draft) => {
            let message = format!("`{name}` starts on an obstacle at {tile}");
            issues.error(span, message);
        }
        _ if !on_tiles(draft) && !map.fits(point, draft.kind.body.radius) => {
            let radius = draft.kind.body.radius;
            let message = format!(
                "`{name}` starts too close to a wall or an obstacle: its radius is {radius}"
            );
            issues
                .push(Diagnostic::error(span, message).help("move the agent or reduce its radius"));
        }
        _ => {}
    }
    Some(tile)
}

/// Returns the rectangle of a random start; `None` for an exact start or an invalid rectangle.
pub fn area(at: At, span: Range<usize>, map: &Map, issues: &Issues) -> Option<TileRect> {
    let last = TilePos::new(map.width() as i32 - 1, map.height() as i32 - 1);
    let whole = TileRect::new(TilePos::new(0, 0), last);
    match at {
        At::Here(_) => None,
        At::Anywhere => Some(whole),
        At::Within(rect) if whole.contains(rect.min) && whole.contains(rect.max) => Some(rect),
        At::Within(rect) => {
            let message = format!(
                "the rectangle {} to {} extends beyond the map, which ends at {last}",
                rect.min, rect.max
            );
            issues.error(span, message);
            None
        }
    }
}

/// Returns the key of an agent's random numbers at frame 0.
fn rng_key(draft: StartDraft, number: u32, seed: u64) -> RngKey {
    let name = match number {
        0 => draft.kind.name.clone(),
        number => format!("{}.{number}", draft.kind.name),
    };
    RngKey { seed, frame: 0, agent: name_hash(&name), mode: 0, behaviour: 0 }
}

/// Selects a random free tile and occupies the tile; `None` if no tile is free.
fn draw(
    draft: StartDraft,
    number: u32,
    rect: TileRect,
    map: &Map,
    ground: &mut OccupiedTiles,
    seed: u64,
) -> Option<TilePos> {
    let mut random = rng_key(draft, number, seed).stream(Use::Placement);
    let width = rect.width() as usize;
    let area = width * rect.height() as usize;
    let tile = |index: usize| {
        TilePos::new(rect.min.x + (index % width) as i32, rect.min.y + (index / width) as i32)
    };
    let mut index = 0;
    for _ in 0..DRAWS {
        index = random.index(area);
        let drawn = tile(index);
        if ground.is_free(draft, map, drawn) {
            ground.take(draft, drawn);
            return Some(drawn);
        }
    }
    let found = ground.next_free(draft, map, rect, tile(index))?;
    ground.take(draft, found);
    Some(found)
}

fn no_room(draft: StartDraft, found: u32, rect: TileRect, issues: &Issues) {
    let (name, count) = (&draft.kind.name, draft.kind.count);
    let message = if count == 1 {
        format!("no free tile for `{name}` between {} and {}", rect.min, rect.max)
    } else {
        format!(
            "only {found} of {count} agents of `{name}` fit between {} and {}",
            rect.min, rect.max
        )
    };
    let help = "a tile is free if the body fits and no other agent starts on the tile";
    issues.push(Diagnostic::error(draft.start.span.clone(), message).help(help));
}

/// The starts of solid agents, by tile.
#[derive(Debug, Default)]
pub struct Solid {
    by_tile: BTreeMap<TilePos, Vec<OccupiedStart>>,
    /// Largest radius of all bodies, in tiles.
    widest: f32,
    /// Whether some solid body is wider than a tile, so that bodies on different tiles can overlap.
    pub has_wide: bool,
}

#[derive(Debug, Clone, Copy)]
struct OccupiedStart {
    at: Vec2,
    radius: f32,
    on_tiles: bool,
}

#[derive(Debug, Clone, Copy)]
enum StartConflict {
    Tile,
    Overlap,
}

impl Solid {
    pub fn new(drafts: &[StartDraft]) -> Self {
        let solid = drafts.iter().map(|draft| draft.kind.body).filter(|body| body.solid);
        let has_wide = solid.into_iter().any(|body| body.radius > TILE_RADIUS);
        Self { has_wide, ..Self::default() }
    }

    /// Records the start of a solid agent, and reports a conflict: two walkers on the same tile, or
    /// overlapping bodies.
    pub fn claim(&mut self, draft: StartDraft, tile: TilePos, map: &Map, issues: &Issues) {
        let Some(At::Here(point)) = draft.start.at else { return };
        let body = OccupiedStart::new(draft, if on_tiles(draft) { tile.centre() } else { point });
        let name = &draft.kind.name;
        let message = match self.conflict(&body, map) {
            Some(StartConflict::Tile) => Some(format!(
                "`{name}` and another agent start on {tile}; solid agents can't share a tile"
            )),
            Some(StartConflict::Overlap) => {
                Some(format!("`{name}` overlaps another solid agent at its start on {tile}"))
            }
            None if draft.kind.count > 1 => Some(format!(
                "all agents of `{name}` start on {tile}; solid agents can't share a tile"
            )),
            None => None,
        };
        if let Some(message) = message {
            issues.error(draft.start.span.clone(), message);
        }
        self.add(body);
    }

    /// Returns true if the agent overlaps no other solid agent at the centre of a tile. Agents that
    /// are not solid overlap nothing.
    pub fn has_room(&self, draft: StartDraft, tile: TilePos, map: &Map) -> bool {
        let is_alone = || self.conflict(&OccupiedStart::new(draft, tile.centre()), map).is_none();
        !self.has_wide || !draft.kind.body.solid || is_alone()
    }

    /// Records an agent at the centre of a tile if the agent is solid.
    pub fn take(&mut self, draft: StartDraft, tile: TilePos) {
        if self.has_wide && draft.kind.body.solid {
            self.add(OccupiedStart::new(draft, tile.centre()));
        }
    }

    fn add(&mut self, body: OccupiedStart) {
        self.widest = self.widest.max(body.radius);
        self.by_tile.entry(TilePos::containing(body.at)).or_default().push(body);
    }

    fn conflict(&self, body: &OccupiedStart, map: &Map) -> Option<StartConflict> {
        let tile = TilePos::containing(body.at);
        let reach = (body.radius + self.widest).ceil().max(1.0) as i32;
        let around = (-reach..=reach).flat_map(|y| (-reach..=reach).map(move |x| (x, y)));
        let around = around.map(|(x, y)| tile + TilePos::new(x, y));
        let near = around.filter_map(|near| self.by_tile.get(&map.resolve(near)?)).flatten();
        near.fold(None, |taken, other| taken.or(body.conflict(other, map)))
    }
}

impl OccupiedStart {
    fn new(draft: StartDraft, at: Vec2) -> Self {
        Self { at, radius: draft.kind.body.radius, on_tiles: on_tiles(draft) }
    }

    fn conflict(&self, other: &Self, map: &Map) -> Option<StartConflict> {
        let same_tile = TilePos::containing(self.at) == TilePos::containing(other.at);
        let distance = map.offset(self.at, other.at).length();
        if same_tile && self.on_tiles && other.on_tiles {
            Some(StartConflict::Tile)
        } else if distance < self.radius + other.radius {
            Some(StartConflict::Overlap)
        } else {
            None
        }
    }
}

#[derive(Debug, Clone)]
pub struct TileSet {
    width: usize,
    words: Vec<u64>,
}

impl TileSet {
    /// Creates an empty set of tiles of a map.
    pub fn new(map: &Map) -> Self {
        let width = map.width() as usize;
        Self { width, words: vec![0; (width * map.height() as usize).div_ceil(64)] }
    }

    /// Creates the set of all tiles for which `holds` returns true.
    pub fn of(map: &Map, holds: impl Fn(TilePos) -> bool) -> Self {
        let mut set = Self::new(map);
        for y in 0..map.height() as i32 {
            for x in 0..map.width() as i32 {
                if holds(TilePos::new(x, y)) {
                    set.insert(TilePos::new(x, y));
                }
            }
        }
        set
    }

    fn index(&self, tile: TilePos) -> usize {
        tile.y as usize * self.width + tile.x as usize
    }

    /// Adds a tile of the map. Returns false if the set already contains the tile.
    pub fn insert(&mut self, tile: TilePos) -> bool {
        let index = self.index(tile);
        let (word, bit) = (&mut self.words[index / 64], 1 << (index % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    pub fn contains(&self, tile: TilePos) -> bool {
        let index = self.index(tile);
        self.words[index / 64] & (1 << (index % 64)) != 0
    }

    /// Returns the first tile in row `y` and columns `xs` that is not in the set; `None` if the set
    /// contains all of them. Tests 64 tiles at a time.
    pub fn first_absent(&self, y: i32, xs: RangeInclusive<i32>) -> Option<TilePos> {
        let mut index = self.index(TilePos::new(*xs.start(), y));
        let end = self.index(TilePos::new(*xs.end(), y)) + 1;
        while index < end {
            // Bits before the index count as set.
            let absent = !self.words[index / 64] & (u64::MAX << (index % 64));
            if absent != 0 {
                let found = index / 64 * 64 + absent.trailing_zeros() as usize;
                let x = (found % self.width) as i32;
                return (found < end).then(|| TilePos::new(x, y));
            }
            index = (index / 64 + 1) * 64;
        }
        None
    }

    /// Counts the tiles of a row that are not in the set.
    pub fn absent_in_row(&self, y: i32) -> u32 {
        let xs = 0..self.width as i32;
        xs.filter(|&x| !self.contains(TilePos::new(x, y))).count() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilewalk_sim::map::Edges;

    #[test]
    fn first_absent_returns_the_first_tile_that_is_not_in_the_set() {
        let row = "#".repeat(150) + "..#.";
        let map = Map::drawn(&[&row, &row], Edges::Wall).unwrap();
        let mut set = TileSet::of(&map, |tile| map.is_solid(tile));
        let first = |set: &TileSet, xs| set.first_absent(1, xs).map(|tile| (tile.x, tile.y));
        assert_eq!(first(&set, 0..=153), Some((150, 1)));
        assert_eq!(first(&set, 0..=149), None);
        assert_eq!(first(&set, 152..=153), Some((153, 1)));
        assert!(set.insert(TilePos::new(150, 1)) && !set.insert(TilePos::new(150, 1)));
        assert!(set.contains(TilePos::new(150, 1)) && !set.contains(TilePos::new(150, 0)));
        assert_eq!(first(&set, 3..=153), Some((151, 1)));
        assert_eq!(first(&set, 153..=153), Some((153, 1)));
        assert_eq!((set.absent_in_row(0), set.absent_in_row(1)), (3, 2));
    }
}
