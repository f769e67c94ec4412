//! Changes values of a running map, and tracks which values are not written to a file.
//!
//! A session is unsaved if it contains changes made here that no file has: edits of the draft, and
//! settings that came with neither the map nor the recording (see [`Session::is_unsaved`]).

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::command::Command;
use crate::files::relevance::{Doing, Ranked, Relevance};
use crate::files::settings::Setting;
use crate::files::{Options, tuning};
use crate::history::History;
use crate::history::run::Run;
use crate::id::AgentId;
use crate::map::Map;
use crate::scenario::Scenario;
use crate::scenario::sources::{Place, Sources};
use crate::tui::hand::Hand;
use crate::tui::pyramid::Pyramid;

use super::Session;
use super::pin::Pinned;

/// The text of the map's file.
pub(super) fn file_of(scenario: &Scenario) -> Arc<str> {
    scenario.sources.file(&Place::Map).map_or_else(|| "".into(), |file| Arc::clone(&file.text))
}

/// All settings that the runs of a history have, as they are typed.
pub(super) fn settings_of(history: &History) -> BTreeSet<String> {
    history.runs().iter().flat_map(scenarios).flat_map(|it| typed(&it.sources)).collect()
}

/// What a run had, in its order.
fn scenarios(run: &Run) -> impl Iterator<Item = &Arc<Scenario>> {
    let later = run.log().iter().filter_map(|(_, command)| match command {
        Command::Reload(scenario) => Some(scenario),
        _ => None,
    });
    [run.start()].into_iter().chain(later)
}

fn typed(sources: &Sources) -> Vec<String> {
    let set = Options::of(sources).map(|options| options.set).unwrap_or_default();
    set.iter().map(Setting::to_string).collect()
}

impl Session {
    /// Is it a recording?
    pub fn is_replay(&self) -> bool {
        self.replay
    }

    /// A name for its new file, if it has none that can be written.
    pub fn new_name(&self) -> Option<&str> {
        self.new_name.as_deref()
    }

    /// Does the frame that is looked at have anything that was made here and is written nowhere?
    pub fn is_unsaved(&self) -> bool {
        let own = |setting: &Setting| !self.kept.contains(&setting.to_string());
        self.draft.would_be_lost() || self.unwritten.iter().any(own)
    }

    /// The settings that were made here and are written nowhere, as they are typed: those of the
    /// frame that is looked at, and those that come later in its run.
    pub fn lost_settings(&self) -> Vec<String> {
        let later = scenarios(self.history.run()).last();
        let later = later.map(|it| tuning::unwritten(&it.sources, &self.file)).unwrap_or_default();
        let mut lost: Vec<String> = Vec::new();
        for setting in self.unwritten.iter().chain(&later).map(Setting::to_string) {
            if !self.kept.contains(&setting) && !lost.contains(&setting) {
                lost.push(setting);
            }
        }
        lost
    }

    /// The settings of the frame that is looked at were written elsewhere.
    pub(super) fn keep_settings(&mut self) {
        let set = typed(self.sources());
        self.kept.extend(set);
    }

    /// What the map was read from.
    pub fn sources(&self) -> &Arc<Sources> {
        &self.scenario().sources
    }

    /// The values of the selected agent's kind, those first that matter for what it is doing; and that
    /// kind's name.
    ///
    /// # Errors
    /// Why there are none, in a line for people.
    pub fn offers(&self) -> Result<(String, Vec<Ranked>), String> {
        let id = self.selected.ok_or("no agent to edit: this map has no agents")?;
        let kind = &self.scenario().kind(id).name;
        let offers = tuning::offers(self.sources(), kind)?;
        let doing = self.doing(kind).ok_or("no agent to edit: this map has no agents")?;
        Ok((kind.clone(), doing.ranked(offers)))
    }

    /// What agents of a kind are doing: the selected one, if it is of that kind.
    fn doing(&self, kind: &str) -> Option<Doing<'_>> {
        let (scenario, world) = (self.scenario(), self.world());
        let kind = scenario.kinds.iter().find(|each| each.name == kind)?;
        let is_of = |id: &AgentId| core::ptr::eq(scenario.kind(*id), kind);
        let mode = self.selected.filter(is_of).map(|id| world.mode(id));
        let by_hand = self.driven().filter(is_of).is_some_and(|id| !world.is_on_tiles(id));
        Some(Doing { scenario, kind, mode, by_hand })
    }

    /// Goes on with another value, which counts in the next frame: that is made. Says what was
    /// changed.
    ///
    /// # Errors
    /// Why nothing was changed, in a line for people.
    pub fn change(&mut self, setting: &Setting) -> Result<String, String> {
        let change = tuning::change(self.sources(), setting)?;
        let tuning::Change { scenario, place, before, after } = change;
        if before == after {
            return Ok(format!("{place} is already {after}"));
        }
        let parts = self.world().frame() < self.history.run().end();
        let mut commands = vec![Command::Reload(scenario)];
        commands.extend(self.hand.as_mut().map(|hand| hand.ask(self.history.world())));
        self.history.step(&commands);
        self.refresh();
        self.past.note(self.history.world());
        let before = if before.is_empty() { "not set" } else { &before };
        let frame = self.world().frame();
        let run = if parts { ", in a new run" } else { "" };
        let doing = place.split('.').next().and_then(|kind| self.doing(kind));
        let relevance = doing.map(|doing| doing.relevance(&place));
        let unused = relevance.as_ref().and_then(Relevance::unused);
        let unused = unused.map(|why| format!(", {why},")).unwrap_or_default();
        Ok(format!("{place}: {before} → {after}{unused} from frame {frame} on{run}"))
    }

    /// The settings that the map's file doesn't have.
    pub fn unwritten(&self) -> &[Setting] {
        &self.unwritten
    }

    /// The text of the map's file, as far as is known.
    pub fn file(&self) -> &Arc<str> {
        &self.file
    }

    /// The map's file has this text now.
    pub fn written(&mut self, text: Arc<str>) {
        self.file = text;
        self.unwritten = tuning::unwritten(self.sources(), &self.file);
    }

    /// If another scenario is looked at than before: whoever is selected or driven stays so, by name.
    pub(super) fn follow_reload(&mut self) {
        let scenario = Arc::clone(self.scenario());
        if Arc::ptr_eq(&self.seen, &scenario) {
            return;
        }
        let old = std::mem::replace(&mut self.seen, Arc::clone(&scenario));
        let here = |id| scenario.find(&old.name(id).to_string());
        let first = self.world().ids().next();
        self.choose(self.selected.and_then(here).or(first));
        self.pinned = self.pinned().and_then(here).map(Pinned::on);
        let driven = self.driven();
        if driven.is_some() && driven != driven.and_then(here) {
            self.hand = driven.and_then(here).map(Hand::on);
        }
        self.tile = self.tile.filter(|&tile| scenario.map.tiles().contains(tile));
        self.unwritten = tuning::unwritten(&scenario.sources, &self.file);
        let same =
            |old: &Map, new: &Map| old.tiles() == new.tiles() && old.legend() == new.legend();
        if !same(&old.map, &scenario.map) {
            self.pyramid = Arc::new(Pyramid::of(&scenario.map));
        }
        // A trail tells agents by their number.
        let names = |scenario: &Scenario| {
            scenario.kinds.iter().map(|kind| (kind.name.clone(), kind.count)).collect::<Vec<_>>()
        };
        if names(&old) != names(&scenario) {
            self.past.forget();
        }
    }
}
