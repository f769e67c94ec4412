//! The agent search.

use crate::tui::action::Context;
use crate::tui::draw;
use crate::tui::draw::list::List;
use crate::tui::line::Typed;
use crate::tui::search::Search;

use super::component::Component;
use super::{App, Effect, Mode};

pub(super) struct AgentSearch;

impl Component for AgentSearch {
    fn context(&self, _app: &App) -> Context {
        Context::Search
    }

    fn list<'a>(&self, app: &'a App) -> Option<List<'a>> {
        let (Mode::Search(search), Some(session)) = (&app.mode, &app.session) else { return None };
        Some(draw::search::list(search, session, &app.setup.theme, app.layout().map))
    }

    fn edit(&self, app: &mut App, typed: Typed) -> Option<Effect> {
        if let (Mode::Search(search), Some(session)) = (&mut app.mode, &app.session) {
            search.edit(typed, session.scenario());
        }
        None
    }

    fn select(&self, app: &mut App, row: usize) -> Option<Effect> {
        if let Mode::Search(search) = &mut app.mode {
            search.select(row);
        }
        None
    }

    fn pick(&self, app: &mut App) -> Option<Effect> {
        let Mode::Search(search) = &app.mode else { return None };
        let Some(id) = search.selected() else {
            app.warn("no matching agent");
            return None;
        };
        app.mode = Mode::Watch;
        if let Some(session) = &mut app.session {
            session.select(id);
        }
        app.show_selected();
        None
    }
}

impl App {
    pub(super) fn find(&mut self) {
        match &self.session {
            Some(session) if !session.world().is_empty() => {
                self.mode = Mode::Search(Search::new(session.scenario()));
            }
            _ => self.warn("no agent to find: this map has no agents"),
        }
    }
}
