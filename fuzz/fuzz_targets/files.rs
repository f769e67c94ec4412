//! Maps, patterns and files of tiles: no bytes upset the reader, nothing of a file is printed as it
//! is, and a map that is read can be stepped.

#![no_main]

use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use tilewalk::files::{self, Options};
use tilewalk::id::AgentId;
use tilewalk::step::{explain, step};
use tilewalk::world::World;

/// Larger worlds are read and left alone: they would take the time of many others.
const MOST_AGENTS: usize = 50;
const MOST_TILES: i64 = 100_000;

fuzz_target!(|bytes: &[u8]| {
    let ending = match bytes {
        [b't', b'y', b'p', b'e', ..] => "map",
        _ if bytes.contains(&b'=') => "toml",
        _ => "txt",
    };
    let path = folder().join("fuzz").with_extension(ending);
    fs::write(&path, bytes).expect("a file that can be written");
    let report = files::check(&[path], None).expect("a file that can be read");
    let shown = report.plain();
    assert!(shown.chars().all(|c| c == '\n' || !c.is_control()), "{shown:?}");
    for entry in report.entries() {
        assert!(entry.line >= 1 && entry.column >= 1, "{entry:?}");
    }
    if let (Ok(text), "toml") = (std::str::from_utf8(bytes), ending) {
        walk(text);
    }
});

/// Reads a map with the built-in patterns around it, and lets some time pass in it.
fn walk(text: &str) {
    let origin = tilewalk::builtin::text("fuzz.toml", text);
    let Ok(loaded) = files::load(&origin, &Options::default()) else { return };
    let Some(scenario) = loaded.scenario else { return };
    let tiles = i64::from(scenario.map.width()) * i64::from(scenario.map.height());
    if scenario.starts.len() > MOST_AGENTS || tiles > MOST_TILES {
        return;
    }
    let mut world = World::new(scenario);
    for _ in 0..20 {
        step(&mut world);
    }
    for agent in 0..world.len() as u32 {
        explain(&world, AgentId(agent));
    }
}

/// A folder of this process's own.
fn folder() -> &'static PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let name = format!("tilewalk-fuzz-{}", std::process::id());
        let folder = std::env::temp_dir().join(name).join("maps");
        fs::create_dir_all(&folder).expect("a folder for one file");
        folder
    })
}
