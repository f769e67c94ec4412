//! Text pages in the middle of the screen: help, messages, map descriptions and errors.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget};
use unicode_width::UnicodeWidthStr;

use crate::tui::glyph;
use crate::tui::messages::{LoggedMessage, Message, Messages};
use crate::tui::theme::Theme;

use super::{answer, pane};

#[derive(Debug)]
/// The content of a text page.
pub struct PageText {
    pub title: String,
    /// Maximum width of the page in columns, including the border.
    pub width: u16,
    /// Lines in display order. A line wider than the page is cut.
    pub lines: Vec<Line<'static>>,
}

/// Maximum width of help, messages and map descriptions, in columns, including the border.
pub const WIDTH: u16 = 96;

/// Returns the page with a map's title and description. The description is wrapped to the page.
pub fn about(title: &str, comment: &str, screen: Rect, theme: &Theme) -> PageText {
    let width = screen.width.min(WIDTH);
    let lines = description(comment, usize::from(width.saturating_sub(3)), theme);
    PageText { title: glyph::clean(title), width, lines }
}

/// Wraps a map description to `width` columns. Labels such as `Watch:` have the style of keys.
pub fn description(comment: &str, width: usize, theme: &Theme) -> Vec<Line<'static>> {
    let line = |text: String| {
        let text = glyph::clean(&text);
        let label = text.split_once(": ").filter(|(label, _)| is_label(label));
        let (label, rest) = text.split_at(label.map_or(0, |(label, _)| label.len() + 1));
        Line::from(vec![
            Span::styled(label.to_owned(), theme.key),
            Span::styled(rest.to_owned(), theme.text),
        ])
    };
    wrapped(comment, width).into_iter().map(line).collect()
}

/// Wraps the paragraphs of a map description to `width` columns.
pub fn wrapped(comment: &str, width: usize) -> Vec<String> {
    paragraphs(comment).iter().flat_map(|text| pane::wrapped(text, width)).collect()
}

/// Joins the lines of each paragraph. Empty lines and labels such as `Watch:` start a paragraph.
fn paragraphs(comment: &str) -> Vec<String> {
    let mut paragraphs: Vec<String> = Vec::new();
    for line in comment.lines().map(str::trim) {
        let begins = line.is_empty() || line.split_once(':').is_some_and(|(l, _)| is_label(l));
        match paragraphs.last_mut() {
            Some(last) if !begins && !last.is_empty() => {
                last.push(' ');
                last.push_str(line);
            }
            _ => paragraphs.push(line.to_owned()),
        }
    }
    paragraphs
}

/// Returns true if a text is one of the labels in map descriptions. Old maps use "Change first".
fn is_label(text: &str) -> bool {
    matches!(text, "Watch" | "Try" | "Change first")
}

/// Returns the page with the errors that prevented an action. Lines that begin with `error` are
/// highlighted.
pub fn errors(title: &str, text: &str, theme: &Theme) -> PageText {
    let lines = text.lines().map(|line| {
        let style = if line.starts_with("error") { theme.bad } else { theme.text };
        Line::styled(glyph::clean(&line.replace('\t', "    ")), style)
    });
    PageText { title: title.to_owned(), width: u16::MAX, lines: lines.collect() }
}

/// Draws a text page with its border over the centre of the screen.
#[derive(Debug)]
pub struct Reading<'a> {
    pub page: &'a PageText,
    /// Number of lines that are scrolled off the top of the page.
    pub scroll: usize,
    pub theme: &'a Theme,
}

impl Widget for Reading<'_> {
    fn render(self, screen: Rect, buffer: &mut Buffer) {
        let width = self.page.width.min(screen.width);
        let height = (self.page.lines.len() + 2).min(usize::from(screen.height)) as u16;
        let area = Rect {
            x: screen.x + (screen.width - width) / 2,
            y: screen.y + (screen.height - height) / 2,
            width,
            height,
        };
        if area.is_empty() {
            return;
        }
        Clear.render(area, buffer);
        let rows = usize::from(height.saturating_sub(2));
        let left = self.page.lines.len().saturating_sub(self.scroll + rows);
        let more = if left > 0 { format!("{left} more lines below") } else { String::new() };
        let inside = pane::frame(&self.page.title, &more, self.theme, area, buffer);
        pane::write(self.page.lines.iter().skip(self.scroll), inside, buffer);
    }
}

/// Maximum width of the text before a message, in columns. The text contains the map name and the
/// frame.
const PLACE: usize = 20;

/// Returns the page of logged messages, newest first. `here` is the name of the open map, whose
/// messages show only the frame. `columns` is the width of the screen.
pub fn messages(messages: &Messages, here: Option<&str>, columns: u16, theme: &Theme) -> PageText {
    let logged: Vec<_> = messages.newest_first().map(|entry| (place(entry, here), entry)).collect();
    let places = logged.iter().map(|(place, _)| place.width()).max().unwrap_or(0);
    let room = usize::from(columns.min(WIDTH)).saturating_sub(places + 5);
    let mut lines = Vec::new();
    for (place, entry) in logged {
        let (text, style) = answer::styled(&entry.message, theme);
        let style = if matches!(entry.message, Message::Note(_)) { theme.text } else { style };
        let mut place = format!("{place:>places$}");
        for line in pane::wrapped(&text, room) {
            lines.push(Line::from(vec![
                Span::styled(format!("{place}  "), theme.dim),
                Span::styled(line, style),
            ]));
            place = " ".repeat(places);
        }
    }
    if lines.is_empty() {
        lines.push(Line::styled("no messages yet", theme.dim));
    }
    PageText { title: "messages, newest first".to_owned(), width: WIDTH, lines }
}

/// Formats the map name and the frame of a message. The map name is omitted if `here` is the same
/// map. A message of the gallery has only the word `gallery`.
fn place(entry: &LoggedMessage, here: Option<&str>) -> String {
    let place = match &entry.at {
        None => "gallery".to_owned(),
        Some((map, frame)) if Some(map.as_str()) == here => frame.to_string(),
        Some((map, frame)) => format!("{map} {frame}"),
    };
    pane::fitted(&place, PLACE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_in_a_comment_begins_a_paragraph() {
        let comment = "Two walkers\nroam.\nWatch: each\nway.\nTry: `seed`.";
        assert_eq!(paragraphs(comment), ["Two walkers roam.", "Watch: each way.", "Try: `seed`."]);
    }
}
