//! Steps patterns: rows of turns and moves, executed in order (Ex. 3-1 … 3-3).
//!
//! The book's listing moves along x in any orientation. Here, moves follow the heading, because the
//! book's text describes a snake.

/// The units of turns and distances in a steps pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Turns in multiples of 45° and distances in whole tiles. Bodies move from tile to tile.
    Notches,
    /// Turns in multiples of 90° and distances in whole tiles. Bodies move from tile to tile.
    RightAngles,
    /// Turns in degrees and distances in tiles, including fractions. Bodies move freely.
    Degrees,
}

/// A row of a steps pattern: a turn, then a move along the heading.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StepsRow {
    /// Turn in the [`Unit`] of the pattern; positive is clockwise.
    pub turn: f32,
    /// Distance to move along the heading, in tiles. Negative distances move backwards.
    pub forward: f32,
    /// Number of steps to wait if the row neither turns nor moves.
    pub wait: u32,
    /// Number of frames per step, from this row on. `None` keeps the current number.
    pub pace: Option<u32>,
    /// Text of the signal that the agent sends at the start of the row. `None` for no signal.
    pub signal: Option<String>,
}

impl StepsRow {
    /// Returns the number of steps that the row takes if nothing blocks the body. Only for rows
    /// that move on tiles.
    pub(crate) fn paces(&self) -> u32 {
        (self.forward.abs() as u32).max(self.wait).max(1)
    }
}

/// A pattern of turns and moves, executed row by row.
#[derive(Debug, Clone, PartialEq)]
pub struct StepsPattern {
    /// The rows of the pattern, at least one.
    pub rows: Vec<StepsRow>,
    /// Whether the pattern starts over after the last row.
    pub repeat: bool,
    /// Units of the turns and distances in all rows.
    pub unit: Unit,
}

/// The state of a body on a steps pattern.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StepsState {
    /// Index of the current row. After the end, the number of rows.
    pub row: u32,
    /// Number of completed steps in the current row. With [`Unit::Degrees`], number of completed
    /// frames.
    pub done: u32,
    /// Whether the current row has started: its turn is complete and its signal is sent.
    pub(crate) begun: bool,
    /// Distance moved in the current row, in tiles. Used only with [`Unit::Degrees`].
    pub moved: f32,
    /// Current number of frames per step.
    pub pace: u32,
}

impl StepsPattern {
    /// Returns the initial state for a mode with `pace` frames per step.
    pub(crate) fn start(&self, pace: u32) -> StepsState {
        let pace = self.rows[0].pace.unwrap_or(pace);
        StepsState { pace, ..StepsState::default() }
    }

    /// Returns the row that the body executes; `None` after the end of the pattern.
    pub fn row(&self, state: StepsState) -> Option<&StepsRow> {
        self.rows.get(state.row as usize)
    }

    /// Returns the state at the start of the next row. A repeating pattern continues with its first
    /// row.
    pub(crate) fn next_row(&self, state: StepsState) -> StepsState {
        let next = state.row + 1;
        let row = if self.repeat && next as usize >= self.rows.len() { 0 } else { next };
        let pace = self.rows.get(row as usize).and_then(|row| row.pace).unwrap_or(state.pace);
        StepsState { row, pace, ..StepsState::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_run_in_order_and_keep_the_pace() {
        let slow = StepsRow { pace: Some(8), ..StepsRow::default() };
        let forward = StepsRow { forward: 3.0, ..StepsRow::default() };
        let rows = vec![forward.clone(), slow, forward];
        let once = StepsPattern { rows, repeat: false, unit: Unit::Notches };
        let mut state = once.start(4);
        assert_eq!((state.pace, once.row(state).map(StepsRow::paces)), (4, Some(3)));
        state = once.next_row(once.next_row(state));
        assert_eq!((state.row, state.pace), (2, 8));
        assert_eq!(once.row(once.next_row(state)), None);
        let again = StepsPattern { repeat: true, ..once };
        assert_eq!((again.next_row(state).row, again.next_row(state).pace), (0, 8));
    }
}
