//! Reloads the map after its files were saved, and tracks what changed.
//!
//! A reload starts a new run whose parent is the old one, through `History::reload_with`. Commands
//! of the old run are issued again, and agents are matched by name. Values that were set during the
//! run are set again on the new text, unless the file changed the same value
//! (`files::read::tuning::repeat_changes`). `history::divergence` then compares both runs in the
//! time left after drawing. File contents that the program wrote itself do not cause a reload.

use std::sync::Arc;

use crate::command::Command;
use crate::debugger::marks::{Mark, MarkKind};
use crate::debugger::problems::Problems;
use crate::debugger::scenario_changes;
use crate::files::read::tuning::{self, DroppedSetting};
use crate::files::settings::Setting;
use crate::files::{self, Options};
use crate::history::History;
use crate::history::diff::Difference;
use crate::history::divergence::RunDivergence;
use crate::history::run::RunId;
use crate::scenario::Scenario;
use crate::scenario::sources::{FileRole, SourceFile, Sources};
use crate::time::Frame;

use super::Session;
use super::draft::{Incoming, short};
use super::values::{NEW_TICK, with_values};

/// A save or an edit that started a new run.
#[derive(Debug, Clone)]
pub struct Edit {
    /// Description of the edit, or names of the saved files.
    pub label: String,
    /// Whether the edit was made in the program rather than by saving files.
    pub is_screen_edit: bool,
    /// The current frame at the time of the edit. During a seek, the frame to which the session was
    /// seeking.
    pub at: Frame,
    /// One phrase for each kind of change, such as removed, added or renamed agents or a new map
    /// size.
    pub changes: Vec<String>,
    /// The unsaved values that the new run does not have.
    pub dropped: Vec<DroppedSetting>,
    /// The comparison of the run before the edit with the run after it.
    pub divergence: RunDivergence,
    /// The first run with the same files and settings as the new run. `None` if no earlier run has
    /// them.
    pub same_as: Option<RunId>,
    /// Whether the new run is still being simulated up to the frame `at`.
    under_way: bool,
}

impl Edit {
    /// Returns the run that was current before the edit.
    pub fn parent(&self) -> RunId {
        self.divergence.runs()[0]
    }

    /// Returns the run that the edit started.
    pub fn run(&self) -> RunId {
        self.divergence.runs()[1]
    }
}

impl Session {
    /// Returns the errors and warnings in the files, as last read.
    pub fn problems(&self) -> &Problems {
        &self.files.problems
    }

    pub fn set_problems(&mut self, problems: Problems) {
        self.files.problems = problems;
    }

    /// Returns true if the files have the contents that the session last read or wrote.
    pub fn knows(&self, sources: &Sources) -> bool {
        // The session can know patterns that the map does not use.
        let is_there = |file: &SourceFile| {
            matches!(file.place, FileRole::Pattern(_)) || sources.file(&file.place).is_some()
        };
        self.saved_files(sources).next().is_none() && self.files.known.files.iter().all(is_there)
    }

    /// Returns true if `sources` is an earlier state that the program wrote or replaced, and not the
    /// latest state. A file watcher can report an earlier state late.
    pub fn is_stale(&mut self, sources: &Sources) -> bool {
        if self.knows(sources) {
            self.files.own.clear();
            return false;
        }
        let text = |files: &Sources, place: &FileRole| {
            files.file(place).map(|file| Arc::clone(&file.text))
        };
        let is_same = |own: &Sources| {
            let all = own.files.iter().chain(&sources.files);
            let is_used = |file: &&SourceFile| {
                !matches!(file.place, FileRole::Pattern(_)) || sources.file(&file.place).is_some()
            };
            all.filter(is_used).all(|file| text(own, &file.place) == text(sources, &file.place))
        };
        let stale = self.files.own.iter().position(is_same);
        self.files.own.drain(..stale.map_or(0, |index| index + 1));
        stale.is_some()
    }

    /// Returns the files whose contents differ from the contents last read or written.
    fn saved_files<'a>(&'a self, sources: &'a Sources) -> impl Iterator<Item = &'a SourceFile> {
        let known = |file: &SourceFile| match file.place {
            FileRole::Map => Some(&self.files.text),
            FileRole::Pattern(_) | FileRole::Beside(_) => {
                self.files.known.file(&file.place).map(|known| &known.text)
            }
        };
        sources.files.iter().filter(move |file| known(file) != Some(&file.text))
    }

    /// Returns a description of the changed files for the user, such as `map.toml and 2 more`.
    pub fn saved(&self, sources: &Sources) -> String {
        let mut files = self.saved_files(sources).map(|file| short(&file.label).to_owned());
        let first = files.next().unwrap_or_else(|| short(self.label()).to_owned());
        match files.count() {
            0 => first,
            more => format!("{first} and {more} more"),
        }
    }

    /// Simulates the run again with another scenario, up to the current frame. A long simulation
    /// continues in [`Session::pursue`].
    pub fn resimulate(&mut self, incoming: Incoming) {
        if self.changes_tick(&incoming.scenario) {
            return self.restart_with(incoming);
        }
        let unsaved = tuning::unwritten(self.latest().sources(), &incoming.old);
        let mut edit = self.begin_edit(&incoming);
        let Incoming { scenario, old, .. } = incoming;
        let mut set = options(&scenario).set;
        let new = Arc::clone(scenario.sources());
        self.history.reload_with(scenario, |before, after| {
            tuning::repeat_changes(&new, &mut set, (before.sources(), after.sources()), &old)
        });
        edit.changes.extend(left_out(&self.history, edit.parent(), edit.run()));
        self.begin(edit, &unsaved);
    }

    /// Simulates the next frame with another scenario, in a new run that branches off at the
    /// current frame.
    pub fn go_on_with(&mut self, incoming: Incoming) {
        if self.changes_tick(&incoming.scenario) {
            return self.restart_with(incoming);
        }
        let unsaved = tuning::unwritten(self.sources(), &incoming.old);
        let edit = self.begin_edit(&incoming);
        let Incoming { scenario, old, .. } = incoming;
        let changed =
            (self.history.run().start().sources().as_ref(), self.scenario().sources().as_ref());
        self.history.reload_from_here(with_values(scenario, changed, &old));
        self.begin(edit, &unsaved);
    }

    /// Returns true if the frames of a scenario and of the current run do not have the same length.
    pub(super) fn changes_tick(&self, scenario: &Scenario) -> bool {
        self.history.run().scenarios().any(|other| other.tick() != scenario.tick())
    }

    /// Restarts at frame 0 with another scenario, in a new run. Values that were changed during the
    /// run stay changed.
    pub fn restart_with(&mut self, incoming: Incoming) {
        let unsaved = tuning::unwritten(self.latest().sources(), &incoming.old);
        let mut edit = self.begin_edit(&incoming);
        if self.changes_tick(&incoming.scenario) {
            edit.changes.push(NEW_TICK.to_owned());
        }
        let changed =
            (self.history.run().start().sources().as_ref(), self.latest().sources().as_ref());
        let scenario = with_values(incoming.scenario, changed, &incoming.old);
        self.history.reload_fresh(scenario);
        self.begin(edit, &unsaved);
    }

    /// Creates the description of an edit before its new run starts. Cancels the previous edit's
    /// run if it is still being simulated. Also cancels a backward search.
    fn begin_edit(&mut self, incoming: &Incoming) -> Edit {
        self.drop_unfinished();
        self.breakpoints.search = None;
        let (history, scenario) = (&self.history, &incoming.scenario);
        let [old, new] = [history.present(), RunId(history.runs().created())];
        let same = |(id, run): (RunId, &crate::history::run::Run)| {
            (run.start().sources() == scenario.sources()).then_some(id)
        };
        Edit {
            label: incoming.label.clone(),
            is_screen_edit: incoming.is_screen_edit,
            at: history.sought().map_or(history.frame(), |(sought, _)| sought),
            changes: scenario_changes::between(self.scenario(), scenario),
            dropped: Vec::new(),
            divergence: RunDivergence::new(old, new, Frame(0)),
            same_as: history.runs().iter().find_map(same),
            under_way: true,
        }
    }

    /// Switches to the new run of an edit. `unsaved` are the unsaved values of the old run. Values
    /// that the new run lacks can no longer be undone.
    fn begin(&mut self, mut edit: Edit, unsaved: &[Setting]) {
        let end = self.history.run().scenarios().last();
        edit.dropped = end.map_or_else(Vec::new, |end| tuning::dropped(unsaved, end.sources()));
        for DroppedSetting { setting, .. } in &edit.dropped {
            self.changes.forget(setting);
        }
        let [old, new] = edit.divergence.runs();
        let shared = self.history.run().branch().map_or(Frame(0), |branch| branch.at);
        edit.divergence = RunDivergence::new(old, new, shared);
        // Only the runs of the last edit are compared further.
        if let Some(last) = self.files.edits.last_mut() {
            last.divergence.pause();
        }
        self.files.edits.push(edit);
        self.arrive();
        self.files.unwritten = tuning::unwritten(self.sources(), &self.files.text);
        if self.history.sought().is_some() {
            self.pursue(self.at_once());
        } else {
            self.finish_edit();
        }
    }

    /// Forgets the edits whose runs were dropped.
    pub(super) fn forget_dropped_edits(&mut self) {
        let runs = self.history.runs();
        let is_there = |run: RunId| runs.contains(run);
        self.files.edits.retain(|edit| is_there(edit.parent()) && is_there(edit.run()));
        for edit in &mut self.files.edits {
            edit.same_as = edit.same_as.filter(|&run| is_there(run));
        }
    }

    /// Cancels the new run of the last edit if it is still being simulated.
    fn drop_unfinished(&mut self) {
        if self.is_resimulating() {
            self.cancel_edit();
        }
    }

    /// Returns true if the new run of the last edit is still being simulated up to the frame of the
    /// edit.
    pub fn is_resimulating(&self) -> bool {
        self.history.sought().is_some()
            && self.files.edits.last().is_some_and(|edit| edit.under_way)
    }

    /// Cancels the simulation of an edit's new run, and switches to the run before the edit.
    /// Returns the id of that run, or `None` if no simulation was in progress.
    pub fn cancel_edit(&mut self) -> Option<RunId> {
        if !self.is_resimulating() {
            return None;
        }
        let edit = self.files.edits.last_mut()?;
        edit.under_way = false;
        let (parent, at) = (edit.parent(), edit.at);
        self.switch_run(parent);
        self.go_to(at);
        Some(parent)
    }

    /// Marks the simulation of the last edit's new run as finished. Must be called when a seek
    /// ends.
    pub(super) fn finish_edit(&mut self) {
        if let Some(edit) = self.files.edits.last_mut() {
            edit.under_way = false;
        }
    }

    /// Returns the edit that started the current run. If no edit started it, returns the edit that
    /// started its nearest ancestor. Returns `None` if no edit started any of these runs.
    pub fn last_edit(&self) -> Option<&Edit> {
        let mut run = self.history.present();
        loop {
            if let Some(edit) = self.files.edits.iter().find(|edit| edit.run() == run) {
                return Some(edit);
            }
            run = self.history.runs()[run].branch()?.parent;
        }
    }

    /// Returns an edit and the run to compare with the current run. If the compared run is the
    /// result of an edit to the current run, returns that edit and its new run. Otherwise, returns
    /// [`Self::last_edit`] and its old run. Returns `None` if neither exists.
    pub fn current_edit(&self) -> Option<(&Edit, RunId)> {
        let (present, compared) = (self.history.present(), self.history.comparison());
        let here = |edit: &&Edit| edit.parent() == present && Some(edit.run()) == compared;
        match self.files.edits.iter().rev().find(here) {
            Some(edit) => Some((edit, edit.run())),
            None => self.last_edit().map(|edit| (edit, edit.parent())),
        }
    }

    /// Returns how the agent called `agent` first differs between the two runs of the current edit.
    /// Also returns the other run, as in [`Self::current_edit`]. Returns `None` without an edit or
    /// a difference.
    pub fn differs(&self, agent: &str) -> Option<(RunId, &Difference)> {
        let (edit, other) = self.current_edit()?;
        Some((other, edit.divergence.of(agent)?))
    }

    /// Compares the two runs of the last edit until `in_time` returns false. Returns true if the
    /// comparison is complete. Also returns true without an edit, or while the new run is still
    /// being simulated.
    pub(super) fn compare_on(&mut self, in_time: impl FnMut() -> bool) -> bool {
        if self.is_resimulating() {
            return true;
        }
        let Some(edit) = self.files.edits.last_mut() else { return true };
        edit.divergence.resume(&self.history, in_time)
    }

    /// Returns true if the runs of the last edit are fully compared, or if there is no edit.
    pub fn is_compared(&self) -> bool {
        self.files.edits.last().is_none_or(|edit| edit.divergence.is_at_end(&self.history))
    }

    /// Returns the timeline marks of the current edit. They mark the frame of the edit, the first
    /// difference of any agent, and the first difference of the selected agent. Empty without an
    /// edit.
    pub(super) fn edit_marks(&self) -> Vec<Mark> {
        let Some((edit, _)) = self.current_edit() else { return Vec::new() };
        let mine = self.selected().map(|id| self.world().name(id).to_string());
        let mine = mine.and_then(|name| edit.divergence.of(&name));
        let parts = edit.divergence.first().into_iter().chain(mine);
        let marks = parts.map(|parts| Mark { frame: parts.frame, kind: MarkKind::Parts });
        marks.chain([Mark { frame: edit.at, kind: MarkKind::Edit }]).collect()
    }

    /// Switches to the run from which the current run branches off. Returns its id.
    ///
    /// # Errors
    /// Returns a message for the user if the current run is the first one.
    pub fn switch_to_parent_run(&mut self) -> Result<RunId, &'static str> {
        let here = self.history.run().branch();
        let run = here.ok_or("no earlier run: this is the first run")?.parent;
        self.turn_to(run);
        Ok(run)
    }

    /// Switches to a run that branches off from the current run. Prefers the compared run, then the
    /// newest one. Returns its id.
    ///
    /// # Errors
    /// Returns a message for the user if no run branches off from the current run.
    pub fn switch_to_child_run(&mut self) -> Result<RunId, &'static str> {
        let present = self.history.present();
        let child = |run: RunId| {
            let branch = self.history.runs()[run].branch();
            branch.is_some_and(|branch| branch.parent == present)
        };
        let compared = self.history.comparison().filter(|&compared| child(compared));
        let newest = || self.history.runs().iter().map(|(id, _)| id).rfind(|&run| child(run));
        let run = compared.or_else(newest);
        let run = run.ok_or("no run branches from this run")?;
        self.turn_to(run);
        Ok(run)
    }

    /// Returns true if the compared run branches off from the current run.
    pub fn is_before_compared_run(&self) -> bool {
        let branch = |compared: RunId| self.history.runs()[compared].branch();
        let compared = self.history.comparison().and_then(branch);
        compared.is_some_and(|branch| branch.parent == self.history.present())
    }

    /// Switches to another run and seeks the current frame in it. If that run is shorter, seeks its
    /// last frame.
    fn turn_to(&mut self, run: RunId) {
        let frame = self.history.frame().min(self.history.runs()[run].end());
        self.switch_run(run);
        self.go_to(frame);
    }
}

impl Session {
    /// Lets a mode drive an agent that follows the run of another program, from the current frame on.
    /// The run without this change becomes the comparison run.
    ///
    /// # Errors
    /// Returns a message for the user if the agent follows no run, or if the agent or the mode is
    /// unknown.
    pub fn take_over_agent(&mut self, agent: &str, mode: &str) -> Result<(), String> {
        if self.history.is_at_end() {
            return Err("the trace ends at this frame".to_owned());
        }
        let scenario = files::take_over(self.world().scenario(), agent, mode)?;
        self.history.reload_from_here(scenario);
        self.arrive();
        Ok(())
    }
}

fn options(scenario: &Scenario) -> Options {
    Options::of(scenario.sources())
}

/// Describes the commands that were dropped because their agents do not exist in the new run.
/// Returns `None` if none were dropped.
fn left_out(history: &History, old: RunId, new: RunId) -> Option<String> {
    let [old, new] = [old, new].map(|run| &history.runs()[run]);
    let commands = |run: &crate::history::run::Run| {
        run.log().iter().filter(|(_, command)| !matches!(command, Command::Reload(_))).count()
    };
    let lost = commands(old).saturating_sub(commands(new));
    (lost > 0).then(|| {
        let commands = crate::words::count(lost as u64, "command");
        format!("dropped {commands} for removed agents")
    })
}
