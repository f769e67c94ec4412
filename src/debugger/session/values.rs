//! Changes values of a running map, and tracks which values are not written to a file.

use std::collections::BTreeSet;
use std::sync::Arc;

use tilewalk_sim::sort::SmallCollect;

use crate::command::Command;
use crate::files::read::tuning;
use crate::files::read::tuning::ValueDifference;
use crate::files::settings::Setting;
use crate::files::values::usage::{AgentActivity, ParameterUsage, RankedValue};
use crate::history::History;
use crate::id::AgentId;
use crate::map::Map;
use crate::scenario::Scenario;
use crate::scenario::sources::Sources;

use super::{MipLevels, Session};

/// Message for a run that restarts because the length of a frame changes. In a run with two frame
/// lengths, the time would jump.
pub(super) const NEW_TICK: &str = "restarted, because `tick` changed";

/// Returns the settings of all runs in a history, in command-line syntax.
pub(super) fn settings_of(history: &History) -> BTreeSet<String> {
    let scenarios = history.runs().iter().flat_map(|(_, run)| run.scenarios());
    scenarios.flat_map(|it| typed(it.sources())).small_collect()
}

/// Applies earlier value changes to a new scenario. Skips values that the file has changed since
/// the text `old`. `changed` is the pair of sources before and after the value changes.
pub(super) fn with_values(
    scenario: Arc<Scenario>,
    changed: (&Sources, &Sources),
    old: &str,
) -> Arc<Scenario> {
    let mut set = scenario.sources().set.clone();
    tuning::repeat_changes(scenario.sources(), &mut set, changed, old).unwrap_or(scenario)
}

fn typed(sources: &Sources) -> impl Iterator<Item = String> {
    sources.set.iter().map(Setting::to_string)
}

impl Session {
    /// Returns true if the current frame has edits or settings that no file contains.
    pub fn is_unsaved(&self) -> bool {
        let own = |setting: &Setting| !self.files.kept.contains(&setting.to_string());
        self.files.draft.would_be_lost() || self.files.unwritten.iter().any(own)
    }

    /// Returns the settings that no file contains, at the current frame or at later frames of the
    /// run.
    pub fn lost_settings(&self) -> Vec<Setting> {
        let later = tuning::unwritten(self.latest().sources(), &self.files.text);
        let mut lost: Vec<Setting> = Vec::new();
        for setting in self.files.unwritten.iter().chain(&later) {
            if !self.files.kept.contains(&setting.to_string()) && !lost.contains(setting) {
                lost.push(setting.clone());
            }
        }
        lost
    }

    /// Compares each setting with the value in the map file, as last read or written. If the file
    /// does not contain the value, compares with the default.
    pub fn differences(&self, settings: &[Setting]) -> Vec<ValueDifference> {
        tuning::differences(self.sources(), settings, &self.files.text)
    }

    /// Records that the settings of the current frame were written to another file.
    pub(super) fn keep_settings(&mut self) {
        let set: Vec<_> = typed(self.sources()).collect();
        self.files.kept.extend(set);
    }

    /// Returns the files and settings of the current frame's scenario.
    pub fn sources(&self) -> &Arc<Sources> {
        self.scenario().sources()
    }

    /// Returns the name of the selected agent's kind, and the tunable parameters of that kind.
    /// Parameters in use come first.
    ///
    /// # Errors
    /// Returns a message for the user if no agent is selected, or if the kind has no parameters.
    pub fn tunables(&self) -> Result<(String, Vec<RankedValue>), String> {
        let missing = || format!("no agent to edit: {}", self.why_no_agent());
        let id = self.selected().ok_or_else(missing)?;
        let kind = &self.scenario().kind(id).name;
        Ok((kind.clone(), self.tunables_of(kind)?))
    }

    /// Returns the tunable parameters of an agent kind. Parameters in use come first.
    ///
    /// # Errors
    /// Returns a message for the user if the scenario has no kind of this name, or if the kind has
    /// no parameters.
    pub fn tunables_of(&self, kind: &str) -> Result<Vec<RankedValue>, String> {
        let doing = self.doing(kind).ok_or_else(|| format!("unknown agent `{kind}`"))?;
        Ok(doing.ranked(tuning::tunables(self.sources(), kind)?))
    }

    /// Returns the activity of an agent kind, from which the parameters in use can be determined.
    /// Includes the current mode if the selected agent is of this kind. Returns `None` if the
    /// scenario has no kind of this name.
    fn doing(&self, kind: &str) -> Option<AgentActivity<'_>> {
        let (scenario, world) = (self.scenario(), self.world());
        let kind = scenario.kinds().iter().find(|each| each.name == kind)?;
        let is_of = |id: &AgentId| core::ptr::eq(scenario.kind(*id), kind);
        let mode = self.selected().filter(is_of).map(|id| world.mode(id));
        let by_hand = self.driven().filter(is_of).is_some_and(|id| !world.is_on_tiles(id));
        Some(AgentActivity { scenario, kind, mode, by_hand })
    }

    /// Changes a value and simulates the next frame with it. Returns a message for the user, even
    /// if the value stays the same.
    ///
    /// # Errors
    /// Returns a message for the user if the value can't be changed, or during a seek.
    pub fn change(&mut self, setting: &Setting) -> Result<String, String> {
        self.check_arrived()?;
        let change = tuning::change(&self.with_patterns(self.sources()), setting)?;
        if change.before == change.after {
            return Ok(format!("{} is already {}", change.path, change.after));
        }
        self.note_value(setting, &change);
        Ok(self.go_on_tuned(change))
    }

    /// Returns an error message for the user during a seek. A value can only change at the frame
    /// that the screen shows.
    pub(super) fn check_arrived(&self) -> Result<(), String> {
        self.history.sought().map_or(Ok(()), |(sought, _)| {
            Err(format!("values can change after frame {sought} is reached"))
        })
    }

    /// Simulates the next frame with a changed value. Returns a message for the user.
    pub(super) fn go_on_tuned(&mut self, change: tuning::TuningChange) -> String {
        let tuning::TuningChange { scenario, path, before, after, .. } = change;
        let before = if before.is_empty() { "not set" } else { &before };
        let after = if after.is_empty() { "not set" } else { &after };
        if self.changes_tick(&scenario) {
            self.restart_from(scenario);
            return format!("{path}: {before} → {after}; {NEW_TICK}");
        }
        let scenario = self.history.share(scenario);
        let parts = self.world().frame() < self.history.run().end();
        let control = self.control.as_mut().map(|control| control.command(self.history.world()));
        // After the reload, the agent can have another id.
        let control = control.and_then(|it| it.for_agents_of(self.scenario(), &scenario));
        let commands: Vec<_> = [Command::Reload(scenario)].into_iter().chain(control).collect();
        self.history.step(&commands);
        self.update_hits();
        self.refresh();
        self.recent.note(self.history.world());
        let frame = self.world().frame();
        let run = if parts { ", in a new run" } else { "" };
        let usage =
            path.agent().and_then(|agent| self.doing(agent)).map(|doing| doing.usage(&path));
        let unused = usage.as_ref().and_then(ParameterUsage::unused);
        let unused = unused.map(|why| format!(", {why},")).unwrap_or_default();
        format!("{path}: {before} → {after}{unused} from frame {frame} on{run}")
    }

    /// Returns the settings of the current frame that the map file does not contain.
    pub fn unwritten(&self) -> &[Setting] {
        &self.files.unwritten
    }

    /// Returns the text of the map file, as last read or written.
    pub fn file(&self) -> &Arc<str> {
        &self.files.text
    }

    /// Records that `text` was written to the map file.
    pub fn written(&mut self, text: Arc<str>) {
        self.files.text = text;
        self.files.unwritten = tuning::unwritten(self.sources(), &self.files.text);
    }

    /// Transfers the session to the current scenario if it has changed. Agents are matched by name.
    pub(super) fn follow_reload(&mut self) {
        let scenario = Arc::clone(self.scenario());
        if Arc::ptr_eq(&self.seen, &scenario) {
            return;
        }
        let old = core::mem::replace(&mut self.seen, Arc::clone(&scenario));
        self.refocus(|id| old.counterpart(id, &scenario));
        self.files.unwritten = tuning::unwritten(scenario.sources(), &self.files.text);
        let same =
            |old: &Map, new: &Map| old.tiles() == new.tiles() && old.legend() == new.legend();
        if !same(old.map(), scenario.map()) {
            self.mip_levels = Arc::new(MipLevels::of(scenario.map()));
        }
        // Trails refer to agents by index.
        if !old.has_agents_of(&scenario) {
            self.recent.forget();
        }
    }
}
