//! Commands on the inspector: selecting a page, and pinning an agent.

use ratatui::layout::Rect;

use crate::debugger::session::Subject;
use crate::files::settings::Setting;
use crate::files::values::{EntryId, InnerTable, TablePath, ValuePath};
use crate::id::AgentId;
use crate::tui::action::{Action, Context};
use crate::tui::argument::Argument;
use crate::tui::draw::facts::Shown;
use crate::tui::draw::inspector::{self, Inspector};
use crate::tui::effect::Effect;
use crate::tui::host::Target;
use crate::tui::input::Cell;
use crate::tui::map_screen::popup::Change;
use crate::tui::map_screen::popup::values::ValueList;
use crate::tui::tab::Tab;
use crate::tui::ui::{Setup, Ui};

use super::MapScreen;

/// The selected page of the inspector, and its scroll position.
#[derive(Debug, Clone, Copy, Default)]
pub struct InspectorView {
    /// The selected page of the inspector.
    pub tab: Tab,
    /// Number of lines scrolled off the top.
    pub scroll: usize,
    /// Width beside the map in columns. `None` if the user has not chosen one.
    pub width: Option<u16>,
}

impl MapScreen {
    pub(in crate::tui) fn show_tab(&mut self, tab: Tab) {
        self.inspector.tab = tab;
        self.inspector.scroll = 0;
        // Pages show agents, so the selected tile is deselected.
        if let Subject::Tile(_) = self.session.subject() {
            self.session.look_at(None);
        }
    }

    /// Handles a click in the inspector. A click on a page name in the lower border selects this
    /// page.
    pub(super) fn click_in_inspector(&mut self, area: Rect, cell: Cell) {
        let border = cell.y + 1 == area.bottom();
        if border
            && let Subject::Agent(_) = self.session.subject()
            && let Some(tab) = inspector::tab_at(self.inspector.tab, area, cell.x)
        {
            self.show_tab(tab);
        }
    }

    /// Returns the number from the map file that the inspector shows on a cell.
    pub(super) fn number_at(&self, ui: &Ui, area: Rect, cell: Cell) -> Option<Shown> {
        let (InspectorView { tab, scroll, .. }, Setup { keymap, theme, .. }) =
            (self.inspector, &ui.setup);
        Inspector { session: &self.session, tab, scroll, keymap, theme }.shown_at(area, cell)
    }

    /// Pins the agent in `argument`. Without an argument, unpins the pinned agent. If no agent is
    /// pinned, pins the selected agent.
    pub(in crate::tui) fn toggle_pin(&mut self, ui: &mut Ui, argument: Option<&Argument>) {
        if let Some(&Argument::Agent(id)) = argument {
            return self.pin(ui, Some(id));
        }
        let session = &self.session;
        match (session.pinned(), session.selected()) {
            (Some(_), _) => self.pin(ui, None),
            (None, Some(id)) => self.pin(ui, Some(id)),
            (None, None) => {
                let text = format!("no agent to pin: {}", session.why_no_agent());
                self.warn(ui, text);
            }
        }
    }

    fn pin(&mut self, ui: &mut Ui, agent: Option<AgentId>) {
        let session = &mut self.session;
        session.pin(agent);
        self.inspector.scroll = 0;
        let text = match agent {
            Some(id) => {
                let name = session.world().name(id).to_string();
                let key = ui.setup.keymap.named(Action::Pin, Context::Map);
                format!("pinned {name}; select another agent to compare; {key}: unpin")
            }
            None => "agent unpinned".to_owned(),
        };
        self.note(ui, text);
    }

    pub(in crate::tui) fn set_value(&mut self, ui: &mut Ui, argument: Option<&Argument>) {
        if let Some(Argument::Setting(setting)) = argument
            && let Err(why) = self.change(ui, setting)
        {
            self.warn(ui, why);
        }
    }

    pub(in crate::tui) fn write_to(
        &mut self,
        ui: &mut Ui,
        argument: Option<Argument>,
    ) -> Option<Effect> {
        match argument {
            Some(Argument::File(path)) => match super::commands::check_map_name(&path) {
                Ok(()) => self.write(ui, Target::New(path)),
                Err(why) => {
                    self.warn(ui, why);
                    None
                }
            },
            Some(_) | None => self.write(ui, Target::File),
        }
    }

    pub(in crate::tui) fn tune(&mut self, ui: &mut Ui) {
        let session = &self.session;
        match session.tunables() {
            Ok((kind, tunables)) => {
                let changed = session.differences(session.unwritten());
                self.open(ValueList::new(kind, tunables, changed));
                // The list makes the map lower.
                self.keep_in_view(ui);
            }
            Err(why) => self.warn(ui, why),
        }
    }

    /// Opens the value list, with the editor open for a number that the inspector shows. Shows no
    /// list if it does not contain this number.
    pub(in crate::tui) fn tune_shown(&mut self, ui: &mut Ui, shown: Shown) {
        let session = &self.session;
        let Some(id) = session.selected() else { return };
        let mode = session.world().mode(id).name.clone();
        let (inner, key) = match shown {
            Shown::OfAgent(key) | Shown::OfMode(key) => (InnerTable::Own, key),
            Shown::OfBody(key) => match key.strip_prefix("view.") {
                Some(key) => (InnerTable::View, key),
                None => (InnerTable::Body, key),
            },
            Shown::OfRow(row, key) => {
                (InnerTable::Entry("steer".to_owned(), EntryId::Number(row + 1)), key)
            }
        };
        self.tune(ui);
        let Some(values) = self.popup::<ValueList>() else { return };
        let kind = values.kind().to_owned();
        // For agents without modes, the path of the value has no mode.
        let mut paths = [Some(mode), None].into_iter().map(|mode| {
            let table = TablePath { agent: kind.clone(), mode, inner: inner.clone() };
            ValuePath { table: Some(table), key: key.to_owned() }
        });
        let mut is_listed = false;
        self.on_popup(|values: &mut ValueList, _| is_listed = paths.any(|path| values.open(&path)));
        if !is_listed {
            self.close_popup();
        }
    }

    /// Changes a value from the next frame on, and shows a note. Returns an error message if the
    /// value is invalid.
    pub(in crate::tui) fn change(&mut self, ui: &mut Ui, setting: &Setting) -> Result<(), String> {
        let text = self.session.change(setting)?;
        self.note(ui, text);
        self.renew_after_value(ui);
        Ok(())
    }

    /// Increases or decreases the selected value of the value list by one step.
    pub(in crate::tui) fn nudge_value(&mut self, ui: &mut Ui, up: bool) {
        let list = self.popup::<ValueList>();
        let Some(setting) = list.and_then(|list| list.nudged(up)) else { return };
        match self.change(ui, &setting) {
            Ok(()) => self.renew_popup(Change::Values),
            Err(why) => self.on_popup(|list: &mut ValueList, _| list.refuse(why)),
        }
    }

    /// Ends a seek or search after a value was changed, and keeps the followed agent in view.
    pub(in crate::tui) fn renew_after_value(&mut self, ui: &Ui) {
        self.leave_goal();
        self.keep_in_view(ui);
    }
}

/// Returns the scroll position after a movement by `lines`. `longest` is the last position.
pub(in crate::tui) fn scrolled(scroll: usize, lines: isize, longest: usize) -> usize {
    scroll.min(longest).saturating_add_signed(lines).min(longest)
}
