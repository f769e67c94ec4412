//! The unfinished stroke, path or matrix of paint mode. When the user finishes it, the stroke, path
//! or matrix becomes an edit of the session's draft.

use std::collections::BTreeSet;

use crate::debugger::Session;
use crate::files::write::edit::matrix_pattern::{self, Cells};
use crate::files::write::edit::path_pattern;
use crate::files::write::edit::starts::Standing;
use crate::geom::{LineKind, TilePos, TileRect, line};
use crate::id::AgentId;

/// The state of paint mode.
#[derive(Debug, Clone)]
pub struct Paint {
    /// The tiles, matrix or path being edited.
    pub canvas: Canvas,
    /// The tile on which keys act.
    pub cursor: TilePos,
    /// Shape of the tiles that a stroke fills.
    pub tool: Tool,
    /// The selected brush, as an index into the legend. For a matrix: 0 opens cells, 1 closes them.
    pub brush: usize,
    /// First end of a line, or first corner of a rectangle. `None` before the user sets it.
    pub corner: Option<TilePos>,
    /// The tiles of the current mouse stroke.
    pub stroke: BTreeSet<TilePos>,
    /// The agent start or place that is being moved. `None` if nothing is being moved.
    pub held: Option<Standing>,
    /// The agent starts and places of the map.
    pub standing: Vec<Standing>,
}

/// An object that paint mode can edit.
#[derive(Debug, Clone)]
pub enum Canvas {
    /// The tiles of the map.
    Ground,
    /// The cells of a matrix.
    Matrix(Matrix),
    /// A path pattern.
    Path(Drawing),
}

/// A matrix pattern being edited.
#[derive(Debug, Clone)]
pub struct Matrix {
    /// Name of the edited matrix pattern.
    pub name: String,
    /// The offset from matrix coordinates to map coordinates.
    pub shift: TilePos,
    /// The allowed cells, in matrix coordinates.
    pub cells: Cells,
}

impl Matrix {
    /// Returns true if the matrix allows a tile of the map.
    pub fn allows(&self, tile: TilePos) -> bool {
        let cell = tile - self.shift;
        self.cells.painted.contains(&cell) || self.cells.drawn.contains(&cell)
    }

    /// Returns all tiles of the map that the matrix allows.
    pub fn tiles(&self) -> impl Iterator<Item = TilePos> {
        self.cells.painted.iter().chain(&self.cells.drawn).map(|&cell| cell + self.shift)
    }
}

impl Paint {
    /// Returns true if the canvas is a path.
    pub fn draws_a_path(&self) -> bool {
        matches!(self.canvas, Canvas::Path(_))
    }

    /// Creates the state of paint mode for the tiles of the map.
    pub fn new(cursor: TilePos, brush: usize, standing: Vec<Standing>) -> Self {
        Self {
            canvas: Canvas::Ground,
            cursor,
            tool: Tool::Point,
            brush,
            corner: None,
            stroke: BTreeSet::new(),
            held: None,
            standing,
        }
    }

    /// Returns the agent starts and places on a tile.
    pub fn standing_on(&self, tile: TilePos) -> impl Iterator<Item = &Standing> {
        self.standing.iter().filter(move |standing| standing.tile == tile)
    }

    /// Returns the tiles that the current stroke would paint.
    pub fn pending(&self) -> Vec<TilePos> {
        match self.corner {
            Some(corner) => self.tool.tiles(corner, self.cursor),
            None => self.stroke.iter().copied().collect(),
        }
    }

    /// Cancels the current stroke or move. Returns true if a stroke or move was in progress.
    pub fn cancel(&mut self) -> bool {
        let stroke = core::mem::take(&mut self.stroke);
        self.corner.take().is_some() | self.held.take().is_some() | !stroke.is_empty()
    }
}

/// An unfinished path, in map coordinates.
#[derive(Debug, Clone)]
pub struct Drawing {
    /// Name under which the path is saved as a pattern.
    pub name: String,
    /// Whether the pattern file does not exist yet.
    pub is_new: bool,
    /// The offset from file coordinates to map coordinates.
    pub shift: TilePos,
    /// The kind of line between two vertices.
    pub line: LineKind,
    /// Vertices in drawing order.
    pub vertices: Vec<TilePos>,
    /// Number of vertices at the start that cannot be removed.
    pub fixed: usize,
    /// Whether the last vertex is connected to the first.
    pub closed: bool,
    /// Whether the user was warned that leaving discards the path.
    pub warned: bool,
}

/// The result of adding a vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Set {
    /// The tile was added as the last vertex.
    Added,
    /// The tile was already the last vertex: the path is finished.
    Done,
    /// The tile was the first vertex: the path is closed.
    Closed,
}

impl Drawing {
    /// Adds a vertex, or ends the path if the tile is the last or the first vertex.
    pub fn set(&mut self, tile: TilePos) -> Set {
        self.warned = false;
        if self.vertices.last() == Some(&tile) {
            return Set::Done;
        }
        if self.vertices.len() > 2 && self.vertices.first() == Some(&tile) {
            self.closed = true;
            return Set::Closed;
        }
        self.vertices.push(tile);
        Set::Added
    }

    /// Removes the last vertex. Returns false if the vertex is fixed or does not exist.
    pub fn take_back(&mut self) -> bool {
        self.vertices.len() > self.fixed && self.vertices.pop().is_some()
    }

    /// Returns true if the user has added vertices. Leaving the path unsaved discards these
    /// vertices.
    pub fn is_begun(&self) -> bool {
        self.vertices.len() > self.fixed
    }

    /// Returns the tiles of the lines between the vertices, in order. Returns no tiles for fewer
    /// than two vertices.
    pub fn tiles(&self) -> Vec<TilePos> {
        let mut ends = self.vertices.clone();
        ends.extend(self.vertices.first().filter(|_| self.closed && self.vertices.len() > 2));
        ends.windows(2).flat_map(|pair| line::tiles(self.line, pair[0], pair[1])).collect()
    }

    /// Returns the tiles of the line from the last vertex to `tile`.
    pub fn tiles_to(&self, tile: TilePos) -> Vec<TilePos> {
        let last = self.vertices.last();
        last.map_or_else(Vec::new, |&last| line::tiles(self.line, last, tile))
    }

    /// Returns the tiles of the path if `next` were added as a vertex.
    pub fn line_to(&self, next: TilePos) -> impl Iterator<Item = TilePos> {
        self.tiles().into_iter().chain(self.tiles_to(next))
    }

    /// Returns the vertices in file coordinates.
    pub fn written(&self) -> Vec<TilePos> {
        self.vertices.iter().map(|&tile| tile - self.shift).collect()
    }
}

/// Maximum number of tiles in a rectangle.
const MOST: i64 = 1 << 20;

/// Shape of the tiles that a stroke fills.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tool {
    /// Paints single tiles.
    #[default]
    Point,
    /// Paints a straight line between two tiles.
    Line,
    /// Paints a filled rectangle between two corners.
    Rectangle,
}

impl Tool {
    /// Returns the next tool in the cycle: single tile, line, rectangle.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Point => Self::Line,
            Self::Line => Self::Rectangle,
            Self::Rectangle => Self::Point,
        }
    }

    /// Returns the name of the tool, for messages.
    pub fn word(self) -> &'static str {
        match self {
            Self::Point => "single tile",
            Self::Line => "line",
            Self::Rectangle => "rectangle",
        }
    }

    /// Returns the tiles of a stroke from `a` to `b`. A single-tile stroke has only `b`. Returns no
    /// tiles for a rectangle with more than 1,048,576 tiles.
    pub fn tiles(self, a: TilePos, b: TilePos) -> Vec<TilePos> {
        match self {
            Self::Point => vec![b],
            Self::Line => line::tiles(LineKind::Standard, a, b),
            Self::Rectangle => {
                let TileRect { min, max } = TileRect::new(a, b);
                let area = i64::from(max.x - min.x + 1) * i64::from(max.y - min.y + 1);
                if area > MOST {
                    return Vec::new();
                }
                let row = |y| (min.x..=max.x).map(move |x| TilePos::new(x, y));
                (min.y..=max.y).flat_map(row).collect()
            }
        }
    }
}

impl Session {
    /// Returns the name of the selected agent's pattern of a kind such as `path` or `matrix`.
    /// Prefers the pattern that the agent currently follows. Returns `None` without such a pattern.
    pub fn pattern_of_selected(&self, word: &str) -> Option<String> {
        let id = self.selected()?;
        let walked = self.world().pattern_use(id);
        let kind = self.scenario().kind(id);
        let others = kind.modes.iter().flat_map(|mode| mode.drive.patterns());
        let mut all = walked.into_iter().chain(others);
        all.find(|used| used.pattern.word() == word).map(|used| used.name.clone())
    }

    /// Returns the offset from a pattern file's coordinates to map coordinates.
    ///
    /// The offset is zero if `absolute` is true or no agent uses the pattern. Otherwise it depends
    /// on an agent that uses the pattern, preferably the selected agent.
    fn shift(&self, name: &str, absolute: bool, anchor: TilePos) -> TilePos {
        if absolute {
            return TilePos::default();
        }
        let scenario = self.scenario();
        let kinds = scenario.kinds().iter().map(|kind| kind.first);
        let mut ids = self.selected().into_iter().chain(kinds);
        let placed = ids.find_map(|id: AgentId| {
            let modes = &scenario.kind(id).modes;
            let mut used = modes.iter().flat_map(|mode| mode.drive.patterns());
            let used = used.find(|used| used.name == name)?;
            Some(used.placement.anchor(TilePos::containing(self.world().home(id))))
        });
        placed.map_or(TilePos::default(), |placed| placed - anchor)
    }

    /// Starts to draw a path: a new version of the pattern `name`, or a new pattern.
    ///
    /// # Errors
    /// Returns a one-line message for the user if the path can't be drawn.
    pub fn drawing(&self, name: &str) -> Result<Drawing, String> {
        path_pattern::check_name(name)?;
        let files = self.draft().files();
        let place = crate::scenario::sources::FileRole::Pattern(name.to_owned());
        let name = name.to_owned();
        let (warned, closed) = (false, false);
        if files.file(&place).is_none() {
            let (shift, line) = (TilePos::default(), LineKind::Standard);
            let vertices = Vec::new();
            return Ok(Drawing {
                name,
                is_new: true,
                shift,
                line,
                vertices,
                fixed: 0,
                closed,
                warned,
            });
        }
        let route = path_pattern::read(&name, files)?;
        let first = route.vertices.first().copied().unwrap_or_default();
        let shift = self.shift(&name, route.absolute, first);
        // A relative pattern is placed by its first vertex, so that vertex stays fixed.
        let vertices = if route.absolute { Vec::new() } else { vec![first + shift] };
        let (fixed, line, closed) = (vertices.len(), route.line, route.closed);
        Ok(Drawing { name, is_new: false, shift, line, vertices, fixed, closed, warned })
    }

    /// Reads a matrix pattern for painting.
    ///
    /// # Errors
    /// Returns a one-line message for the user if the matrix can't be painted.
    pub fn matrix(&self, name: &str) -> Result<Matrix, String> {
        let cells = matrix_pattern::read(name, self.draft().files())?;
        let shift = self.shift(name, cells.absolute, cells.anchor);
        Ok(Matrix { name: name.to_owned(), shift, cells })
    }
}
