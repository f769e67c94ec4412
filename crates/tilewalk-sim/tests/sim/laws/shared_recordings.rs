//! A shared recording has the current run and its ghost, with the same states as the original.

use tilewalk_sim::history::History;
use tilewalk_sim::history::recorder::Recorder;
use tilewalk_sim::history::recording::Recording;
use tilewalk_sim::history::run::RunId;
use tilewalk_sim::history::shared::shared;
use tilewalk_sim::time::Frame;

use super::recordings::{random_history, read};
use crate::support::random::TestRng;

const VIEW: &str = "{\"frame\":3}";

/// Returns the state hash of every frame of a run.
fn hashes(history: &mut History, run: RunId) -> Vec<u64> {
    history.switch_run(run);
    let frames = 0..=history.run().end().0;
    let hash = |frame| {
        history.go_to(Frame(frame));
        history.world().hash()
    };
    frames.map(hash).collect()
}

#[test]
fn a_shared_recording_has_the_frames_of_the_run_and_of_its_ghost() {
    let mut ghosts = 0;
    for seed in 0..60 {
        let mut rng = TestRng(seed * 77 + 1);
        let (mut history, _) = random_history(&mut rng, 25);
        if rng.below(3) == 0 {
            history.end_comparison();
        }
        let frame = Frame(rng.below(history.run().end().0 as usize + 1) as u64);
        // Only frames that were simulated have a hash.
        history.go_to(history.run().end());
        history.go_to(frame);
        let (present, ghost) = (history.present(), history.comparison());
        let bytes = shared(&history, VIEW).expect("memory");
        let (recording, mut replayed) = read(&bytes).expect("a whole recording");
        assert!(recording.is_complete() && recording.resume_at().is_some(), "seed {seed}");
        assert_eq!(recording.view.as_deref(), Some(VIEW));
        assert_eq!(recording.runs.len(), 1 + usize::from(ghost.is_some()), "seed {seed}");
        let last = recording.runs.last().expect("a run");
        let hashed: Vec<_> = last.hashes.iter().map(|&(frame, _)| frame).collect();
        assert!(hashed.len() <= 2, "seed {seed}: {hashed:?}");
        let is_shared =
            |&frame: &Frame| ghost.is_none_or(|ghost| frame <= history.parted(ghost, present));
        for due in [frame, last.end] {
            // The frames that the ghost shares are recorded with the ghost's run.
            assert!(
                due == Frame(0) || is_shared(&due) || hashed.contains(&due),
                "seed {seed}: {due}"
            );
        }
        if let Some(ghost) = ghost {
            ghosts += 1;
            let (found, expected) = (hashes(&mut replayed, RunId(0)), hashes(&mut history, ghost));
            assert_eq!(found, expected, "seed {seed}: the ghost");
        }
        let run = RunId(recording.runs.len() as u32 - 1);
        let (found, expected) = (hashes(&mut replayed, run), hashes(&mut history, present));
        assert_eq!(found, expected, "seed {seed}");
        assert!(replayed.runs().iter().all(|(_, run)| run.divergence().is_none()), "seed {seed}");
    }
    assert!(ghosts > 10, "{ghosts} ghosts");
}

/// Programs that know no views read the record of a view as a file that no map uses.
#[test]
fn the_view_is_a_file_without_a_name_that_no_sources_refer_to() {
    let (history, _) = random_history(&mut TestRng(5), 9);
    let bytes = shared(&history, VIEW).expect("memory");
    let recording = Recording::read(&bytes).expect("a whole recording");
    let files = recording.sources.iter().flat_map(|sources| &sources.files);
    assert!(files.clone().count() > 0);
    files.for_each(|file| assert_ne!(&*file.text, VIEW));
    // The number of the record in the format is that of a file: a record without view and text.
    let at = bytes.windows(VIEW.len()).position(|part| part == VIEW.as_bytes()).expect("the view");
    let label = b"\x04view";
    let length = [VIEW.len() as u8];
    let head = [&[0, 1, 0][..], label, &length].concat();
    assert_eq!(&bytes[at - head.len()..at], head);
}

#[test]
fn a_shared_recording_can_be_continued() {
    let (history, _) = random_history(&mut TestRng(3), 12);
    let bytes = shared(&history, VIEW).expect("memory");
    let (recording, mut replayed) = read(&bytes).expect("a whole recording");
    replayed.switch_run(RunId(recording.runs.len() as u32 - 1));
    replayed.go_to(replayed.run().end());
    (0..5).for_each(|_| replayed.step(&[]));
    let mut all = bytes[..recording.resume_at().expect("a complete recording") as usize].to_vec();
    let mut recorder = Recorder::resume(&mut all, &recording);
    recorder.update(&replayed).expect("memory");
    recorder.finish().expect("memory");
    let (continued, _) = read(&all).expect("a whole recording");
    assert_eq!(continued.runs.len(), recording.runs.len() + 1);
    assert_eq!(continued.runs.last().expect("a run").end, replayed.frame());
    assert_eq!(continued.view.as_deref(), Some(VIEW));
}
