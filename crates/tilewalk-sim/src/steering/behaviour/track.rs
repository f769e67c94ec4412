//! Track: a homing missile that gradually bends its velocity towards a target, and drifts
//! randomly while the target is out of range (the 2-D chase of the Unity tutorials).

use crate::geom::{Vec2, unit};
use crate::rng::Use;

use crate::steering::{Note, Probe, Seen, Senses};

use super::Behaviour;
use crate::steering::spec::{
    CHANGE, Destination, LENGTH, Parameter, ParameterShape, Spec, TargetKeys, access, word_access,
};

/// Factor that scales the noise for targets out of range.
const OUT_OF_RANGE_NOISE: f32 = 2.0;

/// Distribution of the random changes of velocity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Noise {
    /// A uniform distribution from −n to n, where n is the strength of the noise.
    #[default]
    Uniform,
    /// A small integer times `noise`: −1 or 0 in range; −2, −1, 0 or 1 out of range. As in the
    /// tutorial's code, the integers exclude the upper end. The agent therefore drifts left and up.
    Integers,
}

impl Noise {
    /// All distributions and their names in files.
    pub const WORDS: [(&'static str, Self); 2] =
        [("uniform", Self::Uniform), ("integers", Self::Integers)];
}

/// Track: changes the velocity towards a target in range. Out of range, the velocity changes only
/// at random.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Track {
    /// Change of velocity towards the target, in tiles/s per frame; ≥ 0.
    pub rate: f32,
    /// Distance in tiles within which the target is tracked; > 0.
    pub range: f32,
    /// Largest random change of velocity along each axis, in tiles/s; ≥ 0. The value is doubled
    /// while the target is out of range.
    pub noise: f32,
    /// Probability of a random change per frame, 0 to 1.
    pub noise_chance: f32,
    /// Distribution of the random changes of velocity.
    pub noise_kind: Noise,
    /// Factor that scales a velocity above `max_speed` in each frame; 0 to less than 1. The
    /// velocity is not clamped.
    pub slow: f32,
}

impl Default for Track {
    fn default() -> Self {
        Self {
            rate: 0.4,
            range: 12.0,
            noise: 0.1,
            noise_chance: 0.1,
            noise_kind: Noise::Uniform,
            slow: 0.75,
        }
    }
}

impl Track {
    /// Returns the change of velocity of this frame as an acceleration Δv/dt, in tiles/s².
    ///
    /// In range, `Δv = rate · unit(t − p)`, plus noise with probability `noise_chance`: a random
    /// number from −noise to noise along each axis. Out of range, Δv is noise alone, with the same
    /// probability and twice the strength. Locomotion adds Δv regardless of mass and force limit.
    ///
    /// Δv is applied once per frame, so the path depends on the tick rate. Differences from the
    /// tutorial:
    ///
    /// - The tutorial's text adds the pull to the position. The tutorial's code adds it to the
    ///   velocity, and so does this function.
    /// - The tutorial's noise has a chance of 1/9 and is asymmetric (see [`Noise::Integers`]).
    /// - The tutorial's code divides by zero at the target.
    pub(crate) fn propose(&self, senses: &Senses, seen: Seen, probe: &mut impl Probe) -> Vec2 {
        let in_range = seen.offset.length() <= self.range;
        probe.note(|| Note::Neighbourhood { radius: self.range, angle: None });
        let mut change = Vec2::ZERO;
        if in_range {
            probe.note(|| Note::Target(senses.motion.position + seen.offset));
            change = unit(seen.offset) * self.rate;
        }
        let mut random = senses.rng_key.stream(Use::Track);
        if random.unit() < self.noise_chance {
            let strength = if in_range { 1.0 } else { OUT_OF_RANGE_NOISE };
            let mut symmetric = || 2.0 * random.unit() - 1.0;
            let drawn = Vec2::new(symmetric(), symmetric());
            change += match self.noise_kind {
                Noise::Uniform => drawn * (strength * self.noise),
                Noise::Integers => (drawn * strength).floor() * self.noise,
            };
        }
        change / senses.dt
    }
}

#[rustfmt::skip]
pub(super) const TRACK: Spec = Spec {
    parameters: &[
        Parameter::number("rate", CHANGE, "tiles/s", access!(Number, Behaviour::Track(it) => it.rate), "Velocity change per frame"),
        Parameter::number("range", LENGTH, "tiles", access!(Number, Behaviour::Track(it) => it.range), "Maximum distance at which the agent tracks the target"),
        Parameter::number("noise", CHANGE, "tiles/s", access!(Number, Behaviour::Track(it) => it.noise), "Maximum random velocity change per axis").details("It is doubled beyond `range`"),
        Parameter::number("noise_chance", 0.0..=1.0, "", access!(Number, Behaviour::Track(it) => it.noise_chance), "Probability per frame of a random velocity change"),
        Parameter::new("noise_kind", ParameterShape::Words(&[Noise::WORDS[0].0, Noise::WORDS[1].0]), word_access!(Behaviour::Track(it) => it.noise_kind, Noise::WORDS), "Distribution of the random velocity changes").details("`uniform` is symmetric. `integers` is the noise of the tutorial: −1 or 0 times `noise` within `range`, and −2, −1, 0 or 1 times `noise` beyond"),
        Parameter::number("slow", 0.0..=0.99, "", access!(Number, Behaviour::Track(it) => it.slow), "Factor applied to a velocity above the speed limit"),
    ],
    ..Spec::new("track", TargetKeys::Target("target"), "moves like a missile. The velocity changes towards a target within `range`, and only at random beyond `range`. `track` ignores mass and F, and must be the only behaviour in its list", || Behaviour::Track(Track::default())).to(Destination::Target)
};
