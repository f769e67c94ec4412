//! SIMD batches give the same bits as scalar code.

use std::sync::Arc;

use proptest::prelude::*;
use tilewalk_files::Options;
use tilewalk_sim::command::Command;
use tilewalk_sim::id::AgentId;
use tilewalk_sim::step::{step, step_with};
use tilewalk_sim::world::World;

/// Returns a world with `count` boids, and an agent `driver` for manual control. The lower rows of the map
/// repeat the glyphs of `ground`.
fn world(edges: &str, ground: &str, list: &str, body: &str, count: usize) -> World {
    let row = ground.repeat(24 / ground.len()) + "\n";
    let text = format!(
        "seed = 5\nedges = \"{edges}\"\ntiles = '''\n{}{}'''\n\
         [legend]\nm = {{ name = \"mud\", drag = 2 }}\n\
         [[agent]]\nname = \"driver\"\nat = [0, 0]\nkeys = true\n\
         [[agent]]\nname = \"boid\"\nat = \"anywhere\"\ncount = {count}\n{body}\n{list}\n",
        format!("{}\n", ".".repeat(24)).repeat(12),
        row.repeat(4)
    );
    let origin = tilewalk_test_support::builtin::text("abreast.toml", text);
    let loaded = tilewalk_files::load(&origin, &Options::default()).expect("a map");
    World::new(Arc::clone(&loaded.scenario.unwrap_or_else(|| panic!("{}", loaded.report.plain()))))
}

/// Entries from which the test composes the steering list of the boids.
const BEHAVIOURS: [&str; 10] = [
    "{ do = \"separation\", radius = 3 }",
    "{ do = \"alignment\", radius = 3, weight = 2 }",
    "{ do = \"cohesion\", radius = 3, weight = 0.7 }",
    "{ do = \"wander\", weight = 0.5 }",
    "{ do = \"wander\", jitter = 40, enabled = false }",
    "{ do = \"separation\", radius = 2, angle = 200 }",
    "{ do = \"avoid_crowd\" }",
    "{ do = \"avoid_walls\" }",
    "{ do = \"avoid_obstacles\" }",
    "{ do = \"hug_walls\", distance = 0.6 }",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// A manual command disables SIMD batches for the frame. The command of this test has no
    /// direction and changes nothing else.
    #[test]
    fn batches_move_agents_like_scalar_code(
        edges in prop_oneof![Just("wrap"), Just("wall")],
        ground in prop_oneof![Just("."), Just("...#"), Just("..m."), Just("..T...")],
        combine in prop_oneof![Just("weighted"), Just("prioritized"), Just("first")],
        rows in proptest::sample::subsequence(BEHAVIOURS.to_vec(), 1..=5),
        body in prop_oneof![
            Just(""), Just("body = { drag = 0.5 }"), Just("body = { mass = 3 }"), Just("body = { max_turn_rate = 90 }"),
            Just("body = { solid = true }"), Just("body = { max_force = 0 }"), Just("body = { max_speed = 0 }"),
        ],
        count in 1_usize..40,
    ) {
        let list = format!("combine = \"{combine}\"\nsteer = [{}]", rows.join(", "));
        let mut batched = world(edges, ground, &list, body, count);
        let mut scalar = batched.clone();
        let hold = [Command::Drive { agent: AgentId(0), direction: None }];
        for frame in 0..60 {
            step(&mut batched);
            step_with(&mut scalar, &hold);
            prop_assert_eq!(batched.hash(), scalar.hash(), "frame {}", frame);
            prop_assert_eq!(batched.events(), scalar.events());
        }
    }
}
