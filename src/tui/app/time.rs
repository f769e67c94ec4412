//! Playing, stepping, seeking and searching.

use core::time::Duration;

use crate::debugger::session::Session;
use crate::time::Frame;

use super::breaks::MOST_FRAMES;
use super::{App, Goal};
use crate::tui::action::{Action, Context};

/// Real time after which a seek shows its progress.
const LONG: Duration = Duration::from_millis(100);

/// Number of frames per update when playing backwards at maximum speed.
const FASTEST_BACK: u32 = 64;

impl App {
    /// Advances the open map by `elapsed` real time, or the preview if no map is open. Simulates
    /// frames until `in_time` returns false.
    ///
    /// Returns true if the contents of the screen may have changed.
    pub fn pass(&mut self, elapsed: Duration, mut in_time: impl FnMut() -> bool) -> bool {
        if !self.component().lets_time_pass() {
            return false;
        }
        if self.session.is_none() {
            let Some(Ok(preview)) = &mut self.gallery.preview else { return false };
            let due = self.gallery.clock.advance(elapsed, preview.scenario().tick());
            return preview.run(due, in_time) > 0;
        }
        if self.search_difference(&mut in_time) {
            return true;
        }
        let behind = self.session.as_ref().is_some_and(|it| !it.history().is_settled());
        let moved = self.move_on(elapsed, &mut in_time);
        let Some(session) = &mut self.session else { return moved };
        session.settle();
        session.pass(elapsed);
        let recalled = session.is_recalled();
        if !recalled {
            session.recall(in_time);
            self.report_edit();
            self.watch_others();
        }
        if moved {
            self.report_branch();
            self.keep_in_view();
            self.watch_others();
            self.renew_log();
            self.renew_search();
        }
        moved || behind || !recalled
    }

    /// Continues a seek, a search or playback until `in_time` returns false. Returns true if the
    /// contents of the screen may have changed.
    fn move_on(&mut self, elapsed: Duration, in_time: &mut impl FnMut() -> bool) -> bool {
        let Some(session) = &mut self.session else { return false };
        if session.sought().is_some() {
            self.seek.elapsed += elapsed;
            if session.pursue(in_time) {
                self.seek.elapsed = Duration::ZERO;
                self.arrived();
                self.select_at_destination();
                self.stop_at_first();
            }
            return true;
        }
        if session.is_searching_back() {
            self.seek.elapsed += elapsed;
            self.continue_search(in_time);
            return true;
        }
        if self.seek.goal.is_some() {
            self.seek.elapsed += elapsed;
            return self.approach(in_time) > 0;
        }
        let due = self.clock.advance(elapsed, session.scenario().tick());
        if self.clock.backwards {
            return due > 0 && self.run_back(due);
        }
        let rest = session.rest_of_recording();
        let due = rest.map_or(due, |rest| due.min(rest));
        let made = session.run(due, in_time);
        let stopped = made > 0 && !session.hits().is_empty();
        self.late = made < due && !stopped && self.clock.speed.factor().is_some();
        if stopped {
            self.clock.set_playing(false);
            self.report_hit();
        } else if rest == Some(made) {
            self.clock.set_playing(false);
            let key = self.setup.keymap.named(Action::PlayPause, Context::Watch);
            self.note(format!("end of the recording; {key} continues in a new run"));
        }
        made > 0
    }

    /// Goes back by `frames` frames. At maximum speed, goes back by [`FASTEST_BACK`] frames
    /// instead. Returns false if no map is open.
    fn run_back(&mut self, frames: u32) -> bool {
        let Some(session) = &mut self.session else { return false };
        // At maximum speed, few frames are skipped, so that the motion remains visible.
        let frames = if self.clock.speed.factor().is_some() { frames } else { FASTEST_BACK };
        let frame = Frame(session.world().frame().0.saturating_sub(frames.into()));
        session.go_to(frame);
        self.stop_at_first();
        true
    }

    /// Pauses backward playback at frame 0.
    fn stop_at_first(&mut self) {
        let first = self.session.as_ref().is_some_and(|s| s.world().frame() == Frame(0));
        if self.clock.backwards && first {
            self.clock.set_playing(false);
            self.note("frame 0 is the start of the run");
        }
    }

    /// Returns the real time until the next frame is due. Returns zero if work is left, such as a
    /// seek. Returns `None` if nothing changes without user input.
    pub fn until_next(&self) -> Option<Duration> {
        if !self.component().lets_time_pass() {
            return None;
        }
        let Some(session) = &self.session else {
            let preview = self.gallery.preview.as_ref()?.as_ref().ok()?;
            return self.gallery.clock.until_next(preview.scenario().tick());
        };
        // While playing, missing past frames are replayed between frames.
        let recalls = !self.clock.playing && !session.is_recalled();
        if self.is_under_way() || !session.history().is_settled() || recalls {
            return Some(Duration::ZERO);
        }
        self.clock.until_next(session.scenario().tick())
    }

    pub(super) fn reverse(&mut self) {
        let first = self.session.as_ref().is_some_and(|s| s.world().frame() == Frame(0));
        self.late = false;
        if self.clock.playing && self.clock.backwards {
            self.clock.set_playing(false);
        } else if first {
            self.clock.set_playing(false);
            self.note("frame 0 is the start of the run");
        } else {
            self.clock.play_backwards();
        }
    }

    pub(super) fn step_back(&mut self, frames: u64) {
        let Some(session) = &self.session else { return };
        let at = session.sought().map_or(session.world().frame(), |(sought, _)| sought);
        self.go_to(Frame(at.0.saturating_sub(frames)));
    }

    pub(super) fn step(&mut self, frames: u32) {
        let unfinished = match self.seek.goal {
            Some(Goal::Step(frame)) => Some(frame),
            Some(
                Goal::Frame(_)
                | Goal::Told(_)
                | Goal::NextHit(_)
                | Goal::LastHit
                | Goal::LastChange(_),
            )
            | None => None,
        };
        self.leave_goal();
        self.clock.set_playing(false);
        self.late = false;
        let Some(session) = &mut self.session else { return };
        let now = session.world().frame();
        let to = unfinished.unwrap_or(now).0.saturating_add(frames.into());
        let frames = u32::try_from(to - now.0).unwrap_or(u32::MAX);
        let simulated = session.run(frames, || true);
        // Frames whose step was cancelled for a key are simulated later.
        if simulated < frames && (simulated == 0 || session.hits().is_empty()) {
            self.seek.elapsed = Duration::ZERO;
            self.seek.goal = Some(Goal::Step(Frame(to)));
        }
        if simulated > 0 {
            self.report_hit();
        }
        self.keep_in_view();
    }

    /// Seeks forward by `frames` frames. User input is handled during the simulation.
    pub(super) fn step_on(&mut self, frames: u32) {
        if let Some(session) = &self.session {
            let now = session.world().frame();
            self.go_to(Frame(now.0.saturating_add(frames.into())));
        }
    }

    /// Pauses playback and goes to a frame. A frame within the run is restored from the history. A
    /// later frame is simulated.
    pub(super) fn go_to(&mut self, frame: Frame) {
        self.clock.set_playing(false);
        self.late = false;
        self.seek.elapsed = Duration::ZERO;
        let Some(session) = &mut self.session else { return };
        if frame > session.history().run().end() {
            session.give_up();
            self.seek.goal = Some(Goal::Frame(frame));
        } else {
            session.go_to(frame);
            // A long seek continues in later updates.
            if session.sought().is_none() {
                self.select_at_destination();
            }
        }
        self.keep_in_view();
    }

    /// Selects the agent that the seek was asked to select at its destination. Does nothing without
    /// such a request, or if the world does not contain the agent.
    pub(super) fn select_at_destination(&mut self) {
        let (Some(name), Some(session)) = (self.seek.select.take(), &mut self.session) else {
            return;
        };
        if let Some(id) = session.world().find(&name) {
            session.select(id);
            self.show_selected();
        }
    }

    /// Goes to a frame like [`Self::go_to`], but does not report the arrival.
    pub(super) fn go_to_and_report(&mut self, frame: Frame) {
        self.go_to(frame);
        if let Some(Goal::Frame(frame)) = self.seek.goal {
            self.seek.goal = Some(Goal::Told(frame));
        }
    }

    /// Returns the destination of a seek, and the frame reached so far. Returns `None` during the
    /// first 100 ms of a seek, and without a seek.
    pub fn long_way(&self) -> Option<(Frame, Frame)> {
        let session = self.session.as_ref().filter(|_| self.seek.elapsed >= LONG)?;
        match self.seek.goal {
            Some(Goal::Frame(frame) | Goal::Told(frame) | Goal::Step(frame)) => {
                Some((frame, session.world().frame()))
            }
            _ => session.sought(),
        }
    }

    /// Cancels a seek or search without a message.
    pub(super) fn leave_goal(&mut self) {
        (self.seek.goal, self.seek.select) = (None, None);
        if let Some(session) = &mut self.session {
            session.stop_search();
        }
    }

    /// Returns true if a seek or search is in progress. A search for the first difference also
    /// counts.
    pub(super) fn is_under_way(&self) -> bool {
        let seeks = |session: &Session| {
            session.sought().is_some() || session.searched_difference().is_some()
        };
        self.seek.goal.is_some() || self.session.as_ref().is_some_and(seeks)
    }

    /// Stops a seek or search at the frame reached so far. If an edit is being simulated, cancels
    /// that simulation and shows the run before the edit.
    pub(super) fn stop_on_the_way(&mut self) {
        self.seek.goal = None;
        if self.cancel_edit() {
            return;
        }
        if let Some(session) = &mut self.session {
            session.give_up();
            session.stop_difference_search();
            let now = session.world().frame();
            self.note(format!("stopped at frame {now}"));
        }
    }

    /// Simulates frames towards the destination of a seek until `in_time` returns false. Returns
    /// the number of simulated frames.
    pub(super) fn approach(&mut self, in_time: impl FnMut() -> bool) -> u32 {
        let (Some(goal), Some(session)) = (&self.seek.goal, &mut self.session) else { return 0 };
        let (until, stops) = match *goal {
            Goal::Frame(frame) | Goal::Told(frame) => (frame.0, false),
            Goal::Step(frame) => (frame.0, true),
            Goal::NextHit(from) => (from.0.saturating_add(MOST_FRAMES), true),
            // Backward searches do not simulate frames here.
            Goal::LastHit | Goal::LastChange(_) => (0, false),
        };
        let left = until.saturating_sub(session.world().frame().0);
        let frames = u32::try_from(left).unwrap_or(u32::MAX);
        let made =
            if stops { session.run(frames, in_time) } else { session.run_past(frames, in_time) };
        let now = session.world().frame();
        if stops && made > 0 && self.report_hit() {
            self.seek.goal = None;
        } else if u64::from(made) == left {
            match self.seek.goal.take() {
                Some(Goal::Frame(_)) => {
                    self.select_at_destination();
                    self.note(format!("reached frame {now}"));
                }
                Some(Goal::NextHit(_)) => {
                    self.note(format!("no breakpoint hit within {MOST_FRAMES} frames"));
                }
                _ => {}
            }
        }
        made
    }
}
