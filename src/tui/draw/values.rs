//! Draws the value list of an agent over the inspector, so that the map stays visible.

use ratatui::layout::Rect;

use crate::files::settings::Setting;
use crate::files::values::usage::RankedValue;
use crate::tui::glyph;
use crate::tui::layout;
use crate::tui::theme::Theme;
use crate::tui::values::{ValueList, is_changed};

use super::line::LineRow;
use super::list::{List, ListRow, Spans};
use super::pane;

/// Width of the column with the numbers, in terminal columns.
const VALUE: usize = 12;

/// Minimum width of the list, without the border, for a column with the ranges.
const WIDE: u16 = 60;

/// Returns the list of an agent's values. `changed` are the settings that differ from the map file;
/// the list marks their values with a star. `area` includes the border.
pub fn list<'a>(
    values: &'a ValueList,
    changed: &'a [Setting],
    theme: &'a Theme,
    area: Rect,
) -> List<'a> {
    let inside = layout::inside(area);
    let count = values.listed().len();
    let (sign, line) = match values.editor() {
        Some(line) => (" = ", line),
        None => (" / ", values.filter()),
    };
    let wrong = values.error().map(|_| 0..line.text().chars().count());
    let longest = values.listed().map(|value| values.name(&value.tunable).len()).max().unwrap_or(0);
    let name = longest.min(usize::from(inside.width) / 2);
    let row = move |index| row(values, changed, index, name, is_wide(inside), theme);
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

fn row(
    values: &ValueList,
    changed: &[Setting],
    index: usize,
    name: usize,
    is_wide: bool,
    theme: &Theme,
) -> ListRow {
    let Some(value) = values.listed().nth(index) else { return ListRow::default() };
    let tunable = &value.tunable;
    let is_unused = value.unused().is_some();
    let (style, strong) =
        if is_unused { (theme.dim, theme.dim) } else { (theme.text, theme.strong) };
    let star = if is_changed(tunable, changed) { "*" } else { " " };
    let number = match (tunable.present(), &tunable.value) {
        (text, Some(_)) => text,
        (text, None) if text.is_empty() => "none".to_owned(),
        (text, None) => format!("({text})"),
    };
    let unit = if is_unused { String::new() } else { format!("{:<9} ", tunable.unit) };
    let more = if is_wide || is_unused { about(value) } else { String::new() };
    let spans = vec![
        (format!("{star}{:<name$} ", pane::fitted(&values.name(tunable), name)), style),
        (format!("{:>VALUE$} ", pane::fitted(&number, VALUE)), strong),
        (unit, theme.dim),
        (more, theme.dim),
    ];
    spans.into()
}
