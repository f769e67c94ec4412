//! Conditions: their values, their errors with positions, and random input that must not cause a panic.

mod table;

use std::sync::Arc;

use proptest::prelude::*;
use tilewalk_files::Options;
use tilewalk_sim::condition::syntax::{Node, Shape, parse};
use tilewalk_sim::condition::{Condition, ConditionContext};
use tilewalk_sim::id::AgentId;
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::step::step;
use tilewalk_sim::world::{Look, World};

use crate::support::build;
use table::{INVALID, VALID};

const MAP: &str = r#"
tiles = '''
####################
#........#.........#
#........#.........#
#..................#
####################
'''
[places]
gate = [9, 3]
[[agent]]
name = "guard"
at = [2, 2]
heading = 90
body = { view = { range = 6, angle = 200 } }
[[agent.mode]]
name = "watch"
switch = [{ when = "false", to = "away" }]
[[agent.mode]]
name = "away"
[[agent]]
name = "thief"
at = [5.5, 3.5]
steer = [{ do = "seek", target = "gate" }]
[[agent]]
name = "boids"
at = { within = [11, 1, 18, 2] }
count = 3
group = "flock"
"#;

fn scenario() -> Arc<Scenario> {
    let origin = tilewalk_test_support::builtin::text("conditions.toml", MAP);
    let loaded = tilewalk_files::load(&origin, &Options::default()).expect("map is readable");
    loaded.scenario.unwrap_or_else(|| panic!("{}", loaded.report.plain()))
}

/// Returns the worlds at frames 19 and 20. The thief runs east along y = 3.5 at full speed.
pub fn worlds() -> (World, World) {
    let mut world = World::new(scenario());
    (0..19).for_each(|_| step(&mut world));
    let before = world.clone();
    step(&mut world);
    (before, world)
}

#[test]
fn valid_conditions_have_the_expected_values() {
    let (before, now) = worlds();
    let last = Look::at(&before);
    let look = Look { before: Some(&last), ..Look::at(&now) };
    for (text, expected) in VALID {
        let condition = Condition::read(text, now.scenario().as_ref(), ConditionContext::Global);
        let condition = condition.unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(condition.holds(&look, None), expected, "{text}");
    }
}

#[test]
fn errors_of_invalid_conditions_have_the_expected_message_and_position() {
    let scenario = scenario();
    for (text, faulty, message) in INVALID {
        let error =
            Condition::read(text, scenario.as_ref(), ConditionContext::Global).expect_err(text);
        assert_eq!(error.message, message, "{text}");
        assert_eq!(&text[error.span.clone()], faulty, "{text}");
        // An empty span is at the end of the text.
        assert!(!faulty.is_empty() || error.span.end == text.len(), "{text}");
    }
}

#[test]
fn transition_conditions_refer_to_their_own_agent_by_default() {
    let (_, now) = worlds();
    let own = |text: &str| {
        let condition = Condition::read(text, now.scenario().as_ref(), ConditionContext::Rule);
        condition.map(|condition| condition.holds(&Look::at(&now), Some(AgentId(0))))
    };
    for text in [
        "x == 2.5",
        "mode == \"watch\"",
        "distance(home) == 0",
        "in([2, 2, 2, 2])",
        "not sees(thief)",
        "chance(1)",
        "not chance(0)",
        "any(boids, x > 9) and x < 9",
        "any(a in boids, a.x > x and gap(a, thief) < gap(thief)) or x < 9",
        "gap(thief) == gap(guard, thief) and not touching(thief)",
        "count(a in boids, a.x > x) == count(boids, x > guard.x)",
        "not overlapping",
    ] {
        assert_eq!(own(text), Ok(true), "{text}");
    }
    for (text, message) in [
        ("changed(mode)", "`changed` can't be used in a transition"),
        ("chance(2)", "the probability must be a number between 0 and 1"),
        ("chance(-1)", "the probability must be a number between 0 and 1"),
    ] {
        assert_eq!(own(text).expect_err(text).message, message);
    }
}

/// Returns true if two nodes are equal except for their positions.
fn same(a: &Node, b: &Node) -> bool {
    let all =
        |a: &[Node], b: &[Node]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b));
    match (&a.kind, &b.kind) {
        (Shape::Or(a), Shape::Or(b))
        | (Shape::And(a), Shape::And(b))
        | (Shape::List(a), Shape::List(b)) => all(a, b),
        (Shape::Call(x, a), Shape::Call(y, b)) => x == y && all(a, b),
        (Shape::Not(a), Shape::Not(b)) | (Shape::Negative(a), Shape::Negative(b)) => same(a, b),
        (Shape::Binding(x, a), Shape::Binding(y, b)) => x == y && same(a, b),
        (Shape::Arithmetic(a, rest), Shape::Arithmetic(b, others)) => {
            let parts = rest.iter().zip(others);
            same(a, b)
                && rest.len() == others.len()
                && parts.into_iter().all(|((x, a), (y, b))| x == y && same(a, b))
        }
        (Shape::Compare(x, a, c), Shape::Compare(y, b, d)) => x == y && same(a, b) && same(c, d),
        (a, b) => a == b,
    }
}

/// Generates texts that the grammar allows, with any names and types.
fn grammatical_text() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        "[a-z]{1,5}".prop_filter("no keyword", |word| {
            !["and", "or", "not", "true", "false", "in"].contains(&word.as_str())
        }),
        "[a-z]{2,4}x\\.[0-9]{1,2}\\.[a-z]{2,4}x",
        "-?[0-9]{1,6}(\\.[0-9]{1,4})?(e[0-9])?",
        "\"[a-z '=]{0,5}\"",
        Just("true".to_owned()),
        Just("false".to_owned()),
    ];
    leaf.prop_recursive(5, 40, 4, |inner| {
        let several = proptest::collection::vec(inner.clone(), 2..4);
        prop_oneof![
            several.clone().prop_map(|parts| format!("({})", parts.join(" or "))),
            several.clone().prop_map(|parts| format!("({})", parts.join("  and\n "))),
            inner.clone().prop_map(|part| format!("(not {part})")),
            (inner.clone(), inner.clone(), "==|!=|<|<=|>|>=")
                .prop_map(|(a, b, sign)| format!("({a}{sign} {b})")),
            (inner.clone(), inner.clone(), inner.clone(), "[-+*/]", "[-+*/]")
                .prop_map(|(a, b, c, x, y)| format!("({a} {x} {b}{y}{c})")),
            inner.clone().prop_map(|part| format!("(- {part})")),
            ("[a-z]{2}x", inner).prop_map(|(name, group)| format!("({name} in ({group}))")),
            several.clone().prop_map(|parts| format!("call({})", parts.join(","))),
            several.prop_map(|parts| format!("[{}]", parts.join(", "))),
        ]
    })
}

/// Generates tokens in any order.
fn token_sequence() -> impl Strategy<Value = String> {
    let words = [
        "and",
        "or",
        "not",
        "(",
        ")",
        "[",
        "]",
        ",",
        ".",
        "guard",
        "boids",
        "3",
        "-1.5",
        "==",
        "<",
        "speed",
        "mode",
        "\"watch\"",
        "sees",
        "any",
        "chance",
        "changed",
        "event",
        "in",
        "distance",
        "thief",
        "home",
        "gate",
        "bump",
        "true",
        "last_seen",
        "+",
        "-",
        "*",
        "/",
        "a",
        "gap",
        "touching",
        "count",
        "mean",
        "min",
        "sum",
        "polarisation",
        "abs",
        "overlapping",
    ];
    proptest::collection::vec(proptest::sample::select(words.to_vec()), 0..24)
        .prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(build::cases(512))]

    #[test]
    fn a_printed_condition_parses_to_the_same_tree(text in grammatical_text()) {
        let tree = parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let printed = tree.to_string();
        let again = parse(&printed).unwrap_or_else(|error| panic!("{printed}: {error}"));
        prop_assert!(same(&tree, &again), "{} became {}", text, printed);
    }

    #[test]
    fn reading_and_evaluating_a_random_condition_never_panics(text in prop_oneof![any::<String>(), token_sequence(), "[a-z0-9.()\"'<=!, ]{0,40}"]) {
        let scenario = scenario_once();
        for context in [ConditionContext::Rule, ConditionContext::Global] {
            match Condition::read(&text, scenario.as_ref(), context) {
                Ok(condition) => {
                    let world = World::new(Arc::clone(scenario));
                    condition.holds(&Look::at(&world), (context == ConditionContext::Rule).then_some(AgentId(0)));
                }
                Err(error) => prop_assert!(text.get(error.span.clone()).is_some(), "{:?}", error),
            }
        }
    }
}

fn scenario_once() -> &'static Arc<Scenario> {
    static ONCE: std::sync::OnceLock<Arc<Scenario>> = std::sync::OnceLock::new();
    ONCE.get_or_init(scenario)
}

#[test]
fn deep_nesting_is_refused_and_long_chains_are_valid() {
    for open in ["(", "not ", "any(a, ", "[", "- ", "a in ", "1 + ("] {
        let error = parse(&open.repeat(500)).map(|_| ()).expect_err(open);
        assert_eq!(error.message, "the condition is nested more than 50 levels deep");
    }
    let chain = vec!["true"; 400].join(" and ");
    assert!(parse(&chain).is_ok());
    let sum = format!("{} == 900", vec!["1"; 900].join("+"));
    assert!(Condition::read(&sum, scenario().as_ref(), ConditionContext::Global).is_ok());
}

/// Printing adds no nesting levels, because it writes parentheses only where the original text has them.
#[test]
fn conditions_of_maximum_depth_parse_to_the_same_tree_after_printing() {
    let nests = [
        ("(", ")"),
        ("not ", ""),
        ("call(", ")"),
        ("[", "]"),
        ("- ", ""),
        ("a in ", ""),
        ("1 + (", ")"),
    ];
    for (open, close) in nests {
        let nested = |depth: usize| format!("{}x{}", open.repeat(depth), close.repeat(depth));
        let text =
            (1..=50).map(nested).rfind(|text| parse(text).is_ok()).expect("one level is valid");
        assert!(text.len() > 40 * open.len(), "{text}");
        let tree = parse(&text).expect("text is valid");
        let printed = tree.to_string();
        let again = parse(&printed).unwrap_or_else(|error| panic!("{printed}: {error}"));
        assert!(same(&tree, &again), "{text} became {printed}");
    }
}

/// Older maps may use the words of newer functions and fields as names of agents and places.
#[test]
fn words_of_newer_functions_and_fields_are_valid_names() {
    let words = ["gap", "touching", "count", "mean", "min", "max", "sum", "polarisation"];
    let words = words.into_iter().chain(["polarization", "abs", "overlapping", "exists"]);
    for word in words {
        let text = format!(
            "tiles = '....'\n[places]\nhere = [3, 0]\n[[agent]]\nname = '{word}'\nat = [1, 0]\n\
             [[agent]]\nname = 'other'\nat = [2, 0]\n[[agent.mode]]\nname = 'wait'\n\
             switch = [{{ when = 'distance({word}) < 1 and {word}.x > 1', to = 'go' }}]\n\
             [[agent.mode]]\nname = 'go'\n"
        );
        for text in [text.clone(), text.replace("here", "place").replace(word, "here")] {
            let text = text.replace("place = ", &format!("{word} = "));
            let loaded = tilewalk_files::load(
                &tilewalk_test_support::builtin::text("m", &*text),
                &Options::default(),
            );
            let loaded = loaded.expect("map is readable");
            assert_eq!(loaded.report.diagnostics().len(), 0, "{}", loaded.report.plain());
            let scenario = loaded.scenario.expect("map is valid");
            let name = if text.contains(&format!("name = '{word}'")) { word } else { "here" };
            let condition_text = format!(
                "{name}.x == 1.5 and gap({name}, other) < 1 and count({name}, x > 1) == 1 and \
                 any({name}, {name} == {name}) and not {name}.overlapping and \
                 distance(other, {word}) < 2"
            );
            let condition = Condition::read(&condition_text, &*scenario, ConditionContext::Global);
            let condition = condition.unwrap_or_else(|error| panic!("{condition_text}: {error}"));
            assert!(condition.holds(&Look::at(&World::new(scenario)), None), "{condition_text}");
        }
    }
}

/// At frame 0, no event has happened, and there is no earlier frame to compare with.
#[test]
fn event_and_changed_are_false_at_frame_0() {
    let start = World::new(scenario());
    for text in ["event(bump)", "event(guard, seen)", "changed(guard.x)", "changed(frame)"] {
        let condition = Condition::read(text, start.scenario().as_ref(), ConditionContext::Global);
        assert!(!condition.expect(text).holds(&Look::at(&start), None), "{text}");
    }
}

#[test]
fn errors_about_common_mistakes_suggest_a_correction() {
    let scenario = scenario();
    for (text, help) in [
        ("guard.sees(thief)", "write `sees(guard, thief)`"),
        ("boids.1.gap(thief) < 1", "write `gap(boids.1, thief)`"),
        ("guard in gate", "write `in(guard, gate)`"),
        ("guard.mode = \"watch\"", "write `==`"),
        ("guard.blocked && thief.blocked", "write `and`"),
        ("!guard.blocked", "write `not`"),
        ("polarisation(boids) => 3", "write `>=`"),
        ("dist(guard, thief) < 1", "write `distance`"),
        ("average(boids, speed) < 1", "write `mean`"),
        ("count(boids) > 1", "write count(group, condition)"),
        ("any(a in boids, speed > 1)", "write the agent's name first, as in `a.speed`"),
        (
            "boids.speed > 1",
            "write `any(boids, …)`, `all(boids, …)`, `mean(boids, …)` or `boids.1`",
        ),
    ] {
        let error = Condition::read(text, scenario.as_ref(), ConditionContext::Global);
        assert_eq!(error.expect_err(text).help, help, "{text}");
    }
    for (text, word) in [
        ("guard.mode == \"wach\"", "watch"),
        ("gaurd.x > 1", "guard"),
        ("guard.sped > 1", "speed"),
        ("polarization(boid) > 1", "boids"),
        ("toching(boids)", "touching"),
    ] {
        let error = Condition::read(text, scenario.as_ref(), ConditionContext::Global);
        let (_, known) = error.expect_err(text).unknown.expect("error lists known words");
        assert!(known.iter().any(|known| known == word), "{text}: {known:?}");
    }
}
