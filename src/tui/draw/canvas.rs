//! What overlays draw on: strokes finer than cells, signs in cells, styles over tiles.
//!
//! Styles over tiles go straight into the buffer; strokes come over them, signs over strokes, and
//! agents over all.

use ratatui::buffer::Buffer;
use ratatui::style::{Modifier, Style};

use crate::geom::{TilePos, Vec2};
use crate::id::AgentId;
use crate::map::Map;
use crate::tui::camera::View;
use crate::tui::input::Cell;
use crate::tui::theme::Theme;

use super::strokes::Strokes;

/// A view to draw overlays on.
#[derive(Debug)]
pub struct Canvas<'a> {
    /// The ground.
    pub map: &'a Map,
    /// The part in view.
    pub view: View,
    /// The styles.
    pub theme: &'a Theme,
    /// Lines.
    pub strokes: Strokes<'a>,
    signs: Vec<(Cell, &'static str, Style)>,
    /// Do visits colour the ground? Then tiles are marked by a line below them.
    pub on_heat: bool,
    /// Agents to be marked where they stand.
    pub marked: Vec<AgentId>,
    /// Tiles on which an agent, if there is one, is to be marked as a target.
    pub targets: Vec<TilePos>,
}

impl<'a> Canvas<'a> {
    /// An empty one.
    pub fn new(map: &'a Map, view: View, theme: &'a Theme) -> Self {
        let strokes = Strokes::new(map, view);
        Self {
            map,
            view,
            theme,
            strokes,
            signs: Vec::new(),
            on_heat: false,
            marked: Vec::new(),
            targets: Vec::new(),
        }
    }

    /// A sign at a point.
    pub fn sign(&mut self, at: Vec2, sign: &'static str, style: Style) {
        if let Some(cell) = self.view.place(self.map.wrap(at)) {
            self.signs.push((cell, sign, style));
        }
    }

    /// A sign for what may well be an agent: beside its glyph, where tiles have room for that.
    pub fn target(&mut self, at: Vec2, sign: &'static str, style: Style) {
        let at = self.map.wrap(at);
        let tile = TilePos::containing(at);
        self.targets.push(tile);
        let Some(mut cell) = self.view.body(tile, at) else { return };
        if self.view.zoom.has_room_beside() && cell.x + 1 < self.view.area.right() {
            cell.x += 1;
        }
        self.signs.push((cell, sign, style));
    }

    /// A style over a tile, and a sign where an agent on it would stand.
    pub fn tile(
        &self,
        tile: TilePos,
        sign: Option<&'static str>,
        style: Style,
        buffer: &mut Buffer,
    ) {
        let Some(tile) = self.map.resolve(tile) else { return };
        let Some(cells) = self.view.cells(tile) else { return };
        let below = Style { bg: None, ..style }.add_modifier(Modifier::UNDERLINED);
        let style = if self.on_heat { below } else { style };
        buffer.set_style(cells, style);
        if let Some(sign) = sign
            && let Some(cell) = self.view.body(tile, tile.centre())
        {
            buffer[(cell.x, cell.y)].set_symbol(sign);
        }
    }

    /// Puts strokes and signs into the buffer.
    pub fn merge(&self, buffer: &mut Buffer) {
        let keeps = |tile| {
            let kind = self.map.kind(tile);
            kind.is_some_and(|kind| kind.opaque || kind.obstacle.is_some())
        };
        self.strokes.merge(keeps, buffer);
        for &(cell, sign, style) in &self.signs {
            buffer[(cell.x, cell.y)].set_symbol(sign).set_style(style);
        }
    }
}
