//! Conditions, the expression language of transitions, breakpoints and `run --until`.
//!
//! ```text
//! sees(thief) and not blocked
//! distance(guard, thief) < 2 or guard.time_in_mode > 3
//! any(boids, speed < 0.1)
//! ```
//!
//! A condition is parsed once: [`lexer`] produces tokens, [`syntax`] builds a tree, and [`check`]
//! resolves names and types. Some functions are allowed only in transitions, others only elsewhere.
//! Errors carry the byte range they refer to. [`eval`] evaluates the tree on a frame and allocates
//! nothing. It reads the frame through the trait [`Facts`], which `world::Look` implements, so
//! conditions do not depend on the world.
//!
//! [`certain`] finds conditions whose result is known without a frame. Only warnings use it.

pub mod certain;
pub mod check;
pub mod eval;
pub mod lexer;
pub mod syntax;
pub mod test;
pub mod words;

use core::fmt;
use core::ops::Range;

use crate::id::AgentId;

pub use certain::Known;
pub use check::{Asker, Named, Scope};
pub use eval::Facts;
pub use test::{Compared, ModeName, Subject, Test, Text, Value};

/// A condition: its text, and what it tests.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    text: String,
    test: Test,
    /// Where the parts stand that `and` or `or` joins at the top; one part otherwise.
    spans: Vec<Range<usize>>,
}

/// A part of a condition that can be looked at by itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Part<'a> {
    /// As it was written.
    pub text: &'a str,
    /// What it tests.
    pub test: &'a Test,
}

impl Part<'_> {
    /// Is it so?
    pub fn holds(&self, facts: &impl Facts, me: Option<AgentId>) -> bool {
        eval::test(self.test, facts, me)
    }

    /// The number it compares with another, if it does.
    pub fn measured(&self, facts: &impl Facts, me: Option<AgentId>) -> Option<f64> {
        eval::measured(self.test, facts, me)
    }
}

impl Condition {
    /// Reads a condition.
    ///
    /// # Errors
    /// What is wrong with the text, and where: of several things the first.
    pub fn read(text: &str, scope: &impl Scope, asker: Asker) -> Result<Self, ConditionError> {
        let tree = syntax::parse(text)?;
        let test = check::check(&tree, scope, asker)?;
        let spans = match &tree.kind {
            syntax::Shape::Or(parts) | syntax::Shape::And(parts) => {
                parts.iter().map(|part| part.span.clone()).collect()
            }
            _ => vec![tree.span],
        };
        Ok(Self { text: text.to_owned(), test, spans })
    }

    /// Reads a value somebody looks on at, as a condition: it is another than the frame before.
    ///
    /// # Errors
    /// What is wrong with the text, and where.
    pub fn read_change(text: &str, scope: &impl Scope) -> Result<Self, ConditionError> {
        let tree = syntax::parse(text)?;
        let test = check::check_change(&tree, scope)?;
        Ok(Self { text: text.to_owned(), test, spans: vec![tree.span] })
    }

    /// As it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What it tests.
    pub fn test(&self) -> &Test {
        &self.test
    }

    /// Its parts, and what joins them.
    pub fn parts(&self) -> (&'static str, impl Iterator<Item = Part<'_>>) {
        let (joint, tests) = match &self.test {
            Test::Or(parts) => ("or", &parts[..]),
            Test::And(parts) => ("and", &parts[..]),
            alone => ("", core::slice::from_ref(alone)),
        };
        let text = |span: &Range<usize>| self.text.get(span.clone()).unwrap_or_default();
        let part = move |(span, test)| Part { text: text(span), test };
        (joint, self.spans.iter().zip(tests).map(part))
    }

    /// Does it ask about the members of a group?
    pub fn is_about_groups(&self) -> bool {
        fn asks(test: &Test) -> bool {
            match test {
                Test::Any(..) | Test::All(..) => true,
                Test::Or(parts) | Test::And(parts) => parts.iter().any(asks),
                Test::Not(part) => asks(part),
                _ => false,
            }
        }
        asks(&self.test)
    }

    /// The part for which it can never hold, and its bytes, if that can be told beforehand.
    pub fn never(&self, me: Option<Known>) -> Option<(&Test, Range<usize>)> {
        let fails = |test: &Test| certain::certain(test, me) == Some(false);
        if !fails(&self.test) {
            return None;
        }
        let part = match &self.test {
            Test::And(parts) => parts.iter().zip(&self.spans).find(|(part, _)| fails(part)),
            _ => None,
        };
        Some(part.map_or((&self.test, 0..self.text.len()), |(part, span)| (part, span.clone())))
    }

    /// Does it ask for what is over with the frame: an event, or a change?
    pub fn is_momentary(&self) -> bool {
        self.test.is_momentary()
    }

    /// Is it so? `me` is whose bare fields are meant, if anybody's.
    pub fn holds(&self, facts: &impl Facts, me: Option<AgentId>) -> bool {
        eval::test(&self.test, facts, me)
    }
}

/// What is wrong with a condition.
#[derive(Debug, Clone, PartialEq)]
pub struct ConditionError {
    /// The bytes of the text it is about.
    pub span: Range<usize>,
    /// What is wrong, in one sentence; may quote the text as it is.
    pub message: String,
    /// What to do about it; may be empty.
    pub help: String,
    /// The word that nobody knows, if that is the trouble, and those that would be known.
    pub unknown: Option<(String, Vec<String>)>,
}

impl ConditionError {
    pub(crate) fn new(span: Range<usize>, message: impl Into<String>) -> Self {
        Self { span, message: message.into(), help: String::new(), unknown: None }
    }

    #[must_use]
    pub(crate) fn help(self, help: impl Into<String>) -> Self {
        Self { help: help.into(), ..self }
    }

    #[must_use]
    pub(crate) fn unknown<'a>(self, word: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        let known = known.into_iter().map(str::to_owned).collect();
        Self { unknown: Some((word.to_owned(), known)), ..self }
    }
}

impl fmt::Display for ConditionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ConditionError {}
