//! The list of what happened.

use crate::tui::argument::Argument;
use crate::tui::draw;
use crate::tui::input::Cell;
use crate::tui::log::Log;
use crate::tui::session::Session;

use super::{App, Mode};

impl App {
    pub(super) fn open_log(&mut self, argument: Option<Argument>) {
        let Some(session) = &self.session else { return };
        let filter = match &argument {
            Some(Argument::Text(text)) => text.as_str(),
            _ => "",
        };
        self.mode = Mode::Log(Box::new(Log::new(filter, session)));
    }

    pub(super) fn change_log(&mut self, change: impl FnOnce(&mut Log, &Session)) {
        if let (Mode::Log(log), Some(session)) = (&mut self.mode, &self.session) {
            change(log, session);
        }
    }

    /// Goes to the frame of the event that is marked, and selects whom it happened to.
    pub(super) fn go_to_marked_event(&mut self) {
        let (Mode::Log(log), Some(session)) = (&mut self.mode, &mut self.session) else { return };
        let Some(&event) = log.get(log.marked(), session) else {
            self.warn("no event selected: the list is empty");
            return;
        };
        log.mark(0);
        if event.agent.index() < session.world().len() && session.selected() != Some(event.agent) {
            session.select(event.agent);
            self.scroll = 0;
        }
        self.leave_goal();
        self.go_to(event.frame);
        self.show_selected();
    }

    /// Has the list show what happened since.
    pub(super) fn renew_log(&mut self) {
        if let (Mode::Log(log), Some(session)) = (&mut self.mode, &self.session) {
            log.renew(session);
        }
    }

    /// A click marks an event, and goes to the one that is marked. Is the click about the list?
    pub(super) fn click_in_log(&mut self, cell: Cell) -> bool {
        let area = draw::log::place(&self.layout(), self.screen);
        let Mode::Log(log) = &mut self.mode else { return false };
        if !super::mouse::within(area, cell) {
            return false;
        }
        match draw::log::event_at_row(log, area, cell.y) {
            Some(place) if place == log.marked() => self.go_to_marked_event(),
            Some(place) => log.mark_at(place),
            None => {}
        }
        true
    }

    /// Esc: the filter goes first, then the list.
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
