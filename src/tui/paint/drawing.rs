//! A path that is drawn vertex by vertex.

use crate::geom::{LineKind, TilePos, line};

/// A path on its way, in tiles of the map.
#[derive(Debug, Clone)]
pub struct Drawing {
    /// The name of its pattern.
    pub name: String,
    /// Is there no such file yet?
    pub is_new: bool,
    /// What the coordinates of the file are from those of the map.
    pub shift: TilePos,
    /// The line between two vertices.
    pub line: LineKind,
    /// Its vertices so far.
    pub vertices: Vec<TilePos>,
    /// Vertices that stay: the first one of a path that is placed by it.
    pub fixed: usize,
    /// Does the last one lead to the first?
    pub closed: bool,
    /// Was the person told that what is drawn would be lost?
    pub warned: bool,
}

/// What came of setting a vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Set {
    /// There is one more.
    Added,
    /// It is the last one again: the path is done.
    Done,
    /// It is the first one again: the path is closed.
    Closed,
}

impl Drawing {
    /// Sets a vertex.
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

    /// Takes the last vertex back; was there one that can go?
    pub fn take_back(&mut self) -> bool {
        self.vertices.len() > self.fixed && self.vertices.pop().is_some()
    }

    /// Is there anything that would be lost?
    pub fn is_begun(&self) -> bool {
        self.vertices.len() > self.fixed
    }

    /// The tiles between its vertices.
    pub fn tiles(&self) -> Vec<TilePos> {
        let mut ends = self.vertices.clone();
        ends.extend(self.vertices.first().filter(|_| self.closed && self.vertices.len() > 2));
        ends.windows(2).flat_map(|pair| line::tiles(self.line, pair[0], pair[1])).collect()
    }

    /// The tiles from the last vertex to another one.
    pub fn tiles_to(&self, tile: TilePos) -> Vec<TilePos> {
        let last = self.vertices.last();
        last.map_or_else(Vec::new, |&last| line::tiles(self.line, last, tile))
    }

    /// All its tiles, and those to another one that may be its next vertex.
    pub fn way(&self, next: TilePos) -> impl Iterator<Item = TilePos> {
        self.tiles().into_iter().chain(self.tiles_to(next))
    }

    /// Its vertices as they stand in the file.
    pub fn written(&self) -> Vec<TilePos> {
        self.vertices.iter().map(|&tile| tile - self.shift).collect()
    }
}
