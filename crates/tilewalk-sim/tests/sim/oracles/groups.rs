//! Oracle for group functions and arithmetic in conditions: a slow evaluator in f64.
//!
//! The evaluator reads only positions, velocities, radii and headings. It compares every pair, and measures
//! distances on a map that wraps by trying all nine copies.

mod generator;

use std::cell::Cell;
use std::fmt::Write as _;
use std::sync::Arc;

use tilewalk_files::Options;
use tilewalk_sim::condition::{Condition, ConditionContext, NumberCondition};
use tilewalk_sim::id::AgentId;
use tilewalk_sim::map::Edges;
use tilewalk_sim::step::step;
use tilewalk_sim::world::{Look, World};

use generator::{Generator, Number, Test};

/// Random numbers that depend only on the seed.
pub struct TestRng(u64);

impl TestRng {
    fn below(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695);
        (self.0 >> 33) as usize % below.max(1)
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

/// Returns a random world with a group of bodies, a template and single agents.
fn world(rng: &mut TestRng) -> World {
    let (width, height) = (6 + rng.below(40), 6 + rng.below(30));
    let rows = vec![".".repeat(width); height].join("\n");
    let edges = rng.one(&["wall", "wrap"]);
    let body = |rng: &mut TestRng| {
        let radius = rng.one(&["0.05", "0.2", "0.3", "0.45"]);
        let solid = rng.one(&["true", "false"]);
        format!("body = {{ radius = {radius}, max_speed = 3.0, solid = {solid} }}")
    };
    let mut text = format!("edges = \"{edges}\"\nseed = {}\ntiles = '''\n", rng.below(1000));
    let _ = write!(text, "{rows}\n'''\n[places]\ngate = [1, 1]\n");
    let wander = "steer = [{ do = \"wander\" }]\nat = \"anywhere\"";
    for name in ["guard", "gap", "count"] {
        let _ = write!(text, "[[agent]]\nname = \"{name}\"\n{wander}\n{}\n", body(rng));
    }
    for (name, most) in [("boid", 60), ("fish", 40)] {
        let count = 2 + rng.below(most);
        let _ = write!(
            text,
            "[[agent]]\nname = \"{name}\"\ngroup = \"all_of_them\"\n{wander}\ncount = {count}\n{}\n",
            body(rng)
        );
    }
    let _ = write!(
        text,
        "[[agent]]\nname = \"shot\"\ntemplate = true\nmax = 3\n{wander}\n{}\n[[spawn]]\n\
         agent = \"shot\"\nat = \"anywhere\"\nevery = 0.4\nlifetime = 1.0\n",
        body(rng)
    );
    let origin = tilewalk_test_support::builtin::text("groups.toml", &*text);
    let loaded = tilewalk_files::load(&origin, &Options::default()).expect("a readable map");
    let report = loaded.report.plain();
    World::new(loaded.scenario.unwrap_or_else(|| panic!("{report}\n{text}")))
}

/// Evaluates expressions on a world.
struct Oracle<'a> {
    world: &'a World,
    bound: Vec<(String, AgentId)>,
    me: Option<AgentId>,
    /// Whether rounding could decide a comparison.
    close: &'a Cell<bool>,
}

impl Oracle<'_> {
    fn agent(&self, name: &str) -> Option<AgentId> {
        let bound = self.bound.iter().find(|(bound, _)| bound == name).map(|(_, id)| *id);
        bound.or_else(|| self.world.find(name))
    }

    fn set(&self, name: &str) -> Vec<AgentId> {
        if let Some(id) = self.agent(name) {
            return vec![id];
        }
        let of = |id: &AgentId| {
            let kind = self.world.kind(*id).name.as_str();
            kind == name || name == "all_of_them" && ["boid", "fish"].contains(&kind)
        };
        self.world.ids().filter(of).collect()
    }

    fn gap(&self, a: AgentId, b: AgentId) -> f64 {
        let map = self.world.scenario().map();
        let (p, q) = (self.world.position(a), self.world.position(b));
        let (dx, dy) = (f64::from(q.x) - f64::from(p.x), f64::from(q.y) - f64::from(p.y));
        let copies: &[f64] = if map.edges() == Edges::Wrap { &[-1.0, 0.0, 1.0] } else { &[0.0] };
        let (width, height) = (f64::from(map.width()), f64::from(map.height()));
        let mut least = f64::INFINITY;
        for i in copies {
            for j in copies {
                least = least.min((dx + i * width).hypot(dy + j * height));
            }
        }
        least - f64::from(self.world.body(a).radius) - f64::from(self.world.body(b).radius)
    }

    fn gaps(&self, a: &str, b: &str) -> Option<f64> {
        let (firsts, seconds) = (self.set(a), self.set(b));
        let pairs = firsts.iter().flat_map(|a| seconds.iter().map(move |b| (*a, *b)));
        let gaps = pairs.filter(|(a, b)| a != b).map(|(a, b)| self.gap(a, b));
        gaps.min_by(f64::total_cmp)
    }

    fn below(&self, a: f64, b: f64) -> bool {
        let whole = a.fract() == 0.0 && b.fract() == 0.0 && a.abs() < 1e6;
        if (a - b).abs() < 1e-4 * (1.0 + a.abs() + b.abs()) && !whole {
            self.close.set(true);
        }
        a < b
    }

    fn each<T>(&mut self, name: Option<&String>, set: &str, f: impl Fn(&mut Self) -> T) -> Vec<T> {
        let ids = self.set(set);
        let one = |id| {
            if let Some(name) = name {
                self.bound.push((name.clone(), id));
                let value = f(self);
                self.bound.pop();
                return value;
            }
            let me = self.me.replace(id);
            let value = f(self);
            self.me = me;
            value
        };
        ids.into_iter().map(one).collect()
    }

    fn number(&mut self, number: &Number) -> Option<f64> {
        let value = match number {
            Number::Literal(number) => *number as f64,
            Number::Field(agent, field) => {
                let id = agent.as_ref().map_or(self.me, |name| self.agent(name))?;
                let (at, v) = (self.world.position(id), self.world.velocity(id));
                f64::from(match *field {
                    "x" => at.x,
                    "y" => at.y,
                    "vx" => v.x,
                    _ => v.y,
                })
            }
            Number::Gap(a, b) => self.gaps(a, b)?,
            Number::Polarisation(set) => {
                let ids = self.set(set);
                let headings = ids.iter().map(|&id| self.world.heading(id));
                let sum = headings.fold((0.0, 0.0), |(x, y), heading| {
                    (x + f64::from(heading.x), y + f64::from(heading.y))
                });
                sum.0.hypot(sum.1) / ids.len() as f64
            }
            Number::Count(name, set, test) => {
                let holds = self.each(name.as_ref(), set, |it| it.test(test));
                holds.into_iter().filter(|holds| *holds).count() as f64
            }
            Number::Fold(word, name, set, number) => {
                let values = self.each(name.as_ref(), set, |it| it.number(number));
                let values: Vec<f64> = values.into_iter().flatten().collect();
                match *word {
                    "min" => values.into_iter().min_by(f64::total_cmp)?,
                    "max" => values.into_iter().max_by(f64::total_cmp)?,
                    "sum" => values.iter().sum::<f64>() + 0.0,
                    _ => values.iter().sum::<f64>() / values.len() as f64,
                }
            }
            Number::Two(sign, a, b) => {
                let (a, b) = (self.number(a)?, self.number(b)?);
                match sign {
                    '+' => a + b,
                    '-' => a - b,
                    '*' => a * b,
                    _ => {
                        self.below(b, 0.0);
                        a / b
                    }
                }
            }
            Number::Negative(part) => -self.number(part)?,
            Number::Absolute(part) => self.number(part)?.abs(),
        };
        value.is_finite().then_some(value)
    }

    fn test(&mut self, test: &Test) -> bool {
        match test {
            Test::Compare(sign, a, b) => {
                let (Some(a), Some(b)) = (self.number(a), self.number(b)) else { return false };
                let (less, greater) = (self.below(a, b), self.below(b, a));
                match *sign {
                    "<" => less,
                    "<=" => !greater,
                    ">" => greater,
                    ">=" => !less,
                    "==" => !less && !greater,
                    _ => less || greater,
                }
            }
            Test::Touching(a, b) => self.gaps(a, b).is_some_and(|gap| !self.below(0.001, gap)),
            Test::Overlapping(agent) => self.agent(agent).is_some_and(|id| {
                let solid = |id: AgentId| self.world.body(id).solid;
                let others = self.world.ids().filter(|&other| other != id && solid(other));
                let mut gaps = others.map(|other| self.below(self.gap(id, other), -0.001));
                solid(id) && gaps.any(|below| below)
            }),
            Test::Exists(set) => !self.set(set).is_empty(),
            Test::Is(equal, a, b) => match (self.agent(a), self.agent(b)) {
                (Some(a), Some(b)) => (a == b) == *equal,
                _ => false,
            },
            Test::Quantifier(is_any, name, set, test) => {
                let holds = self.each(name.as_ref(), set, |it| it.test(test));
                if *is_any { holds.contains(&true) } else { !holds.contains(&false) }
            }
            Test::Not(part) => !self.test(part),
            Test::Both(word, a, b) => {
                let (a, b) = (self.test(a), self.test(b));
                if *word == "and" { a && b } else { a || b }
            }
        }
    }
}

#[test]
fn group_functions_and_arithmetic_agree_with_a_slow_evaluator() {
    let mut rng = TestRng(11);
    let (mut compared, mut held, mut undefined, mut close) = (0, 0, 0, 0);
    for _ in 0..60 {
        let mut world = world(&mut rng);
        for _ in 0..4 {
            (0..=rng.below(12)).for_each(|_| step(&mut world));
            for _ in 0..25 {
                let mut author = Generator { rng: &mut rng, bound: Vec::new(), me: false };
                let (number, test) = (author.number(2), author.test(2));
                let is_close = Cell::new(false);
                let mut oracle =
                    Oracle { world: &world, bound: Vec::new(), me: None, close: &is_close };
                let (value, holds) = (oracle.number(&number), oracle.test(&test));
                let (number, test) = (number.text(), test.text());
                let (scenario, look) = (Arc::clone(world.scenario()), Look::at(&world));
                let context = ConditionContext::Global;
                let found = NumberCondition::read(&number, &*scenario, context);
                let found = found.unwrap_or_else(|error| panic!("{number}: {error}"));
                let condition = Condition::read(&test, &*scenario, context);
                let condition = condition.unwrap_or_else(|error| panic!("{test}: {error}"));
                if is_close.get() {
                    close += 1;
                    continue;
                }
                let found = found.value(&look, None);
                let same = match (found, value) {
                    (Some(a), Some(b)) => (a - b).abs() <= 1e-3 * (1.0 + a.abs()),
                    (a, b) => a.is_none() && b.is_none(),
                };
                assert!(same, "{number}: {found:?}, expected {value:?}");
                assert_eq!(condition.holds(&look, None), holds, "{test}");
                compared += 1;
                held += usize::from(holds);
                undefined += usize::from(value.is_none());
            }
        }
    }
    let summary = format!("{compared} compared, {close} close, {held} held, {undefined} undefined");
    assert!(compared > 3000 && held > compared / 10 && undefined > 50, "{summary}");
}
