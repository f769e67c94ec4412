//! Runs that another program still writes: new frames, a writer that is killed and started again, a
//! truncated file, and standard input.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Write as _;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::pty::Session;
use crate::support::temp_folder::TempFolder;

/// Lines of a shell script that prints a frame every 20 ms, from frame `$1` on. The agent stands.
const WRITER: &str = "i=$1; while :; do echo \"$i,cat,3.5,1.5,$i\"; i=$((i+1)); sleep 0.02; done";

const HEAD: &str = "frame,agent,x,y,hp\n";

/// A program that appends frames to a file, and is killed when the value is dropped.
struct Writer(Child);

impl Writer {
    fn start(file: &str, first: u64) -> Self {
        let out = File::options().append(true).open(file).unwrap();
        let first = first.to_string();
        let mut command = Command::new("sh");
        command.args(["-c", WRITER, "writer", &first]).stdout(out).stdin(Stdio::null());
        Self(command.spawn().unwrap())
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn open(file: &str) -> Session {
    Session::start_with(&[file, "--follow"], &[], (120, 40))
}

#[test]
fn playback_follows_the_writer_until_it_is_killed() {
    let folder = TempFolder::new();
    let file = folder.path_text("game.csv");
    fs::write(&file, HEAD).unwrap();
    let writer = Writer::start(&file, 0);
    let mut session = open(&file);
    session.wait_for_frame_above(20);
    drop(writer);
    // The last line has no later frame, so its frame does not count.
    let last = fs::read_to_string(&file).unwrap().lines().count() as u64 - 3;
    session.wait_for_frame(last);
    session.send(".");
    session.wait_for("waiting for the next one");
    let mut out = File::options().append(true).open(&file).unwrap();
    writeln!(out, "{},cat,3.5,1.5,7", last + 2).unwrap();
    session.wait_for_frame(last + 1);
    session.quit();
}

#[test]
fn a_writer_that_starts_again_starts_a_new_run() {
    let folder = TempFolder::new();
    let file = folder.path_text("game.csv");
    fs::write(&file, HEAD).unwrap();
    let writer = Writer::start(&file, 0);
    let session = open(&file);
    session.wait_for_frame_above(10);
    drop(writer);
    // The second program appends to the file, and the third one truncates it first.
    let writer = Writer::start(&file, 0);
    session.wait_for("started again: run 2; ghost: run 1");
    session.wait_for_frame_above(5);
    drop(writer);
    fs::write(&file, HEAD).unwrap();
    let writer = Writer::start(&file, 100);
    session.wait_for("started again: run 3; ghost: run 2");
    session.wait_for_frame_above(3);
    drop(writer);
    // The fourth program replaces the file.
    let new = folder.path_text("new.csv");
    fs::write(&new, format!("{HEAD}0,dog,1.5,1.5,1\n1,dog,1.5,1.5,1\n")).unwrap();
    fs::rename(&new, &file).unwrap();
    session.wait_for("started again: run 4; ghost: run 3");
    session.wait_for("dog");
    session.quit();
}

#[test]
fn the_past_of_a_growing_run_stays_on_the_screen() {
    let folder = TempFolder::new();
    let file = folder.path_text("game.csv");
    fs::write(&file, HEAD).unwrap();
    let writer = Writer::start(&file, 0);
    let mut session = open(&file);
    session.wait_for_frame_above(10);
    session.go_to(4);
    let lines = || fs::read_to_string(&file).unwrap().lines().count();
    let before = lines();
    while lines() < before + 10 {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(session.frame(), 4);
    session.command("break cat.hp >= 8");
    session.send("c");
    session.wait_for_frame(8);
    // The end of the run, from which playback follows again.
    session.command("last");
    session.wait_for_frame_above(8);
    session.send(" ");
    let end = session.frame();
    session.wait_for_frame_above(end + 5);
    drop(writer);
    session.quit();
}

#[test]
fn new_agents_columns_and_places_appear_while_a_run_grows() {
    let folder = TempFolder::new();
    let file = folder.path_text("game.ndjson");
    let row = |frame: u32, agent: &str, x: f32| {
        format!("{{\"frame\":{frame},\"agent\":\"{agent}\",\"x\":{x},\"y\":1.5}}\n")
    };
    fs::write(&file, row(0, "cat", 1.5) + &row(1, "cat", 1.5)).unwrap();
    let mut session = open(&file);
    session.wait_for("cat");
    let append = |text: String| {
        File::options().append(true).open(&file).unwrap().write_all(text.as_bytes()).unwrap();
    };
    // The first new agent occupies a reserved place, the others need a new scenario.
    for (frame, agent) in (2..).zip(["dog", "cow", "pig", "hen"]) {
        append(row(frame, agent, 1.5) + &row(frame, "cat", 90.5));
    }
    append("{\"frame\":6,\"agent\":\"hen\",\"x\":2,\"y\":1.5,\"eggs\":3}\n".to_owned());
    append("{\"tilewalk\": {\"end\": true}}\n".to_owned());
    session.wait_for_frame(6);
    session.wait_for("hen");
    // The other agents have no row in this frame.
    session.send("\t");
    session.wait_for("eggs");
    session.go_to(2);
    session.wait_for("dog");
    session.quit();
}

#[test]
fn standard_input_is_followed_while_the_terminal_sends_keys() {
    let program = env!("CARGO_BIN_EXE_tilewalk");
    let script = format!("(printf '{HEAD}'; set -- 0; {WRITER}) | {program} - --follow");
    let script = script.replace('\n', "\\n");
    let mut session = Session::start_program("sh", &["-c", &script], &[], (120, 40));
    session.wait_for_frame_above(10);
    session.pause();
    session.go_to(3);
    session.quit();
}

/// Prints how long it takes until a frame of 200 agents is on the screen, at 60 frames/s. Run with
/// `cargo test --test it sessions::following -- --ignored --nocapture`.
#[test]
#[ignore = "measures time"]
#[expect(clippy::disallowed_methods, clippy::print_stdout, reason = "measures and prints times")]
fn the_screen_lags_by_at_most_100_ms() {
    const FRAMES: u64 = 600;
    let folder = TempFolder::new();
    let file = folder.path_text("game.csv");
    let frame = |number: u64| {
        let mut text = String::new();
        for agent in 0..200 {
            let (x, y) = (agent % 20, agent / 20);
            let x = f64::from(x) + 0.5 + (number % 10) as f64 * 0.01;
            let _ = writeln!(text, "{number},a{agent},{x},{y}.5,{number}");
        }
        text + "# {\"tilewalk\": {\"end\": true}}\n"
    };
    fs::write(&file, HEAD.to_owned() + &frame(0)).unwrap();
    let session = open(&file);
    session.wait_for("a199");
    let mut out = File::options().append(true).open(&file).unwrap();
    let begin = Instant::now();
    let written = |number: u64| Duration::from_micros(16_667 * number);
    let writer = std::thread::spawn(move || {
        for number in 1..=FRAMES {
            std::thread::sleep(written(number).saturating_sub(begin.elapsed()));
            out.write_all(frame(number).as_bytes()).unwrap();
        }
    });
    let mut lags = Vec::new();
    let mut shown = 0;
    while shown < FRAMES {
        let frame = session.frame();
        if frame > shown {
            // The oldest frame that was not on the screen has waited longest.
            lags.push(begin.elapsed().saturating_sub(written(shown + 1)));
            shown = frame;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    writer.join().unwrap();
    lags.sort();
    let at = |share: usize| lags[(lags.len() - 1) * share / 100].as_millis();
    println!("lag in ms: median {}, 95 % {}, most {}", at(50), at(95), at(100));
    session.quit();
    assert!(at(95) <= 100);
}
