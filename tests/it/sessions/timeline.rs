//! Seeking in the real program.

use crate::support::pty::Session;

#[test]
fn a_person_scrubs_drives_in_the_past_and_returns() {
    let mut session = Session::start(&["maps/castle.toml"]);
    session.wait_for("playing");
    session.keys(" :restart\r");
    session.wait_for("restarted at frame 0");
    session.keys(":goto 150\r");
    session.wait_for("frame 150 ");
    // The timeline is the row above the status; its bar begins in the second column.
    session.keys("\u{1b}[<0;37;22M\u{1b}[<0;37;22m");
    session.wait_for("frame 100 ");
    session.keys("\u{1b}[<0;37;22M\u{1b}[<32;2;22M");
    session.wait_for("frame 0 ");
    session.keys("\u{1b}[<32;19;22M\u{1b}[<0;19;22m");
    session.wait_for("frame 49 ");
    session.keys(",");
    session.wait_for("frame 48 ");
    session.keys("i\u{1b}[A");
    session.wait_for("run 2 branches at frame 48");
    session.keys("\u{1b}");
    session.wait_for("stopped driving");
    session.keys(".");
    session.wait_for("ghost: run 1, branched at 48");
    session.keys(":runs\r");
    session.wait_for("run 1 at 48");
    session.keys("k\r");
    session.wait_for("showing run 1");
    session.keys("\u{1b}[F");
    session.wait_for("frame 150 ");
    session.keys("\u{7f}");
    session.wait_for("playing back");
    session.wait_for("frame 140 ");
    session.keys(" ");
    session.wait_for("paused");
    session.keys(":dismiss\r");
    session.wait_for("ghost hidden");
    session.keys("q");
    assert_eq!(session.wait_for_end(), 0);
    session.assert_restored();
}
