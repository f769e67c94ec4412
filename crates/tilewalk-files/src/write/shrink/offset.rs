//! The distance by which coordinates move when a map is cropped.

/// Distance by which coordinates move, in tiles; positive to the right and downwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offset {
    pub x: i64,
    pub y: i64,
}

/// Adds an offset to a number in a text. Integers stay integers. Returns `None` if the offset is 0
/// or the text is not a decimal number.
pub fn moved_number(text: &str, by: i64) -> Option<String> {
    if by == 0 {
        return None;
    }
    match text.parse::<i64>() {
        Ok(number) => Some((number + by).to_string()),
        // Positions have the precision of `f32`.
        Err(_) => {
            text.parse::<f64>().ok().map(|number| format!("{:?}", (number + by as f64) as f32))
        }
    }
}
