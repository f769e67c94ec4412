//! Oracle for walls and bodies with radii of up to 8 tiles: the feelers of `avoid_walls` are compared with
//! geometry in f64, and `hug_walls` in passages is compared with its formula. The bodies must also rarely
//! bump into walls.
//!
//! A feeler of a wide body is a moving disc. The oracle repeatedly moves the disc by its distance to the
//! nearest shape, until it touches one.
#![expect(clippy::print_stdout, reason = "long tests print their figures")]

use tilewalk_sim::agent::Drive;
use tilewalk_sim::body::Body;
use tilewalk_sim::event::EventKind;
use tilewalk_sim::map::{Edges, Map, Wall};
use tilewalk_sim::steering::combine::Combine;
use tilewalk_sim::steering::{Behaviour, Hand, HugWalls};
use tilewalk_sim::step::{explain, step};
use tilewalk_sim::world::World;

use super::steering::{ME, V, add, cap, dot, len, mover, mul, sub, unit};
use super::wide_obstacles::{TestRng, excess, narrow, wide};
use crate::support::build;

/// If a value is nearer than this to a threshold, rounding may decide. In tiles.
const CLOSE: f64 = 0.003;

/// The shapes of a room: solid tiles, walls, and the border of the map.
struct Room {
    map: Map,
    tiles: Vec<V>,
    walls: Vec<(V, V)>,
}

impl Room {
    fn random(rng: &mut TestRng) -> Self {
        let side = rng.between(20.0, 44.0) as usize;
        let mut rows = vec![vec!['.'; side]; side];
        let mut tiles = Vec::new();
        for _ in 0..rng.between(0.0, 7.0) as usize {
            let mut number = || rng.between(0.0, side as f64) as usize;
            let (x, y) = (number(), number());
            rows[y][x] = '#';
            tiles.push((x as f64, y as f64));
        }
        let mut point = || {
            let mut number = || rng.between(0.0, side as f64);
            narrow((number(), number()))
        };
        let walls: Vec<Wall> = (0..2)
            .map(|_| Wall { from: point(), to: point(), one_sided: false, opaque: true, entry: 0 })
            .collect();
        let rows: Vec<String> = rows.into_iter().map(|row| row.into_iter().collect()).collect();
        let ends = walls.iter().map(|wall| (wide(wall.from), wide(wall.to))).collect();
        let map = build::map(&rows, Edges::Wall).with_walls(walls, vec![String::new()]);
        Self { map, tiles, walls: ends }
    }

    /// Returns the vector to a point from the nearest point of all shapes.
    fn nearest(&self, at: V) -> V {
        let side = f64::from(self.map.width());
        let border = [(at.0, 0.0), (at.0 - side, 0.0), (0.0, at.1), (0.0, at.1 - side)];
        let tile = |low: &V| {
            let on = (at.0.clamp(low.0, low.0 + 1.0), at.1.clamp(low.1, low.1 + 1.0));
            sub(at, on)
        };
        let wall = |&(from, to): &(V, V)| {
            let line = sub(to, from);
            let share = (dot(sub(at, from), line) / dot(line, line)).clamp(0.0, 1.0);
            sub(at, add(from, mul(line, share)))
        };
        let all = border.into_iter().chain(self.tiles.iter().map(tile));
        let all = all.chain(self.walls.iter().map(wall));
        all.min_by(|a, b| len(*a).total_cmp(&len(*b))).expect("a border")
    }

    /// Moves a disc by at most `length`. Returns the distance at which it touches a shape and the normal
    /// there, or an error if rounding could decide.
    fn feel(
        &self,
        start: V,
        direction: V,
        length: f64,
        radius: f64,
    ) -> Result<Option<(f64, V)>, ()> {
        let mut distance = 0.0;
        for _ in 0..2000 {
            let off = self.nearest(add(start, mul(direction, distance)));
            let room = len(off) - radius;
            if room < 1e-7 {
                let close = length - distance < CLOSE || distance < CLOSE;
                return if close { Err(()) } else { Ok(Some((distance, unit(off)))) };
            }
            if distance > length + CLOSE {
                return Ok(None);
            }
            distance += room;
        }
        Err(())
    }

    /// Computes the output of `avoid_walls`, with its default values, by the formula in the docs. Returns
    /// an error if rounding could decide.
    fn avoided(&self, world: &World) -> Result<V, ()> {
        let (me, body) = (mover(world, ME), world.body(ME));
        let share = (len(me.v) / f64::from(body.max_speed)).max(0.35);
        let (ahead, aside) = (2.5 * share, 1.25 * share);
        let half = core::f64::consts::FRAC_1_SQRT_2;
        let starboard = (-me.h.1, me.h.0);
        let turned = |side: f64| mul(add(me.h, mul(starboard, side)), half);
        let feelers = [(me.h, ahead), (turned(-1.0), aside), (turned(1.0), aside)];
        let mut hits = [None; 3];
        for (hit, (direction, length)) in hits.iter_mut().zip(feelers) {
            let found = self.feel(me.p, direction, length, excess(body.radius))?;
            *hit = found.map(|(distance, normal)| (distance, normal, length));
        }
        let mut met: Vec<_> = hits.into_iter().flatten().collect();
        met.sort_by(|a, b| a.0.total_cmp(&b.0));
        let Some(&(distance, normal, length)) = met.first() else { return Ok((0.0, 0.0)) };
        let strength = 12.0 * (length - distance) / length;
        let mut push = mul(normal, strength);
        let ahead = dot(normal, me.h);
        let lean = dot(starboard, normal);
        let [_, port, right] = hits.map(|hit| hit.map_or(f64::INFINITY, |hit| hit.0));
        let is_even = port == right;
        let tie = met.get(1).is_some_and(|next| next.0 - distance < CLOSE)
            || (ahead + 0.7).abs() < CLOSE
            || (!is_even && (port - right).abs() < CLOSE)
            || (is_even && lean.abs() < CLOSE);
        if tie {
            return Err(());
        }
        if ahead < -0.7 {
            let to_port = if is_even { lean < 0.0 } else { port > right };
            let side = if to_port { -1.0 } else { 1.0 };
            push = add(push, mul(starboard, side * 0.6 * strength));
        }
        Ok(push)
    }
}

#[test]
fn avoid_walls_agrees_with_its_oracle_for_wide_bodies() {
    let mut rng = TestRng(0xfee1);
    let (mut compared, mut pushed) = (0, 0);
    for _ in 0..build::tries(300) {
        let room = Room::random(&mut rng);
        let side = f64::from(room.map.width());
        let radius = rng.between(0.51, 8.0) as f32;
        let at = narrow((rng.between(1.0, side - 1.0), rng.between(1.0, side - 1.0)));
        if !room.map.fits(at, radius) {
            continue;
        }
        let mut scenario = build::scenario(room.map.clone());
        build::edit(&mut scenario, |parts| parts.seed = compared);
        let body = Body { radius, ..Body::default() };
        build::add(&mut scenario, "me", at, body, build::wander());
        let mut world = build::world(scenario);
        for _ in 0..40 {
            if let Ok(expected) = room.avoided(&world) {
                let force = wide(explain(&world, ME).forces.rows[0].raw.force);
                let off = len(sub(force, expected));
                assert!(
                    off < 0.05,
                    "{force:?} for {expected:?}, radius {radius}, {}",
                    world.frame()
                );
                compared += 1;
                pushed += u64::from(expected != (0.0, 0.0));
            }
            step(&mut world);
        }
    }
    println!("{compared} forces, {pushed} of them not zero");
    assert!(compared > 1500 && pushed > 400, "{pushed} of {compared}");
}

fn bumps(drive: Drive, radius: f32, map: &Map, at: V, frames: usize) -> usize {
    let mut scenario = build::scenario(map.clone());
    let body = Body { radius, ..Body::default() };
    build::add(&mut scenario, "me", narrow(at), body, drive);
    let mut world = build::world(scenario);
    let mut count = 0;
    for _ in 0..frames {
        step(&mut world);
        let bump = |kind: &EventKind| matches!(kind, EventKind::Bump(_));
        count += world.events().iter().filter(|event| bump(&event.kind)).count();
    }
    count
}

/// Returns a room in which the centre of a body can be moved by 22 tiles in each direction.
fn room_for(radius: f32) -> Map {
    let side = 22 + (2.0 * radius).ceil() as usize;
    build::map(&vec![".".repeat(side); side], Edges::Wall)
}

#[test]
fn wide_wanderers_bump_at_most_1_5_times_as_often_as_one_tile_wide_ones() {
    let in_ten_minutes = |radius: f32| {
        let map = room_for(radius);
        let middle = f64::from(map.width()) / 2.0;
        bumps(build::wander(), radius, &map, (middle, middle), 12_000)
    };
    let most = in_ten_minutes(0.5);
    for radius in [1.0, 2.0, 4.0, 8.0] {
        let bumps = in_ten_minutes(radius);
        println!("radius {radius}: {bumps} bumps in ten minutes, {most} with radius 0.5");
        assert!(bumps <= most * 3 / 2, "radius {radius}: {bumps} bumps, {most} with 0.5");
    }
}

fn hug(hand: Hand, distance: f32) -> Drive {
    let hug = Behaviour::HugWalls(HugWalls { distance, hand });
    Drive::Steer { combine: Combine::Prioritized, rows: vec![build::behaviour(hug, None)] }
}

/// Each passage runs along the x axis. It has a wall on each side and none ahead.
#[test]
fn hug_walls_agrees_with_its_oracle_in_passages_for_all_radii() {
    let mut rng = TestRng(0x4069);
    let mut narrowed = 0;
    for case in 0..build::tries(400) {
        let height = rng.between(2.0, 40.0).floor();
        let radius = rng.radius(f64::min(8.0, height / 2.0 - 0.3));
        let (own, beyond) = (f64::from(radius), excess(radius));
        let start = (150.0, rng.between(own + 0.1, height - own - 0.1));
        let hand = [Hand::Left, Hand::Right][case % 2];
        let requested = rng.between(0.3, 9.0) as f32;
        let map = build::map(&vec![".".repeat(300); height as usize], Edges::Wall);
        let mut scenario = build::scenario(map);
        let body = Body { radius, ..Body::default() };
        build::add(&mut scenario, "me", narrow(start), body, hug(hand, requested));
        let mut world = build::world(scenario);
        for _ in 0..25 {
            let me = mover(&world, ME);
            // The agent faces east, so the left wall is the upper one.
            let (beside, other, normal) = match hand {
                Hand::Left => (me.p.1, height - me.p.1, 1.0),
                Hand::Right => (height - me.p.1, me.p.1, -1.0),
            };
            let range = f64::from(requested) + 3.0 + beyond;
            let requested = f64::from(requested).max(own + 0.05);
            let opposite = 2.0 * requested + 0.5 - beside;
            // If the agent does not face east, a distant point of the other wall can be the nearest one on
            // the chosen side.
            let turned = me.h.1.abs() > 0.2 || beside > 3.0 * other;
            let tie = (beside - range).abs() < CLOSE || (other - opposite).abs() < CLOSE;
            if turned || tie || beside > range {
                break;
            }
            let distance = if other < opposite {
                let spare = (height - 1.0 - 2.0 * beyond).clamp(0.0, 1.0);
                requested.min(height / 2.0 - spare / 4.0)
            } else {
                requested
            };
            narrowed += usize::from(distance < requested);
            let correction = ((distance - beside) / 0.3).clamp(-4.0, 4.0) * normal;
            let desired = cap((4.0, correction), 4.0);
            let expected = mul(sub(desired, me.v), 8.0);
            let force = wide(explain(&world, ME).forces.rows[0].raw.force);
            let off = len(sub(force, expected));
            assert!(off < 0.02, "{force:?} for {expected:?}, radius {radius}, height {height}");
            step(&mut world);
        }
    }
    println!("{narrowed} distances are reduced");
    assert!(narrowed > 300, "{narrowed}");
}

/// The agents follow the walls of a room for two minutes. The walls have ledges 1 to 3 tiles deep.
#[test]
fn wide_bodies_with_hug_walls_rarely_bump_into_walls() {
    for radius in [0.4, 1.0, 2.0, 4.0] {
        let side = 40 + (8.0 * radius) as usize;
        let rows = |y: usize| -> String {
            let deep = |x: usize| [0, 2, 1, 3][(x / 12) % 4];
            (0..side)
                .map(|x| if y < deep(x) || side - 1 - y < deep(x) { '#' } else { '.' })
                .collect()
        };
        let map = build::map(&(0..side).map(rows).collect::<Vec<_>>(), Edges::Wall);
        let start = (side as f64 / 2.0, side as f64 - f64::from(radius) - 4.5);
        let count = bumps(hug(Hand::Right, radius + 0.5), radius, &map, start, 2400);
        println!("radius {radius}: {count} bumps in two minutes");
        assert!(count <= 2, "radius {radius}: {count} bumps");
    }
}
