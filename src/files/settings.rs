//! Values set from outside: `agent.key=value`, written into the text of a map before it is read, so
//! that they are checked like everything else. Comments and layout stay.

use core::fmt;
use std::str::FromStr;

use toml_edit::{DocumentMut, Item, TableLike, Value};

use super::show;

/// Keys that belong into an agent's `body`.
const BODY: &[&str] = &[
    "mass",
    "radius",
    "max_speed",
    "max_force",
    "gain",
    "max_turn_rate",
    "drag",
    "solid",
    "inertia",
    "length",
    "thrust",
    "side_thrust",
    "water_drag",
    "angular_drag",
    "keel",
];

/// `agent.key=value`, `agent.body.key=value` or `agent.mode.key=value`.
#[derive(Debug, Clone)]
pub struct Setting {
    agent: String,
    path: Vec<String>,
    value: Value,
}

/// Why a setting can't be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// It has another shape.
    #[error("`{0}` is no setting: write `agent.key=value`, such as `guard.max_speed=6`")]
    Malformed(String),
    /// The map has no such agent.
    #[error("there is no agent `{name}`{}", show::did_you_mean(.near.as_deref()))]
    UnknownAgent {
        /// The name, safe to print.
        name: String,
        /// One that looks like it.
        near: Option<String>,
    },
    /// The agent has no such mode.
    #[error("agent `{agent}` has no mode `{name}`{}", show::did_you_mean(.near.as_deref()))]
    UnknownMode {
        /// The agent.
        agent: String,
        /// The name, safe to print.
        name: String,
        /// One that looks like it.
        near: Option<String>,
    },
}

impl fmt::Display for Setting {
    /// As it is typed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.value.to_string();
        write!(f, "{}.{}={}", self.agent, self.path.join("."), value.trim())
    }
}

impl FromStr for Setting {
    type Err = SettingError;

    /// Reads a setting. The value is TOML; a bare word that isn't is a string.
    fn from_str(text: &str) -> Result<Self, SettingError> {
        let malformed = || SettingError::Malformed(show::text(text));
        let (path, value) = text.split_once('=').ok_or_else(malformed)?;
        let mut parts = path.trim().split('.').map(|part| part.trim().to_owned());
        let agent = parts.next().unwrap_or_default();
        let path: Vec<String> = parts.collect();
        let word = |part: &String| super::name::is_word(part);
        if !(1..=2).contains(&path.len()) || !word(&agent) || !path.iter().all(word) {
            return Err(malformed());
        }
        let value = value.trim();
        let bare = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '/' | '.' | '#');
        let value = match value.parse::<Value>() {
            Ok(value) => value,
            Err(_) if !value.is_empty() && value.chars().all(bare) => value.into(),
            Err(_) => return Err(malformed()),
        };
        Ok(Self { agent, path, value })
    }
}

/// Writes settings into the text of a map. A text that is no TOML stays as it is: reading it will
/// say why.
///
/// # Errors
/// When an agent or a mode is named that the map doesn't have.
pub fn apply(text: &str, settings: &[Setting]) -> Result<String, SettingError> {
    let Ok(mut document) = text.parse::<DocumentMut>() else { return Ok(text.to_owned()) };
    for setting in settings {
        let mut agents = document.get_mut("agent").map_or_else(Vec::new, tables);
        let near = nearest(&setting.agent, &agents);
        let Some(agent) = find(&mut agents, &setting.agent) else {
            return Err(SettingError::UnknownAgent { name: show::text(&setting.agent), near });
        };
        setting.write(agent)?;
    }
    Ok(document.to_string())
}

impl Setting {
    fn write(&self, agent: &mut dyn TableLike) -> Result<(), SettingError> {
        match self.path.as_slice() {
            [key] if BODY.contains(&key.as_str()) => self.write_body(agent, key),
            [key] => put(agent, key, &self.value),
            [word, key] if word == "body" => self.write_body(agent, key),
            [mode, key] => {
                let mut modes = agent.get_mut("mode").map_or_else(Vec::new, tables);
                let near = nearest(mode, &modes);
                let Some(table) = find(&mut modes, mode) else {
                    let (agent, name) = (show::text(&self.agent), show::text(mode));
                    return Err(SettingError::UnknownMode { agent, name, near });
                };
                put(table, key, &self.value);
            }
            _ => {}
        }
        Ok(())
    }

    fn write_body(&self, agent: &mut dyn TableLike, key: &str) {
        if agent.get("body").is_none() {
            agent.insert("body", Item::Value(Value::InlineTable(toml_edit::InlineTable::new())));
        }
        // A `body` that is no table stays, and is reported when the map is read.
        if let Some(body) = agent.get_mut("body").and_then(Item::as_table_like_mut) {
            put(body, key, &self.value);
        }
    }
}

/// Puts a value under a key, and keeps what surrounds the value that was there.
fn put(table: &mut dyn TableLike, key: &str, value: &Value) {
    let mut value = value.clone();
    // Inserting over an entry would lose the layout of its key.
    let Some(item) = table.get_mut(key) else {
        table.insert(key, Item::Value(value));
        return;
    };
    if let Some(before) = item.as_value() {
        *value.decor_mut() = before.decor().clone();
    }
    *item = Item::Value(value);
}

/// The tables of a list, however it is written.
fn tables(item: &mut Item) -> Vec<&mut dyn TableLike> {
    match item {
        Item::ArrayOfTables(array) => {
            array.iter_mut().map(|table| table as &mut dyn TableLike).collect()
        }
        Item::Value(Value::Array(array)) => array
            .iter_mut()
            .filter_map(|value| value.as_inline_table_mut())
            .map(|table| table as &mut dyn TableLike)
            .collect(),
        _ => Vec::new(),
    }
}

fn name_of(table: &dyn TableLike) -> Option<&str> {
    table.get("name").and_then(Item::as_str)
}

fn find<'a, 'b>(
    tables: &'a mut [&'b mut dyn TableLike],
    name: &str,
) -> Option<&'a mut (dyn TableLike + 'b)> {
    tables.iter_mut().find(|table| name_of(&***table) == Some(name)).map(|table| &mut **table)
}

fn nearest(name: &str, tables: &[&mut dyn TableLike]) -> Option<String> {
    let names = tables.iter().filter_map(|table| name_of(&**table));
    show::nearest(name, names).map(ToOwned::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAP: &str = "\
# A map.
[[agent]]
name = \"guard\" # its name
at   = [1, 1] # here
body = { mass = 1, radius = 0.3 } # small

[[agent.mode]]
name = \"patrol\"
pace = 4 # slow

[[agent]]
name = \"thief\"
";

    fn set(settings: &[&str]) -> Result<String, SettingError> {
        let settings: Result<Vec<Setting>, _> = settings.iter().map(|text| text.parse()).collect();
        apply(MAP, &settings?)
    }

    #[test]
    fn settings_are_written_where_they_belong_and_comments_stay() {
        let text = set(&[
            "guard.max_speed=6",
            "guard.body.mass = 2",
            "guard.at=[3, 4]",
            "guard.patrol.pace=2",
            "thief.color=red",
            "thief.radius=0.2",
        ]);
        let expected = "\
# A map.
[[agent]]
name = \"guard\" # its name
at   = [3, 4] # here
body = { mass = 2, radius = 0.3 , max_speed = 6 } # small

[[agent.mode]]
name = \"patrol\"
pace = 2 # slow

[[agent]]
name = \"thief\"
color = \"red\"
body = { radius = 0.2 }
";
        assert_eq!(text.unwrap(), expected);
    }

    #[test]
    fn what_does_not_fit_is_said() {
        let error = |text| set(&[text]).unwrap_err().to_string();
        assert_eq!(error("gard.pace=2"), "there is no agent `gard`: did you mean `guard`?");
        assert_eq!(error("x.pace=2"), "there is no agent `x`");
        assert_eq!(
            error("guard.patrl.pace=2"),
            "agent `guard` has no mode `patrl`: did you mean `patrol`?"
        );
        for text in ["", "guard", "guard=1", "guard.pace", "guard.pace=", "a.b.c.d=1", "a.b=[1"] {
            assert!(error(text).contains("is no setting"), "{text}");
        }
        assert!(error("gu\u{1b}ard.pace=1").contains("\\u{1b}"));
    }
}
