//! Compares routes with clearance to a brute-force solution: distances in `f64`, and shortest
//! routes by repeated relaxation.
#![expect(clippy::print_stdout, reason = "long tests print their figures")]

use super::*;
use crate::cancel::Cancel;
use crate::geom::DVec2;
use crate::map::Wall;
use crate::map::route::{NextStep, RouteField};
use crate::map::search::{PathQuery, PathSearch};
use crate::map::sweep::tests_wide::{SIDE, Shapes};
use crate::map::tests::drawn;
use crate::map::walls::tests::{Draws, cases, wall};

/// Distances that differ from the limit by less than this count as doubtful, in tiles.
const DOUBT: f64 = 1e-4;

/// The tiles and steps with enough room for a body, computed by brute force.
struct Room {
    /// Distance from the centre of each tile to the nearest surface, in tiles.
    centres: Vec<f64>,
    reach: f64,
}

impl Room {
    fn new(shapes: &Shapes, reach: f64) -> Self {
        let tiles = shapes.map.tiles().iter();
        let distance = |tile: TilePos| shapes.distance(tile.centre().as_dvec2().to_array());
        Self { centres: tiles.map(|(tile, _)| distance(tile)).collect(), reach }
    }

    fn at(&self, tile: TilePos) -> f64 {
        self.centres[tile.y as usize * SIDE + tile.x as usize]
    }

    /// Returns the smallest distance to a surface during a step from an open tile, in tiles.
    fn between(&self, shapes: &Shapes, from: TilePos, step: DVec2) -> f64 {
        let (start, here) = (from.centre().as_dvec2(), self.at(from));
        if here > self.reach + 1.5 {
            return here;
        }
        let samples = (0..=64).map(|part| start + step * (f64::from(part) / 64.0));
        // Between two samples, the distance is less by at most this.
        let gap = step.length() / 128.0;
        let distances = samples.map(|at| shapes.distance(at.to_array()));
        let least = distances.fold(f64::INFINITY, f64::min);
        if (least - self.reach).abs() < gap { f64::NAN } else { least }
    }

    /// Returns the costs of the cheapest routes to a goal, by tile. If `strict` is true, doubtful
    /// tiles and steps are closed.
    fn costs(&self, shapes: &Shapes, goal: TilePos, strict: bool) -> Vec<f64> {
        let map = &shapes.map;
        let passes = |distance: f64| {
            if distance.is_nan() {
                !strict
            } else {
                distance >= self.reach + if strict { DOUBT } else { -DOUBT }
            }
        };
        let is_open = |tile: TilePos| map.resolve(tile).is_some_and(|tile| passes(self.at(tile)));
        let mut steps = Vec::new();
        for (from, _) in map.tiles().iter().filter(|&(tile, _)| is_open(tile)) {
            for direction in Direction::ALL {
                let corners = [direction.turned(-1), direction.turned(1)];
                let cuts = direction.is_diagonal()
                    && !corners.iter().all(|&direction| is_open(from.neighbour(direction)));
                let (step, next) = (direction.step(), from.neighbour(direction));
                let step = DVec2::new(step.x.into(), step.y.into());
                if !cuts && is_open(next) && passes(self.between(shapes, from, step)) {
                    steps.push((from, map.resolve(next).unwrap(), step.length()));
                }
            }
        }
        let index = |tile: TilePos| tile.y as usize * SIDE + tile.x as usize;
        let mut costs = vec![f64::INFINITY; SIDE * SIDE];
        if is_open(goal) {
            costs[index(goal)] = 0.0;
        }
        loop {
            let mut changed = false;
            for &(from, to, length) in &steps {
                let cost = costs[index(to)] + length;
                if cost < costs[index(from)] - 1e-9 {
                    costs[index(from)] = cost;
                    changed = true;
                }
            }
            if !changed {
                return costs;
            }
        }
    }
}

#[test]
fn routes_with_clearance_match_brute_force() {
    let mut draws = Draws(0xc1ea);
    let (mut routes, mut none, mut longer) = (0, 0, 0);
    for _ in 0..cases(12) {
        let shapes = Shapes::random(&mut draws);
        let radius = draws.between(0.2, 5.0) as f32;
        let cleared = shapes.map.cleared(radius);
        let room = Room::new(&shapes, f64::from(sweep::reach(radius)));
        let goal = TilePos::containing(draws.point(0.0, SIDE as f64));
        let field = RouteField::towards(&Cancel::default(), &cleared, core::iter::once(goal));
        let field = field.unwrap();
        let [most, least] = [true, false].map(|strict| room.costs(&shapes, goal, strict));
        for (index, (from, _)) in cleared.tiles().iter().enumerate() {
            let cost = walked(&cleared, &field, from);
            let allowed = least[index] - 1e-3..=most[index] + 1e-3;
            let place = || format!("{radius} from {from} to {goal}: {cost}, not {allowed:?}");
            assert!(allowed.contains(&cost), "{}", place());
            routes += usize::from(cost.is_finite());
            none += usize::from(cost.is_infinite());
            let offset = cleared.tile_offset(from, goal);
            let (x, y) = (f64::from(offset.x.abs()), f64::from(offset.y.abs()));
            let direct = x.max(y) - x.min(y) + x.min(y) * 2.0_f64.sqrt();
            longer += usize::from(cost.is_finite() && cost > direct + 0.1);
            if index % 97 == 0 && cleared.is_open(from) {
                let query = PathQuery { from, to: goal, held: 0 };
                let found = PathSearch::default().walk(&cleared, query, u32::MAX, || true);
                let found = found.map_or(f64::INFINITY, |route| route.cost());
                assert!((found - cost).abs() < 1e-3 || found == cost, "{found} {}", place());
            }
        }
    }
    println!("{routes} routes, {longer} of them with detours, {none} tiles without a route");
    assert!(routes > 1000 && none > 1000 && longer > 100);
}

/// Returns the cost of the route from a tile in a route field. Infinite if there is no route.
fn walked(map: &Map, field: &RouteField, from: TilePos) -> f64 {
    let (mut tile, mut cost) = (from, 0.0);
    // A route can start on a closed tile, which brute force never leaves.
    if !map.is_open(from) {
        return f64::INFINITY;
    }
    loop {
        match field.next_step(tile) {
            None => return f64::INFINITY,
            Some(NextStep::Here) => return cost,
            Some(NextStep::Step(direction)) => {
                let (x, y) = (direction.step().x, direction.step().y);
                cost += f64::from(x * x + y * y).sqrt();
                tile = map.resolve(tile.neighbour(direction)).unwrap();
            }
        }
    }
}

fn goes(map: &Map, from: (i32, i32), to: (i32, i32)) -> bool {
    let [from, to] = [from, to].map(|(x, y)| TilePos::new(x, y));
    PathSearch::default().walk(map, PathQuery { from, to, held: 0 }, u32::MAX, || true).is_some()
}

#[test]
fn wide_bodies_use_only_doors_of_their_width() {
    let rows = [
        "............",
        "............",
        "............",
        "#.#####...##",
        "............",
        "............",
        "............",
        "############",
    ];
    let map = drawn(&rows, Edges::Wrap);
    assert!(goes(&map.cleared(0.5), (1, 1), (1, 5)));
    assert!(goes(&map.cleared(1.5), (3, 1), (3, 5)));
    assert!(!goes(&map.cleared(1.51), (3, 1), (3, 5)));
    let query = PathQuery { from: TilePos::new(3, 1), to: TilePos::new(3, 5), held: 0 };
    let route = PathSearch::default().walk(&map.cleared(1.5), query, u32::MAX, || true).unwrap();
    let through = route.steps.iter().scan(query.from, |tile, &direction| {
        *tile = tile.neighbour(direction);
        Some(*tile)
    });
    assert!(through.into_iter().any(|tile| tile == TilePos::new(8, 3)), "{:?}", route.steps);
}

#[test]
fn routes_of_wide_bodies_cross_one_sided_walls_from_behind() {
    let one_sided = Wall { one_sided: true, ..wall(Vec2::new(6.0, 9.0), Vec2::new(6.0, 0.0)) };
    let map =
        drawn(&[".............."; 9], Edges::Wall).with_walls(vec![one_sided], vec![String::new()]);
    // Looking from the start to the end, up, the normal points to the right, east.
    for radius in [0.4, 1.5, 3.0] {
        let cleared = map.cleared(radius);
        assert!(goes(&cleared, (3, 4), (10, 4)), "{radius}");
        assert!(!goes(&cleared, (10, 4), (3, 4)), "{radius}");
    }
}

/// Checks that a body stops beside its goal if it does not fit there. The body must not stop behind
/// a wall.
#[test]
fn wide_bodies_stop_as_near_to_a_goal_as_possible() {
    let rows = [
        "...........",
        "...........",
        "...........",
        "...........",
        "...........",
        "####.######",
        "#....#.....",
        "######.....",
    ];
    let map = drawn(&rows, Edges::Wall);
    let cleared = map.cleared(1.5);
    let goals =
        |x, y| -> Vec<TilePos> { map.goals_beside(&cleared, TilePos::new(x, y), 1.5).collect() };
    assert_eq!(goals(5, 2), [], "the body fits at the goal itself");
    assert_eq!(goals(0, 0)[0], TilePos::new(1, 1), "a corner");
    assert!(goals(5, 4).contains(&TilePos::new(5, 3)));
    assert_eq!(goals(1, 6), [], "a closet with a narrow door");
    assert_eq!(goals(2, 5), [], "inside a wall");
}
