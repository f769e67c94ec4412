//! Fuzzes maps, patterns and tile files: reading never panics, reports contain no control characters,
//! and a valid map can be simulated.

#![no_main]

use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use tilewalk::files::{self, Options};
use tilewalk::id::AgentId;
use tilewalk::step::{explain, step};
use tilewalk::world::World;

// Larger maps are read but not simulated, because they would slow down fuzzing.
const MAX_AGENTS: usize = 50;
const MAX_TILES: i64 = 100_000;

fuzz_target!(|bytes: &[u8]| {
    let extension = match bytes {
        [b't', b'y', b'p', b'e', ..] => "map",
        _ if bytes.contains(&b'=') => "toml",
        _ => "txt",
    };
    let path = folder().join("fuzz").with_extension(extension);
    fs::write(&path, bytes).expect("a file that can be written");
    let report = files::check(&[path], None).expect("a file that can be read");
    let shown = report.plain();
    assert!(shown.chars().all(|c| c == '\n' || !c.is_control()), "{shown:?}");
    for entry in report.entries() {
        assert!(entry.line >= 1 && entry.column >= 1, "{entry:?}");
    }
    if let (Ok(text), "toml") = (std::str::from_utf8(bytes), extension) {
        simulate(text);
    }
});

/// Reads a map that can use the built-in patterns, simulates 20 frames and explains all agents.
fn simulate(text: &str) {
    let origin = tilewalk::builtin::text("fuzz.toml", text);
    let Ok(loaded) = files::load(&origin, &Options::default()) else { return };
    let Some(scenario) = loaded.scenario else { return };
    let tiles = i64::from(scenario.map.width()) * i64::from(scenario.map.height());
    if scenario.starts.len() > MAX_AGENTS || tiles > MAX_TILES {
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

/// Returns a temporary folder that only this process uses.
fn folder() -> &'static PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let name = format!("tilewalk-fuzz-{}", std::process::id());
        let folder = std::env::temp_dir().join(name).join("maps");
        fs::create_dir_all(&folder).expect("a folder for one file");
        folder
    })
}
