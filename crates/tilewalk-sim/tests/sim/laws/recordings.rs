//! Replays of recordings have the same states as the recorded runs, bit for bit.

use std::fs;
use std::io::{self, Write};
use std::sync::Arc;

use tilewalk_files::read::recorded;
use tilewalk_files::{Options, settings};
use tilewalk_sim::agent::Drive;
use tilewalk_sim::command::Command;
use tilewalk_sim::geom::{Direction, Vec2};
use tilewalk_sim::history::History;
use tilewalk_sim::history::recorder::Recorder;
use tilewalk_sim::history::recording::{RecordedSources, Recording, RecordingError};
use tilewalk_sim::history::run::RunId;
use tilewalk_sim::id::AgentId;
use tilewalk_sim::map::{Edges, Map};
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::scenario::builder::{Agent, Builder};
use tilewalk_sim::scenario::sources::Sources;
use tilewalk_sim::steering::combine::Combine;
use tilewalk_sim::steering::{Behaviour, Target, WeightedBehaviour};
use tilewalk_sim::time::Frame;

use crate::support::random::TestRng;
use crate::support::workspace;

pub(super) const MAP: &str = "\
seed = 5
tiles = '''
..........
..##......
..........
'''
[[agent]]
name = 'a'
at = [0, 0]
steer = [{ do = 'avoid_walls' }, { do = 'wander' }]
[[agent]]
name = 'b'
at = [9, 2]
chase = 'a'
";

pub(super) fn load(text: &str) -> Arc<Scenario> {
    let origin = tilewalk_test_support::builtin::text("small.toml", text);
    let loaded = tilewalk_files::load(&origin, &Options::default()).expect("a text");
    loaded.scenario.expect("a map without errors")
}

pub(super) fn compile(sources: &RecordedSources) -> Result<Arc<Scenario>, String> {
    reload(&recorded::sources(sources).map_err(|error| error.to_string())?)
}

fn reload(sources: &Arc<Sources>) -> Result<Arc<Scenario>, String> {
    let loaded = tilewalk_files::reload(sources, &Options::of(sources));
    let loaded = loaded.map_err(|error| error.to_string())?;
    loaded.scenario.ok_or_else(|| loaded.report.plain())
}

pub(super) fn read(bytes: &[u8]) -> Result<(Recording, History), RecordingError> {
    let recording = Recording::read(bytes)?;
    let scenarios = recording.compile(compile)?;
    let history = History::replay(&recording, &scenarios, 1 << 20);
    Ok((recording, history))
}

/// Records a history with `count` random actions: steps, seeks, manual control, moved agents, changed
/// values, reloads, restarts and switches to other runs. Returns the history and the recording.
pub(super) fn random_history(rng: &mut TestRng, count: usize) -> (History, Vec<u8>) {
    let mut history = History::new(load(MAP), 1 << 20);
    let mut bytes = Vec::new();
    let mut recorder = Recorder::begin(&mut bytes).expect("memory");
    for _ in 0..count {
        match rng.below(8) {
            0 | 1 => (0..rng.below(12)).for_each(|_| history.step(&[])),
            2 => history.go_to(Frame(rng.below(history.run().end().0 as usize + 1) as u64)),
            3 => {
                let direction = Some(Direction::ALL[rng.below(8)]);
                let drive = Command::Drive { agent: AgentId(0), direction };
                (0..4).for_each(|_| history.step(std::slice::from_ref(&drive)));
            }
            4 => {
                let at = Vec2::new(rng.below(10) as f32 + 0.5, rng.below(3) as f32 + 0.5);
                let agent = AgentId(rng.below(2) as u32);
                history.step(&[Command::Place { agent, at }]);
            }
            5 => {
                let mut sources = Sources::clone(history.world().scenario().sources());
                let setting = format!("a.max_speed={}", rng.below(9) + 1);
                sources.set = vec![settings::parse(&setting).expect("a setting")];
                let changed = reload(&Arc::new(sources)).expect("a good value");
                history.step(&[Command::Reload(changed)]);
            }
            6 if rng.below(3) == 0 => history.restart(),
            6 => history.reload(load(&MAP.replace("[9, 2]", "[8, 2]"))),
            _ => history.switch_run(RunId(rng.below(history.runs().len()) as u32)),
        }
        while !history.pursue(|| true) {}
        recorder.update(&history).expect("memory");
    }
    recorder.update(&history).expect("memory");
    recorder.finish().expect("memory");
    (history, bytes)
}

/// Returns, for each run, the frame number and the state hash of one frame in `every` and of the last frame.
pub(super) fn hashes(history: &mut History, every: usize) -> Vec<Vec<(u64, u64)>> {
    let runs = 0..history.runs().len() as u32;
    runs.map(|run| {
        history.switch_run(RunId(run));
        let end = history.run().end().0;
        (0..=end)
            .step_by(every)
            .chain([end])
            .map(|frame| {
                history.go_to(Frame(frame));
                (frame, history.world().hash())
            })
            .collect()
    })
    .collect()
}

#[test]
fn replays_reproduce_all_runs_bit_for_bit() {
    for seed in 0..40 {
        let (mut original, bytes) = random_history(&mut TestRng(seed * 1000), 30);
        let (recording, mut replayed) = read(&bytes).expect("a whole recording");
        assert_eq!(recording.cut, None);
        assert_eq!(hashes(&mut replayed, 3), hashes(&mut original, 3), "seed {seed}");
        assert!(replayed.runs().iter().all(|(_, run)| run.divergence().is_none()));
        assert!(replayed.runs().iter().map(|(_, run)| run.checks().len()).sum::<usize>() > 5);
    }
}

/// Settings are parsed in memory and recorded as texts, also by earlier versions.
#[test]
fn settings_are_recorded_as_typed_on_the_command_line() {
    let old = fs::read(workspace("tests/old/castle.twr")).expect("the recording");
    let old = Recording::read(&old).expect("a recording");
    let texts: Vec<_> = old.sources.iter().flat_map(|sources| &sources.set).collect();
    assert_eq!(texts, ["guard.patrol.pace=3"]);

    let mut sources = Sources::clone(load(MAP).sources());
    let typed = ["a.max_speed = 3", "b.body.mass=2", "tick=0.1"];
    sources.set = typed.map(|text| settings::parse(text).expect("a setting")).into();
    let scenario = reload(&Arc::new(sources)).expect("valid settings");
    let mut bytes = Vec::new();
    let mut recorder = Recorder::begin(&mut bytes).expect("memory");
    recorder.update(&History::new(Arc::clone(&scenario), 1 << 20)).expect("memory");
    let new = Recording::read(&bytes).expect("a recording");
    assert_eq!(new.sources[0].set, ["a.max_speed=3", "b.body.mass=2", "tick=0.1"]);
    let parsed = recorded::sources(&new.sources[0]).expect("settings");
    assert_eq!(parsed, *scenario.sources());
}

#[test]
fn a_resumed_recording_overwrites_the_end_marker_and_can_be_replayed() {
    let (_, bytes) = random_history(&mut TestRng(7), 20);
    let (recording, mut history) = read(&bytes).expect("a recording");
    let at = recording.resume_at().expect("a complete recording") as usize;
    let mut continued = bytes[..at].to_vec();
    let mut recorder = Recorder::resume(&mut continued, &recording);
    history.go_to(history.run().end());
    (0..5).for_each(|_| history.step(&[]));
    recorder.update(&history).expect("memory");
    recorder.finish().expect("memory");
    let (longer, mut again) = read(&continued).expect("the continued recording");
    assert!(longer.is_complete());
    let last = longer.runs.last().expect("a new run");
    assert_eq!(last.parent, Some((0, recording.runs[0].end)));
    assert_eq!(last.end.0, recording.runs[0].end.0 + 5);
    assert_eq!(hashes(&mut again, 1), hashes(&mut history, 1));
}

#[test]
fn recording_a_replayed_history_keeps_its_runs_and_hashes() {
    let (mut original, bytes) = random_history(&mut TestRng(11), 30);
    let (recording, mut replayed) = read(&bytes).expect("a recording");
    let mut copy = Vec::new();
    let mut recorder = Recorder::begin(&mut copy).expect("memory");
    recorder.update(&replayed).expect("memory");
    recorder.finish().expect("memory");
    let (copied, mut again) = read(&copy).expect("the copy");
    for (old, new) in recording.runs.iter().zip(&copied.runs) {
        assert_eq!((old.parent, old.end, &old.hashes), (new.parent, new.end, &new.hashes));
    }
    assert_eq!(hashes(&mut again, 3), hashes(&mut original, 3));
    assert_eq!(hashes(&mut replayed, 3), hashes(&mut original, 3));
}

/// Returns a scenario that is built in code: an agent that seeks the other end of a row of tiles.
fn built() -> Arc<Scenario> {
    let map = Map::drawn(&[".........."], Edges::Wall).expect("a map");
    let mut builder = Builder::new(map);
    builder.title("a row");
    let rows = vec![WeightedBehaviour::new(Behaviour::Seek, Target::Point(Vec2::new(8.5, 0.5)))];
    let steer = Drive::Steer { combine: Combine::Weighted, rows };
    builder.add(Agent::new("cat", Vec2::new(0.5, 0.5)).drive(steer));
    Arc::new(builder.build().expect("a valid scenario"))
}

#[test]
fn a_scenario_built_in_code_is_replayed_only_by_a_program_that_builds_it() {
    let mut history = History::new(built(), 1 << 20);
    let mut bytes = Vec::new();
    let mut recorder = Recorder::begin(&mut bytes).expect("memory");
    (0..20).for_each(|_| history.step(&[]));
    recorder.update(&history).expect("memory");
    recorder.finish().expect("memory");
    let recording = Recording::read(&bytes).expect("a recording");
    let scenarios = recording.compile(|sources| {
        assert_eq!(sources.built.as_deref(), Some("a row"));
        Ok(built())
    });
    let mut replayed = History::replay(&recording, &scenarios.expect("built again"), 1 << 20);
    assert_eq!(hashes(&mut replayed, 1), hashes(&mut history, 1));
    assert_eq!((replayed.run().checks().len(), replayed.run().divergence()), (1, None));

    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("row.twr");
    fs::write(&file, &bytes).expect("the recording");
    let error = recorded::recording(&file).expect_err("only a program can build the map");
    assert!(error.to_string().contains("the map `a row` was built in code"), "{error}");
}

#[test]
fn newer_recordings_empty_recordings_and_other_files_are_refused() {
    let (_, mut bytes) = random_history(&mut TestRng(1), 1);
    assert_eq!(read(b"").map(|_| ()), Err(RecordingError::NotARecording));
    assert_eq!(read(&[7; 400]).map(|_| ()), Err(RecordingError::NotARecording));
    let mut header = vec![];
    Recorder::begin(&mut header).expect("memory");
    assert_eq!(read(&header).map(|_| ()), Err(RecordingError::Empty));
    bytes[8] = 4;
    let sum = xxhash_rust::xxh3::xxh3_64_with_seed(&bytes[..12], 0) as u32;
    bytes[12..16].copy_from_slice(&sum.to_le_bytes());
    assert_eq!(read(&bytes).map(|_| ()), Err(RecordingError::Newer(4)));
}

/// The bytes on a disk, and the number of bytes for which the disk has space.
struct SmallDisk(Vec<u8>, usize);

impl Write for SmallDisk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = self.1.saturating_sub(self.0.len()).min(bytes.len());
        if room == 0 && !bytes.is_empty() {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.0.extend_from_slice(&bytes[..room]);
        Ok(room)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn frames_recorded_before_the_disk_is_full_are_replayed_correctly() {
    for space in (400..1200).step_by(13) {
        let mut disk = SmallDisk(Vec::new(), space);
        let mut history = History::new(load(MAP), 1 << 20);
        let mut recorder = Recorder::begin(&mut disk).expect("there is space for the header");
        let failed = (0..500).any(|_| {
            history.step(&[]);
            recorder.update(&history).is_err()
        });
        assert!(failed, "space {space}");
        if let Ok((recording, mut again)) = read(&disk.0) {
            let end = recording.runs[0].end;
            again.go_to(end);
            history.go_to(end);
            assert_eq!(again.world().hash(), history.world().hash());
        }
    }
}

#[test]
fn a_replay_reports_the_first_hash_that_differs_from_the_recording() {
    let mut bytes = Vec::new();
    let mut recorder = Recorder::begin(&mut bytes).expect("memory");
    let mut history = History::new(load(MAP), 1 << 20);
    for _ in 0..10 {
        (0..10).for_each(|_| history.step(&[]));
        recorder.update(&history).expect("memory");
    }
    let recording = Recording::read(&bytes).expect("a recording");
    // A replay with another map differs from the recording like a replay with a changed program.
    let other = MAP.replace("[9, 2]", "[8, 2]");
    let scenarios = recording.compile(|_| Ok(load(&other))).expect("a map");
    let mut replayed = History::replay(&recording, &scenarios, 1 << 20);
    assert_eq!(replayed.run().divergence(), None, "nothing has been compared yet");
    replayed.go_to(Frame(100));
    let found = replayed.run().divergence().expect("a divergence");
    assert_eq!((found.same_until, found.at), (Frame(0), Frame(10)));
}
