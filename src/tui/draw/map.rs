//! The map: tiles, what is laid over them, agents, and the selected one above all.

use core::fmt::Write as _;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::Widget;

use crate::agent::Drive;
use crate::geom::TilePos;
use crate::id::AgentId;
use crate::tui::camera::{View, Zoom};
use crate::tui::glyph;
use crate::tui::overlays::{Layer, Overlays};
use crate::tui::session::{Session, Subject};
use crate::tui::theme::Theme;
use crate::words;
use crate::world::{Flags, World};

use super::canvas::Canvas;
use super::{events, ghosts, marks, pane, tiles};

/// A map in its border.
#[derive(Debug)]
pub struct MapPane<'a> {
    /// What is watched.
    pub session: &'a Session,
    /// The part in view.
    pub view: View,
    /// Does the view follow the selected agent?
    pub following: bool,
    /// The layers that are laid over it.
    pub overlays: Overlays,
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
        let MapPane { session, view, overlays, theme, .. } = *self;
        MapView { session, view, overlays: Some(overlays), theme }.render(area, buffer);
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
        if self.overlays.all {
            let (told, left_out) = (self.session.watched().len(), self.session.left_out());
            if left_out > 0 {
                let in_view = told + left_out;
                let _ = write!(text, " overlays of {told} of {in_view}");
            } else {
                text.push_str(" overlays of all");
            }
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
    /// The layers that are laid over it; without any not even the selected agent is shown as such.
    pub overlays: Option<Overlays>,
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
        let Some(overlays) = self.overlays else {
            self.agents(world, &[], false, buffer);
            return;
        };
        let mut canvas = Canvas::new(&world.scenario().map, self.view, self.theme);
        marks::draw(self.session, overlays, &mut canvas, buffer);
        canvas.targets.sort_unstable();
        ghosts::agents(self.session, &self.view, self.theme, buffer);
        // A sign above an agent must not hide another; one beside it stands for its arrow.
        let beside = self.view.zoom == Zoom::Square;
        let signs = overlays.has(Layer::Events);
        if signs && !beside {
            events::draw(self.session, self.view, self.theme, buffer);
        }
        self.agents(world, &canvas.targets, overlays.has(Layer::Heading), buffer);
        for &id in &canvas.marked {
            if let Some(cell) = self.view.cell(world.tile(id)) {
                buffer[(cell.x, cell.y)].set_style(self.theme.neighbour);
            }
        }
        self.selection(overlays, buffer);
        if let Some(id) = self.session.driven() {
            self.sign(id, self.theme.driven, buffer);
        }
        if signs && beside {
            events::draw(self.session, self.view, self.theme, buffer);
        }
    }
}

impl MapView<'_> {
    /// All agents in agent order; of several on a tile the last is seen. Those on one of `targets`,
    /// which are in order, are marked; `headings` asks for an arrow beside each.
    fn agents(&self, world: &World, targets: &[TilePos], headings: bool, buffer: &mut Buffer) {
        let scenario = world.scenario();
        let looks: Vec<(&str, Style)> = scenario
            .kinds
            .iter()
            .enumerate()
            .map(|(index, kind)| (glyph::safe(&kind.glyph), self.theme.agents(kind, index)))
            .collect();
        for id in world.ids() {
            let tile = world.tile(id);
            let Some(cell) = self.view.cell(tile) else { continue };
            let (sign, style) = looks[scenario.starts[id.index()].kind as usize];
            let cell = &mut buffer[(cell.x, cell.y)];
            cell.set_symbol(sign).set_style(style);
            if world.flags(id).has(Flags::QUARANTINED) {
                cell.set_style(self.theme.quarantined);
            }
            if !targets.is_empty() && targets.binary_search(&tile).is_ok() {
                cell.set_style(self.theme.target_agent);
            }
            // Who only stands faces nowhere in particular.
            if headings && !matches!(world.mode(id).drive, Drive::Stand) {
                self.heading(world, id, buffer);
            }
        }
    }

    fn selection(&self, overlays: Overlays, buffer: &mut Buffer) {
        if let Subject::Tile(tile) = self.session.subject()
            && let Some(cell) = self.view.cell(tile)
        {
            for x in cell.x..cell.x + self.view.zoom.columns() {
                buffer[(x, cell.y)].set_style(self.theme.selected);
            }
        }
        let world = self.session.world();
        let Some(id) = self.session.selected() else { return };
        self.sign(id, self.theme.selected, buffer);
        if overlays.has(Layer::Heading) {
            self.heading(world, id, buffer);
        }
    }

    /// An agent above all others, with a style of its own.
    fn sign(&self, id: AgentId, style: Style, buffer: &mut Buffer) {
        let world = self.session.world();
        let Some(cell) = self.view.cell(world.tile(id)) else { return };
        let kind = world.kind(id);
        let index = world.scenario().starts[id.index()].kind as usize;
        let style = self.theme.agents(kind, index).patch(style);
        buffer[(cell.x, cell.y)].set_symbol(glyph::safe(&kind.glyph)).set_style(style);
    }

    /// An arrow beside an agent, where tiles have room for it.
    fn heading(&self, world: &World, id: AgentId, buffer: &mut Buffer) {
        if self.view.zoom != Zoom::Square {
            return;
        }
        if let Some(cell) = self.view.cell(world.tile(id)) {
            let arrow = words::arrow(world.shown_heading(id));
            buffer[(cell.x + 1, cell.y)].set_symbol(arrow).set_style(self.theme.heading);
        }
    }
}
