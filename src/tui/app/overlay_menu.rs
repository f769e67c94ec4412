//! The overlay menu.

use crate::tui::action::Context;
use crate::tui::draw::layers;
use crate::tui::overlays::TABLE;

use super::panel::Panel;

pub(super) static OVERLAYS: Panel = Panel {
    context: Context::Overlays,
    list: |app, _, row| layers::list(app.overlays, row, &app.theme, &app.layout(), app.screen),
    pick: |app, row| app.overlays.toggle(TABLE[row].layer),
};
