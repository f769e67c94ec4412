//! The canvas of the overlays: strokes of Braille dots, signs in cells, styles over tiles.
//!
//! Styles are drawn first, then strokes, then signs. Agents are drawn over all of them.

use ratatui::buffer::Buffer;
use ratatui::style::{Modifier, Style};

use crate::geom::{TilePos, Vec2};
use crate::id::AgentId;
use crate::map::Map;
use crate::tui::camera::View;
use crate::tui::input::Cell;
use crate::tui::theme::Theme;

use super::strokes::Strokes;

/// A canvas over the visible part of a map.
#[derive(Debug)]
pub struct Canvas<'a> {
    pub map: &'a Map,
    pub view: View,
    pub theme: &'a Theme,
    pub strokes: Strokes<'a>,
    signs: Vec<(Cell, &'static str, Style)>,
    /// Whether the heat map colours the ground. If so, marked tiles are underlined instead of
    /// filled.
    pub on_heat: bool,
    /// Agents to mark at their positions.
    pub marked: Vec<AgentId>,
    /// Tiles whose agents are marked as targets.
    pub targets: Vec<TilePos>,
}

impl<'a> Canvas<'a> {
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

    /// Draws a sign at a point.
    pub fn sign(&mut self, at: Vec2, sign: &'static str, style: Style) {
        if let Some(cell) = self.view.place(self.map.wrap(at)) {
            self.signs.push((cell, sign, style));
        }
    }

    /// Draws a sign to the right of a point, if there is room.
    pub fn beside(&mut self, at: Vec2, sign: &'static str, style: Style) {
        if let Some(cell) = self.view.place(self.map.wrap(at))
            && cell.x + 1 < self.view.area.right()
        {
            self.signs.push((Cell { x: cell.x + 1, ..cell }, sign, style));
        }
    }

    /// Marks a tile as a target, and draws a sign there: next to an agent's glyph, if tiles are
    /// wide enough.
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

    /// Applies a style to a tile. Also draws the sign, if there is one, where an agent on the tile
    /// would be drawn.
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

    /// Draws strokes and signs into the buffer.
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
