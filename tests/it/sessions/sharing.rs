//! Views that are handed over: `:share`, `tilewalk FILE.twr`, `tilewalk paste`, and pasting on the screen.

use std::fs;
use std::process::Command;

use crate::support::pty::Session;
use crate::support::temp_folder::TempFolder;

const PROGRAM: &str = env!("CARGO_BIN_EXE_tilewalk");

/// Shares a view of the castle: frame 300, another agent, overlay, page and zoom. Returns the rows of the
/// screen without the status lines, and the text of the recording.
fn shared(folder: &TempFolder, size: (u16, u16)) -> (Vec<String>, String) {
    let file = folder.path_text("view.twr");
    let mut session = Session::start_with(&["maps/castle.toml"], &[], size);
    session.pause();
    session.go_to(320);
    session.go_to(300);
    session.send("\t");
    session.command("overlay rulers");
    session.send("3z");
    session.command(&format!("share {file}"));
    session.wait_for("opens this view");
    session.command("overlay rulers");
    session.command("overlay rulers");
    session.wait_for("overlay rulers: shown");
    let screen = upper(&session.screen());
    session.quit();
    let output = Command::new(PROGRAM).args(["share", &file]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    (screen, String::from_utf8(output.stdout).unwrap())
}

/// Returns the rows above the timeline. The first row names the file.
fn upper(screen: &str) -> Vec<String> {
    let rows: Vec<&str> = screen.lines().collect();
    rows[1..rows.len() - 4].iter().map(|row| (*row).to_owned()).collect()
}

/// Waits until the screen shows the shared view.
fn wait_for_view(session: &Session, view: &[String]) {
    session.wait_for_frame(300);
    session.wait_until(&view.join("\n"), |screen| upper(screen) == view);
}

fn pasted(text: &str) -> String {
    format!("\u{1b}[200~{}\u{1b}[201~", text.replace('\n', "\r"))
}

#[test]
fn a_shared_view_opens_from_its_file_from_a_pipe_and_from_the_terminal() {
    for size in [(80, 24), (120, 40)] {
        let folder = TempFolder::new();
        let (view, text) = shared(&folder, size);
        let file = folder.path_text("view.twr");
        let session = Session::start_with(&[&file], &[], size);
        wait_for_view(&session, &view);
        session.quit();
        // The keys come from the terminal although standard input is a file.
        let message = folder.path_text("message.txt");
        fs::write(&message, format!("Look:\n{text}\nq\n")).unwrap();
        let line = format!("{PROGRAM} paste < {message}");
        let mut session = Session::start_program("bash", &["-c", &line], &[], size);
        wait_for_view(&session, &view);
        session.send(".");
        session.wait_for_frame(301);
        session.quit();
        // The text after the block is not taken for keys.
        let mut session = Session::start_with(&["paste"], &[], size);
        session.wait_for("Paste the text");
        session.send(&format!("Look:\r{}\rq\r..\r", text.replace('\n', "\r")));
        wait_for_view(&session, &view);
        session.send(".");
        session.wait_for_frame(301);
        session.quit();
    }
}

#[test]
fn a_block_opens_when_it_is_pasted_into_the_gallery_or_an_open_map() {
    let folder = TempFolder::new();
    let (view, text) = shared(&folder, (120, 40));
    let mut session = Session::start_with(&[], &[], (120, 40));
    session.wait_for("choose a map");
    session.send(&pasted(&text));
    wait_for_view(&session, &view);
    // Reloading and returning from the gallery open the pasted recording again.
    session.send("R");
    session.wait_for("restarted");
    session.quit();

    let mut session = Session::start_with(&["maps/flock.toml"], &[], (120, 40));
    session.pause();
    session.send(&pasted(&format!("> hi\n{}", text.replace('\n', " \n> "))));
    wait_for_view(&session, &view);
    session.quit();
}

#[test]
fn an_unsaved_edit_survives_the_first_paste_and_every_damaged_one() {
    let folder = TempFolder::new();
    let (view, text) = shared(&folder, (120, 40));
    let mut session = Session::start_with(&["maps/castle.toml"], &[], (120, 40));
    session.pause();
    session.command("set guard.patrol.pace=2");
    session.wait_for("unsaved");
    session.send(&pasted(&text));
    session.wait_for("pasting again leaves without writing");
    session.send("u");
    session.wait_until_gone("unsaved");
    let damaged = text.replacen("RECORDING-----\n", "RECORDING-----\nAAAA", 1);
    session.send(&pasted(&damaged));
    session.wait_for("cannot open the pasted recording");
    session.escape("cannot open the pasted recording");
    session.send("U");
    session.wait_for("unsaved");
    session.send(&pasted(&text));
    session.wait_for("pasting again leaves without writing");
    session.send(&pasted(&text));
    wait_for_view(&session, &view);
    session.quit();
}

#[test]
fn replay_selects_the_frame_and_the_agent() {
    let folder = TempFolder::new();
    let file = folder.path_text("walk.twr");
    let run = ["run", "maps/castle.toml", "--frames", "40", "--record", &file];
    assert!(Command::new(PROGRAM).args(run).output().unwrap().status.success());
    for command in [&["replay"][..], &[]] {
        let arguments = [command, &[&file, "--goto", "15", "--agent", "thief"]].concat();
        let session = Session::start_with(&arguments, &[], (160, 40));
        session.wait_for("run 1 of 1, frame 15 of 40; Space plays");
        session.wait_for_frame(15);
        session.wait_for("thief ");
        session.quit();
    }
    let mut session = Session::start_with(&["replay", &file, "--agent", "theif"], &[], (160, 40));
    assert_eq!(session.wait_for_end(), 2);
    session.wait_for("did you mean `thief`?");
}

#[test]
fn share_without_a_name_selects_a_free_one() {
    let folder = TempFolder::new();
    let line = format!("cd {} && exec {PROGRAM}", folder.path_text("."));
    let mut session = Session::start_program("bash", &["-c", &line], &[], (120, 40));
    session.wait_for("choose a map");
    session.send("\r");
    session.pause();
    session.go_to(30);
    session.command("share");
    session.wait_for("`tilewalk castle-30.twr`");
    session.command("share");
    session.wait_for("`tilewalk castle-30-2.twr`");
    session.command("share view.txt");
    session.wait_for("the file name of a recording must end in .twr");
    session.escape("the file name");
    session.quit();
    assert!(fs::metadata(folder.path("castle-30.twr")).unwrap().len() > 100);
}

#[test]
fn the_suggested_file_name_of_a_pasted_recording_is_free() {
    let folder = TempFolder::new();
    let (_, text) = shared(&folder, (120, 40));
    folder.write("castle.toml", "mine");
    let line = format!("cd {} && exec {PROGRAM}", folder.path_text("."));
    let mut session = Session::start_program("bash", &["-c", &line], &[], (120, 40));
    session.wait_for("choose a map");
    session.send(&pasted(&text));
    session.wait_for_frame(300);
    session.command("set guard.patrol.pace=2");
    session.wait_for("→ 2");
    session.send("w");
    session.wait_for(":write castle-2.toml");
    session.send("\r");
    session.wait_for("wrote the map to castle-2.toml");
    // Recordings are still named after the map.
    session.command("share");
    session.wait_for("`tilewalk castle-301.twr`");
    session.quit();
    assert_eq!(folder.read("castle.toml"), "mine");
    assert!(folder.read("castle-2.toml").contains("pace    = 2"));
}
