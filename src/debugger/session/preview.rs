//! The preview track: where an agent will be in the next frames.

use std::sync::Arc;

use crate::cancel::Cancel;
use crate::geom::Vec2;
use crate::history::run::RunId;
use crate::id::AgentId;
use crate::scenario::Scenario;
use crate::step;
use crate::time::Frame;

use super::Session;

/// Simulated time that a track shows, in seconds.
const SECONDS: f64 = 3.0;

/// Maximum number of frames of a track.
const MOST_FRAMES: usize = 120;

/// Maximum number of agent steps for a track, so that drawing stays fast.
const BUDGET: usize = 4000;

/// Minimum number of frames of a track. A shorter one is not shown.
const LEAST_FRAMES: usize = 5;

/// The positions of an agent in the next frames.
#[derive(Debug, Clone)]
pub(super) struct Preview {
    agent: AgentId,
    run: RunId,
    frame: Frame,
    scenario: Arc<Scenario>,
    /// Positions from the current frame on, one per frame. An agent that leaves the world has no
    /// further positions.
    track: Vec<Vec2>,
}

impl Session {
    /// Computes the track of an agent from the current frame, unless it is known. `None` forgets
    /// the track.
    pub fn preview(&mut self, agent: Option<AgentId>) {
        let Some(agent) = agent.filter(|&agent| self.world().is_present(agent)) else {
            self.focus.preview = None;
            return;
        };
        let (run, frame) = (self.history.present(), self.world().frame());
        let is_known = |known: &Preview| {
            (known.agent, known.run, known.frame) == (agent, run, frame)
                && Arc::ptr_eq(&known.scenario, self.scenario())
        };
        if self.focus.preview.as_ref().is_some_and(is_known) {
            return;
        }
        let scenario = Arc::clone(self.scenario());
        let track = self.next_positions(agent);
        self.focus.preview = Some(Preview { agent, run, frame, scenario, track });
    }

    /// Simulates the next frames on a copy of the world, without user input.
    fn next_positions(&self, agent: AgentId) -> Vec<Vec2> {
        let here = self.world();
        let frames = (SECONDS / here.scenario().tick()).round() as usize;
        let frames = frames.min(MOST_FRAMES).min(BUDGET / here.len().max(1));
        if frames < LEAST_FRAMES {
            return Vec::new();
        }
        let mut world = here.clone();
        world.set_cancel(Cancel::default());
        let (number, end) = (here.number(agent), here.scenario().end());
        let mut track = vec![here.position(agent)];
        for _ in 0..frames {
            if end.is_some_and(|end| world.frame() >= end) {
                break;
            }
            step::step(&mut world);
            if !world.is_present(agent) || world.number(agent) != number {
                break;
            }
            track.push(world.position(agent));
        }
        track
    }

    /// Returns the positions of the previewed agent from the current frame on, one per frame. Empty
    /// without a preview.
    pub fn preview_track(&self) -> &[Vec2] {
        let frame = self.world().frame();
        let preview = self.focus.preview.as_ref().filter(|preview| preview.frame == frame);
        preview.map_or(&[], |preview| &preview.track)
    }
}
