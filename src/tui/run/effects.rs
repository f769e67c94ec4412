//! Performs the effects that the app requests.

use crate::files::show;
use crate::files::spot::Spot;
use crate::tui::app::Effect;
use crate::tui::editor::{self, Editor};
use crate::tui::terminal::{self, Screen};

use super::{Running, Stop, now};

impl Running<'_, '_> {
    /// Performs an effect that the app requests.
    pub(super) fn perform(&mut self, effect: Effect) -> Result<(), Stop> {
        self.answer();
        match effect {
            Effect::Quit => return Err(Stop::Quit),
            Effect::Suspend => {
                terminal::suspend()?;
                self.come_back()?;
            }
            Effect::Open(id) => {
                let opened = (self.library.open)(&id, None);
                // A new session of the same map has another history than the recording.
                let ends = opened.is_ok() && self.records(&id);
                self.compute(|app| app.opened(opened))?;
                if ends {
                    self.end_recording("the map was opened again")?;
                }
                self.checked = now();
            }
            Effect::Reread(id) => match (self.library.reread)(&id) {
                Some(news) => self.compute(|app| app.reread(news))?,
                None => return self.perform(Effect::Open(id)),
            },
            Effect::Compare { id, seed } => {
                let opened = (self.library.open)(&id, seed);
                self.compute(move |app| app.compared(opened, seed))?;
                self.checked = now();
            }
            Effect::Preview(id) => {
                let opened = (self.library.open)(&id, None);
                self.compute(|app| app.previewed(opened))?;
                self.checked = now();
            }
            Effect::Write(save) => {
                let saved = (self.library.write)(&save);
                self.compute(|app| app.saved(saved))?;
            }
            Effect::Record(Some(path)) => self.begin_recording(&path)?,
            Effect::Record(None) => self.finish_recording()?,
            Effect::NewFile(file) => {
                let told = (self.library.new_file)(&file);
                self.compute(|app| app.told(told))?;
            }
            Effect::NewPattern(pattern) => {
                let written = (self.library.new_pattern)(&pattern);
                self.compute(|app| app.drawn_pattern(written))?;
            }
            Effect::Copy(text) => self.compute(move |app| app.told(terminal::copy(&text)))?,
            Effect::Edit { id, spot } => {
                let told = self.edit(&id, &spot)?;
                self.compute(|app| app.told(told))?;
            }
            Effect::Mouse(on) => Screen::set_mouse(on)?,
            Effect::SaveBreaks => {
                if let Some(session) = &self.simulator.app().session {
                    let saved = (self.library.save_breaks)(session);
                    self.compute(|app| app.saved_breaks(saved))?;
                }
            }
        }
        Ok(())
    }

    /// Opens the file of a map in the user's editor. An editor without its own window gets the
    /// terminal until it exits. Returns a message for the user.
    fn edit(&mut self, id: &str, spot: &Spot) -> Result<Result<String, String>, Stop> {
        let found = (self.library.locate)(id, spot)
            .and_then(|found| Ok((found, Editor::of(|name| std::env::var(name).ok())?)));
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
