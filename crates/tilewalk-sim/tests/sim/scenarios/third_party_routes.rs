//! Agents that travel on a third-party map take routes of the shortest length. The environment variable
//! `TILEWALK_SAMPLES` names the directory of the map. The scenario file beside the map lists the shortest
//! lengths.

use std::fs;
use std::sync::Arc;

use tilewalk_files::{Options, Origin};
use tilewalk_sim::agent::{Drive, Mode};
use tilewalk_sim::body::Body;
use tilewalk_sim::geom::TilePos;
use tilewalk_sim::id::AgentId;
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::steering::Target;
use tilewalk_sim::step::step;
use tilewalk_sim::world::{Flags, World};

use crate::support::build;
use crate::support::samples;

/// Returns a sample map without agents.
fn sample(folder: &std::path::Path, name: &str) -> Scenario {
    let here = tempfile::tempdir().expect("a folder");
    fs::copy(folder.join(name), here.path().join(name)).expect("the sample map");
    let map = here.path().join("map.toml");
    fs::write(&map, format!("tiles_file = \"{name}\"\n")).expect("a map");
    let loaded =
        tilewalk_files::load(&Origin::Disk(map), &Options::default()).expect("readable files");
    Scenario::clone(&loaded.scenario.expect("a valid map"))
}

/// All agents travel at the same time, each from the start to the goal of one scenario in the file.
#[test]
fn each_route_on_the_arena_map_has_its_listed_length() {
    let Some(folder) = samples() else { return };
    let mut scenario = sample(&folder, "arena.map");
    let text = fs::read_to_string(folder.join("arena.map.scen")).expect("the scenarios");
    let mut lengths = Vec::new();
    for line in text.lines().skip(1).filter(|line| !line.trim().is_empty()) {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let number = |index: usize| fields[index].parse::<i32>().expect("a number");
        let (from, to) = (TilePos::new(number(4), number(5)), TilePos::new(number(6), number(7)));
        let drive = Drive::Travel { target: Target::Point(to.centre()) };
        let name = format!("a{}", lengths.len());
        build::add(&mut scenario, &name, from.centre(), Body::default(), Drive::Stand);
        let mode = Mode::new("go".to_owned(), 1, drive);
        build::edit(&mut scenario, |parts| {
            parts.kinds.last_mut().expect("just added").modes = vec![mode];
        });
        lengths.push(fields[8].parse::<f64>().expect("a length"));
    }
    assert!(lengths.len() >= 100, "{} scenarios", lengths.len());
    let mut world = World::new(Arc::new(scenario));
    let mut walked = vec![0.0_f64; lengths.len()];
    let mut frames = 0;
    while !world.ids().all(|id| world.flags(id).has(Flags::ARRIVED)) {
        let before: Vec<_> = world.ids().map(|id| world.tile(id)).collect();
        step(&mut world);
        for (id, from) in world.ids().zip(before) {
            let step = world.tile(id) - from;
            walked[id.index()] += f64::from(step.x * step.x + step.y * step.y).sqrt();
        }
        frames += 1;
        assert!(frames < 500, "some agents never arrive");
    }
    for (index, (walked, listed)) in walked.into_iter().zip(lengths).enumerate() {
        let planned = world
            .found_path(AgentId(index as u32))
            .map_or(0.0, tilewalk_sim::map::search::FoundPath::cost);
        assert!((walked - listed).abs() < 1e-3, "scenario {index}: {walked} for {listed}");
        assert!(
            (planned - listed).abs() < 1e-3,
            "scenario {index}: planned {planned} for {listed}"
        );
    }
}
