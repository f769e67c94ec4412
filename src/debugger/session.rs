//! A debugging session for one map.
//!
//! A session changes the world only through its history.

mod breakpoints;
mod comparison;
mod draft;
mod expectations;
mod focus;
mod live;
mod marks;
mod preview;
mod reload;
mod travel;
mod undo;
mod values;
mod visit_counts;

use std::cell::RefCell;
use std::sync::Arc;
use std::time::Duration;

use crate::cancel::Cancel;
use crate::command::Command;
use crate::event::{Event, EventKind};
use crate::files::Kept;
use crate::geom::{Direction, TilePos};
use crate::history::breaks::Breaks;
use crate::history::{DEFAULT_BUDGET, History};
use crate::id::AgentId;
use crate::scenario::Scenario;
use crate::world::{Flags, World};

use super::control::ManualControl;
use super::expectations::Judgement;
use super::mip_levels::MipLevels;
use super::opened::{IMPORTED, Opened};
use super::outcomes::Outcomes;
use super::recent::Recent;
use super::visits::Visits;

pub use comparison::RunChange;
pub use draft::Incoming;
pub use focus::Subject;
pub use reload::Edit;
pub use undo::Reverted;

use breakpoints::Breakpoints;
use comparison::Comparison;
use draft::Files;
use focus::Focus;
use marks::Marks;
use undo::ValueChanges;

/// One map, its runs, and the user's selection, breakpoints, bookmarks and edits.
#[derive(Debug, Clone)]
pub struct Session {
    identity: Identity,
    history: History,
    focus: Focus,
    control: Option<ManualControl>,
    /// The last seconds of the current run, for trails and plots.
    recent: Recent,
    /// Whether [`Session::recall`] has nothing left to do.
    recalled: bool,
    /// The memory of old runs when it was last checked. `None` before the first check.
    weighed: Option<(u64, usize)>,
    /// The heat map; `None` while it is hidden.
    visits: Option<Visits>,
    judgement: Judgement,
    marks: Marks,
    breakpoints: Breakpoints,
    comparison: Comparison,
    files: Files,
    changes: ValueChanges,
    /// The scenario of `focus`, `recent` and `mip_levels`. Differs from the scenario of the current
    /// frame only until the next call of `follow_reload`.
    seen: Arc<Scenario>,
    mip_levels: Arc<MipLevels>,
}

/// Id and name of a map or recording.
#[derive(Debug, Clone)]
struct Identity {
    id: String,
    label: String,
    /// A suggested file name for saving. `None` if the map has a writable file.
    new_name: Option<String>,
    is_recording: bool,
}

impl Session {
    /// Creates a session at frame 0 of a map, or at the current frame of a recording. Selects the
    /// first agent.
    pub fn new(opened: Opened) -> Self {
        let Opened { id, label, scenario, kept, recorded, new_name, warnings: _, first: _ } =
            opened;
        let identity = Identity { id, label, new_name, is_recording: recorded.is_some() };
        let fresh = || History::new(Arc::clone(&scenario), DEFAULT_BUDGET);
        let history = recorded.map_or_else(fresh, |recorded| *recorded);
        let recent = Recent::new(&history);
        let judgement = Judgement::new(&history, Cancel::default());
        let mut session = Self {
            identity,
            focus: Focus::on_first(history.world()),
            control: None,
            comparison: Comparison {
                recent: recent.clone(),
                outcomes: Outcomes::default(),
                pinned: None,
            },
            recent,
            recalled: false,
            weighed: None,
            visits: None,
            judgement,
            marks: Marks::default(),
            breakpoints: Breakpoints::new(kept.breaks),
            files: Files::new(&scenario, &history),
            changes: ValueChanges::default(),
            mip_levels: Arc::new(MipLevels::of(scenario.map())),
            seen: scenario,
            history,
        };
        session.written(Arc::clone(&session.files.text));
        session.set_bookmarks(kept.bookmarks);
        session.refresh();
        session.recent.note(session.history.world());
        session.judgement.note(session.history.world());
        session
    }

    /// Sets a flag that another thread can raise to cancel steps. A cancelled step changes nothing.
    /// The running computation then ends early, as at its time limit.
    pub fn set_cancel(&mut self, cancel: &Cancel) {
        self.history.set_cancel(cancel);
        self.judgement.set_cancel(cancel.clone());
    }

    /// Returns the history, which holds all runs of the map and the current frame.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Returns the breakpoints and bookmarks, which the program saves beside the map.
    pub fn kept(&self) -> Kept {
        Kept { breaks: self.breaks().clone(), bookmarks: self.bookmarks().clone() }
    }

    /// Takes over the selection, manual control, breakpoints and bookmarks of another session of
    /// the same map. Agents are matched by name.
    pub fn take_over(&mut self, old: &Self) {
        let scenario = Arc::clone(self.scenario());
        let here = |id| old.scenario().counterpart(id, &scenario);
        let selected = old.focus.selected.as_ref().and_then(|it| it.moved(here));
        self.focus.selected = selected.or(self.focus.selected.take());
        self.control = old.driven().and_then(here).map(ManualControl::of);
        self.focus.tile = old.focus.tile.filter(|&tile| scenario.map().tiles().contains(tile));
        self.breakpoints.set = old.breaks().clone();
        self.comparison.pinned = old.comparison.pinned.as_ref().and_then(|it| it.moved(here));
        self.set_bookmarks(old.bookmarks().clone());
        self.refresh();
    }

    /// Simulates up to `frames` frames. Stops when `in_time` returns false, at a breakpoint hit, or
    /// when a step is cancelled. Returns the number of frames simulated.
    pub fn run(&mut self, frames: u32, in_time: impl FnMut() -> bool) -> u32 {
        let mut breaks = core::mem::take(&mut self.breakpoints.set);
        let simulated = self.run_with(&mut breaks, frames, in_time);
        self.breakpoints.set = breaks;
        self.update_hits();
        if simulated > 0 && !self.hits().is_empty() {
            self.mark_stop();
        }
        simulated
    }

    /// Returns the number of frames from the current frame to the end of the recording. Returns
    /// `None` at the end, and for a run that does not come from a recording.
    pub fn rest_of_recording(&self) -> Option<u32> {
        let rest = self.history.run().recorded_end()?.0.saturating_sub(self.history.frame().0);
        (rest > 0).then(|| u32::try_from(rest).unwrap_or(u32::MAX))
    }

    /// Simulates frames like [`Session::run`], but does not stop at breakpoints.
    pub fn run_past(&mut self, frames: u32, in_time: impl FnMut() -> bool) -> u32 {
        let simulated = self.run_with(&mut Breaks::default(), frames, in_time);
        self.update_hits();
        simulated
    }

    fn run_with(&mut self, breaks: &mut Breaks, frames: u32, in_time: impl FnMut() -> bool) -> u32 {
        self.breakpoints.search = None;
        let (control, recent) = (&mut self.control, &mut self.recent);
        let (visits, judgement) = (&mut self.visits, &mut self.judgement);
        // Creating a command uses up a key press. If the step is cancelled, the key press is
        // restored.
        let undo = RefCell::new(None);
        let ask = |world: &World| {
            control.take_if(|control| has_left(world, control.agent()));
            undo.replace(control.clone());
            control.as_mut().map(|control| control.command(world))
        };
        let seen = |world: &World| {
            undo.replace(None);
            recent.note(world);
            if let Some(visits) = visits {
                visits.note(world);
            }
            judgement.note(world);
        };
        let simulated = self.history.run_frames(frames, breaks, ask, seen, in_time);
        if let Some(control) = undo.into_inner() {
            self.control = Some(control);
        }
        if simulated > 0 {
            self.refresh();
        }
        simulated
    }

    /// Returns the agent under manual control. Returns `None` if no agent is under manual control,
    /// or while that agent is not in the world.
    pub fn driven(&self) -> Option<AgentId> {
        self.control.as_ref().map(ManualControl::agent).filter(|&id| self.world().is_present(id))
    }

    /// Puts an agent under manual control. `None` ends manual control.
    pub fn drive(&mut self, agent: Option<AgentId>) {
        self.control = agent.map(ManualControl::of);
        self.refresh();
    }

    /// Passes a press of an arrow key to manual control. Does nothing without manual control.
    pub fn push(&mut self, arrow: Direction) {
        if let Some(control) = &mut self.control {
            control.press(arrow);
        }
    }

    /// Simulates the effect of one key press: one frame for a vehicle, one step for a walker. Ends
    /// early if the walker is blocked or a breakpoint is hit. Does nothing without manual control.
    pub fn run_push(&mut self) {
        let Some(id) = self.driven() else { return };
        let frames = if self.world().is_on_tiles(id) { self.world().mode(id).pace } else { 1 };
        for _ in 0..frames {
            if self.run(1, || true) == 0 {
                return;
            }
            if !self.hits().is_empty() {
                break;
            }
            let tried = !self.control.as_ref().is_some_and(ManualControl::has_pending_step);
            if tried && self.world().flags(id).has(Flags::BLOCKED) {
                break;
            }
        }
        if let Some(control) = &mut self.control {
            control.release();
        }
    }

    /// Advances the hold timers of the arrow keys by `elapsed` real time. A pressed key counts as
    /// held for 0.3 seconds.
    pub fn pass(&mut self, elapsed: Duration) {
        if let Some(control) = &mut self.control {
            control.pass(elapsed);
        }
    }

    /// Moves an agent to the centre of a tile, and simulates the next frame. Returns false and does
    /// nothing if the agent does not fit on the tile.
    pub fn put(&mut self, agent: AgentId, tile: TilePos) -> bool {
        let at = tile.centre();
        if !self.world().has_room(agent, at) {
            return false;
        }
        self.give_up();
        self.history.step(&[Command::Place { agent, at }]);
        self.recent.note(self.history.world());
        self.update_hits();
        self.refresh();
        true
    }

    /// Returns the id by which the map or recording can be opened again.
    pub fn id(&self) -> &str {
        &self.identity.id
    }

    /// Returns the file name shown to the user.
    pub fn label(&self) -> &str {
        &self.identity.label
    }

    /// Returns a suggested file name for saving. Returns `None` if the map has a writable file.
    pub fn new_name(&self) -> Option<&str> {
        self.identity.new_name.as_deref()
    }

    /// Returns true if the map was imported from a file of another program and is not in a file of its
    /// own.
    pub fn is_imported(&self) -> bool {
        self.identity.id.starts_with(IMPORTED)
    }

    /// Returns true if the session was opened from a recording.
    pub fn is_replay(&self) -> bool {
        self.identity.is_recording
    }

    /// Returns the world at the current frame.
    pub fn world(&self) -> &World {
        self.history.world()
    }

    /// Returns the world at the frame before the current frame. At frame 0, returns the world at
    /// frame 0.
    pub fn before(&self) -> &World {
        self.history.before()
    }

    /// Returns the scenario of the current frame, which edits and reloads can change.
    pub fn scenario(&self) -> &Arc<Scenario> {
        self.world().scenario()
    }

    /// Returns the width and height of the map in tiles.
    pub fn size(&self) -> (u32, u32) {
        (self.scenario().map().width(), self.scenario().map().height())
    }

    /// Returns the counts of closed tiles per square of the map. Zoomed-out map views draw them.
    pub fn mip_levels(&self) -> &MipLevels {
        &self.mip_levels
    }

    /// Iterates over the events of all agents up to and including the current frame, latest first.
    pub fn events(&self) -> impl Iterator<Item = &Event> {
        let events = self.history.run().events();
        events.iter().take(events.count_until(self.world().frame())).rev()
    }
}

/// Returns true if an agent left the world in the frame of `world`.
fn has_left(world: &World, id: AgentId) -> bool {
    let left = |event: &Event| event.agent == id && matches!(event.kind, EventKind::Removed(_));
    world.events().iter().any(left)
}
