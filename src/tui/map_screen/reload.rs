//! Reloads changed map files: updates the run and the list of problems.

use std::sync::Arc;

use crate::debugger::problems::Problems;
use crate::debugger::session::{Edit, Incoming, Session};
use crate::files::WatcherMessage;
use crate::files::config::OnReload;
use crate::files::read::changed_files::WatcherEvent;
use crate::files::read::file_location::MapItem;
use crate::scenario::Scenario;
use crate::tui::effect::Effect;
use crate::tui::map_screen::popup::{Change, ListPopup, ReloadQuestion, lists};
use crate::tui::messages::Message;
use crate::tui::ui::Ui;

use super::MapScreen;
use super::mouse::Drag;
use super::time::Goal;

/// The state of reloading the map's files.
#[derive(Debug, Clone, Default)]
pub(super) struct Reloads {
    /// Number of runs that were created when a new run was last reported to the user.
    pub runs: u32,
    /// The configured way in which a run continues after files have changed.
    pub how: OnReload,
    /// The changed scenario that waits for the user's answer. `None` if no question is open or
    /// waiting.
    waiting: Option<Arc<Scenario>>,
    /// Whether the result of the last edit is still being reported.
    is_reporting: bool,
    /// Last report of the edit. A later report replaces this one in the message log.
    report: Option<Message>,
}

impl Reloads {
    /// Creates the state for a map that was just opened. It has one run.
    pub(super) fn new(how: OnReload) -> Self {
        Self { runs: 1, how, ..Self::default() }
    }

    /// Stops reporting the effects of the last edit.
    pub(in crate::tui) fn forget_report(&mut self) {
        self.is_reporting = false;
    }
}

impl MapScreen {
    /// Handles a report of the file watcher. Updates the list of problems, and applies changed
    /// contents to the run. Ignores a report about another map.
    pub fn receive(&mut self, ui: &mut Ui, message: WatcherMessage) {
        let session = &mut self.session;
        if session.id() != message.id {
            return;
        }
        let was_broken = session.problems().errors() > 0;
        let loaded = match message.event {
            WatcherEvent::Polled(why) => {
                self.warn(ui, format!("file changes are detected by polling: {why}"));
                return;
            }
            WatcherEvent::Read(Err(why)) => {
                session.set_problems(Problems::unreadable(&why));
                // The error takes the place of the message.
                ui.answers.message = None;
                return;
            }
            WatcherEvent::Read(Ok(loaded)) => loaded,
        };
        let problems = Problems::of(&loaded.report);
        if problems.errors() > 0 && problems != *session.problems() {
            // The first error takes the place of the message.
            ui.answers.message = None;
        }
        session.set_problems(problems);
        self.renew_popup(Change::Problems);
        let session = &mut self.session;
        let Some(scenario) = loaded.scenario else { return };
        if session.is_stale(scenario.sources()) {
            return;
        }
        if !session.knows(scenario.sources()) {
            self.saved_scenario(ui, scenario);
            return;
        }
        let was_waiting = self.reloads.waiting.take().is_some();
        if self.popup::<ReloadQuestion>().is_some() {
            self.close_popup();
        }
        if was_broken {
            self.note(ui, "fixed: the files match the running map again");
        } else if was_waiting {
            self.note(ui, "the files match the running map again");
        }
    }

    /// Handles the result of reading the map's files again on request. If nothing changed, shows a
    /// note.
    pub fn reread(&mut self, ui: &mut Ui, message: WatcherMessage) {
        let before = ui.answers.message.clone();
        ui.answers.message = None;
        self.receive(ui, message);
        let session = &self.session;
        if ui.answers.message.is_none() && session.problems().errors() > 0 {
            self.list_problems(ui);
        } else if ui.answers.message.is_none() && self.popup::<ReloadQuestion>().is_none() {
            let label = session.label();
            self.note(ui, format!("{label} has not changed"));
        } else if ui.answers.message.is_none() {
            ui.answers.message = before;
        }
    }

    /// Applies a changed scenario to the run, or asks the user how the run continues.
    fn saved_scenario(&mut self, ui: &mut Ui, scenario: Arc<Scenario>) {
        if self.reloads.how == OnReload::Ask {
            let message = format!("saved: {}", self.session.saved(scenario.sources()));
            self.note(ui, message);
            self.reloads.waiting = Some(scenario);
            return;
        }
        self.apply(ui, &scenario, self.reloads.how);
    }

    /// Opens the question about saved files if one is waiting. The question does not interrupt
    /// another popup. It waits until the popup is closed.
    pub(in crate::tui) fn ask_about_saved(&mut self, ui: &mut Ui) {
        let Some(scenario) = self.reloads.waiting.as_ref().filter(|_| self.popup.is_none()) else {
            return;
        };
        let message = format!("saved: {}", self.session.saved(scenario.sources()));
        self.open(ReloadQuestion);
        if ui.answers.message.is_none() {
            self.note(ui, message);
        }
    }

    /// Drops the changed scenario that waits for the user's answer.
    pub(in crate::tui) fn forget_waiting(&mut self) {
        self.reloads.waiting = None;
    }

    pub(in crate::tui) fn apply_waiting(&mut self, ui: &mut Ui, how: OnReload) {
        self.close_popup();
        if let Some(scenario) = self.reloads.waiting.take() {
            self.apply(ui, &scenario, how);
        }
    }

    fn apply(&mut self, ui: &mut Ui, scenario: &Arc<Scenario>, how: OnReload) {
        let session = &mut self.session;
        self.reloads.waiting = None;
        match session.take_in(scenario) {
            Ok(incoming) => self.go_on_with(ui, incoming, how),
            Err(why) => {
                let files = session.unsaved_files();
                self.warn(
                    ui,
                    format!(
                        "your edits conflict with the saved {files}: {why}; undo the edits, or \
                     save them with :write FILE"
                    ),
                );
            }
        }
    }

    /// Applies an edit made on the screen to the run. The setting for changed files determines how
    /// the run continues.
    pub(in crate::tui) fn go_on_edited(&mut self, ui: &mut Ui, incoming: Incoming) {
        self.go_on_with(ui, incoming, self.reloads.how);
    }

    fn go_on_with(&mut self, ui: &mut Ui, incoming: Incoming, how: OnReload) {
        // A backward search ends, because it searches the old run.
        if let Some(Goal::LastHit | Goal::LastChange(_)) = self.seek.goal {
            self.leave_goal();
        }
        let session = &mut self.session;
        self.seek.elapsed = core::time::Duration::ZERO;
        match how {
            OnReload::Resimulate | OnReload::Ask => session.resimulate(incoming),
            OnReload::FromHere => session.go_on_with(incoming),
            OnReload::Restart => session.restart_with(incoming),
        }
        self.reloads.runs = session.history().runs().created();
        self.drop_drag();
        self.renew_popup(Change::Scenario);
        self.renew_paint(ui);
        (self.reloads.is_reporting, self.reloads.report) = (true, None);
        self.report_edit(ui);
        self.keep_in_view(ui);
        self.observe_others(ui);
    }

    /// Ends the drag of an agent. A new scenario can have another agent with its id, or none.
    pub(super) fn drop_drag(&mut self) {
        self.drag.take_if(|drag| matches!(drag, Drag::Agent { .. }));
    }

    /// Returns true if the message is the report of the last edit.
    pub(in crate::tui) fn shows_report(&self, ui: &Ui) -> bool {
        self.reloads.report.is_some() && self.reloads.report == ui.answers.message
    }

    /// Reports how the last edit changed the run, based on the frames simulated so far. Stops
    /// reporting if another message has replaced the last report.
    pub(in crate::tui) fn report_edit(&mut self, ui: &mut Ui) {
        let report = &self.reloads.report;
        if report.is_some() && *report != ui.answers.message {
            self.reloads.is_reporting = false;
        }
        let session = &self.session;
        // The status line shows the progress while the run is simulated again.
        if !self.reloads.is_reporting || session.is_resimulating() {
            return;
        }
        let Some((edit, _)) = session.current_edit() else { return };
        let text = description_of(edit, session.is_compared());
        if let Some(report) = &self.reloads.report {
            ui.answers.log.take_back(report);
        }
        if edit.dropped.is_empty() {
            self.note(ui, text);
        } else {
            self.warn(ui, text);
        }
        self.reloads.report.clone_from(&ui.answers.message);
    }

    /// Cancels the repeated simulation after an edit, and shows the run without the edit. Returns
    /// false if no such simulation is in progress.
    pub(in crate::tui) fn cancel_edit(&mut self, ui: &mut Ui) -> bool {
        let parent = self.session.cancel_edit();
        if let Some(parent) = parent {
            let text = format!(
                "showing run {} without the edit; :after shows the run with the edit",
                parent.0 + 1
            );
            self.note(ui, text);
        }
        parent.is_some()
    }

    /// Switches between the run before an edit and the run after it. After an undone value, shows the
    /// run as if the value was never changed.
    pub(in crate::tui) fn flip(&mut self, ui: &mut Ui) {
        if self.session.can_forget_change() {
            self.look_beside(ui, |session| {
                session.forget_change().ok_or("the run of the change is no longer stored")
            });
            return;
        }
        self.look_beside(ui, |session| {
            if session.is_before_compared_run() {
                session.switch_to_child_run()
            } else {
                let run = session.switch_to_parent_run();
                let run = run.or_else(|_| session.switch_to_child_run());
                run.map_err(|_| "no other run: edit at an earlier frame to compare")
            }
        });
    }

    pub(in crate::tui) fn look_beside(
        &mut self,
        ui: &mut Ui,
        look: fn(&mut Session) -> Result<crate::history::run::RunId, &'static str>,
    ) {
        self.leave_goal();
        self.late = false;
        self.seek.elapsed = core::time::Duration::ZERO;
        let session = &mut self.session;
        let frame = session.world().frame();
        match look(session) {
            Ok(run) => {
                let end = session.history().run().end();
                let short = if frame > end {
                    format!(", which ends at frame {end}")
                } else {
                    String::new()
                };
                self.note(ui, format!("showing run {}{short}", run.0 + 1));
                self.keep_in_view(ui);
            }
            Err(why) => self.warn(ui, why),
        }
    }

    /// Returns the effect that opens the file of a problem in the user's editor.
    pub(in crate::tui) fn open_problem(&self, ui: &mut Ui, row: usize) -> Option<Effect> {
        let problem = self.session.problems().list().get(row)?;
        let Some(location) = problem.location.clone() else {
            self.warn(ui, "this problem has no file on disk");
            return None;
        };
        Some(Effect::Edit { id: self.session.id().to_owned(), spot: MapItem::At(location) })
    }

    pub(in crate::tui) fn list_problems(&mut self, ui: &mut Ui) {
        let session = &self.session;
        if session.problems().list().is_empty() {
            self.note(ui, "no errors or warnings in the files of this map");
        } else {
            self.open(ListPopup::new(&lists::PROBLEMS, 0));
        }
    }
}

/// Describes in one line how an edit changed the run. The most important facts come first, because
/// a narrow screen cuts the line.
fn description_of(edit: &Edit, compared: bool) -> String {
    let (run, parent) = (edit.run().0 + 1, edit.parent().0 + 1);
    let same =
        edit.same_as.map(|same| format!(" (same as run {})", same.0 + 1)).unwrap_or_default();
    let last = edit.divergence.compared().saturating_sub(1);
    let parts = match edit.divergence.first() {
        Some(first) => {
            format!(
                "first differs from run {parent} at frame {} ({}, {})",
                first.frame, first.agent, first.field
            )
        }
        None if compared => format!("matches run {parent} up to frame {last}"),
        None => format!("matches run {parent} up to frame {last} so far"),
    };
    let mut changes = if edit.is_screen_edit { String::new() } else { edit.label.clone() };
    for change in &edit.changes {
        changes.push_str("; ");
        changes.push_str(change);
    }
    let ghost = format!("ghost: run {parent}");
    // A loss must not be cut off.
    let mut lost = String::new();
    for dropped in &edit.dropped {
        lost.push_str(&dropped.to_string());
        lost.push_str("; ");
    }
    if edit.is_screen_edit {
        // For an edit on the screen, the label comes first as a confirmation.
        return format!("{lost}{}: run {run}{same} {parts}{changes}; {ghost}", edit.label);
    }
    format!("{lost}run {run}{same} {parts}: {changes}; {ghost}")
}
