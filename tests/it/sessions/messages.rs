//! Messages of the real program on a terminal of 80 columns.

use rustix::process::Signal;

use crate::support::pty::Session;
use crate::support::temp_folder::TempFolder;

/// Opens a map on a terminal of 80 columns and 24 rows, and pauses it.
fn paused(map: &str) -> Session {
    Session::paused(map, (80, 24))
}

#[test]
fn a_message_stays_until_a_bound_key_is_pressed_and_is_listed_afterwards() {
    let mut session = paused("maps/castle.toml");
    session.command("diff seed 8");
    session.wait_for("first difference: frame ");
    session.wait_until("all of it", |screen| {
        let message = screen.lines().skip(21).collect::<Vec<_>>().join(" ");
        message.contains(": this run ")
            && message.contains(", comparison run ")
            && !message.contains('…')
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
fn q_asks_before_discarding_unsaved_values_but_sigterm_does_not() {
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
fn a_replay_is_labelled_and_quits_without_asking_about_changed_values() {
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
