//! The explanation for people: short lines, at most 80 columns wide.

mod pattern;
mod steering;
mod target;

use crate::geom::{Notch, Vec2, heading};
use crate::words;

use super::wire::{Explained, Pair, Rule, State, Tile};

/// Columns of a label.
const LABEL: usize = 10;

/// Columns a line may have.
const WIDTH: usize = 80;

/// All lines.
pub(super) fn lines(told: &Explained) -> Vec<String> {
    let mut page = Page(Vec::new());
    let Explained { agent, frame, time, file, seed, .. } = told;
    page.wrapped("", &format!("{agent} at frame {frame} ({time} s) in {file}, seed {seed}"));
    page.0.push(String::new());
    page.movement(told);
    if told.before.is_none() {
        page.fact("step", "none: frame 0 is the initial state");
    }
    if let Some(steering) = &told.steering {
        page.steering(steering);
    }
    if let (Some(before), Some(steering)) = (&told.before, &told.steering) {
        page.summary(before, &told.now, steering);
        page.looked_at(steering);
    }
    if let Some(pattern) = &told.pattern {
        page.pattern(pattern);
    }
    if let Some(target) = &told.target {
        page.target(target);
    }
    for (index, event) in told.events.iter().enumerate() {
        page.fact(if index == 0 { "events" } else { "" }, &event.text);
    }
    page.0
}

/// What a line says of either frame.
type Column = fn(&State) -> String;

struct Page(Vec<String>);

impl Page {
    fn fact(&mut self, label: &str, text: &str) {
        self.wrapped(&format!("{label:<LABEL$}"), text);
    }

    /// A text with a label before it, broken between words.
    fn wrapped(&mut self, label: &str, text: &str) {
        let indent = label.chars().count();
        let mut line = label.to_owned();
        let mut used = indent;
        let mut first = true;
        for word in text.split(' ') {
            let width = unicode_width::UnicodeWidthStr::width(word);
            if !first && used + 1 + width > WIDTH {
                self.0.push(line.trim_end().to_owned());
                line = " ".repeat(indent);
                (used, first) = (indent, true);
            }
            if !first {
                line.push(' ');
                used += 1;
            }
            line.push_str(word);
            used += width;
            first = false;
        }
        self.0.push(line.trim_end().to_owned());
    }

    /// Where it was and is; both columns, if there is a frame before.
    fn movement(&mut self, told: &Explained) {
        let heading = |state: &State| {
            let way = Notch::nearest(heading::from_degrees(state.heading), false);
            format!("{:.1}° {}", state.heading, words::way(way))
        };
        let rows: [(&str, Column); 5] = [
            ("position", |state| point([state.x, state.y])),
            ("tile", |state| tile([state.tile_x, state.tile_y])),
            ("velocity", |state| point([state.vx, state.vy])),
            ("speed", |state| format!("{:.3} tiles/s", state.speed)),
            ("heading", heading),
        ];
        if told.before.is_some() {
            self.0.push(format!("{:<LABEL$}{:<22}now", "", "before"));
        }
        for (label, text) in rows {
            match &told.before {
                Some(before) => {
                    let (before, now) = (text(before), text(&told.now));
                    let same = if before == now { "unchanged" } else { &now };
                    self.0.push(format!("{label:<LABEL$}{before:<22}{same}"));
                }
                None => self.fact(label, &text(&told.now)),
            }
        }
        let frames = words::count(told.frames_in_mode.into(), "frame");
        let drive = if told.drive == told.mode { "" } else { told.drive };
        let drive = if drive.is_empty() { String::new() } else { format!(" ({drive})") };
        let time = told.time_in_mode;
        self.fact("mode", &format!("{}{drive}, for {frames} ({time} s)", told.mode));
        if !told.flags.is_empty() {
            self.fact("flags", &told.flags.join(", "));
        }
        // Transitions are tested in the mode before the step.
        let left = told.before.as_ref().filter(|before| before.mode != told.mode);
        let from = left.map_or_else(String::new, |before| format!("from {} ", before.mode));
        self.rules(&told.rules, &from);
        if let Some(at) = told.touches {
            self.fact("touches", &format!("tile {}", tile(at)));
        }
        if let Some(obstruction) = &told.obstruction {
            self.fact("blocked", &obstruction.text);
        }
    }

    /// The transitions that were tested, each with the values of its parts; `from` names their mode if the agent
    /// has left it.
    fn rules(&mut self, rules: &[Rule], from: &str) {
        for (index, rule) in rules.iter().enumerate() {
            let label = if index == 0 { "switch" } else { "" };
            let Rule { to, when, .. } = rule;
            let verdict = if rule.holds { "yes" } else { "no" };
            self.fact(label, &format!("{from}to {to} when {when}: {verdict}"));
            let values = rule.parts.iter().map(|part| match part.value {
                Some(value) => format!("{}: {value:.2}", part.text),
                None => format!("{}: {}", part.text, if part.holds { "yes" } else { "no" }),
            });
            let told = rule.parts.len() > 1 || rule.parts.iter().any(|part| part.value.is_some());
            let values = values.filter(|_| told);
            let values = values.collect::<Vec<_>>().join(", ");
            if !values.is_empty() {
                self.fact("", &format!("({values})"));
            }
        }
    }
}

fn point([x, y]: Pair) -> String {
    words::point(Vec2::new(x, y))
}

fn tile([x, y]: Tile) -> String {
    format!("({x}, {y})")
}
