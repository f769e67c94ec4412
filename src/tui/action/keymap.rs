//! Key bindings: the default keys of the commands, and the user's changes.

use crate::tui::input::Key;

use super::{Action, Command, Context, TABLE, rows};

/// The key bindings of all commands. The default value contains the default keys.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Keymap {
    /// Names of commands whose default keys are replaced, each with its new keys.
    changed: Vec<(&'static str, Vec<Key>)>,
}

impl Keymap {
    /// Creates a key map that replaces the default keys of some commands. `ctrl-c` always quits.
    pub fn with(mut changed: Vec<(&'static str, Vec<Key>)>) -> Self {
        let always = Key::Ctrl('c');
        for (name, keys) in &mut changed {
            let quits = TABLE.iter().any(|row| row.name == *name && row.action == Action::Quit);
            if quits && !keys.contains(&always) {
                keys.push(always);
            }
        }
        Self { changed }
    }

    /// Returns the keys of a command. Hints show the first key.
    pub fn of(&self, entry: &'static Command) -> &[Key] {
        let changed = self.changed.iter().find(|(name, _)| *name == entry.name);
        changed.map_or(entry.keys, |(_, keys)| keys)
    }

    /// Returns the keys of a command as text, separated by two spaces.
    pub fn text(&self, entry: &'static Command) -> String {
        self.of(entry).iter().map(Key::to_string).collect::<Vec<_>>().join("  ")
    }

    /// Returns the action that a key runs in a context. Returns `None` if the key is not bound.
    pub fn bound(&self, key: Key, context: Context) -> Option<Action> {
        let entry = rows(context).find(|entry| self.of(entry).contains(&key));
        match entry {
            None if context.is_over_map() => self.bound(key, Context::Map),
            None if context.is_list() => movement(key, context),
            entry => Some(entry?.action),
        }
    }

    /// Returns the keys of an action in a context. Returns no keys if the action is not available
    /// in that context.
    pub fn keys_of(&self, action: Action, context: Context) -> &[Key] {
        rows(context).find(|entry| entry.action == action).map_or(&[], |entry| self.of(entry))
    }

    /// Returns the key that hints show for an action, or an empty string if the action has no key.
    pub fn named(&self, action: Action, context: Context) -> String {
        self.keys_of(action, context).first().map_or_else(String::new, Key::to_string)
    }
}

/// Returns the movement of the selection for a key of a list whose rows do not bind that movement.
fn movement(key: Key, context: Context) -> Option<Action> {
    let keys = [
        (Key::Up, Action::Up),
        (Key::Down, Action::Down),
        (Key::Char('k'), Action::Up),
        (Key::Char('j'), Action::Down),
    ];
    let (_, action) = keys.into_iter().find(|&(other, _)| other == key)?;
    rows(context).all(|row| row.action != action).then_some(action)
}

/// Parses a key for the command `name`, and returns the standard spelling of the key. If `name` is
/// unknown, every key is allowed.
///
/// # Errors
/// Returns an error if `text` is not a key, or if the key cannot be bound to the command.
pub fn spelled(name: &str, text: &str) -> Result<String, String> {
    let key: Key = text.parse().map_err(|error| format!("{error}"))?;
    let Some(entry) = TABLE.iter().find(|entry| entry.name == name) else {
        return Ok(key.to_string());
    };
    if key == Key::Ctrl('c') && entry.action != Action::Quit {
        return Err("`ctrl-c` always quits tilewalk".to_owned());
    }
    // A default key also works where the other characters are text.
    let contexts = if entry.keys.contains(&key) { Vec::new() } else { entry.contexts() };
    for context in contexts {
        if let Some(why) = context.refuses(key) {
            return Err(format!("`{key}` can't be a key of `{name}`: {why}"));
        }
    }
    Ok(key.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn configured_keys_replace_the_default_keys() {
        let keymap = Keymap::with(vec![("play", vec![Key::F(5)]), ("quit", vec![Key::Char('Q')])]);
        assert_eq!(keymap.bound(Key::F(5), Context::Map), Some(Action::PlayPause));
        assert_eq!(keymap.bound(Key::F(5), Context::Drive), Some(Action::PlayPause));
        assert_eq!(keymap.bound(Key::Char(' '), Context::Map), None);
        assert_eq!(keymap.bound(Key::Char('.'), Context::Map), Some(Action::Step));
        assert_eq!(keymap.named(Action::Quit, Context::Map), "Q");
        assert_eq!(keymap.bound(Key::Ctrl('c'), Context::Map), Some(Action::Quit));
    }

    #[test]
    fn every_default_key_can_be_configured() {
        for entry in TABLE {
            for key in entry.keys {
                assert_eq!(spelled(entry.name, &key.to_string()), Ok(key.to_string()));
            }
        }
    }

    #[test]
    fn text_overlay_and_reserved_keys_cannot_be_configured() {
        let why = |name, key| spelled(name, key).unwrap_err();
        assert!(why("match-down", "n").ends_with("characters are text there"));
        assert!(why("step", "n").ends_with("it shows or hides the overlay `neighbours`"));
        assert!(why("play", "ctrl-c").contains("always quits"));
        assert_eq!(why("play", "ctrl-i"), "terminals cannot distinguish `ctrl-i` from `Tab`");
        assert!(why("play", "Spcae").starts_with("`Spcae` is not a key: use a character"));
    }
}
