//! Steps patterns: rows of control data, carried out one after the other (Ex. 3-1 … 3-3).
//!
//! The book's listing moves along x whatever the orientation; its prose, a snake, needs the steps
//! to follow the heading, and so they do here.

/// What turns and steps are counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Turns in notches of 45° and steps in tiles, for bodies on tiles.
    Notches,
    /// Turns in notches of 90° and steps in tiles.
    RightAngles,
    /// Turns in degrees and steps in tiles of any length, for free bodies.
    Degrees,
}

/// One row: turn first, then move along the heading.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StepsRow {
    /// Turn, right (clockwise) positive, in the pattern's unit.
    pub turn: f32,
    /// Tiles to move, backwards negative.
    pub forward: f32,
    /// Paces to stand, for a row that neither turns nor moves.
    pub wait: u32,
    /// Frames a pace lasts from this row on.
    pub pace: Option<u32>,
    /// A text to report when the row begins.
    pub signal: Option<String>,
}

impl StepsRow {
    /// How many paces the row lasts on tiles, if nothing is in the way.
    pub(crate) fn paces(&self) -> u32 {
        (self.forward.abs() as u32).max(self.wait).max(1)
    }
}

/// A program of rows.
#[derive(Debug, Clone, PartialEq)]
pub struct StepsPattern {
    /// The rows, at least one.
    pub rows: Vec<StepsRow>,
    /// Does it begin again after the last row?
    pub repeat: bool,
    /// What turns and steps are counted in.
    pub unit: Unit,
}

/// How far a program is.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StepsState {
    /// Index of the row; the number of rows when the program has ended.
    pub row: u32,
    /// Paces done of it on tiles, frames done of it in degrees.
    pub done: u32,
    /// Has its turn been made and its signal given?
    pub(crate) begun: bool,
    /// Tiles moved in it so far, in degrees.
    pub moved: f32,
    /// Frames a pace lasts at present.
    pub pace: u32,
}

impl StepsPattern {
    /// The state at the beginning, for a mode whose pace is `pace` frames.
    pub(crate) fn start(&self, pace: u32) -> StepsState {
        let pace = self.rows[0].pace.unwrap_or(pace);
        StepsState { pace, ..StepsState::default() }
    }

    /// The row that is being carried out, or `None` after the end.
    pub fn row(&self, state: StepsState) -> Option<&StepsRow> {
        self.rows.get(state.row as usize)
    }

    /// The state at the beginning of the next row.
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
    fn rows_follow_each_other_and_keep_the_pace_they_set() {
        let slow = StepsRow { pace: Some(8), ..StepsRow::default() };
        let go = StepsRow { forward: 3.0, ..StepsRow::default() };
        let rows = vec![go.clone(), slow, go];
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
