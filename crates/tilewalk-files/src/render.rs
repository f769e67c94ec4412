//! Renders a report: as text, with file, line, column, source line and help; or as JSON.
//!
//! No byte of a file is printed unchecked. The excerpt is a picture of its line, character for
//! character, with control characters made visible. All other text passes the same filter.

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use serde::Serialize;

use super::diagnostic::{Diagnostic, Report, Severity};
use super::show;
use super::source::Source;

/// A line longer than this, in bytes, is not shown; the column still says where to look.
const LONGEST_LINE: usize = 64 * 1024;

/// One diagnostic as programs get it (`check --format json`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Entry<'a> {
    /// The file.
    pub file: &'a str,
    /// The line, from 1.
    pub line: usize,
    /// The column, in characters, from 1.
    pub column: usize,
    /// `error` or `warning`.
    pub severity: &'static str,
    /// What is wrong.
    pub message: &'a str,
    /// What to do about it; empty when there is no advice.
    pub help: String,
}

impl Report {
    /// For people, without colours; ends with a newline unless there is nothing to say.
    pub fn plain(&self) -> String {
        self.render(&Renderer::plain())
    }

    /// For people at a terminal that knows colours.
    pub fn styled(&self) -> String {
        self.render(&Renderer::styled())
    }

    /// For programs.
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
    let mut group = if *span == (0..0) {
        title.element(Origin::path(source.label()))
    } else if text.is_empty() || text.len() > LONGEST_LINE {
        title.element(Origin::path(source.label()).line(line).char_column(column))
    } else {
        // The picture of a character may take more bytes than the character.
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

/// The last character boundary at or before an offset.
fn floor(source: &Source, offset: usize) -> usize {
    (0..=offset).rev().find(|&at| source.text().is_char_boundary(at)).unwrap_or(0)
}
