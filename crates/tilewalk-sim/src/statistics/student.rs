//! Student's t distribution.

use core::f64::consts::PI;

use libm::{exp, lgamma, log1p, sqrt};

use super::largest_below;

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
