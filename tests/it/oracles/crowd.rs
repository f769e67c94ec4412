//! An oracle for the crowd: separation, alignment, cohesion and `avoid_agents` told again, plainly and
//! in f64, by looking at everyone.
//!
//! Who keeps apart comes to rest at the very radius at which others cease to count, and there the
//! last bit decides: so each behaviour is tried alone with every frame told anew from where the world
//! stands, which must agree to the rounding; and for 200 frames told in one go with a second row that
//! seeks something far off, as for who turns on the spot the last bit would soon be all.
//!
//! One agent follows the formula among others who go about the same way, each straight on: among
//! followers, too, the last bit would.

use tilewalk::agent::Drive;
use tilewalk::body::Body;
use tilewalk::geom::{Vec2, heading};
use tilewalk::id::{AgentId, GroupId};
use tilewalk::map::Edges;
use tilewalk::scenario::Group;
use tilewalk::steering::combine::Combine;
use tilewalk::steering::{
    Alignment, AvoidAgents, Behaviour, Cohesion, Neighbourhood, Separation, Target,
};
use tilewalk::step::step;
use tilewalk::world::World;

use super::steering::{Mover, V, add, cap, dot, len, mover, mul, sub, unit};
use crate::support::build;

const ME: AgentId = AgentId(0);

/// The agent, and everyone else with whether they belong to the group.
struct Scene {
    me: Mover,
    others: Vec<(Mover, bool)>,
    gain: f64,
}

impl Scene {
    fn neighbours(&self, who: &Neighbourhood) -> Vec<Mover> {
        let counts = |&&(other, member): &&(Mover, bool)| {
            let way = sub(other.p, self.me.p);
            let cosine = dot(unit(way), self.me.h);
            let seen = |angle: f32| cosine >= libm::cos(f64::from(angle) / 2.0);
            (member || who.of.is_none())
                && len(way) < f64::from(who.radius)
                && who.angle.is_none_or(seen)
        };
        self.others.iter().filter(counts).map(|&(other, _)| other).collect()
    }

    fn separation(&self, who: &Neighbourhood) -> V {
        let push = |other: &Mover| {
            let way = sub(self.me.p, other.p);
            mul(way, 1.0 / dot(way, way))
        };
        let sum = self.neighbours(who).iter().map(push).fold((0.0, 0.0), add);
        mul(sum, self.gain)
    }

    fn alignment(&self, who: &Neighbourhood) -> V {
        let near = self.neighbours(who);
        if near.is_empty() {
            return (0.0, 0.0);
        }
        let sum = near.iter().map(|other| other.h).fold((0.0, 0.0), add);
        mul(sub(mul(sum, 1.0 / near.len() as f64), self.me.h), self.gain)
    }

    fn cohesion(&self, who: &Neighbourhood) -> V {
        let near = self.neighbours(who);
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
            let (way, speed) = (sub(other.p, self.me.p), sub(other.v, self.me.v));
            let time = -dot(way, speed) / dot(speed, speed);
            let passing = add(way, mul(speed, time));
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

/// How a behaviour is tried: with its gain, and told in one go or anew each frame.
#[derive(Debug, Clone, Copy)]
struct Trial {
    gain: f32,
    in_one_go: bool,
}

fn agree(behaviour: Behaviour, trial: Trial, formula: impl Fn(&Scene) -> V) {
    let Trial { gain, in_one_go } = trial;
    let rows = vec![".".repeat(160); 130];
    let mut scenario = build::scenario(build::map(&rows, Edges::Wall));
    let body = Body { gain, ..Body::default() };
    let start = Vec2::splat(64.5);
    let mut rows = vec![build::row(behaviour, None)];
    let goal = start + Vec2::new(300.0, 1000.0);
    if in_one_go {
        rows.push(build::row(Behaviour::Seek, Some(Target::Point(goal))));
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
        if !in_one_go {
            me = mover(&world, ME);
        }
        let scene = Scene { me, others: others.collect(), gain: f64::from(gain) };
        let mut force = formula(&scene);
        acted += u32::from(force != (0.0, 0.0));
        if in_one_go {
            let way = unit(sub((f64::from(goal.x), f64::from(goal.y)), me.p));
            force = add(force, mul(sub(mul(way, 4.0), me.v), scene.gain));
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
            off < if in_one_go { 1e-3 } else { 2e-5 },
            "{} is off by {off} in frame {frame} (gain {gain})",
            behaviour.word()
        );
    }
    assert!(acted > 10, "{} acted in {acted} frames", behaviour.word());
}

/// With the default gain and with gain 1; each frame anew, and in one go.
fn check(behaviour: Behaviour, formula: impl Fn(&Scene) -> V) {
    for gain in [8.0, 1.0] {
        for in_one_go in [false, true] {
            agree(behaviour, Trial { gain, in_one_go }, &formula);
        }
    }
}

/// All round, in a cone, and in a group; then everyone, and everyone in a group.
fn neighbourhoods() -> [Neighbourhood; 5] {
    let all = Neighbourhood { radius: 5.0, angle: None, of: None, by_edges: false };
    let cone = Neighbourhood { angle: Some(200.0_f32.to_radians()), ..all };
    let group = Neighbourhood { radius: 8.0, of: Some(GroupId(0)), ..all };
    let wide = |who| Neighbourhood { radius: 500.0, ..who };
    [all, cone, group, wide(all), wide(group)]
}

#[test]
fn separation_agrees() {
    for who in neighbourhoods() {
        check(Behaviour::Separation(Separation(who)), |scene| scene.separation(&who));
    }
}

#[test]
fn alignment_agrees() {
    for who in neighbourhoods() {
        check(Behaviour::Alignment(Alignment(who)), |scene| scene.alignment(&who));
    }
}

#[test]
fn cohesion_agrees() {
    for who in neighbourhoods() {
        check(Behaviour::Cohesion(Cohesion(who)), |scene| scene.cohesion(&who));
    }
}

#[test]
fn avoid_agents_agrees() {
    let avoid = AvoidAgents { lead: 3.0, of: None };
    check(Behaviour::AvoidAgents(avoid), |scene| scene.avoid_agents(3.0));
}
