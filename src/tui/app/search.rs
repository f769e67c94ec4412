//! The component of the agent search. It is drawn over the lower edge of the map.

use ratatui::layout::Rect;

use crate::tui::action::Context;
use crate::tui::draw::line::LineRow;
use crate::tui::draw::list::{List, ListRow};
use crate::tui::draw::pane;
use crate::tui::glyph;
use crate::tui::layout;
use crate::tui::line::Typed;
use crate::tui::search::AgentFinder;

use super::component::Component;
use super::{App, Effect, Mode};

/// Maximum number of visible matches. Further matches can be scrolled into view.
const ROWS: u16 = 8;

pub(super) struct AgentSearch;

impl Component for AgentSearch {
    fn context(&self, _app: &App) -> Context {
        Context::Search
    }

    fn list<'a>(&self, app: &'a App) -> Option<List<'a>> {
        let (Mode::Search(search), Some(session)) = (&app.mode, &app.session) else { return None };
        let (theme, map) = (&app.setup.theme, app.layout().map);
        let inside = layout::inside(map);
        // If the map pane is low, the list covers the border as well.
        let room = if inside.height < 6 { map } else { inside };
        let count = search.matches().len();
        let rows = (count.max(1) as u16).min(ROWS).min(room.height.saturating_sub(3));
        let is_usable = room.height >= 3 && room.width >= 12;
        let area = if is_usable { pane::at_bottom(rows + 3, 40, room) } else { Rect::ZERO };
        let row = move |index: usize| {
            let world = session.world();
            let id = search.matches().get(index).filter(|id| id.index() < world.len());
            let Some(&id) = id else { return ListRow::default() };
            let sign = glyph::safe(&world.kind(id).glyph);
            let text = format!(" {sign} {}  {}", world.name(id), world.tile(id));
            vec![(text, theme.text)].into()
        };
        Some(List {
            right: format!("{count} found"),
            empty: "no matching agent".to_owned(),
            input: Some(LineRow { sign: " / ", line: search.line(), wrong: None, theme }),
            ..List::new("find an agent", area, count, Some(search.selected_row()), theme, row)
        })
    }

    fn edit(&self, app: &mut App, typed: Typed) -> Option<Effect> {
        if let (Mode::Search(search), Some(session)) = (&mut app.mode, &app.session) {
            search.edit(typed, session.world());
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
                self.mode = Mode::Search(AgentFinder::new(session.world()));
            }
            _ => self.warn("no agent to find: this map has no agents"),
        }
    }

    /// Repeats the open agent search if the scenario has changed. Does nothing if the search is
    /// closed.
    pub(super) fn renew_search(&mut self) {
        if let (Mode::Search(search), Some(session)) = (&mut self.mode, &self.session) {
            search.follow(session.world());
        }
    }
}
