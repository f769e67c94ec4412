//! Existing files at the output path of a sweep: files of a running sweep or of another program are never
//! lost.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use super::SweepDir;

const RUNNING: &str = "sweep sweep.toml --output running.csv --jobs 1";

impl SweepDir {
    /// Lengthens all runs of the sweep, so that a test can act while the sweep runs.
    fn lengthen_runs(&self) {
        let slow = self.read("sweep.toml").replace("frames = 60", "frames = 3000");
        let slow =
            slow.replace("distance(cat, dog) < 0.3", "false").replace("steps = 5", "steps = 2");
        fs::write(self.path("sweep.toml"), slow).unwrap();
    }

    /// Starts [`RUNNING`], and waits until its journal has some rows.
    fn start(&self) -> Child {
        let child = Command::new(env!("CARGO_BIN_EXE_tilewalk"))
            .current_dir(self.path("."))
            .args(RUNNING.split(' '))
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let has_rows = || {
            let journal = fs::read_to_string(self.path("running.csv.partial")).unwrap_or_default();
            journal.lines().count() > 4
        };
        while !has_rows() {
            thread::sleep(Duration::from_millis(1));
        }
        child
    }

    /// Waits for a running sweep, which must succeed with the given results.
    fn finish(&self, child: Child, results: &str) {
        let done = child.wait_with_output().unwrap();
        let problems = String::from_utf8_lossy(&done.stderr);
        assert_eq!((done.status.code(), &*problems), (Some(0), ""));
        assert_eq!(self.read("running.csv"), results);
    }
}

#[test]
fn restart_and_force_are_refused_while_the_sweep_is_running() {
    let dir = SweepDir::new();
    dir.lengthen_runs();
    let results = dir.results();
    let child = dir.start();
    for option in ["--restart", "--force", "--restart --force"] {
        let message = dir.refused(&format!("{RUNNING} {option}"));
        assert!(message.contains("another program is writing running.csv.partial"), "{message}");
        assert!(dir.path("running.csv.partial").exists(), "{option}");
    }
    dir.finish(child, &results);
    let names = ["running.csv", "running.csv.tilewalk.json"];
    let found: Vec<_> = dir.names(".").into_iter().filter(|it| it.starts_with("run")).collect();
    assert_eq!(found, names);
}

#[test]
fn a_sweep_finishes_after_its_journal_is_deleted() {
    let dir = SweepDir::new();
    dir.lengthen_runs();
    let results = dir.results();
    let child = dir.start();
    fs::remove_file(dir.path("running.csv.partial")).unwrap();
    dir.finish(child, &results);
    // If another file has taken the name of the journal, the sweep does not delete it.
    fs::remove_file(dir.path("running.csv")).unwrap();
    let child = dir.start();
    fs::remove_file(dir.path("running.csv.partial")).unwrap();
    fs::write(dir.path("running.csv.partial"), "another journal").unwrap();
    dir.finish(child, &results);
    assert_eq!(dir.read("running.csv.partial"), "another journal");
}

/// Returns the file extensions of the result formats that this build can write.
fn endings() -> impl Iterator<Item = &'static str> {
    tilewalk::sweep::table::Format::ENDINGS.iter().map(|(ending, _)| *ending)
}

#[test]
fn a_file_that_no_sweep_wrote_is_overwritten_only_with_force() {
    let dir = SweepDir::new();
    for ending in endings() {
        let name = format!("mine.{ending}");
        let command = format!("sweep sweep.toml --output {name}");
        // Either the plan is missing, or it remains from a sweep that was killed.
        for has_plan in [false, true] {
            if has_plan {
                dir.ok(&format!("{command} --restart"));
            } else {
                let _ = fs::remove_file(dir.path(&format!("{name}.tilewalk.json")));
            }
            for text in ["", "a,b\n1,2\n", "{\"a\":1}\n", "run,seed\n"] {
                fs::write(dir.path(&name), text).unwrap();
                for option in ["", " --restart"] {
                    let message = dir.refused(&format!("{command}{option}"));
                    assert!(message.contains(&format!("{name} ")), "{message}");
                    assert!(message.contains("--force"), "{message}");
                    assert_eq!(dir.read(&name), text);
                }
            }
            for option in [" --force", " --restart --force"] {
                fs::write(dir.path(&name), "a,b\n").unwrap();
                assert!(dir.ok(&format!("{command}{option}")).starts_with("wrote "), "{option}");
                assert!(dir.ok(&command).starts_with("nothing to do"), "{option}");
            }
        }
    }
}

#[test]
fn force_alone_keeps_the_results_of_another_sweep() {
    let dir = SweepDir::new();
    let results = dir.results();
    let changed = dir.read("yard.toml").replace("seed = 4", "seed = 5");
    fs::write(dir.path("yard.toml"), changed).unwrap();
    let message = dir.refused("sweep sweep.toml --output results.csv --force");
    assert!(message.contains("results.csv belongs to another sweep"), "{message}");
    assert_eq!(dir.read("results.csv"), results);
}

#[test]
fn a_journal_and_a_plan_that_no_sweep_wrote_are_discarded_only_with_force() {
    let dir = SweepDir::new();
    let command = "sweep sweep.toml --output mine.csv";
    for name in ["mine.csv.partial", "mine.csv.tilewalk.json"] {
        fs::write(dir.path(name), "my notes\n").unwrap();
        for option in ["", " --restart"] {
            let message = dir.refused(&format!("{command}{option}"));
            assert!(message.contains(name) && message.contains("--force"), "{message}");
            assert_eq!(dir.read(name), "my notes\n");
        }
        dir.ok(&format!("{command} --force"));
        for name in ["mine.csv", "mine.csv.tilewalk.json"] {
            fs::remove_file(dir.path(name)).unwrap();
        }
    }
}

#[test]
fn a_refused_sweep_changes_no_file() {
    let dir = SweepDir::new();
    fs::write(dir.path("notes.txt"), "my notes\n").unwrap();
    let before = dir.names(".");
    let message = dir.refused("sweep sweep.toml --output notes.txt --restart");
    assert!(message.contains("must end in .csv or .ndjson"), "{message}");
    assert_eq!((dir.names("."), dir.read("notes.txt")), (before, "my notes\n".to_owned()));
    // The command finds the plan of another sweep before it creates a journal.
    dir.results();
    fs::remove_file(dir.path("results.csv")).unwrap();
    let changed = dir.read("yard.toml").replace("seed = 4", "seed = 5");
    fs::write(dir.path("yard.toml"), changed).unwrap();
    let before = dir.names(".");
    dir.refused("sweep sweep.toml --output results.csv");
    assert_eq!(dir.names("."), before);
}

#[test]
fn damaged_results_name_the_row_and_the_option_that_replaces_them() {
    let dir = SweepDir::new();
    let results = dir.results();
    let lines: Vec<&str> = results.lines().collect();
    let without_row = [&lines[..4], &lines[5..]].concat().join("\n");
    for damaged in [without_row, results.replacen("\n3,", "\n3x,", 1)] {
        fs::write(dir.path("results.csv"), damaged).unwrap();
        for words in ["sweep best results.csv --by mean", "sweep sweep.toml --output results.csv"] {
            let message = dir.refused(words);
            let expected = "cannot read results.csv: the row of run 3 is missing or damaged";
            assert!(message.contains(expected), "{words}: {message}");
            assert!(message.contains("--restart"), "{words}: {message}");
        }
    }
    dir.ok("sweep sweep.toml --output results.csv --restart");
    assert_eq!(dir.read("results.csv"), results);
}
