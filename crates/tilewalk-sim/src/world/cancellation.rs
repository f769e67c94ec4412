//! Cancellation of steps by another thread.

use core::mem;
use std::sync::Arc;

use crate::cancel::Cancel;
use crate::event::Event;
use crate::scenario::Scenario;
use crate::time::Frame;

use super::World;
use super::state::State;

/// The flag that cancels a step, and the frame to restore after a cancelled step. Never saved.
#[derive(Debug, Default)]
pub(super) struct Cancellation {
    pub flag: Cancel,
    undo: Option<Undo>,
}

#[derive(Debug)]
struct Undo {
    scenario: Arc<Scenario>,
    frame: Frame,
    state: State,
    events: Vec<Event>,
}

impl Clone for Cancellation {
    fn clone(&self) -> Self {
        Self { flag: self.flag.clone(), undo: None }
    }
}

impl World {
    /// Sets the flag by which another thread can cancel the steps of this world and of its clones.
    /// A cancelled step leaves the world unchanged. By default, steps cannot be cancelled.
    pub fn set_cancel(&mut self, cancel: Cancel) {
        self.route_cache.set_cancel(cancel.clone());
        self.cancellation.flag = cancel;
    }

    /// Returns the flag by which another thread can cancel a step.
    pub(crate) fn cancel(&self) -> &Cancel {
        &self.cancellation.flag
    }

    /// Takes over the cancel flag and the undo data from `replaced`, the world that this world
    /// replaces.
    pub(crate) fn take_cancel(&mut self, replaced: &mut Self) {
        self.cancellation = mem::take(&mut replaced.cancellation);
        self.route_cache.set_cancel(self.cancellation.flag.clone());
    }

    /// Saves the current frame for [`World::undo_step`]. Does nothing if no other thread can cancel
    /// the step.
    pub(crate) fn prepare_undo(&mut self) {
        if !self.cancellation.flag.is_armed() {
            return;
        }
        if let Some(undo) = &mut self.cancellation.undo {
            undo.scenario.clone_from(&self.scenario);
            undo.frame = self.frame;
            undo.state.clone_from(&self.state);
            undo.events.clone_from(&self.events);
        } else {
            self.cancellation.undo = Some(Undo {
                scenario: Arc::clone(&self.scenario),
                frame: self.frame,
                state: self.state.clone(),
                events: self.events.clone(),
            });
        }
    }

    /// Restores the frame that [`World::prepare_undo`] saved. Does nothing if no frame was saved.
    pub(crate) fn undo_step(&mut self) {
        if let Some(undo) = self.cancellation.undo.take() {
            self.restore(&undo.scenario, undo.frame, &undo.state, &undo.events);
            self.cancellation.undo = Some(undo);
        }
    }
}
