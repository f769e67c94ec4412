//! Every damage of a recording is reported, and no readable frame is lost.

use std::fs;

use tilewalk::builtin;
use tilewalk::command::Command;
use tilewalk::files::{self, Options, recorded};
use tilewalk::geom::Direction;
use tilewalk::history::History;
use tilewalk::history::recorder::{Batch, Recorder};
use tilewalk::history::recording::{CutReason, Recording, RecordingError};
use tilewalk::id::AgentId;
use tilewalk::time::Frame;

use super::recordings::{Chance, MAP, hashes, live, load, read};
use crate::support::build;

/// Checks that every frame of a damaged recording is a frame of the original.
fn assert_frames_are_original(damaged: &mut History, original: &mut History, case: &str) {
    let (found, truth) = (hashes(damaged, 1), hashes(original, 1));
    for (found, truth) in found.iter().zip(&truth) {
        for (frame, hash) in found {
            let known = truth.iter().find(|(other, _)| other == frame);
            assert_eq!(known.map(|(_, hash)| hash), Some(hash), "{case}, frame {frame}");
        }
    }
}

/// Returns one of three kinds of recordings: a session with edits and several runs, a patrol with
/// pattern files, and a group with manual control.
fn of_kind(case: usize, chance: &mut Chance) -> (History, Vec<u8>) {
    let map = match case % 3 {
        0 => return live(chance, 6),
        1 => "castle",
        _ => "dodge",
    };
    let loaded = files::load(&builtin::origin(map), &Options::default()).expect("a built-in map");
    let mut history = History::new(loaded.scenario.expect("a map without errors"), 1 << 20);
    let mut bytes = Vec::new();
    let mut recorder = Recorder::begin(&mut bytes).expect("memory");
    for frame in 0..30 {
        let direction = Some(Direction::ALL[chance.below(8)]);
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
fn a_flipped_bit_is_always_reported_as_damage() {
    let mut unreadable = 0;
    for case in 0..build::tries(600) {
        let mut chance = Chance(case as u64 * 100_000);
        let (mut lived, mut bytes) = of_kind(case, &mut chance);
        let bit = chance.below(bytes.len() * 8);
        bytes[bit / 8] ^= 1 << (bit % 8);
        let Ok((recording, mut replayed)) = read(&bytes) else {
            unreadable += 1;
            continue;
        };
        let cut = recording.cut.unwrap_or_else(|| panic!("case {case}: bit {bit} was not noticed"));
        assert_eq!(cut.reason, CutReason::Damaged, "case {case}: bit {bit}");
        assert!(recording.good as usize <= bit / 8, "case {case}: valid up to the damage");
        assert_frames_are_original(&mut replayed, &mut lived, &format!("case {case}"));
    }
    assert!(unreadable < build::tries(600), "some recordings are readable up to the damage");
}

#[test]
fn a_flipped_bit_of_an_old_recording_is_reported_as_damage() {
    let whole = fs::read("tests/old/castle.twr").expect("the recording");
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
fn a_cut_recording_is_never_called_complete() {
    let (mut lived, bytes) = live(&mut Chance(7), 20);
    assert!(read(&bytes).expect("a recording").0.is_complete());
    for length in 0..bytes.len() {
        let Ok((recording, mut history)) = read(&bytes[..length]) else { continue };
        assert!(!recording.is_complete(), "length {length}");
        assert!(recording.cut.is_none_or(|cut| cut.reason == CutReason::Incomplete));
        assert!(!recorded::remarks(&recording).is_empty());
        if length % 97 == 0 {
            assert_frames_are_original(&mut history, &mut lived, &format!("length {length}"));
        }
    }
}

#[test]
fn damaged_and_unfinished_recordings_are_not_appended_to() {
    let (_, bytes) = live(&mut Chance(7), 20);
    let mut flipped = bytes.clone();
    flipped[bytes.len() / 2] ^= 8;
    assert_eq!(read(&flipped).expect("a recording").0.resume_at(), None);
    let torn = &bytes[..bytes.len() / 2];
    assert_eq!(read(torn).expect("a recording").0.resume_at(), None);
}

#[test]
fn a_claim_of_too_many_frames_is_refused() {
    let mut bytes = Vec::new();
    let mut recorder = Recorder::begin(&mut bytes).expect("memory");
    recorder.open(None, load(MAP).sources()).expect("memory");
    let (to, commands, hash) = (Frame(u64::MAX), &[][..], None);
    recorder.batch(Batch { run: 0, to, commands, hash }).expect("memory");
    recorder.finish().expect("memory");
    assert_eq!(read(&bytes).map(|_| ()), Err(RecordingError::TooLong(u64::MAX)));
}
