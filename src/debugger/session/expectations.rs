//! The expectations of a session, judged on the current run.

use crate::debugger::expectations::Judged;
use crate::debugger::marks::{Mark, MarkKind};
use crate::judge::Outcome;
use crate::time::Frame;

use super::Session;

impl Session {
    /// Returns the expectations of the current frame's scenario, in file order, with their
    /// verdicts.
    pub fn expectations(&self) -> impl ExactSizeIterator<Item = Judged<'_>> {
        self.judgement.at(self.world())
    }

    /// Returns the last judged frame, if frames up to the current one are still unjudged and an
    /// expectation is undecided. Returns `None` otherwise.
    pub fn judged_until(&self) -> Option<Frame> {
        let until = self.judgement.until().unwrap_or(Frame(0));
        let is_open = |each: Judged| each.decision.is_none();
        (until < self.world().frame() && self.expectations().any(is_open)).then_some(until)
    }

    /// Judges the frames that are not judged yet, up to the limit of [`Session::at_once`].
    pub(super) fn recall_judgement(&mut self) {
        let in_time = self.at_once();
        self.judgement.recall(&self.history, in_time);
    }

    /// Returns a timeline mark for each expectation that passed or failed, at the frame of the
    /// verdict.
    pub(super) fn decision_marks(&self) -> impl Iterator<Item = Mark> {
        self.expectations().filter_map(|each| {
            let decision = each.decision?;
            let kind = match each.meaning(decision) {
                Outcome::Pass => MarkKind::Met,
                Outcome::Fail => MarkKind::Violated,
                Outcome::Inconclusive => return None,
            };
            Some(Mark { frame: decision.frame(), kind })
        })
    }
}
