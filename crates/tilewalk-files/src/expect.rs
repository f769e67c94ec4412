//! Reads `[[expect]]`: the expectations that runs of a map must meet.
//!
//! Expectations are in the map file, in `MAP.expect.toml` beside the map, or in both. A map that is
//! generated or imported keeps its expectations in the second file.

mod form;
pub mod seeds;
mod setting;

use std::cell::OnceCell;
use std::collections::BTreeSet;

use toml::de::DeValue;

use super::agent::AgentDraft;
use super::diagnostic::{Diagnostic, Issues};
use super::keys::expect::{DEFAULT_DURATION, EXPECT, FILE, MAX_NAME, SECONDS};
use super::keys::map::MAX_EXPECTATIONS;
use super::known_modes::KnownModes;
use super::library::Library;
use super::origin::Found;
use super::reader::{Entry, TableReader, document};
use super::report::read_source;
use super::source::Source;
use super::span_tree::SpanTree;
use super::target::Targets;
use super::{lint, rule, show};
use tilewalk_sim::condition::{Condition, ConditionContext, NumberCondition};
use tilewalk_sim::scenario::expectation::{Expectation, SourcePosition, WindowStart};

/// The parts of a map that expectations refer to.
#[derive(Debug)]
pub struct Scene<'a> {
    pub targets: &'a Targets<'a>,
    pub drafts: &'a [AgentDraft],
    /// Duration of a frame, in seconds.
    pub tick: f64,
    /// Text of the map file.
    pub text: &'a str,
}

/// The expectations of a map.
#[derive(Debug)]
pub struct Expectations<'a> {
    scene: Scene<'a>,
    names: BTreeSet<String>,
    /// Syntax tree of the map, parsed when the first setting is read. `None` inside the cell means
    /// that the map has syntax errors.
    tree: OnceCell<Option<SpanTree>>,
    /// The expectations, each with its byte offset in its file.
    pub list: Vec<(Expectation, usize)>,
}

impl<'a> Expectations<'a> {
    pub fn new(scene: Scene<'a>) -> Self {
        Self { scene, names: BTreeSet::new(), tree: OnceCell::new(), list: Vec::new() }
    }

    /// Reads the expectations of a file. `file` is the index of this file in the sources of the
    /// map.
    pub fn read(&mut self, list: Option<&Entry>, file: usize) {
        let Some(list) = list else { return };
        let tables = list.tables(&EXPECT);
        if tables.len() > MAX_EXPECTATIONS {
            list.error(format!("the file has more than {MAX_EXPECTATIONS} `[[expect]]` tables"));
            return;
        }
        for table in tables {
            let expectation = self.read_one(&table, file);
            self.list.extend(expectation.map(|expectation| (expectation, table.span().start)));
            table.finish();
        }
    }

    /// Reads the expectation file beside the map. Does nothing if there is no such file.
    pub fn read_file(&mut self, library: &mut Library) {
        let Some(name) = library.store.expectations() else { return };
        let file = library.report.sources().len();
        let (source, problems) = match library.store.sibling(name) {
            Found::Missing => return,
            Found::Read(source, problems) => (source, problems),
            Found::Refused(why) => {
                let problem = Diagnostic::error(0..0, format!("the file {why}"));
                (Source::new(show::text(name), None, ""), vec![problem])
            }
        };
        read_source(&mut library.report, source, problems, |issues| {
            document(issues.text(), &FILE, issues, |table| {
                super::format(&table);
                self.read(table.take("expect").as_ref(), file);
                table.finish();
                Some(())
            })
        });
    }

    fn read_one(&mut self, table: &TableReader, file: usize) -> Option<Expectation> {
        let name = self.name(table);
        let form = form::read(table, self);
        let duration = self.duration(table);
        let from = self.from(table);
        let seeds = seeds::read(table);
        let share = seeds.as_ref().and_then(|seeds| seeds::share(table, seeds));
        let set = self.settings(table);
        let fails = text(table, "fails");
        let tags = tags(table);
        let (form, seeds) = (form?, seeds?);
        form::check_window(table, self, duration);
        seeds::check_golden(&form, &seeds, table);
        let (at_least, confidence) = share?;
        let place = SourcePosition { file, line: 0, column: 0 };
        Some(Expectation {
            name: name?,
            form,
            from: from?,
            duration,
            seeds,
            at_least,
            confidence,
            set: set?,
            fails,
            tags: tags?,
            place,
        })
    }

    /// Reads the name of an expectation. Reports a missing or duplicate name and returns `None`.
    fn name(&mut self, table: &TableReader) -> Option<String> {
        let entry = table.require("name")?;
        let name = short(&entry)?.to_owned();
        if !self.names.insert(name.clone()) {
            entry.error(format!("the name `{name}` is already used by another expectation"));
            return None;
        }
        Some(name)
    }

    /// Reads the length of the expectation's window, in frames.
    fn duration(&self, table: &TableReader) -> u64 {
        let mut key = "duration";
        if let Some(within) = table.take("within").filter(|_| !table.has("when")) {
            if table.has(key) {
                let message = "`within` and `duration` are the same in this form: use one of them";
                within.error_at_key(message, "");
            }
            key = "within";
        }
        self.frames(table.double(key).unwrap_or(DEFAULT_DURATION))
    }

    /// Reads `from`, the start of the window: a time in seconds or a condition. Returns `None` for
    /// an invalid value.
    fn from(&self, table: &TableReader) -> Option<WindowStart> {
        let from = table.take("from");
        let by = table.double("start_by").unwrap_or(DEFAULT_DURATION);
        match from {
            Some(from) if matches!(from.get(), DeValue::String(_)) => {
                let condition = self.condition(&from)?;
                Some(WindowStart::When { condition: Box::new(condition), by: self.frames(by) })
            }
            Some(from) if !from.is_number() => from.wrong_type("a time in seconds or a condition"),
            from => {
                if let Some(by) = table.take("start_by") {
                    by.error_at_key("`start_by` needs a condition in `from`", "");
                }
                let seconds = from.map_or(Some(0.0), |from| from.double(SECONDS))?;
                Some(WindowStart::Frame(self.frames(seconds)))
            }
        }
    }

    fn condition(&self, entry: &Entry) -> Option<Condition> {
        let scope = self.scope();
        let read = |text: &str| Condition::read(text, &scope, ConditionContext::Global);
        let condition = rule::in_string(entry, read)?;
        rule::warn_cost(condition.cost(), &entry.span(), entry.issues);
        lint::warn_impossible(&condition, &entry.span(), None, entry.issues);
        Some(condition)
    }

    /// Reads the key `value`: an expression that must stay within bounds. Reports an invalid
    /// expression and returns `None`.
    fn value(&self, entry: &Entry) -> Option<NumberCondition> {
        let scope = self.scope();
        let read = |text: &str| NumberCondition::read(text, &scope, ConditionContext::Global);
        let value = rule::in_string(entry, read)?;
        rule::warn_cost(value.cost(), &entry.span(), entry.issues);
        Some(value)
    }

    fn scope(&self) -> KnownModes<'_> {
        KnownModes { targets: self.scene.targets, drafts: self.scene.drafts }
    }

    /// Converts a duration from seconds to frames, rounded down. A small tolerance absorbs rounding
    /// errors.
    fn frames(&self, seconds: f64) -> u64 {
        (seconds / self.scene.tick + 1e-6) as u64
    }
}

/// Reads a name or tag. The text must be a single line of at most `MAX_NAME` characters, at least
/// one of them visible. Reports any other text and returns `None`.
pub fn short<'a>(entry: &Entry<'a>) -> Option<&'a str> {
    let line = entry.line()?;
    let (key, count) = (entry.key, line.chars().count());
    if line.trim().is_empty() {
        entry.error(format!("`{key}` must not be empty"));
        return None;
    }
    if count > MAX_NAME {
        entry.error(format!("`{key}` has {count} characters; the limit is {MAX_NAME}"));
        return None;
    }
    Some(line)
}

/// Reads a single-line text. Reports an empty text. Returns `None` if the key is missing or the
/// text is not a valid line.
fn text(table: &TableReader, key: &'static str) -> Option<String> {
    let entry = table.take(key)?;
    let text = entry.line()?;
    if text.trim().is_empty() {
        entry.error_with_help(format!("`{key}` must not be empty"), "write the reason");
    }
    Some(text.to_owned())
}

fn tags(table: &TableReader) -> Option<Vec<String>> {
    let Some(entry) = table.take("tags") else { return Some(Vec::new()) };
    let tags: Vec<_> = entry.array()?.map(|tag| short(&tag).map(str::to_owned)).collect();
    tags.into_iter().collect()
}

/// Reports a missing key that the form `form` requires.
fn missing(table: &TableReader, key: &str, form: &str, issues: &Issues) {
    if !issues.is_partial() {
        issues.error(table.span(), format!("missing key `{key}`, which completes `{form}`"));
    }
}
