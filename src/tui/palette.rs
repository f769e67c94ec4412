//! The command line. It opens on top of any mode, and no mode knows about it.

pub mod complete;
pub mod parse;

use crate::scenario::Scenario;

use super::action::{Context, Entry, Invocation, Keymap};
use super::argument::Complaint;
use super::input::Key;
use super::library;
use super::line::Line;

use complete::{Suggestion, Suggestions, suggestions};

/// What a command is asked about.
#[derive(Debug, Clone, Copy)]
pub struct Scene<'a> {
    /// Where it is typed.
    pub context: Context,
    /// The map, if there is one.
    pub scenario: Option<&'a Scenario>,
    /// Which keys ask for what.
    pub keymap: &'a Keymap,
    /// The maps of the gallery.
    pub maps: &'a [library::Entry],
    /// The paths of maps that begin with a text.
    pub paths: fn(&str) -> Vec<String>,
}

impl<'a> Scene<'a> {
    /// One without other maps.
    pub fn new(context: Context, scenario: Option<&'a Scenario>, keymap: &'a Keymap) -> Self {
        Self { context, scenario, keymap, maps: &[], paths: |_| Vec::new() }
    }
}

/// A command being typed.
#[derive(Debug, Clone)]
pub struct Palette {
    line: Line,
    suggestions: Suggestions,
    /// What was typed before a suggestion was chosen.
    typed: String,
    marked: Option<usize>,
    /// Which command of the history stands in the line.
    past: Option<usize>,
    complaint: Option<Complaint>,
}

impl Palette {
    /// An empty line.
    pub fn new(scene: Scene) -> Self {
        let mut palette = Self {
            line: Line::default(),
            suggestions: Suggestions::default(),
            typed: String::new(),
            marked: None,
            past: None,
            complaint: None,
        };
        palette.changed(scene);
        palette
    }

    /// A key of the line: text, or moving in it.
    pub fn key(&mut self, key: Key, scene: Scene) {
        if self.line.key(key) {
            self.changed(scene);
        }
    }

    /// A pasted text; only its first line counts.
    pub fn paste(&mut self, text: &str, scene: Scene) {
        if self.line.paste(text) {
            self.changed(scene);
        }
    }

    fn changed(&mut self, scene: Scene) {
        self.line.text().clone_into(&mut self.typed);
        self.suggestions = suggestions(&self.typed, scene);
        self.marked = None;
        self.past = None;
        self.complaint = None;
    }

    /// Puts the suggestion so many places further into the line; in an empty line, or where one
    /// stands already, a command of the history, the latest last.
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
            let from = self.marked.unwrap_or(if by < 0 { 0 } else { count - 1 });
            self.mark((from + count).saturating_add_signed(by) % count);
        }
    }

    fn mark(&mut self, index: usize) {
        let Some(suggestion) = self.suggestions.list.get(index) else { return };
        let kept = self.typed.get(..self.suggestions.from).unwrap_or_default();
        self.line.set(&format!("{kept}{}", suggestion.text));
        self.marked = Some(index);
        self.complaint = None;
    }

    /// Completes the last word: to the suggestion that is chosen, or to the first.
    pub fn complete(&mut self, scene: Scene) {
        let index = self.marked.unwrap_or(0);
        let Some(suggestion) = self.suggestions.list.get(index) else { return };
        let entry = suggestion.meaning.command();
        let goes_on = entry.is_some_and(|entry| entry.parameter.kind().is_some());
        self.mark(index);
        if goes_on {
            self.line.key(Key::Char(' '));
        }
        self.changed(scene);
    }

    /// What the line asks for; what is wrong with it is shown, and it stays to be mended.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn read(&mut self, scene: Scene) -> Result<Option<Invocation>, Complaint> {
        let read = parse::parse(self.line.text(), scene);
        if let Err(complaint) = &read {
            self.line.go_to(characters(self.line.text(), complaint.span.end));
            self.complaint = Some(complaint.clone());
        }
        read
    }

    /// What came of trying is wrong with what follows the name; it stays to be mended.
    pub fn refuse(&mut self, text: String) {
        let line = self.line.text();
        let begin = parse::parts(line).argument.unwrap_or(line.len());
        let span = begin..begin.max(line.trim_end().len());
        self.line.go_to(characters(line, span.end));
        self.complaint = Some(Complaint { span, text });
    }

    /// What is typed.
    pub fn line(&self) -> &Line {
        &self.line
    }

    /// What may stand at the end of the line.
    pub fn suggestions(&self) -> &[Suggestion] {
        &self.suggestions.list
    }

    /// The command whose argument is being typed.
    pub fn entry(&self) -> Option<&'static Entry> {
        self.suggestions.entry
    }

    /// The suggestion that stands in the line.
    pub fn marked(&self) -> Option<usize> {
        self.marked
    }

    /// What is wrong with the line, and which characters of it.
    pub fn complaint(&self) -> Option<(core::ops::Range<usize>, &str)> {
        let Complaint { span, text } = self.complaint.as_ref()?;
        let place = |at| characters(self.line.text(), at);
        Some((place(span.start)..place(span.end), text))
    }
}

/// How many characters the first so many bytes of a text are.
fn characters(text: &str, bytes: usize) -> usize {
    text.char_indices().take_while(|&(at, _)| at < bytes).count()
}
