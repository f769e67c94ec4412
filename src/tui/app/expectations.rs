//! Commands on expectations: opening the list, and going to verdicts.

use crate::debugger::expectations::Judged;
use crate::judge::Outcome;
use crate::tui::glyph;

use super::panels::EXPECTATIONS;
use super::{App, Mode};

impl App {
    /// Opens the list of expectations. Selects the first violated expectation. If none is violated,
    /// selects the first expectation.
    pub(super) fn list_expectations(&mut self) {
        let Some(session) = &self.session else { return };
        let violated = |each: Judged| each.outcome() == Some(Outcome::Fail);
        let row = session.expectations().position(violated).unwrap_or(0);
        self.open_panel(&EXPECTATIONS, row);
    }

    /// Goes to the frame of a verdict, and selects the agent that the verdict is about. `row` is
    /// the index of the expectation. If the expectation is undecided, only shows a note.
    pub(super) fn go_to_verdict(&mut self, row: usize) {
        let Some(session) = &self.session else { return };
        // A reload can make the list shorter.
        let Some(judged) = session.expectations().take(row + 1).last() else { return };
        let name = glyph::clean(&judged.expectation.name);
        let Some(decision) = judged.decision.cloned() else {
            self.note(format!("{name}: undecided; the run is judged as it is simulated"));
            return;
        };
        let frame = decision.frame();
        self.mode = Mode::Watch;
        self.leave_goal();
        self.seek.select = decision.agent;
        self.go_to(frame);
        self.note(format!("{name}: {}", decision.why));
    }
}
