//! Draws squares of tiles as Braille dots, eight squares per cell.
//!
//! In a mostly open cell, the dots show walls. In a mostly closed cell, missing dots show passages.
//! So both a thin wall in the open and a thin corridor in rock are visible. A cell with a passage
//! is never filled.

use core::cmp::Reverse;

use ratatui::buffer::Buffer;
use ratatui::style::Style;

use crate::debugger::mip_levels::{MipLevels, Square};
use crate::geom::TilePos;
use crate::map::Map;
use crate::tui::camera::View;
use crate::tui::glyph::braille;
use crate::tui::theme::Theme;

/// Number of dots per cell.
const DOTS: usize = 8;

/// Maximum number of dots that show the exact shape of walls or passages. Five dots are enough for
/// a crossing of two lines. Finer structures are shown only by the number of dots.
const MOST_SHAPED: usize = 5;

/// In open ground, a square shows its walls if at least one in 16 of its tiles is closed. Scattered
/// trees stay invisible.
const SCATTERED: u32 = 16;

/// Order in which dots are chosen among equal squares. Consecutive dots are far apart.
const ORDER: [usize; DOTS] = [0, 6, 2, 4, 5, 3, 7, 1];

/// Draws the visible tiles of a map. A dot shows a square of 2ⁿ × 2ⁿ tiles, where n is the
/// exponent. `levels` are the mip levels of the map.
pub fn draw(
    map: &Map,
    (levels, exponent): (&MipLevels, u8),
    view: &View,
    theme: &Theme,
    buffer: &mut Buffer,
) {
    let styles: Vec<Style> =
        map.legend().iter().map(|kind| Style { bg: None, ..theme.tile(kind) }).collect();
    let (across, down) = view.zoom.tiles();
    let (columns, rows) = braille::DOTS;
    for y in 0..view.area.height {
        let row = view.row(y).first / down;
        let cells = super::row_of(view.area, y, buffer);
        for (x, cell) in cells.iter_mut().enumerate() {
            let column = view.column(x as u16).first / across;
            let squares: [Square; DOTS] = core::array::from_fn(|dot| {
                let (dx, dy) = (dot as i32 / rows, dot as i32 % rows);
                levels.square(map, exponent, TilePos::new(column * columns + dx, row * rows + dy))
            });
            let dots = filled(&squares, 1 << exponent);
            let kinds = core::array::from_fn(|dot| dots[dot].then_some(squares[dot].kind));
            if let Some(kind) = most_frequent(kinds) {
                let bits = (0..DOTS).filter(|&dot| dots[dot]);
                let bits = bits.fold(0, |bits, dot| bits | braille::BITS[dot / 4][dot % 4]);
                cell.set_char(braille::symbol(bits)).set_style(styles[usize::from(kind)]);
            }
        }
    }
}

/// Returns whether each dot of a cell is drawn, column by column. `side` is the side length of a
/// square in tiles.
fn filled(squares: &[Square; DOTS], side: u32) -> [bool; DOTS] {
    let tiles: u32 = squares.iter().map(|square| square.tiles).sum();
    let closed: u32 = squares.iter().map(|square| square.closed).sum();
    if closed == 0 || closed == tiles {
        return squares.map(|square| square.closed > 0);
    }
    let is_rock = closed > tiles / 2;
    let figure =
        |square: &Square| if is_rock { square.tiles - square.closed } else { square.closed };
    // A straight line across a square covers the share 1 / side.
    let line = if is_rock { side } else { side.min(SCATTERED) };
    let is_shown = |square: &&Square| square.tiles > 0 && figure(square) * line >= square.tiles;
    let there = squares.iter().filter(|square| square.tiles > 0).count();
    let mut count = squares.iter().filter(is_shown).count();
    if count > MOST_SHAPED {
        let share = if is_rock { tiles - closed } else { closed } as f32 / tiles as f32;
        count = (there as f32 * share).round() as usize;
    }
    if is_rock {
        count = count.max(1);
    }
    let mut order = ORDER;
    let share = |dot: usize| {
        let square = &squares[dot];
        (u64::from(figure(square)) << 32) / u64::from(square.tiles.max(1))
    };
    order.sort_by_key(|&dot| Reverse(share(dot)));
    let mut dots = squares.map(|square| is_rock && square.tiles > 0);
    for &dot in &order[..count] {
        dots[dot] = !is_rock;
    }
    dots
}

/// Returns the most frequent kind. Among equally frequent kinds, the first one wins. Returns `None`
/// if all kinds are `None`.
fn most_frequent(kinds: [Option<u8>; 8]) -> Option<u8> {
    let there = kinds.iter().flatten();
    let first = *there.clone().next()?;
    if there.clone().all(|&kind| kind == first) {
        return Some(first);
    }
    let count = |kind: u8| there.clone().filter(|&&each| each == kind).count();
    let mut best = first;
    for &kind in there.clone() {
        if count(kind) > count(best) {
            best = kind;
        }
    }
    Some(best)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns a square of `tiles` tiles, of which `closed` are closed.
    fn square(tiles: u32, closed: u32) -> Square {
        Square { tiles, closed, kind: 1 }
    }

    /// Draws the dots of a cell as four rows of two characters.
    fn drawn(squares: &[Square; DOTS], side: u32) -> String {
        let dots = filled(squares, side);
        let row = |y: usize| [0, 1].map(|x| if dots[x * 4 + y] { '#' } else { '.' });
        (0..4).flat_map(|y| row(y).into_iter().chain(['\n'])).collect()
    }

    /// Returns the squares of a cell. Each row of `closed` has the numbers of closed tiles of two
    /// adjacent squares.
    fn cell(side: u32, closed: [[u32; 2]; 4]) -> [Square; DOTS] {
        core::array::from_fn(|dot| square(side * side, closed[dot % 4][dot / 4]))
    }

    #[test]
    fn a_thin_wall_in_the_open_and_a_thin_corridor_in_rock_keep_their_shape() {
        for side in [2, 4, 8, 16] {
            let wall = cell(side, [[0, 0], [side, side], [0, side], [0, side]]);
            assert_eq!(drawn(&wall, side), "..\n##\n.#\n.#\n", "{side}");
            let corridor =
                wall.map(|square| Square { closed: square.tiles - square.closed, ..square });
            assert_eq!(drawn(&corridor, side), "##\n..\n#.\n#.\n", "{side}");
        }
    }

    #[test]
    fn scattered_trees_are_left_out_and_a_single_passage_is_not() {
        assert_eq!(drawn(&cell(16, [[3, 5], [1, 0], [2, 2], [15, 0]]), 16), "..\n..\n..\n..\n");
        let passage = cell(16, [[256, 256], [256, 255], [256, 256], [256, 256]]);
        assert_eq!(drawn(&passage, 16), "##\n#.\n##\n##\n");
    }

    #[test]
    fn structures_finer_than_a_dot_are_shown_by_the_number_of_dots() {
        let count = |closed: u32| {
            let dots = filled(&[square(1024, closed); DOTS], 32);
            dots.iter().filter(|&&dot| dot).count()
        };
        let counts = [0, 60, 128, 256, 400, 512, 640, 768, 1000, 1023, 1024].map(count);
        assert_eq!(counts, [0, 0, 1, 2, 3, 4, 5, 6, 7, 7, 8]);
    }

    #[test]
    fn a_cell_at_the_edge_of_the_map_has_no_dots_beyond_the_edge() {
        let mut squares = [Square::default(); DOTS];
        squares[0] = square(8, 8);
        squares[1] = square(8, 7);
        squares[2] = square(2, 2);
        assert_eq!(drawn(&squares, 4), "#.\n..\n#.\n..\n");
    }

    proptest! {
        /// A filled cell has no passage. At the edge of the map, walls may fill a mostly open cell.
        ///
        /// An empty cell has fewer closed tiles than a wall across the cell. A dot without closed
        /// tiles is never drawn.
        #[test]
        fn passages_and_walls_are_visible(
            exponent in 0_u32..8,
            shares in proptest::array::uniform8((0.0_f64..=1.0, 0.0_f64..=1.0)),
            whole in any::<bool>(),
        ) {
            let side = 1_u32 << exponent;
            let squares = shares.map(|(there, closed)| {
                let tiles = if whole { side * side } else { (f64::from(side * side) * there) as u32 };
                square(tiles, (f64::from(tiles) * closed).round() as u32)
            });
            let dots = filled(&squares, side);
            let there = squares.iter().zip(dots).filter(|(square, _)| square.tiles > 0);
            let open: u32 = squares.iter().map(|square| square.tiles - square.closed).sum();
            let closed: u32 = squares.iter().map(|square| square.closed).sum();
            let drawn = there.clone().filter(|(_, dot)| *dot).count();
            prop_assert!(open == 0 || drawn < there.count() || !whole && closed <= open);
            prop_assert!(drawn > 0 || !whole || closed * side.min(SCATTERED) < open + closed);
            for (square, dot) in squares.iter().zip(dots) {
                prop_assert!(!dot || square.closed > 0);
            }
            if side == 1 {
                prop_assert_eq!(dots, squares.map(|square| square.closed > 0));
            }
        }
    }
}
