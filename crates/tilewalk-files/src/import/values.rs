//! Values and names in the texts of an imported map.

use toml_edit::Value;

use super::Content;
use crate::formats::tiled::DrawnPath;
use tilewalk_sim::geom::{TilePos, Vec2};

/// Formats a text as a quoted TOML string.
pub(super) fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// Formats a position in TOML: the centre of a tile as integers, any other position as floats.
pub(super) fn position(at: Vec2) -> String {
    let tile = TilePos::containing(at);
    if tile.centre() == at {
        return format!("[{}, {}]", tile.x, tile.y);
    }
    point(at)
}

/// Formats a point in TOML, rounded to a thousandth of a tile.
pub(super) fn point(at: Vec2) -> String {
    let number = |number: f32| {
        // A thousandth of a tile is smaller than any pixel.
        let rounded = format!("{:.3}", f64::from(number));
        let short = rounded.trim_end_matches('0');
        if short.ends_with('.') { format!("{short}0") } else { short.to_owned() }
    };
    format!("[{}, {}]", number(at.x), number(at.y))
}

/// Returns the name of the pattern that is generated from a path.
pub(super) fn pattern_name(content: &Content, path: &DrawnPath) -> String {
    format!("{}_{}", content.stem, path.name)
}
