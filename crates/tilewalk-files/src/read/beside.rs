//! Files that tilewalk reads and writes beside a map, such as its breakpoint file.

use std::fs;
use std::path::Path;

use crate::disk::output_file;
use crate::show;
use crate::text::diagnostic::Issues;
use crate::text::report::{Report, read_source};
use crate::text::source::{self, ReadError, Source};

/// Reads the file at `path`. `read` reads its text and reports problems. A missing file is empty.
pub fn load<T: Default>(path: &Path, read: impl FnOnce(&Issues) -> T) -> (T, Report) {
    let mut report = Report::default();
    if fs::symlink_metadata(path).is_err_and(|error| source::is_missing(&error)) {
        return (T::default(), report);
    }
    match source::read(path, show::path(path)) {
        Ok((source, problems)) => {
            let found = read_source(&mut report, source, problems, |issues| Some(read(issues)));
            (found.unwrap_or_default(), report)
        }
        Err(error) => {
            let label = show::path(path);
            let issues = Issues::new(report.add_source(Source::new(label, None, "")), "".into());
            issues.error(0..0, format!("can't read the file: {}", error.reason()));
            report.extend(issues.into_list());
            (T::default(), report)
        }
    }
}

/// Replaces the file at `path` and returns its path as printable text. Keeps the comment at the top
/// of an existing file. `report` has the problems of the existing file.
///
/// # Errors
/// Returns the reason if the existing file has problems, or if the file cannot be written. The
/// existing file is then unchanged.
pub fn save(path: &Path, report: &Report, text: &str) -> Result<String, String> {
    if let Some(first) = report.entries().next() {
        let (file, line, column) = (&first.file, first.line, first.column);
        return Err(format!(
            "nothing was written: {file}:{line}:{column}: {}; fix the error or delete the file",
            first.message
        ));
    }
    let earlier = match source::read(path, show::path(path)) {
        Ok((source, _)) => head(source.text()).to_owned(),
        Err(_) => String::new(),
    };
    let text = format!("{earlier}{text}");
    output_file::replace(path, text.as_bytes())
        .map_err(|error| format!("can't write {}", ReadError::io(path, error)))?;
    Ok(show::path(path))
}

/// Returns the comments and blank lines at the top of a TOML text.
fn head(text: &str) -> &str {
    let is_comment = |line: &&str| line.trim_start().starts_with('#') || line.trim().is_empty();
    let length = text.split_inclusive('\n').take_while(is_comment).map(str::len).sum();
    &text[..length]
}
