//! The component of the value list, and commands that change values.

use crate::files::settings::Setting;
use crate::tui::action::Context;
use crate::tui::argument::Argument;
use crate::tui::draw;
use crate::tui::draw::facts::Shown;
use crate::tui::draw::list::List;
use crate::tui::library::Target;
use crate::tui::line::Typed;
use crate::tui::values::ValueList;

use super::component::Component;
use super::{App, Effect, Mode};

pub(super) struct Values;

impl Component for Values {
    fn context(&self, app: &App) -> Context {
        let is_editing = matches!(&app.mode, Mode::Values(values) if values.editor().is_some());
        if is_editing { Context::Value } else { Context::Values }
    }

    fn list<'a>(&self, app: &'a App) -> Option<List<'a>> {
        let (Mode::Values(values), Some(session)) = (&app.mode, &app.session) else { return None };
        let area = app.layout().over_inspector(app.screen);
        Some(draw::values::list(values, session.unwritten(), &app.setup.theme, area))
    }

    fn edit(&self, app: &mut App, typed: Typed) -> Option<Effect> {
        if let Mode::Values(values) = &mut app.mode {
            values.edit(typed);
        }
        None
    }

    fn select(&self, app: &mut App, row: usize) -> Option<Effect> {
        if let Mode::Values(values) = &mut app.mode {
            values.select(row);
        }
        None
    }

    /// Opens the editor for the selected value. If the editor is already open, applies the number
    /// in the editor.
    fn pick(&self, app: &mut App) -> Option<Effect> {
        let Mode::Values(values) = &mut app.mode else { return None };
        let changed = match values.enter()? {
            Ok(setting) => app.change(&setting).map_err(|why| {
                // The name of the value is already visible.
                why.strip_prefix(&format!("`{setting}`: ")).unwrap_or(&why).to_owned()
            }),
            Err(_) => Err("not a number".to_owned()),
        };
        match changed {
            Ok(()) => app.renew_values(),
            Err(why) => {
                if let Mode::Values(values) = &mut app.mode {
                    values.refuse(why);
                }
            }
        }
        None
    }

    /// Increases or decreases the edited value. Returns false if no value is being edited.
    fn nudge(&self, app: &mut App, rows: isize) -> bool {
        let Mode::Values(values) = &mut app.mode else { return false };
        let is_edited = values.editor().is_some();
        if is_edited {
            values.nudge(rows < 0);
        }
        is_edited
    }

    fn close(&self, app: &mut App) -> Option<Effect> {
        if let Mode::Values(values) = &mut app.mode
            && !values.leave()
        {
            app.mode = Mode::Watch;
        }
        None
    }
}

impl App {
    pub(super) fn set_value(&mut self, argument: Option<&Argument>) {
        if let Some(Argument::Setting(setting)) = argument
            && let Err(why) = self.change(setting)
        {
            self.warn(why);
        }
    }

    pub(super) fn write_to(&mut self, argument: Option<Argument>) -> Option<Effect> {
        if let Some(Argument::File(path)) = argument {
            self.write(Target::New(path))
        } else {
            self.write(Target::File)
        }
    }

    pub(super) fn tune(&mut self) {
        let Some(session) = &self.session else { return };
        match session.tunables() {
            Ok((kind, tunables)) => self.mode = Mode::Values(ValueList::new(kind, tunables)),
            Err(why) => self.warn(why),
        }
    }

    /// Opens the value list, with the editor open for a number that the inspector shows. Shows no
    /// list if it does not contain this number.
    pub(super) fn tune_shown(&mut self, shown: Shown) {
        let Some(session) = &self.session else { return };
        let Some(id) = session.selected() else { return };
        let mode = session.world().mode(id).name.clone();
        let inside = match shown {
            Shown::OfAgent(key) | Shown::OfMode(key) => key.to_owned(),
            Shown::OfBody(key) => format!("body.{key}"),
            Shown::OfRow(row, key) => format!("steer.{}.{key}", row + 1),
        };
        self.tune();
        let Mode::Values(values) = &mut self.mode else { return };
        let kind = values.kind().to_owned();
        // For agents without modes, the path of the value has no mode.
        let paths = [format!("{kind}.{mode}.{inside}"), format!("{kind}.{inside}")];
        let mut paths = paths.iter().filter_map(|path| path.parse().ok());
        if !paths.any(|path| values.open(&path)) {
            self.mode = Mode::Watch;
        }
    }

    /// Changes a value from the next frame on, and shows a note. Returns an error message if the
    /// value is invalid.
    fn change(&mut self, setting: &Setting) -> Result<(), String> {
        let Some(session) = &mut self.session else { return Ok(()) };
        let text = session.change(setting)?;
        self.note(text);
        self.renew_after_value();
        Ok(())
    }

    /// Ends a seek or search after a value was changed, and keeps the followed agent in view.
    pub(super) fn renew_after_value(&mut self) {
        self.leave_goal();
        self.keep_in_view();
    }

    /// Updates the open value list, even if the selected agent has changed. Closes the list if the
    /// map no longer has its agent kind.
    pub(super) fn renew_values(&mut self) {
        let (Mode::Values(values), Some(session)) = (&mut self.mode, &self.session) else {
            return;
        };
        match session.tunables_of(values.kind()) {
            Ok(tunables) => values.renew(tunables),
            Err(_) => self.mode = Mode::Watch,
        }
    }
}
