//! Symbols of the screen, and functions that make symbols and text from files safe to print.
//!
//! All symbols are one column wide, unless the terminal draws ambiguous characters wide. [`ascii`]
//! contains an ASCII replacement for each symbol.

pub mod ascii;
pub mod braille;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::files::show::is_hidden;

/// Status symbol: the run is playing forwards.
pub const PLAYING: &str = "▶";
/// Status symbol: the run is playing backwards.
pub const PLAYING_BACK: &str = "◀";
/// Symbol of a breakpoint hit, and of a running recording.
pub const BREAK: &str = "●";
/// Status symbol: the run is paused.
pub const PAUSED: &str = "▮▮";
/// The selected row of a list, or the current mode, pattern or program line.
pub const MARKER: &str = "▸";
/// Floor tiles whose glyph in the map file is `.`.
pub const FLOOR: &str = "·";
/// A round obstacle that covers no whole tile.
pub const OBSTACLE: &str = "o";
/// The next tile of a pattern.
pub const NEXT: &str = "◇";
/// A candidate for the next random choice of a pattern.
pub const CANDIDATE: &str = "○";
/// The previous tile of an agent.
pub const CAME_FROM: &str = "×";
/// The target of a steering behaviour.
pub const TARGET: &str = "+";
/// The predicted position of a target.
pub const PREDICTED: &str = "◎";
/// A spot where an agent can hide. Hiding spots that are not chosen are dim.
pub const HIDING_SPOT: &str = "∪";
/// The hiding spot that a behaviour has chosen.
pub const CHOSEN_HIDING_SPOT: &str = "∩";
/// Distances below ten tiles. The index is the distance in tiles.
pub const DIGITS: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
/// The current waypoint of a steering path.
pub const WAYPOINT: &str = "◆";
/// An agent stopped by the NaN guard.
pub const QUARANTINED: &str = "†";
/// A one-second tick of a trail.
pub const TICK: &str = "•";
/// The part of a force bar that was not applied.
pub const UNAPPLIED: &str = "░";
/// A wall hit by a feeler, or an obstacle in the detection box.
pub const HIT: &str = "*";
/// The target of the wander behaviour.
pub const WANDER: &str = "◦";
/// The start tile of an agent in paint mode.
pub const START: &str = "⌂";
/// Visible form of the space character in the list of brushes.
pub const SPACE: &str = "␣";
/// Replacement for a symbol that is not safe to print.
pub const REPLACEMENT: &str = "?";
/// Horizontal bars from one eighth to a full cell.
pub const BAR: [&str; 8] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"];
/// Vertical bars from one eighth to a full cell.
pub const COLUMN: [&str; 8] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
/// Simulated frames on the timeline.
pub const FRAMES: &str = "─";
/// A keyframe on the timeline.
pub const KEYFRAME: &str = "┴";
/// The last simulated frame on the timeline.
pub const END: &str = "┤";
/// The current frame on the timeline.
pub const CURRENT_FRAME: &str = "▼";
/// Progress of a seek on the timeline.
pub const SEEK_PROGRESS: &str = "»";
/// The frame at which the run branches from its parent run, on the timeline.
pub const BRANCH: &str = "├";
/// A breakpoint hit on the timeline.
pub const STOP: &str = "●";
/// A bookmark on the timeline.
pub const BOOKMARK: &str = "◆";
/// A manual change on the timeline.
pub const MANUAL_CHANGE: &str = "±";
/// The first frame that differs from another run, on the timeline.
pub const DIVERGENCE: &str = "≠";
/// An expectation that is met.
pub const MET: &str = "✓";
/// An expectation that is violated.
pub const VIOLATED: &str = "✗";
/// An expectation without a decision at the current frame.
pub const UNDECIDED: &str = "·";
/// An expectation that the run does not decide, for example because its trigger never became true.
pub const INCONCLUSIVE: &str = "?";
/// An agent of another run.
pub const GHOST: &str = "◌";
/// Marks a value that differs from the previous frame.
pub const CHANGED: &str = "•";
/// The pinned agent, which the inspector compares with the selected one.
pub const PINNED: &str = "◈";
/// Marks two values that differ in a comparison.
pub const DIFFERS: &str = "≠";
/// Two filled tiles of the same colour in one cell.
pub const FULL: &str = "█";
/// A filled tile above another one in the same cell. The background colour fills the lower tile.
pub const UPPER: &str = "▀";
/// A filled tile below an empty one in the same cell.
pub const LOWER: &str = "▄";
/// Heat map from few to many visits, for zoom levels without room for numbers.
pub const SHADES: [&str; 3] = ["░", "▒", "▓"];
/// Number of agents in a cell: 2 to 9, then more.
pub const COUNTS: [&str; 9] = ["2", "3", "4", "5", "6", "7", "8", "9", "+"];
/// Numbers of behaviours on the map. Superscript, because plain digits count agents and visits.
const BEHAVIOUR_DIGITS: [&str; 9] = ["¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"];
/// Returns the label of the behaviour at `index` on the map: a digit, or a letter from index 9 on.
pub fn row(index: usize) -> &'static str {
    BEHAVIOUR_DIGITS.get(index).copied().unwrap_or_else(|| crate::words::behaviour_label(index))
}

/// A tile crossed by all three lines of the overlay `lines`.
pub const ON_LINE: &str = "•";
/// Mark at the end of truncated text.
pub const ELLIPSIS: &str = "…";

/// Returns a glyph from a file if it is one visible grapheme of width 1, otherwise [`REPLACEMENT`].
///
/// ratatui does not check the text of a cell, so unchecked escape sequences would reach the
/// terminal.
pub fn safe(glyph: &str) -> &str {
    if let [byte] = glyph.as_bytes() {
        return if (b' '..=b'~').contains(byte) { glyph } else { REPLACEMENT };
    }
    let single = glyph.graphemes(true).count() == 1 && glyph.width() == 1;
    if single && !glyph.chars().any(is_hidden) { glyph } else { REPLACEMENT }
}

/// Removes control characters, and characters that are invisible or change the text direction.
pub fn clean(text: &str) -> String {
    text.chars().filter(|&c| !is_hidden(c)).collect()
}

/// Returns a horizontal bar that fills `share` (0 to 1) of `width` cells, rounded to eighths of a
/// cell.
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
    fn control_characters_are_replaced() {
        assert_eq!(safe("G"), "G");
        assert_eq!(safe("é"), "é");
        for bad in ["\u{1b}", "\u{7f}", "\u{9b}", "", "ab", "\u{202e}", "語", "\n", "\u{301}"] {
            assert_eq!(safe(bad), REPLACEMENT, "{bad:?}");
        }
        assert_eq!(clean("a\u{1b}[31mb\u{202e}c\n"), "a[31mbc");
    }

    #[test]
    fn bar_length_is_rounded_to_eighths() {
        assert_eq!(bar(0.0, 4), "");
        assert_eq!(bar(0.5, 4), "██");
        assert_eq!(bar(0.53, 4), "██▏");
        assert_eq!(bar(9.0, 2), "██");
    }
}
