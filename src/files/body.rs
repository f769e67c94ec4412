//! Bodies: `body = { … }`.

use super::RADIUS;
use super::value::Entry;
use crate::body::Body;

/// Keys that are planned.
const LATER: &[&str] =
    &["view", "inertia", "length", "thrust", "side_thrust", "water_drag", "angular_drag", "keel"];

/// Reads a body; what it leaves out, or says wrongly, has its default.
pub fn read(entry: &Entry) -> Body {
    let default = Body::default();
    let Some(mut table) = entry.table("a body") else { return default };
    let body = Body {
        mass: table.float("mass", 0.001..=1e6).unwrap_or(default.mass),
        radius: table.float("radius", RADIUS).unwrap_or(default.radius),
        max_speed: table.float("max_speed", 0.0..=1000.0).unwrap_or(default.max_speed),
        max_force: table.float("max_force", 0.0..=1e6).unwrap_or(default.max_force),
        gain: table.float("gain", 0.001..=1e6).unwrap_or(default.gain),
        max_turn_rate: table.float("max_turn_rate", 0.0..=1e6).map(f32::to_radians),
        max_turn_accel: table
            .float("max_turn_accel", 0.0..=1e6)
            .map_or(default.max_turn_accel, f32::to_radians),
        smoothing: table.take("smoothing").and_then(|value| value.count(0..=100)).unwrap_or(0),
        drag: table.float("drag", 0.0..=1000.0).unwrap_or(default.drag),
        solid: table.take("solid").and_then(|value| value.boolean()).unwrap_or(default.solid),
    };
    table.finish(LATER);
    body
}
