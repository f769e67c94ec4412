//! Pages to read: the help, made from the table of actions, and what was wrong with a map.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget};
use unicode_width::UnicodeWidthStr;

use crate::tui::action::{self, Context, Entry, Keymap, Section};
use crate::tui::app::{Base, Help, Trouble};
use crate::tui::glyph;
use crate::tui::input::Key;
use crate::tui::theme::Theme;

use super::{gallery, pane};

/// A page.
#[derive(Debug)]
pub struct Page {
    /// Its title.
    pub title: String,
    /// Columns it needs.
    pub width: u16,
    /// Its lines.
    pub lines: Vec<Line<'static>>,
}

/// Columns of the keys in the help.
const KEYS: usize = 16;

/// Columns of the help and of the messages, when the screen has them.
pub const WIDTH: u16 = 96;

/// The help: everything that can be done, what is below it first, and what the signs mean; of that
/// what has all words of the filter.
pub fn help(help: &Help, keymap: &Keymap, screen: Rect, theme: &Theme) -> Page {
    let mut lines = Vec::new();
    let words: Vec<String> = help.filter.text().split_whitespace().map(str::to_lowercase).collect();
    let first = match help.base {
        Base::Gallery => Context::Gallery,
        Base::Watch => Context::Watch,
    };
    let others = Context::ALL.into_iter().filter(|&context| context != first);
    let width = usize::from(screen.width.min(WIDTH).saturating_sub(3));
    let sections = || [first].into_iter().chain(others.clone()).flat_map(action::sections);
    let of_key = asked_key(help).map_or_else(Vec::new, |key| bound(key, keymap, sections()));
    let mut under = |title: &str, rows: Vec<&'static Entry>| {
        let rows = rows.into_iter().flat_map(|entry| row(entry, &keymap.text(entry), width, theme));
        let rows: Vec<_> = rows.collect();
        if !rows.is_empty() {
            lines.push(Line::styled(title.to_owned(), theme.title));
            lines.extend(rows);
            lines.push(Line::default());
        }
    };
    under(&format!("The key {}", help.filter.text().trim()), of_key.clone());
    for mut section in sections() {
        section.rows.retain(|entry| {
            let told = of_key.iter().any(|other| other.name == entry.name);
            !told && found(&words, &[&keymap.text(entry), &entry.usage(), entry.about])
        });
        under(section.title, section.rows);
    }
    lines.extend(signs(&words, theme));
    if lines.is_empty() {
        let text = format!("nothing matches \"{}\"", glyph::clean(help.filter.text().trim()));
        lines.push(Line::styled(text, theme.warn));
    }
    // The page keeps its size while somebody types.
    let rows = usize::from(screen.height.saturating_sub(3));
    lines.resize(lines.len().max(rows), Line::default());
    let filter = glyph::clean(help.filter.text());
    let title = match filter.as_str() {
        "" => "help: type to look for something".to_owned(),
        filter => format!("help: {filter}_"),
    };
    Page { title, width: WIDTH, lines }
}

/// The key that is asked about, if what is typed is one.
fn asked_key(help: &Help) -> Option<Key> {
    help.filter.text().trim().parse().ok()
}

/// The rows that have a key, each once.
fn bound(
    key: Key,
    keymap: &Keymap,
    sections: impl Iterator<Item = Section>,
) -> Vec<&'static Entry> {
    let mut rows: Vec<&'static Entry> = Vec::new();
    for entry in sections.flat_map(|section| section.rows) {
        if keymap.of(entry).contains(&key) && rows.iter().all(|row| row.name != entry.name) {
            rows.push(entry);
        }
    }
    rows
}

/// Has one of the texts each of the words?
fn found(words: &[String], texts: &[&str]) -> bool {
    words.iter().all(|word| texts.iter().any(|text| text.to_lowercase().contains(word)))
}

/// A row of the table: its keys, what it does, and how it is called as a command.
fn row(entry: &Entry, keys: &str, width: usize, theme: &Theme) -> Vec<Line<'static>> {
    let room = width.saturating_sub(KEYS + 2);
    let name = if entry.is_command() { format!(":{}", entry.usage()) } else { String::new() };
    let mut texts = pane::wrapped(entry.about, room);
    let fits = |last: &String| name.is_empty() || last.width() + 2 + name.width() <= room;
    if !texts.last().is_some_and(fits) {
        texts.push(String::new());
    }
    let mut keys = pane::fitted(keys, KEYS);
    let last = texts.len() - 1;
    let lines = texts.into_iter().enumerate().map(|(index, text)| {
        let mut spans = vec![Span::styled(format!("  {keys:<KEYS$}"), theme.key)];
        keys.clear();
        let gap = if text.is_empty() { "" } else { "  " };
        spans.push(Span::styled(text, theme.text));
        if index == last && !name.is_empty() {
            spans.push(Span::styled(format!("{gap}{name}"), theme.dim));
        }
        Line::from(spans)
    });
    lines.collect()
}

/// What the signs on the map mean.
fn signs(words: &[String], theme: &Theme) -> Vec<Line<'static>> {
    let mut lines = vec![Line::styled("On the map, for the selected agent", theme.title)];
    let rows = [
        ("→", theme.heading, "its heading"),
        (" ", theme.pattern, "a tile of its pattern"),
        (glyph::NEXT, theme.next, "the tile it steps to next"),
        (glyph::CANDIDATE, theme.candidate, "a tile the next choice may lead to"),
        (glyph::CAME_FROM, theme.came_from, "the tile it came from"),
        (glyph::row(0), theme.vector(0), "the force of the first behaviour; dashed, what was cut"),
        (glyph::TARGET, theme.target, "what its steering is about"),
        (glyph::PREDICTED, theme.target, "where that is expected to be"),
        (glyph::CHOSEN_SPOT, theme.target, "the place it hides at"),
        (glyph::SPOT, theme.dim, "another place to hide at"),
        (glyph::WAYPOINT, theme.path, "the point of its path it goes to"),
        (glyph::HIT, theme.hit, "where a feeler meets something, or what is avoided"),
        (glyph::WANDER, theme.wander, "the point wander pulls to"),
        (glyph::TICK, theme.trail, "a full second of its trail"),
    ];
    for (sign, style, text) in rows.into_iter().filter(|(_, _, text)| found(words, &[text])) {
        lines.push(Line::from(vec![
            Span::raw("  "),
            Span::styled(format!("{sign} "), style),
            Span::raw(" ".repeat(KEYS - 2)),
            Span::styled(text, theme.text),
        ]));
    }
    // The title alone tells nothing.
    lines.drain(..usize::from(lines.len() == 1));
    lines
}

/// What to watch on a map, as its author says.
pub fn about(title: &str, comment: &str, screen: Rect, theme: &Theme) -> Page {
    let width = screen.width.min(WIDTH);
    let lines = gallery::told(comment, usize::from(width.saturating_sub(3)), theme);
    Page { title: glyph::clean(title), width, lines }
}

/// What was wrong with a file, as it was written for people.
pub fn errors(trouble: &Trouble, theme: &Theme) -> Page {
    let lines = trouble.text.lines().map(|line| {
        let style = if line.starts_with("error") { theme.bad } else { theme.text };
        Line::styled(glyph::clean(&line.replace('\t', "    ")), style)
    });
    Page { title: trouble.title.to_owned(), width: u16::MAX, lines: lines.collect() }
}

/// A page on the screen.
#[derive(Debug)]
pub struct Reading<'a> {
    /// The page.
    pub page: &'a Page,
    /// Lines that are scrolled away.
    pub scroll: usize,
    /// The styles.
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
        let lines = self.page.lines.iter().skip(self.scroll).take(rows);
        for (row, line) in lines.enumerate() {
            let width = inside.width.saturating_sub(1);
            buffer.set_line(inside.x + 1, inside.y + row as u16, line, width);
        }
    }
}
