//! What overlays draw on: strokes finer than cells, signs in cells, styles over tiles.
//!
//! Styles over tiles go straight into the buffer; strokes come over them, signs over strokes, and
//! agents over all.

use ratatui::buffer::Buffer;
use ratatui::style::Style;

use crate::geom::{TilePos, Vec2};
use crate::id::AgentId;
use crate::map::Map;
use crate::tui::camera::{View, Zoom};
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
    signs: Vec<(TilePos, bool, &'static str, Style)>,
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
            marked: Vec::new(),
            targets: Vec::new(),
        }
    }

    /// A sign at a point.
    pub fn sign(&mut self, at: Vec2, sign: &'static str, style: Style) {
        let at = self.map.wrap(at);
        let tile = TilePos::containing(at);
        let right = self.view.zoom == Zoom::Square && at.x - tile.x as f32 >= 0.5;
        self.signs.push((tile, right, sign, style));
    }

    /// A sign for what may well be an agent: beside its glyph, where tiles have room for that.
    pub fn target(&mut self, at: Vec2, sign: &'static str, style: Style) {
        let tile = TilePos::containing(self.map.wrap(at));
        self.signs.push((tile, self.view.zoom == Zoom::Square, sign, style));
        self.targets.push(tile);
    }

    /// A style over a tile, and a sign in its first cell.
    pub fn tile(
        &self,
        tile: TilePos,
        sign: Option<&'static str>,
        style: Style,
        buffer: &mut Buffer,
    ) {
        let Some(cell) = self.map.resolve(tile).and_then(|tile| self.view.cell(tile)) else {
            return;
        };
        for x in cell.x..cell.x + self.view.zoom.columns() {
            buffer[(x, cell.y)].set_style(style);
        }
        if let Some(sign) = sign {
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
        for &(tile, right, sign, style) in &self.signs {
            if let Some(cell) = self.view.cell(tile) {
                let x = cell.x + u16::from(right);
                buffer[(x, cell.y)].set_symbol(sign).set_style(style);
            }
        }
    }
}
