//! Decides whether a reduced map still fails in the same way.

use std::collections::BTreeMap;
use std::mem::discriminant;
use std::ops::ControlFlow;
use std::sync::Arc;

use tilewalk_sim::sort::SmallCollect;

use crate::files::write::shrink::ShrinkDraft;
use crate::geom::Vec2;
use crate::id::AgentId;
use crate::judge::{Judge, JudgedRun, Outcome, judge};
use crate::runner::Frames;
use crate::scenario::Scenario;
use crate::world::{Look, World};

/// Maximum distance between two positions that count as equal, in tiles. Cropping a map changes the
/// rounding of positions.
const TOLERANCE: f32 = 0.01;

/// Extra frames that a reduced map may take to fail, in addition to twice the frames of the
/// original map.
const MORE_FRAMES: u64 = 600;

/// The failure of the original map, which a reduced map must reproduce.
#[derive(Debug)]
pub struct Goal {
    run: JudgedRun,
    /// Name of the agent that fails.
    agent: Option<String>,
    motion: Option<Motion>,
}

/// How similar the failure of a reduced map is to that of the original map. Both have the same
/// form and operands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Likeness {
    /// The frame at which the reduced map fails.
    pub frame: u64,
    /// Whether the same agent fails.
    pub has_same_agent: bool,
    /// Whether the same agent fails, at most 10 % of the frames earlier or later.
    pub is_close: bool,
}

/// The motion of agents in the original map, which a reduced map must reproduce.
#[derive(Debug)]
struct Motion {
    agents: Vec<String>,
    /// The positions of the agents in each frame up to the verdict, in tiles of the original map.
    /// `None` for absent agents.
    positions: Vec<Vec<Option<Vec2>>>,
}

impl Goal {
    /// Runs the original map. If `keeps_motion` is true, a reduced map must preserve the frame of
    /// the verdict. It must also preserve the motion of the agents that the expectation names.
    /// Returns `None` if the map does not fail.
    pub fn of(scenario: &Arc<Scenario>, draft: &ShrinkDraft, keeps_motion: bool) -> Option<Self> {
        let run = judge(scenario, 0).filter(|run| run.verdict.outcome == Outcome::Fail)?;
        let motion = keeps_motion.then(|| {
            let mut motion = Motion { agents: named(scenario, draft), positions: Vec::new() };
            let ids = motion.ids(scenario);
            let frames = Frames { last: run.verdict.frame, keeps_previous: false, commands: None };
            frames.observe(&mut World::new(Arc::clone(scenario)), |look| {
                let places = ids.iter().map(|&id| position(look.now, id));
                motion.positions.push(places.collect());
                ControlFlow::<()>::Continue(())
            });
            motion
        });
        let agent = run.agent.map(|id| scenario.name(id).to_string());
        Some(Self { run, agent, motion })
    }

    /// Returns the frame at which the original map fails.
    pub fn frame(&self) -> u64 {
        self.run.verdict.frame
    }

    /// Returns true if a reduced map must keep the motion of agents.
    pub fn keeps_motion(&self) -> bool {
        self.motion.is_some()
    }

    /// Runs a reduced map. Returns `None` if it does not fail in the same way as the original map, and
    /// as soon as `is_over` returns true. `corner` is the position of the reduced map's
    /// upper-left corner in the original map, in tiles.
    pub fn fails_alike(
        &self,
        scenario: &Arc<Scenario>,
        corner: Vec2,
        is_over: impl Fn() -> bool,
    ) -> Option<Likeness> {
        let motion = self.motion.as_ref();
        let agents = motion.map_or_else(Vec::new, |motion| motion.ids(scenario));
        let run = judge_until(scenario, self.last_frame(), |look| {
            let frame = look.now.frame().0 as usize;
            !is_over() && motion.is_none_or(|it| it.is_same(frame, look.now, &agents, corner))
        });
        let run = run.filter(|run| {
            run.verdict.outcome == Outcome::Fail
                && discriminant(&run.verdict.finding) == discriminant(&self.run.verdict.finding)
                && run.operands == self.run.operands
                && (motion.is_none() || run.verdict.frame == self.run.verdict.frame)
        })?;
        let (frame, before) = (run.verdict.frame, self.run.verdict.frame);
        let has_same_agent = run.agent.map(|id| scenario.name(id).to_string()) == self.agent;
        let is_close = has_same_agent && frame.abs_diff(before) <= before / 10;
        Some(Likeness { frame, has_same_agent, is_close })
    }

    /// Returns the last frame at which a failure of a reduced map is accepted. A failure without
    /// deciding operands is accepted at any frame.
    fn last_frame(&self) -> u64 {
        let frame = self.run.verdict.frame;
        if self.motion.is_some() {
            frame
        } else if self.run.operands.is_empty() {
            u64::MAX
        } else {
            frame.saturating_mul(2).saturating_add(MORE_FRAMES)
        }
    }
}

/// Runs a scenario and judges its first expectation. Returns `None` if the verdict is still
/// uncertain at frame `last`. Also returns `None` as soon as `goes_on` returns false.
pub fn judge_until(
    scenario: &Arc<Scenario>,
    last: u64,
    goes_on: impl Fn(&Look) -> bool,
) -> Option<JudgedRun> {
    let mut judge = Judge::new(scenario, 0);
    let keeps_previous = judge.expectation().uses_previous_frame();
    let frames = Frames { last, keeps_previous, commands: None };
    let judged = frames.observe(&mut World::new(Arc::clone(scenario)), |look| {
        judge.observe(look);
        match judge.describe(look) {
            _ if !goes_on(look) => ControlFlow::Break(None),
            Some(judged) => ControlFlow::Break(Some(judged)),
            None => ControlFlow::Continue(()),
        }
    });
    judged.flatten()
}

impl Motion {
    /// Returns the ids of the agents in a scenario. An id is `None` if the scenario does not have
    /// the agent.
    fn ids(&self, scenario: &Scenario) -> Vec<Option<AgentId>> {
        let ids = (0..scenario.starts().len() as u32).map(AgentId);
        let ids: BTreeMap<String, AgentId> =
            ids.map(|id| (scenario.name(id).to_string(), id)).small_collect();
        self.agents.iter().map(|name| ids.get(name).copied()).collect()
    }

    /// Returns true if all agents have the same positions at this frame as in the original run.
    fn is_same(&self, frame: usize, world: &World, ids: &[Option<AgentId>], corner: Vec2) -> bool {
        let Some(before) = self.positions.get(frame) else { return false };
        ids.iter().zip(before).all(|(&id, before)| match (position(world, id), before) {
            (Some(now), Some(before)) => (now + corner - *before).length() <= TOLERANCE,
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        })
    }
}

fn position(world: &World, id: Option<AgentId>) -> Option<Vec2> {
    id.filter(|&id| world.is_present(id)).map(|id| world.position(id))
}

/// Returns the names of all agents that the expectation names, directly or through their group. If
/// it names no agents, returns the names of all agents.
fn named(scenario: &Scenario, draft: &ShrinkDraft) -> Vec<String> {
    let ids = (0..scenario.starts().len() as u32).map(AgentId);
    let is_member = |id: AgentId| {
        let groups = scenario.groups().iter().filter(|group| draft.names(&group.name));
        groups.into_iter().any(|group| group.members.contains(&id))
    };
    let name = |id: AgentId| scenario.name(id).to_string();
    let is_named = |id: AgentId| draft.names(&name(id)) || is_member(id);
    let named: Vec<String> = ids.clone().filter(|&id| is_named(id)).map(name).collect();
    if named.is_empty() { ids.map(name).collect() } else { named }
}
