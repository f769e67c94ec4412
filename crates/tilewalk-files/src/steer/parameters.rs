//! The table of the behaviours' parameters: key, range, unit, default and description of each.
//!
//! The reader, the schema and the value list derive from it. To add a parameter: a row here, and the field of
//! the behaviour in `behaviour.rs`.

use std::ops::RangeInclusive;

use tilewalk_sim::steering::{
    Arrive, AvoidAgents, AvoidObstacles, AvoidWalls, DynamicArrive, Evade, Flee, Flow, FollowPath,
    Hide, HugWalls, MatchVelocity, Neighbourhood, Pursue, StayOnPath, Track, Turning, Wander,
};

use crate::reader::TableReader;
use Shape::{Angle, Deceleration, Flag, Group, Number, Offset, Pattern, Points, Side, Tile};

/// Lengths and distances that can't be 0.
pub const LENGTH: RangeInclusive<f64> = 0.001..=10_000.0;

/// Lengths and distances that can be 0.
const REACH: RangeInclusive<f64> = 0.0..=10_000.0;

/// Times and factors that can't be 0.
pub const POSITIVE: RangeInclusive<f64> = 0.001..=1000.0;

/// Times, factors and short distances that can be 0.
const THOUSAND: RangeInclusive<f64> = 0.0..=1000.0;

/// Changes of velocity in one frame.
const CHANGE: RangeInclusive<f64> = 0.0..=100.0;

/// What a parameter can be.
#[derive(Debug, Clone)]
pub enum Shape {
    /// A number in a range.
    Number(RangeInclusive<f64>),
    /// An angle in a range of degrees; the simulator has radians.
    Angle(RangeInclusive<f64>),
    /// `true` or `false`.
    Flag,
    /// The side of a wall.
    Side,
    /// The name of a group.
    Group,
    /// A word for how fast to brake, or a number.
    Deceleration,
    /// A position relative to the leader.
    Offset,
    /// The points of a path.
    Points,
    /// The name of a path pattern.
    Pattern,
    /// A tile of the map.
    Tile,
}

/// A parameter of one or more behaviours.
#[derive(Debug)]
pub struct Parameter {
    /// The behaviours that have it, by their words in files.
    pub behaviours: &'static [&'static str],
    /// Its key.
    pub key: &'static str,
    /// What it can be.
    pub shape: Shape,
    /// Whether a behaviour can't do without it.
    pub is_required: bool,
    /// The unit of a number; empty for a plain factor.
    pub unit: &'static str,
    /// The default of a number, as the simulator has it.
    pub default: fn() -> Option<f32>,
    /// What it means if a number without a default is missing.
    pub unset: &'static str,
    /// What it is: for numbers a noun phrase, for others a sentence.
    pub about: &'static str,
}

const fn of(
    behaviours: &'static [&'static str],
    key: &'static str,
    shape: Shape,
    about: &'static str,
) -> Parameter {
    let default: fn() -> Option<f32> = || None;
    Parameter { behaviours, key, shape, is_required: false, unit: "", default, unset: "", about }
}

const fn number(
    behaviours: &'static [&'static str],
    key: &'static str,
    range: RangeInclusive<f64>,
    unit: &'static str,
    default: fn() -> Option<f32>,
    about: &'static str,
) -> Parameter {
    let shape = Number(range);
    Parameter { behaviours, key, shape, is_required: false, unit, default, unset: "", about }
}

const fn angle(
    behaviours: &'static [&'static str],
    key: &'static str,
    range: RangeInclusive<f64>,
    default: fn() -> Option<f32>,
    about: &'static str,
) -> Parameter {
    let (shape, unit) = (Angle(range), "degrees");
    Parameter { behaviours, key, shape, is_required: false, unit, default, unset: "", about }
}

impl Parameter {
    const fn required(mut self) -> Self {
        self.is_required = true;
        self
    }

    const fn unset(mut self, unset: &'static str) -> Self {
        self.unset = unset;
        self
    }

    /// The default as files write it: angles in degrees, to a thousandth.
    pub fn written_default(&self) -> Option<f32> {
        let default = (self.default)()?;
        let degrees = || (default.to_degrees() * 1e3).round() / 1e3;
        Some(if matches!(self.shape, Angle(_)) { degrees() } else { default })
    }
}

/// The behaviours that turn an oriented body.
const TURNING: &[&str] = &["align", "face", "look_ahead"];

/// The behaviours that follow a path.
const COURSE: &[&str] = &["follow_path", "stay_on_path"];

/// The behaviours of a flock.
const FLOCK: &[&str] = &["separation", "alignment", "cohesion"];

/// Every parameter, grouped by behaviour.
#[rustfmt::skip]
pub const PARAMETERS: &[Parameter] = &[
    number(&["flee"], "panic", LENGTH, "tiles", || Flee::default().panic, "Distance at which fleeing starts").unset("no limit"),
    of(&["arrive"], "deceleration", Deceleration, "Braking time in multiples of `tweak`: `slow` (3), `normal` (2), `fast` (1) or a number. Default: `normal`."),
    number(&["arrive"], "tweak", POSITIVE, "s", || Some(Arrive::default().tweak), "Braking time per unit of `deceleration`"),
    number(&["arrive"], "tolerance", THOUSAND, "tiles", || Some(Arrive::default().tolerance), "Distance to the target at which the agent stops"),
    number(&["pursue"], "turn_time", THOUSAND, "s", || Some(Pursue::default().turn_time), "Additional prediction time for targets that are not straight ahead"),
    number(&["pursue"], "head_on", -1.0..=1.0, "", || Some(Pursue::default().head_on), "Cosine of the angle between the headings below which the target counts as head-on"),
    number(&["evade"], "threat", LENGTH, "tiles", || Evade::default().threat, "Distance at which evading starts"),
    of(&["offset_pursue"], "offset", Offset, "Position relative to the leader: [ahead, to starboard], in tiles.").required(),
    number(&["dynamic_arrive"], "target_radius", REACH, "tiles", || Some(DynamicArrive::default().target_radius), "Distance to the target at which the agent stops"),
    number(&["dynamic_arrive"], "slow_radius", LENGTH, "tiles", || Some(DynamicArrive::default().slow_radius), "Distance to the target at which the agent slows down"),
    number(&["dynamic_arrive"], "time_to_target", POSITIVE, "s", || Some(DynamicArrive::default().time_to_target), "Velocity correction time"),
    number(&["match_velocity"], "time_to_target", POSITIVE, "s", || Some(MatchVelocity::default().time_to_target), "Velocity correction time"),
    number(&["tether"], "radius", LENGTH, "tiles", || None, "Distance to the target beyond which the agent seeks the target").required(),
    angle(TURNING, "target_angle", 0.0..=180.0, || Some(Turning::default().target_angle), "Heading error at which turning stops"),
    angle(TURNING, "slow_angle", 0.001..=180.0, || Some(Turning::default().slow_angle), "Heading error at which turning slows down"),
    number(TURNING, "time_to_target", POSITIVE, "s", || Some(Turning::default().time_to_target), "Turn rate correction time"),
    number(&["track"], "rate", CHANGE, "tiles/s", || Some(Track::default().rate), "Velocity change per frame"),
    number(&["track"], "range", LENGTH, "tiles", || Some(Track::default().range), "Maximum distance at which the agent tracks the target"),
    number(&["track"], "noise", CHANGE, "tiles/s", || Some(Track::default().noise), "Maximum random velocity change per axis"),
    number(&["track"], "noise_chance", 0.0..=1.0, "", || Some(Track::default().noise_chance), "Probability per frame of a random velocity change"),
    number(&["track"], "slow", 0.0..=0.99, "", || Some(Track::default().slow), "Factor applied to a velocity above the speed limit"),
    number(&["hide"], "distance", 0.0..=100.0, "tiles", || Some(Hide::default().distance), "Distance from the obstacle edge to the hiding spot"),
    of(&["hide"], "only_if_seen", Flag, "Whether the agent hides only while it is visible to the target. Default: false."),
    number(&["flow"], "predict", THOUSAND, "s", || Some(Flow::default().predict), "Prediction time for the agent's position"),
    of(COURSE, "points", Points, "Points of the path. Required without `pattern`."),
    of(COURSE, "loop", Flag, "Whether the last point is connected to the first. Requires `points`."),
    of(COURSE, "pattern", Pattern, "Name of a path pattern. Required without `points`."),
    of(COURSE, "offset", Tile, "Map tile for the pattern's first vertex. Default: the agent's start tile."),
    number(&["follow_path"], "reach", LENGTH, "tiles", || Some(FollowPath::REACH), "Distance at which a path point counts as reached"),
    number(&["stay_on_path"], "width", REACH, "tiles", || Some(StayOnPath::WIDTH), "Maximum distance from the path"),
    number(&["stay_on_path"], "predict", THOUSAND, "s", || Some(StayOnPath::PREDICT), "Prediction time for the agent's position"),
    number(&["hug_walls"], "distance", 0.001..=20.0, "tiles", || Some(HugWalls::default().distance), "Distance from the body's centre to the wall"),
    of(&["hug_walls"], "hand", Side, "Side on which the wall is kept. Default: `left`."),
    number(&["wander"], "radius", LENGTH, "tiles", || Some(Wander::default().radius), "Radius of the wander circle"),
    number(&["wander"], "distance", REACH, "tiles", || Some(Wander::default().distance), "Distance from the agent to the centre of the wander circle"),
    number(&["wander"], "jitter", REACH, "tiles/s", || Some(Wander::default().jitter), "Maximum random speed of the wander point per axis"),
    number(&["wander"], "strength", 0.001..=10_000.0, "1/s²", || Some(Wander::default().strength), "Acceleration per tile of distance to the wander point"),
    // The box and the feeler visit each tile they cross, in each frame: their ranges bound the cost.
    number(&["avoid_obstacles"], "box", 0.001..=100.0, "tiles", || Some(AvoidObstacles::default().box_length), "Length of the detection box at rest"),
    number(&["avoid_obstacles"], "brake", THOUSAND, "", || Some(AvoidObstacles::default().brake), "Maximum braking force as a fraction of `max_force`"),
    number(&["avoid_obstacles"], "margin", THOUSAND, "tiles", || Some(AvoidObstacles::default().margin), "Distance kept from obstacles"),
    number(&["avoid_walls"], "feeler", 0.001..=1000.0, "tiles", || Some(AvoidWalls::default().feeler), "Length of the front feeler at full speed"),
    number(&["avoid_walls"], "side", 0.001..=1.0, "", || Some(AvoidWalls::default().side), "Length of the side feelers as a fraction of `feeler`"),
    angle(&["avoid_walls"], "angle", 0.0..=180.0, || Some(AvoidWalls::default().angle), "Angle between each side feeler and the heading"),
    number(&["avoid_agents"], "lead", 0.001..=60.0, "s", || Some(AvoidAgents::default().lead), "Prediction time for collisions"),
    of(&["avoid_agents"], "of", Group, "Group of agents to avoid. Default: all agents."),
    number(FLOCK, "radius", LENGTH, "tiles", || Some(Neighbourhood::RADIUS), "Radius of the neighbourhood"),
    angle(FLOCK, "angle", 0.1..=360.0, || None, "Full neighbourhood angle, centred on the heading").unset("no limit"),
    of(FLOCK, "of", Group, "Group of the neighbours. Default: the agent's own group."),
];

/// The parameters of one behaviour, by its word in files.
#[derive(Debug, Clone, Copy)]
pub struct Of(pub &'static str);

impl Of {
    fn find(self, key: &str) -> Option<&'static Parameter> {
        PARAMETERS.iter().find(|it| it.key == key && it.behaviours.contains(&self.0))
    }

    /// The number under a key, as the simulator has it; its default if it is missing or wrong.
    pub fn some(self, table: &mut TableReader, key: &str) -> Option<f32> {
        let parameter = self.find(key)?;
        let (Number(range) | Angle(range)) = &parameter.shape else { return None };
        let written = parameter.written_default();
        table.offer(parameter.key, range.clone(), written, parameter.unit);
        let value = table.float(parameter.key, range.clone());
        let is_angle = matches!(parameter.shape, Angle(_));
        value.map(|it| if is_angle { it.to_radians() } else { it }).or((parameter.default)())
    }

    /// The same for a number that always has a default.
    pub fn float(self, table: &mut TableReader, key: &str) -> f32 {
        self.some(table, key).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steer::FORMS;

    #[test]
    fn every_parameter_belongs_to_a_behaviour_and_has_a_default_or_says_what_its_absence_means() {
        for parameter in PARAMETERS {
            for word in parameter.behaviours {
                assert!(FORMS.iter().any(|(known, _)| known == word), "{word}");
                let same = PARAMETERS.iter().filter(|it| it.key == parameter.key);
                let same = same.filter(|it| it.behaviours.contains(word));
                assert_eq!(same.count(), 1, "{word}.{} is listed twice", parameter.key);
            }
            if let Number(range) | Angle(range) = &parameter.shape {
                let default = parameter.written_default();
                let stated =
                    default.is_some() || parameter.is_required || !parameter.unset.is_empty();
                assert!(stated, "{}", parameter.key);
                let in_range = default.is_none_or(|it| range.contains(&f64::from(it)));
                assert!(in_range, "the default of {}", parameter.key);
            }
        }
    }
}
