//! Keeps the recording of the open map up to date.

use std::sync::Arc;

use crate::tui::app::App;
use crate::tui::host::{Kept, SessionRecorder};

use super::{KEEP_EVERY, Running, Stop, now};

impl Running<'_> {
    /// Updates the recording if an update is due, or if no frame will be simulated without user
    /// input.
    pub(super) fn keep_if_due(&mut self) -> Result<(), Stop> {
        if self.kept.elapsed() >= KEEP_EVERY || self.app().until_next().is_none() {
            self.keep()?;
            // Now the recording contains all old runs.
            if self.app().session().is_some_and(|session| !session.is_weighed()) {
                self.compute(App::drop_old_runs)?;
                self.answer();
            }
        }
        Ok(())
    }

    /// Appends new frames to the recording if the open map is recorded. Shows a warning on a
    /// failure.
    pub(super) fn keep(&mut self) -> Result<(), Stop> {
        self.kept = now();
        let Some(recorder) = &mut *self.recorder else { return Ok(()) };
        let session = self.simulator.app().session();
        let Some(session) = session.filter(|session| session.id() == recorder.id()) else {
            return Ok(());
        };
        match recorder.keep(session.history()) {
            Kept::Same => return Ok(()),
            Kept::Moved(message) => self.compute(|app| app.warn(message))?,
            Kept::Failed(why) => {
                *self.recorder = None;
                self.compute(move |app| app.recording_stopped(&why, false))?;
            }
        }
        self.answer();
        Ok(())
    }

    /// Returns true if the map with this id is being recorded.
    pub(super) fn records(&self, id: &str) -> bool {
        self.recorder.as_ref().is_some_and(|recorder| recorder.id() == id)
    }

    /// Ends the recording. Shows the reason `why`, or an error if the recording can't be completed.
    pub(super) fn end_recording(&mut self, why: &str) -> Result<(), Stop> {
        let finished = self.recorder.take().map_or(Ok(()), SessionRecorder::finish);
        let is_complete = finished.is_ok();
        let why = finished.err().unwrap_or_else(|| why.to_owned());
        self.compute(move |app| app.recording_stopped(&why, is_complete))?;
        self.answer();
        Ok(())
    }

    /// Starts to record the open map to a new file at `path`. Shows an error if a recording is
    /// running.
    pub(super) fn begin_recording(&mut self, path: String) -> Result<(), Stop> {
        let begun = if self.recorder.is_some() {
            Err("already recording; `:record` ends the recording".to_owned())
        } else {
            let host = Arc::clone(&self.host);
            let begin = move |app: &mut App| Some(host.record(&path, app.session()?));
            let Some(begun) = self.compute(begin)? else { return Ok(()) };
            begun
        };
        match begun {
            Ok(recorder) => {
                let id = recorder.id().to_owned();
                *self.recorder = Some(recorder);
                self.compute(move |app| app.recording_begun(id))
            }
            Err(why) => self.compute(move |app| app.report(Err(why))),
        }
    }

    /// Completes the recording at the user's request, and shows the result.
    pub(super) fn finish_recording(&mut self) -> Result<(), Stop> {
        self.keep()?;
        let finished = match self.recorder.take() {
            None => Err("not recording; `:record FILE.twr` starts a recording".to_owned()),
            Some(recorder) => recorder.finish().map(|()| "recording complete".to_owned()),
        };
        self.compute(move |app| {
            app.recording = None;
            app.report(finished);
        })
    }
}
