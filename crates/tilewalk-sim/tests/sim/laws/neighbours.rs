//! Properties of neighbours and of the forces that depend on them.

use std::collections::BTreeSet;

use proptest::prelude::*;
use tilewalk_sim::agent::Drive;
use tilewalk_sim::body::Body;
use tilewalk_sim::geom::{Vec2, heading};
use tilewalk_sim::id::{AgentId, GroupId};
use tilewalk_sim::locomotion::vehicle::{self, Manner, Push, VelocityChange};
use tilewalk_sim::map::Edges;
use tilewalk_sim::scenario::{Group, Scenario};
use tilewalk_sim::steering::combine::Combine;
use tilewalk_sim::steering::{
    Alignment, Behaviour, Cohesion, Neighbourhood, Note, Separation, WeightedBehaviour,
};
use tilewalk_sim::step::{Explanation, explain, step};
use tilewalk_sim::world::World;

use crate::support::build;

/// Start of an agent: anywhere, on a corner of a tile, or at the position of the first agent.
#[derive(Debug, Clone, Copy)]
enum RandomStart {
    Anywhere(f32, f32),
    Corner(f32, f32),
    WithFirst,
}

/// Map, agents and neighbourhood of a random world. Each agent has a start, a heading in degrees and the
/// number of its group.
#[derive(Debug, Clone)]
struct Crowd {
    size: (u32, u32),
    wrap: bool,
    agents: Vec<(RandomStart, f32, u32)>,
    neighbourhood: Neighbourhood,
}

fn random_start() -> impl Strategy<Value = RandomStart> {
    prop_oneof![
        6 => (0.0f32..1.0, 0.0f32..1.0).prop_map(|(x, y)| RandomStart::Anywhere(x, y)),
        2 => (0.0f32..1.0, 0.0f32..1.0).prop_map(|(x, y)| RandomStart::Corner(x, y)),
        1 => Just(RandomStart::WithFirst),
    ]
}

fn crowd() -> impl Strategy<Value = Crowd> {
    let radius = prop_oneof![0.05f32..1.0, 1.0f32..6.0, Just(2.0), 6.0f32..60.0];
    let angle = prop::option::of(prop_oneof![0.1f32..6.2, Just(core::f32::consts::PI)]);
    let of = prop::option::of((0u32..2).prop_map(GroupId));
    let neighbourhood = (radius, angle, of).prop_map(|(radius, angle, of)| Neighbourhood {
        radius,
        angle,
        of,
        by_edges: false,
    });
    let agents = prop::collection::vec((random_start(), 0.0f32..360.0, 0u32..2), 2..30);
    let size = prop_oneof![(1u32..5, 1u32..5), (3u32..40, 3u32..40)];
    (size, any::<bool>(), agents, neighbourhood)
        .prop_map(|(size, wrap, agents, neighbourhood)| Crowd { size, wrap, agents, neighbourhood })
}

fn separation(neighbourhood: Neighbourhood) -> Vec<WeightedBehaviour> {
    vec![build::behaviour(Behaviour::Separation(Separation(neighbourhood)), None)]
}

fn flock(neighbourhood: Neighbourhood) -> Vec<WeightedBehaviour> {
    let row = |behaviour, weight| WeightedBehaviour { weight, ..build::behaviour(behaviour, None) };
    vec![
        row(Behaviour::Separation(Separation(neighbourhood)), 1.0),
        row(Behaviour::Alignment(Alignment(neighbourhood)), 2.0),
        row(Behaviour::Cohesion(Cohesion(neighbourhood)), 1.0),
    ]
}

fn steer(rows: Vec<WeightedBehaviour>) -> Drive {
    Drive::Steer { combine: Combine::Weighted, rows }
}

/// Returns a body so small that walls do not move the agents away from their starts.
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
    for (index, &(random_start, degrees, group)) in crowd.agents.iter().enumerate() {
        let at = match (random_start, first) {
            (RandomStart::WithFirst, Some(first)) => first,
            (RandomStart::WithFirst, None) => size / 2.0,
            (RandomStart::Anywhere(x, y), _) => Vec2::new(x, y) * size,
            (RandomStart::Corner(x, y), _) => (Vec2::new(x, y) * size).floor(),
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

/// Finds the neighbours of an agent by checking all agents.
fn brute_force(world: &World, id: AgentId, neighbourhood: &Neighbourhood) -> BTreeSet<AgentId> {
    let is_neighbour = |&other: &AgentId| {
        let offset = world.scenario().map().offset(world.position(id), world.position(other));
        let near = offset.length_squared() < neighbourhood.radius * neighbourhood.radius;
        let ahead = offset.dot(world.heading(id)) / offset.length();
        let seen = |angle: f32| offset == Vec2::ZERO || ahead >= libm::cosf(angle / 2.0);
        other != id
            && is_member(world, other, neighbourhood.of)
            && near
            && neighbourhood.angle.is_none_or(seen)
    };
    world.ids().filter(is_neighbour).collect()
}

/// Returns the neighbours that an explanation reports for the first behaviour.
fn reported_neighbours(explanation: &Explanation) -> Vec<AgentId> {
    let notes = explanation.forces.notes.iter().filter(|(row, _)| *row == 0);
    notes
        .filter_map(|(_, note)| if let Note::Neighbour(id) = note { Some(*id) } else { None })
        .collect()
}

/// Returns true if `other` is so close to the edge of the view cone that rounding decides whether it is a
/// neighbour.
fn is_on_the_edge(
    world: &World,
    id: AgentId,
    other: AgentId,
    neighbourhood: &Neighbourhood,
) -> bool {
    let offset = world.scenario().map().offset(world.position(id), world.position(other));
    let offset = (f64::from(offset.x), f64::from(offset.y));
    let h = world.heading(id);
    let cosine = (offset.0 * f64::from(h.x) + offset.1 * f64::from(h.y)) / offset.0.hypot(offset.1);
    neighbourhood
        .angle
        .is_some_and(|angle| (cosine - libm::cos(f64::from(angle) / 2.0)).abs() < 1e-6)
}

/// Calculates the forces of `separation`, `alignment` and `cohesion` in f64, for a gain of 8 and a maximum
/// speed of 4.
fn expected_forces(world: &World, id: AgentId, neighbours: &[AgentId]) -> [(f64, f64); 3] {
    let wide = |u: Vec2| (f64::from(u.x), f64::from(u.y));
    let (mut push, mut headings, mut offsets) = ((0.0, 0.0), (0.0, 0.0), (0.0, 0.0));
    for &other in neighbours {
        let (dx, dy) =
            wide(world.scenario().map().offset(world.position(id), world.position(other)));
        let h = wide(world.heading(other));
        let squared = dx * dx + dy * dy;
        push = (push.0 - dx / squared, push.1 - dy / squared);
        headings = (headings.0 + h.0, headings.1 + h.1);
        offsets = (offsets.0 + dx, offsets.1 + dy);
    }
    let count = neighbours.len() as f64;
    let (h, v) = (wide(world.heading(id)), wide(world.velocity(id)));
    let distance = offsets.0.hypot(offsets.1);
    let change = (offsets.0 / distance * 4.0 - v.0, offsets.1 / distance * 4.0 - v.1);
    let length = change.0.hypot(change.1);
    [
        (push.0 * 8.0, push.1 * 8.0),
        ((headings.0 / count - h.0) * 8.0, (headings.1 / count - h.1) * 8.0),
        (change.0 / length * 8.0, change.1 / length * 8.0),
    ]
}

/// Steps one frame, and asserts that all agents move as explained. Returns the explanations.
fn step_as_explained(world: &mut World) -> Vec<Explanation> {
    let before = world.clone();
    let explanations: Vec<_> = before.ids().map(|id| explain(&before, id)).collect();
    step(world);
    for explanation in &explanations {
        let id = explanation.agent;
        let (motion, body, scenario) = (before.motion(id), before.body(id), before.scenario());
        let (change, dt) = (VelocityChange::Force(explanation.output.force), scenario.dt());
        let push = Push { velocity: change.apply(motion.velocity, body, dt), turn: 0.0 };
        let manner = Manner { tracks: false, avoids_crowd: false, oriented: false, tile_drag: 0.0 };
        let driven = vehicle::drive(motion, push, manner, body, scenario.map(), dt);
        assert_eq!(driven.motion, world.motion(id), "the motion differs from the explanation");
    }
    explanations
}

proptest! {
    #![proptest_config(build::cases(1000))]

    #[test]
    fn neighbours_and_their_forces_match_a_brute_force_search(crowd in crowd()) {
        let mut world = build::world(scenario(&crowd, &flock(crowd.neighbourhood)));
        for _ in 0..2 {
            let before = world.clone();
            for explanation in step_as_explained(&mut world) {
                let id = explanation.agent;
                let found = reported_neighbours(&explanation);
                let all = brute_force(&before, id, &crowd.neighbourhood);
                let set: BTreeSet<_> = found.iter().copied().collect();
                prop_assert_eq!(set.len(), found.len(), "no neighbour is reported twice");
                for other in set.symmetric_difference(&all) {
                    prop_assert!(is_on_the_edge(&before, id, *other, &crowd.neighbourhood), "{:?} of {:?}", other, id);
                }
                let is_here = |other: &AgentId| before.position(*other) == before.position(id);
                let rows = &explanation.forces.rows;
                if found.is_empty() {
                    prop_assert!(rows.iter().all(|row| row.raw.force == Vec2::ZERO));
                } else if !found.iter().any(is_here) {
                    let middle = found.iter().fold(Vec2::ZERO, |sum, &other| {
                        sum + before.scenario().map().offset(before.position(id), before.position(other))
                    });
                    let away = |other: &AgentId| {
                        let offset = before.scenario().map().offset(before.position(id), before.position(*other));
                        8.0 / f64::from(offset.length())
                    };
                    let pushes: f64 = found.iter().map(away).sum();
                    for (index, (row, (x, y))) in rows.iter().zip(expected_forces(&before, id, &found)).enumerate() {
                        let force = row.raw.force;
                        let off = (f64::from(force.x) - x).hypot(f64::from(force.y) - y);
                        // The direction of a very short offset depends on rounding.
                        let vague = index == 2 && middle.length() < 1e-3;
                        // Large forces that cancel out leave their rounding errors.
                        let rounding = if index == 0 { 1e-6 * pushes } else { 0.0 };
                        let within = 1e-3 * (1.0 + x.hypot(y)) + rounding;
                        prop_assert!(vague || off < within, "row {index}: {off}, pushes {pushes}");
                    }
                }
            }
        }
    }

    #[test]
    fn fused_behaviours_have_the_forces_of_single_behaviours_bit_for_bit(crowd in crowd()) {
        let together = build::world(scenario(&crowd, &flock(crowd.neighbourhood)));
        for (index, row) in flock(crowd.neighbourhood).into_iter().enumerate() {
            let alone = build::world(scenario(&crowd, &[row]));
            for id in alone.ids() {
                let (fused, single) = (explain(&together, id), explain(&alone, id));
                prop_assert_eq!(fused.forces.rows[index].raw, single.forces.rows[0].raw);
            }
        }
    }

    #[test]
    fn an_extra_agent_out_of_range_changes_no_other_agent(
        crowd in crowd(),
        share in (0.0f32..1.0, 0.0f32..1.0),
        radius in 0.05f32..1.0,
        extra_index in 0usize..3,
    ) {
        let neighbourhood = crowd.neighbourhood;
        let alone = scenario(&crowd, &flock(neighbourhood));
        let size = Vec2::new(crowd.size.0 as f32, crowd.size.1 as f32);
        let at = (Vec2::new(share.0, share.1) * size).clamp(Vec2::splat(0.06), size - 0.06);
        // The extra agent belongs to the observed group and comes before, among or after the others.
        let mut with_extra = scenario(&Crowd { agents: vec![], ..crowd.clone() }, &[]);
        let extra_index = extra_index.min(crowd.agents.len());
        let narrow = Neighbourhood { radius: radius * neighbourhood.radius, ..neighbourhood };
        for index in 0..=crowd.agents.len() {
            if index == extra_index {
                let id = build::add(&mut with_extra, "by", at, body(), steer(separation(narrow)));
                build::edit(&mut with_extra, |parts| parts.kinds[id.index()].group = Some(GroupId(0)));
                build::edit(&mut with_extra, |parts| parts.groups[0].members.push(id));
            }
            let Some(kind) = alone.kinds().get(index) else { continue };
            let start = alone.starts()[index];
            let drive = kind.modes[0].drive.clone();
            let id = build::add(&mut with_extra, &kind.name, start.position, body(), drive);
            build::edit(&mut with_extra, |parts| parts.starts[id.index()].heading = start.heading);
            build::edit(&mut with_extra, |parts| parts.kinds[id.index()].group = kind.group);
            let group = kind.group.expect("every agent has a group");
            build::edit(&mut with_extra, |parts| parts.groups[group.0 as usize].members.push(id));
        }
        let (mut alone, mut with_extra) = (build::world(alone), build::world(with_extra));
        let is_far = |&id: &AgentId| {
            let offset = alone.scenario().map().offset(alone.position(id), at);
            offset.length_squared() >= neighbourhood.radius * neighbourhood.radius
        };
        let far: Vec<_> = alone.ids().filter(is_far).collect();
        step(&mut alone);
        step(&mut with_extra);
        for id in far {
            let shifted = AgentId(id.0 + u32::from(id.index() >= extra_index));
            prop_assert_eq!(alone.motion(id), with_extra.motion(shifted));
        }
    }

    #[test]
    fn separation_pushes_two_agents_in_opposite_directions(
        at in (5.0f32..15.0, 5.0f32..15.0),
        offset in (-2.5f32..2.5, -2.5f32..2.5),
        wrap in any::<bool>(),
    ) {
        let (at, offset) = (Vec2::new(at.0, at.1), Vec2::new(offset.0, offset.1));
        let [a, b] = separation_forces(at, at + offset, wrap);
        prop_assert_eq!(a, -b);
        prop_assert!(a.dot(offset) <= 0.0);
    }
}

/// Returns the separation forces of two agents.
fn separation_forces(at: Vec2, other: Vec2, wrap: bool) -> [Vec2; 2] {
    let edges = if wrap { Edges::Wrap } else { Edges::Wall };
    let mut scenario = build::scenario(build::map(&vec![".".repeat(20); 20], edges));
    let neighbourhood = Neighbourhood { radius: 4.0, angle: None, of: None, by_edges: false };
    for (name, at) in [("a", at), ("b", other)] {
        build::add(&mut scenario, name, at, body(), steer(separation(neighbourhood)));
    }
    let world = build::world(scenario);
    [0, 1].map(|id| explain(&world, AgentId(id)).forces.rows[0].raw.force)
}

#[test]
fn separation_at_the_same_position_is_finite_and_in_opposite_directions() {
    let [a, b] = separation_forces(Vec2::splat(5.5), Vec2::splat(5.5), false);
    assert_eq!(a, -b);
    assert!(a.is_finite() && a.length() > 100.0, "{a}");
}

#[test]
fn view_cones_are_exact_at_large_distances() {
    let mut scenario = build::scenario(build::map(&vec![".".repeat(60); 60], Edges::Wall));
    let neighbourhood = Neighbourhood {
        radius: 50.0,
        angle: Some(60.0_f32.to_radians()),
        of: None,
        by_edges: false,
    };
    let start = Vec2::splat(5.5);
    let me = build::add(&mut scenario, "me", start, body(), steer(separation(neighbourhood)));
    let distant = |degrees| start + heading::from_degrees(degrees) * 40.0;
    for (name, degrees) in [("inside", 29.0), ("outside", 31.0)] {
        build::add(&mut scenario, name, distant(degrees), body(), Drive::Stand);
    }
    let world = build::world(scenario);
    assert_eq!(reported_neighbours(&explain(&world, me)), [AgentId(1)]);
}

#[test]
fn neighbours_can_be_limited_to_a_group_that_the_agent_is_not_in() {
    let mut scenario = build::scenario(build::map(&vec![".".repeat(20); 20], Edges::Wall));
    build::edit(&mut scenario, |parts| {
        parts.groups = vec![Group { name: "reds".into(), members: vec![] }];
    });
    let neighbourhood =
        Neighbourhood { radius: 4.0, angle: None, of: Some(GroupId(0)), by_edges: false };
    let me =
        build::add(&mut scenario, "me", Vec2::splat(5.5), body(), steer(separation(neighbourhood)));
    let red = Vec2::new(7.5, 5.5);
    let id = build::add(&mut scenario, "red", red, body(), build::seek(red));
    build::edit(&mut scenario, |parts| parts.groups[0].members.push(id));
    let mut world = build::world(scenario);
    let explanations = step_as_explained(&mut world);
    assert_eq!(explanations[me.index()].output.force, Vec2::new(-4.0, 0.0));
}
