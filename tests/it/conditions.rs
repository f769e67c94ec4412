//! Conditions: what is read and what it says, what is refused and where, and that nothing upsets
//! the reader.

use std::sync::Arc;

use proptest::prelude::*;
use tilewalk::condition::syntax::{Node, Shape, parse};
use tilewalk::condition::{Asker, Condition};
use tilewalk::files::{self, Options, Origin};
use tilewalk::id::AgentId;
use tilewalk::scenario::Scenario;
use tilewalk::step::step;
use tilewalk::world::{Look, World};

use super::build;

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
    let origin = Origin::Text { label: "conditions.toml".to_owned(), text: MAP.to_owned() };
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
const GOOD: [(&str, bool); 64] = [
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
];

/// What is refused: the text, the part of it that is to blame, and the reason.
const BAD: [(&str, &str, &str); 67] = [
    ("", "", "the condition is empty"),
    ("  ", "  ", "the condition is empty"),
    ("guard", "guard", "`guard` is no condition"),
    ("speed > 3", "speed", "whose `speed`?"),
    ("blocked", "blocked", "whose `blocked`?"),
    ("gurd.speed > 3", "gurd.speed", "nobody and nothing is called `gurd`"),
    ("guard.sped > 3", "guard.sped", "an agent has no field `sped`"),
    ("guard.speed", "guard.speed", "this is a number, no condition"),
    ("guard.mode", "guard.mode", "this is a text, no condition"),
    ("\"watch\"", "\"watch\"", "this is a text, no condition"),
    ("3", "3", "this is a number, no condition"),
    ("not 3", "3", "this is a number, no condition"),
    ("guard.speed and true", "guard.speed", "this is a number, no condition"),
    ("guard.speed = 3", "=", "`=` means nothing here"),
    ("guard.speed > 3 && true", "&&", "`&&` means nothing here"),
    ("true || false", "||", "`||` means nothing here"),
    ("!guard.blocked", "!", "`!` means nothing here"),
    ("guard.speed > 3 + 4", "+", "`+` means nothing here"),
    ("guard.speed > 3 # fast", "#", "`#` means nothing here"),
    ("guard.speed > €", "€", "`€` means nothing here"),
    ("1 < guard.x < 3", "<", "a comparison can't be compared again"),
    ("guard.blocked == true", "guard.blocked == true", "what is true or false isn't compared"),
    ("guard.mode > \"a\"", "guard.mode > \"a\"", "`>` compares numbers; texts are `==` or `!=`"),
    (
        "guard.speed == \"fast\"",
        "guard.speed == \"fast\"",
        "a number can't be compared with a text",
    ),
    ("guard.blocked < 3", "guard.blocked < 3", "true or false can't be compared with a number"),
    ("guard.mode == 3", "guard.mode == 3", "a text can't be compared with a number"),
    ("guard.mode == \"watch", "\"watch", "the text is not closed: \" is missing"),
    ("(true", "", "`)` is missing before the end"),
    ("true)", ")", "`)` can't stand here"),
    ("()", ")", "`)` can't stand here"),
    ("true and", "", "something is missing at the end"),
    ("and true", "and", "something is missing before `and`"),
    ("true or or false", "or", "something is missing before `or`"),
    ("not", "", "something is missing at the end"),
    ("true false", "false", "`false` can't stand here"),
    ("guard.", "", "a field is missing after `.`, before the end"),
    ("guard..speed > 1", ".", "a field is missing after `.`, before `.`"),
    ("frame > ", "", "something is missing at the end"),
    ("frame > - time", "time", "`-` needs a number after it"),
    ("frame > 1e999", "1e999", "the number 1e999 is too large"),
    ("seez(guard, thief)", "seez(guard, thief)", "nothing is called `seez(…)`"),
    ("sees(thief)", "sees(thief)", "who? the agent is missing"),
    ("sees(guard, nobody)", "nobody", "nobody and nothing is called `nobody`"),
    ("sees(boids, thief)", "boids", "`boids` is several agents, and this asks about one"),
    ("sees(gate, thief)", "gate", "`gate` is a place, no agent"),
    ("sees(guard, 3)", "3", "an agent, a group, a place or a point must stand here"),
    ("sees(3, guard)", "3", "an agent must stand here"),
    ("sees(guard, [1])", "[1]", "a point is two numbers: `[x, y]`"),
    ("sees(guard, home)", "home", "whose home?"),
    ("sees(a, b, c)", "sees(a, b, c)", "the wrong number of arguments"),
    ("distance(guard) > 1", "distance(guard)", "from where? the agent is missing"),
    ("distance(gate, gate) > 1", "distance(gate, gate)", "one of the two must be an agent"),
    ("distance(guard, thief)", "distance(guard, thief)", "this is a number, no condition"),
    ("in(guard, [1, 2, 3])", "[1, 2, 3]", "an area is four integers: `[x0, y0, x1, y1]`"),
    ("in(guard, thief)", "thief", "a place or `[x0, y0, x1, y1]` must stand here"),
    ("chance(0.5)", "chance(0.5)", "only the rules of agents have dice"),
    ("event(bum)", "bum", "there is no event `bum`"),
    ("event(3)", "3", "the word of an event must stand here"),
    ("any(guard, blocked)", "guard", "a group must stand here"),
    ("all(boids)", "all(boids)", "the wrong number of arguments"),
    ("any(boids, speed)", "speed", "this is a number, no condition"),
    ("changed()", "changed()", "the wrong number of arguments"),
    ("[1, 2] == 3", "[1, 2]", "a list can't stand here"),
    ("boids.4.x > 1", "boids.4.x", "nobody and nothing is called `boids.4`"),
    // Printed, the two numbers would be read as one.
    ("boids.3 .5 > 1", "5", "a field is missing after `.`, before `5`"),
    ("boids.3.5 > 1", "3.5", "a field is missing after `.`, before `3.5`"),
    ("boids.1e1.x > 1", "1e1", "a field is missing after `.`, before `1e1`"),
];

#[test]
fn good_conditions_say_what_is_so() {
    let (before, now) = worlds();
    let last = Look::at(&before);
    let look = Look { before: Some(&last), ..Look::at(&now) };
    for (text, expected) in GOOD {
        let condition = Condition::read(text, now.scenario().as_ref(), Asker::Onlooker);
        let condition = condition.unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(condition.holds(&look, None), expected, "{text}");
    }
}

#[test]
fn bad_conditions_are_refused_where_they_are_bad() {
    let scenario = scenario();
    for (text, blamed, message) in BAD {
        let error = Condition::read(text, scenario.as_ref(), Asker::Onlooker).expect_err(text);
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
        let condition = Condition::read(text, now.scenario().as_ref(), Asker::Rule);
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
    ] {
        assert_eq!(own(text), Ok(true), "{text}");
    }
    for (text, message) in [
        ("changed(mode)", "a rule can't ask what has changed"),
        ("chance(2)", "a chance is a number between 0 and 1"),
        ("chance(-1)", "a chance is a number between 0 and 1"),
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
        (Shape::Not(a), Shape::Not(b)) => same(a, b),
        (Shape::Compare(x, a, c), Shape::Compare(y, b, d)) => x == y && same(a, b) && same(c, d),
        (a, b) => a == b,
    }
}

/// Texts the grammar allows, whatever their names and types.
fn grammatical() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        "[a-z]{1,5}".prop_filter("no keyword", |word| {
            !["and", "or", "not", "true", "false"].contains(&word.as_str())
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
            (inner.clone(), inner, "==|!=|<|<=|>|>=")
                .prop_map(|(a, b, sign)| format!("({a}{sign} {b})")),
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
        for asker in [Asker::Rule, Asker::Onlooker] {
            match Condition::read(&text, scenario.as_ref(), asker) {
                Ok(condition) => {
                    let world = World::new(Arc::clone(scenario));
                    condition.holds(&Look::at(&world), (asker == Asker::Rule).then_some(AgentId(0)));
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
    for open in ["(", "not ", "any(a, ", "["] {
        let error = parse(&open.repeat(500)).map(|_| ()).expect_err(open);
        assert_eq!(error.message, "more than 50 levels in each other");
    }
    let chain = vec!["true"; 400].join(" and ");
    assert!(parse(&chain).is_ok());
}
