//! Fuzzes maps: a report is safe to print, an accepted map reads the same from its stored files, and 20 of
//! its frames can be simulated, explained and saved.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tilewalk::files::{self, Options};
use tilewalk_fuzz::{assert_printable, is_small, simulate};

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let origin = tilewalk::builtin::text("fuzz.toml", text);
    let loaded = files::load(&origin, &Options::default()).expect("a text");
    assert_printable(&loaded.report);
    assert_eq!(loaded.scenario.is_none(), loaded.report.errors() > 0);
    let Some(scenario) = loaded.scenario else { return };
    if is_small(&scenario) {
        let again = files::reload(scenario.sources(), &Options::default()).expect("stored files");
        let again = again.scenario.unwrap_or_else(|| panic!("{}", again.report.plain()));
        assert_eq!(format!("{again:?}"), format!("{scenario:?}"));
    }
    simulate(scenario);
});
