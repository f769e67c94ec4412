//! Reports: the problems in a set of files, with the texts of the files. A report is rendered
//! as text with source lines and advice, or as JSON.
//!
//! All output is safe to print. Each control character of a file is replaced by one visible
//! character, so that columns stay correct.

use std::collections::BTreeMap;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use serde::Serialize;

use crate::show;
use crate::text::diagnostic::{Diagnostic, FileId, Issues, Severity};
use crate::text::source::Source;
use tilewalk_sim::sort::SmallSort;

/// A set of files and the problems in the files.
#[derive(Debug, Clone, Default)]
pub struct Report {
    sources: Vec<Source>,
    diagnostics: Vec<Diagnostic>,
    deprecated: Vec<Diagnostic>,
}

impl Report {
    /// Adds a file. The first file added must be the requested file.
    pub(crate) fn add_source(&mut self, source: Source) -> FileId {
        self.sources.push(source);
        FileId(self.sources.len() as u32 - 1)
    }

    /// Adds problems, and sorts all problems by file and location.
    pub fn extend(&mut self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        self.diagnostics.extend(diagnostics);
        self.diagnostics.small_sort_by_key(|each| (each.file, each.span.start, each.severity));
    }

    /// Adds warnings about old spellings. The report omits these warnings until
    /// [`Report::with_deprecated`] is called.
    pub(crate) fn add_deprecated(&mut self, warnings: Vec<Diagnostic>) {
        self.deprecated.extend(warnings);
    }

    /// Returns the report with a warning for each old spelling.
    #[must_use]
    pub fn with_deprecated(mut self) -> Self {
        let deprecated = core::mem::take(&mut self.deprecated);
        self.extend(deprecated);
        self
    }

    /// Adds the files and problems from another report, except duplicates.
    pub fn merge(&mut self, other: Self) {
        let mut ids = Vec::with_capacity(other.sources.len());
        for source in other.sources {
            let same = |each: &Source| {
                // A stored file has no path and is identified by its role for the map.
                let kept = source.path().is_none();
                let there = each.path() == source.path();
                there && (!kept || each.place() == source.place()) && each.text() == source.text()
            };
            let known = self.sources.iter().position(same);
            ids.push(known.map_or_else(|| self.add_source(source), |index| FileId(index as u32)));
        }
        let lists =
            [(&mut self.diagnostics, other.diagnostics), (&mut self.deprecated, other.deprecated)];
        for (list, others) in lists {
            for mut diagnostic in others {
                diagnostic.file = ids[diagnostic.file.0 as usize];
                if !list.contains(&diagnostic) {
                    list.push(diagnostic);
                }
            }
        }
    }

    /// Returns all files. The first file is the requested file.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// Returns the file with this id. The id must come from this report.
    pub fn source(&self, file: FileId) -> &Source {
        &self.sources[file.0 as usize]
    }

    /// Returns the problems, sorted by file and location.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Returns the number of problems that make a file unusable.
    pub fn errors(&self) -> usize {
        self.count(Severity::Error)
    }

    /// Returns the number of warnings, without the omitted warnings about old spellings.
    pub fn warnings(&self) -> usize {
        self.count(Severity::Warning)
    }

    fn count(&self, severity: Severity) -> usize {
        self.diagnostics.iter().filter(|each| each.severity == severity).count()
    }
}

/// Adds a file to a report and parses the file with `read`. A file with `problems` is not valid
/// text and is not parsed. Returns `None` for a file with `problems`, or if `read` returns `None`.
pub(crate) fn read_source<T>(
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

/// Maximum length of a printed source line, in bytes. For longer lines, only the location is
/// printed.
const LONGEST_LINE: usize = 64 * 1024;

/// Maximum number of similar problems to show.
const MOST_ALIKE: usize = 10;

/// A problem in machine-readable form, for `check --format json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ProblemEntry<'a> {
    /// Name of the file that contains the problem.
    pub file: &'a str,
    /// 1-based line number.
    pub line: usize,
    /// 1-based column, in characters.
    pub column: usize,
    /// Severity of the problem: `error` or `warning`.
    pub severity: &'static str,
    /// Description of the problem.
    pub message: &'a str,
    /// Advice on how to fix the problem, or an empty string.
    pub help: String,
}

impl Report {
    /// Renders the report without colours. The text ends with a newline unless it is empty.
    pub fn plain(&self) -> String {
        self.render(&Renderer::plain())
    }

    /// Renders the report with terminal colours.
    pub fn styled(&self) -> String {
        self.render(&Renderer::styled())
    }

    /// Returns all problems in machine-readable form, sorted by file and location.
    pub fn entries(&self) -> impl Iterator<Item = ProblemEntry<'_>> {
        self.diagnostics().iter().map(|each| {
            let source = self.source(each.file);
            let (line, column) = source.line_column(each.span.start);
            ProblemEntry {
                file: source.label(),
                line,
                column,
                severity: each.severity.word(),
                message: &each.message,
                help: each.help.join("\n"),
            }
        })
    }

    /// Renders the problems. Similar problems are problems whose messages differ only in names and
    /// numbers. If there are many similar problems, shows only the first ones and the number of
    /// hidden problems.
    fn render(&self, renderer: &Renderer) -> String {
        let mut left: BTreeMap<_, (usize, usize)> = BTreeMap::new();
        for diagnostic in self.diagnostics() {
            left.entry(key(diagnostic)).or_default().0 += 1;
        }
        let mut rendered = Vec::new();
        for diagnostic in self.diagnostics() {
            let Some((all, shown)) = left.get_mut(&key(diagnostic)) else { continue };
            *shown += 1;
            // A single remaining problem takes no more room than its count.
            let more = if *all > MOST_ALIKE + 1 { *all - MOST_ALIKE } else { 0 };
            if more > 0 && *shown > MOST_ALIKE {
                continue;
            }
            let note = format!("and {more} more like this");
            let note = (more > 0 && *shown == MOST_ALIKE).then_some(note.as_str());
            let source = self.source(diagnostic.file);
            rendered.push(renderer.render(&[group(diagnostic, source, note)]) + "\n");
        }
        rendered.join("\n")
    }
}

/// Returns the key that similar problems share: file, severity, and message without names and
/// numbers.
fn key(diagnostic: &Diagnostic) -> (FileId, Severity, String) {
    let unquoted = diagnostic.message.split('`').step_by(2);
    let plain = unquoted.flat_map(str::chars).filter(|c| !c.is_ascii_digit());
    (diagnostic.file, diagnostic.severity, plain.collect())
}

fn group<'a>(diagnostic: &'a Diagnostic, source: &'a Source, note: Option<&'a str>) -> Group<'a> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(diagnostic.message.as_str());
    let span = &diagnostic.span;
    let range = source.line_range(span.start);
    let text = &source.text()[range.clone()];
    let (line, column) = source.line_column(span.start);
    let is_whole_file = *span == (0..0);
    let mut group = if is_whole_file || text.is_empty() || text.len() > LONGEST_LINE {
        title.element(Origin::path(source.label()).line(line).char_column(column))
    } else {
        // The visible form of a control character can have more bytes than the character.
        let pictured = |to: usize| show::line(&source.text()[range.start..floor(source, to)]).len();
        let begin = pictured(span.start.min(range.end));
        let end = pictured(span.end.clamp(span.start.min(range.end), range.end));
        let caret = AnnotationKind::Primary.span(begin..end);
        let caret = if diagnostic.label.is_empty() {
            caret
        } else {
            caret.label(diagnostic.label.as_str())
        };
        let snippet = Snippet::source(show::line(text)).line_start(line);
        title.element(snippet.path(source.label()).annotation(caret))
    };
    for help in &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    if let Some(note) = note {
        group = group.element(Level::NOTE.message(note));
    }
    group
}

/// Returns the last character boundary at or before a byte offset.
fn floor(source: &Source, offset: usize) -> usize {
    (0..=offset).rev().find(|&at| source.text().is_char_boundary(at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_problems_are_folded() {
        let mut report = Report::default();
        let file = report.add_source(Source::new("a".into(), None, "text"));
        let of =
            |name: &str| Diagnostic { file, ..Diagnostic::warning(0..0, format!("no `{name}` 7")) };
        report.extend((0..40).map(|index| of(&index.to_string())));
        report.extend([Diagnostic { file, ..Diagnostic::warning(0..0, "another") }]);
        let text = report.plain();
        assert!(text.contains("no `9` 7") && !text.contains("no `10` 7"), "{text}");
        assert!(text.contains("and 30 more like this") && text.contains("another"), "{text}");
        assert_eq!(report.entries().count(), 41);
        let mut few = Report::default();
        let file = few.add_source(Source::new("a".into(), None, "text"));
        few.extend((0..11).map(|index| Diagnostic { file, ..of(&index.to_string()) }));
        assert!(few.plain().contains("no `10` 7"), "{}", few.plain());
    }
}
