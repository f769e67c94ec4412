//! Finding an agent by name while it is typed.

use tui_input::{Input as Line, InputRequest};

use crate::id::AgentId;
use crate::scenario::Scenario;

use super::input::Key;

/// Matches that are listed at most.
const LISTED: usize = 100;

/// A name being typed, and the agents it may mean.
#[derive(Debug, Clone, Default)]
pub struct Search {
    line: Line,
    matches: Vec<AgentId>,
    marked: usize,
}

impl Search {
    /// Nothing typed yet: every agent matches.
    pub fn new(scenario: &Scenario) -> Self {
        let mut search = Self::default();
        search.filter(scenario);
        search
    }

    /// A key of the line: text, or moving in it.
    pub fn key(&mut self, key: Key, scenario: &Scenario) {
        let request = match key {
            Key::Char(c) => InputRequest::InsertChar(c),
            Key::Backspace => InputRequest::DeletePrevChar,
            Key::Delete => InputRequest::DeleteNextChar,
            Key::Left => InputRequest::GoToPrevChar,
            Key::Right => InputRequest::GoToNextChar,
            Key::Home | Key::Ctrl('a') => InputRequest::GoToStart,
            Key::End | Key::Ctrl('e') => InputRequest::GoToEnd,
            Key::Ctrl('u') => InputRequest::DeleteLine,
            Key::Ctrl('w') => InputRequest::DeletePrevWord,
            _ => return,
        };
        if self.line.handle(request).is_some_and(|change| change.value) {
            self.filter(scenario);
        }
    }

    /// A pasted text; only its first line counts.
    pub fn paste(&mut self, text: &str, scenario: &Scenario) {
        let visible = text.lines().next().unwrap_or_default().chars().filter(|c| !c.is_control());
        for c in visible.take(64) {
            self.line.handle(InputRequest::InsertChar(c));
        }
        self.filter(scenario);
    }

    /// Marks the match so many places further.
    pub fn mark(&mut self, by: isize) {
        let count = self.matches.len().max(1);
        self.marked = (self.marked + count).saturating_add_signed(by) % count;
    }

    /// The agent that is marked.
    pub fn marked(&self) -> Option<AgentId> {
        self.matches.get(self.marked).copied()
    }

    /// The agents that match, in agent order, those whose name begins with the text first.
    pub fn matches(&self) -> &[AgentId] {
        &self.matches
    }

    /// What was typed.
    pub fn text(&self) -> &str {
        self.line.value()
    }

    /// Characters left of the cursor.
    pub fn cursor(&self) -> usize {
        self.line.cursor()
    }

    /// Names that begin with the text come first, then those that contain it, then those that have
    /// its letters in order.
    fn filter(&mut self, scenario: &Scenario) {
        let wanted = self.line.value().to_lowercase();
        let mut ranks = [const { Vec::new() }; 3];
        for id in (0..scenario.starts.len() as u32).map(AgentId) {
            let name = scenario.name(id).to_string().to_lowercase();
            let Some(rank) = rank(&name, &wanted) else { continue };
            if ranks[rank].len() < LISTED {
                ranks[rank].push(id);
            }
            if ranks[0].len() == LISTED {
                break;
            }
        }
        self.marked = 0;
        self.matches = ranks.concat();
        self.matches.truncate(LISTED);
    }
}

fn rank(name: &str, wanted: &str) -> Option<usize> {
    let mut letters = name.chars();
    match () {
        () if name.starts_with(wanted) => Some(0),
        () if name.contains(wanted) => Some(1),
        () if wanted.chars().all(|letter| letters.any(|other| other == letter)) => Some(2),
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_match_from_the_beginning_inside_and_by_letters() {
        assert_eq!(rank("boid.12", "bo"), Some(0));
        assert_eq!(rank("boid.12", "id"), Some(1));
        assert_eq!(rank("boid.12", "b2"), Some(2));
        assert_eq!(rank("boid.12", "21"), None);
    }
}
