//! Sweeps that are killed or run out of disk space: no result is lost or duplicated.

use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use super::SweepDir;
use crate::support::build::tries;

impl SweepDir {
    /// Starts a command, and kills it after `after` milliseconds.
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

    /// Runs a command whose files can have at most `kib` KiB. Returns the exit code and standard error.
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

    /// Returns the numbers of the runs in the journal.
    fn journal(&self) -> BTreeSet<u64> {
        let text = fs::read_to_string(self.path("killed.csv.partial")).unwrap_or_default();
        let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
        let run = |line: &str| line.split([' ', ',']).nth(1).unwrap().parse().unwrap();
        whole.lines().skip(1).filter(|line| !line.is_empty()).map(run).collect()
    }
}

#[test]
fn a_killed_sweep_continues_without_losing_finished_runs() {
    let dir = SweepDir::new();
    let slow = dir.read("sweep.toml").replace("frames = 60", "frames = 2000");
    fs::write(dir.path("sweep.toml"), slow.replace("distance(cat, dog) < 0.3", "false")).unwrap();
    let results = dir.results();
    let command = "sweep sweep.toml --output killed.csv --jobs 2";
    let mut finished = BTreeSet::new();
    for kill in 0..tries(20) as u64 {
        dir.kill(command, 5 + kill * 37 % 61);
        if dir.path("killed.csv").exists() {
            assert_eq!(dir.read("killed.csv"), results, "kill {kill}");
            dir.discard();
            finished.clear();
            continue;
        }
        let now = dir.journal();
        assert!(now.is_superset(&finished), "kill {kill}");
        finished = now;
    }
    dir.ok(command);
    assert_eq!(dir.read("killed.csv"), results);
    assert!(!dir.path("killed.csv.partial").exists());
}

#[test]
fn runs_with_damaged_journal_lines_are_repeated() {
    let dir = SweepDir::new();
    let results = dir.results();
    let command = "sweep sweep.toml --output killed.csv";
    // Build the journal of a killed sweep from the rows of a complete one.
    dir.ok(command);
    let plan = dir.read("killed.csv.tilewalk.json");
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
        fs::remove_file(dir.path("killed.csv")).unwrap();
        fs::write(dir.path("killed.csv.partial"), text).unwrap();
        dir.ok(command);
        assert_eq!(dir.read("killed.csv"), results);
    }
    fs::remove_file(dir.path("killed.csv")).unwrap();
    // Journals of other sweeps and texts of other programs stay as they are.
    for (text, problem) in [
        (journal.replace(hash, &hash.replace('1', "2")), "belongs to another sweep"),
        ("my notes\n".to_owned(), "is not the journal of a sweep"),
    ] {
        fs::write(dir.path("killed.csv.partial"), &text).unwrap();
        let message = dir.refused(command);
        assert!(message.contains(&format!("killed.csv.partial {problem}")), "{message}");
        assert_eq!(dir.read("killed.csv.partial"), text);
    }
}

#[test]
fn no_results_are_lost_when_the_disk_is_full_during_a_sweep_or_merge() {
    let dir = SweepDir::new();
    let results = dir.results();
    let (code, message) = dir.limited("sweep sweep.toml --output killed.csv", 8);
    assert_eq!(code, 2, "{message}");
    assert!(message.contains("cannot write killed.csv.partial: "), "{message}");
    assert!(!dir.path("killed.csv").exists());
    let finished = dir.journal();
    assert!((20..100).contains(&finished.len()), "{}", finished.len());
    dir.ok("sweep sweep.toml --output killed.csv");
    assert_eq!(dir.read("killed.csv"), results);
    dir.ok("sweep plan sweep.toml --shards 2 --output plan");
    let (code, message) = dir.limited("sweep shard plan 0", 4);
    assert_eq!(code, 2, "{message}");
    assert!(message.contains("cannot write"), "{message}");
    assert_eq!(dir.names("plan"), ["plan.json"]);
    dir.ok("sweep shard plan 0");
    dir.ok("sweep shard plan 1");
    let (code, message) = dir.limited("sweep merge plan --output merged.csv", 8);
    assert_eq!(code, 2, "{message}");
    assert!(!dir.path("merged.csv").exists());
    dir.ok("sweep merge plan --output merged.csv");
    assert_eq!(dir.read("merged.csv"), results);
}

#[test]
fn a_sweep_is_refused_while_another_program_writes_its_journal() {
    let dir = SweepDir::new();
    let command = "sweep sweep.toml --output killed.csv";
    dir.ok(command);
    fs::remove_file(dir.path("killed.csv")).unwrap();
    let journal = fs::File::create(dir.path("killed.csv.partial")).unwrap();
    journal.lock().unwrap();
    let message = dir.refused(command);
    assert!(message.contains("another program is writing killed.csv.partial"), "{message}");
    drop(journal);
    dir.ok(command);
}
