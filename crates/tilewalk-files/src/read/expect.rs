//! Reads `[[expect]]`: the expectations that runs of a map must meet.
//!
//! Expectations are in the map file, in `MAP.expect.toml` beside the map, or in both. A map that is
//! generated or imported keeps its expectations in the second file.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use toml::de::DeValue;

use crate::keys::expect::{
    DEFAULT_DURATION, DEFAULT_SEEDS, EXPECT, FILE, FORMS, FormKeyUse, FormKeys, FormValue,
    FormValues, MAX_NAME, MAX_SEEDS, SECONDS, SET,
};
use crate::keys::map::{MAX_EXPECTATIONS, MAX_SEED};
use crate::keys::table::{Key, ValueKind};
use crate::read::pattern_file::Library;
use crate::read::{lint, rule};
use crate::settings::{self, Setting};
use crate::show;
use crate::text::diagnostic::{Diagnostic, Issues};
use crate::text::reader::{Entry, TableReader, document};
use crate::text::report::{Report, read_source};
use crate::text::source::{self, Found, ReadError, Source};
use crate::text::span_tree::SpanTree;
use crate::values;
use tilewalk_sim::agent::AgentKind;
use tilewalk_sim::condition::{Condition, ConditionContext, NumberCondition, Scope};
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::scenario::expectation::{
    Expectation, Form, Golden, Seeds, SourcePosition, WindowStart,
};
use tilewalk_sim::scenario::sources::{FileRole, SourceFile, Sources};
use tilewalk_sim::sort::SmallSort;
use tilewalk_sim::statistics::least_seeds;

/// The parts of a map that expectations refer to.
pub struct Scene<'a> {
    /// Names of agents, groups and places.
    pub scope: &'a dyn Scope,
    pub kinds: Vec<&'a AgentKind>,
    /// Duration of a frame, in seconds.
    pub tick: f64,
    /// Text of the map file.
    pub text: &'a str,
}

/// The expectations of a map.
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
            self.read_document(issues, file)
        });
    }

    /// Reads the text of an expectation file. `file` is the index of this file in the sources of the
    /// map.
    fn read_document(&mut self, issues: &Issues, file: usize) -> Option<()> {
        document(issues.text(), &FILE, issues, |table| {
            crate::text::reader::check_format(&table);
            self.read(table.take("expect").as_ref(), file);
            table.finish();
            Some(())
        })
    }

    fn read_one(&mut self, table: &TableReader, file: usize) -> Option<Expectation> {
        let name = self.name(table);
        let form = read_form(table, self);
        let duration = self.duration(table);
        let from = self.from(table);
        let usual = match form {
            Some(Form::Golden(_)) => 1,
            Some(_) | None => DEFAULT_SEEDS,
        };
        let seeds = read_seeds(table, usual);
        let share = seeds.as_ref().and_then(|seeds| share(table, seeds));
        let margin = margin(table, share);
        let set = self.settings(table);
        let fails = text(table, "fails");
        let tags = tags(table);
        let (form, seeds) = (form?, seeds?);
        check_window(table, self, duration);
        check_golden(&form, &seeds, table);
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
            margin: margin?,
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
        rule::warn_in(entry, condition.cost(), condition.notes());
        lint::warn_impossible(&condition, &entry.span(), None, entry.issues);
        Some(condition)
    }

    /// Reads the key `value`: an expression that must stay within bounds. Reports an invalid
    /// expression and returns `None`.
    fn value(&self, entry: &Entry) -> Option<NumberCondition> {
        let scope = self.scope();
        let read = |text: &str| NumberCondition::read(text, &scope, ConditionContext::Global);
        let value = rule::in_string(entry, read)?;
        rule::warn_in(entry, value.cost(), value.notes());
        Some(value)
    }

    fn scope(&self) -> &dyn Scope {
        self.scene.scope
    }

    /// Converts a duration from seconds to frames, rounded down. A small tolerance absorbs rounding
    /// errors.
    fn frames(&self, seconds: f64) -> u64 {
        (seconds / self.scene.tick + 1e-6) as u64
    }
}

/// Reads a file of expectations for a scenario whose agents follow the run of another program, and
/// adds them to the scenario. Returns `None` for the scenario if the file has errors.
///
/// # Errors
/// Returns an error if the file can't be read.
pub fn add_expectations(
    scenario: &Scenario,
    path: &Path,
) -> Result<(Option<Scenario>, Report), ReadError> {
    let (source, problems) = source::read(path, show::path(path))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let source = source.at(FileRole::Beside(name));
    let mut sources = Sources::clone(scenario.sources());
    let file = sources.files.len();
    sources.files.push(SourceFile {
        place: source.place().clone(),
        label: source.label().to_owned(),
        text: Arc::clone(source.text()),
    });
    let text = sources.files[0].text.to_string();
    let (kinds, tick) = (scenario.kinds().iter().collect(), scenario.tick());
    let mut expectations = Expectations::new(Scene { scope: scenario, kinds, tick, text: &text });
    let mut report = Report::default();
    let lines = source.clone();
    read_source(&mut report, source, problems, |issues| expectations.read_document(issues, file));
    if report.errors() > 0 {
        return Ok((None, report));
    }
    let mut parts = scenario.clone().into_parts();
    parts.expectations = Vec::new();
    for (mut expectation, offset) in expectations.list {
        let place = &mut expectation.place;
        (place.line, place.column) = lines.line_column(offset);
        parts.expectations.push(expectation);
    }
    parts.sources = Arc::new(sources);
    Ok((parts.build().ok(), report))
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

/// The table of an expectation whose form is known.
struct FormReader<'a> {
    table: &'a TableReader<'a>,
    form: &'static FormKeys,
    expectations: &'a Expectations<'a>,
}

/// Reads the form of an expectation. Reports a missing form, more than one form, and keys of other
/// forms. Returns `None` after any error.
fn read_form(table: &TableReader, expectations: &Expectations) -> Option<Form> {
    let mut named: Vec<_> =
        FORMS.iter().filter_map(|form| Some((form, table.take(form.key.name)?))).collect();
    named.small_sort_by_key(|(_, entry)| entry.key_span.start);
    match &named[..] {
        [] => {
            report_missing(table);
            None
        }
        &[(form, _)] => {
            let is_alone = refuse_others(table, Some(form.key.name));
            let form = FormReader { table, form, expectations }.read();
            form.filter(|_| is_alone)
        }
        [(first, _), rest @ ..] => {
            for (form, entry) in rest {
                let (name, first) = (form.key.name, first.key.name);
                let message = format!("`{name}` and `{first}` can't be used together");
                entry.error_at_key(message, "an expectation has exactly one form");
            }
            None
        }
    }
}

/// Reports an expectation without a form.
fn report_missing(table: &TableReader) {
    let is_whole = refuse_others(table, None);
    if is_whole && !table.issues.is_partial() {
        let forms = show::list(FORMS.iter().map(|form| form.key.name));
        let message = format!("an expectation needs one of {forms}");
        table.issues.error(table.span(), message);
    }
}

/// Reports keys that belong to forms other than `form`. Returns true if the table has no such keys.
fn refuse_others(table: &TableReader, form: Option<&str>) -> bool {
    let mut is_whole = true;
    for other in FORMS.iter().filter(|other| form != Some(other.key.name)) {
        for (key, usage) in &other.others {
            let is_shared = *usage == FormKeyUse::Shared;
            let Some(entry) = table.take(key.name).filter(|_| !is_shared) else { continue };
            is_whole = false;
            let help = if form.is_some() { "an expectation has exactly one form" } else { "" };
            entry.error_at_key(format!("`{}` needs `{}`", key.name, other.key.name), help);
            if let ValueKind::Float(_) = key.kind {
                table.double(key.name);
            }
        }
    }
    is_whole
}

/// Reports a duration of the form that exceeds the length of the window, `duration` frames.
fn check_window(table: &TableReader, expectations: &Expectations, duration: u64) {
    let keys = FORMS.iter().flat_map(|form| &form.others);
    for (key, _) in keys.filter(|(_, usage)| *usage == FormKeyUse::InWindow) {
        let Some(entry) = table.take(key.name) else { continue };
        let frames = table.double(key.name).map(|seconds| expectations.frames(seconds));
        if frames.is_some_and(|frames| frames > duration) {
            let seconds = (duration as f64 * expectations.scene.tick * 1000.0).round() / 1000.0;
            let message = format!("`{}` is longer than the window of {seconds} s", key.name);
            entry.error_with_help(message, "increase `duration`");
        }
    }
}

impl<'a> FormReader<'a> {
    /// Reads all keys of the form. Reports missing keys and invalid values, and returns `None`.
    fn read(&self) -> Option<Form> {
        let keys = core::iter::once(&self.form.key).chain(self.form.others.iter().map(|it| &it.0));
        let values: Vec<_> = keys.map(|key| self.value(key)).collect();
        let are_valid = self.check_bounds();
        let values: Option<Vec<FormValue>> = values.into_iter().collect();
        (self.form.create)(&mut FormValues(values.filter(|_| are_valid)?.into_iter()))
    }

    fn value(&self, key: &Key) -> Option<FormValue> {
        let number = || self.table.double(key.name);
        if self.bounds().any(|bound| bound == key.name) {
            return Some(FormValue::Bound(number()));
        }
        let entry = self.entry(key.name)?;
        if let ValueKind::Condition = key.kind {
            self.expectations.condition(&entry).map(FormValue::Condition)
        } else if let ValueKind::Text = key.kind {
            self.expectations.value(&entry).map(FormValue::Number)
        } else if let ValueKind::Line = key.kind {
            golden(&entry)
        } else {
            number().map(|seconds| FormValue::Frames(self.expectations.frames(seconds)))
        }
    }

    /// Returns the value of a key. Reports a missing key and returns `None`.
    fn entry(&self, key: &'static str) -> Option<Entry<'a>> {
        let entry = self.table.take(key);
        if entry.is_none() {
            missing(self.table, key, self.form.key.name, self.table.issues);
        }
        entry
    }

    /// Iterates over the keys of the bounds: the upper bound, then the lower bound.
    fn bounds(&self) -> impl Iterator<Item = &'static str> {
        let bounds = self.form.others.iter().filter(|(_, usage)| *usage == FormKeyUse::Bound);
        bounds.map(|(key, _)| key.name)
    }

    /// Reports missing bounds, and an upper bound that is not above the lower bound. Returns true
    /// if there is no such error.
    fn check_bounds(&self) -> bool {
        let keys: Vec<_> = self.bounds().collect();
        let &[upper, lower] = &keys[..] else { return true };
        let table = self.table;
        if !table.has(upper) && !table.has(lower) {
            missing(table, upper, self.form.key.name, table.issues);
            return false;
        }
        if let (Some(below), Some(above), Some(entry)) =
            (table.double(upper), table.double(lower), table.take(upper))
            && below <= above
        {
            entry.error(format!("`{upper}` must be greater than `{lower}`"));
            return false;
        }
        true
    }
}

/// Reads an engine revision and a state hash, such as `2:0123456789abcdef`. An empty text means
/// that the state is not known yet. Reports an invalid text and returns `None`.
fn golden(entry: &Entry) -> Option<FormValue> {
    let text = entry.line()?;
    if text.is_empty() {
        return Some(FormValue::Golden(None));
    }
    let read = || {
        let (engine, hash) = text.split_once(':')?;
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let hash = (hash.len() == 16 && digits(hash)).then_some(hash)?;
        let engine = engine.bytes().all(|byte| byte.is_ascii_digit()).then_some(engine)?;
        let hash = u64::from_str_radix(hash, 16).ok()?;
        Some(Golden { engine: engine.parse().ok()?, hash })
    };
    let golden = read();
    if golden.is_none() {
        let help = "write an empty string; `tilewalk test --bless` replaces it";
        entry.error_with_help(format!("invalid state `{}`", show::text(text)), help);
    }
    golden.map(|golden| FormValue::Golden(Some(golden)))
}

/// Reads `seeds`: a number of seeds, or a list of different seeds. `usual` is the number of seeds if
/// the key is missing. Returns `None` for an invalid value.
#[expect(clippy::wildcard_enum_match_arm, reason = "foreign enum: other TOML types are errors")]
pub fn read_seeds(table: &TableReader, usual: u32) -> Option<Seeds> {
    let Some(entry) = table.take("seeds") else { return Some(Seeds::Next(usual)) };
    match entry.get() {
        DeValue::Integer(_) => entry.count(1..=MAX_SEEDS as u32).map(Seeds::Next),
        DeValue::Array(_) => read_seed_list(&entry).map(Seeds::List),
        _ => entry.wrong_type("a number of seeds or an array of seeds"),
    }
}

/// Reads a list of different seeds. Reports any other value and returns `None`.
pub(super) fn read_seed_list(entry: &Entry) -> Option<Vec<u64>> {
    let entries = entry.array()?;
    if entries.len() == 0 || entries.len() > MAX_SEEDS {
        let count = entries.len();
        entry.error(format!("`seeds` needs between 1 and {MAX_SEEDS} seeds, but has {count}"));
        return None;
    }
    let mut known = BTreeSet::new();
    let read = |entry: Entry| {
        let seed = entry.integer(0..=MAX_SEED)?.cast_unsigned();
        if !known.insert(seed) {
            entry.error(format!("the seed {seed} is listed twice"));
        }
        Some(seed)
    };
    let seeds: Vec<_> = entries.map(read).collect();
    seeds.into_iter().collect()
}

fn count_seeds(seeds: &Seeds) -> u64 {
    match seeds {
        Seeds::Next(count) => u64::from(*count),
        Seeds::List(seeds) => seeds.len() as u64,
    }
}

/// Reads `at_least` and `confidence`, two fractions. The default of `at_least` is 1. A missing
/// `confidence` is `None`. Reports a confidence that needs more seeds than `seeds`. Returns `None`
/// after any error.
pub fn share(table: &TableReader, seeds: &Seeds) -> Option<(f64, Option<f64>)> {
    let at_least = table.double("at_least");
    let confidence = table.double("confidence");
    let entries = (table.take("at_least"), table.take("confidence"));
    if let (Some(0.0), Some(entry)) = (at_least, &entries.0) {
        entry.error("`at_least` must be above 0");
        return None;
    }
    let is_valid = at_least.is_some() || entries.0.is_none();
    let (share, Some(entry)) = (at_least.unwrap_or(1.0), &entries.1) else {
        if let (Some(entry), 1) = (&entries.0, count_seeds(seeds))
            && at_least.is_some_and(|share| share < 1.0)
        {
            let message = "`at_least` has no effect with one seed";
            let warning = Diagnostic::warning(entry.span(), message).help("set `seeds`");
            entry.issues.push(warning);
        }
        return Some((at_least.unwrap_or(1.0), None));
    };
    let confidence = confidence.filter(|_| is_valid)?;
    if confidence == 0.0 || confidence == 1.0 {
        entry.error("`confidence` must be above 0 and below 1");
        return None;
    }
    if share == 1.0 {
        let example = least_seeds(0.95, confidence);
        let help = format!("for example, `at_least = 0.95` needs {example} seeds");
        entry.error_with_help("`confidence` needs `at_least` below 1", help);
        return None;
    }
    let (least, count) = (least_seeds(share, confidence), count_seeds(seeds));
    if count < least {
        let message = format!(
            "this claim needs {least} seeds, but has {count}: `at_least` is {share}, `confidence` \
             is {confidence}"
        );
        let help = if least > MAX_SEEDS as u64 {
            format!(
                "more than {MAX_SEEDS} seeds are not possible: lower `at_least` or `confidence`"
            )
        } else {
            format!("write `seeds = {least}` or more, or remove `confidence`")
        };
        entry.error_with_help(message, help);
        return None;
    }
    Some((share, Some(confidence)))
}

/// Reads `margin`, the largest difference of the share from `at_least` that does not matter. Reports
/// a margin without `confidence`, or a margin that reaches 0. Returns `None` after any error.
fn margin(table: &TableReader, share: Option<(f64, Option<f64>)>) -> Option<f64> {
    let Some(entry) = table.take("margin") else { return Some(0.0) };
    let margin = table.double("margin")?;
    let (at_least, confidence) = share?;
    if confidence.is_none() {
        entry.error_at_key("`margin` needs `confidence`", "");
        return None;
    }
    if margin >= at_least {
        entry.error("`margin` must be below `at_least`");
        return None;
    }
    Some(margin)
}

/// Reports a golden state for several seeds. Runs with different seeds end in different states.
fn check_golden(form: &Form, seeds: &Seeds, table: &TableReader) {
    let is_golden = matches!(form, Form::Golden(_));
    if let Some(entry) = table.take("seeds").filter(|_| is_golden && count_seeds(seeds) > 1) {
        entry.error("`golden` is the state of a run with one seed");
    }
}

impl Expectations<'_> {
    /// Reads the settings. Reports paths that the map does not have, and returns `None`. The values
    /// are checked by `check`, and when the expectation is run.
    pub(crate) fn settings(&self, table: &TableReader) -> Option<Vec<Setting>> {
        let Some(entry) = table.take("set") else { return Some(Vec::new()) };
        let entries = entry.table(&SET)?.into_entries();
        let tree = self.tree.get_or_init(|| SpanTree::parse(self.scene.text));
        let mut tree = tree.clone();
        let read = |(path, span, value)| self.setting(path, span, &value, tree.as_mut());
        let settings: Vec<_> = entries.into_iter().map(read).collect();
        settings.into_iter().collect()
    }

    /// Reads the setting that changes the path `text` to `value`, and applies the setting to `map`.
    fn setting(
        &self,
        text: &str,
        span: Range<usize>,
        value: &Entry,
        map: Option<&mut SpanTree>,
    ) -> Option<Setting> {
        let refuse = |message: String, help: String| {
            value.issues.push(Diagnostic::error(span.clone(), message).help(help));
        };
        let Ok(path) = values::parse_path(text) else {
            let help = if matches!(value.get(), DeValue::Table(_)) {
                "write the path in quotes, as in `\"guard.body.max_speed\" = 3.0`"
            } else {
                "write the path of a value, as in `\"guard.body.max_speed\" = 3.0`"
            };
            refuse(format!("invalid path `{}`", show::text(text)), help.to_owned());
            return None;
        };
        if value.written().contains('\n') {
            value.error("the value of a setting must be on one line");
            return None;
        }
        let setting = match settings::with_text(&path, value.written()) {
            Ok(setting) => setting,
            Err(error) => {
                refuse(error.to_string(), String::new());
                return None;
            }
        };
        // The reader of the map has reported the errors of a map that can't be parsed.
        if let Some(map) = map.filter(|_| !value.issues.is_partial()) {
            if let Err(error) = settings::put_in(&setting, map) {
                refuse(error.to_string(), String::new());
                return None;
            }
            let kinds = self.scene.kinds.iter().copied();
            if let Err(unknown) = settings::key_of_path(&path, kinds) {
                refuse(unknown.message, unknown.help);
                return None;
            }
        }
        Some(setting)
    }
}
