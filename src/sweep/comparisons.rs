//! Marks the differences from the first design point that are significant together.

use crate::statistics::{Pairs, holm};

use super::summary::{Summary, Test};

/// Probability that at least one difference is marked although all means are equal.
const LEVEL: f64 = 0.05;

/// The comparisons of all measures between the first design point and each of the others.
#[derive(Debug)]
pub struct Comparisons {
    /// Whether each difference is marked: all differences of the first measure, then those of the
    /// second.
    marks: Vec<bool>,
    /// Number of design points after the first one.
    others: usize,
    /// The largest number of pairs of a comparison.
    pub pairs: u64,
    /// Whether this number of pairs is enough to mark a difference.
    pub can_mark: bool,
}

impl Comparisons {
    /// Corrects the tests of all differences of a sweep.
    pub fn of(summary: &Summary) -> Self {
        let others = summary.points().saturating_sub(1);
        let all = (0..summary.columns().len())
            .flat_map(|column| (1..=others).map(move |point| (point, column)));
        let mut p_values = Vec::new();
        let (mut pairs, mut are_exact) = (0, true);
        for (point, column) in all {
            let test = summary.test(point, column);
            p_values.push(test.map_or(1.0, |test| test.p_value));
            if let Some(Test { pairs: more, is_exact, .. }) = test {
                pairs = pairs.max(more);
                are_exact &= is_exact;
            }
        }
        // The smallest p-value of an exact test is that of pairs that all differ in the same way.
        let smallest = Pairs { first: pairs, ..Pairs::default() }.p_value();
        let can_mark = !are_exact || smallest <= LEVEL / p_values.len() as f64;
        Self { marks: holm(&p_values, LEVEL), others, pairs, can_mark }
    }

    /// Returns the number of comparisons.
    pub fn count(&self) -> usize {
        self.marks.len()
    }

    /// Returns true if a difference from the first design point is marked. `point` and `column` are
    /// indices, and `point` is not 0.
    pub fn differs(&self, point: usize, column: usize) -> bool {
        self.marks[column * self.others + point - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::row::{Cell, Column};

    /// Number of simulated tables for each case.
    const TABLES: usize = 400;

    /// Largest accepted number of tables with a mark. If 5 % of tables had a mark, more than 33 of 400
    /// would have one with a probability of 0.2 %.
    const MOST: usize = 33;

    /// Random numbers, 0 to 1.
    struct Numbers(u64);

    impl Numbers {
        fn next(&mut self) -> f64 {
            // The multiplier and increment of Knuth's MMIX.
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            ((self.0 >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
        }

        fn coin(&mut self) -> bool {
            self.next() < 0.5
        }
    }

    /// Returns the number of tables with a mark. A table has 50 design points with the same
    /// distribution of outcomes.
    fn tables_with_marks(
        column: Column,
        seeds: usize,
        outcome: impl Fn(&mut Numbers) -> Cell,
    ) -> usize {
        let mut numbers = Numbers(seeds as u64);
        let mut has_mark = |_: &usize| {
            let mut summary = Summary::new(50, &[("east".to_owned(), column)]);
            for point in 0..50 {
                for seed in 0..seeds {
                    summary.add(point, seed, 1200, &[outcome(&mut numbers)]);
                }
            }
            let comparisons = Comparisons::of(&summary);
            assert_eq!(comparisons.count(), 49);
            (1..50).any(|point| comparisons.differs(point, 0))
        };
        (0..TABLES).filter(&mut has_mark).count()
    }

    /// A t test alone has a mark in 50 %, 25 %, 5 % and 1 % of the tables of fair coins.
    #[test]
    fn coincidences_are_rarely_marked() {
        let coin = |numbers: &mut Numbers| Cell::Number(f64::from(numbers.coin()));
        let die = |numbers: &mut Numbers| Cell::Number((numbers.next() * 3.0).floor());
        let clusters = |numbers: &mut Numbers| {
            Cell::Number(f64::from(numbers.coin()) + numbers.next() / 100.0)
        };
        let event = |numbers: &mut Numbers| {
            if numbers.coin() { Cell::Empty } else { Cell::Number(100.0 + numbers.next()) }
        };
        for seeds in [2, 3, 5, 10] {
            let counts = [
                tables_with_marks(Column::Number, seeds, coin),
                tables_with_marks(Column::Number, seeds, die),
                tables_with_marks(Column::Number, seeds, clusters),
                tables_with_marks(Column::First, seeds, event),
            ];
            assert!(counts.iter().all(|&count| count <= MOST), "{seeds} seeds: {counts:?}");
        }
    }

    /// The effect is five times the standard deviation of the noise.
    #[test]
    fn clear_effects_are_marked() {
        for seeds in [5, 10] {
            let mut numbers = Numbers(1);
            let mut summary = Summary::new(3, &[("order".to_owned(), Column::Number)]);
            for point in 0..3 {
                for seed in 0..seeds {
                    let effect = if point == 2 { 5.0 * (1.0_f64 / 12.0).sqrt() } else { 0.0 };
                    summary.add(point, seed, 100, &[Cell::Number(numbers.next() + effect)]);
                }
            }
            let comparisons = Comparisons::of(&summary);
            assert_eq!([1, 2].map(|point| comparisons.differs(point, 0)), [false, true], "{seeds}");
        }
    }
}
