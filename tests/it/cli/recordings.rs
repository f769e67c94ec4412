//! Recordings of `run --record`: `verify` accepts complete ones and reports damaged ones, and those of a killed
//! program are readable.

use std::fs;
use std::path::Path;
use std::process::{Command as Process, Stdio};
use std::thread;
use std::time::Duration;

use assert_cmd::Command as Tool;
use tilewalk::files::read::recorded;
use tilewalk::history::History;
use tilewalk::history::recording::CutReason;
use tilewalk::time::Frame;

use crate::support::build;
use crate::support::random::TestRng;

fn tool() -> Tool {
    Tool::cargo_bin("tilewalk").expect("the binary")
}

fn path_text(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

#[test]
fn recordings_are_verified_and_never_overwritten() {
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
    // Damages the record before the end marker.
    let last = bytes.len() - 20;
    bytes[last] ^= 4;
    fs::write(&file, &bytes).expect("the recording");
    let out = tool().args(["verify", path_text(&file)]).assert().code(1);
    let stderr = String::from_utf8_lossy(&out.get_output().stderr).into_owned();
    assert!(
        stderr.contains(" of damaged data at the end") && stderr.contains("valid up to frame 2000"),
        "{stderr}"
    );
    fs::write(&file, &bytes[..last]).expect("the recording");
    let out = tool().args(["verify", path_text(&file)]).assert().success();
    let stderr = String::from_utf8_lossy(&out.get_output().stderr).into_owned();
    assert!(
        stderr.contains(" of incomplete data at the end; the recording is valid up to frame "),
        "{stderr}"
    );
    // Changes the engine revision: the two bytes after the format version.
    bytes[10] = 9;
    let sum = xxhash_rust::xxh3::xxh3_64_with_seed(&bytes[..12], 0) as u32;
    bytes[12..16].copy_from_slice(&sum.to_le_bytes());
    fs::write(&file, &bytes).expect("the recording");
    let out = tool().args(["verify", path_text(&file)]).assert().code(2);
    let stderr = String::from_utf8_lossy(&out.get_output().stderr).into_owned();
    assert!(stderr.contains("recorded with engine 9, this is engine 3"), "{stderr}");
    tool().args(["verify", "maps/castle.toml"]).assert().code(2);
    tool().args(["verify", "no.twr"]).assert().code(2);
}

#[test]
fn recordings_of_a_killed_program_are_readable() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut rng = TestRng(99);
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
        thread::sleep(Duration::from_millis(rng.below(300) as u64));
        child.kill().expect("the process can be killed");
        child.wait().expect("the process ends");
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
    assert!(recorded_frames > 0, "no process ran long enough");
}
