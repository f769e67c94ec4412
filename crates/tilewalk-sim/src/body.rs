//! Bodies: properties, limits and motion.
//!
//! File readers, editors, schemas and documentation are derived from [`NUMBERS`], the table of
//! numeric body properties. To add a property, add a field to [`Body`] with its default, and an
//! entry to [`NUMBERS`].

use std::convert::identity;
use std::ops::RangeInclusive;

use crate::geom::{Vec2, unit};

const HALF_TILE: f32 = 0.5;

/// The constant properties and limits of a body. [`NUMBERS`] lists units, ranges and file keys.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Body {
    /// Mass, in arbitrary units; > 0.
    pub mass: f32,
    /// Radius in tiles; 0.05 to 8, at most 0.5 for a body that moves on tiles.
    pub radius: f32,
    /// Largest speed, in tiles/s; ≥ 0.
    pub max_speed: f32,
    /// Largest steering force, in tiles/s² · mass; ≥ 0.
    pub max_force: f32,
    /// Gain of the velocity correction, in 1/s; > 0. Limited to 1/dt in each frame.
    pub gain: f32,
    /// Maximum turn rate, in radians/s. Limits the heading of an oriented body, and the velocity of
    /// any other body. `None` means 2π for an oriented body, and no limit for any other body.
    pub max_turn_rate: Option<f32>,
    /// Largest angular acceleration, in radians/s²; ≥ 0.
    pub max_turn_accel: f32,
    /// Linear drag, in 1/s; ≥ 0.
    pub drag: f32,
    /// Number of recent frames whose headings are averaged for display; 0 shows the current
    /// heading.
    pub smoothing: u32,
    /// Whether the body blocks other bodies: agents that move on tiles, and other solid bodies.
    pub solid: bool,
    /// Field of view of the body. Opaque tiles, walls and obstacles hide targets in it.
    pub view: View,
    /// Properties used by thrust patterns only.
    pub craft: Craft,
}

/// A field of view: a circle, or a sector around the heading.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    /// Range of sight in tiles; ≥ 0.
    pub range: f32,
    /// Full viewing angle, centred on the heading, in radians; 0 to 2π.
    pub angle: f32,
}

impl Default for View {
    fn default() -> Self {
        Self { range: 8.0, angle: core::f32::consts::TAU }
    }
}

impl View {
    /// Returns true if a point is in the field of view. `offset` is the vector from the body to the
    /// point, in tiles. Opaque tiles are ignored. `heading` is a unit vector.
    pub fn holds(&self, offset: Vec2, heading: Vec2) -> bool {
        if offset.length() > self.range {
            return false;
        }
        // A zero offset has no direction and is always visible.
        self.angle >= core::f32::consts::TAU
            || offset == Vec2::ZERO
            || heading.dot(unit(offset)) >= libm::cosf(self.angle / 2.0)
    }
}

/// Properties of a body moved by thrusters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Craft {
    /// Moment of inertia, in mass · tiles²; > 0.
    pub inertia: f32,
    /// Length in tiles; ≥ 0. The side thrusters are half the length in front of the centre.
    pub length: f32,
    /// Engine force, in tiles/s² · mass; ≥ 0.
    pub thrust: f32,
    /// Force of each side thruster, in tiles/s² · mass; ≥ 0.
    pub side_thrust: f32,
    /// Quadratic drag, in mass / tile; ≥ 0.
    pub water_drag: f32,
    /// Linear drag of the rotation, in mass · tiles² / s; ≥ 0.
    pub angular_drag: f32,
    /// Linear drag of sideways motion, in mass / s; ≥ 0.
    pub keel: f32,
}

impl Default for Craft {
    fn default() -> Self {
        Self {
            inertia: 0.05,
            length: 0.8,
            thrust: 3.0,
            side_thrust: 4.0,
            water_drag: 0.8,
            angular_drag: 0.5,
            keel: 6.0,
        }
    }
}

impl Default for Body {
    fn default() -> Self {
        Self {
            mass: 1.0,
            radius: 0.3,
            max_speed: 4.0,
            max_force: 12.0,
            gain: 8.0,
            max_turn_rate: None,
            max_turn_accel: 1440.0_f32.to_radians(),
            drag: 0.0,
            smoothing: 0,
            solid: false,
            view: View::default(),
            craft: Craft::default(),
        }
    }
}

impl Body {
    /// Returns the gain of the velocity correction for frames of `dt` seconds, in 1/s; at most
    /// 1/dt.
    #[inline]
    pub(crate) fn gain_in(&self, dt: f32) -> f32 {
        self.gain.min(1.0 / dt)
    }

    /// Returns the part of the radius that exceeds half a tile, in tiles; 0 for small bodies.
    /// Behaviours add this part to their look-ahead distances.
    pub(crate) fn excess(&self) -> f32 {
        (self.radius - HALF_TILE).max(0.0)
    }

    /// Returns the largest turn rate of an oriented body, in radians/s: `max_turn_rate`, or 2π if
    /// unset.
    pub fn top_turn_rate(&self) -> f32 {
        self.max_turn_rate.unwrap_or(core::f32::consts::TAU)
    }
}

/// The position and velocity of a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Motion {
    /// Position of the centre, in tiles.
    pub position: Vec2,
    /// Velocity of the centre, in tiles/s.
    pub velocity: Vec2,
    /// Direction in which the body faces, as a unit vector.
    pub heading: Vec2,
    /// Angular velocity of an oriented body, in radians/s; positive turns right.
    pub angular_velocity: f32,
}

impl Motion {
    /// Returns true if all components are finite.
    pub fn is_finite(&self) -> bool {
        self.position.is_finite()
            && self.velocity.is_finite()
            && self.heading.is_finite()
            && self.angular_velocity.is_finite()
    }
}

/// Conversion of a body property between files and [`Body`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberForm {
    /// A float, stored without conversion.
    Plain,
    /// An angle: degrees in files, radians in the body.
    Angle,
    /// An integer, stored without conversion.
    Count,
}

/// Kind of motion or sight that a body needs for a number to have an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// The number always has an effect.
    Nothing,
    /// Movement by steering forces.
    Forces,
    /// Movement by steering forces or by thrusters.
    ForcesOrThrust,
    /// Movement by thrusters.
    Thrust,
    /// A heading that turns independently of the velocity.
    Turns,
    /// Sight: a mode or condition that looks for other agents.
    Looks,
}

/// Description of a numeric property of a body. Values are in the units of files, in which angles
/// are in degrees.
#[derive(Debug)]
pub struct BodyNumber {
    /// Key of the property in the `body` table, such as `max_speed` or `view.range`.
    pub key: &'static str,
    /// Conversion of the value between files and [`Body`].
    pub form: NumberForm,
    /// Unit of the value; empty for a plain factor. In units of force, `m` is the unit of mass.
    pub unit: &'static str,
    /// Range of valid values, in the units of files.
    pub range: RangeInclusive<f64>,
    /// Meaning of the property: a noun phrase without the unit.
    pub about: &'static str,
    /// Additional sentences for the documentation; may be empty.
    pub details: &'static str,
    /// Meaning of a missing value. Empty for a property with a default number.
    pub unset: &'static str,
    /// Kind of motion or sight that the body needs for the value to have an effect.
    pub needs: Needs,
    /// Function that returns the body's value in the unit of files; `None` if the value is not set.
    pub get: fn(&Body) -> Option<f32>,
    /// Function that sets the body's value, given in the unit of files. Does not check the range.
    pub set: fn(&mut Body, f32),
}

impl BodyNumber {
    /// Returns the default value in the unit of files; `None` if the property has no default
    /// number.
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

/// Returns the description of the property with the given key; `None` if the key is unknown.
pub fn number(key: &str) -> Option<&'static BodyNumber> {
    NUMBERS.iter().find(|number| number.key == key)
}

/// Converts radians to degrees for files, rounded to a thousandth to hide the conversion error.
pub fn degrees(radians: f32) -> f32 {
    (radians.to_degrees() * 1e3).round() / 1e3
}

/// Creates a table row for a field. `$read` converts a value to the unit of files. `$write`
/// converts it back.
macro_rules! number {
    (
        $form:ident($read:path, $write:path),
        $key:literal, $unit:literal, $range:expr, $needs:ident, $about:literal, $($field:ident).+
    ) => {
        BodyNumber {
            key: $key,
            form: NumberForm::$form,
            unit: $unit,
            range: $range,
            about: $about,
            details: "",
            unset: "",
            needs: Needs::$needs,
            get: |body| Some($read(body.$($field).+)),
            set: |body, value| body.$($field).+ = $write(value),
        }
    };
}

/// Creates a table row for a field that files store without unit conversion.
macro_rules! plain {
    ($($row:tt)+) => { number!(Plain(identity, identity), $($row)+) };
}

/// Creates a table row for an angle.
macro_rules! angle {
    ($($row:tt)+) => { number!(Angle(degrees, f32::to_radians), $($row)+) };
}

/// All numeric properties, in the order in which value lists show them.
#[rustfmt::skip]
pub const NUMBERS: &[BodyNumber] = &[
    plain!("mass", "", 0.001..=1e6, ForcesOrThrust, "Mass", mass),
    plain!("radius", "tiles", 0.05..=8.0, Nothing, "Radius", radius)
        .details("At most 0.5 for bodies that move on tiles. Collisions use a slightly smaller radius, so that a body fits through an opening as wide as its diameter: at most 0.498 tiles for radii up to 0.5, and 0.002 tiles less for larger radii"),
    plain!("max_speed", "tiles/s", 0.0..=1000.0, Forces, "Maximum speed", max_speed),
    plain!("max_force", "tiles/s²·m", 0.0..=1e6, Forces, "Maximum steering force", max_force),
    plain!("gain", "1/s", 0.001..=1e6, Forces, "Gain of the velocity correction", gain)
        .details("The gain is the steering force per unit of velocity error. Values above 1 / `tick` act like 1 / `tick`"),
    BodyNumber {
        key: "max_turn_rate",
        form: NumberForm::Angle,
        unit: "degrees/s",
        range: 0.0..=1e6,
        about: "Maximum turn rate",
        details: "It limits the direction of the velocity or, for an oriented body, the heading",
        unset: "no limit; 360 for oriented bodies",
        needs: Needs::Forces,
        get: |body| body.max_turn_rate.map(degrees),
        set: |body, value| body.max_turn_rate = Some(value.to_radians()),
    },
    angle!("max_turn_accel", "degrees/s²", 0.0..=1e6, Turns, "Maximum angular acceleration", max_turn_accel)
        .details("It limits the turns of an oriented body in either direction"),
    BodyNumber {
        key: "smoothing",
        form: NumberForm::Count,
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
    angle!("view.angle", "degrees", 0.0..=360.0, Looks, "Full viewing angle, centred on the heading", view.angle),
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
mod numbers_tests {
    use super::*;

    #[test]
    fn every_number_of_a_body_can_be_set_and_read() {
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
