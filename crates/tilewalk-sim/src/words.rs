//! Formats values, reasons, events and pattern rows as text for the screen and the command line.

use std::sync::Arc;

use crate::condition::{Subject, Text, Value};
use crate::event::{Cycle, Event, EventKind, Obstruction, Removal};
use crate::geom::{Direction, TilePos, Vec2};
use crate::id::AgentId;
use crate::map::{Map, StepError, Touch, WallId};
use crate::pattern::steps::{StepsRow, StepsState, Unit};
use crate::pattern::thrust::Leg;
use crate::scenario::{AgentName, Scenario};
use crate::steering::{SightTarget, Target};
use crate::world::{Look, World};

pub use crate::geom::vector::point_text as point;

/// Formats a number with a noun, such as `1 agent` or `2 agents`. `one` is the singular; the plural
/// adds `s`.
pub fn count(number: u64, one: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {one}s") }
}

/// Formats a number with a noun and its irregular plural, such as `1 body` or `2 bodies`.
pub fn count_with(number: u64, one: &str, many: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {many}") }
}

/// Formats an ordinal, such as `1st`, `2nd`, `3rd` or `11th`.
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

/// Formats a direction as an arrow and a compass word, such as `→ E`.
pub fn compass(direction: Direction) -> String {
    format!("{} {}", direction.arrow(), direction.word())
}

/// Returns the arrow nearest to a vector, or a space for the zero vector.
pub fn arrow(vector: Vec2) -> &'static str {
    if vector == Vec2::ZERO { " " } else { Direction::nearest(vector, false).arrow() }
}

/// Formats an angle with one decimal, its unit and its side, such as `12.5°/s left`. Positive
/// angles are to the right. Angles between −0.05 and 0.05 have no side.
pub fn turn(degrees: f32, unit: &str) -> String {
    let text = format!("{:.1}{unit}", degrees.abs());
    match degrees {
        degrees if degrees >= 0.05 => text + " right",
        degrees if degrees <= -0.05 => text + " left",
        _ => text,
    }
}

/// Formats a tile with its kind and position, such as `wall (4, 5)`, or `map edge at (-1, 5)`
/// outside the map.
pub fn tile(map: &Map, at: TilePos) -> String {
    match map.kind(at) {
        Some(kind) => format!("{} {at}", kind.name),
        None => format!("map edge at {at}"),
    }
}

/// Formats the name of a free wall, such as `wall “north”`. A wall without a name is formatted as
/// its number in the map file, such as `free wall 3`.
pub fn wall(map: &Map, id: WallId) -> String {
    let walls = map.walls();
    let Some(entry) = walls.get(id).map(|wall| wall.entry) else { return "wall".to_owned() };
    match walls.names().get(entry as usize) {
        Some(name) if !name.is_empty() => format!("wall “{name}”"),
        Some(_) | None => format!("free wall {}", entry + 1),
    }
}

/// Formats the surface that a body touches, such as `wall (4, 5)` or `free wall 2 at (4, 5)`.
pub fn touch(map: &Map, touch: Touch) -> String {
    match touch.wall {
        Some(id) => format!("{} at {}", wall(map, id), touch.tile),
        None => tile(map, touch.tile),
    }
}

/// Formats the reason why an agent is blocked, such as `edge of the map` or `occupied by guard`.
/// `name` returns the name of an agent.
pub fn obstruction<'a>(
    reason: Obstruction,
    map: &Map,
    name: impl Fn(AgentId) -> AgentName<'a>,
) -> String {
    match reason {
        Obstruction::Ground(StepError::Edge) => "edge of the map".to_owned(),
        Obstruction::Ground(StepError::Wall(at)) => tile(map, at),
        Obstruction::Ground(StepError::Obstacle(at)) => format!("obstacle on {at}"),
        Obstruction::Ground(StepError::FreeWall(at, id)) => {
            format!("{} at {at}", wall(map, id))
        }
        Obstruction::Ground(StepError::Corner(at)) => format!("corner of {}", tile(map, at)),
        Obstruction::Agent(id) => format!("occupied by {}", name(id)),
        Obstruction::NoRoute => "no route to the destination".to_owned(),
        Obstruction::NoWay => "no open direction".to_owned(),
    }
}

/// Formats an event without its frame and agent, such as `sees thief` or `blocked: edge of the
/// map`. If the event's agent does not exist, returns only the word for the kind of event. Other
/// agents that do not exist have the name `?`.
///
/// `scenario` is the scenario of the event's frame. Unless it is also the scenario of `world`, the
/// names of other agents contain no instance numbers.
pub fn event<'a>(event: &Event, scenario: &'a Scenario, world: &'a World) -> String {
    if event.agent.index() >= scenario.starts.len() {
        return event.kind.word().to_owned();
    }
    let is_current = core::ptr::eq(Arc::as_ptr(world.scenario()), scenario);
    let agent = |id| if is_current { world.name(id) } else { scenario.name(id) };
    let kind = scenario.kind(event.agent);
    let mode = kind.modes.get(usize::from(event.mode));
    match event.kind {
        EventKind::Mode { from, to, rule } => {
            let modes = &kind.modes;
            let name = |index: u16| modes.get(usize::from(index)).map_or("?", |mode| &mode.name);
            let Some(rule) = rule else { return format!("{} → {}: trace", name(from), name(to)) };
            let rule =
                modes.get(usize::from(from)).and_then(|mode| mode.rules.get(usize::from(rule)));
            let why = rule.map_or("", |rule| rule.when.text());
            format!("{} → {}: {why}", name(from), name(to))
        }
        EventKind::Seen(target) => format!("sees {}", scenario.sight_name(target)),
        EventKind::Lost(target) => format!("no longer sees {}", scenario.sight_name(target)),
        EventKind::Overlap(other) => format!("overlap with {}", agent(other)),
        EventKind::Bump(at) => format!("bump into {}", touch(&scenario.map, at)),
        EventKind::Blocked(reason) => {
            format!("blocked: {}", obstruction(reason, &scenario.map, agent))
        }
        EventKind::Signal(source) => match mode.and_then(|mode| mode.signal(source)) {
            Some(text) => format!("signal “{text}”"),
            None => event.kind.word().to_owned(),
        },
        EventKind::Quarantined { row: Some(row), term } => {
            let rows = mode.map_or(&[][..], |mode| mode.drive.steering());
            let word = rows.get(row as usize).map_or("behaviour", |row| row.behaviour.word());
            format!("quarantined: non-finite {} from {word} (behaviour {})", term.word(), row + 1)
        }
        EventKind::Quarantined { row: None, term } => {
            format!("quarantined: non-finite {}", term.word())
        }
        EventKind::Pattern { pick } => match mode.and_then(|mode| mode.drive.pattern(pick)) {
            Some(used) => format!("pattern {}", used.name),
            None => format!("pattern {}", pick + 1),
        },
        EventKind::Deadlocked(cycle) => format!("deadlocked: {}", self::cycle(cycle, agent)),
        EventKind::Spawned { by: Some(sender) } => format!("spawned by {}", agent(sender)),
        EventKind::Removed(reason) => {
            let condition = match reason {
                Removal::Agent => kind.remove.as_ref(),
                Removal::Mode(mode) => {
                    kind.modes.get(usize::from(mode)).and_then(|mode| mode.remove.as_ref())
                }
                Removal::Lifetime => return "removed: end of its lifetime".to_owned(),
                Removal::Trace => return "removed: not in the trace".to_owned(),
            };
            format!("removed: {}", condition.map_or("", |condition| condition.text()))
        }
        EventKind::Trace(text) => scenario.traced_text(text).to_owned(),
        EventKind::Spawned { by: None }
        | EventKind::DeadEnd
        | EventKind::Arrived
        | EventKind::Joined
        | EventKind::Finished
        | EventKind::Stuck
        | EventKind::Circling
        | EventKind::Oscillating => event.kind.word().to_owned(),
    }
}

/// Formats a cycle of deadlocked agents, such as `waits for b → c → a`.
fn cycle<'a>(cycle: Cycle, name: impl Fn(AgentId) -> AgentName<'a>) -> String {
    let names: Vec<_> = cycle.named().iter().map(|&id| name(id).to_string()).collect();
    let rest = if names.len() < cycle.count as usize {
        format!(" → … ({} agents)", cycle.count)
    } else {
        String::new()
    };
    format!("waits for {}{rest}", names.join(" → "))
}

/// Formats the progress of an agent in a row of a steps pattern, such as `2 of 5 done`.
pub fn steps_done(unit: Unit, row: &StepsRow, at: StepsState) -> String {
    match unit {
        Unit::Degrees if row.forward != 0.0 => {
            format!("{:.2} of {} tiles done", at.moved, row.forward.abs())
        }
        Unit::Degrees => format!(
            "{} of {} frames done",
            at.done,
            u64::from(at.pace) * u64::from(row.wait.max(1))
        ),
        Unit::Notches | Unit::RightAngles => format!("{} of {} done", at.done, row.paces()),
    }
}

/// Formats a row of a steps pattern, such as `right 90°, forward 3`. An empty row is `stand`.
pub fn steps_row(row: &StepsRow, unit: Unit) -> String {
    let mut words = Vec::new();
    if row.turn != 0.0 {
        let side = if row.turn > 0.0 { "right" } else { "left" };
        let turn = row.turn.abs();
        let degrees = match unit {
            Unit::Notches => turn * 45.0,
            Unit::RightAngles => turn * 90.0,
            Unit::Degrees => turn,
        };
        words.push(format!("{side} {degrees}°"));
    }
    if row.forward != 0.0 {
        let way = if row.forward > 0.0 { "forward" } else { "backward" };
        words.push(format!("{way} {}", row.forward.abs()));
    }
    if row.wait > 0 {
        words.push(format!("wait {}", row.wait));
    }
    if let Some(pace) = row.pace {
        words.push(format!("pace {pace}"));
    }
    if let Some(signal) = &row.signal {
        words.push(format!("signal “{signal}”"));
    }
    if words.is_empty() { "stand".to_owned() } else { words.join(", ") }
}

const LABELS: [&str; 35] = [
    "1", "2", "3", "4", "5", "6", "7", "8", "9", "a", "b", "c", "d", "e", "f", "g", "h", "i", "j",
    "k", "l", "m", "n", "o", "p", "q", "r", "s", "t", "u", "v", "w", "x", "y", "z",
];

/// Returns the label of a steering behaviour on the map: a digit or a letter. `index` is the
/// behaviour's index in the steering list. Returns `…` for indices above 34.
pub fn behaviour_label(index: usize) -> &'static str {
    LABELS.get(index).copied().unwrap_or("…")
}

/// Formats the value of a watch expression in a world: `yes`, `no`, a number, or the name of a
/// mode. An undefined value is formatted as `none`.
pub fn value(value: &Value, world: &World) -> String {
    let look = Look::at(world);
    if let Some(holds) = value.holds(&look) {
        return if holds { "yes" } else { "no" }.to_owned();
    }
    match (value, value.measured(&look)) {
        (_, Some(number)) => decimal(number),
        (Value::Text(Text::Mode(Subject::Agent(id))), _) if world.is_present(*id) => {
            world.mode(*id).name.clone()
        }
        (Value::Text(Text::Mode(Subject::Instance(instance))), _) => {
            let mode = world.instance(*instance).map(|id| world.mode(id).name.clone());
            mode.unwrap_or_else(|| "none".to_owned())
        }
        (Value::Text(Text::Literal(name)), _) => name.name.clone(),
        _ => "none".to_owned(),
    }
}

/// Formats a number, with three decimals unless it is an integer. Zero has no sign.
fn decimal(number: f64) -> String {
    if number.fract() == 0.0 {
        // Adding 0.0 turns −0 into 0.
        format!("{}", number + 0.0)
    } else {
        let rounds_to_zero = number.abs() < 5e-4;
        format!("{:.3}", if rounds_to_zero { 0.0 } else { number })
    }
}

/// Formats a leg of a thrust pattern, such as `port until 3 tiles or 90°`.
pub fn thrust_leg(leg: &Leg) -> String {
    let side = match (leg.port, leg.starboard) {
        (false, false) => "engine only",
        (true, false) => "port",
        (false, true) => "starboard",
        (true, true) => "both sides",
    };
    let moved = leg.until_moved.map(|limit| format!("{limit} tiles"));
    let turned = leg.until_turned.map(|limit| format!("{limit}°"));
    let limits: Vec<String> = moved.into_iter().chain(turned).collect();
    let signal = leg.signal.as_ref().map_or_else(String::new, |text| format!(", signal “{text}”"));
    match limits.as_slice() {
        [] => format!("{side}, no limit{signal}"),
        limits => format!("{side} until {}{signal}", limits.join(" or ")),
    }
}

/// Formats the number of frames until the next step, such as `in 3 frames`. Returns `in the next
/// frame` for 0 and 1.
pub fn due(frames: u32) -> String {
    match frames {
        0 | 1 => "in the next frame".to_owned(),
        frames => format!("in {frames} frames"),
    }
}

/// Formats a target as a name, such as `guard` or `home`. A position is formatted as the name of
/// the place there. Without a place, it is formatted as coordinates.
pub fn target(target: Target, scenario: &Scenario) -> String {
    match target {
        Target::Point(at) => {
            let place = scenario.places.iter().find(|place| place.at == at);
            place.map_or_else(|| point(at), |place| place.name.clone())
        }
        Target::Home => "home".to_owned(),
        Target::LastSeen(target) => format!("last_seen({})", scenario.sight_name(target)),
        Target::Agent(id) => scenario.sight_name(SightTarget::Agent(id)),
        Target::Instance(instance) => scenario.instance_name(instance),
        Target::Group(group) => scenario.sight_name(SightTarget::Group(group)),
    }
}

/// Describes why a target did not exist when an agent sensed it in the step to the frame of
/// `world`, such as `target thief has left the world`.
pub(crate) fn absent_target(target: Target, world: &World) -> String {
    let scenario = world.scenario();
    let name = self::target(target, scenario);
    match target {
        Target::Instance(instance)
            if instance.number > world.appeared(instance.kind)
                || world.instance(instance).is_some() =>
        {
            format!("target {name} has not appeared yet")
        }
        Target::Agent(_) | Target::Instance(_) => format!("target {name} has left the world"),
        Target::Group(_) => format!("no other member of {name} is in the world"),
        Target::LastSeen(target) => {
            format!("{} has not been seen yet", scenario.sight_name(target))
        }
        Target::Point(_) | Target::Home => format!("target {name} does not exist"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::GroupId;
    use crate::map::Edges;
    use crate::scenario::builder::{Agent, Builder};
    use crate::time::Frame;

    #[test]
    fn the_name_of_an_absent_agent_is_a_question_mark() {
        let mut builder = Builder::new(Map::drawn(&["...."], Edges::Wall).expect("a map"));
        let cat = builder.add(Agent::new("cat", Vec2::new(0.5, 0.5)));
        let world = World::new(Arc::new(builder.build().expect("a valid scenario")));
        let gone = AgentId(7);
        let mut cycle = Cycle::new();
        cycle.add(gone);
        cycle.add(cat);
        for (kind, text) in [
            (EventKind::Seen(SightTarget::Agent(gone)), "sees ?"),
            (EventKind::Lost(SightTarget::Group(GroupId(7))), "no longer sees ?"),
            (EventKind::Overlap(gone), "overlap with ?"),
            (EventKind::Blocked(Obstruction::Agent(gone)), "blocked: occupied by ?"),
            (EventKind::Deadlocked(cycle), "deadlocked: waits for ? → cat"),
            (EventKind::Spawned { by: Some(gone) }, "spawned by ?"),
        ] {
            let told = Event { frame: Frame(3), agent: cat, number: 0, mode: 0, kind };
            assert_eq!(event(&told, world.scenario(), &world), text);
            for number in [0, 2] {
                let told = Event { agent: gone, number, ..told };
                assert_eq!(event(&told, world.scenario(), &world), kind.word());
            }
        }
    }

    #[test]
    fn formats_counts_ordinals_and_points() {
        assert_eq!((count(1, "frame"), count(0, "frame")), ("1 frame".into(), "0 frames".into()));
        let ordinals = [1, 2, 3, 4, 11, 12, 21].map(ordinal);
        assert_eq!(ordinals, ["1st", "2nd", "3rd", "4th", "11th", "12th", "21st"]);
        assert_eq!(point(Vec2::new(-4e-4, 1.0)), "(0.000, 1.000)");
    }

    #[test]
    fn the_frames_of_a_long_wait_do_not_overflow() {
        let row = StepsRow { wait: 1_000_000, ..StepsRow::default() };
        let at = StepsState { pace: 10_000, ..StepsState::default() };
        assert_eq!(steps_done(Unit::Degrees, &row, at), "0 of 10000000000 frames done");
    }

    #[test]
    fn zero_has_no_sign() {
        let texts = [-0.0, -4e-4, 4e-4, -2.0, -6e-4, 0.25].map(decimal);
        assert_eq!(texts, ["0", "0.000", "0.000", "-2", "-0.001", "0.250"]);
    }
}
