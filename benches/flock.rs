//! Benchmark of a step with a flock: `cargo bench --bench flock`.
//!
//! Each boid has about 17 neighbours. The throughput counts boids: 10 Mitem/s are 100 ns per boid and
//! step.

use divan::Bencher;
use divan::counter::ItemsCount;
use tilewalk::files::{self, Options};
use tilewalk::step::step;
use tilewalk::world::World;

fn main() {
    divan::main();
}

/// Area per boid in tiles, for 17 neighbours within 4 tiles.
const AREA: f64 = core::f64::consts::PI * 16.0 / 17.0;

/// Returns `count` boids on a torus of the matching size.
fn flock(count: usize, combine: &str) -> World {
    let side = (count as f64 * AREA).sqrt().ceil() as usize;
    let row = ".".repeat(side) + "\n";
    let text = format!(
        "edges = \"wrap\"\ntiles = '''\n{}'''\n[[agent]]\nname = \"boid\"\nat = \"anywhere\"\n\
         count = {count}\ncombine = \"{combine}\"\nsteer = [{{ do = \"separation\" }}, \
         {{ do = \"alignment\", weight = 2 }}, {{ do = \"cohesion\" }}, \
         {{ do = \"wander\", weight = 0.25 }}]\n",
        row.repeat(side)
    );
    let origin = tilewalk::builtin::text("bench.toml", text);
    let loaded = files::load(&origin, &Options::default()).expect("a map");
    World::new(loaded.scenario.expect("a map without errors"))
}

fn run(bencher: Bencher, count: usize, combine: &str) {
    let mut world = flock(count, combine);
    (0..10).for_each(|_| step(&mut world));
    bencher.counter(ItemsCount::new(count)).bench_local(|| step(&mut world));
}

#[divan::bench(args = [1_000, 10_000, 100_000, 1_000_000])]
fn one_step_weighted(bencher: Bencher, count: usize) {
    run(bencher, count, "weighted");
}

#[divan::bench(args = [1_000, 10_000, 100_000, 1_000_000])]
fn one_step_prioritized(bencher: Bencher, count: usize) {
    run(bencher, count, "prioritized");
}
