//! Path following and path containment (Reynolds 1999; Buckland ch. 3; `OpenSteer`; Yuka).

use crate::geom::Vec2;
use crate::id::SteeringPathId;

use super::seek::seek;
use crate::steering::path::PlacedPath;
use crate::steering::{Arrive, Memory, NoProbe, Note, Probe, Seen, Senses};

use super::Behaviour;
use crate::steering::spec::{
    Destination, LENGTH, Parameter, ParameterShape, REACH, Spec, THOUSAND, TargetKeys, access,
};

/// Path following: moves from point to point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FollowPath {
    /// Path whose points the agent visits in order.
    pub path: SteeringPathId,
    /// Distance in tiles within which a point counts as reached; > 0.
    pub reach: f32,
}

impl FollowPath {
    /// The default of [`FollowPath::reach`], in tiles.
    pub const REACH: f32 = 0.6;

    /// Returns `seek(c)`, where c is the current point. Once |c − p| ≤ reach, the next point
    /// becomes the current point. After the last point of a closed path, the first point becomes
    /// the current point. At the last point of an open path, the result is `arrive(c)` with
    /// deceleration "normal".
    ///
    /// Initially, the current point is the first point of the path. The current point advances at
    /// most once per frame.
    pub(crate) fn propose(
        self,
        senses: &Senses,
        path: PlacedPath,
        memory: &mut Memory,
        probe: &mut impl Probe,
    ) -> Vec2 {
        let position = senses.motion.position;
        let offset_to = |index| senses.map.offset(position, path.point(index));
        let mut current = memory.waypoint as usize;
        let mut next = path.after(current);
        if let Some(index) = next.filter(|_| offset_to(current).length() <= self.reach) {
            current = index;
            next = path.after(current);
            memory.waypoint = current as u32;
        }
        note_segments(senses, path, probe);
        let goal = Seen::fixed(offset_to(current));
        probe.note(|| Note::Waypoint(position + goal.offset));
        match next {
            Some(_) => seek(senses, goal, &mut NoProbe),
            None => Arrive::default().propose(senses, goal, &mut NoProbe),
        }
    }
}

/// Path containment: steers back to a path before the agent leaves the path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StayOnPath {
    /// Path near which the agent stays.
    pub path: SteeringPathId,
    /// Largest distance from the path, in tiles; ≥ 0.
    pub width: f32,
    /// Prediction time for the agent's position, in seconds; ≥ 0.
    pub predict: f32,
}

impl StayOnPath {
    /// The default of [`StayOnPath::width`], in tiles.
    pub const WIDTH: f32 = 0.5;

    /// The default of [`StayOnPath::predict`], in seconds.
    pub const PREDICT: f32 = 0.5;

    /// Returns `seek(n)` if |n − q| > width, else zero, where q = p + v·predict and n is the point
    /// of the path nearest to q.
    ///
    /// As in `OpenSteer`'s containment, this behaviour does not move the agent along the path.
    pub(crate) fn propose(
        &self,
        senses: &Senses,
        path: PlacedPath,
        probe: &mut impl Probe,
    ) -> Vec2 {
        let ahead = senses.motion.velocity * self.predict;
        let predicted = senses.motion.position + ahead;
        note_segments(senses, path, probe);
        probe.note(|| Note::Predicted(predicted));
        let back = path.nearest(senses.map, predicted);
        if back.length() <= self.width {
            return Vec2::ZERO;
        }
        let nearest = Seen::fixed(ahead + back);
        seek(senses, nearest, probe)
    }
}

fn note_segments(senses: &Senses, path: PlacedPath, probe: &mut impl Probe) {
    if probe.listens() {
        for (from, along) in path.segments(senses.map) {
            probe.note(|| Note::Segment { from, to: from + along });
        }
    }
}

#[rustfmt::skip]
pub(super) const FOLLOW_PATH: Spec = Spec {
    parameters: &[
        Parameter::new("points", ParameterShape::Path, access!(Path, Behaviour::FollowPath(it) => it.path), "Points of the path"),
        Parameter::number("reach", LENGTH, "tiles", access!(Number, Behaviour::FollowPath(it) => it.reach), "Distance at which a path point counts as reached"),
    ],
    ..Spec::new("follow_path", TargetKeys::Nothing, "moves along a path from point to point. A list can contain only one `follow_path`", || Behaviour::FollowPath(FollowPath { path: SteeringPathId(0), reach: FollowPath::REACH })).to(Destination::Waypoint)
};

#[rustfmt::skip]
pub(super) const STAY_ON_PATH: Spec = Spec {
    parameters: &[
        Parameter::new("points", ParameterShape::Path, access!(Path, Behaviour::StayOnPath(it) => it.path), "Points of the path"),
        Parameter::number("width", REACH, "tiles", access!(Number, Behaviour::StayOnPath(it) => it.width), "Maximum distance from the path"),
        Parameter::number("predict", THOUSAND, "s", access!(Number, Behaviour::StayOnPath(it) => it.predict), "Prediction time for the agent's position"),
    ],
    ..Spec::new("stay_on_path", TargetKeys::Nothing, "moves back to the nearest point of a path when the agent is about to leave the path", || Behaviour::StayOnPath(StayOnPath { path: SteeringPathId(0), width: StayOnPath::WIDTH, predict: StayOnPath::PREDICT }))
};
