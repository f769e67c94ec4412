//! A path that the user draws vertex by vertex.

use crate::geom::{LineKind, TilePos, line};

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
