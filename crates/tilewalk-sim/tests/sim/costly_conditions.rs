//! Conditions that would take forever are refused, or can be cancelled.

use std::thread;
use std::time::Duration;

use tilewalk_files::Options;
use tilewalk_sim::cancel::Cancel;
use tilewalk_sim::condition::{Condition, ConditionContext};
use tilewalk_sim::history::breaks::{self, Trigger};
use tilewalk_sim::step;
use tilewalk_sim::world::World;

/// Returns a condition with `depth` nested calls of `any`.
fn nested(depth: usize) -> String {
    format!("{}x < 0{}", "any(g, ".repeat(depth), ")".repeat(depth))
}

/// Returns a map with a group `g` of ten agents, and an agent with a transition that has the condition
/// `when`.
fn map(when: &str) -> String {
    format!(
        "tiles = '....................'\n[[agent]]\nname = 'g'\ncount = 10\nat = 'anywhere'\n[[agent]]\nname = 'a'\nat = [0, 0]\n\
         [[agent.mode]]\nname = 'wait'\nswitch = [{{ when = '{when}', to = 'go' }}]\n\
         [[agent.mode]]\nname = 'go'\n"
    )
}

fn load(text: &str) -> tilewalk_files::Loaded {
    let origin = tilewalk_test_support::builtin::text("costly.toml", text);
    tilewalk_files::load(&origin, &Options::default()).expect("text is readable")
}

#[test]
fn the_cost_of_a_condition_counts_each_member_of_each_group() {
    let scenario = load(&map("true")).scenario.expect("map is valid");
    let read = |text: &str| Condition::read(text, &*scenario, ConditionContext::Rule);
    for (text, cost) in [
        ("x < 0", 2),
        ("any(g, x < 0)", 20),
        ("any(g, any(g, x < 0) and blocked)", 220),
        ("sees(g)", 10),
        ("all(g, distance(g) < 2)", 110),
        ("blocked or arrived", 3),
        ("gap(g, g) < 1", 101),
        ("any(p in g, any(q in g, p != q and gap(p, q) < 1))", 400),
        ("count(g, x < 0) > mean(g, speed) + 1", 31),
        ("polarisation(g) > abs(1)", 11),
    ] {
        assert_eq!(read(text).expect(text).cost(), cost, "{text}");
    }
}

#[test]
fn a_breakpoint_condition_that_takes_too_long_is_refused() {
    let scenario = load(&map("true")).scenario.expect("map is valid");
    for depth in [7, 12, 40] {
        let text = nested(depth);
        let error = breaks::read(Trigger::Condition, &text, &scenario)
            .expect_err("condition takes too long");
        assert!(
            error.message.contains("comparisons per frame; the maximum is 10000000"),
            "{error}"
        );
        let changed = breaks::read(Trigger::Change, &text, &scenario);
        assert!(changed.is_err());
    }
    assert!(breaks::read(Trigger::Condition, &nested(6), &scenario).is_ok());
}

#[test]
fn a_transition_that_takes_too_long_causes_a_warning_and_can_be_cancelled() {
    let loaded = load(&map(&nested(12)));
    assert!(loaded.report.plain().contains("comparisons per frame"), "{}", loaded.report.plain());
    let mut world = World::new(loaded.scenario.expect("map has only a warning"));
    let hash = world.hash();
    let cancel = Cancel::new();
    world.set_cancel(cancel.clone());
    let stop = thread::spawn(move || {
        thread::sleep(Duration::from_millis(50));
        cancel.request();
    });
    assert!(!step::try_step(&mut world, &[]), "the step was not cancelled");
    stop.join().expect("thread does not panic");
    assert_eq!(world.hash(), hash);
}
