//! Panels: the lists over the map that differ only in rows and main command.

use crate::tui::action::Context;
use crate::tui::draw::list::List;
use crate::tui::session::Session;

use super::App;

/// A list over the map whose only state is the selected row. To add one, define a panel, and a
/// command that opens it.
#[derive(Debug)]
pub struct Panel {
    /// The context of its keys.
    pub context: Context,
    /// Returns the list with a selected row.
    pub list: for<'a> fn(&'a App, &'a Session, usize) -> List<'a>,
    /// Runs the main command on a row.
    pub pick: fn(&mut App, usize),
}
