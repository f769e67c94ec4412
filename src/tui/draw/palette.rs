//! The box in which a command is typed, at the lower edge of the screen.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::{Clear, Widget};
use unicode_width::UnicodeWidthStr;

use crate::tui::action::Keymap;
use crate::tui::glyph;
use crate::tui::palette::Palette;
use crate::tui::palette::complete::{Meaning, Suggestion};
use crate::tui::theme::Theme;

use super::line::LineRow;
use super::{first_shown, pane};

/// Suggestions in view at most.
const ROWS: u16 = 10;

/// Columns at most: longer lines are hard to read across.
const COLUMNS: u16 = 110;

/// What would be seen of the screen beside it tells nothing if it is narrower than this.
const SLIVER: u16 = 20;

/// Columns of a command's name with what it takes.
const NAME: usize = 22;

/// Columns of its keys.
const KEYS: usize = 14;

/// The box; it takes what it needs of the lower end of its area.
#[derive(Debug)]
pub struct CommandBox<'a> {
    /// What is typed and what it may become.
    pub palette: &'a Palette,
    /// Which keys ask for what.
    pub keymap: &'a Keymap,
    /// The styles.
    pub theme: &'a Theme,
}

impl Widget for CommandBox<'_> {
    fn render(self, screen: Rect, buffer: &mut Buffer) {
        let suggestions = self.palette.suggestions();
        let notes = self.notes(screen.width.min(COLUMNS).saturating_sub(3));
        // A border, the line, what is said about it.
        let fixed = 3 + notes.len() as u16;
        let rows = (suggestions.len() as u16).min(ROWS).min(screen.height.saturating_sub(fixed));
        let height = (rows + fixed).min(screen.height);
        let width = if screen.width < COLUMNS + SLIVER { screen.width } else { COLUMNS };
        let area = Rect { x: screen.x, y: screen.bottom() - height, width, height };
        Clear.render(area, buffer);
        let hidden = suggestions.len().saturating_sub(rows.into());
        let more = if hidden > 0 { format!("{hidden} more") } else { String::new() };
        let inside = pane::frame("command", &more, self.theme, area, buffer);
        if inside.is_empty() {
            return;
        }
        self.list(Rect { height: rows.min(inside.height), ..inside }, buffer);
        for (row, (text, style)) in (inside.y + rows..inside.bottom()).zip(notes) {
            let room = usize::from(inside.width - 1);
            buffer.set_stringn(inside.x + 1, row, text, room, style);
        }
        let wrong = self.palette.complaint().map(|(span, _)| span);
        let row = Rect { y: inside.bottom() - 1, height: 1, ..inside };
        LineRow { sign: " :", line: self.palette.line(), wrong, theme: self.theme }
            .render(row, buffer);
    }
}

impl CommandBox<'_> {
    /// What is wrong with the line; else what the command does whose argument is being typed.
    fn notes(&self, width: u16) -> Vec<(String, Style)> {
        let (text, style) = match (self.palette.complaint(), self.palette.entry()) {
            (Some((span, text)), _) => {
                let text = format!("column {}: {}", span.start + 1, glyph::clean(text));
                (text, self.theme.warn)
            }
            (None, Some(entry)) => {
                (format!("{}: {}", entry.usage(), entry.described()), self.theme.dim)
            }
            (None, None) => return Vec::new(),
        };
        pane::wrapped(&text, width.into()).into_iter().map(|line| (line, style)).collect()
    }

    fn list(&self, area: Rect, buffer: &mut Buffer) {
        let suggestions = self.palette.suggestions();
        let marked = self.palette.marked();
        let first = first_shown(marked.unwrap_or(0), suggestions.len(), area.height);
        let shown = suggestions.iter().enumerate().skip(first);
        for (y, (index, suggestion)) in (area.y..area.bottom()).zip(shown) {
            let row = Rect { y, height: 1, ..area };
            self.row(suggestion, marked == Some(index), row, buffer);
        }
    }

    fn row(&self, suggestion: &Suggestion, marked: bool, area: Rect, buffer: &mut Buffer) {
        let theme = self.theme;
        let sign = if marked { glyph::MARKER } else { " " };
        let style = if marked { theme.strong } else { theme.text };
        let width = usize::from(area.width);
        let (name, keys, about) = match suggestion.meaning {
            Meaning::Word => (suggestion.text.clone(), String::new(), String::new()),
            Meaning::Command(entry) => {
                (entry.usage(), self.keymap.text(entry), entry.about.to_owned())
            }
            Meaning::Overlay(entry) => {
                (suggestion.text.clone(), String::new(), format!("overlay: {}", entry.about))
            }
            Meaning::Shell(feature) => (
                "in a shell".to_owned(),
                String::new(),
                format!("{}: {}", feature.usage, feature.about),
            ),
        };
        if about.is_empty() {
            let text = pane::fitted(&format!("{sign} {name}"), width);
            buffer.set_stringn(area.x, area.y, text, width, style);
            return;
        }
        let name = pane::fitted(&format!("{sign} {name}"), width.min(NAME - 1));
        buffer.set_stringn(area.x, area.y, name, width, style);
        let begin = area.x + (NAME.min(width)) as u16;
        let roomy = width > NAME + KEYS + 20;
        let is_shell = matches!(suggestion.meaning, Meaning::Shell(_));
        let end = area.right() - if roomy && !is_shell { KEYS as u16 } else { 0 };
        if roomy && !keys.is_empty() {
            buffer.set_stringn(end, area.y, &keys, keys.width(), theme.key);
        }
        let room = usize::from(end.saturating_sub(begin + 1));
        buffer.set_stringn(begin, area.y, pane::fitted(&about, room), room, theme.dim);
    }
}
