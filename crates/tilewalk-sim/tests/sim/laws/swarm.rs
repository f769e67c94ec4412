//! Simulates random worlds and checks all invariants after every frame. By default, the test has only a few
//! worlds. These commands simulate others:
//!
//! ```sh
//! TILEWALK_CASES=100000 cargo test --release --test sim swarm -- --nocapture   # 100,000 worlds
//! TILEWALK_FIRST=4711 TILEWALK_CASES=1 cargo test --release --test sim swarm   # only world 4711
//! ```

use std::panic;

use tilewalk_files::Options;
use tilewalk_sim::command::Command;
use tilewalk_sim::geom::{Direction, Vec2};
use tilewalk_sim::history::History;
use tilewalk_sim::id::AgentId;
use tilewalk_sim::scenario::sources::Sources;
use tilewalk_sim::step::step_with;
use tilewalk_sim::time::Frame;
use tilewalk_sim::world::World;

use super::swarm_maps;
use crate::support::build;
use crate::support::invariants::assert_valid;
use crate::support::random::TestRng;

/// Number of frames of each world.
const FRAMES: u64 = 1000;

/// Memory for the stored frames of a run, in bytes. It is small, so that seeking must simulate frames again.
const BUDGET: usize = 1 << 18;

/// Distance between the seeds of two worlds. A world draws fewer random numbers than this, so that no two
/// worlds share any.
const NUMBERS: u64 = 1 << 20;

/// Returns random commands for a frame. Most frames have none.
fn commands(rng: &mut TestRng, world: &World) -> Vec<Command> {
    let agent = AgentId(rng.below(world.len()) as u32);
    match rng.below(60) {
        0 => vec![Command::Drive { agent, direction: Some(Direction::ALL[rng.below(8)]) }],
        1 => vec![Command::Drive { agent, direction: None }],
        2 => {
            let map = world.scenario().map();
            let [x, y] = [map.width(), map.height()].map(|size| rng.below(size as usize * 8));
            vec![Command::Place { agent, at: Vec2::new(x as f32, y as f32) / 8.0 }]
        }
        _ => vec![],
    }
}

/// Simulates and checks a world. Returns false if its map has errors, for example too few free tiles.
fn simulate(sources: &std::sync::Arc<Sources>, rng: &mut TestRng) -> bool {
    let loaded = tilewalk_files::reload(sources, &Options::default()).expect("stored files");
    let Some(scenario) = loaded.scenario else { return false };
    let mut history = History::new(scenario, BUDGET);
    let mut hashes = vec![history.world().hash()];
    for _ in 0..FRAMES {
        let commands = commands(rng, history.world());
        let mut copy = history.world().clone();
        history.step(&commands);
        step_with(&mut copy, &commands);
        let world = history.world();
        assert_valid(world);
        assert_eq!(copy.hash(), world.hash(), "a copy differs at frame {}", world.frame());
        hashes.push(world.hash());
    }
    for _ in 0..10 {
        let frame = rng.below(hashes.len());
        history.go_to(Frame(frame as u64));
        assert_eq!(history.world().hash(), hashes[frame], "frame {frame} differs after seeking");
    }
    true
}

#[test]
fn random_worlds_are_valid_and_seeking_gives_the_same_frames() {
    let first = std::env::var("TILEWALK_FIRST").ok().and_then(|text| text.parse().ok());
    let first: u64 = first.unwrap_or(0);
    let count = build::tries(8) as u64;
    let mut valid_maps = 0;
    for case in first..first + count {
        let mut rng = TestRng(case * NUMBERS);
        let sources = swarm_maps::sources(&mut rng);
        match panic::catch_unwind(move || simulate(&sources, &mut rng)) {
            Ok(valid) => valid_maps += u64::from(valid),
            Err(payload) => {
                let files = &swarm_maps::sources(&mut TestRng(case * NUMBERS)).files;
                let texts: Vec<_> = files.iter().map(|file| file.text.to_string()).collect();
                let message = payload.downcast_ref::<String>();
                panic!("world {case}: {message:?}\n{}", texts.join("\n---\n"));
            }
        }
    }
    assert!(valid_maps * 2 > count, "only {valid_maps} of {count} maps are valid");
}
