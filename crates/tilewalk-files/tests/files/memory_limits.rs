//! Files that are small on disk but need gigabytes of memory are refused with an error message.

use std::fmt::Write as _;
use std::fs;
use std::sync::Arc;

use tilewalk_files::{Options, read::recorded};
use tilewalk_sim::history::recorder::Recorder;
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::scenario::sources::Sources;

fn problems(text: &str) -> (bool, String) {
    let origin = tilewalk_test_support::builtin::text("heavy.toml", text);
    let loaded = tilewalk_files::load(&origin, &Options::default()).expect("text is readable");
    (loaded.scenario.is_some(), loaded.report.plain())
}

fn load(text: &str) -> Arc<Scenario> {
    let origin = tilewalk_test_support::builtin::text("heavy.toml", text);
    let loaded = tilewalk_files::load(&origin, &Options::default()).expect("text is readable");
    loaded.scenario.expect("map is valid")
}

/// Returns a map with this number of `[[agent]]` tables.
fn agents(count: usize) -> String {
    let mut text = "tiles = '...'\n".to_owned();
    for number in 0..count {
        let _ = write!(text, "[[agent]]\nname = 'a{number}'\nat = [0, 0]\n");
    }
    text
}

#[test]
fn too_many_tables_are_refused_at_the_first_excess_table() {
    let (loaded, report) = problems(&agents(250_000));
    assert!(!loaded);
    assert!(report.contains("the file has too many tables and values up to here"), "{report}");
    assert!(report.contains("heavy.toml:66"), "not after 222,000 agents: {report}");
    let (loaded, report) = problems(&agents(100_001));
    assert!(!loaded);
    assert!(report.contains("the map has more than 100000 `[[agent]]` tables"), "{report}");
    assert!(report.contains("heavy.toml:300002"), "{report}");
}

#[test]
fn a_map_with_10000_agents_is_valid() {
    let (loaded, report) = problems(&agents(10_000));
    assert!(loaded, "{report}");
}

#[test]
fn too_many_numbers_keys_or_inline_tables_are_refused() {
    let list = |item: &str, count: usize| format!("tiles = '...'\nx = [{}]\n", item.repeat(count));
    let keys: String = (0..3_100_000).fold(String::new(), |mut text, key| {
        let _ = writeln!(text, "k{key}=1");
        text
    });
    for text in [list("1,", 6_100_000), list("{},", 310_000), keys] {
        let (loaded, report) = problems(&text);
        assert!(!loaded && report.contains("too many tables and values"), "{report}");
        assert_eq!(report.matches("error:").count(), 1, "{report}");
    }
}

#[test]
fn a_map_of_999000_tiles_is_valid() {
    let rows = ".".repeat(999) + "\n";
    let (loaded, report) = problems(&format!("tiles = '''\n{}'''\n", rows.repeat(1000)));
    assert!(loaded, "{report}");
}

#[test]
fn versions_of_a_map_in_a_recording_share_its_tiles() {
    let first = load(&agents(2));
    let mut recorder = Recorder::begin(Vec::new()).expect("memory is writable");
    for seed in 0..3 {
        let sources = Sources { seed: Some(seed), ..Sources::clone(first.sources()) };
        recorder.open(None, &Arc::new(sources)).expect("memory is writable");
    }
    let folder = tempfile::tempdir().expect("folder is created");
    let path = folder.path().join("seeds.twr");
    fs::write(&path, recorder.finish().expect("memory is writable")).expect("recording is written");
    let scenarios = recorded::recording(&path).expect("recording is readable").scenarios;
    assert_eq!(scenarios.iter().map(|scenario| scenario.seed()).collect::<Vec<_>>(), [0, 1, 2]);
    assert!(scenarios.iter().all(|scenario| Arc::ptr_eq(scenario.map(), scenarios[0].map())));
}

#[test]
fn a_recording_with_too_many_versions_of_a_map_is_refused() {
    // Each version needs memory for the 100 KB of place names of the map, but adds only a short list of
    // files and a seed to the recording.
    let places: Vec<_> = (0..5000).map(|n| format!("place_number_{n} = [0, 0]\n")).collect();
    let first = load(&format!("tiles = '...'\n[places]\n{}", places.concat()));
    let version_count = |versions: u64| {
        let mut recorder = Recorder::begin(Vec::new()).expect("memory is writable");
        for seed in 0..versions {
            let sources = Sources { seed: Some(seed), ..Sources::clone(first.sources()) };
            recorder.open(None, &Arc::new(sources)).expect("memory is writable");
        }
        let folder = tempfile::tempdir().expect("folder is created");
        let path = folder.path().join("seeds.twr");
        fs::write(&path, recorder.finish().expect("memory is writable"))
            .expect("recording is written");
        recorded::recording(&path).map(|recorded| recorded.scenarios.len())
    };
    assert_eq!(version_count(20).expect("few versions are valid"), 20);
    let refused = version_count(1000).expect_err("many versions are refused").to_string();
    assert!(refused.ends_with("too many versions of the map"), "{refused}");
}

/// The file is sparse, so it takes no space on the disk.
#[test]
fn a_recording_that_is_too_large_is_refused() {
    let folder = tempfile::tempdir().expect("folder is created");
    let path = folder.path().join("long.twr");
    fs::write(
        &path,
        Recorder::begin(Vec::new())
            .expect("memory is writable")
            .finish()
            .expect("memory is writable"),
    )
    .expect("recording is written");
    let file = fs::File::options().append(true).open(&path).expect("recording exists");
    file.set_len((4 << 30) + 1).expect("file is extended");
    let refused = recorded::recording(&path).expect_err("file is too large").to_string();
    assert!(refused.ends_with("long.twr: the file is larger than 4 GiB"), "{refused}");
    let report = tilewalk_files::check(&[path], None).expect("path is valid").plain();
    assert!(report.starts_with("error: the file is larger than 4 GiB"), "{report}");
}
