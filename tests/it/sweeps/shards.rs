//! Plans in directories: merged results are those of the local sweep.

use std::fs;

use super::Desk;

impl Desk {
    fn plan(&self, shards: u32) {
        self.ok(&format!("sweep plan sweep.toml --shards {shards} --output plan"));
    }

    fn missing(&self) -> Vec<u32> {
        let list = self.ok("sweep missing plan");
        list.lines().map(|line| line.parse().unwrap()).collect()
    }
}

#[test]
fn merged_shards_are_the_local_sweep() {
    let desk = Desk::new();
    let results = desk.results();
    for shards in [1, 7, 64, 300] {
        desk.plan(shards);
        // The shards run in any order, from the frozen files.
        fs::write(desk.path("yard.toml"), "").unwrap();
        assert_eq!(desk.missing(), (0..shards).collect::<Vec<_>>());
        for index in (0..shards).rev() {
            desk.ok(&format!("sweep shard plan {index}"));
        }
        assert!(desk.missing().is_empty());
        desk.ok("sweep merge plan --output merged.csv");
        assert_eq!(desk.read("merged.csv"), results, "{shards}");
        assert_eq!(desk.read("merged.csv.tilewalk.json"), desk.read("results.csv.tilewalk.json"));
        for name in ["merged.csv", "merged.csv.tilewalk.json"] {
            fs::remove_file(desk.path(name)).unwrap();
        }
        fs::remove_dir_all(desk.path("plan")).unwrap();
        fs::write(desk.path("yard.toml"), super::MAP).unwrap();
    }
}

#[test]
fn the_next_steps_quote_the_directory() {
    let desk = Desk::new();
    let mut plan = desk.command("sweep plan sweep.toml --shards 7 --output");
    let printed = plan.arg("my plan").output().unwrap();
    let expected = "wrote my plan: 240 runs in 7 shards\nnext steps:\n  \
                    tilewalk sweep missing 'my plan' | \
                    parallel --quote tilewalk sweep shard 'my plan'\n  \
                    tilewalk sweep merge 'my plan' --output runs.csv\n";
    assert_eq!(String::from_utf8(printed.stdout).unwrap(), expected);
}

#[test]
fn a_printed_shard_is_the_published_one() {
    let desk = Desk::new();
    desk.plan(7);
    desk.ok("sweep shard plan 3");
    assert_eq!(desk.ok("sweep shard plan 3 --output -"), desk.read("plan/shard-00003.csv"));
    assert_eq!(
        desk.ok("sweep shard plan 3 --output - --jobs 8"),
        desk.read("plan/shard-00003.csv")
    );
    assert_eq!(desk.missing(), [0, 1, 2, 4, 5, 6]);
    let message = desk.refused("sweep shard plan 7");
    assert!(message.contains("no shard 7: the plan has 7 shards"), "{message}");
    let message = desk.refused("sweep merge plan --output merged.csv");
    assert!(message.contains("6 of 7 shards have no result"), "{message}");
    assert!(!desk.path("merged.csv").exists());
}

#[test]
fn a_published_result_is_never_replaced() {
    let desk = Desk::new();
    desk.plan(7);
    desk.ok("sweep shard plan 3");
    desk.ok("sweep shard plan 3");
    assert_eq!(desk.names("plan"), ["plan.json", "shard-00003.csv"]);
    // An intact result of another shard, with the same length and a valid checksum.
    let mine = desk.read("plan/shard-00003.csv");
    let other = mine.replacen(",60,frames,", ",60,until,", 1);
    let body = other.rsplit_once("#tilewalk-shard").unwrap().0;
    let old = mine.rsplit_once("checksum=").unwrap().1.trim();
    let new = format!("{:032x}", xxhash_rust::xxh3::xxh3_128(body.as_bytes()));
    let other = other.replace(old, &new);
    assert_ne!(other, mine);
    fs::write(desk.path("plan/shard-00003.csv"), &other).unwrap();
    let message = desk.refused("sweep shard plan 3");
    assert!(message.contains("plan/shard-00003.csv.conflict"), "{message}");
    assert_eq!(desk.read("plan/shard-00003.csv"), other);
    assert_eq!(desk.read("plan/shard-00003.csv.conflict"), mine);
}

#[test]
fn a_damaged_result_is_missing() {
    let desk = Desk::new();
    desk.plan(7);
    for index in 0..7 {
        desk.ok(&format!("sweep shard plan {index}"));
    }
    let whole = desk.read("plan/shard-00003.csv");
    let middle = whole.len() / 2;
    let flipped = whole.replacen("frames", "framez", 2);
    for damaged in ["", &whole[..1], &whole[..middle], &whole[..whole.len() - 1], &flipped] {
        fs::write(desk.path("plan/shard-00003.csv"), damaged).unwrap();
        assert_eq!(desk.missing(), [3], "{damaged}");
        desk.refused("sweep merge plan --output merged.csv");
        assert!(!desk.path("merged.csv").exists());
        desk.ok("sweep shard plan 3");
        assert_eq!(desk.read("plan/shard-00003.csv"), whole);
        assert_eq!(desk.read("plan/shard-00003.csv.damaged"), damaged);
    }
    // A result of another shard does not count.
    fs::copy(desk.path("plan/shard-00002.csv"), desk.path("plan/shard-00003.csv")).unwrap();
    assert_eq!(desk.missing(), [3]);
}

#[test]
fn a_plan_is_refused_if_anything_in_it_differs() {
    let desk = Desk::new();
    desk.plan(7);
    let plan = desk.read("plan/plan.json");
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
        fs::write(desk.path("plan/plan.json"), changed).unwrap();
        for command in ["shard plan 0", "missing plan", "merge plan --output merged.csv"] {
            let message = desk.refused(&format!("sweep {command}"));
            assert!(message.contains(expected), "{command}: {message}");
        }
        assert_eq!(desk.names("plan"), ["plan.json"]);
    }
    let message = desk.refused("sweep plan sweep.toml --shards 8 --output plan");
    assert!(message.contains("belongs to another sweep"), "{message}");
}

#[test]
fn messages_about_other_plans_name_valid_options() {
    let desk = Desk::new();
    desk.plan(5);
    let message = desk.refused("sweep plan sweep.toml --shards 6 --output plan");
    let expected = "plan has a plan of this sweep with 5 shards: use --shards 5, or choose another \
                    directory\n";
    assert!(message.ends_with(expected), "{message}");
    let changed = desk.read("yard.toml").replace("seed = 4", "seed = 5");
    fs::write(desk.path("yard.toml"), changed).unwrap();
    let message = desk.refused("sweep plan sweep.toml --shards 5 --output plan");
    let expected = "plan belongs to another sweep: choose another directory\n";
    assert!(message.ends_with(expected), "{message}");
    desk.ok("sweep sweep.toml --output other.csv");
    let message = desk.refused("sweep merge plan --output other.csv");
    let expected = "other.csv belongs to another sweep: choose another output\n";
    assert!(message.ends_with(expected), "{message}");
}
