//! The last seconds before the current frame, for the trail and the plots.
//!
//! Frames are noted as they are simulated. After a step back or a switch to another run, a
//! [`ReplayRange`] replays the missing frames, the latest first, in the time that drawing leaves
//! over.

use crate::command::Command;
use crate::history::History;
use crate::history::replay_range::ReplayRange;
use crate::history::run::RunId;
use crate::id::AgentId;
use crate::step::{self, Explanation};
use crate::time::Frame;
use crate::world::World;

use super::plots::Plots;
use super::trail::Trail;

/// The last seconds of one run.
#[derive(Debug, Clone)]
pub struct Recent {
    /// The run, and [`History::turns`] when it was noted.
    of: (RunId, u64),
    trail: Trail,
    plots: Vec<Plots>,
    /// Replays missing frames.
    passage: Option<ReplayRange>,
    /// Duration of a frame, in seconds.
    tick: f64,
}

impl Recent {
    /// Nothing is noted of the current run yet.
    pub fn new(history: &History) -> Self {
        let tick = history.run().start().tick;
        let (trail, plots, passage) = (Trail::new(tick), Vec::new(), None);
        Self { of: (history.present(), history.turns()), trail, plots, passage, tick }
    }

    /// The positions of all agents.
    pub fn trail(&self) -> &Trail {
        &self.trail
    }

    /// The plots of an agent, if it is plotted.
    pub fn plots(&self, agent: AgentId) -> Option<&Plots> {
        self.plots.iter().find(|plots| plots.agent() == agent)
    }

    /// Plots these agents and no others from now on.
    pub fn plot(&mut self, agents: &[AgentId]) {
        self.plots.retain(|plots| agents.contains(&plots.agent()));
        for &agent in agents {
            if self.plots(agent).is_none() {
                self.plots.push(Plots::of(agent, self.tick));
            }
        }
    }

    /// Notes the current frame.
    pub fn note(&mut self, world: &World) {
        self.look_at(world.frame());
        self.see(world);
    }

    /// Notes why an agent moved as it did on the way to the frame after `before`.
    pub fn note_explanation(&mut self, before: &World, why: &Explanation) {
        if let Some(plots) = self.plots.iter_mut().find(|plots| plots.agent() == why.agent) {
            plots.note_explanation(before, why);
        }
    }

    /// Forgets everything. [`Recent::recall`] looks it up again.
    pub fn forget(&mut self) {
        self.trail.clear();
        self.passage = None;
        for plots in &mut self.plots {
            *plots = Plots::of(plots.agent(), self.tick);
        }
    }

    /// Sets the current frame.
    pub fn look_at(&mut self, frame: Frame) {
        self.trail.look_at(frame);
        for plots in &mut self.plots {
            plots.look_at(frame);
        }
    }

    fn see(&mut self, world: &World) {
        self.trail.note(world);
        for plots in &mut self.plots {
            plots.note(world);
        }
    }

    /// The latest frame that is not fully known.
    fn missing(&self) -> Option<Frame> {
        self.trail.missing().max(self.plots.iter().filter_map(Plots::missing).max())
    }

    /// Replays missing frames of a run until `in_time` returns false: of the last seconds before
    /// the current frame, or before the end of the run if that is earlier. Returns true if none is
    /// missing.
    pub fn recall(
        &mut self,
        history: &History,
        run: RunId,
        mut in_time: impl FnMut() -> bool,
    ) -> bool {
        self.turn_to((run, history.turns()));
        let Some(run) = history.runs().get(run.0 as usize) else { return true };
        self.look_at(history.frame().min(run.end()));
        while let Some(missing) = self.missing() {
            if !in_time() {
                return false;
            }
            let mut passage = match self.passage.take() {
                Some(passage) if passage.last() == missing => passage,
                Some(passage) => passage.reused_to(missing, run),
                None => ReplayRange::to(missing, run),
            };
            let seen = |world: &World, commands: &[Command]| {
                self.see(world);
                self.explain(world, commands);
            };
            passage.resume(run, seen, &mut in_time);
            self.passage = Some(passage);
        }
        true
    }

    /// Forgets everything if it belongs to another run, or if the run has changed.
    fn turn_to(&mut self, of: (RunId, u64)) {
        if self.of != of {
            self.of = of;
            self.forget();
        }
    }

    /// Explains how the plotted agents move in the frame after `world`.
    fn explain(&mut self, world: &World, commands: &[Command]) {
        let next = world.frame().next();
        for plots in &mut self.plots {
            let agent = plots.agent();
            if !plots.lacks(next) {
                continue;
            }
            let there = agent.index() < world.len();
            match there.then(|| step::explain_with(world, commands, [agent]).pop()).flatten() {
                Some(why) => plots.note_explanation(world, &why),
                None => plots.note_absence(next),
            }
        }
    }
}
