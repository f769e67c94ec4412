//! Damage to a recording is always reported, and its readable frames are the same as in the original.

use std::fs;

use tilewalk_files::{Options, read::recorded};
use tilewalk_sim::command::Command;
use tilewalk_sim::geom::Direction;
use tilewalk_sim::history::History;
use tilewalk_sim::history::recorder::{Batch, Recorder};
use tilewalk_sim::history::recording::{CutReason, Recording, RecordingError};
use tilewalk_sim::id::AgentId;
use tilewalk_sim::time::Frame;
use tilewalk_test_support::builtin;

use crate::support::workspace;

use super::recordings::{MAP, hashes, load, random_history, read};
use crate::support::build;
use crate::support::random::TestRng;

/// Asserts that every readable frame of a damaged recording has the same state hash as in the original.
fn assert_frames_are_original(damaged: &mut History, original: &mut History, case: &str) {
    let (found, expected) = (hashes(damaged, 1), hashes(original, 1));
    for (found, expected) in found.iter().zip(&expected) {
        for (frame, hash) in found {
            let known = expected.iter().find(|(other, _)| other == frame);
            assert_eq!(known.map(|(_, hash)| hash), Some(hash), "{case}, frame {frame}");
        }
    }
}

/// Records one of three kinds of sessions, chosen by `case`: random actions with several runs, a map with
/// pattern files, or manual control. Returns the history and the recording.
fn recording_of_kind(case: usize, rng: &mut TestRng) -> (History, Vec<u8>) {
    let map = match case % 3 {
        0 => return random_history(rng, 6),
        1 => "castle",
        _ => "dodge",
    };
    let loaded =
        tilewalk_files::load(&builtin::origin(map), &Options::default()).expect("a built-in map");
    let mut history = History::new(loaded.scenario.expect("a map without errors"), 1 << 20);
    let mut bytes = Vec::new();
    let mut recorder = Recorder::begin(&mut bytes).expect("memory");
    for frame in 0..30 {
        let direction = Some(Direction::ALL[rng.below(8)]);
        let drive = Command::Drive { agent: AgentId(0), direction };
        history.step(if case % 3 == 2 { std::slice::from_ref(&drive) } else { &[] });
        if frame % 5 == 0 {
            recorder.update(&history).expect("memory");
        }
    }
    recorder.update(&history).expect("memory");
    recorder.finish().expect("memory");
    (history, bytes)
}

#[test]
fn a_flipped_bit_of_a_recording_is_always_reported_as_damage() {
    let mut unreadable = 0;
    for case in 0..build::tries(600) {
        let mut rng = TestRng(case as u64 * 100_000);
        let (mut original, mut bytes) = recording_of_kind(case, &mut rng);
        let bit = rng.below(bytes.len() * 8);
        bytes[bit / 8] ^= 1 << (bit % 8);
        let Ok((recording, mut replayed)) = read(&bytes) else {
            unreadable += 1;
            continue;
        };
        let cut = recording.cut.unwrap_or_else(|| panic!("case {case}: bit {bit} was not noticed"));
        assert_eq!(cut.reason, CutReason::Damaged, "case {case}: bit {bit}");
        assert!(recording.good as usize <= bit / 8, "case {case}: valid up to the damage");
        assert_frames_are_original(&mut replayed, &mut original, &format!("case {case}"));
    }
    assert!(unreadable < build::tries(600), "some recordings are readable up to the damage");
}

#[test]
fn a_flipped_bit_of_an_old_recording_is_reported_as_damage() {
    let whole = fs::read(workspace("tests/old/castle.twr")).expect("the recording");
    let recording = Recording::read(&whole).expect("a recording");
    assert_eq!((recording.version, recording.engine), (1, 1));
    assert!(recording.is_complete() && recording.resume_at().is_none());
    for bit in (0..whole.len() * 8).step_by(7) {
        let mut bytes = whole.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        let Ok(recording) = Recording::read(&bytes) else { continue };
        assert_eq!(recording.cut.map(|cut| cut.reason), Some(CutReason::Damaged), "bit {bit}");
    }
}

#[test]
fn a_truncated_recording_is_never_reported_as_complete() {
    let (mut original, bytes) = random_history(&mut TestRng(7), 20);
    assert!(read(&bytes).expect("a recording").0.is_complete());
    for length in 0..bytes.len() {
        let Ok((recording, mut history)) = read(&bytes[..length]) else { continue };
        assert!(!recording.is_complete(), "length {length}");
        assert!(recording.cut.is_none_or(|cut| cut.reason == CutReason::Incomplete));
        assert!(!recorded::remarks(&recording).is_empty());
        if length % 97 == 0 {
            assert_frames_are_original(&mut history, &mut original, &format!("length {length}"));
        }
    }
}

#[test]
fn damaged_and_incomplete_recordings_cannot_be_resumed() {
    let (_, bytes) = random_history(&mut TestRng(7), 20);
    let mut flipped = bytes.clone();
    flipped[bytes.len() / 2] ^= 8;
    assert_eq!(read(&flipped).expect("a recording").0.resume_at(), None);
    let truncated = &bytes[..bytes.len() / 2];
    assert_eq!(read(truncated).expect("a recording").0.resume_at(), None);
}

#[test]
fn a_recording_with_too_many_frames_is_refused() {
    let mut bytes = Vec::new();
    let mut recorder = Recorder::begin(&mut bytes).expect("memory");
    recorder.open(None, load(MAP).sources()).expect("memory");
    let (to, commands, hash) = (Frame(u64::MAX), &[][..], None);
    recorder.batch(Batch { run: 0, to, commands, hash }).expect("memory");
    recorder.finish().expect("memory");
    assert_eq!(read(&bytes).map(|_| ()), Err(RecordingError::TooLong(u64::MAX)));
}
