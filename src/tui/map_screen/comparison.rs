//! Comparison of the current run with a run of another map or with another seed.

use core::fmt::Write;

use crate::history::diff::{Comparison, Difference};
use crate::tui::action::{Action, Context};
use crate::tui::argument::Argument;
use crate::tui::host::Opened;
use crate::words;

use crate::tui::effect::Effect;
use crate::tui::ui::Ui;

use super::MapScreen;

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
