//! Straight lines of tiles: the one door to the `bresenham` crate.
//!
//! The crate leaves the end point out, yields nothing when start and end are one, and floors where
//! the classic midpoint line rounds, so that it strays up to 0.95 tile. Here every line holds both
//! ends and never strays more than half a tile, except [`LineKind::Book`], which is kept because it
//! is the line of a book.

use bresenham::Bresenham;

use super::tile_pos::TilePos;

/// Which tiles a straight line covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LineKind {
    /// The midpoint line: at most 0.5 tile off; halves are rounded away from the start.
    #[default]
    Standard,
    /// The line as printed in Bourg & Seemann, ch. 3, Ex. 3-5: its deltas are doubled twice, so
    /// it steps sideways too early on steep lines and too late on shallow ones, by up to 0.95 tile.
    Book,
    /// The midpoint line between the ends ordered by (y, x): the same tiles both ways.
    Symmetric,
}

impl LineKind {
    /// Every kind with its word in files.
    pub const WORDS: [(&'static str, Self); 3] =
        [("standard", Self::Standard), ("book", Self::Book), ("symmetric", Self::Symmetric)];
}

/// The tiles of the line from `a` to `b`, both included, in walking order.
///
/// Coordinates must lie within ±1,000,000 (the limit of files), so that doubling them is safe.
pub fn tiles(kind: LineKind, a: TilePos, b: TilePos) -> Vec<TilePos> {
    match kind {
        LineKind::Book => book(a, b),
        LineKind::Standard => midpoint(a, b).collect(),
        LineKind::Symmetric => {
            (0..=a.king_distance(b).unsigned_abs()).map(|step| symmetric_tile(a, b, step)).collect()
        }
    }
}

/// The tile so many steps along the symmetric line from `a` to `b`, without drawing the rest of it;
/// beyond the end, `b`.
///
/// Any coordinates that fit an `i32` twice are safe.
pub(crate) fn symmetric_tile(a: TilePos, b: TilePos, step: u32) -> TilePos {
    let length = a.king_distance(b);
    let step = i32::try_from(step).unwrap_or(length).min(length);
    if b < a { midpoint_tile(b, a, length - step) } else { midpoint_tile(a, b, step) }
}

/// The tile so many steps along the midpoint line, rounded exactly: halves away from the start.
fn midpoint_tile(a: TilePos, b: TilePos, step: i32) -> TilePos {
    let (delta, length) = (b - a, i64::from(a.king_distance(b).max(1)));
    let along = |delta: i32| {
        let twice = 2 * i64::from(delta.abs()) * i64::from(step);
        delta.signum() * ((twice + length) / (2 * length)) as i32
    };
    a + TilePos::new(along(delta.x), along(delta.y))
}

/// The midpoint line, from the crate's line between the doubled ends: of that, every second point,
/// halved, is the rounded line (the crate floors the doubled line where the midpoint would lie).
fn midpoint(a: TilePos, b: TilePos) -> impl Iterator<Item = TilePos> {
    let delta = b - a;
    let doubled = (isize_of(2 * delta.x), isize_of(2 * delta.y));
    Bresenham::new((0, 0), doubled)
        .step_by(2)
        .map(move |(x, y)| a + TilePos::new(halved(x), halved(y)))
        .chain(core::iter::once(b))
}

fn isize_of(value: i32) -> isize {
    value as isize
}

/// Half of `value`, halves away from zero.
fn halved(value: isize) -> i32 {
    (value / 2 + value % 2) as i32
}

/// Ex. 3-5 of the book, word for word in what it computes.
fn book(a: TilePos, b: TilePos) -> Vec<TilePos> {
    let (step_x, step_y) = (sign(b.x - a.x), sign(b.y - a.y));
    let (delta_x, delta_y) = ((b.x - a.x).abs() * 2, (b.y - a.y).abs() * 2);
    let mut tile = a;
    let mut line = vec![tile];
    if delta_x > delta_y {
        let mut fraction = delta_y * 2 - delta_x;
        while tile.x != b.x {
            if fraction >= 0 {
                tile.y += step_y;
                fraction -= delta_x;
            }
            tile.x += step_x;
            fraction += delta_y;
            line.push(tile);
        }
    } else {
        let mut fraction = delta_x * 2 - delta_y;
        while tile.y != b.y {
            if fraction >= 0 {
                tile.x += step_x;
                fraction -= delta_y;
            }
            tile.y += step_y;
            fraction += delta_x;
            line.push(tile);
        }
    }
    line
}

/// −1 for negative numbers and +1 for all others, as in the book.
fn sign(value: i32) -> i32 {
    if value < 0 { -1 } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The classic midpoint line by exact rational rounding, halves away from zero.
    fn oracle(a: TilePos, b: TilePos) -> Vec<TilePos> {
        let (dx, dy) = (b.x - a.x, b.y - a.y);
        let n = dx.abs().max(dy.abs());
        let along = |d: i32, i: i32| {
            let twice = 2 * d.abs() * i;
            d.signum() * ((twice + n) / (2 * n.max(1)))
        };
        (0..=n).map(|i| TilePos::new(a.x + along(dx, i), a.y + along(dy, i))).collect()
    }

    fn vectors() -> impl Iterator<Item = TilePos> {
        (-25..=25).flat_map(|y| (-25..=25).map(move |x| TilePos::new(x, y)))
    }

    #[test]
    fn the_standard_line_is_the_rounded_one() {
        let a = TilePos::new(3, -7);
        for d in vectors() {
            assert_eq!(tiles(LineKind::Standard, a, a + d), oracle(a, a + d), "to {d}");
        }
    }

    #[test]
    fn the_symmetric_line_is_the_same_from_both_ends() {
        let a = TilePos::new(5, 5);
        for d in vectors() {
            let mut back = tiles(LineKind::Symmetric, a + d, a);
            back.reverse();
            assert_eq!(tiles(LineKind::Symmetric, a, a + d), back, "to {d}");
        }
    }

    #[test]
    fn a_tile_of_the_symmetric_line_is_found_without_the_line() {
        let a = TilePos::new(-3, 8);
        for d in vectors() {
            let b = a + d;
            let line = if b < a { oracle(b, a).into_iter().rev().collect() } else { oracle(a, b) };
            assert_eq!(tiles(LineKind::Symmetric, a, b), line, "to {d}");
            let found: Vec<_> =
                (0..line.len() as u32).map(|step| symmetric_tile(a, b, step)).collect();
            assert_eq!(found, line, "to {d}");
            assert_eq!(symmetric_tile(a, a + d, u32::MAX), a + d);
        }
        let far = TilePos::new(-1_000_000, 999_999);
        assert_eq!(
            symmetric_tile(far, TilePos::default(), 500_000),
            TilePos::new(-500_000, 500_000)
        );
    }

    #[test]
    fn every_line_is_inclusive_and_connected() {
        for kind in [LineKind::Standard, LineKind::Book, LineKind::Symmetric] {
            for d in vectors() {
                let line = tiles(kind, TilePos::default(), d);
                assert_eq!((line[0], *line.last().unwrap()), (TilePos::default(), d), "{kind:?}");
                assert!(line.windows(2).all(|pair| pair[0].king_distance(pair[1]) == 1));
            }
        }
    }

    #[test]
    fn the_book_steps_sideways_early_when_steep_and_late_when_shallow() {
        let rows = |kind, x, y| -> Vec<i32> {
            let line = tiles(kind, TilePos::default(), TilePos::new(x, y));
            line.iter().map(|tile| tile.y).collect()
        };
        assert_eq!(rows(LineKind::Book, 5, 3), [0, 1, 1, 2, 3, 3]);
        assert_eq!(rows(LineKind::Standard, 5, 3), [0, 1, 1, 2, 2, 3]);
        assert_eq!(rows(LineKind::Book, 4, 1), [0, 0, 0, 1, 1]);
        assert_eq!(rows(LineKind::Standard, 4, 1), [0, 0, 1, 1, 1]);
    }
}
