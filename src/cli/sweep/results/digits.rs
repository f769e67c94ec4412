//! Numbers with four significant digits.

/// Significant digits of printed numbers.
const DIGITS: usize = 4;

/// Significant digits with which any two numbers differ.
const MOST_DIGITS: usize = 17;

/// Returns a number with four significant digits, such as `0.9712`. From 10 000 to a million, all
/// integer digits are kept. Other magnitudes use an exponent.
pub(super) fn significant(value: f64) -> String {
    with_digits(value, DIGITS)
}

/// Returns numbers with at most four significant digits, such as `0.5`. If different numbers would
/// look the same, all numbers have more digits.
pub(super) fn distinct(values: &[f64]) -> Vec<String> {
    let texts = |digits| values.iter().map(|&value| trimmed(&with_digits(value, digits))).collect();
    let are_distinct = |texts: &Vec<String>| {
        let pairs = || values.iter().zip(texts);
        pairs().all(|(one, text)| pairs().all(|(other, same)| one == other || text != same))
    };
    (DIGITS..MOST_DIGITS).map(texts).find(are_distinct).unwrap_or_else(|| texts(MOST_DIGITS))
}

fn with_digits(value: f64, digits: usize) -> String {
    let rounded = format!("{:.*e}", digits - 1, value + 0.0);
    let exponent = rounded.split_once('e').and_then(|(_, exponent)| exponent.parse::<i32>().ok());
    match exponent {
        _ if value == 0.0 => "0".to_owned(),
        Some(exponent @ -4..=5) => {
            let decimals = digits as i32 - 1 - exponent;
            format!("{value:.*}", decimals.max(0) as usize)
        }
        Some(_) | None => rounded,
    }
}

/// Returns a number with at most four significant digits, such as `0.5`.
pub(super) fn short(value: f64) -> String {
    trimmed(&significant(value))
}

/// Removes zeros at the end of a fraction.
fn trimmed(text: &str) -> String {
    let (number, exponent) = match text.split_once('e') {
        Some((number, exponent)) => (number, format!("e{exponent}")),
        None => (text, String::new()),
    };
    let number = if number.contains('.') {
        number.trim_end_matches('0').trim_end_matches('.')
    } else {
        number
    };
    format!("{number}{exponent}")
}

/// Formats a share from 0 to 1 in percent, with one decimal.
pub(super) fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

pub(super) fn power_of_ten(exponent: i32) -> f64 {
    format!("1e{exponent}").parse().unwrap_or(1.0)
}

/// Returns the exponent of the largest power of ten that is at most `value`. `value` must be
/// positive.
pub(super) fn exponent(value: f64) -> i32 {
    let text = format!("{value:e}");
    text.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_four_significant_digits() {
        for (value, long, brief) in [
            (0.0, "0", "0"),
            (-0.0, "0", "0"),
            (0.5, "0.5000", "0.5"),
            (0.971_25, "0.9712", "0.9712"),
            (0.999_96, "1.000", "1"),
            (9.999_96, "10.00", "10"),
            (412.06, "412.1", "412.1"),
            (-1234.5, "-1234", "-1234"),
            (400.0, "400.0", "400"),
            (54_321.0, "54321", "54321"),
            (999_999.7, "1.000e6", "1e6"),
            (0.000_123_45, "0.0001234", "0.0001234"),
            (0.000_012_345, "1.234e-5", "1.234e-5"),
            (2.5e10, "2.500e10", "2.5e10"),
        ] {
            assert_eq!((significant(value).as_str(), short(value).as_str()), (long, brief));
        }
        assert_eq!(distinct(&[5.0, 5.0, 5.0001, 5.0006]), ["5", "5", "5.0001", "5.0006"]);
        assert_eq!(distinct(&[0.1, 0.1 + f64::EPSILON / 8.0, 1e9]).len(), 3);
        assert_eq!(percent(0.95), "95.0 %");
        assert_eq!([exponent(0.02), exponent(999.0), exponent(1.0)], [-2, 2, 0]);
        assert_eq!(power_of_ten(-3), 0.001);
    }
}
