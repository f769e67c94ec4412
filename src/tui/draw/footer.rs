//! The footer: a line of key hints. Hints for closing, quitting and the help are never cut.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::Widget;
use unicode_width::UnicodeWidthStr;

use crate::tui::action::{self, Action, Context, Keymap};
use crate::tui::input::Key;
use crate::tui::theme::Theme;
use tilewalk_sim::sort::SmallSort;

/// The footer with the key hints of a context. Optional hints are left out from the right if the
/// line is too short.
#[derive(Debug)]
pub struct Footer<'a> {
    pub context: Context,
    /// Last pressed key if it has no action, otherwise `None`. A message about the key replaces the
    /// optional hints.
    pub idle: Option<Key>,
    pub keymap: &'a Keymap,
    pub theme: &'a Theme,
}

/// A key and a short description of its action, such as `q` and `quit`.
type Hint = (String, &'static str);

/// Returns the key hints of a context in display order: first the optional hints, then the hints
/// that are never cut.
pub fn hints(context: Context, keymap: &Keymap) -> (Vec<Hint>, Vec<Hint>) {
    // Contexts over the map also show some hints of the map screen.
    let watch = context.is_over_map().then(|| action::rows(Context::Map));
    let others = watch.into_iter().flatten().filter(|entry| {
        if context == Context::Drive {
            return entry.action != Action::Drive;
        }
        let writes = context == Context::Paint && entry.action == Action::Write;
        writes || entry.action == Action::Help
    });
    let hints = action::rows(context).chain(others).filter_map(|entry| {
        Some((entry, (keymap.of(entry).first()?.to_string(), hint(entry, context)?)))
    });
    // In lists, the commands of the list are more important than the help.
    let keeps_help = context.is_over_map() || matches!(context, Context::Map | Context::Gallery);
    let kept = |action| {
        matches!(action, Action::Quit | Action::Close | Action::StopDriving)
            || (action == Action::Help && keeps_help)
    };
    let (last, mut first): (Vec<_>, Vec<_>) = hints.partition(|(entry, _)| kept(entry.action));
    if !matches!(context, Context::Map | Context::Drive | Context::Paint) {
        // Commands that exist only in this context come first.
        first.small_sort_by_key(|(entry, _)| entry.contexts().len() > 1);
    }
    let strip = |hints: Vec<(_, Hint)>| hints.into_iter().map(|(_, hint)| hint);
    (strip(first).chain(typed(context)).collect(), strip(last).collect())
}

/// Returns the hints for typed characters that need no key binding, such as the characters of a
/// filter.
fn typed(context: Context) -> impl Iterator<Item = Hint> {
    let is_values = context == Context::Values;
    let hints: &[(&str, &str)] =
        if is_values { &[("+ -", "nudge"), ("type", "to filter")] } else { &[] };
    hints.iter().map(|&(keys, word)| (keys.to_owned(), word))
}

/// Returns the footer's description of a command. Returns `None` if the footer has no hint for the
/// command.
fn hint(entry: &action::Command, context: Context) -> Option<&'static str> {
    let in_paint = [(Action::Write, "write"), (Action::Undo, "undo")];
    let found = in_paint.iter().find(|(action, _)| *action == entry.action);
    let found = found.filter(|_| context == Context::Paint).map(|&(_, word)| word);
    entry.hint.or(found)
}

fn width(hint: &Hint) -> u16 {
    (hint.0.width() + 1 + hint.1.width()) as u16
}

impl Widget for Footer<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        if area.is_empty() {
            return;
        }
        let (mut first, last) = hints(self.context, self.keymap);
        let needed: u16 = last.iter().map(|hint| width(hint) + 2).sum();
        let end = area.right();
        let mut x = area.x + 1;
        if let Some(text) =
            self.idle.and_then(|key| self.unknown_key(key, end.saturating_sub(x + needed)))
        {
            buffer.set_stringn(x, area.y, text, usize::from(end - x), self.theme.warn);
            first.clear();
        }
        let mut write = |hint: &Hint, x: u16| {
            if x < end {
                let room = usize::from(end - x);
                let (x, _) = buffer.set_stringn(x, area.y, &hint.0, room, self.theme.key);
                let room = usize::from(end.saturating_sub(x));
                let text = format!(" {}", hint.1);
                buffer.set_stringn(x, area.y, text, room, self.theme.dim);
            }
        };
        for hint in &first {
            if x + width(hint) + 2 + needed > end {
                break;
            }
            write(hint, x);
            x += width(hint) + 2;
        }
        x = x.max(end.saturating_sub(needed));
        for hint in &last {
            write(hint, x);
            x += width(hint) + 2;
        }
    }
}

impl Footer<'_> {
    /// Returns the message that `key` has no action. Returns `None` if the message does not fit
    /// into `room` columns.
    fn unknown_key(&self, key: Key, room: u16) -> Option<String> {
        let short = format!("{key} does nothing here");
        let help = self.keymap.named(Action::Help, Context::Map);
        let helps =
            self.keymap.named(Action::Help, self.context) == help || self.context.is_over_map();
        let long = helps.then(|| format!("{short}; {help} lists the keys"));
        long.into_iter().chain([short]).find(|text| text.width() <= usize::from(room))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::theme::MONO;

    fn drawn(context: Context, width: u16) -> String {
        let area = Rect::new(0, 0, width, 1);
        let mut buffer = Buffer::empty(area);
        let keymap = &Keymap::default();
        Footer { context, idle: None, keymap, theme: &MONO }.render(area, &mut buffer);
        buffer.content().iter().map(ratatui::buffer::Cell::symbol).collect()
    }

    #[test]
    fn help_and_quit_are_never_cut() {
        for width in 20..120 {
            let text = drawn(Context::Map, width);
            assert!(text.contains("? help") && text.contains("q quit"), "{width}: {text}");
        }
        assert!(drawn(Context::Map, 40).contains("Space play/pause"));
        assert!(drawn(Context::Search, 40).contains("Esc close"));
        for (context, hint) in [
            (Context::Gallery, "Enter play this map"),
            (Context::Overlays, "Space show/hide"),
            (Context::Log, "Enter go to"),
            (Context::Runs, "Enter switch"),
        ] {
            assert!(drawn(context, 40).contains(hint), "{context:?}: {}", drawn(context, 40));
        }
        let values = drawn(Context::Values, 80);
        assert!(values.contains("Enter change  + - nudge  type to filter"), "{values}");
        assert!(values.contains("Esc close"), "{values}");
        let value = drawn(Context::Value, 40);
        assert!(value.contains("Enter apply") && value.contains("Esc cancel"), "{value}");
    }
}
