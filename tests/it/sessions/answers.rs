//! Messages of the real program on 80 columns.

use rustix::process::Signal;

use crate::support::desk::TempFolder;
use crate::support::pty::Session;

/// A map, paused, on the smallest usual screen.
fn paused(map: &str) -> Session {
    Session::paused(map, (80, 24))
}

#[test]
fn an_answer_stays_until_a_key_that_means_something_and_is_read_again() {
    let mut session = paused("maps/castle.toml");
    session.command("diff seed 8");
    session.wait_for("first difference: frame ");
    session.wait_until("all of it", |screen| {
        let told = screen.lines().skip(21).collect::<Vec<_>>().join(" ");
        told.contains(": this run ") && told.contains(", comparison run ") && !told.contains('…')
    });
    session.send("n");
    session.wait_for("n does nothing here; ? lists the keys");
    assert!(session.screen().contains("first difference"), "{}", session.screen());
    session.command("diff");
    session.wait_for("comparison run closed");
    session.command("messages");
    session.wait_for("messages, newest first");
    assert!(session.screen().contains("first difference"), "{}", session.screen());
    session.escape("messages, newest first");
    session.quit();
}

#[test]
fn a_value_that_is_not_written_is_asked_about_and_a_signal_asks_nothing() {
    let mut session = paused("maps/castle.toml");
    session.command("set guard.speed=3");
    session.wait_for("column 5: ");
    session.send("\u{15}set guard.patrol.pace=2\r");
    session.wait_for("guard.patrol.pace: 5 → 2");
    session.wait_for("* unsaved");
    session.send("q");
    session.wait_for("not written: guard.patrol.pace 5 → 2; w writes; q again leaves");
    session.signal(Signal::TERM);
    assert_eq!(session.wait_for_end(), 143);
    session.assert_restored();
}

#[test]
fn a_recording_is_called_one_and_left_at_once() {
    let folder = TempFolder::new();
    let file = folder.path_text("t2.twr");
    let mut session = Session::start(&["maps/castle.toml", "--record", &file]);
    session.pause();
    session.command("set thief.radius=0.2");
    session.wait_for("→ 0.2");
    session.send("q");
    session.wait_for("q again leaves");
    session.quit();
    let mut session = Session::start(&["replay", &file]);
    session.wait_for("replay");
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);
    assert!(!session.raw().contains("not written"), "{}", session.raw());
}
