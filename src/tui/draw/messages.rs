//! The page that lists the latest messages.

use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use crate::tui::messages::{LoggedMessage, Message, Messages};
use crate::tui::theme::Theme;

use super::reading::{PageText, WIDTH};
use super::{answer, pane};

/// Maximum width of the text before a message, in columns. The text contains the map name and the
/// frame.
const PLACE: usize = 20;

/// Returns the page of logged messages, newest first. `here` is the name of the open map, whose
/// messages show only the frame. `columns` is the width of the screen.
pub fn page(messages: &Messages, here: Option<&str>, columns: u16, theme: &Theme) -> PageText {
    let logged: Vec<_> = messages.newest_first().map(|entry| (place(entry, here), entry)).collect();
    let places = logged.iter().map(|(place, _)| place.width()).max().unwrap_or(0);
    let room = usize::from(columns.min(WIDTH)).saturating_sub(places + 5);
    let mut lines = Vec::new();
    for (place, entry) in logged {
        let (text, style) = answer::styled(&entry.message, theme);
        let style = if matches!(entry.message, Message::Note(_)) { theme.text } else { style };
        let mut place = format!("{place:>places$}");
        for line in pane::wrapped(&text, room) {
            lines.push(Line::from(vec![
                Span::styled(format!("{place}  "), theme.dim),
                Span::styled(line, style),
            ]));
            place = " ".repeat(places);
        }
    }
    if lines.is_empty() {
        lines.push(Line::styled("no messages yet", theme.dim));
    }
    PageText { title: "messages, newest first".to_owned(), width: WIDTH, lines }
}

/// Formats the map name and the frame of a message. The map name is omitted if `here` is the same
/// map. A message of the gallery has only the word `gallery`.
fn place(entry: &LoggedMessage, here: Option<&str>) -> String {
    let place = match &entry.at {
        None => "gallery".to_owned(),
        Some((map, frame)) if Some(map.as_str()) == here => frame.to_string(),
        Some((map, frame)) => format!("{map} {frame}"),
    };
    pane::fitted(&place, PLACE)
}
