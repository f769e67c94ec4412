//! Properties of `avoid_crowd`: crowds on a circle and in a corridor, walls of tiles, and shares of the
//! avoidance.

use std::fmt::Write as _;
use std::sync::Arc;

use tilewalk_files::Options;
use tilewalk_sim::agent::{Drive, Mode};
use tilewalk_sim::body::Body;
use tilewalk_sim::geom::{Vec2, heading};
use tilewalk_sim::id::AgentId;
use tilewalk_sim::map::{Edges, Map, Wall};
use tilewalk_sim::scenario::builder::{Agent, Builder};
use tilewalk_sim::steering::combine::Combine;
use tilewalk_sim::steering::{
    Arrive, AvoidCrowd, Behaviour, Note, PlaneOwner, Target, WeightedBehaviour,
};
use tilewalk_sim::step::{explain, step};
use tilewalk_sim::world::World;

use crate::support::build;
use crate::support::random::TestRng;

const ME: AgentId = AgentId(0);

/// Number of agents on the circle.
const AGENTS: usize = 100;

/// Radius of the circle, in tiles.
const CIRCLE: f32 = 20.0;

const CENTRE: Vec2 = Vec2::splat(25.0);

/// Radius of the bodies in a crowd, in tiles.
const BODY: f32 = 0.3;

/// Median over ten seeds of the mean arrival time with RVO2 (pyrvo 0.4.3), in seconds. The scene is that of
/// [`circle`], and the parameters of RVO2 are the defaults of `avoid_crowd`. The mean times of the single seeds
/// are from 58 to 125 s.
const RVO2_TIME: f32 = 78.0;

/// Deepest overlap of two bodies in these runs of RVO2, in tiles.
const RVO2_OVERLAP: f32 = 0.049;

fn avoid() -> WeightedBehaviour {
    build::behaviour(Behaviour::AvoidCrowd(AvoidCrowd::default()), None)
}

fn steer(rows: Vec<WeightedBehaviour>) -> Drive {
    Drive::Steer { combine: Combine::Prioritized, rows }
}

/// Returns agents evenly on a circle. Each agent has the opposite point as its goal. As in the example of
/// RVO2, an agent slows down within one tile of its goal, and its preferred velocity does not depend on its
/// velocity.
fn circle(seed: u64, solid: bool) -> World {
    let mut scenario = build::scenario(build::map(&vec![".".repeat(50); 50], Edges::Wall));
    let body = Body {
        max_speed: 1.0,
        gain: 20.0,
        max_force: 100.0,
        solid,
        radius: BODY,
        ..Body::default()
    };
    for index in 0..AGENTS {
        let side = heading::from_degrees(index as f32 * 360.0 / AGENTS as f32) * CIRCLE;
        let arrive = Arrive { deceleration: 2.0, tweak: 0.5, ..Arrive::default() };
        let goal = Target::Point(CENTRE - side);
        let rows = vec![build::behaviour(Behaviour::Arrive(arrive), Some(goal)), avoid()];
        build::add(&mut scenario, &format!("a{index}"), CENTRE + side, body, steer(rows));
    }
    build::edit(&mut scenario, |parts| parts.seed = seed);
    build::world(scenario)
}

/// Simulates agents on a circle until all have been within half a tile of their goals. Returns their mean
/// arrival time in seconds, and the deepest overlap of two bodies in tiles.
fn cross_the_circle(seed: u64, solid: bool) -> (f32, f32) {
    let mut world = circle(seed, solid);
    let goals: Vec<Vec2> = world.ids().map(|id| CENTRE * 2.0 - world.position(id)).collect();
    let mut arrived = vec![None; AGENTS];
    let mut deepest = 0.0_f32;
    while arrived.iter().any(Option::is_none) {
        step(&mut world);
        assert!(world.time() < 400.0, "seed {seed}: {arrived:?}");
        let places: Vec<Vec2> = world.ids().map(|id| world.position(id)).collect();
        for (index, &at) in places.iter().enumerate() {
            if at.distance(goals[index]) <= 0.5 {
                arrived[index].get_or_insert(world.time());
            }
            let nearest = places[..index].iter().map(|other| at.distance(*other));
            deepest = deepest.max(2.0 * BODY - nearest.fold(f32::INFINITY, f32::min));
        }
    }
    (arrived.iter().flatten().sum::<f32>() / AGENTS as f32, deepest)
}

#[test]
fn agents_cross_a_circle_as_fast_as_with_rvo2_and_overlap_no_deeper() {
    let mut times: Vec<f32> = vec![];
    for seed in 1..=10 {
        let (time, deepest) = cross_the_circle(seed, false);
        assert!(deepest <= RVO2_OVERLAP, "seed {seed}: two bodies overlap by {deepest}");
        times.push(time);
    }
    times.sort_by(f32::total_cmp);
    let median = times[4].midpoint(times[5]);
    assert!(median <= 1.1 * RVO2_TIME, "{median} s of {times:?}");
}

/// Contacts of solid bodies leave an overlap of half a percent of the diameter at most.
#[test]
fn solid_agents_cross_a_circle_without_overlaps() {
    for seed in 1..=build::tries(1).min(10) as u64 {
        let (_, deepest) = cross_the_circle(seed, true);
        assert!(
            deepest <= 0.005 * 2.0 * BODY + 1e-4,
            "seed {seed}: two bodies overlap by {deepest}"
        );
    }
}

/// Length of the corridor, in tiles.
const CORRIDOR: usize = 30;

/// Duration of the measurement in the corridor, in seconds.
const MEASURED: u32 = 120;

/// Returns two groups of 60 solid agents in a corridor of 8 rows, with random start positions. The corridor leads
/// around the map, so an agent that reaches its end enters it again at the start, in the same row. When
/// [`MEASURED`] is over, agents leave at the end of the corridor instead.
///
/// Each agent matches the velocity of a leader in a corridor of its own within half a second. It therefore walks
/// along the corridor in any row.
fn corridor(seed: u64) -> World {
    let (wall, floor) = ("#".repeat(CORRIDOR), ".".repeat(CORRIDOR));
    let mut rows = vec![wall.as_str()];
    rows.extend([floor.as_str(); 8]);
    rows.extend([&*wall, &*floor, &*wall, &*floor, &*wall]);
    let mut text =
        format!("seed = {seed}\nedges = 'wrap'\ntiles = '''\n{}\n'''\n", rows.join("\n"));
    let last = CORRIDOR - 1;
    let groups = [
        ("east", 0, 10, format!("x > {last}"), [10, 20]),
        ("west", 180, 12, "x < 1".to_owned(), [20, 10]),
    ];
    for (name, heading, row, end, [first, second]) in groups {
        let _ = write!(
            text,
            "[[agent]]\nname = '{name}'\ngroup = 'walkers'\ncount = 60\nheading = {heading}\n\
             at = {{ within = [0, 1, {last}, 8] }}\n\
             body = {{ max_speed = 2, radius = 0.35, solid = true }}\n\
             remove = 'time > {MEASURED} and {end}'\n\
             steer = [{{ do = 'match_velocity', target = 'leader_{name}', time_to_target = 0.5 }},\n\
             {{ do = 'avoid_crowd', of = 'walkers' }}]\n\
             [[agent]]\nname = 'leader_{name}'\nheading = {heading}\nat = [0, {row}]\n\
             steer = [{{ do = 'follow_path', loop = true,\n\
             points = [[0, {row}], [{first}, {row}], [{second}, {row}]] }}]\n",
        );
    }
    let origin = tilewalk_test_support::builtin::text("corridor.toml", text);
    let loaded = tilewalk_files::load(&origin, &Options::default()).expect("a map");
    World::new(loaded.scenario.unwrap_or_else(|| panic!("{}", loaded.report.plain())))
}

/// Returns the mean over the rows of the corridor of ((e − w) / (e + w))², where e and w are the numbers of
/// agents of both groups in a row. The result is 1 if no row has agents of both groups.
fn order(world: &World) -> f32 {
    let mut rows = [[0_i32; 2]; 8];
    for id in world.ids().filter(|&id| (1..=8).contains(&world.tile(id).y)) {
        let is_west = world.kind(id).name == "west";
        rows[world.tile(id).y as usize - 1][usize::from(is_west)] += 1;
    }
    let used: Vec<[i32; 2]> = rows.into_iter().filter(|[east, west]| east + west > 0).collect();
    let share = |[east, west]: &[i32; 2]| (east - west) as f32 / (east + west) as f32;
    used.iter().map(|row| share(row) * share(row)).sum::<f32>() / used.len() as f32
}

/// Returns the mean order of the corridor from 60 s to the end of the measurement. Then waits until all agents
/// have left at the ends of the corridor.
fn order_after_a_minute(seed: u64) -> f32 {
    let mut world = corridor(seed);
    let is_walker = |world: &World, id: AgentId| world.kind(id).group.is_some();
    let (mut sum, mut frames) = (0.0, 0.0);
    while world.time() < MEASURED as f32 {
        step(&mut world);
        if world.time() >= 60.0 {
            sum += order(&world);
            frames += 1.0;
        }
    }
    assert_eq!(world.ids().filter(|&id| is_walker(&world, id)).count(), 120);
    while world.ids().any(|id| is_walker(&world, id)) {
        step(&mut world);
        let left: Vec<String> = world.ids().map(|id| world.name(id).to_string()).collect();
        assert!(world.time() < 2.0 * MEASURED as f32, "seed {seed}: {left:?}");
    }
    sum / frames
}

/// `TILEWALK_CASES=10` checks ten seeds.
#[test]
fn opposite_groups_in_a_corridor_form_lanes() {
    let seeds = build::tries(2).min(10);
    let orders: Vec<f32> = (1..=seeds as u64).map(order_after_a_minute).collect();
    let ordered = orders.iter().filter(|&&order| order >= 0.7).count();
    assert!(10 * ordered >= 9 * seeds, "{orders:?}");
}

/// Returns a random map with solid tiles and two free walls.
fn ground(random: &mut TestRng) -> Map {
    let side = 12;
    let edges = if random.below(2) == 0 { Edges::Wall } else { Edges::Wrap };
    let density = 1 + random.below(4);
    let mut row =
        |_| (0..side).map(|_| if random.below(10) < density { '#' } else { '.' }).collect();
    let rows: Vec<String> = (0..side).map(&mut row).collect();
    let mut point = || Vec2::new(share(random), share(random)) * side as f32;
    let ends = [(); 2].map(|()| [point(), point()]);
    let wall = |[from, to]: [Vec2; 2]| Wall { from, to, one_sided: false, opaque: false, entry: 0 };
    build::map(&rows, edges).with_walls(ends.map(wall).to_vec(), vec![String::new()])
}

/// Returns a random number in [0, 1).
fn share(random: &mut TestRng) -> f32 {
    random.below(1 << 20) as f32 / (1 << 20) as f32
}

/// Returns true if a body that moves with a constant velocity touches no wall for as long as `avoid_crowd`
/// looks ahead.
fn is_free(map: &Map, at: Vec2, velocity: Vec2, radius: f32) -> bool {
    const STEPS: u32 = 400;
    let seconds = AvoidCrowd::default().wall_horizon;
    (0..=STEPS).all(|index| {
        let position = map.wrap(at + velocity * (seconds * index as f32 / STEPS as f32));
        map.fits(position, radius)
    })
}

/// Returns a single agent after its first frame. If nothing is in its way, the agent then moves with `velocity`,
/// and from now on prefers `preferred` and avoids crowds.
fn alone(map: Map, at: Vec2, body: Body, velocity: Vec2, preferred: Vec2) -> Option<World> {
    let towards = |goal: Vec2| {
        let arrive = Arrive { deceleration: 1.0, tweak: 1.0, tolerance: 0.0 };
        build::behaviour(Behaviour::Arrive(arrive), Some(Target::Point(goal)))
    };
    let mode = |name: &str, rows| Mode::new(name.to_owned(), 1, steer(rows));
    let next = at + velocity * 0.05;
    let mut builder = Builder::new(map);
    let agent = Agent::new("me", at).body(Body { gain: 20.0, max_force: 1e4, ..body });
    let agent = agent.mode(mode("start", vec![towards(at + velocity)]));
    let agent = agent.mode(mode("avoid", vec![towards(next + preferred), avoid()]));
    builder.add(agent.switch("start", "time_in_mode > 0", "avoid"));
    let mut world = World::new(Arc::new(builder.build().ok()?));
    step(&mut world);
    Some(world)
}

/// A body that would hit a wall within the horizon changes its velocity so that it hits none. A body that would
/// hit none keeps its velocity: neither the joints of tiles nor distant corners are in its way.
#[test]
fn walls_are_avoided_for_the_whole_horizon_and_do_not_hinder_free_motion() {
    let (mut free, mut avoided) = (0, 0);
    for seed in 0..build::tries(3000) as u64 {
        let random = &mut TestRng(seed << 20);
        let map = ground(random);
        let body = Body { radius: 0.1 + share(random) * 0.4, max_speed: 2.0, ..Body::default() };
        let at = Vec2::new(share(random), share(random)) * 12.0;
        let mut vector = || heading::from_degrees(share(random) * 360.0) * (share(random) * 2.0);
        let [velocity, other] = [vector(), vector()];
        let preferred = if seed % 2 == 0 { velocity } else { other };
        let Some(mut world) = alone(map, at, body, velocity, preferred) else { continue };
        let (position, before) = (world.position(ME), world.velocity(ME));
        let change = explain(&world, ME).output.force * 0.05;
        let after = before + change;
        let map = Arc::clone(world.scenario());
        let kept = is_free(map.map(), position, velocity, body.radius + 4e-3);
        if seed % 2 == 0 && kept && before.distance(velocity) < 1e-5 {
            free += 1;
            assert!(after.distance(velocity) < 3e-4, "{seed}: {after} instead of {velocity}");
        }
        avoided += u32::from(after.distance(preferred) > 1e-3);
        assert!(
            is_free(map.map(), position, after, body.radius - 2e-3),
            "{seed}: {after} at {position}"
        );
        step(&mut world);
        assert!(world.velocity(ME).length() <= 2.0 + 1e-5);
    }
    assert!(free > 100 && avoided > 500, "{free} kept their velocity, {avoided} did not");
}

/// Returns the violation, at rest, of the half-plane between two overlapping agents. The second agent has the
/// steering list `other`.
fn violation(other: Vec<WeightedBehaviour>) -> f32 {
    let mut scenario = build::scenario(build::map(&vec![".".repeat(20); 9], Edges::Wrap));
    let start = Vec2::new(4.0, 4.5);
    build::add(&mut scenario, "me", start, Body::default(), steer(vec![avoid()]));
    build::add(&mut scenario, "it", start + Vec2::new(0.5, 0.0), Body::default(), steer(other));
    let notes = explain(&build::world(scenario), ME).forces.notes;
    let plane = notes.into_iter().find_map(|(_, note)| match note {
        Note::HalfPlane { owner: PlaneOwner::Agent(AgentId(1)), plane, .. } => Some(plane),
        _ => None,
    });
    plane.expect("a half-plane").violation(Vec2::ZERO)
}

#[test]
fn an_agent_avoids_others_alone_unless_they_avoid_it_too() {
    let goal = Some(Target::Point(Vec2::new(5.0, 4.0)));
    let seek = build::behaviour(Behaviour::Seek, goal);
    let disabled = WeightedBehaviour { enabled: false, ..avoid() };
    // The bodies overlap by 0.1 tiles and part within a frame.
    let whole = violation(vec![seek.clone()]);
    assert!((whole - 0.1 / 0.05).abs() < 1e-4, "{whole}");
    assert_eq!(violation(vec![seek.clone(), disabled]), whole);
    let half = violation(vec![seek, avoid()]);
    assert!((2.0 * half - whole).abs() < 1e-5, "{half} of {whole}");
}

/// Drag, mass and the limits on force and speed determine the preferred velocity.
#[test]
fn without_neighbours_and_walls_avoid_crowd_changes_no_bit() {
    let run = |rows: Vec<WeightedBehaviour>| {
        let mut scenario = build::scenario(build::map(&vec![".".repeat(40); 40], Edges::Wrap));
        let body = Body { drag: 0.7, mass: 3.0, max_force: 5.0, ..Body::default() };
        build::add(&mut scenario, "me", Vec2::splat(20.5), body, steer(rows));
        let mut world = build::world(scenario);
        (0..200).for_each(|_| step(&mut world));
        (world.position(ME), world.velocity(ME))
    };
    let arrive = build::behaviour(
        Behaviour::Arrive(Arrive::default()),
        Some(Target::Point(Vec2::new(28.5, 25.5))),
    );
    assert_eq!(run(vec![arrive.clone()]), run(vec![avoid(), arrive]));
}
