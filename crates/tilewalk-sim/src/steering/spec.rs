//! Descriptions of behaviours and their parameters, as plain data.
//!
//! Each behaviour has a [`Spec`] beside its definition. File readers, schemas, value lists and
//! documentation are derived from these specs.

use std::ops::RangeInclusive;

use super::Behaviour;
use crate::body::degrees;
use crate::geom::Vec2;
use crate::id::{GroupId, SteeringPathId};

/// Valid range of lengths and distances that must be above 0, in tiles.
pub(super) const LENGTH: RangeInclusive<f64> = 0.001..=10_000.0;

/// Valid range of lengths and distances that can be 0, in tiles.
pub(super) const REACH: RangeInclusive<f64> = 0.0..=10_000.0;

/// Valid range of times (in seconds) and factors that must be above 0.
pub(super) const POSITIVE: RangeInclusive<f64> = 0.001..=1000.0;

/// Valid range of times (in seconds), factors, and short distances (in tiles) that can be 0.
pub(super) const THOUSAND: RangeInclusive<f64> = 0.0..=1000.0;

/// Valid range of velocity changes in one frame, in tiles/s.
pub(super) const CHANGE: RangeInclusive<f64> = 0.0..=100.0;

/// Description of a kind of behaviour: its name, defaults and parameters.
#[derive(Debug)]
pub struct Spec {
    /// Name of the behaviour in files.
    pub word: &'static str,
    /// Targets that the behaviour needs, and their keys in files.
    pub subject: TargetKeys,
    /// Effect of the behaviour on the agent, as a verb phrase.
    pub effect: &'static str,
    /// Function that creates the behaviour with the defaults of all parameters.
    pub create: fn() -> Behaviour,
    /// Default weight of the behaviour in a steering list.
    pub weight: f32,
    /// Default probability of the behaviour, from Buckland's code; 0.8 for behaviours that
    /// Buckland's code does not contain.
    pub probability: f32,
    /// Destination of the behaviour. `None` for behaviours that move away from a target, keep a
    /// distance, turn, or follow other agents.
    pub destination: Option<Destination>,
    /// Parameters of the behaviour, in display order.
    pub parameters: &'static [Parameter],
}

/// The place to which a behaviour moves the agent. The behaviour reports the place in a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Destination {
    /// The target itself. Touching the target's body counts as reaching it.
    Target,
    /// A place near the targets, reported as [`Note::Target`](super::Note::Target).
    BesideTarget,
    /// The current point of a path.
    Waypoint,
    /// The chosen hiding spot.
    HidingSpot,
}

/// Targets that a behaviour needs, and their keys in files.
#[derive(Debug, Clone, Copy)]
pub enum TargetKeys {
    /// The behaviour needs no target.
    Nothing,
    /// A key that takes one target.
    Target(&'static str),
    /// A key that takes a heading in degrees, or a target whose heading is used. The function
    /// stores the heading as a unit vector.
    Heading(&'static str, fn(&mut Behaviour, Vec2)),
    /// A key that takes a list of two targets.
    Pair(&'static str),
}

/// Type and range of a parameter.
#[derive(Debug, Clone)]
pub enum ParameterShape {
    /// A number. The field is the valid range.
    Number(RangeInclusive<f64>),
    /// An angle. The field is the valid range in degrees. Values of the parameter are in radians.
    Angle(RangeInclusive<f64>),
    /// A number in the given range, or a word that stands for a number.
    NumberOrWord(RangeInclusive<f64>, &'static [(&'static str, f32)]),
    /// A whole number. The field is the valid range.
    Count(RangeInclusive<i64>),
    /// A boolean: `true` or `false`.
    Flag,
    /// A word from this list.
    Words(&'static [&'static str]),
    /// The name of a group.
    Group {
        /// Whether the default is the agent's own group.
        is_own_default: bool,
    },
    /// A position relative to the leader. The field is the valid range of both components, in
    /// tiles.
    Offset(RangeInclusive<f64>),
    /// A path, which files define with several keys.
    Path,
}

/// Value of a behaviour's parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ParameterValue {
    /// A number; angles are in radians.
    Number(f32),
    /// A boolean, for [`ParameterShape::Flag`].
    Flag(bool),
    /// A word that the parameter allows.
    Word(&'static str),
    /// The group to which the behaviour is restricted.
    Group(GroupId),
    /// A position relative to the leader: ahead and to starboard, in tiles.
    Offset(Vec2),
    /// The path that the behaviour follows or stays on.
    Path(SteeringPathId),
}

/// Functions that read and write a parameter of a behaviour.
#[derive(Debug, Clone, Copy)]
pub struct Access {
    /// Function that returns the value. Returns `None` if the value is not set, or if the behaviour
    /// has no such parameter.
    pub get: fn(&Behaviour) -> Option<ParameterValue>,
    /// Function that sets the value. Ignores values of another type, unknown words, and behaviours
    /// without the parameter.
    pub set: fn(&mut Behaviour, ParameterValue),
}

/// Description of a behaviour's parameter.
#[derive(Debug)]
pub struct Parameter {
    /// Key in files; for a path, the first of its keys.
    pub key: &'static str,
    /// Type and range of the value.
    pub shape: ParameterShape,
    /// Whether files must set the parameter.
    pub is_required: bool,
    /// Unit of the value; empty for a plain factor.
    pub unit: &'static str,
    /// Meaning of an unset parameter; empty for parameters with a default value.
    pub unset: &'static str,
    /// Meaning of the parameter: a phrase without the unit.
    pub about: &'static str,
    /// Additional sentences for the documentation; may be empty.
    pub details: &'static str,
    /// Functions that read and write the parameter.
    pub access: Access,
}

impl Spec {
    /// Creates the description of a behaviour without parameters, with weight 1 and probability
    /// 0.8.
    pub(super) const fn new(
        word: &'static str,
        subject: TargetKeys,
        effect: &'static str,
        create: fn() -> Behaviour,
    ) -> Self {
        let (weight, probability, destination) = (1.0, 0.8, None);
        Self { word, subject, effect, create, weight, probability, destination, parameters: &[] }
    }

    pub(super) const fn to(self, destination: Destination) -> Self {
        Self { destination: Some(destination), ..self }
    }
}

impl Parameter {
    pub(super) const fn new(
        key: &'static str,
        shape: ParameterShape,
        access: Access,
        about: &'static str,
    ) -> Self {
        let (unit, unset, details) = ("", "", "");
        Self { key, shape, is_required: false, unit, unset, about, details, access }
    }

    pub(super) const fn number(
        key: &'static str,
        range: RangeInclusive<f64>,
        unit: &'static str,
        access: Access,
        about: &'static str,
    ) -> Self {
        Self { unit, ..Self::new(key, ParameterShape::Number(range), access, about) }
    }

    pub(super) const fn angle(
        key: &'static str,
        range: RangeInclusive<f64>,
        access: Access,
        about: &'static str,
    ) -> Self {
        Self { unit: "degrees", ..Self::new(key, ParameterShape::Angle(range), access, about) }
    }

    pub(super) const fn required(self) -> Self {
        Self { is_required: true, ..self }
    }

    pub(super) const fn unset(self, unset: &'static str) -> Self {
        Self { unset, ..self }
    }

    pub(super) const fn details(self, details: &'static str) -> Self {
        Self { details, ..self }
    }

    /// Returns the default of a number, in the unit of files. Angles are in degrees. Returns `None`
    /// for required numbers and for other types.
    pub fn default_number(&self, spec: &Spec) -> Option<f32> {
        match (self.access.get)(&(spec.create)()) {
            Some(ParameterValue::Number(_)) if self.is_required => None,
            Some(ParameterValue::Number(angle))
                if matches!(self.shape, ParameterShape::Angle(_)) =>
            {
                Some(degrees(angle))
            }
            Some(ParameterValue::Number(number)) => Some(number),
            _ => None,
        }
    }
}

/// Creates the [`Access`] to a field. The arguments are the type of the value, a pattern of
/// behaviours, and the field.
macro_rules! access {
    ($kind:ident, $pattern:pat => $field:expr) => {
        $crate::steering::spec::Access {
            get: |behaviour| {
                let $pattern = behaviour else { return None };
                Option::from($field).map($crate::steering::spec::ParameterValue::$kind)
            },
            set: |behaviour, value| {
                let $pattern = behaviour else { return };
                let $crate::steering::spec::ParameterValue::$kind(value) = value else { return };
                $field = value.into();
            },
        }
    };
}

/// Creates the [`Access`] to a field whose values are words. The arguments are a pattern of
/// behaviours, the field, and the table of words.
macro_rules! word_access {
    ($pattern:pat => $field:expr, $words:expr) => {
        $crate::steering::spec::Access {
            get: |behaviour| {
                let $pattern = behaviour else { return None };
                let (word, _) = $words.into_iter().find(|(_, value)| *value == $field)?;
                Some($crate::steering::spec::ParameterValue::Word(word))
            },
            set: |behaviour, value| {
                let $pattern = behaviour else { return };
                let $crate::steering::spec::ParameterValue::Word(word) = value else { return };
                if let Some((_, value)) = $words.into_iter().find(|(each, _)| *each == word) {
                    $field = value;
                }
            },
        }
    };
}

pub(super) use {access, word_access};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steering::behaviour::SPECS;

    /// Returns a value in the range of a parameter, different from most defaults.
    fn other(shape: &ParameterShape) -> ParameterValue {
        let middle = |range: &RangeInclusive<f64>| range.start().midpoint(*range.end()) as f32;
        match shape {
            ParameterShape::Number(range) | ParameterShape::NumberOrWord(range, _) => {
                ParameterValue::Number(middle(range))
            }
            ParameterShape::Angle(range) => ParameterValue::Number(middle(range).to_radians()),
            ParameterShape::Count(range) => {
                ParameterValue::Number(range.start().midpoint(*range.end()) as f32)
            }
            ParameterShape::Flag => ParameterValue::Flag(true),
            ParameterShape::Words(words) => ParameterValue::Word(words[words.len() - 1]),
            ParameterShape::Group { .. } => ParameterValue::Group(GroupId(7)),
            ParameterShape::Offset(_) => ParameterValue::Offset(Vec2::new(1.0, 2.0)),
            ParameterShape::Path => ParameterValue::Path(SteeringPathId(7)),
        }
    }

    #[test]
    fn every_parameter_can_be_set_and_has_a_default_or_describes_its_absence() {
        for spec in SPECS {
            let default = (spec.create)();
            assert_eq!(default.spec().word, spec.word);
            for (index, parameter) in spec.parameters.iter().enumerate() {
                let name = format!("{}.{}", spec.word, parameter.key);
                let same = |other: &Parameter| other.key == parameter.key;
                assert!(!spec.parameters[..index].iter().any(same), "{name} is listed twice");
                let mut behaviour = default;
                let value = other(&parameter.shape);
                (parameter.access.set)(&mut behaviour, value);
                assert_eq!((parameter.access.get)(&behaviour), Some(value), "{name}");
                let present = (parameter.access.get)(&default).is_some();
                assert!(present || !parameter.unset.is_empty(), "{name}");
                if let ParameterShape::Number(range) | ParameterShape::Angle(range) =
                    &parameter.shape
                {
                    let number = parameter.default_number(spec);
                    let admitted = number.is_none_or(|it| range.contains(&f64::from(it)));
                    assert!(admitted, "the default of {name}");
                }
            }
        }
    }
}
