//! Matrix patterns: random walks over allowed tiles (Ex. 3-10 … 3-12).
//!
//! In the book, the condition against turning back lacks a parenthesis. As printed, it allows only
//! tiles in the column of the previous tile and in another row. Here, only the previous tile is
//! excluded, as the text intends.

use crate::geom::{Direction, TilePos, TileRect};
use crate::rng::RngStream;

use super::{MAX_TILES, PatternError};

/// The action of a walker at a dead end, where no direction is open except back to the previous
/// tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DeadEnd {
    /// The walker returns to the previous tile.
    #[default]
    Back,
    /// The walker stops permanently.
    Stay,
}

/// Allowed tiles for a random walk, relative to an anchor.
#[derive(Debug, Clone, PartialEq)]
pub struct MatrixPattern {
    /// The allowed tiles in reading order, without duplicates.
    tiles: Vec<TilePos>,
    bounds: TileRect,
    diagonal: bool,
    dead_end: DeadEnd,
}

/// The state of a walker on a matrix pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MatrixState {
    /// Direction of the previous step. Used to avoid turning back. `None` before the first step.
    pub came_by: Option<Direction>,
}

/// The directions that a walker can choose from. Each leads to a different tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candidates {
    directions: [Direction; 8],
    count: u8,
}

impl Candidates {
    const NONE: Self = Self { directions: [Direction::East; 8], count: 0 };

    fn push(&mut self, direction: Direction) {
        self.directions[usize::from(self.count)] = direction;
        self.count += 1;
    }

    /// Returns the directions of the candidates, clockwise from east.
    pub fn directions(&self) -> &[Direction] {
        &self.directions[..usize::from(self.count)]
    }
}

/// A walker's random choice of a direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Choice {
    candidates: Candidates,
    /// Index of the chosen direction in [`Choice::candidates`]. `None` if the walker stays.
    pub picked: Option<u8>,
    /// Whether no direction was open, except back to the previous tile.
    pub dead_end: bool,
}

impl Choice {
    /// Returns the directions to choose from, clockwise from east. Empty if the walker has to stay.
    pub fn candidates(&self) -> &[Direction] {
        self.candidates.directions()
    }

    /// Returns the chosen direction; `None` if the walker stays on its tile.
    pub fn taken(&self) -> Option<Direction> {
        self.picked.map(|index| self.candidates()[usize::from(index)])
    }
}

impl MatrixPattern {
    /// Creates a pattern from tiles in any order. Duplicates are removed.
    ///
    /// # Errors
    /// Returns an error if there are more than [`MAX_TILES`] different tiles, or fewer than two.
    pub fn new(
        mut tiles: Vec<TilePos>,
        diagonal: bool,
        dead_end: DeadEnd,
    ) -> Result<Self, PatternError> {
        tiles.sort_unstable();
        tiles.dedup();
        match tiles.len() {
            0 | 1 => Err(PatternError::NowhereToGo),
            2..=MAX_TILES => {
                Ok(Self { bounds: TileRect::around(&tiles), tiles, diagonal, dead_end })
            }
            _ => Err(PatternError::TooManyTiles),
        }
    }

    /// Returns the pattern with all tiles shifted so that `anchor` becomes (0, 0).
    #[must_use]
    pub fn normalised(mut self, anchor: TilePos) -> Self {
        for tile in &mut self.tiles {
            *tile = *tile - anchor;
        }
        self.bounds = TileRect::around(&self.tiles);
        self
    }

    /// Returns the bounding rectangle of the allowed tiles, relative to the anchor.
    pub fn bounds(&self) -> TileRect {
        self.bounds
    }

    /// Returns the allowed tiles in reading order, relative to the anchor.
    pub fn tiles(&self) -> &[TilePos] {
        &self.tiles
    }

    /// Returns the action of a walker at a dead end.
    pub fn dead_end(&self) -> DeadEnd {
        self.dead_end
    }

    /// Returns the index of a tile in reading order. `tile` is relative to the anchor. Returns
    /// `None` if the tile is not allowed.
    pub fn rank(&self, tile: TilePos) -> Option<usize> {
        self.tiles.binary_search(&tile).ok()
    }

    /// Returns the directions that walkers can use: all eight, or the four along the axes.
    pub fn directions(&self) -> &'static [Direction] {
        if self.diagonal { &Direction::ALL } else { &Direction::STRAIGHT }
    }

    /// Returns the open directions, except the direction back to the previous tile.
    ///
    /// `target` returns the map tile in a direction, and whether the tile can be entered. On a very
    /// narrow torus, several directions can lead to the same tile. Only the first of them is
    /// returned. Directions that lead back to `here` are not returned.
    pub fn candidates(
        &self,
        state: MatrixState,
        here: TilePos,
        target: impl Fn(Direction) -> (TilePos, bool),
    ) -> Candidates {
        let came_from = state.came_by.map(|direction| target(direction.turned(4)).0);
        let mut candidates = Candidates::NONE;
        for &direction in self.directions() {
            let (to, open) = target(direction);
            let counted = candidates.directions().iter().any(|&other| target(other).0 == to);
            if open && to != here && Some(to) != came_from && !counted {
                candidates.push(direction);
            }
        }
        candidates
    }

    /// Chooses one of the [`candidates`](Self::candidates) with equal probability. At a dead end,
    /// the walker turns back or stays, as the pattern specifies.
    pub(crate) fn choose(
        &self,
        state: MatrixState,
        here: TilePos,
        target: impl Fn(Direction) -> (TilePos, bool),
        mut random: RngStream,
    ) -> Choice {
        let mut candidates = self.candidates(state, here, target);
        let count = candidates.directions().len();
        if count > 0 {
            let picked = Some(random.index(count) as u8);
            return Choice { candidates, picked, dead_end: false };
        }
        let back = state.came_by.filter(|_| self.dead_end == DeadEnd::Back);
        if let Some(direction) = back {
            candidates.push(direction.turned(4));
        }
        Choice { candidates, picked: back.map(|_| 0), dead_end: true }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::line::{self, LineKind};
    use crate::rng::{RngKey, Use};

    /// Returns the pattern of Ex. 3-11. The misprint (9.2.3.6) is corrected to (9,2)→(3,6); the
    /// book writes (row, col).
    fn example_3_11(line: LineKind) -> MatrixPattern {
        let segments = [
            (3, 2, 16, 2),
            (16, 2, 16, 11),
            (16, 11, 9, 11),
            (9, 11, 9, 2),
            (9, 2, 3, 6),
            (3, 6, 3, 2),
        ];
        let tiles = segments
            .iter()
            .flat_map(|&(r0, c0, r1, c1)| {
                line::tiles(line, TilePos::new(c0, r0), TilePos::new(c1, r1))
            })
            .collect();
        MatrixPattern::new(tiles, true, DeadEnd::Back).unwrap()
    }

    fn degrees(matrix: &MatrixPattern) -> [usize; 9] {
        let mut counts = [0; 9];
        for &tile in matrix.tiles() {
            let directions = matrix.directions().iter();
            counts[directions
                .filter(|&&direction| matrix.rank(tile.neighbour(direction)).is_some())
                .count()] += 1;
        }
        counts
    }

    #[test]
    fn the_matrix_of_the_book_has_47_tiles() {
        let book = example_3_11(LineKind::Book);
        assert_eq!(book.tiles().len(), 47);
        assert_eq!(degrees(&book), [0, 0, 30, 13, 2, 1, 1, 0, 0]);
        assert_eq!(degrees(&example_3_11(LineKind::Standard)), [0, 0, 27, 13, 3, 3, 1, 0, 0]);
    }

    #[test]
    fn walker_turns_back_only_at_a_dead_end() {
        let corridor = vec![TilePos::new(0, 0), TilePos::new(1, 0)];
        let matrix = MatrixPattern::new(corridor, true, DeadEnd::Back).unwrap();
        let random =
            RngKey { seed: 1, frame: 1, agent: 1, mode: 1, behaviour: 0 }.stream(Use::Matrix);
        let here = TilePos::new(1, 0);
        let west_only =
            |direction: Direction| (here.neighbour(direction), direction == Direction::West);
        let state = MatrixState { came_by: Some(Direction::East) };
        let choice = matrix.choose(state, here, west_only, random.clone());
        assert_eq!((choice.taken(), choice.dead_end), (Some(Direction::West), true));
        let fresh = matrix.choose(MatrixState::default(), here, west_only, random.clone());
        assert_eq!((fresh.taken(), fresh.dead_end), (Some(Direction::West), false));
        let walled_in = |direction: Direction| (here.neighbour(direction), false);
        let nowhere = matrix.choose(MatrixState::default(), here, walled_in, random);
        assert_eq!((nowhere.taken(), nowhere.dead_end), (None, true));
    }

    /// Checks that two directions to the same tile count as one candidate. On a torus two tiles
    /// wide, east and west lead to the same tile.
    #[test]
    fn a_tile_that_two_directions_reach_is_one_candidate() {
        let ring = vec![TilePos::new(0, 0), TilePos::new(1, 0)];
        let matrix = MatrixPattern::new(ring, false, DeadEnd::Back).unwrap();
        let here = TilePos::new(0, 0);
        let target = |direction: Direction| {
            let to = here.neighbour(direction);
            (TilePos::new(to.x.rem_euclid(2), to.y), to.y == 0)
        };
        let candidates = matrix.candidates(MatrixState::default(), here, target);
        assert_eq!(candidates.directions(), [Direction::East]);
    }
}
