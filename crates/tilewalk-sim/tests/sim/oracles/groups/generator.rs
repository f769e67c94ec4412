//! Random expressions about groups.

use super::TestRng;

/// A numeric expression.
pub enum Number {
    Literal(usize),
    Field(Option<String>, &'static str),
    Gap(String, String),
    Polarisation(String),
    Count(Option<String>, String, Box<Test>),
    Fold(&'static str, Option<String>, String, Box<Number>),
    Two(char, Box<Number>, Box<Number>),
    Negative(Box<Number>),
    Absolute(Box<Number>),
}

/// A boolean expression.
pub enum Test {
    Compare(&'static str, Number, Number),
    Touching(String, String),
    Overlapping(String),
    Exists(String),
    Is(bool, String, String),
    Quantifier(bool, Option<String>, String, Box<Test>),
    Not(Box<Test>),
    Both(&'static str, Box<Test>, Box<Test>),
}

pub struct Generator<'a> {
    pub rng: &'a mut TestRng,
    pub bound: Vec<String>,
    /// Whether fields without an agent name are allowed.
    pub me: bool,
}

impl Generator<'_> {
    fn agent(&mut self) -> String {
        let mut names = vec!["guard", "gap", "count", "boid.1", "fish.2", "shot.2", "shot.9"];
        names.extend(self.bound.iter().map(String::as_str));
        self.rng.one(&names).to_owned()
    }

    fn set(&mut self) -> String {
        let group = self.rng.one(&["boid", "fish", "all_of_them", "shot"]);
        if self.rng.below(3) == 0 { self.agent() } else { group.to_owned() }
    }

    /// Returns the arguments of a group function: an optional name for the member, the group, and the
    /// result of `inner`.
    fn member<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> (Option<String>, String, T) {
        let set = self.set();
        if self.rng.below(2) == 0 {
            let me = std::mem::replace(&mut self.me, true);
            let inner = inner(self);
            self.me = me;
            return (None, set, inner);
        }
        let name = format!("m{}", self.bound.len());
        self.bound.push(name.clone());
        let inner = inner(self);
        self.bound.pop();
        (Some(name), set, inner)
    }

    pub fn number(&mut self, depth: usize) -> Number {
        match self.rng.below(if depth == 0 { 3 } else { 9 }) {
            0 => Number::Literal(self.rng.below(12)),
            1 => {
                let own = self.me && self.rng.below(2) == 0;
                let agent = (!own).then(|| self.agent());
                Number::Field(agent, self.rng.one(&["x", "y", "vx", "vy"]))
            }
            2 => {
                // Inside a group function, the first argument is a single agent. The evaluator is too slow
                // for pairs of groups there.
                let is_member = self.me || !self.bound.is_empty();
                let first = if is_member { self.agent() } else { self.set() };
                Number::Gap(first, self.set())
            }
            3 => Number::Polarisation(self.set()),
            4 => {
                let (name, set, test) = self.member(|it| it.test(depth - 1));
                Number::Count(name, set, Box::new(test))
            }
            5 | 6 => {
                let (name, set, number) = self.member(|it| it.number(depth - 1));
                let word = self.rng.one(&["mean", "min", "max", "sum"]);
                Number::Fold(word, name, set, Box::new(number))
            }
            7 => {
                let sign = self.rng.one(&['+', '-', '*', '/']);
                let (a, b) = (self.number(depth - 1), self.number(depth - 1));
                Number::Two(sign, Box::new(a), Box::new(b))
            }
            _ => {
                let part = Box::new(self.number(depth - 1));
                if self.rng.below(2) == 0 { Number::Negative(part) } else { Number::Absolute(part) }
            }
        }
    }

    pub fn test(&mut self, depth: usize) -> Test {
        match self.rng.below(if depth == 0 { 6 } else { 10 }) {
            0 => Test::Overlapping(self.agent()),
            1 => Test::Touching(self.agent(), self.set()),
            2 => Test::Exists(self.set()),
            3 => Test::Is(self.rng.below(2) == 0, self.agent(), self.agent()),
            4..=6 => {
                let sign = self.rng.one(&["<", "<=", ">", ">=", "==", "!="]);
                let depth = depth.saturating_sub(1);
                Test::Compare(sign, self.number(depth), self.number(depth))
            }
            7 => {
                let (name, set, test) = self.member(|it| it.test(depth - 1));
                Test::Quantifier(self.rng.below(2) == 0, name, set, Box::new(test))
            }
            8 => Test::Not(Box::new(self.test(depth - 1))),
            _ => {
                let (a, b) = (self.test(depth - 1), self.test(depth - 1));
                Test::Both(self.rng.one(&["and", "or"]), Box::new(a), Box::new(b))
            }
        }
    }
}

fn members(name: Option<&String>, set: &str) -> String {
    name.map_or(set.to_owned(), |name| format!("{name} in {set}"))
}

impl Number {
    pub fn text(&self) -> String {
        match self {
            Self::Literal(number) => number.to_string(),
            Self::Field(None, field) => (*field).to_owned(),
            Self::Field(Some(agent), field) => format!("{agent}.{field}"),
            Self::Gap(a, b) => format!("gap({a}, {b})"),
            Self::Polarisation(set) => format!("polarisation({set})"),
            Self::Count(name, set, test) => {
                format!("count({}, {})", members(name.as_ref(), set), test.text())
            }
            Self::Fold(word, name, set, number) => {
                format!("{word}({}, {})", members(name.as_ref(), set), number.text())
            }
            Self::Two(sign, a, b) => format!("({} {sign} {})", a.text(), b.text()),
            Self::Negative(part) => format!("(-{})", part.text()),
            Self::Absolute(part) => format!("abs({})", part.text()),
        }
    }
}

impl Test {
    pub fn text(&self) -> String {
        match self {
            Self::Compare(sign, a, b) => format!("{} {sign} {}", a.text(), b.text()),
            Self::Touching(a, b) => format!("touching({a}, {b})"),
            Self::Overlapping(agent) => format!("{agent}.overlapping"),
            Self::Exists(set) => format!("exists({set})"),
            Self::Is(equal, a, b) => format!("{a} {} {b}", if *equal { "==" } else { "!=" }),
            Self::Quantifier(is_any, name, set, test) => {
                let word = if *is_any { "any" } else { "all" };
                format!("{word}({}, {})", members(name.as_ref(), set), test.text())
            }
            Self::Not(part) => format!("not ({})", part.text()),
            Self::Both(word, a, b) => format!("(({}) {word} ({}))", a.text(), b.text()),
        }
    }
}
