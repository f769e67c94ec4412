//! Compares the speed of tilewalk with the limit: hand-written code for the same motion.
//!
//! `cargo bench -p limit` prints how many times longer tilewalk takes. Both run alternately on the same
//! machine, and the fastest of many short runs counts, so that the ratios hardly depend on other programs.

mod kernel;

use std::time::Instant;

use kernel::Kernel;
use tilewalk_files::{Options, Origin};
use tilewalk_sim::step::step;
use tilewalk_sim::world::World;

/// Area per boid in tiles, for 17 neighbours within 4 tiles.
const AREA: f64 = core::f64::consts::PI * 16.0 / 17.0;

fn side(count: usize) -> usize {
    (count as f64 * AREA).sqrt().ceil() as usize
}

fn world(text: String) -> World {
    let origin = Origin::Text { label: "limit.toml".into(), text, set: None };
    let loaded = tilewalk_files::load(&origin, &Options::default()).expect("a map");
    World::new(loaded.scenario.expect("a map without errors"))
}

fn flock(count: usize) -> World {
    let side = side(count);
    world(format!(
        "edges = \"wrap\"\ntiles = '''\n{}'''\n[[agent]]\nname = \"boid\"\nat = \"anywhere\"\n\
         count = {count}\nsteer = [{{ do = \"separation\" }}, {{ do = \"alignment\", weight = 2 }}, \
         {{ do = \"cohesion\" }}, {{ do = \"wander\", weight = 0.25 }}]\n",
        (".".repeat(side) + "\n").repeat(side)
    ))
}

/// Returns agents in rooms with doors.
fn halls(count: usize, steer: &str) -> World {
    let side = ((count as f64).sqrt() * 4.0) as usize + 16;
    let mut rows = String::new();
    for y in 0..side {
        let glyph = |x: usize| match (x % 16, y % 16) {
            (0, 5..=9) | (5..=9, 0) => '.',
            (0, _) | (_, 0) => '#',
            _ => '.',
        };
        rows.extend((0..side).map(glyph));
        rows.push('\n');
    }
    world(format!(
        "tiles = '''\n{rows}'''\n[[agent]]\nname = \"w\"\nat = \"anywhere\"\ncount = {count}\n\
         steer = [{steer}]\n"
    ))
}

/// Returns the mean number of neighbours of 100 boids on a torus.
fn neighbours(boids: &[(f32, f32)], side: f32) -> f32 {
    let way = |a: f32, b: f32| {
        let difference = (a - b).abs();
        difference.min(side - difference)
    };
    let near = |a: usize, b: usize| {
        let (dx, dy) = (way(boids[a].0, boids[b].0), way(boids[a].1, boids[b].1));
        a != b && dx * dx + dy * dy < kernel::RADIUS * kernel::RADIUS
    };
    let found = (0..100).map(|a| (0..boids.len()).filter(|&b| near(a, b)).count());
    found.sum::<usize>() as f32 / 100.0
}

/// Returns the fastest time of `run`, in seconds.
fn time(best: &mut f64, mut run: impl FnMut()) {
    let start = Instant::now();
    run();
    *best = best.min(start.elapsed().as_secs_f64());
}

fn main() {
    for (name, steer) in [
        ("wander", "{ do = \"avoid_walls\" }, { do = \"wander\" }"),
        ("hug_walls", "{ do = \"hug_walls\" }"),
    ] {
        let mut world = halls(2_000, steer);
        (0..100).for_each(|_| step(&mut world));
        let mut best = f64::INFINITY;
        for _ in 0..24 {
            time(&mut best, || (0..10).for_each(|_| step(&mut world)));
        }
        println!("halls, {name}: {:6.1} ns", best * 1e9 / 20_000.0);
    }
    for count in [1_000_usize, 10_000, 100_000] {
        let mut world = flock(count);
        let mut kernel = Kernel::new(count, side(count) as f32);
        let steps = (200_000 / count).max(2);
        (0..20).for_each(|_| step(&mut world));
        (0..20).for_each(|_| kernel.step());
        let (mut own, mut limit) = (f64::INFINITY, f64::INFINITY);
        for _ in 0..24 {
            time(&mut own, || (0..steps).for_each(|_| step(&mut world)));
            time(&mut limit, || (0..steps).for_each(|_| kernel.step()));
        }
        let each = |time: f64| time * 1e9 / (steps * count) as f64;
        let own_boids: Vec<_> = world.ids().map(|id| world.position(id).into()).collect();
        let limit_boids: Vec<_> = kernel.positions().collect();
        println!(
            "{count:8} boids: {:6.1} ns ({:.1} neighbours), limit {:5.1} ns ({:.1}): {:.2}",
            each(own),
            neighbours(&own_boids, side(count) as f32),
            each(limit),
            neighbours(&limit_boids, side(count) as f32),
            own / limit
        );
    }
}
