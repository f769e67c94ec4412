//! Fuzzes runs of other programs: an error is safe to print, and any run that is read can be followed by agents of
//! an empty map.

#![no_main]

use std::io::Cursor;
use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use tilewalk::files::traces::{self, Input, TraceOptions};
use tilewalk::files::{self, Options, Origin, show};
use tilewalk::scenario::run::FollowedRun;
use tilewalk_fuzz::simulate;

fuzz_target!(|bytes: &[u8]| {
    // Larger extents only cost time.
    let options = TraceOptions { scale: Some(16.0), ..TraceOptions::default() };
    let input = Input::new("run".to_owned(), Cursor::new(bytes.to_vec()));
    let table = input.map(|input| traces::read(input, &options).and_then(|file| file.on_map(None)));
    let table = match table {
        Ok(Ok(table)) => table,
        Ok(Err(error)) => {
            let text = error.to_string();
            assert!(!text.chars().any(show::is_hidden), "{text:?}");
            return;
        }
        Err(_) => return,
    };
    if table.size.iter().any(|&side| side > 200) || table.rows.len() > 1000 {
        return;
    }
    let origin = Origin::Text { label: "run".to_owned(), text: table.map_text(), set: None };
    let run = FollowedRun::new(table);
    let options = Options { run: Some(Arc::new(run)), ..Options::default() };
    let Ok(loaded) = files::load(&origin, &options) else { return };
    simulate(loaded.scenario.expect("an empty map has no errors"));
});
