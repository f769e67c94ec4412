//! Making maps, agents and patterns, and the list of own maps.

use std::process::Command;

use crate::support::pty::Session;
use crate::support::temp_folder::TempFolder;

/// Starts the program in a directory.
fn start_in(folder: &TempFolder, arguments: &str) -> Session {
    let line = format!(
        "cd {} && exec {} {arguments}",
        folder.path_text(""),
        env!("CARGO_BIN_EXE_tilewalk")
    );
    Session::start_program("/bin/sh", &["-c", &line], &[], (120, 40))
}

/// Returns the exit code of `tilewalk check` for a file.
fn check(file: &str) -> Option<i32> {
    let status = Command::new(env!("CARGO_BIN_EXE_tilewalk")).args(["check", file]).output();
    status.expect("binary runs").status.code()
}

#[test]
fn a_new_map_does_not_overwrite_a_file_and_the_gallery_lists_it_first() {
    let folder = TempFolder::new();
    folder.write("yard.toml", YARD);
    let mut session = start_in(&folder, "");
    session.wait_for("▸ yard  yard.toml");
    session.command("new yard");
    session.wait_for("yard.toml already exists; nothing was written");
    session.escape("already exists");
    session.quit();
    assert_eq!(folder.read("yard.toml"), YARD);
}

#[test]
fn a_map_is_only_written_to_a_toml_file() {
    let folder = TempFolder::new();
    folder.write("yard.toml", YARD);
    let mut session = start_in(&folder, "yard.toml");
    session.wait_for("thief");
    session.command("write copy.txt");
    session.wait_for("the file name must end in .toml");
    assert!(!folder.path("copy.txt").exists());
    session.escape("must end in");
    session.quit();
}

/// A map with two standing agents.
pub const YARD: &str = "\
tiles = '''
########################
#......................#
#......................#
#......................#
#......................#
#......................#
########################
'''

[[agent]]
name = \"guard\"
at   = [2, 1]

[[agent]]
name = \"thief\"
at   = [20, 4]
";

#[test]
fn a_pattern_beside_those_of_the_map_can_be_set_and_attached() {
    let folder = TempFolder::castle();
    folder.write("patterns/beat.toml", "kind = \"path\"\nvertices = [[0, 0], [6, 0]]\n");
    let map = folder.path_text("maps/castle.toml");
    let mut session = Session::paused(&map, (120, 40));
    session.command("set guard.patrol.pattern=castle_rund");
    session.wait_for("unknown pattern `castle_rund`: did you mean `castle_round`?");
    session.escape("castle_rund`: did");
    session.command("set guard.patrol.pattern=\"beat\"");
    session.wait_for("guard.patrol.pattern: \"castle_round\" → \"beat\"");
    session.send("w");
    session.wait_for("wrote 1 value to");
    session.quit();
    assert!(folder.read("maps/castle.toml").contains("pattern = \"beat\""));
    assert_eq!(check(&map), Some(0));
}

#[test]
fn an_agent_is_copied_renamed_and_removed() {
    let folder = TempFolder::castle();
    let before = folder.read("maps/castle.toml");
    let map = folder.path_text("maps/castle.toml");
    let mut session = Session::paused(&map, (120, 40));
    session.send("r");
    session.wait_for_frame(0);
    session.command("copy-agent sentry 14,1");
    session.wait_for("copy guard to sentry");
    session.wait_for("╭ sentry ─");
    session.command("rename-agent watchman");
    session.wait_for("rename sentry to watchman");
    session.wait_for("╭ watchman ─");
    // The guard chases the thief.
    session.command("remove-agent thief");
    session.wait_for("remove agent thief: unknown name `thief`, in the line ");
    session.escape("remove agent thief: unknown");
    session.command("remove-agent watchman");
    session.wait_for("remove agent watchman");
    session.send("uuu");
    session.wait_for("undid copy guard to sentry");
    session.wait_until_gone("unsaved");
    session.send("w");
    session.wait_for("nothing to write");
    session.quit();
    assert_eq!(folder.read("maps/castle.toml"), before);
}

#[test]
fn the_gallery_lists_own_maps_newest_first_and_marks_errors() {
    let folder = TempFolder::new();
    folder.write("old.toml", YARD);
    folder.write("maps/broken.toml", &YARD.replace("at   = [2, 1]", "at   = [0, 0]"));
    let session = start_in(&folder, "");
    session.wait_for("✗ broken  maps/broken.toml");
    session.wait_for("  old  old.toml");
    let rows = |text: &str| session.position_of(text).1;
    assert!(rows("broken  maps") < rows("old  old.toml"));
    assert!(rows("old  old.toml") < rows("Castle: patrol"));
    session.wait_for("error: ");
    session.quit();
    // `tilewalk DIR` lists the maps of a directory.
    let mut session = Session::start_with(&[&folder.path_text("")], &[], (120, 40));
    session.wait_for("✗ broken");
    session.send("j\r");
    session.wait_for("playing");
    session.quit();
}

#[test]
fn the_gallery_opens_the_file_of_a_copied_map_and_finds_new_files() {
    let folder = TempFolder::castle();
    let mut session = start_in(&folder, "");
    session.wait_for("home  maps/c");
    folder.write("late.toml", YARD);
    session.send("\r");
    session.wait_for("playing");
    session.pause();
    // The copy is a file, so values can be written to it.
    session.send(":set guard.patrol.pace=6\r");
    session.wait_for("unsaved");
    session.send("w");
    session.wait_for("to maps/castle.toml");
    session.send("G");
    session.wait_for("  late  late.toml");
    session.quit();
}

#[test]
fn an_agent_is_renamed_after_its_values_are_written() {
    let folder = TempFolder::castle();
    let map = folder.path_text("maps/castle.toml");
    let mut session = Session::paused(&map, (120, 40));
    session.command("set guard.patrol.pace=6");
    session.wait_for("5 → 6");
    session.send("w");
    session.wait_for("wrote 1 value");
    session.command("rename-agent chief");
    session.wait_for("rename guard to chief");
    session.wait_for("╭ chief ─");
    session.send("w");
    session.wait_for("wrote 1 edit");
    session.quit();
    let text = folder.read("maps/castle.toml");
    assert!(text.contains("\"chief\"") && text.contains("pace    = 6"), "{text}");
    assert_eq!(check(&map), Some(0));
}
