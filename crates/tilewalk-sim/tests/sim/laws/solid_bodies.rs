//! Properties of solid bodies, of `avoid_agents` and of the search for the nearest agent.

use proptest::prelude::*;
use tilewalk_sim::agent::Drive;
use tilewalk_sim::body::Body;
use tilewalk_sim::event::EventKind;
use tilewalk_sim::geom::{TilePos, Vec2};
use tilewalk_sim::id::{AgentId, GroupId};
use tilewalk_sim::map::Edges;
use tilewalk_sim::pattern::path::PathRules;
use tilewalk_sim::pattern::{PathPattern, Pattern};
use tilewalk_sim::scenario::{Group, Scenario};
use tilewalk_sim::steering::combine::Combine;
use tilewalk_sim::steering::{AvoidAgents, Behaviour, Note, Target};
use tilewalk_sim::step::{explain, step};
use tilewalk_sim::world::World;

use crate::support::build;

fn solid(radius: f32, max_speed: f32) -> Body {
    Body { radius, max_speed, solid: true, ..Body::default() }
}

fn steer(behaviour: Behaviour, target: Option<Target>) -> Drive {
    Drive::Steer { combine: Combine::Prioritized, rows: vec![build::behaviour(behaviour, target)] }
}

fn open(width: usize, height: usize, edges: Edges) -> Scenario {
    build::scenario(build::map(&vec![".".repeat(width); height], edges))
}

/// Returns the overlap of two bodies in tiles. Negative values are gaps.
fn overlap(world: &World, id: AgentId, other: AgentId) -> f32 {
    let offset = world.scenario().map().offset(world.position(id), world.position(other));
    world.body(id).radius + world.body(other).radius - offset.length()
}

/// Returns the largest overlap of any two bodies, or 0 if no bodies overlap.
fn largest_overlap(world: &World) -> f32 {
    let others = |id: AgentId| world.ids().filter(move |&other| other != id);
    let overlaps =
        world.ids().flat_map(|id| others(id).map(move |other| overlap(world, id, other)));
    overlaps.fold(0.0, f32::max)
}

proptest! {
    #![proptest_config(build::cases(48))]

    /// The map has at least four tiles for each body, so that a crowd has enough space to separate.
    #[test]
    fn no_two_solid_bodies_overlap_at_the_end_of_a_frame(
        places in prop::collection::vec((0.0f32..20.0, 0.0f32..20.0, 0.05f32..=0.5), 2..100),
        seeks in any::<bool>(),
        seed in 0u64..1000,
    ) {
        let mut scenario = open(20, 20, Edges::Wrap);
        build::edit(&mut scenario, |parts| parts.seed = seed);
        for (index, &(x, y, radius)) in places.iter().enumerate() {
            let target = Some(Target::Point(Vec2::new((y * 7.0) % 20.0, (x * 7.0) % 20.0)));
            let drive = if seeks { steer(Behaviour::Seek, target) } else { build::wander() };
            let name = format!("a{index}");
            build::add(&mut scenario, &name, Vec2::new(x, y), solid(radius, 4.0), drive);
        }
        let mut world = build::world(scenario);
        // The bodies start at random positions and may overlap, so they need some frames to separate.
        (0..20).for_each(|_| step(&mut world));
        for _ in 0..60 {
            step(&mut world);
            for id in world.ids() {
                for other in world.ids().skip(id.index() + 1) {
                    let least = world.body(id).radius.min(world.body(other).radius);
                    let overlap = overlap(&world, id, other);
                    prop_assert!(overlap < (0.02 * least).max(1.1e-3), "{overlap}");
                }
            }
        }
    }

    #[test]
    fn crowded_bodies_are_not_pushed_into_walls(
        places in prop::collection::vec((1.6f32..8.4, 1.6f32..5.4), 2..30),
        goal in (1.0f32..9.0, 1.0f32..6.0),
    ) {
        let rows = ["##########", "#........#", "#...##...#", "#...##...#", "#...T....#", "#........#", "##########"];
        let rows: Vec<String> = rows.iter().map(|&row| row.to_owned()).collect();
        let mut scenario = build::scenario(build::map(&rows, Edges::Wall));
        let goal = Some(Target::Point(Vec2::new(goal.0, goal.1)));
        for (index, &(x, y)) in places.iter().enumerate() {
            let at = Vec2::new(x, y);
            if scenario.map().fits(at, 0.35) {
                let drive = steer(Behaviour::Seek, goal);
                build::add(&mut scenario, &format!("a{index}"), at, solid(0.35, 6.0), drive);
            }
        }
        let mut world = build::world(scenario);
        for _ in 0..100 {
            step(&mut world);
            for id in world.ids() {
                let at = world.position(id);
                prop_assert!(world.scenario().map().fits(at, 0.35), "{} at {at}", id.0);
            }
        }
    }

    #[test]
    fn the_target_of_seek_is_the_nearest_member_found_by_brute_force(
        spread in 1.0f32..60.0,
        size in (3usize..70, 3usize..70),
        wrap in any::<bool>(),
        seed in 0u64..1000,
        grid in any::<bool>(),
    ) {
        let edges = if wrap { Edges::Wrap } else { Edges::Wall };
        let mut scenario = open(size.0, size.1, edges);
        let mut random = seed;
        let mut next = || {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 40) as f32 / (1_u32 << 24) as f32
        };
        let reach = Vec2::new(size.0 as f32, size.1 as f32).min(Vec2::splat(spread)) - 0.2;
        for index in 0..120 {
            let at = Vec2::new(next(), next()) * reach;
            // On a coarse grid, many agents are equally near.
            let at = if grid { (at * 2.0).floor() / 2.0 } else { at } + 0.1;
            let drive = steer(Behaviour::Seek, Some(Target::Group(GroupId(u32::from(index % 3 == 0)))));
            let body = Body { radius: 0.05, ..Body::default() };
            build::add(&mut scenario, &format!("a{index}"), at, body, drive);
        }
        let group = |name: &str, ids: Vec<AgentId>| Group { name: name.into(), members: ids };
        let groups = vec![
            group("all", (0..120).map(AgentId).collect()),
            group("odd", (0..120).filter(|id| id % 2 == 1).map(AgentId).collect()),
        ];
        build::edit(&mut scenario, |parts| parts.groups = groups);
        let mut world = build::world(scenario);
        for _ in 0..2 {
            for id in world.ids() {
                let note = explain(&world, id).forces.notes[0].1;
                let group = GroupId(u32::from(id.0 % 3 == 0));
                let nearest = world.nearest_member(id, group).expect("another agent");
                let offset = world.scenario().map().offset(world.position(id), world.position(nearest));
                prop_assert_eq!(note, Note::Target(world.position(id) + offset));
            }
            step(&mut world);
        }
    }

    /// Compares the forces of `avoid_agents` with the documented formula, calculated in f64 for all pairs of
    /// agents.
    #[test]
    fn avoid_agents_turns_away_from_the_agent_it_would_meet_first(
        agents in prop::collection::vec((0.5f32..29.5, 0.5f32..29.5, 0.0f32..360.0), 2..25),
        wrap in any::<bool>(),
        lead in 0.2f32..3.0,
    ) {
        let edges = if wrap { Edges::Wrap } else { Edges::Wall };
        let mut scenario = open(30, 30, edges);
        let avoid = AvoidAgents { lead, of: None };
        for (index, &(x, y, degrees)) in agents.iter().enumerate() {
            let at = Vec2::new(x, y);
            let goal = at + tilewalk_sim::geom::heading::from_degrees(degrees) * 100.0;
            let body = Body { radius: 0.3, max_speed: 3.0 + index as f32 % 3.0, ..Body::default() };
            let rows = vec![
                build::behaviour(Behaviour::AvoidAgents(avoid), None),
                build::behaviour(Behaviour::Seek, Some(Target::Point(goal))),
            ];
            let drive = Drive::Steer { combine: Combine::Prioritized, rows };
            build::add(&mut scenario, &format!("a{index}"), at, body, drive);
        }
        let mut world = build::world(scenario);
        for _ in 0..10 {
            step(&mut world);
            for id in world.ids() {
                let force = explain(&world, id).forces.rows[0].raw.force;
                let expected = expected_force(&world, id, lead);
                let error = (f64::from(force.x) - expected.0).hypot(f64::from(force.y) - expected.1);
                prop_assert!(error < 0.05 || is_doubtful(&world, id, lead), "{force} {expected:?}");
            }
        }
    }
}

/// For each other agent, returns the time until the closest approach, the distance at that time, and the
/// part of this distance to the side of the heading (positive to starboard).
fn meetings(world: &World, id: AgentId) -> Vec<(f64, f64, f64)> {
    let wide = |u: Vec2| (f64::from(u.x), f64::from(u.y));
    let (v, h) = (wide(world.velocity(id)), wide(world.heading(id)));
    let others = world.ids().filter(|&other| other != id);
    others
        .filter_map(|other| {
            let p = wide(world.scenario().map().offset(world.position(id), world.position(other)));
            let u = wide(world.velocity(other));
            let r = (u.0 - v.0, u.1 - v.1);
            let time = -(p.0 * r.0 + p.1 * r.1) / (r.0 * r.0 + r.1 * r.1);
            let q = (p.0 + r.0 * time, p.1 + r.1 * time);
            time.is_finite().then(|| (time, q.0.hypot(q.1), q.1 * h.0 - q.0 * h.1))
        })
        .collect()
}

/// Returns the force of `avoid_agents` by its formula, calculated in f64.
fn expected_force(world: &World, id: AgentId, lead: f32) -> (f64, f64) {
    let lead = f64::from(lead);
    let mut meetings = meetings(world, id);
    meetings.retain(|&(time, distance, _)| time > 0.0 && time < lead && distance < 0.8);
    meetings.sort_by(|a, b| a.0.total_cmp(&b.0));
    let Some(&(time, _, side)) = meetings.first() else { return (0.0, 0.0) };
    let h = world.heading(id);
    let strength = 12.0 * (1.0 - time / lead) * if side > 0.0 { -1.0 } else { 1.0 };
    (-f64::from(h.y) * strength, f64::from(h.x) * strength)
}

/// Returns true if a value is so close to a limit of the formula that rounding decides.
fn is_doubtful(world: &World, id: AgentId, lead: f32) -> bool {
    let close = |a: f64, b: f64| (a - b).abs() < 1e-3;
    meetings(world, id).iter().any(|&(time, distance, side)| {
        close(time, 0.0) || close(time, f64::from(lead)) || close(distance, 0.8) || close(side, 0.0)
    })
}

#[test]
fn bodies_at_the_same_position_separate_and_each_reports_one_overlap() {
    let mut scenario = open(20, 20, Edges::Wall);
    for name in ["a", "b"] {
        let stay = Some(Target::Home);
        let drive = steer(Behaviour::Arrive(tilewalk_sim::steering::Arrive::default()), stay);
        build::add(&mut scenario, name, Vec2::splat(9.5), solid(0.3, 4.0), drive);
    }
    let mut world = build::world(scenario);
    step(&mut world);
    let [a, b] = [0, 1].map(|id| world.position(AgentId(id)));
    assert!(((a - b).length() - 0.6).abs() < 1e-4 && ((a + b) / 2.0 - 9.5).length() < 1e-4);
    let events: Vec<_> = world.events().iter().map(|event| (event.agent.0, event.kind)).collect();
    let overlap = |id| EventKind::Overlap(AgentId(id));
    assert_eq!(events, [(0, overlap(1)), (1, overlap(0))]);
}

#[test]
fn an_overlap_of_a_vehicle_and_a_tile_walker_pushes_only_the_vehicle() {
    let mut scenario = open(20, 5, Edges::Wall);
    let ends = [TilePos::new(1, 2), TilePos::new(18, 2)];
    let path = PathPattern::new(&ends, PathRules::default()).expect("a path");
    let walk = build::absolute_pattern(Pattern::Path(path));
    let walker = build::add(&mut scenario, "walker", Vec2::new(1.5, 2.5), solid(0.45, 4.0), walk);
    build::edit(&mut scenario, |parts| parts.kinds[0].modes[0].pace = 4);
    let goal = Some(Target::Agent(walker));
    let car = Vec2::new(3.5, 2.2);
    build::add(&mut scenario, "car", car, solid(0.45, 2.0), steer(Behaviour::Seek, goal));
    let mut world = build::world(scenario);
    let mut overlap_events = 0;
    for _ in 0..200 {
        step(&mut world);
        assert_eq!(world.position(walker), world.tile(walker).centre());
        assert!(largest_overlap(&world) < 1e-3, "{}", largest_overlap(&world));
        let is_overlap =
            |event: &&tilewalk_sim::event::Event| matches!(event.kind, EventKind::Overlap(_));
        overlap_events += world.events().iter().filter(is_overlap).count();
    }
    assert!(overlap_events > 0, "the bodies never met");
}
