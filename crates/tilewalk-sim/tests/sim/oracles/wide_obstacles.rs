//! Oracle for obstacles with radii of up to 64 tiles and bodies with radii of up to 8 tiles: the formulas
//! of `avoid_obstacles` and `hide` in f64. Bodies must also pass rocks and rarely bump into them.
//!
//! In each frame, the force that the explanation reports is compared with the formula for the same state of
//! the world. Cases in which rounding could decide are left out.
#![expect(clippy::print_stdout, reason = "long tests print their figures")]

use tilewalk_sim::agent::Drive;
use tilewalk_sim::body::Body;
use tilewalk_sim::event::EventKind;
use tilewalk_sim::geom::Vec2;
use tilewalk_sim::map::{Corners, Edges, Map, Obstacle};
use tilewalk_sim::steering::combine::Combine;
use tilewalk_sim::steering::{
    AvoidObstacles, Behaviour, ForceBreakdown, Hide, Note, Target, WeightedBehaviour,
};
use tilewalk_sim::step::{explain, step};
use tilewalk_sim::world::World;

use super::steering::{IT, ME, V, add, dot, len, mover, mul, sub, unit};
use crate::support::build;

/// If a value is nearer than this to a threshold, rounding may decide. In tiles.
const CLOSE: f64 = 0.01;

/// Random numbers that depend only on the seed.
pub(super) struct TestRng(pub u64);

impl TestRng {
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        low + (high - low) * ((self.0 >> 40) as f64 / f64::from(1 << 24))
    }

    /// Returns a random radius of up to `most` tiles. Radii below and above 0.5 are equally frequent.
    pub fn radius(&mut self, most: f64) -> f32 {
        let (low, high) = if self.between(0.0, 1.0) < 0.5 { (0.05, 0.5) } else { (0.5, most) };
        self.between(low, high) as f32
    }
}

pub(super) fn wide(u: Vec2) -> V {
    (f64::from(u.x), f64::from(u.y))
}

pub(super) fn narrow(u: V) -> Vec2 {
    Vec2::new(u.0 as f32, u.1 as f32)
}

fn with_rocks(plain: &Map, rocks: Vec<Obstacle>) -> Map {
    let (tiles, legend) = (plain.tiles().clone(), plain.legend().to_vec());
    Map::new(tiles, legend, rocks, plain.edges(), Corners::default()).expect("a map")
}

/// Returns the part of a radius that exceeds half a tile.
pub(super) fn excess(radius: f32) -> f64 {
    (f64::from(radius) - 0.5).max(0.0)
}

/// Computes the output of `avoid_obstacles`, with its default values, by the formula in the docs. Returns
/// `None` if rounding could decide.
fn avoided(world: &World, rocks: &[Obstacle]) -> Option<V> {
    let (me, body) = (mover(world, ME), world.body(ME));
    let (radius, most) = (f64::from(body.radius), f64::from(body.max_force));
    let length = 2.0 * (1.0 + len(me.v) / f64::from(body.max_speed)) + excess(body.radius);
    let side = (-me.h.1, me.h.0);
    let mut met: Vec<(f64, V)> = Vec::new();
    for rock in rocks {
        let (around, size) = (sub(wide(rock.centre), me.p), f64::from(rock.radius));
        let (x, y) = (dot(around, me.h), dot(around, side));
        let reach = size + radius + 0.2;
        let edge = length + excess(body.radius) - (len(around) - size);
        if [x, edge, reach - y.abs(), y].into_iter().any(|value| value.abs() < CLOSE) {
            return None;
        }
        if x < 0.0 || edge < 0.0 || y.abs() >= reach {
            continue;
        }
        let chord = (reach * reach - y * y).sqrt();
        let enters = x - chord;
        if chord < 0.5 || enters.abs() < CLOSE || (enters - length).abs() < CLOSE {
            return None;
        }
        let both_small = size <= 0.5 && radius <= 0.5;
        if enters > length && !both_small {
            continue;
        }
        let ahead = if size > 0.5 { enters.max(0.0) } else { x };
        let near = ((length - ahead) / length).clamp(0.0, 1.0);
        let overlap = (reach - y.abs()) / (size.min(0.5) + radius.min(0.5) + 0.2);
        let push = (-0.2 * near, -y.signum() * overlap.min(1.0) * (1.0 + near));
        let force = mul(add(mul(me.h, push.0), mul(side, push.1)), most);
        met.push((if enters > 0.0 { enters } else { x + chord }, force));
    }
    met.sort_by(|a, b| a.0.total_cmp(&b.0));
    match met[..] {
        [] => Some((0.0, 0.0)),
        [(first, _), (second, _), ..] if second - first < CLOSE => None,
        [(_, force), ..] => Some(force),
    }
}

fn steer(rows: Vec<WeightedBehaviour>) -> Drive {
    Drive::Steer { combine: Combine::Prioritized, rows }
}

/// Returns a drive that avoids obstacles first, and then seeks a point.
fn past_rocks(goal: V) -> Drive {
    let avoid = build::behaviour(Behaviour::AvoidObstacles(AvoidObstacles::default()), None);
    let seek = build::behaviour(Behaviour::Seek, Some(Target::Point(narrow(goal))));
    steer(vec![WeightedBehaviour { weight: 10.0, ..avoid }, seek])
}

#[test]
fn avoid_obstacles_agrees_with_its_oracle_for_all_radii() {
    let mut rng = TestRng(0xa401d);
    let plain = build::map(&vec![".".repeat(200); 200], Edges::Wall);
    let (mut compared, mut pushed) = (0, 0);
    for _ in 0..build::tries(150) {
        let rock = |rng: &mut TestRng| {
            let radius = rng.radius(64.0);
            let centre = narrow((rng.between(2.0, 198.0), rng.between(2.0, 198.0)));
            Obstacle { centre, radius, opaque: false }
        };
        let rocks: Vec<Obstacle> = (0..12).map(|_| rock(&mut rng)).collect();
        let radius = rng.radius(8.0);
        // The start is near a rock, and the goal is behind the rock.
        let rock = rocks[rng.between(0.0, 12.0) as usize];
        let turn = rng.between(0.0, core::f64::consts::TAU);
        let out = (libm::cos(turn), libm::sin(turn));
        let gap = f64::from(rock.radius + radius) + rng.between(0.3, 6.0);
        let start = add(wide(rock.centre), mul(out, gap));
        let aside = mul((-out.1, out.0), rng.between(-1.2, 1.2) * f64::from(rock.radius));
        let goal = add(sub(wide(rock.centre), mul(out, gap)), aside);
        let map = with_rocks(&plain, rocks.clone());
        if !map.fits(narrow(start), radius) {
            continue;
        }
        let mut scenario = build::scenario(map);
        let body = Body { radius, ..Body::default() };
        build::add(&mut scenario, "me", narrow(start), body, past_rocks(goal));
        let mut world = build::world(scenario);
        for _ in 0..60 {
            if let Some(expected) = avoided(&world, &rocks) {
                let force = wide(explain(&world, ME).forces.rows[0].raw.force);
                let off = len(sub(force, expected));
                assert!(off < 0.05, "{force:?} for {expected:?}, radius {radius}, {rocks:?}");
                compared += 1;
                pushed += usize::from(expected != (0.0, 0.0));
            }
            step(&mut world);
        }
    }
    println!("{compared} forces, {pushed} of them not zero");
    assert!(compared > 1000 && pushed > 500, "{pushed} of {compared}");
}

/// Lets a body seek a point behind a rock in 24 runs. Returns the number of runs in which it bumps into the
/// rock.
fn runs_with_bumps(radius: f32, rock: f32) -> usize {
    let reach = f64::from(radius + rock) + 0.2;
    let away = reach + 6.0;
    let side = 2.0 * (away + f64::from(radius) + 2.0).ceil();
    let middle = (side / 2.0, side / 2.0);
    let plain = build::map(&vec![".".repeat(side as usize); side as usize], Edges::Wall);
    let map =
        with_rocks(&plain, vec![Obstacle { centre: narrow(middle), radius: rock, opaque: false }]);
    let bumps = |run: usize| {
        let aside = reach * (run as f64 / 12.0 - 0.97);
        let mut scenario = build::scenario(map.clone());
        let goal = add(middle, (away, aside));
        let start = narrow(add(middle, (-away, aside)));
        let body = Body { radius, ..Body::default() };
        build::add(&mut scenario, "me", start, body, past_rocks(goal));
        let mut world = build::world(scenario);
        let mut bumped = false;
        for _ in 0..(away * 40.0) as usize {
            step(&mut world);
            bumped |= world.events().iter().any(|event| matches!(event.kind, EventKind::Bump(_)));
            if len(sub(mover(&world, ME).p, goal)) < 2.0 {
                return bumped;
            }
        }
        panic!("a body of radius {radius} does not get round a rock of {rock}, {aside} aside");
    };
    (0..24).filter(|&run| bumps(run)).count()
}

#[test]
fn bodies_pass_rocks_of_any_size_and_rarely_bump_into_them() {
    for radius in [0.3, 2.0, 8.0] {
        for rock in [0.4, 1.0, 4.0, 8.0] {
            let bumps = runs_with_bumps(radius, rock);
            println!("radius {radius}, rock {rock}: {bumps} of 24 runs with a bump");
            assert!(bumps <= 1, "{bumps} of 24 bodies of radius {radius} run into rocks of {rock}");
        }
    }
}

/// A scene with an agent that hides from another one.
struct Hiding {
    map: Map,
    rocks: Vec<Obstacle>,
    me: V,
    from: V,
    radius: f32,
}

impl Hiding {
    /// Returns the shortest vector from one point to another.
    fn offset(&self, from: V, to: V) -> V {
        let short = |length: f64, side: u32| match self.map.edges() {
            Edges::Wall => length,
            Edges::Wrap => length - f64::from(side) * (length / f64::from(side)).round(),
        };
        let (x, y) = sub(to, from);
        (short(x, self.map.width()), short(y, self.map.height()))
    }

    fn border_distance(&self, at: V) -> f64 {
        let (width, height) = (f64::from(self.map.width()), f64::from(self.map.height()));
        match self.map.edges() {
            Edges::Wall => at.0.min(at.1).min(width - at.0).min(height - at.1),
            Edges::Wrap => f64::INFINITY,
        }
    }

    /// Computes the hiding spots where the agent fits by the formula in the docs. Returns their offsets
    /// from the agent, nearest first, or `None` if rounding could decide.
    fn spots(&self) -> Option<Vec<V>> {
        let radius = f64::from(self.radius);
        let is_wide = self.radius > 0.5;
        let distance = if is_wide { f64::max(0.8, radius + 0.1) } else { 0.8 };
        let mut spots = Vec::new();
        for rock in &self.rocks {
            let (centre, size) = (wide(rock.centre), f64::from(rock.radius));
            let behind = self.offset(self.from, centre);
            let at = add(centre, mul(unit(behind), size + distance));
            // A small body only has to stay outside large obstacles, but a wide body needs clearance from
            // all obstacles.
            let room = |other: &Obstacle| {
                let own = if is_wide { radius - 0.002 } else { 0.0 };
                if other.radius > 0.5 || is_wide {
                    len(self.offset(at, wide(other.centre))) - own - f64::from(other.radius)
                } else {
                    f64::INFINITY
                }
            };
            let border = self.border_distance(at) - if is_wide { radius - 0.002 } else { 0.0 };
            let least = self.rocks.iter().map(room).fold(border, f64::min);
            let half = (f64::from(self.map.width()), f64::from(self.map.height()));
            let tie = [(behind.0, half.0), (behind.1, half.1)]
                .into_iter()
                .any(|(length, side)| (length.abs() - side / 2.0).abs() < CLOSE);
            if least.abs() < CLOSE || (tie && self.map.edges() == Edges::Wrap) {
                return None;
            }
            if least > 0.0 {
                spots.push(self.offset(self.me, at));
            }
        }
        spots.sort_by(|a, b| len(*a).total_cmp(&len(*b)));
        Some(spots)
    }

    fn explain(&self) -> ForceBreakdown {
        let mut scenario = build::scenario(self.map.clone());
        // All obstacles of the scene are within this range.
        let hide = Behaviour::Hide(Hide { range: 200.0, ..Hide::default() });
        let body = Body { radius: self.radius, ..Body::default() };
        let rows = vec![build::behaviour(hide, Some(Target::Agent(IT)))];
        build::add(&mut scenario, "me", narrow(self.me), body, steer(rows));
        build::add(&mut scenario, "it", narrow(self.from), Body::default(), Drive::Stand);
        explain(&build::world(scenario), ME).forces
    }
}

/// Returns a random scene, or `None` if the body does not fit at its start.
fn hiding(rng: &mut TestRng) -> Option<Hiding> {
    let edges = if rng.between(0.0, 1.0) < 0.5 { Edges::Wall } else { Edges::Wrap };
    let plain = build::map(&vec![".".repeat(150); 150], edges);
    let mut point = || (rng.between(1.0, 149.0), rng.between(1.0, 149.0));
    let (me, from, centres) = (point(), point(), [point(), point(), point(), point()]);
    let count = rng.between(0.0, 4.99) as usize;
    let rock =
        |&centre: &V| Obstacle { centre: narrow(centre), radius: rng.radius(36.0), opaque: false };
    let rocks: Vec<Obstacle> = centres[..count].iter().map(rock).collect();
    let radius = rng.radius(8.0);
    let map = with_rocks(&plain, rocks.clone());
    map.fits(narrow(me), radius).then_some(Hiding { map, rocks, me, from, radius })
}

#[test]
fn hide_agrees_with_its_oracle_for_all_radii() {
    let mut rng = TestRng(0x41de);
    let (mut hidden, mut without) = (0, 0);
    for _ in 0..build::tries(1500) {
        let Some(scene) = hiding(&mut rng) else { continue };
        let Some(spots) = scene.spots() else { continue };
        let breakdown = scene.explain();
        let force = wide(breakdown.rows[0].raw.force);
        let chosen = breakdown.notes.iter().find_map(|(_, note)| match note {
            Note::HidingSpot { at, chosen: true, .. } => Some(wide(*at)),
            _ => None,
        });
        // The agent starts at rest, with max_speed 4 and gain 8.
        let expected = match spots[..] {
            [first, second, ..] if len(second) - len(first) < CLOSE => continue,
            [first, ..] => {
                let at = chosen.expect("a spot");
                assert!(len(sub(sub(at, scene.me), first)) < 1e-3, "{at:?}, not {first:?} away");
                hidden += 1;
                mul(unit(first), (len(first) / 0.3).min(4.0) * 8.0)
            }
            [] => {
                assert_eq!(chosen, None);
                without += 1;
                let away = scene.offset(scene.from, scene.me);
                let evades = len(away) <= 6.0;
                if evades { mul(unit(away), 32.0) } else { (0.0, 0.0) }
            }
        };
        assert!(len(sub(force, expected)) < 0.01, "{force:?} for {expected:?}");
    }
    println!("{hidden} with a spot, {without} without");
    assert!(hidden > 400 && without > 100, "{hidden} with a spot, {without} without");
}

/// Returns whether an obstacle, or one of its copies on a torus, crosses the line of sight and contains
/// neither end of the line. Returns `None` if rounding could decide.
fn blocks(scene: &Hiding, a: V, b: V, rock: &Obstacle) -> Option<bool> {
    let line = scene.offset(a, b);
    let (width, height) = (f64::from(scene.map.width()), f64::from(scene.map.height()));
    let copies = if scene.map.edges() == Edges::Wrap { -1..=1 } else { 0..=0 };
    let mut blocked = false;
    for (x, y) in copies.clone().flat_map(|x| copies.clone().map(move |y| (x, y))) {
        let shift = (f64::from(x) * width, f64::from(y) * height);
        let off = sub(a, add(wide(rock.centre), shift));
        let share = (-dot(off, line) / dot(line, line)).clamp(0.0, 1.0);
        let size = f64::from(rock.radius);
        let ends = [len(off) - size, len(add(off, line)) - size];
        let least = len(add(off, mul(line, share))) - size;
        if ends.into_iter().chain([least]).any(|room| room.abs() < CLOSE) {
            return None;
        }
        blocked |= least < 0.0 && ends.into_iter().all(|room| room > 0.0);
    }
    Some(blocked)
}

#[test]
fn opaque_obstacles_block_exactly_the_lines_of_sight_that_cross_them() {
    let mut rng = TestRng(0x51647);
    let (mut seen, mut hidden) = (0, 0);
    for case in 0..build::tries(1500) {
        let Some(mut scene) = hiding(&mut rng) else { continue };
        if let (Some(rock), true) = (scene.rocks.first(), case % 4 != 0) {
            // The other agent is roughly behind the first obstacle.
            let far = f64::from(rock.radius) * 1.3;
            let jitter = (rng.between(-far, far), rng.between(-far, far));
            let offset = scene.offset(scene.me, wide(rock.centre));
            scene.from = add(scene.me, add(mul(offset, 1.7), jitter));
            let inside = |at: f64| (1.0..149.0).contains(&at);
            if !inside(scene.from.0) || !inside(scene.from.1) {
                continue;
            }
        }
        let half = (f64::from(scene.map.width()) / 2.0, f64::from(scene.map.height()) / 2.0);
        let offset = scene.offset(scene.me, scene.from);
        if (offset.0.abs() - half.0).abs() < CLOSE || (offset.1.abs() - half.1).abs() < CLOSE {
            continue;
        }
        for (index, rock) in scene.rocks.iter_mut().enumerate() {
            rock.opaque = (case + index) % 3 != 0;
        }
        scene.map = with_rocks(&scene.map, scene.rocks.clone());
        let opaque = scene.rocks.iter().filter(|rock| rock.opaque);
        let blocked: Option<Vec<bool>> =
            opaque.map(|rock| blocks(&scene, scene.me, scene.from, rock)).collect();
        let Some(blocked) = blocked else { continue };
        let (me, from) = (narrow(scene.me), narrow(scene.from));
        let sees = scene.map.sees(me, from);
        assert_eq!(sees, !blocked.contains(&true), "{me} to {from} among {:?}", scene.rocks);
        assert_eq!(sees, scene.map.sees(from, me), "sight is symmetric");
        assert_eq!(scene.map.sight_hit(me, from).is_some(), !sees);
        *(if sees { &mut seen } else { &mut hidden }) += 1;
    }
    println!("{seen} seen, {hidden} hidden");
    assert!(seen > 300 && hidden > 100, "{seen} seen, {hidden} hidden");
}
