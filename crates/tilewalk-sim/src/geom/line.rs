//! Straight lines of tiles. This is the only module that uses the crate `bresenham`.
//!
//! Lines of the crate exclude the end point and are empty if start and end coincide. They deviate
//! from the exact line by up to almost a tile. Lines of this module include both ends. Except for
//! [`LineKind::Book`], they deviate by at most half a tile.

use bresenham::Bresenham;

use super::tile_pos::TilePos;

/// The algorithm that selects the tiles of a straight line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LineKind {
    /// The midpoint line: deviates from the exact line by at most 0.5 tile. Halves round away from
    /// the start.
    #[default]
    Standard,
    /// The line of Bourg & Seemann, ch. 3, Ex. 3-5. The algorithm doubles the deltas twice, so a
    /// line over n tiles deviates by up to 1 − 1/n tile. Steep lines step sideways too early, and
    /// shallow lines too late.
    Book,
    /// The midpoint line, always computed from the end that is first in reading order. It has the
    /// same tiles in both directions.
    Symmetric,
}

impl LineKind {
    /// The line algorithms, each with its keyword in files.
    pub const WORDS: [(&'static str, Self); 3] =
        [("standard", Self::Standard), ("book", Self::Book), ("symmetric", Self::Symmetric)];
}

/// Returns the tiles of the line from `a` to `b` in order, including both ends. Coordinates must be
/// within ±1,000,000, since the algorithm doubles them.
pub fn tiles(kind: LineKind, a: TilePos, b: TilePos) -> Vec<TilePos> {
    match kind {
        LineKind::Book => book(a, b),
        LineKind::Standard => midpoint(a, b).collect(),
        LineKind::Symmetric => {
            (0..=a.king_distance(b).unsigned_abs()).map(|step| symmetric_tile(a, b, step)).collect()
        }
    }
}

/// Returns the tile of the symmetric line from `a` to `b` after `step` steps, in constant time.
/// Returns `b` if the line has fewer steps. The differences of the coordinates must fit an `i32`.
pub(crate) fn symmetric_tile(a: TilePos, b: TilePos, step: u32) -> TilePos {
    let length = a.king_distance(b);
    let step = i32::try_from(step).unwrap_or(length).min(length);
    if b < a { midpoint_tile(b, a, length - step) } else { midpoint_tile(a, b, step) }
}

fn midpoint_tile(a: TilePos, b: TilePos, step: i32) -> TilePos {
    let (delta, length) = (b - a, i64::from(a.king_distance(b).max(1)));
    let along = |delta: i32| {
        let twice = 2 * i64::from(delta.abs()) * i64::from(step);
        delta.signum() * ((twice + length) / (2 * length)) as i32
    };
    a + TilePos::new(along(delta.x), along(delta.y))
}

/// Returns the midpoint line. Computes the crate's line between the doubled ends, and halves every
/// second point.
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

/// Halves `value`, rounding away from zero.
fn halved(value: isize) -> i32 {
    (value / 2 + value % 2) as i32
}

/// Returns the line of Bourg & Seemann, ch. 3, Ex. 3-5.
fn book(a: TilePos, b: TilePos) -> Vec<TilePos> {
    let (mut at, end) = ([a.x, a.y], [b.x, b.y]);
    let step = [0, 1].map(|axis: usize| sign(end[axis] - at[axis]));
    let delta = [0, 1].map(|axis: usize| (end[axis] - at[axis]).abs() * 2);
    let (long, short) = if delta[0] > delta[1] { (0, 1) } else { (1, 0) };
    let mut fraction = delta[short] * 2 - delta[long];
    let mut line = vec![a];
    while at[long] != end[long] {
        if fraction >= 0 {
            at[short] += step[short];
            fraction -= delta[long];
        }
        at[long] += step[long];
        fraction += delta[short];
        line.push(TilePos::new(at[0], at[1]));
    }
    line
}

/// Returns −1 for negative numbers and +1 for all other numbers, including 0, as Bourg & Seemann
/// do.
fn sign(value: i32) -> i32 {
    if value < 0 { -1 } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computes the midpoint line by exact rational rounding. Halves round away from zero.
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
    fn standard_line_is_rounded_exactly() {
        let a = TilePos::new(3, -7);
        for d in vectors() {
            assert_eq!(tiles(LineKind::Standard, a, a + d), oracle(a, a + d), "to {d}");
        }
    }

    #[test]
    fn symmetric_line_is_the_same_from_both_ends() {
        let a = TilePos::new(5, 5);
        for d in vectors() {
            let mut back = tiles(LineKind::Symmetric, a + d, a);
            back.reverse();
            assert_eq!(tiles(LineKind::Symmetric, a, a + d), back, "to {d}");
        }
    }

    #[test]
    fn symmetric_tile_matches_the_line() {
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
    fn lines_are_inclusive_and_connected() {
        for kind in [LineKind::Standard, LineKind::Book, LineKind::Symmetric] {
            for d in vectors() {
                let line = tiles(kind, TilePos::default(), d);
                assert_eq!((line[0], *line.last().unwrap()), (TilePos::default(), d), "{kind:?}");
                assert!(line.windows(2).all(|pair| pair[0].king_distance(pair[1]) == 1));
            }
        }
    }

    /// Checks the deviations that docs/sources.md states, along the short axis.
    #[test]
    fn lines_deviate_by_the_documented_distances() {
        let deviation = |kind, d: TilePos| {
            let off = |tile: &TilePos| {
                f64::from(tile.y) - f64::from(tile.x) * f64::from(d.y) / f64::from(d.x)
            };
            tiles(kind, TilePos::default(), d)
                .iter()
                .map(|tile| off(tile).abs())
                .fold(0.0, f64::max)
        };
        for n in [2, 5, 20, 100] {
            let shallow = (0..=n).map(|rows| deviation(LineKind::Book, TilePos::new(n, rows)));
            let worst = 1.0 - 1.0 / f64::from(n);
            assert!((shallow.fold(0.0, f64::max) - worst).abs() < 1e-9, "{n} columns");
            let standard = (0..=n).map(|rows| deviation(LineKind::Standard, TilePos::new(n, rows)));
            assert!(standard.fold(0.0, f64::max) <= 0.5 + 1e-9, "{n} columns");
        }
    }

    #[test]
    fn the_line_of_the_book_differs_from_the_standard_line() {
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
