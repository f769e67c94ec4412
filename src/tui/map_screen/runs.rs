//! Commands on the runs of a map: switching runs, and comparing two runs.

use core::fmt::Write;

use crate::debugger::session::RunChange;
use crate::files::settings;
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
    /// Handles `:diff`. A seed or a value compares with the same map; any other text is a file or a
    /// map. Returns the effect that opens that file. Without an argument, closes the comparison run.
    pub(in crate::tui) fn compare(
        &mut self,
        ui: &mut Ui,
        argument: Option<Argument>,
    ) -> Option<Effect> {
        let id = self.session.id().to_owned();
        let Some(Argument::Text(text)) = argument else {
            if !self.end_comparison(ui) {
                let forms = "`:diff SEED`, `:diff MAP` or `:diff PATH=VALUE`";
                self.note(ui, format!("no comparison run; {forms} starts one"));
            }
            return None;
        };
        let seed = text.strip_prefix("seed ").map(str::trim);
        let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
        let change = if let Some(seed) = seed.or(is_number.then_some(text.as_str())) {
            parsed_seed(seed).map(RunChange::Seed)
        } else if text.contains('=') {
            settings::parse(&text).map(RunChange::Value).map_err(|error| error.to_string())
        } else {
            return Some(Effect::Compare { id: text, seed: None });
        };
        if let Ok(RunChange::Seed(seed)) = change
            && self.session.sources().built.is_some()
        {
            // A map without files is opened again.
            return Some(Effect::Compare { id, seed: Some(seed) });
        }
        match change.and_then(|change| self.session.compare_with_change(&change)) {
            Ok(()) => self.start_search(ui),
            Err(why) => self.warn(ui, why),
        }
        None
    }

    /// Restarts the run with the seed in `argument`. The old run becomes the ghost.
    pub(in crate::tui) fn rerun(&mut self, ui: &mut Ui, argument: Option<&Argument>) {
        let Some(Argument::Text(text)) = argument else { return };
        let restarted =
            parsed_seed(text).and_then(|seed| self.session.restart_with_seed(seed).map(|()| seed));
        match restarted {
            Ok(seed) => {
                self.clock.set_playing(false);
                self.reloads.forget_report();
                self.keep_in_view(ui);
                self.note(
                    ui,
                    format!("restarted at frame 0 with seed {seed}; the ghost is the old run"),
                );
                self.reloads.runs = self.session.history().runs().created();
            }
            Err(why) => self.warn(ui, why),
        }
    }

    /// Starts the comparison with an opened map, and searches for the first difference. `seed` is
    /// the seed of the comparison run. `None` stands for the map's own seed.
    pub(in crate::tui) fn compare_with(&mut self, ui: &mut Ui, opened: Opened, seed: Option<u64>) {
        let seed = seed.map_or(String::new(), |seed| format!(" (seed {seed})"));
        let label = format!("{}{seed}", opened.label);
        self.session.compare_with(label, opened);
        self.start_search(ui);
    }

    fn start_search(&mut self, ui: &mut Ui) {
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
                ui.show_progress(match session.found_difference() {
                    Some(first) => format!(
                        "first difference at frame {first}; counting outcomes: frame {now}; {key} stops"
                    ),
                    None => format!("no difference up to frame {now}; {key} stops the search"),
                });
            }
            Some(comparison) => self.show_difference(ui, &comparison),
        }
        true
    }
}

impl MapScreen {
    /// Shows the outcomes of both runs and the first difference, goes to its frame, and selects its
    /// agent.
    pub(super) fn show_difference(&mut self, ui: &mut Ui, comparison: &Comparison) {
        if let Some(first) = comparison.differences().first() {
            self.seek.select = Some(first.agent.clone());
            self.go_to_and_report(ui, first.frame);
        }
        let mut lines = self.session.outcome_lines();
        if comparison.is_same() {
            // Equal runs have equal outcomes.
            lines.clear();
        }
        lines.push(describe(comparison));
        self.note(ui, lines.join("\n"));
    }
}

/// Parses a random seed.
fn parsed_seed(text: &str) -> Result<u64, String> {
    let seed = text.trim().parse().ok().filter(|&seed: &u64| seed < 1 << 53);
    seed.ok_or_else(|| "the seed must be a whole number below 2^53".to_owned())
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
