//! Explanations of conditions: the parts that decide whether a condition holds, each with a value or a
//! reason.

use std::sync::Arc;

use tilewalk_files::Options;
use tilewalk_sim::condition::{Condition, ConditionContext};
use tilewalk_sim::report::parts;
use tilewalk_sim::step::step;
use tilewalk_sim::world::{Look, World};

/// The guard looks east: the thief is out of its range, the cat is behind its back, and the fox is behind
/// an opaque obstacle. The spy looks west, and the dog is behind the wall. Two of the three hens touch.
const MAP: &str = r#"
tiles = '''
....................
....................
..#.................
....................
....................
'''
[places]
gate = [0, 0]
[[agent]]
name = "guard"
at = [4.5, 2.5]
body = { view = { range = 8, angle = 150 } }
[[agent.mode]]
name = "watch"
switch = [{ when = "false", to = "chase" }]
[[agent.mode]]
name = "chase"
[[agent]]
name = "spy"
at = [4.5, 2.5]
heading = 180
body = { view = { range = 8, angle = 150 } }
[[agent]]
name = "thief"
at = [13.9, 2.5]
[[agent]]
name = "cat"
at = [3.5, 0.5]
[[agent]]
name = "dog"
at = [0.5, 2.5]
[[obstacle]]
at = [6.0, 1.75]
radius = 0.3
opaque = true
[[agent]]
name = "fox"
at = [7.5, 1.0]
[[agent]]
name = "hen_a"
group = "hens"
at = [10.5, 4.5]
[[agent]]
name = "hen_b"
group = "hens"
at = [11.0, 4.5]
[[agent]]
name = "hen_c"
group = "hens"
at = [15.5, 4.5]
[[agent]]
name = "shot"
template = true
max = 2
"#;

#[test]
fn the_explanation_of_a_condition_lists_the_parts_that_decide_its_value() {
    let origin = tilewalk_test_support::builtin::text("reasons.toml", MAP);
    let loaded = tilewalk_files::load(&origin, &Options::default()).expect("a readable map");
    let report = loaded.report.plain();
    let mut world = World::new(loaded.scenario.unwrap_or_else(|| panic!("{report}")));
    step(&mut world);
    let scenario = Arc::clone(world.scenario());
    for (text, expected) in [
        ("sees(guard, thief)", "sees(guard, thief) is false: range 9.4 of 8"),
        ("sees(guard, cat)", "sees(guard, cat) is false: angle 117° of 75°"),
        ("sees(spy, dog)", "sees(spy, dog) is false: behind wall (2, 2)"),
        ("sees(guard, fox)", "sees(guard, fox) is false: behind an obstacle at (6.000, 1.750)"),
        ("sees(guard, hens)", "sees(guard, hens) is true: range 6.3 of 8"),
        ("not sees(guard, thief)", "not sees(guard, thief) is true: range 9.4 of 8"),
        ("sees(guard, shot)", "sees(guard, shot) is false: no such target in the world"),
        ("gap(guard, thief) < 0.1", "gap(guard, thief) = 8.8, needs < 0.1"),
        ("gap(guard, thief) > 0.1", "gap(guard, thief) = 8.8, which is > 0.1"),
        ("5 < guard.x", "guard.x = 4.5, needs > 5"),
        ("guard.x > thief.x", "guard.x = 4.5, needs > thief.x = 13.9"),
        (
            "gap(hens, hens) > 0.1 + 1",
            "gap(hens, hens) = -0.1 (hen_a and hen_b), needs > 0.1 + 1 = 1.1",
        ),
        ("touching(hens)", "touching(hens) is true: gap -0.1 of hen_a and hen_b"),
        ("touching(guard, cat)", "touching(guard, cat) is false: gap 1.636"),
        ("shot.1.x > 3", "shot.1.x is undefined"),
        ("mean(shot, x) != 3", "mean(shot, x) is undefined"),
        ("guard.mode == \"chase\"", "guard.mode == \"chase\" is false: mode \"watch\""),
        ("in(guard, gate)", "in(guard, gate) is false: at (4, 2)"),
        ("any(hens, x > 10.6)", "any(hens, x > 10.6) is true: hen_b and 1 more"),
        ("all(hens, x > 10.7)", "all(hens, x > 10.7) is false: not hen_a"),
        ("any(a in hens, a.x > 99)", "any(a in hens, a.x > 99) is false: no member"),
        ("not any(hens, x > 10.6)", "not any(hens, x > 10.6) is false: hen_b and 1 more"),
        ("not any(hens, x > 99)", "not any(hens, x > 99) is true: no member"),
        ("not all(hens, x > 10.7)", "not all(hens, x > 10.7) is true: not hen_a"),
        ("not all(hens, x > 1)", "not all(hens, x > 1) is false: every member"),
        ("not (not all(hens, x > 10.7))", "not (not all(hens, x > 10.7)) is false: not hen_a"),
        (
            "guard.x > 5 and guard.y > 1 and guard.blocked",
            "guard.x = 4.5, needs > 5; guard.blocked is false",
        ),
        ("guard.x > 5 or guard.y > 1", "guard.y = 2.5, which is > 1"),
        ("frame - 1.0001 > 0", "frame - 1.0001 = -1.0e-4, needs > 0"),
    ] {
        let condition = Condition::read(text, &*scenario, ConditionContext::Global);
        let condition = condition.unwrap_or_else(|error| panic!("{text}: {error}"));
        let why = parts::why(&condition, &Look::at(&world), None);
        assert_eq!(why, expected, "{text}");
    }
}
