//! Phrases for the parameters of a body, shared by all inspector pages.
//!
//! Each parameter has its location in the map file. A click on the phrase edits the number there.

use ratatui::style::Style;

use crate::body::{self, Body, NUMBERS};
use crate::tui::draw::facts::{Phrase, Shown};

/// A parameter of an agent's body, with the function that formats its number.
#[derive(Debug, Clone, Copy)]
pub struct Number {
    /// Key of the parameter in the `body` table of the map file.
    key: &'static str,
    text: fn(&Body) -> String,
}

const fn number(key: &'static str, text: fn(&Body) -> String) -> Number {
    Number { key, text }
}

impl Number {
    /// Formats the parameter for a body. A click on the phrase edits the number.
    pub fn of(self, body: &Body, style: Style) -> Phrase {
        Phrase::from(((self.text)(body), style)).showing(Shown::OfBody(self.key))
    }
}

/// Formats the parameters that have no constant in this module, in the units of map files.
/// Parameters without a number are omitted.
pub fn others(of: &Body, style: Style) -> Vec<Phrase> {
    let own = LISTED.iter().chain(&CRAFT).map(|number| number.key);
    let own: Vec<_> = own.collect();
    let others = NUMBERS.iter().filter(|number| !own.contains(&number.key));
    let phrase = |number: &body::BodyNumber| {
        let value = (number.get)(of)?;
        let text = format!("{} {value} {}", number.key.replace('_', " "), number.unit);
        Some(Phrase::from((text.trim_end().to_owned(), style)).showing(Shown::OfBody(number.key)))
    };
    others.filter_map(phrase).collect()
}

pub const MASS: Number = number("mass", |body| format!("mass {}", body.mass));
pub const RADIUS: Number = number("radius", |body| format!("radius {}", body.radius));
pub const SPEED: Number = number("max_speed", |body| format!("speed ≤ {}", body.max_speed));
pub const FORCE: Number = number("max_force", |body| format!("force ≤ {}", body.max_force));
pub const GAIN: Number = number("gain", |body| format!("gain {}/s", body.gain));
pub const DRAG: Number = number("drag", |body| format!("drag {}/s", body.drag));
pub const TURN: Number = number("max_turn_rate", |body| match body.max_turn_rate {
    Some(rate) => format!("turn rate ≤ {:.0}°/s", rate.to_degrees()),
    None => "turn rate unlimited".to_owned(),
});
/// Limit of the turn rate, for bodies that steering rotates. If the map file sets no limit, a
/// default limit applies.
pub const SPIN: Number = number("max_turn_rate", |body| {
    format!("turn rate ≤ {:.0}°/s", body.top_turn_rate().to_degrees())
});
pub const TURN_ACCEL: Number = number("max_turn_accel", |body| {
    format!("turn accel ≤ {:.0}°/s²", body.max_turn_accel.to_degrees())
});
pub const SMOOTHING: Number = number("smoothing", |body| match body.smoothing {
    0 => "no smoothing".to_owned(),
    frames => format!("smoothed over {}", crate::words::count(frames.into(), "frame")),
});
pub const VIEW_RANGE: Number =
    number("view.range", |body| format!("range {} tiles", body.view.range));
pub const VIEW_ANGLE: Number =
    number("view.angle", |body| format!("angle {:.0}°", body.view.angle.to_degrees()));

/// The parameters of bodies with thrust patterns.
pub const CRAFT: [Number; 7] = [
    number("inertia", |body| format!("inertia {}", body.craft.inertia)),
    number("length", |body| format!("length {}", body.craft.length)),
    number("thrust", |body| format!("thrust {}", body.craft.thrust)),
    number("side_thrust", |body| format!("side thrust {}", body.craft.side_thrust)),
    number("water_drag", |body| format!("water drag {}", body.craft.water_drag)),
    number("angular_drag", |body| format!("angular drag {}", body.craft.angular_drag)),
    number("keel", |body| format!("keel {}", body.craft.keel)),
];

/// The parameters of all bodies that have a constant in this module.
const LISTED: [Number; 11] =
    [MASS, RADIUS, SPEED, FORCE, GAIN, DRAG, TURN, TURN_ACCEL, SMOOTHING, VIEW_RANGE, VIEW_ANGLE];
