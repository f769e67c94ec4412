//! Path patterns: a tile patrol along straight segments (Ex. 3-4 … 3-9).
//!
//! The tile that two segments share is stored once; the book stores it twice, and its walker
//! pauses there for a step. A length says how many tiles there are, not a sentinel of −1, which is
//! a legal coordinate once the path is relative.

use crate::geom::line::{self, LineKind};
use crate::geom::{TilePos, TileRect};

use super::{MAX_TILES, PatternError};

/// What a walker does at the end of an open path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ends {
    /// Walks back the way it came.
    #[default]
    Reverse,
    /// Stands for good.
    Stop,
}

/// How the vertices become a walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PathRules {
    /// Does the last vertex join the first?
    pub closed: bool,
    /// What happens at the end of an open path.
    pub ends: Ends,
    /// Which tiles a segment covers.
    pub line: LineKind,
    /// Frames a walker stays longer on each vertex it comes to.
    pub dwell: u32,
}

/// A walk from vertex to vertex.
#[derive(Debug, Clone, PartialEq)]
pub struct PathPattern {
    tiles: Vec<TilePos>,
    /// Index in `tiles` of each vertex, ascending.
    vertices: Vec<u32>,
    /// Every tile with its first index in `tiles`, in reading order.
    ranks: Vec<(TilePos, u32)>,
    bounds: TileRect,
    rules: PathRules,
}

/// How far a walker is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PathState {
    /// Index of the tile it stands on.
    pub index: u32,
    /// Is it on its way back (open paths that reverse)?
    pub back: bool,
}

impl PathPattern {
    /// Draws the segments between `vertices`. Coordinates must lie within ±1,000,000.
    ///
    /// # Errors
    /// When there would be more than a million tiles, or all vertices are the same tile.
    pub fn new(vertices: &[TilePos], rules: PathRules) -> Result<Self, PatternError> {
        let closing = rules.closed.then(|| vertices.first().copied()).flatten();
        let stops: Vec<TilePos> = vertices.iter().copied().chain(closing).collect();
        let steps: u64 =
            stops.windows(2).map(|pair| u64::from(pair[0].king_distance(pair[1]) as u32)).sum();
        if steps >= MAX_TILES as u64 {
            return Err(PatternError::TooManyTiles);
        }
        if steps == 0 {
            return Err(PatternError::NowhereToGo);
        }
        let mut tiles = vec![stops[0]];
        let mut marks = vec![0];
        for pair in stops.windows(2).filter(|pair| pair[0] != pair[1]) {
            tiles.extend(line::tiles(rules.line, pair[0], pair[1]).into_iter().skip(1));
            marks.push(tiles.len() as u32 - 1);
        }
        if rules.closed && tiles.len() > 1 && tiles.last() == tiles.first() {
            tiles.pop();
            marks.pop();
        }
        let mut ranks: Vec<_> = tiles.iter().copied().zip(0..).collect();
        ranks.sort_unstable();
        ranks.dedup_by_key(|&mut (tile, _)| tile);
        let bounds = TileRect::around(&tiles);
        Ok(Self { tiles, vertices: marks, ranks, bounds, rules })
    }

    /// The same path with every tile moved so that the first is (0, 0).
    #[must_use]
    pub fn normalised(mut self) -> Self {
        let anchor = self.tiles[0];
        for tile in &mut self.tiles {
            *tile = *tile - anchor;
        }
        for (tile, _) in &mut self.ranks {
            *tile = *tile - anchor;
        }
        self.bounds = TileRect::around(&self.tiles);
        self
    }

    /// The first place of a tile (relative to the anchor) in walking order, if the path has it.
    pub fn rank(&self, tile: TilePos) -> Option<usize> {
        let found = self.ranks.binary_search_by_key(&tile, |&(tile, _)| tile).ok()?;
        Some(self.ranks[found].1 as usize)
    }

    /// The tiles in walking order, relative to the anchor.
    pub fn tiles(&self) -> &[TilePos] {
        &self.tiles
    }

    /// The tiles of its vertices in order, relative to the anchor; a closed path's first only once.
    pub fn corners(&self) -> impl Iterator<Item = TilePos> + Clone {
        self.vertices.iter().map(|&index| self.tiles[index as usize])
    }

    /// The rules it was made with.
    pub fn rules(&self) -> PathRules {
        self.rules
    }

    /// The tile a walker should stand on, relative to the anchor.
    pub fn tile(&self, state: PathState) -> TilePos {
        self.tiles[(state.index as usize).min(self.tiles.len() - 1)]
    }

    /// The state after the next step, or `None` when the walk is finished.
    pub fn next(&self, state: PathState) -> Option<PathState> {
        let last = self.tiles.len() as u32 - 1;
        let PathState { index, back } = state;
        match (self.rules.closed, back) {
            (true, _) => Some(PathState { index: if index >= last { 0 } else { index + 1 }, back }),
            (false, false) if index < last => Some(PathState { index: index + 1, back }),
            (false, true) if index > 0 => Some(PathState { index: index - 1, back }),
            _ if self.rules.ends == Ends::Stop => None,
            (false, false) => Some(PathState { index: last - 1, back: true }),
            (false, true) => Some(PathState { index: 1, back: false }),
        }
    }

    /// Frames a walker stays longer on the tile it is on.
    pub fn dwell(&self, state: PathState) -> u32 {
        if self.vertices.binary_search(&state.index).is_ok() { self.rules.dwell } else { 0 }
    }

    /// Does the last vertex join the first?
    pub fn is_closed(&self) -> bool {
        self.rules.closed
    }

    /// Has an open path been walked to its end: to its last tile, or back to its first?
    pub(crate) fn is_walked(&self, state: PathState) -> bool {
        let end = if state.back { 0 } else { self.tiles.len() - 1 };
        !self.rules.closed && state.index as usize == end
    }

    /// How many segments there are.
    pub fn segments(&self) -> usize {
        self.vertices.len() - usize::from(!self.rules.closed)
    }

    /// The segment (counted from 0) a walker is on, or at the beginning of, in its direction.
    pub fn segment(&self, state: PathState) -> usize {
        let index = if state.back { state.index.saturating_sub(1) } else { state.index };
        let after = self.vertices.partition_point(|&vertex| vertex <= index);
        after.saturating_sub(1).min(self.segments() - 1)
    }

    /// The rectangle that holds all tiles, relative to the anchor.
    pub fn bounds(&self) -> TileRect {
        self.bounds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(vertices: &[(i32, i32)], rules: PathRules) -> PathPattern {
        let vertices: Vec<_> = vertices.iter().map(|&(x, y)| TilePos::new(x, y)).collect();
        PathPattern::new(&vertices, rules).unwrap()
    }

    fn walk(path: &PathPattern, steps: usize) -> Vec<i32> {
        let mut state = PathState::default();
        let mut xs = vec![path.tile(state).x];
        for _ in 0..steps {
            let Some(next) = path.next(state) else { break };
            state = next;
            xs.push(path.tile(state).x);
        }
        xs
    }

    #[test]
    fn the_books_rectangle_has_34_tiles_and_no_corner_twice() {
        let rules = PathRules { closed: true, ..PathRules::default() };
        let rectangle = path(&[(3, 10), (3, 18), (12, 18), (12, 10)], rules);
        assert_eq!((rectangle.tiles().len(), rectangle.segments()), (34, 4));
        let mut tiles = rectangle.tiles().to_vec();
        tiles.sort();
        tiles.dedup();
        assert_eq!(tiles.len(), 34);
        let last = PathState { index: 33, back: false };
        assert_eq!(rectangle.next(last).unwrap().index, 0);
        assert_eq!(rectangle.segment(last), 3);
    }

    #[test]
    fn open_paths_reverse_or_stop() {
        let there = path(&[(0, 0), (2, 0)], PathRules::default());
        assert_eq!(walk(&there, 6), [0, 1, 2, 1, 0, 1, 2]);
        let stop = path(&[(0, 0), (2, 0)], PathRules { ends: Ends::Stop, ..PathRules::default() });
        assert_eq!(walk(&stop, 6), [0, 1, 2]);
    }

    #[test]
    fn a_closed_path_that_repeats_its_first_vertex_is_the_same_path() {
        let rules = PathRules { closed: true, ..PathRules::default() };
        let plain = path(&[(0, 0), (3, 0), (3, 3)], rules);
        assert_eq!(plain, path(&[(0, 0), (3, 0), (3, 3), (0, 0)], rules));
    }

    #[test]
    fn vertices_dwell_and_segments_are_counted_both_ways() {
        let bent = path(&[(0, 0), (2, 0), (2, 2)], PathRules { dwell: 7, ..PathRules::default() });
        let at = |index, back| PathState { index, back };
        let dwells: Vec<_> = (0..5).map(|index| bent.dwell(at(index, false))).collect();
        assert_eq!(dwells, [7, 0, 7, 0, 7]);
        assert_eq!((bent.segment(at(1, false)), bent.segment(at(2, false))), (0, 1));
        assert_eq!((bent.segment(at(2, true)), bent.segment(at(4, true))), (0, 1));
    }

    #[test]
    fn a_path_without_a_step_or_with_too_many_is_refused() {
        let here = [TilePos::new(1, 1); 3];
        let error = PathPattern::new(&here, PathRules::default()).unwrap_err();
        assert_eq!(error, PatternError::NowhereToGo);
        let far = [TilePos::new(-1_000_000, 0), TilePos::new(1_000_000, 0)];
        let error = PathPattern::new(&far, PathRules::default()).unwrap_err();
        assert_eq!(error, PatternError::TooManyTiles);
    }
}
