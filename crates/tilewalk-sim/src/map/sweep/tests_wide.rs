//! Compares wide discs to exact geometry: random solid tiles, obstacles of any size, walls and map
//! edges. The oracle measures distances to all shapes in `f64`.
#![expect(clippy::print_stdout, reason = "long tests print their figures")]

use super::*;
use crate::geom::unit;
use crate::map::tests::drawn;
use crate::map::walls::tests::{Draws, cases, wall};
use crate::map::{Corners, Edges, Obstacle, Wall};

/// Side length of the test maps, in tiles.
pub(in crate::map) const SIDE: usize = 48;

/// A map with random shapes, and lists of these shapes.
pub(in crate::map) struct Shapes {
    pub map: Map,
    /// Top left corners of solid tiles.
    solid: Vec<[f64; 2]>,
    obstacles: Vec<Obstacle>,
    walls: Vec<Wall>,
}

impl Shapes {
    pub fn random(draws: &mut Draws) -> Self {
        let edges = if draws.share() < 0.5 { Edges::Wall } else { Edges::Wrap };
        let mut rows = vec![vec![b'.'; SIDE]; SIDE];
        let count = |draws: &mut Draws, most: f64| (draws.share() * most) as usize;
        for _ in 0..count(draws, 9.0) {
            let at = draws.point(0.0, SIDE as f64 - 3.0);
            // Blocks of tiles have faces and corners between tiles.
            for (x, y) in [(0, 0), (1, 0), (0, 1)].into_iter().take(1 + count(draws, 3.0)) {
                rows[at.y as usize + y][at.x as usize + x] = b'#';
            }
        }
        let mut solid = Vec::new();
        for (y, row) in rows.iter().enumerate() {
            solid.extend((0..SIDE).filter(|&x| row[x] == b'#').map(|x| [x as f64, y as f64]));
        }
        let obstacle = |draws: &mut Draws| {
            let most = if draws.share() < 0.5 { 0.5 } else { 11.0 };
            let centre = draws.point(0.0, SIDE as f64);
            Obstacle { centre, radius: draws.between(0.05, most) as f32, opaque: false }
        };
        let obstacles: Vec<_> = (0..count(draws, 7.0)).map(|_| obstacle(draws)).collect();
        let far = SIDE as f64 * 0.45;
        let inside = |at: Vec2| at.clamp(Vec2::ONE, Vec2::splat(SIDE as f32 - 1.0));
        let random_wall = |draws: &mut Draws| {
            let from = draws.point(1.0, SIDE as f64 - 1.0);
            wall(from, inside(from + draws.point(-far, far)))
        };
        let walls: Vec<_> = (0..count(draws, 4.0))
            .map(|_| random_wall(draws))
            .filter(|wall| wall.from.distance(wall.to) > 0.1)
            .collect();
        let rows: Vec<String> =
            rows.into_iter().map(|row| String::from_utf8(row).unwrap()).collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let plain = drawn(&rows, edges);
        let map = Map::new(
            plain.tiles().clone(),
            plain.legend().to_vec(),
            obstacles.clone(),
            edges,
            Corners::default(),
        );
        let map = map.unwrap().with_walls(walls.clone(), vec![String::new()]);
        Self { map, solid, obstacles, walls }
    }

    /// Returns the distance from a point to the nearest surface, in tiles.
    pub fn distance(&self, at: [f64; 2]) -> f64 {
        let side = SIDE as f64;
        if self.map.edges() == Edges::Wall {
            let border = at.iter().map(|&x| x.min(side - x)).fold(f64::INFINITY, f64::min);
            return border.min(self.distance_to_shapes(at));
        }
        let images = (-2..=2).flat_map(|y| (-2..=2).map(move |x| [f64::from(x), f64::from(y)]));
        let shifted = images.map(|[x, y]| [at[0] + x * side, at[1] + y * side]);
        shifted.map(|at| self.distance_to_shapes(at)).fold(f64::INFINITY, f64::min)
    }

    fn distance_to_shapes(&self, [x, y]: [f64; 2]) -> f64 {
        let mut least = f64::INFINITY;
        for [left, top] in &self.solid {
            let (dx, dy) = (x - x.clamp(*left, left + 1.0), y - y.clamp(*top, top + 1.0));
            least = least.min(dx.hypot(dy));
        }
        for Obstacle { centre, radius, opaque: _ } in &self.obstacles {
            let distance = (x - f64::from(centre.x)).hypot(y - f64::from(centre.y));
            least = least.min(distance - f64::from(*radius));
        }
        for Wall { from, to, .. } in &self.walls {
            let (ax, ay) = (f64::from(from.x), f64::from(from.y));
            let (dx, dy) = (f64::from(to.x) - ax, f64::from(to.y) - ay);
            let share = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy);
            let share = share.clamp(0.0, 1.0);
            least = least.min((x - ax - share * dx).hypot(y - ay - share * dy));
        }
        least
    }

    /// Moves a point along a motion in steps that cannot reach any surface. Returns the share of
    /// the motion after which the distance to a surface is first `reach`.
    fn march(&self, start: Vec2, motion: Vec2, reach: f64) -> f64 {
        let (start, motion) = (start.as_dvec2(), motion.as_dvec2());
        let mut share = 0.0;
        for _ in 0..100_000 {
            let near = self.distance((start + motion * share).to_array());
            if near - reach < 1e-7 || share >= 1.0 {
                return share.min(1.0);
            }
            share += (near - reach) / motion.length();
        }
        share
    }
}

/// Returns a random radius in tiles: usually of a wide body, sometimes of a small one.
fn radius(draws: &mut Draws) -> f32 {
    let most = if draws.share() < 0.2 { 0.49 } else { 8.0 };
    draws.between(0.05, most) as f32
}

/// Returns a random motion in any direction: often short, sometimes across half the map.
fn motion(draws: &mut Draws) -> Vec2 {
    let angle = draws.between(0.0, 6.3) as f32;
    let length = 24.0 * draws.share() * draws.share() * draws.share();
    Vec2::new(libm::cosf(angle), libm::sinf(angle)) * length as f32
}

#[test]
fn first_contacts_of_wide_discs_match_exact_geometry() {
    let mut draws = Draws(0x81de);
    let (mut contacts, mut worst, mut moves) = (0, 0.0_f64, 0);
    while moves < cases(3000) {
        let shapes = Shapes::random(&mut draws);
        for _ in 0..20 {
            let (radius, start) = (radius(&mut draws), draws.point(0.0, SIDE as f64));
            let (motion, reach) = (motion(&mut draws), f64::from(reach(radius)));
            if shapes.distance(start.as_dvec2().to_array()) < reach + 1e-3 || motion == Vec2::ZERO {
                continue;
            }
            moves += 1;
            let (end, contact) = stop(&shapes.map, start, motion, radius);
            // A disc that grazes a surface meets it or passes it by less than rounding.
            let shares = [reach, reach - 1e-4].map(|reach| shapes.march(start, motion, reach));
            if shares[0] < 1.0 && shares[1] >= 1.0 {
                continue;
            }
            let expected = shares.map(|share| start.as_dvec2() + motion.as_dvec2() * share);
            let errors = expected.map(|expected| (end.as_dvec2() - expected).length());
            let angle = contact.map_or(1.0, |contact| -contact.normal.dot(unit(motion)));
            if angle > 0.01 {
                worst = worst.max(errors[0].min(errors[1]));
                let place =
                    || format!("{radius} from {start} by {motion}: {end}, not {expected:?}");
                assert!(worst < 1e-4, "{}", place());
            }
            let share = shares[0];
            assert_eq!(contact.is_some(), share < 1.0, "{radius} from {start} by {motion}");
            contacts += usize::from(contact.is_some());
        }
    }
    println!("{moves} moves, {contacts} contacts, largest error {worst:.1e} tiles");
    assert!(contacts > moves / 10);
}

#[test]
fn wide_discs_that_slide_never_enter_a_surface() {
    let mut draws = Draws(0x51de);
    let (mut moves, mut closest, mut touched) = (0, f64::INFINITY, 0);
    while moves < cases(20_000) {
        let shapes = Shapes::random(&mut draws);
        let (radius, mut at) = (radius(&mut draws), draws.point(0.0, SIDE as f64));
        if shapes.distance(at.as_dvec2().to_array()) < f64::from(reach(radius)) {
            continue;
        }
        for _ in 0..20 {
            let motion = motion(&mut draws);
            // Presses against the same surfaces for a while.
            for _ in 0..=(draws.share() * 8.0) as usize {
                let slid = slide(&shapes.map, at, motion, radius);
                moves += 1;
                touched += usize::from(slid.contacts().next().is_some());
                let end = shapes.map.wrap(slid.end);
                let gap = shapes.distance(end.as_dvec2().to_array());
                let gap = gap - f64::from(collision_radius(radius));
                closest = closest.min(gap);
                assert!(gap > 0.0, "{gap}: {radius} from {at} by {motion} to {end}");
                assert!(!overlaps(&shapes.map, end, radius), "{radius} from {at} by {motion}");
                at = end;
            }
        }
    }
    println!("{moves} moves, {touched} with contacts, smallest gap {closest:.6} tiles");
    assert!(touched > moves / 10);
}

/// Checks that a disc passes through a corridor of exactly its width, even beside side openings.
#[test]
fn wide_disc_passes_a_corridor_of_its_width() {
    let mut rows = vec!["#".repeat(40); 24];
    for row in &mut rows[9..14] {
        *row = ".".repeat(40);
    }
    for row in &mut rows[14..] {
        row.replace_range(15..20, ".....");
    }
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let map = drawn(&rows, Edges::Wrap);
    let slid = slide(&map, Vec2::new(3.0, 11.5), Vec2::new(30.0, 0.0), 2.5);
    assert_eq!(slid.end, Vec2::new(33.0, 11.5));
    let slid = slide(&map, Vec2::new(3.0, 11.5), Vec2::new(30.0, 0.0), 2.51);
    assert!(slid.end.x < 33.0, "{}", slid.end);
}

/// Checks that [`Map::visit_large_obstacles`] visits the same obstacles as a comparison with every
/// obstacle.
#[test]
fn search_finds_all_large_obstacles() {
    let mut draws = Draws(0x0b57);
    let mut found = 0;
    for _ in 0..cases(400) {
        let edges = if draws.share() < 0.5 { Edges::Wall } else { Edges::Wrap };
        let (width, height) = (draws.between(30.0, 90.0) as u32, draws.between(30.0, 90.0) as u32);
        let row = ".".repeat(width as usize);
        let plain = drawn(&vec![row.as_str(); height as usize], edges);
        let size = Vec2::new(width as f32, height as f32);
        let standing: Vec<_> = (0..20)
            .map(|_| Obstacle {
                centre: draws.point(0.0, 1.0) * size,
                radius: draws.between(0.51, 7.4) as f32,
                opaque: false,
            })
            .collect();
        let map = Map::new(
            plain.tiles().clone(),
            plain.legend().to_vec(),
            standing.clone(),
            edges,
            Corners::default(),
        )
        .unwrap();
        for _ in 0..10 {
            let (at, reach) = (draws.point(-0.3, 1.3) * size, draws.between(0.0, 7.0) as f32);
            let mut near = Vec::new();
            map.visit_obstacles_near(at, reach, |obstacle| near.push(obstacle));
            let count = |reach: f32| {
                let distance = |it: &Obstacle| map.offset(at, it.centre).length() - it.radius;
                standing.iter().filter(|it| distance(it) <= reach).count()
            };
            let expected = count(reach - 1e-4)..=count(reach + 1e-4);
            assert!(expected.contains(&near.len()), "{reach} around {at} of {size}");
            for obstacle in &near {
                assert!((obstacle.centre - at).length() <= reach + obstacle.radius);
            }
            found += near.len();
        }
    }
    assert!(found > 1000, "{found}");
}
