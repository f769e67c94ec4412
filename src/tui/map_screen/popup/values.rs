//! The value list of an agent, and the editor of the selected value. The list is below the map, so
//! that the map and the inspector stay visible.

use ratatui::layout::Rect;

use crate::debugger::session::Session;
use crate::files::read::tuning::ValueDifference;
use crate::files::settings::{self, Setting, SettingError};
use crate::files::values::usage::RankedValue;
use crate::files::values::{EntryId, InnerTable, TunableValue, ValuePath};
use crate::tui::action::Context;
use crate::tui::draw::line::LineRow;
use crate::tui::draw::list::{List, ListRow, Spans};
use crate::tui::draw::pane;
use crate::tui::glyph;
use crate::tui::input::Key;
use crate::tui::layout::{self, Layout};
use crate::tui::line::{Line, Typed};
use crate::tui::map_screen::MapScreen;
use crate::tui::rank;
use crate::tui::theme::Theme;
use crate::tui::ui::Ui;

use super::{Change, Dock, Next, Popup};
use tilewalk_sim::sort::SmallSort;

/// Width of the column with the numbers, in terminal columns.
const VALUE: usize = 12;

/// Minimum width of the list, without the border, for a column with the ranges.
const WIDE: u16 = 60;

/// Maximum number of values that a filter lists.
const LISTED: usize = 1000;

/// The values of an agent kind, a filter, and the editor of the selected value.
#[derive(Debug, Clone)]
pub struct ValueList {
    kind: String,
    /// All values. Relevant values come first.
    values: Vec<RankedValue>,
    /// Names of the values, such as `steer.separation.weight`, in the order of `values`.
    names: Vec<String>,
    /// Values that differ from the map file.
    changed: Vec<ValueDifference>,
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
    /// order. `changed` are the values that differ from the map file.
    pub fn new(kind: String, values: Vec<RankedValue>, changed: Vec<ValueDifference>) -> Self {
        let mut list = Self {
            kind,
            names: names(&values),
            values,
            changed,
            filter: Line::default(),
            matches: Vec::new(),
            selected: 0,
            editor: None,
            error: None,
        };
        list.apply_filter();
        list
    }

    /// Edits the text of the editor if the editor is open, otherwise the filter text. In the editor,
    /// `+` and `-` change the number by one step.
    pub fn edit(&mut self, typed: Typed) {
        self.error = None;
        if let Some(up) = self.step_of(typed).filter(|_| self.editor.is_some()) {
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
        let text = self.filter.text().to_lowercase();
        // Names are matched without the kind, which users rarely type. A behaviour matches by its
        // word and by its number.
        let numbered = |index: usize| self.values[index].tunable.path.within_agent();
        let contains = |&index: &usize| {
            let (name, numbered) = (&self.names[index], numbered(index));
            text.split_whitespace().all(|word| name.contains(word) || numbered.contains(word))
        };
        let mut found: Vec<_> = all.clone().filter(contains).collect();
        found.small_sort_by_key(|&index| !self.names[index].starts_with(&text));
        if found.is_empty() {
            let name = |&index: &usize| self.names[index].clone();
            found = rank::best(all, name, &text, LISTED);
        }
        self.matches = found;
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

    /// Returns the setting that increases or decreases the selected value by one step. Returns
    /// `None` if the value is not a number.
    pub fn nudged(&self, up: bool) -> Option<Setting> {
        let tunable = self.selected_tunable()?;
        let text = tunable.nudged(&tunable.present(), up)?;
        settings::with_text(&tunable.path, &text).ok()
    }

    /// Opens the editor of the selected value. If the editor is already open, returns the edited
    /// setting. Otherwise, and if no value is listed, returns `None`.
    pub fn enter(&mut self) -> Option<Result<Setting, SettingError>> {
        let tunable = self.selected_tunable()?;
        if let Some(line) = &self.editor {
            return Some(settings::with_text(&tunable.path, line.text()));
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
    pub fn renew(&mut self, values: Vec<RankedValue>, changed: Vec<ValueDifference>) {
        let selected = self.selected_tunable().map(|tunable| tunable.path.clone());
        self.names = names(&values);
        (self.values, self.changed) = (values, changed);
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

    /// Returns the names of the values that match the filter, without the agent kind, such as
    /// `max_speed` or `steer.separation.weight`.
    pub fn listed_names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.matches.iter().map(|&index| self.names[index].as_str())
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

impl Popup for ValueList {
    fn context(&self) -> Context {
        if self.editor.is_some() { Context::Value } else { Context::Values }
    }

    fn list<'a>(&'a self, map: &'a MapScreen, ui: &'a Ui) -> Option<List<'a>> {
        Some(list(self, &ui.setup.theme, place(&map.layout(ui), ui.screen)))
    }

    fn dock(&self) -> Dock {
        Dock::Map
    }

    fn edit(&mut self, typed: Typed, _session: &Session) {
        self.edit(typed);
    }

    fn select(&mut self, row: usize) {
        self.select(row);
    }

    /// Opens the editor for the selected value. If the editor is already open, applies the number
    /// in the editor.
    fn pick(&mut self, map: &mut MapScreen, ui: &mut Ui) -> Next {
        let Some(entered) = self.enter() else { return Next::Stay };
        let changed = match entered {
            Ok(setting) => map.change(ui, &setting).map_err(|why| {
                // The name of the value is already visible.
                why.strip_prefix(&format!("`{setting}`: ")).unwrap_or(&why).to_owned()
            }),
            Err(_) => Err("not a number".to_owned()),
        };
        match changed {
            Ok(()) => return Popup::renew(self, Change::Values, &map.session),
            Err(why) => self.refuse(why),
        }
        Next::Stay
    }

    /// Increases or decreases the edited value. Returns false if no value is being edited.
    fn nudge(&mut self, rows: isize) -> bool {
        let is_edited = self.editor.is_some();
        if is_edited {
            self.nudge(rows < 0);
        }
        is_edited
    }

    /// Closes the editor. If the editor is closed, closes the list.
    fn close(&mut self, _map: &mut MapScreen, _ui: &mut Ui) -> Next {
        if self.leave() { Next::Stay } else { Next::Close }
    }

    /// Updates the values, even if the selected agent has changed. Closes the list if the map no
    /// longer has its agent kind.
    fn renew(&mut self, change: Change, session: &Session) -> Next {
        match change {
            Change::Values | Change::Scenario => match session.tunables_of(&self.kind) {
                Ok(tunables) => {
                    self.renew(tunables, session.differences(session.unwritten()));
                }
                Err(_) => return Next::Close,
            },
            Change::Frame | Change::Problems => {}
        }
        Next::Stay
    }
}

/// Returns the names of values. Instead of the number of a behaviour, they contain its word, unless
/// the list of the mode has the behaviour twice.
fn names(values: &[RankedValue]) -> Vec<String> {
    let row = |value: &RankedValue| {
        let table = value.tunable.path.table.clone()?;
        let InnerTable::Entry(_, EntryId::Number(number)) = table.inner else { return None };
        let word = value.tunable.what.split('`').nth(1)?;
        Some((table.mode, number, word))
    };
    let rows: Vec<_> = values.iter().map(row).collect();
    let name = |(value, own): (&RankedValue, &Option<_>)| {
        let name = value.tunable.path.within_agent();
        let Some((mode, number, word)) = own else { return name };
        let is_same = |(other_mode, other, other_word): &(_, usize, _)| {
            other_mode == mode && other_word == word && other != number
        };
        if rows.iter().flatten().any(is_same) {
            return name;
        }
        name.replacen(&format!("steer.{number}."), &format!("steer.{word}."), 1)
    };
    values.iter().zip(&rows).map(name).collect()
}

/// Returns the area of the list: below the map, or over the inspector on a low screen.
fn place(layout: &Layout, screen: Rect) -> Rect {
    if layout.log.is_empty() { layout.over_inspector(screen) } else { layout.log }
}

/// Returns the list of an agent's values. A star marks the values that differ from the map file.
/// `area` includes the border.
fn list<'a>(values: &'a ValueList, theme: &'a Theme, area: Rect) -> List<'a> {
    let inside = layout::inside(area);
    let count = values.listed().len();
    let (sign, line) = match values.editor() {
        Some(line) => (" = ", line),
        None => (" / ", values.filter()),
    };
    let wrong = values.error().map(|_| 0..line.text().chars().count());
    let longest = values.listed_names().map(str::len).max().unwrap_or(0);
    let name = longest.min(usize::from(inside.width) / 2);
    let row = move |index| row(values, index, name, is_wide(inside), theme);
    List {
        right: format!("{count} listed, defaults in ( )"),
        empty: "no matching value".to_owned(),
        notes: notes(values, inside, theme),
        input: Some(LineRow { sign, line, wrong, theme }),
        ..List::new(
            format!("values of {}", values.kind()),
            area,
            count,
            Some(values.selected()),
            theme,
            row,
        )
    }
}

fn is_wide(inside: Rect) -> bool {
    inside.width >= WIDE
}

/// Returns the lines below the values. An error in the text input comes first. Without an error, a
/// list that is too narrow for ranges shows the range of the selected value.
fn notes(values: &ValueList, inside: Rect, theme: &Theme) -> Spans {
    let room = usize::from(inside.width.saturating_sub(2));
    // One value and the input stay visible.
    let most = usize::from(inside.height.saturating_sub(2));
    let (lines, style) = match (values.error(), values.selected_value()) {
        (Some(why), _) => (pane::wrapped(&glyph::clean(why), room), theme.warn),
        (None, Some(value)) if !is_wide(inside) => (vec![about(value)], theme.dim),
        (None, Some(_) | None) => return Vec::new(),
    };
    lines.into_iter().take(most).map(|line| (format!(" {line}"), style)).collect()
}

/// Describes the range of a value, and the object to which the value belongs. If the value has no
/// effect, describes why.
fn about(value: &RankedValue) -> String {
    let tunable = &value.tunable;
    let (low, high) = (tunable.range.start(), tunable.range.end());
    if let Some(why) = value.unused() {
        return why.to_string();
    }
    let what = tunable.what.trim_end_matches(" behaviour");
    let what = what.strip_prefix("an ").or(what.strip_prefix("a ")).unwrap_or(what);
    format!("{low} … {high}  {what}")
}

fn row(values: &ValueList, index: usize, name: usize, is_wide: bool, theme: &Theme) -> ListRow {
    let Some((value, label)) = values.listed().zip(values.listed_names()).nth(index) else {
        return ListRow::default();
    };
    let tunable = &value.tunable;
    let is_unused = value.unused().is_some();
    let (style, strong) =
        if is_unused { (theme.dim, theme.dim) } else { (theme.text, theme.strong) };
    let changed = values.changed.iter().find(|changed| changed.path == tunable.path);
    let star = if changed.is_some() { "*" } else { " " };
    let was = changed.map_or(String::new(), |changed| match changed.before.as_str() {
        "" => "was none ".to_owned(),
        before => format!("was {before} "),
    });
    let number = match (tunable.present(), &tunable.value) {
        (text, Some(_)) => text,
        (text, None) if text.is_empty() => "none".to_owned(),
        (text, None) => format!("({text})"),
    };
    let unit = match (is_unused, is_wide) {
        (true, _) => String::new(),
        (false, true) => format!("{:<9} ", tunable.unit),
        (false, false) => tunable.unit.to_owned(),
    };
    let more = if is_wide || is_unused { about(value) } else { String::new() };
    let spans = vec![
        (format!("{star}{:<name$} ", pane::fitted(label, name)), style),
        (format!("{:>VALUE$} ", pane::fitted(&number, VALUE)), strong),
        (was, theme.key),
        (unit, theme.dim),
        (more, theme.dim),
    ];
    spans.into()
}
