//! Numbers, places, reasons and events in words.

use crate::event::{Event, EventKind, Obstruction};
use crate::geom::{Notch, TilePos, Vec2};
use crate::map::{Map, Refusal};
use crate::scenario::Scenario;
use crate::world::World;

/// A position or vector with three decimals.
pub fn point(at: Vec2) -> String {
    // A hair below zero must not read as -0.000.
    let visible = |number: f32| if number.abs() < 5e-4 { 0.0 } else { number };
    format!("({:.3}, {:.3})", visible(at.x), visible(at.y))
}

/// So many of something, with its plural.
pub fn count(number: u64, one: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {one}s") }
}

/// `1st`, `2nd` …
pub fn ordinal(number: usize) -> String {
    let ending = match (number % 100, number % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

/// A direction as arrow and compass word.
pub fn way(notch: Notch) -> String {
    format!("{} {}", notch.arrow(), notch.word())
}

/// The arrow nearest to a vector; nothing for the zero vector.
pub fn arrow(vector: Vec2) -> &'static str {
    if vector == Vec2::ZERO { " " } else { Notch::nearest(vector, false).arrow() }
}

/// A tile by its kind and place: `wall (4, 5)`.
fn tile(map: &Map, at: TilePos) -> String {
    match map.kind(at) {
        Some(kind) => format!("{} {at}", kind.name),
        None => format!("the edge at {at}"),
    }
}

/// Why a step was refused.
pub fn obstruction(reason: Obstruction, scenario: &Scenario) -> String {
    let map = &scenario.map;
    match reason {
        Obstruction::Ground(Refusal::Edge) => "the map ends there".to_owned(),
        Obstruction::Ground(Refusal::Wall(at)) => format!("{} is in the way", tile(map, at)),
        Obstruction::Ground(Refusal::Obstacle(at)) => format!("an obstacle on {at} is in the way"),
        Obstruction::Ground(Refusal::Corner(at)) => {
            format!("the corner of {} is in the way", tile(map, at))
        }
        Obstruction::Agent(id) => format!("{} holds the tile", scenario.name(id)),
        Obstruction::NoRoute => "no route leads to the pattern".to_owned(),
        Obstruction::NoWay => "no way is open".to_owned(),
    }
}

/// What happened, without the frame and without whom it happened to.
pub fn event(event: &Event, world: &World) -> String {
    let scenario = world.scenario();
    match event.kind {
        EventKind::Bump(at) => format!("bump into {}", tile(&scenario.map, at)),
        EventKind::Overlap(other) => format!("overlap with {}", scenario.name(other)),
        EventKind::Blocked(reason) => format!("blocked: {}", obstruction(reason, scenario)),
        EventKind::Signal { row } => match signal(world, event, row) {
            Some(text) => format!("signal “{text}”"),
            None => format!("signal of row {}", row + 1),
        },
        EventKind::Quarantined { row: Some(row), term } => {
            format!("quarantined: {} of behaviour {}", term.word(), row + 1)
        }
        EventKind::Quarantined { row: None, term } => format!("quarantined: {}", term.word()),
        EventKind::DeadEnd | EventKind::Joined | EventKind::Finished => {
            event.kind.word().to_owned()
        }
    }
}

/// The text of a signal, as long as the agent is still in the mode that gave it.
fn signal<'a>(world: &'a World, event: &Event, row: u32) -> Option<&'a str> {
    use crate::pattern::Pattern;
    let (pattern, _) = world.pattern(event.agent)?;
    let Pattern::Steps(steps) = pattern else { return None };
    steps.rows.get(row as usize)?.signal.as_deref()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_places_read_well() {
        assert_eq!((count(1, "frame"), count(0, "frame")), ("1 frame".into(), "0 frames".into()));
        let ordinals = [1, 2, 3, 4, 11, 12, 21].map(ordinal);
        assert_eq!(ordinals, ["1st", "2nd", "3rd", "4th", "11th", "12th", "21st"]);
        assert_eq!(point(Vec2::new(-4e-4, 1.0)), "(0.000, 1.000)");
    }
}
