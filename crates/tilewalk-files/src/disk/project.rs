//! The project of a Tiled map: the files that the map can name, and the search for them.
//!
//! A map can name files above its own directory, but never above the root of its project. The
//! root is the nearest directory with a `.git` directory, a `.tiled-project` file or a
//! `project.godot` file. Without such a directory, the root is two levels above the map. Symbolic
//! links must not leave the root either.

#![cfg_attr(not(feature = "tiled"), expect(dead_code, reason = "only maps of Tiled have projects"))]

use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::show;
use crate::text::source::{self, Found, ReadError, Source};
use tilewalk_sim::sort::SmallSort;

/// Directories that contain the files of a Tiled project.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Project {
    /// Root of the project; `None` to search for the root in the directories above the map.
    pub root: Option<PathBuf>,
    /// Directory to search for tile sets that are missing at the path in the map; `None` for no
    /// search.
    pub tile_sets: Option<PathBuf>,
    /// Path of the map, for messages; `None` if the map is not imported on its own.
    pub file: Option<PathBuf>,
}

/// Number of levels above a map that belong to its project, if nothing marks the root.
const LEVELS_ABOVE: usize = 2;

/// Maximum number of directory entries that a search reads.
const MOST_ENTRIES: usize = 20_000;

/// Maximum depth of the directories that are searched for a moved file.
const MAX_DEPTH: usize = 6;

/// Function that reads a file, or that only names it.
type Open = fn(&Path) -> Found;

/// A file that a Tiled map names, after the search in the project.
#[derive(Debug)]
pub(crate) struct ProjectFile {
    pub found: Found,
    /// Path of the file if it differs from the path in the map; `None` if the paths are equal.
    pub elsewhere: Option<String>,
    /// Command that imports the map with the file, if the file is outside the project.
    pub command: Option<String>,
}

impl From<Found> for ProjectFile {
    fn from(found: Found) -> Self {
        Self { found, elsewhere: None, command: None }
    }
}

impl Project {
    /// Reads a file that a map names. `beside` is the directory of the map. `name` is the path
    /// relative to `beside`, or `None` for an absolute path. `file_name` is the last component of
    /// the path.
    pub(crate) fn read(&self, beside: &Path, name: Option<&str>, file_name: &str) -> ProjectFile {
        self.search(beside, name, file_name, read_text)
    }

    /// Finds an image that a map names, as [`Project::read`] finds texts. Returns the path on disk.
    ///
    /// # Errors
    /// Returns the reason if there is no such file in the project. Messages put it after the name.
    pub(crate) fn picture(&self, beside: &Path, name: &str) -> Result<PathBuf, String> {
        // The image itself is not a text.
        let open: Open = |path| {
            let source = Source::new(show::path(path), Some(path.to_owned()), "");
            Found::Read(source, Vec::new())
        };
        let file_name = name.rsplit('/').next().unwrap_or_default();
        match self.search(beside, Some(name), file_name, open).found {
            Found::Read(source, _) => Ok(source.path().unwrap_or(beside).to_owned()),
            Found::Missing => Err("was not found".to_owned()),
            Found::Refused(why) => Err(why),
        }
    }

    fn search(
        &self,
        beside: &Path,
        name: Option<&str>,
        file_name: &str,
        open: Open,
    ) -> ProjectFile {
        let named = name.map(|name| self.read_named(beside, name, open));
        match named {
            Some(file) if matches!(file.found, Found::Read(..)) => file,
            named => self.read_moved(file_name, open).or(named).unwrap_or(Found::Missing.into()),
        }
    }

    /// Reads the file at the path `name`, or at a path that differs only in letter case.
    fn read_named(&self, beside: &Path, name: &str, open: Open) -> ProjectFile {
        let path = beside.join(name);
        let here = match canonical(beside) {
            Ok(here) => here,
            Err(why) => return Found::Refused(why).into(),
        };
        let root = match self.root(&here) {
            Ok(root) => root,
            Err(why) => return Found::Refused(why).into(),
        };
        let is_inside = |path: &Path| path.starts_with(&root) || path.starts_with(&here);
        let file = joined(&here, name);
        if !file.as_ref().is_some_and(|path| is_inside(path)) {
            let why = format!("is outside the project directory {}", show::path(&root));
            let command = file.and_then(|file| self.wider_command(beside, &here, &file));
            return ProjectFile { command, ..Found::Refused(why).into() };
        }
        if fs::symlink_metadata(&path).is_ok() {
            return read_allowed(&path, is_inside, open).into();
        }
        let Some(near) = any_case(&here, name) else { return Found::Missing.into() };
        let found = read_allowed(&beside.join(&near), is_inside, open);
        ProjectFile { found, elsewhere: Some(near), command: None }
    }

    /// Returns the command that imports the map with a root that contains `file`. `beside` is the
    /// directory of the map, and `here` is the same directory without symbolic links.
    fn wider_command(&self, beside: &Path, here: &Path, file: &Path) -> Option<String> {
        let up = here.ancestors().position(|folder| file.starts_with(folder))?;
        let beside = if beside.as_os_str().is_empty() { Path::new(".") } else { beside };
        let root = (0..up).fold(beside.to_owned(), |root, _| root.join(".."));
        let map = self.file.as_deref().map_or_else(|| "MAP".to_owned(), show::path);
        let root = show::path(&root);
        let root = root.strip_prefix("./").unwrap_or(&root);
        Some(format!(
            "tilewalk import {} --root {}",
            show::shell_word(&map),
            show::shell_word(root)
        ))
    }

    /// Searches for a file in the directory for moved tile sets. Returns `None` if this directory
    /// is not set or does not contain the file.
    fn read_moved(&self, file_name: &str, open: Open) -> Option<ProjectFile> {
        let folder = self.tile_sets.as_ref()?;
        let real = canonical(folder).ok()?;
        let mut left = MOST_ENTRIES;
        let path = search_file(folder, file_name, MAX_DEPTH, &mut left)?;
        let elsewhere = Some(show::path(&path));
        let found = read_allowed(&path, |path| path.starts_with(&real), open);
        Some(ProjectFile { found, elsewhere, command: None })
    }

    /// Returns the root of the project around `here`, the directory of a map. Without a project,
    /// the root is two levels above `here`.
    fn root(&self, here: &Path) -> Result<PathBuf, String> {
        if let Some(root) = &self.root {
            return canonical(root);
        }
        let found = here.ancestors().find(|folder| is_root(folder));
        // The root of the file system is never the root of a project.
        let named = here.ancestors().take_while(|folder| folder.file_name().is_some());
        let above = named.take(LEVELS_ABOVE + 1).last();
        Ok(found.or(above).unwrap_or(here).to_owned())
    }
}

/// Returns true if a directory contains `.git`, a `.tiled-project` file or a `project.godot` file.
fn is_root(folder: &Path) -> bool {
    folder.join(".git").exists()
        || folder.join("project.godot").exists()
        || entry_names(folder).iter().any(|name| name.ends_with(".tiled-project"))
}

/// Returns a path without symbolic links.
fn canonical(path: &Path) -> Result<PathBuf, String> {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    let unreadable = |error| format!("can't be read: {}", ReadError::io(path, error).reason());
    fs::canonicalize(path).map_err(unreadable)
}

/// Resolves the symbolic links in a path. Opens the file if `is_allowed` returns true for the
/// resolved path.
fn read_allowed(path: &Path, is_allowed: impl Fn(&Path) -> bool, open: Open) -> Found {
    match canonical(path) {
        Ok(real) if is_allowed(&real) => {}
        Ok(_) => return Found::Refused("links to a file outside its project directory".into()),
        Err(why) => return Found::Refused(why),
    }
    open(path)
}

fn read_text(path: &Path) -> Found {
    match source::read(path, show::path(path)) {
        Ok((source, problems)) => Found::Read(source, problems),
        Err(error) => Found::Refused(format!("can't be read: {}", error.reason())),
    }
}

/// Appends a relative path to `folder`, a path without symbolic links. Returns `None` if `name` is
/// an absolute path, or if the result is above the root of the file system.
fn joined(folder: &Path, name: &str) -> Option<PathBuf> {
    let mut path = folder.to_owned();
    for part in Path::new(name).components() {
        match part {
            Component::Normal(part) => path.push(part),
            Component::CurDir => {}
            Component::ParentDir => path.pop().then_some(())?,
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(path)
}

/// Returns the names of the entries of a directory, sorted. Omits names that are not UTF-8.
fn entry_names(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let names = entries.flatten().take(MOST_ENTRIES);
    let mut names: Vec<String> =
        names.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.small_sort();
    names
}

/// Finds a path that differs from `name` only in letter case; `None` if there is none.
fn any_case(folder: &Path, name: &str) -> Option<String> {
    let (mut at, mut found) = (folder.to_owned(), Vec::new());
    for part in name.split('/') {
        let part = match part {
            "." | ".." => part.to_owned(),
            part if at.join(part).exists() => part.to_owned(),
            part => entry_names(&at).into_iter().find(|name| is_same(name, part))?,
        };
        at.push(&part);
        found.push(part);
    }
    Some(found.join("/"))
}

fn is_same(a: &str, b: &str) -> bool {
    a.to_lowercase() == b.to_lowercase()
}

/// Searches a directory and its subdirectories for a file. Returns `None` if there is no such file.
/// Does not follow links to directories. `left` is the number of directory entries that the search
/// may still read.
fn search_file(folder: &Path, name: &str, depth: usize, left: &mut usize) -> Option<PathBuf> {
    let names = entry_names(folder);
    *left = left.checked_sub(names.len())?;
    let exact = names.iter().find(|each| *each == name);
    let file = exact.or_else(|| names.iter().find(|each| is_same(each, name)));
    if let Some(file) = file.map(|file| folder.join(file)).filter(|file| file.is_file()) {
        return Some(file);
    }
    let folders = names.iter().map(|name| folder.join(name));
    let mut folders = folders
        .filter(|path| depth > 0 && fs::symlink_metadata(path).is_ok_and(|about| about.is_dir()));
    folders.find_map(|folder| search_file(&folder, name, depth - 1, left))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates empty files and returns their directory.
    fn tree(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        folder
    }

    /// Describes the result of reading a file whose name is in a map in `game/maps`.
    fn outcome(folder: &Path, project: &Project, name: &str) -> String {
        let file_name = name.rsplit('/').next().unwrap();
        let ProjectFile { found, elsewhere, .. } =
            project.read(&folder.join("game/maps"), Some(name), file_name);
        let found = match found {
            Found::Read(..) => "read".to_owned(),
            Found::Missing => "missing".to_owned(),
            Found::Refused(why) => why.split_once(" /").map_or(why.clone(), |(why, _)| why.into()),
        };
        let folder = format!("{}/", folder.display());
        elsewhere.map_or(found.clone(), |at| format!("{found} {}", at.replace(&folder, "")))
    }

    #[test]
    fn files_are_read_up_to_the_root_of_the_project() {
        let folder = tree(&["game/maps/a", "game/sets/b.tsx", "game/.git/HEAD", "c.tsx"]);
        let plain = Project::default();
        let of = |project, name| outcome(folder.path(), project, name);
        assert_eq!(of(&plain, "../sets/b.tsx"), "read");
        assert_eq!(of(&plain, "../../c.tsx"), "is outside the project directory");
        assert_eq!(of(&plain, "../maps/../../c.tsx"), "is outside the project directory");
        assert_eq!(of(&plain, "/etc/passwd"), "is outside the project directory");
        let wide = Project { root: Some(folder.path().into()), ..Project::default() };
        assert_eq!(of(&wide, "../../c.tsx"), "read");
        fs::remove_dir_all(folder.path().join("game/.git")).unwrap();
        assert_eq!(of(&plain, "../sets/b.tsx"), "read", "nothing marks the root");
        assert_eq!(of(&plain, "../../../c.tsx"), "is outside the project directory");
        fs::write(folder.path().join("game/my.tiled-project"), "{}").unwrap();
        assert_eq!(of(&plain, "../sets/b.tsx"), "read");
        // A project of Godot in an archive, with a map in a deep directory.
        let folder = tree(&["game/maps/a", "b/maps/x/y/a", "b/sets/b.tsx", "b/project.godot"]);
        let deep = folder.path().join("b/maps/x/y").canonicalize().unwrap();
        assert_eq!(plain.root(&deep), Ok(folder.path().join("b").canonicalize().unwrap()));
    }

    #[test]
    fn files_are_found_with_other_letter_case_or_in_another_directory() {
        let folder = tree(&["game/maps/a", "game/Sets/B.TSX", "game/.git/HEAD", "old/x/c.tsx"]);
        let of = |project: &Project, name| outcome(folder.path(), project, name);
        assert_eq!(of(&Project::default(), "../sets/b.tsx"), "read ../Sets/B.TSX");
        assert_eq!(of(&Project::default(), "../sets/c.tsx"), "missing");
        let moved = Project { tile_sets: Some(folder.path().join("old")), ..Project::default() };
        assert_eq!(of(&moved, "../sets/c.tsx"), "read old/x/c.tsx");
        assert_eq!(of(&moved, "../sets/d.tsx"), "missing");
    }

    #[test]
    #[cfg(unix)]
    fn links_do_not_leave_the_project() {
        let folder = tree(&["game/maps/a", "game/.git/HEAD", "game/in.tsx", "secret.tsx"]);
        let link = |to: &str, at: &str| {
            std::os::unix::fs::symlink(folder.path().join(to), folder.path().join(at)).unwrap();
        };
        link("secret.tsx", "game/maps/out.tsx");
        link("game/in.tsx", "game/maps/in.tsx");
        link("", "game/maps/up");
        let of = |name| outcome(folder.path(), &Project::default(), name);
        assert_eq!(of("out.tsx"), "links to a file outside its project directory");
        assert_eq!(of("up/secret.tsx"), "links to a file outside its project directory");
        assert_eq!(
            of("OUT.tsx"),
            "links to a file outside its project directory OUT.tsx".replace("OUT", "out")
        );
        assert_eq!(of("in.tsx"), "read");
    }
}
