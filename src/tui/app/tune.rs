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
        let changed = !session.unwritten().is_empty() || session.draft().is_unsaved();
        if !changed && !matches!(target, Target::New(_)) {
            let key = |action| self.keymap.named(action, Context::Watch);
            let (tune, paint) = (key(Action::Tune), key(Action::Paint));
            let text = format!(
                "no value is changed: nothing to write; {tune} changes one, {paint} paints tiles"
            );
            self.note(text);
            return None;
        }
        let (sources, known) = (session.sources().clone(), session.known());
        let (id, draft) = (session.id().to_owned(), session.draft().clone());
        Some(Effect::Write(Save { id, sources, known, draft, target }))
    }

    /// What was changed on the screen and no file has, for whoever leaves it.
    pub fn unwritten(&self) -> Option<String> {
        let session = self.session.as_ref()?;
        let first = session.history().runs().first()?.start();
        let mut lost = Vec::new();
        if first.sources.set != session.sources().set {
            lost.extend(session.unwritten().iter().map(ToString::to_string));
        }
        if session.draft().would_be_lost() {
            let count = session.draft().unsaved_count();
            lost.push(crate::words::count(count as u64, "edit"));
        }
        let label = session.label();
        (!lost.is_empty()).then(|| format!("not written into {label}: {}", lost.join(", ")))
    }

    /// The map's values and edits were written, or could not be.
    pub fn saved(&mut self, result: Result<Saved, String>) {
        match result {
            Ok(Saved { told, texts }) => {
                match &mut self.session {
                    Some(session) if texts.is_empty() => session.wrote_elsewhere(),
                    Some(session) => session.wrote(texts),
                    None => {}
                }
                self.note(told);
            }
            Err(why) => self.warn(why),
        }
    }
}
