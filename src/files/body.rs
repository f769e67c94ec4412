//! Bodies: `body = { … }`.

use toml::de::DeTable;

use super::RADIUS;
use super::reader::TableReader;
use crate::body::{Body, Craft, View};

/// Reads the body of an agent; what it leaves out, or says wrongly, has its default.
pub fn read(agent: &mut TableReader) -> Body {
    let default = Body::default();
    // An agent without one is asked as well, for the list of what may be set.
    let (entry, none) = (agent.take("body"), DeTable::new());
    let table = match &entry {
        Some(entry) => entry.table("a body"),
        None => Some(TableReader::new("a body", &none, agent.span(), agent.issues)),
    };
    let Some(table) = table else { return default };
    let mut table = table.at(format!("{}.body", agent.path()));
    let body = Body {
        mass: table.float_or("mass", 0.001..=1e6, default.mass),
        radius: table.float_or("radius", RADIUS, default.radius),
        max_speed: table.float_or("max_speed", 0.0..=1000.0, default.max_speed),
        max_force: table.float_or("max_force", 0.0..=1e6, default.max_force),
        gain: table.float_or("gain", 0.001..=1e6, default.gain),
        max_turn_rate: table.some_float("max_turn_rate", 0.0..=1e6).map(f32::to_radians),
        max_turn_accel: table.angle_or("max_turn_accel", 0.0..=1e6, default.max_turn_accel),
        smoothing: table.count_or("smoothing", 0..=100, 0),
        drag: table.float_or("drag", 0.0..=1000.0, default.drag),
        solid: table.take("solid").and_then(|value| value.boolean()).unwrap_or(default.solid),
        view: read_view(&mut table, default.view),
        craft: read_craft(&mut table, default.craft),
    };
    table.finish(&[]);
    body
}

/// `view = { range, angle }`.
fn read_view(body: &mut TableReader, default: View) -> View {
    let (entry, none) = (body.take("view"), DeTable::new());
    let table = match &entry {
        Some(entry) => entry.table("a view"),
        None => Some(TableReader::new("a view", &none, body.span(), body.issues)),
    };
    let Some(table) = table else { return default };
    let mut table = table.at(format!("{}.view", body.path()));
    let view = View {
        range: table.float_or("range", 0.0..=10_000.0, default.range),
        angle: table.angle_or("angle", 0.0..=360.0, default.angle),
    };
    table.finish(&[]);
    view
}

/// Reads what thrust patterns need.
fn read_craft(table: &mut TableReader, default: Craft) -> Craft {
    Craft {
        inertia: table.float_or("inertia", 0.001..=1e6, default.inertia),
        length: table.float_or("length", 0.0..=100.0, default.length),
        thrust: table.float_or("thrust", 0.0..=1e6, default.thrust),
        side_thrust: table.float_or("side_thrust", 0.0..=1e6, default.side_thrust),
        water_drag: table.float_or("water_drag", 0.0..=1e6, default.water_drag),
        angular_drag: table.float_or("angular_drag", 0.0..=1e6, default.angular_drag),
        keel: table.float_or("keel", 0.0..=1e6, default.keel),
    }
}
