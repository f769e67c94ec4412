//! Flocking: separation, alignment and cohesion (Reynolds 1987; Buckland ch. 3).
//!
//! Behaviours with the same neighbourhood share the sums over the neighbours. Typical weights are 1
//! (separation), 2 (alignment) and 1 (cohesion), plus wander with weight 0.25 so that single agents
//! keep moving.

use crate::geom::lanes::Lanes;
use crate::geom::vectors::unit;
use crate::geom::{Vec2, Vectors};

use crate::steering::batch::{NeighbourSumsBatch, SensesBatch};
use crate::steering::senses::TOUCHING;
use crate::steering::{Crowd, Neighbourhood, Note, Probe, Searched, Senses, Surroundings};

use super::Behaviour;
use crate::steering::spec::{LENGTH, Parameter, ParameterShape, Spec, TargetKeys, access};

/// Separation: moves away from neighbours, most strongly from near neighbours.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Separation(pub Neighbourhood);

impl Separation {
    /// Returns Σ (p − n) / |p − n|², times gain. Two agents at the same position count as 0.01 tile
    /// apart. Their names determine the direction, which is opposite for the two agents.
    #[inline(always)]
    pub(crate) fn propose_batch<L: Lanes>(agents: &SensesBatch<L>) -> Vectors<L> {
        agents.crowd.apart * agents.gain()
    }
}

impl Separation {
    /// Returns `Σ unit(p − n) / max(|p − n| − r − r_n, 0.01)`, times gain: separation with the
    /// distance between the edges of bodies. An agent is a neighbour if this distance is below the
    /// neighbourhood's radius. The sources measure between centres, which suits bodies of one size.
    fn propose_by_edges(
        &self,
        senses: &Senses,
        around: &impl Surroundings,
        probe: &mut impl Probe,
    ) -> Vec2 {
        let near = &self.0;
        note_neighbourhood(near, probe);
        let heading = senses.motion.heading;
        let mut apart = Vec2::ZERO;
        around.search_neighbours(near, |searched| {
            let (id, at) = match searched {
                Searched::Cells(block) => return probe.note(|| Note::Cells(block)),
                Searched::Agent { id, at, .. } => (id, at),
            };
            let offset = at - senses.motion.position;
            let distance = offset.length();
            let gap = distance - senses.body.radius - around.radius(id);
            let is_seen = |cone: f32| heading.dot(offset) >= cone * distance;
            let is_neighbour = gap < near.radius && near.cone().is_none_or(is_seen);
            probe.note(|| Note::Candidate { agent: id, at, is_neighbour });
            if is_neighbour {
                probe.note(|| Note::Neighbour(id));
                let away = if distance > 0.0 { -offset / distance } else { around.apart(id) };
                apart += away / gap.max(TOUCHING);
            }
        });
        apart * senses.gain()
    }

    pub(super) fn propose(
        &self,
        senses: &Senses,
        around: &impl Surroundings,
        probe: &mut impl Probe,
    ) -> Vec2 {
        if self.0.by_edges {
            self.propose_by_edges(senses, around, probe)
        } else {
            propose(&self.0, Self::propose_batch, senses, around, probe)
        }
    }
}

/// Alignment: matches the mean heading of the neighbours.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Alignment(pub Neighbourhood);

impl Alignment {
    /// Returns `mean(h_n) − h`, times gain; zero without neighbours.
    #[inline(always)]
    pub(crate) fn propose_batch<L: Lanes>(agents: &SensesBatch<L>) -> Vectors<L> {
        let NeighbourSumsBatch { count, headings, .. } = agents.crowd;
        let desired = headings.divided(count) - agents.heading;
        (desired * agents.gain()).only(count.gt(count.like(0.0)))
    }
}

/// Cohesion: moves towards the mean position of the neighbours.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cohesion(pub Neighbourhood);

impl Cohesion {
    /// Returns `unit(seek(mean(p_n)))`, times gain; zero without neighbours.
    ///
    /// The force is normalised; otherwise cohesion would dominate separation and alignment
    /// (Buckland). The mean is computed from the shortest vectors to the neighbours, since
    /// positions on a torus have no mean.
    pub(crate) fn propose(
        &self,
        senses: &Senses,
        around: &impl Surroundings,
        probe: &mut impl Probe,
    ) -> Vec2 {
        let crowd = neighbour_sums(&self.0, around, probe);
        if crowd.count > 0.0 {
            let middle = crowd.offsets / crowd.count;
            probe.note(|| Note::Target(senses.motion.position + middle));
        }
        Self::propose_batch(&one_lane(senses, crowd)).into()
    }

    #[inline(always)]
    pub(crate) fn propose_batch<L: Lanes>(agents: &SensesBatch<L>) -> Vectors<L> {
        let NeighbourSumsBatch { count, offsets, .. } = agents.crowd;
        // The division 0 / 0 gives NaN for agents without neighbours.
        let some = count.gt(count.like(0.0));
        let middle = offsets.divided(count).only(some);
        let desired = unit(middle) * agents.body.max_speed - agents.velocity;
        (unit(desired) * agents.gain()).only(some)
    }
}

/// Evaluates a formula for one agent and returns the force on this agent.
pub(super) fn propose(
    neighbourhood: &Neighbourhood,
    formula: impl Fn(&SensesBatch) -> Vectors,
    senses: &Senses,
    around: &impl Surroundings,
    probe: &mut impl Probe,
) -> Vec2 {
    let crowd = neighbour_sums(neighbourhood, around, probe);
    formula(&one_lane(senses, crowd)).into()
}

fn note_neighbourhood(neighbourhood: &Neighbourhood, probe: &mut impl Probe) {
    let Neighbourhood { radius, angle, .. } = *neighbourhood;
    probe.note(|| Note::Neighbourhood { radius, angle });
}

/// Returns the sums of a neighbourhood, and reports the neighbours to the probe.
fn neighbour_sums(
    neighbourhood: &Neighbourhood,
    around: &impl Surroundings,
    probe: &mut impl Probe,
) -> Crowd {
    if probe.listens() {
        note_neighbourhood(neighbourhood, probe);
        around.search_neighbours(neighbourhood, |searched| match searched {
            Searched::Cells(block) => probe.note(|| Note::Cells(block)),
            Searched::Agent { id, at, is_neighbour } => {
                probe.note(|| Note::Candidate { agent: id, at, is_neighbour });
                if is_neighbour {
                    probe.note(|| Note::Neighbour(id));
                }
            }
        });
    }
    around.crowd(neighbourhood)
}

/// Returns a batch of one agent.
#[inline]
fn one_lane<'a>(senses: &'a Senses, crowd: Crowd) -> SensesBatch<'a> {
    SensesBatch {
        position: senses.motion.position.into(),
        velocity: senses.motion.velocity.into(),
        heading: senses.motion.heading.into(),
        crowd: crowd.into(),
        body: senses.body,
        map: senses.map,
        dt: senses.dt,
        rng_key: senses.rng_key,
    }
}

#[rustfmt::skip]
const RADIUS: Parameter = Parameter::number("radius", LENGTH, "tiles", access!(Number, (Behaviour::Separation(Separation(it)) | Behaviour::Alignment(Alignment(it)) | Behaviour::Cohesion(Cohesion(it))) => it.radius), "Radius of the neighbourhood");

#[rustfmt::skip]
const ANGLE: Parameter = Parameter::angle("angle", 0.1..=360.0, access!(Number, (Behaviour::Separation(Separation(it)) | Behaviour::Alignment(Alignment(it)) | Behaviour::Cohesion(Cohesion(it))) => it.angle), "Full neighbourhood angle, centred on the heading").unset("no limit");

#[rustfmt::skip]
const OF: Parameter = Parameter::new("of", ParameterShape::Group { is_own_default: true }, access!(Group, (Behaviour::Separation(Separation(it)) | Behaviour::Alignment(Alignment(it)) | Behaviour::Cohesion(Cohesion(it))) => it.of), "Group of the neighbours").unset("the agent's own group");

const NEIGHBOURHOOD: &[Parameter] = &[RADIUS, ANGLE, OF];

const fn default_neighbourhood() -> Neighbourhood {
    Neighbourhood { radius: Neighbourhood::RADIUS, angle: None, of: None, by_edges: false }
}

#[rustfmt::skip]
pub(super) const SEPARATION: Spec = Spec {
    probability: 0.2,
    parameters: &[RADIUS, ANGLE, OF,
        Parameter::new("by_edges", ParameterShape::Flag, access!(Flag, Behaviour::Separation(Separation(it)) => it.by_edges), "Whether distances are measured between the edges of bodies, instead of their centres").details("Suits bodies of different sizes"),
    ],
    ..Spec::new("separation", TargetKeys::Nothing, "moves away from neighbours. Nearer neighbours have a stronger effect", || Behaviour::Separation(Separation(default_neighbourhood())))
};

#[rustfmt::skip]
pub(super) const ALIGNMENT: Spec = Spec {
    probability: 0.3,
    parameters: NEIGHBOURHOOD,
    ..Spec::new("alignment", TargetKeys::Nothing, "matches the mean heading of the neighbours", || Behaviour::Alignment(Alignment(default_neighbourhood())))
};

#[rustfmt::skip]
pub(super) const COHESION: Spec = Spec {
    probability: 0.6,
    parameters: NEIGHBOURHOOD,
    ..Spec::new("cohesion", TargetKeys::Nothing, "moves towards the mean position of the neighbours", || Behaviour::Cohesion(Cohesion(default_neighbourhood())))
};
