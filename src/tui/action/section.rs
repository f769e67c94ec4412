//! The rows of the table under headings, in the order of the help.

use super::{Context, Entry, TABLE, told};

/// Rows under a heading.
#[derive(Debug)]
pub struct Section {
    /// The heading.
    pub title: String,
    /// The rows.
    pub rows: Vec<&'static Entry>,
}

/// The map view has too many rows for one heading: headings, and the names under each.
#[rustfmt::skip]
const MAP: [(&str, &[&str]); 9] = [
    ("Map: time", &[
        "play", "pause", "step", "step-ten", "step-back", "step-back-ten", "first", "last", "goto", "reverse",
        "slower", "faster", "speed", "restart",
    ]),
    ("Map: breakpoints", &[
        "break", "watch", "continue", "reverse-continue", "breakpoints", "delete-breakpoint",
        "save-breakpoints",
    ]),
    ("Map: events and bookmarks", &[
        "next-event", "previous-event", "log", "bookmark", "next-bookmark", "previous-bookmark",
        "bookmarks",
    ]),
    ("Map: agents", &[
        "next-agent", "previous-agent", "find", "select", "pin", "follow", "drive",
    ]),
    ("Map: inspector", &[
        "inspect", "why", "body", "forces", "pattern", "modes", "plots", "events", "next-tab",
        "previous-tab", "page-up", "page-down", "copy",
    ]),
    ("Map: values, tiles and patterns", &[
        "edit", "set", "write", "write!", "paint", "draw-path", "draw-matrix", "tile-menu", "editor",
    ]),
    ("Map: files and runs", &[
        "reload", "problems", "flip", "before", "after", "diff", "runs", "hide-ghost", "screenshot",
        "save-map",
    ]),
    ("Map: view", &[
        "overlays", "overlay", "heat-map", "zoom-in", "zoom-out", "fit", "pan-left", "pan-down", "pan-up",
        "pan-right", "zoom-pane", "theme", "mouse",
    ]),
    ("Map: program", &[
        "command", "help", "about", "messages", "close-zoom", "gallery", "open", "suspend", "quit",
    ]),
];

/// Rows that work in more places than this and not on a map are listed once for all of them.
const MANY: usize = 4;

/// The rows that work in a context, under one heading or several.
pub fn sections(context: Context) -> Vec<Section> {
    if context != Context::Watch {
        let others = if context.is_over_watch() { " (other keys as on a map)" } else { "" };
        let title = format!("{}{others}", context.title());
        let mut rows: Vec<_> = told(context).collect();
        // What works only here comes first.
        rows.sort_by_key(|row| row.contexts.len() > 1);
        return vec![Section { title, rows }];
    }
    let row = |name: &&str| told(context).find(|entry| entry.name == *name);
    let section = |(title, names): (&str, &[&str])| {
        let rows = names.iter().filter_map(row).collect();
        Section { title: title.to_owned(), rows }
    };
    MAP.into_iter().map(section).collect()
}

/// Every row under one heading: those of the map, those of each other context that don't work on the map
/// too, and those that work nearly everywhere.
pub fn all_sections() -> Vec<Section> {
    let is_general =
        |entry: &&Entry| entry.contexts.len() > MANY && entry.contexts[0] != Context::Watch;
    let own = |context: Context| {
        let rows = told(context).filter(|row| row.contexts[0] == context && !is_general(row));
        let mut section = sections(context).swap_remove(0);
        section.rows = rows.collect();
        section
    };
    let others = Context::ALL.into_iter().filter(|context| *context != Context::Watch).map(own);
    let rows = TABLE.iter().filter(is_general).collect();
    let general = Section { title: "Lists, pages and text input".to_owned(), rows };
    let sections = sections(Context::Watch).into_iter().chain(others).chain([general]);
    sections.filter(|section| !section.rows.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_headings_of_the_map_have_every_row_once() {
        let mut names: Vec<_> = MAP.iter().flat_map(|(_, names)| *names).copied().collect();
        let mut all: Vec<_> = told(Context::Watch).map(|row| row.name).collect();
        names.sort_unstable();
        all.sort_unstable();
        assert_eq!(names, all);
    }

    #[test]
    fn every_row_is_under_one_heading() {
        let sections = all_sections();
        let rows = sections.iter().flat_map(|section| &section.rows);
        let mut names: Vec<_> = rows.map(|row| row.name).collect();
        let mut all: Vec<_> = TABLE.iter().map(|row| row.name).collect();
        names.sort_unstable();
        all.sort_unstable();
        assert_eq!(names, all);
    }
}
