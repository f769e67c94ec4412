//! Oracle for the statistics of repeated runs. Limits and critical values are compared with sums and
//! integrals, and error rates are measured on simulated coins and samples.
#![expect(clippy::print_stdout, reason = "long tests print their figures")]

use core::f64::consts::PI;

use proptest::collection::vec;
use proptest::prelude::{prop_assert, proptest};
use tilewalk_sim::rng::{RngKey, RngStream, Use};
use tilewalk_sim::statistics::{Claim, Interval, Moments, Tally, critical_value};

/// Returns `base` raised to the power `count`.
fn power(base: f64, count: u64) -> f64 {
    (0..count).fold(1.0, |product, _| product * base)
}

/// Returns the integral of a function from `from` to `to`, with Simpson's rule.
fn integral(from: f64, to: f64, of: impl Fn(f64) -> f64) -> f64 {
    const STEPS: u64 = 4000;
    let step = (to - from) / STEPS as f64;
    let weight = |index| match index {
        0 | STEPS => 1.0,
        index if index % 2 == 1 => 4.0,
        _ => 2.0,
    };
    let point = |index| weight(index) * of(from + index as f64 * step);
    (0..=STEPS).map(point).sum::<f64>() * step / 3.0
}

/// Returns the likelihood of the outcomes for a uniform prior, divided by their likelihood for `p`.
fn mixture(tally: Tally, p: f64) -> f64 {
    let likelihood = |p: f64| power(p, tally.passed) * power(1.0 - p, tally.failed);
    integral(0.0, 1.0, likelihood) / likelihood(p)
}

/// Returns the probability of at least as many passes as in the tally if each toss passes with probability
/// `p`. Computes the distribution of passes after each toss.
fn tail(tally: Tally, p: f64) -> f64 {
    let mut passes = vec![1.0];
    for toss in 1..=tally.total() as usize {
        passes.resize(toss + 1, 0.0);
        for count in (0..passes.len()).rev() {
            let before = if count > 0 { passes[count - 1] } else { 0.0 };
            passes[count] = passes[count] * (1.0 - p) + before * p;
        }
    }
    passes[tally.passed as usize..].iter().sum()
}

#[test]
fn limits_of_confidence_intervals_agree_with_their_definitions() {
    let near = 1e-7;
    for (passed, failed) in [(1, 0), (0, 1), (1, 1), (7, 3), (40, 2), (3, 55), (100, 60), (60, 0)] {
        let tally = Tally { passed, failed };
        for confidence in [0.5, 0.9, 0.95, 0.999] {
            let at = format!("{tally:?} {confidence}");
            let limit = 1.0 / (1.0 - confidence);
            let Interval { lower, upper } = tally.confidence_sequence(confidence);
            if passed > 0 {
                assert!(mixture(tally, lower - near) > limit, "{at}");
                assert!(mixture(tally, lower + near) < limit, "{at}");
            }
            if failed > 0 {
                assert!(mixture(tally, upper - near) < limit, "{at}");
                assert!(mixture(tally, upper + near) > limit, "{at}");
            }
            let level = (1.0 - confidence) / 2.0;
            let Interval { lower, upper } = tally.clopper_pearson(confidence);
            let mirrored = Tally { passed: failed, failed: passed };
            for (tally, end) in [(tally, lower), (mirrored, 1.0 - upper)] {
                if tally.passed > 0 {
                    assert!(tail(tally, end - near) < level, "{at}");
                    assert!(tail(tally, end + near) > level, "{at}");
                }
            }
        }
    }
}

const CONFIDENCE: f64 = 0.95;
const COINS: u32 = 10_000;
const TOSSES: u64 = 2000;

/// Returns, for each number of tosses from 1 on, the least number of passes for which a property of the
/// tally holds. If the property holds for a number of passes, it must also hold for more passes.
fn least(holds: impl Fn(Tally) -> bool) -> Vec<u64> {
    let mut passed = 0;
    let least = |total| {
        while passed <= total && !holds(Tally { passed, failed: total - passed }) {
            passed += 1;
        }
        passed
    };
    (1..=TOSSES).map(least).collect()
}

/// Returns a coin's number of passes after each toss, from 1 toss on.
fn toss(coin: &mut RngStream, p: f64) -> impl Iterator<Item = u64> {
    let mut passed = 0;
    (1..=TOSSES).map(move |_| {
        passed += u64::from(f64::from(coin.unit()) < p);
        passed
    })
}

/// Judges claims about coins whose probability is known. At most 5 % may be wrong.
#[test]
fn verdicts_and_intervals_are_wrong_at_most_as_often_as_allowed() {
    println!("at least  true p  wrong  open at the end  p missed   (of {COINS})");
    for (number, at_least) in [0.90, 0.95, 0.99].into_iter().enumerate() {
        let claim = Claim { at_least, confidence: Some(CONFIDENCE), margin: 0.0, seeds: TOSSES };
        let passes = least(|tally| claim.verdict(tally) == Some(true));
        let no_failures = least(|tally| claim.verdict(tally) != Some(false));
        for p in [at_least - 0.05, at_least, f64::min(at_least + 0.04, 1.0)] {
            let interval = |tally: Tally| tally.confidence_sequence(CONFIDENCE);
            let not_below = least(|tally| interval(tally).upper >= p);
            let above = least(|tally| interval(tally).lower > p);
            let (mut wrong, mut open, mut missed) = (0, 0, 0);
            for coin in 0..COINS {
                let key =
                    RngKey { seed: number as u64, frame: 0, agent: 0, mode: 0, behaviour: coin };
                let (mut verdict, mut misses) = (None, false);
                for (index, passed) in toss(&mut key.stream(Use::Chance), p).enumerate() {
                    misses |= passed < not_below[index] || passed >= above[index];
                    if verdict.is_none() && passed >= passes[index] {
                        verdict = Some(true);
                    } else if verdict.is_none() && passed < no_failures[index] {
                        verdict = Some(false);
                    }
                }
                wrong += u32::from(verdict == Some(p < at_least));
                open += u32::from(verdict.is_none());
                missed += u32::from(misses);
            }
            println!("{at_least:8.2}  {p:6.2}  {wrong:5}  {open:15}  {missed:8}");
            let most = (f64::from(COINS) * (1.0 - CONFIDENCE)) as u32;
            assert!(wrong <= most && missed <= most, "{at_least} {p}: {wrong}, {missed}");
            let decides = p != at_least;
            assert!(!decides || open < COINS / 2, "{at_least} {p}: {open} open");
        }
    }
}

/// Returns the probability that a t-distributed variable is within ±t. With t = √ν tan θ, its density is
/// proportional to cos^(ν−1) θ.
fn within(t: f64, freedom: u64) -> f64 {
    let density = |angle: f64| power(libm::cos(angle), freedom - 1);
    let end = libm::atan(t / libm::sqrt(freedom as f64));
    // The density is negligible beyond 40 standard deviations.
    let far = f64::min(PI / 2.0, 40.0 / libm::sqrt(freedom as f64));
    integral(0.0, end, density) / integral(0.0, far, density)
}

#[test]
fn critical_values_of_student_t_agree_with_the_integral_of_the_density() {
    for freedom in (1..=30).chain([49, 99, 100, 150, 199, 200, 201, 250, 1000, 5000]) {
        for confidence in [0.1, 0.5, 0.9, 0.95, 0.99, 0.999] {
            let t = critical_value(confidence, freedom);
            // Divided by this slope, an error of the probability becomes a relative error of t.
            let slope = (within(t * 1.0001, freedom) - within(t * 0.9999, freedom)) / 0.0002;
            let error = (within(t, freedom) - confidence).abs() / slope;
            assert!(error < 1e-8, "{freedom} {confidence}: {t}, relative error {error:e}");
        }
    }
}

/// Critical values for 90 %, 95 % and 99 %. The first three decimals agree with common tables
/// (NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2). The others come from the incomplete beta
/// function of mpmath.
#[test]
fn critical_values_of_student_t_agree_with_published_values() {
    let table = [
        (3, [2.353_363_434_802, 3.182_446_305_284, 5.840_909_309_733]),
        (5, [2.015_048_373_333, 2.570_581_835_636, 4.032_142_983_555]),
        (9, [1.833_112_932_656, 2.262_157_162_798, 3.249_835_541_592]),
        (19, [1.729_132_811_521, 2.093_024_054_408, 2.860_934_606_465]),
        (29, [1.699_127_026_533, 2.045_229_642_133, 2.756_385_903_671]),
        (99, [1.660_391_156_017, 1.984_216_951_586, 2.626_405_457_281]),
        (199, [1.652_546_746_167, 1.971_956_544_252, 2.600_760_216_059]),
        (999, [1.646_380_345_428, 1.962_341_461_133, 2.580_759_637_268]),
        (99_999, [1.644_868_864_937, 1.959_987_707_772, 2.575_878_470_400]),
        (999_999, [1.644_855_150_724, 1.959_966_356_816, 2.575_834_220_110]),
    ];
    for (freedom, values) in table {
        for (confidence, expected) in [0.9, 0.95, 0.99].into_iter().zip(values) {
            let t = critical_value(confidence, freedom);
            assert!((t - expected).abs() < 1e-9, "{freedom} {confidence}: {t}");
        }
    }
    // For a confidence c, the exact value is tan(π c / 2) with one degree of freedom, and c √(2 / (1 − c²))
    // with two.
    for confidence in [0.01, 0.2, 0.5, 0.95, 0.999] {
        let exact = [
            libm::tan(PI / 2.0 * confidence),
            confidence * libm::sqrt(2.0 / (1.0 - confidence * confidence)),
        ];
        for (freedom, exact) in [1, 2].into_iter().zip(exact) {
            let t = critical_value(confidence, freedom);
            assert!((t - exact).abs() <= 1e-9 * exact, "{freedom} {confidence}: {t}");
        }
    }
}

proptest! {
    #[test]
    fn moments_agree_with_plain_sums(values in vec(-1e3..1e3f64, 2..60), offset in -1e3..1e3f64) {
        let mut moments = Moments::default();
        for value in &values {
            moments.add(value + offset);
        }
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let squares = values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>();
        let variance = squares / (count - 1.0);
        prop_assert!((moments.mean().expect("values") - mean - offset).abs() < 1e-9);
        prop_assert!((moments.variance().expect("values") - variance).abs() < 1e-8 * variance);
    }
}

/// Returns an approximately normally distributed number: the sum of twelve uniform ones (Irwin–Hall).
fn normal(stream: &mut RngStream) -> f64 {
    (0..12).map(|_| f64::from(stream.unit())).sum::<f64>() - 6.0
}

#[test]
fn intervals_of_means_miss_the_true_mean_in_about_5_percent_of_samples() {
    for count in [2, 5, 20] {
        let missed = (0..COINS).filter(|sample| {
            let key = RngKey { seed: 7, frame: count, agent: 0, mode: 0, behaviour: *sample };
            let mut stream = key.stream(Use::Chance);
            let mut moments = Moments::default();
            for _ in 0..count {
                moments.add(3.0 + normal(&mut stream));
            }
            let Interval { lower, upper } = moments.interval(CONFIDENCE).expect("an interval");
            !(lower..=upper).contains(&3.0)
        });
        let share = missed.count() as f64 / f64::from(COINS);
        println!(
            "{count} values: the interval misses the mean in {:.2} % of samples",
            share * 100.0
        );
        // The tolerance is four standard errors of a share of 5 %.
        assert!((share - 0.05).abs() < 0.0088, "{count}: {share}");
    }
}

/// A coin at the threshold of a claim is rarely judged, however often it is tossed. With a margin, it
/// usually is, and a coin beyond the margin is still judged correctly.
#[test]
fn a_margin_decides_most_claims_at_the_threshold() {
    const TOSSES: u64 = 4_000;
    const COINS: u32 = 60;
    let (at_least, confidence, seeds) = (0.95, Some(CONFIDENCE), TOSSES);
    let counts = |p: f64, margin: f64| -> [u32; 3] {
        let claim = Claim { at_least, confidence, margin, seeds };
        let mut counts = [0; 3];
        for coin in 0..COINS {
            let key = RngKey { seed: 9, frame: 0, agent: 0, mode: 0, behaviour: coin };
            let (mut tosses, mut tally) = (key.stream(Use::Chance), Tally::default());
            let mut verdict = || {
                tally.add(f64::from(tosses.unit()) < p);
                claim.verdict(tally)
            };
            let verdict = (0..TOSSES).find_map(|_| verdict());
            counts[verdict.map_or(2, |holds| usize::from(!holds))] += 1;
        }
        counts
    };
    let ([_, _, open], [passed, wrong, still_open]) = (counts(0.95, 0.0), counts(0.95, 0.02));
    println!(
        "at 0.95: {open} of {COINS} open; with a margin: {passed} pass, {wrong} fail, {still_open} open"
    );
    assert!(open * 10 >= COINS * 9, "{open}");
    assert!(still_open * 20 <= COINS && wrong * 20 <= COINS, "{wrong} {still_open}");
    let [passed, failed, open] = counts(0.90, 0.02);
    assert!(failed * 20 >= COINS * 19, "{passed} {failed} {open}");
}
