//! Statistics of repeated runs: conclusions about all seeds from the results of some seeds.
//!
//! [`Moments`] estimates the mean of a measured value.
//!
//! For expectations, each seed passes or fails like the toss of a coin with an unknown probability
//! of success. [`Tally::confidence_sequence`] bounds this probability. The bound is valid at every
//! number of seeds, so a test may stop as soon as the bound is decisive. [`Tally::clopper_pearson`]
//! is valid only for a number of seeds that was chosen in advance.
//!
//! [`Pairs`] compares the shares of two settings that were judged with the same seeds. [`holm`]
//! corrects several comparisons.

mod paired;

use core::f64::consts::PI;

use libm::{ceil, exp, lgamma, log, log1p, sqrt};

pub use paired::Pairs;

/// Counts of the seeds that were judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Number of seeds that passed.
    pub passed: u64,
    /// Number of seeds that failed.
    pub failed: u64,
}

/// A closed range of numbers; for probabilities, within 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Lower end, included in the range.
    pub lower: f64,
    /// Upper end, included in the range.
    pub upper: f64,
}

/// A claim about the share of seeds that pass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Claim {
    /// Least share of seeds that must pass, 0 to 1.
    pub at_least: f64,
    /// Confidence of a claim about all seeds, between 0 and 1; `None` for a claim about the judged
    /// seeds alone.
    pub confidence: Option<f64>,
    /// Largest difference from `at_least` that does not matter, 0 or more. Only for a claim with a
    /// confidence.
    pub margin: f64,
    /// Largest number of seeds to judge.
    pub seeds: u64,
}

impl Claim {
    /// Returns true if the claim holds, and false if it does not. Returns `None` while the outcome
    /// is open. A claim with a confidence can stay open after all seeds.
    ///
    /// A claim with a margin also holds if the share differs from `at_least` by at most the margin.
    pub fn verdict(&self, tally: Tally) -> Option<bool> {
        if let Some(confidence) = self.confidence {
            let Interval { lower, upper } = tally.confidence_sequence(confidence);
            let holds = lower >= self.at_least || self.is_within_margin(tally);
            return (holds || upper < self.at_least).then_some(holds);
        }
        let needed = least_passes(self.at_least, self.seeds);
        if tally.passed >= needed {
            return Some(true);
        }
        (tally.failed > self.seeds - needed).then_some(false)
    }

    /// Returns true if the confidence sequence of the share contains `at_least`, and lies within
    /// the margin around it. The share is then neither clearly above nor clearly below `at_least`,
    /// but close to it.
    pub fn is_within_margin(&self, tally: Tally) -> bool {
        let Some(confidence) = self.confidence.filter(|_| self.margin > 0.0) else { return false };
        let Interval { lower, upper } = tally.confidence_sequence(confidence);
        let (least, greatest) = (self.at_least - self.margin, self.at_least + self.margin);
        (least..self.at_least).contains(&lower) && (self.at_least..=greatest).contains(&upper)
    }
}

impl Tally {
    /// Counts a judged seed as passed or failed.
    pub fn add(&mut self, passed: bool) {
        if passed {
            self.passed += 1;
        } else {
            self.failed += 1;
        }
    }

    /// Returns the number of judged seeds, passed or failed.
    pub fn total(self) -> u64 {
        self.passed + self.failed
    }

    /// Returns the interval of the probabilities p with B(k+1, n−k+1) / (pᵏ (1−p)ⁿ⁻ᵏ) < 1 / (1−c).
    /// Here k of n seeds passed, and c is the confidence.
    ///
    /// The quotient compares the likelihood of the results for a uniformly distributed probability
    /// with their likelihood for p. For the true probability p, the quotient exceeds 1 / (1−c) at
    /// any n with a probability of at most 1−c. This is Ville's inequality (Robbins, "Statistical
    /// Methods Related to the Law of the Iterated Logarithm", 1970). The cost does not depend on n.
    pub fn confidence_sequence(self, confidence: f64) -> Interval {
        let swapped = Self { passed: self.failed, failed: self.passed };
        Interval { lower: self.lower_end(confidence), upper: 1.0 - swapped.lower_end(confidence) }
    }

    /// Returns the lower end of the confidence sequence.
    fn lower_end(self, confidence: f64) -> f64 {
        let [passed, failed] = self.numbers();
        let limit = ln_beta(passed + 1.0, failed + 1.0) + log1p(-confidence);
        largest_below(self.share(), |p| passed * log(p) + failed * log1p(-p) <= limit)
    }

    /// Returns the Clopper–Pearson interval of the probability that a seed passes. With the
    /// confidence c, the interval excludes the probabilities that a one-sided binomial test rejects
    /// at the level (1−c)/2. The cost grows with the square root of the number of seeds.
    pub fn clopper_pearson(self, confidence: f64) -> Interval {
        let swapped = Self { passed: self.failed, failed: self.passed };
        let level = (1.0 - confidence) / 2.0;
        Interval {
            lower: largest_below(self.share(), |p| self.tail(p) <= level),
            upper: 1.0 - largest_below(swapped.share(), |p| swapped.tail(p) <= level),
        }
    }

    /// Returns the probability that at least `passed` seeds pass, if each seed passes with
    /// probability `p`. `p` must be at most the share of seeds that passed.
    fn tail(self, p: f64) -> f64 {
        let [passed, failed] = self.numbers();
        let total = passed + failed;
        // The binomial coefficient is 1 / ((n+1) B(k+1, n−k+1)).
        let ways = -ln_beta(passed + 1.0, failed + 1.0) - log(total + 1.0);
        let mut term = exp(ways + passed * log(p) + failed * log1p(-p));
        let odds = p / (1.0 - p);
        let mut sum = 0.0;
        for more in 0..=self.failed {
            // Beyond the mean, each term is smaller than the one before.
            if sum + term == sum {
                break;
            }
            sum += term;
            let more = more as f64;
            term *= (failed - more) / (passed + more + 1.0) * odds;
        }
        sum
    }

    /// Returns the share of seeds that passed, 0 without seeds.
    fn share(self) -> f64 {
        self.passed as f64 / self.total().max(1) as f64
    }

    fn numbers(self) -> [f64; 2] {
        [self.passed as f64, self.failed as f64]
    }
}

/// Returns the largest number from 0 to `end` for which a condition holds. The condition must hold
/// for all smaller numbers and fail for all larger numbers.
fn largest_below(end: f64, holds: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (0.0, end);
    loop {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            return low;
        }
        if holds(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/// Returns the logarithm of the beta function.
fn ln_beta(a: f64, b: f64) -> f64 {
    lgamma(a) + lgamma(b) - lgamma(a + b)
}

/// Returns the number of seeds that must pass for a share of at least `at_least`. Returns at least
/// 1 if there are seeds, and 0 without seeds.
pub fn least_passes(at_least: f64, seeds: u64) -> u64 {
    // The product of a decimal fraction such as 0.07 and 100 can be slightly above 7.
    let needed = ceil(at_least * seeds as f64 - 1e-9) as u64;
    needed.max(1).min(seeds)
}

/// Returns the smallest failure rate that is unlikely after `passes` passes and no failure: with a
/// higher rate, the probability of `passes` passes in a row is below 1 − `confidence`. `passes` is
/// at least 1.
pub fn excluded_failure_rate(passes: u64, confidence: f64) -> f64 {
    1.0 - exp(log1p(-confidence) / passes as f64)
}

/// Returns the minimum number of seeds that can confirm a claim with a confidence. With this
/// number, the claim holds only if all seeds pass. `at_least` and `confidence` are above 0 and
/// below 1.
pub fn least_seeds(at_least: f64, confidence: f64) -> u64 {
    // If all seeds pass, B(n+1, 1) is 1 / (n+1).
    let decides = |seeds: u64| {
        let seeds = seeds as f64;
        log1p(seeds) + seeds * log(at_least) <= log1p(-confidence)
    };
    let mut high = 1;
    while !decides(high) {
        high *= 2;
    }
    let mut low = high / 2;
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if decides(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    high
}

/// A running mean and variance of values (Welford, "Note on a Method for Calculating Corrected Sums
/// of Squares and Products", 1962).
///
/// The same values in the same order produce bit-identical results. Memory does not depend on the
/// number of values.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Moments {
    count: u64,
    mean: f64,
    /// Sum of the squared deviations from the mean.
    squares: f64,
    /// Sum of the cubed deviations from the mean.
    cubes: f64,
}

impl Moments {
    /// Adds a value, which must be finite.
    pub fn add(&mut self, value: f64) {
        self.count += 1;
        let count = self.count as f64;
        let before = value - self.mean;
        let change = before / count;
        self.mean += change;
        let more = before * (value - self.mean);
        self.cubes += change * (more * (count - 2.0) - 3.0 * self.squares);
        self.squares += more;
    }

    /// Returns the number of added values.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the arithmetic mean; `None` without values.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then_some(self.mean)
    }

    /// Returns the unbiased estimate of the variance (divisor n − 1); `None` for fewer than two
    /// values.
    pub fn variance(&self) -> Option<f64> {
        (self.count > 1).then(|| self.squares / (self.count - 1) as f64)
    }

    /// Returns the sample skewness G₁: 0 for symmetric values, positive with few large values. Returns
    /// `None` for fewer than three values, or if all are equal.
    pub fn skewness(&self) -> Option<f64> {
        let count = self.count as f64;
        let is_defined = self.count > 2 && self.squares > 0.0;
        let skewness = || {
            let simple = sqrt(count) * self.cubes / (self.squares * sqrt(self.squares));
            simple * sqrt(count * (count - 1.0)) / (count - 2.0)
        };
        is_defined.then(skewness)
    }

    /// Returns the confidence interval of the mean; `None` for fewer than two values. The values
    /// must be independent and normally distributed. `confidence` is between 0 and 1.
    pub fn interval(&self, confidence: f64) -> Option<Interval> {
        let error = sqrt(self.variance()? / self.count as f64);
        let half = critical_value(confidence, self.count - 1) * error;
        Some(Interval { lower: self.mean - half, upper: self.mean + half })
    }

    /// Returns the two-sided p-value of Student's t test for a mean of 0; `None` for fewer than two
    /// values, or if all are equal. The values must be independent and normally distributed.
    pub fn p_value(&self) -> Option<f64> {
        let error = sqrt(self.variance()? / self.count as f64);
        (error > 0.0).then(|| tails((self.mean / error).abs(), (self.count - 1) as f64))
    }
}

/// Marks the comparisons that are significant together: with a probability of at least 1 − `level`,
/// none of the marked differences is a coincidence (Holm, "A Simple Sequentially Rejective Multiple
/// Test Procedure", 1979). `p_values` contains the p-value of each comparison.
pub fn holm(p_values: &[f64], level: f64) -> Vec<bool> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut marks = vec![false; p_values.len()];
    for (rank, &index) in order.iter().enumerate() {
        if p_values[index] > level / (p_values.len() - rank) as f64 {
            break;
        }
        marks[index] = true;
    }
    marks
}

/// Returns the critical value t: the absolute value of a t-distributed variable exceeds t with the
/// probability 1 − `confidence`.
///
/// `confidence` is between 0 and 1; `freedom` is the number of degrees of freedom, at least 1. The
/// relative error is below 1e-9 for a confidence of up to 0.999.
pub fn critical_value(confidence: f64, freedom: u64) -> f64 {
    let freedom = freedom as f64;
    let is_reached = |t: f64| tails(t, freedom) >= 1.0 - confidence;
    let mut end = 1.0;
    while is_reached(end) {
        end *= 2.0;
    }
    largest_below(end, is_reached)
}

/// Returns the probability that the absolute value of a t-distributed variable exceeds `t`: the
/// regularised incomplete beta function I(x; a, b) for x = ν / (ν + t²), a = ν/2, b = 1/2.
fn tails(t: f64, freedom: f64) -> f64 {
    let (a, b) = (freedom / 2.0, 0.5);
    let odds = t * t / freedom;
    let (x, y) = (1.0 / (1.0 + odds), odds / (1.0 + odds));
    if y == 0.0 {
        return 1.0;
    }
    // xᵃ yᵇ / B(a, b), where y is 1 − x, and B(a, 1/2) is √π Γ(a) / Γ(a + 1/2).
    let front = exp(-a * log1p(odds)) * sqrt(y / PI) * gamma_ratio(a);
    // The fraction converges fast up to the mean of the beta distribution.
    if x < (a + 1.0) / (a + b + 2.0) {
        front * fraction(x, a, b) / a
    } else {
        1.0 - front * fraction(y, b, a) / b
    }
}

/// Returns Γ(a + 1/2) / Γ(a).
fn gamma_ratio(a: f64) -> f64 {
    if a < 100.0 {
        return exp(lgamma(a + 0.5) - lgamma(a));
    }
    // The logarithms of large numbers cancel, so use the series for large `a` (NIST Digital
    // Library of Mathematical Functions, 5.11.13). The first omitted term is about 0.002 / a⁵.
    let r = 1.0 / a;
    let series = (((-21.0 / 32768.0 * r + 5.0 / 1024.0) * r + 1.0 / 128.0) * r - 0.125) * r + 1.0;
    sqrt(a) * series
}

/// Returns the continued fraction of the incomplete beta function (NIST Digital Library of
/// Mathematical Functions, 8.17.22), by the method of Lentz and Thompson.
fn fraction(x: f64, a: f64, b: f64) -> f64 {
    /// Value that replaces numerators and denominators near 0.
    const TINY: f64 = 1e-300;
    let nonzero = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut numerator = 1.0;
    let mut denominator = 1.0 / nonzero(1.0 - (a + b) * x / (a + 1.0));
    let mut value = denominator;
    let mut m = 1.0;
    loop {
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0;
        for coefficient in [even, odd] {
            denominator = 1.0 / nonzero(1.0 + coefficient * denominator);
            numerator = nonzero(1.0 + coefficient / numerator);
            change = numerator * denominator;
            value *= change;
        }
        if (change - 1.0_f64).abs() < 1e-15 {
            return value;
        }
        m += 1.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(passed: u64, total: u64) -> Tally {
        Tally { passed, failed: total - passed }
    }

    fn near(interval: Interval, lower: f64, upper: f64) -> bool {
        (interval.lower - lower).abs() < 1e-6 && (interval.upper - upper).abs() < 1e-6
    }

    #[test]
    fn without_seeds_an_interval_is_from_0_to_1() {
        let all = Interval { lower: 0.0, upper: 1.0 };
        assert_eq!(Tally::default().confidence_sequence(0.95), all);
        assert_eq!(Tally::default().clopper_pearson(0.95), all);
    }

    #[test]
    fn intervals_are_symmetric_and_contain_the_share() {
        for (passed, total) in (1..=40).flat_map(|total| (0..=total).map(move |k| (k, total))) {
            let (one, other) = (tally(passed, total), tally(total - passed, total));
            for of in [Tally::confidence_sequence, Tally::clopper_pearson] {
                let (one, other) = (of(one, 0.9), of(other, 0.9));
                assert_eq!(one.upper.to_bits(), (1.0 - other.lower).to_bits());
                let share = passed as f64 / total as f64;
                assert!(one.lower <= share && share <= one.upper);
                assert_eq!(one.lower == 0.0, passed == 0);
                assert_eq!(one.upper == 1.0, passed == total);
                let wider = of(tally(passed, total), 0.99);
                assert!(wider.lower <= one.lower && wider.upper >= one.upper);
            }
        }
    }

    /// Checks intervals against the results of `binom.test` in R.
    #[test]
    fn clopper_pearson_agrees_with_published_values() {
        let interval = |passed, total| tally(passed, total).clopper_pearson(0.95);
        assert!(near(interval(5, 10), 0.187_086_0, 0.812_914_0));
        assert!(near(interval(8, 10), 0.443_904_5, 0.974_789_3));
        assert!(near(interval(95, 100), 0.887_165_1, 0.983_568_1));
        assert!(near(interval(0, 10), 0.0, 0.308_497_1));
        assert!(near(interval(10, 10), 0.691_502_9, 1.0));
    }

    #[test]
    fn least_seeds_is_the_first_number_that_can_pass() {
        assert_eq!(least_seeds(0.95, 0.95), 158);
        assert_eq!(least_seeds(0.99, 0.95), 984);
        for at_least in [0.01, 0.3, 0.5, 0.9, 0.95, 0.999] {
            for confidence in [0.01, 0.5, 0.95, 0.999] {
                let claim = Claim { at_least, confidence: Some(confidence), margin: 0.0, seeds: 1 };
                let least = least_seeds(at_least, confidence);
                let verdict = |passed| claim.verdict(Tally { passed, failed: 0 });
                assert_eq!(verdict(least), Some(true), "{at_least} {confidence}");
                assert_ne!(verdict(least - 1), Some(true), "{at_least} {confidence}");
            }
        }
    }

    #[test]
    fn a_share_of_the_listed_seeds_is_exact() {
        assert_eq!(least_passes(0.07, 100), 7);
        assert_eq!(least_passes(0.95, 200), 190);
        assert_eq!(least_passes(0.951, 200), 191);
        assert_eq!(least_passes(1.0, 3), 3);
        assert_eq!(least_passes(1e-10, 3), 1);
        let claim = Claim { at_least: 0.5, confidence: None, margin: 0.0, seeds: 4 };
        let verdict = |passed, failed| claim.verdict(Tally { passed, failed });
        assert_eq!(verdict(1, 2), None);
        assert_eq!(verdict(2, 1), Some(true));
        assert_eq!(verdict(1, 3), Some(false));
    }
}

#[cfg(test)]
mod moments_tests {
    use super::*;

    fn moments(values: &[f64]) -> Moments {
        let mut moments = Moments::default();
        for value in values {
            moments.add(*value);
        }
        moments
    }

    #[test]
    fn an_interval_of_the_mean_needs_at_least_two_values() {
        assert_eq!(moments(&[]).mean(), None);
        assert_eq!(moments(&[]).interval(0.95), None);
        assert_eq!(moments(&[3.0]).mean(), Some(3.0));
        assert_eq!(moments(&[3.0]).interval(0.95), None);
        let equal = moments(&[0.1; 1000]).interval(0.95);
        assert_eq!(equal, Some(Interval { lower: 0.1, upper: 0.1 }));
    }

    /// Checks the interval for the extra sleep of ten patients (Student, "The Probable Error of a
    /// Mean", 1908). The expected values are from `t.test(sleep$extra[11:20])` in R.
    #[test]
    fn intervals_agree_with_published_values() {
        let sleep = moments(&[1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]);
        let interval = sleep.interval(0.95).expect("an interval");
        assert_eq!(sleep.count(), 10);
        assert!((sleep.mean().expect("a mean") - 2.33).abs() < 1e-12);
        assert!((sleep.variance().expect("a variance") - 4.009).abs() < 1e-12);
        assert!((interval.lower - 0.897_677_5).abs() < 1e-6, "{interval:?}");
        assert!((interval.upper - 3.762_322_5).abs() < 1e-6, "{interval:?}");
    }

    /// Checks the paired t test of both drugs (`t.test(extra ~ group, data = sleep, paired = TRUE)` in
    /// older versions of R).
    #[test]
    fn p_values_agree_with_published_values() {
        let differences = moments(&[1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4]);
        let p_value = differences.p_value().expect("a p-value");
        assert!((p_value - 0.002_832_890).abs() < 1e-8, "{p_value}");
        assert_eq!(moments(&[2.0, 2.0]).p_value(), None);
        assert_eq!(moments(&[2.0]).p_value(), None);
    }

    /// Returns the share of 20,000 samples of `size` values from a lognormal distribution whose t
    /// interval contains the mean of the distribution.
    fn lognormal_coverage(size: u32) -> f64 {
        let mut state = u64::from(size);
        let mut uniform = || {
            // The multiplier and increment of Knuth's MMIX.
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            ((state >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
        };
        let mut normal = || (-2.0 * uniform().ln()).sqrt() * libm::cos(2.0 * PI * uniform());
        let mean = 0.5_f64.exp();
        let covers = |_: &u32| {
            let mut sample = Moments::default();
            (0..size).for_each(|_| sample.add(normal().exp()));
            let interval = sample.interval(0.95).expect("an interval");
            (interval.lower..=interval.upper).contains(&mean)
        };
        (0..20_000).filter(covers).count() as f64 / 20_000.0
    }

    #[test]
    fn the_documented_coverage_of_skewed_values_is_true() {
        for size in [8, 12, 20] {
            let row = format!("| {size} | {:.1} % |", lognormal_coverage(size) * 100.0);
            let page = include_str!("../../../docs/sweeps.md");
            assert!(page.contains(&row), "docs/sweeps.md lacks the row {row}");
        }
    }

    /// `SciPy` documents 0.265 055 412 for the biased skewness g₁ of these values.
    #[test]
    fn skewness_agrees_with_published_values() {
        let skewness = |values: &[f64]| moments(values).skewness();
        let known = skewness(&[2.0, 8.0, 0.0, 4.0, 1.0, 9.0, 9.0, 0.0]).expect("a skewness");
        assert!((known - 0.330_582_180_408).abs() < 1e-9, "{known}");
        assert_eq!(skewness(&[1.0, 2.0]), None);
        assert_eq!(skewness(&[3.0; 5]), None);
        assert!(skewness(&[1.0, 2.0, 3.0]).expect("a skewness").abs() < 1e-12);
    }

    #[test]
    fn holm_marks_from_the_smallest_p_value_until_one_is_too_large() {
        assert_eq!(holm(&[0.01, 0.04, 0.03, 0.005], 0.05), [true, false, false, true]);
        assert_eq!(holm(&[0.04], 0.05), [true]);
        assert_eq!(holm(&[0.03, 0.03], 0.05), [false, false]);
        assert_eq!(holm(&[], 0.05), [] as [bool; 0]);
    }

    #[test]
    fn a_large_offset_does_not_change_the_variance() {
        let values = [4.0, 7.0, 13.0, 16.0];
        let far = values.map(|value| value + 1e9);
        assert_eq!(moments(&far).variance(), Some(30.0));
        assert_eq!(moments(&values).variance(), Some(30.0));
    }
}
