//! The parameters of a body, for every page that shows them.
//!
//! Each parameter has a text and a location in the map file, so that clicking the text opens the
//! value.

use ratatui::style::Style;

use crate::body::{self, Body, NUMBERS};
use crate::tui::draw::facts::{Phrase, Shown};

/// A parameter of an agent's body, with the function that formats its value.
#[derive(Debug, Clone, Copy)]
pub struct Number {
    /// The key of the parameter in the table of body numbers.
    key: &'static str,
    text: fn(&Body) -> String,
}

const fn number(key: &'static str, text: fn(&Body) -> String) -> Number {
    Number { key, text }
}

impl Number {
    /// Returns the phrase that shows the value of the parameter for a body.
    pub fn of(self, body: &Body, style: Style) -> Phrase {
        Phrase::from(((self.text)(body), style)).showing(Shown::OfBody(self.key))
    }
}

/// Returns phrases for the parameters without a text of their own, in the units of files.
pub fn others(of: &Body, style: Style) -> Vec<Phrase> {
    let own = LISTED.iter().chain(&CRAFT).map(|number| number.key);
    let own: Vec<_> = own.collect();
    let others = NUMBERS.iter().filter(|number| !own.contains(&number.key));
    let phrase = |number: &body::Number| {
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
/// The turn rate limit of a body that steering rotates. Such a body always has a turn rate limit.
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

/// The parameters of a craft.
pub const CRAFT: [Number; 7] = [
    number("inertia", |body| format!("inertia {}", body.craft.inertia)),
    number("length", |body| format!("length {}", body.craft.length)),
    number("thrust", |body| format!("thrust {}", body.craft.thrust)),
    number("side_thrust", |body| format!("side thrust {}", body.craft.side_thrust)),
    number("water_drag", |body| format!("water drag {}", body.craft.water_drag)),
    number("angular_drag", |body| format!("angular drag {}", body.craft.angular_drag)),
    number("keel", |body| format!("keel {}", body.craft.keel)),
];

/// The parameters with a text of their own that every body has.
const LISTED: [Number; 11] =
    [MASS, RADIUS, SPEED, FORCE, GAIN, DRAG, TURN, TURN_ACCEL, SMOOTHING, VIEW_RANGE, VIEW_ANGLE];
