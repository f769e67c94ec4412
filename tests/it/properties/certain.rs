//! Conditions whose value is known before any frame.

use tilewalk::condition::constant_conditions::{Known, constant_result};
use tilewalk::condition::words::Fact;
use tilewalk::condition::{Condition, ConditionContext};
use tilewalk::id::AgentId;
use tilewalk::rng::name_hash;
use tilewalk::world::Look;

use crate::files::conditions::worlds;

/// What is said to hold always, or never, does; else nothing is said. 672 conditions at two frames.
#[test]
fn what_is_told_beforehand_is_so() {
    let (before, now) = worlds();
    let own = Known { mode: name_hash("watch"), never: &[Fact::Arrived] };
    let numbers = ["x", "speed", "heading", "time_in_mode", "frame", "distance(gate)"];
    let numbers = numbers.iter().chain(&["distance(last_seen(thief))", "0"]);
    let (mut told, mut asked) = ([0, 0], 0);
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
                    asked += 1;
                    told[usize::from(certain == Some(true))] += usize::from(certain.is_some());
                    for world in [&before, &now] {
                        let holds = condition.holds(&Look::at(world), Some(AgentId(0)));
                        assert!(certain.is_none_or(|certain| certain == holds), "{text}");
                    }
                }
            }
        }
    }
    assert_eq!(asked, 672);
    // Each stands beside its contrary.
    assert_eq!(told, [176, 176]);
    // Nobody may have been seen, and to nobody no distance compares.
    let unseen = "distance(last_seen(thief)) >= 0";
    let read = |text: &str| Condition::read(text, now.scenario().as_ref(), ConditionContext::Rule);
    assert!(read(unseen).expect("a condition").never(Some(own)).is_none());
    assert!(read(&format!("not {unseen}")).expect("a condition").never(Some(own)).is_none());
    // Another agent can leave the world.
    let absent = read("not distance(thief) >= 0").expect("a condition");
    assert_eq!(constant_result(absent.test(), Some(own)), None);
}
