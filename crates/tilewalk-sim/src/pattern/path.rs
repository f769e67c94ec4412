//! Path patterns: patrols along straight segments of tiles (Ex. 3-4 … 3-9).
//!
//! A tile shared by two segments is stored once. The book stores it twice, so its walker pauses
//! there for a step. The book also marks the end by −1, which is a valid coordinate in a relative
//! path.

use crate::geom::line::{self, LineKind};
use crate::geom::{TilePos, TileRect};

use super::{MAX_TILES, PatternError};

/// The action of a walker at the end of an open path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ends {
    /// The walker walks back along the path.
    #[default]
    Reverse,
    /// The walker stops permanently.
    Stop,
}

/// Options for converting the vertices of a path into tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PathRules {
    /// Whether a last segment leads from the last vertex to the first.
    pub closed: bool,
    /// The action of a walker at either end of an open path.
    pub ends: Ends,
    /// The algorithm that selects the tiles of a segment.
    pub line: LineKind,
    /// Additional frames that a walker spends on each vertex.
    pub dwell: u32,
}

/// A path of straight segments between vertices.
#[derive(Debug, Clone, PartialEq)]
pub struct PathPattern {
    tiles: Vec<TilePos>,
    /// Indices of the vertices in `tiles`, ascending.
    vertices: Vec<u32>,
    /// The different tiles of the path in reading order, each with its first index in `tiles`.
    ranks: Vec<(TilePos, u32)>,
    bounds: TileRect,
    rules: PathRules,
}

/// The state of a walker on a path pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PathState {
    /// Index of the walker's current tile in the path.
    pub index: u32,
    /// Whether the walker is returning along an open path.
    pub back: bool,
}

impl PathPattern {
    /// Creates a path with straight segments between `vertices`. Coordinates must be within
    /// ±1,000,000.
    ///
    /// # Errors
    /// Returns an error if the path would have more than [`MAX_TILES`] tiles, or if all vertices
    /// are the same tile.
    pub fn new(vertices: &[TilePos], rules: PathRules) -> Result<Self, PatternError> {
        let closing = rules.closed.then(|| vertices.first().copied()).flatten();
        let corners: Vec<TilePos> = vertices.iter().copied().chain(closing).collect();
        let steps: u64 =
            corners.windows(2).map(|pair| u64::from(pair[0].king_distance(pair[1]) as u32)).sum();
        if steps >= MAX_TILES as u64 {
            return Err(PatternError::TooManyTiles);
        }
        if steps == 0 {
            return Err(PatternError::NowhereToGo);
        }
        let mut tiles = vec![corners[0]];
        let mut ends = vec![0];
        for pair in corners.windows(2).filter(|pair| pair[0] != pair[1]) {
            tiles.extend(line::tiles(rules.line, pair[0], pair[1]).into_iter().skip(1));
            ends.push(tiles.len() as u32 - 1);
        }
        if rules.closed && tiles.len() > 1 && tiles.last() == tiles.first() {
            tiles.pop();
            ends.pop();
        }
        let mut ranks: Vec<_> = tiles.iter().copied().zip(0..).collect();
        ranks.sort_unstable();
        ranks.dedup_by_key(|&mut (tile, _)| tile);
        let bounds = TileRect::around(&tiles);
        Ok(Self { tiles, vertices: ends, ranks, bounds, rules })
    }

    /// Returns the path with all tiles shifted so that the first tile becomes (0, 0).
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

    /// Returns the first index of a tile in walking order. `tile` is relative to the anchor.
    /// Returns `None` if the path does not contain the tile.
    pub fn rank(&self, tile: TilePos) -> Option<usize> {
        let found = self.ranks.binary_search_by_key(&tile, |&(tile, _)| tile).ok()?;
        Some(self.ranks[found].1 as usize)
    }

    /// Returns the tiles in walking order, relative to the anchor.
    pub fn tiles(&self) -> &[TilePos] {
        &self.tiles
    }

    /// Iterates over the tiles of the vertices in order, relative to the anchor. A closed path
    /// returns its first vertex only once.
    pub fn corners(&self) -> impl Iterator<Item = TilePos> + Clone {
        self.vertices.iter().map(|&index| self.tiles[index as usize])
    }

    /// Returns the options used to create the path.
    pub fn rules(&self) -> PathRules {
        self.rules
    }

    /// Returns the current tile of a walker, relative to the anchor. If the index is too large,
    /// returns the last tile.
    pub fn tile(&self, state: PathState) -> TilePos {
        self.tiles[(state.index as usize).min(self.tiles.len() - 1)]
    }

    /// Returns the state after the next step. Returns `None` if the walker stops at the end of an
    /// open path (see [`Ends::Stop`]).
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

    /// Returns the additional frames that a walker spends on its current tile. Returns 0 if the
    /// tile is not a vertex.
    pub fn dwell(&self, state: PathState) -> u32 {
        if self.vertices.binary_search(&state.index).is_ok() { self.rules.dwell } else { 0 }
    }

    /// Returns true if the path leads from its last vertex back to its first.
    pub fn is_closed(&self) -> bool {
        self.rules.closed
    }

    /// Returns true if a walker has walked an open path to its end. The end is the last tile, or
    /// the first tile on the way back.
    pub(crate) fn is_walked(&self, state: PathState) -> bool {
        let end = if state.back { 0 } else { self.tiles.len() - 1 };
        !self.rules.closed && state.index as usize == end
    }

    /// Returns the number of segments between vertices. The closing segment of a closed path
    /// counts.
    pub fn segments(&self) -> usize {
        self.vertices.len() - usize::from(!self.rules.closed)
    }

    /// Returns the index of the walker's current segment. At a vertex, returns the index of the
    /// next segment.
    pub fn segment(&self, state: PathState) -> usize {
        let index = if state.back { state.index.saturating_sub(1) } else { state.index };
        let after = self.vertices.partition_point(|&vertex| vertex <= index);
        after.saturating_sub(1).min(self.segments() - 1)
    }

    /// Returns the bounding rectangle of the tiles, relative to the anchor.
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
    fn the_rectangle_of_the_book_has_34_distinct_tiles() {
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
    fn repeated_first_vertex_of_a_closed_path_is_ignored() {
        let rules = PathRules { closed: true, ..PathRules::default() };
        let plain = path(&[(0, 0), (3, 0), (3, 3)], rules);
        assert_eq!(plain, path(&[(0, 0), (3, 0), (3, 3), (0, 0)], rules));
    }

    #[test]
    fn dwell_and_segment_depend_on_the_state() {
        let bent = path(&[(0, 0), (2, 0), (2, 2)], PathRules { dwell: 7, ..PathRules::default() });
        let at = |index, back| PathState { index, back };
        let dwells: Vec<_> = (0..5).map(|index| bent.dwell(at(index, false))).collect();
        assert_eq!(dwells, [7, 0, 7, 0, 7]);
        assert_eq!((bent.segment(at(1, false)), bent.segment(at(2, false))), (0, 1));
        assert_eq!((bent.segment(at(2, true)), bent.segment(at(4, true))), (0, 1));
    }

    #[test]
    fn empty_and_oversized_paths_are_errors() {
        let here = [TilePos::new(1, 1); 3];
        let error = PathPattern::new(&here, PathRules::default()).unwrap_err();
        assert_eq!(error, PatternError::NowhereToGo);
        let far = [TilePos::new(-1_000_000, 0), TilePos::new(1_000_000, 0)];
        let error = PathPattern::new(&far, PathRules::default()).unwrap_err();
        assert_eq!(error, PatternError::TooManyTiles);
    }
}
