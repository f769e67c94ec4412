//! Velocity obstacles, and the half-planes that touch them.
//!
//! A velocity obstacle contains the velocities that cause a collision with a shape within a time
//! horizon τ. For a shape S, relative to the agent and enlarged by its radius, this is the set of
//! all S / t with 0 < t ≤ τ: a cone from zero, without the part before S / τ. Its boundary consists
//! of the front of S / τ, and two *legs*. A leg is on a line through zero that touches S.
//!
//! The half-plane of a shape touches the boundary at the point nearest to the agent's velocity.

use core::cmp::Ordering;

use crate::geom::{Vec2, starboard, unit};
use crate::map::Obstacle;
use crate::map::faces::Face;

use super::{Avoider, HalfPlane, PlaneOwner};

/// Margin for the rounding error in [`Shape::is_behind`], in tiles/s.
const ROUNDING: f32 = 1e-5;

/// A wall or an obstacle, relative to the agent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    pub owner: PlaneOwner,
    outline: Outline,
    /// Distance from the agent's centre, in tiles.
    distance: f32,
    /// Number of shapes that were found before.
    rank: usize,
}

#[derive(Debug, Clone, Copy)]
enum Outline {
    Face(Face),
    /// A disc with its centre, and its radius in tiles.
    Disc(Vec2, f32),
}

impl Shape {
    pub(crate) fn face(face: Face, rank: usize) -> Self {
        let distance = nearest(&face).0.length();
        Self { owner: PlaneOwner::Face(face.wall), outline: Outline::Face(face), distance, rank }
    }

    pub(crate) fn disc(obstacle: Obstacle, offset: Vec2, rank: usize) -> Self {
        let outline = Outline::Disc(offset, obstacle.radius);
        let distance = offset.length() - obstacle.radius;
        Self { owner: PlaneOwner::Obstacle(obstacle), outline, distance, rank }
    }

    /// Compares shapes by distance. Among equal distances, the shape that was found first comes
    /// first.
    pub(crate) fn order(&self, other: &Self) -> Ordering {
        self.distance.total_cmp(&other.distance).then(self.rank.cmp(&other.rank))
    }

    /// Returns true if a half-plane of a nearer shape forbids the whole velocity obstacle of this
    /// shape.
    ///
    /// The half-plane permits zero. If it forbids S / τ, it therefore forbids all S / t.
    pub(crate) fn is_behind(&self, plane: &HalfPlane, me: &Avoider) -> bool {
        let is_behind = |centre: Vec2, radius: f32| {
            let nearest = (plane.normal.dot(centre) + radius + me.radius) / me.wall_horizon;
            nearest <= plane.offset + ROUNDING
        };
        match self.outline {
            Outline::Face(face) => face.ends.iter().all(|&end| is_behind(end, 0.0)),
            Outline::Disc(centre, radius) => is_behind(centre, radius),
        }
    }

    /// Returns the half-plane of the shape. Returns `None` if an adjacent face has the half-plane
    /// that applies.
    pub(crate) fn plane(&self, me: &Avoider) -> Option<HalfPlane> {
        match &self.outline {
            Outline::Face(face) => face_plane(face, me),
            &Outline::Disc(centre, radius) => {
                let reach = radius + me.radius;
                if centre.length_squared() <= reach * reach {
                    return Some(away_from(centre));
                }
                Some(disc(centre, reach, me.velocity, me.wall_horizon).plane())
            }
        }
    }
}

/// The part of a velocity obstacle's boundary that is nearest to a velocity.
#[derive(Debug, Clone, Copy)]
enum Touch {
    Front(HalfPlane),
    /// A leg, as its outward unit normal.
    Leg(Vec2),
}

impl Touch {
    fn plane(self) -> HalfPlane {
        match self {
            Self::Front(plane) => plane,
            Self::Leg(normal) => HalfPlane { normal, offset: 0.0 },
        }
    }
}

/// Returns the half-plane that permits all velocities away from a touched point, and none towards
/// it.
fn away_from(point: Vec2) -> HalfPlane {
    HalfPlane { normal: unit(-point), offset: 0.0 }
}

/// Returns the half-plane that touches a disc at the point nearest to `velocity`. `from_centre` is
/// the vector from the centre of the disc to `velocity`, and not zero.
fn round(from_centre: Vec2, velocity: Vec2, radius: f32) -> HalfPlane {
    let normal = unit(from_centre);
    HalfPlane { normal, offset: normal.dot(velocity - from_centre) + radius }
}

/// Returns the outward normal of the leg that touches a disc on one side. The disc does not contain
/// zero. `side` is perpendicular to the vector `centre`, and of the same length.
fn leg(centre: Vec2, radius: f32, side: Vec2) -> Vec2 {
    let distance = centre.length();
    // The length of the leg from zero to the disc.
    let length = ((distance - radius) * (distance + radius)).max(0.0).sqrt();
    (side * length - centre * radius) / (distance * distance)
}

/// Returns the part of the boundary that is nearest to `velocity`, for a disc of radius `reach`
/// that does not contain zero.
fn disc(centre: Vec2, reach: f32, velocity: Vec2, horizon: f32) -> Touch {
    let from_centre = velocity - centre / horizon;
    let along = from_centre.dot(centre);
    if along < 0.0 && along * along > reach * reach * from_centre.length_squared() {
        return Touch::Front(round(from_centre, velocity, reach / horizon));
    }
    // Two agents that head straight for each other both pass on their starboard side.
    let right = starboard(centre);
    let side = if right.dot(from_centre) >= 0.0 { right } else { -right };
    Touch::Leg(leg(centre, reach, side))
}

/// Returns the half-plane for the relative velocity of two agents. `offset` is the vector to the
/// other agent, and `reach` the sum of the radii.
///
/// Agents that overlap must part within one frame. `apart` returns the direction for agents with the
/// same position and the same velocity.
pub(crate) fn moving_disc(
    offset: Vec2,
    reach: f32,
    relative: Vec2,
    me: &Avoider,
    apart: impl FnOnce() -> Vec2,
) -> HalfPlane {
    if offset.length_squared() > reach * reach {
        return disc(offset, reach, relative, me.horizon).plane();
    }
    let from_centre = relative - offset / me.dt;
    if from_centre == Vec2::ZERO {
        let normal = if offset == Vec2::ZERO { apart() } else { unit(-offset) };
        return HalfPlane { normal, offset: normal.dot(relative) + reach / me.dt };
    }
    round(from_centre, relative, reach / me.dt)
}

/// Returns the nearest point of a face, and the index of the end that is nearest. The index is
/// `None` if the nearest point is between the ends.
fn nearest(face: &Face) -> (Vec2, Option<usize>) {
    let [from, to] = face.ends;
    let along = unit(to - from);
    match () {
        () if from.dot(along) >= 0.0 => (from, Some(0)),
        () if to.dot(along) <= 0.0 => (to, Some(1)),
        () => (face.normal * from.dot(face.normal), None),
    }
}

/// Returns the half-plane of a face, or `None` if an adjacent face has the half-plane that applies.
///
/// A leg exists only at a corner that the body can go round. At any other end, the front goes on.
/// If the adjacent face is visible beyond the leg, that face takes the place of the leg, but has a
/// half-plane of its own.
fn face_plane(face: &Face, me: &Avoider) -> Option<HalfPlane> {
    let Avoider { radius, velocity, wall_horizon: horizon, .. } = *me;
    let (point, end) = nearest(face);
    let height = -face.ends[0].dot(face.normal);
    if point.length() <= radius {
        return match end {
            None => Some(HalfPlane { normal: face.normal, offset: 0.0 }),
            Some(end) => face.corners[end].map(|_| away_from(point)),
        };
    }
    if let (Some(end), true) = (end, height <= radius) {
        // The body passes the face. Only the corner is in its way.
        let adjacent = face.corners[end]?;
        let touch = disc(point, radius, velocity, horizon);
        return match touch {
            Touch::Leg(normal) if normal.dot(adjacent) > 0.0 => None,
            Touch::Leg(_) | Touch::Front(_) => Some(touch.plane()),
        };
    }
    let along = unit(face.ends[1] - face.ends[0]);
    let outward = [-along, along];
    let from_end = face.ends.map(|end| velocity - end / horizon);
    let mut best: Option<(f32, Option<HalfPlane>)> = None;
    let mut offer = |distance: f32, plane: Option<HalfPlane>| {
        if best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, plane));
        }
    };
    let mut is_before_front = true;
    for end in 0..2 {
        let Some(adjacent) = face.corners[end] else { continue };
        let corner = face.ends[end];
        let side = starboard(corner);
        let side = if side.dot(outward[end]) < 0.0 { -side } else { side };
        let mut normal = leg(corner, radius, side);
        let is_adjacent = normal.dot(adjacent) >= 0.0;
        // The direction of the leg, away from the agent.
        let mut direction = normal.perp();
        if direction.dot(corner) < 0.0 {
            direction = -direction;
        }
        if is_adjacent {
            normal = starboard(adjacent);
            if normal.dot(outward[end]) < 0.0 {
                normal = -normal;
            }
            direction = adjacent;
        }
        let is_beyond = from_end[end].dot(outward[end]) > 0.0;
        let on_leg = from_end[end].dot(direction);
        if is_beyond && on_leg < 0.0 {
            return Some(round(from_end[end], velocity, radius / horizon));
        }
        is_before_front &= !is_beyond;
        if on_leg >= 0.0 {
            let plane = (!is_adjacent).then_some(HalfPlane { normal, offset: 0.0 });
            offer(normal.dot(from_end[end]).abs(), plane);
        }
    }
    if is_before_front {
        let offset = (radius - height) / horizon;
        let front = HalfPlane { normal: face.normal, offset };
        offer(face.normal.dot(from_end[0]).abs(), Some(front));
    }
    best.and_then(|(_, plane)| plane)
}
