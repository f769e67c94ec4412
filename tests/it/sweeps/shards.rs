//! Sweeps that are divided into shards: merged results equal those of a local sweep, and changed or damaged
//! files are found.

use std::fs;

use super::SweepDir;

impl SweepDir {
    fn plan(&self, shards: u32) {
        self.ok(&format!("sweep plan sweep.toml --shards {shards} --output plan"));
    }

    fn missing(&self) -> Vec<u32> {
        let list = self.ok("sweep missing plan");
        list.lines().map(|line| line.parse().unwrap()).collect()
    }
}

#[test]
fn merged_shards_equal_the_results_of_a_local_sweep() {
    let dir = SweepDir::new();
    let results = dir.results();
    for shards in [1, 7, 64, 240] {
        dir.plan(shards);
        // The shards can run in any order. They use the copy of the map in the plan, not the emptied file.
        fs::write(dir.path("yard.toml"), "").unwrap();
        assert_eq!(dir.missing(), (0..shards).collect::<Vec<_>>());
        for index in (0..shards).rev() {
            dir.ok(&format!("sweep shard plan {index}"));
        }
        assert!(dir.missing().is_empty());
        dir.ok("sweep merge plan --output merged.csv");
        assert_eq!(dir.read("merged.csv"), results, "{shards}");
        assert_eq!(dir.read("merged.csv.tilewalk.json"), dir.read("results.csv.tilewalk.json"));
        for name in ["merged.csv", "merged.csv.tilewalk.json"] {
            fs::remove_file(dir.path(name)).unwrap();
        }
        fs::remove_dir_all(dir.path("plan")).unwrap();
        fs::write(dir.path("yard.toml"), super::MAP).unwrap();
    }
}

#[test]
fn more_shards_than_runs_are_refused() {
    let dir = SweepDir::new();
    let message = dir.refused("sweep plan sweep.toml --shards 241 --output plan");
    assert!(message.contains("more shards than runs: use at most --shards 240"), "{message}");
    assert!(!dir.path("plan").exists());
}

#[test]
fn sweep_plan_prints_next_steps_with_the_directory_in_quotes() {
    let dir = SweepDir::new();
    let mut plan = dir.command("sweep plan sweep.toml --shards 7 --output");
    let printed = plan.arg("my plan").output().unwrap();
    let expected = "wrote my plan: 240 runs in 7 shards\nnext steps:\n  \
                    tilewalk sweep missing 'my plan' | \
                    parallel --quote tilewalk sweep shard 'my plan'\n  \
                    tilewalk sweep merge 'my plan' --output runs.csv\n";
    assert_eq!(String::from_utf8(printed.stdout).unwrap(), expected);
}

#[test]
fn a_shard_printed_to_standard_output_equals_its_file_in_the_plan() {
    let dir = SweepDir::new();
    dir.plan(7);
    dir.ok("sweep shard plan 3");
    assert_eq!(dir.ok("sweep shard plan 3 --output -"), dir.read("plan/shard-00003.csv"));
    assert_eq!(dir.ok("sweep shard plan 3 --output - --jobs 8"), dir.read("plan/shard-00003.csv"));
    assert_eq!(dir.missing(), [0, 1, 2, 4, 5, 6]);
    let message = dir.refused("sweep shard plan 7");
    assert!(message.contains("no shard 7: the plan has 7 shards"), "{message}");
    let message = dir.refused("sweep merge plan --output merged.csv");
    assert!(message.contains("6 of 7 shards have no result"), "{message}");
    assert!(!dir.path("merged.csv").exists());
}

#[test]
fn a_shard_never_replaces_an_intact_result_in_the_plan() {
    let dir = SweepDir::new();
    dir.plan(7);
    dir.ok("sweep shard plan 3");
    dir.ok("sweep shard plan 3");
    assert_eq!(dir.names("plan"), ["plan.json", "shard-00003.csv"]);
    // A result for the same shard that differs but has a valid checksum.
    let mine = dir.read("plan/shard-00003.csv");
    let other = mine.replacen(",60,frames,", ",60,until,", 1);
    let body = other.rsplit_once("#tilewalk-shard").unwrap().0;
    let old = mine.rsplit_once("checksum=").unwrap().1.trim();
    let new = format!("{:032x}", xxhash_rust::xxh3::xxh3_128(body.as_bytes()));
    let other = other.replace(old, &new);
    assert_ne!(other, mine);
    fs::write(dir.path("plan/shard-00003.csv"), &other).unwrap();
    let message = dir.refused("sweep shard plan 3");
    assert!(message.contains("plan/shard-00003.csv.conflict"), "{message}");
    assert_eq!(dir.read("plan/shard-00003.csv"), other);
    assert_eq!(dir.read("plan/shard-00003.csv.conflict"), mine);
}

#[test]
fn a_damaged_shard_result_counts_as_missing() {
    let dir = SweepDir::new();
    dir.plan(7);
    for index in 0..7 {
        dir.ok(&format!("sweep shard plan {index}"));
    }
    let whole = dir.read("plan/shard-00003.csv");
    let middle = whole.len() / 2;
    let flipped = whole.replacen("frames", "framez", 2);
    for damaged in ["", &whole[..1], &whole[..middle], &whole[..whole.len() - 1], &flipped] {
        fs::write(dir.path("plan/shard-00003.csv"), damaged).unwrap();
        assert_eq!(dir.missing(), [3], "{damaged}");
        dir.refused("sweep merge plan --output merged.csv");
        assert!(!dir.path("merged.csv").exists());
        dir.ok("sweep shard plan 3");
        assert_eq!(dir.read("plan/shard-00003.csv"), whole);
        assert_eq!(dir.read("plan/shard-00003.csv.damaged"), damaged);
    }
    // A result of another shard in this file does not count, either.
    fs::copy(dir.path("plan/shard-00002.csv"), dir.path("plan/shard-00003.csv")).unwrap();
    assert_eq!(dir.missing(), [3]);
}

#[test]
fn a_changed_or_damaged_plan_is_refused() {
    let dir = SweepDir::new();
    dir.plan(7);
    let plan = dir.read("plan/plan.json");
    let engine = tilewalk::step::ENGINE_REVISION;
    for (from, to, expected) in [
        ("\"format\":1", "\"format\":2", "has format 2"),
        (
            &format!("\"engine\":{engine}"),
            "\"engine\":1",
            &format!("planned with engine 1; this is engine {engine}"),
        ),
        ("seed = 4", "seed = 5", "the plan was changed or damaged"),
        ("\"points\":[[\"0.5\"", "\"points\":[[\"0.6\"", "the plan was changed or damaged"),
        ("{\"hash\"", "{\"hush\"", "is not a sweep plan"),
        ("\"shards\":7", "\"shards\":0", "is not a sweep plan"),
        (&plan[plan.len() / 2..], "", "is not a sweep plan"),
    ] {
        let changed = plan.replacen(from, to, 1);
        assert_ne!(changed, plan, "{from}");
        fs::write(dir.path("plan/plan.json"), changed).unwrap();
        for command in ["shard plan 0", "missing plan", "merge plan --output merged.csv"] {
            let message = dir.refused(&format!("sweep {command}"));
            assert!(message.contains(expected), "{command}: {message}");
        }
        assert_eq!(dir.names("plan"), ["plan.json"]);
    }
    let message = dir.refused("sweep plan sweep.toml --shards 8 --output plan");
    assert!(message.contains("belongs to another sweep"), "{message}");
}

#[test]
fn messages_about_existing_plans_and_results_suggest_valid_options() {
    let dir = SweepDir::new();
    dir.plan(5);
    let message = dir.refused("sweep plan sweep.toml --shards 6 --output plan");
    let expected = "plan has a plan of this sweep with 5 shards: use --shards 5, or choose another \
                    directory\n";
    assert!(message.ends_with(expected), "{message}");
    let changed = dir.read("yard.toml").replace("seed = 4", "seed = 5");
    fs::write(dir.path("yard.toml"), changed).unwrap();
    let message = dir.refused("sweep plan sweep.toml --shards 5 --output plan");
    let expected = "plan belongs to another sweep: choose another directory\n";
    assert!(message.ends_with(expected), "{message}");
    dir.ok("sweep sweep.toml --output other.csv");
    let message = dir.refused("sweep merge plan --output other.csv");
    let expected = "other.csv belongs to another sweep: choose another output\n";
    assert!(message.ends_with(expected), "{message}");
}
