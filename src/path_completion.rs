//! Completes the paths of maps and recordings.

use std::fs;
use std::path::Path;

use crate::files::read::recorded;
use crate::files::{check, show};
use tilewalk_sim::sort::SmallSort;

/// Maximum number of completions.
const MOST: usize = 100;

/// Maximum size of a file whose content is checked, in bytes.
const QUICK: u64 = 1 << 20;

/// Returns the maps, recordings and directories whose paths begin with `text`, in sorted order.
/// Returns at most 100 paths. Directories end in `/`. The list is empty if the directory can't be
/// read.
pub fn maps(text: &str) -> Vec<String> {
    let (folder, begun) = text
        .rsplit_once('/')
        .map_or(("", text), |(_, begun)| (&text[..text.len() - begun.len()], begun));
    let read = fs::read_dir(if folder.is_empty() { Path::new(".") } else { Path::new(folder) });
    let Ok(entries) = read else { return Vec::new() };
    let path = |entry: fs::DirEntry| {
        let name = entry.file_name().into_string().ok()?;
        let hidden = name.starts_with('.') && !begun.starts_with('.');
        if hidden || !name.starts_with(begun) || name.contains(show::is_hidden) {
            return None;
        }
        // `is_dir` follows links.
        if entry.path().is_dir() {
            return Some(format!("{folder}{name}/"));
        }
        let (_, ending) = name.rsplit_once('.')?;
        let fits = ending == recorded::ENDING || (ending == "toml" && may_be_map(&entry.path()));
        fits.then(|| format!("{folder}{name}"))
    };
    let mut paths: Vec<_> = entries.flatten().filter_map(path).collect();
    paths.small_sort();
    paths.truncate(MOST);
    paths
}

/// Returns true if a file is a map. Files larger than `QUICK` count as maps without a check.
fn may_be_map(path: &Path) -> bool {
    let about = fs::metadata(path);
    about.is_ok_and(|about| {
        about.is_file() && (about.len() > QUICK || check::is_map(path).unwrap_or(false))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn completion_suggests_directories_and_maps() {
        let folder = tempfile::tempdir().unwrap();
        let root = format!("{}/", folder.path().display());
        fs::create_dir(folder.path().join("maps")).unwrap();
        for name in ["maps/a.toml", "maps/b.twr", "maps/c.txt", "maps/.d.toml", "maps/e\u{1b}.toml"]
        {
            fs::write(folder.path().join(name), "tiles = '.'\n").unwrap();
        }
        fs::write(folder.path().join("maps/a.breaks.toml"), "").unwrap();
        fs::write(folder.path().join("maps/a.expect.toml"), "").unwrap();
        fs::write(folder.path().join("maps/round.toml"), "kind = 'path'\n").unwrap();
        fs::write(folder.path().join("maps/many.toml"), "map = 'a.toml'\n[measure]\n").unwrap();
        assert_eq!(maps(&format!("{root}ma")), [format!("{root}maps/")]);
        let found = maps(&format!("{root}maps/"));
        assert_eq!(found, [format!("{root}maps/a.toml"), format!("{root}maps/b.twr")]);
        assert_eq!(maps(&format!("{root}maps/.")), [format!("{root}maps/.d.toml")]);
        assert!(maps(&format!("{root}nowhere/x")).is_empty());
    }
}
