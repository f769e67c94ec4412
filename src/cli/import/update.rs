//! `tilewalk import --update`: imports a changed source again and keeps the user's edits.
//!
//! Nothing is written unless the source can be imported. All files are replaced together, and only
//! if no other program changes them at the same time.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::files::import::moved::Shift;
use crate::files::import::record::{ImportRecord, record_path};
use crate::files::import::update::{Update, check, update_map, update_text};
use crate::files::import::{Choices, KnownKinds, import};
use crate::files::write::{self, FileToChange};
use crate::files::{disk::output_file, show};

use super::super::output::{Output, note};
use super::super::{CliError, EXIT_CANNOT, report_problems};
use super::choices::ChoiceArgs;
use super::pattern_path;

/// Maximum number of conflicts that are listed for a file.
const MOST_LISTED: usize = 20;

/// A file with its text before and after the update.
struct FileUpdate {
    path: PathBuf,
    /// Text in the file before the update; `None` if the file does not exist.
    known: Option<String>,
    text: String,
}

pub(super) fn update(map: &Path, out: &mut Output) -> Result<ExitCode, CliError> {
    let (record_text, record) = read_record(map)?;
    let folder = map.parent().unwrap_or(Path::new(""));
    let Some(choices) = ChoiceArgs::recorded(&record.options, folder) else {
        return Err(no_record(map));
    };
    let source = folder.join(&record.source);
    let ours = read(map)?;
    let known = KnownKinds::of_maps(&record.map, &ours);
    let mut imported = import(&source, &Choices { known, ..choices.choices() })?;
    if imported.texts.as_ref().is_some_and(|texts| texts.map != record.map) {
        // Without the known kinds, an unchanged source has the same result as before in any case.
        let again = import(&source, &choices.choices())?;
        if again.texts.as_ref().is_some_and(|texts| texts.map == record.map) {
            imported = again;
        }
    }
    report_problems(&imported.report, None);
    let Some(texts) = imported.texts else { return Ok(ExitCode::from(EXIT_CANNOT)) };
    let shift = shift(record.origin, imported.origin);
    let updated = update_map(&record.map, &ours, &texts.map, shift)
        .map_err(|why| CliError::NoUpdate { path: show::path(map), why })?;
    let mut report = described(map, &updated);
    let (taken, kept, shift, moved) = (updated.taken, updated.kept, updated.shift, updated.moved);
    let mut changes =
        vec![FileUpdate { path: map.to_owned(), known: Some(ours), text: updated.text }];
    let mut patterns = Vec::new();
    for (name, theirs) in &texts.patterns {
        let base = record.patterns.iter().find(|(known, _)| known == name).map(|(_, text)| text);
        let path = pattern_path(map, name);
        let change = pattern(&path, base, theirs, shift, &mut report)?;
        let text = change.as_ref().map(|change| change.text.clone());
        let text = text.or_else(|| fs::read_to_string(&path).ok());
        patterns.extend(text.map(|text| (name.clone(), text)));
        changes.extend(change);
    }
    if changes.iter().any(|change| change.known.as_ref() != Some(&change.text)) {
        let merged = check(map, &changes[0].text, &patterns)?;
        if let Some(merged) = merged.filter(|merged| merged.errors() > 0) {
            report_problems(&merged, None);
            return Err(CliError::RefusedUpdate { path: show::path(map) });
        }
    }
    let origin = Some(imported.origin);
    let record = ImportRecord { map: texts.map, patterns: texts.patterns, origin, ..record };
    // The record is last: after a crash, the update is repeated with the old record.
    let path = record_path(map);
    changes.push(FileUpdate { path, known: Some(record_text), text: record.text() });
    changes.retain(|change| change.known.as_ref() != Some(&change.text));
    write_changes(map, &changes)?;
    note(&report);
    for change in &changes {
        out.line(format_args!("wrote {}", show::path(&change.path)))?;
    }
    if changes.is_empty() {
        out.line(format_args!("{} is up to date", show::path(map)))?;
    } else {
        out.line(format_args!("tiles: {taken} new, {kept} edited by you"))?;
        if shift != (0, 0) {
            let (x, y) = shift;
            out.line(format_args!("the tiles moved by ({x}, {y}); {moved} positions moved along"))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the movement of the tiles of an infinite map whose upper left tile changed. Returns `None`
/// if the movement is unknown.
fn shift(before: Option<(i64, i64)>, now: (i64, i64)) -> Option<Shift> {
    let before = before.filter(|before| *before != now)?;
    let along = |before: i64, now: i64| i32::try_from(before - now).ok();
    Some((along(before.0, now.0)?, along(before.1, now.1)?))
}

/// Reads the import record of a map. Returns the text and the parsed record.
fn read_record(map: &Path) -> Result<(String, ImportRecord), CliError> {
    let text = fs::read_to_string(record_path(map)).map_err(|_| no_record(map))?;
    let record = ImportRecord::parse(&text).ok_or_else(|| no_record(map))?;
    Ok((text, record))
}

fn no_record(map: &Path) -> CliError {
    CliError::NoImport { path: show::path(map), record: show::path(&record_path(map)) }
}

/// Returns the text of a file, without a byte order mark.
fn read(path: &Path) -> Result<String, CliError> {
    let failed = |source| CliError::Unreadable { path: show::path(path), source };
    let text = fs::read_to_string(path).map_err(failed)?;
    Ok(text.strip_prefix('\u{FEFF}').map_or_else(|| text.clone(), str::to_owned))
}

/// Merges the imported text `theirs` into a pattern file. `base` is the text of the last import;
/// `None` if the last import did not contain the pattern.
///
/// Returns `None` if the user deleted the file. Also returns `None` if the file differs from
/// `theirs` and was not part of the last import.
fn pattern(
    path: &Path,
    base: Option<&String>,
    theirs: &str,
    shift: Shift,
    report: &mut String,
) -> Result<Option<FileUpdate>, CliError> {
    let is_there = fs::symlink_metadata(path).is_ok();
    if !is_there && base.is_none() {
        return Ok(Some(FileUpdate {
            path: path.to_owned(),
            known: None,
            text: theirs.to_owned(),
        }));
    }
    if !is_there {
        return Ok(None);
    }
    let ours = read(path)?;
    // A file that is not part of the last import has no text to merge with.
    let base = base.map_or("", String::as_str);
    if base.is_empty() && ours != theirs {
        let path = show::path(path);
        let _ = writeln!(report, "warning: {path} is kept: it is not part of the last import");
        return Ok(None);
    }
    let updated = update_text(base, &ours, theirs, shift);
    report.push_str(&described(path, &updated));
    Ok(Some(FileUpdate { path: path.to_owned(), known: Some(ours), text: updated.text }))
}

/// Returns a warning line for each of the first [`MOST_LISTED`] conflicts in a file.
fn described(path: &Path, update: &Update) -> String {
    let path = show::path(path);
    let mut text = String::new();
    for conflict in update.conflicts.iter().take(MOST_LISTED) {
        let _ = writeln!(text, "warning: {path}: {conflict}");
    }
    if let Some(more @ 1..) = update.conflicts.len().checked_sub(MOST_LISTED) {
        let _ = writeln!(text, "warning: {path}: and {more} more like this");
    }
    text
}

/// Creates new files first, then replaces all existing files together.
fn write_changes(map: &Path, changes: &[FileUpdate]) -> Result<(), CliError> {
    let mut wanted = Vec::new();
    let mut texts = Vec::new();
    for FileUpdate { path, known, text } in changes {
        if let Some(known) = known {
            wanted.push(FileToChange { path, known, is_toml: true });
            texts.push(text.clone());
            continue;
        }
        let failed = |source| CliError::Write { what: show::path(path), source };
        output_file::create_folder_of(path).map_err(failed)?;
        write::new(path, text)?;
    }
    write::files(map, &wanted, false, |_| Ok(texts))?;
    Ok(())
}
