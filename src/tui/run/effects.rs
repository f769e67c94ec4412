//! Performs the effects that the app requests.

use std::sync::Arc;

use crate::files::show;
use crate::files::spot::MapItem;
use crate::tui::app::{App, Effect, STILL_WRITING};
use crate::tui::editor::{self, Editor};
use crate::tui::host::SavedBreaks;
use crate::tui::terminal::{self, Screen};

use super::{Running, Stop, now};

impl Running<'_> {
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
                self.checked = now();
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
                self.checked = now();
            }
            Effect::Preview(id) => {
                let host = Arc::clone(&self.host);
                self.compute(move |app| app.previewed(host.open(&id, None)))?;
                self.checked = now();
            }
            Effect::Write(save) => {
                let host = Arc::clone(&self.host);
                self.write(move || host.save(&save), App::saved)?;
            }
            Effect::Record(Some(path)) => self.begin_recording(path)?,
            Effect::Record(None) => self.finish_recording()?,
            Effect::NewFile(file) => {
                let host = Arc::clone(&self.host);
                self.write(move || host.write_file(&file), App::report)?;
            }
            Effect::NewPattern(pattern) => {
                let host = Arc::clone(&self.host);
                self.write(move || host.write_pattern(&pattern), App::drawn_pattern)?;
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
