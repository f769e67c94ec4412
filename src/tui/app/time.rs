//! What happens in time: as it passes by itself, and as it is asked to.

use core::cmp::Ordering;
use core::time::Duration;

use crate::time::Frame;
use crate::tui::action::{Action, Context, key_of};
use crate::tui::argument::Argument;

use super::{App, Mode};

impl App {
    /// Lets real time pass. `in_time` says whether there is time for another frame; the answer is
    /// whether anything has changed.
    pub fn pass(&mut self, elapsed: Duration, in_time: impl FnMut() -> bool) -> bool {
        let session = match (&self.mode, &mut self.session, &mut self.preview) {
            (Mode::Watch | Mode::Search(_) | Mode::Overlays(_), Some(session), _) => session,
            (Mode::Gallery, _, Some(Ok(preview))) => {
                let due = self.preview_clock.advance(elapsed, preview.scenario().tick);
                return preview.run(due, in_time) > 0;
            }
            _ => return false,
        };
        let made = if self.goal.is_some() {
            self.approach(in_time)
        } else {
            let due = self.clock.advance(elapsed, session.scenario().tick);
            let made = session.run(due, in_time);
            self.late = made < due && self.clock.speed.factor().is_some();
            made
        };
        if let Some(session) = &mut self.session {
            session.pass(elapsed);
        }
        if made > 0 {
            self.keep_in_view();
            self.watch_others();
        }
        made > 0
    }

    /// Real time until the next frame; `None` when nothing will happen by itself.
    pub fn until_next(&self) -> Option<Duration> {
        match (&self.mode, &self.session, &self.preview) {
            (Mode::Watch | Mode::Search(_) | Mode::Overlays(_), Some(session), _) => {
                if self.goal.is_some() {
                    return Some(Duration::ZERO);
                }
                self.clock.until_next(session.scenario().tick)
            }
            (Mode::Gallery, _, Some(Ok(preview))) => {
                self.preview_clock.until_next(preview.scenario().tick)
            }
            _ => None,
        }
    }

    pub(super) fn act_on_time(&mut self, action: Action, argument: Option<Argument>) {
        // Whoever asks something else of time no longer wants it to run to a frame.
        let ran = self.goal.take().is_some();
        match (action, argument) {
            (Action::PlayPause, _) => self.clock.set_playing(!ran && !self.clock.playing),
            (Action::Step, Some(Argument::Count(count))) => self.step_on(count),
            (Action::Step, _) => self.step(1),
            (Action::StepTen, _) => self.step(10),
            (Action::Goto, Some(Argument::Frame(frame))) => self.run_to(frame),
            (Action::Slower, _) => self.clock.speed = self.clock.speed.slower(),
            (Action::Faster, _) => self.clock.speed = self.clock.speed.faster(),
            (Action::Speed, Some(Argument::Speed(speed))) => self.clock.speed = speed,
            (Action::Restart, _) => {
                if let Some(session) = &mut self.session {
                    session.restart();
                }
                self.keep_in_view();
                self.note("back at frame 0");
            }
            (Action::StepBack, _) => {
                self.clock.set_playing(false);
                let key = key_of(Action::Restart, Context::Watch).map(|key| key.to_string());
                let key = key.unwrap_or_default();
                self.warn(format!("stepping back is not supported yet; {key} restarts"));
            }
            _ => {}
        }
    }

    fn step(&mut self, frames: u32) {
        self.clock.set_playing(false);
        self.late = false;
        if let Some(session) = &mut self.session {
            session.run(frames, || true);
        }
        self.keep_in_view();
    }

    /// Steps on: more than a few frames are made bit by bit, so that somebody is listened to.
    fn step_on(&mut self, frames: u32) {
        if let Some(session) = &self.session {
            let now = session.world().frame();
            self.run_to(Frame(now.0.saturating_add(frames.into())));
        }
    }

    /// Runs on to a frame, as fast as it goes.
    fn run_to(&mut self, goal: Frame) {
        let Some(session) = &self.session else { return };
        let now = session.world().frame();
        self.clock.set_playing(false);
        self.late = false;
        match goal.cmp(&now) {
            Ordering::Less => self.warn(format!("can't go back from frame {now} yet")),
            Ordering::Equal => self.note(format!("this is frame {now}")),
            Ordering::Greater => {
                self.goal = Some(goal);
                self.note(format!("running to frame {goal}; Esc stops"));
            }
        }
    }

    pub(super) fn stop_running(&mut self) {
        if let (Some(goal), Some(session)) = (self.goal.take(), &self.session) {
            let now = session.world().frame();
            self.note(format!("stopped at frame {now} on the way to {goal}"));
        }
    }

    /// Makes frames on the way to the goal, if there is one; says how many.
    fn approach(&mut self, in_time: impl FnMut() -> bool) -> u32 {
        let (Some(goal), Some(session)) = (self.goal, &mut self.session) else { return 0 };
        let left = goal.0.saturating_sub(session.world().frame().0);
        let made = session.run(u32::try_from(left).unwrap_or(u32::MAX), in_time);
        if u64::from(made) == left {
            let now = session.world().frame();
            self.goal = None;
            self.note(format!("this is frame {now}"));
        }
        made
    }
}
