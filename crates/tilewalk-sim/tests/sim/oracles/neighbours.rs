//! Oracle for `separation`, `alignment`, `cohesion` and `avoid_agents`, implemented again in f64. The
//! oracle checks every other agent.
//!
//! An agent with `separation` comes to rest at the radius beyond which neighbours are ignored, and there
//! rounding decides whether a neighbour counts. So each behaviour is compared in two ways:
//!
//! - Alone. The oracle starts each frame from the state of the world, and must agree except for rounding.
//! - Together with a second behaviour that seeks a distant point. The oracle runs for 200 frames from its own
//!   state. Without the second behaviour, the agent could turn on the spot, and rounding errors would grow.
//!
//! One agent follows the formula. The others move straight ahead in similar directions: if they followed each
//! other, rounding errors would grow too.

use tilewalk_sim::agent::Drive;
use tilewalk_sim::body::Body;
use tilewalk_sim::geom::{Vec2, heading};
use tilewalk_sim::id::{AgentId, GroupId};
use tilewalk_sim::map::Edges;
use tilewalk_sim::scenario::Group;
use tilewalk_sim::steering::combine::Combine;
use tilewalk_sim::steering::{
    Alignment, AvoidAgents, Behaviour, Cohesion, Neighbourhood, Separation, Target,
};
use tilewalk_sim::step::step;
use tilewalk_sim::world::World;

use super::steering::{Mover, V, add, cap, dot, len, mover, mul, sub, unit};
use crate::support::build;

const ME: AgentId = AgentId(0);

/// The agent, and all other agents. The flag of another agent is true if it is a member of the group.
struct Scene {
    me: Mover,
    others: Vec<(Mover, bool)>,
    gain: f64,
}

impl Scene {
    fn neighbours(&self, neighbourhood: &Neighbourhood) -> Vec<Mover> {
        let counts = |&&(other, member): &&(Mover, bool)| {
            let offset = sub(other.p, self.me.p);
            let cosine = dot(unit(offset), self.me.h);
            let seen = |angle: f32| cosine >= libm::cos(f64::from(angle) / 2.0);
            (member || neighbourhood.of.is_none())
                && len(offset) < f64::from(neighbourhood.radius)
                && neighbourhood.angle.is_none_or(seen)
        };
        self.others.iter().filter(counts).map(|&(other, _)| other).collect()
    }

    fn separation(&self, neighbourhood: &Neighbourhood) -> V {
        let push = |other: &Mover| {
            let offset = sub(self.me.p, other.p);
            mul(offset, 1.0 / dot(offset, offset))
        };
        let sum = self.neighbours(neighbourhood).iter().map(push).fold((0.0, 0.0), add);
        mul(sum, self.gain)
    }

    fn alignment(&self, neighbourhood: &Neighbourhood) -> V {
        let near = self.neighbours(neighbourhood);
        if near.is_empty() {
            return (0.0, 0.0);
        }
        let sum = near.iter().map(|other| other.h).fold((0.0, 0.0), add);
        mul(sub(mul(sum, 1.0 / near.len() as f64), self.me.h), self.gain)
    }

    fn cohesion(&self, neighbourhood: &Neighbourhood) -> V {
        let near = self.neighbours(neighbourhood);
        if near.is_empty() {
            return (0.0, 0.0);
        }
        let sum = near.iter().map(|other| other.p).fold((0.0, 0.0), add);
        let middle = mul(sum, 1.0 / near.len() as f64);
        mul(unit(sub(mul(unit(sub(middle, self.me.p)), 4.0), self.me.v)), self.gain)
    }

    fn avoid_agents(&self, lead: f64) -> V {
        let mut first: Option<(f64, V)> = None;
        for (other, _) in &self.others {
            let (offset, velocity) = (sub(other.p, self.me.p), sub(other.v, self.me.v));
            let time = -dot(offset, velocity) / dot(velocity, velocity);
            let passing = add(offset, mul(velocity, time));
            let threat = time > 0.0 && time < lead && len(passing) < 0.3 + 0.3 + 0.2;
            if threat && first.is_none_or(|(earlier, _)| time < earlier) {
                first = Some((time, passing));
            }
        }
        let Some((time, passing)) = first else { return (0.0, 0.0) };
        let side = (-self.me.h.1, self.me.h.0);
        let sign = if dot(passing, side) > 0.0 { -1.0 } else { 1.0 };
        mul(side, sign * 12.0 * (1.0 - time / lead))
    }
}

#[derive(Debug, Clone, Copy)]
struct Trial {
    gain: f32,
    /// Whether the oracle continues from its own state instead of starting each frame from the state of the
    /// world.
    own_state: bool,
}

fn assert_agrees(behaviour: Behaviour, trial: Trial, formula: impl Fn(&Scene) -> V) {
    let Trial { gain, own_state } = trial;
    let rows = vec![".".repeat(160); 130];
    let mut scenario = build::scenario(build::map(&rows, Edges::Wall));
    let body = Body { gain, ..Body::default() };
    let start = Vec2::splat(64.5);
    let mut rows = vec![build::behaviour(behaviour, None)];
    let goal = start + Vec2::new(300.0, 1000.0);
    if own_state {
        rows.push(build::behaviour(Behaviour::Seek, Some(Target::Point(goal))));
    }
    let drive = Drive::Steer { combine: Combine::Weighted, rows };
    build::add(&mut scenario, "me", start, body, drive);
    let mut members = vec![];
    for index in 0..40 {
        let turn = heading::from_degrees(index as f32 * 137.5);
        let at = start + turn * (index as f32 * 0.3 + 1.6);
        let slow = Body { max_speed: 1.5 + index as f32 % 5.0 * 0.2, ..Body::default() };
        let away = heading::from_degrees(index as f32 * 7.0 % 31.0 - 15.0) * 1000.0;
        let id = build::add(&mut scenario, &format!("w{index}"), at, slow, build::seek(at + away));
        if index % 2 == 0 {
            members.push(id);
        }
    }
    build::edit(&mut scenario, |parts| {
        parts.groups = vec![Group { name: "even".into(), members: members.clone() }];
    });
    let mut world: World = build::world(scenario);
    let mut me = mover(&world, ME);
    let mut acted = 0;
    for frame in 1..=200 {
        let others = world.ids().skip(1).map(|id| (mover(&world, id), members.contains(&id)));
        if !own_state {
            me = mover(&world, ME);
        }
        let scene = Scene { me, others: others.collect(), gain: f64::from(gain) };
        let mut force = formula(&scene);
        acted += u32::from(force != (0.0, 0.0));
        if own_state {
            let direction = unit(sub((f64::from(goal.x), f64::from(goal.y)), me.p));
            force = add(force, mul(sub(mul(direction, 4.0), me.v), scene.gain));
        }
        let force = cap(force, 12.0);
        me.v = cap(add(me.v, mul(force, 0.05)), 4.0);
        me.p = add(me.p, mul(me.v, 0.05));
        if len(me.v) > 1e-4 {
            me.h = unit(me.v);
        }
        step(&mut world);
        let off = len(sub(mover(&world, ME).p, me.p));
        assert!(
            off < if own_state { 1e-3 } else { 2e-5 },
            "{} is off by {off} in frame {frame} (gain {gain})",
            behaviour.word()
        );
    }
    assert!(acted > 10, "{} acted in {acted} frames", behaviour.word());
}

/// Compares a behaviour with its oracle, with the default gain and with gain 1. For each gain, the oracle
/// starts each frame from the state of the world in one run, and from its own state in another.
fn check(behaviour: Behaviour, formula: impl Fn(&Scene) -> V) {
    for gain in [8.0, 1.0] {
        for own_state in [false, true] {
            assert_agrees(behaviour, Trial { gain, own_state }, &formula);
        }
    }
}

/// Returns neighbourhoods: a circle, a cone, a circle with members of a group, all agents, and all members of
/// a group.
fn neighbourhoods() -> [Neighbourhood; 5] {
    let all = Neighbourhood { radius: 5.0, angle: None, of: None, by_edges: false };
    let cone = Neighbourhood { angle: Some(200.0_f32.to_radians()), ..all };
    let group = Neighbourhood { radius: 8.0, of: Some(GroupId(0)), ..all };
    let wide = |neighbourhood| Neighbourhood { radius: 500.0, ..neighbourhood };
    [all, cone, group, wide(all), wide(group)]
}

#[test]
fn separation_agrees_with_its_oracle() {
    for neighbourhood in neighbourhoods() {
        check(Behaviour::Separation(Separation(neighbourhood)), |scene| {
            scene.separation(&neighbourhood)
        });
    }
}

#[test]
fn alignment_agrees_with_its_oracle() {
    for neighbourhood in neighbourhoods() {
        check(Behaviour::Alignment(Alignment(neighbourhood)), |scene| {
            scene.alignment(&neighbourhood)
        });
    }
}

#[test]
fn cohesion_agrees_with_its_oracle() {
    for neighbourhood in neighbourhoods() {
        check(Behaviour::Cohesion(Cohesion(neighbourhood)), |scene| scene.cohesion(&neighbourhood));
    }
}

#[test]
fn avoid_agents_agrees_with_its_oracle() {
    let avoid = AvoidAgents { lead: 3.0, of: None };
    check(Behaviour::AvoidAgents(avoid), |scene| scene.avoid_agents(3.0));
}
