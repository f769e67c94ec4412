//! Runs typed commands.
//!
//! If a command with an argument causes a warning, the command line reopens with the command and
//! the warning. The user can then correct the command.

use crate::debugger::session::Session;
use crate::tui::line::Typed;
use crate::tui::palette::{Palette, Scene};

use super::{App, Effect, Message};

/// Maximum number of commands in the history. The oldest are dropped.
const REMEMBERED: usize = 200;

/// The state of the command line, and the history of commands.
#[derive(Debug, Clone)]
pub struct Prompt {
    /// The open command line. `None` while the command line is closed.
    pub palette: Option<Palette>,
    /// The command that caused the effect in progress. If the effect fails, the command line
    /// reopens with this command.
    pub(super) tried: Option<Palette>,
    /// The texts of past commands, oldest first.
    pub(super) history: Vec<String>,
    /// Function that returns the paths that start with a given text, for completion. Only maps,
    /// recordings and directories are returned.
    pub list_paths: fn(&str) -> Vec<String>,
}

impl Default for Prompt {
    fn default() -> Self {
        Self { palette: None, tried: None, history: Vec::new(), list_paths: |_| Vec::new() }
    }
}

impl App {
    fn scene(&self) -> Scene<'_> {
        let session = self.session.as_ref();
        let world = session.map(Session::world);
        let scene = Scene::new(self.component().context(self), world, &self.setup.keymap);
        Scene { maps: self.gallery.maps.all(), paths: self.prompt.list_paths, ..scene }
    }

    pub(super) fn open_palette(&mut self) {
        self.prompt.palette = Some(Palette::new(self.scene()));
    }

    /// Opens the command line, with `text` already typed.
    pub(super) fn open_palette_with(&mut self, text: &str) {
        self.open_palette();
        self.edit(|palette, _, scene| palette.edit(Typed::Paste(text), scene));
    }

    /// Changes the command line. Returns false and does nothing if the command line is closed.
    fn edit(&mut self, change: impl FnOnce(&mut Palette, &[String], Scene)) -> bool {
        let Some(mut palette) = self.prompt.palette.take() else { return false };
        change(&mut palette, &self.prompt.history, self.scene());
        self.prompt.palette = Some(palette);
        true
    }

    /// Edits the text of the command line. Returns false if the command line is closed.
    pub(super) fn edit_command(&mut self, typed: Typed) -> bool {
        self.edit(|palette, _, scene| palette.edit(typed, scene))
    }

    pub(super) fn choose_command(&mut self, by: isize) -> bool {
        self.edit(|palette, history, scene| palette.choose(by, history, scene))
    }

    /// Selects the suggestion at `index`. Returns false if the command line is closed.
    pub(super) fn select_suggestion(&mut self, index: usize) -> bool {
        self.edit(|palette, _, _| palette.select(index))
    }

    pub(super) fn complete(&mut self) {
        self.edit(|palette, _, scene| palette.complete(scene));
    }

    /// Runs the typed command. If the command is invalid or fails, the command line stays open with
    /// the error.
    pub(super) fn run_command(&mut self) -> Option<Effect> {
        let mut palette = self.prompt.palette.take()?;
        match palette.read(self.scene()) {
            Err(_) => {
                self.prompt.palette = Some(palette);
                None
            }
            Ok(None) => None,
            Ok(Some(invocation)) => {
                let about_something = invocation.argument.is_some();
                let effect = self.act(invocation);
                // The command line stays open if the command fails, so that the user can correct
                // the command.
                if effect.is_none()
                    && about_something
                    && let Some(Message::Warning(why)) = &self.answers.message
                {
                    if self.leaving.is_some() {
                        palette.warn(why.clone());
                    } else {
                        palette.refuse(why.clone());
                    }
                    self.answers.message = None;
                    self.prompt.palette = Some(palette);
                    return None;
                }
                self.remember(palette.line().text());
                self.prompt.tried = effect.is_some().then_some(palette);
                effect
            }
        }
    }

    /// Shows that an effect failed, with the reason `why`. If a typed command caused the effect,
    /// the command line reopens with that command.
    pub(super) fn refuse(&mut self, why: String) {
        self.warn(why.clone());
        if let Some(mut palette) = self.prompt.tried.take() {
            palette.refuse(why);
            self.answers.message = None;
            self.prompt.palette = Some(palette);
        }
    }

    fn remember(&mut self, text: &str) {
        if self.prompt.history.last().is_none_or(|last| last != text) {
            self.prompt.history.push(text.to_owned());
        }
        let many = self.prompt.history.len().saturating_sub(REMEMBERED);
        self.prompt.history.drain(..many);
    }
}
