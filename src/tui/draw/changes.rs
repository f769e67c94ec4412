//! The list of unsaved changes, shown before they are written to files.

use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr;

use crate::tui::app::{PendingChange, PendingChanges};
use crate::tui::theme::Theme;
use crate::words;

use super::list::{List, ListRow};
use super::pane;

/// Maximum number of visible changes. Longer lists scroll.
const ROWS: u16 = 12;

/// Maximum width of the panel in terminal columns. Longer lines are hard to read.
const COLUMNS: u16 = 110;

/// Returns the list of changes, placed in the lowest rows of `area`.
pub fn list<'a>(pending: &'a PendingChanges, theme: &'a Theme, area: Rect) -> List<'a> {
    let changes = &pending.changes;
    let count = changes.len();
    let area = pane::at_bottom((count as u16).min(ROWS) + 2, COLUMNS, area);
    let hidden = count.saturating_sub(usize::from(area.height.saturating_sub(2)));
    let values = changes.iter().filter(|change| change.values.is_some());
    let width = values.map(|change| change.what.width()).max().unwrap_or(0);
    let title = format!("write {}?", words::count(count as u64, "change"));
    let row = move |index| row(&changes[index], width, theme);
    List {
        right: if hidden > 0 { format!("{hidden} more") } else { String::new() },
        ..List::new(title, area, count, Some(pending.selected), theme, row)
    }
}

fn row(change: &PendingChange, width: usize, theme: &Theme) -> ListRow {
    let mut spans = vec![(format!(" {}", change.what), theme.text)];
    if let Some((before, after)) = &change.values {
        let before = if before.is_empty() { "not set" } else { before };
        spans[0].0 = format!(" {:<width$}  ", change.what);
        spans.push((format!("{before} → "), theme.dim));
        spans.push((after.clone(), theme.strong));
    }
    ListRow { spans, right: Some((format!(" {} ", change.place), theme.dim)) }
}
