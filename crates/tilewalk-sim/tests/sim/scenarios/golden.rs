//! Golden runs: the state hashes of every shipped map, as text that git can compare.
//!
//! `UPDATE_GOLDEN=1 cargo test golden` updates them. Use it only for an intended change of behaviour, and
//! mention the change in the changelog.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use tilewalk_files::Options;
use tilewalk_sim::step::step;
use tilewalk_sim::world::World;
use tilewalk_test_support::builtin;

/// Returns a line for every fiftieth frame of a built-in map: the state hash, and the number of events so
/// far.
fn run(name: &str) -> String {
    let origin = builtin::origin(name);
    let loaded = tilewalk_files::load(&origin, &Options::default()).expect("a built-in map");
    let mut world = World::new(loaded.scenario.expect("a valid map"));
    let mut text = String::new();
    let mut events = 0;
    for frame in 0..=300 {
        if frame > 0 {
            step(&mut world);
        }
        events += world.events().len();
        if frame % 50 == 0 {
            let _ = writeln!(text, "frame {frame:>3}  hash {:016x}  events {events}", world.hash());
        }
    }
    text
}

#[test]
fn shipped_maps_match_their_golden_runs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut changed = Vec::new();
    for map in builtin::maps() {
        let path = folder.join(format!("{}.txt", map.name));
        let now = run(&map.name);
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            fs::create_dir_all(&folder).expect("a folder");
            fs::write(&path, now).expect("a golden run");
        } else if fs::read_to_string(&path).unwrap_or_default() != now {
            changed.push(format!("{}:\n{now}", map.name));
        }
    }
    assert!(
        changed.is_empty(),
        "these runs differ from their golden files:\n{}",
        changed.join("\n")
    );
}
