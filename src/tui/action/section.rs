//! Arranges the commands under the headings of the help, of docs/keys.md and of the manual page.

use crate::tui::overlays::{self, MOST_AGENTS};

use super::{Command, Context, FEATURES, Keymap, TABLE, rows};
use tilewalk_sim::sort::SmallSort;

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
        rows.small_sort_by_key(|row| row.contexts().len() > 1);
        return vec![Section { title, rows }];
    }
    let section = |(heading, title): (Heading, &str)| {
        let place = |row: &&Command| row.under.filter(|under| under.0 == heading);
        let mut rows: Vec<_> = rows(context).filter(|row| place(row).is_some()).collect();
        rows.small_sort_by_key(|row| place(row).map(|(_, place)| place));
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

const HEAD: &str = "# Keys and commands

This page lists all keys and commands of the interactive screen, grouped by mode. In tilewalk, `?` opens a searchable
version of this list. This page is generated from the source code.

- A name that starts with `:` is a command. To run a command, press `:` and type the name. A unique prefix of the name is
  enough. Arguments in square brackets are optional.
- `:100` goes to frame 100. `:12.5s` goes to 12.5 seconds.
- Each `Esc` closes one list, page or mode. `Esc` never quits tilewalk.
- No default key uses Alt.
- [Key bindings](config.md#key-bindings) describes how to change keys.
";

const MOUSE: &str = "
## Mouse

| action | effect |
|---|---|
| click an agent on the map | select the agent |
| click a tile without agents | select the tile |
| drag an agent | move the agent to another tile |
| drag the map (not an agent) | move the view |
| drag the border beside the inspector | move the border |
| right-click the map | open the tile menu; in paint mode, pick the tile as the brush |
| scroll the wheel over the map | zoom around the pointer |
| scroll the wheel over the inspector, a list or a page | scroll the inspector, list or page |
| click the minimap | move the view to the clicked position |
| click or drag on the timeline | go to the frame under the pointer |
| click a row of the agents pane | select the agent |
| click the name of an inspector page | show the page |
| click a number in the inspector that the map file can set | edit the number |
| click a row of a list | select the row; a second click does the same as `Enter` |
| click an item of the tile menu | run the item |
";

/// Returns the text of docs/keys.md.
pub fn document() -> String {
    let parts = all_sections().into_iter().map(|Section { title, rows }| {
        let rows: String = rows.into_iter().map(row).collect();
        format!("\n## {title}\n\n| key | effect | name |\n|---|---|---|\n{rows}")
    });
    let keys: String = parts.collect();
    [HEAD.to_owned(), keys, overlays(), events(), MOUSE.to_owned(), shell()].concat()
}

fn overlays() -> String {
    let layer = |entry: &overlays::Overlay| {
        let usual = if entry.usual { "yes" } else { "no" };
        format!("| `{}` | {} | {} | {usual} |\n", entry.key, entry.name, entry.about)
    };
    let rows: String = overlays::TABLE.iter().map(layer).collect();
    format!(
        "\n## Overlays\n\n`o` opens the overlay menu. In the menu, the letter of an overlay shows or hides the \
         overlay.\n`:overlay NAME` does the same without the menu. In the menu, `a` switches the overlays \
         between the selected\nagent and all agents in view (at most {MOST_AGENTS}).\n\n\
         | letter | overlay | shows | on by default |\n|---|---|---|---|\n{rows}"
    )
}

fn events() -> String {
    let sign = |&(word, sign, _): &(&str, &str, u8)| format!("| `{sign}` | {word} |\n");
    let rows: String = overlays::EVENTS.iter().map(sign).collect();
    format!(
        "\n## Event signs\n\nWhen an event occurs, its sign appears beside the agent for one second of simulated \
         time.\nIf tiles are one column wide, the sign appears above the agent. \
         [Events](conditions.md#events) describes each event.\n\n| sign | event |\n|---|---|\n{rows}"
    )
}

fn shell() -> String {
    let rows = FEATURES.iter().map(|it| format!("| `{}` | {} |\n", it.usage, it.about));
    let rows: String = rows.collect();
    format!(
        "\n## In a shell\n\nRun these commands in a shell. The searchable help (`?`) lists them as well.\n\
         [command-line.md](command-line.md) describes all commands and options.\n\n| command | effect |\n|---|---|\n{rows}"
    )
}

/// Returns the key sections of the manual page. Each section has a title and rows. A row contains
/// the keys, the description and the command name. The name is empty if the row is not a command.
pub fn key_sections() -> Vec<(String, Vec<[String; 3]>)> {
    let row = |entry: &'static Command| {
        let name = if entry.is_command() { format!(":{}", entry.usage()) } else { String::new() };
        [Keymap::default().text(entry), entry.described(), name]
    };
    let section = |it: Section| (it.title, it.rows.into_iter().map(row).collect());
    all_sections().into_iter().map(section).collect()
}

fn row(entry: &'static Command) -> String {
    let keys: Vec<_> = entry.keys.iter().map(|key| format!("`{key}`")).collect();
    let colon = if entry.is_command() { ":" } else { "" };
    format!("| {} | {} | `{colon}{}` |\n", keys.join(" "), entry.described(), entry.usage())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_actions_of_the_map_screen_have_a_heading() {
        for row in TABLE {
            assert_eq!(row.under.is_some(), row.is_in(Context::Map), "{}", row.name);
        }
    }

    #[test]
    fn every_action_is_in_one_section() {
        let sections = all_sections();
        let rows = sections.iter().flat_map(|section| &section.rows);
        let mut names: Vec<_> = rows.map(|row| row.name).collect();
        let mut all: Vec<_> = TABLE.iter().map(|row| row.name).collect();
        names.sort_unstable();
        all.sort_unstable();
        assert_eq!(names, all);
    }
}
