//! Fuzzes conditions: parsing and evaluation never panic, and a printed condition parses to the same
//! tree.

#![no_main]

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use tilewalk::condition::lexer::MAX_LENGTH;
use tilewalk::condition::syntax::{Node, Shape, parse};
use tilewalk::condition::{Condition, ConditionContext, NumberCondition};
use tilewalk::files::{self, Options};
use tilewalk::id::AgentId;
use tilewalk::report::parts;
use tilewalk::step::step;
use tilewalk::world::{Look, World};

const MAP: &str = r#"
tiles = '''
..........
....##....
..........
'''
[places]
gate = [9, 2]
[[agent]]
name = "guard"
at = [0, 0]
body = { view = { range = 6, angle = 200 } }
[[agent.mode]]
name = "watch"
switch = [{ when = "false", to = "away" }]
[[agent.mode]]
name = "away"
[[agent]]
name = "boid"
group = "boids"
count = 3
at = "anywhere"
steer = [{ do = "wander" }]
"#;

/// Maximum growth of a number by printing. For example, `1e15` is printed with 16 digits.
const MAX_GROWTH: usize = 8;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(tree) = parse(&text)
        && text.len() <= MAX_LENGTH / MAX_GROWTH
    {
        let printed = tree.to_string();
        match parse(&printed) {
            Ok(again) => assert!(same(&tree, &again), "{text:?} became {printed:?}"),
            Err(error) => panic!("{text:?} became {printed:?}: {error}"),
        }
    }
    let (before, now) = worlds();
    for context in [ConditionContext::Rule, ConditionContext::Global] {
        match Condition::read(&text, now.scenario().as_ref(), context) {
            Ok(condition) => {
                let me = (context == ConditionContext::Rule).then_some(AgentId(0));
                let look = Look { before: Some(&Look::at(before)), ..Look::at(now) };
                condition.holds(&look, me);
                parts::why(&condition, &look, me);
            }
            Err(error) => assert!(text.get(error.span.clone()).is_some(), "{error:?}"),
        }
    }
    if let Ok(number) =
        NumberCondition::read(&text, now.scenario().as_ref(), ConditionContext::Global)
    {
        let value = number.value(&Look { before: Some(&Look::at(before)), ..Look::at(now) }, None);
        assert!(value.is_none_or(f64::is_finite), "{value:?}");
    }
});

/// Returns two consecutive frames of a world.
fn worlds() -> (&'static World, &'static World) {
    static WORLDS: OnceLock<(World, World)> = OnceLock::new();
    let (before, now) = WORLDS.get_or_init(|| {
        let origin = tilewalk::builtin::text("fuzz.toml", MAP);
        let loaded = files::load(&origin, &Options::default()).expect("a readable map");
        let before = World::new(loaded.scenario.expect("a map without errors"));
        let mut now = before.clone();
        step(&mut now);
        (before, now)
    });
    (before, now)
}

/// Compares two trees, ignoring positions in the text.
fn same(a: &Node, b: &Node) -> bool {
    let all =
        |a: &[Node], b: &[Node]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b));
    match (&a.kind, &b.kind) {
        (Shape::Or(a), Shape::Or(b))
        | (Shape::And(a), Shape::And(b))
        | (Shape::List(a), Shape::List(b)) => all(a, b),
        (Shape::Call(word, a), Shape::Call(other, b)) => word == other && all(a, b),
        (Shape::Not(a), Shape::Not(b)) | (Shape::Negative(a), Shape::Negative(b)) => same(a, b),
        (Shape::Binding(name, a), Shape::Binding(other, b)) => name == other && same(a, b),
        (Shape::Arithmetic(a, rest), Shape::Arithmetic(b, others)) => {
            let mut parts = rest.iter().zip(others);
            same(a, b)
                && rest.len() == others.len()
                && parts.all(|((sign, a), (other, b))| sign == other && same(a, b))
        }
        (Shape::Compare(operator, a, b), Shape::Compare(other, c, d)) => {
            operator == other && same(a, c) && same(b, d)
        }
        (a, b) => a == b,
    }
}
