//! Widgets for the panes, lists and pages of the screen.
//!
//! Widgets borrow the data that they show and never change it. They always draw Unicode characters.
//! On terminals without Unicode, `App::draw` replaces these with ASCII characters.

pub(super) mod agents;
pub(super) mod answer;
pub(super) mod canvas;
pub(super) mod events;
pub(super) mod expectations;
pub mod facts;
pub(super) mod footer;
pub(super) mod ghosts;
pub mod help;
pub mod inspector;
pub(super) mod line;
pub(super) mod list;
pub(super) mod map;
pub(super) mod marks;
pub(super) mod paint;
pub(super) mod pane;
pub(super) mod problems;
pub(super) mod reading;
pub(super) mod status;
pub(super) mod strokes;
pub(super) mod tiles;
pub mod timeline;

/// Returns the index of the first visible row of a list. It is chosen so that row `selected` is
/// visible.
///
/// `count` is the number of rows in the list, and `rows` is the number of rows that fit on the
/// screen.
pub fn first_shown(selected: usize, count: usize, rows: u16) -> usize {
    let rows = usize::from(rows);
    selected.saturating_sub(rows / 2).min(count.saturating_sub(rows))
}
