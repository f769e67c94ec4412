//! The greeting, and changes of the theme.

use crate::tui::action::{Action, Context};
use crate::tui::argument::Argument;
use crate::tui::theme::Theme;

use super::App;

impl App {
    /// Shows a hint for new users when the first map opens, if no other message is shown.
    pub(super) fn greet(&mut self) {
        let first = self.session.is_some() && self.left.is_empty();
        if self.looks.is_some() && first && self.message.is_none() {
            let stop = self.keymap.named(Action::PlayPause, Context::Watch);
            self.note(format!("{stop} pauses; click an agent to inspect"));
        }
    }

    pub(super) fn change_theme(&mut self, argument: Option<Argument>) {
        let Some(Argument::Theme(name)) = argument else { return };
        self.theme = match &mut self.looks {
            Some(looks) => {
                looks.theme.value = name;
                looks.made()
            }
            None => Theme::of(name, self.theme.depth()),
        };
        self.note(format!("theme {name} for this session; set `theme` in config.toml to keep it"));
    }
}
