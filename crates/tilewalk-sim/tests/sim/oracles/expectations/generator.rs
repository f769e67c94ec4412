//! Random conditions about the agents of a scenario.

use tilewalk_sim::id::AgentId;
use tilewalk_sim::scenario::Scenario;

use super::Test;
use crate::support::random::TestRng;

pub struct Generator<'a> {
    pub rng: &'a mut TestRng,
    pub scenario: &'a Scenario,
}

impl Generator<'_> {
    pub fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.rng.below(of.len())]
    }

    /// Returns the names of a random agent and of one of its modes.
    pub fn agent(&mut self) -> (String, String) {
        let id = AgentId(self.rng.below(self.scenario.starts().len()) as u32);
        let kind = self.scenario.kind(id);
        let mode = kind.modes[self.rng.below(kind.modes.len())].name.clone();
        if kind.template {
            return (format!("{}.{}", kind.name, 1 + self.rng.below(3)), mode);
        }
        (self.scenario.name(id).to_string(), mode)
    }

    pub fn test(&mut self, depth: usize) -> Test {
        match self.rng.below(if depth == 0 { 1 } else { 4 }) {
            0 => self.simple(),
            1 => Test::Not(Box::new(self.test(depth - 1))),
            _ => {
                let word = self.one(&["and", "or"]);
                Test::Both(word, Box::new(self.test(depth - 1)), Box::new(self.test(depth - 1)))
            }
        }
    }

    fn simple(&mut self) -> Test {
        let kind = &self.scenario.kinds()[self.rng.below(self.scenario.kinds().len())];
        let (group, mode) = (kind.name.clone(), kind.modes[0].name.clone());
        match self.rng.below(8) {
            0 => Test::Event(None, self.event()),
            1 => Test::Event(Some(self.agent().0), self.event()),
            2 => Test::Changed(self.agent().0, self.one(&["mode", "tile_x", "tile_y", "x"])),
            3 => Test::Any(group, Box::new(self.test_of("a", mode))),
            4 => Test::All(group, Box::new(self.test_of("a", mode))),
            5 => Test::Count(group, Box::new(self.test_of("a", mode)), self.rng.below(4)),
            _ => {
                let (agent, mode) = self.agent();
                self.test_of(&agent, mode)
            }
        }
    }

    fn event(&mut self) -> &'static str {
        self.one(&["bump", "mode", "blocked", "seen", "lost", "overlap", "arrived", "spawned"])
    }

    /// Returns a random condition about an agent. `mode` is one of its modes.
    fn test_of(&mut self, agent: &str, mode: String) -> Test {
        let agent = agent.to_owned();
        match self.rng.below(6) {
            0 => Test::Mode(agent, self.rng.below(2) == 0, mode),
            1 => {
                Test::Flag(agent, self.one(&["blocked", "collided", "stuck", "arrived", "joining"]))
            }
            2 => {
                let number = self.rng.below(360) as f64;
                Test::Compare(agent, "heading", self.one(&["<", ">="]), number)
            }
            3 => {
                let number = self.rng.below(17) as f64 / 4.0 - 2.0;
                Test::Compare(agent, self.one(&["vx", "vy"]), self.one(&["<", ">="]), number)
            }
            _ => {
                let number = self.rng.below(80) as f64 / 4.0;
                let column = self.one(&["x", "y", "tile_x", "tile_y"]);
                Test::Compare(agent, column, self.one(&["<", ">="]), number)
            }
        }
    }
}
