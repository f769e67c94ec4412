//! docs/keys.md, made from the table.

use super::{Context, Entry, Keymap, Section, sections};
use crate::tui::overlays::{self, MOST_AGENTS};

/// The text of docs/keys.md.
pub fn document() -> String {
    let head = "# Keys\n\nMade from the table in `src/tui/action/table.rs`; `UPDATE_DOCS=1 cargo test` \
                writes it again.\nNo key needs Alt. `Esc` closes one layer and never quits.\n\
                `[keys]` in [config.toml](config.md) gives other keys.\n\nA name \
                with a `:` can be typed as a command, too. What has no key is a command only.\n";
    let mouse = "\n## The mouse\n\nA click selects who is drawn there, else who is on the tile, else the \
                 tile. The wheel zooms the map\naround what is under the pointer, and scrolls the \
                 inspector, the lists and what to watch; dragging moves\nthe map, or puts the agent it begins on \
                 elsewhere. The right button opens the menu of a tile. A click on the\nminimap goes \
                 there. A click on the timeline goes to that frame, and dragging along it leads\n\
                 through time. A click on the name of a page of the inspector shows it; one on a \
                 number of the file that\na page tells (of the body, a weight, a pace) opens the \
                 list of values there, ready to be typed. A click\non a value of that list marks \
                 it, another one changes it; one on an event of the list marks it, another\none \
                 goes there.\n";
    let layers: Vec<_> = overlays::TABLE.iter().map(layer).collect();
    let layers = format!(
        "\n## The layers\n\nAt first those are shown that are marked. Of all agents in view at most \
         {MOST_AGENTS} are told about.\n\n| letter | layer | shows | at first |\n|---|---|---|---|\n{}",
        layers.concat()
    );
    let sign = |&(word, sign, _): &(&str, &str, u8)| format!("| `{sign}` | {word} |\n");
    let signs: Vec<_> = overlays::EVENTS.iter().map(sign).collect();
    let signs = format!(
        "\n## The signs of events\n\nBeside an agent, or above it where a tile is one column wide, for a \
         second of the run.\n\n| sign | event |\n|---|---|\n{}",
        signs.concat()
    );
    let parts = Context::ALL.into_iter().flat_map(sections).map(|Section { title, rows }| {
        let rows: String = rows.into_iter().map(row).collect();
        format!("\n## {title}\n\n| key | does | name |\n|---|---|---|\n{rows}")
    });
    [head.to_owned()].into_iter().chain(parts).chain([layers, signs, mouse.to_owned()]).collect()
}

/// The keys under their headings: for each row its keys, what it does, and its name where it is a
/// command.
pub fn key_sections() -> Vec<(&'static str, Vec<[String; 3]>)> {
    let row = |entry: &'static Entry| {
        let name = if entry.is_command() { format!(":{}", entry.usage()) } else { String::new() };
        [Keymap::default().text(entry), entry.about.to_owned(), name]
    };
    let told = |it: Section| (it.title, it.rows.into_iter().map(row).collect());
    Context::ALL.into_iter().flat_map(sections).map(told).collect()
}

/// A layer's row in docs/keys.md.
fn layer(entry: &overlays::Entry) -> String {
    let usual = if entry.usual { "yes" } else { "" };
    format!("| `{}` | {} | {} | {usual} |\n", entry.key, entry.name, entry.about)
}

/// A row of the table.
fn row(entry: &Entry) -> String {
    let keys: Vec<_> = entry.keys.iter().map(|key| format!("`{key}`")).collect();
    let colon = if entry.is_command() { ":" } else { "" };
    format!("| {} | {} | `{colon}{}` |\n", keys.join(" "), entry.about, entry.usage())
}
