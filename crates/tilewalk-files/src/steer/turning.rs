//! The parameters of rows that turn a body, and of `track`.

use std::ops::RangeInclusive;

use super::behaviour::{LENGTH, POSITIVE};
use crate::reader::TableReader;
use crate::value::Entry;
use tilewalk_sim::geom::heading;
use tilewalk_sim::steering::{Align, Track, Turning};

/// Changes of velocity in one frame, in tiles/s.
const CHANGE: RangeInclusive<f64> = 0.0..=100.0;

/// What slows a missile down must do so.
const SLOW: RangeInclusive<f64> = 0.0..=0.99;

pub fn track(table: &mut TableReader) -> Track {
    let default = Track::default();
    Track {
        rate: table.float_or("rate", CHANGE, default.rate),
        range: table.float_or("range", LENGTH, default.range),
        noise: table.float_or("noise", CHANGE, default.noise),
        noise_chance: table.float_or("noise_chance", 0.0..=1.0, default.noise_chance),
        slow: table.float_or("slow", SLOW, default.slow),
    }
}

pub fn align(table: &mut TableReader) -> Align {
    let degrees = table.take("to").filter(Entry::is_number);
    let degrees = degrees.and_then(|entry| entry.float(-360.0..=360.0));
    Align { to: degrees.map(heading::from_degrees), turning: turning(table) }
}

pub fn turning(table: &mut TableReader) -> Turning {
    let default = Turning::default();
    let mut angle = |key, least: f64, other| table.angle_or(key, least..=180.0, other);
    Turning {
        target_angle: angle("target_angle", 0.0, default.target_angle),
        slow_angle: angle("slow_angle", 0.001, default.slow_angle),
        time_to_target: table.float_or("time_to_target", POSITIVE, default.time_to_target),
    }
}
