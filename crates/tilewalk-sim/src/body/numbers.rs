//! The table of body numbers, from which file readers, editors, schemas and documentation are
//! derived.
//!
//! To add a number, add a field of [`Body`] with its default, and a row to [`NUMBERS`].

use std::ops::RangeInclusive;

use super::Body;

/// The format of a number in files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A float, equal to the value of the body.
    Plain,
    /// An angle in degrees; the value of the body is in radians.
    Angle,
    /// An integer, equal to the value of the body.
    Count,
}

/// What a body must do for a number to have an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// Nothing: the number always has an effect.
    Nothing,
    /// Be moved by steering forces.
    Forces,
    /// Be moved by steering forces or by thrusters.
    ForcesOrThrust,
    /// Be moved by thrusters.
    Thrust,
    /// Turn independently of its velocity.
    Turns,
    /// Look for other agents.
    Looks,
}

/// Description of a number of a body. Values are in the units of files: angles are in degrees.
#[derive(Debug)]
pub struct Number {
    /// Key below `body`, such as `max_speed` or `view.range`.
    pub key: &'static str,
    /// Format of the number in files.
    pub form: Form,
    /// Unit; empty for a plain factor. `m` is the unit of mass in forces.
    pub unit: &'static str,
    /// Range of valid values, in the unit of files.
    pub range: RangeInclusive<f64>,
    /// What the number is: a noun phrase without the unit.
    pub about: &'static str,
    /// Further sentences for the documentation, or an empty string.
    pub details: &'static str,
    /// Meaning of a missing value if there is no default number.
    pub unset: &'static str,
    /// When the number has an effect.
    pub needs: Needs,
    /// Function that returns the value of a body; `None` if the value is not set.
    pub get: fn(&Body) -> Option<f32>,
    /// Function that sets the value of a body.
    pub set: fn(&mut Body, f32),
}

impl Number {
    /// Returns the default value; `None` if there is none.
    pub fn default(&self) -> Option<f32> {
        (self.get)(&Body::default())
    }

    /// Returns true if a body's value is in range or not set.
    pub fn admits(&self, body: &Body) -> bool {
        (self.get)(body).is_none_or(|value| self.range.contains(&f64::from(value)))
    }

    const fn details(self, details: &'static str) -> Self {
        Self { details, ..self }
    }
}

/// Returns the number with a key; `None` if the key is unknown.
pub fn number(key: &str) -> Option<&'static Number> {
    NUMBERS.iter().find(|number| number.key == key)
}

/// Converts radians to degrees for files: rounded to a thousandth, which removes the error of the
/// conversion.
pub fn degrees(radians: f32) -> f32 {
    (radians.to_degrees() * 1e3).round() / 1e3
}

/// Creates a row for a field whose value is the same in files.
macro_rules! plain {
    ($key:literal, $unit:literal, $range:expr, $needs:ident, $about:literal, $($field:ident).+) => {
        Number {
            key: $key,
            form: Form::Plain,
            unit: $unit,
            range: $range,
            about: $about,
            details: "",
            unset: "",
            needs: Needs::$needs,
            get: |body| Some(body.$($field).+),
            set: |body, value| body.$($field).+ = value,
        }
    };
}

/// All numbers, in the order in which value lists show them.
#[rustfmt::skip]
pub const NUMBERS: &[Number] = &[
    plain!("mass", "", 0.001..=1e6, ForcesOrThrust, "Mass", mass),
    plain!("radius", "tiles", 0.05..=0.5, Nothing, "Radius", radius)
        .details("Collisions use at most 0.498 tiles, so that every body fits through an opening of one tile"),
    plain!("max_speed", "tiles/s", 0.0..=1000.0, Forces, "Maximum speed", max_speed),
    plain!("max_force", "tiles/s²·m", 0.0..=1e6, Forces, "Maximum steering force", max_force),
    plain!("gain", "1/s", 0.001..=1e6, Forces, "Gain of the velocity correction", gain)
        .details("The gain is the steering force per unit of velocity error. Values above 1 / `tick` act like 1 / `tick`"),
    Number {
        key: "max_turn_rate",
        form: Form::Angle,
        unit: "degrees/s",
        range: 0.0..=1e6,
        about: "Maximum turn rate",
        details: "It limits the direction of the velocity or, for an oriented body, the heading",
        unset: "no limit; 360 for oriented bodies",
        needs: Needs::Forces,
        get: |body| body.max_turn_rate.map(degrees),
        set: |body, value| body.max_turn_rate = Some(value.to_radians()),
    },
    Number {
        key: "max_turn_accel",
        form: Form::Angle,
        unit: "degrees/s²",
        range: 0.0..=1e6,
        about: "Maximum angular acceleration",
        details: "It limits the turns of an oriented body in either direction",
        unset: "",
        needs: Needs::Turns,
        get: |body| Some(degrees(body.max_turn_accel)),
        set: |body, value| body.max_turn_accel = value.to_radians(),
    },
    Number {
        key: "smoothing",
        form: Form::Count,
        unit: "frames",
        range: 0.0..=100.0,
        about: "Number of headings averaged for the displayed heading",
        details: "Steering, traces and conditions use the actual heading",
        unset: "",
        needs: Needs::Nothing,
        get: |body| Some(body.smoothing as f32),
        set: |body, value| body.smoothing = value as u32,
    },
    plain!("drag", "1/s", 0.0..=1000.0, ForcesOrThrust, "Linear drag", drag),
    plain!("view.range", "tiles", 0.0..=10_000.0, Looks, "Viewing distance", view.range),
    Number {
        key: "view.angle",
        form: Form::Angle,
        unit: "degrees",
        range: 0.0..=360.0,
        about: "Full viewing angle, centred on the heading",
        details: "",
        unset: "",
        needs: Needs::Looks,
        get: |body| Some(degrees(body.view.angle)),
        set: |body, value| body.view.angle = value.to_radians(),
    },
    plain!("inertia", "mass·tiles²", 0.001..=1e6, Thrust, "Moment of inertia", craft.inertia),
    plain!("length", "tiles", 0.0..=100.0, Thrust, "Length", craft.length)
        .details("Half the length is the lever arm of the side thrusters"),
    plain!("thrust", "tiles/s²·m", 0.0..=1e6, Thrust, "Forward thrust", craft.thrust),
    plain!("side_thrust", "tiles/s²·m", 0.0..=1e6, Thrust, "Force of each side thruster", craft.side_thrust)
        .details("The force acts at the bow"),
    plain!("water_drag", "mass/tile", 0.0..=1e6, Thrust, "Quadratic drag coefficient", craft.water_drag)
        .details("This drag is added to `drag`"),
    plain!("angular_drag", "mass·tiles²/s", 0.0..=1e6, Thrust, "Drag coefficient of the rotation", craft.angular_drag),
    plain!("keel", "mass/s", 0.0..=1e6, Thrust, "Drag coefficient of sideways motion", craft.keel),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_can_be_set_and_read() {
        for number in NUMBERS {
            let mut body = Body::default();
            assert!(number.admits(&body), "the default of {}", number.key);
            let value = number.range.start().midpoint(number.range.end().min(20.0)).round() as f32;
            (number.set)(&mut body, value.max(1.0));
            assert_eq!((number.get)(&body), Some(value.max(1.0)), "{}", number.key);
        }
    }

    #[test]
    fn keys_are_unique() {
        for (index, number) in NUMBERS.iter().enumerate() {
            assert!(NUMBERS[..index].iter().all(|other| other.key != number.key), "{}", number.key);
        }
    }
}
