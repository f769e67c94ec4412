//! The event log.

use crate::debugger::session::Session;
use crate::tui::argument::Argument;
use crate::tui::log::Log;

use super::{App, Mode};

impl App {
    pub(super) fn open_log(&mut self, argument: Option<&Argument>) {
        let Some(session) = &self.session else { return };
        let filter = if let Some(Argument::Text(text)) = argument { text } else { "" };
        self.mode = Mode::Log(Box::new(Log::new(filter, session)));
    }

    pub(super) fn change_log(&mut self, change: impl FnOnce(&mut Log, &Session)) {
        if let (Mode::Log(log), Some(session)) = (&mut self.mode, &self.session) {
            change(log, session);
        }
    }

    /// Goes to the frame of the selected event, and selects the event's agent.
    pub(super) fn go_to_selected_event(&mut self) {
        let (Mode::Log(log), Some(session)) = (&mut self.mode, &mut self.session) else { return };
        let Some(&event) = log.get(log.selected(), session) else {
            self.warn("no event selected: the list is empty");
            return;
        };
        log.stop_following();
        if event.agent.index() < session.world().len() && session.selected() != Some(event.agent) {
            session.select(event.agent);
            self.reader.scroll = 0;
        }
        self.leave_goal();
        self.go_to(event.frame);
        self.show_selected();
    }

    /// Updates the open event log.
    pub(super) fn renew_log(&mut self) {
        if let (Mode::Log(log), Some(session)) = (&mut self.mode, &self.session) {
            log.renew(session);
        }
    }

    /// Clears the filters of the event log, or closes the log if there are no filters.
    pub(super) fn close_log(&mut self) {
        if let (Mode::Log(log), Some(session)) = (&mut self.mode, &self.session) {
            let typing = log.is_typing();
            if log.clear(session) || typing {
                return;
            }
        }
        self.mode = Mode::Watch;
    }
}
