//! Changing values of agents, and writing them into the map's file.

use crate::files::settings::Setting;
use crate::tui::action::{Action, Context};
use crate::tui::argument::Argument;
use crate::tui::library::{Save, Saved, Target};
use crate::tui::tuner::Tuner;

use super::{App, Effect, Mode};

impl App {
    pub(super) fn act_on_values(
        &mut self,
        action: Action,
        argument: Option<Argument>,
    ) -> Option<Effect> {
        match (action, argument) {
            (Action::Tune, _) => self.tune(),
            (Action::ChangeValue, _) => self.change_marked(),
            (Action::Set, Some(Argument::Setting(setting))) => {
                self.set(&setting);
            }
            (Action::Write, Some(Argument::File(path))) => return self.write(Target::New(path)),
            (Action::Write, _) => return self.write(Target::File),
            (Action::WriteAnyway, _) => return self.write(Target::FileAnyway),
            _ => {}
        }
        None
    }

    pub(super) fn tune(&mut self) {
        let Some(session) = &self.session else { return };
        match session.offers() {
            Ok((kind, offers)) => self.mode = Mode::Tune(Tuner::new(kind, offers)),
            Err(why) => self.warn(why),
        }
    }

    /// Changes a value from the next frame on; has it come to that?
    fn set(&mut self, setting: &Setting) -> bool {
        let Some(session) = &mut self.session else { return false };
        self.goal = None;
        match session.change(setting) {
            Ok(text) => {
                self.note(text);
                self.keep_in_view();
                true
            }
            Err(why) => {
                self.warn(why);
                false
            }
        }
    }

    /// Enter in the list of values: begins to change one, or changes it.
    fn change_marked(&mut self) {
        let Mode::Tune(tuner) = &mut self.mode else { return };
        let Some(text) = tuner.enter() else { return };
        match text.parse::<Setting>() {
            Ok(setting) if self.set(&setting) => self.renew_values(),
            Ok(_) => {}
            Err(why) => self.warn(why.to_string()),
        }
    }

    pub(super) fn renew_values(&mut self) {
        if let (Mode::Tune(tuner), Some(session)) = (&mut self.mode, &self.session)
            && let Ok((_, offers)) = session.offers()
        {
            tuner.renew(offers);
        }
    }

    fn write(&mut self, target: Target) -> Option<Effect> {
        let session = self.session.as_ref()?;
        if session.unwritten().is_empty() && !matches!(target, Target::New(_)) {
            let key = self.keymap.named(Action::Tune, Context::Watch);
            self.note(format!("no value is changed: nothing to write; {key} changes one"));
            return None;
        }
        let (sources, known) = (session.sources().clone(), session.file().clone());
        Some(Effect::Write(Save { id: session.id().to_owned(), sources, known, target }))
    }

    /// The values that were changed on the screen and that no file has, for whoever leaves them.
    pub fn unwritten(&self) -> Option<String> {
        let session = self.session.as_ref()?;
        let first = session.history().runs().first()?.start();
        if session.unwritten().is_empty() || first.sources.set == session.sources().set {
            return None;
        }
        let values: Vec<_> = session.unwritten().iter().map(ToString::to_string).collect();
        Some(format!("not written into {}: {}", session.label(), values.join(", ")))
    }

    /// The map's values were written, or could not be.
    pub fn saved(&mut self, result: Result<Saved, String>) {
        match result {
            Ok(Saved { told, text }) => {
                if let (Some(text), Some(session)) = (text, &mut self.session) {
                    session.written(text);
                }
                self.note(told);
            }
            Err(why) => self.warn(why),
        }
    }
}
