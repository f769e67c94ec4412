//! Recordings: deleted and damaged files, files in use, a full disk, the command `record`, and replays.

use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

use crate::support::pty::{Session, all_hashes_match};
use crate::support::temp_folder::TempFolder;

/// Verifies a recording. Returns the exit code, standard output and standard error.
fn verify(path: &Path) -> (Option<i32>, String, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_tilewalk")).arg("verify").arg(path).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// Records the castle up to frame 50, damages the file, and continues to frame 80. Asserts that the
/// recording continues in a second file that contains all frames.
fn assert_continues_after(damage: impl FnOnce(&Path), message: &str) {
    let folder = TempFolder::new();
    let file = folder.path_text("walk.twr");
    let mut session = Session::start_with(&["maps/castle.toml", "--record", &file], &[], (160, 40));
    session.pause();
    session.go_to(50);
    damage(&folder.path("walk.twr"));
    session.wait_for(message);
    session.wait_for("● rec");
    session.go_to(80);
    session.quit();
    let (code, runs, remarks) = verify(&folder.path("walk-2.twr"));
    assert_eq!((code, remarks.as_str()), (Some(0), ""));
    assert!(runs.starts_with("run 1: 80 frames, ") && all_hashes_match(&runs), "{runs}");
}

#[test]
fn a_deleted_recording_continues_in_a_new_file() {
    assert_continues_after(
        |file| fs::remove_file(file).unwrap(),
        "the file was deleted or renamed; recording continues",
    );
}

#[test]
fn a_truncated_recording_continues_in_a_new_file() {
    let truncate =
        |file: &Path| File::options().write(true).open(file).unwrap().set_len(100).unwrap();
    assert_continues_after(
        truncate,
        "the file was changed by another program; recording continues",
    );
}

#[test]
fn a_replaced_recording_continues_in_a_new_file() {
    let replace = |file: &Path| {
        fs::copy(file, file.with_extension("copy")).unwrap();
        fs::rename(file.with_extension("copy"), file).unwrap();
    };
    assert_continues_after(replace, "the file was replaced; recording continues");
}

#[test]
fn a_recording_on_a_full_disk_stops_with_a_message() {
    let folder = TempFolder::new();
    let file = folder.path_text("walk.twr");
    let program = env!("CARGO_BIN_EXE_tilewalk");
    // The file size is limited to 3 KiB. The first write of the recording almost reaches this limit.
    let limited = format!(
        "trap '' XFSZ; ulimit -f 3; exec {program} maps/steps_degrees.toml --record {file}"
    );
    let mut session = Session::start_program("bash", &["-c", &limited], &[], (160, 40));
    session.wait_for("rec stopped");
    session.wait_for("recording stopped: ");
    session.send("\x03");
    assert_eq!(session.wait_for_end(), 2);
    assert!(session.raw().contains("tilewalk: recording stopped: "));
    session.assert_restored();
}

#[test]
fn a_replay_keeps_a_damaged_recording_and_records_to_a_new_file() {
    let folder = TempFolder::new();
    let file = folder.path_text("walk.twr");
    let mut session = Session::start_with(&["maps/castle.toml", "--record", &file], &[], (160, 40));
    session.pause();
    (1..=5).for_each(|part| session.go_to(part * 30));
    session.quit();
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() - 60;
    bytes[middle] ^= 1;
    fs::write(&file, &bytes).unwrap();
    let arguments = ["replay", &file, "--record"];
    let session = Session::start_with(&arguments, &[], (160, 40));
    session.wait_for("● rec");
    session.quit();
    assert_eq!(fs::read(&file).unwrap(), bytes, "the damaged recording is unchanged");
    assert_eq!(verify(&folder.path("walk.twr")).0, Some(1));
    let (code, runs, remarks) = verify(&folder.path("walk-2.twr"));
    assert_eq!((code, remarks.as_str()), (Some(0), ""));
    assert!(runs.starts_with("run 1: ") && all_hashes_match(&runs), "{runs}");
}

#[test]
fn recording_to_a_file_in_use_reports_the_process_that_records_to_it() {
    let folder = TempFolder::new();
    let file = folder.path_text("walk.twr");
    let mut session = Session::start_with(&["maps/castle.toml", "--record", &file], &[], (160, 40));
    session.pause();
    session.go_to(30);
    // Now the recording is complete, so a replay can continue it.
    session.quit();
    let first = Session::start_with(&["replay", &file, "--record"], &[], (160, 40));
    first.wait_for("● rec");
    let mut second = Session::start_with(&["replay", &file, "--record"], &[], (160, 40));
    assert_eq!(second.wait_for_end(), 2);
    let message = second.screen();
    assert!(message.contains("(tilewalk) is recording to this file"), "{message}");
    let mut run = Command::new(env!("CARGO_BIN_EXE_tilewalk"));
    let run =
        run.args(["run", "maps/castle.toml", "--frames", "9", "--record", &file]).output().unwrap();
    let message = String::from_utf8_lossy(&run.stderr);
    assert!(message.contains("(tilewalk) is recording to this file"), "{message}");
    assert_eq!(run.status.code(), Some(2));
    first.quit();
    assert_eq!(verify(&folder.path("walk.twr")).0, Some(0));
}

#[test]
fn a_running_session_can_be_recorded_from_its_start() {
    let folder = TempFolder::new();
    let file = folder.path_text("late.twr");
    let mut session = Session::start_with(&["maps/castle.toml"], &[], (160, 40));
    session.pause();
    session.go_to(120);
    session.command("record walk.txt");
    session.wait_for("the file name of a recording must end in .twr");
    session.escape("the file name");
    session.command(&format!("record {file}"));
    session.wait_for("● rec");
    session.go_to(150);
    session.command(&format!("record {file}"));
    session.wait_for("already recording");
    session.escape("already recording");
    session.command("record");
    session.wait_for("recording complete");
    session.wait_until_gone("● rec");
    session.go_to(200);
    session.command(&format!("record {file}"));
    session.wait_for("already exists");
    session.escape("already exists");
    session.quit();
    let (code, runs, remarks) = verify(&folder.path("late.twr"));
    assert_eq!((code, remarks.as_str()), (Some(0), ""));
    assert!(runs.starts_with("run 1: 150 frames, ") && all_hashes_match(&runs), "{runs}");
}

#[test]
fn a_warning_about_the_recording_does_not_open_the_command_line() {
    let folder = TempFolder::new();
    let file = folder.path_text("walk.twr");
    let mut session = Session::start_with(&["maps/castle.toml"], &[], (160, 40));
    session.pause();
    session.command(&format!("record {file}"));
    session.wait_for("● rec");
    fs::remove_file(&file).unwrap();
    session.wait_for("the file was deleted or renamed; recording continues");
    session.send(".");
    session.wait_until_gone("recording continues");
    session.quit();
}

#[test]
fn a_replay_pauses_at_the_requested_frame_and_at_the_end() {
    let folder = TempFolder::new();
    let file = folder.path_text("walk.twr");
    let run = ["run", "maps/castle.toml", "--frames", "40", "--record", &file];
    assert!(
        Command::new(env!("CARGO_BIN_EXE_tilewalk")).args(run).output().unwrap().status.success()
    );
    let arguments = ["replay", &file, "--frame", "15"];
    let mut session = Session::start_with(&arguments, &[], (160, 40));
    session.wait_for("run 1 of 1, frame 15 of 40; Space plays");
    session.wait_for("paused");
    session.wait_for_frame(15);
    session.send(" ");
    session.wait_for("end of the recording; Space continues in a new run");
    session.wait_for("paused");
    session.wait_for_frame(40);
    session.send(".");
    session.wait_for("run 2 branches at frame 40");
    session.wait_for_frame(41);
    session.send(" ");
    session.wait_for("playing");
    session.quit();
}
