//! Saves changed values and edits to the files of a map, or to new files.

use std::fs;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::Sender;

use tilewalk::files::disk::output_file;
use tilewalk::files::disk::store::Store;
use tilewalk::files::settings::{self, Setting};
use tilewalk::files::text::source::Found;
use tilewalk::files::write::atomic_replace::SwappedOut;
use tilewalk::files::write::new_map;
use tilewalk::files::write::{self, FileToChange, WriteError};
use tilewalk::files::{self, Options, Origin, read::tuning, show};
use tilewalk::render::run::{Job, RenderError};
use tilewalk::scenario::sources::{FileRole, SourceFile, Sources};
use tilewalk::tui::{NewFile, NewHome, NewMap, RunPicture, Save, Saved, Target};
use tilewalk::words;

use super::{BUILTIN, IMPORTED, map_file};

/// Maximum number of copied files that a message lists by name.
const MAX_NAMED: usize = 4;

/// Saves changed values and edits to the map's own files, or saves the changed map as a new file.
/// The replaced files are sent to `replaced`, which checks them for late changes.
///
/// Returns a message for the user as the error.
pub fn write(save: &Save, replaced: &Sender<SwappedOut>) -> Result<Saved, String> {
    let set = &save.sources.set;
    match &save.target {
        Target::New(path) => save_as(save, set, Path::new(path)),
        Target::File => save_in_place(save, set, false, replaced),
        Target::FileAnyway => save_in_place(save, set, true, replaced),
    }
}

/// Saves to the map's own files. If `anyway` is true, also merges into files that other programs
/// have changed.
fn save_in_place(
    save: &Save,
    set: &[Setting],
    anyway: bool,
    replaced: &Sender<SwappedOut>,
) -> Result<Saved, String> {
    map_file(&save.id)?;
    try_in_place(save, set, anyway, replaced).map_err(|Refused { why, is_lasting }| {
        let elsewhere = "`:write FILE` saves everything to a new file";
        if is_lasting { format!("{why}; {elsewhere}") } else { why }
    })
}

/// Reason why a map was not saved to its own files.
struct Refused {
    why: String,
    /// Whether saving to these files will probably fail again.
    is_lasting: bool,
}

/// Saves to the map's own files, as [`save_in_place`] does.
fn try_in_place(
    save: &Save,
    set: &[Setting],
    anyway: bool,
    replaced: &Sender<SwappedOut>,
) -> Result<Saved, Refused> {
    let lasting = |why: String| Refused { why, is_lasting: true };
    let values = save.known.file(&FileRole::Map).map_or(0, |map| {
        // Values that the file already has are not counted.
        tuning::unwritten(&save.sources, &map.text).len()
    });
    let is_new = |file: &&SourceFile| save.known.file(&file.place).is_none();
    let (new, edited): (Vec<_>, Vec<_>) = save.draft.unsaved_files().partition(is_new);
    let new = new_patterns(Path::new(&save.id), &new)
        .map_err(|why| Refused { why, is_lasting: false })?;
    let mut places: Vec<&FileRole> = edited.into_iter().map(|file| &file.place).collect();
    if values > 0 && !places.contains(&&FileRole::Map) {
        places.push(&FileRole::Map);
    }
    let paths: Vec<PathBuf> = places
        .iter()
        .map(|place| path_of(&save.id, place))
        .collect::<Result<_, _>>()
        .map_err(lasting)?;
    let known = |place: &FileRole| save.known.file(place).map_or("", |file| &*file.text);
    let wanted: Vec<_> = places
        .iter()
        .zip(&paths)
        .map(|(place, path)| FileToChange {
            path,
            known: known(place),
            is_toml: !matches!(place, FileRole::Beside(_)),
        })
        .collect();
    let merge = |texts: &[String]| {
        let mut disk = save.known.clone();
        for (place, text) in places.iter().zip(texts) {
            set_text(&mut disk, place, text);
        }
        let merged = save.draft.merged(&disk).map_err(WriteError::Edit)?;
        places.iter().map(|place| text_of(&merged, place, set)).collect()
    };
    let map = Path::new(&save.id);
    let created: Vec<_> = new.iter().map(|(path, file)| (path.clone(), &*file.text)).collect();
    if !created.is_empty() {
        write::new_files(&created).map_err(|error| refused(&error))?;
    }
    let written = write::files(map, &wanted, anyway, merge).inspect_err(|_| {
        // Only the first error is reported.
        for (path, _) in &created {
            drop(fs::remove_file(path));
        }
    });
    let written = written.map_err(|error| refused(&error))?;
    let paths = paths.iter().chain(new.iter().map(|(path, _)| path));
    let labels = paths.map(|path| show::path(path)).collect::<Vec<_>>().join(" and ");
    let message =
        format!("wrote {} to {labels}", count_changes(values, save.draft.unsaved_count()));
    for file in written.replaced {
        // The receiving thread ends only after the screen.
        let _ = replaced.send(file);
    }
    let texts = written.texts;
    let texts = places.into_iter().cloned().zip(texts.into_iter().map(Arc::from));
    let created = new.iter().map(|(_, file)| (file.place.clone(), Arc::clone(&file.text)));
    Ok(Saved { message, texts: texts.chain(created).collect(), moved: None })
}

fn refused(error: &WriteError) -> Refused {
    let (why, is_lasting) = match error {
        WriteError::Changed(_) => {
            (format!("{error}; `:write!` applies your changes to the changed file"), true)
        }
        WriteError::Exists(_) | WriteError::Saved { .. } => (error.to_string(), false),
        WriteError::Unreadable(_)
        | WriteError::NotText(_)
        | WriteError::NotToml(_)
        | WriteError::ReadOnly(_)
        | WriteError::Setting(_)
        | WriteError::Edit(_)
        | WriteError::Io { .. } => (error.to_string(), true),
    };
    Refused { why, is_lasting }
}

/// Returns the new patterns of a map with the paths of their files.
fn new_patterns<'a>(
    map: &Path,
    new: &[&'a SourceFile],
) -> Result<Vec<(PathBuf, &'a SourceFile)>, String> {
    let path = |file: &&'a SourceFile| match &file.place {
        FileRole::Pattern(name) => Ok((path_of_new_pattern(map, name)?, *file)),
        FileRole::Map | FileRole::Beside(_) => Err(format!("nothing written: no {}", file.label)),
    };
    new.iter().map(path).collect()
}

fn count_changes(values: usize, edits: usize) -> String {
    let counts = [(values, "value"), (edits, "edit")];
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    let counts: Vec<_> = counts.map(|(count, what)| words::count(count as u64, what)).collect();
    counts.join(" and ")
}

fn set_text(files: &mut Sources, place: &FileRole, text: &str) {
    if let Some(file) = files.files.iter_mut().find(|file| file.place == *place) {
        file.text = Arc::from(text);
    }
}

/// Returns the text of a file. The text of the map includes the values of `set`.
fn text_of(files: &Sources, place: &FileRole, set: &[Setting]) -> Result<String, WriteError> {
    let text = files.file(place).map_or("", |file| &file.text);
    Ok(if *place == FileRole::Map { settings::apply(text, set)? } else { text.to_owned() })
}

/// Returns the path of one of the map's files. Returns an error if the file does not exist, or
/// cannot be read.
fn path_of(id: &str, place: &FileRole) -> Result<PathBuf, String> {
    let store = Store::around(Path::new(id));
    let (found, name) = match place {
        FileRole::Map => return Ok(id.into()),
        FileRole::Beside(name) => (store.sibling(name), name),
        FileRole::Pattern(name) => (store.pattern(name), name),
    };
    let why = match found {
        Found::Read(source, _) => match source.path() {
            Some(path) => return Ok(path.to_owned()),
            None => "does not exist".to_owned(),
        },
        Found::Missing => "does not exist".to_owned(),
        Found::Refused(why) => why,
    };
    Err(format!("nothing written: the file `{}` {why}", show::text(name)))
}

/// Saves the changed map as a new file. Copies the files that the map would not find from the new
/// directory. A built-in or imported map is in the new file from then on.
fn save_as(save: &Save, set: &[Setting], path: &Path) -> Result<Saved, String> {
    let files = save.draft.files();
    let text = text_of(files, &FileRole::Map, set).map_err(|error| error.to_string())?;
    let copies = write_map(path, &text, files)?;
    let label = show::path(path);
    let has_no_file = save.id.starts_with(BUILTIN) || save.id.starts_with(IMPORTED);
    let moved = if has_no_file { new_home(path) } else { None };
    let now = if moved.is_some() { "; this file is open now" } else { "" };
    Ok(Saved { message: format!("wrote the map to {label}{copies}{now}"), texts: vec![], moved })
}

/// Reads a map that was written to a new file. Returns `None` if the map can't be read.
fn new_home(path: &Path) -> Option<NewHome> {
    let loaded = files::load(&Origin::Disk(path.to_owned()), &Options::default()).ok()?;
    let files = Arc::clone(loaded.scenario?.sources());
    Some(NewHome { id: path.to_str()?.to_owned(), files })
}

/// Writes a new file. A map is written with the files that it needs, and then loaded as a check.
///
/// Returns a message for the user in both cases, as the result or as the error.
pub fn file(new: &NewFile) -> Result<String, String> {
    let path = Path::new(&new.path);
    let Some(files) = &new.map else {
        write::new_bytes(path, &new.bytes).map_err(|error| error.to_string())?;
        return Ok(format!("wrote {}", show::path(path)));
    };
    let label = show::path(path);
    let text = String::from_utf8_lossy(&new.bytes);
    let copies = write_map(path, &text, files)?;
    let loaded = files::load(&Origin::Disk(path.to_owned()), &Options::default());
    let loaded = loaded.map_err(|error| error.to_string())?;
    match loaded.report.entries().next().filter(|_| loaded.scenario.is_none()) {
        Some(first) => {
            Ok(format!("wrote {label}, but the new map cannot be loaded: {}", first.message))
        }
        None => Ok(format!("wrote {label}{copies}")),
    }
}

/// Writes a picture or a film of a run to a new file.
pub fn render(run: &RunPicture) -> Result<String, String> {
    let path = Path::new(&run.path);
    let label = show::path(path);
    let failed = |error: io::Error| {
        let exists = error.kind() == io::ErrorKind::AlreadyExists;
        let why = format!("cannot write {label}: {error}");
        if exists { format!("{label} already exists") } else { why }
    };
    if fs::symlink_metadata(path).is_ok() {
        return Err(failed(io::ErrorKind::AlreadyExists.into()));
    }
    let job = Job {
        commands: Some(&run.commands),
        range: run.range,
        ..Job::of(Arc::clone(&run.scenario), &run.view, run.format)
    };
    let mut file = BufWriter::new(output_file::NewFile::beside(path).map_err(failed)?);
    let written = job.write(&mut file, None).map_err(|error| match error {
        RenderError::NeverTrue | RenderError::Request(_) => error.to_string(),
        RenderError::Write(error) => failed(error),
    })?;
    let file = file.into_inner().map_err(|error| failed(error.into_error()))?;
    file.publish(path).map_err(|(error, _)| failed(error))?;
    let (frames, from) = (words::count(written.frames, "frame"), run.range.from);
    Ok(format!("wrote {label} ({frames} from frame {from})"))
}

/// Writes a new map file. Copies the files that the map would not find from the new directory.
/// Returns the part of the message that lists the copies. Empty if no file was copied.
fn write_map(path: &Path, text: &str, files: &Sources) -> Result<String, String> {
    let names = write::map(path, text, files).map_err(|error| error.to_string())?;
    let names: Vec<_> = names.iter().map(|name| show::text(name)).collect();
    Ok(match names.as_slice() {
        [] => String::new(),
        [only] => format!(", with {only} next to the map"),
        [first @ .., last] if names.len() <= MAX_NAMED => {
            format!(", with {} and {last} next to the map", first.join(", "))
        }
        _ => {
            let others = words::count((names.len() - MAX_NAMED) as u64, "other file");
            format!(", with {} and {others} next to the map", names[..MAX_NAMED].join(", "))
        }
    })
}

/// Returns the path of a new pattern, in a directory that its map searches. This is the directory of
/// the map, or the `patterns` directory beside a `maps` directory. Returns an error if the pattern
/// exists.
fn path_of_new_pattern(map: &Path, name: &str) -> Result<PathBuf, String> {
    if !matches!(Store::around(map).pattern(name), Found::Missing) {
        return Err(format!("nothing written: pattern `{}` already exists", show::text(name)));
    }
    let map_folder = map.parent().unwrap_or(Path::new(""));
    let folder = match map_folder.file_name() {
        Some(name) if name == "maps" => map_folder.with_file_name("patterns"),
        _ => map_folder.to_owned(),
    };
    Ok(folder.join(format!("{name}.toml")))
}

/// Writes a new map to the current directory. Returns the path of its file.
pub fn new_map(map: &NewMap) -> Result<String, String> {
    let path = format!("{}.toml", map.name);
    let (width, height) = map.size;
    let text = new_map::room(&map.name, width, height);
    write::new(Path::new(&path), &text).map_err(|error| error.to_string())?;
    Ok(path)
}
