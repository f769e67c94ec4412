//! The rows of the table as they are read: under headings, what belongs together side by side.

use super::{Context, Entry, told};

/// Rows under a heading.
#[derive(Debug)]
pub struct Section {
    /// The heading.
    pub title: &'static str,
    /// The rows.
    pub rows: Vec<&'static Entry>,
}

/// Whoever watches a map can do far more than a heading should hold: the names under each.
#[rustfmt::skip]
const WATCHING: [(&str, &[&str]); 9] = [
    ("Watching a map: time", &[
        "play", "step", "step-ten", "step-back", "step-back-ten", "first", "last", "goto", "reverse",
        "slower", "faster", "speed", "restart",
    ]),
    ("Watching a map: breakpoints", &[
        "break", "watch", "run-to-hit", "back-to-hit", "breaks", "delete-break", "save-breaks",
    ]),
    ("Watching a map: events and markers", &[
        "next-event", "previous-event", "log", "mark", "next-marker", "previous-marker", "markers",
    ]),
    ("Watching a map: agents", &[
        "next-agent", "previous-agent", "find", "select", "pin", "follow", "drive",
    ]),
    ("Watching a map: the inspector", &[
        "inspect", "why", "body", "ledger", "pattern", "mind", "plots", "events", "next-tab",
        "previous-tab", "page-up", "page-down", "copy",
    ]),
    ("Watching a map: values, tiles and patterns", &[
        "edit", "set", "write", "write!", "paint", "draw-path", "draw-matrix", "tile-menu", "editor",
    ]),
    ("Watching a map: files and runs", &[
        "reload", "problems", "flip", "before", "after", "diff", "runs", "dismiss", "save", "save-map",
    ]),
    ("Watching a map: the view", &[
        "overlays", "visits", "zoom-in", "zoom-out", "fit", "pan-left", "pan-down", "pan-up",
        "pan-right", "zoom-pane", "theme", "mouse",
    ]),
    ("Watching a map: the program", &[
        "command", "help", "about", "messages", "close-zoom", "gallery", "open", "suspend", "quit",
    ]),
];

/// The rows of a context, under one heading or several.
pub fn sections(context: Context) -> Vec<Section> {
    if context != Context::Watch {
        return vec![Section { title: context.title(), rows: told(context).collect() }];
    }
    let row = |name: &&str| told(context).find(|entry| entry.name == *name);
    let section = |(title, names): (&'static str, &[&str])| {
        let rows = names.iter().filter_map(row).collect();
        Section { title, rows }
    };
    WATCHING.into_iter().map(section).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_stands_under_one_heading() {
        for context in Context::ALL {
            let sections = sections(context);
            let mut names: Vec<_> =
                sections.iter().flat_map(|section| &section.rows).map(|row| row.name).collect();
            let mut all: Vec<_> = told(context).map(|row| row.name).collect();
            names.sort_unstable();
            all.sort_unstable();
            assert_eq!(names, all, "{context:?}");
        }
        let listed = WATCHING.iter().flat_map(|(_, names)| *names).count();
        assert_eq!(listed, told(Context::Watch).count(), "a name that isn't there, or twice");
    }
}
