//! Reads `config.toml`: how a person wants the screen to look and to be used.
//!
//! It knows the keys of the file and not what the screen is made of: which themes, styles and
//! overlays there are, it is told by a [`Vocabulary`]. Errors are reported as those of maps are,
//! and a file with errors changes nothing. `docs/config.md` describes every key.

mod keys;
#[cfg(feature = "config")]
mod place;
mod style;

use std::ops::Range;
use std::sync::LazyLock;

use toml::de::DeTable;

use super::alias;
use super::diagnostic::{Diagnostic, Issues, Report};
use super::keys::Table;
use super::library::read_source;
use super::reader::{self, TableReader};
use super::show;
use super::source::{self, ReadError};
use super::value::Entry;
use crate::depth::When;

pub use keys::{Binding, Bound};
#[cfg(feature = "config")]
pub use place::{Place, place};
pub use style::Change;

/// The words the screen understands.
#[derive(Debug, Clone)]
pub struct Vocabulary {
    /// Themes.
    pub themes: Vec<&'static str>,
    /// Styles of a theme.
    pub styles: Vec<&'static str>,
    /// Overlays.
    pub overlays: Vec<&'static str>,
    /// Speeds, as factors; `max` comes besides.
    pub speeds: Vec<f64>,
    /// What keys can ask for.
    pub actions: Vec<Bound>,
    /// The usual spelling of a key for something of a name, or why it can't be that.
    pub key: fn(&str, &str) -> Result<String, String>,
}

/// How fast time runs at first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Speed {
    /// So many simulated seconds a real one.
    Factor(f64),
    /// As fast as the machine can.
    Max,
}

/// What becomes of the run when a file of its map was saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnReload {
    /// It is made again with the new content, up to the frame that is looked at.
    #[default]
    Resimulate,
    /// It goes on with the new content from the frame that is looked at.
    FromHere,
    /// It begins anew.
    Restart,
    /// The person is asked.
    Ask,
}

impl OnReload {
    /// All of them, with the words for them.
    pub const WORDS: [(&str, Self); 4] = [
        ("resimulate", Self::Resimulate),
        ("from_here", Self::FromHere),
        ("restart", Self::Restart),
        ("ask", Self::Ask),
    ];
}

/// What a file asks for; `None` for what it is silent about.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Config {
    /// The theme.
    pub theme: Option<&'static str>,
    /// How many colours.
    pub color: Option<When>,
    /// ASCII alone?
    pub ascii: Option<bool>,
    /// Has the screen the ground of the theme, and not the terminal's own?
    pub background: Option<bool>,
    /// Does the mouse belong to the screen?
    pub mouse: Option<bool>,
    /// How fast time runs at first.
    pub speed: Option<Speed>,
    /// The overlays that are on at first.
    pub overlays: Option<Vec<&'static str>>,
    /// Are files looked at now and then, whatever the system tells?
    pub poll: Option<bool>,
    /// What becomes of the run when a file of its map was saved.
    pub on_reload: Option<OnReload>,
    /// Changes of styles, by name.
    pub styles: Vec<(&'static str, Change)>,
    /// Other keys.
    pub keys: Vec<Binding>,
}

/// A file that has been read.
#[derive(Debug, Clone)]
pub struct Read {
    /// What it asks for; nothing when it has errors.
    pub config: Config,
    /// What is wrong with it.
    pub report: Report,
}

/// Whether a file is a configuration: it is named `config.toml`, and it is neither a map nor a pattern.
pub fn is_config(path: &std::path::Path, text: &str) -> bool {
    let (tree, _) = DeTable::parse_recoverable(text);
    let others = ["kind", "tiles", "tiles_file"];
    path.file_name().is_some_and(|name| name == "config.toml")
        && !others.iter().any(|key| tree.get_ref().contains_key(*key))
}

/// Reads a file.
///
/// # Errors
/// When it is missing or can't be read at all.
pub fn read(path: &std::path::Path, vocabulary: &Vocabulary) -> Result<Read, ReadError> {
    let (source, problems) = source::read(path, show::path(path))?;
    let mut report = Report::default();
    let config = read_source(&mut report, source, problems, |issues| of(issues, vocabulary));
    let sound = report.errors() == 0;
    Ok(Read { config: config.filter(|_| sound).unwrap_or_default(), report })
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

fn of(issues: &Issues, vocabulary: &Vocabulary) -> Option<Config> {
    reader::document(issues.text(), &KEYS, issues, |table| Some(top(table, vocabulary)))
}

fn top(table: TableReader, vocabulary: &Vocabulary) -> Config {
    let config = Config {
        theme: table.take("theme").and_then(|entry| one_of(&entry, &vocabulary.themes)),
        color: table.take("color").and_then(|entry| color(&entry)),
        ascii: table.take("ascii").and_then(|entry| entry.boolean()),
        background: table.take("background").and_then(|entry| entry.boolean()),
        mouse: table.take("mouse").and_then(|entry| entry.boolean()),
        speed: table.take("speed").and_then(|entry| speed(&entry, &vocabulary.speeds)),
        overlays: table.take("overlays").and_then(|entry| {
            let names = entry.array()?;
            Some(names.filter_map(|name| overlay(&name, &vocabulary.overlays)).collect())
        }),
        poll: table.take("poll").and_then(|entry| entry.boolean()),
        on_reload: table.take("on_reload").and_then(|entry| entry.word(&OnReload::WORDS)),
        styles: table.take("style").map_or_else(Vec::new, |entry| style::read(&entry, vocabulary)),
        keys: table.take("keys").map_or_else(Vec::new, |entry| keys::read(&entry, vocabulary)),
    };
    table.finish();
    config
}

/// One of some words.
fn one_of(entry: &Entry, words: &[&'static str]) -> Option<&'static str> {
    entry.word(&words.iter().map(|&word| (word, word)).collect::<Vec<_>>())
}

/// The name of an overlay, in any spelling.
fn overlay(entry: &Entry, names: &[&'static str]) -> Option<&'static str> {
    let old = alias::find(alias::Kind::Overlay, entry.string()?);
    match old {
        Some(old) => {
            entry.issues.deprecated(entry.span(), old);
            names.iter().copied().find(|name| *name == old.new)
        }
        None => one_of(entry, names),
    }
}

fn color(entry: &Entry) -> Option<When> {
    let words = When::WORDS.map(|word| (word, word.parse().unwrap_or_default()));
    // Numbers of colours are as good as words for them.
    let number = entry.is_number().then(|| entry.written());
    match words.iter().find(|(word, _)| Some(*word) == number) {
        Some(&(_, when)) => Some(when),
        None => entry.word(&words),
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

/// What to say of a name that nothing has.
fn unknown<'a>(
    what: &str,
    name: &str,
    span: Range<usize>,
    known: impl Iterator<Item = &'a str> + Clone,
) -> Diagnostic {
    let help = match show::nearest(name, known.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("known {what}s: {}", show::list(known)),
    };
    Diagnostic::error(span, format!("unknown {what} `{}`", show::text(name))).help(help)
}
