//! The command line in the real program.

use crate::support::pty::Session;

#[test]
fn commands_can_be_typed_completed_corrected_and_recalled() {
    let mut session = Session::start(&["maps/castle.toml"]);
    session.wait_for("playing");
    session.send(":");
    session.wait_for("goto FRAME");
    session.send("speed 1/4\r");
    session.wait_for("playing ×1/4");
    session.send(":restart\r");
    session.wait_for("restarted at frame 0");
    session.send(":goto 400\r");
    session.wait_for("reached frame 400");
    session.wait_for("paused");
    session.send(":goto 10\r");
    session.wait_for("frame 10 ");
    session.send(":sel\tth\t\r");
    session.wait_for("╭ thief");
    session.send(":select gaurd\r");
    session.wait_for("column 8: unknown agent `gaurd`: did you mean `guard`?");
    session.send("\u{17}guard\r");
    session.wait_for("╭ guard");
    session.send(":");
    session.wait_for("command");
    session.send("\u{1b}[A\u{1b}[A");
    session.wait_for(":sel");
    session.send("\u{1b}");
    session.wait_until("a closed command line", |screen| !screen.contains("╭ command"));
    session.send(":quit\r");
    assert_eq!(session.wait_for_end(), 0);
    session.assert_restored();
}
