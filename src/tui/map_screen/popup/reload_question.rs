//! The question that asks how the run continues after a file of the map was saved.

use crate::tui::action::{Action, Context};
use crate::tui::draw::list::List;
use crate::tui::map_screen::MapScreen;
use crate::tui::ui::Ui;

use super::{Next, Popup};

/// The question. Its keys are its answers; the map screen holds the changed scenario.
#[derive(Debug, Clone)]
pub(in crate::tui) struct ReloadQuestion;

impl Popup for ReloadQuestion {
    fn context(&self) -> Context {
        Context::Saved
    }

    fn list<'a>(&'a self, _map: &'a MapScreen, _ui: &'a Ui) -> Option<List<'a>> {
        None
    }

    fn select(&mut self, _row: usize) {}

    fn pick(&mut self, _map: &mut MapScreen, _ui: &mut Ui) -> Next {
        Next::Stay
    }

    /// Closes the question. The run continues with the old contents.
    fn close(&mut self, map: &mut MapScreen, ui: &mut Ui) -> Next {
        map.forget_waiting();
        let key = ui.setup.keymap.named(Action::Reload, Context::Map);
        map.note(ui, format!("run unchanged; {key} asks again"));
        Next::Close
    }
}
