//! Commands in the real program.

use crate::support::pty::Session;

#[test]
fn a_person_types_commands() {
    let mut session = Session::start(&["maps/castle.toml"]);
    session.wait_for("playing");
    session.keys(":");
    session.wait_for("goto FRAME");
    session.keys("speed 1/4\r");
    session.wait_for("playing ×1/4");
    session.keys(":restart\r");
    session.wait_for("restarted at frame 0");
    session.keys(":goto 400\r");
    session.wait_for("reached frame 400");
    session.wait_for("paused");
    session.keys(":goto 10\r");
    session.wait_for("frame 10 ");
    session.keys(":sel\tth\t\r");
    session.wait_for("╭ thief");
    session.keys(":select gaurd\r");
    session.wait_for("column 8: unknown agent `gaurd`: did you mean `guard`?");
    session.keys("\u{17}guard\r");
    session.wait_for("╭ guard");
    session.keys(":");
    session.wait_for("command");
    session.keys("\u{1b}[A\u{1b}[A");
    session.wait_for(":sel");
    session.keys("\u{1b}");
    session.wait_until("the line is closed", |screen| !screen.contains("╭ command"));
    session.keys(":quit\r");
    assert_eq!(session.wait_for_end(), 0);
    session.assert_restored();
}
