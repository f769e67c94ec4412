//! The explanation for people: short lines, at most 80 columns wide.

use crate::geom::{Notch, Vec2, heading};
use crate::steering::LIMIT;
use crate::words;

use super::wire::{Explained, Note, Pair, Pattern, Row, State, Steering, Tile, Wish};

/// Columns of a label.
const LABEL: usize = 10;

/// Columns a line may have.
const WIDTH: usize = 80;

/// All lines.
pub(super) fn lines(told: &Explained) -> Vec<String> {
    let mut page = Page(Vec::new());
    let Explained { agent, frame, time, file, seed, .. } = told;
    page.wrapped("", &format!("{agent} at frame {frame} ({time} s) of {file}, seed {seed}"));
    page.0.push(String::new());
    page.movement(told);
    if told.before.is_none() {
        page.fact("moved", "nothing yet: frame 0 is the start, no step led to it");
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
                    let same = if before == now { "the same" } else { &now };
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
        if let Some(at) = told.touches {
            self.fact("touches", &tile(at));
        }
        if let Some(obstruction) = &told.obstruction {
            self.fact("blocked", &obstruction.text);
        }
    }

    fn steering(&mut self, steering: &Steering) {
        let Steering { combine, max_force, .. } = steering;
        self.0.push(String::new());
        if steering.rows.is_empty() {
            self.fact("steering", &format!("{combine}, force up to {max_force}"));
            return;
        }
        let turns = steering.rows.iter().any(|row| row.raw.turn != 0.0);
        let limit = if turns {
            format!(", turn up to {}°/s²", steering.max_turn_accel)
        } else {
            String::new()
        };
        self.0.push(format!("steering by {combine} rows, force up to {max_force}{limit}"));
        let factor = if *combine == "dithered" { "× w/p" } else { "× weight" };
        self.0.push(format!(
            "  {:<16}{:>8}{factor:>10}{:>9}{:>9}{:>9}  {}",
            "behaviour", "raw", "= wants", "gets", "sum", "state"
        ));
        for (index, row) in steering.rows.iter().enumerate() {
            for line in ledger(index, row) {
                self.0.push(line);
            }
        }
        let force = Vec2::from_array(steering.force);
        let direction = match words::arrow(force) {
            " " => String::new(),
            arrow => format!(" {arrow} {}", point(steering.force)),
        };
        self.fact("force", &format!("{:.2} of {max_force}{direction}", force.length()));
        if turns || steering.turn != 0.0 {
            self.fact("turn", &turn(steering.turn));
        }
    }

    /// The step in one sentence.
    fn summary(&mut self, before: &State, now: &State, steering: &Steering) {
        let turned = (now.heading - before.heading + 540.0).rem_euclid(360.0) - 180.0;
        let turned = match turned {
            small if small.abs() < 0.05 => "it kept its heading".to_owned(),
            right if right > 0.0 => format!("it turned {right:.1}° to the right"),
            left => format!("it turned {:.1}° to the left", -left),
        };
        let sped = match now.speed - before.speed {
            small if small.abs() < 5e-4 => "kept its speed",
            more if more > 0.0 => "sped up",
            _ => "slowed down",
        };
        let rows = steering.rows.iter().filter(|row| row.behaviour != LIMIT);
        let largest = rows.max_by(|a, b| length(&a.accepted).total_cmp(&length(&b.accepted)));
        let by = match largest.filter(|row| length(&row.accepted) > 0.0) {
            None => "no behaviour pushed".to_owned(),
            Some(row) => format!("{} pushed hardest", row.behaviour),
        };
        self.fact("in short", &format!("{turned} and {sped}; {by}"));
    }

    fn looked_at(&mut self, steering: &Steering) {
        let mut head = false;
        for (index, row) in steering.rows.iter().enumerate() {
            let label = format!("{} {:<16}", sign(index), row.behaviour);
            let neighbours = row.looked_at.iter().filter_map(|note| match note {
                Note::Neighbour { agent } => Some(agent.as_str()),
                _ => None,
            });
            let neighbours: Vec<&str> = neighbours.collect();
            let texts = row.looked_at.iter().filter_map(note);
            let texts = texts.chain(
                (!neighbours.is_empty())
                    .then(|| format!("{} in it: {}", neighbours.len(), neighbours.join(", "))),
            );
            for (line, text) in texts.enumerate() {
                if !core::mem::replace(&mut head, true) {
                    self.0.push(String::new());
                    self.0.push("what each looked at".to_owned());
                }
                let label = if line == 0 { label.clone() } else { " ".repeat(label.len()) };
                self.wrapped(&label, &text);
            }
        }
    }

    fn pattern(&mut self, pattern: &Pattern) {
        self.0.push(String::new());
        self.fact("pattern", &format!("{} ({})", pattern.name, pattern.kind));
        if let Some(path) = &pattern.path {
            let back = if path.back { ", on the way back" } else { "" };
            self.fact(
                "at",
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
            self.fact("row", &format!("{}: {} ({} before)", row.index + 1, row.text, row.done));
        }
        self.attempt(pattern);
        self.next(pattern);
    }

    fn matrix(&mut self, pattern: &Pattern) {
        let Some(matrix) = &pattern.matrix else { return };
        let Some(choice) = &matrix.choice else { return };
        let picked = choice.picked.and_then(|index| choice.candidates.get(usize::from(index)));
        let text = match (picked, choice.dead_end) {
            (None, _) => "no way was open".to_owned(),
            (Some(way), true) => format!("{way}, the way back: a dead end"),
            (Some(way), false) => {
                let throw = choice.picked.map_or(0, |index| usize::from(index) + 1);
                let all = &choice.candidates;
                let (throw, count) = (words::ordinal(throw), all.len());
                format!("{way} of {} (the die fell on the {throw} of {count})", all.join(", "))
            }
        };
        self.fact("chose", &text);
    }

    fn attempt(&mut self, pattern: &Pattern) {
        let on_tiles = pattern.steps.as_ref().is_none_or(|steps| steps.unit != "degrees");
        let Some(attempt) = &pattern.attempt else {
            if on_tiles && !pattern.finished {
                self.fact("step", "none was due in this frame");
            }
            return;
        };
        let purpose = if attempt.purpose == "join" { ", on the way to the pattern" } else { "" };
        let text = match (&attempt.way, attempt.to) {
            (Some(way), Some(to)) => format!("{way} to {}{purpose}", tile(to)),
            _ => format!("due, it stays on its tile{purpose}"),
        };
        match &attempt.refused {
            None => self.fact("step", &text),
            Some(reason) => self.fact("step", &format!("{text}: refused, {}", reason.text)),
        }
    }

    fn next(&mut self, pattern: &Pattern) {
        if pattern.finished {
            self.fact("next", "nothing: the pattern has ended");
            return;
        }
        let due = words::due(pattern.due_in);
        if pattern.joining {
            self.fact("next", &format!("a step to the nearest tile of the pattern, {due}"));
        } else if let Some(next) = pattern.path.as_ref().and_then(|path| path.next) {
            self.fact("next", &format!("{}, {due}", tile(next)));
        } else if let Some(matrix) = &pattern.matrix {
            let open = matrix.open.join(", ");
            let open = if open.is_empty() { "only the way back" } else { &open };
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

/// The digit or letter by which a row is found again.
fn sign(index: usize) -> char {
    words::row_sign(index)
}

/// A row of the ledger: its force, and its turn if it has one.
fn ledger(index: usize, row: &Row) -> Vec<String> {
    let turns = row.raw.turn != 0.0 || row.accepted.turn != 0.0;
    let pushes = length(&row.raw) != 0.0 || length(&row.accepted) != 0.0 || !turns;
    let mut lines = Vec::new();
    let head = |first: bool| {
        let name = if first { row.behaviour } else { "" };
        let sign = if first { sign(index) } else { ' ' };
        format!("{sign} {name:<16}")
    };
    let line = |head: String, unit: &str, [raw, gets, sum]: [f32; 3]| {
        let number = |value: f32| format!("{value:.2}{unit}");
        let weight = format!("{:.3}", row.weight);
        let weight = weight.trim_end_matches('0').trim_end_matches('.');
        let (wants, state) = (number(raw * row.weight), row.state);
        format!(
            "{head}{:>8}{:>10}{wants:>9}{:>9}{:>9}  {state}",
            number(raw),
            format!("× {weight}"),
            number(gets),
            number(sum)
        )
    };
    if let (Some(die), Some(probability)) = (row.die, row.probability) {
        let dice = format!("its die fell on {die:.2}, p is {probability:.2}");
        let sum = length(&row.total);
        return vec![format!("{}{dice:>36}{sum:>9.2}  {}", head(true), row.state)];
    }
    if matches!(row.state, "no room" | "disabled") {
        // It was not asked, so nobody knows what it would have wanted.
        let (sum, state) = (length(&row.total), row.state);
        return vec![format!(
            "{}{:>8}{:>10}{:>9}{:>9}{sum:>9.2}  {state}",
            head(true),
            "–",
            "",
            "–",
            "–"
        )];
    }
    if pushes {
        let numbers = [&row.raw, &row.accepted, &row.total].map(length);
        lines.push(line(head(true), "", numbers));
    }
    if turns {
        let numbers = [row.raw.turn, row.accepted.turn, row.total.turn];
        lines.push(line(head(!pushes), "°", numbers));
    }
    lines
}

fn length(wish: &Wish) -> f32 {
    Vec2::from_array(wish.force).length()
}

fn turn(degrees: f32) -> String {
    match degrees {
        0.0 => "none".to_owned(),
        right if right > 0.0 => format!("{right:.1}°/s² to the right"),
        left => format!("{:.1}°/s² to the left", -left),
    }
}

/// What was looked at, in words; neighbours are told together.
fn note(note: &Note) -> Option<String> {
    Some(match note {
        Note::Target { at } => format!("target {}", point(*at)),
        Note::Predicted { at } => format!("expects it at {}", point(*at)),
        Note::Facing { heading } => format!("would face {heading:.1}°"),
        Note::HidingSpot { at, chosen: true } => format!("hides at {}", point(*at)),
        Note::HidingSpot { at, chosen: false } => format!("could hide at {}", point(*at)),
        Note::Segment { from, to } => format!("path {} to {}", point(*from), point(*to)),
        Note::Waypoint { at } => format!("waypoint {}", point(*at)),
        Note::Neighbourhood { radius, angle: None } => format!("all within {radius} tiles"),
        Note::Neighbourhood { radius, angle: Some(angle) } => {
            format!("within {radius} tiles and {angle:.0}° ahead")
        }
        Note::Neighbour { .. } => return None,
        Note::Feeler { from: _, to, hit: None } => format!("feeler to {}: free", point(*to)),
        Note::Feeler { from: _, to, hit: Some(hit) } => {
            format!("feeler to {}: hits at {}", point(*to), point(*hit))
        }
        Note::DetectionBox { from: _, to, half_width, hit } => {
            let size = format!("box to {}, {:.2} wide", point(*to), half_width * 2.0);
            match hit {
                None => format!("{size}: free"),
                Some(hit) => {
                    format!(
                        "{size}: avoids the obstacle at {}, radius {}",
                        point(hit.at),
                        hit.radius
                    )
                }
            }
        }
        Note::WanderCircle { centre, radius, point: pull } => {
            format!("circle of {radius} about {}, pulled to {}", point(*centre), point(*pull))
        }
    })
}

fn point([x, y]: Pair) -> String {
    words::point(Vec2::new(x, y))
}

fn tile([x, y]: Tile) -> String {
    format!("({x}, {y})")
}
