//! Reads colours.

use crate::show;
use crate::text::reader::Entry;
use tilewalk_sim::color::{Color, WORDS};

/// Reads a colour word or `"#rrggbb"`. Reports any other value and returns `None`.
pub fn read(entry: &Entry) -> Option<Color> {
    let text = entry.string()?;
    let color = Color::parse(text);
    if color.is_none() {
        let all = || format!("valid colours: {}, or `#rrggbb`", show::list(WORDS));
        let help = entry.suggestion(text, WORDS, all);
        entry.error_with_help(format!("invalid colour `{}`", show::text(text)), help);
    }
    color
}
