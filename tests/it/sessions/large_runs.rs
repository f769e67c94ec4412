//! Runs of other programs with many rows: the times of reading, of the first pass and of seeks.

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::time::Instant;

use crate::support::pty::Session;
use crate::support::temp_folder::TempFolder;

/// Prints the times and the memory for runs of 10^6 and 10^7 rows with 200 agents and a value. Run with
/// `cargo test --test it sessions::large_runs -- --ignored --nocapture`.
#[test]
#[ignore = "measures time, and writes 400 MB"]
#[expect(clippy::disallowed_methods, clippy::print_stdout, reason = "measures and prints times")]
fn seeks_after_the_first_pass_take_at_most_200_ms() {
    for frames in [5_000_u64, 50_000] {
        let folder = TempFolder::new();
        let file = folder.path_text("big.csv");
        let mut out = BufWriter::new(File::create(&file).unwrap());
        writeln!(out, "frame,agent,x,y,hp").unwrap();
        for frame in 0..frames {
            for agent in 0..200_u16 {
                let [x, y] = [agent % 20, agent / 20].map(|at| f64::from(at) + 0.5);
                let x = x + (frame % 100) as f64 * 0.01;
                writeln!(out, "{frame},a{agent},{x:.3},{y:.3},{}", frame % 50).unwrap();
            }
        }
        drop(out);
        let begin = Instant::now();
        let mut session = Session::start_with(&[&file], &[], (120, 40));
        session.wait_for_long("playing");
        let opened = begin.elapsed();
        session.send(" ");
        let status = fs::read_to_string(format!("/proc/{}/status", session.process())).unwrap();
        let memory = status.lines().find(|line| line.starts_with("VmHWM")).unwrap().to_owned();
        let begin = Instant::now();
        session.command("last");
        session.wait_for_long(&format!("reached frame {}", frames - 1));
        let pass = begin.elapsed();
        let mut slowest = 0;
        for share in [50, 10, 90, 33, 1, 99, 77] {
            let frame = frames * share / 100 + 7;
            let begin = Instant::now();
            session.go_to(frame);
            session.wait_for(&format!("{:.2} s", frame as f64 * 0.05));
            slowest = slowest.max(begin.elapsed().as_millis());
        }
        println!("{} rows: open {opened:.1?}, {memory}, first pass {pass:.1?}", frames * 200);
        println!("slowest of 7 seeks: {slowest} ms");
        session.quit();
        assert!(slowest <= 200);
    }
}
