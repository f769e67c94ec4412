//! Values of runs of other programs on the screen: vectors, goals and targets.

use crate::support::pty::Session;
use crate::support::temp_folder::TempFolder;
use std::fmt::Write;
use std::process::Command;

#[test]
fn a_second_run_is_compared_with_the_options_of_the_first() {
    let folder = TempFolder::new();
    let run = folder.write("old.csv", "step,who,x,y\n0,cat,16,16\n1,cat,32,16\n2,cat,48,16\n");
    let new = folder.write("new.csv", "step,who,x,y\n0,cat,16,16\n1,cat,40,16\n2,cat,48,16\n");
    let options = [&run, "--columns", "frame=step,agent=who", "--scale", "16"];
    let mut session = Session::start_with(&options, &[], (120, 40));
    session.pause();
    session.command(&format!("diff {run}"));
    session.wait_for("no differences in 3 frames");
    session.command(&format!("diff {new}"));
    session.wait_for("first difference: frame 1, cat, x: this run 2, comparison run 2.5");
    session.quit();
}

#[test]
fn the_run_of_a_game_stays_a_ghost_after_an_agent_is_taken_over() {
    let folder = TempFolder::castle();
    let (map, run) = (folder.path_text("maps/castle.toml"), folder.path_text("game.csv"));
    let trace = ["run", &map, "--frames", "120", "--trace", &run];
    let status = Command::new(env!("CARGO_BIN_EXE_tilewalk")).args(trace).output();
    assert!(status.expect("the binary").status.success());
    let mut session = Session::start_with(&[&run, "--map", &map], &[], (120, 40));
    session.pause();
    session.go_to(30);
    session.command("take-over guard chase");
    session.wait_for("chase drives guard from here on");
    // The run of the game was played up to frame 30 only.
    session.go_to(60);
    session.wait_until("the ghost of the guard", |screen| screen.contains('◌'));
    assert!(!session.screen().contains("ended at 30"), "{}", session.screen());
    session.quit();
}

#[test]
fn vectors_are_arrows_and_goals_are_marked() {
    let folder = TempFolder::new();
    let mut text = "frame,agent,x,y,push.x,push.y,goal.x,goal.y,target\n".to_owned();
    for frame in 0..10 {
        let _ = writeln!(text, "{frame},cat,2.5,1.5,4,0,2.5,4.5,dog\n{frame},dog,9.5,4.5,,,,,");
    }
    let run = folder.write("run.csv", &text);
    let mut session = Session::start_with(&[&run], &[], (120, 40));
    session.pause();
    session.wait_for("(4, 0)");
    session.wait_until("the values", |screen| {
        let line = |name: &str| screen.lines().find(|line| line.contains(name)).unwrap_or_default();
        line("push").contains("1  (4, 0)")
            && line("goal").contains("(2.5, 4.5)")
            && line("target").contains("dog")
    });
    // The arrow is three tiles long, with its number at the end.
    session.wait_until("the arrow", |screen| screen.lines().any(|line| line.contains('¹')));
    // The goal and the target.
    session.wait_until("the targets", |screen| screen.matches('+').count() >= 2);
    session.quit();
}
