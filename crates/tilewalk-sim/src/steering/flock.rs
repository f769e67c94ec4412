//! Separation, alignment, cohesion: what makes a flock (Reynolds 1987; Buckland ch. 3).
//!
//! Each asks for what its neighbours come to; rows with the same neighbourhood share that. A flock:
//! weights 1, 2, 1, and wander with 0.25, so that who is alone doesn't stand still.

use crate::geom::lanes::{LANES, splat};
use crate::geom::vectors::unit;
use crate::geom::{Vec2, Vectors};

use super::abreast::{Abreast, Crowds};
use super::{Crowd, Neighbourhood, Note, Probe, Senses, Surroundings};

use super::behaviour::Behaviour;
use super::spec::{LENGTH, Parameter, Shape, Spec, Subject, access};

/// Separation: away from neighbours, the more the nearer they are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Separation(pub Neighbourhood);

impl Separation {
    /// Σ (p − n) / |p − n|², times gain. From one in the very same place it goes along a direction
    /// keyed by the two names, opposite for the two, as if they were 0.01 tile apart.
    pub fn propose(
        &self,
        senses: &Senses,
        around: &impl Surroundings,
        probe: &mut impl Probe,
    ) -> Vec2 {
        let crowd = look(&self.0, around, probe);
        self.abreast(&alone(senses, crowd)).first()
    }

    /// The same for agents abreast.
    #[inline]
    pub fn abreast(&self, agents: &Abreast) -> Vectors {
        agents.crowd.apart * splat(agents.gain())
    }
}

/// Alignment: face as the neighbours do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Alignment(pub Neighbourhood);

impl Alignment {
    /// `mean(h_n) − h`, times gain; without neighbours nothing.
    pub fn propose(
        &self,
        senses: &Senses,
        around: &impl Surroundings,
        probe: &mut impl Probe,
    ) -> Vec2 {
        let crowd = look(&self.0, around, probe);
        self.abreast(&alone(senses, crowd)).first()
    }

    /// The same for agents abreast.
    #[inline]
    pub fn abreast(&self, agents: &Abreast) -> Vectors {
        let Crowds { count, headings, .. } = agents.crowd;
        let wanted = headings / count - agents.heading;
        (wanted * splat(agents.gain())).only(count.simd_ne(splat(0.0)))
    }
}

/// Cohesion: to the middle of the neighbours.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cohesion(pub Neighbourhood);

impl Cohesion {
    /// `unit(seek(mean(p_n)))`, times gain; without neighbours nothing.
    ///
    /// Normalised, as it would dwarf the others (Buckland). The mean is that of the ways to the
    /// neighbours, each the short way round: positions on a torus have none.
    pub fn propose(
        &self,
        senses: &Senses,
        around: &impl Surroundings,
        probe: &mut impl Probe,
    ) -> Vec2 {
        let crowd = look(&self.0, around, probe);
        if crowd.count > 0.0 {
            let middle = crowd.offsets / crowd.count;
            probe.note(|| Note::Target(senses.motion.position + middle));
        }
        self.abreast(&alone(senses, crowd)).first()
    }

    /// The same for agents abreast.
    #[inline]
    pub fn abreast(&self, agents: &Abreast) -> Vectors {
        let Crowds { count, offsets, .. } = agents.crowd;
        // Where there are no neighbours it has no measure, and isn't taken.
        let some = count.simd_ne(splat(0.0));
        let middle = (offsets / count).only(some);
        let wanted = unit(middle) * splat(agents.body.max_speed) - agents.velocity;
        (unit(wanted) * splat(agents.gain())).only(some)
    }
}

/// What the neighbours come to; tells who they are.
fn look(who: &Neighbourhood, around: &impl Surroundings, probe: &mut impl Probe) -> Crowd {
    if probe.listens() {
        probe.note(|| Note::Neighbourhood { radius: who.radius, angle: who.angle });
        around.visit_neighbours(who, |id, _| probe.note(|| Note::Neighbour(id)));
    }
    around.crowd(who)
}

/// One agent: it stands in every lane.
#[inline]
fn alone<'a>(senses: &Senses<'a>, crowd: Crowd) -> Abreast<'a> {
    Abreast {
        velocity: Vectors::splat(senses.motion.velocity),
        heading: Vectors::splat(senses.motion.heading),
        crowd: Crowds::new(&[crowd; LANES]),
        body: senses.body,
        dt: senses.dt,
        dice: senses.dice,
        names: [senses.dice.agent; LANES],
    }
}

/// Parameters of the three behaviours of a flock: their neighbourhood.
#[rustfmt::skip]
const NEIGHBOURHOOD: &[Parameter] = &[
    Parameter::number("radius", LENGTH, "tiles", access!(Number, (Behaviour::Separation(Separation(it)) | Behaviour::Alignment(Alignment(it)) | Behaviour::Cohesion(Cohesion(it))) => it.radius), "Radius of the neighbourhood"),
    Parameter::angle("angle", 0.1..=360.0, access!(Number, (Behaviour::Separation(Separation(it)) | Behaviour::Alignment(Alignment(it)) | Behaviour::Cohesion(Cohesion(it))) => it.angle), "Full neighbourhood angle, centred on the heading").unset("no limit"),
    Parameter::new("of", Shape::Group { is_own_default: true }, access!(Group, (Behaviour::Separation(Separation(it)) | Behaviour::Alignment(Alignment(it)) | Behaviour::Cohesion(Cohesion(it))) => it.of), "Group of the neighbours").unset("the agent's own group"),
];

const fn default_neighbourhood() -> Neighbourhood {
    Neighbourhood { radius: Neighbourhood::RADIUS, angle: None, of: None }
}

#[rustfmt::skip]
pub(super) const SEPARATION: Spec = Spec {
    probability: 0.2,
    parameters: NEIGHBOURHOOD,
    ..Spec::new("separation", Subject::Nothing, "moves away from neighbours. Nearer neighbours have a stronger effect", || Behaviour::Separation(Separation(default_neighbourhood())))
};

#[rustfmt::skip]
pub(super) const ALIGNMENT: Spec = Spec {
    probability: 0.3,
    parameters: NEIGHBOURHOOD,
    ..Spec::new("alignment", Subject::Nothing, "matches the mean heading of the neighbours", || Behaviour::Alignment(Alignment(default_neighbourhood())))
};

#[rustfmt::skip]
pub(super) const COHESION: Spec = Spec {
    probability: 0.6,
    parameters: NEIGHBOURHOOD,
    ..Spec::new("cohesion", Subject::Nothing, "moves towards the mean position of the neighbours", || Behaviour::Cohesion(Cohesion(default_neighbourhood())))
};
