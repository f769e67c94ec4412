//! Draws the command line and its suggestions at the lower edge of the screen.

use core::ops::Range;

use ratatui::layout::Rect;

use crate::tui::action::Keymap;
use crate::tui::command_line::CommandLine;
use crate::tui::command_line::complete::{Meaning, Suggestion};
use crate::tui::glyph;
use crate::tui::layout;
use crate::tui::theme::Theme;

use super::line::LineRow;
use super::list::{List, ListRow, Spans};
use super::pane;

/// Maximum number of visible suggestions. The title shows the number of hidden suggestions.
const ROWS: u16 = 10;

/// Maximum width of the panel, in terminal columns. Longer lines are hard to read.
const COLUMNS: u16 = 110;

/// Minimum width of the screen to the right of the panel, in columns. If less remains, the panel
/// fills the width of the screen.
const SLIVER: u16 = 20;

/// Width of the column with a command's name and argument, in terminal columns.
const NAME: usize = 22;

/// Width of the column with a command's keys, in terminal columns.
const KEYS: usize = 14;

/// Returns the command line and its suggestions, placed in the lowest rows of `screen`.
pub fn list<'a>(
    line: &'a CommandLine,
    keymap: &'a Keymap,
    theme: &'a Theme,
    screen: Rect,
) -> List<'a> {
    let suggestions = line.suggestions();
    let notes = notes(line, screen.width.min(COLUMNS).saturating_sub(3), theme);
    // Rows of the border, the text input and the notes.
    let fixed = 3 + notes.len() as u16;
    let rows = (suggestions.len() as u16).min(ROWS).min(screen.height.saturating_sub(fixed));
    let columns = if screen.width < COLUMNS + SLIVER { screen.width } else { COLUMNS };
    let area = pane::at_bottom(rows + fixed, columns, screen);
    let hidden = suggestions.len().saturating_sub(rows.into());
    let wrong = line.complaint().and_then(|(span, _)| span);
    let width = layout::inside(area).width;
    let row = move |index: usize| row(&suggestions[index], keymap, width.into(), theme);
    List {
        right: if hidden > 0 { format!("{hidden} more") } else { String::new() },
        notes,
        input: Some(LineRow { sign: " :", line: line.line(), wrong, theme }),
        ..List::new("command", area, suggestions.len(), line.selected(), theme, row)
    }
}

/// Returns the lines above the command line: its error, or the usage of the command whose argument
/// is being typed. Returns no lines if neither applies. `width` is in columns.
fn notes(line: &CommandLine, width: u16, theme: &Theme) -> Spans {
    let (text, style) = match (line.complaint(), line.entry()) {
        (Some((span, text)), _) => {
            let column = |span: Range<usize>| format!("column {}: ", span.start + 1);
            let place = span.map(column).unwrap_or_default();
            (format!("{place}{}", glyph::clean(text)), theme.warn)
        }
        (None, Some(entry)) => (format!("{}: {}", entry.usage(), entry.described()), theme.dim),
        (None, None) => return Vec::new(),
    };
    pane::wrapped(&text, width.into()).into_iter().map(|line| (line, style)).collect()
}

fn row(suggestion: &Suggestion, keymap: &Keymap, width: usize, theme: &Theme) -> ListRow {
    let text = &suggestion.text;
    let (name, keys, about) = match suggestion.meaning {
        Meaning::Word => return vec![(format!(" {text}"), theme.text)].into(),
        Meaning::Command(entry) => (entry.usage(), keymap.text(entry), entry.about.to_owned()),
        Meaning::Overlay(entry) => {
            (text.clone(), String::new(), format!("overlay: {}", entry.about))
        }
        Meaning::Shell(feature) => {
            let about = format!("{}: {}", feature.usage, feature.about);
            ("in a shell".to_owned(), String::new(), about)
        }
    };
    let name = pane::fitted(&format!(" {name}"), NAME - 2);
    let is_shell = matches!(suggestion.meaning, Meaning::Shell(_));
    let has_keys = width > NAME + KEYS + 20 && !is_shell;
    ListRow {
        spans: vec![(format!("{name:<0$}", NAME - 1), theme.text), (about, theme.dim)],
        right: has_keys.then(|| (format!("{keys:<KEYS$}"), theme.key)),
    }
}
