//! Commands on the runs of a map: switching runs, and comparing two runs.

use core::fmt::Write;

use crate::history::diff::{Comparison, Difference};
use crate::history::run::RunId;
use crate::history::{DEFAULT_BUDGET, OtherSide};
use crate::tui::action::{Action, Context};
use crate::tui::argument::Argument;
use crate::tui::effect::Effect;
use crate::tui::host::Opened;
use crate::tui::map_screen::popup::{ListPopup, lists};
use crate::tui::ui::Ui;
use crate::words;

use super::MapScreen;

impl MapScreen {
    pub(in crate::tui) fn list_runs(&mut self) {
        let history = self.session.history();
        let row = history.runs().iter().position(|(run, _)| run == history.present());
        self.open(ListPopup::new(&lists::RUNS, row.unwrap_or(0)));
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

impl MapScreen {
    /// Handles `:diff MAP` and `:diff seed N`. Returns the effect that opens the comparison run.
    /// Without an argument, closes the comparison run.
    pub(in crate::tui) fn compare(
        &mut self,
        ui: &mut Ui,
        argument: Option<Argument>,
    ) -> Option<Effect> {
        let id = self.session.id().to_owned();
        let Some(Argument::Text(text)) = argument else {
            if !self.end_comparison(ui) {
                self.note(ui, "no comparison run; `:diff MAP` or `:diff seed N` starts one");
            }
            return None;
        };
        let Some(("seed", seed)) = text.split_once(' ') else {
            return Some(Effect::Compare { id: text, seed: None });
        };
        let seed = seed.trim().parse().ok().filter(|&seed: &u64| seed < 1 << 53);
        if seed.is_none() {
            self.warn(ui, "the seed must be a whole number below 2^53");
        }
        seed.map(|seed| Effect::Compare { id, seed: Some(seed) })
    }

    /// Starts the comparison with an opened map, and searches for the first difference. `seed` is
    /// the seed of the comparison run. `None` stands for the map's own seed.
    pub(in crate::tui) fn compare_with(&mut self, ui: &mut Ui, opened: Opened, seed: Option<u64>) {
        let seed = seed.map_or(String::new(), |seed| format!(" (seed {seed})"));
        let label = format!("{}{seed}", opened.label);
        self.session.compare_with(label, opened);
        self.clock.set_playing(false);
        self.leave_goal();
        let key = ui.setup.keymap.named(Action::Close, Context::Map);
        ui.show_progress(format!("searching for the first difference; {key} stops"));
    }

    /// Continues the search for the first difference until `in_time` returns false. Returns false
    /// if there is no search.
    pub(in crate::tui) fn search_difference(
        &mut self,
        ui: &mut Ui,
        in_time: impl FnMut() -> bool,
    ) -> bool {
        let session = &mut self.session;
        if session.searched_difference().is_none() {
            return false;
        }
        match session.search_difference(in_time) {
            None => {
                let now = session.searched_difference().unwrap_or_default();
                let key = ui.setup.keymap.named(Action::Close, Context::Map);
                ui.show_progress(format!(
                    "no difference up to frame {now}; {key} stops the search"
                ));
            }
            Some(comparison) => {
                if let Some(first) = comparison.differences().first() {
                    self.go_to_and_report(ui, first.frame);
                }
                let description = describe(&comparison);
                self.note(ui, description);
            }
        }
        true
    }
}

/// Describes the first difference between two runs in one line. If the runs do not differ,
/// describes the number of compared frames and the agents that only one run has.
fn describe(comparison: &Comparison) -> String {
    if let Some(Difference { frame, agent, field, a, b }) = comparison.differences().first() {
        return format!(
            "first difference: frame {frame}, {agent}, {field}: this run {a}, comparison run {b}"
        );
    }
    let frames = words::count(comparison.frames(), "frame");
    let mut description = if comparison.is_same() || comparison.has_shared() {
        format!("no differences in {frames}")
    } else {
        "no agents in common".to_owned()
    };
    for (side, place) in ["this run", "the comparison run"].into_iter().enumerate() {
        let only = comparison.only(side);
        if let Some(name) = only.keys().next() {
            let more = if only.len() > 1 {
                format!(" and {} more", only.len() - 1)
            } else {
                String::new()
            };
            let _ = write!(description, "; only in {place}: {name}{more}");
        }
    }
    description
}
