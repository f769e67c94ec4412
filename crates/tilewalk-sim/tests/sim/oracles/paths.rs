//! Oracle for paths, hiding, wall following and flow: each behaviour is implemented again in f64 from its
//! formula. The oracle checks all tiles and obstacles, while the tested code limits its searches.

use tilewalk_sim::agent::Drive;
use tilewalk_sim::body::Body;
use tilewalk_sim::geom::{TilePos, Vec2};
use tilewalk_sim::id::{AgentId, SteeringPathId};
use tilewalk_sim::map::Edges;
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::steering::combine::Combine;
use tilewalk_sim::steering::{
    Behaviour, Flow, FollowPath, Hand, Hide, HugWalls, StayOnPath, SteeringPath, Target,
    WeightedBehaviour,
};
use tilewalk_sim::step::step;
use tilewalk_sim::world::World;

use super::steering::{Mover, V, add, cap, dot, len, mover, mul, sub, unit};
use crate::support::build;

const MAX_SPEED: f64 = 4.0;

fn seek(me: &Mover, point: V) -> V {
    sub(mul(unit(sub(point, me.p)), MAX_SPEED), me.v)
}

fn arrive(me: &Mover, point: V, deceleration: f64) -> V {
    let offset = sub(point, me.p);
    let d = len(offset);
    let speed = if d <= 0.02 { 0.0 } else { (d / (deceleration * 0.3)).min(MAX_SPEED) };
    sub(mul(unit(offset), speed), me.v)
}

/// Compares one behaviour with its formula for 200 frames, with the default gain and with gain 1.
fn assert_agrees(
    scenario: &Scenario,
    start: Vec2,
    row: &WeightedBehaviour,
    formula: impl FnMut(&World, &Mover) -> V,
) {
    assert_agrees_with(&[8.0, 1.0], scenario, start, row, formula);
}

fn assert_agrees_with(
    gains: &[f32],
    scenario: &Scenario,
    start: Vec2,
    row: &WeightedBehaviour,
    mut formula: impl FnMut(&World, &Mover) -> V,
) {
    for &gain in gains {
        let mut scenario = scenario.clone();
        let body = Body { gain, ..Body::default() };
        let drive = Drive::Steer { combine: Combine::Prioritized, rows: vec![row.clone()] };
        let id = build::add(&mut scenario, "me", start, body, drive);
        let mut world = build::world(scenario);
        let mut me = mover(&world, id);
        let dt = 0.05;
        for frame in 1..=200 {
            let force = cap(mul(formula(&world, &me), f64::from(gain).min(1.0 / dt)), 12.0);
            me.v = cap(add(me.v, mul(force, dt)), MAX_SPEED);
            me.p = add(me.p, mul(me.v, dt));
            if len(me.v) > 1e-4 {
                me.h = unit(me.v);
            }
            step(&mut world);
            let off = len(sub(mover(&world, id).p, me.p));
            let word = row.behaviour.word();
            assert!(off < 1e-3, "{word} is off by {off} in frame {frame} (gain {gain})");
        }
        assert!(
            len(sub(me.p, (f64::from(start.x), f64::from(start.y)))) > 0.1,
            "the agent never moved"
        );
    }
}

const POINTS: [(f64, f64); 4] = [(14.0, 10.0), (16.5, 14.5), (11.0, 17.0), (8.5, 11.5)];

fn with_path(closed: bool) -> Scenario {
    let mut scenario = build::scenario(build::map(&vec![".".repeat(30); 30], Edges::Wall));
    let points = POINTS.iter().map(|&(x, y)| Vec2::new(x as f32, y as f32)).collect();
    build::edit(&mut scenario, |parts| {
        parts.paths.push(SteeringPath { points, closed, at_home: false });
    });
    scenario
}

#[test]
fn follow_path_agrees_with_its_oracle() {
    for closed in [true, false] {
        let follow = FollowPath { path: SteeringPathId(0), reach: 0.6 };
        let row = build::behaviour(Behaviour::FollowPath(follow), None);
        let mut current = 0;
        let mut reached = 0;
        assert_agrees(&with_path(closed), Vec2::new(10.0, 8.0), &row, |world, me| {
            if world.frame().0 == 0 {
                (current, reached) = (0, 0);
            }
            let last = !closed && current == 3;
            if !last && len(sub(POINTS[current], me.p)) <= 0.6 {
                current = (current + 1) % 4;
                reached += 1;
            }
            if !closed && current == 3 {
                arrive(me, POINTS[current], 2.0)
            } else {
                seek(me, POINTS[current])
            }
        });
        assert!(reached >= 3, "{reached} points in 200 frames");
    }
}

/// Returns the point of a path that is nearest to a point.
fn nearest(points: &[V], closed: bool, q: V) -> V {
    let mut best = points[0];
    for index in 0..points.len() {
        if index + 1 == points.len() && !closed {
            continue;
        }
        let (a, b) = (points[index], points[(index + 1) % points.len()]);
        let along = sub(b, a);
        let share = (dot(sub(q, a), along) / dot(along, along)).clamp(0.0, 1.0);
        let point = add(a, mul(along, share));
        if len(sub(point, q)) < len(sub(best, q)) {
            best = point;
        }
    }
    best
}

/// A fast agent that predicts its position bounces between the sides of a bent path, where rounding errors
/// grow. So the bent path is tested without prediction, and the straight one with prediction.
#[test]
fn stay_on_path_agrees_with_its_oracle() {
    for (closed, predict) in [(true, 0.0), (false, 0.25_f32)] {
        let points = if closed { &POINTS[..] } else { &POINTS[1..3] };
        let mut scenario = with_path(closed);
        let course = points.iter().map(|&(x, y)| Vec2::new(x as f32, y as f32)).collect();
        build::edit(&mut scenario, |parts| parts.paths[0].points = course);
        let stay = StayOnPath { path: SteeringPathId(0), width: 0.6, predict };
        let row = build::behaviour(Behaviour::StayOnPath(stay), None);
        assert_agrees(&scenario, Vec2::new(12.0, 9.0), &row, |_, me| {
            let q = add(me.p, mul(me.v, f64::from(predict)));
            let back = nearest(points, closed, q);
            if len(sub(back, q)) > f64::from(0.6_f32) { seek(me, back) } else { (0.0, 0.0) }
        });
    }
}

#[test]
fn hide_agrees_with_its_oracle() {
    let trees = [(30, 30), (45, 20), (20, 45), (50, 50)];
    let mut rows = vec![".".repeat(70); 70];
    for (x, y) in trees {
        rows[y].replace_range(x..=x, "T");
    }
    let mut scenario = build::scenario(build::map(&rows, Edges::Wall));
    let slow = Body { max_speed: 1.0, ..Body::default() };
    build::add(&mut scenario, "it", Vec2::new(24.5, 24.5), slow, build::wander());
    let row = build::behaviour(Behaviour::Hide(Hide::default()), Some(Target::Agent(AgentId(0))));
    assert_agrees(&scenario, Vec2::new(35.5, 27.5), &row, |world, me| {
        let hunter = mover(world, AgentId(0)).p;
        let spots = trees.map(|(x, y)| {
            let tree = (x as f64 + 0.5, y as f64 + 0.5);
            add(tree, mul(unit(sub(tree, hunter)), f64::from(0.35_f32) + f64::from(0.8_f32)))
        });
        let far = |spot: &V| len(sub(*spot, me.p));
        let spot = spots.into_iter().min_by(|a, b| far(a).total_cmp(&far(b))).unwrap();
        arrive(me, spot, 1.0)
    });
}

#[test]
fn hide_without_cover_agrees_with_the_formula_of_evade() {
    let mut scenario = build::scenario(build::map(&vec![".".repeat(90); 90], Edges::Wall));
    let slow = Body { max_speed: 1.0, ..Body::default() };
    build::add(&mut scenario, "it", Vec2::new(43.5, 46.5), slow, build::wander());
    let row = build::behaviour(Behaviour::Hide(Hide::default()), Some(Target::Agent(AgentId(0))));
    assert_agrees(&scenario, Vec2::new(45.5, 45.5), &row, |world, me| {
        let it = mover(world, AgentId(0));
        let away = len(sub(it.p, me.p));
        if away > 6.0 {
            return (0.0, 0.0);
        }
        let ahead = add(it.p, mul(it.v, away / (MAX_SPEED + len(it.v))));
        sub(mul(unit(sub(me.p, ahead)), MAX_SPEED), me.v)
    });
}

/// Returns a vector turned by 90° to the left or to the right.
fn turned_to(u: V, hand: Hand) -> V {
    if hand == Hand::Left { (u.1, -u.0) } else { (-u.1, u.0) }
}

/// Returns the vector from a point to the nearest wall tile that is nearer than `range` and that `accept`
/// allows. The room has 60 × 48 tiles, including a wall one tile thick.
fn to_wall(p: V, range: f64, accept: impl Fn(V) -> bool) -> Option<V> {
    let mut nearest: Option<V> = None;
    for y in 0..48 {
        for x in (0..60).filter(|x| [0, 59].contains(x) || [0, 47].contains(&y)) {
            let (x, y) = (f64::from(x), f64::from(y));
            let offset = sub((p.0.clamp(x, x + 1.0), p.1.clamp(y, y + 1.0)), p);
            if len(offset) < nearest.map_or(range, len) && accept(offset) {
                nearest = Some(offset);
            }
        }
    }
    nearest
}

/// The room is large, because an agent with gain 1 needs much space to turn.
#[test]
fn hug_walls_agrees_with_its_oracle() {
    let floor = format!("#{}#", ".".repeat(58));
    let mut rows = vec![floor; 48];
    (rows[0], rows[47]) = ("#".repeat(60), "#".repeat(60));
    let d = 6.0;
    for hand in [Hand::Left, Hand::Right] {
        let scenario = build::scenario(build::map(&rows, Edges::Wall));
        let row = build::behaviour(Behaviour::HugWalls(HugWalls { distance: 6.0, hand }), None);
        assert_agrees(&scenario, Vec2::new(44.3, 9.2), &row, |_, me| {
            let side = turned_to(me.h, hand);
            let beside = to_wall(me.p, d + 3.0, |offset| dot(offset, side) >= -0.1 * len(offset));
            let beside = beside.map(|offset| (len(offset), unit(mul(offset, -1.0))));
            let in_room = |(gap, normal): (f64, V)| {
                let across = |offset: V| dot(offset, normal) >= 0.5 * len(offset);
                to_wall(me.p, 2.0 * d + 0.5 - gap, across).map_or(d, |offset| {
                    let room = gap + len(offset);
                    d.min(room / 2.0 - (room - 1.0).clamp(0.0, 1.0) / 4.0)
                })
            };
            let along = beside.map_or(me.h, |(_, normal)| turned_to(normal, hand));
            let look = beside.map_or(d, in_room) + (dot(me.v, me.v) / 24.0).clamp(0.1, 3.0);
            let mut ahead: Option<(f64, V)> = None;
            for (gap, normal) in [
                (me.p.1 - 1.0, (0.0, 1.0)),
                (47.0 - me.p.1, (0.0, -1.0)),
                (me.p.0 - 1.0, (1.0, 0.0)),
                (59.0 - me.p.0, (-1.0, 0.0)),
            ] {
                let closing = -dot(along, normal);
                if closing > 1e-6 && gap / closing <= look {
                    ahead = Some((gap, normal));
                }
            }
            let Some((gap, normal)) = ahead.or(beside) else {
                return sub(mul(me.h, MAX_SPEED), me.v);
            };
            let off =
                mul(normal, ((in_room((gap, normal)) - gap) / 0.3).clamp(-MAX_SPEED, MAX_SPEED));
            sub(cap(add(mul(turned_to(normal, hand), MAX_SPEED), off), MAX_SPEED), me.v)
        });
    }
}

/// Returns the lowest cost from each tile to a goal. Relaxes all tiles until no cost changes
/// (Bellman–Ford).
fn costs_to(rows: &[&str], goal: (i32, i32)) -> Vec<Vec<f64>> {
    let (width, height) = (rows[0].len(), rows.len());
    let mut costs = vec![vec![f64::INFINITY; width]; height];
    costs[goal.1 as usize][goal.0 as usize] = 0.0;
    let mut changed = true;
    while changed {
        changed = false;
        for y in 0..height as i32 {
            for x in 0..width as i32 {
                for (total, _) in open_steps(rows, &costs, (x, y)) {
                    let cost = &mut costs[y as usize][x as usize];
                    changed |= total < *cost - 1e-9;
                    *cost = cost.min(total);
                }
            }
        }
    }
    costs
}

/// Returns the open steps from a tile, clockwise from east, with the total cost to the goal.
fn open_steps(rows: &[&str], costs: &[Vec<f64>], (x, y): (i32, i32)) -> Vec<(f64, (i32, i32))> {
    let open = |x: i32, y: i32| {
        let glyph = rows.get(y as usize).and_then(|row| row.as_bytes().get(x as usize));
        glyph.is_some_and(|&glyph| glyph == b'.')
    };
    let steps = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
    let fits = |&(dx, dy): &(i32, i32)| {
        open(x, y) && open(x + dx, y + dy) && open(x + dx, y) && open(x, y + dy)
    };
    let cost = |(dx, dy): (i32, i32)| {
        let length = if dx != 0 && dy != 0 { 2.0_f64.sqrt() } else { 1.0 };
        (costs[(y + dy) as usize][(x + dx) as usize] + length, (x + dx, y + dy))
    };
    steps.into_iter().filter(fits).map(cost).collect()
}

/// Returns true if a body of the default radius can move from one point to another in a straight line.
/// Samples the line and compares each point with each wall.
fn is_straight_way_free(rows: &[&str], from: V, to: V) -> bool {
    let walls = |point: V| {
        rows.iter().enumerate().flat_map(move |(y, row)| {
            let walls = row.bytes().enumerate().filter(|&(_, glyph)| glyph == b'#');
            walls.map(move |(x, _)| {
                let nearest = |at: f64, low: usize| at.clamp(low as f64, low as f64 + 1.0);
                len(sub(point, (nearest(point.0, x), nearest(point.1, y))))
            })
        })
    };
    let reach = f64::from(Body::default().radius) + 1e-3;
    let samples = 1 + (len(sub(to, from)) * 100.0) as usize;
    (0..=samples).all(|sample| {
        let at = add(from, mul(sub(to, from), sample as f64 / samples as f64));
        walls(at).all(|distance| distance > reach - 1e-6)
    })
}

/// Compares `flow` with an oracle that follows the cheapest route for up to 16 tiles, and seeks the last
/// tile that it can move to in a straight line. Every second tile and the goal are candidates.
fn assert_flow_agrees(gains: &[f32], rows: &[String], start: (i32, i32), goal: (i32, i32)) {
    let scenario = build::scenario(build::map(rows, Edges::Wall));
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let costs = costs_to(&rows, goal);
    let target = Target::Point(TilePos::new(goal.0, goal.1).centre());
    let row = build::behaviour(Behaviour::Flow(Flow::default()), Some(target));
    let centre = |(x, y): (i32, i32)| (f64::from(x) + 0.5, f64::from(y) + 0.5);
    assert_agrees_with(gains, &scenario, TilePos::new(start.0, start.1).centre(), &row, |_, me| {
        let own = (me.p.0.floor() as i32, me.p.1.floor() as i32);
        if own == goal {
            return arrive(me, centre(goal), 2.0);
        }
        let next = |tile: (i32, i32)| {
            let steps = open_steps(&rows, &costs, tile).into_iter();
            steps.reduce(|best, next| if next.0 < best.0 - 1e-4 { next } else { best }).unwrap().1
        };
        let mut tile = next(own);
        let mut aim = tile;
        for number in 1..16 {
            if tile == goal {
                break;
            }
            tile = next(tile);
            let is_candidate = number % 2 == 0 || tile == goal;
            if is_candidate && !is_straight_way_free(&rows, me.p, centre(tile)) {
                break;
            }
            aim = if is_candidate { tile } else { aim };
        }
        seek(me, centre(aim))
    });
}

#[test]
fn flow_agrees_with_its_oracle() {
    let mut rows = vec![".".repeat(44); 30];
    assert_flow_agrees(&[8.0, 1.0], &rows, (12, 10), (36, 22));
    assert_flow_agrees(&[8.0, 1.0], &rows, (30, 18), (12, 16));
    rows[12].replace_range(18..26, "########");
    (8..12).for_each(|y| rows[y].replace_range(25..26, "#"));
    for (start, goal) in [((5, 18), (30, 9)), ((8, 5), (38, 22)), ((10, 10), (21, 24))] {
        assert_flow_agrees(&[8.0], &rows, start, goal);
    }
}
