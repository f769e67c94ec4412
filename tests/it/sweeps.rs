//! Sweeps: results are the same on one thread, on several threads and from shards, even after failures.

mod existing_files;
mod interruptions;
mod measures;
mod series;
mod shards;
mod shipped;

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use tempfile::TempDir;

/// A map with a cat that arrives and a dog that wanders.
const MAP: &str = r#"tiles = """
.........
..~~~..#.
.......#.
"""
seed = 4

[[agent]]
name = "cat"
at = [1, 0]
steer = [{ do = "arrive", target = [5, 0] }]

[[agent]]
name = "dog"
at = "anywhere"
steer = [{ do = "wander" }]

[[expect]]
name = "the dog stays west"
always = "dog.x < 8"
within = 3
"#;

/// A sweep with every kind of measure, and with values of several types.
const SWEEP: &str = r#"
map = "yard.toml"
frames = 60
seeds = 12
until = "distance(cat, dog) < 0.3"

[vary]
"cat.max_speed" = { from = 0.5, to = 2.5, steps = 5 }
"dog.steer.wander.jitter" = [10, 90.5]
tick = [0.05, 0.1]

[measure]
last = { value = "dog.x" }
mean = { value = "dog.x", take = "mean" }
least = { value = "dog.y", take = "min" }
greatest = { value = "dog.speed", take = "max" }
sum = { value = "distance(cat, dog)", take = "sum" }
west = { count = "cat.x >= 2 and cat.x < 4" }
arrived = { first = "cat.x > 5" }
stays = { expect = "the dog stays west" }
"#;

/// A temporary directory with [`MAP`] and [`SWEEP`].
struct SweepDir(TempDir);

impl SweepDir {
    fn new() -> Self {
        let dir = Self(TempDir::new().unwrap());
        fs::write(dir.path("yard.toml"), MAP).unwrap();
        fs::write(dir.path("sweep.toml"), SWEEP).unwrap();
        dir
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Runs a command, and returns its exit code, standard output and standard error.
    fn run(&self, words: &str) -> (i32, String, String) {
        let done = self.command(words).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (done.status.code().unwrap(), text(done.stdout), text(done.stderr))
    }

    fn command(&self, words: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tilewalk"));
        command.current_dir(self.0.path()).args(words.split(' '));
        command
    }

    /// Runs a command that must succeed. Returns its standard output.
    fn ok(&self, words: &str) -> String {
        let (code, out, problems) = self.run(words);
        assert_eq!((code, problems.as_str()), (0, ""), "{words}: {out}");
        out
    }

    /// Runs a command that must be refused, and returns the message.
    fn refused(&self, words: &str) -> String {
        let (code, out, problems) = self.run(words);
        assert_eq!((code, out.as_str()), (2, ""), "{words}: {problems}");
        problems
    }

    /// Runs the sweep, and returns its results as CSV.
    fn results(&self) -> String {
        self.ok("sweep sweep.toml --output results.csv");
        self.read("results.csv")
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
        let entries = fs::read_dir(self.path(folder)).unwrap();
        let mut names: Vec<_> = entries.map(|entry| name(&entry.unwrap().path())).collect();
        names.sort();
        names
    }
}

#[test]
fn sweep_results_do_not_depend_on_the_number_of_threads() {
    let dir = SweepDir::new();
    dir.ok("sweep sweep.toml --output one.csv --jobs 1");
    dir.ok("sweep sweep.toml --output eight.csv --jobs 8");
    let one = dir.read("one.csv");
    assert_eq!(one, dir.read("eight.csv"));
    assert_eq!(one.lines().count(), 1 + 5 * 2 * 2 * 12);
    assert_eq!(dir.read("one.csv.tilewalk.json"), dir.read("eight.csv.tilewalk.json"));
    let expected = ["eight.csv", "eight.csv.tilewalk.json", "one.csv", "one.csv.tilewalk.json"];
    assert_eq!(dir.names(".")[..4], expected);
    let header = "run,seed,cat.max_speed,dog.steer.wander.jitter,tick,last,mean,least,greatest,sum,\
                  west,arrived,stays,frames,end,hash";
    assert_eq!(one.lines().next(), Some(header));
}

#[test]
fn ndjson_results_have_the_same_values_as_csv_results() {
    let dir = SweepDir::new();
    let csv = dir.results();
    dir.ok("sweep sweep.toml --output results.ndjson");
    let json = dir.read("results.ndjson");
    let mut lines = csv.lines();
    let header: Vec<_> = lines.next().unwrap().split(',').collect();
    assert_eq!(lines.clone().count(), json.lines().count());
    for (line, json) in lines.zip(json.lines()) {
        let object: serde_json::Value = serde_json::from_str(json).unwrap();
        for (name, text) in header.iter().zip(line.split(',')) {
            match &object[name] {
                serde_json::Value::Null => assert_eq!(text, ""),
                serde_json::Value::String(word) => assert_eq!(text, word),
                number => assert_eq!(text.parse(), Ok(number.as_f64().unwrap()), "{name}"),
            }
        }
    }
    // The second command reads the existing results to print its table.
    assert!(dir.ok("sweep sweep.toml --output results.ndjson").starts_with("nothing to do"));
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_results_have_the_same_values_as_csv_results() {
    let dir = SweepDir::new();
    dir.results();
    dir.ok("sweep sweep.toml --output results.parquet");
    // The second command reads the file and compares each row with the plan.
    let again = dir.ok("sweep sweep.toml --output results.parquet");
    let tables = |out: &str| out.split_once('\n').unwrap().1.to_owned();
    assert_eq!(tables(&again), tables(&dir.ok("sweep sweep.toml --output results.csv")));
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_results_hold_varied_values_that_mix_numbers_and_texts() {
    let dir = SweepDir::new();
    let sweep = "map = \"yard.toml\"\nframes = 4\nseeds = 2\n\n[vary]\n\
                 \"dog.heading\" = [90, \"random\", 0.5]\n\n[measure]\nx = { value = \"dog.x\" }\n";
    fs::write(dir.path("sweep.toml"), sweep).unwrap();
    dir.ok("sweep sweep.toml --output results.parquet");
    let again = dir.ok("sweep sweep.toml --output results.parquet");
    assert!(again.starts_with("nothing to do"), "{again}");
}

#[cfg(not(feature = "parquet"))]
#[test]
fn parquet_results_need_a_build_with_the_feature_parquet() {
    let message = SweepDir::new().refused("sweep sweep.toml --output results.parquet");
    assert!(message.contains("build tilewalk with `--features parquet`"), "{message}");
}

#[test]
fn the_default_output_name_replaces_only_the_last_extension() {
    let dir = SweepDir::new();
    fs::rename(dir.path("sweep.toml"), dir.path("sweep.v2.toml")).unwrap();
    let out = dir.ok("sweep sweep.v2.toml");
    assert!(out.starts_with("wrote sweep.v2.csv: "), "{out}");
    let expected = ["sweep.v2.csv", "sweep.v2.csv.tilewalk.json", "sweep.v2.toml", "yard.toml"];
    assert_eq!(dir.names("."), expected);
}

#[test]
fn without_restart_a_sweep_replaces_no_results_of_other_sweeps_or_programs() {
    let dir = SweepDir::new();
    let results = dir.results();
    assert!(dir.ok("sweep sweep.toml --output results.csv").starts_with("nothing to do"));
    let changed = dir.read("yard.toml").replace("seed = 4", "seed = 5");
    fs::write(dir.path("yard.toml"), changed).unwrap();
    let message = dir.refused("sweep sweep.toml --output results.csv");
    assert!(message.contains("results.csv belongs to another sweep"), "{message}");
    assert!(message.contains("--restart"), "{message}");
    assert_eq!(dir.read("results.csv"), results);
    dir.ok("sweep sweep.toml --output results.csv --restart");
    assert_ne!(dir.read("results.csv"), results);
    fs::write(dir.path("mine.csv"), "a,b\n").unwrap();
    let message = dir.refused("sweep sweep.toml --output mine.csv");
    assert!(message.contains("which sweep wrote it"), "{message}");
    assert_eq!(dir.read("mine.csv"), "a,b\n");
    let message = dir.refused("sweep sweep.toml --output results.txt");
    assert!(message.contains("must end in .csv or .ndjson"), "{message}");
}

/// A varied value is a part of the line of its run, so it must not contain a line break.
#[test]
fn varied_values_with_line_breaks_are_refused() {
    let dir = SweepDir::new();
    let bird = "[[agent]]\nname = 'bird'\nat = 'anywhere'\n\
                [[agent.mode]]\nname = 'fly'\nsteer = [{ do = 'wander' }]\n\
                switch = [{ when = 'time_in_mode > 1', to = 'rest' }]\n\
                [[agent.mode]]\nname = 'rest'\n";
    fs::write(dir.path("yard.toml"), format!("{MAP}{bird}")).unwrap();
    let sweep = |value: &str| {
        let vary = format!("'bird.fly.switch.1.when' = ['time_in_mode > 1', {value}]");
        let text = format!(
            "map = 'yard.toml'\nframes = 4\nseeds = 2\n[vary]\n{vary}\n\
             [measure]\nx = {{ value = 'dog.x' }}\n"
        );
        fs::write(dir.path("sweep.toml"), text).unwrap();
    };
    for space in ["\\n", "\\r\\n", "\\r"] {
        sweep(&format!("\"time_in_mode > 1{space}and x > 0\""));
        let message = dir.refused("sweep sweep.toml --output results.csv");
        assert!(message.contains("error: a value can't contain a line break"), "{message}");
        assert!(message.contains("sweep.toml:5:"), "{message}");
    }
    sweep("\"time_in_mode > 1 and x > 0\"");
    let (code, _, problems) = dir.run("sweep sweep.toml --output results.csv");
    assert_eq!(code, 0, "{problems}");
}

/// With some seeds, the dog occupies the only start tile of the cat.
#[test]
fn sweep_results_list_a_run_without_a_free_start_tile_as_an_error() {
    let dir = SweepDir::new();
    let map = "tiles = '..#'\nagent = [{ name = 'dog', at = { within = [0, 0, 1, 0] } }, \
               { name = 'cat', at = { within = [0, 0, 0, 0] } }]\n";
    fs::write(dir.path("small.toml"), map).unwrap();
    let sweep = "map = 'small.toml'\nframes = 3\nseeds = 20\n\
                 [measure]\nx = { value = 'cat.x' }\n";
    fs::write(dir.path("small_sweep.toml"), sweep).unwrap();
    let (code, out, problems) = dir.run("sweep small_sweep.toml --output small.csv");
    assert_eq!(code, 1, "{problems}");
    assert!(out.contains("20 runs"), "{out}");
    let rows = dir.read("small.csv");
    let errors = rows.lines().filter(|row| row.ends_with(",,0,error,")).count();
    let good = rows.lines().filter(|row| row.contains(",0.5,3,frames,")).count();
    assert!(errors > 0 && good > 0 && errors + good == 20, "{rows}");
    assert!(problems.contains("no free tile for `cat`"), "{problems}");
    assert!(problems.contains(&format!("{errors} runs ended with an error")), "{problems}");
    // The first seed of a design point can be one without a free start tile.
    let seed = |is_error: bool| {
        let row = rows.lines().skip(1).find(|row| row.contains(",error,") == is_error);
        row.unwrap().split(',').nth(1).unwrap()
    };
    fs::write(dir.path("small.toml"), map.replace("[0, 0, 0, 0]", "[0, 0, 1, 0]")).unwrap();
    let seeds = format!("seeds = [{}, {}]", seed(true), seed(false));
    fs::write(dir.path("small_sweep.toml"), sweep.replace("seeds = 20", &seeds)).unwrap();
    let (code, out, _) = dir.run("eval small_sweep.toml --set cat.at={within=[0,0,0,0]}");
    assert_eq!(code, 1);
    assert!(out.starts_with("{\"runs\":2,\"errors\":1,\"measures\":{\"x\":{\"n\":1,"), "{out}");
}

#[test]
fn a_measure_that_is_not_finite_is_empty_in_csv_and_null_in_json() {
    let dir = SweepDir::new();
    let sweep = "map = 'yard.toml'\nframes = 3\nseeds = 2\n[measure]\n\
                 sum = { value = '9e307 + 0 * cat.x', take = 'sum' }\n\
                 mean = { value = '0 * cat.x - 9e307', take = 'mean' }\n\
                 x = { value = 'cat.x', take = 'min' }\n";
    fs::write(dir.path("large.toml"), sweep).unwrap();
    for output in ["large.csv", "large.ndjson"] {
        dir.ok(&format!("sweep large.toml --output {output}"));
    }
    let rows = dir.read("large.csv");
    assert_eq!(rows.lines().filter(|row| row.contains(",,,1.5,3,frames,")).count(), 2, "{rows}");
    let rows = dir.read("large.ndjson");
    let is_undefined = |row: &&str| row.contains("\"sum\":null,\"mean\":null,");
    assert_eq!(rows.lines().filter(is_undefined).count(), 2, "{rows}");
}

#[test]
fn sweep_best_lists_the_best_design_point_first() {
    let dir = SweepDir::new();
    dir.results();
    let ranked = |words: &str| -> Vec<f64> {
        let text = dir.ok(words);
        let mean = |line: &str| line.split_whitespace().nth(1).unwrap().parse().unwrap();
        text.lines().map(mean).collect()
    };
    let best = ranked("sweep best results.csv --by mean --count 20");
    assert_eq!(best.len(), 20);
    assert!(best.is_sorted_by(|a, b| a >= b));
    let worst = ranked("sweep best results.csv --by mean --lowest --count 20");
    assert!(worst.iter().eq(best.iter().rev()));
    let message = dir.refused("sweep best results.csv --by order");
    assert!(message.contains("unknown measure `order`; known"), "{message}");
}

#[test]
fn eval_and_sweep_compute_the_same_mean() {
    let dir = SweepDir::new();
    dir.results();
    let line = dir.ok(
        "eval sweep.toml --set cat.max_speed=2.5 --set dog.steer.wander.jitter=90.5 --set tick=0.1",
    );
    let json: serde_json::Value = serde_json::from_str(line.trim()).unwrap();
    assert_eq!((&json["runs"], &json["errors"]), (&12.into(), &0.into()));
    let means: Vec<f64> = (dir.read("results.csv").lines().skip(1))
        .filter(|row| row.contains(",2.5,90.5,0.1,"))
        .map(|row| row.split(',').nth(6).unwrap().parse().unwrap())
        .collect();
    let mean = means.iter().sum::<f64>() / 12.0;
    assert_eq!(means.len(), 12);
    assert!((json["measures"]["mean"]["mean"].as_f64().unwrap() - mean).abs() < 1e-12);
}
