//! Oracle for free walls: sight, steps on tiles and routes are compared with brute force in integers. All
//! points lie on a grid of 1/64 tile, so that the oracle does not round.
#![expect(clippy::print_stdout, reason = "long tests print their figures")]

use std::collections::BTreeMap;

use tilewalk_sim::geom::{Direction, TilePos, Vec2};
use tilewalk_sim::map::search::{PathQuery, PathSearch};
use tilewalk_sim::map::{Edges, Map, StepError, Wall};

use crate::support::build;

/// Units of the grid per tile.
const UNIT: i64 = 64;

type Point = (i64, i64);

/// Random numbers that depend only on the seed.
struct TestRng(u64);

impl TestRng {
    fn below(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % below
    }
}

fn on_map((x, y): Point) -> Vec2 {
    Vec2::new(x as f32 / UNIT as f32, y as f32 / UNIT as f32)
}

/// A random map, its size and its walls in units of the grid. Each wall has two ends, and a flag that is
/// true if it is one-sided.
struct Case {
    map: Map,
    size: Point,
    walls: Vec<(Point, Point, bool)>,
}

impl Case {
    fn new(rng: &mut TestRng, walls: usize) -> Self {
        let (width, height) = (4 + rng.below(9) as i64, 4 + rng.below(9) as i64);
        let edges = if rng.below(2) == 0 { Edges::Wall } else { Edges::Wrap };
        let tile = |rng: &mut TestRng| if rng.below(8) == 0 { '#' } else { '.' };
        let rows: Vec<String> =
            (0..height).map(|_| (0..width).map(|_| tile(rng)).collect()).collect();
        // Many walls end at borders or centres of tiles, where ties occur.
        let number = |rng: &mut TestRng, most: i64| match rng.below(3) {
            0 => rng.below(most as usize * 2 + 1) as i64 * UNIT / 2,
            _ => rng.below((most * UNIT) as usize) as i64,
        };
        let walls: Vec<_> = (0..walls)
            .map(|_| {
                let mut end = || (number(rng, width), number(rng, height));
                let (from, to) = (end(), end());
                (from, to, rng.below(3) == 0)
            })
            .filter(|(from, to, _)| from != to)
            .collect();
        let list = walls.iter().map(|&(from, to, one_sided)| {
            let (from, to) = (on_map(from), on_map(to));
            Wall { from, to, one_sided, opaque: true, entry: 0 }
        });
        let map = build::map(&rows, edges).with_walls(list.collect(), vec![String::new()]);
        let size = (width * UNIT, height * UNIT);
        Self { map, size, walls }
    }

    fn wraps(&self) -> bool {
        self.map.edges() == Edges::Wrap
    }

    /// Returns the shortest equivalent of a vector on a torus. If two are equally short, returns the one
    /// with the positive coordinate.
    fn short(&self, (x, y): Point) -> Point {
        if !self.wraps() {
            return (x, y);
        }
        let short = |length: i64, around: i64| {
            let length = length.rem_euclid(around);
            if 2 * length > around { length - around } else { length }
        };
        (short(x, self.size.0), short(y, self.size.1))
    }

    /// Returns all walls, with their copies that can be near the map on a torus.
    fn images(&self) -> Vec<(Point, Point, bool)> {
        let shifts = if self.wraps() { -2..=2 } else { 0..=0 };
        let mut images = Vec::new();
        for &(from, to, one_sided) in &self.walls {
            let offset = self.short((to.0 - from.0, to.1 - from.1));
            if offset == (0, 0) {
                // Both ends are the same point of the torus, so there is no wall.
                continue;
            }
            for x in shifts.clone() {
                for y in shifts.clone() {
                    let from = (from.0 + x * self.size.0, from.1 + y * self.size.1);
                    images.push((from, (from.0 + offset.0, from.1 + offset.1), one_sided));
                }
            }
        }
        images
    }
}

fn cross(o: Point, a: Point, b: Point) -> i64 {
    (a.0 - o.0) * (b.1 - o.1) - (a.1 - o.1) * (b.0 - o.0)
}

/// Returns true if two segments have a point in common.
fn meet((a, b): (Point, Point), (c, d): (Point, Point)) -> bool {
    let on = |o: Point, p: Point, q: Point| {
        cross(o, p, q) == 0
            && (o.0.min(p.0)..=o.0.max(p.0)).contains(&q.0)
            && (o.1.min(p.1)..=o.1.max(p.1)).contains(&q.1)
    };
    let apart = |o, p, q, r| cross(o, p, q).signum() * cross(o, p, r).signum() < 0;
    (apart(a, b, c, d) && apart(c, d, a, b))
        || on(a, b, c)
        || on(a, b, d)
        || on(c, d, a)
        || on(c, d, b)
}

fn centre(tile: TilePos) -> Point {
    (i64::from(tile.x) * UNIT + UNIT / 2, i64::from(tile.y) * UNIT + UNIT / 2)
}

/// Returns true if a wall blocks a step, because it touches the line between the centres of both tiles. A
/// one-sided wall only blocks steps against its normal, which points to the right.
fn blocks_step((from, to, one_sided): (Point, Point, bool), a: Point, b: Point) -> bool {
    let right = (-(to.1 - from.1), to.0 - from.0);
    let inward = (b.0 - a.0) * right.0 + (b.1 - a.1) * right.1 < 0;
    (!one_sided || inward) && meet((a, b), (from, to))
}

/// Returns true if a wall closes a tile, because it passes within 0.001 tiles of its centre.
fn closes((from, to, _): (Point, Point, bool), at: Point) -> bool {
    let line = ((to.0 - from.0) as f64, (to.1 - from.1) as f64);
    let off = ((at.0 - from.0) as f64, (at.1 - from.1) as f64);
    let share = (off.0 * line.0 + off.1 * line.1) / (line.0 * line.0 + line.1 * line.1);
    let share = share.clamp(0.0, 1.0);
    let rest = (off.0 - line.0 * share, off.1 - line.1 * share);
    (rest.0 * rest.0 + rest.1 * rest.1).sqrt() / (UNIT as f64) < 1e-3
}

#[test]
fn walls_block_exactly_the_lines_of_sight_that_touch_them() {
    let mut rng = TestRng(0x51647);
    let (mut seen, mut hidden) = (0, 0);
    for _ in 0..build::tries(300) {
        let count = 1 + rng.below(3);
        let case = Case::new(&mut rng, count);
        let images = case.images();
        for _ in 0..40 {
            let point = |rng: &mut TestRng| {
                (rng.below(case.size.0 as usize) as i64, rng.below(case.size.1 as usize) as i64)
            };
            let (mut a, mut b) = (point(&mut rng), point(&mut rng));
            let sees = case.map.wall_blocking_sight(on_map(a), on_map(b)).is_none();
            assert_eq!(sees, case.map.wall_blocking_sight(on_map(b), on_map(a)).is_none());
            if (b.1, b.0) < (a.1, a.0) {
                (a, b) = (b, a);
            }
            let offset = case.short((b.0 - a.0, b.1 - a.1));
            let to = (a.0 + offset.0, a.1 + offset.1);
            let blocked = images.iter().any(|&(from, end, _)| meet((a, to), (from, end)));
            assert_eq!(sees, !blocked, "{a:?} to {to:?} in {:?}", case.walls);
            let tiles = [a, b].map(|at| TilePos::containing(on_map(at)));
            let line = case.map.line(tiles[0], tiles[1]);
            let clear = (1..line.len()).all(|step| !case.map.is_opaque(line.tile(step)));
            assert_eq!(case.map.sees(on_map(a), on_map(b)), clear && !blocked);
            *(if sees { &mut seen } else { &mut hidden }) += 1;
        }
    }
    println!("{seen} seen, {hidden} hidden");
    assert!(seen > 1000 && hidden > 1000, "{seen} seen, {hidden} hidden");
}

/// Compares the steps and routes on a map with brute force. Returns the number of blocked steps.
fn check_routes(case: &Case, rng: &mut TestRng) -> usize {
    let (map, images) = (&case.map, case.images());
    let tiles: Vec<TilePos> = map.tiles().iter().map(|(tile, _)| tile).collect();
    let walled = |tile: TilePos| images.iter().any(|&wall| closes(wall, centre(tile)));
    let open: BTreeMap<TilePos, bool> =
        tiles.iter().map(|&tile| (tile, !map.is_solid(tile) && !walled(tile))).collect();
    let is_open = |tile: TilePos| map.resolve(tile).is_some_and(|tile| open[&tile]);
    let mut edges: BTreeMap<TilePos, Vec<(Direction, TilePos, f64)>> = BTreeMap::new();
    let mut blocked = 0;
    for &from in &tiles {
        for direction in Direction::ALL {
            let to = from.neighbour(direction);
            let is_blocked = images.iter().any(|&wall| blocks_step(wall, centre(from), centre(to)));
            let beside = [direction.turned(-1), direction.turned(1)]
                .map(|side| is_open(from.neighbour(side)));
            let corner = direction.is_diagonal() && beside.contains(&false);
            let free = is_open(to) && !is_blocked;
            assert_eq!(
                map.step(from, direction, true).is_ok(),
                free && !corner,
                "{from} {direction:?} {:?}",
                case.walls
            );
            assert_eq!(map.step(from, direction, false).is_ok(), free);
            if is_open(to) && is_blocked {
                blocked += 1;
                let reason = map.step(from, direction, false).expect_err("a blocked step");
                assert!(matches!(reason, StepError::FreeWall(..)), "{reason}");
            }
            if free && !corner && is_open(from) {
                let length = if direction.is_diagonal() { 2.0_f64.sqrt() } else { 1.0 };
                let to = map.resolve(to).expect("an open tile");
                edges.entry(from).or_default().push((direction, to, length));
            }
        }
    }
    let starts: Vec<TilePos> = tiles.iter().copied().filter(|&tile| is_open(tile)).collect();
    if starts.is_empty() {
        return blocked;
    }
    let goal = starts[rng.below(starts.len())];
    // The shortest distance from each tile to the goal (Bellman–Ford).
    let mut best = BTreeMap::from([(goal, 0.0_f64)]);
    for _ in 0..tiles.len() {
        for (&from, steps) in &edges {
            for &(_, to, length) in steps {
                let Some(&left) = best.get(&to) else { continue };
                let known = best.entry(from).or_insert(f64::INFINITY);
                *known = known.min(left + length);
            }
        }
    }
    let mut search = PathSearch::default();
    for &from in &starts {
        let route = search.walk(map, PathQuery { from, to: goal, held: 0 }, u32::MAX, || true);
        let cost = best.get(&from).copied();
        assert_eq!(
            route.as_ref().map(|route| route.cost() < f64::INFINITY),
            cost.map(|_| true),
            "{from} to {goal}"
        );
        if let (Some(route), Some(cost)) = (route, cost) {
            assert!((route.cost() - cost).abs() < 1e-6, "{} for {cost}", route.cost());
            let mut at = from;
            for step in route.steps {
                at = map.step(at, step, true).expect("an open step");
            }
            assert_eq!(at, goal);
        }
    }
    blocked
}

#[test]
fn routes_avoid_exactly_the_steps_that_walls_block() {
    let mut rng = TestRng(0x20072);
    let mut blocked = 0;
    for _ in 0..build::tries(150) {
        let count = 1 + rng.below(6);
        let case = Case::new(&mut rng, count);
        blocked += check_routes(&case, &mut rng);
    }
    println!("{blocked} blocked steps");
    assert!(blocked > 1000);
}
