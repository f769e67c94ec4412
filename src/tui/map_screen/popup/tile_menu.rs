//! The tile menu: commands for a tile.

use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr;

use crate::debugger::session::Session;
use crate::geom::TilePos;
use crate::history::breaks::Trigger;
use crate::id::AgentId;
use crate::tui::action::Context;
use crate::tui::draw::list::List;
use crate::tui::input::Cell;
use crate::tui::map_screen::{MapScreen, comes_to};
use crate::tui::ui::Ui;

use super::{Change, Next, Popup};

/// Maximum number of listed agents on one tile.
const MOST: usize = 5;

/// A command of the tile menu.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Item {
    /// Selects an agent on the tile.
    Select(AgentId),
    /// Shows the tile in the inspector.
    Inspect,
    /// Adds a breakpoint that is hit when the agent enters the tile.
    Break(AgentId),
    /// Moves an agent to the tile.
    Put(AgentId),
}

/// The menu of a tile.
#[derive(Debug, Clone)]
pub(in crate::tui) struct TileMenu {
    /// The tile that the items act on.
    tile: TilePos,
    /// The cell at which the menu was opened.
    at: Cell,
    /// The commands with their texts.
    items: Vec<(Item, String)>,
    selected: usize,
}

impl TileMenu {
    /// Creates the menu of a tile. The menu has commands for the agents on the tile, and for the
    /// driven or selected agent.
    pub(in crate::tui) fn new(session: &Session, tile: TilePos, at: Cell) -> Self {
        let world = session.world();
        let name = |id| world.name(id).to_string();
        let here = world.ids().filter(|&id| world.tile(id) == tile).take(MOST);
        let mut items: Vec<_> =
            here.map(|id| (Item::Select(id), format!("select {}", name(id)))).collect();
        items.push((Item::Inspect, "inspect tile".to_owned()));
        if let Some(id) = session.driven().or(session.selected()) {
            items.push((Item::Break(id), format!("break when {} comes here", name(id))));
            if world.tile(id) != tile {
                items.push((Item::Put(id), format!("move {} here", name(id))));
            }
        }
        Self { tile, at, items, selected: 0 }
    }
}

impl Popup for TileMenu {
    fn context(&self) -> Context {
        Context::Menu
    }

    fn lets_time_pass(&self) -> bool {
        false
    }

    fn list<'a>(&'a self, _map: &'a MapScreen, ui: &'a Ui) -> Option<List<'a>> {
        let (theme, items) = (&ui.setup.theme, &self.items);
        let row = |index: usize| vec![(format!(" {}", items[index].1), theme.text)].into();
        let (title, area) = (format!("tile {}", self.tile), place(self, ui.screen));
        Some(List::new(title, area, items.len(), Some(self.selected), theme, row))
    }

    fn select(&mut self, row: usize) {
        self.selected = row;
    }

    /// Runs the selected item of the menu, and closes the menu.
    fn pick(&mut self, map: &mut MapScreen, ui: &mut Ui) -> Next {
        let tile = self.tile;
        match self.items.get(self.selected).map(|&(item, _)| item) {
            Some(Item::Select(id)) => {
                map.session.select(id);
                map.show_selected(ui);
            }
            Some(Item::Inspect) => {
                map.session.look_at(Some(tile));
                map.inspector.scroll = 0;
            }
            Some(Item::Break(id)) => {
                let text = comes_to(&map.session, id, tile);
                map.set_break(ui, Trigger::Condition, &text);
            }
            Some(Item::Put(id)) => map.put(ui, id, tile),
            None => {}
        }
        Next::Close
    }

    fn click(&mut self, _cell: Cell, _map: &mut MapScreen, _ui: &mut Ui) -> Next {
        Next::Close
    }

    /// Opens the menu of another tile. In paint mode, selects a brush instead.
    fn right_click(&mut self, cell: Cell, map: &mut MapScreen, ui: &mut Ui) -> Next {
        if self.list(map, ui).is_some_and(|list| list.covers(cell)) {
            return Next::Stay;
        }
        map.open_menu_at(ui, cell);
        if map.paint.is_some() { Next::Stay } else { Next::Close }
    }

    /// Closes the menu if agents can have other ids, because the items contain ids.
    fn renew(&mut self, change: Change, _session: &Session) -> Next {
        if change == Change::Scenario { Next::Close } else { Next::Stay }
    }
}

/// Returns the area of the menu. The menu is below the clicked cell if there is room, otherwise
/// above it.
fn place(menu: &TileMenu, screen: Rect) -> Rect {
    let longest = menu.items.iter().map(|(_, text)| text.width()).max().unwrap_or(0);
    let width = (longest.max(12) as u16 + 5).min(screen.width);
    let height = (menu.items.len() as u16 + 2).min(screen.height);
    let below = screen.bottom().saturating_sub(menu.at.y.saturating_add(1)) >= height;
    let y = if below { menu.at.y + 1 } else { menu.at.y.saturating_sub(height) };
    let x = menu.at.x.min(screen.right().saturating_sub(width));
    Rect { x, y: y.min(screen.bottom().saturating_sub(height)), width, height }
}
