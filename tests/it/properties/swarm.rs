//! A swarm of random worlds, with every check after every frame. A few worlds are part of each test run:
//!
//! ```sh
//! TILEWALK_CASES=100000 cargo test --release --test it swarm -- --nocapture   # as many as you like
//! TILEWALK_FIRST=4711 TILEWALK_CASES=1 cargo test --release --test it swarm   # world 4711 alone
//! ```

use std::panic;

use tilewalk::command::Command;
use tilewalk::files::{self, Options};
use tilewalk::geom::{Direction, Vec2};
use tilewalk::history::History;
use tilewalk::id::AgentId;
use tilewalk::scenario::sources::Sources;
use tilewalk::step::step_with;
use tilewalk::time::Frame;
use tilewalk::world::World;

use super::recordings::Chance;
use super::swarm_maps;
use crate::support::build;
use crate::support::sound::assert_sound;

/// Frames that each world is simulated for.
const FRAMES: u64 = 1000;

/// Memory for the stored frames of a run, in bytes. Seeking must simulate the others again.
const BUDGET: usize = 1 << 18;

/// Distance between the first random numbers of two worlds. A world needs fewer numbers.
const NUMBERS: u64 = 1 << 20;

/// What is done to a world in a frame: mostly nothing.
fn commands(chance: &mut Chance, world: &World) -> Vec<Command> {
    let agent = AgentId(chance.below(world.len()) as u32);
    match chance.below(60) {
        0 => vec![Command::Drive { agent, direction: Some(Direction::ALL[chance.below(8)]) }],
        1 => vec![Command::Drive { agent, direction: None }],
        2 => {
            let map = world.scenario().map();
            let [x, y] = [map.width(), map.height()].map(|size| chance.below(size as usize * 8));
            vec![Command::Place { agent, at: Vec2::new(x as f32, y as f32) / 8.0 }]
        }
        _ => vec![],
    }
}

/// Lives through a world. Returns false if its map has errors, for example too few free tiles.
fn live(sources: &std::sync::Arc<Sources>, chance: &mut Chance) -> bool {
    let loaded = files::reload(sources, &Options::default()).expect("stored files");
    let Some(scenario) = loaded.scenario else { return false };
    let mut history = History::new(scenario, BUDGET);
    let mut hashes = vec![history.world().hash()];
    for _ in 0..FRAMES {
        let commands = commands(chance, history.world());
        let mut copy = history.world().clone();
        history.step(&commands);
        step_with(&mut copy, &commands);
        let world = history.world();
        assert_sound(world);
        assert_eq!(copy.hash(), world.hash(), "a copy differs at frame {}", world.frame());
        hashes.push(world.hash());
    }
    for _ in 0..10 {
        let frame = chance.below(hashes.len());
        history.go_to(Frame(frame as u64));
        assert_eq!(history.world().hash(), hashes[frame], "another frame {frame} after seeking");
    }
    true
}

#[test]
fn swarm() {
    let first = std::env::var("TILEWALK_FIRST").ok().and_then(|text| text.parse().ok());
    let first: u64 = first.unwrap_or(0);
    let count = build::tries(8) as u64;
    let mut lived = 0;
    for case in first..first + count {
        let mut chance = Chance(case * NUMBERS);
        let sources = swarm_maps::sources(&mut chance);
        match panic::catch_unwind(move || live(&sources, &mut chance)) {
            Ok(valid) => lived += u64::from(valid),
            Err(why) => {
                let files = &swarm_maps::sources(&mut Chance(case * NUMBERS)).files;
                let texts: Vec<_> = files.iter().map(|file| file.text.to_string()).collect();
                let why = why.downcast_ref::<String>();
                panic!("world {case}: {why:?}\n{}", texts.join("\n---\n"));
            }
        }
    }
    assert!(lived * 2 > count, "only {lived} of {count} maps are valid");
}
