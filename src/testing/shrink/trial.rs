//! Decides whether a reduced map still fails in the same way.

use std::mem::discriminant;
use std::sync::Arc;

use crate::files::shrink::Draft;
use crate::geom::Vec2;
use crate::id::AgentId;
use crate::judge::{JudgedRun, Outcome, judge};
use crate::scenario::Scenario;
use crate::scenario::expectation::Form;
use crate::step;
use crate::world::World;

/// Largest distance between two positions that count as the same, in tiles. A crop changes the
/// rounding of positions.
const TOLERANCE: f32 = 0.01;

/// What a reduced map must have in common with the original map.
#[derive(Debug)]
pub struct Goal {
    run: JudgedRun,
    motion: Option<Motion>,
}

/// The motion of some agents.
#[derive(Debug)]
struct Motion {
    agents: Vec<String>,
    /// The positions of the agents in each frame up to the verdict, in tiles of the original map.
    positions: Vec<Vec<Option<Vec2>>>,
}

/// Returns true if almost any deletion keeps a failure of this form: the failure is that something
/// does not happen.
pub fn is_about_absence(form: &Form) -> bool {
    match form {
        Form::Eventually(_)
        | Form::Response { .. }
        | Form::Settles { .. }
        | Form::Repeats { .. } => true,
        Form::Never(_)
        | Form::Always(_)
        | Form::Precedence { .. }
        | Form::Bounds { .. }
        | Form::Golden(_) => false,
    }
}

impl Goal {
    /// Runs the original map. With `keeps_motion`, the agents that the expectation names must keep
    /// their motion, and the verdict its frame. Returns `None` if the map does not fail.
    pub fn of(scenario: &Arc<Scenario>, draft: &Draft, keeps_motion: bool) -> Option<Self> {
        let run = judge(scenario, 0).filter(|run| run.verdict.outcome == Outcome::Fail)?;
        let motion = keeps_motion.then(|| {
            let agents = named(scenario, draft);
            let positions = positions(scenario, &agents, run.verdict.frame).collect();
            Motion { agents, positions }
        });
        Some(Self { run, motion })
    }

    /// Returns true if the motion of agents must stay the same.
    pub fn keeps_motion(&self) -> bool {
        self.motion.is_some()
    }

    /// Runs a reduced map. Returns true if it fails in the same way. `corner` is the tile of the
    /// original map that is the first tile of the reduced map.
    pub fn is_met(&self, scenario: &Arc<Scenario>, corner: Vec2) -> bool {
        let Some(run) = judge(scenario, 0) else { return false };
        let is_same = run.verdict.outcome == Outcome::Fail
            && discriminant(&run.verdict.finding) == discriminant(&self.run.verdict.finding)
            && run.operands == self.run.operands;
        is_same
            && self.motion.as_ref().is_none_or(|motion| {
                run.verdict.frame == self.run.verdict.frame
                    && motion.is_same(scenario, run.verdict.frame, corner)
            })
    }
}

impl Motion {
    fn is_same(&self, scenario: &Arc<Scenario>, frames: u64, corner: Vec2) -> bool {
        let mut frames = positions(scenario, &self.agents, frames).zip(&self.positions);
        frames.all(|(now, before)| {
            now.iter().zip(before).all(|pair| match pair {
                (Some(now), Some(before)) => (*now + corner - *before).length() <= TOLERANCE,
                (None, None) => true,
                (Some(_), None) | (None, Some(_)) => false,
            })
        })
    }
}

/// Returns the agents that the expectation names, and the members of the groups that it names; all
/// agents if it names none.
fn named(scenario: &Scenario, draft: &Draft) -> Vec<String> {
    let ids = (0..scenario.starts.len() as u32).map(AgentId);
    let is_member = |id: AgentId| {
        let groups = scenario.groups.iter().filter(|group| draft.names(&group.name));
        groups.into_iter().any(|group| group.members.contains(&id))
    };
    let name = |id: AgentId| scenario.name(id).to_string();
    let is_named = |id: AgentId| draft.names(&name(id)) || is_member(id);
    let named: Vec<String> = ids.clone().filter(|&id| is_named(id)).map(name).collect();
    if named.is_empty() { ids.map(name).collect() } else { named }
}

/// Runs a scenario. Returns the positions of some agents in each frame up to `last`.
fn positions(
    scenario: &Arc<Scenario>,
    agents: &[String],
    last: u64,
) -> impl Iterator<Item = Vec<Option<Vec2>>> {
    let ids = (0..scenario.starts.len() as u32).map(AgentId);
    let ids: Vec<(String, AgentId)> = ids.map(|id| (scenario.name(id).to_string(), id)).collect();
    let find = |name: &String| ids.iter().find(|(each, _)| each == name).map(|(_, id)| *id);
    let agents: Vec<Option<AgentId>> = agents.iter().map(find).collect();
    let mut world = World::new(Arc::clone(scenario));
    (0..=last).map(move |frame| {
        if frame > 0 {
            step::step(&mut world);
        }
        let is_present = |id: &AgentId| world.ids().any(|each| each == *id);
        let place = |id: &Option<AgentId>| id.filter(is_present).map(|id| world.position(id));
        agents.iter().map(place).collect()
    })
}
