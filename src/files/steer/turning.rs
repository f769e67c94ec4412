//! The parameters of rows that turn a body, and of `track`.

use std::ops::RangeInclusive;

use super::behaviour::{LENGTH, POSITIVE};
use crate::files::reader::TableReader;
use crate::files::value::Entry;
use crate::geom::heading;
use crate::steering::{Align, Track, Turning};

/// Changes of velocity in one frame, in tiles/s.
const CHANGE: RangeInclusive<f64> = 0.0..=100.0;

/// What slows a missile down must do so.
const SLOW: RangeInclusive<f64> = 0.0..=0.99;

pub fn track(table: &mut TableReader) -> Track {
    let default = Track::default();
    Track {
        rate: table.float("rate", CHANGE).unwrap_or(default.rate),
        range: table.float("range", LENGTH).unwrap_or(default.range),
        noise: table.float("noise", CHANGE).unwrap_or(default.noise),
        noise_chance: table.float("noise_chance", 0.0..=1.0).unwrap_or(default.noise_chance),
        slow: table.float("slow", SLOW).unwrap_or(default.slow),
    }
}

pub fn align(table: &mut TableReader) -> Align {
    let degrees = table.take("to").filter(Entry::is_number);
    let degrees = degrees.and_then(|entry| entry.float(-360.0..=360.0));
    Align { to: degrees.map(heading::from_degrees), turning: turning(table) }
}

pub fn turning(table: &mut TableReader) -> Turning {
    let default = Turning::default();
    let mut angle =
        |key, least: f64, other| table.float(key, least..=180.0).map_or(other, f32::to_radians);
    Turning {
        target_angle: angle("target_angle", 0.0, default.target_angle),
        slow_angle: angle("slow_angle", 0.001, default.slow_angle),
        time_to_target: table.float("time_to_target", POSITIVE).unwrap_or(default.time_to_target),
    }
}
