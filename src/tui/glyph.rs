//! The one table of signs the screen is made of, and the check on signs that come from files.
//!
//! All are one column wide in terminals that don't take ambiguous characters for wide ones. Each that
//! is not ASCII has a stand-in that is, in [`ascii`].

pub mod ascii;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// Time runs.
pub const PLAYING: &str = "▶";
/// Time runs back.
pub const PLAYING_BACK: &str = "◀";
/// A breakpoint stops time here.
pub const BREAK: &str = "●";
/// Time stands.
pub const PAUSED: &str = "▮▮";
/// The present row of a program, or the chosen one of a list.
pub const MARKER: &str = "▸";
/// Floor.
pub const FLOOR: &str = "·";
/// A round obstacle that stands free of tiles.
pub const OBSTACLE: &str = "o";
/// The tile a pattern leads to next.
pub const NEXT: &str = "◇";
/// A tile the next choice may lead to.
pub const CANDIDATE: &str = "○";
/// The tile it came from.
pub const CAME_FROM: &str = "×";
/// What steering is about.
pub const TARGET: &str = "+";
/// Where a target is expected to be.
pub const PREDICTED: &str = "◎";
/// A place to hide at.
pub const SPOT: &str = "∪";
/// The one that is taken.
pub const CHOSEN_SPOT: &str = "∩";
/// The point of a path it goes to.
pub const WAYPOINT: &str = "◆";
/// Somebody was taken out of the run, because a number had no end.
pub const QUARANTINED: &str = "†";
/// A second of a trail.
pub const TICK: &str = "•";
/// What was not taken, in a bar.
pub const CUT: &str = "░";
/// Where a feeler met something, or the obstacle that is avoided.
pub const HIT: &str = "*";
/// The point wander pulls to.
pub const WANDER: &str = "◦";
/// Where an agent starts, while the map is painted.
pub const START: &str = "⌂";
/// A tile of space in the list of brushes.
pub const SPACE: &str = "␣";
/// Stands for a sign that must not be shown.
pub const REPLACEMENT: &str = "?";
/// Bars, from an eighth to the whole of a cell.
pub const BAR: [&str; 8] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"];
/// Columns, from an eighth to the whole of a cell.
pub const COLUMN: [&str; 8] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
/// Frames on the timeline.
pub const FRAMES: &str = "─";
/// A keyframe among them.
pub const KEYFRAME: &str = "┴";
/// The end of those that were made.
pub const END: &str = "┤";
/// The frame that is looked at.
pub const NOW: &str = "▼";
/// A search for another frame has come so far.
pub const SCOUT: &str = "»";
/// A run parts from another.
pub const BRANCH: &str = "├";
/// A breakpoint was hit.
pub const STOP: &str = "●";
/// A frame that somebody marked.
pub const FLAG: &str = "◆";
/// Something was changed by hand.
pub const EDIT: &str = "±";
/// Another run is no longer the same from here on.
pub const PARTS: &str = "≠";
/// An agent of another run.
pub const GHOST: &str = "◌";
/// A value is another than in the frame before.
pub const CHANGED: &str = "•";
/// The agent that others are compared with.
pub const PINNED: &str = "◈";
/// Two values are not the same.
pub const DIFFERS: &str = "≠";
/// Of two tiles in a cell both are filled, or the upper one, or the lower one.
pub const FULL: &str = "█";
/// The upper one.
pub const UPPER: &str = "▀";
/// The lower one.
pub const LOWER: &str = "▄";
/// Tiles that were visited, from a few times to most often, where there is no room for numbers.
pub const SHADES: [&str; 3] = ["░", "▒", "▓"];
/// Several agents in one cell: from two to nine, and more.
pub const COUNTS: [&str; 9] = ["2", "3", "4", "5", "6", "7", "8", "9", "+"];
/// Small, as plain digits on the map count agents and visits.
const ROWS: [&str; 9] = ["¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"];
/// The end of a force on the map, by its row; of later rows their letter.
pub fn row(index: usize) -> &'static str {
    ROWS.get(index).copied().unwrap_or_else(|| crate::words::row_sign(index))
}

/// A tile that all lines between two tiles share.
pub const ON_LINE: &str = "•";
/// Something was left out.
pub const ELLIPSIS: &str = "…";

/// A glyph of a file as it may stand in a cell: itself when it is one visible grapheme of width 1,
/// else a stand-in.
///
/// A buffer's cell keeps whatever it is given, an escape too, and would send it to the terminal.
pub fn safe(glyph: &str) -> &str {
    if let [byte] = glyph.as_bytes() {
        return if (b' '..=b'~').contains(byte) { glyph } else { REPLACEMENT };
    }
    let single = glyph.graphemes(true).count() == 1 && glyph.width() == 1;
    if single && !glyph.chars().any(is_hidden) { glyph } else { REPLACEMENT }
}

/// A text of a file without what a terminal would obey or what would turn the line around.
pub fn clean(text: &str) -> String {
    text.chars().filter(|&c| !is_hidden(c)).collect()
}

/// Is it a control character, or a mark that changes the direction of writing?
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A bar of `width` cells, filled to `share` of its length.
pub fn bar(share: f32, width: usize) -> String {
    let eighths = (share.clamp(0.0, 1.0) * width as f32 * 8.0 + 0.5) as usize;
    let mut bar = BAR[7].repeat(eighths / 8);
    if !eighths.is_multiple_of(8) {
        bar.push_str(BAR[eighths % 8 - 1]);
    }
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_a_terminal_obeys_gets_through() {
        assert_eq!(safe("G"), "G");
        assert_eq!(safe("é"), "é");
        for bad in ["\u{1b}", "\u{7f}", "\u{9b}", "", "ab", "\u{202e}", "語", "\n", "\u{301}"] {
            assert_eq!(safe(bad), REPLACEMENT, "{bad:?}");
        }
        assert_eq!(clean("a\u{1b}[31mb\u{202e}c\n"), "a[31mbc");
    }

    #[test]
    fn bars_grow_by_eighths() {
        assert_eq!(bar(0.0, 4), "");
        assert_eq!(bar(0.5, 4), "██");
        assert_eq!(bar(0.53, 4), "██▏");
        assert_eq!(bar(9.0, 2), "██");
    }
}
