//! Writing files from the screen: `w`, and what happens if a file cannot be read or written.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::support::pty::Session;
use crate::support::temp_folder::TempFolder;

/// Opens the castle of a folder and changes a value.
fn edited(folder: &TempFolder, size: (u16, u16)) -> Session {
    let mut session = Session::paused(&folder.path_text("maps/castle.toml"), size);
    session.command("set guard.max_speed=3");
    session.wait_for("→ 3");
    session
}

/// Asserts that `w` reports the reason and keeps the edit, and that ctrl-c warns before it discards the edit.
fn assert_refused(mut session: Session, reason: &str) {
    session.send("w");
    session.wait_for(&format!("{reason}; nothing was written"));
    session.send("\x03");
    session.wait_for("not written: guard.body.max_speed");
    session.send("\x03");
    assert_eq!(session.wait_for_end(), 0);
    session.assert_restored();
}

/// Asserts that `w` is refused after `replace` has put another file in place of the map.
fn assert_refused_after(replace: impl Fn(&Path), reason: &str) {
    let folder = TempFolder::castle();
    let session = edited(&folder, (200, 60));
    let map = folder.path("maps/castle.toml");
    fs::remove_file(&map).unwrap();
    replace(&map);
    assert_refused(session, reason);
}

#[test]
fn writing_is_refused_if_a_pipe_device_or_folder_is_in_place_of_the_map() {
    let fifo = |path: &Path| assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    assert_refused_after(fifo, "this is a pipe or a device, not a regular file");
    assert_refused_after(
        |path| symlink("/dev/zero", path).unwrap(),
        "this is a pipe or a device, not a regular file",
    );
    assert_refused_after(
        |path| fs::create_dir(path).unwrap(),
        "this is a directory, not a regular file",
    );
}

#[test]
fn writing_is_refused_if_a_pipe_is_in_place_of_a_tiles_file() {
    let folder = TempFolder::castle();
    folder.write("yard.txt", "...\n...\n");
    folder.write(
        "yard.toml",
        "tiles_file = \"yard.txt\"\n[[agent]]\nname = \"guard\"\nat = [0, 0]\n",
    );
    let mut session = Session::paused(&folder.path_text("yard.toml"), (200, 60));
    session.send("p");
    session.wait_for("paint mode");
    session.send("j ");
    session.wait_for("1 edit not written");
    fs::remove_file(folder.path("yard.txt")).unwrap();
    assert!(Command::new("mkfifo").arg(folder.path("yard.txt")).status().unwrap().success());
    session.send("w");
    session.wait_for("the file `yard.txt` can't be read: this is a pipe or a device");
}

#[test]
fn writing_is_refused_if_a_huge_file_is_in_place_of_the_map() {
    let huge = |path: &Path| File::create(path).unwrap().set_len(5 << 30).unwrap();
    assert_refused_after(huge, "the file is larger than 64 MiB");
}

/// If the file system does not respond, keys still work, and ctrl-c still warns of unsaved changes.
#[test]
fn keys_work_while_a_file_is_written() {
    let mut session = super::terminal_guard::with_fault("writing");
    session.send(" ");
    session.wait_for("paused");
    session.command("set guard.max_speed=3");
    session.wait_for("→ 3");
    session.send("w");
    session.wait_for("writing takes long");
    session.send(".");
    session.wait_for_frame(2);
    session.send("w");
    session.wait_for("still writing a file");
    session.send("\x03");
    session.wait_for("not written: guard.body.max_speed");
    session.send("\x03");
    let (code, took) = session.wait_for_timed_end();
    assert!(code == 0 && took < Duration::from_secs(1), "{code} after {took:?}");
    session.assert_restored();
}

/// Writes the map as a new file, and asserts that it has the changed value.
fn assert_writes_elsewhere(mut session: Session, folder: &TempFolder) {
    session.command(&format!("write {}", folder.path_text("rescued.toml")));
    session.wait_for("wrote the map to");
    session.wait_until_gone("unsaved");
    session.quit();
    let text = folder.read("rescued.toml");
    assert!(text.contains("max_speed = 3") && text.contains("[[agent]]"), "{text}");
}

#[test]
fn an_emptied_map_points_to_a_new_file() {
    let folder = TempFolder::castle();
    let mut session = edited(&folder, (200, 60));
    fs::write(folder.path("maps/castle.toml"), "").unwrap();
    session.wait_for("D: more");
    session.send("w");
    session.wait_for("`:write FILE` saves everything to a new file");
    session.command("write!");
    session.wait_for("unknown agent `guard`");
    session.wait_for("saves everything to a new file");
    session.escape("unknown agent");
    assert_writes_elsewhere(session, &folder);
    assert_eq!(folder.read("maps/castle.toml"), "");
}

#[test]
fn a_deleted_map_points_to_a_new_file() {
    let folder = TempFolder::castle();
    let mut session = edited(&folder, (200, 60));
    fs::remove_file(folder.path("maps/castle.toml")).unwrap();
    session.wait_for("D: more");
    session.send("w");
    session.wait_for("No such file");
    session.wait_for("`:write FILE` saves everything to a new file");
    session.command("write!");
    session.wait_for(": can't write");
    session.wait_for("saves everything to a new file");
    session.escape(": can't write");
    assert_writes_elsewhere(session, &folder);
}
