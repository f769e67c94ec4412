//! Commands on the runs of a map: switching runs, and ending the comparison.

use crate::history::run::RunId;
use crate::history::{DEFAULT_BUDGET, OtherSide};
use crate::tui::action::{Action, Context};

use crate::tui::map_screen::popup::{ListPopup, RUNS};
use crate::tui::ui::Ui;

use super::MapScreen;

impl MapScreen {
    pub(in crate::tui) fn list_runs(&mut self) {
        let history = self.session.history();
        let row = history.runs().iter().position(|(run, _)| run == history.present());
        self.open(ListPopup::new(&RUNS, row.unwrap_or(0)));
    }

    pub(in crate::tui) fn hide_comparison(&mut self, ui: &mut Ui) {
        if !self.end_comparison(ui) {
            self.warn(ui, "no ghost to hide");
        }
    }

    pub(in crate::tui) fn switch_run(&mut self, ui: &mut Ui, run: RunId) {
        self.leave_goal();
        let session = &mut self.session;
        self.clock.set_playing(false);
        self.late = false;
        if session.history().present() == run {
            return;
        }
        self.seek.elapsed = core::time::Duration::ZERO;
        session.switch_run(run);
        self.note(ui, format!("showing run {}; the previous run is now the ghost", run.0 + 1));
        self.keep_in_view(ui);
    }

    /// Ends the comparison with another run and hides the ghosts. Returns false if no run is
    /// compared.
    pub(in crate::tui) fn end_comparison(&mut self, ui: &mut Ui) -> bool {
        let session = &mut self.session;
        let text = match session.history().other_side() {
            None => return false,
            Some(OtherSide::Run { .. }) => "ghost hidden; use :runs to return to that run",
            Some(OtherSide::Outside { .. }) => "comparison run closed",
        };
        session.end_comparison();
        self.note(ui, text);
        true
    }

    /// Drops the oldest runs if the old runs need too much memory, and reports it. All frames of
    /// old runs must be recorded before, because a dropped run is no longer recorded.
    pub(in crate::tui) fn drop_old_runs(&mut self, ui: &mut Ui) {
        let session = &mut self.session;
        let dropped = session.drop_old_runs();
        let (Some(first), Some(last)) = (dropped.first(), dropped.last()) else { return };
        let numbers = match dropped.len() {
            1 => format!("run {}", first.0 + 1),
            count => format!("{count} runs, from {} to {}", first.0 + 1, last.0 + 1),
        };
        let limit = DEFAULT_BUDGET >> 20;
        self.note(ui, format!("dropped {numbers}: old runs need more than {limit} MiB"));
    }

    /// Reports a new run in the history, unless another message is shown.
    pub(in crate::tui) fn report_branch(&mut self, ui: &mut Ui) {
        let session = &self.session;
        let runs = session.history().runs().created();
        if runs > self.reloads.runs {
            let Some(branch) = session.history().run().branch() else { return };
            let key = ui.setup.keymap.named(Action::Close, Context::Map);
            // Under manual control, the close key stops driving instead.
            let key = if session.driven().is_some() { ":hide-ghost".to_owned() } else { key };
            let (at, old) = (branch.at, branch.parent.0 + 1);
            if ui.answers.message.is_none() {
                self.note(
                    ui,
                    format!("run {runs} branches at frame {at}; ghost: run {old} ({key} hides it)"),
                );
            }
        }
        self.reloads.runs = runs;
    }
}
