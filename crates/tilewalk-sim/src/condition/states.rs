//! The states of agents that users confuse most: what each means, and a condition that tests it for
//! all agents. The help, the inspector and docs/conditions.md show these rows.

use super::words::Fact;

/// A state of agents with a word of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StateRow {
    /// The word in conditions: a field or a function.
    pub word: &'static str,
    /// The field of agents with this word. `None` for a function.
    pub fact: Option<Fact>,
    /// The meaning, as a sentence without a subject and a full stop. The subject is the agent.
    pub meaning: &'static str,
    /// The condition that at least one agent, or pair of agents, is in this state.
    pub of_everyone: &'static str,
    /// Other words that users search for, separated by spaces.
    pub keywords: &'static str,
}

/// All rows, contacts first.
#[rustfmt::skip]
pub const STATES: [StateRow; 7] = [
    StateRow {
        word: "collided", fact: Some(Fact::Collided),
        meaning: "touches a wall, an obstacle or the map border",
        of_everyone: "any(everyone, collided)",
        keywords: "collision collide hit bump wall contact",
    },
    StateRow {
        word: "touching", fact: None,
        meaning: "has a gap of at most 0.001 tiles to another body, solid or not",
        of_everyone: "touching(everyone)",
        keywords: "touch contact collision near catch caught",
    },
    StateRow {
        word: "overlapping", fact: Some(Fact::Overlapping),
        meaning: "has a solid body that overlaps another solid body by more than 0.001 tiles",
        of_everyone: "any(everyone, overlapping)",
        keywords: "overlap intersect penetrate collision solid",
    },
    StateRow {
        word: "blocked", fact: Some(Fact::Blocked),
        meaning: "could not make its last step, or `flow` has no route",
        of_everyone: "any(everyone, blocked)",
        keywords: "block blocking obstructed refused obstruction",
    },
    StateRow {
        word: "stuck", fact: Some(Fact::Stuck),
        meaning: "wants to move, makes no headway for 3 s, and does not merely wait",
        of_everyone: "any(everyone, stuck)",
        keywords: "jammed trapped hang headway jam",
    },
    StateRow {
        word: "oscillating", fact: Some(Fact::Oscillating),
        meaning: "moves to and fro without headway, or jitters",
        of_everyone: "any(everyone, oscillating)",
        keywords: "jitter oscillate vibrate shaking flicker",
    },
    StateRow {
        word: "deadlocked", fact: Some(Fact::Deadlocked),
        meaning: "is stuck in a cycle of agents that hold each other",
        of_everyone: "any(everyone, deadlocked)",
        keywords: "deadlock gridlock cycle traffic jam",
    },
];

/// Returns the row of a field of agents. Returns `None` for other fields.
pub fn of_fact(fact: Fact) -> Option<&'static StateRow> {
    STATES.iter().find(|row| row.fact == Some(fact))
}
