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
use crate::map::faces::{Corner, Face};

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
    /// The half-plane permits zero. If it forbids S / τ, it therefore forbids all S / t. A visible
    /// adjacent face can leave its half-plane to this face (see [`face_plane`]), and must be behind
    /// the half-plane too.
    pub(crate) fn is_behind(&self, plane: &HalfPlane, me: &Avoider) -> bool {
        let is_behind = |centre: Vec2, radius: f32| {
            let nearest = (plane.normal.dot(centre) + radius + me.wall_radius) / me.wall_horizon;
            nearest <= plane.offset + ROUNDING
        };
        match self.outline {
            Outline::Face(face) => {
                let adjacent = nearest(&face).1.and_then(|end| match face.corners[end] {
                    Corner::Outer(adjacent) => Some(adjacent),
                    Corner::Inner | Corner::Tip => None,
                });
                face.ends.iter().all(|&end| is_behind(end, 0.0))
                    && adjacent.is_none_or(|direction| plane.normal.dot(direction) <= 0.0)
            }
            Outline::Disc(centre, radius) => is_behind(centre, radius),
        }
    }

    /// Returns the half-plane of the shape. Returns `None` if an adjacent face has the half-plane
    /// that applies.
    pub(crate) fn plane(&self, me: &Avoider) -> Option<HalfPlane> {
        match &self.outline {
            Outline::Face(face) => face_plane(face, me),
            &Outline::Disc(centre, radius) => {
                let reach = radius + me.wall_radius;
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
/// A leg exists only at a corner that the body can pass. At an inner corner, the front continues.
/// If the adjacent face at an outer corner is visible beyond the leg, this face takes the place of
/// the leg, but has a half-plane of its own.
fn face_plane(face: &Face, me: &Avoider) -> Option<HalfPlane> {
    let Avoider { wall_radius: radius, velocity, wall_horizon: horizon, .. } = *me;
    let (_, end) = nearest(face);
    let height = -face.ends[0].dot(face.normal);
    match end {
        None if height <= radius => {
            return Some(HalfPlane { normal: face.normal, offset: 0.0 });
        }
        Some(end) if height <= radius => return corner_plane(face, end, me),
        None | Some(_) => {}
    }
    let along = unit(face.ends[1] - face.ends[0]);
    let from_start = velocity - face.ends[0] / horizon;
    let mut is_before_front = true;
    // The distance to the nearest part of the boundary, and the half-plane of this part.
    let mut best = (f32::INFINITY, None);
    for (end, outward) in [(0, -along), (1, along)] {
        let Some(Leg { normal, direction, is_adjacent }) = face_leg(face, end, outward, radius)
        else {
            continue;
        };
        let from_end = velocity - face.ends[end] / horizon;
        let (is_beyond, on_leg) = (from_end.dot(outward) > 0.0, from_end.dot(direction));
        if is_beyond && on_leg < 0.0 {
            return Some(round(from_end, velocity, radius / horizon));
        }
        is_before_front &= !is_beyond;
        let distance = normal.dot(from_end).abs();
        if on_leg >= 0.0 && distance < best.0 {
            best = (distance, (!is_adjacent).then_some(HalfPlane { normal, offset: 0.0 }));
        }
    }
    let distance = face.normal.dot(from_start).abs();
    if is_before_front && distance < best.0 {
        let offset = (radius - height) / horizon;
        return Some(HalfPlane { normal: face.normal, offset });
    }
    best.1
}

/// Returns the half-plane of the corner at an end of a face, for a body that touches the corner or
/// passes the face so closely that only the corner is in its way.
fn corner_plane(face: &Face, end: usize, me: &Avoider) -> Option<HalfPlane> {
    let corner = face.ends[end];
    if face.corners[end] == Corner::Inner {
        return None;
    }
    if corner.length() <= me.wall_radius {
        return Some(away_from(corner));
    }
    let touch = disc(corner, me.wall_radius, me.velocity, me.wall_horizon);
    if let (Touch::Leg(normal), Corner::Outer(adjacent)) = (touch, face.corners[end])
        && normal.dot(adjacent) > 0.0
    {
        return None;
    }
    Some(touch.plane())
}

/// A leg of the velocity obstacle of a face.
struct Leg {
    /// Outward unit normal.
    normal: Vec2,
    /// Direction of the leg, away from the agent.
    direction: Vec2,
    /// Whether the leg is the front of an adjacent face.
    is_adjacent: bool,
}

/// Returns the leg at an end of a face. Returns `None` at an inner corner. `outward` is the direction
/// in which the face ends.
fn face_leg(face: &Face, end: usize, outward: Vec2, radius: f32) -> Option<Leg> {
    let corner = face.ends[end];
    let towards =
        |side: Vec2, direction: Vec2| if side.dot(direction) < 0.0 { -side } else { side };
    let normal = leg(corner, radius, towards(starboard(corner), outward));
    match face.corners[end] {
        Corner::Inner => None,
        Corner::Outer(adjacent) if normal.dot(adjacent) >= 0.0 => {
            let normal = towards(starboard(adjacent), outward);
            Some(Leg { normal, direction: adjacent, is_adjacent: true })
        }
        Corner::Outer(_) | Corner::Tip => {
            let direction = towards(starboard(normal), corner);
            Some(Leg { normal, direction, is_adjacent: false })
        }
    }
}
