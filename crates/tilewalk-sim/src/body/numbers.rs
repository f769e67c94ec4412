//! The table of body numbers, used by readers, editors, schemas and checks.
//!
//! To add a number, add a field of [`Body`], its default, and a row here.

use std::ops::RangeInclusive;

use super::Body;

/// The format of a number in files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// The same number as in the body.
    Plain,
    /// In degrees; the body uses radians.
    Angle,
    /// As an integer, without a conversion.
    Count,
}

/// A number of a body, in the units of files: angles are in degrees.
#[derive(Debug)]
pub struct Number {
    /// The key in files, such as `max_speed` or `view.range`.
    pub key: &'static str,
    /// The format in files.
    pub form: Form,
    /// The unit; empty for a plain factor. `m` is the unit of mass in forces.
    pub unit: &'static str,
    /// The valid values, in the unit of files.
    pub range: RangeInclusive<f64>,
    /// The description: a noun phrase without the unit.
    pub about: &'static str,
    /// The meaning of an unset value without a default.
    pub unset: &'static str,
    /// Reads the value of a body; `None` if unset.
    pub(crate) get: fn(&Body) -> Option<f32>,
    /// Sets the value of a body.
    pub set: fn(&mut Body, f32),
}

impl Number {
    /// Returns the value of a default body; `None` if unset.
    pub fn default(&self) -> Option<f32> {
        (self.get)(&Body::default())
    }

    /// Returns true if a body's value is in range or unset.
    pub(crate) fn admits(&self, body: &Body) -> bool {
        (self.get)(body).is_none_or(|value| self.range.contains(&f64::from(value)))
    }
}

/// Returns the number with a key; `None` if there is none.
pub fn number(key: &str) -> Option<&'static Number> {
    NUMBERS.iter().find(|number| number.key == key)
}

/// Converts radians to degrees, rounded to thousandths to hide rounding errors of defaults.
fn degrees(radians: f32) -> f32 {
    (radians.to_degrees() * 1e3).round() / 1e3
}

/// Defines a number that is stored as in files.
macro_rules! plain {
    ($key:literal, $unit:literal, $range:expr, $about:literal, $($field:ident).+) => {
        Number {
            key: $key,
            form: Form::Plain,
            unit: $unit,
            range: $range,
            about: $about,
            unset: "",
            get: |body| Some(body.$($field).+),
            set: |body, value| body.$($field).+ = value,
        }
    };
}

/// All body numbers, in display order.
#[rustfmt::skip]
pub const NUMBERS: &[Number] = &[
    plain!("mass", "", 0.001..=1e6, "Mass", mass),
    plain!("radius", "tiles", 0.05..=0.5, "Radius", radius),
    plain!("max_speed", "tiles/s", 0.0..=1000.0, "Maximum speed", max_speed),
    plain!("max_force", "tiles/s²·m", 0.0..=1e6, "Maximum steering force", max_force),
    plain!("gain", "1/s", 0.001..=1e6, "Gain of the velocity correction", gain),
    Number {
        key: "max_turn_rate",
        form: Form::Angle,
        unit: "degrees/s",
        range: 0.0..=1e6,
        about: "Maximum turn rate",
        unset: "no limit; 360 for oriented bodies",
        get: |body| body.max_turn_rate.map(degrees),
        set: |body, value| body.max_turn_rate = Some(value.to_radians()),
    },
    Number {
        key: "max_turn_accel",
        form: Form::Angle,
        unit: "degrees/s²",
        range: 0.0..=1e6,
        about: "Maximum angular acceleration",
        unset: "",
        get: |body| Some(degrees(body.max_turn_accel)),
        set: |body, value| body.max_turn_accel = value.to_radians(),
    },
    Number {
        key: "smoothing",
        form: Form::Count,
        unit: "frames",
        range: 0.0..=100.0,
        about: "Number of headings averaged for the displayed heading",
        unset: "",
        get: |body| Some(body.smoothing as f32),
        set: |body, value| body.smoothing = value as u32,
    },
    plain!("drag", "1/s", 0.0..=1000.0, "Linear drag", drag),
    plain!("view.range", "tiles", 0.0..=10_000.0, "Viewing distance", view.range),
    Number {
        key: "view.angle",
        form: Form::Angle,
        unit: "degrees",
        range: 0.0..=360.0,
        about: "Full viewing angle, centred on the heading",
        unset: "",
        get: |body| Some(degrees(body.view.angle)),
        set: |body, value| body.view.angle = value.to_radians(),
    },
    plain!("inertia", "mass·tiles²", 0.001..=1e6, "Craft only: moment of inertia", craft.inertia),
    plain!("length", "tiles", 0.0..=100.0, "Craft only: length", craft.length),
    plain!("thrust", "tiles/s²·m", 0.0..=1e6, "Craft only: forward thrust", craft.thrust),
    plain!("side_thrust", "tiles/s²·m", 0.0..=1e6, "Craft only: force of each side thruster", craft.side_thrust),
    plain!("water_drag", "mass/tile", 0.0..=1e6, "Craft only: quadratic drag coefficient", craft.water_drag),
    plain!("angular_drag", "mass·tiles²/s", 0.0..=1e6, "Craft only: drag coefficient of the rotation", craft.angular_drag),
    plain!("keel", "mass/s", 0.0..=1e6, "Craft only: drag coefficient of sideways motion", craft.keel),
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
