//! Designs: the combinations of values that a sweep runs.
//!
//! All values depend only on the sweep file, with the same bits on every platform.
//! `halton` is the sequence of Halton (1960) with one prime base per path. `latin` is Latin
//! hypercube sampling (McKay, Beckman and Conover 1979) with a random position in each stratum.

use tilewalk_sim::rng::{RngKey, RngStream, Use, name_hash};

use super::value::Value;

/// How the values of all paths form design points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// All combinations. The first path varies slowest.
    Grid,
    /// The first values of all paths, then the second values, and so on.
    Zip,
    /// Independent random values.
    Random,
    /// Points of the Halton sequence, which fill the space evenly.
    Halton,
    /// One point in each of N equal strata of each path.
    Latin,
}

impl Kind {
    /// Returns true if the design draws any number of points from ranges without steps.
    pub fn is_sampled(self) -> bool {
        match self {
            Self::Grid | Self::Zip => false,
            Self::Random | Self::Halton | Self::Latin => true,
        }
    }
}

/// Spacing of the values of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences.
    Linear,
    /// Equal ratios.
    Log,
}

/// A path and its values.
#[derive(Debug, Clone)]
pub struct Axis {
    /// The path as written.
    pub path: String,
    pub values: Values,
}

/// The values of a path.
#[derive(Debug, Clone)]
pub enum Values {
    List(Vec<Value>),
    Range(Range),
}

/// A range of numbers, with `from` below `to`.
#[derive(Debug, Clone, Copy)]
pub struct Range {
    pub from: f64,
    pub to: f64,
    /// Number of values in designs that are not sampled; at least 2.
    pub steps: usize,
    pub scale: Scale,
    /// Whether the values are integers.
    pub whole: bool,
}

/// Largest number of paths with the plain Halton sequence. With more paths, the points of large
/// bases are correlated, so the digits are scrambled.
pub const PLAIN_PATHS: usize = 8;

impl Range {
    /// Returns all steps. The ends are exact; other values are rounded to 12 significant digits.
    pub fn all(&self) -> Vec<Value> {
        (0..self.steps).map(|index| self.step(index)).collect()
    }

    /// Returns the first and the last value.
    pub fn ends(&self) -> [Value; 2] {
        [self.value(self.from), self.value(self.to)]
    }

    /// Returns true if two steps have the same value, because integers are too far apart.
    pub fn has_duplicates(&self) -> bool {
        self.whole && self.all().windows(2).any(|pair| pair[0] == pair[1])
    }

    fn step(&self, index: usize) -> Value {
        let last = self.steps - 1;
        let (low, high) = ((last - index) as f64, index as f64);
        match (index, self.scale) {
            (0, _) => self.value(self.from),
            (_, Scale::Linear) if index < last => {
                self.value(rounded((self.from * low + self.to * high) / last as f64))
            }
            (_, Scale::Log) if index < last => self.value(rounded(self.power(high / last as f64))),
            (_, Scale::Linear | Scale::Log) => self.value(self.to),
        }
    }

    /// Returns the value at a share of the range in [0, 1).
    fn at(&self, share: f64) -> Value {
        let number = match self.scale {
            // Each integer has an equal share.
            Scale::Linear if self.whole => {
                self.from + (share * (self.to - self.from + 1.0)).floor()
            }
            Scale::Linear => self.from + share * (self.to - self.from),
            Scale::Log => self.power(share),
        };
        self.value(number.clamp(self.from, self.to))
    }

    fn power(&self, share: f64) -> f64 {
        self.from * libm::pow(self.to / self.from, share)
    }

    fn value(&self, number: f64) -> Value {
        if self.whole { Value::of_integer(number.round() as i64) } else { Value::of_number(number) }
    }
}

/// Rounds a number to 12 significant digits.
fn rounded(number: f64) -> f64 {
    format!("{number:.11e}").parse().unwrap_or(number)
}

impl Values {
    /// Returns the values of a design that is not sampled.
    pub fn all(&self) -> Vec<Value> {
        match self {
            Self::List(values) => values.clone(),
            Self::Range(range) => range.all(),
        }
    }

    /// Returns the number of values in a design that is not sampled.
    pub fn count(&self) -> usize {
        match self {
            Self::List(values) => values.len(),
            Self::Range(range) => range.steps,
        }
    }

    /// Returns the value at a share in [0, 1).
    fn at(&self, share: f64) -> Value {
        match self {
            Self::List(values) => values[(share * values.len() as f64) as usize].clone(),
            Self::Range(range) => range.at(share),
        }
    }
}

/// Returns all design points: one value for each axis. `count` and `seed` apply to sampled designs.
pub fn points(kind: Kind, axes: &[Axis], count: usize, seed: u64) -> Vec<Vec<Value>> {
    match kind {
        Kind::Grid => grid(axes),
        Kind::Zip => zip(axes),
        Kind::Random => sampled(axes, count, |_, path| random(path, count, seed)),
        Kind::Halton => sampled(axes, count, |index, path| {
            let base = primes().nth(index).unwrap_or(2);
            let digits =
                if axes.len() > PLAIN_PATHS { scrambled(base, path, seed) } else { plain(base) };
            (1..=count as u64).map(|number| radical_inverse(number, base, &digits)).collect()
        }),
        Kind::Latin => sampled(axes, count, |_, path| latin(path, count, seed)),
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

/// Returns points whose coordinates are shares of the values. `shares` returns the shares of the
/// axis with an index and a path.
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

/// Returns the random numbers for a path and a point. They do not depend on other paths.
fn stream(path: &str, point: usize, seed: u64, purpose: u32) -> RngStream {
    let agent = name_hash(path);
    RngKey { seed, frame: point as u64, agent, mode: 0, behaviour: purpose }.die(Use::Design)
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

/// Returns the number whose digits in a base are those of `number`, mirrored at the point and
/// replaced by `digits`.
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

/// Returns a permutation of the digits of a base. 0 stays 0: infinitely many digits of a number are
/// 0.
fn scrambled(base: u64, path: &str, seed: u64) -> Vec<u64> {
    let digits = shuffled((1..base).collect(), &mut stream(path, 0, seed, 2));
    std::iter::once(0).chain(digits).collect()
}

fn primes() -> impl Iterator<Item = u64> {
    (2_u64..).filter(|number| (2..*number).all(|divisor| number % divisor != 0))
}
