//! Search for agents by name. It is drawn over the lower edge of the map.

use std::sync::Arc;

use ratatui::layout::Rect;

use crate::debugger::session::Session;
use crate::id::AgentId;
use crate::scenario::Scenario;
use crate::tui::action::Context;
use crate::tui::draw::line::LineRow;
use crate::tui::draw::list::{List, ListRow};
use crate::tui::draw::pane;
use crate::tui::glyph;
use crate::tui::layout;
use crate::tui::line::{Line, Typed};
use crate::tui::map_screen::MapScreen;
use crate::tui::rank;
use crate::tui::ui::Ui;
use crate::world::World;

use super::{Change, Next, Popup};

/// Maximum number of listed matches.
const LISTED: usize = 100;

/// Maximum number of visible matches. Further matches can be scrolled into view.
const ROWS: u16 = 8;

/// The typed name, and the agents whose names match.
#[derive(Debug, Clone, Default)]
pub struct AgentFinder {
    line: Line,
    matches: Vec<AgentId>,
    selected: usize,
    /// The scenario of the last search.
    scenario: Option<Arc<Scenario>>,
}

impl AgentFinder {
    /// Creates a search with an empty name, which matches all agents.
    pub fn new(world: &World) -> Self {
        let mut search = Self::default();
        search.renew(world);
        search
    }

    /// Edits the typed name, and repeats the search.
    pub fn edit(&mut self, typed: Typed, world: &World) {
        if self.line.edit(typed) {
            self.renew(world);
        }
    }

    /// Selects the match at an index, or the last match if the index is too large.
    pub fn select(&mut self, index: usize) {
        self.selected = index.min(self.matches.len().saturating_sub(1));
    }

    /// Returns the index of the selected match.
    pub fn selected_row(&self) -> usize {
        self.selected
    }

    /// Returns the selected agent. Returns `None` if no agent matches.
    pub fn selected(&self) -> Option<AgentId> {
        self.matches.get(self.selected).copied()
    }

    /// Returns the matching agents, best matches first.
    pub fn matches(&self) -> &[AgentId] {
        &self.matches
    }

    /// Returns the typed name with its cursor.
    pub fn line(&self) -> &Line {
        &self.line
    }

    /// Repeats the search in `world`, and selects the first match.
    pub fn renew(&mut self, world: &World) {
        self.selected = 0;
        self.matches = agents(world, self.line.text(), LISTED);
        self.scenario = Some(Arc::clone(world.scenario()));
    }

    /// Repeats the search if `world` has another scenario than the world of the last search.
    pub fn follow(&mut self, world: &World) {
        let is_same = |known: &Arc<Scenario>| Arc::ptr_eq(known, world.scenario());
        if !self.scenario.as_ref().is_some_and(is_same) {
            self.renew(world);
        }
    }
}

impl Popup for AgentFinder {
    fn context(&self) -> Context {
        Context::Search
    }

    fn list<'a>(&'a self, screen: &'a MapScreen, ui: &'a Ui) -> Option<List<'a>> {
        let (theme, map) = (&ui.setup.theme, screen.layout(ui).map);
        let inside = layout::inside(map);
        // If the map pane is low, the list covers the border as well.
        let room = if inside.height < 6 { map } else { inside };
        let count = self.matches().len();
        let rows = (count.max(1) as u16).min(ROWS).min(room.height.saturating_sub(3));
        let is_usable = room.height >= 3 && room.width >= 12;
        let area = if is_usable { pane::at_bottom(rows + 3, 40, room) } else { Rect::ZERO };
        let row = move |index: usize| {
            let world = screen.session.world();
            let id = self.matches().get(index).filter(|id| id.index() < world.len());
            let Some(&id) = id else { return ListRow::default() };
            let sign = glyph::safe(&world.kind(id).glyph);
            let text = format!(" {sign} {}  {}", world.name(id), world.tile(id));
            vec![(text, theme.text)].into()
        };
        Some(List {
            right: format!("{count} found"),
            empty: "no matching agent".to_owned(),
            input: Some(LineRow { sign: " / ", line: self.line(), wrong: None, theme }),
            ..List::new("find an agent", area, count, Some(self.selected_row()), theme, row)
        })
    }

    fn edit(&mut self, typed: Typed, session: &Session) {
        self.edit(typed, session.world());
    }

    fn select(&mut self, row: usize) {
        self.select(row);
    }

    fn pick(&mut self, map: &mut MapScreen, ui: &mut Ui) -> Next {
        let Some(id) = self.selected() else {
            map.warn(ui, "no matching agent");
            return Next::Stay;
        };
        map.session.select(id);
        map.show_selected(ui);
        Next::Close
    }

    fn renew(&mut self, change: Change, session: &Session) -> Next {
        match change {
            Change::Frame => self.follow(session.world()),
            Change::Scenario => self.renew(session.world()),
            Change::Values | Change::Problems => {}
        }
        Next::Stay
    }
}

/// Returns at most `most` agents whose names match `wanted`, best matches first.
pub fn agents(world: &World, wanted: &str, most: usize) -> Vec<AgentId> {
    rank::best(world.ids(), |&id| world.name(id).to_string(), wanted, most)
}
