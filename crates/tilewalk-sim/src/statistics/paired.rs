//! Comparison of two shares that were measured with the same seeds.
//!
//! The results of a seed at both design points are a pair. Only pairs with two different results say
//! which share is larger, but all pairs say how exactly the difference is known.

use libm::{erfc, sqrt};

use super::{Interval, Tally, largest_below};

/// Counts of the pairs by their two results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pairs {
    /// Pairs that passed both times.
    pub both: u64,
    /// Pairs that passed only the first time.
    pub first: u64,
    /// Pairs that passed only the second time.
    pub second: u64,
    /// Pairs that failed both times.
    pub neither: u64,
}

impl Pairs {
    /// Counts a pair.
    pub fn add(&mut self, first: bool, second: bool) {
        let count = match (first, second) {
            (true, true) => &mut self.both,
            (true, false) => &mut self.first,
            (false, true) => &mut self.second,
            (false, false) => &mut self.neither,
        };
        *count += 1;
    }

    /// Returns the number of pairs.
    pub fn total(self) -> u64 {
        self.both + self.first + self.second + self.neither
    }

    /// Returns the second share minus the first one; `None` without pairs.
    pub fn difference(self) -> Option<f64> {
        let total = self.total();
        (total > 0).then(|| (self.second as f64 - self.first as f64) / total as f64)
    }

    /// Returns the confidence interval of the second share minus the first one; `None` without pairs.
    /// `confidence` is between 0 and 1.
    ///
    /// The interval is the smallest one that contains the intervals of Newcombe ("Improved Confidence
    /// Intervals for the Difference Between Binomial Proportions Based on Paired Data", 1998, method
    /// 10) and Tango ("Equivalence Test and Confidence Interval for the Difference in Proportions for
    /// the Paired-Sample Design", 1998). Each of the two covers too little for some shares, but not
    /// for the same ones. The interval never has the width 0.
    pub fn interval(self, confidence: f64) -> Option<Interval> {
        let difference = self.difference()?;
        let z = normal_critical_value(confidence);
        let (newcombe, tango) = (self.newcombe(difference, z), self.tango(difference, z));
        let lower = newcombe.lower.min(tango.lower).max(-1.0);
        Some(Interval { lower, upper: newcombe.upper.max(tango.upper).min(1.0) })
    }

    /// Returns the interval of Newcombe's method 10: the Wilson intervals of both shares, combined
    /// with the correlation of the results. If the correlation is positive, its numerator is reduced
    /// by n/2.
    fn newcombe(self, difference: f64, z: f64) -> Interval {
        let [both, first, second, neither] = self.numbers();
        let total = both + first + second + neither;
        let product = both * neither - first * second;
        let corrected = if product > 0.0 { (product - total / 2.0).max(0.0) } else { product };
        let margins = (both + first) * (second + neither) * (both + second) * (first + neither);
        let correlation = if margins > 0.0 { corrected / sqrt(margins) } else { 0.0 };
        // Distances from the shares down to the lower ends, and up to the upper ends.
        let (down_1, up_1) = wilson_distances(both + first, total, z);
        let (down_2, up_2) = wilson_distances(both + second, total, z);
        let length = |a: f64, b: f64| sqrt((a * a - 2.0 * correlation * a * b + b * b).max(0.0));
        Interval {
            lower: difference - length(down_2, up_1),
            upper: difference + length(up_2, down_1),
        }
    }

    /// Returns Tango's score interval: all differences that the score test does not reject.
    fn tango(self, difference: f64, z: f64) -> Interval {
        // Exchanging both times changes the sign of all differences.
        let upper = |pairs: Self, difference: f64| {
            // `largest_below` searches from 0, so it gets the distance from the estimate.
            let distance = 1.0 - difference;
            difference + largest_below(distance, |more| pairs.score(difference + more) >= -z)
        };
        let exchanged = Self { first: self.second, second: self.first, ..self };
        Interval { lower: -upper(exchanged, -difference), upper: upper(self, difference) }
    }

    /// Returns the test statistic of Tango for the hypothesis that the second share minus the first
    /// one is `difference`. The statistic falls as `difference` grows.
    fn score(self, difference: f64) -> f64 {
        let [_, first, second, _] = self.numbers();
        let total = self.total() as f64;
        // The most likely probability of a pair that passed only the first time, if the hypothesis is
        // true: the larger root of a x² + b x + c.
        let a = 2.0 * total;
        let b = -first - second + (2.0 * total - second + first) * difference;
        let c = -first * difference * (1.0 - difference);
        let probability = (sqrt((b * b - 4.0 * a * c).max(0.0)) - b) / (2.0 * a);
        let variance = total * (2.0 * probability + difference * (1.0 - difference));
        let excess = second - first - total * difference;
        if variance > 0.0 {
            excess / sqrt(variance)
        } else if excess == 0.0 {
            0.0
        } else {
            f64::INFINITY.copysign(excess)
        }
    }

    /// Returns the two-sided p-value of the exact test of `McNemar`: the probability of results that
    /// differ at least as much, if both shares are equal.
    pub fn p_value(self) -> f64 {
        let (fewer, more) = (self.first.min(self.second), self.first.max(self.second));
        if fewer == more {
            return 1.0;
        }
        // Each pair with two different results then favours one of them like the toss of a coin.
        (2.0 * Tally { passed: more, failed: fewer }.tail(0.5)).min(1.0)
    }

    fn numbers(self) -> [f64; 4] {
        [self.both, self.first, self.second, self.neither].map(|count| count as f64)
    }
}

/// Returns the distances from a share to the ends of its Wilson score interval. The share is `passed`
/// of `total`.
fn wilson_distances(passed: f64, total: f64, z: f64) -> (f64, f64) {
    let (share, square) = (passed / total, z * z);
    let middle = (2.0 * passed + square) / (2.0 * (total + square));
    let half = z * sqrt(square + 4.0 * passed * (1.0 - share)) / (2.0 * (total + square));
    (share - (middle - half).max(0.0), (middle + half).min(1.0) - share)
}

/// Returns the critical value z: the absolute value of a standard normal variable exceeds z with the
/// probability 1 − `confidence`.
fn normal_critical_value(confidence: f64) -> f64 {
    let is_reached = |z: f64| erfc(z / core::f64::consts::SQRT_2) >= 1.0 - confidence;
    largest_below(40.0, is_reached)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs([both, first, second, neither]: [u64; 4]) -> Pairs {
        Pairs { both, first, second, neither }
    }

    fn near(interval: Interval, lower: f64, upper: f64) -> bool {
        (interval.lower - lower).abs() < 5e-4 && (interval.upper - upper).abs() < 5e-4
    }

    /// Checks a table of Newcombe (1998), and the airway table of Fagerland, Lydersen and Laake
    /// ("Recommended Tests and Confidence Intervals for Paired Binomial Proportions", 2014). Both
    /// authors subtract the second share from the first.
    #[test]
    fn intervals_agree_with_published_values() {
        let z = normal_critical_value(0.95);
        assert!((z - 1.959_963_984_540_054).abs() < 1e-12);
        let exchanged = |[both, first, second, neither]: [u64; 4]| {
            let pairs = pairs([both, second, first, neither]);
            (pairs, pairs.difference().expect("pairs"))
        };
        let (pairs, difference) = exchanged([36, 12, 2, 0]);
        assert!(near(pairs.newcombe(difference, z), 0.0569, 0.3404));
        let (pairs, difference) = exchanged([1, 1, 7, 12]);
        assert!(near(pairs.newcombe(difference, z), -0.507, -0.026));
        assert!(near(pairs.tango(difference, z), -0.517, -0.026));
    }

    /// At the ends of Tango's interval, the likelihood ratio of the best fit, found by trying many
    /// probabilities, is that of the score test.
    #[test]
    fn the_score_test_uses_the_most_likely_probability() {
        for counts in [[3, 4, 1, 2], [0, 1, 7, 4], [10, 0, 3, 0], [5, 2, 2, 9]] {
            let pairs = pairs(counts);
            let [_, first, second, _] = pairs.numbers();
            for difference in [-0.4, -0.1, 0.05, 0.3] {
                let equal = pairs.total() as f64 - first - second;
                let likelihood = |p: f64| {
                    let term = |count: f64, p: f64| if count > 0.0 { count * p.ln() } else { 0.0 };
                    term(first, p)
                        + term(second, p + difference)
                        + term(equal, 1.0 - 2.0 * p - difference)
                };
                let (low, high) = ((-difference).max(0.0), (1.0 - difference) / 2.0);
                let steps = 200_000;
                let at = |step: i32| low + (high - low) * f64::from(step) / f64::from(steps);
                let best =
                    (1..steps).map(at).max_by(|&a, &b| likelihood(a).total_cmp(&likelihood(b)));
                let best = best.expect("a probability");
                let total = pairs.total() as f64;
                let variance = total * (2.0 * best + difference - difference * difference);
                let expected = (second - first - total * difference) / variance.sqrt();
                let score = pairs.score(difference);
                assert!(
                    (score - expected).abs() < 1e-3,
                    "{counts:?} {difference}: {score} {expected}"
                );
            }
        }
    }

    /// Returns the logarithms of the factorials of 0 to `last`.
    fn ln_factorials(last: usize) -> Vec<f64> {
        let mut sums = vec![0.0];
        for number in 1..=last {
            sums.push(sums[number - 1] + (number as f64).ln());
        }
        sums
    }

    /// Enumerates all tables of `total` pairs, with the logarithm of the number of their orders.
    fn tables(total: u64) -> Vec<([u64; 4], f64, Interval)> {
        let ln = ln_factorials(total as usize);
        let mut tables = Vec::new();
        for both in 0..=total {
            for first in 0..=total - both {
                for second in 0..=total - both - first {
                    let counts = [both, first, second, total - both - first - second];
                    let orders = ln[total as usize]
                        - counts.iter().map(|&count| ln[count as usize]).sum::<f64>();
                    let interval = pairs(counts).interval(0.95).expect("pairs");
                    tables.push((counts, orders, interval));
                }
            }
        }
        tables
    }

    /// Returns the probability that the interval contains the true difference.
    fn coverage(tables: &[([u64; 4], f64, Interval)], probabilities: [f64; 4]) -> f64 {
        let difference = probabilities[2] - probabilities[1];
        let logarithms = probabilities.map(|p| if p > 1e-12 { p.ln() } else { f64::NEG_INFINITY });
        let mut sum = 0.0;
        for (counts, orders, interval) in tables {
            if interval.lower - 1e-9 <= difference && difference <= interval.upper + 1e-9 {
                let terms = counts.iter().zip(logarithms).filter(|(count, _)| **count > 0);
                sum += (orders + terms.map(|(&count, ln)| count as f64 * ln).sum::<f64>()).exp();
            }
        }
        sum
    }

    /// The shares are 0.5 to 1 in steps of 0.05, and the correlation of the two results rises from 0 to
    /// the largest possible one in five equal steps.
    #[test]
    fn intervals_contain_the_difference_with_at_least_94_percent() {
        for total in [8, 12, 20, 40, 60] {
            let tables = tables(total);
            let widths = tables.iter().map(|(_, _, interval)| interval.upper - interval.lower);
            assert!(widths.reduce(f64::min).expect("tables") > 0.1, "{total} pairs");
            let (mut least, mut sum) = (1.0_f64, 0.0);
            for (i, j, step) in (0..=10)
                .flat_map(|i| (0..=10).flat_map(move |j| (0..=5).map(move |step| (i, j, step))))
            {
                let [first, second] = [i, j].map(|index| 0.5 + 0.05 * f64::from(index));
                let independent = first * second;
                let most = first.min(second);
                let both = independent + (most - independent) * f64::from(step) / 5.0;
                let probabilities =
                    [both, first - both, second - both, 1.0 - first - second + both];
                let covered = coverage(&tables, probabilities);
                assert!(covered >= 0.94, "{total} pairs, {first} and {second}: {covered}");
                least = least.min(covered);
                sum += covered / (11.0 * 11.0 * 6.0);
            }
            // The table of docs/sweeps.md.
            let row = format!("| {total} | {:.1} % | {:.1} % |", least * 100.0, sum * 100.0);
            let page = include_str!("../../../../docs/sweeps.md");
            assert!(page.contains(&row), "docs/sweeps.md lacks the row {row}");
        }
    }

    #[test]
    fn p_values_are_those_of_a_coin() {
        let p_value = |first, second| pairs([5, first, second, 5]).p_value();
        assert_eq!((p_value(0, 0), p_value(3, 3)), (1.0, 1.0));
        // Five tosses with the same result: 2 / 2⁵.
        assert!((p_value(5, 0) - 0.0625).abs() < 1e-12);
        assert!((p_value(0, 5) - 0.0625).abs() < 1e-12);
        // One or no deviating toss of ten: 2 · (1 + 10) / 2¹⁰.
        assert!((p_value(1, 9) - 22.0 / 1024.0).abs() < 1e-12);
    }
}
