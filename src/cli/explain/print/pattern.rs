//! Patterns for people: what a walker did by its pattern, and what it will do.

use crate::cli::explain::wire::{Attempt, Leg, Pattern, Several, Thrust};
use crate::words;

use super::{Page, tile};

impl Page {
    pub(super) fn pattern(&mut self, pattern: &Pattern) {
        self.0.push(String::new());
        let several = pattern.several.as_ref().map(|several| {
            let Several { index, patterns, choose } = several;
            format!(", {} of {patterns}, choose {choose}", index + 1)
        });
        let several = several.unwrap_or_default();
        self.fact("pattern", &format!("{} ({}){several}", pattern.name, pattern.kind));
        if let Some(path) = &pattern.path {
            let back = if path.back { ", backward" } else { "" };
            self.fact(
                "progress",
                &format!(
                    "tile {} of {}{back}, segment {} of {}",
                    path.index + 1,
                    path.tiles,
                    path.segment + 1,
                    path.segments
                ),
            );
        }
        self.matrix(pattern);
        if let Some(row) = pattern.steps.as_ref().and_then(|steps| steps.carried_out.as_ref()) {
            self.fact("row", &format!("{}: {} (before: {})", row.index + 1, row.text, row.done));
        }
        if let Some(thrust) = &pattern.thrust {
            self.thrust(thrust);
            return;
        }
        let on_tiles = pattern.steps.as_ref().is_none_or(|steps| steps.unit != "degrees");
        self.attempt(pattern.attempt.as_ref(), on_tiles && !pattern.finished);
        self.next(pattern);
    }

    fn thrust(&mut self, thrust: &Thrust) {
        let told = |leg: &Leg| {
            let Leg { index, text, moved, turned, side_share } = leg;
            format!(
                "{} of {}: {text} (moved {moved:.2}, turned {turned:.1}°, side thrust {:.0}%)",
                index + 1,
                thrust.legs,
                side_share.abs() * 100.0
            )
        };
        if let Some(leg) = &thrust.carried_out {
            self.fact("leg", &told(leg));
        }
        match &thrust.next {
            Some(leg) => self.fact("next", &told(leg)),
            None => self.fact("next", "none: all legs are finished; the engine is off"),
        }
    }

    fn matrix(&mut self, pattern: &Pattern) {
        let Some(matrix) = &pattern.matrix else { return };
        let Some(choice) = &matrix.choice else { return };
        let picked = choice.picked.and_then(|index| choice.candidates.get(usize::from(index)));
        let text = match (picked, choice.dead_end) {
            (None, _) => "none: no open direction".to_owned(),
            (Some(way), true) => format!("{way}, turning back at a dead end"),
            (Some(way), false) => {
                let throw = choice.picked.map_or(0, |index| usize::from(index) + 1);
                let all = &choice.candidates;
                let count = all.len();
                format!("{way} (random choice {throw} of {count}: {})", all.join(", "))
            }
        };
        self.fact("chose", &text);
    }

    /// The step that was due, or that none was, where one might have been.
    pub(super) fn attempt(&mut self, attempt: Option<&Attempt>, may_be_due: bool) {
        let Some(attempt) = attempt else {
            if may_be_due {
                self.fact("step", "none due in this frame");
            }
            return;
        };
        let purpose = if attempt.purpose == "join" { ", joining the pattern" } else { "" };
        let text = match (&attempt.way, attempt.to) {
            (Some(way), Some(to)) => format!("{way} to {}{purpose}", tile(to)),
            _ => format!("due, no move{purpose}"),
        };
        match &attempt.refused {
            None => self.fact("step", &text),
            Some(reason) => self.fact("step", &format!("{text}, blocked: {}", reason.text)),
        }
    }

    fn next(&mut self, pattern: &Pattern) {
        if pattern.finished {
            self.fact("next", "none: the pattern has ended");
            return;
        }
        let due = words::due(pattern.due_in);
        if pattern.joining {
            self.fact("next", &format!("step towards the nearest pattern tile, {due}"));
        } else if let Some(next) = pattern.path.as_ref().and_then(|path| path.next) {
            self.fact("next", &format!("{}, {due}", tile(next)));
        } else if let Some(matrix) = &pattern.matrix {
            let open = matrix.open.join(", ");
            let open = if open.is_empty() { "back" } else { &open };
            self.fact("next", &format!("{open}, {due}"));
        } else if let Some(steps) = &pattern.steps
            && let Some(row) = &steps.next
        {
            let due = if steps.unit == "degrees" { String::new() } else { format!(", {due}") };
            let (index, of, text, done) = (row.index + 1, steps.rows, &row.text, &row.done);
            self.fact("next", &format!("row {index} of {of}: {text} ({done}){due}"));
        }
    }
}
