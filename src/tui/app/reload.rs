//! Reloads changed map files: updates the run and the list of problems.

use std::sync::Arc;

use crate::debugger::problems::Problems;
use crate::debugger::session::{Edit, Incoming, Session};
use crate::files::WatcherMessage;
use crate::files::config::OnReload;
use crate::files::read::changed_files::WatcherEvent;
use crate::scenario::Scenario;
use crate::tui::action::{Action, Context};

use super::component::Component;
use super::panels::PROBLEMS;
use super::{App, Drag, Effect, Goal, Message, Mode};

/// The component of the question that asks how the run continues after a file was saved.
pub(super) struct ReloadQuestion;

impl Component for ReloadQuestion {
    fn context(&self, _app: &App) -> Context {
        Context::Saved
    }

    /// Closes the question. The run continues with the old contents.
    fn close(&self, app: &mut App) -> Option<Effect> {
        app.mode = Mode::Watch;
        app.reloads.waiting = None;
        let key = app.setup.keymap.named(Action::Reload, Context::Watch);
        app.note(format!("run unchanged; {key} asks again"));
        None
    }
}

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
    /// Stops reporting the effects of the last edit.
    pub(super) fn forget_report(&mut self) {
        self.is_reporting = false;
    }

    /// Drops the changed scenario that waits for the user's answer.
    pub(super) fn forget_waiting(&mut self) {
        self.waiting = None;
    }
}

impl App {
    /// Sets how the run continues after files of the map change.
    pub fn wish_on_reload(&mut self, how: OnReload) {
        self.reloads.how = how;
    }

    /// Handles a report of the file watcher. Updates the list of problems, and applies changed
    /// contents to the run. Ignores a report about another map.
    pub fn receive(&mut self, message: WatcherMessage) {
        let Some(session) = self.session.as_mut().filter(|session| session.id() == message.id)
        else {
            return;
        };
        let was_broken = session.problems().errors() > 0;
        let loaded = match message.event {
            WatcherEvent::Polled(why) => {
                self.warn(format!("file changes are detected by polling: {why}"));
                return;
            }
            WatcherEvent::Read(Err(why)) => {
                session.set_problems(Problems::unreadable(&why));
                return;
            }
            WatcherEvent::Read(Ok(loaded)) => loaded,
        };
        session.set_problems(Problems::of(&loaded.report));
        let empty = session.problems().list().is_empty();
        if let Mode::Panel(panel, row) = &mut self.mode
            && panel.context == Context::Problems
        {
            *row = 0;
            if empty {
                self.mode = Mode::Watch;
            }
        }
        let Some(scenario) = loaded.scenario else { return };
        if session.is_stale(scenario.sources()) {
            return;
        }
        if !session.knows(scenario.sources()) {
            self.saved_scenario(scenario);
            return;
        }
        let was_waiting = self.reloads.waiting.take().is_some();
        if let Mode::Saved = self.mode {
            self.mode = Mode::Watch;
        }
        if was_broken {
            self.note("fixed: the files match the running map again");
        } else if was_waiting {
            self.note("the files match the running map again");
        }
    }

    /// Handles the result of reading the map's files again on request. If nothing changed, shows a
    /// note.
    pub fn reread(&mut self, message: WatcherMessage) {
        let before = self.answers.message.clone();
        self.answers.message = None;
        self.receive(message);
        let Some(session) = &self.session else { return };
        if self.answers.message.is_none() && session.problems().errors() > 0 {
            self.list_problems();
        } else if self.answers.message.is_none() && !matches!(self.mode, Mode::Saved) {
            let label = session.label();
            self.note(format!("{label} has not changed"));
        } else if self.answers.message.is_none() {
            self.answers.message = before;
        }
    }

    /// Applies a changed scenario to the run, or asks the user how the run continues.
    fn saved_scenario(&mut self, scenario: Arc<Scenario>) {
        if self.reloads.how == OnReload::Ask {
            if let Some(session) = &self.session {
                let message = format!("saved: {}", session.saved(scenario.sources()));
                self.note(message);
            }
            self.reloads.waiting = Some(scenario);
            self.ask_about_saved();
            return;
        }
        self.apply(&scenario, self.reloads.how);
    }

    /// Opens the question about saved files if one is waiting. The question does not interrupt the
    /// command line or other modes. It waits until they are closed.
    pub(super) fn ask_about_saved(&mut self) {
        let (Some(scenario), Some(session)) = (&self.reloads.waiting, &self.session) else {
            return;
        };
        if self.prompt.palette.is_some() || !matches!(self.mode, Mode::Watch) {
            return;
        }
        let message = format!("saved: {}", session.saved(scenario.sources()));
        self.mode = Mode::Saved;
        if self.answers.message.is_none() {
            self.note(message);
        }
    }

    pub(super) fn apply_waiting(&mut self, how: OnReload) {
        self.mode = Mode::Watch;
        if let Some(scenario) = self.reloads.waiting.take() {
            self.apply(&scenario, how);
        }
    }

    fn apply(&mut self, scenario: &Arc<Scenario>, how: OnReload) {
        let Some(session) = &mut self.session else { return };
        self.reloads.waiting = None;
        match session.take_in(scenario) {
            Ok(incoming) => self.go_on_with(incoming, how),
            Err(why) => {
                let files = session.unsaved_files();
                self.warn(format!(
                    "your edits conflict with the saved {files}: {why}; undo the edits, or \
                     save them with :write FILE"
                ));
            }
        }
    }

    /// Applies an edit made on the screen to the run. The setting for changed files determines how
    /// the run continues.
    pub(super) fn go_on_edited(&mut self, incoming: Incoming) {
        self.go_on_with(incoming, self.reloads.how);
    }

    fn go_on_with(&mut self, incoming: Incoming, how: OnReload) {
        // A backward search ends, because it searches the old run.
        if let Some(Goal::LastHit | Goal::LastChange(_)) = self.seek.goal {
            self.leave_goal();
        }
        let Some(session) = &mut self.session else { return };
        self.seek.elapsed = core::time::Duration::ZERO;
        match how {
            OnReload::Resimulate | OnReload::Ask => session.resimulate(incoming),
            OnReload::FromHere => session.go_on_with(incoming),
            OnReload::Restart => session.restart_with(incoming),
        }
        self.reloads.runs = session.history().runs().created();
        // The new scenario can have another agent with the id of the dragged agent, or none.
        self.map_view.drag.take_if(|drag| matches!(drag, Drag::Agent { .. }));
        if let (Mode::Search(search), Some(session)) = (&mut self.mode, &self.session) {
            search.renew(session.world());
        }
        // The tile menu refers to agents by index, and a list of changes is out of date.
        let mode =
            if let Mode::Help(help) = &mut self.mode { &mut *help.below } else { &mut self.mode };
        if let Mode::Menu(_) | Mode::Changes(_) = mode {
            *mode = Mode::Watch;
        } else if let (Mode::Log(log), Some(session)) = (mode, &self.session) {
            log.read_again(session);
        }
        self.renew_values();
        self.renew_paint();
        (self.reloads.is_reporting, self.reloads.report) = (true, None);
        self.report_edit();
        self.keep_in_view();
        self.watch_others();
    }

    /// Reports how the last edit changed the run, based on the frames simulated so far. Stops
    /// reporting if another message has replaced the last report.
    pub(super) fn report_edit(&mut self) {
        let report = &self.reloads.report;
        if report.is_some() && *report != self.answers.message {
            self.reloads.is_reporting = false;
        }
        let Some(session) = self.session.as_ref() else { return };
        // The status line shows the progress while the run is simulated again.
        if !self.reloads.is_reporting || session.is_resimulating() {
            return;
        }
        let Some((edit, _)) = session.current_edit() else { return };
        let text = description_of(edit, session.is_compared());
        if let Some(report) = &self.reloads.report {
            self.answers.log.take_back(report);
        }
        self.note(text);
        self.reloads.report.clone_from(&self.answers.message);
    }

    /// Cancels the repeated simulation after an edit, and shows the run without the edit. Returns
    /// false if no such simulation is in progress.
    pub(super) fn cancel_edit(&mut self) -> bool {
        let parent = self.session.as_mut().and_then(Session::cancel_edit);
        if let Some(parent) = parent {
            let text = format!(
                "showing run {} without the edit; :after shows the run with the edit",
                parent.0 + 1
            );
            self.note(text);
        }
        parent.is_some()
    }

    pub(super) fn flip(&mut self) {
        self.look_beside(|session| {
            if session.is_before_ghost() {
                session.switch_to_child_run()
            } else {
                session.switch_to_parent_run().or_else(|_| session.switch_to_child_run())
            }
        });
    }

    pub(super) fn look_beside(
        &mut self,
        look: fn(&mut Session) -> Result<crate::history::run::RunId, &'static str>,
    ) {
        self.leave_goal();
        self.late = false;
        self.seek.elapsed = core::time::Duration::ZERO;
        let Some(session) = &mut self.session else { return };
        let frame = session.world().frame();
        match look(session) {
            Ok(run) => {
                let end = session.history().run().end();
                let short = if frame > end {
                    format!(", which ends at frame {end}")
                } else {
                    String::new()
                };
                self.note(format!("showing run {}{short}", run.0 + 1));
                self.keep_in_view();
            }
            Err(why) => self.warn(why),
        }
    }

    pub(super) fn list_problems(&mut self) {
        let Some(session) = &self.session else { return };
        if session.problems().list().is_empty() {
            self.note("no errors or warnings in the files of this map");
        } else {
            self.open_panel(&PROBLEMS, 0);
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
    let mut changes = if edit.by_hand { String::new() } else { edit.label.clone() };
    for change in &edit.changes {
        changes.push_str("; ");
        changes.push_str(change);
    }
    let ghost = format!("ghost: run {parent}");
    if edit.by_hand {
        // For an edit on the screen, the label comes first as a confirmation.
        return format!("{}: run {run}{same} {parts}{changes}; {ghost}", edit.label);
    }
    format!("run {run}{same} {parts}: {changes}; {ghost}")
}
