//! Checks the contents of a builder, including its spawn rules. The conditions and transitions of
//! agents are checked in `builder`.

use crate::agent::{Drive, Mode};
use crate::body::NUMBERS;
use crate::condition::functions::is_reserved;
use crate::condition::{Condition, ConditionContext};
use crate::geom::{TilePos, TileRect, Vec2};
use crate::id::GroupId;
use crate::map::{Edges, TILE_RADIUS};
use crate::pattern::Placement;
use crate::scenario::Scenario;
use crate::scenario::builder::{Agent, BuildError, Builder, is_name};
use crate::scenario::limits::{
    MAX_AGENTS, MAX_COORDINATE, MAX_MODES, MAX_PACE, MAX_PATTERNS, MAX_ROWS, MAX_SPAWNS,
};
use crate::scenario::spawn::{Spawn, SpawnArea, SpawnClock, SpawnHeading};
use crate::steering::path::MAX_POINTS;
use crate::steering::{ParameterValue, SightTarget, Target, WeightedBehaviour};

impl Builder {
    /// Returns all mistakes except for mistakes in conditions and transitions.
    pub(super) fn mistakes(&self) -> Vec<BuildError> {
        let mut errors = Vec::new();
        if !(0.001..=1.0).contains(&self.tick) {
            errors.push(BuildError::Tick(self.tick));
        }
        if self.seed >= 1 << 53 {
            errors.push(BuildError::Seed(self.seed));
        }
        let places = self.places.iter().map(|place| &place.name);
        let agents = self.agents.iter().map(|agent| &agent.name);
        let names: Vec<_> = places.chain(&self.groups).chain(agents).collect();
        for (index, name) in names.iter().enumerate() {
            if !is_name(name) || is_reserved(name) {
                errors.push(BuildError::Name((*name).clone()));
            }
            if names[..index].contains(name) {
                errors.push(BuildError::Duplicate((*name).clone()));
            }
        }
        let far = self.places.iter().filter(|place| !is_near(place.at));
        errors.extend(far.map(|place| BuildError::Position(format!("place `{}`", place.name))));
        for (index, path) in self.paths.iter().enumerate() {
            if !(2..=MAX_POINTS).contains(&path.points.len()) {
                errors.push(BuildError::Path(index));
            }
            if !path.points.iter().all(|&point| is_near(point)) {
                errors.push(BuildError::Position(format!("path {index}")));
            }
        }
        let limit = |count: usize, limit: usize, what: &str| too_many(count, limit, || what.into());
        errors.extend(limit(self.ids() as usize, MAX_AGENTS as usize, "agents"));
        for agent in &self.agents {
            errors.extend(self.mistakes_of(agent));
        }
        let clocks = self.spawns.iter().filter(|spawn| spawn.clock().is_some()).count();
        errors.extend(limit(clocks, MAX_SPAWNS, "spawn rules with a clock"));
        errors.extend(limit(self.spawns.len() - clocks, MAX_SPAWNS, "spawn rules with a signal"));
        for (index, spawn) in self.spawns.iter().enumerate() {
            errors.extend(self.mistakes_of_spawn(index, spawn));
        }
        errors
    }

    /// Returns true if a position is on the map and the agent's body fits there.
    fn can_start(&self, agent: &Agent, at: Vec2) -> bool {
        let on_tiles = agent.modes.first().is_some_and(|mode| mode.drive.is_on_tiles());
        let tile = TilePos::containing(at);
        at.is_finite()
            && self.map.tiles().contains(tile)
            && if on_tiles {
                self.map.refusal(tile).is_none()
            } else {
                self.map.fits(at, agent.body.radius)
            }
    }

    fn mistakes_of(&self, agent: &Agent) -> Vec<BuildError> {
        let mut errors = Vec::new();
        let name = || agent.name.clone();
        for number in NUMBERS.iter().filter(|number| !number.admits(&agent.body)) {
            let (least, most) = (number.range.start(), number.range.end());
            let value = (number.get)(&agent.body).unwrap_or(f32::NAN);
            let range = format!("{least} to {most}");
            errors.push(BuildError::Body { agent: name(), key: number.key, value, range });
        }
        if agent.body.radius > TILE_RADIUS {
            let side = self.map.width().min(self.map.height()) as f32;
            if self.map.edges() == Edges::Wrap && agent.body.radius >= side / 4.0 {
                errors.push(BuildError::TooLarge(name()));
            }
            if agent.modes.iter().any(Mode::may_walk) {
                errors.push(BuildError::Walker(name()));
            }
        }
        if agent.group.is_some_and(|group| group.0 as usize >= self.groups.len()) {
            errors.push(BuildError::Group(name()));
        }
        if agent.max == Some(0) {
            errors.push(BuildError::Template(name()));
        }
        if agent.max.is_none() && !self.can_start(agent, agent.at) {
            errors.push(BuildError::Start { agent: name(), at: agent.at });
        }
        if !agent.degrees.is_finite() {
            errors.push(BuildError::Heading(name()));
        }
        let parts = |part: &'static str| move || format!("{part} of `{}`", agent.name);
        errors.extend(too_many(agent.modes.len(), MAX_MODES, parts("modes")));
        for (index, mode) in agent.modes.iter().enumerate() {
            let mode_name = || mode.name.clone();
            if !is_name(&mode.name) {
                errors.push(BuildError::ModeName { agent: name(), mode: mode_name() });
            }
            if agent.modes[..index].iter().any(|other| other.name == mode.name) {
                errors.push(BuildError::DuplicateMode { agent: name(), mode: mode_name() });
            }
            if !(1..=MAX_PACE).contains(&mode.pace) {
                errors.push(BuildError::Pace(name()));
            }
            let patterns = mode.drive.patterns();
            errors.extend(too_many(patterns.count(), MAX_PATTERNS, parts("patterns")));
            let rows = mode.drive.steering();
            errors.extend(too_many(rows.len(), MAX_ROWS, parts("behaviours")));
            for used in mode.drive.patterns() {
                if let Placement::At(tile) = used.placement
                    && !is_near_tile(tile)
                {
                    let what = format!("pattern `{}` of `{}`", used.name, agent.name);
                    errors.push(BuildError::Position(what));
                }
            }
            if matches!(&mode.drive, Drive::Patterns { list, .. } if list.is_empty()) {
                errors.push(BuildError::NoPatterns(name()));
            }
            let target = mode.drive.target();
            let word = mode.drive.word();
            errors.extend(target.and_then(|it| self.mistake_of_target(it, &agent.name, word)));
            for row in rows {
                errors.extend(self.mistake_of_row(row, &agent.name));
            }
        }
        errors
    }

    fn mistake_of_target(
        &self,
        target: Target,
        agent: &str,
        word: &'static str,
    ) -> Option<BuildError> {
        if let Target::Point(at) = target
            && !is_near(at)
        {
            return Some(BuildError::Position(format!("target of `{word}` of `{agent}`")));
        }
        let unknown = || BuildError::Target { agent: agent.to_owned(), word };
        (!self.has_target(target)).then(unknown)
    }

    fn has_target(&self, target: Target) -> bool {
        match target {
            Target::Point(_) | Target::Home => true,
            Target::Agent(id) | Target::LastSeen(SightTarget::Agent(id)) => id.0 < self.ids(),
            Target::Instance(instance) => self.is_template(instance.kind),
            Target::Group(group) | Target::LastSeen(SightTarget::Group(group)) => {
                self.has_group(group)
            }
        }
    }

    fn is_template(&self, kind: u32) -> bool {
        self.agents.get(kind as usize).is_some_and(|agent| agent.max.is_some())
    }

    fn has_group(&self, group: GroupId) -> bool {
        group == GroupId::EVERYONE || (group.0 as usize) < self.groups.len()
    }

    fn mistake_of_row(&self, row: &WeightedBehaviour, agent: &str) -> Option<BuildError> {
        let word = row.behaviour.word();
        let mut targets = [row.target, row.other].into_iter().flatten();
        if let Some(error) = targets.find_map(|it| self.mistake_of_target(it, agent, word)) {
            return Some(error);
        }
        let agent = agent.to_owned();
        let is_weight = row.weight.is_finite() && row.weight >= 0.0;
        if !(is_weight && row.probability > 0.0 && row.probability <= 1.0) {
            return Some(BuildError::Weight { agent, word });
        }
        for parameter in row.behaviour.spec().parameters {
            match (parameter.access.get)(&row.behaviour) {
                Some(ParameterValue::Group(group)) if !self.has_group(group) => {
                    return Some(BuildError::Target { agent, word });
                }
                Some(ParameterValue::Path(path)) if path.0 as usize >= self.paths.len() => {
                    return Some(BuildError::SteeringPath { agent, word });
                }
                _ => {}
            }
        }
        None
    }
}

/// Returns true if a position is finite and its tile has coordinates within ±[`MAX_COORDINATE`].
fn is_near(at: Vec2) -> bool {
    at.is_finite() && is_near_tile(TilePos::containing(at))
}

/// Returns true if both coordinates are within ±[`MAX_COORDINATE`].
fn is_near_tile(tile: TilePos) -> bool {
    [tile.x, tile.y].iter().all(|coordinate| coordinate.unsigned_abs() <= MAX_COORDINATE as u32)
}

fn too_many(count: usize, limit: usize, what: impl FnOnce() -> String) -> Option<BuildError> {
    (count > limit).then(|| BuildError::TooMany { what: what(), limit })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::agent::Placed;
    use crate::map::Map;
    use crate::pattern::path::PathRules;
    use crate::pattern::{PathPattern, Pattern, Placement};
    use crate::steering::combine::Combine;
    use crate::steering::{Behaviour, SteeringPath};

    pub(super) fn builder() -> Builder {
        Builder::new(Map::drawn(&["....", ".##.", "...."], Edges::Wall).unwrap())
    }

    pub(super) fn agent(name: &str) -> Agent {
        Agent::new(name, Vec2::new(0.5, 0.5))
    }

    pub(super) fn errors(builder: Builder) -> Vec<String> {
        builder.build().unwrap_err().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn modes_have_valid_and_different_names() {
        let mut builder = builder();
        let named = |name: &str, pace| Mode::new(name.to_owned(), pace, Drive::Stand);
        builder.add(agent("a").drive(Drive::Stand).drive(Drive::Stand).mode(named("two words", 4)));
        builder.add(agent("b").mode(named("run", 10_001)));
        let many = (0..1001).fold(agent("c"), |agent, n| agent.mode(named(&format!("m{n}"), 1)));
        builder.add(many);
        assert_eq!(
            errors(builder),
            [
                "`a`: duplicate mode `stand`",
                "`a`: invalid mode name `two words`",
                "`b`: a step takes 1 to 10000 frames",
                "more than 1000 modes of `c`",
            ]
        );
    }

    #[test]
    fn the_number_of_agents_is_limited() {
        let mut builder = builder();
        builder.add(agent("a").template(u32::MAX));
        builder.add(agent("b").template(u32::MAX));
        builder.add(agent("c"));
        assert_eq!(errors(builder), ["more than 1000000 agents"]);
    }

    #[test]
    fn positions_are_near_the_map() {
        let mut builder = builder();
        builder.place("edge", Vec2::splat(-1e6)).place("moon", Vec2::new(0.0, 1e30));
        let points = [Vec2::ZERO, Vec2::new(f32::NAN, 0.0)];
        let path =
            |points: &[Vec2]| SteeringPath { points: points.into(), closed: false, at_home: false };
        builder.path(path(&points));
        builder.path(path(&points[..1]));
        let far = Target::Point(Vec2::new(-1e30, 0.0));
        let rows = vec![WeightedBehaviour::new(Behaviour::Seek, far)];
        builder.add(agent("a").drive(Drive::Steer { combine: Combine::Weighted, rows }));
        builder.add(agent("b").drive(Drive::Chase { target: far }).heading(f32::INFINITY));
        let tiles = [TilePos::new(0, 0), TilePos::new(1, 0)];
        let path = PathPattern::new(&tiles, PathRules::default()).unwrap();
        builder.add(agent("c").drive(Drive::Pattern(Placed {
            name: "zigzag".to_owned(),
            pattern: Pattern::Path(path).into(),
            placement: Placement::At(TilePos::new(i32::MAX, 0)),
        })));
        let range = "must be from -1000000 to 1000000";
        assert_eq!(
            errors(builder),
            [
                format!("the coordinates of the place `moon` {range}"),
                format!("the coordinates of the path 0 {range}"),
                "the path 1 needs 2 to 10000 points".to_owned(),
                format!("the coordinates of the target of `seek` of `a` {range}"),
                "`b`: the heading is not a finite number".to_owned(),
                format!("the coordinates of the target of `chase` of `b` {range}"),
                format!("the coordinates of the pattern `zigzag` of `c` {range}"),
            ]
        );
    }
}

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
mod spawns_tests {
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
