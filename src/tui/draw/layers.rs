//! The overlay menu, which covers the inspector so that the map stays visible.

use ratatui::layout::Rect;

use crate::tui::layout::{self, Layout};
use crate::tui::overlays::{Overlays, TABLE};
use crate::tui::theme::Theme;

use super::list::{List, Row};

/// Width of an entry without its description, in columns.
const NARROW: u16 = 22;

/// Width of an entry with its description, in columns.
const WIDE: u16 = 45;

/// Returns the list of all overlays, in as many columns as needed.
pub fn list<'a>(
    overlays: Overlays,
    selected: usize,
    theme: &'a Theme,
    layout: &Layout,
    screen: Rect,
) -> List<'a> {
    let area = place(layout, screen);
    let inside = layout::inside(area);
    let is_wide = inside.width >= WIDE && usize::from(inside.height) >= TABLE.len();
    let has_note = !is_wide && inside.height > 1;
    let rows = usize::from(inside.height - u16::from(has_note)).max(1);
    let fitting = usize::from(inside.width / NARROW).max(1);
    let row = move |index: usize| row(overlays, index, is_wide, theme);
    List {
        right: if overlays.all { "a: all agents in view" } else { "a: selected agent" }.to_owned(),
        columns: TABLE.len().div_ceil(rows).min(fitting) as u16,
        // Without room for all descriptions, only the selected overlay is described.
        notes: if has_note {
            vec![(format!(" {}", TABLE[selected].about), theme.dim)]
        } else {
            Vec::new()
        },
        ..List::new("overlays", area, TABLE.len(), Some(selected), theme, row)
    }
}

/// Returns the area of the menu: over the inspector, or at the bottom of a map that fills the
/// screen.
fn place(layout: &Layout, screen: Rect) -> Rect {
    let wanted = TABLE.len() as u16 + 3;
    let area = layout.over_inspector(screen);
    let height = area.height.min(wanted);
    let y = if layout.inspector.is_empty() { area.bottom() - height } else { area.y };
    Rect { y, height, ..area }
}

fn row(overlays: Overlays, index: usize, is_wide: bool, theme: &Theme) -> Row {
    let entry = &TABLE[index];
    let check = if overlays.has(entry.layer) { "[x]" } else { "[ ]" };
    let about = if is_wide { entry.about } else { "" };
    let spans = vec![
        (format!("{check} "), theme.text),
        (format!("{} ", entry.key), theme.key),
        (format!("{:<14}", entry.name), theme.text),
        (about.to_owned(), theme.dim),
    ];
    spans.into()
}
