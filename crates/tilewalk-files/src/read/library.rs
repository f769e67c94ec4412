//! Finds and reads the patterns that a map names. Each pattern is read once.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::disk::store::Store;
use crate::read::pattern_file::{self, Design};
use crate::show;
use crate::text::diagnostic::Diagnostic;
use crate::text::reader::Entry;
use crate::text::report::{Report, read_source};
use crate::text::source::Found;
use crate::text::source::Source;
use tilewalk_sim::pattern::Pattern;

/// A pattern that several modes can share.
#[derive(Debug, Clone)]
pub struct Shared {
    pub pattern: Arc<Pattern>,
    /// Whether the coordinates of the pattern are map coordinates. Otherwise they are relative to
    /// the anchor.
    pub absolute: bool,
}

/// The patterns that a map uses, read on demand.
#[derive(Debug)]
pub struct Library<'a> {
    pub store: &'a Store,
    /// Problems in all files read so far. The map is the first file.
    pub report: Report,
    /// Patterns by name; `None` for patterns with errors, which are already reported.
    patterns: BTreeMap<String, Option<Shared>>,
    /// Names of all existing patterns, for suggestions; `None` until the first unknown pattern name
    /// is found.
    names: Option<Vec<String>>,
    /// Paths of a Tiled map, by name. A path is used only if no pattern file has its name.
    pub drawn: BTreeMap<String, Shared>,
}

impl<'a> Library<'a> {
    pub fn new(store: &'a Store, report: Report) -> Self {
        Self { store, report, patterns: BTreeMap::new(), names: None, drawn: BTreeMap::new() }
    }

    /// Returns the name and the pattern that an entry names. Reports an invalid name or a missing
    /// pattern. Returns `None` after any error.
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
                // A missing pattern is reported at each use.
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
        if !entry.issues.stores(&entry.span()) {
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

/// Returns the reason why a text is not a valid pattern name; `None` for a valid name.
pub(crate) fn fault(name: &str) -> Option<&'static str> {
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
