//! The built-in group of all agents, conditions that can never hold, and the terms that decide
//! transitions.

use std::sync::Arc;

use tilewalk_sim::condition::{Condition, ConditionContext};
use tilewalk_sim::report::explanation::AgentStep;
use tilewalk_sim::report::modes::StateMachine;
use tilewalk_sim::report::parts::Part;
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::step::step;
use tilewalk_sim::world::{Look, World};

use crate::support::builtin;

/// Reads a map that has no errors.
fn build(text: &str) -> Arc<Scenario> {
    let origin = builtin::text("test.toml", format!("format = 1\n{text}"));
    let loaded = tilewalk_files::load(&origin, &tilewalk_files::Options::default());
    let loaded = loaded.expect("a readable map");
    loaded.scenario.unwrap_or_else(|| panic!("{}", loaded.report.plain()))
}

fn holds(condition: &str, world: &World) -> bool {
    let scenario = world.scenario();
    let read = Condition::read(condition, &**scenario, ConditionContext::Global);
    read.unwrap_or_else(|error| panic!("{condition}: {error}")).holds(&Look::at(world), None)
}

const TWO: &str = r#"
tiles = "......"
[[agent]]
name = "cat"
at = [1, 0]
[[agent]]
name = "dog"
at = [1.9, 0.5]
steer = [{ do = "wander" }]
"#;

#[test]
fn everyone_is_the_group_of_all_agents() {
    let world = World::new(build(TWO));
    assert!(holds("count(everyone, x > 0) == 2", &world));
    assert!(holds("touching(everyone)", &world));
    assert!(holds("any(a in everyone, any(b in everyone, a != b and gap(a, b) < 0.1))", &world));
    assert!(!holds("any(everyone, stuck)", &world));
    assert!(holds("gap(cat, everyone) < 0", &world));
}

#[test]
fn the_own_name_of_a_map_wins_over_the_built_in_group() {
    let place = format!("{TWO}\n[places]\neveryone = [4, 0]\n");
    let world = World::new(build(&place));
    assert!(holds("distance(cat, everyone) > 2", &world));
    let group = TWO.replace("at = [1, 0]", "at = [1, 0]\ngroup = \"everyone\"");
    let world = World::new(build(&group));
    assert!(holds("count(everyone, x > 0) == 1", &world));
    let agent = TWO.replace("cat", "everyone");
    let world = World::new(build(&agent));
    assert!(holds("everyone.x < 2", &world));
    // A member name was valid before the group existed.
    let world = World::new(build(TWO));
    assert!(holds("any(everyone in dog, everyone.x > 1.5)", &world));
}

#[test]
fn files_can_name_everyone() {
    let map = TWO.replace(
        "steer = [{ do = \"wander\" }]",
        "steer = [{ do = \"separation\", of = \"everyone\" }, { do = \"seek\", target = \"everyone\" }]",
    );
    let mut world = World::new(build(&map));
    step(&mut world);
    let id = world.find("dog").expect("the dog");
    assert!(world.position(id).x > 1.9, "separation pushes the dog away from the cat");
}

fn never(condition: &str, scenario: &Arc<Scenario>) -> Option<(String, Option<String>)> {
    let read = Condition::read(condition, &**scenario, ConditionContext::Global);
    let read = read.unwrap_or_else(|error| panic!("{condition}: {error}"));
    scenario.never_true(&read).map(|never| (never.why, never.instead))
}

#[test]
fn conditions_that_can_never_hold_have_a_reason_and_another_condition() {
    let scenario = build(TWO);
    let not_solid = "no two agents of this map are solid";
    for (condition, why, instead) in [
        ("event(overlap)", not_solid, "touching(everyone)"),
        ("any(everyone, overlapping)", not_solid, "touching(everyone)"),
        ("cat.overlapping", "cat is not solid", "touching(cat, everyone)"),
        ("event(cat, overlap) and cat.x > 3", "cat is not solid", "touching(cat, everyone)"),
        ("event(mode)", "no mode has transitions", "event(stuck)"),
        ("event(seen)", "no transition looks for a target with `sees`", "sees(cat, everyone)"),
        ("event(removed)", "nothing removes agents", "event(stuck)"),
        ("dog.blocked", "dog steers, and only steps on tiles are blocked", "dog.collided"),
        ("cat.arrived", "no mode has `travel`", "cat.stuck"),
    ] {
        let found = never(condition, &scenario);
        assert_eq!(found, Some((why.to_owned(), Some(instead.to_owned()))), "{condition}");
    }
    for condition in [
        "event(bump)",
        "touching(everyone)",
        "any(everyone, stuck)",
        "cat.blocked",
        "event(overlap) or cat.x > 3",
        "not event(overlap)",
        "all(everyone, overlapping)",
    ] {
        assert_eq!(never(condition, &scenario), None, "{condition}");
    }
    let solid =
        TWO.replace("at = [1", "body = { solid = true }\nat = [1").replace("[1.9,", "[3.5,");
    assert_eq!(never("event(overlap)", &build(&solid)), None);
}

const GUARD: &str = r#"
tiles = "........"
[places]
gold = [7, 0]
[[agent]]
name = "guard"
at = [1, 0]
[[agent.mode]]
name = "wait"
switch = [
  { when = "time_in_mode > 99", to = "run" },
  { when = "not sees(thief) and time_in_mode > 0.1", to = "run" },
]
[[agent.mode]]
name = "run"
travel = "gold"
[[agent]]
name = "thief"
at = [3, 0]
"#;

#[test]
fn a_negated_part_shows_the_value_of_its_inner_term() {
    let mut world = World::new(build(GUARD));
    step(&mut world);
    let id = world.find("guard").expect("the guard");
    let report = AgentStep { agent: id, before: None, now: &world, why: None }.report();
    let parts: Vec<_> = report.rules[1].parts.iter().map(Part::value_text).collect();
    assert_eq!(
        parts,
        ["not sees(thief): no (sees(thief): yes, range 2.0 of 8)", "time_in_mode > 0.1: 0.05"]
    );
}

#[test]
fn a_transition_names_its_target_and_the_terms_that_decide_it() {
    let world = World::new(build(GUARD));
    let id = world.find("guard").expect("the guard");
    let report = AgentStep { agent: id, before: None, now: &world, why: None }.report();
    assert_eq!(report.rules[1].target_text(), "run (travel gold)");
    assert_eq!(report.rules[1].decides, "needs not sees(thief) and time_in_mode > 0.1");
    let machine = StateMachine::of(&world, id);
    assert_eq!(machine.modes[1].drive, "travel gold");
}

const QUEUE: &str = r#"
tiles = "........"
[places]
end = [7, 0]
[[agent]]
name = "last"
at = [1, 0]
travel = "end"
body = { solid = true }
[[agent]]
name = "carrier"
at = [2, 0]
travel = "end"
body = { solid = true }
[[agent]]
name = "cart"
at = [3, 0]
body = { solid = true }
"#;

#[test]
fn a_blocked_agent_names_the_whole_chain_and_its_cause() {
    let mut world = World::new(build(QUEUE));
    (0..20).for_each(|_| step(&mut world));
    let id = world.find("last").expect("the last agent");
    let report = AgentStep { agent: id, before: None, now: &world, why: None }.report();
    let obstruction = report.obstruction.expect("the agent is blocked");
    assert_eq!(obstruction.line(), "carrier ← cart (stands still)");
    assert_eq!(obstruction.chain, ["carrier", "cart"]);
}
