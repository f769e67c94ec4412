//! Follows a run that another program still writes.
//!
//! At the end of the run, playback shows each frame as soon as it arrives. A step past the end waits
//! for the frame.

use crate::history::run::RunId;
use crate::time::Frame;
use crate::tui::host::LiveNews;
use crate::tui::map_screen::popup::Change;
use crate::tui::ui::Ui;

use super::MapScreen;
use super::time::Goal;

impl MapScreen {
    /// Handles a report about the followed run. New frames are shown by the next update.
    pub fn take_live(&mut self, ui: &mut Ui, news: LiveNews) {
        let label = self.session.label().to_owned();
        match news {
            LiveNews::Frames => {}
            LiveNews::Warning(text) => self.warn(ui, text),
            LiveNews::Grown(scenario) => match self.session.extend_run(&scenario) {
                Ok(None) => self.renew_live(ui),
                Ok(Some(RunId(old))) => {
                    self.renew_live(ui);
                    let run = self.session.history().present().0 + 1;
                    let text = format!("{label} begins again as run {run}; ghost: run {}", old + 1);
                    self.note(ui, text);
                }
                Err(why) => self.warn(ui, why),
            },
            LiveNews::Restarted(scenario) => match self.session.follow_again(&scenario) {
                Ok(RunId(old)) => {
                    self.leave_goal();
                    self.renew_live(ui);
                    let run = self.session.history().present().0 + 1;
                    let text =
                        format!("{label} has started again: run {run}; ghost: run {}", old + 1);
                    self.note(ui, text);
                }
                Err(why) => self.warn(ui, why),
            },
        }
    }

    fn renew_live(&mut self, ui: &mut Ui) {
        self.reloads.runs = self.session.history().runs().created();
        self.drop_drag();
        self.renew_popup(Change::Scenario);
        self.renew_paint(ui);
        self.keep_in_view(ui);
        self.observe_others(ui);
    }

    /// Returns true if playback has reached the end of a growing run, so that it shows later frames
    /// when they arrive.
    pub(super) fn follows_end(&self) -> bool {
        self.seek.follows
            && self.clock.playing
            && !self.clock.backwards
            && self.session.is_growing()
    }

    /// Returns true if the next frame of a growing run has not arrived.
    pub(super) fn is_at_growing_end(&self) -> bool {
        self.session.is_growing() && self.session.history().is_at_end()
    }

    /// Returns true if nothing can happen before the next frame of a growing run arrives.
    pub(super) fn waits_for_frame(&self) -> bool {
        let seeks_forward = match self.seek.goal {
            Some(
                Goal::Frame(_)
                | Goal::Silent(_)
                | Goal::Step(_)
                | Goal::NextHit(_)
                | Goal::NextEvent(_),
            ) => true,
            Some(Goal::LastHit | Goal::LastChange(_)) => false,
            None => self.follows_end(),
        };
        seeks_forward && self.session.sought().is_none() && self.is_at_growing_end()
    }

    /// Reports once that a seek waits for a frame.
    pub(super) fn note_waiting(&mut self, ui: &mut Ui, frame: Frame) {
        if self.seek.awaited != Some(frame) {
            self.seek.awaited = Some(frame);
            let end = self.session.world().frame();
            let text = if matches!(self.seek.goal, Some(Goal::NextHit(_))) {
                "no breakpoint hit so far; waiting for more frames".to_owned()
            } else if frame > end.next() && frame.0 < u64::MAX {
                format!("frame {end} is the last one so far; waiting for frame {frame}")
            } else {
                format!("frame {end} is the last one so far; waiting for the next one")
            };
            self.note(ui, text);
        }
    }
}
