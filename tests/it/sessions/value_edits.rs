//! Sessions that change several values: undo, restart, quit and write.

use std::process::Command;

use crate::support::pty::{Session, all_hashes_match};
use crate::support::temp_folder::TempFolder;

#[test]
fn three_changed_values_are_undone_redone_listed_and_written() {
    for size in [(80, 24), (120, 40)] {
        let folder = TempFolder::castle();
        let before = folder.read("maps/castle.toml");
        let (map, recording) =
            (folder.path_text("maps/castle.toml"), folder.path_text("changes.twr"));
        let mut session = Session::start_with(&[&map, "--record", &recording], &[], size);
        session.pause();
        session.command("set guard.patrol.pace=2");
        session.wait_for("guard.patrol.pace: 5 → 2");
        session.command("set guard.chase.pace=7");
        session.wait_for("guard.chase.pace: 4 → 7");
        session.command("set thief.radius=0.2");
        session.wait_for("thief.body.radius: 0.3 → 0.2");
        session.send("u");
        session.wait_for("undid thief.body.radius: 0.2 → 0.3");
        session.send("u");
        session.wait_for("undid guard.chase.pace: 7 → 4");
        session.send("\u{12}");
        session.wait_for("redid guard.chase.pace: 4 → 7");
        session.send("r");
        session.wait_for("restarted at frame 0 with 2 changed values");
        session.send(".");
        session.wait_for_frame(1);
        session.send("q");
        session.wait_for("not written: guard.patrol.pace 5 → 2, guard.chase.pace 4 → 7");
        session.send("w");
        session.wait_for("╭ write 2 changes?");
        session.wait_for("castle.toml:43");
        session.escape("╭ write 2 changes?");
        session.wait_for("nothing written");
        assert_eq!(folder.read("maps/castle.toml"), before);
        session.send("w");
        session.wait_for("╭ write 2 changes?");
        session.send("w");
        session.wait_for("wrote 2 values to");
        let after = before.replace("pace    = 5", "pace    = 2");
        let after = after.replacen("pace   = 4", "pace   = 7", 1);
        assert_eq!(folder.read("maps/castle.toml"), after);
        session.quit();
        let tilewalk = env!("CARGO_BIN_EXE_tilewalk");
        let verify = Command::new(tilewalk).args(["verify", &recording]).output();
        let output = String::from_utf8(verify.expect("binary runs").stdout).expect("text");
        assert!(!output.is_empty() && all_hashes_match(&output), "{output}");
    }
}

#[test]
fn a_second_q_discards_unsaved_values() {
    let folder = TempFolder::castle();
    let map = folder.path_text("maps/castle.toml");
    let mut session = Session::paused(&map, (80, 24));
    session.command("set guard.patrol.pace=2");
    session.wait_for("guard.patrol.pace: 5 → 2");
    session.command(&format!("open {map}"));
    session.wait_for("not written: guard.patrol.pace 5 → 2; w writes");
    session.escape("╭ command");
    session.send("q");
    session.wait_for("q again leaves");
    session.quit();
}
