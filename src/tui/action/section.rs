//! Arranges the commands under the headings of the help.

use super::{Command, Context, TABLE, rows};

/// A heading of the help with its commands.
#[derive(Debug)]
pub struct Section {
    pub title: String,
    /// The commands under the heading, in the order of the help.
    pub rows: Vec<&'static Command>,
}

/// The headings for the rows of the map view, in the order of the help.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the titles say it")]
pub enum Heading {
    Time,
    Breakpoints,
    EventsAndBookmarks,
    Agents,
    Inspector,
    Values,
    FilesAndRuns,
    View,
    Program,
}

const HEADINGS: [(Heading, &str); 9] = [
    (Heading::Time, "Map: time"),
    (Heading::Breakpoints, "Map: breakpoints"),
    (Heading::EventsAndBookmarks, "Map: events and bookmarks"),
    (Heading::Agents, "Map: agents"),
    (Heading::Inspector, "Map: inspector"),
    (Heading::Values, "Map: values, tiles and patterns"),
    (Heading::FilesAndRuns, "Map: files and runs"),
    (Heading::View, "Map: view"),
    (Heading::Program, "Map: program"),
];

/// Maximum number of contexts of an ordinary row. Rows with more contexts are listed once, under a
/// common heading. Rows whose first context is the map are always ordinary.
const MANY: usize = 4;

/// Returns the help sections of a context. The map has several sections; every other context has
/// one.
pub fn sections(context: Context) -> Vec<Section> {
    if context != Context::Map {
        let others = if context.is_over_map() { " (other keys as on a map)" } else { "" };
        let title = format!("{}{others}", context.title());
        let mut rows: Vec<_> = rows(context).collect();
        // Rows of this context alone come first.
        rows.sort_by_key(|row| row.contexts().len() > 1);
        return vec![Section { title, rows }];
    }
    let section = |(heading, title): (Heading, &str)| {
        let place = |row: &&Command| row.under.filter(|under| under.0 == heading);
        let mut rows: Vec<_> = rows(context).filter(|row| place(row).is_some()).collect();
        rows.sort_by_key(|row| place(row).map(|(_, place)| place));
        Section { title: title.to_owned(), rows }
    };
    HEADINGS.into_iter().map(section).collect()
}

/// Returns all rows, each under exactly one heading. The headings are those of the map, one for
/// each other context, and one for rows with many contexts.
pub fn all_sections() -> Vec<Section> {
    let is_general =
        |entry: &&Command| entry.contexts().len() > MANY && entry.contexts()[0] != Context::Map;
    let own = |context: Context| {
        let rows = rows(context).filter(|row| row.contexts()[0] == context && !is_general(row));
        let mut section = sections(context).swap_remove(0);
        section.rows = rows.collect();
        section
    };
    let others = Context::ALL.into_iter().filter(|context| *context != Context::Map).map(own);
    let rows = TABLE.iter().filter(is_general).collect();
    let general = Section { title: "Lists, pages and text input".to_owned(), rows };
    let sections = sections(Context::Map).into_iter().chain(others).chain([general]);
    sections.filter(|section| !section.rows.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_the_map_and_no_others_are_under_a_heading() {
        for row in TABLE {
            assert_eq!(row.under.is_some(), row.is_in(Context::Map), "{}", row.name);
        }
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
