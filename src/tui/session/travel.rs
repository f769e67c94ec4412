//! To other frames and other runs, and what is known of the last seconds.

use crate::history::run::RunId;
use crate::time::Frame;
use crate::tui::past::Past;
use crate::tui::timeline::Mark;
use crate::tui::trail::Trail;

use super::Session;

/// Steps of agents that are made at once on the way to another frame; a longer way is gone while
/// the screen goes on.
const AT_ONCE: usize = 20_000;

impl Session {
    /// Goes back to frame 0, without anything that was done. Who is driven still is, with no key
    /// pressed.
    pub fn restart(&mut self) {
        self.history.restart();
        self.arrive();
    }

    /// Goes to a frame; one after the recorded present is made. A long way takes a while, see
    /// [`Session::pursue`].
    pub fn go_to(&mut self, frame: Frame) {
        self.history.seek(frame);
        self.pursue(self.at_once());
    }

    /// Time for as many frames as are made at once.
    pub fn at_once(&self) -> impl FnMut() -> bool + use<> {
        let mut left = AT_ONCE / self.world().len().max(1);
        move || {
            left = left.saturating_sub(1);
            left > 0
        }
    }

    /// Goes on to the frame that is sought, as long as there is time; says whether it is there.
    pub fn pursue(&mut self, in_time: impl FnMut() -> bool) -> bool {
        if self.history.sought().is_none() {
            return true;
        }
        let there = self.history.pursue(in_time);
        if there {
            self.arrive();
        }
        there
    }

    /// The frame that is sought, and how far the search has come.
    pub fn sought(&self) -> Option<(Frame, Frame)> {
        self.history.sought()
    }

    /// Stays at the frame that is shown.
    pub fn give_up(&mut self) {
        self.history.give_up();
        self.search = None;
    }

    /// Another frame is looked at, which doesn't follow the last one.
    pub(super) fn arrive(&mut self) {
        self.find_hits();
        if let Some(hand) = &mut self.hand {
            hand.rest();
        }
        self.past.note(self.history.world());
        self.refresh();
        self.recall_visits();
    }

    /// Looks up in history what is not known of the last seconds, as long as there is time; says
    /// whether all is there.
    pub fn recall(&mut self, mut in_time: impl FnMut() -> bool) -> bool {
        let run = self.history.present();
        let visits = &mut self.visits;
        self.recalled = self.past.recall(&self.history, run, &mut in_time)
            && visits.as_mut().is_none_or(|visits| visits.recall(&self.history, &mut in_time))
            && self.history.settle(&mut in_time)
            && self
                .history
                .ghost()
                .is_none_or(|ghost| self.shadow.recall(&self.history, ghost, in_time));
        self.recalled
    }

    /// Is all known of the last seconds?
    pub fn is_recalled(&self) -> bool {
        self.recalled
    }

    /// The last seconds before this frame.
    pub fn past(&self) -> &Past {
        &self.past
    }

    /// Where everybody of the ghost's run came along, if there is one.
    pub fn ghost_trail(&self) -> Option<&Trail> {
        self.history.ghost().map(|_| self.shadow.trail())
    }

    /// The ghost is seen no more; was there one?
    pub fn dismiss_ghost(&mut self) -> bool {
        let there = self.history.ghost().is_some();
        self.history.dismiss_ghost();
        there
    }

    /// Looks at another run.
    pub fn return_to(&mut self, run: RunId) {
        self.history.return_to(run);
        self.choose(self.selected.filter(|id| id.index() < self.history.world().len()));
        self.unpin_missing();
        self.hand =
            self.hand.take().filter(|hand| hand.agent().index() < self.history.world().len());
        self.arrive();
        if let Some((frame, _)) = self.history.sought() {
            self.go_to(frame);
        }
    }

    /// Frames that are marked on the timeline, ascending.
    pub fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// Marks frames on the timeline, in place of those that were.
    pub fn set_marks(&mut self, mut marks: Vec<Mark>) {
        marks.sort_unstable();
        self.marks = marks;
    }
}
