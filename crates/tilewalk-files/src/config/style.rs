//! Reads `[style]`: changes of single styles, by name.

use std::sync::LazyLock;

use super::super::color;
use super::super::keys::Table;
use super::super::value::Entry;
use super::{Vocabulary, unknown};
use tilewalk_sim::color::Color;

/// What is changed of a style; `None` for what stays.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Change {
    /// The colour of the text.
    pub fg: Option<Color>,
    /// The colour of the ground.
    pub bg: Option<Color>,
    /// Bold?
    pub bold: Option<bool>,
    /// Slanted?
    pub italic: Option<bool>,
    /// With a line below?
    pub underlined: Option<bool>,
    /// With text and ground exchanged?
    pub reversed: Option<bool>,
}

static STYLES: LazyLock<Table> = LazyLock::new(|| Table::open("styles"));

static STYLE: LazyLock<Table> = LazyLock::new(|| {
    Table::of_names("a style", &["fg", "bg", "bold", "italic", "underlined", "reversed"])
});

/// Reads the table of styles.
pub fn read(entry: &Entry, vocabulary: &Vocabulary) -> Vec<(&'static str, Change)> {
    let Some(table) = entry.table(&STYLES) else { return Vec::new() };
    let each = |(name, span, entry): (&str, _, Entry)| {
        let Some(&name) = vocabulary.styles.iter().find(|known| **known == name) else {
            entry.issues.push(unknown("style", name, span, vocabulary.styles.iter().copied()));
            return None;
        };
        Some((name, change(&entry)?))
    };
    table.into_entries().into_iter().filter_map(each).collect()
}

fn change(entry: &Entry) -> Option<Change> {
    let table = entry.table(&STYLE)?;
    let colored = |key| table.take(key).and_then(|entry| color::read(&entry));
    let (fg, bg) = (colored("fg"), colored("bg"));
    let flag = |key| table.take(key).and_then(|entry| entry.boolean());
    let change = Change {
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
