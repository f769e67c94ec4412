//! Fuzzes recordings: reading never panics, the readable part of a file reads the same on its own, and all
//! of its runs can be replayed.

#![no_main]

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use tilewalk::files::{self, Options, read::recorded};
use tilewalk::history::History;
use tilewalk::history::recording::{RecordedSources, Recording};
use tilewalk::history::run::RunId;
use tilewalk::scenario::Scenario;
use tilewalk::time::Frame;
use tilewalk_fuzz::is_small;
use tilewalk_fuzz::support::invariants::assert_valid;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Length of the header, and of a record without its payload.
const LENGTH: usize = 16;

/// Last frame of a run that is simulated.
const LAST: Frame = Frame(60);

fuzz_target!(|bytes: &[u8]| {
    check(bytes);
    check(&repaired(bytes));
});

fn check(bytes: &[u8]) {
    let Ok(recording) = Recording::read(bytes) else { return };
    let cut = recording.cut.map_or(0, |cut| cut.bytes);
    assert_eq!(recording.good + cut, bytes.len() as u64);
    assert!(recording.resume_at().is_none_or(|at| at <= recording.good));
    assert!(!recording.is_complete() || cut == 0);
    let good = Recording::read(&bytes[..recording.good as usize]).expect("the readable part");
    assert_eq!((&good.runs, &good.sources, good.cut), (&recording.runs, &recording.sources, None));
    let remarks = recorded::remarks(&recording).concat();
    assert!(!remarks.chars().any(char::is_control), "{remarks:?}");
    let Ok(scenarios) = recording.compile(compile) else { return };
    let mut history = History::replay(&recording, &scenarios, 1 << 20);
    for run in 0..history.runs().len() as u32 {
        history.switch_run(RunId(run));
        let last = history.run().end().min(LAST);
        history.go_to(last);
        assert_valid(history.world());
        let hash = history.world().hash();
        history.go_to(Frame(last.0 / 2));
        history.go_to(last);
        assert_eq!(history.world().hash(), hash);
    }
}

fn compile(recorded: &RecordedSources) -> Result<Arc<Scenario>, String> {
    let sources = recorded::sources(recorded).map_err(|error| error.to_string())?;
    let loaded = files::reload(&sources, &Options::of(&sources));
    let loaded = loaded.map_err(|error| error.to_string())?;
    loaded.scenario.filter(|scenario| is_small(scenario)).ok_or_else(String::new)
}

/// Returns a recording with the checksums of its header and records set to the right values. Otherwise,
/// reading would end at the first changed byte.
fn repaired(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    if bytes.len() < LENGTH {
        return bytes;
    }
    let sum = xxh3_64_with_seed(&bytes[..12], 0) as u32;
    bytes[12..LENGTH].copy_from_slice(&sum.to_le_bytes());
    let mut at = LENGTH;
    while let Some(&length) = bytes[at..].first_chunk::<4>() {
        let Some(framing) = bytes.get(at..at + LENGTH) else { break };
        let room = bytes.len() - at - framing.len();
        let size = (u32::from_le_bytes(length) as usize).min(room);
        let length = (size as u32).to_le_bytes();
        let payload = at + LENGTH..at + LENGTH + size;
        let seed = at as u64;
        let length_sum = xxh3_64_with_seed(&length, seed) as u32;
        let sum = xxh3_64_with_seed(&bytes[payload.clone()], seed ^ (size as u64).rotate_right(16));
        bytes[at..at + 4].copy_from_slice(&length);
        bytes[at + 4..at + 8].copy_from_slice(&length_sum.to_le_bytes());
        bytes[at + 8..at + LENGTH].copy_from_slice(&sum.to_le_bytes());
        at = payload.end;
    }
    bytes
}
