//! Conditions, the expression language of transitions, breakpoints and `run --until`.
//!
//! ```text
//! sees(thief) and not blocked
//! distance(guard, thief) < 2 or guard.time_in_mode > 3
//! any(boids, speed < 0.1)
//! ```
//!
//! A condition is parsed once: [`lexer`] produces tokens, [`syntax`] builds a tree, and `check`
//! resolves names and types. The table [`functions::CALLS`] lists all functions. Some functions are
//! allowed only in transitions, others only elsewhere. Errors contain the byte range of the invalid
//! text. `eval` evaluates the tree on a frame without allocating. It reads the frame through the
//! trait [`Facts`], which `world::Look` implements. Conditions therefore do not depend on the
//! world.
//!
//! [`constant_conditions`] finds conditions whose result is known without a frame. Only warnings
//! use this analysis.

mod agents;
mod check;
pub mod constant_conditions;
mod eval;
pub mod functions;
pub mod lexer;
pub mod states;
pub mod syntax;
mod tree;
mod walk;
pub mod words;

use core::fmt;
use core::ops::Range;

use crate::condition::functions::{Evaluation, Fold, Glance};
use crate::condition::syntax::Node;
use crate::hidden::escaped;
use crate::id::AgentId;

pub use crate::condition::agents::{Agents, Aim, Members, Several, Subject};
pub use crate::condition::check::{ConditionContext, Named, Scope};
pub use crate::condition::constant_conditions::Known;
pub use crate::condition::functions::Facts;
pub use crate::condition::tree::{Compared, ModeName, Number, Test, Text, Value};

/// A condition: its source text and its checked tree.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    /// The source text, safe to print.
    text: String,
    test: Test,
    /// The source texts of each operand of a top-level `and` or `or`. One entry for other
    /// conditions.
    parts: Vec<PartText>,
    /// The byte range of each operand of a top-level `and` or `or`. One entry for other conditions.
    spans: Vec<Range<usize>>,
    whole: Range<usize>,
    cost: u64,
    /// Valid parts that are probably a mistake.
    notes: Vec<ConditionError>,
}

/// The source texts of an operand, safe to print.
#[derive(Debug, Clone, PartialEq)]
struct PartText {
    text: String,
    /// The source texts of both sides of a comparison. `None` for other operands.
    sides: Option<[String; 2]>,
}

/// Maximum [`Condition::cost`] outside transitions. Conditions that cost more are errors.
pub const MAX_COST: u64 = 10_000_000;

/// Value of [`Condition::cost`] above which a condition gets a warning, because it noticeably slows
/// down a run.
pub const HIGH_COST: u64 = 100_000;

/// Help text of errors and warnings about conditions that cost too much.
pub const COST_HELP: &str = "functions of groups inside each other multiply: use fewer of them";

/// An operand of a top-level `and` or `or`, or a whole condition without them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ConditionPart<'a> {
    /// The source text of the operand, safe to print.
    pub text: &'a str,
    /// The source texts of both sides of a comparison, safe to print. `None` for other operands.
    pub sides: Option<&'a [String; 2]>,
    /// The checked tree of the operand.
    pub test: &'a Test,
}

impl ConditionPart<'_> {
    /// Returns true if the operand holds. A field without an agent name refers to `me`.
    pub fn holds(&self, facts: &impl Facts, me: Option<AgentId>) -> bool {
        Evaluation::new(facts, me).test(self.test)
    }

    /// Returns the compared value of a comparison of numbers. This is the left side, or the right
    /// side if the left side is a constant. Ignores a leading `not`. A field without an agent name
    /// refers to `me`.
    ///
    /// Returns `None` for other operands, or if the value is undefined.
    pub fn measured(&self, facts: &impl Facts, me: Option<AgentId>) -> Option<f64> {
        let (Test::Compare(_, Number::Literal(_), side) | Test::Compare(_, side, _)) =
            self.without_not()
        else {
            return None;
        };
        Evaluation::new(facts, me).number(side)
    }

    /// Returns the values of both sides of a comparison of numbers. Returns `None` for other
    /// operands. A side is `None` if its value is undefined. A field without an agent name refers
    /// to `me`.
    pub fn sides(&self, facts: &impl Facts, me: Option<AgentId>) -> Option<[Option<f64>; 2]> {
        let Test::Compare(_, left, right) = self.test else { return None };
        let evaluation = Evaluation::new(facts, me);
        Some([evaluation.number(left), evaluation.number(right)])
    }

    /// Returns the member with the smallest or largest number in a comparison with `min` or `max` of
    /// a group. Returns `None` for other operands. A field without an agent name refers to `me`.
    pub(crate) fn extreme(&self, facts: &impl Facts, me: Option<AgentId>) -> Option<AgentId> {
        let Test::Compare(_, left, right) = self.without_not() else { return None };
        let is_extreme = |side: &&Number| matches!(side, Number::Fold(Fold::Min | Fold::Max, ..));
        let side = [left, right].into_iter().find(is_extreme)?;
        Evaluation::new(facts, me).agent_of_number(side)
    }

    /// Returns the members that decide an operand `any(…)` or `all(…)`, in agent order. They
    /// satisfy the condition of `any`, or violate the condition of `all`. Ignores a leading `not`.
    /// Returns `None` for other operands. A field without an agent name refers to `me`.
    pub fn deciding(&self, facts: &impl Facts, me: Option<AgentId>) -> Option<Vec<AgentId>> {
        let test = self.without_not();
        let (Test::Any(members, part) | Test::All(members, part)) = test else { return None };
        let decides = matches!(test, Test::Any(..));
        Some(Evaluation::new(facts, me).select(*members, part, decides))
    }

    /// Returns the test without any leading `not`.
    pub(crate) fn without_not(&self) -> &Test {
        let mut test = self.test;
        while let Test::Not(part) = test {
            test = part;
        }
        test
    }
}

/// Returns a source text in one line, escaped for printing. Without hidden characters, it has the same
/// length, so that spans of the source text are valid in it.
fn shown(text: &str) -> String {
    escaped(&text.replace(['\n', '\r', '\t'], " "))
}

impl Condition {
    /// Parses and checks a condition.
    ///
    /// # Errors
    /// Returns the first error in the text. Outside transitions, a cost above [`MAX_COST`] is an
    /// error.
    pub fn read(
        text: &str,
        scope: &impl Scope,
        context: ConditionContext,
    ) -> Result<Self, ConditionError> {
        let tree = syntax::parse(text)?;
        let checked = check::check(&tree, scope, context)?;
        let parts = if let syntax::Shape::Or(parts) | syntax::Shape::And(parts) = &tree.kind {
            &parts[..]
        } else {
            core::slice::from_ref(&tree)
        };
        Self::priced(text, checked, parts, scope, context)
    }

    /// Checks the targets of `noticed` in the condition of a transition. [`Condition::read`] cannot
    /// check them, because the targets that agents watch are not known until all transitions have
    /// been read.
    ///
    /// # Errors
    /// Returns an error if an agent does not watch the target.
    pub fn check_noticed(&self, scope: &impl Scope) -> Result<(), ConditionError> {
        if !self.test.contains_glance(Glance::Last) {
            return Ok(());
        }
        check::check_noticed(&syntax::parse(&self.text)?, scope)
    }

    /// Parses and checks the value of a watchpoint. The result is a condition that holds when the
    /// value differs from its value in the previous frame.
    ///
    /// # Errors
    /// Returns the first error in the text.
    pub(crate) fn read_change(text: &str, scope: &impl Scope) -> Result<Self, ConditionError> {
        let tree = syntax::parse(text)?;
        let checked = check::check_change(&tree, scope)?;
        Self::priced(text, checked, &[tree], scope, ConditionContext::Global)
    }

    /// Creates a condition. Returns an error if the condition is not in a transition and costs too
    /// much.
    fn priced(
        text: &str,
        (test, notes): check::Noted<Test>,
        parts: &[Node],
        scope: &impl Scope,
        context: ConditionContext,
    ) -> Result<Self, ConditionError> {
        let cost = walk::of_test(&test, &|group| scope.size(group));
        limit(cost, text, context)?;
        let source = |node: &Node| shown(text.get(node.span.clone()).unwrap_or_default());
        let sides = |node: &Node| {
            let syntax::Shape::Compare(_, left, right) = &node.kind else { return None };
            Some([source(left), source(right)])
        };
        let part = |node: &Node| PartText { text: source(node), sides: sides(node) };
        let spans = parts.iter().map(|part| part.span.clone()).collect();
        let parts = parts.iter().map(part).collect();
        Ok(Self { text: shown(text), test, parts, spans, whole: 0..text.len(), cost, notes })
    }

    /// Returns the largest number of comparisons that one evaluation can take. A function of a
    /// group multiplies the cost of its argument by the number of members.
    pub fn cost(&self) -> u64 {
        self.cost
    }

    /// Returns the valid parts that are probably a mistake, such as a point outside the map.
    pub fn notes(&self) -> &[ConditionError] {
        &self.notes
    }

    /// Returns the source text of the condition in one line, escaped for printing.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the checked tree, in which names are resolved.
    pub fn test(&self) -> &Test {
        &self.test
    }

    /// Returns the operator and the operands of a top-level `and` or `or`. For other conditions,
    /// the operator is empty and the only operand is the whole condition.
    pub fn parts(&self) -> (&'static str, impl Iterator<Item = ConditionPart<'_>>) {
        let (operator, tests) = if let Test::Or(parts) = &self.test {
            ("or", &parts[..])
        } else if let Test::And(parts) = &self.test {
            ("and", &parts[..])
        } else {
            ("", core::slice::from_ref(&self.test))
        };
        let parts = self.parts.iter().zip(tests).map(|(source, test)| ConditionPart {
            text: &source.text,
            sides: source.sides.as_ref(),
            test,
        });
        (operator, parts)
    }

    /// Returns the part that makes the condition impossible, and the byte range of that part.
    /// Returns `None` if the condition can hold, or if the analysis can't decide (see
    /// [`constant_conditions`]). `me` describes the agent to which fields without an agent name
    /// refer.
    pub fn never(&self, me: Option<Known>) -> Option<(&Test, Range<usize>)> {
        let fails = |test: &Test| constant_conditions::constant_result(test, me) == Some(false);
        if !fails(&self.test) {
            return None;
        }
        let whole = Some((&self.test, self.whole.clone()));
        let Test::And(parts) = &self.test else { return whole };
        let part = parts.iter().zip(&self.spans).find(|(part, _)| fails(part));
        part.map(|(part, span)| (part, span.clone())).or(whole)
    }

    /// Returns true if the condition contains an event or a change, which last for only one frame.
    pub fn is_momentary(&self) -> bool {
        self.test.is_momentary()
    }

    /// Returns the first agent that decides the result of the condition at a frame. For a function
    /// of a group, this is the first deciding member. Returns `None` if no agent decides the
    /// result.
    pub fn agent(&self, facts: &impl Facts) -> Option<AgentId> {
        Evaluation::new(facts, None).agent_of(&self.test)
    }

    /// Returns true if the condition holds. A field without an agent name refers to `me`.
    pub fn holds(&self, facts: &impl Facts, me: Option<AgentId>) -> bool {
        Evaluation::new(facts, me).test(&self.test)
    }
}

/// Returns an error if a condition is not in a transition and costs too much.
fn limit(cost: u64, text: &str, context: ConditionContext) -> Result<(), ConditionError> {
    if cost <= MAX_COST || context == ConditionContext::Rule {
        return Ok(());
    }
    let message =
        format!("the condition can take {cost} comparisons per frame; the maximum is {MAX_COST}");
    Err(ConditionError::new(0..text.len(), message).help(COST_HELP))
}

/// An error in the text of a condition.
#[derive(Debug, Clone, PartialEq)]
pub struct ConditionError {
    /// The byte range of the error in the source text.
    pub span: Range<usize>,
    /// The error message. It can contain unescaped source text, so escape it before printing.
    pub message: String,
    /// Advice on how to fix the error; may be empty.
    pub help: String,
    /// An unknown word, and the words that are valid at its position. `None` for other errors.
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

/// A numeric expression in the condition language, such as `gap(guard, thief) + 1`, with its source
/// text and checked tree.
#[derive(Debug, Clone, PartialEq)]
pub struct NumberCondition {
    /// The source text, safe to print.
    text: String,
    number: Number,
    cost: u64,
    /// Valid parts that are probably a mistake.
    notes: Vec<ConditionError>,
}

impl NumberCondition {
    /// Parses and checks a numeric expression.
    ///
    /// # Errors
    /// Returns the first error in the text, or an error if the expression is not a number. Outside
    /// transitions, a cost above [`MAX_COST`] is an error.
    pub fn read(
        text: &str,
        scope: &impl Scope,
        context: ConditionContext,
    ) -> Result<Self, ConditionError> {
        let tree = syntax::parse(text)?;
        let (number, notes) = check::check_number(&tree, scope, context)?;
        let cost = walk::of_number(&number, &|group| scope.size(group));
        limit(cost, text, context)?;
        Ok(Self { text: shown(text), number, cost, notes })
    }

    /// Returns the valid parts that are probably a mistake, such as a point outside the map.
    pub fn notes(&self) -> &[ConditionError] {
        &self.notes
    }

    /// Returns the source text of the expression in one line, escaped for printing.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the largest number of comparisons that one evaluation can take. A function of a
    /// group multiplies the cost of its argument by the number of members.
    pub fn cost(&self) -> u64 {
        self.cost
    }

    /// Returns true if the expression contains an event or a change, which last for only one frame.
    pub fn is_momentary(&self) -> bool {
        self.number.is_momentary()
    }

    /// Returns the first agent that the number depends on at a frame. Returns `None` if there is no
    /// such agent.
    pub fn agent(&self, facts: &impl Facts) -> Option<AgentId> {
        Evaluation::new(facts, None).agent_of_number(&self.number)
    }

    /// Calls `visit` with each agent and group that the expression is about.
    pub(crate) fn visit_agents(&self, visit: &mut dyn FnMut(Agents)) {
        self.number.visit_agents(visit);
    }

    /// Returns the value of the expression at a frame. Returns `None` if the value is undefined,
    /// such as a field of an absent agent or a mean without members. A field without an agent name
    /// refers to `me`.
    pub fn value(&self, facts: &impl Facts, me: Option<AgentId>) -> Option<f64> {
        Evaluation::new(facts, me).number(&self.number)
    }
}
