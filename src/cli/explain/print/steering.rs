//! Steering for people: the ledger, the step in one sentence, and what each behaviour looked at.

use crate::cli::explain::wire::{Note, Row, State, Steering, Wish};
use crate::geom::Vec2;
use crate::steering::LIMIT;
use crate::steering::keys::KEYS;
use crate::words;

use super::{Page, point};

impl Page {
    pub(super) fn steering(&mut self, steering: &Steering) {
        let Steering { combine, max_force, .. } = steering;
        self.0.push(String::new());
        if steering.rows.is_empty() {
            self.fact("steering", &format!("{combine}, maximum force {max_force}"));
            return;
        }
        let turns = steering.rows.iter().any(|row| row.raw.turn != 0.0);
        let limit = if turns {
            format!(", maximum turn {}°/s²", steering.max_turn_accel)
        } else {
            String::new()
        };
        let how = match *combine {
            KEYS => "no manual control: the agent brakes".to_owned(),
            combine => format!("{combine} steering"),
        };
        self.0.push(format!("{how}, maximum force {max_force}{limit}"));
        let factor = if *combine == "dithered" { "× w/p" } else { "× weight" };
        self.0.push(format!(
            "  {:<16}{:>8}{factor:>10}{:>9}{:>9}{:>9}  {}",
            "behaviour", "desired", "weighted", "applied", "sum", "state"
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
    pub(super) fn summary(&mut self, before: &State, now: &State, steering: &Steering) {
        let turned = (now.heading - before.heading + 540.0).rem_euclid(360.0) - 180.0;
        let turned = match turned {
            small if small.abs() < 0.05 => "kept its heading".to_owned(),
            right if right > 0.0 => format!("turned {right:.1}° right"),
            left => format!("turned {:.1}° left", -left),
        };
        let sped = match now.speed - before.speed {
            small if small.abs() < 5e-4 => "kept its speed",
            more if more > 0.0 => "sped up",
            _ => "slowed down",
        };
        let rows = steering.rows.iter().filter(|row| row.behaviour != LIMIT);
        let largest = rows.max_by(|a, b| length(&a.accepted).total_cmp(&length(&b.accepted)));
        let by = match largest.filter(|row| length(&row.accepted) > 0.0) {
            None => "no force applied".to_owned(),
            Some(row) => format!("largest force: {}", row.behaviour),
        };
        self.fact("summary", &format!("{turned} and {sped}; {by}"));
    }

    pub(super) fn looked_at(&mut self, steering: &Steering) {
        let mut head = false;
        for (index, row) in steering.rows.iter().enumerate() {
            let label = format!("{} {:<16}", sign(index), row.behaviour);
            let neighbours = row.looked_at.iter().filter_map(|note| match note {
                Note::Neighbour { agent } => Some(agent.as_str()),
                _ => None,
            });
            let neighbours: Vec<&str> = neighbours.collect();
            let texts = row.looked_at.iter().filter_map(note);
            let texts = texts.chain((!neighbours.is_empty()).then(|| {
                let count = words::count(neighbours.len() as u64, "neighbour");
                format!("{count}: {}", neighbours.join(", "))
            }));
            for (line, text) in texts.enumerate() {
                if !core::mem::replace(&mut head, true) {
                    self.0.push(String::new());
                    self.0.push("behaviour inputs".to_owned());
                }
                let label = if line == 0 { label.clone() } else { " ".repeat(label.len()) };
                self.wrapped(&label, &text);
            }
        }
    }
}

/// The digit or letter by which a row is found again.
fn sign(index: usize) -> &'static str {
    words::row_sign(index)
}

/// A row of the ledger: its force, and its turn if it has one.
fn ledger(index: usize, row: &Row) -> Vec<String> {
    let turns = row.raw.turn != 0.0 || row.accepted.turn != 0.0;
    let pushes = length(&row.raw) != 0.0 || length(&row.accepted) != 0.0 || !turns;
    let mut lines = Vec::new();
    let head = |first: bool| {
        let name = if first { row.behaviour } else { "" };
        let sign = if first { sign(index) } else { " " };
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
        let dice = format!("random {die:.2} ≥ probability {probability:.2}");
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
        right if right > 0.0 => format!("{right:.1}°/s² right"),
        left => format!("{:.1}°/s² left", -left),
    }
}

/// What was looked at, in words; neighbours are told together.
fn note(note: &Note) -> Option<String> {
    Some(match note {
        Note::Target { at } => format!("target {}", point(*at)),
        Note::Predicted { at } => format!("predicted position {}", point(*at)),
        Note::Facing { heading } => format!("desired heading {heading:.1}°"),
        Note::HidingSpot { at, chosen: true } => format!("chosen hiding spot {}", point(*at)),
        Note::HidingSpot { at, chosen: false } => format!("possible hiding spot {}", point(*at)),
        Note::Segment { from, to } => format!("path segment {} to {}", point(*from), point(*to)),
        Note::Waypoint { at } => format!("waypoint {}", point(*at)),
        Note::Neighbourhood { radius, angle: None } => {
            format!("neighbourhood radius {radius} tiles")
        }
        Note::Neighbourhood { radius, angle: Some(angle) } => {
            format!("neighbourhood radius {radius} tiles, angle {angle:.0}°")
        }
        Note::Neighbour { .. } => return None,
        Note::Feeler { from: _, to, hit: None } => format!("feeler to {}: no hit", point(*to)),
        Note::Feeler { from: _, to, hit: Some(hit) } => {
            format!("feeler to {}: hit at {}", point(*to), point(*hit))
        }
        Note::DetectionBox { from: _, to, half_width, hit } => {
            let size = format!("detection box to {}, {:.2} wide", point(*to), half_width * 2.0);
            match hit {
                None => format!("{size}: no obstacle"),
                Some(hit) => {
                    format!("{size}: obstacle at {}, radius {}", point(hit.at), hit.radius)
                }
            }
        }
        Note::WanderCircle { centre, radius, point: pull } => {
            format!(
                "wander circle at {}, radius {radius}, target point {}",
                point(*centre),
                point(*pull)
            )
        }
    })
}
