//! What several fuzz targets use: files, and checks of reports and worlds.

pub mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use tilewalk::files::{self, Options, Report, write::frame_to_map};
use tilewalk::id::AgentId;
use tilewalk::scenario::Scenario;
use tilewalk::scenario::sources::Sources;
use tilewalk::step::{explain, step};
use tilewalk::world::World;

use support::invariants::assert_valid;

// Larger maps are read but not simulated, because they would slow down fuzzing.
const MAX_AGENTS: usize = 50;
const MAX_TILES: i64 = 100_000;

/// Frames that an accepted map is simulated for.
const FRAMES: usize = 20;

/// Writes a file in a temporary folder that only this process uses. Returns its path.
pub fn file(name: &str, bytes: &[u8]) -> PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let name = format!("tilewalk-fuzz-{}", std::process::id());
        std::env::temp_dir().join(name)
    });
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap_or(Path::new(""))).expect("a folder");
    fs::write(&path, bytes).expect("a file that can be written");
    path
}

/// Checks that a report names existing places and is safe to print.
pub fn assert_printable(report: &Report) {
    let shown = report.plain();
    assert!(shown.chars().all(|c| c == '\n' || !c.is_control()), "{shown:?}");
    for entry in report.entries() {
        assert!(entry.line >= 1 && entry.column >= 1, "{entry:?}");
    }
}

/// Returns true if a scenario is small enough for a target that simulates it.
pub fn is_small(scenario: &Scenario) -> bool {
    let tiles = i64::from(scenario.map().width()) * i64::from(scenario.map().height());
    scenario.starts().len() <= MAX_AGENTS && tiles <= MAX_TILES
}

/// Simulates some frames, explains all agents, and reads the last frame again as a map.
pub fn simulate(scenario: Arc<Scenario>) {
    if !is_small(&scenario) {
        return;
    }
    let mut world = World::new(scenario);
    for _ in 0..FRAMES {
        step(&mut world);
        assert_valid(&world);
    }
    for agent in 0..world.len() as u32 {
        explain(&world, AgentId(agent));
    }
    let Ok(text) = frame_to_map::text(&world) else { return };
    let mut sources = Sources::clone(world.scenario().sources());
    sources.files[0].text = text.as_str().into();
    let loaded = files::reload(&Arc::new(sources), &Options::default()).expect("stored files");
    assert!(loaded.scenario.is_some(), "{}\n{text}", loaded.report.plain());
}
