//! Conditions, the expression language of transitions, breakpoints and `run --until`.
//!
//! ```text
//! sees(thief) and not blocked
//! distance(guard, thief) < 2 or guard.time_in_mode > 3
//! any(boids, speed < 0.1)
//! ```
//!
//! A condition is parsed once: [`lexer`] produces tokens, [`syntax`] builds a tree, and `check`
//! resolves names and types. Some functions are allowed only in transitions, others only elsewhere.
//! Errors contain the byte range of the invalid text. `eval` evaluates the tree on a frame without
//! allocating. The evaluation reads the frame through the trait [`Facts`], which `world::Look`
//! implements, so conditions do not depend on the world.
//!
//! [`certain`] finds conditions whose result is known without a frame. Only warnings use this
//! analysis.

mod agent;
pub mod certain;
mod check;
mod cost;
mod eval;
pub mod lexer;
mod number;
pub mod syntax;
mod tree;
mod walk;
pub mod words;

use core::fmt;
use core::ops::Range;

use crate::hidden::escaped;
use crate::id::AgentId;

use eval::Evaluation;
use syntax::Node;

pub use certain::Known;
pub use check::{ConditionContext, Named, Scope};
pub use eval::{Facts, Several};
pub use number::NumberCondition;
pub use tree::{Agents, Aim, Compared, Members, ModeName, Number, Subject, Test, Text, Value};

/// A condition: its source text and its checked tree.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    /// The source text, safe to print.
    text: String,
    test: Test,
    /// The source texts of each operand of a top-level `and` or `or`; otherwise of the whole text.
    parts: Vec<PartText>,
    /// The byte range of each operand of a top-level `and` or `or`; otherwise the byte range of the
    /// whole condition.
    spans: Vec<Range<usize>>,
    /// The byte range of the whole condition.
    whole: Range<usize>,
    cost: u64,
}

/// The source texts of an operand, safe to print.
#[derive(Debug, Clone, PartialEq)]
struct PartText {
    text: String,
    /// The two sides of a comparison.
    sides: Option<[String; 2]>,
}

/// Largest [`Condition::cost`] of a condition outside transitions.
pub const MAX_COST: u64 = 10_000_000;

/// [`Condition::cost`] above which a condition noticeably slows a run down.
pub const HIGH_COST: u64 = 100_000;

/// Advice for conditions that take too long.
pub const COST_HELP: &str = "functions of groups inside each other multiply: use fewer of them";

/// An operand of a condition, which can be evaluated separately.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Part<'a> {
    /// The source text of the operand, safe to print.
    pub text: &'a str,
    /// The source texts of both sides of a comparison, safe to print.
    pub sides: Option<&'a [String; 2]>,
    /// The checked tree of the operand.
    pub test: &'a Test,
}

impl Part<'_> {
    /// Returns true if the operand holds. `me` is the agent of fields without a name.
    pub fn holds(&self, facts: &impl Facts, me: Option<AgentId>) -> bool {
        Evaluation::new(facts, me).test(self.test)
    }

    /// Returns the value that the operand compares: the side of a comparison of numbers that is not
    /// a constant. Returns `None` if the value is missing, and for other operands. `me` is the agent
    /// of fields without a name.
    pub fn measured(&self, facts: &impl Facts, me: Option<AgentId>) -> Option<f64> {
        let mut test = self.test;
        while let Test::Not(part) = test {
            test = part;
        }
        let (Test::Compare(_, Number::Literal(_), side) | Test::Compare(_, side, _)) = test else {
            return None;
        };
        Evaluation::new(facts, me).number(side)
    }

    /// Returns the values of both sides of a comparison of numbers; `None` for other operands. A
    /// side is `None` if its value is missing.
    pub fn sides(&self, facts: &impl Facts, me: Option<AgentId>) -> Option<[Option<f64>; 2]> {
        let Test::Compare(_, left, right) = self.test else { return None };
        let evaluation = Evaluation::new(facts, me);
        Some([evaluation.number(left), evaluation.number(right)])
    }

    /// Returns the members that decide an operand `any(…)` or `all(…)`, in agent order: the members
    /// for which the condition of `any` holds, or that of `all` does not hold. `None` for other
    /// operands.
    pub fn deciding(&self, facts: &impl Facts, me: Option<AgentId>) -> Option<Vec<AgentId>> {
        let (Test::Any(members, part) | Test::All(members, part)) = self.test else { return None };
        let decides = matches!(self.test, Test::Any(..));
        Some(Evaluation::new(facts, me).select(*members, part, decides))
    }
}

impl Condition {
    /// Parses and checks a condition.
    ///
    /// # Errors
    /// Returns the first error in the text.
    pub fn read(
        text: &str,
        scope: &impl Scope,
        asker: ConditionContext,
    ) -> Result<Self, ConditionError> {
        let tree = syntax::parse(text)?;
        let test = check::check(&tree, scope, asker)?;
        let parts = if let syntax::Shape::Or(parts) | syntax::Shape::And(parts) = &tree.kind {
            &parts[..]
        } else {
            core::slice::from_ref(&tree)
        };
        Self::priced(text, test, parts, scope, asker)
    }

    /// Parses and checks a watched value. The result is a condition that holds when the value
    /// differs from the previous frame.
    ///
    /// # Errors
    /// Returns the first error in the text.
    pub(crate) fn read_change(text: &str, scope: &impl Scope) -> Result<Self, ConditionError> {
        let tree = syntax::parse(text)?;
        let test = check::check_change(&tree, scope)?;
        Self::priced(text, test, &[tree], scope, ConditionContext::Global)
    }

    /// Creates a condition, and limits its cost outside transitions.
    fn priced(
        text: &str,
        test: Test,
        parts: &[Node],
        scope: &impl Scope,
        asker: ConditionContext,
    ) -> Result<Self, ConditionError> {
        let cost = cost::of_test(&test, &|group| scope.size(group));
        limit(cost, text, asker)?;
        let source = |node: &Node| escaped(text.get(node.span.clone()).unwrap_or_default());
        let sides = |node: &Node| {
            let syntax::Shape::Compare(_, left, right) = &node.kind else { return None };
            Some([source(left), source(right)])
        };
        let part = |node: &Node| PartText { text: source(node), sides: sides(node) };
        let spans = parts.iter().map(|part| part.span.clone()).collect();
        let parts = parts.iter().map(part).collect();
        Ok(Self { text: escaped(text), test, parts, spans, whole: 0..text.len(), cost })
    }

    /// Returns the largest number of comparisons that one evaluation can take. Each member of a
    /// group counts.
    pub fn cost(&self) -> u64 {
        self.cost
    }

    /// Returns the source text of the condition, safe to print.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the checked tree of the condition.
    pub fn test(&self) -> &Test {
        &self.test
    }

    /// Returns the operands of a top-level `and` or `or`, and the operator: `and`, `or`, or an
    /// empty text for a single operand.
    pub fn parts(&self) -> (&'static str, impl Iterator<Item = Part<'_>>) {
        let (operator, tests) = if let Test::Or(parts) = &self.test {
            ("or", &parts[..])
        } else if let Test::And(parts) = &self.test {
            ("and", &parts[..])
        } else {
            ("", core::slice::from_ref(&self.test))
        };
        let parts = self.parts.iter().zip(tests).map(|(source, test)| Part {
            text: &source.text,
            sides: source.sides.as_ref(),
            test,
        });
        (operator, parts)
    }

    /// If the condition can never hold, returns the part that makes the condition impossible, and
    /// the byte range of that part. The analysis is incomplete, see [`certain`].
    pub fn never(&self, me: Option<Known>) -> Option<(&Test, Range<usize>)> {
        let fails = |test: &Test| certain::certain(test, me) == Some(false);
        if !fails(&self.test) {
            return None;
        }
        let whole = Some((&self.test, self.whole.clone()));
        let Test::And(parts) = &self.test else { return whole };
        let part = parts.iter().zip(&self.spans).find(|(part, _)| fails(part));
        part.map(|(part, span)| (part, span.clone())).or(whole)
    }

    /// Returns true if the condition contains an event or a change, which hold for one frame only.
    pub fn is_momentary(&self) -> bool {
        self.test.is_momentary()
    }

    /// Returns the agent that the condition is about on a frame: the first agent of the parts that
    /// decide the result, or the first deciding member of a group.
    pub fn agent(&self, facts: &impl Facts) -> Option<AgentId> {
        Evaluation::new(facts, None).agent_of(&self.test)
    }

    /// Returns true if the condition holds. `me` is the agent of fields without a name.
    pub fn holds(&self, facts: &impl Facts, me: Option<AgentId>) -> bool {
        Evaluation::new(facts, me).test(&self.test)
    }
}

/// Refuses a cost that is too high outside transitions.
fn limit(cost: u64, text: &str, asker: ConditionContext) -> Result<(), ConditionError> {
    if cost <= MAX_COST || asker == ConditionContext::Rule {
        return Ok(());
    }
    let message =
        format!("the condition can take {cost} comparisons per frame; the maximum is {MAX_COST}");
    Err(ConditionError::new(0..text.len(), message).help(COST_HELP))
}

/// An error in the text of a condition.
#[derive(Debug, Clone, PartialEq)]
pub struct ConditionError {
    /// The byte range of the error in the text of the condition.
    pub span: Range<usize>,
    /// The error message. The message can quote the text without escaping.
    pub message: String,
    /// Text that explains how to fix the error; may be empty.
    pub help: String,
    /// An unknown word, and the words that are valid in its place; `None` for other errors.
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
