//! ASCII replacements for the symbols of the screen, for terminals and fonts without Unicode.
//!
//! The replacements are applied to the finished frame. Map symbols have distinct replacements, so
//! they can still be distinguished.

use ratatui::buffer::Buffer;

use super::{REPLACEMENT, braille};

/// Each non-ASCII character that the program prints, with its replacement.
#[rustfmt::skip]
const REPLACEMENTS: &[(&str, &str)] = &[
    // Borders and horizontal lines.
    ("─", "-"), ("│", "|"), ("╭", "+"), ("╮", "+"), ("╰", "+"), ("╯", "+"),
    // Playback and lists.
    ("▶", ">"), ("▮", "|"), ("▸", ">"), ("…", "~"), ("◈", "%"),
    // Events.
    ("¤", "o"), ("¬", "="), ("»", ">"), ("†", "%"), ("‡", "X"), ("›", ")"), ("↻", "@"), ("■", "#"),
    ("♪", "~"), ("⚑", "P"), ("⇄", "N"), ("⊗", "8"),
    // Tiles, patterns, targets.
    ("·", "."), ("◇", "!"), ("○", "0"), ("×", "x"), ("◎", "@"), ("∪", "u"), ("∩", "n"), ("◆", "$"),
    ("•", ":"), ("◦", ";"), ("⌂", "["), ("␣", "_"),
    // Arrows. A diagonal arrow becomes a character that sits in the corner to which the arrow
    // points, or a slash: `.` and `,` are tiles.
    ("→", ">"), ("←", "<"), ("↑", "^"), ("↓", "v"), ("↗", "'"), ("↖", "`"), ("↘", "\\"), ("↙", "/"),
    // Timeline, vertical bars, ghosts.
    ("◀", "<"), ("▼", "V"), ("┴", "+"), ("┤", "]"), ("├", "Y"), ("●", "*"), ("◌", "&"),
    ("✓", "v"), ("✗", "X"),
    ("▁", "_"), ("▂", "_"), ("▃", "-"), ("▄", "-"), ("▅", "="), ("▆", "="), ("▇", "#"),
    // Horizontal bars.
    ("█", "#"), ("▉", "#"), ("▊", "="), ("▋", "="), ("▌", "="), ("▍", "-"), ("▎", "-"), ("▏", "-"),
    ("░", "."),
    // Tiles that share a cell, and the heat map.
    ("▀", "\""), ("▒", ":"), ("▓", "%"),
    // Text and numbers.
    ("°", "d"), ("¹", "1"), ("²", "2"), ("³", "3"), ("⁴", "4"), ("⁵", "5"), ("⁶", "6"), ("⁷", "7"),
    ("⁸", "8"), ("⁹", "9"), ("−", "-"), ("–", "-"), ("≤", "<"), ("≥", ">"), ("±", "+"), ("≠", "!"),
    ("“", "\""), ("”", "\""), ("’", "'"), ("Δ", "d"), ("Σ", "S"), ("√", "V"), ("ω", "w"), ("π", "p"),
    ("ρ", "r"), ("⏎", "$"),
];

/// Symbols that need two characters, with the second one. It takes the place of the space that follows.
const SECOND: [(&str, &str); 3] = [("≤", "="), ("≥", "="), ("≠", "=")];

/// Returns the second character of the replacement for a symbol; `None` for most symbols.
fn second(symbol: &str) -> Option<&'static str> {
    SECOND.iter().find(|(known, _)| *known == symbol).map(|(_, second)| *second)
}

/// Returns the replacement for a symbol, or [`REPLACEMENT`] if there is none.
fn replacement(symbol: &str) -> &'static str {
    let entry = REPLACEMENTS.iter().find(|(known, _)| *known == symbol);
    entry.map_or_else(|| line_character(symbol).unwrap_or(REPLACEMENT), |(_, ascii)| ascii)
}

/// Replaces all non-ASCII symbols of a frame. Symbols without a replacement come from files and
/// become question marks.
pub fn replace(buffer: &mut Buffer) {
    let width = usize::from(buffer.area.width);
    for index in 0..buffer.content.len() {
        let symbol = buffer.content[index].symbol();
        if symbol.is_ascii() {
            continue;
        }
        let (first, second) = (replacement(symbol), second(symbol));
        buffer.content[index].set_symbol(first);
        let next = buffer.content.get_mut(index + 1).filter(|_| (index + 1) % width != 0);
        if let (Some(second), Some(next)) = (second, next.filter(|next| next.symbol() == " ")) {
            next.set_symbol(second);
        }
    }
}

/// Replaces all non-ASCII characters of a text. Characters without a replacement become `?`.
pub fn spelled(text: &str) -> String {
    let each = |c: char| match c {
        c if c.is_ascii() => c.to_string(),
        c => {
            let symbol = c.to_string();
            format!("{}{}", replacement(&symbol), second(&symbol).unwrap_or_default())
        }
    };
    text.chars().map(each).collect()
}

/// Returns the ASCII character that looks most like the line in a Braille character. Returns `None`
/// for other characters and for the empty pattern.
fn line_character(symbol: &str) -> Option<&'static str> {
    let dots = braille::dots(symbol)?;
    let rows = |column: usize| (0..4).filter(move |&row| dots & braille::BITS[column][row] != 0);
    let mean = |column: usize| {
        let count = rows(column).count();
        (count > 0).then(|| rows(column).sum::<usize>() as f32 / count as f32)
    };
    if dots == u8::MAX {
        return Some("#");
    }
    let all = || rows(0).chain(rows(1));
    let (top, bottom) = (all().min()?, all().max()?);
    Some(match (mean(0), mean(1)) {
        (Some(left), Some(right)) => match left - right {
            slope if slope >= 1.0 => "/",
            slope if slope <= -1.0 => "\\",
            _ if all().count() > 4 => "%",
            _ if bottom - top >= 2 => "|",
            _ if bottom == 0 => "'",
            _ if top == 3 => ".",
            _ => "-",
        },
        _ if bottom > top => "|",
        _ if top < 2 => "'",
        _ => ".",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braille_lines_keep_their_direction() {
        let drawn = |symbols: &str| -> String {
            symbols.chars().map(|c| line_character(&c.to_string()).expect("dots")).collect()
        };
        assert_eq!(drawn("⠤⠒⠉⣀"), "--'.");
        assert_eq!(drawn("⡇⢸⠆⠸"), "||||");
        assert_eq!(drawn("⡠⠊⠌⡐"), "////");
        assert_eq!(drawn("⠑⢄⠡⢂"), "\\\\\\\\");
        assert_eq!(drawn("⠁⠂⠄⡀⠈⢀"), "''..'.");
        assert_eq!(drawn("⣿⣤⡯"), "#-%");
        assert_eq!(line_character("a"), None);
        assert_eq!(line_character("\u{2800}"), None);
    }

    #[test]
    fn map_symbols_arrows_and_events_have_distinct_replacements() {
        use crate::tui::glyph;
        let marks = [
            glyph::NEXT,
            glyph::CANDIDATE,
            glyph::CAME_FROM,
            glyph::TARGET,
            glyph::PREDICTED,
            glyph::HIDING_SPOT,
            glyph::CHOSEN_HIDING_SPOT,
            glyph::WAYPOINT,
            glyph::TICK,
            glyph::HIT,
            glyph::WANDER,
            glyph::OBSTACLE,
            glyph::FLOOR,
        ];
        let arrows = ["→", "←", "↑", "↓", "↗", "↖", "↘", "↙"];
        let events = crate::tui::overlays::EVENTS.map(|(_, symbol, _)| symbol);
        // Agents stand on tiles of the built-in legend.
        let tiles = [glyph::FLOOR, ",", "#", "~", "=", "T", "O", "+"];
        let agents = [&arrows[..], &tiles].concat();
        for symbols in [&marks[..], &agents, &events] {
            let shown =
                |symbol: &'static str| if symbol.is_ascii() { symbol } else { replacement(symbol) };
            let shown: std::collections::BTreeSet<_> =
                symbols.iter().map(|symbol| shown(symbol)).collect();
            assert_eq!(shown.len(), symbols.len(), "{shown:?}");
            assert!(!shown.contains(REPLACEMENT) || symbols.contains(&REPLACEMENT));
        }
    }

    #[test]
    fn comparisons_have_two_characters() {
        let mut buffer = Buffer::with_lines(["speed ≤ 3  a≠b ≥", " x"]);
        replace(&mut buffer);
        assert_eq!(buffer, Buffer::with_lines(["speed <=3  a!b >", " x"]));
        assert_eq!(spelled("a ≤ b ≠ c"), "a <= b != c");
    }

    #[test]
    fn every_symbol_has_one_replacement() {
        let known: std::collections::BTreeSet<_> =
            REPLACEMENTS.iter().map(|(symbol, _)| symbol).collect();
        assert_eq!(known.len(), REPLACEMENTS.len());
    }

    #[test]
    fn every_symbol_in_the_source_code_has_a_replacement() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut folders = vec![root.join("src"), root.join("crates/tilewalk-sim/src")];
        let lower = ["words.rs", "tile_pos.rs", "numbers.rs"];
        let mut missing = std::collections::BTreeSet::new();
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                let is_screen = path.to_string_lossy().contains("/src/tui");
                if path.is_dir() {
                    folders.push(path);
                } else if is_screen || lower.iter().any(|name| path.ends_with(name)) {
                    let text = std::fs::read_to_string(&path).expect("a source");
                    let production = text.split("#[cfg(test)]").next().unwrap_or_default();
                    let code = production.lines().map(|line| line.split("//").next().unwrap_or(""));
                    let symbols = code.flat_map(str::chars).filter(|c| !c.is_ascii());
                    missing.extend(symbols.filter(|c| replacement(&c.to_string()) == REPLACEMENT));
                }
            }
        }
        assert!(missing.is_empty(), "no replacement for {missing:?}");
    }
}
