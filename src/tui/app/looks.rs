//! How the screen greets, and other colours while it is shown.

use crate::tui::action::{Action, Context};
use crate::tui::argument::Argument;
use crate::tui::theme::Theme;

use super::App;

impl App {
    /// What somebody new should know when a map is opened, for as long as nothing else is to be said.
    pub(super) fn greet(&mut self) {
        if self.looks.is_some() && self.session.is_some() && self.message.is_none() {
            let stop = self.keymap.named(Action::PlayPause, Context::Watch);
            let help = self.keymap.named(Action::Help, Context::Watch);
            self.note(format!("{stop} stops, a click asks why, {help} tells all keys"));
        }
    }

    pub(super) fn change_theme(&mut self, argument: Option<&Argument>) {
        let Some(&Argument::Theme(name)) = argument else { return };
        self.theme = match &mut self.looks {
            Some(looks) => {
                looks.theme.value = name;
                looks.made()
            }
            None => Theme::of(name, self.theme.depth()),
        };
        self.note(format!("theme {name}; config.toml keeps it"));
    }
}
