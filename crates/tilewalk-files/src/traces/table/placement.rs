//! Converts the positions of a run from the units of its file to the tiles of a map, and completes
//! the velocities and headings that the file leaves out.

use tilewalk_sim::geom::Vec2;
use tilewalk_sim::map::Map;
use tilewalk_sim::scenario::run::{DerivedMotion, RunRow, RunTable};
use tilewalk_sim::trace::Units;

use crate::traces::error::RunError;
use crate::traces::header::TraceOptions;

use super::{Cells, RunFile, selected};

/// Length of a frame of a run without times, in seconds.
pub(super) const USUAL_TICK: f64 = 0.05;

/// Speed below which an agent keeps its last heading, in tiles/s.
const STANDSTILL: f32 = 1e-3;

impl RunFile {
    /// Creates a run on tiles, in which agents are at the centres of tiles.
    ///
    /// # Errors
    /// Returns an error if the options select no rows.
    pub(in crate::traces) fn on_tiles(
        table: RunTable,
        options: TraceOptions,
    ) -> Result<Self, RunError> {
        let table = selected(table, &options)?;
        // A map of another program must not replace the unit by the size of its tiles.
        let options = TraceOptions { scale: Some(1.0), ..options };
        Ok(Self { table, options, cells: Cells::Known(true) })
    }

    /// Returns the name of the file for messages, safe to print.
    pub fn label(&self) -> &str {
        &self.table.label
    }

    /// Converts the run to the tiles of a map. `height` is the height of the map; `None` if the run
    /// has no map. Then the agents are moved onto an empty map of their extent.
    ///
    /// # Errors
    /// Returns an error if the extent of a run without a map is too large for a map.
    pub fn on_map(self, height: Option<u32>) -> Result<RunTable, RunError> {
        self.placed(height, false)
    }

    /// Converts the run like [`RunFile::on_map`]. If `spare` is true, the sides of an empty map are
    /// powers of two.
    pub(super) fn placed(mut self, height: Option<u32>, spare: bool) -> Result<RunTable, RunError> {
        let [low, high] = self.extent();
        let [least, most] = self.options.extent.unwrap_or([[0.0; 2], [1.0; 2]]).map(Vec2::from);
        let mut first = low.floor().min(least).min(Vec2::ZERO);
        let mut size = (high.floor() + 1.0).max(most) - first;
        if spare {
            let rounded = |side: f32| (side as u32).next_power_of_two().min(Map::MAX_SIDE) as f32;
            let before = -first;
            first = -Vec2::new(
                if before.x > 0.0 { rounded(before.x) } else { 0.0 },
                if before.y > 0.0 { rounded(before.y) } else { 0.0 },
            );
            size = high.floor() + 1.0 - first;
            size = Vec2::new(rounded(size.x), rounded(size.y)).max(size);
        }
        if height.is_none() && size.max_element() > Map::MAX_SIDE as f32 {
            let what = format!(
                "the positions extend over {} × {} tiles, and a map has at most {} tiles per side: \
                 give the size of a tile with --scale",
                size.x,
                size.y,
                Map::MAX_SIDE
            );
            return Err(RunError::File { label: self.table.label, what });
        }
        self.table.size = [size.x as u32, size.y as u32];
        self.table.corner = height.is_none().then_some(first);
        let y_up = self.options.y_up == Some(true);
        let [x, y] = self.options.origin.unwrap_or_default();
        let (y_up, shift) = match height {
            Some(height) => (y_up.then_some(height as f32), Vec2::ZERO),
            None if y_up => (Some(first.y + size.y), Vec2::new(-first.x, 0.0)),
            None => (None, -first),
        };
        let origin = Vec2::new(x as f32, y as f32);
        let scale = self.scale();
        let cells = match self.cells {
            Cells::Known(cells) => cells,
            Cells::InUnitsOfTiles => scale == 1.0,
        };
        let units = Units { scale, origin, y_up, shift, cells, derived: DerivedMotion::default() };
        for row in &mut self.table.rows {
            convert(&units, row);
        }
        self.table.units = units;
        derive(&mut self.table);
        Ok(self.table)
    }

    fn scale(&self) -> f32 {
        self.options.scale.unwrap_or(1.0) as f32
    }

    /// Returns the smallest and the largest coordinates, in tiles.
    fn extent(&self) -> [Vec2; 2] {
        let infinite = [Vec2::INFINITY, Vec2::NEG_INFINITY];
        let extend =
            |[low, high]: [Vec2; 2], row: &RunRow| [low.min(row.position), high.max(row.position)];
        let extent = self.table.rows.iter().fold(infinite, extend);
        let [x, y] = self.options.origin.unwrap_or_default();
        extent.map(|at| (at - Vec2::new(x as f32, y as f32)) / self.scale())
    }
}

/// Converts the position, velocity and heading of a row to tiles.
pub(super) fn convert(units: &Units, row: &mut RunRow) {
    row.position = units.position(row.position);
    row.velocity = units.vector(row.velocity);
    row.heading = units.turned(row.heading);
}

/// Computes the velocities and headings that the file leaves out.
fn derive(table: &mut RunTable) {
    table.units.derived = DerivedMotion {
        velocity: !table.rows.iter().any(|row| row.velocity.is_finite()),
        heading: !table.rows.iter().any(has_heading),
    };
    let times = table.times.take();
    let tick = tick_of(table);
    let time =
        |frame: u32| times.as_ref().map_or(frame as f32 * tick, |times| times[frame as usize]);
    for agent in 0..table.agents.len() {
        let rows = table.rows_of_mut(agent);
        let mut before: Option<RunRow> = None;
        for row in rows {
            complete(row, before.as_ref(), time);
            before = Some(*row);
        }
    }
    table.times = times;
}

/// Returns the length of a frame, in seconds.
pub(super) fn tick_of(table: &RunTable) -> f32 {
    table.tick.unwrap_or(USUAL_TICK) as f32
}

/// Computes the velocity and the heading of a row if the file leaves them out. `before` is the
/// previous row of the agent, and `time` returns the seconds from frame 0 to a frame.
pub(super) fn complete(row: &mut RunRow, before: Option<&RunRow>, time: impl Fn(u32) -> f32) {
    if !row.velocity.is_finite() {
        let moved = before.filter(|before| before.frame + 1 == row.frame);
        row.velocity = moved.map_or(Vec2::ZERO, |before| {
            (row.position - before.position) / (time(row.frame) - time(before.frame))
        });
    }
    if has_heading(row) {
        let length = row.heading.length();
        // A unit vector is kept as it is, so that traces of this program are exact.
        if (length - 1.0).abs() > 1e-4 {
            row.heading /= length;
        }
    } else if row.velocity.length() > STANDSTILL {
        row.heading = row.velocity / row.velocity.length();
    } else {
        row.heading = before.map_or(Vec2::X, |before| before.heading);
    }
}

/// Returns true if the file contains the heading of a row.
fn has_heading(row: &RunRow) -> bool {
    let length = row.heading.length();
    length.is_finite() && length > 0.0
}
