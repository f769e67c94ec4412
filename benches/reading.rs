//! Benchmark of reading large files: time per megabyte, and the most memory in use. Run it with
//! `cargo bench --bench reading`.
//!
//! It measures without divan: each file is read once, by a process of its own, because the operating
//! system reports the most memory per process.

#![expect(clippy::disallowed_methods, reason = "a benchmark measures real time")]
#![expect(clippy::print_stdout, reason = "a benchmark prints its results")]
#![expect(clippy::unwrap_used, reason = "the files are the benchmark's own")]

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use tilewalk::files::{self, Options, Origin, read::recorded};
use tilewalk::history::recorder::Recorder;
use tilewalk::scenario::sources::Sources;

/// Size of most files, in bytes.
const SIZE: usize = 10 << 20;

/// Returns text that repeats an item, of the given length or a little longer.
fn repeated(item: impl Fn(usize) -> String, size: usize) -> String {
    let mut text = String::new();
    for number in 0.. {
        if text.len() >= size {
            break;
        }
        text.push_str(&item(number));
    }
    text
}

/// Returns the files: a name, and the content.
fn written() -> Vec<(&'static str, Vec<u8>)> {
    let agent = |n: usize| format!("[[agent]]\nname = 'a{n}'\nat = [0, 0]\n");
    let map = |rest: String| format!("tiles = '...'\n{rest}").into_bytes();
    let row = format!("{}\n", ".".repeat(4000));
    vec![
        ("agents.toml", map((0..100_000).map(agent).collect())),
        ("too_many_agents.toml", map(repeated(agent, SIZE))),
        ("numbers.toml", map(format!("x = [{}]", repeated(|_| "1,".to_owned(), SIZE)))),
        ("tables.toml", map(format!("x = [{}]", repeated(|_| "{},".to_owned(), SIZE)))),
        ("keys.toml", map(repeated(|n| format!("k{n}=1\n"), SIZE))),
        ("agent_keys.toml", map(agent_keys(125_000))),
        ("more_agent_keys.toml", map(agent_keys(2_000_000))),
        ("dots.toml", map(repeated(|n| format!("a{n}.b.c.d=1\n"), SIZE))),
        ("comments.toml", map(repeated(|_| "# a comment\n".to_owned(), 6 * SIZE))),
        ("tiles.toml", format!("tiles = '''\n{}'''\n", row.repeat(4000)).into_bytes()),
        ("grid.map", grid().into_bytes()),
        ("versions.twr", versions()),
    ]
}

/// Returns an `[[agent]]` table with unknown keys.
fn agent_keys(count: usize) -> String {
    let keys: Vec<String> = (0..count).map(|n| format!("k{n}=1\n")).collect();
    format!("[[agent]]\nname = 'a'\nat = [0, 0]\n{}", keys.concat())
}

/// Returns a `MovingAI` map of 4000 × 4000 tiles.
fn grid() -> String {
    format!(
        "type octile\nheight 4000\nwidth 4000\nmap\n{}",
        format!("{}\n", ".".repeat(4000)).repeat(4000)
    )
}

/// Returns a recording with 20,000 versions of a map.
fn versions() -> Vec<u8> {
    let text = "tiles = '...'\n[[agent]]\nname = 'a'\nat = [0, 0]\n";
    let origin = tilewalk::builtin::text("bench.toml", text);
    let map = files::load(&origin, &Options::default()).unwrap().scenario.unwrap();
    let mut recorder = Recorder::begin(Vec::new()).unwrap();
    for seed in 0..20_000 {
        let sources = Sources { seed: Some(seed), ..Sources::clone(map.sources()) };
        recorder.open(None, &Arc::new(sources)).unwrap();
    }
    recorder.finish().unwrap()
}

/// Reads one file. Prints the result.
fn read(path: &Path) {
    let begin = Instant::now();
    let is_read = if path.extension().is_some_and(|ending| ending == recorded::ENDING) {
        recorded::recording(path).is_ok()
    } else {
        let map = if path.extension().is_some_and(|ending| ending == "toml") {
            Origin::Disk(path.to_owned())
        } else {
            let name = path.file_name().unwrap().to_string_lossy();
            let around = path.with_extension("toml");
            fs::write(&around, format!("tiles_file = '{name}'\n")).unwrap();
            Origin::Disk(around)
        };
        files::load(&map, &Options::default()).is_ok_and(|loaded| loaded.scenario.is_some())
    };
    let seconds = begin.elapsed().as_secs_f64();
    let megabytes = fs::metadata(path).unwrap().len() as f64 / 1e6;
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.map_or("unknown", str::trim);
    let result = if is_read { "read" } else { "refused" };
    let name = path.file_name().unwrap().to_string_lossy();
    let allowed = 0.1 * megabytes + 0.2;
    println!(
        "{name:<22} {megabytes:>6.1} MB  {result:<8} {seconds:>6.2} s of {allowed:>5.2} s  {peak}"
    );
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, command, path] = &*arguments
        && command == "read"
    {
        read(Path::new(path));
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in written() {
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        let read = Command::new(&arguments[0]).arg("read").arg(&path).status();
        assert!(read.unwrap().success(), "{name}");
    }
}
