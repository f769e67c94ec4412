//! Costs of a session: the bytes it sends, its response time, and its CPU time while paused.

#![expect(clippy::disallowed_methods, reason = "a test measures a process in real time")]

use std::thread;
use std::time::{Duration, Instant};

use crate::support::build;
use crate::support::pty::{Session, frame_on};
use crate::support::temp_folder::TempFolder;

/// Returns the number of measurements: the environment variable `TILEWALK_CASES`, limited to the range from
/// `few` to `many`, or `few` if it is not set.
fn cases(few: u64, many: u64) -> u64 {
    (build::tries(few as usize) as u64).clamp(few, many)
}

/// Prints a measurement. It is visible only with the option `--nocapture`.
#[expect(clippy::print_stderr, reason = "figures are for the user")]
fn print_figure(what: &str) {
    eprintln!("{what}");
}

/// Returns the number of bytes of each drawing, without the last one, which may be incomplete.
fn drawings(raw: &str) -> Vec<usize> {
    let mut drawings: Vec<usize> = raw.split("\u{1b}[?2026h").skip(1).map(str::len).collect();
    drawings.pop();
    drawings
}

#[test]
fn a_frame_with_one_moving_agent_sends_at_most_two_kibibytes() {
    let frames = cases(20, 100);
    for map in ["rectangle", "orbits", "mouse", "dodge"] {
        for size in [(80, 24), (200, 60)] {
            let mut session = Session::paused(&format!("maps/{map}.toml"), size);
            // Measure from frame 1 on, because frame 1 adds the force breakdown and the plots.
            session.send("r.");
            session.wait_for_frame(1);
            let before = session.raw().len();
            session.send(" ");
            session.wait_until("some frames", |screen| {
                frame_on(screen).is_some_and(|frame| frame > frames)
            });
            let bytes = drawings(&session.raw()[before..]);
            let mean = bytes.iter().sum::<usize>() / bytes.len();
            let largest = bytes.iter().max().expect("drawings");
            print_figure(&format!(
                "{map} {size:?}: {} drawings, {mean} bytes each, at most {largest}",
                bytes.len()
            ));
            assert!(bytes.len() as u64 >= frames / 2, "{} drawings", bytes.len());
            assert!(*largest <= 2048, "{largest} bytes for a frame on {map}");
            session.quit();
        }
    }
}

#[test]
fn keys_are_answered_within_half_a_second_at_maximum_speed() {
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
                (2..=12)
                    .map(|next| response_time(&mut session, "\t", &format!("╭ {name}.{next} "))),
            );
        }
        waits.sort();
        let (median, slow) = (waits[waits.len() / 2], waits[waits.len() * 95 / 100]);
        print_figure(&format!(
            "{map} {size:?}: {} keys, median {median:?}, 95 of 100 within {slow:?}",
            waits.len()
        ));
        assert!(median < Duration::from_millis(500), "median {median:?}");
        session.quit();
    }
}

/// Sends a key and returns the time until a text is on the screen.
fn response_time(session: &mut Session, key: &str, text: &str) -> Duration {
    let begin = Instant::now();
    session.send(key);
    while !session.screen().contains(text) {
        thread::sleep(Duration::from_millis(1));
        assert!(begin.elapsed() < Duration::from_secs(10), "{}", session.screen());
    }
    begin.elapsed()
}

#[test]
fn a_paused_map_uses_no_cpu_while_its_files_are_watched() {
    // Use a temporary folder, because other tests may open files in the folder of the shipped maps.
    let folder = TempFolder::castle();
    let session = Session::paused(&folder.path_text("maps/castle.toml"), (80, 24));
    thread::sleep(Duration::from_secs(1));
    let (ticks, bytes, wake_ups) = (session.ticks(), session.bytes(), session.wake_ups());
    let seconds = cases(3, 60);
    thread::sleep(Duration::from_secs(seconds));
    let (ticks, wake_ups) = (session.ticks() - ticks, session.wake_ups() - wake_ups);
    print_figure(&format!("paused for {seconds} s: {ticks} CPU clock ticks, {wake_ups} wake-ups"));
    assert_eq!((ticks, wake_ups, session.bytes()), (0, 0, bytes));
    session.quit();
}
