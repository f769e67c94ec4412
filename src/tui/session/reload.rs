//! Reloads the map after its files were saved, and tracks what changed.
//!
//! A reload starts a new run whose parent is the old one, through `History::reload_with`. Commands
//! of the old run are issued again; agents are matched by name. Values that were set during the run
//! are set again on the new text, unless the file changed the same value (`files::tuning::again`).
//! `history::parting` then compares both runs in the time that drawing leaves over. Contents that
//! are already known, such as those the user wrote from the screen, do not cause a reload.

use std::sync::Arc;

use crate::command::Command;
use crate::files::Options;
use crate::files::tuning;
use crate::history::History;
use crate::history::diff::Difference;
use crate::history::parting::Parting;
use crate::history::run::RunId;
use crate::scenario::Scenario;
use crate::scenario::sources::{Place, SourceFile, Sources};
use crate::time::Frame;
use crate::tui::changes;
use crate::tui::problems::Problems;
use crate::tui::timeline::{Mark, MarkKind};

use super::Session;
use super::draft::Incoming;

/// What is known of the files of a map.
#[derive(Debug, Clone)]
pub(super) struct Live {
    /// What was read last that could be played.
    pub known: Arc<Sources>,
    /// What is wrong with what was read last.
    pub problems: Problems,
    /// What was written here and not seen on the disk since, the oldest first.
    pub own: Vec<Sources>,
    edits: Vec<Edit>,
}

impl Live {
    pub fn new(scenario: &Scenario) -> Self {
        let known = Arc::clone(&scenario.sources);
        Self { known, problems: Problems::default(), own: Vec::new(), edits: Vec::new() }
    }
}

/// A save, or an edit here, that became a run.
#[derive(Debug, Clone)]
pub struct Edit {
    /// The files that were saved, or what was edited.
    pub label: String,
    /// Was it made here, and not by a save?
    pub by_hand: bool,
    /// The frame that was looked at.
    pub at: Frame,
    /// Who is gone, new or called otherwise, and how large the map is now; a phrase each.
    pub changes: Vec<String>,
    /// The run before it, the run that it became, and where they part.
    pub parting: Parting,
    /// A run before with the very same content.
    pub same_as: Option<RunId>,
    /// Is the new run on its way to the frame that was looked at?
    under_way: bool,
}

impl Edit {
    /// The run that was left.
    pub fn parent(&self) -> RunId {
        self.parting.runs()[0]
    }

    /// The run that it became.
    pub fn run(&self) -> RunId {
        self.parting.runs()[1]
    }
}

impl Session {
    /// What is wrong with the files as they were read last.
    pub fn problems(&self) -> &Problems {
        &self.live.problems
    }

    /// The files were read again, and this is wrong with them.
    pub fn set_problems(&mut self, problems: Problems) {
        self.live.problems = problems;
    }

    /// Is this what the files hold, as far as is known?
    pub fn knows(&self, sources: &Sources) -> bool {
        self.saved_files(sources).next().is_none()
            && self.live.known.files.len() == sources.files.len()
    }

    /// Is this what was written here before the last time, and read before that? It is no news.
    pub fn is_stale(&mut self, sources: &Sources) -> bool {
        if self.knows(sources) {
            self.live.own.clear();
            return false;
        }
        let texts = |files: &Sources| -> Vec<(Place, Arc<str>)> {
            files.files.iter().map(|file| (file.place.clone(), Arc::clone(&file.text))).collect()
        };
        let read = texts(sources);
        let stale = self.live.own.iter().position(|own| texts(own) == read);
        self.live.own.drain(..stale.map_or(0, |index| index + 1));
        stale.is_some()
    }

    /// The files that hold something new.
    fn saved_files<'a>(&'a self, sources: &'a Sources) -> impl Iterator<Item = &'a SourceFile> {
        let known = |file: &SourceFile| match file.place {
            Place::Map => Some(&self.file),
            _ => self.live.known.file(&file.place).map(|known| &known.text),
        };
        sources.files.iter().filter(move |file| known(file) != Some(&file.text))
    }

    /// The files that hold something new, in a few words.
    pub fn saved(&self, sources: &Sources) -> String {
        let mut files = self.saved_files(sources).map(|file| short(&file.label).to_owned());
        let first = files.next().unwrap_or_else(|| short(&self.label).to_owned());
        match files.count() {
            0 => first,
            more => format!("{first} and {more} more"),
        }
    }

    /// Makes the run again with other content, up to the frame that is looked at. A long way takes
    /// a while, see [`Session::pursue`].
    pub fn resimulate(&mut self, incoming: Incoming) {
        let mut edit = self.begin_edit(&incoming);
        let Incoming { scenario, old, .. } = incoming;
        let mut set = options(&scenario).set;
        let new = Arc::clone(&scenario.sources);
        self.history.reload_with(scenario, |before, after| {
            tuning::again(&new, &mut set, (&before.sources, &after.sources), &old)
        });
        edit.changes.extend(left_out(&self.history, edit.parent(), edit.run()));
        self.begin(edit);
    }

    /// Goes on with other content from the next frame on: that is made.
    pub fn go_on_with(&mut self, incoming: Incoming) {
        let edit = self.begin_edit(&incoming);
        let Incoming { scenario, old, .. } = incoming;
        let mut set = options(&scenario).set;
        let new = Arc::clone(&scenario.sources);
        let changed = (&*self.history.run().start().sources, &*self.scenario().sources);
        let tuned = tuning::again(&new, &mut set, changed, &old);
        self.history.reload_from_here(tuned.unwrap_or(scenario));
        self.begin(edit);
    }

    /// Begins anew with other content.
    pub fn restart_with(&mut self, incoming: Incoming) {
        let edit = self.begin_edit(&incoming);
        self.history.reload_anew(incoming.scenario);
        self.begin(edit);
    }

    /// What is known of an edit before it becomes a run.
    fn begin_edit(&mut self, incoming: &Incoming) -> Edit {
        self.drop_unfinished();
        let (history, scenario) = (&self.history, &incoming.scenario);
        let [old, new] = [history.present(), RunId(history.runs().len() as u32)];
        let same = |(index, run): (usize, &crate::history::run::Run)| {
            (run.start().sources == scenario.sources).then_some(RunId(index as u32))
        };
        Edit {
            label: incoming.label.clone(),
            by_hand: incoming.by_hand,
            at: history.sought().map_or(history.frame(), |(sought, _)| sought),
            changes: changes::between(self.scenario(), scenario),
            parting: Parting::new(old, new, Frame(0)),
            same_as: history.runs().iter().enumerate().find_map(same),
            under_way: true,
        }
    }

    fn begin(&mut self, mut edit: Edit) {
        let [old, new] = edit.parting.runs();
        let shared = self.history.run().branch().map_or(Frame(0), |branch| branch.at);
        edit.parting = Parting::new(old, new, shared);
        self.live.edits.push(edit);
        self.arrive();
        self.unwritten = tuning::unwritten(self.sources(), &self.file);
        if self.history.sought().is_some() {
            self.pursue(self.at_once());
        } else {
            self.finish_edit();
        }
    }

    /// A run that is still on its way is given up for a newer one.
    fn drop_unfinished(&mut self) {
        if self.is_remaking() {
            self.cancel_edit();
        }
    }

    /// Is the run made again with the new content of a file?
    pub fn is_remaking(&self) -> bool {
        self.history.sought().is_some() && self.live.edits.last().is_some_and(|edit| edit.under_way)
    }

    /// Leaves a run that is still made again for the one before; says which that is.
    pub fn cancel_edit(&mut self) -> Option<RunId> {
        if !self.is_remaking() {
            return None;
        }
        let edit = self.live.edits.last_mut()?;
        edit.under_way = false;
        let (parent, at) = (edit.parent(), edit.at);
        self.return_to(parent);
        self.go_to(at);
        Some(parent)
    }

    /// The frame that was sought is there.
    pub(super) fn finish_edit(&mut self) {
        if let Some(edit) = self.live.edits.last_mut() {
            edit.under_way = false;
        }
    }

    /// The edit that the present run, or the one it parts from, came from.
    pub fn last_edit(&self) -> Option<&Edit> {
        let mut run = self.history.present();
        loop {
            if let Some(edit) = self.live.edits.iter().find(|edit| edit.run() == run) {
                return Some(edit);
            }
            run = self.history.runs()[run.0 as usize].branch()?.parent;
        }
    }

    /// The edit that is looked at from one of its two sides, and the run on the other one.
    pub fn edit_in_view(&self) -> Option<(&Edit, RunId)> {
        let (present, ghost) = (self.history.present(), self.history.ghost());
        let here = |edit: &&Edit| edit.parent() == present && Some(edit.run()) == ghost;
        match self.live.edits.iter().rev().find(here) {
            Some(edit) => Some((edit, edit.run())),
            None => self.last_edit().map(|edit| (edit, edit.parent())),
        }
    }

    /// Where an agent begins to differ from the other side of the edit, and which run that is.
    pub fn differs(&self, agent: &str) -> Option<(RunId, &Difference)> {
        let (edit, other) = self.edit_in_view()?;
        Some((other, edit.parting.of(agent)?))
    }

    /// Compares the runs of the last edit, as long as there is time; is all known?
    pub(super) fn compare_on(&mut self, in_time: impl FnMut() -> bool) -> bool {
        if self.is_remaking() {
            return true;
        }
        let Some(edit) = self.live.edits.last_mut() else { return true };
        edit.parting.go_on(&self.history, in_time)
    }

    /// Has all been compared that there is of the runs of the last edit?
    pub fn is_compared(&self) -> bool {
        self.live.edits.last().is_none_or(|edit| edit.parting.is_at_end(&self.history))
    }

    /// What saves have left on the timeline: where they were made, and where anything changes, for
    /// anybody and for the selected agent.
    pub(super) fn edit_marks(&self) -> Vec<Mark> {
        let Some((edit, _)) = self.edit_in_view() else { return Vec::new() };
        let mine = self.selected.map(|id| self.scenario().name(id).to_string());
        let mine = mine.and_then(|name| edit.parting.of(&name));
        let parts = edit.parting.first().into_iter().chain(mine);
        let marks = parts.map(|parts| Mark { frame: parts.frame, kind: MarkKind::Parts });
        marks.chain([Mark { frame: edit.at, kind: MarkKind::Edit }]).collect()
    }

    /// Looks at the run before the last edit.
    ///
    /// # Errors
    /// Why there is none, in words.
    pub fn look_before(&mut self) -> Result<RunId, &'static str> {
        let here = self.history.run().branch();
        let run = here.ok_or("no earlier run: this is the first run")?.parent;
        self.turn_to(run);
        Ok(run)
    }

    /// Looks at the run that came of the present one: at the ghost, if that is one.
    ///
    /// # Errors
    /// Why there is none, in words.
    pub fn look_after(&mut self) -> Result<RunId, &'static str> {
        let present = self.history.present();
        let child = |run: RunId| {
            let branch = self.history.runs()[run.0 as usize].branch();
            branch.is_some_and(|branch| branch.parent == present)
        };
        let ghost = self.history.ghost().filter(|&ghost| child(ghost));
        let all = (0..self.history.runs().len() as u32).rev().map(RunId);
        let run = ghost.or_else(|| all.into_iter().find(|&run| child(run)));
        let run = run.ok_or("no run branches from this run")?;
        self.turn_to(run);
        Ok(run)
    }

    /// Did the ghost's run come of the present one?
    pub fn is_before_ghost(&self) -> bool {
        let branch = |ghost: RunId| self.history.runs()[ghost.0 as usize].branch();
        let ghost = self.history.ghost().and_then(branch);
        ghost.is_some_and(|branch| branch.parent == self.history.present())
    }

    /// Looks at another run, at the same frame if that was ever made.
    fn turn_to(&mut self, run: RunId) {
        let frame = self.history.frame().min(self.history.runs()[run.0 as usize].end());
        self.return_to(run);
        self.go_to(frame);
    }
}

/// The last part of a path.
pub(super) fn short(label: &str) -> &str {
    label.rsplit('/').next().unwrap_or(label)
}

fn options(scenario: &Scenario) -> Options {
    Options::of(&scenario.sources).unwrap_or_default()
}

/// What was done to agents that are gone, in words.
fn left_out(history: &History, old: RunId, new: RunId) -> Option<String> {
    let [old, new] = [old, new].map(|run| &history.runs()[run.0 as usize]);
    let deeds = |run: &crate::history::run::Run| {
        run.log().iter().filter(|(_, command)| !matches!(command, Command::Reload(_))).count()
    };
    let lost = deeds(old).saturating_sub(deeds(new));
    (lost > 0).then(|| {
        let commands = crate::words::count(lost as u64, "command");
        format!("dropped {commands} for removed agents")
    })
}
