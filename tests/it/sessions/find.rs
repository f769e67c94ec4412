//! Tasks of finding a cause: what blocks an agent, what it sees, when something happens, and how two
//! runs differ.

use std::process::Command;

use crate::support::pty::Session;
use crate::support::temp_folder::TempFolder;

/// 3 actions: open, pause and `]`.
#[test]
fn the_next_event_is_simulated_if_the_run_has_none() {
    let mut session = Session::paused("maps/castle.toml", (120, 40));
    session.send("]");
    session.wait_for_frame(145);
    session.wait_for("frame 145: guard sees thief");
    session.quit();
}

/// 4 actions: open, the breakpoint, `c`, and the why page.
#[test]
fn a_hit_selects_the_agent_concerned() {
    let mut session = Session::paused("maps/castle.toml", (120, 40));
    session.wait_for("╭ guard ─");
    session.command("break event(thief, mode)");
    session.send("c");
    session.wait_for("breakpoint 1: event(thief, mode)");
    session.wait_for("╭ thief ─");
    session.quit();
}

#[test]
fn a_condition_that_can_never_hold_is_refused_at_once() {
    let mut session = Session::paused("maps/flock.toml", (120, 40));
    session.command("break event(overlap)");
    session.wait_for("no two agents of this map are solid");
    session.wait_for("touching(everyone)");
    session.escape("no two agents of this map are solid");
    session.command("break touching(everyone)");
    session.send("c");
    session.wait_for("breakpoint 1: touching(everyone)");
    session.wait_for("╭ boid.");
    session.quit();
}

#[test]
fn typing_replaces_the_suggested_breakpoint() {
    let mut session = Session::paused("maps/castle.toml", (120, 40));
    session.send("b");
    session.wait_for(":break [guard.mode == \"chase\"]");
    session.send("event bump\r");
    session.wait_for("breakpoint 1: event(bump)");
    session.send("b");
    session.wait_for(":break [guard.mode == \"chase\"]");
    session.send("\r");
    session.wait_for("breakpoint 2: guard.mode == \"chase\"");
    session.quit();
}

/// 3 actions: open, pause and `:diff 8`.
#[test]
fn a_comparison_shows_the_outcomes_and_the_first_difference() {
    let mut session = Session::paused("maps/castle.toml", (120, 40));
    session.command("diff 8");
    session.wait_for("first difference: frame 27, thief, mode");
    session.wait_for("this run");
    session.wait_for("seed 8");
    session.wait_for("arrived");
    session.wait_for("events: seen");
    session.wait_for("the guard chases the thief on sight");
    session.wait_for_frame(27);
    session.wait_for("╭ thief ─");
    session.command("diff guard.patrol.pace=3");
    session.wait_for("guard.patrol.pace=3");
    session.wait_for("first difference: frame");
    session.quit();
}

#[test]
fn a_seed_runs_the_map_again() {
    let mut session = Session::paused("maps/castle.toml", (120, 40));
    session.command("seed 8");
    session.wait_for("restarted at frame 0 with seed 8");
    session.go_to(27);
    session.command("select thief");
    session.wait_for("creep");
    // The seed is not a change to save.
    assert!(!session.screen().contains("unsaved"));
    session.quit();
}

#[test]
fn short_names_write_and_quit() {
    let folder = TempFolder::castle();
    let map = folder.path_text("maps/castle.toml");
    for command in ["w", "save"] {
        let mut session = Session::paused(&map, (120, 40));
        session.command(&format!("set guard.max_speed={}", command.len()));
        session.wait_for("max_speed");
        session.command(command);
        session.wait_for("wrote 1 value to");
        session.command("q");
        assert_eq!(session.wait_for_end(), 0, "{command}");
    }
    let mut session = Session::paused(&map, (120, 40));
    session.command("set guard.max_speed=3");
    session.wait_for("→ 3");
    session.command("wq");
    assert_eq!(session.wait_for_end(), 0);
    session.assert_restored();
    assert!(folder.read("maps/castle.toml").contains("max_speed = 3"));
}

#[test]
fn the_map_is_needed_once_to_compare_two_seeds() {
    let output = Command::new(env!("CARGO_BIN_EXE_tilewalk"))
        .args(["diff", "maps/castle.toml", "--seed-b", "8"])
        .output()
        .expect("the program runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("first difference: frame 27, thief, mode"), "{text}");
    let output = Command::new(env!("CARGO_BIN_EXE_tilewalk"))
        .args(["diff", "maps/castle.toml"])
        .output()
        .expect("the program runs");
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("name a second file, or change one side"), "{text}");
}
