//! How long a step takes: `cargo bench --bench step`.

use std::fmt::Write as _;

use divan::Bencher;
use divan::counter::ItemsCount;
use tilewalk::files::{self, Options, Origin};
use tilewalk::step::step;
use tilewalk::world::World;

fn main() {
    divan::main();
}

/// So many wanderers in halls with doors, with room for each.
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
    let origin = Origin::Text { label: "bench.toml".to_owned(), text };
    let loaded = files::load(&origin, &Options::default()).expect("a map");
    World::new(loaded.scenario.expect("a map without errors"))
}

#[divan::bench(args = [1_000, 10_000])]
fn one_step_of_wanderers(bencher: Bencher, count: usize) {
    let mut world = wanderers(count);
    (0..100).for_each(|_| step(&mut world));
    bencher.counter(ItemsCount::new(count)).bench_local(|| step(&mut world));
}
