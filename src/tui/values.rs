//! The value list of an agent, and the editor of the selected value.

use crate::files::settings::{Setting, SettingError};
use crate::files::values::TunableValue;
use crate::files::values::ValuePath;
use crate::files::values::usage::RankedValue;

use super::input::Key;
use super::line::{Line, Typed};
use super::rank;

/// Maximum number of values that a filter lists.
const LISTED: usize = 1000;

/// The values of an agent kind, a filter, and the editor of the selected value.
#[derive(Debug, Clone)]
pub struct ValueList {
    kind: String,
    /// All values. Relevant values come first.
    values: Vec<RankedValue>,
    filter: Line,
    /// The values that match the filter, as indices into `values`.
    matches: Vec<usize>,
    /// The selected value, as an index into `matches`.
    selected: usize,
    /// The editor of the selected value, or `None` while the editor is closed.
    editor: Option<Line>,
    /// Error message about the text in the editor. `None` without an error.
    error: Option<String>,
}

impl ValueList {
    /// Creates the list of all values of the agent kind called `kind`. Lists `values` in the given
    /// order.
    pub fn new(kind: String, values: Vec<RankedValue>) -> Self {
        let mut list = Self {
            kind,
            values,
            filter: Line::default(),
            matches: Vec::new(),
            selected: 0,
            editor: None,
            error: None,
        };
        list.apply_filter();
        list
    }

    /// Edits the text of the editor if the editor is open, otherwise the filter text. `+` and `-`
    /// change the selected value by one step.
    pub fn edit(&mut self, typed: Typed) {
        self.error = None;
        if let Some(up) = self.step_of(typed) {
            self.nudge(up);
        } else if let Some(line) = &mut self.editor {
            line.edit(typed);
        } else if self.filter.edit(typed) {
            self.apply_filter();
        }
    }

    /// Returns true for a key that increases the value by one step, and false for a key that
    /// decreases it. Returns `None` for other input.
    fn step_of(&self, typed: Typed) -> Option<bool> {
        let Typed::Key(Key::Char(sign @ ('+' | '-'))) = typed else { return None };
        (sign == '+' || !self.begins_a_number()).then_some(sign == '+')
    }

    /// Returns true if a minus sign at the cursor would begin a number or an exponent.
    fn begins_a_number(&self) -> bool {
        self.editor.as_ref().is_some_and(|line| {
            let before: String = line.text().chars().take(line.cursor()).collect();
            before.is_empty() || before.ends_with(['e', 'E'])
        })
    }

    fn apply_filter(&mut self) {
        self.selected = 0;
        let all = 0..self.values.len();
        let name = |&index: &usize| self.name(&self.values[index].tunable);
        let text = self.filter.text();
        // Names are matched without the kind, which users rarely type.
        self.matches =
            if text.is_empty() { all.collect() } else { rank::best(all, name, text, LISTED) };
    }

    /// Selects the value at an index, or the last value if the index is too large. Discards an edit
    /// in progress.
    pub fn select(&mut self, index: usize) {
        (self.error, self.editor) = (None, None);
        self.selected = index.min(self.matches.len().saturating_sub(1));
    }

    /// Selects the value with this path and opens its editor. Returns false if the value is not
    /// listed.
    pub fn open(&mut self, path: &ValuePath) -> bool {
        let found = self.matches.iter().position(|&index| self.values[index].tunable.path == *path);
        let Some(found) = found else { return false };
        self.select(found);
        self.enter();
        true
    }

    /// Increases or decreases the selected value by one step, in the editor.
    pub fn nudge(&mut self, up: bool) {
        self.error = None;
        let Some(tunable) = self.selected_tunable() else { return };
        let present = tunable.present();
        let text = self.editor.as_ref().map_or(present.as_str(), Line::text);
        if let Some(nudged) = tunable.nudged(text, up) {
            self.editor.get_or_insert_default().select(&nudged);
        }
    }

    /// Opens the editor of the selected value. If the editor is already open, returns the edited
    /// setting. Otherwise, and if no value is listed, returns `None`.
    pub fn enter(&mut self) -> Option<Result<Setting, SettingError>> {
        let tunable = self.selected_tunable()?;
        if let Some(line) = &self.editor {
            return Some(Setting::of(&tunable.path, line.text()));
        }
        let present = tunable.present();
        self.editor.get_or_insert_default().select(&present);
        None
    }

    /// Shows an error until the next key press, and keeps the text.
    pub fn refuse(&mut self, why: String) {
        self.error = Some(why);
    }

    /// Returns the error message about the text in the editor. Returns `None` without an error.
    pub fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    /// Closes the editor. Returns true if the editor was open.
    pub fn leave(&mut self) -> bool {
        self.error = None;
        self.editor.take().is_some()
    }

    /// Replaces the values, and closes the editor. The selected value stays selected, matched by
    /// path.
    pub fn renew(&mut self, values: Vec<RankedValue>) {
        let selected = self.selected_tunable().map(|tunable| tunable.path.clone());
        self.values = values;
        self.leave();
        self.apply_filter();
        let place = self
            .matches
            .iter()
            .position(|&i| Some(&self.values[i].tunable.path) == selected.as_ref());
        self.selected = place.unwrap_or(0);
    }

    /// Returns the name of the agent kind whose values are listed.
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// Returns the path of a value without the agent kind, such as `max_speed`.
    pub fn name(&self, tunable: &TunableValue) -> String {
        tunable.path.within_agent()
    }

    /// Returns the values that match the filter, in display order.
    pub fn listed(&self) -> impl ExactSizeIterator<Item = &RankedValue> {
        self.matches.iter().map(|&index| &self.values[index])
    }

    /// Returns the index of the selected value in the list.
    pub fn selected(&self) -> usize {
        self.selected
    }

    /// Returns the selected value with its usage. Returns `None` if no value is listed.
    pub fn selected_value(&self) -> Option<&RankedValue> {
        self.matches.get(self.selected).map(|&index| &self.values[index])
    }

    /// Returns the selected value without its usage. Returns `None` if no value is listed.
    pub fn selected_tunable(&self) -> Option<&TunableValue> {
        self.selected_value().map(|value| &value.tunable)
    }

    /// Returns the filter text with its cursor.
    pub fn filter(&self) -> &Line {
        &self.filter
    }

    /// Returns the text of the editor with its cursor. Returns `None` while the editor is closed.
    pub fn editor(&self) -> Option<&Line> {
        self.editor.as_ref()
    }
}

/// Returns true if `changed` contains a setting of the value `tunable`.
pub fn is_changed(tunable: &TunableValue, changed: &[Setting]) -> bool {
    changed.iter().any(|setting| *setting.path() == tunable.path)
}
