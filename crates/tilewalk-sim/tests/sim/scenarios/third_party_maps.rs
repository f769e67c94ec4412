//! Wanderers on third-party maps never enter a wall in 10,000 frames. The environment variable
//! `TILEWALK_SAMPLES` names the directory of the maps.

use std::fs;

use tilewalk_files::{Options, Origin};
use tilewalk_sim::step::step;
use tilewalk_sim::world::World;

use crate::support::invariants::assert_out_of_walls;
use crate::support::samples;

fn assert_wanderers_avoid_walls(name: &str) {
    let Some(folder) = samples() else { return };
    let here = tempfile::tempdir().expect("a folder");
    fs::copy(folder.join(name), here.path().join(name)).expect("the sample map");
    let map = here.path().join("map.toml");
    let text = format!(
        "tiles_file = \"{name}\"\n[[agent]]\nname = \"w\"\nat = \"anywhere\"\ncount = 20\n\
         steer = [{{ do = \"avoid_walls\" }}, {{ do = \"wander\" }}]\n\
         [[agent]]\nname = \"fast\"\nat = \"anywhere\"\ncount = 5\n\
         body = {{ max_speed = 50, max_force = 2000, radius = 0.45 }}\n\
         steer = [{{ do = \"wander\", strength = 900 }}]\n"
    );
    fs::write(&map, text).expect("a map");
    let loaded =
        tilewalk_files::load(&Origin::Disk(map), &Options::default()).expect("readable files");
    let report = loaded.report.plain();
    let mut world = World::new(loaded.scenario.unwrap_or_else(|| panic!("{report}")));
    for _ in 0..10_000 {
        step(&mut world);
        assert_out_of_walls(&world);
    }
}

#[test]
fn wanderers_on_the_arena_map_never_enter_walls() {
    assert_wanderers_avoid_walls("arena.map");
}

#[test]
fn wanderers_on_the_chantry_map_never_enter_walls() {
    assert_wanderers_avoid_walls("ht_chantry.map");
}

#[test]
fn wanderers_on_the_berlin_map_never_enter_walls() {
    assert_wanderers_avoid_walls("Berlin_0_256.map");
}
