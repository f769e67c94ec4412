//! Bodies: `body = { … }`.

use super::RADIUS;
use super::reader::TableReader;
use super::value::Entry;
use crate::body::{Body, Craft, View};

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
        view: table.take("view").map_or(default.view, |view| read_view(&view)),
        craft: read_craft(&mut table, default.craft),
    };
    table.finish(&[]);
    body
}

/// `view = { range, angle }`.
fn read_view(entry: &Entry) -> View {
    let default = View::default();
    let Some(mut table) = entry.table("a view") else { return default };
    let view = View {
        range: table.float("range", 0.0..=10_000.0).unwrap_or(default.range),
        angle: table.float("angle", 0.0..=360.0).map_or(default.angle, f32::to_radians),
    };
    table.finish(&[]);
    view
}

/// Reads what thrust patterns need.
fn read_craft(table: &mut TableReader, default: Craft) -> Craft {
    Craft {
        inertia: table.float("inertia", 0.001..=1e6).unwrap_or(default.inertia),
        length: table.float("length", 0.0..=100.0).unwrap_or(default.length),
        thrust: table.float("thrust", 0.0..=1e6).unwrap_or(default.thrust),
        side_thrust: table.float("side_thrust", 0.0..=1e6).unwrap_or(default.side_thrust),
        water_drag: table.float("water_drag", 0.0..=1e6).unwrap_or(default.water_drag),
        angular_drag: table.float("angular_drag", 0.0..=1e6).unwrap_or(default.angular_drag),
        keel: table.float("keel", 0.0..=1e6).unwrap_or(default.keel),
    }
}
