//! Performs the effects that the app requests, writes files on another thread, and keeps the recording
//! of the open map up to date.
//!
//! While a file is being written, the keys work even if the file system does not answer.

use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use crate::files::read::file_location::MapItem;
use crate::files::show;
use crate::render::Format;
use crate::tui::app::{App, Effect, STILL_WRITING};
use crate::tui::editor::{self, Editor};
use crate::tui::host::{Kept, SavedBreaks, SessionRecorder};
use crate::tui::mailbox::{CTRL_C, LoopEvent};
use crate::tui::terminal::{self, Screen};

use super::{KEEP_EVERY, Running, Stop, now};

impl Running<'_> {
    /// Writes a picture or a film of the run on another thread.
    fn render(&mut self, path: String, format: Format, from: u64) -> Result<(), Stop> {
        let map = self.simulator.app().map.as_ref();
        let Some(run) = map.map(|map| map.run_picture(path, format, from)) else { return Ok(()) };
        let host = Arc::clone(&self.host);
        self.write(move || host.render(&run), App::report)
    }

    /// Performs an effect that the app requests.
    pub(super) fn perform(&mut self, effect: Effect) -> Result<(), Stop> {
        self.answer();
        if self.writing.is_some() && effect.needs_files() {
            return self.compute(|app| app.report(Err(STILL_WRITING.to_owned())));
        }
        match effect {
            Effect::Quit => return Err(Stop::Quit),
            Effect::Suspend => {
                terminal::suspend()?;
                self.come_back()?;
            }
            Effect::Open(id) => {
                let recorded = self.records(&id);
                let host = Arc::clone(&self.host);
                let opens = self.compute(move |app| {
                    let opened = host.open(&id, None);
                    let opens = opened.is_ok();
                    app.opened(opened);
                    opens
                })?;
                // A new session of the same map has another history than the recording.
                if opens && recorded {
                    self.end_recording("the map was opened again")?;
                }
                self.times.checked = now();
            }
            Effect::OpenPasted(text) => {
                let host = Arc::clone(&self.host);
                self.compute(move |app| app.opened_pasted(host.open_pasted(&text)))?;
                self.times.checked = now();
            }
            Effect::Share { path, view } => {
                let host = Arc::clone(&self.host);
                self.compute(move |app| {
                    let session = app.session();
                    let shared = session.map(|it| host.share(path.as_deref(), &view, it));
                    if let Some(shared) = shared {
                        app.report(shared);
                    }
                })?;
            }
            Effect::Reread(id) => {
                let host = Arc::clone(&self.host);
                let without_files = self.compute(move |app| match host.reread(&id) {
                    Some(message) => {
                        app.reread(message);
                        None
                    }
                    None => Some(id),
                })?;
                if let Some(id) = without_files {
                    return self.perform(Effect::Open(id));
                }
            }
            Effect::Compare { id, seed } => {
                let host = Arc::clone(&self.host);
                self.compute(move |app| app.compared(host.open(&id, seed), seed))?;
                self.times.checked = now();
            }
            Effect::Preview(id) => {
                let host = Arc::clone(&self.host);
                self.compute(move |app| app.previewed(host.open(&id, None)))?;
                self.times.checked = now();
            }
            Effect::Write(save) => {
                let host = Arc::clone(&self.host);
                self.write(move || host.save(&save), App::saved)?;
            }
            Effect::WriteAndQuit(save) => {
                let host = Arc::clone(&self.host);
                self.write(move || host.save(&save), App::saved_last)?;
            }
            Effect::Record(Some(path)) => self.begin_recording(path)?,
            Effect::Record(None) => self.finish_recording()?,
            Effect::NewFile(file) => {
                let host = Arc::clone(&self.host);
                self.write(move || host.write_file(&file), App::report)?;
            }
            Effect::Render { path, format, from } => self.render(path, format, from)?,
            Effect::NewMap(map) => {
                let host = Arc::clone(&self.host);
                self.write(move || host.open(&host.new_map(&map)?, None), App::opened_new)?;
                self.times.checked = now();
            }
            Effect::Copy(text) => self.compute(move |app| app.report(terminal::copy(&text)))?,
            Effect::Edit { id, spot } => {
                let result = self.edit(id, spot)?;
                self.compute(|app| app.report(result))?;
            }
            Effect::Mouse(on) => Screen::set_mouse(on)?,
            Effect::SaveBreaks => {
                if let Some(session) = self.simulator.app().session() {
                    let breaks = SavedBreaks::of(session);
                    let host = Arc::clone(&self.host);
                    self.write(move || host.save_breaks(&breaks), App::saved_breaks)?;
                }
            }
        }
        Ok(())
    }

    /// Opens the file of a map in the user's editor. An editor without its own window uses the
    /// terminal until the editor exits. Returns a message for the user.
    fn edit(&mut self, id: String, spot: MapItem) -> Result<Result<String, String>, Stop> {
        let host = Arc::clone(&self.host);
        let found = self.compute(move |_| host.locate(&id, &spot))?;
        let found =
            found.and_then(|found| Ok((found, Editor::of(|name| std::env::var(name).ok())?)));
        let (spotted, editor) = match found {
            Ok(found) => found,
            Err(why) => return Ok(Err(why)),
        };
        let (mut command, name) = (editor.command(&spotted), show::text(editor.name()));
        if editor.is_windowed() {
            return Ok(editor::detach(&mut command)
                .map(|()| format!("opened in {name}"))
                .map_err(|error| format!("cannot start {name}: {error}")));
        }
        self.stdin.pause()?;
        let ended = terminal::lend(|| command.status());
        self.stdin.resume()?;
        let ended = ended?;
        self.come_back()?;
        Ok(match ended {
            Ok(status) if status.success() => Ok(format!("{name} closed")),
            Ok(status) => Err(format!("{name} failed: {status}")),
            Err(error) => Err(format!("cannot start {name}: {error}")),
        })
    }
}

impl Running<'_> {
    /// Updates the recording if an update is due, or if no frame will be simulated without user
    /// input.
    pub(super) fn keep_if_due(&mut self) -> Result<(), Stop> {
        if self.times.kept.elapsed() >= KEEP_EVERY || self.app().until_next().is_none() {
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
        self.times.kept = now();
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

/// Maximum time that input waits for a file, so that a key after `w` sees the written file.
const PATIENCE: Duration = Duration::from_secs(1);

/// Maximum time that ctrl-c waits for a file.
const PATIENCE_AT_CTRL_C: Duration = Duration::from_millis(100);

/// Function that passes the result of a write on to the app.
pub(super) type WriteEnd = Box<dyn FnOnce(&mut App) + Send>;

impl Running<'_> {
    /// Writes files with `write`, and passes the result on to the app with `end`. Returns when the
    /// files are written or input has waited long enough. In the second case, the write continues.
    pub(super) fn write<R: Send + 'static>(
        &mut self,
        write: impl FnOnce() -> R + Send + 'static,
        end: impl FnOnce(&mut App, R) + Send + 'static,
    ) -> Result<(), Stop> {
        let (sender, ended) = mpsc::channel();
        let post = self.mailbox.post();
        thread::Builder::new().name("writing".to_owned()).spawn(move || {
            let result = write();
            let end: WriteEnd = Box::new(move |app| end(app, result));
            // The main loop may have ended in the meantime.
            let _ = sender.send(end);
            post.send(LoopEvent::Written);
        })?;
        self.writing = Some(ended);
        let begin = now();
        while self.writing.is_some() {
            let interrupted = self.inputs.contains(&CTRL_C);
            let patience = if interrupted { PATIENCE_AT_CTRL_C } else { PATIENCE };
            let left = patience.saturating_sub(begin.elapsed());
            if left.is_zero() {
                self.answer();
                return self.compute(App::write_continues);
            }
            if let Some(event) = self.mailbox.wait(Some(left)) {
                self.take(event)?;
            }
            self.end_write()?;
        }
        Ok(())
    }

    /// Passes the result of the write in progress on to the app, if the write has ended.
    pub(super) fn end_write(&mut self) -> Result<(), Stop> {
        let Some(end) = self.writing.as_ref().and_then(|ended| ended.try_recv().ok()) else {
            return Ok(());
        };
        self.writing = None;
        self.answer();
        let leaves = self.compute(|app| {
            app.write_ended();
            end(app);
            app.leaves()
        })?;
        if leaves { Err(Stop::Quit) } else { Ok(()) }
    }
}
