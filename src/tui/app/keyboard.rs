//! Handles keys and pasted text: runs bound commands, or edits text inputs.

use crate::tui::action::{Action, Context, Invocation};
use crate::tui::argument::Argument;
use crate::tui::input::Key;
use crate::tui::line::{Line, Typed};

use super::panels::OVERLAYS;
use super::{App, Effect};

impl App {
    pub(super) fn key(&mut self, key: Key) -> Option<Effect> {
        let context = self.context();
        if let Some(action) = self.setup.keymap.bound(key, context) {
            self.answers.message = None;
            return self.act(self.asked_for(action, key));
        }
        if !context.takes_text() {
            self.press_unbound(key, context);
            return None;
        }
        self.answers.message = None;
        self.edit_text(Typed::Key(key))
    }

    /// Edits the command line if it is open, otherwise the text input of the current mode.
    fn edit_text(&mut self, typed: Typed) -> Option<Effect> {
        if self.edit_command(typed) {
            return None;
        }
        self.component().edit(self, typed)
    }

    /// Handles a key without a binding. In the overlay menu, toggles the overlay with this letter.
    /// In other contexts, the footer reports the key, and the status line keeps its message.
    fn press_unbound(&mut self, key: Key, context: Context) {
        if let (Some(_), Key::Char(c)) = (self.row_of(&OVERLAYS), key)
            && let Some(entry) = self.map_view.overlays.toggle_key(c)
        {
            self.open_panel(&OVERLAYS, entry.layer as usize);
            self.answers.message = None;
        } else {
            self.answers.idle = Some((key, context));
        }
    }

    /// Returns the command that a key runs. For a key of the brush command, the argument is the
    /// position of the key among that command's keys, counted from 1.
    fn asked_for(&self, action: Action, key: Key) -> Invocation {
        let keys = self.setup.keymap.keys_of(action, self.context());
        let place = keys.iter().position(|&other| other == key).filter(|_| action == Action::Brush);
        Invocation { action, argument: place.map(|place| Argument::Count(place as u32 + 1)) }
    }

    pub(super) fn paste(&mut self, text: &str) -> Option<Effect> {
        if !self.context().takes_text() {
            return None;
        }
        if Line::first_of(text).1 {
            self.warn("only the first line was pasted");
        }
        self.edit_text(Typed::Paste(text))
    }
}
