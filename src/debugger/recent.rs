//! Trail and plots over the last seconds before the current frame.
//!
//! Frames are recorded as they are simulated. After a step back or a switch to another run, a
//! [`ReplayRange`] replays the missing frames, latest first, in the time left after drawing.

use crate::command::Command;
use crate::history::run::RunId;
use crate::history::{History, ReplayRange};
use crate::id::AgentId;
use crate::step::{self, Explanation};
use crate::time::Frame;
use crate::world::World;

use super::plots::Plots;
use super::trail::Trail;
use super::translation::Translation;

/// Trail and plots over the last seconds of one run.
#[derive(Debug, Clone)]
pub struct Recent {
    /// The recorded run, and the value of [`History::turns`] when recording started.
    of: (RunId, u64),
    trail: Trail,
    plots: Vec<Plots>,
    /// The replay of missing frames.
    replay: Option<ReplayRange>,
    /// Duration of a frame, in seconds.
    tick: f64,
}

impl Recent {
    /// Creates an empty collection for the current run.
    pub fn new(history: &History) -> Self {
        let tick = history.run().start().tick();
        let (trail, plots, replay) = (Trail::new(tick), Vec::new(), None);
        Self { of: (history.present(), history.turns()), trail, plots, replay, tick }
    }

    /// Returns the recent positions of all agents.
    pub fn trail(&self) -> &Trail {
        &self.trail
    }

    /// Returns the plots of an agent. Returns `None` if the agent is not plotted.
    pub fn plots(&self, agent: AgentId) -> Option<&Plots> {
        self.plots.iter().find(|plots| plots.agent() == agent)
    }

    /// Sets the agents to plot. Agents that are no longer listed, or not in `world`, lose their
    /// plots.
    pub fn plot(&mut self, agents: &[AgentId], world: &World) {
        self.plots.retain(|plots| agents.contains(&plots.agent()) && plots.is_in(world));
        for &agent in agents {
            if self.plots(agent).is_none() {
                self.plots.push(Plots::of(agent, world.number(agent), self.tick));
            }
        }
    }

    /// Records the positions and speeds at the frame of `world`, which becomes the current frame.
    pub fn note(&mut self, world: &World) {
        self.look_at(world.frame());
        self.see(world, &Translation::new(world.scenario(), world.scenario()));
    }

    /// Records the explanation of an agent's motion from `before` to the next frame.
    pub fn note_explanation(&mut self, before: &World, why: &Explanation) {
        if let Some(plots) = self.plots.iter_mut().find(|plots| plots.agent() == why.agent) {
            plots.note_explanation(before, why);
        }
    }

    /// Discards all recorded frames. [`Recent::recall`] restores them.
    pub fn forget(&mut self) {
        self.trail.clear();
        self.replay = None;
        for plots in &mut self.plots {
            plots.clear(self.tick);
        }
    }

    /// Sets the current frame, where trail and plots end. Removes the values of later frames.
    pub fn look_at(&mut self, frame: Frame) {
        self.trail.look_at(frame);
        for plots in &mut self.plots {
            plots.look_at(frame);
        }
    }

    /// Records the positions and speeds at the frame of `world`. `agents` translates the ids of the
    /// current frame.
    fn see(&mut self, world: &World, agents: &Translation) {
        self.trail.note(world, agents);
        for plots in &mut self.plots {
            plots.note(world, agents);
        }
    }

    /// Returns the latest frame that the trail or a plot lacks. Returns `None` if no frame is
    /// missing.
    fn missing(&self) -> Option<Frame> {
        self.trail.missing().max(self.plots.iter().filter_map(Plots::missing).max())
    }

    /// Replays the missing frames of a run. Stops early when `in_time` returns false. The replay
    /// covers the last seconds before the current frame, or before the end of a shorter run.
    /// Returns true if no frame is missing.
    pub fn recall(
        &mut self,
        history: &History,
        run: RunId,
        mut in_time: impl FnMut() -> bool,
    ) -> bool {
        self.turn_to((run, history.turns()));
        let Some(run) = history.runs().get(run) else { return true };
        let now = history.world().scenario();
        self.look_at(history.frame().min(run.end()));
        while let Some(missing) = self.missing() {
            if !in_time() {
                return false;
            }
            let mut replay = match self.replay.take() {
                Some(replay) if replay.last() == missing => replay,
                reused => ReplayRange::to(missing, run, reused),
            };
            let seen = |world: &World, commands: &[Command]| {
                let next = run.scenario_at(world.frame().next());
                let [here, there] = [world.scenario(), next].map(|it| Translation::new(now, it));
                self.see(world, &here);
                self.explain(world, commands, &here, &there);
            };
            replay.resume(run, seen, &mut in_time);
            self.replay = Some(replay);
        }
        true
    }

    /// Sets the recorded run and the value of [`History::turns`]. If one of them changes, discards
    /// all recorded frames.
    fn turn_to(&mut self, of: (RunId, u64)) {
        if self.of != of {
            self.of = of;
            self.forget();
        }
    }

    /// Explains the motion of the plotted agents from `world` to the next frame. `here` and `there`
    /// translate the ids of the current frame to those of `world` and of the next frame.
    fn explain(
        &mut self,
        world: &World,
        commands: &[Command],
        here: &Translation,
        there: &Translation,
    ) {
        let next = world.frame().next();
        for plots in &mut self.plots {
            if !plots.lacks(next) {
                continue;
            }
            let agent = plots.id_in(world, here).and_then(|_| there.id(plots.agent()));
            let explained =
                agent.map_or(Some(Vec::new()), |agent| step::try_explain(world, commands, [agent]));
            // A cancelled explanation leaves the frame missing.
            let Some(mut explained) = explained else { return };
            match explained.pop() {
                Some(why) => plots.note_explanation(world, &why),
                None => plots.note_absence(next),
            }
        }
    }
}
