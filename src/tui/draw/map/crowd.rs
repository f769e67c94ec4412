//! Draws agents: a glyph for each agent, a number for several agents in one cell, and heading
//! arrows.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};

use crate::agent::Drive;
use crate::geom::TilePos;
use crate::id::AgentId;
use crate::tui::camera::{View, Zoom};
use crate::tui::glyph;
use crate::tui::input::Cell;
use crate::tui::theme::Theme;
use crate::words;
use crate::world::{Flags, World};

/// Draws the agents of a world into the cells of a view.
#[derive(Debug)]
pub struct Crowd<'a> {
    pub world: &'a World,
    pub view: &'a View,
    pub theme: &'a Theme,
    /// Whether the heat map colours the ground. If true, agents keep the screen's background so
    /// that their glyphs stay readable.
    pub on_heat: bool,
}

/// The number of agents in each cell of a view.
#[derive(Debug)]
pub struct Seen {
    area: Rect,
    /// For each cell, row by row: the number of agents, and the index of the last agent's kind.
    cells: Vec<(u16, u32)>,
}

impl Seen {
    fn at(&mut self, cell: Cell) -> &mut (u16, u32) {
        let (x, y) = (usize::from(cell.x - self.area.x), usize::from(cell.y - self.area.y));
        &mut self.cells[y * usize::from(self.area.width) + x]
    }

    /// Returns the number of agents drawn in a cell. The cell must be inside the view.
    pub fn count(&mut self, cell: Cell) -> u16 {
        self.at(cell).0
    }
}

/// Returns the symbol for `count` agents in one cell, where `count` is at least 2.
fn number(count: u16) -> &'static str {
    glyph::COUNTS[usize::from(count.saturating_sub(2)).min(glyph::COUNTS.len() - 1)]
}

impl Crowd<'_> {
    /// Returns the cell of an agent's glyph. Returns `None` if the agent is outside the view.
    pub fn cell(&self, id: AgentId) -> Option<Cell> {
        self.view.body(self.world.tile(id), self.world.position(id))
    }

    /// Draws all visible agents, and returns the number of agents in each cell.
    ///
    /// Agents on the tiles in `targets` are marked. `targets` must be sorted. If `headings`, an
    /// arrow shows the heading of each agent that can move: beside its glyph, or instead of its
    /// glyph if a tile is one cell.
    pub fn draw(&self, targets: &[TilePos], headings: bool, buffer: &mut Buffer) -> Seen {
        let (world, theme) = (self.world, self.theme);
        let scenario = world.scenario();
        let looks: Vec<(&str, Style)> = scenario
            .kinds()
            .iter()
            .enumerate()
            .map(|(index, kind)| {
                (glyph::safe(&kind.glyph), self.grounded(theme.agents(kind, index)))
            })
            .collect();
        let area = self.view.area;
        let mut seen = Seen { area, cells: vec![(0, 0); area.area() as usize] };
        let mut facing = Vec::new();
        let (beside, instead) = (self.view.zoom.has_room_beside(), self.view.zoom == Zoom::Narrow);
        for id in world.ids() {
            let Some(place) = self.cell(id) else { continue };
            // Agents that cannot move have no heading.
            let has_heading = headings && !matches!(world.mode(id).drive, Drive::Stand);
            if has_heading && beside {
                facing.push((id, place));
            }
            let kind = scenario.starts()[id.index()].kind;
            let (mut sign, mut style) = looks[kind as usize];
            if has_heading && instead {
                sign = words::arrow(world.shown_heading(id));
            }
            let here = seen.at(place);
            if here.0 > 0 {
                sign = number(here.0.saturating_add(1));
                style = if here.1 == kind { style } else { self.grounded(theme.strong) };
            }
            *here = (here.0.saturating_add(1), kind);
            let cell = &mut buffer[(place.x, place.y)];
            cell.set_symbol(sign).set_style(style);
            if world.flags(id).has(Flags::QUARANTINED) {
                cell.set_style(theme.quarantined);
            }
            if !targets.is_empty() && targets.binary_search(&world.tile(id)).is_ok() {
                cell.set_style(theme.target_agent);
            }
        }
        for (id, place) in facing {
            self.arrow(id, place, &mut seen, buffer);
        }
        seen
    }

    fn grounded(&self, style: Style) -> Style {
        if self.on_heat { style.bg(Color::Reset) } else { style }
    }

    /// Draws the heading arrow of an agent in the next cell to the right. Draws nothing if the
    /// agent is out of view, if other agents share its cell, or if the next cell is not free.
    pub fn heading(&self, id: AgentId, seen: &mut Seen, buffer: &mut Buffer) {
        if let Some(cell) = self.cell(id) {
            self.arrow(id, cell, seen, buffer);
        }
    }

    /// Draws an agent's heading arrow to the right of `cell`. Draws nothing if other agents share
    /// `cell`, or if the next cell is not free.
    fn arrow(&self, id: AgentId, cell: Cell, seen: &mut Seen, buffer: &mut Buffer) {
        if seen.count(cell) == 1
            && let Some(beside) = self.beside(cell, seen)
        {
            let arrow = words::arrow(self.world.shown_heading(id));
            buffer[(beside.x, beside.y)]
                .set_symbol(arrow)
                .set_style(self.grounded(self.theme.heading));
        }
    }

    /// Draws an agent's glyph above all other agents in its cell. If the cell has several agents
    /// and the next cell is free, draws their number in the next cell.
    pub fn above(&self, id: AgentId, style: Style, seen: &mut Seen, buffer: &mut Buffer) {
        let Some(cell) = self.cell(id) else { return };
        let kind = self.world.kind(id);
        let index = self.world.scenario().starts()[id.index()].kind as usize;
        let style = self.grounded(self.theme.agents(kind, index)).patch(style);
        buffer[(cell.x, cell.y)].set_symbol(glyph::safe(&kind.glyph)).set_style(style);
        let count = seen.count(cell);
        if count > 1
            && let Some(beside) = self.beside(cell, seen)
        {
            let style = self.grounded(self.theme.strong);
            buffer[(beside.x, beside.y)].set_symbol(number(count)).set_style(style);
        }
    }

    /// Draws the pin symbol beside an agent, over the agent's heading arrow.
    pub fn pin(&self, id: AgentId, seen: &mut Seen, buffer: &mut Buffer) {
        if let Some(cell) = self.cell(id)
            && let Some(beside) = self.beside(cell, seen)
        {
            let cell = &mut buffer[(beside.x, beside.y)];
            cell.set_symbol(glyph::PINNED).set_style(self.theme.strong);
        }
    }

    /// Returns the cell to the right of an agent's cell. Returns `None` if tiles are one cell wide,
    /// or if that cell has an agent or is outside the view.
    fn beside(&self, cell: Cell, seen: &mut Seen) -> Option<Cell> {
        let beside = Cell { x: cell.x + 1, y: cell.y };
        let free = self.view.zoom.has_room_beside()
            && beside.x < self.view.area.right()
            && seen.count(beside) == 0;
        free.then_some(beside)
    }
}
