//! Matrix patterns: a random walk over allowed tiles (Ex. 3-10 … 3-12).
//!
//! The printed condition that should keep a walker from turning back rejects a tile only when it
//! is neither in the row *nor* in the column it came from; what is meant, and done here, is that
//! the one tile it came from is no candidate.

use crate::geom::{Notch, TilePos, TileRect};
use crate::rng::Die;

use super::{MAX_TILES, PatternError};

/// What a walker does when no way is left but the one it came by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DeadEnd {
    /// Goes back.
    #[default]
    Back,
    /// Stands for good.
    Stay,
}

/// The tiles a walker may stand on, relative to an anchor.
#[derive(Debug, Clone, PartialEq)]
pub struct MatrixPattern {
    /// In reading order, each once.
    tiles: Vec<TilePos>,
    bounds: TileRect,
    /// May it step diagonally?
    diagonal: bool,
    dead_end: DeadEnd,
}

/// What a walker remembers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MatrixState {
    /// The step that brought it here; `None` at the start, when every neighbour counts.
    pub came_by: Option<Notch>,
}

/// Ways that may be taken, each to another tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candidates {
    ways: [Notch; 8],
    count: u8,
}

impl Candidates {
    const NONE: Self = Self { ways: [Notch::East; 8], count: 0 };

    fn push(&mut self, way: Notch) {
        self.ways[usize::from(self.count)] = way;
        self.count += 1;
    }

    /// The ways, clockwise from east.
    pub fn ways(&self) -> &[Notch] {
        &self.ways[..usize::from(self.count)]
    }
}

/// A choice among ways: what was possible and what the die said.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Choice {
    candidates: Candidates,
    /// Which of the candidates was drawn; `None` without any.
    pub picked: Option<u8>,
    /// Was nothing open but, at best, the way back?
    pub dead_end: bool,
}

impl Choice {
    /// The ways that could be taken, clockwise from east.
    pub fn candidates(&self) -> &[Notch] {
        self.candidates.ways()
    }

    /// The way that was drawn.
    pub fn taken(&self) -> Option<Notch> {
        self.picked.map(|index| self.candidates()[usize::from(index)])
    }
}

impl MatrixPattern {
    /// A walk over `tiles`, in any order, repeats allowed.
    ///
    /// # Errors
    /// When there are more than a million tiles, or fewer than two.
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

    /// The same matrix with every tile moved so that `anchor` is (0, 0).
    #[must_use]
    pub fn normalised(mut self, anchor: TilePos) -> Self {
        for tile in &mut self.tiles {
            *tile = *tile - anchor;
        }
        self.bounds = TileRect::around(&self.tiles);
        self
    }

    /// The rectangle that holds all tiles, relative to the anchor.
    pub fn bounds(&self) -> TileRect {
        self.bounds
    }

    /// The tiles in reading order, relative to the anchor.
    pub fn tiles(&self) -> &[TilePos] {
        &self.tiles
    }

    /// What happens at a dead end.
    pub fn dead_end(&self) -> DeadEnd {
        self.dead_end
    }

    /// Place of a tile (relative to the anchor) in reading order, if it is allowed.
    pub fn rank(&self, tile: TilePos) -> Option<usize> {
        self.tiles.binary_search(&tile).ok()
    }

    /// The ways a walker may step: 8, or 4 along the axes.
    pub fn ways(&self) -> &'static [Notch] {
        if self.diagonal { &Notch::ALL } else { &Notch::STRAIGHT }
    }

    /// The ways that are open, except back to the tile it came from.
    ///
    /// `lead` says which tile of the map a way leads to, and whether it may be entered. On a very
    /// narrow torus several ways lead to one tile, or none away: a tile counts once, its own never.
    pub fn candidates(
        &self,
        state: MatrixState,
        here: TilePos,
        lead: impl Fn(Notch) -> (TilePos, bool),
    ) -> Candidates {
        let came_from = state.came_by.map(|way| lead(way.turned(4)).0);
        let mut candidates = Candidates::NONE;
        for &way in self.ways() {
            let (to, open) = lead(way);
            let counted = candidates.ways().iter().any(|&other| lead(other).0 == to);
            if open && to != here && Some(to) != came_from && !counted {
                candidates.push(way);
            }
        }
        candidates
    }

    /// Draws one of the [`candidates`](Self::candidates), each tile as likely as the others.
    ///
    /// With none it is at a dead end; the way back is taken if the pattern says so.
    pub(crate) fn choose(
        &self,
        state: MatrixState,
        here: TilePos,
        lead: impl Fn(Notch) -> (TilePos, bool),
        mut die: Die,
    ) -> Choice {
        let mut candidates = self.candidates(state, here, lead);
        let count = candidates.ways().len();
        if count > 0 {
            let picked = Some(die.index(count) as u8);
            return Choice { candidates, picked, dead_end: false };
        }
        let back = state.came_by.filter(|_| self.dead_end == DeadEnd::Back);
        if let Some(way) = back {
            candidates.push(way.turned(4));
        }
        Choice { candidates, picked: back.map(|_| 0), dead_end: true }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::line::{self, LineKind};
    use crate::rng::{Dice, Use};

    /// Ex. 3-11 with (9.2.3.6) read as (9,2)→(3,6); the book writes (row, col).
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
            let ways = matrix.ways().iter();
            counts[ways.filter(|&&way| matrix.rank(tile.neighbour(way)).is_some()).count()] += 1;
        }
        counts
    }

    #[test]
    fn the_books_matrix_has_47_tiles() {
        let book = example_3_11(LineKind::Book);
        assert_eq!(book.tiles().len(), 47);
        assert_eq!(degrees(&book), [0, 0, 30, 13, 2, 1, 1, 0, 0]);
        assert_eq!(degrees(&example_3_11(LineKind::Standard)), [0, 0, 27, 13, 3, 3, 1, 0, 0]);
    }

    #[test]
    fn the_way_back_is_taken_only_at_a_dead_end() {
        let corridor = vec![TilePos::new(0, 0), TilePos::new(1, 0)];
        let matrix = MatrixPattern::new(corridor, true, DeadEnd::Back).unwrap();
        let die = Dice { seed: 1, frame: 1, agent: 1, mode: 1, behaviour: 0 }.die(Use::Matrix);
        let here = TilePos::new(1, 0);
        let west_only = |way: Notch| (here.neighbour(way), way == Notch::West);
        let state = MatrixState { came_by: Some(Notch::East) };
        let choice = matrix.choose(state, here, west_only, die.clone());
        assert_eq!((choice.taken(), choice.dead_end), (Some(Notch::West), true));
        let fresh = matrix.choose(MatrixState::default(), here, west_only, die.clone());
        assert_eq!((fresh.taken(), fresh.dead_end), (Some(Notch::West), false));
        let walled_in = |way: Notch| (here.neighbour(way), false);
        let nowhere = matrix.choose(MatrixState::default(), here, walled_in, die);
        assert_eq!((nowhere.taken(), nowhere.dead_end), (None, true));
    }
    /// Two tiles round, east and west lead to the same tile: it is one way, not two.
    #[test]
    fn a_tile_that_two_ways_lead_to_is_one_candidate() {
        let ring = vec![TilePos::new(0, 0), TilePos::new(1, 0)];
        let matrix = MatrixPattern::new(ring, false, DeadEnd::Back).unwrap();
        let here = TilePos::new(0, 0);
        let lead = |way: Notch| {
            let to = here.neighbour(way);
            (TilePos::new(to.x.rem_euclid(2), to.y), to.y == 0)
        };
        let candidates = matrix.candidates(MatrixState::default(), here, lead);
        assert_eq!(candidates.ways(), [Notch::East]);
    }
}
