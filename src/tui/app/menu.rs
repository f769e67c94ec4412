//! The tile menu, and moving agents to other tiles.

use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr;

use crate::debugger::session::Subject;
use crate::geom::TilePos;
use crate::history::breaks::Trigger;
use crate::id::AgentId;
use crate::tui::action::Context;
use crate::tui::draw::list::List;
use crate::tui::input::Cell;
use crate::tui::layout;
use crate::tui::menu::{Item, Menu};

use super::component::Component;
use super::{App, Drag, Effect, Mode, breaks};

pub(super) struct TileMenu;

impl Component for TileMenu {
    fn context(&self, _app: &App) -> Context {
        Context::Menu
    }

    fn lets_time_pass(&self) -> bool {
        false
    }

    fn list<'a>(&self, app: &'a App) -> Option<List<'a>> {
        let Mode::Menu(menu) = &app.mode else { return None };
        let (theme, items) = (&app.setup.theme, &menu.items);
        let row = |index: usize| vec![(format!(" {}", items[index].1), theme.text)].into();
        let (title, area) = (format!("tile {}", menu.tile), place(menu, app.screen));
        Some(List::new(title, area, items.len(), Some(menu.selected), theme, row))
    }

    fn select(&self, app: &mut App, row: usize) -> Option<Effect> {
        if let Mode::Menu(menu) = &mut app.mode {
            menu.selected = row;
        }
        None
    }

    /// Runs the selected item of the menu, and closes the menu.
    fn pick(&self, app: &mut App) -> Option<Effect> {
        let Mode::Menu(menu) = &app.mode else { return None };
        let (tile, item) = (menu.tile, menu.items.get(menu.selected).map(|&(item, _)| item));
        app.mode = Mode::Watch;
        let Some(session) = &mut app.session else { return None };
        match item {
            Some(Item::Select(id)) => {
                session.select(id);
                app.show_selected();
            }
            Some(Item::Inspect) => {
                session.look_at(Some(tile));
                app.reader.scroll = 0;
            }
            Some(Item::Break(id)) => {
                let text = breaks::comes_to(session, id, tile);
                app.set_break(Trigger::Condition, &text);
            }
            Some(Item::Put(id)) => app.put(id, tile),
            None => {}
        }
        None
    }

    fn click(&self, app: &mut App, _cell: Cell) -> Option<Effect> {
        self.close(app)
    }

    fn right_click(&self, app: &mut App, cell: Cell) {
        app.open_menu_at(cell);
    }
}

impl App {
    /// Handles a right click: opens the menu of the tile at a cell. In paint mode, selects the
    /// brush that matches the tile.
    pub(super) fn open_menu_at(&mut self, cell: Cell) {
        if self.covers(cell) {
            return;
        }
        match self.view().and_then(|view| view.tile(cell)) {
            Some(tile) if self.is_painting() => self.pick_brush(tile),
            Some(tile) => self.open_menu(tile, cell),
            None if self.is_painting() => {}
            None => self.mode = Mode::Watch,
        }
    }

    /// Opens the menu of the selected tile, or of the tile under the selected agent. If nothing is
    /// selected, shows a warning.
    pub(super) fn open_menu_here(&mut self) {
        let Some(session) = &self.session else { return };
        let tile = match session.subject() {
            Subject::Tile(tile) => tile,
            Subject::Agent(id) => session.world().tile(id),
            Subject::Nobody => return self.warn("no tile or agent is selected"),
        };
        let map = layout::inside(self.layout().map);
        let cell = self.view().and_then(|view| view.cell(tile));
        self.open_menu(tile, cell.unwrap_or(Cell { x: map.x, y: map.y }));
    }

    fn open_menu(&mut self, tile: TilePos, at: Cell) {
        self.map_view.drag = None;
        if let Some(session) = &self.session {
            self.mode = Mode::Menu(Menu::new(session, tile, at));
        }
    }

    /// Continues the drag of an agent from tile `from` to the tile at `cell`. If `cell` is outside
    /// the map, the target is the tile `from`. If the agent is no longer in the world, ends the drag
    /// with a warning.
    pub(super) fn drag_agent(&mut self, name: String, from: TilePos, cell: Cell) {
        let Some(view) = self.view() else { return };
        let to = view.tile(cell).unwrap_or(from);
        if self.present_agent(&name).is_none() {
            self.map_view.drag = None;
            return self.warn_absent(&name);
        }
        if to == from {
            self.answers.message = None;
        } else {
            self.note(format!("release to move {name} to {to}"));
        }
        self.map_view.drag = Some(Drag::Agent { name, from, to });
    }

    fn present_agent(&self, name: &str) -> Option<AgentId> {
        self.session.as_ref()?.world().find_present(name)
    }

    fn warn_absent(&mut self, name: &str) {
        self.warn(format!("cannot move {name}: it is not in the world"));
    }

    /// Ends a drag. Moves the dragged agent, or finishes the stroke of paint mode.
    pub(super) fn release(&mut self) -> Option<Effect> {
        match self.map_view.drag.take()? {
            Drag::Paint { from, begun } => return self.release_paint(from, begun),
            Drag::Agent { name, from, to } => {
                if from != to {
                    self.answers.message = None;
                    match self.present_agent(&name) {
                        Some(id) => self.put(id, to),
                        None => self.warn_absent(&name),
                    }
                }
            }
            Drag::Map(_) | Drag::Time | Drag::Minimap => {}
        }
        None
    }

    /// Moves an agent to a tile, simulates one frame, and ends any seek or search. If the agent is
    /// not in the world, or if its body does not fit on the tile, shows a warning and changes
    /// nothing.
    fn put(&mut self, id: AgentId, tile: TilePos) {
        let Some(session) = &mut self.session else { return };
        let name = session.world().name(id).to_string();
        // While the menu is open, the frame can change.
        if !session.world().is_present(id) {
            return self.warn_absent(&name);
        }
        if session.put(id, tile) {
            self.late = false;
            self.leave_goal();
            self.note(format!("{name} moved to {tile}"));
            self.report_hit();
            self.keep_in_view();
        } else {
            self.warn(format!("cannot move {name} to {tile}: the body does not fit"));
        }
    }
}

/// Returns the area of the menu. The menu is below the clicked cell if there is room, otherwise
/// above it.
fn place(menu: &Menu, screen: Rect) -> Rect {
    let longest = menu.items.iter().map(|(_, text)| text.width()).max().unwrap_or(0);
    let width = (longest.max(12) as u16 + 5).min(screen.width);
    let height = (menu.items.len() as u16 + 2).min(screen.height);
    let below = screen.bottom().saturating_sub(menu.at.y.saturating_add(1)) >= height;
    let y = if below { menu.at.y + 1 } else { menu.at.y.saturating_sub(height) };
    let x = menu.at.x.min(screen.right().saturating_sub(width));
    Rect { x, y: y.min(screen.bottom().saturating_sub(height)), width, height }
}
