//! Random conditions about the agents of a scenario.

use tilewalk::id::AgentId;
use tilewalk::scenario::Scenario;

use super::Test;
use crate::properties::recordings::Chance;

/// Writes random conditions about the agents of a scenario.
pub struct Author<'a> {
    pub chance: &'a mut Chance,
    pub scenario: &'a Scenario,
}

impl Author<'_> {
    pub fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.chance.below(of.len())]
    }

    /// Returns the name of an agent, and the name of one of its modes.
    pub fn agent(&mut self) -> (String, String) {
        let id = AgentId(self.chance.below(self.scenario.starts().len()) as u32);
        let kind = self.scenario.kind(id);
        let mode = kind.modes[self.chance.below(kind.modes.len())].name.clone();
        if kind.template {
            return (format!("{}.{}", kind.name, 1 + self.chance.below(3)), mode);
        }
        (self.scenario.name(id).to_string(), mode)
    }

    pub fn test(&mut self, depth: usize) -> Test {
        match self.chance.below(if depth == 0 { 1 } else { 4 }) {
            0 => self.simple(),
            1 => Test::Not(Box::new(self.test(depth - 1))),
            _ => {
                let word = self.one(&["and", "or"]);
                Test::Both(word, Box::new(self.test(depth - 1)), Box::new(self.test(depth - 1)))
            }
        }
    }

    fn simple(&mut self) -> Test {
        let kind = &self.scenario.kinds()[self.chance.below(self.scenario.kinds().len())];
        let (group, mode) = (kind.name.clone(), kind.modes[0].name.clone());
        match self.chance.below(8) {
            0 => Test::Event(None, self.event()),
            1 => Test::Event(Some(self.agent().0), self.event()),
            2 => Test::Changed(self.agent().0, self.one(&["mode", "tile_x", "tile_y", "x"])),
            3 => Test::Any(group, Box::new(self.about("a", mode))),
            4 => Test::All(group, Box::new(self.about("a", mode))),
            5 => Test::Count(group, Box::new(self.about("a", mode)), self.chance.below(4)),
            _ => {
                let (agent, mode) = self.agent();
                self.about(&agent, mode)
            }
        }
    }

    fn event(&mut self) -> &'static str {
        self.one(&["bump", "mode", "blocked", "seen", "lost", "overlap", "arrived", "spawned"])
    }

    /// Writes a condition about one agent, which has this mode.
    fn about(&mut self, agent: &str, mode: String) -> Test {
        let agent = agent.to_owned();
        match self.chance.below(6) {
            0 => Test::Mode(agent, self.chance.below(2) == 0, mode),
            1 => {
                Test::Flag(agent, self.one(&["blocked", "collided", "stuck", "arrived", "joining"]))
            }
            2 => {
                let number = self.chance.below(360) as f64;
                Test::Compare(agent, "heading", self.one(&["<", ">="]), number)
            }
            3 => {
                let number = self.chance.below(17) as f64 / 4.0 - 2.0;
                Test::Compare(agent, self.one(&["vx", "vy"]), self.one(&["<", ">="]), number)
            }
            _ => {
                let number = self.chance.below(80) as f64 / 4.0;
                let column = self.one(&["x", "y", "tile_x", "tile_y"]);
                Test::Compare(agent, column, self.one(&["<", ">="]), number)
            }
        }
    }
}
