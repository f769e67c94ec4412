//! The last seconds before the current frame, for the trail and the plots.
//!
//! Frames are recorded as they are simulated. After a step back or a switch to another run, a
//! [`Passage`] replays the missing frames, the latest first, in the time that drawing leaves over.

use crate::command::Command;
use crate::history::History;
use crate::history::passage::Passage;
use crate::history::run::RunId;
use crate::id::AgentId;
use crate::step::{self, Explanation};
use crate::time::Frame;
use crate::world::World;

use super::plots::Plots;
use super::trail::Trail;

/// What is remembered of one run.
#[derive(Debug, Clone)]
pub struct Past {
    /// Which run, as it was after so many turns of history.
    of: (RunId, u64),
    trail: Trail,
    /// Of those whose numbers are kept.
    plots: Vec<Plots>,
    /// Goes through what is missing.
    passage: Option<Passage>,
    /// Seconds a frame.
    tick: f64,
}

impl Past {
    /// Nothing is remembered of the present run yet.
    pub fn new(history: &History) -> Self {
        let tick = history.run().start().tick;
        let (trail, plots, passage) = (Trail::new(tick), Vec::new(), None);
        Self { of: (history.present(), history.turns()), trail, plots, passage, tick }
    }

    /// Where everybody came along.
    pub fn trail(&self) -> &Trail {
        &self.trail
    }

    /// What an agent did, if its numbers are kept.
    pub fn plots(&self, agent: AgentId) -> Option<&Plots> {
        self.plots.iter().find(|plots| plots.agent() == agent)
    }

    /// Keeps the numbers of these agents from now on, and of nobody else.
    pub fn plot(&mut self, agents: &[AgentId]) {
        self.plots.retain(|plots| agents.contains(&plots.agent()));
        for &agent in agents {
            if self.plots(agent).is_none() {
                self.plots.push(Plots::of(agent, self.tick));
            }
        }
    }

    /// Takes in a frame that comes after the last one.
    pub fn note(&mut self, world: &World) {
        self.look_at(world.frame());
        self.see(world);
    }

    /// Takes in why an agent moved as it did on the way to a frame.
    pub fn tell(&mut self, before: &World, why: &Explanation) {
        if let Some(plots) = self.plots.iter_mut().find(|plots| plots.agent() == why.agent) {
            plots.tell(before, why);
        }
    }

    /// Forgets everything; history is looked up again.
    pub fn forget(&mut self) {
        self.trail.clear();
        self.passage = None;
        for plots in &mut self.plots {
            *plots = Plots::of(plots.agent(), self.tick);
        }
    }

    /// Another frame of the run is looked at.
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

    /// The latest frame about which something is missing.
    fn missing(&self) -> Option<Frame> {
        self.trail.missing().max(self.plots.iter().filter_map(Plots::missing).max())
    }

    /// Looks up in history what is missing about the last seconds before the frame that is looked
    /// at, or before the end of the run if it ended earlier. As long as there is time; says whether
    /// all is there.
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
                Some(passage) => passage.turned_to(missing, run),
                None => Passage::to(missing, run),
            };
            let seen = |world: &World, commands: &[Command]| {
                self.see(world);
                self.explain(world, commands);
            };
            passage.go_on(run, seen, &mut in_time);
            self.passage = Some(passage);
        }
        true
    }

    /// Forgets everything, if it was about another run or the run is not the same any more.
    fn turn_to(&mut self, of: (RunId, u64)) {
        if self.of != of {
            self.of = of;
            self.forget();
        }
    }

    /// Finds out why those who are plotted will move as they do in the next frame.
    fn explain(&mut self, world: &World, commands: &[Command]) {
        let next = world.frame().next();
        for plots in &mut self.plots {
            let agent = plots.agent();
            if !plots.lacks(next) {
                continue;
            }
            let there = agent.index() < world.len();
            match there.then(|| step::explain_with(world, commands, [agent]).pop()).flatten() {
                Some(why) => plots.tell(world, &why),
                None => plots.tell_nothing(next),
            }
        }
    }
}
