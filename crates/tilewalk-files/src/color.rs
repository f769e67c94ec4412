//! Reads colours.

use super::reader::Entry;
use super::show;
use tilewalk_sim::color::{Color, WORDS};

/// Reads a colour word or `"#rrggbb"`.
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
