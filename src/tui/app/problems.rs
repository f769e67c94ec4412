//! The list of errors and warnings in the files of the map.

use crate::tui::action::Context;
use crate::tui::draw::problems;

use super::panel::Panel;

pub(super) static PROBLEMS: Panel = Panel {
    context: Context::Problems,
    list: |app, session, row| problems::list(session.problems(), row, &app.theme, app.panel_area()),
    pick: |_, _| {},
};
