//! Properties of neighbours and of their sums.

use std::collections::BTreeSet;

use proptest::prelude::*;
use tilewalk::agent::Drive;
use tilewalk::body::Body;
use tilewalk::geom::{Vec2, heading};
use tilewalk::id::{AgentId, GroupId};
use tilewalk::locomotion::vehicle::{self, Manner, Push, VelocityChange};
use tilewalk::map::Edges;
use tilewalk::scenario::{Group, Scenario};
use tilewalk::steering::combine::Combine;
use tilewalk::steering::{
    Alignment, Behaviour, Cohesion, Neighbourhood, Note, Separation, WeightedBehaviour,
};
use tilewalk::step::{Explanation, explain, step};
use tilewalk::world::World;

use crate::support::build;

/// Where an agent of a random world stands: anywhere, on a corner of its tile, or where another is.
#[derive(Debug, Clone, Copy)]
enum Spot {
    Anywhere(f32, f32),
    Corner(f32, f32),
    WithFirst,
}

/// A random world.
#[derive(Debug, Clone)]
struct Crowd {
    size: (u32, u32),
    wrap: bool,
    agents: Vec<(Spot, f32, u32)>,
    who: Neighbourhood,
}

fn spot() -> impl Strategy<Value = Spot> {
    prop_oneof![
        6 => (0.0f32..1.0, 0.0f32..1.0).prop_map(|(x, y)| Spot::Anywhere(x, y)),
        2 => (0.0f32..1.0, 0.0f32..1.0).prop_map(|(x, y)| Spot::Corner(x, y)),
        1 => Just(Spot::WithFirst),
    ]
}

fn crowd() -> impl Strategy<Value = Crowd> {
    let radius = prop_oneof![0.05f32..1.0, 1.0f32..6.0, Just(2.0), 6.0f32..60.0];
    let angle = prop::option::of(prop_oneof![0.1f32..6.2, Just(core::f32::consts::PI)]);
    let of = prop::option::of((0u32..2).prop_map(GroupId));
    let who = (radius, angle, of).prop_map(|(radius, angle, of)| Neighbourhood {
        radius,
        angle,
        of,
        by_edges: false,
    });
    let agents = prop::collection::vec((spot(), 0.0f32..360.0, 0u32..2), 2..30);
    let size = prop_oneof![(1u32..5, 1u32..5), (3u32..40, 3u32..40)];
    (size, any::<bool>(), agents, who).prop_map(|(size, wrap, agents, who)| Crowd {
        size,
        wrap,
        agents,
        who,
    })
}

fn separation(who: Neighbourhood) -> Vec<WeightedBehaviour> {
    vec![build::row(Behaviour::Separation(Separation(who)), None)]
}

fn flock(who: Neighbourhood) -> Vec<WeightedBehaviour> {
    let row = |behaviour, weight| WeightedBehaviour { weight, ..build::row(behaviour, None) };
    vec![
        row(Behaviour::Separation(Separation(who)), 1.0),
        row(Behaviour::Alignment(Alignment(who)), 2.0),
        row(Behaviour::Cohesion(Cohesion(who)), 1.0),
    ]
}

fn steer(rows: Vec<WeightedBehaviour>) -> Drive {
    Drive::Steer { combine: Combine::Weighted, rows }
}

/// Small bodies, so that walls leave the agents where they are put.
fn body() -> Body {
    Body { radius: 0.05, ..Body::default() }
}

fn scenario(crowd: &Crowd, rows: &[WeightedBehaviour]) -> Scenario {
    let (width, height) = crowd.size;
    let tiles = vec![".".repeat(width as usize); height as usize];
    let edges = if crowd.wrap { Edges::Wrap } else { Edges::Wall };
    let mut scenario = build::scenario(build::map(&tiles, edges));
    let groups = ["reds", "blues"].map(|name| Group { name: name.into(), members: vec![] });
    build::edit(&mut scenario, |parts| parts.groups = groups.into());
    let size = Vec2::new(width as f32, height as f32);
    let mut first = None;
    for (index, &(spot, degrees, group)) in crowd.agents.iter().enumerate() {
        let at = match (spot, first) {
            (Spot::WithFirst, Some(first)) => first,
            (Spot::WithFirst, None) => size / 2.0,
            (Spot::Anywhere(x, y), _) => Vec2::new(x, y) * size,
            (Spot::Corner(x, y), _) => (Vec2::new(x, y) * size).floor(),
        };
        let inside = at.clamp(Vec2::splat(0.06), size - 0.06);
        let at = if crowd.wrap { scenario.map().wrap(at) } else { inside };
        first = first.or(Some(at));
        let id = build::add(&mut scenario, &format!("a{index}"), at, body(), steer(rows.to_vec()));
        build::edit(&mut scenario, |parts| {
            parts.starts[index].heading = heading::from_degrees(degrees);
            parts.kinds[index].group = Some(GroupId(group));
            parts.groups[group as usize].members.push(id);
        });
    }
    scenario
}

fn is_member(world: &World, id: AgentId, of: Option<GroupId>) -> bool {
    of.is_none() || world.kind(id).group == of
}

/// The neighbours of an agent, found by looking at everyone.
fn brute_force(world: &World, id: AgentId, who: &Neighbourhood) -> BTreeSet<AgentId> {
    let counts = |&other: &AgentId| {
        let way = world.scenario().map().offset(world.position(id), world.position(other));
        let near = way.length_squared() < who.radius * who.radius;
        let ahead = way.dot(world.heading(id)) / way.length();
        let seen = |angle: f32| way == Vec2::ZERO || ahead >= libm::cosf(angle / 2.0);
        other != id && is_member(world, other, who.of) && near && who.angle.is_none_or(seen)
    };
    world.ids().filter(counts).collect()
}

fn told(explanation: &Explanation) -> Vec<AgentId> {
    let notes = explanation.forces.notes.iter().filter(|(row, _)| *row == 0);
    notes
        .filter_map(|(_, note)| if let Note::Neighbour(id) = note { Some(*id) } else { None })
        .collect()
}

/// Is a neighbour so near the edge of the cone or of the circle that rounding decides?
fn on_the_edge(world: &World, id: AgentId, other: AgentId, who: &Neighbourhood) -> bool {
    let way = world.scenario().map().offset(world.position(id), world.position(other));
    let way = (f64::from(way.x), f64::from(way.y));
    let h = world.heading(id);
    let cosine = (way.0 * f64::from(h.x) + way.1 * f64::from(h.y)) / way.0.hypot(way.1);
    who.angle.is_some_and(|angle| (cosine - libm::cos(f64::from(angle) / 2.0)).abs() < 1e-6)
}

/// The forces of the three behaviours, told again in f64 (gain is 8, top speed 4, and at rest).
fn retold(world: &World, id: AgentId, neighbours: &[AgentId]) -> [(f64, f64); 3] {
    let wide = |u: Vec2| (f64::from(u.x), f64::from(u.y));
    let (mut apart, mut face, mut middle) = ((0.0, 0.0), (0.0, 0.0), (0.0, 0.0));
    for &other in neighbours {
        let (dx, dy) =
            wide(world.scenario().map().offset(world.position(id), world.position(other)));
        let h = wide(world.heading(other));
        let squared = dx * dx + dy * dy;
        apart = (apart.0 - dx / squared, apart.1 - dy / squared);
        face = (face.0 + h.0, face.1 + h.1);
        middle = (middle.0 + dx, middle.1 + dy);
    }
    let count = neighbours.len() as f64;
    let (h, v) = (wide(world.heading(id)), wide(world.velocity(id)));
    let long = middle.0.hypot(middle.1);
    let wanted = (middle.0 / long * 4.0 - v.0, middle.1 / long * 4.0 - v.1);
    let wish = wanted.0.hypot(wanted.1);
    [
        (apart.0 * 8.0, apart.1 * 8.0),
        ((face.0 / count - h.0) * 8.0, (face.1 / count - h.1) * 8.0),
        (wanted.0 / wish * 8.0, wanted.1 / wish * 8.0),
    ]
}

/// Runs one frame, and takes care that what is explained is what was done.
fn step_as_explained(world: &mut World) -> Vec<Explanation> {
    let before = world.clone();
    let told: Vec<_> = before.ids().map(|id| explain(&before, id)).collect();
    step(world);
    for explanation in &told {
        let id = explanation.agent;
        let (motion, body, scenario) = (before.motion(id), before.body(id), before.scenario());
        let (change, dt) = (VelocityChange::Force(explanation.output.force), scenario.dt());
        let push = Push { velocity: change.apply(motion.velocity, body, dt), turn: 0.0 };
        let manner = Manner { tracks: false, oriented: false, tile_drag: 0.0 };
        let driven = vehicle::drive(motion, push, manner, body, scenario.map(), dt);
        assert_eq!(driven.motion, world.motion(id), "explained is not done");
    }
    told
}

proptest! {
    #![proptest_config(build::cases(1000))]

    #[test]
    fn neighbours_are_those_that_a_look_at_everyone_finds(crowd in crowd()) {
        let mut world = build::world(scenario(&crowd, &flock(crowd.who)));
        for _ in 0..2 {
            let before = world.clone();
            for explanation in step_as_explained(&mut world) {
                let id = explanation.agent;
                let found = told(&explanation);
                let all = brute_force(&before, id, &crowd.who);
                let set: BTreeSet<_> = found.iter().copied().collect();
                prop_assert_eq!(set.len(), found.len(), "nobody counts twice");
                for other in set.symmetric_difference(&all) {
                    prop_assert!(on_the_edge(&before, id, *other, &crowd.who), "{:?} of {:?}", other, id);
                }
                let here = |other: &AgentId| before.position(*other) == before.position(id);
                let rows = &explanation.forces.rows;
                if found.is_empty() {
                    prop_assert!(rows.iter().all(|row| row.raw.force == Vec2::ZERO));
                } else if !found.iter().any(here) {
                    let middle = found.iter().fold(Vec2::ZERO, |sum, &other| {
                        sum + before.scenario().map().offset(before.position(id), before.position(other))
                    });
                    let away = |other: &AgentId| {
                        let offset = before.scenario().map().offset(before.position(id), before.position(*other));
                        8.0 / f64::from(offset.length())
                    };
                    let pushes: f64 = found.iter().map(away).sum();
                    for (index, (row, (x, y))) in rows.iter().zip(retold(&before, id, &found)).enumerate() {
                        let force = row.raw.force;
                        let off = (f64::from(force.x) - x).hypot(f64::from(force.y) - y);
                        // The direction of what has next to no length hangs on the last bit.
                        let vague = index == 2 && middle.length() < 1e-3;
                        // Of large forces that cancel out the rounding of each is left.
                        let rounding = if index == 0 { 1e-6 * pushes } else { 0.0 };
                        let within = 1e-3 * (1.0 + x.hypot(y)) + rounding;
                        prop_assert!(vague || off < within, "row {index}: {off}, pushes {pushes}");
                    }
                }
            }
        }
    }

    #[test]
    fn rows_that_share_their_sums_have_the_bits_of_rows_alone(crowd in crowd()) {
        let together = build::world(scenario(&crowd, &flock(crowd.who)));
        for (index, row) in flock(crowd.who).into_iter().enumerate() {
            let alone = build::world(scenario(&crowd, &[row]));
            for id in alone.ids() {
                let (fused, single) = (explain(&together, id), explain(&alone, id));
                prop_assert_eq!(fused.forces.rows[index].raw, single.forces.rows[0].raw);
            }
        }
    }

    #[test]
    fn a_bystander_without_a_larger_radius_changes_no_bit(
        crowd in crowd(),
        share in (0.0f32..1.0, 0.0f32..1.0),
        radius in 0.05f32..1.0,
        place in 0usize..3,
    ) {
        let who = crowd.who;
        let alone = scenario(&crowd, &flock(who));
        let size = Vec2::new(crowd.size.0 as f32, crowd.size.1 as f32);
        let at = (Vec2::new(share.0, share.1) * size).clamp(Vec2::splat(0.06), size - 0.06);
        // It belongs to those who are looked at, and stands in the order of agents before, among or
        // after them.
        let mut watched = scenario(&Crowd { agents: vec![], ..crowd.clone() }, &[]);
        let place = place.min(crowd.agents.len());
        let narrow = Neighbourhood { radius: radius * who.radius, ..who };
        for index in 0..=crowd.agents.len() {
            if index == place {
                let id = build::add(&mut watched, "by", at, body(), steer(separation(narrow)));
                build::edit(&mut watched, |parts| parts.kinds[id.index()].group = Some(GroupId(0)));
                build::edit(&mut watched, |parts| parts.groups[0].members.push(id));
            }
            let Some(kind) = alone.kinds().get(index) else { continue };
            let start = alone.starts()[index];
            let drive = kind.modes[0].drive.clone();
            let id = build::add(&mut watched, &kind.name, start.position, body(), drive);
            build::edit(&mut watched, |parts| parts.starts[id.index()].heading = start.heading);
            build::edit(&mut watched, |parts| parts.kinds[id.index()].group = kind.group);
            let group = kind.group.expect("everyone has one");
            build::edit(&mut watched, |parts| parts.groups[group.0 as usize].members.push(id));
        }
        let (mut alone, mut watched) = (build::world(alone), build::world(watched));
        let far = |&id: &AgentId| {
            let way = alone.scenario().map().offset(alone.position(id), at);
            way.length_squared() >= who.radius * who.radius
        };
        let far: Vec<_> = alone.ids().filter(far).collect();
        step(&mut alone);
        step(&mut watched);
        for id in far {
            let after = AgentId(id.0 + u32::from(id.index() >= place));
            prop_assert_eq!(alone.motion(id), watched.motion(after));
        }
    }

    #[test]
    fn separation_of_two_alone_is_antiparallel(
        at in (5.0f32..15.0, 5.0f32..15.0),
        way in (-2.5f32..2.5, -2.5f32..2.5),
        wrap in any::<bool>(),
    ) {
        let (at, way) = (Vec2::new(at.0, at.1), Vec2::new(way.0, way.1));
        let [a, b] = two(at, at + way, wrap);
        prop_assert_eq!(a, -b);
        prop_assert!(a.dot(way) <= 0.0);
    }
}

/// The forces of two alone who keep apart.
fn two(at: Vec2, other: Vec2, wrap: bool) -> [Vec2; 2] {
    let edges = if wrap { Edges::Wrap } else { Edges::Wall };
    let mut scenario = build::scenario(build::map(&vec![".".repeat(20); 20], edges));
    let who = Neighbourhood { radius: 4.0, angle: None, of: None, by_edges: false };
    for (name, at) in [("a", at), ("b", other)] {
        build::add(&mut scenario, name, at, body(), steer(separation(who)));
    }
    let world = build::world(scenario);
    [0, 1].map(|id| explain(&world, AgentId(id)).forces.rows[0].raw.force)
}

#[test]
fn separation_of_two_in_the_same_place() {
    let [a, b] = two(Vec2::splat(5.5), Vec2::splat(5.5), false);
    assert_eq!(a, -b);
    assert!(a.is_finite() && a.length() > 100.0, "{a}");
}

#[test]
fn a_view_cone_with_a_far_target() {
    let mut scenario = build::scenario(build::map(&vec![".".repeat(60); 60], Edges::Wall));
    let who = Neighbourhood {
        radius: 50.0,
        angle: Some(60.0_f32.to_radians()),
        of: None,
        by_edges: false,
    };
    let start = Vec2::splat(5.5);
    let me = build::add(&mut scenario, "me", start, body(), steer(separation(who)));
    let far = |degrees| start + heading::from_degrees(degrees) * 40.0;
    for (name, degrees) in [("inside", 29.0), ("outside", 31.0)] {
        build::add(&mut scenario, name, far(degrees), body(), Drive::Stand);
    }
    let world = build::world(scenario);
    assert_eq!(told(&explain(&world, me)), [AgentId(1)]);
}

#[test]
fn an_agent_of_no_group_that_is_asked_for_has_neighbours_too() {
    let mut scenario = build::scenario(build::map(&vec![".".repeat(20); 20], Edges::Wall));
    build::edit(&mut scenario, |parts| {
        parts.groups = vec![Group { name: "reds".into(), members: vec![AgentId(1)] }];
    });
    let who = Neighbourhood { radius: 4.0, angle: None, of: Some(GroupId(0)), by_edges: false };
    let me = build::add(&mut scenario, "me", Vec2::splat(5.5), body(), steer(separation(who)));
    let red = Vec2::new(7.5, 5.5);
    build::add(&mut scenario, "red", red, body(), build::seek(red));
    let mut world = build::world(scenario);
    let told = step_as_explained(&mut world);
    assert_eq!(told[me.index()].output.force, Vec2::new(-4.0, 0.0));
}
