//! Oracle for behaviours without a target: `wander`, `avoid_obstacles` and `avoid_walls`, implemented again
//! in f64 and compared for 200 frames.
//!
//! Trees and walls stand on an otherwise open map. The oracle represents them as discs and boxes, and checks
//! all of them. The agent must not touch a wall, because the oracle has no collision response. The random
//! numbers of `wander` are those of the project, because they are not part of the formula.

use tilewalk_sim::agent::Drive;
use tilewalk_sim::body::Body;
use tilewalk_sim::geom::Vec2;
use tilewalk_sim::map::Edges;
use tilewalk_sim::rng::{RngKey, Use, name_hash};
use tilewalk_sim::steering::combine::Combine;
use tilewalk_sim::steering::{
    AvoidObstacles, AvoidWalls, Behaviour, Target, Wander, WeightedBehaviour,
};
use tilewalk_sim::step::step;

use super::steering::{ME, Mover, V, add, cap, dot, len, mover, mul, sub, unit};
use crate::support::build;

const MAX_SPEED: f64 = 4.0;
const MAX_FORCE: f64 = 12.0;

/// Converts a vector from coordinates of the body to coordinates of the map.
fn to_world(local: V, h: V) -> V {
    (local.0 * h.0 - local.1 * h.1, local.0 * h.1 + local.1 * h.0)
}

/// Compares weighted behaviours with their oracle. `force` returns the sum of the forces for a frame number
/// and the state of the body.
fn assert_agrees(
    rows: &[String],
    start: Vec2,
    gain: f32,
    list: Vec<WeightedBehaviour>,
    mut force: impl FnMut(u64, Mover) -> V,
) {
    let mut scenario = build::scenario(build::map(rows, Edges::Wall));
    build::edit(&mut scenario, |parts| parts.seed = 3);
    let drive = Drive::Steer { combine: Combine::Weighted, rows: list };
    build::add(&mut scenario, "me", start, Body { gain, ..Body::default() }, drive);
    let mut world = build::world(scenario);
    let mut me = mover(&world, ME);
    for frame in 1..=200 {
        me.v = cap(add(me.v, mul(cap(force(frame, me), MAX_FORCE), 0.05)), MAX_SPEED);
        me.p = add(me.p, mul(me.v, 0.05));
        if len(me.v) > 1e-4 {
            me.h = unit(me.v);
        }
        step(&mut world);
        assert!(world.touches(ME).is_none(), "the agent touches a wall in frame {frame}");
        let off = len(sub(mover(&world, ME).p, me.p));
        assert!(off < 1e-3, "off by {off} in frame {frame} (gain {gain})");
    }
}

/// Returns the oracle of `wander`. The oracle keeps its point on the wander circle from frame to frame.
fn wander(row: u32) -> impl FnMut(u64, Mover) -> V {
    let mut point: Option<V> = None;
    move |frame, me| {
        let (agent, mode) = (name_hash("me"), name_hash("steer"));
        let rng_key = RngKey { seed: 3, frame, agent, mode, behaviour: row };
        let before = point.unwrap_or_else(|| {
            let angle = f64::from(rng_key.stream(Use::WanderStart).unit()) * core::f64::consts::TAU;
            (1.2 * libm::cos(angle), 1.2 * libm::sin(angle))
        });
        let mut random = rng_key.stream(Use::Wander);
        let jump = (f64::from(random.triangular()), f64::from(random.triangular()));
        let now = mul(unit(add(before, mul(jump, 8.0 * 0.05))), 1.2);
        point = Some(now);
        mul(to_world(add(now, (2.0, 0.0)), me.h), 4.0)
    }
}

#[test]
fn wander_agrees_with_its_oracle() {
    let rows = vec![".".repeat(120); 120];
    for gain in [8.0, 1.0] {
        let list = vec![build::behaviour(Behaviour::Wander(Wander::default()), None)];
        assert_agrees(&rows, Vec2::splat(60.5), gain, list, wander(0));
    }
}

/// Tiles of the trees for `avoid_obstacles`.
const TREES: [(usize, usize); 9] =
    [(20, 20), (24, 21), (27, 19), (31, 22), (34, 20), (38, 21), (23, 18), (41, 19), (45, 22)];

fn avoid_obstacles(me: Mover, brake: f64) -> V {
    let length = 2.0 * (1.0 + len(me.v) / MAX_SPEED);
    let mut first: Option<(f64, V, f64)> = None;
    for (x, y) in TREES {
        let offset = sub((x as f64 + 0.5, y as f64 + 0.5), me.p);
        let (ahead, side) = (dot(offset, me.h), dot(offset, (-me.h.1, me.h.0)));
        let reach = 0.35 + 0.3 + 0.2;
        if len(offset) > length + 0.35 || ahead < 0.0 || side.abs() >= reach {
            continue;
        }
        let chord = (reach * reach - side * side).sqrt();
        let meets = if ahead > chord { ahead - chord } else { ahead + chord };
        if first.is_none_or(|(nearer, ..)| meets < nearer) {
            first = Some((meets, (ahead, side), reach));
        }
    }
    let Some((_, (ahead, side), reach)) = first else { return (0.0, 0.0) };
    let near = ((length - ahead) / length).clamp(0.0, 1.0);
    let aside = -side.signum() * (reach - side.abs()) / reach * (1.0 + near);
    mul(to_world((-brake * near, aside), me.h), MAX_FORCE)
}

#[test]
fn avoid_obstacles_agrees_with_its_oracle() {
    let mut rows = vec![".".repeat(120); 60];
    for (x, y) in TREES {
        rows[y].replace_range(x..=x, "T");
    }
    let goal = (100.5, 20.6);
    let mut acted = 0;
    // With gain 1, the brake is weaker, because the default brake stops the agent before the first tree.
    for (gain, brake, start) in
        [(8.0, 0.2, 20.6), (1.0, 0.05, 20.6), (8.0, 0.2, 19.2), (1.0, 0.05, 22.3)]
    {
        let seek = build::behaviour(Behaviour::Seek, Some(Target::Point(Vec2::new(100.5, 20.6))));
        let avoid = AvoidObstacles { brake: brake as f32, ..AvoidObstacles::default() };
        let avoid = build::behaviour(Behaviour::AvoidObstacles(avoid), None);
        let list = vec![WeightedBehaviour { weight: 3.0, ..avoid }, seek];
        assert_agrees(&rows, Vec2::new(12.5, start), gain, list, |_, me| {
            let away = avoid_obstacles(me, brake);
            acted += u32::from(away != (0.0, 0.0));
            let wanted = sub(mul(unit(sub(goal, me.p)), MAX_SPEED), me.v);
            add(mul(away, 3.0), mul(wanted, f64::from(gain)))
        });
    }
    assert!(acted > 80, "trees acted in {acted} frames");
}

/// Walls for `avoid_walls`: boxes of tiles, each with its lowest and its highest corner. The first four
/// boxes are beyond the edges of the map.
const BOXES: [(V, V); 7] = [
    ((-9.0, -9.0), (49.0, 0.0)),
    ((-9.0, 26.0), (49.0, 35.0)),
    ((-9.0, -9.0), (0.0, 35.0)),
    ((40.0, -9.0), (49.0, 35.0)),
    ((10.0, 6.0), (14.0, 9.0)),
    ((24.0, 4.0), (26.0, 18.0)),
    ((8.0, 17.0), (16.0, 19.0)),
];

/// Returns the distance at which a ray enters a box, and the normal of the face.
fn enter_distance(from: V, direction: V, (low, high): (V, V)) -> Option<(f64, V)> {
    let axis = |p: f64, d: f64, low: f64, high: f64| {
        let (a, b) = ((low - p) / d, (high - p) / d);
        (a.min(b), a.max(b))
    };
    let (x0, x1) = axis(from.0, direction.0, low.0, high.0);
    let (y0, y1) = axis(from.1, direction.1, low.1, high.1);
    let (enter, leave) = (x0.max(y0), x1.min(y1));
    let normal = if x0 > y0 { (-direction.0.signum(), 0.0) } else { (0.0, -direction.1.signum()) };
    (enter > 0.0 && enter < leave).then_some((enter, normal))
}

fn avoid_walls(me: Mover) -> V {
    let ahead = 2.5 * (len(me.v) / MAX_SPEED).max(0.35);
    let diagonal = 0.5_f64.sqrt();
    let feelers = [
        (me.h, ahead),
        (to_world((diagonal, -diagonal), me.h), ahead * 0.5),
        (to_world((diagonal, diagonal), me.h), ahead * 0.5),
    ];
    let touch = feelers.map(|(direction, length)| {
        let hits = BOXES.iter().filter_map(|&walls| enter_distance(me.p, direction, walls));
        hits.filter(|hit| hit.0 <= length).reduce(|a, b| if b.0 < a.0 { b } else { a })
    });
    let mut nearest: Option<(f64, V, f64)> = None;
    for ((_, length), hit) in feelers.into_iter().zip(touch) {
        if let Some((at, normal)) =
            hit.filter(|hit| nearest.is_none_or(|nearest| hit.0 < nearest.0))
        {
            nearest = Some((at, normal, length));
        }
    }
    let Some((at, normal, length)) = nearest else { return (0.0, 0.0) };
    let strength = MAX_FORCE * (length - at) / length;
    let mut push = mul(normal, strength);
    if dot(normal, me.h) < -0.7 {
        let free = |hit: Option<(f64, V)>| hit.map_or(f64::INFINITY, |hit| hit.0);
        let (port, right) = (free(touch[1]), free(touch[2]));
        let leans = dot((-me.h.1, me.h.0), normal) < 0.0;
        let to_port = port > right || (port >= right && leans);
        let side = if to_port { -0.6 } else { 0.6 };
        push = add(push, mul((-me.h.1, me.h.0), side * strength));
    }
    push
}

#[test]
fn avoid_walls_agrees_with_its_oracle() {
    let mut rows = vec![".".repeat(40); 26];
    for (low, high) in &BOXES[4..] {
        for row in &mut rows[low.1 as usize..high.1 as usize] {
            let across = low.0 as usize..high.0 as usize;
            row.replace_range(across.clone(), &"#".repeat(across.len()));
        }
    }
    let mut acted = 0;
    for (gain, start) in
        [(8.0, (20.5, 12.5)), (1.0, (32.5, 3.5)), (8.0, (30.5, 20.5)), (1.0, (18.5, 22.5))]
    {
        let walls = build::behaviour(Behaviour::AvoidWalls(AvoidWalls::default()), None);
        let wander_row = build::behaviour(Behaviour::Wander(Wander::default()), None);
        let mut wander_force = wander(1);
        let list = vec![WeightedBehaviour { weight: 10.0, ..walls }, wander_row];
        assert_agrees(&rows, Vec2::new(start.0, start.1), gain, list, |frame, me| {
            let away = avoid_walls(me);
            acted += u32::from(away != (0.0, 0.0));
            add(mul(away, 10.0), wander_force(frame, me))
        });
    }
    assert!(acted > 80, "walls acted in {acted} frames");
}
