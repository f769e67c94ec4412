//! Benchmark of a step with different behaviours: `cargo bench --bench step`.

use std::fmt::Write as _;

use divan::Bencher;
use divan::counter::ItemsCount;
use tilewalk::cancel::Cancel;
use tilewalk::files::{self, Options};
use tilewalk::history::breaks::{Break, Breaks, Trigger};
use tilewalk::history::{DEFAULT_BUDGET, History};
use tilewalk::step::step;
use tilewalk::world::World;

fn main() {
    divan::main();
}

/// Returns `count` wanderers in rooms with doors. The map grows with `count`.
fn wanderers(count: usize) -> World {
    let side = ((count as f64).sqrt() * 4.0) as usize + 16;
    let mut text = String::from("tiles = '''\n");
    for y in 0..side {
        let glyph = |x: usize| match (x % 16, y % 16) {
            (0, 5..=9) | (5..=9, 0) => '.',
            (0, _) | (_, 0) => '#',
            _ => '.',
        };
        let row: String = (0..side).map(glyph).collect();
        let _ = writeln!(text, "{row}");
    }
    let _ = write!(
        text,
        "'''\n[[agent]]\nname = \"w\"\nat = \"anywhere\"\ncount = {count}\n\
         steer = [{{ do = \"avoid_walls\" }}, {{ do = \"wander\" }}]\n"
    );
    let origin = tilewalk::builtin::text("bench.toml", text);
    let loaded = files::load(&origin, &Options::default()).expect("a map");
    World::new(loaded.scenario.expect("a map without errors"))
}

#[divan::bench(args = [1_000, 10_000])]
fn one_step_of_wanderers(bencher: Bencher, count: usize) {
    let mut world = wanderers(count);
    (0..100).for_each(|_| step(&mut world));
    bencher.counter(ItemsCount::new(count)).bench_local(|| step(&mut world));
}

/// Simulates a crowd on a wraparound map, with two tiles per agent.
#[divan::bench(args = [2_000])]
fn one_step_of_a_crowd(bencher: Bencher, count: usize) {
    let side = ((count * 2) as f64).sqrt() as usize;
    let rows = format!("{}\n", ".".repeat(side)).repeat(side);
    let text = format!(
        "edges = \"wrap\"\ntiles = '''\n{rows}'''\n\
         [[agent]]\nname = \"w\"\nat = \"anywhere\"\ncount = {count}\n\
         body = {{ max_speed = 1.5, radius = 0.25 }}\n\
         steer = [{{ do = \"wander\" }}, {{ do = \"avoid_crowd\" }}]\n"
    );
    let origin = tilewalk::builtin::text("bench.toml", text);
    let loaded = files::load(&origin, &Options::default()).expect("a map");
    let mut world = World::new(loaded.scenario.expect("a map without errors"));
    (0..100).for_each(|_| step(&mut world));
    bencher.counter(ItemsCount::new(count)).bench_local(|| step(&mut world));
}

/// Simulates 100 frames of 1,000 wanderers with history and `count` breakpoints. No breakpoint is ever
/// hit. The fifth checks every agent.
#[divan::bench(args = [0, 4, 5])]
fn a_hundred_frames_with_breakpoints(bencher: Bencher, count: usize) {
    const AGENTS: usize = 1_000;
    let scenario = wanderers(AGENTS).scenario().clone();
    let texts = [
        "w.1.speed > 99",
        "distance(w.1, w.2) < 0",
        "w.3.tile_x == 1 and w.4.tile_y == 1 and not w.3.collided and w.5.blocked",
        "changed(w.6.mode) or event(w.7, finished)",
        "any(w, speed > 99)",
    ];
    let read = |text| Break::read(Trigger::Condition, text, &scenario).expect("a condition");
    let mut breaks: Breaks = texts.into_iter().take(count).map(read).collect();
    let mut history = History::new(scenario.clone(), DEFAULT_BUDGET);
    bencher
        .counter(ItemsCount::new(100 * AGENTS))
        .bench_local(|| history.run_frames(100, &mut breaks, |_| None, |_| {}, || true));
}

/// Returns `count` agents with the same behaviour on an open square map with `side` tiles. Behaviours
/// can use the wandering agent `it` as their target.
fn world_with_behaviour(count: usize, side: usize, behaviour: &str) -> World {
    world_on(&(".".repeat(side) + "\n").repeat(side), count, behaviour)
}

/// Returns a world with square tiles: `it` in the middle wanders, and `count` agents around it have one
/// behaviour.
fn world_on(tiles: &str, count: usize, behaviour: &str) -> World {
    let middle = tiles.lines().count() / 2;
    let text = format!(
        "tiles = '''\n{tiles}'''\n[[agent]]\nname = \"it\"\nat = [{middle}, {middle}]\n\
         steer = [{{ do = \"wander\" }}]\n[[agent]]\nname = \"w\"\ncount = {count}\n\
         at = {{ within = [{0}, {0}, {1}, {1}] }}\nsteer = [{behaviour}]\n",
        middle - 50,
        middle + 50,
    );
    let origin = tilewalk::builtin::text("bench.toml", text);
    let loaded = files::load(&origin, &Options::default()).expect("a map");
    World::new(loaded.scenario.expect("a map without errors"))
}

#[divan::bench(args = [1_000, 10_000])]
fn one_step_of_flow_to_a_place(bencher: Bencher, count: usize) {
    let mut world = world_with_behaviour(count, 400, "{ do = \"flow\", to = [250, 250] }");
    (0..100).for_each(|_| step(&mut world));
    bencher.counter(ItemsCount::new(count)).bench_local(|| step(&mut world));
}

/// The target changes its tile every few frames, on a map of the maximum size. All agents are within
/// 70 tiles of the target.
#[divan::bench(args = [100])]
fn one_step_of_flow_to_an_agent_on_the_largest_map(bencher: Bencher, count: usize) {
    let mut world = world_with_behaviour(count, 4096, "{ do = \"flow\", to = \"it\" }");
    bencher.counter(ItemsCount::new(count)).bench_local(|| step(&mut world));
}

#[divan::bench(args = [1_000])]
fn one_step_of_hug_walls(bencher: Bencher, count: usize) {
    let mut world = world_with_behaviour(count, 400, "{ do = \"hug_walls\" }");
    (0..2000).for_each(|_| step(&mut world));
    bencher.counter(ItemsCount::new(count)).bench_local(|| step(&mut world));
}

#[divan::bench(args = [1_000])]
fn one_step_of_hide_without_any_cover(bencher: Bencher, count: usize) {
    let mut world = world_with_behaviour(count, 400, "{ do = \"hide\", from = \"it\" }");
    bencher.counter(ItemsCount::new(count)).bench_local(|| step(&mut world));
}

/// Single pillars stand every 40 tiles.
#[divan::bench(args = [1_000])]
fn one_step_of_hide_with_a_few_obstacles(bencher: Bencher, count: usize) {
    let glyph = |x: usize, y: usize| if x % 40 == 10 && y % 40 == 10 { '#' } else { '.' };
    let row = |y: usize| (0..200).map(|x| glyph(x, y)).chain(['\n']).collect::<String>();
    let tiles: String = (0..200).map(row).collect();
    let mut world = world_on(&tiles, count, "{ do = \"hide\", from = \"it\" }");
    bencher.counter(ItemsCount::new(count)).bench_local(|| step(&mut world));
}

/// Solid bodies press around one point, and touch up to six others each.
#[divan::bench(args = [200, 1_000])]
fn one_step_of_a_pressed_crowd(bencher: Bencher, count: usize) {
    let tiles = vec![".".repeat(60); 60].join("\n");
    let text = format!(
        "tiles = '''\n{tiles}\n'''\n[[agent]]\nname = \"w\"\ncount = {count}\nat = \"anywhere\"\n\
         body = {{ solid = true }}\nsteer = [{{ do = \"seek\", target = [30, 30] }}]\n"
    );
    let origin = tilewalk::builtin::text("bench.toml", text);
    let loaded = files::load(&origin, &Options::default()).expect("a map");
    let mut world = World::new(loaded.scenario.expect("a map without errors"));
    (0..400).for_each(|_| step(&mut world));
    bencher.counter(ItemsCount::new(count)).bench_local(|| step(&mut world));
}

/// Agents stand still, each with three transitions that are never taken. One of them checks sight.
#[divan::bench(args = [1_000, 10_000])]
fn one_step_of_three_transitions_each(bencher: Bencher, count: usize) {
    let tiles = vec![".".repeat(400); 400].join("\n");
    let text = format!(
        "tiles = '''\n{tiles}\n'''\n[[agent]]\nname = \"it\"\nat = [200, 200]\n\
         [[agent]]\nname = \"w\"\ncount = {count}\nat = \"anywhere\"\n\
         [[agent.mode]]\nname = \"watch\"\nswitch = [\n\
         {{ when = \"sees(it) and distance(it) < 0\", to = \"run\" }},\n\
         {{ when = \"time_in_mode > 1e9 or blocked\", to = \"run\" }},\n\
         {{ when = 'it.mode == \"stand\" and x < 0', to = \"run\" }},\n]\n\
         [[agent.mode]]\nname = \"run\"\n"
    );
    let origin = tilewalk::builtin::text("bench.toml", text);
    let loaded = files::load(&origin, &Options::default()).expect("a map");
    let mut world = World::new(loaded.scenario.expect("a map without errors"));
    bencher.counter(ItemsCount::new(count)).bench_local(|| step(&mut world));
}

/// Computes the flow field of a whole open map. This is the cost of an agent that can't reach its goal.
#[divan::bench(args = [512, 4096], sample_count = 3)]
fn whole_flow_field(bencher: Bencher, side: usize) {
    let world = world_with_behaviour(1, side, "{ do = \"wander\" }");
    let map = world.scenario().map();
    let goal = tilewalk::geom::TilePos::new(side as i32 / 2, side as i32 / 2);
    let goals = || core::iter::once(goal);
    bencher.bench_local(|| {
        tilewalk::map::route::RouteField::towards(&Cancel::default(), map, goals())
    });
}
