//! The map: tiles, what is laid over them, agents, and the selected one above all.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::Widget;

use crate::geom::{TilePos, Vec2};
use crate::id::AgentId;
use crate::tui::camera::{View, Zoom};
use crate::tui::glyph;
use crate::tui::session::{Session, Subject};
use crate::tui::theme::Theme;
use crate::words;
use crate::world::{Flags, World};

use super::marks::{self, Mark};
use super::{pane, tiles};

/// A map in its border.
#[derive(Debug)]
pub struct MapPane<'a> {
    /// What is watched.
    pub session: &'a Session,
    /// The part in view.
    pub view: View,
    /// Does the view follow the selected agent?
    pub following: bool,
    /// The styles.
    pub theme: &'a Theme,
}

impl Widget for &MapPane<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        if area.is_empty() {
            return;
        }
        let title = &self.session.scenario().title;
        let title = if title.is_empty() { self.session.label() } else { title };
        pane::frame(title, &self.part_in_view(), self.theme, area, buffer);
        MapView { session: self.session, view: self.view, selection: true, theme: self.theme }
            .render(area, buffer);
    }
}

impl Widget for MapPane<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        (&self).render(area, buffer);
    }
}

impl MapPane<'_> {
    /// Which tiles are in view, of how many, and how large.
    fn part_in_view(&self) -> String {
        let (width, height) = self.session.size();
        let view = &self.view;
        let last = view.origin + TilePos::new(view.columns() - 1, view.rows() - 1);
        let mut text = if view.is_whole((width, height)) {
            format!("{width}×{height}")
        } else {
            format!("{} to {last} of {width}×{height}", view.origin)
        };
        if view.zoom == Zoom::Narrow {
            text.push_str(" narrow");
        }
        if self.following {
            text.push_str(" following");
        }
        text
    }
}

/// A map without a border.
#[derive(Debug)]
pub struct MapView<'a> {
    /// What is watched.
    pub session: &'a Session,
    /// The part in view; its area says where.
    pub view: View,
    /// Is the selected agent shown as such?
    pub selection: bool,
    /// The styles.
    pub theme: &'a Theme,
}

impl Widget for MapView<'_> {
    fn render(self, _: Rect, buffer: &mut Buffer) {
        if self.view.area.is_empty() || self.view.area != self.view.area.intersection(buffer.area) {
            return;
        }
        let world = self.session.world();
        tiles::draw(&world.scenario().map, &self.view, self.theme, buffer);
        if self.selection {
            marks::visit(self.session, &self.view, &mut |at, mark| self.mark(at, mark, buffer));
        }
        self.agents(world, buffer);
        if self.selection {
            self.selection(buffer);
        }
    }
}

impl MapView<'_> {
    fn mark(&self, at: Vec2, mark: Mark, buffer: &mut Buffer) {
        let theme = self.theme;
        let (sign, style) = match mark {
            Mark::Pattern => (None, theme.pattern),
            Mark::CameFrom => (Some(glyph::CAME_FROM), theme.came_from),
            Mark::Candidate => (Some(glyph::CANDIDATE), theme.candidate),
            Mark::Next => (Some(glyph::NEXT), theme.next),
            Mark::Box => (Some(glyph::BOX), theme.feeler),
            Mark::BoxHit => (Some(glyph::BOX), theme.hit),
            Mark::Feeler => (Some(glyph::FEELER), theme.feeler),
            Mark::Hit => (Some(glyph::HIT), theme.hit),
            Mark::Wander => (Some(glyph::WANDER), theme.feeler),
            Mark::Target => (Some(glyph::TARGET), theme.target),
        };
        let tile = TilePos::containing(at);
        let Some(cell) = self.view.cell(tile) else { return };
        let fine = matches!(
            mark,
            Mark::Box | Mark::BoxHit | Mark::Feeler | Mark::Hit | Mark::Wander | Mark::Target
        );
        if fine {
            let right = self.view.zoom == Zoom::Square && at.x - tile.x as f32 >= 0.5;
            let sign = sign.unwrap_or(glyph::FEELER);
            buffer[(cell.x + u16::from(right), cell.y)].set_symbol(sign).set_style(style);
            return;
        }
        for x in cell.x..cell.x + self.view.zoom.columns() {
            buffer[(x, cell.y)].set_style(style);
        }
        if let Some(sign) = sign {
            buffer[(cell.x, cell.y)].set_symbol(sign);
        }
    }

    /// All agents in agent order; of several on a tile the last is seen.
    fn agents(&self, world: &World, buffer: &mut Buffer) {
        let scenario = world.scenario();
        let looks: Vec<(&str, Style)> = scenario
            .kinds
            .iter()
            .enumerate()
            .map(|(index, kind)| (glyph::safe(&kind.glyph), self.theme.agents(kind, index)))
            .collect();
        for id in world.ids() {
            let Some(cell) = self.view.cell(world.tile(id)) else { continue };
            let (sign, style) = looks[scenario.starts[id.index()].kind as usize];
            let cell = &mut buffer[(cell.x, cell.y)];
            cell.set_symbol(sign).set_style(style);
            if world.flags(id).has(Flags::QUARANTINED) {
                cell.set_style(self.theme.quarantined);
            }
        }
    }

    fn selection(&self, buffer: &mut Buffer) {
        if let Subject::Tile(tile) = self.session.subject()
            && let Some(cell) = self.view.cell(tile)
        {
            for x in cell.x..cell.x + self.view.zoom.columns() {
                buffer[(x, cell.y)].set_style(self.theme.selected);
            }
        }
        let world = self.session.world();
        let Some(id) = self.session.selected() else { return };
        let Some(cell) = self.view.cell(world.tile(id)) else { return };
        self.selected_agent(world, id, (cell.x, cell.y), buffer);
    }

    fn selected_agent(&self, world: &World, id: AgentId, at: (u16, u16), buffer: &mut Buffer) {
        let kind = world.kind(id);
        let index = world.scenario().starts[id.index()].kind as usize;
        let style = self.theme.agents(kind, index).patch(self.theme.selected);
        buffer[at].set_symbol(glyph::safe(&kind.glyph)).set_style(style);
        if self.view.zoom == Zoom::Square {
            let arrow = words::arrow(world.heading(id));
            buffer[(at.0 + 1, at.1)].set_symbol(arrow).set_style(self.theme.heading);
        }
    }
}
