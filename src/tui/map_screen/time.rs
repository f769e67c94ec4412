//! Playing, stepping, seeking and searching.

use core::time::Duration;

use crate::debugger::SharedScreen;
use crate::debugger::session::Subject;
use crate::history::breaks::Break;
use crate::time::Frame;
use crate::tui::action::{Action, Context};
use crate::tui::map_screen::popup::Change;
use crate::tui::messages::Message;
use crate::tui::ui::Ui;

use super::MapScreen;

/// Maximum number of frames simulated in search of the next breakpoint hit.
const MOST_FRAMES: u64 = 1_000_000;

/// Real time after which a seek shows its progress.
const LONG: Duration = Duration::from_millis(100);

/// Start of the message that a seek has reached its frame.
const REACHED: &str = "reached frame ";

fn reached(frame: Frame) -> String {
    format!("{REACHED}{frame}")
}

/// Number of frames per update when playing backwards at maximum speed.
const FASTEST_BACK: u32 = 64;

#[derive(Debug, Clone)]
pub(super) enum Goal {
    /// Seeks to a frame, ignores breakpoints, and reports the arrival.
    Frame(Frame),
    /// Seeks to a frame, ignores breakpoints, and does not report the arrival.
    Silent(Frame),
    /// Seeks to a frame. Stops earlier if a breakpoint is hit.
    Step(Frame),
    /// Seeks to the next breakpoint hit after this frame.
    NextHit(Frame),
    /// Seeks to the next event after this frame, beyond the end of the run.
    NextEvent(Frame),
    /// Seeks backwards to the previous breakpoint hit.
    LastHit,
    /// Seeks backwards to the last change of the value that this watchpoint observes.
    LastChange(Box<Break>),
}

/// The state of a seek to another frame.
#[derive(Debug, Clone, Default)]
pub(super) struct Seek {
    /// Destination of the current seek. `None` without a seek, or if the destination is already
    /// recorded.
    pub(super) goal: Option<Goal>,
    /// Real time since the seek started. Long seeks show their progress.
    pub(super) elapsed: Duration,
    /// Name of the agent to select when the seek arrives.
    pub(super) select: Option<String>,
    /// Whether playback has reached the end of a run that another program still writes.
    pub(super) follows: bool,
    /// The frame that the user was told to wait for.
    pub(super) awaited: Option<Frame>,
    /// Whether an open tile page stays when the agent is selected.
    pub(super) keeps_tile: bool,
    /// The rest of the first view, to restore when the seek arrives.
    pub(super) restored: Option<Restored>,
}

/// Part of a first view: the selected tile, and the camera with the rest of the screen.
pub(super) type Restored = (Option<[i32; 2]>, Option<Box<SharedScreen>>);

impl MapScreen {
    /// Advances the map by `elapsed` real time. Simulates frames until `in_time` returns false.
    ///
    /// Returns true if the contents of the screen may have changed.
    pub(in crate::tui) fn pass(
        &mut self,
        ui: &mut Ui,
        elapsed: Duration,
        mut in_time: impl FnMut() -> bool,
    ) -> bool {
        if !self.lets_time_pass() {
            return false;
        }
        if self.search_difference(ui, &mut in_time) {
            return true;
        }
        let behind = !self.session.history().is_settled();
        let moved = self.move_on(ui, elapsed, &mut in_time);
        let session = &mut self.session;
        session.settle();
        session.pass(elapsed);
        let recalled = session.is_recalled();
        if !recalled {
            session.recall(in_time);
            self.report_edit(ui);
            self.observe_others(ui);
        }
        if moved {
            self.report_branch(ui);
            self.keep_in_view(ui);
            self.observe_others(ui);
            self.renew_popup(Change::Frame);
        }
        moved || behind || !recalled
    }

    /// Continues a seek, a search or playback until `in_time` returns false. Returns true if the
    /// contents of the screen may have changed.
    fn move_on(
        &mut self,
        ui: &mut Ui,
        elapsed: Duration,
        in_time: &mut impl FnMut() -> bool,
    ) -> bool {
        let session = &mut self.session;
        if session.sought().is_some() {
            self.seek.elapsed += elapsed;
            if session.pursue(in_time) {
                self.seek.elapsed = Duration::ZERO;
                self.arrived(ui);
                self.select_at_destination(ui);
                self.stop_at_first(ui);
            }
            return true;
        }
        if session.is_searching_back() {
            self.seek.elapsed += elapsed;
            self.continue_search(ui, in_time);
            return true;
        }
        if self.seek.goal.is_some() {
            self.seek.elapsed += elapsed;
            return self.approach(ui, in_time) > 0;
        }
        let due = self.clock.advance(elapsed, session.scenario().tick());
        let follows = self.follows_end();
        let due = if follows { u32::MAX } else { due };
        let session = &mut self.session;
        if self.clock.backwards {
            if due > 0 {
                self.run_back(ui, due);
            }
            return due > 0;
        }
        let rest = session.rest_of_recording();
        let due = rest.map_or(due, |rest| due.min(rest));
        let made = session.run(due, in_time);
        let stopped = made > 0 && !session.hits().is_empty();
        let at_growing_end = session.is_growing() && session.history().is_at_end();
        let is_timed = self.clock.speed.factor().is_some() && !follows && !at_growing_end;
        self.late = made < due && !stopped && is_timed;
        if stopped {
            self.clock.set_playing(false);
            self.report_hit(ui);
        } else if rest == Some(made) {
            self.clock.set_playing(false);
            let key = ui.setup.keymap.named(Action::PlayPause, Context::Map);
            self.note(ui, format!("end of the recording; {key} continues in a new run"));
        } else if at_growing_end {
            self.seek.follows = self.clock.playing;
        } else if due > 0 && self.session.history().is_at_end() {
            self.clock.set_playing(false);
            self.note_end(ui);
            return true;
        }
        made > 0
    }

    /// Reports that the current frame is the last one of the trace.
    fn note_end(&mut self, ui: &mut Ui) {
        let frame = self.session.world().frame();
        self.note(ui, format!("frame {frame} is the end of the trace"));
    }

    /// Goes back by `frames` frames. At maximum speed, goes back by [`FASTEST_BACK`] frames
    /// instead.
    fn run_back(&mut self, ui: &mut Ui, frames: u32) {
        let session = &mut self.session;
        // At maximum speed, few frames are skipped, so that the motion remains visible.
        let frames = if self.clock.speed.factor().is_some() { frames } else { FASTEST_BACK };
        let frame = Frame(session.world().frame().0.saturating_sub(frames.into()));
        session.go_to(frame);
        self.stop_at_first(ui);
    }

    /// Pauses backward playback at frame 0.
    fn stop_at_first(&mut self, ui: &mut Ui) {
        let first = self.session.world().frame() == Frame(0);
        if self.clock.backwards && first {
            self.clock.set_playing(false);
            self.note(ui, "frame 0 is the start of the run");
        }
    }

    /// Returns the real time until the next frame is due. Returns zero if work is left, such as a
    /// seek. Returns `None` if nothing changes without user input.
    pub(in crate::tui) fn until_next(&self) -> Option<Duration> {
        if !self.lets_time_pass() {
            return None;
        }
        let session = &self.session;
        // While playing, missing past frames are replayed between frames.
        let recalls = !self.clock.playing && !session.is_recalled();
        let waits = self.waits_for_frame();
        if self.is_under_way() && !waits || !session.history().is_settled() || recalls {
            return Some(Duration::ZERO);
        }
        if waits {
            return None;
        }
        if self.follows_end() {
            return Some(Duration::ZERO);
        }
        self.clock.until_next(session.scenario().tick())
    }

    pub(in crate::tui) fn reverse(&mut self, ui: &mut Ui) {
        let first = self.session.world().frame() == Frame(0);
        self.late = false;
        if self.clock.playing && self.clock.backwards {
            self.clock.set_playing(false);
        } else if first {
            self.clock.set_playing(false);
            self.note(ui, "frame 0 is the start of the run");
        } else {
            self.clock.play_backwards();
        }
    }

    pub(in crate::tui) fn step_back(&mut self, ui: &Ui, frames: u64) {
        let session = &self.session;
        let at = session.sought().map_or(session.world().frame(), |(sought, _)| sought);
        self.go_to(ui, Frame(at.0.saturating_sub(frames)));
    }

    pub(in crate::tui) fn step(&mut self, ui: &mut Ui, frames: u32) {
        let unfinished = match self.seek.goal {
            Some(Goal::Step(frame)) => Some(frame),
            Some(
                Goal::Frame(_)
                | Goal::Silent(_)
                | Goal::NextHit(_)
                | Goal::NextEvent(_)
                | Goal::LastHit
                | Goal::LastChange(_),
            )
            | None => None,
        };
        self.leave_goal();
        self.clock.set_playing(false);
        self.late = false;
        let session = &mut self.session;
        let now = session.world().frame();
        let to = unfinished.unwrap_or(now).0.saturating_add(frames.into());
        let frames = u32::try_from(to - now.0).unwrap_or(u32::MAX);
        let simulated = session.run(frames, || true);
        // Frames whose step was cancelled for a key are simulated later.
        let ends = session.history().is_at_end() && session.hits().is_empty();
        if ends && simulated < frames && session.is_growing() {
            self.seek.goal = Some(Goal::Step(Frame(to)));
            self.note_waiting(ui, Frame(to));
        } else if ends && simulated < frames {
            self.note_end(ui);
        } else if simulated < frames && (simulated == 0 || session.hits().is_empty()) {
            self.seek.elapsed = Duration::ZERO;
            self.seek.goal = Some(Goal::Step(Frame(to)));
        }
        if simulated > 0 {
            self.report_hit(ui);
        }
        self.keep_in_view(ui);
    }

    /// Seeks forward by `frames` frames. User input is handled during the simulation.
    pub(in crate::tui) fn step_on(&mut self, ui: &Ui, frames: u32) {
        let now = self.session.world().frame();
        self.go_to(ui, Frame(now.0.saturating_add(frames.into())));
    }

    /// Pauses playback and goes to a frame. A frame within the run is restored from the history. A
    /// later frame is simulated.
    pub(in crate::tui) fn go_to(&mut self, ui: &Ui, frame: Frame) {
        self.clock.set_playing(false);
        self.late = false;
        self.seek.elapsed = Duration::ZERO;
        let session = &mut self.session;
        self.seek.follows = false;
        let end = session.scenario().end().filter(|_| !session.is_growing());
        let frame = frame.min(end.unwrap_or(frame));
        if frame > session.history().run().end() {
            session.give_up();
            self.seek.goal = Some(Goal::Frame(frame));
        } else {
            session.go_to(frame);
            // A long seek continues in later updates.
            if session.sought().is_none() {
                self.select_at_destination(ui);
            }
        }
        self.keep_in_view(ui);
    }

    /// Removes the message that a frame was reached, once another frame is shown.
    pub(in crate::tui) fn forget_arrival(&self, ui: &mut Ui) {
        let now = reached(self.session.world().frame());
        let message = &mut ui.answers.message;
        message.take_if(|message| {
            matches!(message, Message::Note(text) if text.starts_with(REACHED) && *text != now)
        });
    }

    /// Selects the agent that the seek was asked to select at its destination, and restores the
    /// first view. Does nothing without such a request. An agent that the world does not contain is
    /// not selected.
    pub(in crate::tui) fn select_at_destination(&mut self, ui: &Ui) {
        let name = self.seek.select.take();
        let keeps_tile = core::mem::take(&mut self.seek.keeps_tile);
        if let Some(id) = name.and_then(|name| self.session.world().find(&name)) {
            let subject = self.session.subject();
            if subject != Subject::Agent(id) {
                self.session.select(id);
                if let Subject::Tile(tile) = subject
                    && keeps_tile
                {
                    self.session.look_at(Some(tile));
                }
                self.show_selected(ui);
            }
        }
        self.restore_view(ui);
    }

    /// Goes to a frame like [`Self::go_to`], but does not report the arrival.
    pub(in crate::tui) fn go_to_and_report(&mut self, ui: &Ui, frame: Frame) {
        self.go_to(ui, frame);
        if let Some(Goal::Frame(frame)) = self.seek.goal {
            self.seek.goal = Some(Goal::Silent(frame));
        }
    }

    /// Returns the destination of a seek, and the frame reached so far. Returns `None` during the
    /// first 100 ms of a seek, and without a seek.
    pub fn long_way(&self) -> Option<(Frame, Frame)> {
        if self.seek.elapsed < LONG {
            return None;
        }
        let session = &self.session;
        match self.seek.goal {
            Some(Goal::Frame(frame) | Goal::Silent(frame) | Goal::Step(frame)) => {
                Some((frame, session.world().frame()))
            }
            _ => session.sought(),
        }
    }

    /// Cancels a seek or search without a message.
    pub(in crate::tui) fn leave_goal(&mut self) {
        (self.seek.goal, self.seek.select) = (None, None);
        (self.seek.awaited, self.seek.restored) = (None, None);
        self.session.stop_search();
    }

    /// Returns true if a seek or search is in progress. A search for the first difference also
    /// counts.
    pub(in crate::tui) fn is_under_way(&self) -> bool {
        self.seek.goal.is_some()
            || self.session.sought().is_some()
            || self.session.searched_difference().is_some()
    }

    /// Stops a seek or search at the frame reached so far. If an edit is being simulated, cancels
    /// that simulation and shows the run before the edit.
    pub(in crate::tui) fn stop_on_the_way(&mut self, ui: &mut Ui) {
        (self.seek.goal, self.seek.awaited) = (None, None);
        if self.cancel_edit(ui) {
            return;
        }
        self.session.give_up();
        if let Some(found) = self.session.stop_difference_search()
            && !found.differences().is_empty()
        {
            self.show_difference(ui, &found);
            return;
        }
        let now = self.session.world().frame();
        self.note(ui, format!("stopped at frame {now}"));
    }

    /// Simulates frames towards the destination of a seek until `in_time` returns false. Returns
    /// the number of simulated frames.
    pub(in crate::tui) fn approach(&mut self, ui: &mut Ui, in_time: impl FnMut() -> bool) -> u32 {
        let Some(goal) = &self.seek.goal else { return 0 };
        if let Goal::NextEvent(from) = *goal {
            return self.approach_event(ui, from, in_time);
        }
        let session = &mut self.session;
        let (until, stops) = match *goal {
            Goal::Frame(frame) | Goal::Silent(frame) => (frame.0, false),
            Goal::Step(frame) => (frame.0, true),
            Goal::NextHit(from) => (from.0.saturating_add(MOST_FRAMES), true),
            // Backward searches do not simulate frames here.
            Goal::LastHit | Goal::LastChange(_) | Goal::NextEvent(_) => (0, false),
        };
        let left = until.saturating_sub(session.world().frame().0);
        let frames = u32::try_from(left).unwrap_or(u32::MAX);
        let made =
            if stops { session.run(frames, in_time) } else { session.run_past(frames, in_time) };
        let now = session.world().frame();
        if stops && made > 0 && self.report_hit(ui) {
            self.seek.goal = None;
        } else if u64::from(made) < left && self.is_at_growing_end() {
            self.note_waiting(ui, Frame(until));
        } else if u64::from(made) == left || self.session.history().is_at_end() {
            match self.seek.goal.take() {
                Some(Goal::Frame(_)) => {
                    self.select_at_destination(ui);
                    self.note(ui, reached(now));
                }
                Some(Goal::Silent(_)) => self.select_at_destination(ui),
                Some(Goal::NextHit(_)) if u64::from(made) < left => {
                    self.note(ui, "no breakpoint hit until the end of the trace".to_owned());
                }
                Some(Goal::NextHit(_)) => {
                    self.note(ui, format!("no breakpoint hit within {MOST_FRAMES} frames"));
                }
                _ => {}
            }
        }
        made
    }

    /// Simulates frames towards the next event until `in_time` returns false. Selects the agent of
    /// the event. Returns the number of simulated frames.
    fn approach_event(&mut self, ui: &mut Ui, from: Frame, in_time: impl FnMut() -> bool) -> u32 {
        let until = from.0.saturating_add(MOST_FRAMES);
        let left = until.saturating_sub(self.session.world().frame().0);
        let left = u32::try_from(left).unwrap_or(u32::MAX);
        let (made, event) = self.session.run_to_event(left, in_time);
        let is_at_end = self.session.history().is_at_end();
        if let Some(event) = event {
            self.seek.goal = None;
            self.seek.select = Some(self.session.name_of_event(&event));
            self.seek.keeps_tile = true;
            self.select_at_destination(ui);
            let (name, text) =
                (self.session.name_of_event(&event), self.session.text_of_event(&event));
            self.note(ui, format!("frame {}: {name} {text}", event.frame));
        } else if made == left || is_at_end {
            self.seek.goal = None;
            let whose = self.whose_events();
            let limit = if is_at_end {
                "until the end of the trace".to_owned()
            } else {
                format!("within {MOST_FRAMES} frames")
            };
            self.note(ui, format!("no event{whose} {limit}"));
        }
        made
    }
}
