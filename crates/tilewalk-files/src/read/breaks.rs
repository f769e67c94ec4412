//! `MAP.breaks.toml`: the breakpoints and bookmarks of a map, stored next to the map file.
//!
//! [`Kept`] also keeps breakpoints and bookmarks in memory while the user views another map.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, value};

use crate::keys::map::{BREAK, BREAKS_FILE, MARKER, MAX_BREAKS};
use crate::keys::table;
use crate::read::{beside, rule};
use crate::text::diagnostic::Issues;
use crate::text::reader::{Entry, TableReader, document};
use crate::text::report::Report;
use tilewalk_sim::history::bookmarks::{Bookmark, Bookmarks};
use tilewalk_sim::history::breaks::{Break, Breaks, Trigger};
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::time::Frame;

/// Suffix of breakpoint file names.
const ENDING: &str = ".breaks.toml";

/// Breakpoints and bookmarks that are saved with a map.
#[derive(Debug, Clone, Default)]
pub struct Kept {
    /// Breakpoints and watchpoints, enabled or disabled.
    pub breaks: Breaks,
    /// Bookmarks: frames with names.
    pub bookmarks: Bookmarks,
}

/// Returns the path of a map's breakpoint file: `a.breaks.toml` for the map `a.toml`.
fn path_beside(map: &Path) -> PathBuf {
    map.with_extension(&ENDING[1..])
}

/// Returns the path of the map that a breakpoint file belongs to; `None` if `path` is not a
/// breakpoint file.
pub(crate) fn map_of(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?.strip_suffix(ENDING)?;
    Some(path.with_file_name(format!("{name}.toml")))
}

/// Reads the breakpoint file of a map. Without this file, the map has no breakpoints and no
/// bookmarks. Invalid breakpoints and bookmarks are reported and skipped.
pub fn load_breaks(map: &Path, scenario: &Arc<Scenario>) -> (Kept, Report) {
    beside::load(&path_beside(map), |issues| read(issues, scenario))
}

/// Reads a breakpoint file. Reports and skips invalid breakpoints and bookmarks.
pub(crate) fn read(issues: &Issues, scenario: &Arc<Scenario>) -> Kept {
    let mut kept = Kept::default();
    document(issues.text(), &BREAKS_FILE, issues, |table| {
        crate::text::reader::check_format(&table);
        if let Some(entry) = table.take("break") {
            let breaks = listed(&entry, &BREAK, "breakpoints");
            kept.breaks = breaks.filter_map(|table| read_break(table, scenario)).collect();
        }
        if let Some(entry) = table.take("marker") {
            let bookmarks = listed(&entry, &MARKER, "bookmarks");
            bookmarks.filter_map(read_marker).for_each(|marker| kept.bookmarks.restore(&marker));
        }
        table.finish();
        Some(())
    });
    kept
}

/// Returns the first `MAX_BREAKS` tables of a list. Reports a list with more tables.
fn listed<'a>(
    entry: &Entry<'a>,
    keys: &'static table::Table,
    many: &str,
) -> impl Iterator<Item = TableReader<'a>> + use<'a> {
    let tables = entry.tables(keys);
    if tables.len() > MAX_BREAKS {
        entry.error(format!("a breakpoint file can have at most {MAX_BREAKS} {many}"));
    }
    tables.into_iter().take(MAX_BREAKS)
}

fn read_marker(table: TableReader) -> Option<Bookmark> {
    let frame = table.integer("frame");
    let name = table.require("name").and_then(|entry| entry.line());
    table.finish();
    Some(Bookmark { frame: Frame(frame?.cast_unsigned()), name: name?.to_owned() })
}

fn read_break(table: TableReader, scenario: &Arc<Scenario>) -> Option<Break> {
    let (when, watch) = (table.take("when"), table.take("watch"));
    let enabled = table.take("enabled").map_or(Some(true), |entry| entry.boolean());
    let (trigger, entry) = match (when, watch) {
        (Some(when), None) => (Trigger::Condition, when),
        (None, Some(watch)) => (Trigger::Change, watch),
        (None, None) => {
            let message = "a breakpoint needs `when` (a condition) or `watch` (a value)";
            table.issues.error(table.span(), message);
            table.finish();
            return None;
        }
        (Some(_), Some(watch)) => {
            let message = "a breakpoint can't have both `when` and `watch`";
            watch.error_at_key(message, "");
            table.finish();
            return None;
        }
    };
    table.finish();
    let mut read = rule::in_string(&entry, |text| Break::read(trigger, text, scenario))?;
    rule::warn_in(&entry, read.cost(), read.notes());
    read.enabled = enabled?;
    Some(read)
}

/// Writes the breakpoint file of a map and returns its path as printable text. Keeps the comment at
/// the top of an existing file.
///
/// # Errors
/// Returns the reason if the file could not be written or the existing file has errors. The
/// existing file is then unchanged.
pub fn save_breaks(map: &Path, kept: &Kept, scenario: &Arc<Scenario>) -> Result<String, String> {
    let (_, report) = load_breaks(map, scenario);
    beside::save(&path_beside(map), &report, &text(kept))
}

/// Formats breakpoints and bookmarks as the TOML text of a breakpoint file.
fn text(kept: &Kept) -> String {
    let mut document = DocumentMut::new();
    document["format"] = value(1);
    let mut list = ArrayOfTables::new();
    for each in kept.breaks.iter() {
        let mut table = Table::new();
        let key = match each.trigger() {
            Trigger::Condition => "when",
            Trigger::Change => "watch",
        };
        table[key] = value(each.text());
        if !each.enabled {
            table["enabled"] = value(false);
        }
        list.push(table);
    }
    document["break"] = Item::ArrayOfTables(list);
    let mut list = ArrayOfTables::new();
    for marker in kept.bookmarks.iter() {
        let mut table = Table::new();
        table["frame"] = value(marker.frame.0.cast_signed());
        table["name"] = value(&marker.name);
        list.push(table);
    }
    document["marker"] = Item::ArrayOfTables(list);
    document.to_string()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::{Options, Origin, load};

    const MAP: &str = "tiles = '''\n......\n'''\n[[agent]]\nname = \"a\"\nat = [1, 0]\n";

    fn folder(file: Option<&str>) -> (tempfile::TempDir, PathBuf, Arc<Scenario>) {
        let folder = tempfile::tempdir().unwrap();
        let map = folder.path().join("m.toml");
        fs::write(&map, MAP).unwrap();
        if let Some(text) = file {
            fs::write(path_beside(&map), text).unwrap();
        }
        let loaded = load(&Origin::Disk(map.clone()), &Options::default()).unwrap();
        (folder, map, loaded.scenario.unwrap())
    }

    #[test]
    fn saved_breakpoints_are_read_again() {
        let (_folder, map, scenario) = folder(Some("# mine\n\nformat = 1\n"));
        let (none, report) = load_breaks(&map, &scenario);
        assert_eq!((none.breaks.len(), report.diagnostics().len()), (0, 0));
        let mut kept = Kept::default();
        kept.bookmarks.set(Frame(90), "the \"chase\"");
        kept.bookmarks.set(Frame(7), "");
        let breaks = &mut kept.breaks;
        for (trigger, text) in [
            (Trigger::Condition, "a.mode == \"stand\" and a.mode == 'stand'"),
            (Trigger::Change, "a.tile_x"),
        ] {
            breaks.set(Break::read(trigger, text, &scenario).unwrap());
        }
        breaks.get_mut(1).unwrap().enabled = false;
        let path = save_breaks(&map, &kept, &scenario).unwrap();
        assert!(fs::read_to_string(path).unwrap().starts_with("# mine\n\nformat = 1\n"));
        let (again, report) = load_breaks(&map, &scenario);
        assert_eq!(report.diagnostics().len(), 0);
        let told = |breaks: &Breaks| -> Vec<_> {
            let tell = |each: &Break| (each.trigger(), each.text().to_owned(), each.enabled);
            breaks.iter().map(tell).collect()
        };
        assert_eq!(told(&again.breaks), told(&kept.breaks));
        assert_eq!(again.bookmarks, kept.bookmarks);
    }

    #[test]
    fn a_file_with_errors_is_read_partly_and_never_overwritten() {
        let text = "[[break]]\nwhen = \"b.x > 1\"\n[[break]]\nwatch = 'a.x'\n[[break]]\nwhen = 'true'\n\
                    watch = 'a.y'\n[[break]]\nenabled = 3\n";
        let (_folder, map, scenario) = folder(Some(text));
        let (kept, report) = load_breaks(&map, &scenario);
        let told: Vec<_> =
            report.entries().map(|e| (e.line, e.column, e.message.to_owned())).collect();
        assert_eq!(told[0], (2, 9, "unknown name `b`".to_owned()));
        assert_eq!(told[1], (7, 1, "a breakpoint can't have both `when` and `watch`".to_owned()));
        assert_eq!(told.len(), 4, "{told:?}");
        assert_eq!(kept.breaks.iter().map(Break::text).collect::<Vec<_>>(), ["a.x"]);
        let refused = save_breaks(&map, &kept, &scenario).unwrap_err();
        assert!(refused.contains("m.breaks.toml:2:9"), "{refused}");
        assert_eq!(fs::read_to_string(path_beside(&map)).unwrap(), text);
    }

    #[test]
    fn a_map_without_breakpoint_file_has_no_breakpoints() {
        let (_folder, map, scenario) = folder(None);
        let (kept, report) = load_breaks(&map, &scenario);
        assert_eq!((kept.breaks.len(), report.sources().len()), (0, 0));
        assert_eq!(map_of(&path_beside(&map)), Some(map));
        assert_eq!(map_of(Path::new("a/m.toml")), None);
    }
}
