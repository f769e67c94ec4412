//! Changing values of agents.

use crate::files::settings::Setting;
use crate::tui::action::Action;
use crate::tui::argument::Argument;
use crate::tui::library::Target;
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
}
