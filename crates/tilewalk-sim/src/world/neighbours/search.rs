//! Looking for members of a group from anywhere: the nearest, or all within some distance.

use crate::geom::Vec2;
use crate::id::AgentId;
use crate::map::Map;

use super::cells::Cells;
use super::index::Index;
use super::roster::Roster;
use super::{State, member};
use std::sync::Arc;

/// How many members share a stretch of ground as wide as it is high, when they are spread evenly.
const CROWDING: f32 = 2.0;

/// More than all rounding between a position and its cell, as a share.
const ROUNDING: f32 = 1e-3;

/// A group that is searched. Its cells are as wide as its members are apart: what is found does not
/// depend on them.
#[derive(Debug)]
pub struct Search {
    pub(super) roster: Arc<Roster>,
    index: Index,
    /// The highest speed of a member, in tiles/s.
    pub(super) fastest: f32,
}

impl Search {
    /// An index of nobody yet.
    pub fn new(map: &Map, roster: Roster) -> Self {
        let area = map.width() as f32 * map.height() as f32;
        let room = (area * CROWDING / roster.len().max(1) as f32).sqrt();
        Self { roster: Arc::new(roster), index: Index::new(Cells::new(map, room)), fastest: 0.0 }
    }

    /// The same without what follows from a frame.
    pub fn fresh(&self) -> Self {
        let (roster, index) = (Arc::clone(&self.roster), Index::new(self.index.cells));
        Self { roster, index, fastest: 0.0 }
    }

    /// Sorts everyone to where they are.
    pub fn sort(&mut self, state: &State) {
        let Self { roster, index, fastest } = self;
        index.sort(roster.len(), |rank| member(state, roster.id(rank)));
        let speeds = (0..roster.len()).map(|rank| state.velocity(roster.id(rank).index()));
        *fastest = speeds.fold(0.0_f32, |most, v| most.max(v.length_squared())).sqrt();
    }

    /// The member nearest to an agent, never itself; of equals the first.
    ///
    /// Goes through the rows outward from the agent's, and in each row outward from its column, as
    /// far as someone nearer could be.
    pub fn nearest(&self, id: AgentId, at: Vec2, map: &Map) -> Option<AgentId> {
        let mut best = Best { squared: f32::INFINITY, rank: u32::MAX };
        let cells = &self.index.cells;
        let (row, rows) = (cells.row(at.y), cells.rows);
        for away in 0..rows {
            if best.is_nearer_than(away, cells.size.y / rows as f32) {
                break;
            }
            let (above, below) = if cells.wrap {
                let below = (row + away) % rows;
                let above = (row + rows - away) % rows;
                (Some(above), Some(below).filter(|&below| below != above))
            } else {
                (row.checked_sub(away), Some(row + away).filter(|&below| below < rows && away > 0))
            };
            for row in [above, below].into_iter().flatten() {
                self.nearest_in_row(row, id, at, map, &mut best);
            }
            if cells.wrap && 2 * away >= rows {
                break;
            }
        }
        (best.rank != u32::MAX).then(|| self.roster.id(best.rank as usize))
    }

    fn nearest_in_row(&self, row: u32, id: AgentId, at: Vec2, map: &Map, best: &mut Best) {
        let Cells { columns, wrap, size, .. } = self.index.cells;
        let places = self.index.row(row);
        let count = places.len();
        let column = self.index.cells.column(at.x);
        let start = self.index.stretch(row, &(column..columns)).start - places.start;
        let width = size.x / columns as f32;
        let mut look = |place: usize, away: u32| {
            if best.is_nearer_than(away, width) {
                return false;
            }
            let other = &self.index.members()[place];
            let rank = self.index.rank(place);
            let squared = map.offset(at, Vec2::new(other.x, other.y)).length_squared();
            if (squared, rank) < (best.squared, best.rank) && self.roster.id(rank as usize) != id {
                *best = Best { squared, rank };
            }
            true
        };
        let steps = if wrap { count } else { count - start };
        for step in 0..steps {
            let place = places.start + (start + step) % count;
            let away = (self.index.column(place) + columns - column) % columns;
            if !look(place, away) {
                break;
            }
        }
        let steps = if wrap { count } else { start };
        for step in 1..=steps {
            let place = places.start + (start + count - step) % count;
            let away = (column + columns - self.index.column(place)) % columns;
            if !look(place, away) {
                break;
            }
        }
    }

    /// Shows all members within some distance of a place, and perhaps some who are further off.
    pub fn visit_within(&self, at: Vec2, distance: f32, mut visit: impl FnMut(AgentId)) {
        let Cells { columns, rows, size, .. } = self.index.cells;
        let cells = |length: f32, count: u32| {
            let cells = distance * (1.0 + ROUNDING) * count as f32 / length;
            cells.ceil().min(count as f32) as u32 + 1
        };
        let reach = (cells(size.x, columns), cells(size.y, rows));
        let column = self.index.cells.column(at.x);
        let row = self.index.cells.row(at.y);
        self.index.visit_around(row, (column, column), reach, |places, _| {
            places.for_each(|place| visit(self.roster.id(self.index.rank(place) as usize)));
        });
    }
}

/// The nearest found so far.
#[derive(Debug, Clone, Copy)]
struct Best {
    squared: f32,
    rank: u32,
}

impl Best {
    /// Is it nearer than anyone so many cells away, each so wide?
    fn is_nearer_than(self, away: u32, width: f32) -> bool {
        let least = away.saturating_sub(1) as f32 * width * (1.0 - ROUNDING);
        least * least > self.squared
    }
}
