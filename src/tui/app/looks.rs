//! Theme, keys and terminal settings, and the first hint for new users.

use crate::tui::action::{Action, Context, Keymap};
use crate::tui::argument::Argument;
use crate::tui::settings::{Looks, Settings};
use crate::tui::theme::Theme;

use super::App;

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
    pub(super) fn new(theme: Theme) -> Self {
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
}

impl App {
    /// Shows a first hint if no other message is shown. For an opened recording, the hint explains
    /// how to play it. When the first map opens, the hint is for new users.
    pub(super) fn greet(&mut self) {
        let Some(session) = &self.session else { return };
        let history = session.history();
        if let (Some(end), None) = (history.run().recorded_end(), &self.answers.message) {
            let (run, runs, frame) =
                (history.present().0 + 1, history.runs().len(), history.frame());
            let key = self.setup.keymap.named(Action::PlayPause, Context::Watch);
            self.note(format!("run {run} of {runs}, frame {frame} of {end}; {key} plays"));
            return;
        }
        let first = self.session.is_some() && self.gallery.kept.is_empty();
        if self.setup.looks.is_some() && first && self.answers.message.is_none() {
            let stop = self.setup.keymap.named(Action::PlayPause, Context::Watch);
            self.note(format!("{stop} pauses; click an agent to inspect"));
        }
    }

    pub(super) fn change_theme(&mut self, argument: Option<&Argument>) {
        let Some(&Argument::Theme(name)) = argument else { return };
        self.setup.theme = match &mut self.setup.looks {
            Some(looks) => {
                looks.theme.value = name;
                looks.made()
            }
            None => Theme::of(name, self.setup.theme.depth()),
        };
        self.note(format!("theme {name} for this session; set `theme` in config.toml to keep it"));
    }
}
