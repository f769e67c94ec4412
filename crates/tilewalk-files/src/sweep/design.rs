//! Designs: the combinations of values that a sweep runs.
//!
//! All values depend only on the sweep file, with the same bits on every platform.
//! `halton` is the sequence of Halton (1960) with one prime base per path. `latin` is Latin
//! hypercube sampling (Beckman, Conover and others, 1979) with a random position in each stratum.

use tilewalk_sim::rng::{RngKey, RngStream, Use, name_hash};

use crate::keys::sweep::DesignKind;
use crate::sweep::axis::Axis;
use crate::values::Value;

/// Largest number of paths with the plain Halton sequence. With more paths, large bases give
/// correlated points, so the digits are scrambled.
pub const PLAIN_PATHS: usize = 8;

/// Returns all design points. A point has one value for each axis. Only sampled designs use
/// `count`, the number of points, and `seed`.
pub fn points(kind: DesignKind, axes: &[Axis], count: usize, seed: u64) -> Vec<Vec<Value>> {
    match kind {
        DesignKind::Grid => grid(axes),
        DesignKind::Zip => zip(axes),
        DesignKind::Random => sampled(axes, count, |_, path| random(path, count, seed)),
        DesignKind::Halton => sampled(axes, count, |index, path| {
            let base = primes().nth(index).unwrap_or(2);
            let digits =
                if axes.len() > PLAIN_PATHS { scrambled(base, path, seed) } else { plain(base) };
            (1..=count as u64).map(|number| radical_inverse(number, base, &digits)).collect()
        }),
        DesignKind::Latin => sampled(axes, count, |_, path| latin(path, count, seed)),
    }
}

fn grid(axes: &[Axis]) -> Vec<Vec<Value>> {
    axes.iter().fold(vec![Vec::new()], |points, axis| {
        let values = axis.values.all();
        let with = |point: &Vec<Value>, value: &Value| {
            let mut longer = Vec::with_capacity(axes.len());
            longer.extend(point.iter().chain([value]).cloned());
            longer
        };
        points.iter().flat_map(|point| values.iter().map(move |value| with(point, value))).collect()
    })
}

fn zip(axes: &[Axis]) -> Vec<Vec<Value>> {
    let columns: Vec<_> = axes.iter().map(|axis| axis.values.all()).collect();
    let count = columns.iter().map(Vec::len).min().unwrap_or(1);
    (0..count).map(|row| columns.iter().map(|column| column[row].clone()).collect()).collect()
}

/// Returns `count` points with one value per axis. `shares` takes the index and the path of an
/// axis. It returns a position in [0, 1) for each point.
fn sampled(
    axes: &[Axis],
    count: usize,
    shares: impl Fn(usize, &str) -> Vec<f64>,
) -> Vec<Vec<Value>> {
    let mut points: Vec<_> = (0..count).map(|_| Vec::with_capacity(axes.len())).collect();
    for (index, axis) in axes.iter().enumerate() {
        for (point, share) in points.iter_mut().zip(shares(index, &axis.path)) {
            point.push(axis.values.at(share));
        }
    }
    points
}

/// Returns the random numbers for a path and a design point. The numbers do not depend on the other
/// paths.
fn stream(path: &str, point: usize, seed: u64, purpose: u32) -> RngStream {
    let agent = name_hash(path);
    RngKey { seed, frame: point as u64, agent, mode: 0, behaviour: purpose }.stream(Use::Design)
}

fn random(path: &str, count: usize, seed: u64) -> Vec<f64> {
    (0..count).map(|point| stream(path, point, seed, 0).unit_f64()).collect()
}

fn latin(path: &str, count: usize, seed: u64) -> Vec<f64> {
    let strata = shuffled((0..count).collect(), &mut stream(path, 0, seed, 1));
    let positions = random(path, count, seed).into_iter().zip(strata);
    let below_one = 1.0 - f64::EPSILON / 2.0;
    positions
        .map(|(share, stratum)| ((stratum as f64 + share) / count as f64).min(below_one))
        .collect()
}

/// Returns a random permutation (Fisher and Yates).
fn shuffled<T>(mut list: Vec<T>, random: &mut RngStream) -> Vec<T> {
    for index in (1..list.len()).rev() {
        list.swap(index, random.index(index + 1));
    }
    list
}

/// Returns the radical inverse of a number, in [0, 1). The digits of the number in `base` are
/// replaced according to `digits`, and mirrored at the decimal point.
fn radical_inverse(mut number: u64, base: u64, digits: &[u64]) -> f64 {
    let (mut mirrored, mut scale) = (0_u64, 1_u64);
    while number > 0 {
        mirrored = mirrored * base + digits[(number % base) as usize];
        scale *= base;
        number /= base;
    }
    mirrored as f64 / scale as f64
}

fn plain(base: u64) -> Vec<u64> {
    (0..base).collect()
}

/// Returns a permutation of the digits of a base. 0 stays 0, because a number has infinitely many
/// leading zeros.
fn scrambled(base: u64, path: &str, seed: u64) -> Vec<u64> {
    let digits = shuffled((1..base).collect(), &mut stream(path, 0, seed, 2));
    std::iter::once(0).chain(digits).collect()
}

fn primes() -> impl Iterator<Item = u64> {
    (2_u64..).filter(|number| (2..*number).all(|divisor| number % divisor != 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::sweep::Scale;
    use crate::sweep::axis::{AxisValues, ValueRange};
    use std::collections::BTreeSet;

    fn list(path: &str, values: &[f64]) -> Axis {
        let values = values.iter().map(|&number| Value::of_number(number)).collect();
        Axis { path: path.to_owned(), values: AxisValues::List(values) }
    }

    fn range(from: f64, to: f64, steps: usize, scale: Scale) -> ValueRange {
        ValueRange { from, to, steps, scale, whole: false }
    }

    /// Returns an axis whose values are the shares themselves.
    fn shares(path: &str) -> Axis {
        let values = AxisValues::Range(range(0.0, 1.0, 2, Scale::Linear));
        Axis { path: path.to_owned(), values }
    }

    fn numbers(values: &[Value]) -> Vec<f64> {
        values.iter().map(|value| value.number().unwrap()).collect()
    }

    fn column(points: &[Vec<Value>], axis: usize) -> Vec<f64> {
        points.iter().map(|point| point[axis].number().unwrap()).collect()
    }

    #[test]
    fn a_grid_has_every_combination_once_and_the_first_path_varies_slowest() {
        for counts in [vec![], vec![1], vec![3], vec![2, 3], vec![4, 1, 3], vec![2, 3, 4, 5]] {
            let axis = |(index, &count): (usize, &u32)| {
                let values: Vec<f64> = (0..count).map(f64::from).collect();
                list(&index.to_string(), &values)
            };
            let axes: Vec<_> = counts.iter().enumerate().map(axis).collect();
            let points = points(DesignKind::Grid, &axes, 0, 0);
            let rows: Vec<Vec<u64>> = points
                .iter()
                .map(|point| numbers(point).iter().map(|number| *number as u64).collect())
                .collect();
            assert_eq!(rows.len() as u32, counts.iter().product::<u32>());
            // Different points in ascending order are all combinations, and the first changes last.
            assert!(rows.windows(2).all(|pair| pair[0] < pair[1]), "{rows:?}");
            let is_in_range = |row: &Vec<u64>| {
                row.len() == counts.len()
                    && row.iter().zip(&counts).all(|(value, count)| *value < u64::from(*count))
            };
            assert!(rows.iter().all(is_in_range));
        }
    }

    #[test]
    fn zip_pairs_the_values_of_all_paths() {
        let steps = AxisValues::Range(range(0.0, 1.0, 3, Scale::Linear));
        let axes = [list("a", &[5.0, 6.0, 9.0]), Axis { path: "b".to_owned(), values: steps }];
        let rows: Vec<_> =
            points(DesignKind::Zip, &axes, 0, 0).iter().map(|point| numbers(point)).collect();
        assert_eq!(rows, [[5.0, 0.0], [6.0, 0.5], [9.0, 1.0]]);
        assert_eq!(points(DesignKind::Zip, &[], 0, 0), [vec![]]);
    }

    #[test]
    fn integers_are_drawn_equally_often() {
        let dice = ValueRange { whole: true, ..range(1.0, 6.0, 2, Scale::Linear) };
        let axis = Axis { path: "die".to_owned(), values: AxisValues::Range(dice) };
        let drawn = column(&points(DesignKind::Random, &[axis], 6000, 1), 0);
        for face in 1..=6 {
            let count = drawn.iter().filter(|number| **number == f64::from(face)).count();
            assert!((850..1150).contains(&count), "{face}: {count}");
        }
    }

    #[test]
    fn random_values_are_in_range_and_independent_of_other_paths() {
        let speeds = AxisValues::Range(range(-3.0, 5.0, 2, Scale::Linear));
        let sizes = AxisValues::Range(range(0.01, 100.0, 2, Scale::Log));
        let axis = |path: &str, values: &AxisValues| Axis {
            path: path.to_owned(),
            values: values.clone(),
        };
        let axes = [axis("speed", &speeds), axis("size", &sizes), list("kind", &[1.0, 2.0, 3.0])];
        let points = points(DesignKind::Random, &axes, 10_000, 7);
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let [speed, size, kind] = [0, 1, 2].map(|axis| column(&points, axis));
        assert!(speed.iter().all(|value| (-3.0..=5.0).contains(value)));
        assert!((mean(&speed) - 1.0).abs() < 0.1);
        assert!(size.iter().all(|value| (0.01..=100.0).contains(value)));
        let logs: Vec<f64> = size.iter().map(|&value| libm::log10(value)).collect();
        assert!(mean(&logs).abs() < 0.05);
        assert!((mean(&kind) - 2.0).abs() < 0.05);
        let alone = super::points(DesignKind::Random, &axes[1..2], 10_000, 7);
        assert_eq!(column(&alone, 0), size);
        let other = super::points(DesignKind::Random, &axes[1..2], 10_000, 8);
        assert_ne!(column(&other, 0), size);
    }

    /// Pins the random numbers. Other random numbers would change the results of existing sweep
    /// files.
    #[test]
    fn random_designs_are_pinned() {
        let texts = |kind| {
            let points = points(kind, &[shares("boid.body.mass")], 3, 1);
            points.iter().map(|point| point[0].text()).collect::<Vec<_>>()
        };
        let random = ["0.1906517402141693", "0.44060675769243407", "0.40578370071348857"];
        assert_eq!(texts(DesignKind::Random), random);
        let latin = ["0.06355058007138976", "0.813535585897478", "0.4685945669044962"];
        assert_eq!(texts(DesignKind::Latin), latin);
    }

    /// The first points of Halton (1960) in bases 2 and 3.
    #[test]
    fn halton_has_the_published_values() {
        let points = points(DesignKind::Halton, &[shares("a"), shares("b"), shares("c")], 1000, 0);
        let eighths = [4.0, 2.0, 6.0, 1.0, 5.0, 3.0, 7.0].map(|number| number / 8.0);
        assert_eq!(column(&points, 0)[..7], eighths);
        let ninths = [3.0, 6.0, 1.0, 4.0, 7.0, 2.0, 5.0, 8.0].map(|number| number / 9.0);
        assert_eq!(column(&points, 1)[..8], ninths);
        // An independent formula: the sum of the mirrored digits.
        for (axis, base) in [2, 3, 5].into_iter().enumerate() {
            for (number, share) in (1..).zip(column(&points, axis)) {
                let (mut rest, mut digit, mut sum) = (number, 1.0, 0.0);
                while rest > 0 {
                    digit /= f64::from(base);
                    sum += digit * f64::from(rest % base);
                    rest /= base;
                }
                assert!((share - sum).abs() < 1e-14, "{number} in base {base}");
            }
        }
    }

    /// Scrambling keeps the main property of the sequence. Each block of `base` consecutive points,
    /// starting at a multiple of `base`, has one value in each of `base` equal parts.
    #[test]
    fn scrambled_points_fill_all_parts() {
        let axes: Vec<_> = (0..12).map(|index| shares(&index.to_string())).collect();
        let [points, others] = [3, 4].map(|seed| points(DesignKind::Halton, &axes, 100, seed));
        assert_ne!(points, others);
        for (axis, base) in [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37].into_iter().enumerate() {
            let values = column(&points, axis);
            let part = |share: &f64| (share * f64::from(base as u32) + 1e-9) as usize;
            let parts: BTreeSet<usize> = values[base - 1..2 * base - 1].iter().map(part).collect();
            assert_eq!(parts, (0..base).collect(), "base {base}");
        }
    }

    #[test]
    fn a_latin_design_has_one_point_in_each_stratum() {
        for count in [1, 2, 7, 64, 1000] {
            let points = points(DesignKind::Latin, &[shares("a"), shares("b")], count, 5);
            for axis in 0..2 {
                let values = column(&points, axis);
                let strata: BTreeSet<_> =
                    values.iter().map(|value| (value * count as f64) as usize).collect();
                assert_eq!(strata, (0..count).collect(), "{count} points");
            }
            let is_sorted = column(&points, 0).is_sorted();
            assert!(count < 7 || (!is_sorted && column(&points, 0) != column(&points, 1)));
        }
    }
}
