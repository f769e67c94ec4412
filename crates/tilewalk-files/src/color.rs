//! Reads colours. Which there are, `tilewalk_sim::color` says.

use super::show;
use super::value::Entry;
use tilewalk_sim::color::{Color, WORDS};

/// Reads a colour.
pub fn read(entry: &Entry) -> Option<Color> {
    let text = entry.string()?;
    let color = Color::parse(text);
    if color.is_none() {
        let help = match show::nearest(text, WORDS) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("valid colours: {}, or `#rrggbb`", show::list(WORDS)),
        };
        entry.error_with_help(format!("invalid colour `{}`", show::text(text)), help);
    }
    color
}
