//! Oracle for `avoid_crowd` in f64, from the definitions of van den Berg et al. (2011).
//!
//! The oracle finds the nearest point of a velocity obstacle among all smooth parts of its boundary, and
//! solves the programs by brute force: the best velocity is on no boundary, or on one, or where two of them
//! cross. It uses the noise of the project, because random numbers are not part of the formula.
//!
//! The walls of the oracle are free walls, round obstacles and the straight edge of the map. Corners between
//! tiles have properties of their own in `laws/crowds.rs`.

use std::f64::consts::PI;
use std::sync::Arc;

use tilewalk_sim::agent::{Drive, Mode};
use tilewalk_sim::body::Body;
use tilewalk_sim::geom::Vec2;
use tilewalk_sim::grid::Grid;
use tilewalk_sim::id::AgentId;
use tilewalk_sim::map::{Corners, Edges, Map, Obstacle, Wall};
use tilewalk_sim::rng::{RngKey, Use, name_hash};
use tilewalk_sim::scenario::builder::{Agent, Builder};
use tilewalk_sim::steering::combine::Combine;
use tilewalk_sim::steering::{Arrive, AvoidCrowd, Behaviour, Target, WeightedBehaviour};
use tilewalk_sim::step::{explain, step};
use tilewalk_sim::tile::TileKind;
use tilewalk_sim::world::World;

use super::steering::{V, add, cap, dot, len, mul, sub, unit};
use crate::support::build;
use crate::support::random::TestRng;

const ME: AgentId = AgentId(0);

/// Frame duration, in seconds.
const DT: f64 = 0.05;

/// Both time horizons, in seconds.
const HORIZON: f64 = 2.0;

/// Largest difference between the velocities, and between the violations, in tiles/s.
const TOLERANCE: f64 = 1e-4;

/// Distance that the agent keeps from walls in addition to its radius, in tiles.
const WALL_GAP: f64 = 2e-3;

/// Side of the map, in tiles. From the centre, the map edge is out of reach.
const SIDE: u32 = 16;

/// A half-plane of permitted velocities: normal · v ≥ offset.
#[derive(Debug, Clone, Copy)]
struct Plane {
    normal: V,
    offset: f64,
}

impl Plane {
    fn violation(&self, v: V) -> f64 {
        self.offset - dot(self.normal, v)
    }
}

fn turned(v: V) -> V {
    (-v.1, v.0)
}

/// The part of the boundary of a velocity obstacle that is nearest to a velocity.
struct Nearest {
    v: V,
    best: Option<(f64, Plane)>,
}

impl Nearest {
    /// Offers a boundary point with its outward normal.
    fn offer(&mut self, point: V, normal: V) {
        let distance = len(sub(self.v, point));
        if self.best.is_none_or(|(least, _)| distance < least) {
            self.best = Some((distance, Plane { normal, offset: dot(normal, point) }));
        }
    }
}

/// Returns the point of a segment that is nearest to `v`.
fn on_segment([a, b]: [V; 2], v: V) -> V {
    let span = sub(b, a);
    let square = dot(span, span);
    let share = if square == 0.0 { 0.0 } else { dot(sub(v, a), span) / square };
    add(a, mul(span, share.clamp(0.0, 1.0)))
}

/// Returns the half-plane that touches the velocity obstacle of a segment with round ends at the point
/// nearest to `v`. `ends` are relative to the agent. `reach` is the sum of the radii.
///
/// The velocity obstacle is {v | t·v is within `reach` of the segment for a time t in (0, horizon]}.
fn velocity_obstacle(ends: [V; 2], reach: f64, v: V) -> Plane {
    let scaled = ends.map(|end| mul(end, 1.0 / HORIZON));
    let radius = reach / HORIZON;
    let mut nearest = Nearest { v, best: None };
    // The front: round ends, and the straight side that faces the agent.
    for centre in scaled {
        let normal = unit(sub(v, centre));
        let point = add(centre, mul(normal, radius));
        let is_outside = len(sub(point, on_segment(scaled, point))) >= radius - 1e-12;
        if is_outside && dot(point, normal) <= 0.0 {
            nearest.offer(point, normal);
        }
    }
    let along = unit(sub(scaled[1], scaled[0]));
    let side = turned(along);
    let normal = if dot(side, scaled[0]) > 0.0 { mul(side, -1.0) } else { side };
    let shift = mul(normal, radius);
    let foot = add(scaled[0], mul(along, dot(along, sub(v, scaled[0]))));
    let is_between = len(sub(foot, on_segment(scaled, foot))) < 1e-12;
    if along != (0.0, 0.0) && is_between && dot(add(foot, shift), normal) <= 0.0 {
        nearest.offer(add(foot, shift), normal);
    }
    // The legs: the outermost lines from zero that touch an end.
    let middle = unit(add(scaled[0], scaled[1]));
    for side in [1.0, -1.0] {
        let leg = scaled.map(|end| {
            let turn = libm::atan2(dot(turned(middle), end), dot(middle, end)) * side;
            let angle = turn + libm::asin(radius / len(end));
            (angle, (dot(end, end) - radius * radius).sqrt())
        });
        let (angle, start) = if leg[0].0 > leg[1].0 { leg[0] } else { leg[1] };
        let angle = angle * side;
        let direction = add(mul(middle, libm::cos(angle)), mul(turned(middle), libm::sin(angle)));
        let normal = mul(turned(direction), side);
        nearest.offer(mul(direction, dot(direction, v).max(start)), normal);
    }
    nearest.best.expect("a boundary").1
}

/// Returns the half-plane of a wall. The agent does not approach a wall that it touches.
fn wall_plane(ends: [V; 2], reach: f64, v: V) -> Plane {
    let nearest = on_segment(ends, (0.0, 0.0));
    if len(nearest) <= reach {
        return Plane { normal: unit(mul(nearest, -1.0)), offset: 0.0 };
    }
    velocity_obstacle(ends, reach, v)
}

/// Another agent, relative to the agent under test.
#[derive(Debug, Clone, Copy)]
struct Other {
    offset: V,
    v: V,
    radius: f64,
    /// Whether the other agent avoids crowds.
    avoids: bool,
}

/// The half-plane ORCA of a neighbour: u is the vector from the relative velocity to the nearest point of the
/// boundary.
fn agent_plane(other: Other, v: V, radius: f64) -> Plane {
    let (relative, reach) = (sub(v, other.v), radius + other.radius);
    let touching = if len(other.offset) > reach {
        velocity_obstacle([other.offset; 2], reach, relative)
    } else {
        let centre = mul(other.offset, 1.0 / DT);
        let normal = unit(sub(relative, centre));
        Plane { normal, offset: dot(normal, centre) + reach / DT }
    };
    let u = mul(touching.normal, touching.violation(relative));
    let share = if other.avoids { 0.5 } else { 1.0 };
    let point = add(v, mul(u, share));
    Plane { normal: touching.normal, offset: dot(touching.normal, point) }
}

/// The half-planes of a configuration, the preferred velocity and the maximum speed.
struct Program {
    hard: Vec<Plane>,
    soft: Vec<Plane>,
    preferred: V,
    limit: f64,
}

/// A line: normal · v = offset. The normal need not be a unit vector.
type Line = (V, f64);

fn crossing((n, d): Line, (m, e): Line) -> Option<V> {
    let det = n.0 * m.1 - n.1 * m.0;
    (det.abs() > 1e-13).then(|| ((d * m.1 - e * n.1) / det, (n.0 * e - m.0 * d) / det))
}

impl Program {
    /// Returns the points where a line crosses the circle of maximum speed.
    fn on_circle(&self, (normal, offset): Line) -> impl Iterator<Item = V> {
        let length = len(normal);
        let (normal, offset) = (mul(normal, 1.0 / length), offset / length);
        let half = (self.limit * self.limit - offset * offset).max(0.0).sqrt();
        let foot = mul(normal, offset);
        [half, -half].into_iter().map(move |t| add(foot, mul(turned(normal), t)))
    }

    fn is_permitted<'a>(&self, planes: impl IntoIterator<Item = &'a Plane>, v: V) -> bool {
        len(v) <= self.limit + 1e-9 && planes.into_iter().all(|plane| plane.violation(v) <= 1e-9)
    }

    fn violation(&self, v: V) -> f64 {
        self.soft.iter().map(|plane| plane.violation(v)).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Returns the permitted velocity nearest to the preferred velocity. Returns `None` if no velocity is
    /// permitted.
    fn nearest(&self) -> Option<V> {
        let planes: Vec<Plane> = self.hard.iter().chain(&self.soft).copied().collect();
        let mut candidates = vec![cap(self.preferred, self.limit)];
        for (index, plane) in planes.iter().enumerate() {
            let line = (plane.normal, plane.offset);
            candidates
                .push(add(self.preferred, mul(plane.normal, plane.violation(self.preferred))));
            candidates.extend(self.on_circle(line));
            let others = planes[..index].iter();
            candidates.extend(others.filter_map(|it| crossing(line, (it.normal, it.offset))));
        }
        let permitted = candidates.into_iter().filter(|&v| self.is_permitted(&planes, v));
        let distance = |v: &V| len(sub(*v, self.preferred));
        permitted.min_by(|a, b| distance(a).total_cmp(&distance(b)))
    }

    /// Returns the smallest largest violation of a neighbour's half-plane, among the velocities that the walls
    /// permit.
    fn least_violation(&self) -> f64 {
        let mut lines: Vec<Line> =
            self.hard.iter().map(|plane| (plane.normal, plane.offset)).collect();
        let mut candidates = vec![];
        for (index, one) in self.soft.iter().enumerate() {
            candidates.push(mul(one.normal, self.limit));
            for other in &self.soft[..index] {
                let normal = sub(one.normal, other.normal);
                if len(normal) > 1e-12 {
                    lines.push((normal, one.offset - other.offset));
                }
            }
        }
        for (index, &line) in lines.iter().enumerate() {
            candidates.extend(self.on_circle(line));
            candidates.extend(lines[..index].iter().filter_map(|&it| crossing(line, it)));
        }
        let permitted = candidates.into_iter().filter(|&v| self.is_permitted(&self.hard, v));
        permitted.map(|v| self.violation(v)).fold(f64::INFINITY, f64::min)
    }
}

/// Random numbers of a configuration.
struct Draw(TestRng);

impl Draw {
    fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.0.below(1 << 30) as f64 / f64::from(1 << 30)
    }

    fn vector(&mut self, low: f64, high: f64) -> V {
        let (angle, length) = (self.within(0.0, 2.0 * PI), self.within(low, high));
        (length * libm::cos(angle), length * libm::sin(angle))
    }
}

fn point((x, y): V) -> Vec2 {
    Vec2::new(x as f32, y as f32)
}

fn wide(v: Vec2) -> V {
    (v.x.into(), v.y.into())
}

/// A random configuration: the start of a world, and what the oracle must know about it.
struct Configuration {
    world: World,
    walls: Vec<Wall>,
    obstacles: Vec<Obstacle>,
    avoids: Vec<bool>,
    goal: V,
    seed: u64,
}

/// Creates a body that reaches any velocity up to `max_speed` in one frame.
fn body(radius: f64, max_speed: f64) -> Body {
    let (radius, max_speed) = (radius as f32, max_speed as f32);
    Body { radius, max_speed, gain: 20.0, max_force: 1e4, ..Body::default() }
}

/// Returns a behaviour that moves with the velocity `goal − p`.
fn towards(goal: V) -> WeightedBehaviour {
    let arrive = Arrive { deceleration: 1.0, tweak: 1.0, tolerance: 0.0 };
    build::behaviour(Behaviour::Arrive(arrive), Some(Target::Point(point(goal))))
}

/// Returns an agent that has the velocity `v` after the first frame. Then, if `goal` is given, the agent avoids
/// crowds on its way to the goal.
fn agent(name: &str, at: V, v: V, body: Body, goal: Option<V>) -> Agent {
    let mode = |name: &str, rows| {
        let combine = Combine::Prioritized;
        Mode::new(name.to_owned(), 1, Drive::Steer { combine, rows })
    };
    let agent = Agent::new(name, point(at)).body(body);
    let agent = agent.mode(mode("start", vec![towards(add(at, v))]));
    let Some(goal) = goal else { return agent };
    let avoid = build::behaviour(Behaviour::AvoidCrowd(AvoidCrowd::default()), None);
    agent.mode(mode("avoid", vec![towards(goal), avoid])).switch(
        "start",
        "time_in_mode > 0",
        "avoid",
    )
}

/// Draws a configuration. A third of the configurations have walls. Crowded ones rarely have a permitted
/// velocity. Returns `None` if the agent has no room.
fn configuration(seed: u64, crowded: bool) -> Option<Configuration> {
    let mut draw = Draw(TestRng(seed << 20));
    let middle = f64::from(SIDE) / 2.0;
    let (radius, limit) = (draw.within(0.1, 0.5), draw.within(0.5, 2.0));
    let has_walls = draw.0.below(3) > 0;
    let is_at_edge = has_walls && draw.0.below(3) == 0;
    let at = if is_at_edge { (draw.within(0.3, 3.0), middle) } else { (middle, middle) };
    let (mut walls, mut obstacles) = (vec![], vec![]);
    for _ in 0..if has_walls && !is_at_edge { 1 + draw.0.below(3) } else { 0 } {
        let from = add(at, draw.vector(0.3, 3.0));
        if draw.0.below(2) == 0 {
            let (centre, radius) = (point(from), draw.within(0.05, 0.8) as f32);
            obstacles.push(Obstacle { centre, radius, opaque: false });
        } else {
            let to = point(add(from, draw.vector(0.2, 4.0)));
            let one_sided = draw.0.below(3) == 0;
            walls.push(Wall { from: point(from), to, one_sided, opaque: false, entry: 0 });
        }
    }
    let tiles = Grid::filled(SIDE, SIDE, 0);
    let legend = vec![TileKind::floor(".", "floor")];
    let map = Map::new(tiles, legend, obstacles.clone(), Edges::Wall, Corners::default());
    let map = map.expect("a map").with_walls(walls.clone(), vec![String::new()]);
    if !map.fits(point(at), radius as f32) {
        return None;
    }
    let mut builder = Builder::new(map);
    builder.seed(seed);
    let (v, goal) = (draw.vector(0.0, limit), add(at, draw.vector(0.0, 2.0 * limit)));
    builder.add(agent("me", at, v, body(radius, limit), Some(goal)));
    let mut avoids = vec![];
    let (count, far) =
        if crowded { (6 + draw.0.below(4), 1.6) } else { (1 + draw.0.below(5), 4.0) };
    for index in 0..count {
        let offset = draw.vector(if crowded { 0.2 } else { 1.0 }, far);
        let (radius, speed) = (draw.within(0.1, 0.5), draw.within(0.1, 2.0));
        let (v, has_goal) = (draw.vector(0.0, speed), draw.0.below(3) > 0);
        let position = add(at, offset);
        let body = body(radius, speed);
        let side = f64::from(SIDE) - radius;
        if ![position.0, position.1].iter().all(|at| (radius..side).contains(at)) {
            return None;
        }
        let goal = has_goal.then_some(position);
        builder.add(agent(&format!("a{index}"), position, v, body, goal));
        avoids.push(has_goal);
    }
    let world = World::new(Arc::new(builder.build().ok()?));
    Some(Configuration { world, walls, obstacles, avoids, goal, seed })
}

impl Configuration {
    /// Returns the half-planes of the second frame, from the state after the first frame.
    fn program(&self) -> Program {
        let world = &self.world;
        let (p, v) = (wide(world.position(ME)), wide(world.velocity(ME)));
        let Body { radius, max_speed, .. } = *world.body(ME);
        let (radius, limit) = (f64::from(radius), f64::from(max_speed));
        let wall_radius = radius + WALL_GAP;
        let reach = limit * HORIZON + wall_radius;
        // The ends of each wall, and the sum of its radius and the agent's.
        let mut shapes: Vec<([V; 2], f64)> = vec![];
        for wall in &self.walls {
            let ends = [wall.from, wall.to].map(|end| sub(wide(end), p));
            let is_behind = dot(turned(sub(ends[1], ends[0])), ends[0]) > 0.0;
            if len(on_segment(ends, (0.0, 0.0))) <= reach && !(wall.one_sided && is_behind) {
                shapes.push((ends, wall_radius));
            }
        }
        for obstacle in &self.obstacles {
            let centre = sub(wide(obstacle.centre), p);
            if len(centre) <= reach + f64::from(obstacle.radius) {
                shapes.push(([centre; 2], wall_radius + f64::from(obstacle.radius)));
            }
        }
        if p.0 <= reach {
            // The edge of the map is longer than any path within the horizon.
            shapes.push(([(-p.0, -100.0), (-p.0, 100.0)], wall_radius));
        }
        let distance = |(ends, reach): &([V; 2], f64)| len(on_segment(*ends, (0.0, 0.0))) - reach;
        shapes.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
        let mut hard: Vec<Plane> = vec![];
        for (ends, reach) in shapes {
            // As in RVO2, a wall behind the half-plane of a nearer wall has none of its own.
            let is_hidden_by = |plane: &Plane| {
                let reaches = |end: V| (dot(plane.normal, end) + reach) / HORIZON > plane.offset;
                !ends.into_iter().any(reaches)
            };
            if !hard.iter().any(is_hidden_by) {
                hard.push(wall_plane(ends, reach, v));
            }
        }
        let others = world.ids().skip(1).zip(&self.avoids).map(|(id, &avoids)| Other {
            offset: sub(wide(world.position(id)), p),
            v: wide(world.velocity(id)),
            radius: f64::from(world.body(id).radius),
            avoids,
        });
        let soft = others.map(|other| agent_plane(other, v, radius)).collect();
        // The gain corrects the velocity in one frame.
        let preferred = add(cap(sub(self.goal, p), limit), mul(self.noise(), limit));
        Program { hard, soft, preferred, limit }
    }

    fn noise(&self) -> V {
        let (agent, mode) = (name_hash("me"), name_hash("avoid"));
        let key = RngKey { seed: self.seed, frame: 2, agent, mode, behaviour: 1 };
        let mut stream = key.stream(Use::AvoidCrowd);
        let [angle, length] = [0; 2].map(|_| f64::from(stream.unit()));
        mul((libm::cos(angle * 2.0 * PI), libm::sin(angle * 2.0 * PI)), length * 1e-4)
    }
}

/// Compares 5,000 configurations with a permitted velocity and 5,000 without. At least a third of all have
/// walls.
#[test]
fn avoid_crowd_agrees_with_its_oracle() {
    let each = build::tries(5000);
    let (mut feasible, mut infeasible, mut walls) = (0, 0, 0);
    for seed in 1.. {
        if feasible == each && infeasible == each {
            break;
        }
        let crowded = feasible == each || seed % 2 == 0;
        let Some(mut configuration) = configuration(seed, crowded) else { continue };
        step(&mut configuration.world);
        let program = configuration.program();
        let (least, nearest) = (program.least_violation(), program.nearest());
        // Rounding decides whether the half-planes have a point in common.
        if least.abs() < 1e-5 {
            continue;
        }
        assert_eq!(nearest.is_some(), least < 0.0, "configuration {seed}: {least}");
        let count = if nearest.is_some() { &mut feasible } else { &mut infeasible };
        if *count == each {
            continue;
        }
        *count += 1;
        walls += usize::from(!program.hard.is_empty());
        // A contact in this frame could change the velocity once more.
        let force = wide(explain(&configuration.world, ME).output.force);
        let v = add(wide(configuration.world.velocity(ME)), mul(force, DT));
        let off = match nearest {
            Some(nearest) => len(sub(v, nearest)),
            None => (program.violation(v) - least).abs(),
        };
        let hard = program.hard.iter().map(|plane| plane.violation(v)).fold(0.0, f64::max);
        assert!(
            off.max(hard) <= TOLERANCE && len(v) <= program.limit + TOLERANCE,
            "configuration {seed}: off by {off}, from walls by {hard}"
        );
    }
    assert!(3 * walls >= 2 * each, "{walls} with walls");
}
