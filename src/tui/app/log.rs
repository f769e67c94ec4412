//! The component of the event log.

use crate::debugger::session::Session;
use crate::tui::action::Context;
use crate::tui::argument::Argument;
use crate::tui::draw;
use crate::tui::draw::list::List;
use crate::tui::input::Cell;
use crate::tui::line::Typed;
use crate::tui::log::Log;

use super::component::Component;
use super::{App, Effect, Mode};

pub(super) struct EventLog;

impl Component for EventLog {
    fn context(&self, app: &App) -> Context {
        let is_typing = matches!(&app.mode, Mode::Log(log) if log.is_typing());
        if is_typing { Context::Filter } else { Context::Log }
    }

    fn list<'a>(&self, app: &'a App) -> Option<List<'a>> {
        let (Mode::Log(log), Some(session)) = (&app.mode, &app.session) else { return None };
        let area = draw::log::place(&app.layout(), app.screen);
        Some(draw::log::list(log, session, &app.setup.keymap, &app.setup.theme, area))
    }

    fn edit(&self, app: &mut App, typed: Typed) -> Option<Effect> {
        app.change_log(|log, session| log.edit(typed, session));
        None
    }

    fn select(&self, app: &mut App, row: usize) -> Option<Effect> {
        app.change_log(|log, _| log.select(row));
        None
    }

    /// Goes to the frame of the selected event, and selects the agent of the event.
    fn pick(&self, app: &mut App) -> Option<Effect> {
        let (Mode::Log(log), Some(session)) = (&mut app.mode, &mut app.session) else {
            return None;
        };
        let Some(&event) = log.get(log.selected(), session) else {
            app.warn("no event selected: the list is empty");
            return None;
        };
        log.stop_following();
        session.select_agent_of(&event);
        app.reader.scroll = 0;
        app.leave_goal();
        app.go_to(event.frame);
        app.show_selected();
        None
    }

    /// Clears the filters of the log. If there are no filters, closes the log.
    fn close(&self, app: &mut App) -> Option<Effect> {
        let mut cleared = false;
        app.change_log(|log, session| {
            let typing = log.is_typing();
            cleared = log.clear(session) || typing;
        });
        if !cleared {
            app.mode = Mode::Watch;
        }
        None
    }

    fn click(&self, app: &mut App, cell: Cell) -> Option<Effect> {
        app.click_pane(cell);
        None
    }
}

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

    /// Adds new events to the open event log. Does nothing if the log is closed.
    pub(super) fn renew_log(&mut self) {
        self.change_log(Log::renew);
    }
}
