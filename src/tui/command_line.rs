//! The command line, which opens on top of any mode.

pub mod complete;
pub mod parse;

use core::ops::Range;
use std::sync::Arc;

use ratatui::layout::Rect;

use crate::world::World;

use super::action::{Command, Context, Invocation, Keymap};
use super::argument::Complaint;
use super::draw::line::LineRow;
use super::draw::list::{List, ListRow, Spans};
use super::draw::pane;
use super::glyph;
use super::host::{GalleryEntry, Host};
use super::input::Key;
use super::layout;
use super::line::{Line, Typed};
use super::theme::Theme;
use super::ui::Ui;

use complete::{Meaning, Suggestion, Suggestions, suggestions};

/// Facts about the screen for the command line.
#[derive(Debug, Clone, Copy)]
pub struct Scene<'a> {
    /// The context in which the command line was opened.
    pub context: Context,
    /// World of the open map at the current frame. `None` in the gallery.
    pub world: Option<&'a World>,
    pub keymap: &'a Keymap,
    /// The maps in the gallery.
    pub maps: &'a [GalleryEntry],
    /// Completes paths. `None` completes no paths.
    pub host: Option<&'a dyn Host>,
}

impl<'a> Scene<'a> {
    /// Creates a scene without maps and paths.
    pub fn new(context: Context, world: Option<&'a World>, keymap: &'a Keymap) -> Self {
        Self { context, world, keymap, maps: &[], host: None }
    }
}

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

/// Maximum number of commands in the history. The oldest are dropped.
const REMEMBERED: usize = 200;

/// The command line while it is open, and the history of commands.
#[derive(Debug, Clone, Default)]
pub struct Prompt {
    /// The open command line. `None` while the command line is closed.
    pub line: Option<CommandLine>,
    /// The command that caused the effect in progress. If the effect fails, the command line
    /// reopens with this command.
    pub(super) tried: Option<CommandLine>,
    /// The texts of past commands, oldest first.
    history: Vec<String>,
    /// Completes paths. `None` completes no paths.
    pub host: Option<Arc<dyn Host>>,
}

impl Prompt {
    /// Opens the command line, with `text` already typed.
    pub(super) fn open(&mut self, text: &str, scene: Scene) {
        let mut line = CommandLine::new(scene);
        line.edit(Typed::Paste(text), scene);
        self.line = Some(line);
    }

    /// Opens the command line with `text` typed. The text after the first `kept` characters is
    /// selected, so that the next character replaces it.
    pub(super) fn open_with_proposal(&mut self, text: &str, kept: usize, scene: Scene) {
        self.open(text, scene);
        if let Some(line) = &mut self.line {
            line.line.select_from(kept);
        }
    }

    /// Moves the selection by `rows`, or recalls a command from the history. Returns false if the
    /// command line is closed.
    pub(super) fn move_by(&mut self, rows: isize, scene: Scene) -> bool {
        if let Some(line) = &mut self.line {
            line.choose(rows, &self.history, scene);
        }
        self.line.is_some()
    }

    /// Adds a command to the history, unless it equals the last one.
    pub(super) fn remember(&mut self, text: &str) {
        if self.history.last().is_none_or(|last| last != text) {
            self.history.push(text.to_owned());
        }
        let many = self.history.len().saturating_sub(REMEMBERED);
        self.history.drain(..many);
    }

    /// Returns the suggestions of the open command line. `rows` is the number of rows at the lower
    /// edge of the screen that stay visible. Returns `None` while the command line is closed.
    pub(super) fn list<'a>(&'a self, rows: u16, ui: &'a Ui) -> Option<List<'a>> {
        let area = Rect { height: ui.screen.height.saturating_sub(rows), ..ui.screen };
        let (keymap, theme) = (&ui.setup.keymap, &ui.setup.theme);
        Some(list(self.line.as_ref()?, keymap, theme, area))
    }
}

/// The typed command, its suggestions and its error.
#[derive(Debug, Clone)]
pub struct CommandLine {
    line: Line,
    suggestions: Suggestions,
    /// The typed text, without the selected suggestion.
    typed: String,
    selected: Option<usize>,
    /// The index of the recalled command in the history. `None` for a typed command.
    past: Option<usize>,
    complaint: Option<LineNote>,
}

/// An error or warning about the line. An error has a range in the line, in bytes. A warning has no
/// range.
#[derive(Debug, Clone)]
struct LineNote {
    span: Option<Range<usize>>,
    text: String,
}

impl CommandLine {
    /// Opens an empty command line.
    pub fn new(scene: Scene) -> Self {
        let mut line = Self {
            line: Line::default(),
            suggestions: Suggestions::default(),
            typed: String::new(),
            selected: None,
            past: None,
            complaint: None,
        };
        line.changed(scene);
        line
    }

    /// Edits the text of the line, and updates the suggestions.
    pub fn edit(&mut self, typed: Typed, scene: Scene) {
        if self.line.edit(typed) {
            self.changed(scene);
        }
    }

    fn changed(&mut self, scene: Scene) {
        self.line.text().clone_into(&mut self.typed);
        self.suggestions = suggestions(&self.typed, scene);
        self.selected = None;
        self.past = None;
        self.complaint = None;
    }

    /// Selects the suggestion `by` rows further.
    ///
    /// In an empty line or after a recalled command, recalls a command from `history` instead. The
    /// latest command is the last element of `history`.
    pub fn choose(&mut self, by: isize, history: &[String], scene: Scene) {
        let walks = self.past.is_some() || (self.line.text().is_empty() && by < 0);
        if walks && !history.is_empty() {
            let last = history.len() - 1;
            let next = self.past.map_or(last, |past| past.saturating_add_signed(by));
            self.line.set(history.get(next).map_or("", String::as_str));
            self.changed(scene);
            self.past = (next <= last).then_some(next);
            return;
        }
        let count = self.suggestions.list.len();
        if count > 0 {
            let from = self.selected.unwrap_or(if by < 0 { 0 } else { count - 1 });
            self.select((from + count).saturating_add_signed(by) % count);
        }
    }

    /// Selects a suggestion and inserts it into the line.
    pub fn select(&mut self, index: usize) {
        let Some(suggestion) = self.suggestions.list.get(index) else { return };
        let kept = self.typed.get(..self.suggestions.from).unwrap_or_default();
        self.line.set(&format!("{kept}{}", suggestion.text));
        self.selected = Some(index);
        self.complaint = None;
    }

    /// Completes the last word with the selected suggestion, or with the first one.
    pub fn complete(&mut self, scene: Scene) {
        let index = self.selected.unwrap_or(0);
        let Some(suggestion) = self.suggestions.list.get(index) else { return };
        let entry = suggestion.meaning.command();
        let goes_on = entry.is_some_and(|entry| entry.parameter.kind().is_some());
        self.select(index);
        if goes_on {
            self.line.key(Key::Char(' '));
        }
        self.changed(scene);
    }

    /// Parses the line. Returns `None` for an empty line.
    ///
    /// # Errors
    /// Returns an error if the line is not a valid command. The command line shows the error and
    /// keeps the text.
    pub fn read(&mut self, scene: Scene) -> Result<Option<Invocation>, Complaint> {
        let read = parse::parse(self.line.text(), scene);
        if let Err(complaint) = &read {
            self.line.go_to(characters(self.line.text(), complaint.span.end));
            let Complaint { span, text } = complaint.clone();
            self.complaint = Some(LineNote { span: Some(span), text });
        }
        read
    }

    /// Shows an error about the command's argument, and keeps the text.
    pub fn refuse(&mut self, text: String) {
        let line = self.line.text();
        let begin = parse::parts(line).argument.unwrap_or(line.len());
        let span = begin..begin.max(line.trim_end().len());
        self.line.go_to(characters(line, span.end));
        self.complaint = Some(LineNote { span: Some(span), text });
    }

    /// Shows a warning about the whole command, and keeps the text.
    pub fn warn(&mut self, text: String) {
        self.complaint = Some(LineNote { span: None, text });
    }

    /// Returns the typed text with its cursor.
    pub fn line(&self) -> &Line {
        &self.line
    }

    /// Returns the suggestions for the typed text, best first.
    pub fn suggestions(&self) -> &[Suggestion] {
        &self.suggestions.list
    }

    /// Returns the command whose argument is being typed. Returns `None` while the name is typed.
    pub fn entry(&self) -> Option<&'static Command> {
        self.suggestions.entry
    }

    /// Returns the index of the selected suggestion, or `None` if none is selected.
    pub fn selected(&self) -> Option<usize> {
        self.selected
    }

    /// Returns the typed words, safe to show.
    fn words(&self) -> String {
        glyph::clean(self.typed.trim_start_matches([':', ' ']).trim_end())
    }

    /// Returns true if words are typed that nothing matches. A number is a frame, and not a word.
    fn is_unknown(&self) -> bool {
        let words = self.words();
        let is_word = words.starts_with(|c: char| !c.is_ascii_digit());
        is_word && self.entry().is_none() && self.suggestions.list.is_empty()
    }

    /// Returns the error or warning about the line, or `None` if the line has neither. An error has
    /// a range in characters. A warning has no range.
    pub fn complaint(&self) -> Option<(Option<Range<usize>>, &str)> {
        let LineNote { span, text } = self.complaint.as_ref()?;
        let place = |at| characters(self.line.text(), at);
        Some((span.as_ref().map(|span| place(span.start)..place(span.end)), text))
    }
}

/// Converts a byte offset to a character offset.
fn characters(text: &str, bytes: usize) -> usize {
    text.char_indices().take_while(|&(at, _)| at < bytes).count()
}

/// Returns the command line and its suggestions, placed in the lowest rows of `screen`.
fn list<'a>(line: &'a CommandLine, keymap: &'a Keymap, theme: &'a Theme, screen: Rect) -> List<'a> {
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
        (None, None) => match line.suggestions.nearest {
            Some(near) => {
                (format!("no match for \"{}\"; nearest: {near}", line.words()), theme.warn)
            }
            None if line.is_unknown() => (format!("no match for \"{}\"", line.words()), theme.warn),
            None => return Vec::new(),
        },
    };
    pane::wrapped(&text, width.into()).into_iter().map(|line| (line, style)).collect()
}

fn row(suggestion: &Suggestion, keymap: &Keymap, width: usize, theme: &Theme) -> ListRow {
    let text = &suggestion.text;
    let (name, keys, about) = match &suggestion.meaning {
        Meaning::Word => return vec![(format!(" {text}"), theme.text)].into(),
        Meaning::Command(entry) => (entry.usage(), keymap.text(entry), entry.about.to_owned()),
        Meaning::Overlay(entry) => {
            (text.clone(), String::new(), format!("overlay: {}", entry.about))
        }
        Meaning::Condition(about) => {
            let (command, condition) = text.split_once(' ').unwrap_or((text, ""));
            (command.to_owned(), String::new(), format!("{condition}  {about}"))
        }
        Meaning::Shell(feature) => {
            let about = format!("{}: {}", feature.usage, feature.about);
            ("in a shell".to_owned(), String::new(), about)
        }
    };
    let name = pane::fitted(&format!(" {name}"), NAME - 2);
    let has_keys = width > NAME + KEYS + 20 && !keys.is_empty();
    ListRow {
        spans: vec![(format!("{name:<0$}", NAME - 1), theme.text), (about, theme.dim)],
        right: has_keys.then(|| (format!("{keys:<KEYS$}"), theme.key)),
    }
}
