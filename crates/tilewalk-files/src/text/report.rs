//! Reports: the problems in a set of files, with the texts of the files.

use crate::text::diagnostic::{Diagnostic, FileId, Issues, Severity};
use crate::text::source::Source;

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
        self.diagnostics.sort_by_key(|each| (each.file, each.span.start, each.severity));
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
