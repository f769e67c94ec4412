//! The settings of the screen, the greeting, and changes of the theme.

use crate::tui::action::{Action, Context, Keymap};
use crate::tui::argument::Argument;
use crate::tui::settings::{Looks, Settings};
use crate::tui::theme::Theme;

use super::App;

/// Theme, keys and terminal settings.
#[derive(Debug, Clone)]
pub struct Setup {
    /// The theme with the styles of the screen.
    pub theme: Theme,
    /// The configured appearance, from which `:theme` creates other themes.
    pub(super) looks: Option<Looks>,
    /// Whether the screen is drawn with ASCII characters only.
    pub ascii: bool,
    /// Whether the screen captures the mouse.
    pub mouse: bool,
    /// The key bindings of the commands.
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
    /// Shows a hint for new users when the first map opens, if no other message is shown.
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
