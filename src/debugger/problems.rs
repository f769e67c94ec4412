//! Errors and warnings in the files of a map, as a list for the screen.

use crate::files::read::file_location::FileLocation;
use crate::files::show;
use crate::files::{Diagnostic, Report, Severity};
use tilewalk_sim::sort::SmallSort;

/// Maximum length of a displayed source line, in bytes. Longer lines are not displayed.
const LONGEST_LINE: usize = 4096;

/// An error or a warning in a file of the map. All strings are safe to print.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Whether this is an error. Otherwise, it is a warning.
    pub is_error: bool,
    /// File name, line and column, such as `map.toml:3:5`. Only the file name if the problem
    /// concerns the whole file. Empty if no file is known.
    pub place: String,
    pub message: String,
    /// The file and the position in it. `None` if no file on disk is known.
    pub location: Option<FileLocation>,
    /// The source line with the problem. Empty if no line is shown.
    pub line: String,
    /// Range of the marked characters in `line`: the first index, and the index after the last
    /// character.
    pub span: (usize, usize),
    /// Lines of advice on how to fix the problem.
    pub help: Vec<String>,
}

/// Errors and warnings in the files of a map, errors first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Problems(Vec<Problem>);

impl Problems {
    /// Collects the errors and warnings of a report.
    pub fn of(report: &Report) -> Self {
        let all = report.diagnostics();
        let is_own = |each: &&Diagnostic| !all.iter().any(|other| explains(other, each));
        let mut list: Vec<_> =
            all.iter().filter(is_own).map(|each| problem(each, report)).collect();
        list.small_sort_by_key(|problem| !problem.is_error);
        Self(list)
    }

    /// Creates a single error for a map that cannot be read. The first line of `text` becomes the
    /// message. The other lines become the advice.
    pub fn unreadable(text: &str) -> Self {
        let message = text.lines().next().unwrap_or_default().to_owned();
        let help = text.lines().skip(1).map(ToOwned::to_owned).collect();
        let (place, line) = (String::new(), String::new());
        let (is_error, span, location) = (true, (0, 0), None);
        Self(vec![Problem { is_error, place, message, location, line, span, help }])
    }

    /// Returns all errors and warnings, errors first.
    pub fn list(&self) -> &[Problem] {
        &self.0
    }

    pub fn errors(&self) -> usize {
        self.0.iter().filter(|problem| problem.is_error).count()
    }

    pub fn warnings(&self) -> usize {
        self.0.len() - self.errors()
    }
}

/// Returns true if `other` is an unknown key that is probably the misspelt key that `missing` lacks.
fn explains(other: &Diagnostic, missing: &Diagnostic) -> bool {
    let Some(rest) = missing.message.strip_prefix("missing key `") else { return false };
    let Some((key, _)) = rest.split_once('`') else { return false };
    let hint = format!("did you mean `{key}`?");
    other.file == missing.file
        && other.message.starts_with("unknown key")
        && other.help.contains(&hint)
}

fn problem(diagnostic: &Diagnostic, report: &Report) -> Problem {
    let source = report.source(diagnostic.file);
    let file = source.label().rsplit('/').next().unwrap_or_default();
    let twice = |label: &str| label != source.label() && label.rsplit('/').next() == Some(file);
    let ambiguous = report.sources().iter().any(|other| twice(other.label()));
    let file = if ambiguous { source.label() } else { file };
    let span = diagnostic.span.clone();
    let (line, column) = source.line_column(span.start);
    let whole = span == (0..0);
    let place = if whole { file.to_owned() } else { format!("{file}:{line}:{column}") };
    let range = source.line_range(span.start);
    let text = &source.text()[range.clone()];
    let shown = !whole && text.len() <= LONGEST_LINE;
    let pictured = |to: usize| {
        let to = (range.start..=to.clamp(range.start, range.end))
            .rev()
            .find(|&at| source.text().is_char_boundary(at));
        let part = &source.text()[range.start..to.unwrap_or(range.start)];
        show::line(part).chars().count()
    };
    Problem {
        is_error: diagnostic.severity == Severity::Error,
        place,
        message: diagnostic.message.clone(),
        location: source.path().map(|path| FileLocation { path: path.to_owned(), line, column }),
        line: if shown { show::line(text) } else { String::new() },
        span: if shown { (pictured(span.start), pictured(span.end)) } else { (0, 0) },
        help: diagnostic.help.clone(),
    }
}
