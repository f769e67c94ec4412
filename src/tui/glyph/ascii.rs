//! The screen for terminals and fonts that have only ASCII: a stand-in for every sign, put in as
//! the last thing before cells leave for the terminal.
//!
//! A sign that stands alone on the map has a stand-in of its own, so that nothing is lost.

use ratatui::buffer::Buffer;

use super::REPLACEMENT;

/// Every sign the program writes that is not ASCII, and its stand-in.
#[rustfmt::skip]
const STAND_INS: &[(&str, &str)] = &[
    // Borders and rules.
    ("─", "-"), ("│", "|"), ("╭", "+"), ("╮", "+"), ("╰", "+"), ("╯", "+"),
    // Time and lists.
    ("▶", ">"), ("▮", "|"), ("▸", ">"), ("…", "~"), ("◈", "%"),
    // Events.
    ("¤", "*"), ("¬", "="), ("»", ">"), ("†", "x"), ("‡", "X"), ("›", ")"), ("↻", "@"), ("■", "#"),
    ("♪", "~"), ("⚑", "P"),
    // Ground, patterns, targets.
    ("·", "."), ("◇", "!"), ("○", "0"), ("×", "x"), ("◎", "@"), ("∪", "u"), ("∩", "n"), ("◆", "$"),
    ("•", ":"), ("◦", ";"), ("⌂", "["), ("␣", "_"),
    // Arrows; of a slanting one the corner it points to.
    ("→", ">"), ("←", "<"), ("↑", "^"), ("↓", "v"), ("↗", "'"), ("↖", "`"), ("↘", "."), ("↙", ","),
    // The timeline, columns, ghosts.
    ("◀", "<"), ("▼", "V"), ("┴", "+"), ("┤", "]"), ("├", "Y"), ("●", "*"), ("◌", "&"),
    ("▁", "_"), ("▂", "_"), ("▃", "-"), ("▄", "-"), ("▅", "="), ("▆", "="), ("▇", "#"),
    // Bars.
    ("█", "#"), ("▉", "#"), ("▊", "="), ("▋", "="), ("▌", "="), ("▍", "-"), ("▎", "-"), ("▏", "-"),
    ("░", "."),
    // Ground from far away, and how often it was visited.
    ("▀", "\""), ("▒", ":"), ("▓", "%"),
    // Words and numbers.
    ("°", "d"), ("¹", "1"), ("²", "2"), ("³", "3"), ("⁴", "4"), ("⁵", "5"), ("⁶", "6"), ("⁷", "7"),
    ("⁸", "8"), ("⁹", "9"), ("−", "-"), ("–", "-"), ("≤", "<"), ("≥", ">"), ("±", "+"), ("≠", "/"),
    ("“", "\""), ("”", "\""), ("’", "'"), ("Δ", "d"), ("Σ", "S"), ("√", "V"), ("ω", "w"), ("π", "p"),
    ("ρ", "r"), ("⏎", "$"),
];

/// What stands for a sign.
fn stand_in(symbol: &str) -> &'static str {
    let known = STAND_INS.iter().find(|(sign, _)| *sign == symbol);
    known.map_or_else(|| stroke(symbol).unwrap_or(REPLACEMENT), |(_, stand_in)| stand_in)
}

/// Puts the stand-ins in. What has none is a sign of a file; it becomes a question mark.
pub fn replace(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        if !cell.symbol().is_ascii() {
            let stand_in = stand_in(cell.symbol());
            cell.set_symbol(stand_in);
        }
    }
}

/// A text with the stand-ins.
pub fn spelled(text: &str) -> String {
    let each = |c: char| match c {
        c if c.is_ascii() => c.to_string(),
        c => stand_in(c.encode_utf8(&mut [0; 4])).to_owned(),
    };
    text.chars().map(each).collect()
}

/// The bits of the left dots of a Braille pattern, from the top, then those of the right ones.
const DOTS: [[u32; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];

/// What a Braille pattern looks like: the way its dots lie.
fn stroke(symbol: &str) -> Option<&'static str> {
    let mut chars = symbol.chars();
    let dots = u32::from(chars.next()?).checked_sub(0x2800).filter(|&dots| dots <= 0xff)?;
    let rows = |column: usize| (0..4).filter(move |&row| dots & DOTS[column][row] != 0);
    let mean = |column: usize| {
        let count = rows(column).count();
        (count > 0).then(|| rows(column).sum::<usize>() as f32 / count as f32)
    };
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
    fn strokes_keep_their_direction() {
        let drawn = |symbols: &str| -> String {
            symbols.chars().map(|c| stroke(&c.to_string()).expect("dots")).collect()
        };
        assert_eq!(drawn("⠤⠒⠉⣀"), "--'.");
        assert_eq!(drawn("⡇⢸⠆⠸"), "||||");
        assert_eq!(drawn("⡠⠊⠌⡐"), "////");
        assert_eq!(drawn("⠑⢄⠡⢂"), "\\\\\\\\");
        assert_eq!(drawn("⠁⠂⠄⡀⠈⢀"), "''..'.");
        assert_eq!(drawn("⣿⣤⡯"), "%-%");
        assert_eq!(stroke("a"), None);
        assert_eq!(stroke("\u{2800}"), None);
    }

    /// Signs that stand alone on the map can be told apart; so can the eight arrows.
    #[test]
    fn signs_of_the_map_have_stand_ins_of_their_own() {
        use crate::tui::glyph;
        let marks = [
            glyph::NEXT,
            glyph::CANDIDATE,
            glyph::CAME_FROM,
            glyph::TARGET,
            glyph::PREDICTED,
            glyph::SPOT,
            glyph::CHOSEN_SPOT,
            glyph::WAYPOINT,
            glyph::TICK,
            glyph::HIT,
            glyph::WANDER,
            glyph::OBSTACLE,
            glyph::FLOOR,
        ];
        let arrows = ["→", "←", "↑", "↓", "↗", "↖", "↘", "↙"];
        let events = crate::tui::overlays::EVENTS.map(|(_, sign, _)| sign);
        for signs in [&marks[..], &arrows, &events] {
            let shown = |sign: &'static str| if sign.is_ascii() { sign } else { stand_in(sign) };
            let shown: std::collections::BTreeSet<_> =
                signs.iter().map(|sign| shown(sign)).collect();
            assert_eq!(shown.len(), signs.len(), "{shown:?}");
            assert!(!shown.contains(REPLACEMENT) || signs.contains(&REPLACEMENT));
        }
    }

    #[test]
    fn every_sign_has_one_stand_in() {
        let known: std::collections::BTreeSet<_> = STAND_INS.iter().map(|(sign, _)| sign).collect();
        assert_eq!(known.len(), STAND_INS.len());
    }

    /// Whatever the sources of the screen and of its words write has a stand-in.
    #[test]
    fn every_sign_of_the_sources_has_a_stand_in() {
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
                    let signs = code.flat_map(str::chars).filter(|c| !c.is_ascii());
                    missing.extend(signs.filter(|c| stand_in(&c.to_string()) == REPLACEMENT));
                }
            }
        }
        assert!(missing.is_empty(), "no stand-in for {missing:?}");
    }
}
