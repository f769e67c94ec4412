//! Sweeps that are killed, or that find a full disk: nothing is lost, and nothing appears twice.

use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use super::Desk;
use crate::support::build::tries;

impl Desk {
    /// Starts a command, and kills it after some milliseconds.
    fn kill(&self, words: &str, after: u64) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tilewalk"))
            .current_dir(self.path("."))
            .args(words.split(' '))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        thread::sleep(Duration::from_millis(after));
        let _ = child.kill();
        child.wait().unwrap();
    }

    /// Runs a command that may not write more than some KiB into a file.
    fn limited(&self, words: &str, kib: u32) -> (i32, String) {
        let program = env!("CARGO_BIN_EXE_tilewalk");
        let script = format!("trap '' XFSZ; ulimit -f {kib}; exec {program} {words}");
        let done = Command::new("bash")
            .args(["-c", &script])
            .current_dir(self.path("."))
            .output()
            .unwrap();
        (done.status.code().unwrap(), String::from_utf8(done.stderr).unwrap())
    }

    fn discard(&self) {
        for name in ["killed.csv", "killed.csv.partial", "killed.csv.tilewalk.json"] {
            let _ = fs::remove_file(self.path(name));
        }
    }

    /// Returns the runs in the journal.
    fn journal(&self) -> BTreeSet<u64> {
        let text = fs::read_to_string(self.path("killed.csv.partial")).unwrap_or_default();
        let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
        let run = |line: &str| line.split([' ', ',']).nth(1).unwrap().parse().unwrap();
        whole.lines().skip(1).filter(|line| !line.is_empty()).map(run).collect()
    }
}

#[test]
fn a_killed_sweep_continues() {
    let desk = Desk::new();
    let slow = desk.read("sweep.toml").replace("frames = 60", "frames = 2000");
    fs::write(desk.path("sweep.toml"), slow.replace("distance(cat, dog) < 0.3", "false")).unwrap();
    let results = desk.results();
    let command = "sweep sweep.toml --output killed.csv --jobs 2";
    let mut finished = BTreeSet::new();
    for kill in 0..tries(20) as u64 {
        desk.kill(command, 5 + kill * 37 % 61);
        if desk.path("killed.csv").exists() {
            assert_eq!(desk.read("killed.csv"), results, "kill {kill}");
            desk.discard();
            finished.clear();
            continue;
        }
        let now = desk.journal();
        assert!(now.is_superset(&finished), "kill {kill}");
        finished = now;
    }
    desk.ok(command);
    assert_eq!(desk.read("killed.csv"), results);
    assert!(!desk.path("killed.csv.partial").exists());
}

#[test]
fn damaged_lines_of_a_journal_are_repeated() {
    let desk = Desk::new();
    let results = desk.results();
    let command = "sweep sweep.toml --output killed.csv";
    // The journal of a killed sweep, made from its rows.
    desk.ok(command);
    let plan = desk.read("killed.csv.tilewalk.json");
    let hash = plan.split('"').nth(3).unwrap();
    let line = |row: &str| format!("{:016x} {row}\n", xxhash_rust::xxh3::xxh3_64(row.as_bytes()));
    let rows: Vec<_> = results.lines().skip(1).collect();
    let journal: String = rows.iter().rev().step_by(2).map(|row| line(row)).collect();
    let journal = format!("tilewalk-sweep 1 {hash}\n{journal}");
    let cut = &journal[..journal.len() - 9];
    let flipped = journal.replacen("frames", "framez", 3);
    let doubled = format!("{journal}{}", line(rows[1]).repeat(2));
    let garbage = format!("{journal}\u{0}\n\nrun,seed\n{}", line("0,0,x"));
    for text in [&journal, cut, &flipped, &doubled, &garbage, "tilewalk-sw", ""] {
        fs::remove_file(desk.path("killed.csv")).unwrap();
        fs::write(desk.path("killed.csv.partial"), text).unwrap();
        desk.ok(command);
        assert_eq!(desk.read("killed.csv"), results);
    }
    fs::remove_file(desk.path("killed.csv")).unwrap();
    // Journals of other sweeps and texts of other programs stay as they are.
    for (text, problem) in [
        (journal.replace(hash, &hash.replace('1', "2")), "belongs to another sweep"),
        ("my notes\n".to_owned(), "is not the journal of a sweep"),
    ] {
        fs::write(desk.path("killed.csv.partial"), &text).unwrap();
        let message = desk.refused(command);
        assert!(message.contains(&format!("killed.csv.partial {problem}")), "{message}");
        assert_eq!(desk.read("killed.csv.partial"), text);
    }
}

#[test]
fn a_full_disk_loses_no_row() {
    let desk = Desk::new();
    let results = desk.results();
    let (code, message) = desk.limited("sweep sweep.toml --output killed.csv", 8);
    assert_eq!(code, 2, "{message}");
    assert!(message.contains("cannot write killed.csv.partial: "), "{message}");
    assert!(!desk.path("killed.csv").exists());
    let finished = desk.journal();
    assert!((20..100).contains(&finished.len()), "{}", finished.len());
    desk.ok("sweep sweep.toml --output killed.csv");
    assert_eq!(desk.read("killed.csv"), results);
    desk.ok("sweep plan sweep.toml --shards 2 --output plan");
    let (code, message) = desk.limited("sweep shard plan 0", 4);
    assert_eq!(code, 2, "{message}");
    assert!(message.contains("cannot write"), "{message}");
    assert_eq!(desk.names("plan"), ["plan.json"]);
    desk.ok("sweep shard plan 0");
    desk.ok("sweep shard plan 1");
    let (code, message) = desk.limited("sweep merge plan --output merged.csv", 8);
    assert_eq!(code, 2, "{message}");
    assert!(!desk.path("merged.csv").exists());
    desk.ok("sweep merge plan --output merged.csv");
    assert_eq!(desk.read("merged.csv"), results);
}

#[test]
fn two_sweeps_do_not_share_a_journal() {
    let desk = Desk::new();
    let command = "sweep sweep.toml --output killed.csv";
    desk.ok(command);
    fs::remove_file(desk.path("killed.csv")).unwrap();
    let journal = fs::File::create(desk.path("killed.csv.partial")).unwrap();
    journal.lock().unwrap();
    let message = desk.refused(command);
    assert!(message.contains("another program is writing killed.csv.partial"), "{message}");
    drop(journal);
    desk.ok(command);
}
