//! Conditions: values, errors with their columns, and random input that must not panic.

use std::sync::Arc;

use proptest::prelude::*;
use tilewalk::condition::syntax::{Node, Shape, parse};
use tilewalk::condition::{Condition, ConditionContext};
use tilewalk::files::{self, Options};
use tilewalk::id::AgentId;
use tilewalk::scenario::Scenario;
use tilewalk::step::step;
use tilewalk::world::{Look, World};

use crate::support::build;

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
    let origin = tilewalk::builtin::text("conditions.toml", MAP);
    let loaded = files::load(&origin, &Options::default()).expect("a map");
    loaded.scenario.unwrap_or_else(|| panic!("{}", loaded.report.plain()))
}

/// Frame 20 and the one before. The thief runs east along y = 3.5 at full speed.
pub fn worlds() -> (World, World) {
    let mut world = World::new(scenario());
    (0..19).for_each(|_| step(&mut world));
    let before = world.clone();
    step(&mut world);
    (before, world)
}

/// What an onlooker may ask, and the answer at frame 20.
const GOOD: [(&str, bool); 91] = [
    ("true", true),
    ("false", false),
    ("not false", true),
    ("not not true", true),
    ("true and true", true),
    ("true and false", false),
    ("false or true", true),
    ("true or false and false", true),
    ("(true or false) and false", false),
    ("not false or true", true),
    ("not (false or true)", false),
    ("frame == 20", true),
    ("frame != 20", false),
    ("frame > 19 and frame < 21", true),
    ("frame >= 20", true),
    ("frame <= 20", true),
    ("20 == frame", true),
    ("time == 1", true),
    ("time == 1.0", true),
    ("time > 0.9999 and time < 1e1", true),
    ("guard.x == 2.5", true),
    ("guard.y == 2.5", true),
    ("guard.tile_x == 2", true),
    ("guard.tile_y == 2.0", true),
    ("guard.x > -3", true),
    ("guard.x == -2.5", false),
    ("guard.heading == 90", true),
    ("guard.speed == 0", true),
    ("guard.vx == 0 and guard.vy == 0", true),
    ("thief.vx > 3.9", true),
    ("thief.speed <= 4", true),
    ("thief.heading < 0.1 or thief.heading > 359.9", true),
    ("guard.mode == \"watch\"", true),
    ("guard.mode == 'watch'", true),
    ("\"watch\" == guard.mode", true),
    ("guard.mode != \"away\"", true),
    ("guard.mode == thief.mode", false),
    ("thief.mode == \"steer\"", true),
    ("guard.time_in_mode == 1", true),
    ("guard.blocked", false),
    ("not guard.arrived", true),
    ("guard.finished or guard.joining", false),
    ("guard.collided or guard.stuck or guard.quarantined", false),
    ("sees(guard, gate)", false),
    ("sees(guard, [3, 3])", true),
    ("sees(guard, [3, 1])", false),
    ("sees(guard, boids)", false),
    ("sees(boids.1, flock)", true),
    ("distance(guard, thief) > 5.8", true),
    ("distance(thief, guard) == distance(guard, thief)", true),
    ("distance(guard, [2, 3]) == 1", true),
    ("distance(guard, [2.5, 3.0]) == 0.5", true),
    ("distance(guard, gate) > 7 and distance(gate, guard) < 7.1", true),
    ("distance(guard, boids) > distance(guard, gate)", true),
    ("in(guard, [2, 2, 2, 2])", true),
    ("in(guard, [3, 3, 1, 1])", true),
    ("in(guard, gate)", false),
    ("event(bump)", false),
    ("event(thief, dead_end)", false),
    ("any(boids, tile_x > 10)", true),
    ("all(flock, tile_x > 10 and speed == 0)", true),
    ("any(boids, sees(thief)) or all(boids, not sees(thief))", true),
    ("changed(thief.tile_x) or changed(thief.x)", true),
    ("changed(guard.mode) or changed(guard.blocked)", false),
    ("frame == 4 * 5 and frame == 15 + 5 and frame - 20 == 0", true),
    ("2 + 3 * 4 == 14 and (2 + 3) * 4 == 20", true),
    ("10 - 4 - 3 == 3 and 24 / 4 / 3 == 2 and 10 - (4 - 3) == 9", true),
    ("-frame == -20 and --frame == 20 and -(1 + 2) == -3 and 2 - -1 == 3", true),
    ("abs(guard.x - 3) == 0.5 and abs(-2) == 2", true),
    ("1 / 0 > 1 or 1 / 0 < 1 or 1 / 0 != 1 or 0 / 0 == 0 / 0", false),
    ("not (1 / 0 != 1)", true),
    ("guard.speed / (guard.speed - guard.speed) != 3", false),
    ("gap(guard, thief) == gap(thief, guard)", true),
    ("abs(distance(guard, thief) - gap(guard, thief) - 0.6) < 1e-5", true),
    ("gap(guard, guard) < 1e9 or gap(guard, guard) >= 0", false),
    ("gap(boids, flock) == gap(flock, flock)", true),
    ("touching(guard, thief) or touching(guard) or touching(guard, guard)", false),
    ("guard.overlapping", false),
    ("count(boids, speed == 0) == 3 and count(guard, x > 99) == 0", true),
    ("mean(boids, 2 * tile_x) > 20 and sum(boids, 1) == 3", true),
    ("min(boids, x) <= boids.2.x and max(boids, x) >= boids.2.x", true),
    ("mean(guard, x) == guard.x and sum(flock, x) / 3 - mean(flock, x) == 0", true),
    ("polarisation(guard) == 1 and polarization(boids) <= 1", true),
    ("any(a in boids, any(b in boids, a != b and a.x >= b.x))", true),
    ("any(a in boids, any(b in boids, a == b and a.x != b.x))", false),
    ("all(a in boids, all(b in boids, a == b or gap(a, b) == gap(b, a)))", true),
    ("any(a in boids, a == guard) or not any(a in guard, a == guard)", false),
    ("all(a in flock, count(b in flock, a != b) == 2)", true),
    ("any(a in boids, any(a, x > 9) and sees(a, a) and distance(a, guard) > 8)", true),
    ("guard == guard and guard != thief and boids.1 != boids.2", true),
    ("exists(guard) and exists(boids) and any(a in boids, exists(a))", true),
];

/// What is refused: the text, the part of it that is to blame, and the reason.
const BAD: [(&str, &str, &str); 102] = [
    ("", "", "the condition is empty"),
    ("  ", "  ", "the condition is empty"),
    ("guard", "guard", "`guard` is not a condition"),
    ("speed > 3", "speed", "missing agent for `speed`"),
    ("blocked", "blocked", "missing agent for `blocked`"),
    ("gurd.speed > 3", "gurd.speed", "unknown name `gurd`"),
    ("guard.sped > 3", "guard.sped", "unknown field `sped`"),
    ("guard.speed", "guard.speed", "expected a condition, found a number"),
    ("guard.mode", "guard.mode", "expected a condition, found a string"),
    ("\"watch\"", "\"watch\"", "expected a condition, found a string"),
    ("3", "3", "expected a condition, found a number"),
    ("not 3", "3", "expected a condition, found a number"),
    ("guard.speed and true", "guard.speed", "expected a condition, found a number"),
    ("guard.speed = 3", "=", "unexpected `=`"),
    ("guard.speed > 3 && true", "&&", "unexpected `&&`"),
    ("true || false", "||", "unexpected `||`"),
    ("!guard.blocked", "!", "unexpected `!`"),
    ("guard.speed > 3 +", "", "unexpected end of the condition"),
    ("guard.speed => 3", "=>", "unexpected `=>`"),
    ("guard.speed > + 3", "+", "unexpected `+`"),
    ("guard.speed > 3 % 2", "%", "unexpected `%`"),
    ("guard.sees(thief)", "guard.sees(thief)", "`sees` is not a method"),
    ("guard in gate", "guard in gate", "unexpected `in`"),
    ("guard.mode == \"wach\"", "\"wach\"", "guard has no mode \"wach\""),
    ("\"wach\" != guard.mode", "\"wach\"", "guard has no mode \"wach\""),
    ("any(boids, mode == \"watch\")", "\"watch\"", "boids has no mode \"watch\""),
    ("any(a in flock, a.mode == \"watch\")", "\"watch\"", "flock has no mode \"watch\""),
    ("any(guard, mode == \"wach\")", "\"wach\"", "guard has no mode \"wach\""),
    ("guard.mode + 1 > 2", "guard.mode", "expected a number, found a string"),
    ("-guard.blocked > 2", "guard.blocked", "expected a number, found a boolean"),
    ("abs(guard.blocked) > 2", "guard.blocked", "expected a number, found a boolean"),
    ("abs(1, 2) > 2", "abs(1, 2)", "wrong number of arguments"),
    ("gap(guard) < 1", "gap(guard)", "missing agent"),
    ("gap(guard, gate) < 1", "gate", "expected an agent or a group, but `gate` is a place"),
    ("gap(guard, [1, 2]) < 1", "[1, 2]", "expected an agent or a group"),
    ("gap(guard, thief)", "gap(guard, thief)", "expected a condition, found a number"),
    ("touching(guard, gate)", "gate", "expected an agent or a group, but `gate` is a place"),
    ("count(boids)", "count(boids)", "wrong number of arguments"),
    ("count(boids, speed) > 1", "speed", "expected a condition, found a number"),
    ("mean(boids, blocked) > 1", "blocked", "expected a number, found a boolean"),
    ("mean(boids.speed) > 1", "mean(boids.speed)", "wrong number of arguments"),
    ("boids.speed > 1", "boids.speed", "expected one agent, but `boids` is a group"),
    ("boids == guard", "boids", "`boids` is not a condition"),
    ("guard > thief", "guard", "`guard` is not a condition"),
    ("polarisation(gate) > 1", "gate", "expected an agent or a group, but `gate` is a place"),
    ("any(a in boids, a)", "a", "`a` is not a condition"),
    ("any(a in boids, speed > 1)", "speed", "missing agent for `speed`"),
    ("any(a in nobody, a.x > 1)", "nobody", "unknown name `nobody`"),
    (
        "any(guard in boids, guard.x > 1)",
        "any(guard in boids, guard.x > 1)",
        "the name `guard` is already used",
    ),
    ("any(x in boids, x.x > 1)", "any(x in boids, x.x > 1)", "the name `x` is already used"),
    (
        "any(a in boids, any(a in boids, a.x > 1))",
        "any(a in boids, a.x > 1)",
        "the name `a` is already used",
    ),
    ("any(a in boids, true) and a.x > 1", "a.x", "unknown name `a`"),
    ("dist(guard, thief) < 1", "dist(guard, thief)", "unknown function `dist`"),
    ("guard.speed > 3 # fast", "#", "unexpected `#`"),
    ("guard.speed > €", "€", "unexpected `€`"),
    ("1 < guard.x < 3", "<", "comparisons can't be chained"),
    ("guard.blocked == true", "guard.blocked == true", "can't compare booleans"),
    ("guard.mode > \"a\"", "guard.mode > \"a\"", "`>` can't compare strings; use `==` or `!=`"),
    ("guard.speed == \"fast\"", "guard.speed == \"fast\"", "can't compare a number with a string"),
    ("guard.blocked < 3", "guard.blocked < 3", "can't compare a boolean with a number"),
    ("guard.mode == 3", "guard.mode == 3", "can't compare a string with a number"),
    ("guard.mode == \"watch", "\"watch", "unterminated string: missing \""),
    ("(true", "", "expected `)`, found the end of the condition"),
    ("true)", ")", "unexpected `)`"),
    ("()", ")", "unexpected `)`"),
    ("true and", "", "unexpected end of the condition"),
    ("and true", "and", "missing operand before `and`"),
    ("true or or false", "or", "missing operand before `or`"),
    ("not", "", "unexpected end of the condition"),
    ("true false", "false", "unexpected `false`"),
    ("guard.", "", "expected a field after `.`, found the end of the condition"),
    ("guard..speed > 1", ".", "expected a field after `.`, found `.`"),
    ("frame > ", "", "unexpected end of the condition"),
    ("frame > -", "", "unexpected end of the condition"),
    ("frame > 1e999", "1e999", "the number 1e999 is too large"),
    ("seez(guard, thief)", "seez(guard, thief)", "unknown function `seez`"),
    ("sees(thief)", "sees(thief)", "missing agent"),
    ("sees(guard, nobody)", "nobody", "unknown name `nobody`"),
    ("sees(boids, thief)", "boids", "expected one agent, but `boids` is a group"),
    ("sees(gate, thief)", "gate", "expected an agent, but `gate` is a place"),
    ("sees(guard, 3)", "3", "expected an agent, a group, a place or a point"),
    ("sees(3, guard)", "3", "expected an agent"),
    ("sees(guard, [1])", "[1]", "a point must be two numbers: `[x, y]`"),
    ("sees(guard, home)", "home", "`home` needs an agent: use it in a transition, `any` or `all`"),
    ("sees(a, b, c)", "sees(a, b, c)", "wrong number of arguments"),
    ("distance(guard) > 1", "distance(guard)", "missing agent"),
    (
        "distance(gate, gate) > 1",
        "distance(gate, gate)",
        "one of the two arguments must be an agent",
    ),
    ("distance(guard, thief)", "distance(guard, thief)", "expected a condition, found a number"),
    ("in(guard, [1, 2, 3])", "[1, 2, 3]", "an area must be four integers: `[x0, y0, x1, y1]`"),
    ("in(guard, thief)", "thief", "expected a place or `[x0, y0, x1, y1]`"),
    ("chance(0.5)", "chance(0.5)", "`chance` can only be used in transitions"),
    ("event(bum)", "bum", "unknown event `bum`"),
    ("event(3)", "3", "expected an event, such as `bump`"),
    ("any(gate, blocked)", "gate", "expected an agent or a group, but `gate` is a place"),
    ("all(boids)", "all(boids)", "wrong number of arguments"),
    ("any(boids, speed)", "speed", "expected a condition, found a number"),
    ("changed()", "changed()", "wrong number of arguments"),
    ("[1, 2] == 3", "[1, 2]", "unexpected list"),
    ("boids.4.x > 1", "boids.4.x", "unknown name `boids.4`"),
    // Printed, the two numbers would be read as one.
    ("boids.3 .5 > 1", "5", "expected a field after `.`, found `5`"),
    ("boids.3.5 > 1", "3.5", "expected a field after `.`, found `3.5`"),
    ("boids.1e1.x > 1", "1e1", "expected a field after `.`, found `1e1`"),
];

#[test]
fn good_conditions_say_what_is_so() {
    let (before, now) = worlds();
    let last = Look::at(&before);
    let look = Look { before: Some(&last), ..Look::at(&now) };
    for (text, expected) in GOOD {
        let condition = Condition::read(text, now.scenario().as_ref(), ConditionContext::Global);
        let condition = condition.unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(condition.holds(&look, None), expected, "{text}");
    }
}

#[test]
fn bad_conditions_are_refused_where_they_are_bad() {
    let scenario = scenario();
    for (text, blamed, message) in BAD {
        let error =
            Condition::read(text, scenario.as_ref(), ConditionContext::Global).expect_err(text);
        assert_eq!(error.message, message, "{text}");
        assert_eq!(&text[error.span.clone()], blamed, "{text}");
        // An empty part stands at the end.
        assert!(!blamed.is_empty() || error.span.end == text.len(), "{text}");
    }
}

#[test]
fn a_rule_speaks_of_its_agent_alone() {
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

/// The same but for where it stands?
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

/// Texts the grammar allows, whatever their names and types.
fn grammatical() -> impl Strategy<Value = String> {
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

/// Tokens in any order.
fn soup() -> impl Strategy<Value = String> {
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
    fn what_is_printed_is_read_again_as_the_same(text in grammatical()) {
        let tree = parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let printed = tree.to_string();
        let again = parse(&printed).unwrap_or_else(|error| panic!("{printed}: {error}"));
        prop_assert!(same(&tree, &again), "{} became {}", text, printed);
    }

    #[test]
    fn no_text_upsets_the_reader(text in prop_oneof![any::<String>(), soup(), "[a-z0-9.()\"'<=!, ]{0,40}"]) {
        let scenario = scenario_once();
        for asker in [ConditionContext::Rule, ConditionContext::Global] {
            match Condition::read(&text, scenario.as_ref(), asker) {
                Ok(condition) => {
                    let world = World::new(Arc::clone(scenario));
                    condition.holds(&Look::at(&world), (asker == ConditionContext::Rule).then_some(AgentId(0)));
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
fn levels_upon_levels_are_refused_and_long_chains_are_not() {
    for open in ["(", "not ", "any(a, ", "[", "- ", "a in ", "1 + ("] {
        let error = parse(&open.repeat(500)).map(|_| ()).expect_err(open);
        assert_eq!(error.message, "the condition is nested more than 50 levels deep");
    }
    let chain = vec!["true"; 400].join(" and ");
    assert!(parse(&chain).is_ok());
    let sum = format!("{} == 900", vec!["1"; 900].join("+"));
    assert!(Condition::read(&sum, scenario().as_ref(), ConditionContext::Global).is_ok());
}
