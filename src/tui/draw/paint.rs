//! Draws paint mode: the pane with the brushes, and the unfinished stroke on the map.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::widgets::{Clear, Widget};
use unicode_width::UnicodeWidthStr;

use crate::debugger::session::Session;
use crate::files::write::edit::starts::{NamedPoint, Standing};
use crate::geom::TilePos;
use crate::map::Map;
use crate::tile::TileKind;
use crate::tui::action::{Action, Context, Keymap};
use crate::tui::camera::View;
use crate::tui::glyph;
use crate::tui::input::Cell;
use crate::tui::layout::{self, Layout};
use crate::tui::paint::{Canvas, Drawing, Matrix, Paint};
use crate::tui::theme::Theme;

use super::{first_shown, pane};

/// Number of brushes that the keys 1 to 9 select.
const NUMBERED: usize = 9;

const START: &str = glyph::START;
const PLACE: &str = glyph::WAYPOINT;

/// Returns the area of the brush pane, including its border. The pane covers the inspector.
pub fn place(layout: &Layout, screen: Rect) -> Rect {
    layout.over_inspector(screen)
}

/// Number of pane rows above the brushes.
const ABOVE: u16 = 1;
const BELOW: u16 = 2;

/// Returns true if the pane is too low for key hints below the brushes.
fn is_low(inside: Rect) -> bool {
    inside.height < ABOVE + BELOW + 2
}

/// Minimum width of a column of brushes, in terminal columns.
const BRUSH: u16 = 36;

/// Positions of the visible brushes. Brushes fill one column after another.
struct BrushList {
    rows: Rect,
    columns: u16,
    first: usize,
}

impl BrushList {
    fn of(paint: &Paint, count: usize, area: Rect) -> Self {
        let inside = layout::inside(area);
        let below = if is_low(inside) { 0 } else { BELOW };
        let height = inside.height.saturating_sub(ABOVE + below).max(1);
        let rows = Rect { y: inside.y + ABOVE, height, ..inside };
        let columns = (inside.width / BRUSH).max(1);
        let chosen = match &paint.canvas {
            Canvas::Path(_) => count.saturating_sub(1),
            Canvas::Ground | Canvas::Matrix(_) => paint.brush,
        };
        Self { rows, columns, first: first_shown(chosen, count, height * columns) }
    }

    /// Returns the area of the brush at `index`. Returns `None` if the brush is scrolled out of
    /// view.
    fn place(&self, index: usize) -> Option<Rect> {
        let index = index.checked_sub(self.first)?;
        let height = usize::from(self.rows.height);
        let column = u16::try_from(index / height).ok().filter(|&it| it < self.columns)?;
        let width = self.rows.width / self.columns;
        let (x, y) = (self.rows.x + column * width, self.rows.y + (index % height) as u16);
        Some(Rect { x, y, width, height: 1 })
    }
}

/// Returns the index of the brush drawn on a cell, for clicks. Returns `None` outside all brushes.
/// `area` is the pane including its border.
pub fn brush_at(paint: &Paint, session: &Session, area: Rect, cell: Cell) -> Option<usize> {
    let count = brushes(paint, session).len();
    let list = BrushList::of(paint, count, area);
    let at = Position::new(cell.x, cell.y);
    (0..count).find(|&index| list.place(index).is_some_and(|place| place.contains(at)))
}

struct Brush {
    sign: String,
    name: String,
    about: String,
}

fn brushes(paint: &Paint, session: &Session) -> Vec<Brush> {
    let plain = |sign: &str, name: &str, about: &str| Brush {
        sign: sign.to_owned(),
        name: name.to_owned(),
        about: about.to_owned(),
    };
    match &paint.canvas {
        Canvas::Path(drawing) => {
            drawing.vertices.iter().map(|tile| plain(PLACE, &tile.to_string(), "")).collect()
        }
        Canvas::Matrix(_) => {
            vec![plain("1", "allowed", "in the matrix"), plain(".", "closed", "not in the matrix")]
        }
        Canvas::Ground => {
            let kind = |kind: &TileKind| plain(shown(&kind.glyph), &kind.name, &effects(kind));
            session.scenario().map().legend().iter().map(kind).collect()
        }
    }
}

/// Returns a printable form of a tile's glyph. A space becomes a visible character.
fn shown(sign: &str) -> &str {
    if sign == " " { glyph::SPACE } else { glyph::safe(sign) }
}

/// Describes how a kind of tile affects agents, such as `not walkable, opaque`.
fn effects(kind: &TileKind) -> String {
    let mut parts = Vec::new();
    if !kind.walk {
        parts.push("not walkable".to_owned());
    }
    if kind.opaque {
        parts.push("opaque".to_owned());
    }
    if kind.cost > 1.0 {
        parts.push(format!("cost {}", kind.cost));
    }
    if kind.drag > 0.0 {
        parts.push(format!("drag {}", kind.drag));
    }
    if let Some(radius) = kind.obstacle {
        parts.push(format!("obstacle {radius}"));
    }
    if parts.is_empty() { "walkable".to_owned() } else { parts.join(", ") }
}

#[derive(Debug)]
/// The pane of paint mode: the tile at the cursor, the brushes, and key hints.
pub struct Pane<'a> {
    pub paint: &'a Paint,
    pub session: &'a Session,
    pub keymap: &'a Keymap,
    pub theme: &'a Theme,
}

impl Widget for Pane<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        if area.is_empty() {
            return;
        }
        Clear.render(area, buffer);
        let title = match &self.paint.canvas {
            Canvas::Ground => "paint".to_owned(),
            Canvas::Matrix(matrix) => format!("matrix {}", matrix.name),
            Canvas::Path(drawing) => format!("path {}", drawing.name),
        };
        let inside = pane::frame(&title, &self.unsaved(), self.theme, area, buffer);
        if inside.height <= ABOVE {
            return;
        }
        let width = usize::from(inside.width);
        let mut line = |y: u16, text: &str, style: Style| {
            buffer.set_stringn(inside.x, y, pane::fitted(text, width), width, style);
        };
        line(inside.y, &self.here(), self.theme.strong);
        if !is_low(inside) {
            let [first, second] = self.help();
            line(inside.bottom() - 2, &first, self.theme.dim);
            line(inside.bottom() - 1, &second, self.theme.dim);
        }
        self.list(area, buffer);
    }
}

impl Pane<'_> {
    fn unsaved(&self) -> String {
        match self.session.draft().unsaved_count() {
            0 => String::new(),
            count => format!("{} not written", crate::words::count(count as u64, "edit")),
        }
    }

    /// Describes the tile at the cursor: its kind, its start positions and places, and the edited
    /// matrix or path. While an object is being moved, describes the move instead.
    fn here(&self) -> String {
        let (cursor, map) = (self.paint.cursor, self.session.scenario().map());
        let kind = map.kind(cursor).map_or("", |kind| kind.name.as_str());
        let mut text = format!(" {cursor} {kind}");
        for standing in self.paint.standing_on(cursor).take(3) {
            text = format!("{text}, {}", standing.point.describe());
        }
        match (&self.paint.held, &self.paint.canvas) {
            (Some(held), _) => format!(" moving the {} to {cursor}", held.point.describe()),
            (None, Canvas::Matrix(matrix)) => {
                format!("{text}, {}", if matrix.allows(cursor) { "allowed" } else { "closed" })
            }
            (None, Canvas::Path(drawing)) => {
                let count = drawing.vertices.len() as u64;
                let closed = if drawing.closed { ", closed" } else { "" };
                let vertices = crate::words::count_with(count, "vertex", "vertices");
                let barrier = self.barrier(drawing).unwrap_or_default();
                format!("{text}; {vertices}{closed}{barrier}")
            }
            (None, Canvas::Ground) => text,
        }
    }

    /// Describes the first tile of the drawn path that blocks walkers. Returns `None` if the path
    /// is free.
    fn barrier(&self, drawing: &Drawing) -> Option<String> {
        let map = self.session.scenario().map();
        let tile = drawing.line_to(self.paint.cursor).find(|&tile| !is_open(map, tile))?;
        let kind = map.kind(tile).map_or("map edge", |kind| &kind.name);
        Some(format!("; crosses {kind} {tile}"))
    }

    fn key(&self, action: Action) -> String {
        self.keymap.named(action, self.context())
    }

    fn context(&self) -> Context {
        match self.paint.canvas {
            Canvas::Path(_) => Context::Draw,
            Canvas::Ground | Canvas::Matrix(_) => Context::Paint,
        }
    }

    fn help(&self) -> [String; 2] {
        if let Canvas::Path(drawing) = &self.paint.canvas {
            let (set, back) = (self.key(Action::Vertex), self.key(Action::RemoveVertex));
            let (close, done) = (self.key(Action::ClosePath), self.key(Action::FinishPath));
            let closes = if drawing.closed { "open" } else { "close" };
            return [
                format!(" {set} vertex  {back} remove last  {close} {closes}"),
                format!(" {done} or the same vertex twice: finish"),
            ];
        }
        let (tool, next) = (self.paint.tool.word(), self.key(Action::NextTool));
        let (pick, grab) = (self.key(Action::PickBrush), self.key(Action::Grab));
        let stroke = format!(" {next} tool: {tool}  {pick} brush from tile");
        let marks = match self.paint.canvas {
            Canvas::Ground => {
                format!(" {START} start {PLACE} place: move with {grab} or the mouse")
            }
            Canvas::Matrix(_) | Canvas::Path(_) => {
                format!(" {} allowed tiles  {} closed tiles", "1", "2")
            }
        };
        [stroke, marks]
    }

    fn list(&self, area: Rect, buffer: &mut Buffer) {
        let brushes = brushes(self.paint, self.session);
        let list = BrushList::of(self.paint, brushes.len(), area);
        let name = brushes.iter().map(|brush| brush.name.width()).max().unwrap_or(0);
        let name = name.min(usize::from(list.rows.width) / 2);
        let legend = self.session.scenario().map().legend();
        for (index, brush) in brushes.iter().enumerate().skip(list.first) {
            let Some(place) = list.place(index) else { break };
            let chosen = index == self.paint.brush && !self.paint.draws_a_path();
            let style = if chosen { self.theme.strong } else { self.theme.text };
            let mark = if chosen { glyph::MARKER } else { " " };
            let number = if index < NUMBERED { (index + 1).to_string() } else { " ".to_owned() };
            let sign = match self.paint.canvas {
                Canvas::Ground => legend.get(index).map(|kind| self.theme.tile(kind)),
                Canvas::Matrix(_) | Canvas::Path(_) => None,
            };
            let sign = sign.unwrap_or(style);
            let parts = [
                (format!("{mark} {number} "), style),
                (brush.sign.clone(), sign),
                (format!(" {:<name$}", pane::fitted(&brush.name, name)), style),
                (format!("  {}", brush.about), self.theme.dim),
            ];
            let mut x = place.x;
            for (text, style) in parts {
                let room = usize::from(place.right().saturating_sub(x));
                (x, _) = buffer.set_stringn(x, place.y, pane::fitted(&text, room), room, style);
            }
        }
    }
}

fn is_open(map: &Map, tile: TilePos) -> bool {
    map.kind(tile).is_some_and(|kind| kind.walk)
}

fn sign_of(standing: &Standing) -> &'static str {
    match standing.point {
        NamedPoint::Start(_) => START,
        NamedPoint::Place(_) => PLACE,
    }
}

/// Draws the edited objects on the map: start positions and places, the unfinished stroke or path,
/// and the cursor.
#[derive(Debug)]
pub struct PaintMarks<'a> {
    pub paint: &'a Paint,
    pub session: &'a Session,
    pub view: View,
    pub theme: &'a Theme,
}

impl PaintMarks<'_> {
    pub fn draw(&self, buffer: &mut Buffer) {
        if self.view.area != self.view.area.intersection(buffer.area) {
            return;
        }
        match &self.paint.canvas {
            Canvas::Ground => self.ground(buffer),
            Canvas::Matrix(matrix) => self.matrix(matrix, buffer),
            Canvas::Path(drawing) => {
                for tile in drawing.tiles() {
                    self.tile(tile, Some(glyph::TICK), self.theme.pattern, buffer);
                }
                for tile in drawing.tiles_to(self.paint.cursor) {
                    self.tile(tile, Some(glyph::CANDIDATE), self.theme.candidate, buffer);
                }
                let map = self.session.scenario().map();
                for tile in drawing.line_to(self.paint.cursor).filter(|&tile| !is_open(map, tile)) {
                    self.tile(tile, Some(glyph::HIT), self.theme.hit, buffer);
                }
                for &tile in &drawing.vertices {
                    self.tile(tile, Some(PLACE), self.theme.next, buffer);
                }
            }
        }
        if let Some(cells) = self.cells(self.paint.cursor) {
            buffer.set_style(cells, self.theme.selected);
            if let Some(held) = &self.paint.held {
                let sign = sign_of(held);
                buffer[(cells.x, cells.y)].set_symbol(sign);
            }
        }
    }

    fn ground(&self, buffer: &mut Buffer) {
        for standing in &self.paint.standing {
            let Some(cells) = self.cells(standing.tile) else { continue };
            // If tiles are wide enough, the signs of starts and places do not cover agents.
            let x = if cells.width > 1 { cells.x + 1 } else { cells.x };
            buffer[(x, cells.y)].set_symbol(sign_of(standing)).set_style(self.theme.target);
        }
        let legend = self.session.scenario().map().legend();
        let Some(kind) = legend.get(self.paint.brush) else { return };
        let sign = glyph::safe(&kind.drawn);
        for tile in self.paint.pending() {
            let Some(cells) = self.cells(tile) else { continue };
            for position in cells.positions() {
                buffer[position].set_symbol(sign).set_style(self.theme.tile(kind));
            }
            buffer.set_style(cells, self.theme.candidate);
        }
    }

    fn matrix(&self, matrix: &Matrix, buffer: &mut Buffer) {
        for tile in matrix.tiles() {
            self.tile(tile, None, self.theme.pattern, buffer);
        }
        for tile in self.paint.pending() {
            self.tile(tile, None, self.theme.candidate, buffer);
        }
    }

    fn tile(&self, tile: TilePos, sign: Option<&str>, style: Style, buffer: &mut Buffer) {
        let Some(cells) = self.cells(tile) else { return };
        buffer.set_style(cells, style);
        if let Some(sign) = sign {
            buffer[(cells.x, cells.y)].set_symbol(sign);
        }
    }

    fn cells(&self, tile: TilePos) -> Option<Rect> {
        self.view.cells(self.session.scenario().map().resolve(tile)?)
    }
}
