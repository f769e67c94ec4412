//! Commands on expectations: opening the list, and going to verdicts.

use crate::debugger::expectations::Judged;
use crate::judge::Outcome;
use crate::tui::glyph;
use crate::tui::map_screen::popup::{EXPECTATIONS, ListPopup, Next};
use crate::tui::ui::Ui;

use super::MapScreen;

impl MapScreen {
    /// Opens the list of expectations. Selects the first violated expectation. If none is violated,
    /// selects the first expectation.
    pub(in crate::tui) fn list_expectations(&mut self) {
        let session = &self.session;
        let violated = |each: Judged| each.outcome() == Some(Outcome::Fail);
        let row = session.expectations().position(violated).unwrap_or(0);
        self.open(ListPopup::new(&EXPECTATIONS, row));
    }

    /// Goes to the frame of a verdict, and selects the agent that the verdict is about. `row` is
    /// the index of the expectation. If the expectation is undecided, only shows a note.
    pub(in crate::tui) fn go_to_verdict(&mut self, ui: &mut Ui, row: usize) -> Next {
        let session = &self.session;
        // A reload can make the list shorter.
        let Some(judged) = session.expectations().take(row + 1).last() else { return Next::Stay };
        let name = glyph::clean(&judged.expectation.name);
        let Some(decision) = judged.decision.cloned() else {
            self.note(ui, format!("{name}: undecided; the run is judged as it is simulated"));
            return Next::Stay;
        };
        let frame = decision.frame();
        self.leave_goal();
        self.seek.select = decision.agent;
        self.go_to(ui, frame);
        self.note(ui, format!("{name}: {}", decision.why));
        Next::Close
    }
}
