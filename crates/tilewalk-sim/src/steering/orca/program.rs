//! Linear programs over half-planes of velocities (van den Berg et al. 2011, section 5).
//!
//! The programs are incremental (de Berg et al., "Computational Geometry", chapter 4): half-planes
//! are added one by one. If a new half-plane excludes the best velocity so far, the new best
//! velocity is on its boundary, and a program in one dimension finds it.

use crate::geom::{Vec2, truncate};

use super::HalfPlane;

/// Sine of the largest angle between boundaries that count as parallel.
const PARALLEL: f32 = 1e-5;

/// Width of an empty interval on a boundary that counts as rounding error, in tiles/s. Without it,
/// a corridor as wide as the body could leave no velocity.
const ROUNDING: f32 = 1e-6;

/// The velocity that a program looks for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Goal {
    /// The velocity nearest to this velocity.
    Near(Vec2),
    /// The velocity farthest along this unit vector.
    Along(Vec2),
}

/// The first half-plane that a program cannot satisfy.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Unsolved {
    /// Index of the half-plane.
    pub plane: usize,
    /// The best velocity in all earlier half-planes, in tiles/s.
    pub velocity: Vec2,
}

/// Returns the best velocity in all half-planes, of length `limit` at most. This is the second
/// program of the paper.
///
/// # Errors
/// Returns an error if the half-planes have no such velocity in common.
pub(crate) fn solve(planes: &[HalfPlane], limit: f32, goal: Goal) -> Result<Vec2, Unsolved> {
    let mut velocity = match goal {
        Goal::Near(velocity) => truncate(velocity, limit),
        Goal::Along(direction) => direction * limit,
    };
    for (index, plane) in planes.iter().enumerate() {
        if plane.violation(velocity) > 0.0 {
            velocity = on_boundary(plane, &planes[..index], limit, goal)
                .ok_or(Unsolved { plane: index, velocity })?;
        }
    }
    Ok(velocity)
}

/// Returns the best velocity on the boundary of a half-plane that is in all other half-planes, of
/// length `limit` at most. Returns `None` if there is no such velocity. This is the first program
/// of the paper.
fn on_boundary(plane: &HalfPlane, others: &[HalfPlane], limit: f32, goal: Goal) -> Option<Vec2> {
    let HalfPlane { normal, offset } = *plane;
    let half_chord = (limit - offset) * (limit + offset);
    if half_chord < 0.0 {
        return None;
    }
    // Velocities on the boundary are foot + t · direction.
    let (foot, direction) = (normal * offset, normal.perp());
    let (mut low, mut high) = (-half_chord.sqrt(), half_chord.sqrt());
    for other in others {
        let slope = other.normal.dot(direction);
        let missing = other.violation(foot);
        if slope.abs() <= PARALLEL {
            if missing > ROUNDING {
                return None;
            }
            continue;
        }
        let bound = missing / slope;
        if slope > 0.0 {
            low = low.max(bound);
        } else {
            high = high.min(bound);
        }
        if low > high + ROUNDING {
            return None;
        }
    }
    let t = match goal {
        Goal::Near(velocity) => direction.dot(velocity).min(high).max(low),
        Goal::Along(along) if direction.dot(along) > 0.0 => high,
        Goal::Along(_) => low,
    };
    Some(foot + direction * t)
}

/// Returns the velocity that minimizes the largest violation of a half-plane, of length `limit` at
/// most. The first `hard` half-planes are not relaxed. This is the third program of the paper.
///
/// `first` is the first half-plane that `start` violates. `start` is in all half-planes before it.
/// `projected` is scratch space.
///
/// The violation is a third dimension. In it, a half-plane is bounded by a sloping plane. If `i` is
/// violated more than all half-planes before it, the new best point is on the plane of `i`. There,
/// each earlier half-plane `j` is a half-plane of two dimensions: the velocities at which `j` is
/// violated at most as much as `i`.
pub(crate) fn relax(
    planes: &[HalfPlane],
    hard: usize,
    first: usize,
    limit: f32,
    start: Vec2,
    projected: &mut Vec<HalfPlane>,
) -> Vec2 {
    let (mut velocity, mut largest) = (start, 0.0);
    for (index, plane) in planes.iter().enumerate().skip(first) {
        if plane.violation(velocity) <= largest {
            continue;
        }
        projected.clear();
        projected.extend_from_slice(&planes[..hard]);
        projected.extend(planes[hard..index].iter().filter_map(|other| less(other, plane)));
        // Only rounding can leave no solution, because the current velocity is one.
        if let Ok(better) = solve(projected, limit, Goal::Along(plane.normal)) {
            velocity = better;
        }
        largest = plane.violation(velocity);
    }
    velocity
}

/// Returns the half-plane of the velocities that violate `one` at most as much as `other`. Returns
/// `None` if both have the same normal, because such half-planes never exclude each other.
fn less(one: &HalfPlane, other: &HalfPlane) -> Option<HalfPlane> {
    let normal = one.normal - other.normal;
    let length = normal.length();
    let offset = (one.offset - other.offset) / length;
    (length > PARALLEL).then(|| HalfPlane { normal: normal / length, offset })
}
