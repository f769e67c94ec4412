//! Costs of a session: bytes sent, response time, and no work while paused.

#![expect(clippy::disallowed_methods, reason = "a test measures a process in real time")]

use std::thread;
use std::time::{Duration, Instant};

use crate::support::build;
use crate::support::desk::TempFolder;
use crate::support::pty::{Session, frame_on};

/// How much is measured: little as a rule, `TILEWALK_CASES` where figures are wanted.
fn cases(few: u64, many: u64) -> u64 {
    (build::tries(few as usize) as u64).clamp(few, many)
}

/// Tells a figure to whoever asks with `--nocapture`.
#[expect(clippy::print_stderr, reason = "figures are for people")]
fn tell(what: &str) {
    eprintln!("{what}");
}

/// What was sent for each drawing, in bytes; the last one may not be whole.
fn drawings(raw: &str) -> Vec<usize> {
    let mut drawings: Vec<usize> = raw.split("\u{1b}[?2026h").skip(1).map(str::len).collect();
    drawings.pop();
    drawings
}

#[test]
fn one_moving_agent_costs_at_most_two_kibibytes_a_frame() {
    let frames = cases(20, 100);
    for map in ["rectangle", "orbits", "mouse", "dodge"] {
        for size in [(80, 24), (200, 60)] {
            let mut session = Session::paused(&format!("maps/{map}.toml"), size);
            // The first frame brings the ledger and the plots: from then on the panes stay as they are.
            session.send("r.");
            session.wait_for_frame(1);
            let before = session.raw().len();
            session.send(" ");
            session.wait_until("some frames", |screen| {
                frame_on(screen).is_some_and(|frame| frame > frames)
            });
            let bytes = drawings(&session.raw()[before..]);
            let mean = bytes.iter().sum::<usize>() / bytes.len();
            let most = bytes.iter().max().expect("drawings");
            tell(&format!(
                "{map} {size:?}: {} drawings, {mean} bytes each, at most {most}",
                bytes.len()
            ));
            assert!(bytes.len() as u64 >= frames / 2, "{} drawings", bytes.len());
            assert!(*most <= 2048, "{most} bytes for a frame on {map}");
            session.quit();
        }
    }
}

#[test]
fn a_key_is_answered_at_once_while_time_runs_as_fast_as_it_goes() {
    for (map, name, size) in
        [("flock", "boid", (80, 24)), ("flock", "boid", (200, 60)), ("wanderers", "w", (200, 60))]
    {
        let mut session = Session::start_with(&[&format!("maps/{map}.toml")], &[], size);
        session.wait_for("playing");
        session.command("speed max");
        session.wait_for("playing max");
        let mut waits = Vec::new();
        while (waits.len() as u64) < cases(10, 50) {
            session.command(&format!("select {name}.1"));
            session.wait_for(&format!("╭ {name}.1 "));
            waits.extend(
                (2..=12).map(|next| answered(&mut session, "\t", &format!("╭ {name}.{next} "))),
            );
        }
        waits.sort();
        let (median, late) = (waits[waits.len() / 2], waits[waits.len() * 95 / 100]);
        tell(&format!(
            "{map} {size:?}: {} keys, median {median:?}, 95 of 100 within {late:?}",
            waits.len()
        ));
        assert!(median < Duration::from_millis(500), "median {median:?}");
        session.quit();
    }
}

/// How long it takes from a key to what it brings onto the screen.
fn answered(session: &mut Session, key: &str, text: &str) -> Duration {
    let begin = Instant::now();
    session.send(key);
    while !session.screen().contains(text) {
        thread::sleep(Duration::from_millis(1));
        assert!(begin.elapsed() < Duration::from_secs(10), "{}", session.screen());
    }
    begin.elapsed()
}

#[test]
fn a_paused_map_sleeps_though_its_files_are_watched() {
    // In a folder of its own, as somebody else may open files in that of the shipped maps.
    let folder = TempFolder::castle();
    let session = Session::paused(&folder.path_text("maps/castle.toml"), (80, 24));
    thread::sleep(Duration::from_secs(1));
    let (ticks, bytes, wake_ups) = (session.ticks(), session.bytes(), session.wake_ups());
    let seconds = cases(3, 60);
    thread::sleep(Duration::from_secs(seconds));
    let (ticks, wake_ups) = (session.ticks() - ticks, session.wake_ups() - wake_ups);
    tell(&format!("paused for {seconds} s: {ticks} ticks of the processor, {wake_ups} wake-ups"));
    assert_eq!((ticks, wake_ups, session.bytes()), (0, 0, bytes));
    session.quit();
}
