//! Checks spawn rules.

use crate::condition::{Condition, ConditionContext};
use crate::geom::TileRect;
use crate::scenario::Scenario;
use crate::scenario::builder::{BuildError, Builder};
use crate::scenario::spawn::{Spawn, SpawnArea, SpawnClock, SpawnHeading};

impl Builder {
    pub(super) fn mistakes_of_spawn(&self, rule: usize, spawn: &Spawn) -> Vec<BuildError> {
        let mut errors = Vec::new();
        let template = self.agents.get(spawn.kind as usize).filter(|agent| agent.max.is_some());
        let lasts = spawn.lifetime != Some(0);
        let counts =
            |clock: &SpawnClock| clock.first > 0 && clock.every > 0 && clock.total != Some(0);
        if template.is_none() || !lasts || !spawn.clock().is_none_or(counts) {
            errors.push(BuildError::Spawn(rule));
        }
        let Some(clock) = spawn.clock() else { return errors };
        match (clock.at, template) {
            (SpawnArea::Point(at), Some(agent)) if !self.can_start(agent, at) => {
                errors.push(BuildError::SpawnPoint { rule, agent: agent.name.clone(), at });
            }
            (SpawnArea::Within(rect), _) if !self.has_area(rect) => {
                errors.push(BuildError::SpawnArea(rule));
            }
            _ => {}
        }
        let is_valid = match clock.heading {
            SpawnHeading::Fixed(heading) => (heading.length() - 1.0).abs() < 1e-3,
            SpawnHeading::Random(from, turn) => {
                from.abs() <= 360.0 && (0.0..=720.0).contains(&turn)
            }
        };
        if !is_valid {
            errors.push(BuildError::SpawnHeading(rule));
        }
        errors
    }

    /// Returns true if a rectangle is on the map and not empty.
    fn has_area(&self, TileRect { min, max }: TileRect) -> bool {
        let tiles = self.map.tiles();
        min.x <= max.x && min.y <= max.y && tiles.contains(min) && tiles.contains(max)
    }
}

/// Returns the mistakes in the conditions of spawn rules. A condition that was parsed for another
/// scenario is a mistake if its names refer to different things in this scenario.
pub(in crate::scenario::builder) fn spawn_conditions(scenario: &Scenario) -> Vec<BuildError> {
    let check = |(rule, spawn): (usize, &Spawn)| {
        let when = spawn.clock()?.when.as_ref()?;
        let message = match Condition::read(when.text(), scenario, ConditionContext::Spawn) {
            Ok(read) if read.test() == when.test() => return None,
            Ok(_) => "it was read for another scenario".to_owned(),
            Err(error) => error.message,
        };
        Some(BuildError::SpawnCondition { rule, text: when.text().to_owned(), message })
    };
    scenario.spawns.iter().enumerate().filter_map(check).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::{agent, builder, errors};
    use super::*;
    use crate::geom::{TilePos, Vec2};
    use crate::scenario::spawn::SpawnCause;

    #[test]
    fn spawn_rules_are_checked() {
        let mut other = builder();
        other.add(agent("hare"));
        let other = other.build().unwrap();
        let when = Condition::read("hare.x > 1", &other, ConditionContext::Spawn).unwrap();
        let rule = |at: SpawnArea, heading: SpawnHeading, when: Option<&Condition>| Spawn {
            kind: 0,
            cause: SpawnCause::Clock(Box::new(SpawnClock {
                at,
                heading,
                first: 1,
                every: 1,
                total: None,
                when: when.cloned(),
            })),
            lifetime: None,
        };
        let east = SpawnHeading::Fixed(Vec2::X);
        let point = |x, y| SpawnArea::Point(Vec2::new(x, y));
        let within = |min: (i32, i32), max: (i32, i32)| {
            let [min, max] = [min, max].map(|(x, y)| TilePos::new(x, y));
            SpawnArea::Within(TileRect { min, max })
        };
        let mut builder = builder();
        builder.add(agent("imp").template(3));
        for spawn in [
            rule(within((0, 0), (3, 2)), SpawnHeading::Random(-360.0, 720.0), None),
            rule(within((2, 0), (0, 0)), east, None),
            rule(within((0, 0), (4, 2)), east, None),
            rule(point(1.5, 1.5), east, None),
            rule(point(f32::NAN, 1.5), east, None),
            rule(point(0.5, 0.5), SpawnHeading::Fixed(Vec2::ZERO), None),
            rule(point(0.5, 0.5), SpawnHeading::Random(0.0, f32::MAX), None),
            rule(point(0.5, 0.5), east, Some(&when)),
            Spawn { kind: 1, ..rule(point(0.5, 0.5), east, None) },
        ] {
            builder.spawn(spawn);
        }
        assert_eq!(
            errors(builder.clone()),
            [
                "the spawn rule 1: the area is empty or extends beyond the map",
                "the spawn rule 2: the area is empty or extends beyond the map",
                "the spawn rule 3: `imp` can't start at (1.5, 1.5)",
                "the spawn rule 4: `imp` can't start at (NaN, 1.5)",
                "the spawn rule 5: the heading is neither a unit vector nor a range of angles",
                "the spawn rule 6: the heading is neither a unit vector nor a range of angles",
                "the spawn rule 8 needs a template, durations of at least one frame, and a total \
                 of at least 1",
                "the spawn rule 7: condition `hare.x > 1`: unknown name `hare`",
            ]
        );
        let mut moved = self::builder();
        moved.add(agent("imp").template(3));
        moved.add(agent("hare"));
        moved.spawn(rule(point(0.5, 0.5), east, Some(&when)));
        assert_eq!(
            errors(moved),
            ["the spawn rule 0: condition `hare.x > 1`: it was read for another scenario"]
        );
    }
}
