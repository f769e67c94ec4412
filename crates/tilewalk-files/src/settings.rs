//! Settings: values that replace or add values of a map file. A setting has the form
//! `agent.key=value`, or `key=value` for the map itself.
//!
//! A setting replaces bytes of the map text before the map is read, so the new value is checked
//! like the rest of the file. All other bytes stay the same. Saving a setting makes the same
//! replacement in the file.
//!
//! This module also finds the value and the key of a path, and describes settings that do not
//! fit a map.

mod applied;

use toml_edit::Value as TomlValue;

use crate::keys::agent::{AGENT, BODY, MODE, TRANSITION, VIEW};
use crate::keys::map::MAP;
use crate::keys::steer;
use crate::keys::table::{Key, Table};
use crate::show;
use crate::text::diagnostic::suggestion;
use crate::text::span_tree::{NoPlace, PathStep, SpanTree, Splice};
use crate::values::{self, EntryId, InnerTable, NoPath, TablePath, Value, ValuePath};
use tilewalk_sim::agent::AgentKind;

pub(crate) use applied::AppliedSettings;
pub use tilewalk_sim::scenario::setting::Setting;

/// Parses a setting. The value is in TOML notation, or a plain word that is read as a string.
///
/// # Errors
/// Returns an error if the text is not a path and a value.
pub fn parse(text: &str) -> Result<Setting, SettingError> {
    let malformed = || SettingError::Malformed(show::text(text));
    let (path, value) = text.split_once('=').ok_or_else(malformed)?;
    let typed = path.split('.').map(str::trim).collect::<Vec<_>>().join(".");
    let path = values::parse_path(&typed).map_err(|NoPath| malformed())?;
    let value = parse_value(value).ok_or_else(malformed)?;
    Ok(Setting::typed(path, typed, value))
}

/// Creates a setting from a path and a value in TOML notation or a plain word.
///
/// # Errors
/// Returns an error if the value is invalid.
pub fn with_text(path: &ValuePath, value: &str) -> Result<Setting, SettingError> {
    let malformed = || SettingError::Malformed(show::text(&format!("{path}={value}")));
    let value = parse_value(value).ok_or_else(malformed)?;
    Ok(Setting::new(path.clone(), value))
}

/// Creates a setting from a path and a value.
pub fn with_value(path: &ValuePath, value: &Value) -> Setting {
    Setting::new(path.clone(), value.toml().to_owned())
}

/// Returns a text in TOML notation unchanged. Returns a plain word as a TOML string. Returns `None`
/// for any other text.
fn parse_value(text: &str) -> Option<String> {
    let text = text.trim();
    let bare = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '/' | '.' | '#');
    let word = || (!text.is_empty() && text.chars().all(bare)).then(|| TomlValue::from(text));
    let value = text.parse::<TomlValue>().ok().or_else(word)?;
    Some(value.to_string().trim().to_owned())
}

/// Returns the strings in the value of a setting: the string itself, or the strings of a list.
pub fn strings(setting: &Setting) -> Vec<String> {
    let Ok(value) = setting.value_text().parse::<TomlValue>() else { return Vec::new() };
    let list = value.as_array().into_iter().flatten().filter_map(TomlValue::as_str);
    value.as_str().into_iter().chain(list).map(ToOwned::to_owned).collect()
}

/// Applies settings to the text of a map. Returns invalid TOML unchanged; its errors are reported
/// when the text is read.
///
/// # Errors
/// Returns an error if a setting names an agent, mode or list entry that the map does not have.
pub fn apply(text: &str, settings: &[Setting]) -> Result<String, SettingError> {
    let map = SpanTree::parse(text).map(|map| AppliedSettings::new(map, settings)).transpose()?;
    Ok(map.map_or_else(|| text.to_owned(), |applied| applied.map.text().to_owned()))
}

/// Adds a setting to a list, and removes an earlier setting for the same path.
pub fn put(settings: &mut Vec<Setting>, setting: Setting) {
    settings.retain(|other| other.path() != setting.path());
    settings.push(setting);
}

/// Returns the current value at the setting's path in the text of a map, as written. Returns
/// `None` if the text is not valid TOML or has no such value.
pub fn present(setting: &Setting, text: &str) -> Option<String> {
    present_in(setting, SpanTree::parse(text).as_ref())
}

/// Returns the current value at the setting's path in a map, as written. Returns `None` if
/// `map` is `None` or has no such value.
pub(crate) fn present_in(setting: &Setting, map: Option<&SpanTree>) -> Option<String> {
    map?.get(&steps(setting.path())).map(ToOwned::to_owned)
}

/// Returns the 1-based line of a map that the setting changes or adds. Returns `None` if the
/// setting does not fit the map.
pub(crate) fn line_in(setting: &Setting, map: &SpanTree) -> Option<usize> {
    let Splice { span, .. } = put_in(setting, &mut map.clone()).ok()?;
    Some(map.text().get(..span.start)?.matches('\n').count() + 1)
}

/// Returns the setting with the number of a behaviour in its path. The number replaces the word
/// of the behaviour.
///
/// # Errors
/// Returns an error if the map does not have the behaviour exactly once.
pub(crate) fn numbered(setting: &Setting, map: &SpanTree) -> Result<Setting, SettingError> {
    let path = numbered_path(setting.path(), map).map_err(|error| refused(setting, error, map))?;
    Ok(setting.with_path(path))
}

/// Writes the value to a map, and returns the replaced bytes. Returns an error if the setting
/// does not fit the map.
pub(crate) fn put_in(setting: &Setting, map: &mut SpanTree) -> Result<Splice, SettingError> {
    map.put(&steps(setting.path()), setting.value_text())
        .map_err(|error| refused(setting, error, map))
}

/// Error for an invalid setting.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// The setting has invalid syntax.
    #[error("invalid setting `{0}`: write `agent.key=value`, as in `guard.max_speed=6`")]
    Malformed(String),
    /// The map has no such agent.
    #[error("unknown agent `{name}`{}", show::did_you_mean(.near.as_deref()))]
    UnknownAgent {
        /// Unknown name, safe to print.
        name: String,
        /// Similar agent name; `None` if no name is similar.
        near: Option<String>,
    },
    /// The agent has no such mode.
    #[error("agent `{agent}` has no mode `{name}`{}", show::did_you_mean(.near.as_deref()))]
    UnknownMode {
        /// Name of the agent.
        agent: String,
        /// Unknown name, safe to print.
        name: String,
        /// Similar mode name; `None` if no name is similar.
        near: Option<String>,
    },
    /// The list has no such entry.
    #[error("`{setting}`: {}", rows(.list, *.count))]
    UnknownRow {
        /// Setting as typed.
        setting: String,
        /// Key of the list that the setting refers to.
        list: String,
        /// Number of entries in the list.
        count: usize,
    },
    /// The list has no such behaviour.
    #[error("`{list}` has no behaviour `{word}`{}", show::did_you_mean(.near.as_deref()))]
    UnknownBehaviour {
        /// Path of the list.
        list: String,
        /// Unknown word, safe to print.
        word: String,
        /// Similar word or path; `None` if nothing is similar.
        near: Option<String>,
    },
    /// The path has several meanings.
    #[error("`{path}` is ambiguous: write {}", alternatives(.readings))]
    Ambiguous {
        /// Path as typed.
        path: String,
        /// Unambiguous paths that the user can write instead.
        readings: Vec<String>,
    },
    /// The value at the path can't be replaced by a single value.
    #[error("`{0}` can't be set: only single values can be set")]
    NoPlace(String),
}

fn rows(list: &str, count: usize) -> String {
    match count {
        0 => format!("`{list}` has no entries"),
        1 => format!("`{list}` has only one entry"),
        _ => format!("`{list}` has {count} entries, numbered from 1"),
    }
}

fn alternatives(paths: &[String]) -> String {
    let quoted: Vec<_> = paths.iter().map(|path| format!("`{path}`")).collect();
    quoted.join(" or ")
}

/// Converts a [`NoPlace`] error of the map to an error for the user.
pub(crate) fn refused(setting: &Setting, error: NoPlace, map: &SpanTree) -> SettingError {
    let no_place = || SettingError::NoPlace(setting.typed_path().to_owned());
    let Some(table) = &setting.path().table else { return no_place() };
    if let InnerTable::Entry(list, EntryId::Word(word)) = &table.inner
        && let Some(error) = refused_word(setting, (table, list, word), &error, map)
    {
        return error;
    }
    let agent = || show::text(&table.agent);
    match error {
        NoPlace::Row(list, count) => {
            SettingError::UnknownRow { setting: setting.to_string(), list, count }
        }
        NoPlace::Name(list, near) => match &table.mode {
            Some(mode) if list == "mode" => {
                SettingError::UnknownMode { agent: agent(), name: show::text(mode), near }
            }
            _ => SettingError::UnknownAgent { name: agent(), near },
        },
        NoPlace::Behaviour(_) | NoPlace::Ambiguous(_) | NoPlace::Other => no_place(),
    }
}

/// Returns the error for a behaviour word that matches no entry of its list, or several
/// entries. Returns `None` for other errors.
fn refused_word(
    setting: &Setting,
    (table, list, word): (&TablePath, &str, &str),
    error: &NoPlace,
    map: &SpanTree,
) -> Option<SettingError> {
    let path = |table: TablePath| {
        ValuePath { table: Some(table), key: setting.path().key.clone() }.to_string()
    };
    let ambiguous = |readings| {
        Some(SettingError::Ambiguous { path: setting.typed_path().to_owned(), readings })
    };
    let words = match error {
        NoPlace::Ambiguous(numbers) => {
            let entry = |&number| InnerTable::Entry(list.to_owned(), EntryId::Number(number));
            return ambiguous(numbers.iter().map(|it| path(table.inner(entry(it)))).collect());
        }
        NoPlace::Row(_, 0) => &[][..],
        NoPlace::Behaviour(words) => words,
        NoPlace::Row(..) | NoPlace::Name(..) | NoPlace::Other => return None,
    };
    let modes = map.names(&[PathStep::Named("agent", &table.agent), PathStep::Key("mode")]);
    let in_modes = modes
        .into_iter()
        .filter(|_| table.mode.is_none())
        .map(|mode| TablePath { mode: Some(mode.to_owned()), ..table.clone() });
    let mut readings: Vec<_> =
        in_modes.filter(|table| map.number(&table_steps(table)).is_ok()).map(path).collect();
    if readings.len() > 1 {
        return ambiguous(readings);
    }
    let near = || show::nearest(word, words.iter().map(String::as_str)).map(str::to_owned);
    Some(SettingError::UnknownBehaviour {
        list: ValuePath { table: Some(table.inner(InnerTable::Own)), key: list.to_owned() }
            .to_string(),
        word: show::text(word),
        near: readings.pop().or_else(near),
    })
}

/// Returns the steps from the top-level table of a map to this table.
fn table_steps(path: &TablePath) -> Vec<PathStep<'_>> {
    let TablePath { agent, mode, inner } = path;
    let mut parts = vec![PathStep::Named("agent", agent)];
    parts.extend(mode.iter().map(|mode| PathStep::Named("mode", mode)));
    match inner {
        InnerTable::Own => {}
        InnerTable::Body => parts.push(PathStep::Key("body")),
        InnerTable::View => parts.extend([PathStep::Key("body"), PathStep::Key("view")]),
        InnerTable::Entry(list, EntryId::Number(number)) => {
            parts.extend([PathStep::Key(list), PathStep::Row(*number)]);
        }
        InnerTable::Entry(list, EntryId::Word(word)) => {
            parts.extend([PathStep::Key(list), PathStep::Behaviour(word)]);
        }
    }
    parts
}

/// Returns the steps from the top-level table of a map to this value.
pub(crate) fn steps(path: &ValuePath) -> Vec<PathStep<'_>> {
    let mut parts = path.table.as_ref().map_or_else(Vec::new, table_steps);
    parts.push(PathStep::Key(&path.key));
    parts
}

/// Returns the path with the number of the behaviour instead of its word.
///
/// # Errors
/// Returns an error if the list of behaviours in `map` does not have the word exactly once.
pub(crate) fn numbered_path(path: &ValuePath, map: &SpanTree) -> Result<ValuePath, NoPlace> {
    let Some(table) = &path.table else { return Ok(path.clone()) };
    let InnerTable::Entry(list, EntryId::Word(_)) = &table.inner else {
        return Ok(path.clone());
    };
    let number = EntryId::Number(map.number(&table_steps(table))?);
    let table = table.inner(InnerTable::Entry(list.clone(), number));
    Ok(ValuePath { table: Some(table), key: path.key.clone() })
}

/// An unknown key, with a line of advice.
#[derive(Debug)]
pub(crate) struct UnknownKey {
    pub message: String,
    pub help: String,
}

/// Returns the key of a path; `None` for a key of a behaviour that a setting adds. `kinds` are the
/// agents of the map.
///
/// # Errors
/// Returns an error for a key that its table does not have.
pub(crate) fn key_of_path<'a>(
    path: &ValuePath,
    kinds: impl IntoIterator<Item = &'a AgentKind>,
) -> Result<Option<&'static Key>, UnknownKey> {
    let table = match &path.table {
        Some(table) => table_of(table, kinds),
        None => Some(&*MAP),
    };
    let Some(table) = table else { return Ok(None) };
    if let Some(key) = table.key(&path.key) {
        return Ok(Some(key));
    }
    // A key of the body can be given without `body`.
    let body = BODY.names().filter(|_| table.title == AGENT.title);
    let all = || format!("valid keys: {}", show::list(table.names()));
    let help = suggestion(&path.key, table.names().chain(body), all);
    Err(UnknownKey { message: format!("unknown key `{}` of {}", path.key, table.title), help })
}

/// Returns the list of keys that a table of an agent can have; `None` for a behaviour that a
/// setting adds.
fn table_of<'a>(
    path: &TablePath,
    kinds: impl IntoIterator<Item = &'a AgentKind>,
) -> Option<&'static Table> {
    Some(match &path.inner {
        InnerTable::Own if path.mode.is_some() => &MODE,
        InnerTable::Own => &AGENT,
        InnerTable::Body => &BODY,
        InnerTable::View => &VIEW,
        InnerTable::Entry(list, _) if list == "switch" => &TRANSITION,
        InnerTable::Entry(_, entry) => {
            let kind = kinds.into_iter().find(|kind| kind.name == path.agent);
            let mut modes = kind.iter().flat_map(|kind| &kind.modes);
            let mode = modes.find(|mode| path.mode.as_ref().is_none_or(|name| *name == mode.name));
            let mut rows = mode?.drive.steering().iter();
            let row = match entry {
                EntryId::Number(number) => rows.nth(number.checked_sub(1)?)?,
                EntryId::Word(word) => rows.find(|row| row.behaviour.word() == word)?,
            };
            steer::table(row.behaviour.spec())
        }
    })
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
name   = \"patrol\"
pace   = 4 # slow
switch = [
  { when = \"sees(thief)\", to = \"hunt\" },   # there!
]

[[agent.mode]]
name  = \"hunt\"
steer = [
  { do = \"seek\", target = \"thief\" }, # after it
  { do = \"wander\",
    weight = 1 },
]

[[agent]]
name = \"thief\"
at   = [2, 2]
steer = [{ do = \"wander\" }]
body.mass = 1 # dotted

[[agent]]
name  = \"last\"
";

    fn set(settings: &[&str]) -> Result<String, SettingError> {
        let settings: Result<Vec<Setting>, _> = settings.iter().map(|text| parse(text)).collect();
        apply(MAP, &settings?)
    }

    /// Returns the lines that a setting changes or adds.
    fn changed(setting: &str) -> String {
        let text = set(&[setting]).unwrap();
        let (old, new): (Vec<_>, Vec<_>) = (MAP.lines().collect(), text.lines().collect());
        let same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
        let ends = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new);
        let ends = ends.count().min(old.len().min(new.len()) - same);
        new[same..new.len() - ends].join("|")
    }

    #[test]
    fn a_setting_replaces_only_its_value() {
        let row = |text: &str| changed(text).trim().to_owned();
        assert_eq!(row("guard.at=[3, 4]"), "at   = [3, 4] # here");
        assert_eq!(row("guard.body.mass = 2"), "body = { mass = 2, radius = 0.3 } # small");
        assert_eq!(row("guard.patrol.pace=2"), "pace   = 2 # slow");
        assert_eq!(row("guard.hunt.steer.2.weight=2.5"), "weight = 2.5 },");
        let there = "guard.patrol.switch.1.when=\"distance(thief) == 3\"";
        let expected = "{ when = \"distance(thief) == 3\", to = \"hunt\" },   # there!";
        assert_eq!(row(there), expected);
    }

    #[test]
    fn missing_keys_are_added_to_their_tables() {
        let row = |text: &str| changed(text).trim().to_owned();
        let body = "body = { mass = 1, radius = 0.3, max_speed = 6 } # small";
        assert_eq!(row("guard.max_speed=6"), body);
        let seek = "{ do = \"seek\", target = \"thief\", weight = 2 }, # after it";
        assert_eq!(row("guard.hunt.steer.1.weight=2"), seek);
        let view = "body = { mass = 1, radius = 0.3, view = { range = 4 } } # small";
        assert_eq!(row("guard.body.view.range=4"), view);
        assert_eq!(row("guard.hunt.combine=weighted"), "combine = \"weighted\"");
        assert_eq!(row("guard.hunt.pace=2"), "pace  = 2");
        assert_eq!(row("thief.radius=0.2"), "body.radius = 0.2");
        assert_eq!(row("thief.steer.1.jitter=3"), "steer = [{ do = \"wander\", jitter = 3 }]");
        assert_eq!(row("last.mass=3"), "body  = { mass = 3 }");
    }

    #[test]
    fn a_list_of_settings_is_applied_in_order() {
        let list = [
            "last.body.view.range=4",
            "last.body.view.angle=90",
            "last.mass=3",
            "guard.hunt.steer.2.jitter=3",
            "guard.hunt.steer=[{ do = \"seek\" }, {}]",
            "guard.hunt.steer.2.weight=2",
            "guard.hunt.steer.2.do=wander",
            "guard.hunt.pace=2",
            "guard.hunt.combine=weighted",
            "guard.mass=2",
            "guard.body={}",
            "guard.mass=10",
            "guard.radius=0.25",
            "thief.body.view.range=4",
            "thief.radius=0.2",
            "thief.name=burglar",
            "burglar.mass=3",
            "last.pace=2",
        ];
        for text in [MAP.to_owned(), MAP.replace('\n', "\r\n"), MAP.trim_end().to_owned()] {
            let settings = list.map(|setting| parse(setting).unwrap());
            let mut one_by_one = text.clone();
            for setting in settings.chunks(1) {
                one_by_one = apply(&one_by_one, setting).unwrap();
            }
            assert_eq!(apply(&text, &settings).unwrap(), one_by_one);
        }
        let text = set(&list).unwrap();
        assert!(text.contains("body  = { view = { range = 4, angle = 90 }, mass = 3 }"), "{text}");
        assert!(text.contains("[{ do = \"seek\" }, { weight = 2, do = \"wander\" }]"), "{text}");
        assert!(text.contains("body = { mass = 10, radius = 0.25 } # small"), "{text}");
    }

    #[test]
    fn dotted_keys_keep_all_their_parts() {
        let map = "[[agent]]\nname = \"a\"\nbody.view.range = 4\n";
        let set = apply(map, &[parse("a.body.view.angle=90").unwrap()]).unwrap();
        assert_eq!(set, format!("{map}body.view.angle = 90\n"));
        let inline = "agent = [{ name = \"a\", body.mass = 1 }]";
        let set = |setting: &str| apply(inline, &[parse(setting).unwrap()]);
        assert_eq!(set("a.mass=2").unwrap(), inline.replace('1', "2"));
        assert!(set("a.radius=0.2").unwrap_err().to_string().contains("can't be set"));
    }

    #[test]
    fn line_endings_are_kept() {
        let text = MAP.replace('\n', "\r\n");
        let settings = [parse("last.mass=3").unwrap(), parse("guard.max_speed=6").unwrap()];
        let set = apply(&text, &settings).unwrap();
        assert_eq!(set.replace("\r\n", "\n"), apply(MAP, &settings).unwrap());
        assert!(!set.replace("\r\n", "").contains('\n'));
        let set = apply(MAP.trim_end(), &settings[..1]).unwrap();
        assert!(set.ends_with("\"last\"\nbody  = { mass = 3 }"), "{set}");
    }

    #[test]
    fn invalid_settings_are_reported() {
        let error = |text| set(&[text]).unwrap_err().to_string();
        assert_eq!(error("gard.pace=2"), "unknown agent `gard`: did you mean `guard`?");
        assert_eq!(error("x.pace=2"), "unknown agent `x`");
        assert_eq!(
            error("guard.patrl.pace=2"),
            "agent `guard` has no mode `patrl`: did you mean `patrol`?"
        );
        assert_eq!(
            error("guard.hunt.steer.3.weight=2"),
            "`guard.hunt.steer.3.weight=2`: `steer` has 2 entries, numbered from 1"
        );
        assert!(error("guard.steer.1.weight=2").contains("`steer` has no entries"));
        assert!(error("guard.hunt.steer.0.weight=2").contains("numbered from 1"));
        assert!(error("guard.mode=2").contains("can't be set"));
        let none = ["", "guard", "guard=1", "guard.pace", "guard.pace=", "a.b.c.d=1", "a.b=[1"];
        for text in none.into_iter().chain(["a.switch.x.y=1", "a.steer.1=1", "a.b.steer.99999.c=1"])
        {
            assert!(error(text).contains("invalid setting"), "{text}");
        }
        assert!(error("gu\u{1b}ard.pace=1").contains("\\u{1b}"));
    }

    #[test]
    fn paths_can_name_behaviours_by_word_and_values_of_the_map_itself() {
        let row = |text: &str| changed(text).trim().to_owned();
        assert_eq!(row("guard.hunt.steer.wander.weight=2.5"), "weight = 2.5 },");
        assert_eq!(row("thief.steer.wander.jitter=3"), row("thief.steer.1.jitter=3"));
        assert_eq!(apply("a = 1", &[parse("tick=0.1").unwrap()]).unwrap(), "a = 1\ntick = 0.1");
        let ticks = "tick = 0.05 # short\ntiles = '.'\n";
        let set = apply(ticks, &[parse("tick=0.1").unwrap(), parse("edges=wrap").unwrap()]);
        assert_eq!(set.unwrap(), "tick = 0.1 # short\ntiles = '.'\nedges = \"wrap\"\n");
    }

    #[test]
    fn a_later_setting_replaces_an_earlier_one() {
        let mut list = Vec::new();
        for text in ["a.max_speed=1", "a.steer.1.weight=2", "a.body.max_speed=3", "a.pace=1"] {
            put(&mut list, parse(text).unwrap());
        }
        let list: Vec<_> = list.iter().map(Setting::to_string).collect();
        assert_eq!(list, ["a.steer.1.weight=2", "a.body.max_speed=3", "a.pace=1"]);
        let value = |text: &str| present(&parse(text).unwrap(), MAP);
        assert_eq!(value("guard.mass=9").as_deref(), Some("1"));
        assert_eq!(value("guard.hunt.steer.1.weight=9"), None);
    }

    #[test]
    fn unclear_words_of_behaviours_are_reported() {
        let map = "[[agent]]\nname = 'a'\nsteer = [{ do = 'seek' }, { do = 'wander' }, { do = 'seek' }]\n\
                   [[agent]]\nname = 'b'\n[[agent.mode]]\nname = 'x'\nsteer = [{ do = 'seek' }]\n\
                   [[agent.mode]]\nname = 'y'\nsteer = [{ do = 'seek' }, { do = 'flee' }]\n";
        let error = |text: &str| apply(map, &[parse(text).unwrap()]).unwrap_err().to_string();
        assert_eq!(
            error("a.steer.seek.weight=1"),
            "`a.steer.seek.weight` is ambiguous: write `a.steer.1.weight` or `a.steer.3.weight`"
        );
        assert_eq!(
            error("a.steer.wandr.weight=1"),
            "`a.steer` has no behaviour `wandr`: did you mean `wander`?"
        );
        assert_eq!(
            error("b.steer.seek.weight=1"),
            "`b.steer.seek.weight` is ambiguous: write `b.x.steer.seek.weight` or \
             `b.y.steer.seek.weight`"
        );
        assert_eq!(
            error("b.steer.flee.weight=1"),
            "`b.steer` has no behaviour `flee`: did you mean `b.y.steer.flee.weight`?"
        );
        assert_eq!(error("b.x.steer.flee.weight=1"), "`b.x.steer` has no behaviour `flee`");
        assert_eq!(error("c.steer.flee.weight=1"), "unknown agent `c`: did you mean `a`?");
    }
}
