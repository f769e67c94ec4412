//! The outcomes of two runs: how many agents arrived or were caught, how often each event occurred, and
//! the verdicts on the expectations.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::agent::Drive;
use crate::event::{EventKind, Removal};
use crate::id::AgentId;
use crate::judge::Judge;
use crate::scenario::Scenario;
use crate::steering::{Behaviour, Target};
use crate::world::{Look, World};
use tilewalk_sim::sort::SmallSort;

/// Maximum number of rows with events. The most frequent events have rows.
const EVENTS: usize = 6;

/// Maximum number of rows with expectations.
const EXPECTATIONS: usize = 4;

/// Distance at which a pursuer has caught its target, in tiles. Neighbouring tiles are closer.
const CATCH: f32 = 1.5;

/// The outcomes of two runs up to the last observed frame.
#[derive(Debug, Clone, Default)]
pub struct Outcomes {
    sides: [RunOutcome; 2],
}

/// The outcome of one run.
#[derive(Debug, Clone, Default)]
struct RunOutcome {
    /// Names of the agents that arrived.
    arrived: BTreeSet<String>,
    /// Names of the agents that a pursuer came close to, or that a condition removed.
    caught: BTreeSet<String>,
    events: BTreeMap<&'static str, u64>,
    judges: Vec<Judge>,
    /// The scenario of the judges. `None` before the first frame.
    scenario: Option<Arc<Scenario>>,
    /// The previous frame. `None` without expectations, and before the first frame.
    before: Option<World>,
}

impl RunOutcome {
    fn observe(&mut self, world: &World) {
        for event in world.events() {
            *self.events.entry(event.kind.word()).or_insert(0) += 1;
            let name = || world.scenario().numbered(event.agent, event.number).to_string();
            if event.kind == EventKind::Arrived {
                self.arrived.insert(name());
            }
            if let EventKind::Removed(Removal::Agent | Removal::Mode(_)) = event.kind {
                self.caught.insert(name());
            }
        }
        for id in world.ids() {
            for caught in caught_by(world, id) {
                let name = world.name(caught).to_string();
                self.caught.insert(name);
            }
        }
        let scenario = world.scenario();
        let judged = self.scenario.get_or_insert_with(|| Arc::clone(scenario));
        if self.before.is_none() && Arc::ptr_eq(judged, scenario) {
            let count = scenario.expectations().len();
            self.judges = (0..count).map(|index| Judge::new(scenario, index)).collect();
        }
        // After a reload, the conditions of the judges do not belong to the scenario.
        if self.judges.is_empty() || !Arc::ptr_eq(judged, scenario) {
            return;
        }
        let before = self.before.as_ref().map(Look::at);
        let look = Look { before: before.as_ref(), ..Look::at(world) };
        for judge in &mut self.judges {
            judge.observe(&look);
        }
        match &mut self.before {
            Some(before) => before.clone_from(world),
            None => self.before = Some(world.clone()),
        }
    }

    fn count(&self, word: &str) -> u64 {
        self.events.get(word).copied().unwrap_or(0)
    }

    /// Returns the verdict on the expectation with this name. Returns an empty text if the run has no
    /// such expectation.
    fn verdict(&self, name: &str) -> &'static str {
        let judge = self.judges.iter().find(|judge| judge.expectation().name == name);
        judge.map_or("", |judge| match judge.verdict() {
            None => "undecided",
            Some(verdict) if judge.expectation().fails.is_some() => {
                verdict.outcome.exchanged().word()
            }
            Some(verdict) => verdict.outcome.word(),
        })
    }
}

impl Outcomes {
    /// Adds a frame of both runs.
    pub fn observe(&mut self, worlds: [&World; 2]) {
        for (side, world) in self.sides.iter_mut().zip(worlds) {
            side.observe(world);
        }
    }

    /// Returns the table of both outcomes: a head and one line per row, with the names of the runs
    /// as columns.
    pub fn lines(&self, names: [&str; 2]) -> Vec<String> {
        let [a, b] = &self.sides;
        let mut rows = vec![[String::new(), names[0].to_owned(), names[1].to_owned()]];
        let mut row = |name: &str, values: [String; 2]| {
            let [a, b] = values;
            let sign = if a == b { " " } else { "≠" };
            rows.push([format!("{sign} {name}"), a, b]);
        };
        row("arrived", [a, b].map(|side| side.arrived.len().to_string()));
        row("caught", [a, b].map(|side| side.caught.len().to_string()));
        let mut words: Vec<_> = a.events.keys().chain(b.events.keys()).copied().collect();
        words.sort_unstable();
        words.dedup();
        words.small_sort_by_key(|word| core::cmp::Reverse(a.count(word) + b.count(word)));
        words.retain(|word| !matches!(*word, "arrived"));
        for word in words.into_iter().take(EVENTS) {
            row(&format!("events: {word}"), [a, b].map(|side| side.count(word).to_string()));
        }
        let names_of = |side: &'_ RunOutcome| {
            side.judges.iter().map(|judge| judge.expectation().name.clone()).collect::<Vec<_>>()
        };
        let mut expected = names_of(a);
        expected.extend(names_of(b).into_iter().filter(|name| !names_of(a).contains(name)));
        for name in expected.into_iter().take(EXPECTATIONS) {
            row(&name, [a, b].map(|side| side.verdict(&name).to_owned()));
        }
        table(&rows)
    }
}

/// Returns the agents that an agent chases or pursues and has come close to.
fn caught_by(world: &World, id: AgentId) -> Vec<AgentId> {
    let drive = &world.mode(id).drive;
    let chased = if let Drive::Chase { target } = drive { Some(*target) } else { None };
    let rows = drive.steering().iter();
    let pursued = rows.filter(|row| matches!(row.behaviour, Behaviour::Pursue(_)));
    let targets = chased.into_iter().chain(pursued.filter_map(|row| row.target));
    let close = |target: Target| {
        let near = world.see(id, target)?.offset.length() < CATCH;
        match target {
            Target::Agent(other) => Some(other),
            Target::Instance(instance) => world.instance(instance),
            Target::Group(group) => world.nearest_member(id, group),
            Target::Point(_) | Target::Home | Target::LastSeen(_) => None,
        }
        .filter(|_| near)
    };
    targets.filter_map(close).collect()
}

/// Aligns the columns of a table.
fn table(rows: &[[String; 3]]) -> Vec<String> {
    let width = |column: usize| {
        rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default()
    };
    let [first, second] = [width(0), width(1)];
    let line = |[name, a, b]: &[String; 3]| {
        format!("{name:first$}  {a:second$}  {b}").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}
