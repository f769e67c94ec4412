//! Fuzzes configurations: a report is safe to print, a file with errors changes nothing, and the settings
//! of any other file can be used.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tilewalk::files::config::{self, Config};
use tilewalk::tui::settings::{Asked, Settings, config_schema};
use tilewalk_fuzz::{assert_printable, file};

fuzz_target!(|bytes: &[u8]| {
    let path = file("config.toml", bytes);
    let read = config::read(&path, &config_schema()).expect("a file that can be read");
    assert_printable(&read.report);
    if read.report.errors() > 0 {
        assert_eq!(read.config, Config::default());
    }
    Settings::of(&read.config, &Asked::default(), None, |_| None).looks.made();
});
