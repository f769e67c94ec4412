//! Searches in a large group: the member nearest to a position, and the members within a distance.

use std::sync::Arc;

use crate::geom::Vec2;
use crate::id::AgentId;
use crate::map::Map;
use crate::scenario::Scenario;
use crate::steering::{AvoidAgents, AvoidCrowd, Behaviour, Target};
use crate::world::neighbours::cells::Cells;
use crate::world::neighbours::index::{Entry, Index};
use crate::world::neighbours::members::{Members, enabled_rows};
use crate::world::state::State;

/// Maximum number of members of a group that is searched without an index.
pub const SMALL_GROUP: usize = 32;

/// Average number of members in an area of one row by three columns. It affects the order in which
/// members are visited, so another number changes state hashes.
const MEMBERS_PER_CELL: f32 = 2.0;

/// Relative margin for rounding errors in the cell of a position.
const ROUNDING: f32 = 1e-3;

/// An index of a group for searches. The cell size depends on the number of members.
#[derive(Debug)]
pub struct GroupSearch {
    pub(super) members: Arc<Members>,
    index: Index,
    /// Highest speed of all members, in tiles/s.
    pub(super) max_speed: f32,
    /// Largest radius of all members, in tiles.
    pub(super) max_radius: f32,
}

impl GroupSearch {
    pub fn new(scenario: &Scenario, members: Members) -> Self {
        let map = &scenario.map;
        let radii = (0..members.len()).map(|rank| scenario.kind(members.id(rank)).body.radius);
        let max_radius = radii.fold(0.0, f32::max);
        let area = map.width() as f32 * map.height() as f32;
        let room = (area * MEMBERS_PER_CELL / members.len().max(1) as f32).sqrt();
        let index = Index::new(Cells::new(map, room));
        Self { members: Arc::new(members), index, max_speed: 0.0, max_radius }
    }

    /// Returns an index of the same agents without the data of the current frame.
    pub fn fresh(&self) -> Self {
        let (members, index) = (Arc::clone(&self.members), Index::new(self.index.cells));
        Self { members, index, max_speed: 0.0, max_radius: self.max_radius }
    }

    /// Rebuilds the index from the current positions.
    pub fn sort(&mut self, state: &State) {
        let Self { members, index, max_speed, .. } = self;
        index.sort(members.len(), |rank| Entry::of_present(state, members.id(rank)));
        let speeds = (0..members.len()).map(|rank| state.velocity(members.id(rank).index()));
        *max_speed = speeds.fold(0.0_f32, |most, v| most.max(v.length_squared())).sqrt();
    }

    /// Returns the member nearest to an agent at `at`, except the agent itself. If several are
    /// equally near, returns the first one in agent order. Returns `None` if there is no other
    /// member.
    ///
    /// Searches the rows outward from the agent's row, and each row outward from the agent's
    /// column, until all remaining cells are farther away.
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
        (best.rank != u32::MAX).then(|| self.members.id(best.rank as usize))
    }

    fn nearest_in_row(&self, row: u32, id: AgentId, at: Vec2, map: &Map, best: &mut Best) {
        let Cells { columns, wrap, size, .. } = self.index.cells;
        let places = self.index.row(row);
        let count = places.len();
        let column = self.index.cells.column(at.x);
        let start = self.index.range(row, &(column..columns)).start - places.start;
        let width = size.x / columns as f32;
        let mut look = |place: usize, away: u32| {
            if best.is_nearer_than(away, width) {
                return false;
            }
            let other = &self.index.entries()[place];
            let rank = self.index.rank(place);
            let squared = map.offset(at, Vec2::new(other.x, other.y)).length_squared();
            if (squared, rank) < (best.squared, best.rank) && self.members.id(rank as usize) != id {
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

    /// Calls `visit` for all members within a distance of a position, and for some members farther
    /// away. The distance and the position are in tiles.
    pub fn visit_within(&self, at: Vec2, distance: f32, mut visit: impl FnMut(AgentId)) {
        let cells = &self.index.cells;
        let (column, row) = (cells.column(at.x), cells.row(at.y));
        self.index.visit_around(row, (column, column), cells.within(distance), |places, _| {
            places.for_each(|place| visit(self.members.id(self.index.rank(place) as usize)));
        });
    }
}

/// Creates the search indexes that the steering of a scenario needs. They are used for collision
/// courses, for the nearest agents, and for the nearest member of a large group.
pub fn searches(scenario: &Scenario) -> Vec<GroupSearch> {
    let mut searches: Vec<GroupSearch> = Vec::new();
    let many = |target: Target| {
        let Target::Group(group) = target else { return None };
        (scenario.members(group).len() > SMALL_GROUP).then_some(Some(group))
    };
    for row in scenario.kinds.iter().flat_map(|kind| &kind.modes).flat_map(enabled_rows) {
        let passing = if let Behaviour::AvoidAgents(AvoidAgents { of, .. })
        | Behaviour::AvoidCrowd(AvoidCrowd { of, .. }) = row.behaviour
        {
            Some(of)
        } else {
            None
        };
        let targets = [row.target, row.other].into_iter().flatten().filter_map(many);
        for of in targets.chain(passing) {
            if !searches.iter().any(|search| search.members.group == of) {
                searches.push(GroupSearch::new(scenario, Members::new(scenario, of)));
            }
        }
    }
    searches
}

#[derive(Debug, Clone, Copy)]
struct Best {
    squared: f32,
    rank: u32,
}

impl Best {
    /// Returns true if the best member so far is nearer than any member at least `away` cells away.
    /// `width` is the size of a cell in tiles.
    fn is_nearer_than(self, away: u32, width: f32) -> bool {
        let least = away.saturating_sub(1) as f32 * width * (1.0 - ROUNDING);
        least * least > self.squared
    }
}
