//! Path following and path containment (Reynolds 1999; Buckland ch. 3; `OpenSteer`; Yuka).

use crate::geom::Vec2;
use crate::id::CourseId;

use super::course::Laid;
use super::seek::seek;
use super::{Arrive, Memory, Note, Probe, Seen, Senses, Silent};

/// Path following: moves from point to point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FollowPath {
    /// The path to follow.
    pub course: CourseId,
    /// Distance in tiles within which a point counts as reached; > 0.
    pub reach: f32,
}

impl FollowPath {
    /// The default of `reach`, in tiles.
    pub const REACH: f32 = 0.6;

    /// Returns `seek(c)`, where c is the current point. Once |c − p| ≤ reach, the next point
    /// becomes the current one. A closed path continues from its last point to its first; at the
    /// last point of an open path the result is `arrive(c)`, deceleration "normal".
    ///
    /// The first current point is the first of the path. At most one point is reached per frame.
    pub(crate) fn propose(
        self,
        senses: &Senses,
        path: Laid,
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
        let goal = Seen { offset: offset_to(current), velocity: Vec2::ZERO, heading: Vec2::X };
        probe.note(|| Note::Waypoint(position + goal.offset));
        match next {
            Some(_) => seek(senses, goal, &mut Silent),
            None => Arrive::default().propose(senses, goal, &mut Silent),
        }
    }
}

/// Path containment: steers back to a path before leaving it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StayOnPath {
    /// The path to stay on.
    pub course: CourseId,
    /// Largest distance from the path, in tiles; ≥ 0.
    pub width: f32,
    /// Time by which the position is predicted, in seconds; ≥ 0.
    pub predict: f32,
}

impl StayOnPath {
    /// The default of `width`, in tiles.
    pub const WIDTH: f32 = 0.5;

    /// The default of `predict`, in seconds.
    pub const PREDICT: f32 = 0.5;

    /// Returns `seek(n)` if |n − q| > width, else zero, where q = p + v·predict and n is the point
    /// of the path nearest to q.
    ///
    /// As in `OpenSteer`'s containment, this does not move the agent along the path.
    pub(crate) fn propose(&self, senses: &Senses, path: Laid, probe: &mut impl Probe) -> Vec2 {
        let ahead = senses.motion.velocity * self.predict;
        let predicted = senses.motion.position + ahead;
        note_segments(senses, path, probe);
        probe.note(|| Note::Predicted(predicted));
        let back = path.nearest(senses.map, predicted);
        if back.length() <= self.width {
            return Vec2::ZERO;
        }
        let nearest = Seen { offset: ahead + back, velocity: Vec2::ZERO, heading: Vec2::X };
        seek(senses, nearest, probe)
    }
}

/// Reports the segments of the path.
fn note_segments(senses: &Senses, path: Laid, probe: &mut impl Probe) {
    if probe.listens() {
        for (from, along) in path.segments(senses.map) {
            probe.note(|| Note::Segment { from, to: from + along });
        }
    }
}
