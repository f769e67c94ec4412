//! State that all components share: the size of the screen, the settings and the messages.

use ratatui::layout::Rect;

use crate::time::Frame;

use super::action::{Context, Keymap};
use super::input::Key;
use super::messages::{LoggedMessage, Message, Messages};
use super::query::Answer;
use super::settings::{Looks, Settings};
use super::theme::Theme;

/// The state that all components share. Components receive it with each input.
#[derive(Debug, Clone)]
pub struct Ui {
    /// The area of the whole screen, in terminal cells.
    pub screen: Rect,
    /// The theme, key bindings and terminal settings.
    pub setup: Setup,
    /// The message in the status line, and the message log.
    pub answers: Answers,
    /// Whether the gallery has maps, so that the map screen can be left.
    pub(super) has_gallery: bool,
    /// Text with which the command line opens after the current command. `None` keeps it closed.
    pub(super) command: Option<String>,
}

impl Ui {
    pub(super) fn new(screen: Rect, theme: Theme, has_gallery: bool) -> Self {
        let (setup, answers) = (Setup::new(theme), Answers::default());
        Self { screen, setup, answers, has_gallery, command: None }
    }

    /// Opens the command line after the current command, with `text` already typed.
    pub(super) fn open_command_line_with(&mut self, text: &str) {
        self.command = Some(text.to_owned());
    }

    /// Shows a message, and adds it to the message log. `at` is the label of the open map and the
    /// current frame; `None` in the gallery.
    pub(super) fn show(&mut self, at: Option<(String, Frame)>, message: Message) {
        self.answers.log.add(LoggedMessage { at, message: message.clone() });
        self.answers.message = Some(message);
    }

    /// Shows a note without adding it to the message log, for text that changes often.
    pub(super) fn show_progress(&mut self, text: String) {
        self.answers.message = Some(Message::Note(text));
    }
}

/// The message in the status line, the message log, and the last key without an action.
#[derive(Debug, Clone, Default)]
pub struct Answers {
    /// The message in the status line. Cleared by the next key that runs a command or edits text.
    pub message: Option<Message>,
    /// The latest notes and warnings.
    pub log: Messages,
    /// The last pressed key and its context, if the key has no action in that context. Cleared by
    /// the next input.
    pub(super) idle: Option<(Key, Context)>,
    /// Whether a message has already explained that the keyboard layout has other letters.
    pub(super) is_layout_explained: bool,
}

/// Settings of the screen, from the configuration file and from commands.
#[derive(Debug, Clone)]
pub struct Setup {
    /// The styles of all parts of the screen.
    pub theme: Theme,
    /// The configured appearance. The `:theme` command derives other themes from it. `None` until
    /// the settings are applied.
    pub(super) looks: Option<Looks>,
    /// Whether the screen replaces non-ASCII characters.
    pub ascii: bool,
    /// Whether the program captures the mouse. If false, the terminal handles clicks and the wheel.
    pub mouse: bool,
    /// The key bindings of all commands.
    pub keymap: Keymap,
}

impl Setup {
    fn new(theme: Theme) -> Self {
        Self { theme, looks: None, ascii: false, mouse: true, keymap: Keymap::default() }
    }

    pub(super) fn of(settings: &Settings) -> Self {
        Self {
            theme: settings.looks.made(),
            looks: Some(settings.looks.clone()),
            ascii: settings.looks.ascii.value,
            mouse: settings.mouse,
            keymap: settings.keymap.clone(),
        }
    }

    /// Adapts the appearance to an answer of the terminal, unless the user has chosen it.
    pub(super) fn adapt(&mut self, answer: Answer) {
        let Some(looks) = &mut self.looks else { return };
        looks.adapt(answer);
        self.theme = looks.made();
        self.ascii = looks.ascii.value;
    }
}
