//! `MAP.seeds.toml`: seeds with which expectations of a map have failed, stored next to the map
//! file. `tilewalk test` judges these seeds first.

use std::path::{Path, PathBuf};

use toml_edit::{Array, ArrayOfTables, DocumentMut, Item, Table, value};

use crate::keys::expect::{FAILED_SEEDS, MAX_SEEDS, SEEDS_FILE};
use crate::keys::map::MAX_EXPECTATIONS;
use crate::read::{beside, expect};
use crate::show;
use crate::text::diagnostic::{Diagnostic, Issues};
use crate::text::reader::document;
use crate::text::report::Report;
use tilewalk_sim::scenario::Scenario;

/// Suffix of the names of these files.
const ENDING: &str = ".seeds.toml";

/// The seeds with which each expectation of a map has failed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FailedSeeds(Vec<(String, Vec<u64>)>);

impl FailedSeeds {
    /// Returns the seeds of the expectation with this name.
    pub fn of(&self, name: &str) -> &[u64] {
        let found = self.0.iter().find(|(known, _)| known == name);
        found.map_or(&[], |(_, seeds)| seeds)
    }

    /// Adds a seed. Returns false if the seed is known, or if the expectation has too many seeds.
    pub fn add(&mut self, name: &str, seed: u64) -> bool {
        let index = self.0.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
            self.0.push((name.to_owned(), Vec::new()));
            self.0.len() - 1
        });
        let seeds = &mut self.0[index].1;
        let is_new = !seeds.contains(&seed) && seeds.len() < MAX_SEEDS;
        if is_new {
            seeds.push(seed);
        }
        is_new
    }
}

/// Returns the path of the file of a map: `a.seeds.toml` for the map `a.toml`.
fn path_beside(map: &Path) -> PathBuf {
    map.with_extension(&ENDING[1..])
}

/// Returns the path of the map that a file of seeds belongs to; `None` for other files.
pub(crate) fn map_of(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?.strip_suffix(ENDING)?;
    Some(path.with_file_name(format!("{name}.toml")))
}

/// Reads the seeds of a map. Without this file, there are no seeds. Invalid entries are reported
/// and skipped.
pub fn load_seeds(map: &Path, scenario: &Scenario) -> (FailedSeeds, Report) {
    beside::load(&path_beside(map), |issues| read(issues, scenario))
}

/// Reads a file of seeds. Reports and skips invalid entries. Warns about expectations that the map
/// does not have.
pub(crate) fn read(issues: &Issues, scenario: &Scenario) -> FailedSeeds {
    let mut failed = FailedSeeds::default();
    document(issues.text(), &SEEDS_FILE, issues, |table| {
        crate::text::reader::check_format(&table);
        let tables = table.take("expect").map(|entry| entry.tables(&FAILED_SEEDS));
        for table in tables.into_iter().flatten().take(MAX_EXPECTATIONS) {
            let name = table.require("name");
            let seeds = table.require("seeds").and_then(|entry| expect::read_seed_list(&entry));
            if let Some((entry, name)) = name.and_then(|entry| Some((entry.span(), entry.line()?)))
            {
                if !scenario.expectations().iter().any(|each| each.name == name) {
                    let message = format!("the map has no expectation `{}`", show::text(name));
                    issues.push(Diagnostic::warning(entry, message).help("remove this table"));
                }
                for seed in seeds.into_iter().flatten() {
                    failed.add(name, seed);
                }
            }
            table.finish();
        }
        table.finish();
        Some(())
    });
    failed
}

/// Adds seeds to the file of a map. Returns the path of the file as printable text, or `None` if
/// the file has all seeds already.
///
/// # Errors
/// Returns the reason if the existing file has errors, or if the file could not be written. The
/// existing file is then unchanged.
pub fn add_seeds(
    map: &Path,
    scenario: &Scenario,
    seeds: &[(&str, u64)],
) -> Result<Option<String>, String> {
    let (mut failed, report) = load_seeds(map, scenario);
    let mut is_changed = false;
    for &(name, seed) in seeds {
        is_changed |= failed.add(name, seed);
    }
    if !is_changed {
        return Ok(None);
    }
    beside::save(&path_beside(map), &report, &text(&failed)).map(Some)
}

fn text(failed: &FailedSeeds) -> String {
    let mut document = DocumentMut::new();
    document["format"] = value(1);
    let mut list = ArrayOfTables::new();
    for (name, seeds) in &failed.0 {
        let mut table = Table::new();
        table["name"] = value(name);
        table["seeds"] = value(seeds.iter().map(|seed| seed.cast_signed()).collect::<Array>());
        list.push(table);
    }
    document["expect"] = Item::ArrayOfTables(list);
    document.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, Origin, load};

    const MAP: &str = "tiles = '...'\n[[agent]]\nname = 'a'\nat = [1, 0]\n\
                       [[expect]]\nname = 'it \"runs\"'\nnever = 'a.x > 2'\n";

    #[test]
    fn failed_seeds_are_added_to_the_file_and_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let map = folder.path().join("m.toml");
        std::fs::write(&map, MAP).unwrap();
        let scenario = load(&Origin::Disk(map.clone()), &Options::default()).unwrap();
        let scenario = scenario.scenario.unwrap();
        let name = "it \"runs\"";
        assert!(load_seeds(&map, &scenario).0.of(name).is_empty());
        let path = add_seeds(&map, &scenario, &[(name, 1 << 52), (name, 3)]).unwrap().unwrap();
        assert_eq!(add_seeds(&map, &scenario, &[(name, 3)]), Ok(None));
        add_seeds(&map, &scenario, &[(name, 9)]).unwrap();
        let (seeds, report) = load_seeds(&map, &scenario);
        assert_eq!((seeds.of(name), report.diagnostics().len()), (&[1 << 52, 3, 9][..], 0));

        // A file with a mistake is reported and never replaced.
        let wrong = "[[expect]]\nname = 'other'\nseeds = [1]\n[[expect]]\nseeds = 2\n";
        std::fs::write(&path, wrong).unwrap();
        let (_, report) = load_seeds(&map, &scenario);
        let found: Vec<_> = report.entries().map(|it| (it.line, it.message.to_owned())).collect();
        assert_eq!(found[0], (2, "the map has no expectation `other`".to_owned()), "{found:?}");
        assert_eq!(report.errors(), 2, "{found:?}");
        assert!(add_seeds(&map, &scenario, &[(name, 3)]).unwrap_err().contains("seeds.toml:2:8"));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), wrong);
    }
}
