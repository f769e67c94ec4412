//! Recordings replay to the same bits.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command as Process, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use assert_cmd::Command as Tool;
use tilewalk::agent::Drive;
use tilewalk::command::Command;
use tilewalk::files::recorded;
use tilewalk::files::{self, Options};
use tilewalk::geom::{Direction, Vec2};
use tilewalk::history::History;
use tilewalk::history::recorder::Recorder;
use tilewalk::history::recording::{CutReason, Recording, RecordingError};
use tilewalk::history::run::RunId;
use tilewalk::id::AgentId;
use tilewalk::map::{Edges, Map};
use tilewalk::rng::{RngKey, Use};
use tilewalk::scenario::Scenario;
use tilewalk::scenario::builder::{Agent, Builder};
use tilewalk::scenario::sources::Sources;
use tilewalk::steering::combine::Combine;
use tilewalk::steering::{Behaviour, Target, WeightedBehaviour};
use tilewalk::time::Frame;

use crate::support::build;

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
    let origin = tilewalk::builtin::text("small.toml", text);
    let loaded = files::load(&origin, &Options::default()).expect("a text");
    loaded.scenario.expect("a map without errors")
}

fn compile(sources: &Arc<Sources>) -> Result<Arc<Scenario>, String> {
    let options = Options::of(sources).map_err(|error| error.to_string())?;
    let loaded = files::reload(sources, &options).map_err(|error| error.to_string())?;
    loaded.scenario.ok_or_else(|| loaded.report.plain())
}

pub(super) fn read(bytes: &[u8]) -> Result<(Recording, History), RecordingError> {
    let recording = Recording::read(bytes)?;
    let scenarios = recording.compile(compile)?;
    let history = History::replay(&recording, &scenarios, 1 << 20);
    Ok((recording, history))
}

/// Random numbers of the test itself.
pub struct Chance(pub u64);

impl Chance {
    pub fn below(&mut self, below: usize) -> usize {
        self.0 += 1;
        let rng_key = RngKey { seed: self.0, frame: 0, agent: 0, mode: 0, behaviour: 0 };
        rng_key.stream(Use::Pattern).index(below)
    }
}

/// Does this and that for a while: runs on, goes back, drives, puts agents elsewhere, changes a
/// value, begins anew, returns to another run; writes it down now and then.
pub(super) fn live(chance: &mut Chance, deeds: usize) -> (History, Vec<u8>) {
    let mut history = History::new(load(MAP), 1 << 20);
    let mut bytes = Vec::new();
    let mut recorder = Recorder::begin(&mut bytes).expect("memory");
    for _ in 0..deeds {
        match chance.below(8) {
            0 | 1 => (0..chance.below(12)).for_each(|_| history.step(&[])),
            2 => history.go_to(Frame(chance.below(history.run().end().0 as usize + 1) as u64)),
            3 => {
                let direction = Some(Direction::ALL[chance.below(8)]);
                let drive = Command::Drive { agent: AgentId(0), direction };
                (0..4).for_each(|_| history.step(std::slice::from_ref(&drive)));
            }
            4 => {
                let at = Vec2::new(chance.below(10) as f32 + 0.5, chance.below(3) as f32 + 0.5);
                let agent = AgentId(chance.below(2) as u32);
                history.step(&[Command::Place { agent, at }]);
            }
            5 => {
                let mut sources = Sources::clone(history.world().scenario().sources());
                sources.set = vec![format!("a.max_speed={}", chance.below(9) + 1)];
                let changed = compile(&Arc::new(sources)).expect("a good value");
                history.step(&[Command::Reload(changed)]);
            }
            6 if chance.below(3) == 0 => history.restart(),
            6 => history.reload(load(&MAP.replace("[9, 2]", "[8, 2]"))),
            _ => history.switch_run(RunId(chance.below(history.runs().len()) as u32)),
        }
        while !history.pursue(|| true) {}
        recorder.update(&history).expect("memory");
    }
    recorder.update(&history).expect("memory");
    recorder.finish().expect("memory");
    (history, bytes)
}

/// The state hash of some frames of every run, made again from nothing.
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
fn what_was_done_is_made_again_to_the_bit() {
    for seed in 0..40 {
        let (mut lived, bytes) = live(&mut Chance(seed * 1000), 30);
        let (recording, mut replayed) = read(&bytes).expect("a whole recording");
        assert_eq!(recording.cut, None);
        assert_eq!(hashes(&mut replayed, 3), hashes(&mut lived, 3), "seed {seed}");
        assert!(replayed.runs().iter().all(|(_, run)| run.divergence().is_none()));
        assert!(replayed.runs().iter().map(|(_, run)| run.checks().len()).sum::<usize>() > 5);
    }
}

#[test]
fn a_recording_continues_in_place_of_its_end_marker() {
    let (_, bytes) = live(&mut Chance(7), 20);
    let (recording, mut history) = read(&bytes).expect("a recording");
    let at = recording.resume_at().expect("a complete recording") as usize;
    let mut whole = bytes[..at].to_vec();
    let mut recorder = Recorder::resume(&mut whole, &recording);
    history.go_to(history.run().end());
    (0..5).for_each(|_| history.step(&[]));
    recorder.update(&history).expect("memory");
    recorder.finish().expect("memory");
    let (longer, mut again) = read(&whole).expect("the continued recording");
    assert!(longer.is_complete());
    let last = longer.runs.last().expect("a new run");
    assert_eq!(last.parent, Some((0, recording.runs[0].end)));
    assert_eq!(last.end.0, recording.runs[0].end.0 + 5);
    assert_eq!(hashes(&mut again, 1), hashes(&mut history, 1));
}

#[test]
fn the_copy_of_a_recording_keeps_runs_commands_and_hashes() {
    let (mut lived, bytes) = live(&mut Chance(11), 30);
    let (recording, mut replayed) = read(&bytes).expect("a recording");
    let mut copy = Vec::new();
    let mut recorder = Recorder::begin(&mut copy).expect("memory");
    recorder.update(&replayed).expect("memory");
    recorder.finish().expect("memory");
    let (copied, mut again) = read(&copy).expect("the copy");
    for (old, new) in recording.runs.iter().zip(&copied.runs) {
        assert_eq!((old.parent, old.end, &old.hashes), (new.parent, new.end, &new.hashes));
    }
    assert_eq!(hashes(&mut again, 3), hashes(&mut lived, 3));
    assert_eq!(hashes(&mut replayed, 3), hashes(&mut lived, 3));
}

/// A scenario that is built in code: an agent that seeks the other end of a row of tiles.
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
fn a_scenario_built_in_code_is_recorded() {
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
    let error = recorded::recording(&file).expect_err("a program has to build the map");
    assert!(error.to_string().contains("the map `a row` was built in code"), "{error}");
}

#[test]
fn a_newer_version_and_a_stranger_are_refused() {
    let (_, mut bytes) = live(&mut Chance(1), 1);
    assert_eq!(read(b"").map(|_| ()), Err(RecordingError::NotARecording));
    assert_eq!(read(&[7; 400]).map(|_| ()), Err(RecordingError::NotARecording));
    let mut header = vec![];
    Recorder::begin(&mut header).expect("memory");
    assert_eq!(read(&header).map(|_| ()), Err(RecordingError::Empty));
    bytes[8] = 3;
    let sum = xxhash_rust::xxh3::xxh3_64_with_seed(&bytes[..12], 0) as u32;
    bytes[12..16].copy_from_slice(&sum.to_le_bytes());
    assert_eq!(read(&bytes).map(|_| ()), Err(RecordingError::Newer(3)));
}

/// A disk with so much room.
struct Small(Vec<u8>, usize);

impl Write for Small {
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
fn what_was_written_before_the_disk_was_full_is_good() {
    for room in (400..1200).step_by(13) {
        let mut disk = Small(Vec::new(), room);
        let mut history = History::new(load(MAP), 1 << 20);
        let mut recorder = Recorder::begin(&mut disk).expect("there is room for the header");
        let failed = (0..500).any(|_| {
            history.step(&[]);
            recorder.update(&history).is_err()
        });
        assert!(failed, "room {room}");
        if let Ok((recording, mut again)) = read(&disk.0) {
            let end = recording.runs[0].end;
            again.go_to(end);
            history.go_to(end);
            assert_eq!(again.world().hash(), history.world().hash());
        }
    }
}

fn tool() -> Tool {
    Tool::cargo_bin("tilewalk").expect("the binary")
}

fn path_text(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

#[test]
fn a_run_is_recorded_verified_and_not_written_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("castle.twr");
    let run = ["run", "maps/castle.toml", "--frames", "2500", "--record", path_text(&file)];
    tool().args(run).assert().success();
    let out = tool().args(["verify", path_text(&file)]).assert().success();
    let text = String::from_utf8_lossy(&out.get_output().stdout).into_owned();
    assert_eq!(text, "run 1: 2500 frames, 3 state hashes match\n");
    let out = tool().args(run).assert().code(2);
    assert!(String::from_utf8_lossy(&out.get_output().stderr).contains("already exists"));

    let mut bytes = fs::read(&file).expect("the recording");
    // The record before the end marker.
    let last = bytes.len() - 20;
    bytes[last] ^= 4;
    fs::write(&file, &bytes).expect("the recording");
    let out = tool().args(["verify", path_text(&file)]).assert().code(1);
    let said = String::from_utf8_lossy(&out.get_output().stderr).into_owned();
    assert!(
        said.contains(" of damaged data at the end") && said.contains("valid up to frame 2000"),
        "{said}"
    );
    fs::write(&file, &bytes[..last]).expect("the recording");
    let out = tool().args(["verify", path_text(&file)]).assert().success();
    let said = String::from_utf8_lossy(&out.get_output().stderr).into_owned();
    assert!(
        said.contains(" of incomplete data at the end; the recording is valid up to frame "),
        "{said}"
    );
    // Another engine: the two bytes after the format version.
    bytes[10] = 9;
    let sum = xxhash_rust::xxh3::xxh3_64_with_seed(&bytes[..12], 0) as u32;
    bytes[12..16].copy_from_slice(&sum.to_le_bytes());
    fs::write(&file, &bytes).expect("the recording");
    let out = tool().args(["verify", path_text(&file)]).assert().code(2);
    let said = String::from_utf8_lossy(&out.get_output().stderr).into_owned();
    assert!(said.contains("recorded with engine 9, this is engine 2"), "{said}");
    tool().args(["verify", "maps/castle.toml"]).assert().code(2);
    tool().args(["verify", "no.twr"]).assert().code(2);
}

#[test]
fn a_frame_that_is_no_longer_the_same_is_named() {
    let mut bytes = Vec::new();
    let mut recorder = Recorder::begin(&mut bytes).expect("memory");
    let mut history = History::new(load(MAP), 1 << 20);
    for _ in 0..10 {
        (0..10).for_each(|_| history.step(&[]));
        recorder.update(&history).expect("memory");
    }
    let recording = Recording::read(&bytes).expect("a recording");
    // As if the program had changed meanwhile.
    let other = MAP.replace("[9, 2]", "[8, 2]");
    let scenarios = recording.compile(|_| Ok(load(&other))).expect("a map");
    let mut replayed = History::replay(&recording, &scenarios, 1 << 20);
    assert_eq!(replayed.run().divergence(), None, "nothing has been compared yet");
    replayed.go_to(Frame(100));
    let found = replayed.run().divergence().expect("a divergence");
    assert_eq!((found.same_until, found.at), (Frame(0), Frame(10)));
}

#[test]
fn a_killed_recording_is_readable_from_its_first_moment() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut chance = Chance(99);
    let mut recorded_frames = 0;
    for case in 0..build::tries(12).min(300) {
        let file = folder.path().join(format!("{case}.twr"));
        let mut child = Process::new(env!("CARGO_BIN_EXE_tilewalk"))
            .args(["run", "maps/wanderers.toml", "--frames", "100000000", "--record"])
            .arg(&file)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary");
        thread::sleep(Duration::from_millis(chance.below(300) as u64));
        child.kill().expect("a process of ours");
        child.wait().expect("its end");
        if !file.exists() {
            continue;
        }
        let recorded = recorded::recording(&file).expect("a readable recording");
        assert!(!recorded.recording.is_complete(), "case {case}: no end marker");
        assert!(
            recorded.recording.cut.is_none_or(|cut| cut.reason == CutReason::Incomplete),
            "case {case}"
        );
        let mut history = History::replay(&recorded.recording, &recorded.scenarios, 1 << 20);
        let end = history.run().end().min(Frame(4000));
        recorded_frames += end.0;
        history.go_to(end);
        assert_eq!(history.run().divergence(), None);
    }
    assert!(recorded_frames > 0, "none was alive long enough");
}
