//! The patterns a map names: found, read once each, and shared.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::diagnostic::{Diagnostic, Issues, Report};
use super::legend::Legend;
use super::origin::{Found, Store};
use super::pattern_file::{self, Design};
use super::source::Source;
use super::tiled::{self, Drawing, Rules};
use super::value::Entry;
use super::{octile, show, tiles};
use tilewalk_sim::pattern::Pattern;

/// A pattern as modes use it.
#[derive(Debug, Clone)]
pub struct Shared {
    /// The pattern.
    pub pattern: Arc<Pattern>,
    /// Do its tiles have map coordinates?
    pub absolute: bool,
}

/// The files around a map, and what has been read of them.
#[derive(Debug)]
pub struct Library<'a> {
    /// Where they are.
    pub store: &'a Store,
    /// The files read so far, the map first, and what is wrong with them.
    pub report: Report,
    /// `None` for a pattern with errors, which were reported when it was read.
    patterns: BTreeMap<String, Option<Shared>>,
    /// The names of all patterns there are, once somebody has missed one.
    names: Option<Vec<String>>,
    /// The paths of a Tiled map, for whoever names no file.
    pub drawn: BTreeMap<String, Shared>,
}

impl<'a> Library<'a> {
    /// Nothing read yet but the map.
    pub fn new(store: &'a Store, report: Report) -> Self {
        Self { store, report, patterns: BTreeMap::new(), names: None, drawn: BTreeMap::new() }
    }

    /// The pattern an entry names.
    pub fn pattern(&mut self, entry: &Entry) -> Option<(String, Shared)> {
        let name = entry.string()?;
        if let Some(fault) = fault(name) {
            let message = format!("invalid pattern name `{}`: {fault}", show::text(name));
            let help = "use a name such as `gate_round`; patterns are read from the map directory, \
                        `patterns/` and `../patterns/`";
            entry.error_with_help(message, help);
            return None;
        }
        if let Some(known) = self.patterns.get(name) {
            return known.clone().map(|shared| (name.to_owned(), shared));
        }
        let shared = match self.store.pattern(name) {
            Found::Read(source, problems) => self.read(source, problems),
            Found::Missing => match self.drawn.get(name) {
                Some(drawn) => Some(drawn.clone()),
                // Not remembered: whoever names a missing pattern is told so.
                None => return self.missing(name, entry),
            },
            Found::Refused(why) => {
                entry.error(format!("the pattern `{name}` {why}"));
                return None;
            }
        };
        self.patterns.insert(name.to_owned(), shared.clone());
        shared.map(|shared| (name.to_owned(), shared))
    }

    fn read(&mut self, source: Source, problems: Vec<Diagnostic>) -> Option<Shared> {
        let Design { pattern, absolute } =
            read_source(&mut self.report, source, problems, |issues| {
                pattern_file::read(issues.text(), issues)
            })?;
        Some(Shared { pattern: Arc::new(pattern), absolute })
    }

    fn missing<T>(&mut self, name: &str, entry: &Entry) -> Option<T> {
        if entry.issues.is_full() {
            entry.error("unknown pattern");
            return None;
        }
        let (store, drawn) = (self.store, &self.drawn);
        let all = || store.pattern_names().into_iter().chain(drawn.keys().cloned()).collect();
        let names: &Vec<String> = self.names.get_or_insert_with(all);
        let near = show::nearest(name, names.iter().map(String::as_str));
        let searched = store.searched().map(|folders| format!("searched in {folders}"));
        let help = match near {
            Some(near) => format!("did you mean `{}`?", show::text(near)),
            None if names.is_empty() => "no patterns found".to_owned(),
            None => {
                let more = if names.len() > 10 { ", …" } else { "" };
                let some = names.iter().take(10).map(String::as_str);
                format!("known patterns: {}{more}", show::list(some))
            }
        };
        let error = Diagnostic::error(entry.span(), format!("unknown pattern `{name}`"));
        let searched = searched.filter(|_| near.is_none()).unwrap_or_default();
        entry.issues.push(error.help(help).help(searched));
        None
    }
}

/// Takes a file into a report and reads it, unless its bytes are no text already.
pub fn read_source<T>(
    report: &mut Report,
    source: Source,
    problems: Vec<Diagnostic>,
    read: impl FnOnce(&Issues) -> Option<T>,
) -> Option<T> {
    let text = source.text().clone();
    let issues = Issues::new(report.add_source(source), text);
    let readable = problems.is_empty();
    for problem in problems {
        issues.push(problem);
    }
    let value = if readable { read(&issues) } else { None };
    report.add_deprecated(issues.take_deprecated());
    report.extend(issues.into_list());
    value
}

/// Why a text is no pattern name.
pub(super) fn fault(name: &str) -> Option<&'static str> {
    let strange = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '/' | '.'));
    if name.is_empty() {
        Some("the name is empty")
    } else if name.starts_with('/') {
        Some("names must not begin with `/`")
    } else if name.split('/').any(|part| part == "..") {
        Some("names must not contain `..`")
    } else if name.split('/').any(|part| part.is_empty() || part == ".") {
        Some("names must not have empty or `.` components")
    } else if name.contains(strange) {
        Some("names may contain only letters, digits, `_`, `-` and `/`")
    } else if name.contains('.') {
        Some("names must not contain dots; omit `.toml`")
    } else if name.len() > 200 {
        Some("the name is longer than 200 characters")
    } else {
        None
    }
}

/// Reads `tiles_file`: a bare name of a file beside the map.
pub fn tiles_file(entry: &Entry, store: &Store) -> Option<(Source, Vec<Diagnostic>, TilesKind)> {
    let name = entry.string()?;
    let strange = |c: char| matches!(c, '/' | '\\' | ':') || show::is_hidden(c);
    if name.is_empty() || name.starts_with('.') || name.contains(strange) || name.len() > 200 {
        let message = format!("invalid file name `{}`", show::text(name));
        entry.error_with_help(
            message,
            "use the name of a file in the map directory, without a path",
        );
        return None;
    }
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let Some(kind) = TilesKind::of(ending) else {
        let message = format!("`{}` is not a tiles file", show::text(name));
        let help = "use a `.txt` (rows of glyphs), `.map` (MovingAI octile) or `.tmx` (Tiled) file";
        entry.error_with_help(message, help);
        return None;
    };
    match store.sibling(name) {
        Found::Read(source, problems) => Some((source, problems, kind)),
        Found::Missing => {
            entry.error(format!("no file `{}` in the map directory", show::text(name)));
            None
        }
        Found::Refused(why) => {
            entry.error(format!("the file `{}` {why}", show::text(name)));
            None
        }
    }
}

/// What is in a file of tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TilesKind {
    /// Rows of our own glyphs.
    Rows,
    /// `MovingAI`'s octile format.
    Octile,
    /// A map of the editor Tiled.
    Tiled,
}

impl TilesKind {
    /// What a file with this ending is, if it is a file of tiles.
    pub fn of(ending: &str) -> Option<Self> {
        match ending {
            "txt" => Some(Self::Rows),
            "map" => Some(Self::Octile),
            "tmx" => Some(Self::Tiled),
            _ => None,
        }
    }

    /// The built-in legend of its glyphs.
    pub fn legend(self) -> Legend {
        match self {
            Self::Rows | Self::Tiled => Legend::standard(),
            Self::Octile => Legend::octile(),
        }
    }

    /// Reads a file: its tiles, and what else is drawn in it. What is wrong with files that it
    /// names goes into the report too.
    pub fn read(
        self,
        (source, problems): (Source, Vec<Diagnostic>),
        rules: &Rules,
        legend: &Legend,
        store: &Store,
        report: &mut Report,
    ) -> Option<Drawing> {
        let mut others = Report::default();
        let drawing = read_source(report, source, problems, |issues| {
            let rows = match self {
                Self::Rows => tiles::read(issues.text(), legend, 0..0, |span| span, issues),
                Self::Octile => octile::read(issues.text(), legend, issues),
                Self::Tiled => {
                    let (drawing, report) = tiled::read(issues, rules, legend, store);
                    others = report;
                    return drawing;
                }
            };
            Some(Drawing { tiles: rows?, places: Vec::new(), paths: Vec::new() })
        });
        report.merge(others);
        drawing
    }
}
