//! Runs of a sweep on the screen: commands that need a map file are refused.

use std::fs;
use std::process::Command;
use std::time::Duration;

use rustix::process::Signal;

use crate::support::pty::Session;
use crate::support::temp_folder::TempFolder;

#[test]
fn a_run_of_a_sweep_has_no_map_file_to_edit_or_write() {
    let folder = TempFolder::castle();
    let text = "map = \"maps/castle.toml\"\nframes = 10\nseeds = 2\n\n[measure]\n\
                last = { value = \"time\" }\n";
    let sweep = folder.write("sweep.toml", text);
    let results = folder.path_text("results.csv");
    let sweep_output = Command::new(env!("CARGO_BIN_EXE_tilewalk"))
        .args(["sweep", &sweep, "--output", &results])
        .output()
        .expect("program runs");
    assert!(sweep_output.status.success(), "{}", String::from_utf8_lossy(&sweep_output.stderr));
    let file_count = || fs::read_dir(folder.path(".")).expect("a folder").count();
    let before = file_count();
    let mut session = Session::start(&["sweep", "open", &results, "0"]);
    session.wait_for("? help");
    session.command("draw-path beat");
    session.wait_for("beat (new path)");
    session.send(" ");
    session.wait_for("1 vertex");
    session.send("l ");
    session.wait_for("2 vertices");
    session.send("w");
    session.wait_for(":attach beat");
    session.escape(":attach beat");
    session.send("w");
    session.wait_for(":write run0.toml");
    session.escape(":write run0.toml");
    session.send("e");
    session.wait_for("runs of sweeps have no map file");
    assert_eq!(file_count(), before);
    session.signal(Signal::TERM);
    let (code, took) = session.wait_for_timed_end();
    assert_eq!(code, 143);
    assert!(took < Duration::from_millis(900), "{took:?}");
    session.assert_restored();
}
