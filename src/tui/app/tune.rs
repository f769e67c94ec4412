//! Changing values of agents.

use crate::files::settings::Setting;
use crate::tui::argument::Argument;
use crate::tui::draw;
use crate::tui::draw::facts::Shown;
use crate::tui::input::Cell;
use crate::tui::library::Target;
use crate::tui::tuner::Tuner;

use super::{App, Effect, Mode};

impl App {
    pub(super) fn set_value(&mut self, argument: Option<Argument>) {
        if let Some(Argument::Setting(setting)) = argument
            && let Err(why) = self.change(&setting)
        {
            self.warn(why);
        }
    }

    pub(super) fn write_to(&mut self, argument: Option<Argument>) -> Option<Effect> {
        match argument {
            Some(Argument::File(path)) => self.write(Target::New(path)),
            _ => self.write(Target::File),
        }
    }

    pub(super) fn tune(&mut self) {
        let Some(session) = &self.session else { return };
        match session.offers() {
            Ok((kind, offers)) => self.mode = Mode::Tune(Tuner::new(kind, offers)),
            Err(why) => self.warn(why),
        }
    }

    /// Opens the list at a number that the inspector shows of the selected agent, ready to be typed.
    pub(super) fn tune_shown(&mut self, shown: Shown) {
        let Some(session) = &self.session else { return };
        let Some(id) = session.selected() else { return };
        let mode = session.world().mode(id).name.clone();
        let inside = match shown {
            Shown::OfAgent(place) => place.to_owned(),
            Shown::OfMode(key) => key.to_owned(),
            Shown::OfRow(row, key) => format!("steer.{}.{key}", row + 1),
        };
        self.tune();
        let Mode::Tune(tuner) = &mut self.mode else { return };
        let kind = tuner.kind().to_owned();
        // The mode of an agent that lists none is the agent itself.
        if !tuner.open(&format!("{kind}.{mode}.{inside}"))
            && !tuner.open(&format!("{kind}.{inside}"))
        {
            self.mode = Mode::Watch;
        }
    }

    /// A click marks a value, and begins to change the one that is marked. Is it about the list?
    pub(super) fn click_in_values(&mut self, cell: Cell) -> bool {
        let area = draw::tuner::place(&self.layout(), self.screen);
        let Mode::Tune(tuner) = &mut self.mode else { return false };
        if !super::mouse::within(area, cell) {
            return false;
        }
        match draw::tuner::value_at_row(tuner, area, cell.y) {
            Some(place) if place != tuner.marked() => tuner.mark_at(place),
            Some(_) if tuner.editor().is_none() => drop(tuner.enter()),
            _ => {}
        }
        true
    }

    /// Changes a value from the next frame on, and says so.
    fn change(&mut self, setting: &Setting) -> Result<(), String> {
        let Some(session) = &mut self.session else { return Ok(()) };
        self.goal = None;
        let text = session.change(setting)?;
        self.note(text);
        self.keep_in_view();
        Ok(())
    }

    /// Enter in the list of values: begins to change one, or changes it.
    pub(super) fn change_marked(&mut self) {
        let Mode::Tune(tuner) = &mut self.mode else { return };
        let Some(text) = tuner.enter() else { return };
        let Ok(setting) = text.parse::<Setting>() else {
            return self.complain("not a number");
        };
        match self.change(&setting) {
            Ok(()) => self.renew_values(),
            // Which value it is about is plain to see.
            Err(why) => {
                let setting = format!("`{setting}`: ");
                self.complain(why.strip_prefix(&setting).unwrap_or(&why));
            }
        }
    }

    /// Says in the list why a value can't be.
    fn complain(&mut self, why: &str) {
        if let Mode::Tune(tuner) = &mut self.mode {
            tuner.complain(why.to_owned());
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
