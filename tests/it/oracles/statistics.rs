//! An oracle for the statistics of repeated runs: likelihoods as sums and integrals of products,
//! and simulated coins.
#![expect(clippy::print_stdout, reason = "long tests print their figures")]

use tilewalk::rng::{RngKey, RngStream, Use};
use tilewalk::statistics::{Claim, Interval, Tally};

/// Multiplies `count` equal factors.
fn power(base: f64, count: u64) -> f64 {
    (0..count).fold(1.0, |product, _| product * base)
}

/// The likelihood of the outcomes for a uniform prior, divided by their likelihood for `p`: an
/// integral with Simpson's rule.
fn mixture(tally: Tally, p: f64) -> f64 {
    const STEPS: u64 = 400;
    let likelihood = |p: f64| power(p, tally.passed) * power(1.0 - p, tally.failed);
    let weight = |index| match index {
        0 | STEPS => 1.0,
        index if index % 2 == 1 => 4.0,
        _ => 2.0,
    };
    let point = |index| weight(index) * likelihood(index as f64 / STEPS as f64);
    let integral = (0..=STEPS).map(point).sum::<f64>() / (3.0 * STEPS as f64);
    integral / likelihood(p)
}

/// The probability of at least as many passes, for the probability `p` of each: the distribution
/// after each toss, from the first on.
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
fn intervals_end_where_the_definition_changes() {
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

/// For each number of tosses from 1 on, the least number of passes for which a property of the
/// tally holds. The property holds for more passes too.
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

/// Claims about coins whose true probability is known.
#[test]
fn verdicts_and_intervals_are_wrong_as_rarely_as_the_confidence_says() {
    println!("at least  true p  wrong  open at the end  p missed   (of {COINS})");
    for (number, at_least) in [0.90, 0.95, 0.99].into_iter().enumerate() {
        let claim = Claim { at_least, confidence: Some(CONFIDENCE), seeds: TOSSES };
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
                for (index, passed) in toss(&mut key.die(Use::Chance), p).enumerate() {
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
