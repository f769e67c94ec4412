//! Compares walls to exact geometry. The oracles use only the end points of the walls.
#![expect(clippy::print_stdout, reason = "long tests print their figures")]

use super::*;
use crate::cancel::Cancel;
use crate::map::components::Components;
use crate::map::route::{NextStep, RouteField};
use crate::map::search::{PathQuery, PathSearch};
use crate::map::sweep::{self, SKIN, slide, stop};
use crate::map::tests::drawn;

/// Side length of the test maps, in tiles.
const SIDE: usize = 40;

/// A generator of random numbers that depend only on a seed.
pub(in crate::map) struct Draws(pub u64);

impl Draws {
    /// Returns a random number in [0, 1).
    pub(in crate::map) fn share(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(in crate::map) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.share()
    }

    pub(in crate::map) fn point(&mut self, low: f64, high: f64) -> Vec2 {
        Vec2::new(self.between(low, high) as f32, self.between(low, high) as f32)
    }

    /// Returns a random motion in any direction: often short, sometimes across the whole map.
    fn motion(&mut self) -> Vec2 {
        let angle = self.between(0.0, 6.3) as f32;
        let length = 60.0 * self.share() * self.share() * self.share();
        Vec2::new(libm::cosf(angle), libm::sinf(angle)) * length as f32
    }
}

/// Returns the number of cases of a long test. The environment variable `TILEWALK_CASES` overrides
/// the default, `few`.
pub(in crate::map) fn cases(few: usize) -> usize {
    std::env::var("TILEWALK_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(few)
}

pub(in crate::map) fn wall(from: Vec2, to: Vec2) -> Wall {
    Wall { from, to, one_sided: false, opaque: true, entry: 0 }
}

pub(super) fn open(edges: Edges, walls: Vec<Wall>) -> Map {
    let row = ".".repeat(SIDE);
    drawn(&vec![row.as_str(); SIDE], edges).with_walls(walls, vec![String::new()])
}

fn exact(point: Vec2) -> [f64; 2] {
    [point.x.into(), point.y.into()]
}

/// Returns the distance from a point to a wall, in tiles.
fn distance(wall: &Wall, [x, y]: [f64; 2]) -> f64 {
    let ([ax, ay], [bx, by]) = (exact(wall.from), exact(wall.to));
    let (dx, dy) = (bx - ax, by - ay);
    let share = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy);
    let share = share.clamp(0.0, 1.0);
    let (ex, ey) = (x - ax - share * dx, y - ay - share * dy);
    (ex * ex + ey * ey).sqrt()
}

/// Returns the distance from a point to the nearest wall, in tiles.
fn nearest(walls: &[Wall], at: [f64; 2]) -> f64 {
    walls.iter().map(|wall| distance(wall, at)).fold(f64::INFINITY, f64::min)
}

/// Moves a point along a motion in steps that cannot reach any wall. Returns the share of the
/// motion after which the distance to a wall is first `reach`. Also returns the smallest distance
/// up to there.
fn march(walls: &[Wall], start: [f64; 2], motion: [f64; 2], reach: f64) -> (f64, f64) {
    let length = (motion[0] * motion[0] + motion[1] * motion[1]).sqrt();
    let (mut share, mut least) = (0.0, f64::INFINITY);
    for _ in 0..2000 {
        let at = [start[0] + motion[0] * share, start[1] + motion[1] * share];
        let near = nearest(walls, at);
        least = least.min(near);
        if near - reach < 1e-7 {
            return (share, least);
        }
        share += (near - reach) / length;
        if share >= 1.0 {
            return (1.0, least);
        }
    }
    (share, least)
}

/// Checks the first contacts with random walls against exact geometry.
#[test]
fn first_contacts_match_exact_geometry() {
    let mut draws = Draws(0x5eed);
    let (mut contacts, mut worst, mut moves) = (0, 0.0_f64, 0);
    while moves < cases(3000) {
        let count = 1 + (draws.share() * 8.0) as usize;
        let walls: Vec<Wall> =
            (0..count).map(|_| wall(draws.point(2.0, 38.0), draws.point(2.0, 38.0))).collect();
        let map = open(Edges::Wall, walls.clone());
        for _ in 0..8 {
            let radius = draws.between(0.05, 0.49) as f32;
            let start = draws.point(1.0, 39.0);
            let motion = draws.motion();
            let reach = f64::from(radius + SKIN);
            let end = start + motion;
            let inside = end.min_element() > 1.0 && end.max_element() < 39.0;
            if !inside || nearest(&walls, exact(start)) < reach + 1e-3 || motion == Vec2::ZERO {
                continue;
            }
            moves += 1;
            let (end, contact) = stop(&map, start, motion, radius);
            let (share, least) = march(&walls, exact(start), exact(motion), reach);
            if (least - reach).abs() < 1e-4 && share >= 1.0 {
                // The disc passes a wall by less than rounding.
                continue;
            }
            let expected = (start.as_dvec2() + motion.as_dvec2() * share).as_vec2();
            let error = f64::from((end - expected).length());
            // A disc that grazes a wall meets it anywhere within the marching tolerance.
            let angle =
                contact.map_or(1.0, |contact| -contact.normal.dot(crate::geom::unit(motion)));
            if angle > 0.01 {
                worst = worst.max(error);
                assert!(error < 5e-5, "from {start} by {motion}: {end}, not {expected}");
            }
            assert_eq!(contact.is_some(), share < 1.0, "from {start} by {motion}: {contact:?}");
            contacts += usize::from(contact.is_some());
        }
    }
    println!("{moves} moves, {contacts} contacts, largest error {worst:.1e} tiles");
    assert!(contacts > moves / 10);
}

/// Checks that a disc in a closed room of walls never leaves the room. The disc must also stay at
/// least its radius away from the walls.
#[test]
fn discs_never_leave_a_room_of_any_shape() {
    let mut draws = Draws(0x2007);
    let (mut moves, mut closest) = (0, f64::INFINITY);
    while moves < cases(10_000) {
        let corners = 3 + (draws.share() * 7.0) as usize;
        let point = |draws: &mut Draws, index: usize| {
            let angle =
                (index as f64 + draws.between(0.1, 0.9)) / corners as f64 * core::f64::consts::TAU;
            let far = draws.between(1.5, 18.0);
            let (sin, cos) = (libm::sin(angle), libm::cos(angle));
            Vec2::new((20.0 + cos * far) as f32, (20.0 + sin * far) as f32)
        };
        let room: Vec<Vec2> = (0..corners).map(|index| point(&mut draws, index)).collect();
        let side = |index: usize| wall(room[index], room[(index + 1) % corners]);
        let walls: Vec<Wall> = (0..corners).map(side).collect();
        let map = open(Edges::Wall, walls.clone());
        let radius = draws.between(0.05, 0.49) as f32;
        let mut at = Vec2::splat(20.0);
        if nearest(&walls, exact(at)) < f64::from(radius + 2.0 * SKIN) || !is_inside(&room, at) {
            continue;
        }
        for _ in 0..50 {
            let motion = draws.motion();
            // Presses into the same corner for a while, at different speeds.
            for _ in 0..=(draws.share() * 6.0) as usize {
                let slid = slide(&map, at, motion, radius);
                moves += 1;
                assert!(is_inside(&room, slid.end), "left {room:?} from {at} by {motion}");
                let near = nearest(&walls, exact(slid.end)) - f64::from(radius);
                closest = closest.min(near);
                assert!(near > 0.0, "{near} from {at} by {motion} to {}: {room:?}", slid.end);
                at = slid.end;
            }
        }
    }
    println!("{moves} moves, smallest gap {closest:.6} tiles");
}

/// Returns true if a point is inside a polygon, by the even-odd rule.
fn is_inside(room: &[Vec2], at: Vec2) -> bool {
    let [x, y] = exact(at);
    let mut inside = false;
    for index in 0..room.len() {
        let ([ax, ay], [bx, by]) = (exact(room[index]), exact(room[(index + 1) % room.len()]));
        if (ay > y) != (by > y) && x < ax + (y - ay) / (by - ay) * (bx - ax) {
            inside = !inside;
        }
    }
    inside
}

/// Checks that rounding errors do not add up over thousands of frames. The disc slides along a
/// slanted wall, or into the acute corner between the wall and a row of tiles.
#[test]
fn rounding_errors_do_not_add_up() {
    let mut draws = Draws(0xc0de);
    let mut closest = f64::INFINITY;
    for _ in 0..40 {
        let rise = draws.between(0.02, 1.5) as f32;
        let side = wall(Vec2::new(20.0, 39.0), Vec2::new(39.9, 39.0 - 19.9 * rise.min(1.9)));
        let map = open(Edges::Wall, vec![side]);
        let radius = draws.between(0.05, 0.49) as f32;
        let mut at = Vec2::new(20.0, 36.0);
        let mut motion = Vec2::new(draws.between(-0.1, 0.2) as f32, 0.1);
        for frame in 0..4000 {
            if frame % 1000 == 999 {
                motion =
                    Vec2::new(draws.between(-0.1, 0.2) as f32, draws.between(-0.05, 0.1) as f32);
            }
            at = slide(&map, at, motion, radius).end;
            let gap = distance(&side, exact(at)) - f64::from(radius);
            closest = closest.min(gap);
            assert!(gap > 0.0 && !sweep::overlaps(&map, at, radius), "{gap} at {at}, {frame}");
        }
    }
    println!("smallest gap {closest:.6} tiles");
}

/// Checks that a disc sliding along a wall keeps the part of its motion that is parallel to the
/// wall.
#[test]
fn discs_slide_along_walls_at_full_speed() {
    let mut draws = Draws(0xd15c);
    for _ in 0..2000 {
        let from = draws.point(15.0, 25.0);
        let angle = draws.between(0.0, 6.3) as f32;
        let along = Vec2::new(libm::cosf(angle), libm::sinf(angle));
        let map = open(Edges::Wall, vec![wall(from - along * 12.0, from + along * 12.0)]);
        let radius = draws.between(0.05, 0.49) as f32;
        let mut at = from + along.perp() * (radius + 0.01) - along * 3.0;
        let motion = along * 0.1 - along.perp() * draws.between(0.0, 1.0) as f32;
        for _ in 0..60 {
            let slid = slide(&map, at, motion, radius);
            assert!(((slid.end - at).dot(along) - 0.1).abs() < 1e-4, "at {at} along {along}");
            at = slid.end;
        }
    }
}

/// Checks that a body in front of a one-sided wall never gets behind the wall. A body from behind
/// must pass through.
#[test]
fn one_sided_walls_hold_only_bodies_from_the_front() {
    let mut draws = Draws(0xf00d);
    for _ in 0..cases(3000) {
        let (from, to) = (draws.point(12.0, 28.0), draws.point(12.0, 28.0));
        let side = Wall { one_sided: true, ..wall(from, to) };
        let map = open(Edges::Wall, vec![side]);
        let radius = draws.between(0.05, 0.49) as f32;
        let start = draws.point(5.0, 35.0);
        if distance(&side, exact(start)) < f64::from(radius + 2.0 * SKIN) || from == to {
            continue;
        }
        let motion = draws.motion();
        let (end, contact) = stop(&map, start, motion, radius);
        let height = |at: Vec2| (to - from).perp().as_dvec2().dot(at.as_dvec2() - from.as_dvec2());
        if height(start) < -1e-3 {
            let inside = (start + motion).clamp(Vec2::splat(1.0), Vec2::splat(39.0));
            let free = inside != start + motion || contact.is_none();
            assert!(free, "from behind, {start} by {motion}: {contact:?}");
        }
        let crossed = height(start) > 1e-3 && map.is_wall_between(start, end - start);
        assert!(!crossed, "from the front, {start} by {motion} to {end}");
    }
}

/// Checks that flow fields, routes and components agree about the reachable tiles.
#[test]
fn flow_fields_and_routes_reach_the_same_tiles() {
    let mut draws = Draws(0xf10);
    let mut without = 0;
    for _ in 0..40 {
        let walls = (0..6).map(|_| {
            let one_sided = draws.share() < 0.3;
            Wall { one_sided, ..wall(draws.point(0.0, 12.0), draws.point(0.0, 12.0)) }
        });
        let walls = walls.collect();
        let row = ".".repeat(12);
        let map = drawn(&[row.as_str(); 12], Edges::Wall).with_walls(walls, Vec::new());
        let goal = TilePos::new(6, 6);
        let field = RouteField::towards(&Cancel::default(), &map, core::iter::once(goal)).unwrap();
        let components = Components::of(&map, &Cancel::default()).unwrap();
        for (from, _) in map.tiles().iter().filter(|&(tile, _)| map.is_open(tile)) {
            let query = PathQuery { from, to: goal, held: 0 };
            let route = PathSearch::default().walk(&map, query, u32::MAX, || true);
            let (mut at, mut cost) = (from, 0.0);
            while let Some(NextStep::Step(step)) = field.next_step(at) {
                at = map.step(at, step, true).unwrap();
                cost += if step.is_diagonal() { core::f64::consts::SQRT_2 } else { 1.0 };
            }
            let led = (at == goal && map.is_open(goal)).then_some(cost);
            assert_eq!(route.is_some(), led.is_some(), "from {from}");
            if let (Some(route), Some(cost)) = (route, led) {
                assert!((route.cost() - cost).abs() < 1e-3, "from {from}: {cost}");
                assert!(components.joins(from, goal));
            }
            without += usize::from(led.is_none());
        }
    }
    assert!(without > 100);
}

/// Checks that walls across the edge of a torus act in the same way as other walls.
#[test]
fn walls_act_across_the_edge_of_a_torus() {
    let mut draws = Draws(0x7035);
    for _ in 0..cases(3000) {
        let (from, span) = (draws.point(15.0, 25.0), draws.point(-9.0, 9.0));
        let start = draws.point(12.0, 28.0);
        let motion = draws.motion().clamp_length_max(15.0);
        let shift = Vec2::new(
            (draws.share() * SIDE as f64).floor() as f32,
            (draws.share() * SIDE as f64).floor() as f32,
        );
        let plain = open(Edges::Wrap, vec![wall(from, from + span)]);
        let on_map = |point: Vec2| plain.wrap(point);
        let moved =
            open(Edges::Wrap, vec![wall(on_map(from + shift), on_map(from + span + shift))]);
        if distance(&wall(from, from + span), exact(start)) < 0.4 {
            continue;
        }
        let here = stop(&plain, start, motion, 0.3).0;
        let there = stop(&moved, on_map(start + shift), motion, 0.3).0;
        let difference = plain.offset(on_map(here + shift), on_map(there));
        assert!(difference.length() < 2e-3, "{start} by {motion}: {here}, moved {there}");
        let eye = draws.point(12.0, 28.0);
        assert_eq!(
            plain.wall_blocking_sight(start, eye).is_some(),
            moved.wall_blocking_sight(on_map(start + shift), on_map(eye + shift)).is_some(),
            "{start} and {eye} by {shift}"
        );
    }
}

#[test]
fn sight_hits_are_on_the_wall_also_around_a_torus() {
    let at = |x, y| Vec2::new(x, y);
    // The lines are half a torus long, or the nearest image of the wall's start is another one.
    let across = wall(at(20.0, 8.0), at(20.0, 12.0));
    let long = wall(at(24.0, 28.0), at(10.0, 12.0));
    for (wall, eye, other, hit) in [
        (across, at(10.0, 10.0), at(30.0, 10.0), at(20.0, 10.0)),
        (across, at(30.0, 10.0), at(10.0, 10.0), at(20.0, 10.0)),
        (long, at(2.0, 20.0), at(18.0, 20.0), at(17.0, 20.0)),
        (long, at(18.0, 20.0), at(2.0, 20.0), at(17.0, 20.0)),
    ] {
        let map = open(Edges::Wrap, vec![wall]);
        let found = map.sight_hit(eye, other).unwrap();
        assert!((found - hit).length() < 1e-4, "{eye} to {other}: {found}");
    }
}

#[test]
fn walls_can_be_added_in_two_calls() {
    let at = |x, y| Vec2::new(x, y);
    let first = wall(at(2.0, 3.0), at(8.5, 3.5));
    let second = wall(at(20.0, 3.0), at(21.0, 30.0));
    let names = ["one", "two"].map(ToOwned::to_owned);
    let both = drawn(&[".".repeat(SIDE).as_str(); SIDE], Edges::Wall)
        .with_walls(vec![first, Wall { entry: 1, ..second }], names.to_vec());
    let [one, two] = names;
    let added = drawn(&[".".repeat(SIDE).as_str(); SIDE], Edges::Wall)
        .with_walls(vec![first], vec![one])
        .with_walls(vec![second], vec![two]);
    assert!(added == both, "{:?}", added.walls().list());
}
