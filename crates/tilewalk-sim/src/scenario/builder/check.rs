//! Checks the contents of a builder, except for conditions and transitions.

use crate::agent::{Drive, Mode};
use crate::body::NUMBERS;
use crate::condition::words::is_reserved;
use crate::geom::TilePos;
use crate::id::GroupId;
use crate::map::{Edges, TILE_RADIUS};
use crate::steering::{Row, SightTarget, Target, Value};

use super::{Agent, BuildError, Builder, is_name};

impl Builder {
    /// Returns all mistakes in the scenario, except those in transitions and removal conditions.
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
        for agent in &self.agents {
            errors.extend(self.mistakes_of(agent));
        }
        for (index, spawn) in self.spawns.iter().enumerate() {
            let template = self.agents.get(spawn.kind as usize).filter(|agent| agent.max.is_some());
            let lasts = spawn.lifetime != Some(0);
            let in_time = spawn.clock().is_none_or(|clock| clock.first > 0 && clock.every > 0);
            if template.is_none() || !lasts || !in_time {
                errors.push(BuildError::Spawn(index));
            }
        }
        errors
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
        let on_tiles = agent.modes.first().is_some_and(|mode| mode.drive.is_on_tiles());
        let tile = TilePos::containing(agent.at);
        let fits = agent.at.is_finite()
            && self.map.tiles().contains(tile)
            && if on_tiles {
                self.map.refusal(tile).is_none()
            } else {
                self.map.fits(agent.at, agent.body.radius)
            };
        if agent.max == Some(0) {
            errors.push(BuildError::Template(name()));
        }
        if !fits && agent.max.is_none() {
            errors.push(BuildError::Start { agent: name(), at: agent.at });
        }
        for mode in &agent.modes {
            if mode.pace == 0 {
                errors.push(BuildError::Pace(name()));
            }
            if matches!(&mode.drive, Drive::Patterns { list, .. } if list.is_empty()) {
                errors.push(BuildError::NoPatterns(name()));
            }
            if mode.drive.target().is_some_and(|target| !self.has_target(target)) {
                errors.push(BuildError::Target { agent: name(), word: mode.drive.word() });
            }
            for row in mode.drive.steering() {
                errors.extend(self.mistake_of_row(row, &agent.name));
            }
        }
        errors
    }

    fn has_target(&self, target: Target) -> bool {
        match target {
            Target::Point(point) => point.is_finite(),
            Target::Home => true,
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
        (group.0 as usize) < self.groups.len()
    }

    fn mistake_of_row(&self, row: &Row, agent: &str) -> Option<BuildError> {
        let word = row.behaviour.word();
        let agent = agent.to_owned();
        if [row.target, row.other].into_iter().flatten().any(|target| !self.has_target(target)) {
            return Some(BuildError::Target { agent, word });
        }
        let is_weight = row.weight.is_finite() && row.weight >= 0.0;
        if !(is_weight && row.probability > 0.0 && row.probability <= 1.0) {
            return Some(BuildError::Weight { agent, word });
        }
        for parameter in row.behaviour.spec().parameters {
            match (parameter.access.get)(&row.behaviour) {
                Some(Value::Group(group)) if !self.has_group(group) => {
                    return Some(BuildError::Target { agent, word });
                }
                Some(Value::Path(course)) if course.0 as usize >= self.courses.len() => {
                    return Some(BuildError::SteeringPath { agent, word });
                }
                _ => {}
            }
        }
        None
    }
}
