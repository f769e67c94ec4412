//! Other colours while the screen is shown.

use crate::tui::argument::Argument;
use crate::tui::theme::Theme;

use super::App;

impl App {
    pub(super) fn change_theme(&mut self, argument: Option<&Argument>) {
        let Some(&Argument::Theme(name)) = argument else { return };
        self.theme = match &mut self.looks {
            Some(looks) => {
                looks.theme.value = name;
                looks.made()
            }
            None => Theme::of(name, self.theme.depth()),
        };
        self.note(format!("theme {name}; `theme = \"{name}\"` in config.toml keeps it"));
    }
}
