//! The parameters of a body, for every page that shows them.
//!
//! Each parameter has a text and a location in the map file, so that clicking the text opens the
//! value.

use ratatui::style::Style;

use crate::body::Body;
use crate::tui::draw::facts::{Phrase, Shown};

/// A parameter of an agent's body, with the function that formats its value.
#[derive(Debug, Clone, Copy)]
pub struct Number {
    /// The key of the parameter within the agent, such as `body.mass`.
    place: &'static str,
    text: fn(&Body) -> String,
}

const fn number(place: &'static str, text: fn(&Body) -> String) -> Number {
    Number { place, text }
}

impl Number {
    /// Returns the phrase that shows the value of the parameter for a body.
    pub fn of(self, body: &Body, style: Style) -> Phrase {
        Phrase::from(((self.text)(body), style)).showing(Shown::OfAgent(self.place))
    }
}

pub const MASS: Number = number("body.mass", |body| format!("mass {}", body.mass));
pub const RADIUS: Number = number("body.radius", |body| format!("radius {}", body.radius));
pub const SPEED: Number = number("body.max_speed", |body| format!("speed ≤ {}", body.max_speed));
pub const FORCE: Number = number("body.max_force", |body| format!("force ≤ {}", body.max_force));
pub const GAIN: Number = number("body.gain", |body| format!("gain {}/s", body.gain));
pub const DRAG: Number = number("body.drag", |body| format!("drag {}/s", body.drag));
pub const TURN: Number = number("body.max_turn_rate", |body| match body.max_turn_rate {
    Some(rate) => format!("turn rate ≤ {:.0}°/s", rate.to_degrees()),
    None => "turn rate unlimited".to_owned(),
});
/// The turn rate limit of a body that steering rotates. Such a body always has a turn rate limit.
pub const SPIN: Number = number("body.max_turn_rate", |body| {
    format!("turn rate ≤ {:.0}°/s", body.top_turn_rate().to_degrees())
});
pub const TURN_ACCEL: Number = number("body.max_turn_accel", |body| {
    format!("turn accel ≤ {:.0}°/s²", body.max_turn_accel.to_degrees())
});
pub const SMOOTHING: Number = number("body.smoothing", |body| match body.smoothing {
    0 => "no smoothing".to_owned(),
    frames => format!("smoothed over {}", crate::words::count(frames.into(), "frame")),
});
pub const VIEW_RANGE: Number =
    number("body.view.range", |body| format!("range {} tiles", body.view.range));
pub const VIEW_ANGLE: Number =
    number("body.view.angle", |body| format!("angle {:.0}°", body.view.angle.to_degrees()));

/// The parameters of a craft.
pub const CRAFT: [Number; 7] = [
    number("body.inertia", |body| format!("inertia {}", body.craft.inertia)),
    number("body.length", |body| format!("length {}", body.craft.length)),
    number("body.thrust", |body| format!("thrust {}", body.craft.thrust)),
    number("body.side_thrust", |body| format!("side thrust {}", body.craft.side_thrust)),
    number("body.water_drag", |body| format!("water drag {}", body.craft.water_drag)),
    number("body.angular_drag", |body| format!("angular drag {}", body.craft.angular_drag)),
    number("body.keel", |body| format!("keel {}", body.craft.keel)),
];
