//! Templates, spawn rules and conditions of removal for the random maps of the swarm.

use std::fmt::Write as _;

use super::Generator;

impl Generator<'_> {
    /// Returns a template, and rules that spawn its instances at a rate and on a signal.
    pub(super) fn population(&mut self) -> String {
        let mut text = "[[agent]]\nname = 't'\ntemplate = true\n".to_owned();
        let _ = writeln!(text, "max = {}", 1 + self.below(6));
        if self.maybe(50) {
            text += "group = 'pack'\n";
        }
        text += &self.removal(50);
        text += &self.body();
        text += &self.drive(0);
        let _ = writeln!(text, "[[spawn]]\nagent = 't'\nevery = {:?}", 0.05 + self.share() * 4.0);
        let [x0, y0] = self.tile();
        let at = self.one_of(&["'anywhere'", "{ within = [0, 0, X, Y] }"]);
        let at = at.replace('X', &x0.to_string()).replace('Y', &y0.to_string());
        let _ = writeln!(text, "at = {at}\nfirst = {:?}", self.share());
        if self.maybe(30) {
            let _ = writeln!(text, "total = {}", 1 + self.below(9));
        }
        if self.maybe(30) {
            text += "when = 'any(pack, speed > 0.5) or not exists(t.2)'\n";
        }
        if self.maybe(50) {
            let _ = writeln!(text, "lifetime = {:?}", 0.1 + self.share() * 9.0);
        }
        text += "[[on]]\nsignal = 'on'\nspawn = 't'\n";
        if self.maybe(50) {
            text += "inherit = 'velocity'\n";
        }
        text
    }

    /// With a probability of `percent` %, returns a random condition that removes the agent. Otherwise,
    /// returns an empty text.
    pub(super) fn removal(&mut self, percent: usize) -> String {
        if !self.maybe(percent) {
            return String::new();
        }
        let when = self.one_of(&[
            "time_in_mode > 5",
            "chance(0.01)",
            "in(here)",
            "event(bump) and time > 3",
            "distance(there) < 0.5",
        ]);
        format!("remove = '{when}'\n")
    }
}
