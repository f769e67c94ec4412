//! Writing what was changed on the screen into the files of a map, or into new ones.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tilewalk::files::origin::{Found, Store};
use tilewalk::files::settings::{self, Setting};
use tilewalk::files::write::{self, Wanted, WriteError};
use tilewalk::files::{self, Options, Origin, show, tuning};
use tilewalk::scenario::sources::{Place, Sources};
use tilewalk::tui::{NewFile, NewPattern, Save, Saved, Target};
use tilewalk::words;

use super::{BUILTIN, is_recording};

/// Files beside a new map that are told by their names.
const MOST_NAMED: usize = 4;

/// Writes what was set and edited into a map's files, or the map with it into a new one.
pub fn write(save: &Save) -> Result<Saved, String> {
    let set = Options::of(&save.sources).map_err(|error| error.to_string())?.set;
    match &save.target {
        Target::New(path) => anew(save, &set, Path::new(path)),
        Target::File => over(save, &set, false),
        Target::FileAnyway => over(save, &set, true),
    }
}

/// Writes the files themselves.
fn over(save: &Save, set: &[Setting], anyway: bool) -> Result<Saved, String> {
    own_file(&save.id)?;
    let values = save.known.file(&Place::Map).map_or(0, |map| {
        // What the file has already need not be counted.
        tuning::unwritten(&save.sources, &map.text).len()
    });
    let edited = save.draft.unsaved_files().map(|file| &file.place);
    let mut places: Vec<&Place> = edited.collect();
    if values > 0 && !places.contains(&&Place::Map) {
        places.push(&Place::Map);
    }
    let paths: Vec<PathBuf> =
        places.iter().map(|place| path_of(&save.id, place)).collect::<Result<_, _>>()?;
    let known = |place: &Place| save.known.file(place).map_or("", |file| &*file.text);
    let wanted: Vec<_> = places
        .iter()
        .zip(&paths)
        .map(|(place, path)| Wanted {
            path,
            known: known(place),
            is_toml: !matches!(place, Place::Beside(_)),
        })
        .collect();
    let make = |texts: &[String]| {
        let mut disk = save.known.clone();
        for (place, text) in places.iter().zip(texts) {
            set_text(&mut disk, place, text);
        }
        let merged = save.draft.merged(&disk).map_err(WriteError::Edit)?;
        places.iter().map(|place| text_of(&merged, place, set)).collect()
    };
    let texts = write::files(&wanted, anyway, make).map_err(|error| match error {
        WriteError::Changed(_) => {
            format!("{error}; `:write!` applies your changes to the changed file")
        }
        _ => error.to_string(),
    })?;
    let labels = paths.iter().map(|path| show::path(path)).collect::<Vec<_>>().join(" and ");
    let told = format!("wrote {} to {labels}", counted(values, save.draft.unsaved_count()));
    let texts = places.into_iter().cloned().zip(texts.into_iter().map(Arc::from)).collect();
    Ok(Saved { told, texts })
}

fn counted(values: usize, edits: usize) -> String {
    let counts = [(values, "value"), (edits, "edit")];
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    let counts: Vec<_> = counts.map(|(count, what)| words::count(count as u64, what)).collect();
    counts.join(" and ")
}

fn set_text(files: &mut Sources, place: &Place, text: &str) {
    if let Some(file) = files.files.iter_mut().find(|file| file.place == *place) {
        file.text = Arc::from(text);
    }
}

/// The text of a file; of the map with what was set.
fn text_of(files: &Sources, place: &Place, set: &[Setting]) -> Result<String, WriteError> {
    let text = files.file(place).map_or("", |file| &file.text);
    Ok(if *place == Place::Map { settings::apply(text, set)? } else { text.to_owned() })
}

/// A map has to have a file that can be written.
fn own_file(id: &str) -> Result<(), String> {
    if id.starts_with(BUILTIN) {
        return Err("built-in maps have no file; `:write FILE` creates a file".to_owned());
    }
    if is_recording(id) {
        return Err("recordings are read-only; `:write FILE` saves the map".to_owned());
    }
    Ok(())
}

/// Where a file of a map is.
fn path_of(id: &str, place: &Place) -> Result<PathBuf, String> {
    let store = Store::around(Path::new(id));
    let (found, name) = match place {
        Place::Map => return Ok(id.into()),
        Place::Beside(name) => (store.sibling(name), name),
        Place::Pattern(name) => (store.pattern(name), name),
    };
    let path = match found {
        Found::Read(source, _) => source.path().map(ToOwned::to_owned),
        Found::Missing | Found::Refused(_) => None,
    };
    path.ok_or_else(|| format!("nothing written: the file `{}` does not exist", show::text(name)))
}

/// Writes the map into a new file, and beside it what it names and would not find there.
fn anew(save: &Save, set: &[Setting], path: &Path) -> Result<Saved, String> {
    let files = save.draft.files();
    let text = text_of(files, &Place::Map, set).map_err(|error| error.to_string())?;
    let more = with_company(path, &text, files)?;
    Ok(Saved { told: format!("wrote the map to {}{more}", show::path(path)), texts: vec![] })
}

/// Writes a new file; of a map also what it names and would not find there.
pub fn file(new: &NewFile) -> Result<String, String> {
    let path = Path::new(&new.path);
    let Some(files) = &new.map else {
        write::new(path, &new.text).map_err(|error| error.to_string())?;
        return Ok(format!("wrote {}", show::path(path)));
    };
    let label = show::path(path);
    let more = with_company(path, &new.text, files)?;
    let loaded = files::load(&Origin::Disk(path.to_owned()), &Options::default());
    let loaded = loaded.map_err(|error| error.to_string())?;
    match loaded.report.entries().next().filter(|_| loaded.scenario.is_none()) {
        Some(first) => {
            Ok(format!("wrote {label}, but the new map cannot be loaded: {}", first.message))
        }
        None => Ok(format!("wrote {label}{more}")),
    }
}

/// Writes the text of a map into a new file, and beside it those of its files that are not found there as
/// they are; names them.
fn with_company(path: &Path, text: &str, files: &Sources) -> Result<String, String> {
    let names = write::map(path, text, files).map_err(|error| error.to_string())?;
    let names: Vec<_> = names.iter().map(|name| show::text(name)).collect();
    Ok(match names.as_slice() {
        [] => String::new(),
        [only] => format!(", with {only} next to the map"),
        [first @ .., last] if names.len() <= MOST_NAMED => {
            format!(", with {} and {last} next to the map", first.join(", "))
        }
        _ => {
            let more = words::count((names.len() - MOST_NAMED) as u64, "other file");
            format!(", with {} and {more} next to the map", names[..MOST_NAMED].join(", "))
        }
    })
}

/// Writes a new pattern where the map finds it: into `patterns` beside a folder called `maps`, else
/// beside the map.
pub fn pattern(new: &NewPattern) -> Result<String, String> {
    own_file(&new.id)?;
    let name = &new.name;
    if !matches!(Store::around(Path::new(&new.id)).pattern(name), Found::Missing) {
        return Err(format!("pattern `{}` already exists", show::text(name)));
    }
    let beside = Path::new(&new.id).parent().unwrap_or(Path::new(""));
    let folder = match beside.file_name() {
        Some(folder) if folder == "maps" => beside.with_file_name("patterns"),
        _ => beside.to_owned(),
    };
    let path = folder.join(format!("{name}.toml"));
    let made = path.parent().map_or(Ok(()), fs::create_dir_all);
    made.map_err(|error| format!("{}: {error}", show::path(&path)))?;
    write::new(&path, &new.text).map_err(|error| error.to_string())?;
    Ok(format!(
        "wrote {}; add `pattern = \"{name}\"` to a mode to use the pattern",
        show::path(&path)
    ))
}
