//! docs/keys.md, made from the table.

use super::{Context, Entry, told};
use crate::tui::overlays::{self, MOST_AGENTS};

/// The text of docs/keys.md.
pub fn document() -> String {
    let head = "# Keys\n\nMade from the table in `src/tui/action/table.rs`; `UPDATE_DOCS=1 cargo test` \
                writes it again.\nNo key needs Alt. `Esc` closes one layer and never quits.\n\
                `[keys]` in [config.toml](config.md) gives other keys.\n\nA name \
                with a `:` can be typed as a command, too. What has no key is a command only.\n";
    let mouse = "\n## The mouse\n\nA click selects an agent, or the tile when nobody is on it. The \
                 wheel zooms the map and scrolls the\ninspector and the lists; dragging moves the \
                 map, or puts the agent it begins on elsewhere.\nThe right button opens the menu of a \
                 tile. A click on the timeline goes to that frame, and\ndragging along it leads \
                 through time.\n";
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
    let parts = Context::ALL.into_iter().map(|context| {
        let rows: Vec<_> = told(context).map(row).collect();
        let title = context.title();
        format!("\n## {title}\n\n| key | does | name |\n|---|---|---|\n{}", rows.concat())
    });
    [head.to_owned()].into_iter().chain(parts).chain([layers, signs, mouse.to_owned()]).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_is_up_to_date() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/keys.md");
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::write(path, document()).expect("docs/keys.md can be written");
        }
        let written = std::fs::read_to_string(path).unwrap_or_default();
        assert_eq!(written, document(), "run `UPDATE_DOCS=1 cargo test` to write it again");
    }
}
