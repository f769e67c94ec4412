//! Generates docs/keys.md and the keys of the manual page.

use super::{Command, FEATURES, Keymap, Section, all_sections};
use crate::tui::overlays::{self, MOST_AGENTS};

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
