//! Reads `[style]`: changes to individual styles.

use std::sync::LazyLock;

use super::{ConfigSchema, unknown};
use crate::keys::table::Table;
use crate::text::reader::Entry;
use crate::tiles::color;
use tilewalk_sim::color::Color;

/// Changes to a style; `None` keeps the value of the theme.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StyleSetting {
    /// Text colour.
    pub fg: Option<Color>,
    /// Background colour.
    pub bg: Option<Color>,
    /// Whether text is bold.
    pub bold: Option<bool>,
    /// Whether text is italic.
    pub italic: Option<bool>,
    /// Whether text is underlined.
    pub underlined: Option<bool>,
    /// Whether text and background colours are swapped.
    pub reversed: Option<bool>,
}

static STYLES: LazyLock<Table> = LazyLock::new(|| Table::open("styles"));

static STYLE: LazyLock<Table> = LazyLock::new(|| {
    Table::of_names("a style", &["fg", "bg", "bold", "italic", "underlined", "reversed"])
});

/// Reads the table `[style]`. Reports unknown style names.
pub fn read(entry: &Entry, schema: &ConfigSchema) -> Vec<(&'static str, StyleSetting)> {
    let Some(table) = entry.table(&STYLES) else { return Vec::new() };
    let each = |(name, span, entry): (&str, _, Entry)| {
        let Some(&name) = schema.styles.iter().find(|known| **known == name) else {
            let names = schema.styles.iter().copied();
            entry.issues.push(unknown(entry.issues, "style", name, span, names));
            return None;
        };
        Some((name, change(&entry)?))
    };
    table.into_entries().into_iter().filter_map(each).collect()
}

fn change(entry: &Entry) -> Option<StyleSetting> {
    let table = entry.table(&STYLE)?;
    let colored = |key| table.take(key).and_then(|entry| color::read(&entry));
    let (fg, bg) = (colored("fg"), colored("bg"));
    let flag = |key| table.take(key).and_then(|entry| entry.boolean());
    let change = StyleSetting {
        fg,
        bg,
        bold: flag("bold"),
        italic: flag("italic"),
        underlined: flag("underlined"),
        reversed: flag("reversed"),
    };
    table.finish();
    Some(change)
}
