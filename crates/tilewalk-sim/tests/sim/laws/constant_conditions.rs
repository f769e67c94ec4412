//! Conditions whose value is known without running the simulation.

use tilewalk_sim::condition::constant_conditions::{Known, constant_result};
use tilewalk_sim::condition::words::Fact;
use tilewalk_sim::condition::{Condition, ConditionContext};
use tilewalk_sim::id::AgentId;
use tilewalk_sim::rng::name_hash;
use tilewalk_sim::world::Look;

use crate::conditions::worlds;

/// If the value of a condition is known, the condition has this value at frames 19 and 20.
#[test]
fn condition_values_known_before_the_run_are_correct() {
    let (before, now) = worlds();
    let own = Known { mode: name_hash("watch"), never: &[Fact::Arrived] };
    let numbers = ["x", "speed", "heading", "time_in_mode", "frame", "distance(gate)"];
    let numbers = numbers.iter().chain(&["distance(last_seen(thief))", "0"]);
    let (mut known, mut checked) = ([0, 0], 0);
    for number in numbers {
        for sign in ["==", "!=", "<", "<=", ">", ">="] {
            for other in ["-1", "0", "360", "0.5", "arrived", "mode == 'away'", "mode != 'away'"] {
                let first = match other.parse::<f64>() {
                    Ok(_) => format!("{number} {sign} {other}"),
                    Err(_) => format!("{number} {sign} 1 and {other}"),
                };
                for text in [format!("not ({first})"), first] {
                    let read =
                        Condition::read(&text, now.scenario().as_ref(), ConditionContext::Rule);
                    let condition = read.expect("a condition");
                    let certain = constant_result(condition.test(), Some(own));
                    checked += 1;
                    known[usize::from(certain == Some(true))] += usize::from(certain.is_some());
                    for world in [&before, &now] {
                        let holds = condition.holds(&Look::at(world), Some(AgentId(0)));
                        assert!(certain.is_none_or(|certain| certain == holds), "{text}");
                    }
                }
            }
        }
    }
    assert_eq!(checked, 672);
    // Each condition is checked together with its negation, so the counts are equal.
    assert_eq!(known, [176, 176]);
    // Comparisons of this distance are false until `thief` is seen, so even `>= 0` is not always true.
    let unseen = "distance(last_seen(thief)) >= 0";
    let read = |text: &str| Condition::read(text, now.scenario().as_ref(), ConditionContext::Rule);
    assert!(read(unseen).expect("a condition").never(Some(own)).is_none());
    assert!(read(&format!("not {unseen}")).expect("a condition").never(Some(own)).is_none());
    // This condition is true only if `thief` has left the world, so its value is not known.
    let absent = read("not distance(thief) >= 0").expect("a condition");
    assert_eq!(constant_result(absent.test(), Some(own)), None);
}
