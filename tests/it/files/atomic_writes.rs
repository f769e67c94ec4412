//! Output files are replaced atomically: if writing fails, the old file stays.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Output};

use crate::imports::basics::{tilewalk, write_file};

const LEVEL: &str = "#####\n#@$.#\n#####\n";

/// Runs the binary in a directory. Written files can have at most `limit` KiB.
fn limited(folder: &Path, limit: u32, arguments: &str) -> Output {
    let program = env!("CARGO_BIN_EXE_tilewalk");
    let script = format!("ulimit -f {limit}; exec {program} {arguments}");
    Command::new("bash").args(["-c", &script]).current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Returns the names of all files in a directory, in order.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.collect();
    names.sort();
    names
}

#[test]
fn a_failed_import_keeps_the_old_map() {
    let folder = tempfile::tempdir().unwrap();
    write_file(folder.path(), "cave.txt", LEVEL);
    write_file(folder.path(), "cave.toml", "# my map\n");
    let import = limited(folder.path(), 0, "import cave.txt --output cave.toml --force");
    let message = text(&import.stderr);
    assert_eq!(import.status.code(), Some(2), "{message}");
    assert!(message.contains("cave.toml: File too large"), "{message}");
    assert!(!message.contains(".tilewalk-"), "{message}");
    assert_eq!(fs::read_to_string(folder.path().join("cave.toml")).unwrap(), "# my map\n");
    assert_eq!(names(folder.path()), ["cave.toml", "cave.txt"]);
}

#[test]
fn a_failed_new_or_import_leaves_no_file_that_blocks_the_next_attempt() {
    let folder = tempfile::tempdir().unwrap();
    write_file(folder.path(), "cave.txt", LEVEL);
    for arguments in ["new attic", "import cave.txt --output maps/cave.toml"] {
        let failed = limited(folder.path(), 0, arguments);
        assert_eq!(failed.status.code(), Some(2), "{}", text(&failed.stderr));
        assert!(text(&failed.stderr).contains("File too large"), "{}", text(&failed.stderr));
        let next = limited(folder.path(), 1000, arguments);
        assert_eq!(next.status.code(), Some(0), "{}", text(&next.stderr));
    }
    assert_eq!(names(&folder.path().join("maps")), ["attic.toml", "cave.import", "cave.toml"]);
    assert_eq!(names(&folder.path().join("patterns")), ["attic_round.toml"]);
}

/// This is the state after `new` was killed between writing the map and writing the pattern.
#[test]
fn repeating_an_interrupted_new_writes_the_missing_pattern() {
    let folder = tempfile::tempdir().unwrap();
    let new_attic = || limited(folder.path(), 1000, "new attic");
    assert_eq!(new_attic().status.code(), Some(0));
    let pattern = folder.path().join("patterns/attic_round.toml");
    fs::remove_file(&pattern).unwrap();
    assert_eq!(new_attic().status.code(), Some(0));
    assert!(pattern.exists());
    // An edited map is never taken for the result of an interrupted `new`.
    fs::remove_file(&pattern).unwrap();
    fs::write(folder.path().join("maps/attic.toml"), "# my map\n").unwrap();
    let refused = new_attic();
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        text(&refused.stderr).contains("attic.toml already exists"),
        "{}",
        text(&refused.stderr)
    );
    assert!(!pattern.exists());
}

#[test]
fn an_import_to_a_link_keeps_the_link_and_the_permissions_of_its_target() {
    let folder = tempfile::tempdir().unwrap();
    let level = write_file(folder.path(), "cave.txt", LEVEL);
    let target = write_file(folder.path(), "target.toml", "# my map\n");
    fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).unwrap();
    let link = folder.path().join("cave.toml");
    symlink("target.toml", &link).unwrap();
    let link = link.display().to_string();
    assert_eq!(tilewalk(&["import", &level, "--output", &link, "--force"]).0, 0);
    assert_eq!(fs::read_link(&link).unwrap(), Path::new("target.toml"));
    assert!(fs::read_to_string(&target).unwrap().contains("tiles"));
    assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o640);
}

#[test]
fn an_import_to_standard_output_writes_only_the_map() {
    let folder = tempfile::tempdir().unwrap();
    let level = write_file(folder.path(), "cave.txt", LEVEL);
    let plain = tilewalk(&["import", &level]);
    assert_eq!(tilewalk(&["import", &level, "--output", "/dev/stdout"]), plain);
    // Standard output is a file that already has content.
    let script = "echo first; exec $0 import $1 --output /dev/stdout";
    let program = env!("CARGO_BIN_EXE_tilewalk");
    let out = fs::File::create(folder.path().join("out")).unwrap();
    let mut command = Command::new("bash");
    let status = command.args(["-c", script, program, &level]).stdout(out).status().unwrap();
    assert!(status.success());
    let both = fs::read_to_string(folder.path().join("out")).unwrap();
    assert_eq!(both, format!("first\n{}", plain.1));
    assert_eq!(names(folder.path()), ["cave.txt", "out"]);
}

#[test]
fn a_run_that_fails_to_write_its_trace_keeps_the_old_trace() {
    let folder = tempfile::tempdir().unwrap();
    let trace = write_file(folder.path(), "walk.csv", "old\n");
    let castle = concat!(env!("CARGO_MANIFEST_DIR"), "/maps/castle.toml");
    let run = format!("run {castle} --frames 200 --trace walk.csv");
    let failed = limited(folder.path(), 2, &run);
    assert_eq!(failed.status.code(), Some(2), "{}", text(&failed.stderr));
    assert!(text(&failed.stderr).contains("cannot write walk.csv: File too large"));
    assert_eq!(fs::read_to_string(&trace).unwrap(), "old\n");
    assert_eq!(names(folder.path()), ["walk.csv"]);
    assert!(limited(folder.path(), 1000, &run).status.success());
    assert!(fs::read_to_string(&trace).unwrap().starts_with("frame,time,agent"));
}

/// At the limit of the file size (`ulimit -f`), the signal SIGXFSZ ends a program that does not handle it.
#[test]
fn a_run_whose_output_file_grows_too_large_ends_with_an_error_message() {
    let folder = tempfile::tempdir().unwrap();
    let castle = concat!(env!("CARGO_MANIFEST_DIR"), "/maps/castle.toml");
    for (output, limit) in [("--record walk.twr", 3), ("--trace walk.ndjson", 2)] {
        let run = limited(folder.path(), limit, &format!("run {castle} --frames 9000 {output}"));
        let message = text(&run.stderr);
        assert_eq!(run.status.code(), Some(2), "{output}: {message}");
        assert!(message.contains("File too large"), "{output}: {message}");
    }
}
