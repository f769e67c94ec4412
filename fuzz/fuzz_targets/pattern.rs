//! Fuzzes patterns: a report is safe to print, and agents that follow an accepted pattern can be simulated.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tilewalk::files::{self, Options, Origin};
use tilewalk_fuzz::{assert_printable, file, simulate};

/// A map whose agents follow the pattern in two modes.
const MAP: &str = r##"
tick = 0.1
edges = "wrap"
tiles = """
..........
..#....T..
..........
....~~....
..........
"""
[[agent]]
name = "walker"
at = [1, 1]
[[agent.mode]]
name = "on"
pattern = "fuzz"
resume = true
switch = [{ when = "time_in_mode > 0.6", to = "off" }]
[[agent.mode]]
name = "off"
travel = [8, 4]
switch = [{ when = "time_in_mode > 0.2", to = "on" }]
[[agent]]
name = "other"
at = [8, 2]
pattern = ["fuzz", "square"]
choose = "random"
"##;

fuzz_target!(|bytes: &[u8]| {
    let pattern = file("patterns/fuzz.toml", bytes);
    assert_printable(&files::check(&[pattern], None).expect("a file that can be read"));
    let map = file("maps/fuzz.toml", MAP.as_bytes());
    let loaded = files::load(&Origin::Disk(map), &Options::default()).expect("a map");
    assert_printable(&loaded.report);
    if let Some(scenario) = loaded.scenario {
        simulate(scenario);
    }
});
