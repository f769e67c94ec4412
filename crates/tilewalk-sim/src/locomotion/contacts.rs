//! Contacts between solid bodies that move in the same frame.
//!
//! All bodies move at the same time, each along a straight line from its start. The *desired*
//! motions come from the drives. Contacts change them in three stages:
//!
//! 1. **Find.** A pair is in contact if the bodies would overlap at some time in the frame. The
//!    contact normal is the direction between the centres at the first touch. If the distance along
//!    this normal stays at the sum of the radii, the bodies can't overlap or pass through each
//!    other, at any speed.
//! 2. **Relax.** Gauss–Seidel passes (Buckland's `EnforceNonPenetrationConstraint`, swept): each
//!    contact in turn moves its two bodies apart along the normal. The body that moves into the
//!    contact gives way more than the body that it meets (see [`shares`]), so that crowds rarely
//!    block doors. Held bodies press only now and then, so that arches in front of doors dissolve
//!    (see `step::progress`). Walls and obstacles stop this motion like any other motion. The
//!    passes run in alternating directions until the deepest overlap is small.
//! 3. **Hold back.** Bodies that still overlap too deeply lose the part of their motion towards
//!    each other. If they still overlap after that, their motions are halved several times and then
//!    set to zero. A body without motion stays at its position in the previous frame. A pair
//!    without an overlap at the start of a frame therefore has no overlap at its end.
//! 4. **Slow down.** Velocities follow the motions. A body loses the part of its velocity into each
//!    contact that its motion did not realise, and then the unrealised part along its remaining
//!    velocity. Nothing is added to a velocity, so no contact makes a body faster, and a body at
//!    rest that is pushed keeps its velocity of zero.
//!
//! Contacts are processed in agent order. The result depends only on starts, motions, velocities
//! and the map.
//!
//! *Limits*: bodies that can't be pushed move as desired. A body between such a body and a wall can
//! therefore overlap. On a map that wraps, a motion longer than half the map is swept the short way
//! round.

use crate::geom::{Vec2, truncate, unit};
use crate::map::{Map, TILE_RADIUS, sweep};

/// Largest distance by which contacts can lengthen the motion of a body in one frame, in tiles.
pub(crate) const MAX_PUSH: f32 = 0.3;

/// Deepest overlap that still counts as touching, in tiles. Larger than the rounding error of
/// positions.
pub(crate) const TOUCHING: f32 = 1e-3;

/// Largest distance between the edges of two bodies that press against each other, in tiles. In a
/// queue, gaps of this size open and close from frame to frame.
pub(crate) const PRESSING: f32 = 0.05;

/// Smallest cosine of the angle between a desired motion and the direction of a body into which it
/// leads. A smaller one is a glancing contact.
const LEADS_INTO: f32 = 0.1;

/// Relaxing ends when the deepest overlap is at most this share of the smaller diameter.
const GOAL: f32 = 0.0025;

/// Deepest overlap that can remain at the end of a frame, as a share of the smaller diameter.
const TOLERANCE: f32 = 0.005;

/// Maximum number of relaxing passes per frame.
const MAX_PASSES: u32 = 40;

/// Number of relaxing passes between two searches for new contacts.
const PASSES_PER_ROUND: u32 = 8;

/// Factor for corrections after the first [`EXACT_PASSES`] passes. Values above 1 speed up the
/// convergence in crowds.
const OVER_RELAXATION: f32 = 1.3;

/// Share of an overlap by which a body gives way to a body ahead of it. The larger the share, the
/// less a body pushes others ahead. With equal shares of 0.5, arches of bodies block doors that are
/// one or two tiles wide; at 0.6, they still blocked one in a few runs. From 0.8, fewer bodies per
/// second pass a wide door.
const GIVES_WAY: f32 = 0.7;

/// Number of passes without over-relaxation, at the beginning. They make a single pair touch
/// exactly.
const EXACT_PASSES: u32 = 2;

/// Maximum number of passes that remove only motion towards each other. Later passes halve motions.
const MAX_CLIPS: u32 = 24;

/// Number of times that the motion of a body is halved before it is set to zero.
const HALVINGS: u32 = 3;

/// A solid body in one frame. Positions and motions are in tiles.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moving {
    /// Position at the start of the frame.
    pub start: Vec2,
    /// Displacement in the frame without contacts.
    desired: Vec2,
    /// Length of `desired`, in tiles.
    desired_length: f32,
    /// Displacement in the frame with contacts.
    pub motion: Vec2,
    /// Velocity at the end of the frame, in tiles/s.
    pub velocity: Vec2,
    /// Radius in tiles.
    pub radius: f32,
    /// Whether other bodies can push this body.
    pub movable: bool,
    /// Whether the body does not press against others in this frame.
    pauses: bool,
    /// Number of times that the motion was halved in this frame.
    halved: u32,
    /// Whether the body is away from walls and obstacles, so that it can't touch any in this frame.
    /// `None` until contacts change the motion.
    in_open: Option<bool>,
    /// Whether the current pass changed the motion.
    changed: bool,
}

impl Moving {
    /// Creates a body at rest that can't be pushed.
    pub(crate) fn at(start: Vec2, radius: f32) -> Self {
        Self {
            start,
            desired: Vec2::ZERO,
            desired_length: 0.0,
            motion: Vec2::ZERO,
            velocity: Vec2::ZERO,
            radius,
            movable: false,
            pauses: false,
            halved: 0,
            in_open: None,
            changed: false,
        }
    }

    /// Sets the displacement in the frame without contacts.
    pub(crate) fn set_desired(&mut self, desired: Vec2) {
        (self.desired, self.desired_length) = (desired, desired.length());
        self.motion = desired;
    }

    /// Lets the body rest in this frame, unless others push it.
    pub(crate) fn pause(&mut self) {
        self.pauses = true;
        (self.motion, self.velocity) = (Vec2::ZERO, Vec2::ZERO);
    }

    /// Returns true if the motion is not the desired motion.
    pub(crate) fn is_diverted(&self) -> bool {
        self.motion != self.desired
    }

    /// Returns the radius of a circle around the start that the body cannot leave in this frame, in
    /// tiles.
    pub(crate) fn reach(&self) -> f32 {
        self.radius + self.desired_length + MAX_PUSH
    }

    fn push(&mut self, by: Vec2) {
        self.motion += by;
        self.changed = true;
    }

    /// Limits the length of the motion to the length of the desired motion plus [`MAX_PUSH`]. Stops
    /// the motion at walls and obstacles.
    fn keep_from_walls(&mut self, map: &Map) {
        let most = self.desired_length + MAX_PUSH;
        let motion = truncate(self.motion, most);
        let is_small = self.radius <= TILE_RADIUS;
        let in_open = || is_small && sweep::is_open_around(map, self.start, most + TOUCHING);
        if *self.in_open.get_or_insert_with(in_open) {
            self.motion = motion;
            return;
        }
        let slid = sweep::slide(map, self.start, motion, self.radius);
        self.motion = if slid.contacts().next().is_none() { motion } else { slid.end - self.start };
    }

    /// Returns the length of the desired motion into a contact. `normal` points to the other body.
    /// Returns 0 if the body pauses.
    fn presses(&self, normal: Vec2) -> f32 {
        if self.pauses { 0.0 } else { self.desired.dot(normal) }
    }

    /// Returns true if the desired motion leads into a body at `offset`.
    fn leads_to(&self, offset: Vec2) -> bool {
        let into = self.desired.dot(offset);
        let squares = self.desired.length_squared() * offset.length_squared();
        into > 0.0 && into * into > LEADS_INTO * LEADS_INTO * squares
    }

    /// Removes the component of the motion along a unit vector. Returns false if the component is
    /// not positive or the body cannot be pushed.
    fn clip(&mut self, direction: Vec2) -> bool {
        let part = self.motion.dot(direction);
        let takes = self.movable && part > 0.0;
        if takes {
            self.push(-direction * part);
        }
        takes
    }

    /// Removes the part of the velocity along a unit vector that the motion did not realise in a
    /// frame of `dt` seconds.
    fn slow_down(&mut self, direction: Vec2, dt: f32) {
        let part = self.velocity.dot(direction);
        let realised = (self.motion.dot(direction) / dt).max(0.0);
        if self.movable && part > realised {
            self.velocity -= direction * (part - realised);
        }
    }

    /// Halves the motion. After [`HALVINGS`] calls, sets the motion to zero instead. Returns false
    /// if the body is at rest or cannot be pushed.
    fn halve(&mut self) -> bool {
        if !self.movable || self.motion == Vec2::ZERO {
            return false;
        }
        self.motion = if self.halved < HALVINGS { self.motion * 0.5 } else { Vec2::ZERO };
        self.halved += 1;
        self.changed = true;
        true
    }
}

/// Two bodies that could touch in the frame, as indices in [`Contacts::bodies`]. On a map that
/// wraps, two bodies can form several pairs, with vectors to different images of a body.
#[derive(Debug, Clone, Copy)]
struct TouchingPair {
    bodies: [u32; 2],
    /// Vector from the first to the second centre at the start of the frame, in tiles.
    offset: Vec2,
    /// Whether a contact of this pair was found.
    touches: bool,
}

/// A contact of two bodies, given as indices in [`Contacts::bodies`].
#[derive(Debug, Clone, Copy)]
struct DiscContact {
    bodies: [u32; 2],
    /// Unit vector from the first to the second body when they first touch.
    normal: Vec2,
    /// Distance between the edges of the bodies along the normal at the start of the frame, in
    /// tiles. Negative if the bodies overlap.
    gap: f32,
    /// Shares of an overlap by which the bodies move apart; `None` if neither can be pushed.
    shares: Option<[f32; 2]>,
}

/// The solid bodies of a frame and their contacts. Keeps its allocations from frame to frame.
#[derive(Debug, Default)]
pub(crate) struct Contacts {
    /// The solid bodies, in agent order.
    pub bodies: Vec<Moving>,
    pairs: Vec<TouchingPair>,
    found: Vec<DiscContact>,
    /// Number of contacts in `found` that are due to desired motions. These contacts come first.
    desired: usize,
}

impl Contacts {
    /// Removes the pairs and contacts of the previous frame.
    pub(crate) fn clear_pairs(&mut self) {
        self.pairs.clear();
        self.found.clear();
    }

    /// Adds a pair of bodies that could touch in the frame, by index. `offset` is the vector from
    /// the first to the second body at the start of the frame, in tiles.
    #[inline]
    pub(crate) fn add_pair(&mut self, first: usize, second: usize, offset: Vec2) {
        let (bodies, offset) =
            if first < second { ([first, second], offset) } else { ([second, first], -offset) };
        self.pairs.push(TouchingPair {
            bodies: bodies.map(|body| body as u32),
            offset,
            touches: false,
        });
    }

    pub(crate) fn pair_count(&self) -> usize {
        self.pairs.len()
    }

    /// Sorts the pairs in agent order, starting at index `from`.
    pub(crate) fn sort_pairs(&mut self, from: usize) {
        let key = |pair: &TouchingPair| {
            let [first, second] = pair.bodies.map(u64::from);
            first << u32::BITS | second
        };
        self.pairs[from..].sort_unstable_by_key(key);
    }

    /// Sets the direction of separation for pairs at exactly the same position. `apart` receives
    /// the indices of both bodies and returns the direction for the first.
    pub(crate) fn part_bodies_in_one_place(&mut self, apart: impl Fn(usize, usize) -> Vec2) {
        for pair in self.pairs.iter_mut().filter(|pair| pair.offset == Vec2::ZERO) {
            let [first, second] = pair.bodies.map(|body| body as usize);
            // Too short to matter, but with a direction.
            pair.offset = apart(first, second) * -1e-9;
        }
    }

    /// Iterates over the pairs of bodies whose desired motions cause a contact, in agent order. The
    /// items are indices in [`Contacts::bodies`].
    pub(crate) fn desired(&self) -> impl Iterator<Item = [u32; 2]> {
        self.found[..self.desired].iter().map(|contact| contact.bodies)
    }

    /// Iterates over the pairs of bodies that touch at the end of the frame, in agent order. The
    /// items are indices in [`Contacts::bodies`].
    pub(crate) fn touching(&self) -> impl Iterator<Item = [u32; 2]> {
        let touches = |pair: &&TouchingPair| {
            let [first, second] = pair.bodies.map(|body| &self.bodies[body as usize]);
            let reach = first.radius + second.radius + TOUCHING;
            (pair.offset + second.motion - first.motion).length_squared() <= reach * reach
        };
        self.pairs.iter().filter(touches).map(|pair| pair.bodies)
    }

    /// Iterates over the bodies that press against another body at the end of the frame: the bodies
    /// touch, and the desired motion of the first leads into the second. The items are indices in
    /// [`Contacts::bodies`].
    pub(crate) fn pressing(&self) -> impl Iterator<Item = [u32; 2]> {
        self.pairs
            .iter()
            .flat_map(|pair| {
                let [first, second] = pair.bodies.map(|body| &self.bodies[body as usize]);
                let offset = pair.offset + second.motion - first.motion;
                let reach = first.radius + second.radius + PRESSING;
                let is_near = offset.length_squared() <= reach * reach;
                let pairs = [(pair.bodies, first, offset), (swapped(pair.bodies), second, -offset)];
                let presses =
                    |body: &Moving, offset| is_near && body.movable && body.leads_to(offset);
                pairs.map(|(bodies, body, offset)| presses(body, offset).then_some(bodies))
            })
            .flatten()
    }

    /// Iterates over the bodies that pause in this frame, as indices in [`Contacts::bodies`].
    pub(crate) fn pausing(&self) -> impl Iterator<Item = usize> {
        (0..self.bodies.len()).filter(|&body| self.bodies[body].pauses)
    }

    /// Changes the motions so that bodies touch instead of overlapping, and the velocities
    /// accordingly. Without contacts, both stay unchanged. `dt` is the length of the frame in
    /// seconds.
    pub(crate) fn solve(&mut self, map: &Map, dt: f32) {
        let (mut passes, mut solved) = (0, true);
        let mut found = self.find();
        self.desired = self.found.len();
        while (found || !solved) && passes < MAX_PASSES {
            for _ in 0..PASSES_PER_ROUND {
                solved = self.relax(passes) <= GOAL;
                self.keep_from_walls(map);
                passes += 1;
                if solved {
                    break;
                }
            }
            found = self.find();
        }
        if !self.found.is_empty() {
            self.hold_back(map);
            self.slow_down(dt);
        }
    }

    /// Adds the contacts of pairs that would overlap with their current motions. Returns true if
    /// contacts were added.
    fn find(&mut self) -> bool {
        let before = self.found.len();
        for pair in self.pairs.iter_mut().filter(|pair| !pair.touches) {
            let [first, second] = pair.bodies.map(|body| &self.bodies[body as usize]);
            let (reach, approach) = (first.radius + second.radius, second.motion - first.motion);
            if let Some(normal) = normal(pair.offset, approach, reach) {
                pair.touches = true;
                let gap = pair.offset.dot(normal) - reach;
                let shares = shares(first, second, normal);
                self.found.push(DiscContact { bodies: pair.bodies, normal, gap, shares });
            }
        }
        self.found.len() > before
    }

    /// Moves the bodies of each contact apart once. Returns the deepest overlap before this pass,
    /// as a share of the smaller diameter.
    fn relax(&mut self, pass: u32) -> f32 {
        let Self { bodies, found, .. } = self;
        let factor = if pass < EXACT_PASSES { 1.0 } else { OVER_RELAXATION };
        let mut deepest = 0.0_f32;
        let relax = |contact: &DiscContact| deepest = deepest.max(relax(bodies, contact, factor));
        in_order(found, pass % 2 == 1, relax);
        deepest
    }

    fn keep_from_walls(&mut self, map: &Map) {
        for body in self.bodies.iter_mut().filter(|body| body.changed) {
            body.changed = false;
            body.keep_from_walls(map);
        }
    }

    /// Removes motion from bodies until no pair would overlap too deeply.
    fn hold_back(&mut self, map: &Map) {
        let mut passes = 0;
        while self.hold_back_pairs(passes % 2 == 1, passes < MAX_CLIPS) {
            self.keep_from_walls(map);
            passes += 1;
        }
    }

    /// Removes the parts of velocities that contacts kept from becoming motion.
    fn slow_down(&mut self, dt: f32) {
        let Self { bodies, found, .. } = self;
        for contact in found {
            let [first, second] = contact.bodies.map(|body| body as usize);
            bodies[first].slow_down(contact.normal, dt);
            bodies[second].slow_down(-contact.normal, dt);
        }
        for body in bodies.iter_mut().filter(|body| body.is_diverted()) {
            body.slow_down(unit(body.velocity), dt);
        }
    }

    /// Removes motion once from each pair that would overlap too deeply. If `clip` is true, removes
    /// only motion towards each other. Returns true if a motion changed.
    fn hold_back_pairs(&mut self, backwards: bool, clip: bool) -> bool {
        let Self { bodies, pairs, .. } = self;
        let mut held = false;
        in_order(pairs, backwards, |pair| {
            let [first, second] = pair.bodies.map(|body| body as usize);
            let Some(normal) = normal_of_deep(pair, &bodies[first], &bodies[second]) else {
                return;
            };
            for (body, normal) in [(first, normal), (second, -normal)] {
                let body = &mut bodies[body];
                held |= if clip { body.clip(normal) } else { body.halve() };
            }
        });
        held
    }
}

fn swapped([first, second]: [u32; 2]) -> [u32; 2] {
    [second, first]
}

fn in_order<T>(items: &[T], backwards: bool, visit: impl FnMut(&T)) {
    if backwards {
        items.iter().rev().for_each(visit);
    } else {
        items.iter().for_each(visit);
    }
}

/// Moves the bodies of a contact apart. Returns the overlap before the move, as a share of the
/// smaller diameter.
fn relax(bodies: &mut [Moving], contact: &DiscContact, factor: f32) -> f32 {
    let [first, second] = contact.bodies.map(|body| bodies[body as usize]);
    let overlap = -contact.gap - contact.normal.dot(second.motion - first.motion);
    let Some(shares) = contact.shares else { return 0.0 };
    if overlap <= 0.0 {
        return 0.0;
    }
    let push = contact.normal * (overlap * factor);
    for (body, by) in contact.bodies.into_iter().zip([-push * shares[0], push * shares[1]]) {
        if by != Vec2::ZERO {
            bodies[body as usize].push(by);
        }
    }
    overlap / (2.0 * first.radius.min(second.radius))
}

/// Returns the shares of an overlap by which two bodies move apart. Returns `None` if neither can be
/// pushed. `normal` points from the first to the second body.
///
/// The body that moves into the contact more than the other one is behind it. It gives way by
/// [`GIVES_WAY`], and pushes the body ahead with the rest. Bodies that meet head-on give way in
/// proportion to their desired motions into the contact, so both stop, whichever is faster. One that
/// pauses stays where it is.
fn shares(first: &Moving, second: &Moving, normal: Vec2) -> Option<[f32; 2]> {
    let into = [first.presses(normal), second.presses(-normal)];
    let is_towards = first.desired.dot(normal) > 0.0 && second.desired.dot(normal) < 0.0;
    let head_on = is_towards && first.desired.dot(second.desired) <= 0.0;
    let share = match [first.movable, second.movable] {
        [true, true] if head_on && into != [0.0; 2] => into[0] / (into[0] + into[1]),
        [true, true] if into[0] > into[1] => GIVES_WAY,
        [true, true] if into[0] < into[1] => 1.0 - GIVES_WAY,
        [true, true] => 0.5,
        [true, false] => 1.0,
        [false, true] => 0.0,
        [false, false] => return None,
    };
    Some([share, 1.0 - share])
}

/// Returns the unit vector between two centres when the bodies first touch. Returns `None` if the
/// bodies never overlap. `offset` is the vector between the centres, `approach` is the relative
/// motion, and `reach` is the sum of the radii.
fn normal(offset: Vec2, approach: Vec2, reach: f32) -> Option<Vec2> {
    if are_apart(offset, approach, reach) || depth(offset, approach, reach) <= TOUCHING {
        return None;
    }
    let excess = offset.length_squared() - reach * reach;
    let closing = offset.dot(approach);
    if excess <= 0.0 || closing >= 0.0 {
        return Some(unit(offset));
    }
    let root = (closing * closing - approach.length_squared() * excess).max(0.0).sqrt();
    // This form avoids cancellation: excess / (−closing + √root).
    let share = excess / (root - closing);
    Some(unit(offset + approach * share))
}

/// Returns true if a quick check shows that two bodies never overlap. The parameters are the same as
/// for [`normal`].
fn are_apart(offset: Vec2, approach: Vec2, reach: f32) -> bool {
    // A little more than the largest possible motion towards each other, because of rounding.
    let near = reach + (approach.x.abs() + approach.y.abs()) * 1.0001;
    offset.length_squared() > near * near
}

/// Returns the deepest overlap of two bodies in the frame, in tiles. Negative if the bodies never
/// overlap. The parameters are the same as for [`normal`].
fn depth(offset: Vec2, approach: Vec2, reach: f32) -> f32 {
    let square = approach.length_squared();
    let nearest = if square > 0.0 { (-offset.dot(approach) / square).clamp(0.0, 1.0) } else { 0.0 };
    reach - (offset + approach * nearest).length()
}

/// Returns the unit vector between two centres when the bodies first touch. Returns `None` if the
/// overlap is small enough, or if shorter motions would not reduce it.
fn normal_of_deep(pair: &TouchingPair, first: &Moving, second: &Moving) -> Option<Vec2> {
    let reach = first.radius + second.radius;
    let approach = second.motion - first.motion;
    if are_apart(pair.offset, approach, reach) {
        return None;
    }
    let usual = (TOLERANCE * 2.0 * first.radius.min(second.radius)).max(TOUCHING);
    let allowed = usual.max(reach - pair.offset.length());
    // Stopping one body does not help against another that approaches and can't be stopped.
    let comes = |body: &Moving| !body.movable && body.motion != Vec2::ZERO;
    if comes(first) || comes(second) || depth(pair.offset, approach, reach) <= allowed {
        return None;
    }
    normal(pair.offset, approach, reach)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::{Edges, tests::drawn};

    /// Solves the contact of two bodies of radius 0.5 that start `gap` tiles apart along x. Returns
    /// their motions.
    fn solve(gap: f32, desired: [Vec2; 2], movable: [bool; 2]) -> [Vec2; 2] {
        let map = drawn(&[".........."; 10], Edges::Wrap);
        let mut contacts = Contacts::default();
        for (index, x) in [4.0, 5.0 + gap].into_iter().enumerate() {
            let (desired, movable) = (desired[index], movable[index]);
            let body = Moving::at(Vec2::new(x, 5.0), 0.5);
            let mut body = Moving { movable, ..body };
            body.set_desired(desired);
            contacts.bodies.push(body);
        }
        contacts.add_pair(0, 1, Vec2::new(1.0 + gap, 0.0));
        contacts.solve(&map, 1.0);
        [0, 1].map(|index: usize| contacts.bodies[index].motion)
    }

    #[test]
    fn bodies_meet_half_way_push_resting_ones_and_keep_motion_along_the_contact() {
        let [first, second] = solve(0.25, [Vec2::X, -Vec2::X], [true, true]);
        assert_eq!([first, second], [Vec2::new(0.125, 0.0), Vec2::new(-0.125, 0.0)]);
        let [first, second] = solve(0.0, [Vec2::new(0.25, 0.5), Vec2::ZERO], [true, true]);
        assert_eq!([first, second], [Vec2::new(0.075, 0.5), Vec2::new(0.075, 0.0)]);
    }

    #[test]
    fn bodies_that_meet_head_on_stop_whichever_is_faster() {
        let [first, second] = solve(0.0, [Vec2::X * 0.3, -Vec2::X * 0.1], [true, true]);
        assert!(first.length() < 1e-6 && second.length() < 1e-6, "{first} {second}");
    }

    #[test]
    fn body_that_can_not_be_pushed_stops_the_other_one() {
        let [first, second] = solve(0.25, [Vec2::X * 4.0, Vec2::ZERO], [true, false]);
        assert_eq!([first, second], [Vec2::new(0.25, 0.0), Vec2::ZERO]);
    }

    #[test]
    fn bodies_that_pass_each_other_have_no_contact() {
        let motions = [Vec2::new(2.0, -2.5), Vec2::new(-2.0, 2.5)];
        assert_eq!(solve(1.0, motions, [true, true]), motions);
    }
}
