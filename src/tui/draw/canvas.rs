//! The canvas on which overlays draw: strokes of Braille dots, symbols in cells, and styles of
//! tiles.
//!
//! Styles are drawn first, then strokes, then symbols. Agents are drawn last.

use ratatui::buffer::Buffer;
use ratatui::style::{Modifier, Style};

use crate::geom::{TilePos, Vec2};
use crate::id::AgentId;
use crate::map::Map;
use crate::tui::camera::View;
use crate::tui::input::Cell;
use crate::tui::theme::Theme;

use super::strokes::Strokes;

/// The overlays of the visible part of a map. They are collected here before they are drawn.
#[derive(Debug)]
pub struct Canvas<'a> {
    pub map: &'a Map,
    pub view: View,
    pub theme: &'a Theme,
    pub strokes: Strokes<'a>,
    signs: Vec<(Cell, &'static str, Style)>,
    /// Whether the heat map colours the ground. Styled tiles are then underlined, because a
    /// background colour would hide the heat map.
    pub on_heat: bool,
    /// Agents that get the style of neighbours, in any order.
    pub marked: Vec<AgentId>,
    /// Tiles with a steering target. Agents on these tiles get the style of targets.
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

    /// Adds a symbol at a point given in tiles. Ignores points outside the view.
    pub fn sign(&mut self, at: Vec2, sign: &'static str, style: Style) {
        if let Some(cell) = self.view.place(self.map.wrap(at)) {
            self.signs.push((cell, sign, style));
        }
    }

    /// Adds a symbol in the cell to the right of a point given in tiles. Ignores the symbol if that
    /// cell is outside the view.
    pub fn beside(&mut self, at: Vec2, sign: &'static str, style: Style) {
        if let Some(cell) = self.view.place(self.map.wrap(at))
            && cell.x + 1 < self.view.area.right()
        {
            self.signs.push((Cell { x: cell.x + 1, ..cell }, sign, style));
        }
    }

    /// Adds a steering target at a point given in tiles. Adds its tile to [`Self::targets`], and
    /// draws a symbol at the point. If tiles are at least two cells wide, the symbol is beside the
    /// agent's glyph.
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

    /// Applies a style to the cells of a tile. Draws the symbol `sign` at the tile's centre, if
    /// given. Ignores tiles outside the view.
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

    /// Draws the collected strokes and symbols. Strokes do not replace the glyphs of opaque tiles
    /// and obstacles.
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
