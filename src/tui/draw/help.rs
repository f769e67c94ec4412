//! The help page: keys of the current context, all other keys, overlays, map symbols and shell
//! commands. Typed text filters the rows.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use crate::files::keys::old_names;
use crate::tui::action::{
    Command, Context, FEATURES, Keymap, Section, all_sections, conditions, matches, nearest,
    sections,
};
use crate::tui::glyph;
use crate::tui::input::Key;
use crate::tui::line::Line as TextInput;
use crate::tui::overlays;
use crate::tui::theme::Theme;

use super::pane;
use super::reading::{PageText, WIDTH};

/// Width of the column with keys, in terminal columns.
const KEYS: usize = 16;

/// Width of the column with descriptions, in terminal columns. Narrow pages do not use this column
/// width.
const ABOUT: usize = 37;

/// Returns the help page for a screen. The keys of the context in which the help was opened come
/// first.
///
/// A filter keeps the rows that contain every typed word. Filtered rows include rare commands and
/// show their details.
pub fn page(
    context: Context,
    filter: &TextInput,
    keymap: &Keymap,
    screen: Rect,
    theme: &Theme,
) -> PageText {
    let width = usize::from(screen.width.min(WIDTH).saturating_sub(3));
    let typed = filter.text().trim();
    let writer = |text: &str| Writer {
        words: text.split_whitespace().map(str::to_lowercase).collect(),
        keymap,
        width,
        theme,
        lines: Vec::new(),
    };
    let mut writer_of_typed = writer(typed);
    writer_of_typed.write(context, typed.parse().ok());
    let mut lines = writer_of_typed.lines;
    if lines.is_empty() {
        let shown = glyph::clean(typed);
        let near = nearest(typed);
        let text = match near {
            Some(near) => format!("no match for \"{shown}\"; nearest: {near}"),
            None => format!("no match for \"{shown}\""),
        };
        lines.push(Line::styled(text, theme.warn));
        if let Some(near) = near {
            let mut nearest = writer(near);
            nearest.write(context, None);
            lines.push(Line::default());
            lines.extend(nearest.lines);
        }
    }
    // The page keeps its size while the user types.
    let rows = usize::from(screen.height.saturating_sub(3));
    lines.resize(lines.len().max(rows), Line::default());
    let title = match glyph::clean(filter.text()).as_str() {
        "" => "help: type to search".to_owned(),
        filter => format!("help: {filter}_"),
    };
    PageText { title, width: WIDTH, lines }
}

struct Writer<'a> {
    words: Vec<String>,
    keymap: &'a Keymap,
    width: usize,
    theme: &'a Theme,
    lines: Vec<Line<'static>>,
}

impl Writer<'_> {
    /// Writes all sections. `key` is the key that the filter names, if any. The commands bound to
    /// that key come first.
    fn write(&mut self, context: Context, key: Option<Key>) {
        let mut shown: Vec<&'static str> = Vec::new();
        let here = sections(context);
        if let Some(key) = key {
            let all = all_sections();
            let rows = here.iter().chain(&all).flat_map(|section| &section.rows);
            let mut bound: Vec<&'static Command> = Vec::new();
            for entry in rows.filter(|entry| self.keymap.of(entry).contains(&key)) {
                if bound.iter().all(|other| other.name != entry.name) {
                    bound.push(entry);
                }
            }
            shown.extend(bound.iter().map(|entry| entry.name));
            self.section(&Section { title: format!("Key {key}"), rows: bound });
        }
        // A state or event with the typed name is more likely meant than a longer description.
        self.conditions();
        for mut section in here.into_iter().chain(all_sections()) {
            section.rows.retain(|entry| self.finds(entry) && !shown.contains(&entry.name));
            shown.extend(section.rows.iter().map(|entry| entry.name));
            self.section(&section);
        }
        self.overlays();
        self.signs();
        self.shell();
    }

    /// Writes the states and events with the commands that pause at them.
    fn conditions(&mut self) {
        let found = conditions(&self.words).into_iter();
        let rows = found.flat_map(|hit| self.row("", &hit.about, &format!(":{}", hit.command), ""));
        let rows = rows.collect();
        self.block("States and events", rows);
    }

    fn is_search(&self) -> bool {
        !self.words.is_empty()
    }

    fn finds(&self, entry: &'static Command) -> bool {
        let keys = self.keymap.text(entry);
        let usage = entry.usage();
        let old = old_names::TABLE.iter().find(|alias| alias.new == entry.name);
        let old = old.map_or("", |alias| alias.old);
        let [name, about, detail, keywords] = entry.texts();
        let texts = [&keys, &usage, name, about, detail, keywords, old];
        let is_short = matches!(&self.words[..], [word] if entry.is_short(word));
        is_short || matches(&self.words, &texts) && (self.is_search() || !entry.is_rare)
    }

    fn section(&mut self, section: &Section) {
        let rows = section.rows.iter().flat_map(|entry| {
            let name =
                if entry.is_command() { format!(":{}", entry.usage()) } else { String::new() };
            let detail = if self.is_search() { entry.detail } else { "" };
            self.row(&self.keymap.text(entry), entry.about, &name, detail)
        });
        let rows = rows.collect();
        self.block(&section.title, rows);
    }

    /// Writes a heading and its rows, followed by an empty line. Writes nothing without rows.
    fn block(&mut self, title: &str, rows: Vec<Line<'static>>) {
        if !rows.is_empty() {
            self.lines.push(Line::styled(title.to_owned(), self.theme.title));
            self.lines.extend(rows);
            self.lines.push(Line::default());
        }
    }

    /// Returns the lines of a help row.
    ///
    /// Keys, description and name share the first line if they fit. Otherwise the name has its own
    /// line. Details follow below.
    fn row(&self, keys: &str, about: &str, name: &str, detail: &str) -> Vec<Line<'static>> {
        let theme = self.theme;
        let room = self.width.saturating_sub(KEYS + 2);
        let keys = pane::fitted(keys, KEYS - 1);
        let first = format!("  {keys:<KEYS$}");
        let mut texts = pane::wrapped(about, room).into_iter();
        let text = texts.next().unwrap_or_default();
        let gap = if room > ABOUT + 20 { ABOUT.saturating_sub(text.width()).max(2) } else { 2 };
        let fits = texts.len() == 0 && text.width() + gap + name.width() <= room;
        let indented = |text: String, style| {
            let indent = Span::raw(" ".repeat(KEYS + 2));
            Line::from(vec![indent, Span::styled(text, style)])
        };
        let mut line = vec![Span::styled(first, theme.key), Span::styled(text, theme.text)];
        if fits && !name.is_empty() {
            line.push(Span::styled(format!("{}{name}", " ".repeat(gap)), theme.dim));
        }
        let mut lines = vec![Line::from(line)];
        lines.extend(texts.map(|text| indented(text, theme.text)));
        if !fits && !name.is_empty() {
            lines.push(indented(name.to_owned(), theme.dim));
        }
        if !detail.is_empty() {
            lines.extend(
                pane::wrapped(detail, room).into_iter().map(|text| indented(text, theme.dim)),
            );
        }
        lines
    }

    fn overlays(&mut self) {
        let found = overlays::TABLE.iter().filter(|entry| {
            matches(&self.words, &[entry.name, entry.about, entry.keywords, "overlay"])
        });
        let rows = found.flat_map(|entry| {
            let about = format!("{}: {}", entry.name, entry.about);
            self.row(&format!("o {}", entry.key), &about, &format!(":overlay {}", entry.name), "")
        });
        let rows = rows.collect();
        self.block("Overlays", rows);
    }

    fn signs(&mut self) {
        let theme = self.theme;
        let rows = [
            ("→", theme.heading, "heading"),
            (" ", theme.pattern, "tile of the pattern"),
            (glyph::NEXT, theme.next, "next tile of the pattern"),
            (glyph::CANDIDATE, theme.candidate, "candidate for the next random choice"),
            (glyph::CAME_FROM, theme.came_from, "previous tile"),
            (
                glyph::row(0),
                theme.vector(0),
                "force of behaviour 1; the dashed part was not applied",
            ),
            (glyph::TARGET, theme.target, "steering target"),
            (glyph::PREDICTED, theme.target, "predicted position of the target"),
            (glyph::CHOSEN_HIDING_SPOT, theme.target, "chosen hiding spot; others are dim"),
            (glyph::WAYPOINT, theme.path, "current waypoint of the path"),
            (glyph::HIT, theme.hit, "wall hit by a feeler, or obstacle in the detection box"),
            (glyph::WANDER, theme.wander, "wander target"),
            (glyph::TICK, theme.trail, "one-second tick of the trail"),
        ];
        let found = rows
            .into_iter()
            .filter(|(_, _, text)| matches(&self.words, &[text, "legend", "sign", "symbol"]));
        let lines = found.map(|(sign, style, text)| {
            Line::from(vec![
                Span::raw("  "),
                Span::styled(format!("{sign} "), style),
                Span::raw(" ".repeat(KEYS - 2)),
                Span::styled(text, theme.text),
            ])
        });
        let lines = lines.collect();
        self.block("Legend: signs for the selected agent", lines);
    }

    /// Writes the shell commands, which run without the screen of tilewalk.
    fn shell(&mut self) {
        let found = FEATURES
            .iter()
            .filter(|it| matches(&self.words, &[it.usage, it.about, it.keywords, "shell"]));
        let rows = found.flat_map(|it| self.row("", it.about, it.usage, ""));
        let rows = rows.collect();
        self.block("In a shell", rows);
    }
}
