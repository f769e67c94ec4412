//! Reads the behaviours that turn a body, and `track`.

use super::parameters::Of;
use crate::reader::TableReader;
use crate::value::Entry;
use tilewalk_sim::geom::heading;
use tilewalk_sim::steering::{Align, Track, Turning};

pub fn track(table: &mut TableReader) -> Track {
    let mut number = |key| Of("track").float(table, key);
    Track {
        rate: number("rate"),
        range: number("range"),
        noise: number("noise"),
        noise_chance: number("noise_chance"),
        slow: number("slow"),
    }
}

pub fn align(table: &mut TableReader) -> Align {
    let degrees = table.take("to").filter(Entry::is_number);
    let degrees = degrees.and_then(|entry| entry.float(-360.0..=360.0));
    Align { to: degrees.map(heading::from_degrees), turning: turning(table) }
}

/// Reads the parameters that all behaviours of this kind have.
pub fn turning(table: &mut TableReader) -> Turning {
    let mut number = |key| Of("align").float(table, key);
    Turning {
        target_angle: number("target_angle"),
        slow_angle: number("slow_angle"),
        time_to_target: number("time_to_target"),
    }
}
