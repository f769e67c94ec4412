//! The SIMD instructions of the CPU change no run.
//!
//! With `TILEWALK_FIRST`, the number of the first map, each map runs for 200,000 frames (2,000 in debug builds),
//! and three big maps for 500 (50). `TILEWALK_CASES` is then the number of maps.

use tilewalk_files::{Options, Origin};
use tilewalk_sim::geom::Instructions;
use tilewalk_sim::step::step;
use tilewalk_sim::world::World;
use tilewalk_test_support::build::tries;
use tilewalk_test_support::builtin;

/// Number of frames between two comparisons of the hashes.
const HASHED: u32 = 50;

/// Returns a map with `count` agents and with rooms of 16 × 16 tiles.
fn big(count: usize, edges: &str, agent: &str) -> Origin {
    let side = ((count as f64).sqrt() * 3.0) as usize + 20;
    let glyph = |x: usize, y: usize| match (x % 16, y % 16) {
        (0, 5..=9) | (5..=9, 0) => '.',
        (0, _) | (_, 0) => '#',
        (8, 8) => 'T',
        _ => '.',
    };
    let row = |y: usize| (0..side).map(|x| glyph(x, y)).chain(['\n']).collect::<String>();
    let rows: String = (0..side).map(row).collect();
    let text = format!(
        "edges = \"{edges}\"\ntiles = '''\n{rows}'''\n[[agent]]\nname = \"a\"\nat = \"anywhere\"\n\
         count = {count}\n{agent}\n"
    );
    builtin::text("big.toml", text)
}

/// The maps with their numbers of frames: in a short test, in a long test of a debug build, and in a long test.
fn maps() -> Vec<(String, Origin, [u32; 3])> {
    let flock = "steer = [{ do = \"avoid_walls\" }, { do = \"separation\" }, { do = \"alignment\" }, \
                 { do = \"cohesion\" }, { do = \"wander\" }]";
    let walls = "combine = \"weighted\"\nbody = { radius = 0.3 }\n\
                 steer = [{ do = \"hug_walls\" }, { do = \"avoid_obstacles\" }]";
    let crowd = "body = { solid = true, radius = 0.3 }\n\
                 steer = [{ do = \"wander\" }, { do = \"avoid_crowd\" }]";
    let shipped = builtin::maps().into_iter();
    let shipped = shipped.map(|map| {
        let origin = builtin::origin(&map.name);
        (map.name, origin, [200, 2_000, 200_000])
    });
    let big = [
        ("big flock", big(20_000, "wrap", flock)),
        ("big halls", big(20_000, "wall", walls)),
        ("big crowd", big(5_000, "wrap", crowd)),
    ];
    let big = big.map(|(name, origin)| (name.to_owned(), origin, [3, 50, 500]));
    shipped.chain(big).collect()
}

#[test]
#[expect(clippy::print_stdout, reason = "tells which instructions this CPU has")]
fn instructions_change_no_run() {
    let all: Vec<Instructions> = Instructions::all().collect();
    println!("compares {}", all.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "));
    let maps = maps();
    let first: Option<usize> =
        std::env::var("TILEWALK_FIRST").ok().and_then(|text| text.parse().ok());
    let (range, length) = match first {
        None => (0..maps.len(), 0),
        Some(first) => {
            let first = first % maps.len();
            let end = (first + tries(1)).min(maps.len());
            (first..end, if cfg!(debug_assertions) { 1 } else { 2 })
        }
    };
    for (name, origin, frames) in &maps[range] {
        let loaded = tilewalk_files::load(origin, &Options::default()).expect("a map");
        let world =
            World::new(loaded.scenario.unwrap_or_else(|| panic!("{}", loaded.report.plain())));
        let mut worlds = vec![world; all.len()];
        for (world, &instructions) in worlds.iter_mut().zip(&all) {
            world.use_instructions(instructions);
        }
        for frame in 1..=frames[length] {
            worlds.iter_mut().for_each(step);
            if frame % HASHED == 0 || frame == frames[length] {
                let hashes: Vec<u64> = worlds.iter().map(World::hash).collect();
                for (hash, instructions) in hashes.iter().zip(&all) {
                    assert_eq!(*hash, hashes[0], "{name}, frame {frame}, {instructions}");
                }
            }
        }
    }
}
