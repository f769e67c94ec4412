//! What is wrong with the files of the map: a line over the map, and the whole list over its lower
//! edge.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::{Clear, Widget};
use unicode_width::UnicodeWidthStr;

use crate::tui::action::{Action, Context, Keymap};
use crate::tui::glyph;
use crate::tui::problems::{Problem, Problems};
use crate::tui::theme::Theme;
use crate::words;

use super::pane;

/// Rows in view at most.
const ROWS: u16 = 16;

/// Columns before a line of a file.
const INDENT: usize = 4;

/// The first error, in place of the topmost row, as long as there is one.
#[derive(Debug)]
pub struct Banner<'a> {
    /// What is wrong.
    pub problems: &'a Problems,
    /// The keys.
    pub keymap: &'a Keymap,
    /// The styles.
    pub theme: &'a Theme,
}

impl Widget for Banner<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let (Some(first), false) = (self.problems.list().first(), area.is_empty()) else { return };
        if !first.is_error {
            return;
        }
        let key = self.keymap.named(Action::Problems, Context::Watch);
        let end = match self.problems.errors() {
            1 => format!(" ({key}: more)"),
            many => format!(" ({many} errors, {key}: list)"),
        };
        let width = usize::from(area.width);
        let room = width.saturating_sub(end.width() + 1);
        let text = format!(" {}{end}", pane::fitted(&headline(first), room));
        let blank = " ".repeat(width);
        buffer.set_stringn(area.x, area.y, blank, width, self.theme.bad);
        buffer.set_stringn(area.x, area.y, text, width, self.theme.bad);
    }
}

/// Where, and what.
fn headline(problem: &Problem) -> String {
    match problem.place.as_str() {
        "" => problem.message.clone(),
        place => format!("{place}: {}", problem.message),
    }
}

/// The list.
#[derive(Debug)]
pub struct ProblemList<'a> {
    /// What is wrong.
    pub problems: &'a Problems,
    /// The marked one.
    pub marked: usize,
    /// The styles.
    pub theme: &'a Theme,
}

impl Widget for ProblemList<'_> {
    /// Takes what it needs of the lower end of its area.
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let width = usize::from(area.width.saturating_sub(2));
        let (lines, marked) = self.lines(width);
        let height = (lines.len() as u16).min(ROWS).saturating_add(2).min(area.height);
        let area = Rect { y: area.bottom() - height, height, ..area };
        Clear.render(area, buffer);
        let counts = [(self.problems.errors(), "error"), (self.problems.warnings(), "warning")];
        let told = counts.into_iter().filter(|(count, _)| *count > 0);
        let title: Vec<_> = told.map(|(count, word)| words::count(count as u64, word)).collect();
        let rows = usize::from(height.saturating_sub(2));
        // What is marked is seen as a whole, as far as there is room.
        let first = marked.end.saturating_sub(rows).min(marked.start);
        let below = lines.len().saturating_sub(first + rows);
        let more = if below > 0 { format!("{below} more lines") } else { String::new() };
        let inside = pane::frame(&title.join(", "), &more, self.theme, area, buffer);
        for (y, (text, style)) in (inside.y..inside.bottom()).zip(lines.iter().skip(first)) {
            buffer.set_stringn(inside.x, y, pane::fitted(text, width), width, *style);
        }
    }
}

impl ProblemList<'_> {
    /// All lines, and which of them are about the marked one.
    fn lines(&self, width: usize) -> (Vec<(String, Style)>, core::ops::Range<usize>) {
        let theme = self.theme;
        let mut lines = Vec::new();
        let mut marked = 0..0;
        for (index, problem) in self.problems.list().iter().enumerate() {
            let begin = lines.len();
            let is_marked = index == self.marked;
            let sign = if is_marked { glyph::MARKER } else { " " };
            let style = if problem.is_error { theme.bad } else { theme.warn };
            let word = if problem.is_error { "error" } else { "warning" };
            let text = format!("{sign} {word} {}", headline(problem));
            if !is_marked {
                lines.push((text, style));
                continue;
            }
            let wrapped = pane::wrapped(&text, width);
            lines.extend(wrapped.into_iter().map(|line| (line, style)));
            lines.extend(self.excerpt(problem, width));
            for help in &problem.help {
                let wrapped = pane::wrapped(&format!("help: {help}"), width.saturating_sub(INDENT));
                let indented = |line| format!("{:INDENT$}{line}", "");
                lines.extend(wrapped.into_iter().map(|line| (indented(line), theme.text)));
            }
            marked = begin..lines.len();
        }
        (lines, marked)
    }

    /// The line of the file, and under it what is meant.
    fn excerpt(&self, problem: &Problem, width: usize) -> Vec<(String, Style)> {
        if problem.line.is_empty() {
            return Vec::new();
        }
        let room = width.saturating_sub(INDENT).max(1);
        let (begin, end) = problem.span;
        // Of a long line the part is shown that it is about.
        let left_out = (begin + 8).saturating_sub(room);
        let line: String = problem.line.chars().skip(left_out).collect();
        let before: String = line.chars().take(begin - left_out.min(begin)).collect();
        let meant: String = line.chars().skip(before.chars().count()).take(end - begin).collect();
        let carets = "^".repeat(meant.width().max(1));
        let indent = " ".repeat(INDENT);
        vec![
            (format!("{indent}{line}"), self.theme.strong),
            (format!("{indent}{}{carets}", " ".repeat(before.width())), self.theme.key),
        ]
    }
}
