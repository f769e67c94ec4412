//! Reads `config.toml`, the configuration of the screen.
//!
//! The caller passes the available themes, styles, overlays and actions as a [`ConfigSchema`]. If
//! the file has errors, all keys count as not set. `docs/config.md` describes every key.
//!
//! `[keys]` binds keys to actions, and `[style]` changes individual styles.

use core::str::FromStr;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use toml::de::{DeTable, DeValue};

use crate::keys::old_names;
use crate::keys::table::Table;
use crate::show;
use crate::text::diagnostic::{Diagnostic, Issues};
use crate::text::memory_limit::too_heavy;
use crate::text::reader::{self, Entry, TableReader};
use crate::text::report::{Report, read_source};
use crate::text::source::{self, ReadError};
use crate::tiles::legend;
use tilewalk_sim::color::Color;

/// Colour depth: the number of colours to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// No colours: only bold, underlined and reversed text.
    None,
    /// The 16 colours that every colour terminal has.
    Sixteen,
    /// The 256 colours of xterm.
    Indexed,
    /// 24-bit RGB colours.
    TrueColor,
}

impl Depth {
    /// Returns the name of the colour depth: `none`, `16`, `256` or `truecolor`.
    pub fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Sixteen => "16",
            Self::Indexed => "256",
            Self::TrueColor => "truecolor",
        }
    }
}

/// The user's choice of colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum When {
    /// Use all colours of the terminal, unless the environment disables colours.
    #[default]
    Auto,
    /// Use all colours of the terminal, but at least 16.
    Always,
    /// Use no colours.
    Never,
    /// Use exactly this number of colours.
    Exactly(Depth),
}

impl When {
    /// All choices, with their names in options and configuration files.
    pub const WORDS: [(&str, Self); 6] = [
        ("auto", Self::Auto),
        ("always", Self::Always),
        ("never", Self::Never),
        ("16", Self::Exactly(Depth::Sixteen)),
        ("256", Self::Exactly(Depth::Indexed)),
        ("truecolor", Self::Exactly(Depth::TrueColor)),
    ];

    /// Returns the name of this choice, as in [`When::WORDS`]. Returns `none` for
    /// `Exactly(Depth::None)`.
    pub fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(_, when)| *when == self).map_or("none", |(word, _)| word)
    }
}

impl FromStr for When {
    type Err = UnknownWhen;

    fn from_str(word: &str) -> Result<Self, UnknownWhen> {
        let found = Self::WORDS.into_iter().find(|(known, _)| *known == word);
        found.map(|(_, when)| when).ok_or(UnknownWhen)
    }
}

/// Error for a word that is not in [`When::WORDS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected auto, always, never, 16, 256 or truecolor")]
pub struct UnknownWhen;

/// Names and values that a configuration can use.
#[derive(Debug, Clone)]
pub struct ConfigSchema {
    /// Names that `theme` accepts.
    pub themes: Vec<&'static str>,
    /// Style names that `[style]` accepts.
    pub styles: Vec<&'static str>,
    /// Names that `overlays` accepts.
    pub overlays: Vec<&'static str>,
    /// Valid playback speeds as factors of real time. `max` is always valid.
    pub speeds: Vec<f64>,
    /// Actions that `[keys]` can bind.
    pub actions: Vec<Bound>,
    /// Checks whether a key can be bound to an action. The first argument is the action, the second
    /// the key. Returns the usual spelling of the key, or the reason why the binding is not
    /// allowed.
    pub key: fn(&str, &str) -> Result<String, String>,
}

/// Initial playback speed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Speed {
    /// Simulated seconds per real second.
    Factor(f64),
    /// As fast as the computer can simulate.
    Max,
}

/// Effect of a saved map file on the current run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnReload {
    /// Simulate all frames again with the new content, up to the current frame.
    #[default]
    Resimulate,
    /// Continue with the new content from the current frame.
    FromHere,
    /// Restart at frame 0.
    Restart,
    /// Ask the user which of the other actions to take.
    Ask,
}

impl OnReload {
    /// All variants, with their names in configuration files.
    pub const WORDS: [(&str, Self); 4] = [
        ("resimulate", Self::Resimulate),
        ("from_here", Self::FromHere),
        ("restart", Self::Restart),
        ("ask", Self::Ask),
    ];
}

/// Values of a configuration file. A value is `None` or empty if the file does not set its key.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Config {
    /// Theme name, one of [`ConfigSchema::themes`].
    pub theme: Option<&'static str>,
    /// Number of colours to use, or when to use colours.
    pub color: Option<When>,
    /// Whether to draw with ASCII characters only.
    pub ascii: Option<bool>,
    /// Whether to draw the background of the theme instead of the terminal's.
    pub background: Option<bool>,
    /// Whether to capture the mouse. Otherwise the terminal can select text.
    pub mouse: Option<bool>,
    /// Playback speed at the start.
    pub speed: Option<Speed>,
    /// Names of the overlays that are initially on.
    pub overlays: Option<Vec<&'static str>>,
    /// Whether to poll map files instead of using file-system notifications.
    pub poll: Option<bool>,
    /// Effect of a saved map file on the current run.
    pub on_reload: Option<OnReload>,
    /// Changes to styles, by style name.
    pub styles: Vec<(&'static str, StyleSetting)>,
    /// Key bindings that replace the defaults.
    pub keys: Vec<Binding>,
}

/// Result of reading a configuration file.
#[derive(Debug, Clone)]
pub struct ReadConfig {
    /// Values from the file. If the file has errors, no value is set.
    pub config: Config,
    /// Errors and warnings, with the text of the file.
    pub report: Report,
}

/// Returns true if the file name is `config.toml` and the text is neither a map nor a pattern.
pub(crate) fn is_config(path: &std::path::Path, text: &str) -> bool {
    if path.file_name().is_none_or(|name| name != "config.toml") || too_heavy(text).is_some() {
        return false;
    }
    let (tree, _) = DeTable::parse_recoverable(text);
    let others = ["kind", "tiles", "tiles_file"];
    !others.iter().any(|key| tree.get_ref().contains_key(*key))
}

/// Reads a configuration file. Problems in the file are in [`ReadConfig::report`].
///
/// # Errors
/// Returns an error if the file is missing or unreadable.
pub fn read(path: &std::path::Path, schema: &ConfigSchema) -> Result<ReadConfig, ReadError> {
    let (source, problems) = source::read(path, show::path(path))?;
    let mut report = Report::default();
    let config = read_source(&mut report, source, problems, |issues| {
        reader::document(issues.text(), &KEYS, issues, |table| Some(top(table, schema)))
    });
    let sound = report.errors() == 0;
    Ok(ReadConfig { config: config.filter(|_| sound).unwrap_or_default(), report })
}

static KEYS: LazyLock<Table> = LazyLock::new(|| {
    Table::of_names(
        "the configuration",
        &[
            "theme",
            "color",
            "ascii",
            "background",
            "mouse",
            "speed",
            "overlays",
            "poll",
            "on_reload",
            "style",
            "keys",
        ],
    )
});

fn top(table: TableReader, schema: &ConfigSchema) -> Config {
    let config = Config {
        theme: table.take("theme").and_then(|entry| one_of(&entry, &schema.themes)),
        color: table.take("color").and_then(|entry| color(&entry)),
        ascii: table.take("ascii").and_then(|entry| entry.boolean()),
        background: table.take("background").and_then(|entry| entry.boolean()),
        mouse: table.take("mouse").and_then(|entry| entry.boolean()),
        speed: table.take("speed").and_then(|entry| speed(&entry, &schema.speeds)),
        overlays: table.take("overlays").and_then(|entry| {
            let names = entry.array()?;
            Some(names.filter_map(|name| overlay(&name, &schema.overlays)).collect())
        }),
        poll: table.take("poll").and_then(|entry| entry.boolean()),
        on_reload: table.take("on_reload").and_then(|entry| entry.word(&OnReload::WORDS)),
        styles: table.take("style").map_or_else(Vec::new, |entry| read_styles(&entry, schema)),
        keys: table.take("keys").map_or_else(Vec::new, |entry| read_keys(&entry, schema)),
    };
    table.finish();
    config
}

/// Reads a value that must be one of `words`. Reports any other value and returns `None`.
fn one_of(entry: &Entry, words: &[&'static str]) -> Option<&'static str> {
    entry.word(&words.iter().map(|&word| (word, word)).collect::<Vec<_>>())
}

/// Reads the name of an overlay. Old spellings are accepted and recorded as deprecated. Returns
/// `None` for an unknown name.
fn overlay(entry: &Entry, names: &[&'static str]) -> Option<&'static str> {
    let old = old_names::find(old_names::AliasKind::Overlay, entry.string()?);
    match old {
        Some(old) => {
            entry.issues.deprecated(entry.span(), old);
            names.iter().copied().find(|name| *name == old.new)
        }
        None => one_of(entry, names),
    }
}

fn color(entry: &Entry) -> Option<When> {
    // `color = 256` means the same as `color = "256"`.
    let number = entry.is_number().then(|| entry.written());
    match number.and_then(|number| number.parse().ok()) {
        Some(when) => Some(when),
        None => entry.word(&When::WORDS),
    }
}

fn speed(entry: &Entry, speeds: &[f64]) -> Option<Speed> {
    if !entry.is_number() {
        return entry.word(&[("max", Speed::Max)]);
    }
    let factor = entry.double(0.0..=1e6)?;
    if !speeds.contains(&factor) {
        let known: Vec<_> = speeds.iter().map(ToString::to_string).collect();
        let help = format!("valid speeds: {} or \"max\"", known.join(", "));
        entry.error_with_help(format!("invalid speed {factor}"), help);
        return None;
    }
    Some(Speed::Factor(factor))
}

/// Creates the error for an unknown name. `what` is the noun for the message, such as `style`.
fn unknown<'a>(
    issues: &Issues,
    what: &str,
    name: &str,
    span: Range<usize>,
    known: impl Iterator<Item = &'a str> + Clone,
) -> Diagnostic {
    let near = known.clone();
    let all = || format!("known {what}s: {}", show::list(known));
    let help = issues.suggestion(&span, name, near, all);
    Diagnostic::error(span, format!("unknown {what} `{}`", show::text(name))).help(help)
}

/// An action that keys can trigger.
#[derive(Debug, Clone)]
pub struct Bound {
    /// Name of the action, as written in `[keys]`.
    pub name: &'static str,
    /// Default keys, in their usual spelling.
    pub keys: Vec<String>,
    /// Names of the contexts in which the keys work.
    pub places: Vec<&'static str>,
    /// Whether only a key can trigger the action. The action then needs at least one key.
    pub needs_key: bool,
}

/// The name of an action, and its new keys in their usual spelling.
pub type Binding = (&'static str, Vec<String>);

/// A key in its usual spelling, and its byte range in the file.
type WrittenKey = (String, Range<usize>);

static BINDINGS: LazyLock<Table> = LazyLock::new(|| Table::open("keys"));

/// Reads the table `[keys]`. Reports unknown actions, invalid keys and keys that are bound twice.
fn read_keys(entry: &Entry, schema: &ConfigSchema) -> Vec<Binding> {
    let Some(table) = entry.table(&BINDINGS) else { return Vec::new() };
    let mut written: Vec<(&Bound, Vec<WrittenKey>)> = Vec::new();
    for (name, span, entry) in table.into_entries() {
        let old = old_names::find(old_names::AliasKind::Action, name);
        if let Some(old) = old {
            entry.issues.deprecated(span.clone(), old);
        }
        let current = old.map_or(name, |old| old.new);
        let Some(bound) = schema.actions.iter().find(|bound| bound.name == current) else {
            let names = schema.actions.iter().map(|bound| bound.name);
            entry.issues.push(unknown(entry.issues, "action", name, span, names));
            continue;
        };
        let keys = read_binding(&entry, bound, schema.key);
        written.push((bound, keys));
    }
    conflicts(entry, &schema.actions, &written);
    let strip = |keys: Vec<WrittenKey>| keys.into_iter().map(|(key, _)| key).collect();
    written.into_iter().map(|(bound, keys)| (bound.name, strip(keys))).collect()
}

/// Reads one key or an array of keys.
fn read_binding(
    entry: &Entry,
    bound: &Bound,
    spelled: fn(&str, &str) -> Result<String, String>,
) -> Vec<WrittenKey> {
    let elements: Vec<Entry> = if let DeValue::Array(_) = entry.get() {
        entry.array().into_iter().flatten().collect()
    } else {
        vec![entry.clone()]
    };
    if elements.is_empty() && bound.needs_key {
        entry.error(format!(
            "`{}` needs at least one key: it can't be typed as a command",
            bound.name
        ));
    }
    let each = |entry: Entry| {
        let spelled = spelled(bound.name, entry.string()?);
        spelled.map_err(|why| entry.error(why)).ok().map(|key| (key, entry.span()))
    };
    elements.into_iter().filter_map(each).collect()
}

/// Reports each key that triggers two actions in the same context.
fn conflicts(entry: &Entry, actions: &[Bound], written: &[(&Bound, Vec<WrittenKey>)]) {
    let stays = |bound: &&Bound| !written.iter().any(|(other, _)| other.name == bound.name);
    let mut taken: BTreeMap<(&str, &str), &str> = BTreeMap::new();
    for bound in actions.iter().filter(stays) {
        for (place, key) in context_pairs(bound, bound.keys.iter().map(String::as_str)) {
            taken.insert((place, key), bound.name);
        }
    }
    for (bound, keys) in written {
        for (key, span) in keys {
            let mut is_reported = false;
            for (place, key) in context_pairs(bound, std::iter::once(key.as_str())) {
                let other = taken.insert((place, key), bound.name);
                let Some(other) = other.filter(|other| *other != bound.name && !is_reported) else {
                    continue;
                };
                is_reported = true;
                let place = place.to_lowercase();
                let message =
                    format!("key `{}` is already bound to `{other}` ({place})", show::text(key));
                let help = format!("bind `{other}` to a different key");
                entry.issues.push(Diagnostic::error(span.clone(), message).help(help));
            }
        }
    }
}

/// Returns all pairs of a context of the action and a key of `keys`.
fn context_pairs<'a>(
    bound: &'a Bound,
    keys: impl Iterator<Item = &'a str>,
) -> impl Iterator<Item = (&'static str, &'a str)> {
    keys.flat_map(|key| bound.places.iter().map(move |place| (*place, key)))
}

/// Changes to a style; `None` keeps the value of the theme.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StyleSetting {
    /// Text colour.
    pub fg: Option<Color>,
    /// Background colour.
    pub bg: Option<Color>,
    /// Whether text is bold.
    pub bold: Option<bool>,
    /// Whether text is italic.
    pub italic: Option<bool>,
    /// Whether text is underlined.
    pub underlined: Option<bool>,
    /// Whether text and background colours are swapped.
    pub reversed: Option<bool>,
}

static STYLES: LazyLock<Table> = LazyLock::new(|| Table::open("styles"));

static STYLE: LazyLock<Table> = LazyLock::new(|| {
    Table::of_names("a style", &["fg", "bg", "bold", "italic", "underlined", "reversed"])
});

/// Reads the table `[style]`. Reports unknown style names.
fn read_styles(entry: &Entry, schema: &ConfigSchema) -> Vec<(&'static str, StyleSetting)> {
    let Some(table) = entry.table(&STYLES) else { return Vec::new() };
    let each = |(name, span, entry): (&str, _, Entry)| {
        let Some(&name) = schema.styles.iter().find(|known| **known == name) else {
            let names = schema.styles.iter().copied();
            entry.issues.push(unknown(entry.issues, "style", name, span, names));
            return None;
        };
        Some((name, read_style(&entry)?))
    };
    table.into_entries().into_iter().filter_map(each).collect()
}

fn read_style(entry: &Entry) -> Option<StyleSetting> {
    let table = entry.table(&STYLE)?;
    let colored = |key| table.take(key).and_then(|entry| legend::read_color(&entry));
    let (fg, bg) = (colored("fg"), colored("bg"));
    let flag = |key| table.take(key).and_then(|entry| entry.boolean());
    let change = StyleSetting {
        fg,
        bg,
        bold: flag("bold"),
        italic: flag("italic"),
        underlined: flag("underlined"),
        reversed: flag("reversed"),
    };
    table.finish();
    Some(change)
}
