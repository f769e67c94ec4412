//! Seeking on the timeline, and branching runs, in the real program.

use crate::support::pty::Session;

#[test]
fn manual_control_at_an_earlier_frame_branches_and_keeps_the_old_run() {
    let mut session = Session::start(&["maps/castle.toml"]);
    session.wait_for("playing");
    session.send(" :restart\r");
    session.wait_for("restarted at frame 0");
    session.send(":goto 150\r");
    session.wait_for("frame 150 ");
    // The timeline is the row above the status line. Its bar begins in the second column.
    session.send("\u{1b}[<0;37;22M\u{1b}[<0;37;22m");
    session.wait_for("frame 100 ");
    session.send("\u{1b}[<0;37;22M\u{1b}[<32;2;22M");
    session.wait_for("frame 0 ");
    session.send("\u{1b}[<32;19;22M\u{1b}[<0;19;22m");
    session.wait_for("frame 49 ");
    session.send(",");
    session.wait_for("frame 48 ");
    session.send("i\u{1b}[A");
    session.wait_for("run 2 branches at frame 48");
    session.send("\u{1b}");
    session.wait_for("stopped driving");
    session.send(".");
    session.wait_for("ghost: run 1, branched at 48");
    session.send(":runs\r");
    session.wait_for("run 1 at 48");
    session.send("k\r");
    session.wait_for("showing run 1");
    session.send("\u{1b}[F");
    session.wait_for("frame 150 ");
    session.send("\u{7f}");
    session.wait_for("playing back");
    session.wait_for("frame 140 ");
    session.send(" ");
    session.wait_for("paused");
    session.send(":dismiss\r");
    session.wait_for("ghost hidden");
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);
    session.assert_restored();
}
