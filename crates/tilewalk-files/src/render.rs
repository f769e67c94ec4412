//! Renders a report as text with source lines and advice, or as JSON.
//!
//! All output is safe to print: control characters of the files are replaced by visible characters,
//! one for one, so that columns stay correct.

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use serde::Serialize;

use super::diagnostic::{Diagnostic, Severity};
use super::report::Report;
use super::show;
use super::source::Source;

/// Maximum length of a printed source line, in bytes. For longer lines, only the location is
/// printed.
const LONGEST_LINE: usize = 64 * 1024;

/// A problem in machine-readable form, for `check --format json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Entry<'a> {
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

    /// Returns all problems in machine-readable form.
    pub fn entries(&self) -> impl Iterator<Item = Entry<'_>> {
        self.diagnostics().iter().map(|each| {
            let source = self.source(each.file);
            let (line, column) = source.line_column(each.span.start);
            Entry {
                file: source.label(),
                line,
                column,
                severity: each.severity.word(),
                message: &each.message,
                help: each.help.join("\n"),
            }
        })
    }

    fn render(&self, renderer: &Renderer) -> String {
        let each = |diagnostic: &Diagnostic| {
            renderer.render(&[group(diagnostic, self.source(diagnostic.file))]) + "\n"
        };
        self.diagnostics().iter().map(each).collect::<Vec<_>>().join("\n")
    }
}

fn group<'a>(diagnostic: &'a Diagnostic, source: &'a Source) -> Group<'a> {
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
    group
}

/// Returns the last character boundary at or before an offset.
fn floor(source: &Source, offset: usize) -> usize {
    (0..=offset).rev().find(|&at| source.text().is_char_boundary(at)).unwrap_or(0)
}
