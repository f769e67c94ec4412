//! Numbers in the condition language, outside of conditions: `gap(guard, thief) + 1`.

use crate::hidden::escaped;
use crate::id::AgentId;

use super::functions::Evaluation;
use super::tree::Number;
use super::{ConditionContext, ConditionError, Facts, Scope, check, limit, syntax, walk};

/// A numeric expression in the condition language, with its source text and checked tree.
#[derive(Debug, Clone, PartialEq)]
pub struct NumberCondition {
    /// The source text, safe to print.
    text: String,
    number: Number,
    cost: u64,
}

impl NumberCondition {
    /// Parses and checks a numeric expression.
    ///
    /// # Errors
    /// Returns the first error in the text, or an error if the expression is not a number. Outside
    /// transitions, a cost above [`super::MAX_COST`] is an error.
    pub fn read(
        text: &str,
        scope: &impl Scope,
        context: ConditionContext,
    ) -> Result<Self, ConditionError> {
        let tree = syntax::parse(text)?;
        let number = check::check_number(&tree, scope, context)?;
        let cost = walk::of_number(&number, &|group| scope.size(group));
        limit(cost, text, context)?;
        Ok(Self { text: escaped(text), number, cost })
    }

    /// Returns the source text of the expression, escaped for printing.
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

    /// Returns the value of the expression at a frame. Returns `None` if the value is undefined,
    /// such as a field of an absent agent or a mean without members. A field without an agent name
    /// refers to `me`.
    pub fn value(&self, facts: &impl Facts, me: Option<AgentId>) -> Option<f64> {
        Evaluation::new(facts, me).number(&self.number)
    }
}
