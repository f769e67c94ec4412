//! Benchmark of the history: time and memory for seeking, and the overhead per step. Run it with
//! `cargo bench --bench history`.
//!
//! It measures without divan, because percentiles are needed instead of means.

#![expect(clippy::disallowed_methods, reason = "a benchmark measures real time")]
#![expect(clippy::print_stdout, reason = "a benchmark prints its results")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use tilewalk::files::{self, Options};
use tilewalk::history::breaks::Breaks;
use tilewalk::history::{DEFAULT_BUDGET, History};
use tilewalk::scenario::Scenario;
use tilewalk::step::step;
use tilewalk::time::Frame;
use tilewalk::world::World;

/// Returns `count` wanderers on a square map with `side` tiles and a wall around it.
fn wanderers(count: usize, side: usize) -> Arc<Scenario> {
    let rows = |y: usize| -> String {
        (0..side)
            .map(|x| if x * y == 0 || x == side - 1 || y == side - 1 { '#' } else { '.' })
            .collect()
    };
    let tiles: Vec<String> = (0..side).map(rows).collect();
    let text = format!(
        "tiles = '''\n{}\n'''\n[[agent]]\nname = \"w\"\nat = \"anywhere\"\ncount = {count}\n\
         steer = [{{ do = \"avoid_walls\" }}, {{ do = \"wander\" }}]\n",
        tiles.join("\n")
    );
    let origin = tilewalk::builtin::text("bench.toml", text);
    let loaded = files::load(&origin, &Options::default()).expect("a map");
    loaded.scenario.expect("a map without errors")
}

fn timed(work: impl FnOnce()) -> Duration {
    let begin = Instant::now();
    work();
    begin.elapsed()
}

/// Prints median, 99th percentile and maximum.
fn print_times(label: &str, mut times: Vec<Duration>) {
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    println!("{label}: median {:?}, p99 {:?}, worst {:?}", at(0.5), at(0.99), at(1.0));
}

/// Simulates `frames` frames and prints the memory use.
fn simulate(scenario: &Arc<Scenario>, frames: u32) -> History {
    let mut history = History::new(Arc::clone(scenario), DEFAULT_BUDGET);
    history.run_frames(frames, &mut Breaks::default(), |_| None, |_| (), || true);
    let resident = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let resident = resident.lines().find(|line| line.starts_with("VmRSS")).unwrap_or("");
    let snapshots = history.run().snapshots();
    println!(
        "  {frames} frames: {} keyframes, {:.1} MiB kept of {} MiB, process {resident}",
        snapshots.keyframes().len(),
        snapshots.bytes() as f64 / 1_048_576.0,
        DEFAULT_BUDGET >> 20,
    );
    history
}

/// Measures 1,000 single steps back from the last frame.
fn step_back(count: usize, frames: u32) {
    let mut history = simulate(&wanderers(count, 256), frames);
    let back = |n: u64| timed(|| history.go_to(Frame(u64::from(frames) - n)));
    print_times(&format!("step back, {count} agents"), (1..=1000).map(back).collect());
}

/// Measures seeks to 300 random frames.
fn seek(count: usize, frames: u32) {
    let mut history = simulate(&wanderers(count, 256), frames);
    let next = |n: &u64| Some(n.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695));
    let targets =
        std::iter::successors(Some(12_345_u64), next).map(|n| (n >> 33) % u64::from(frames));
    let times = targets.take(300).map(|frame| timed(|| history.go_to(Frame(frame)))).collect();
    print_times(&format!("seek, {count} agents"), times);
}

/// Measures the overhead of the history per step. Runs with and without history alternate, so that
/// other load affects both.
fn overhead(count: usize) {
    const FRAMES: u32 = 200;
    let scenario = wanderers(count, 256);
    let mut world = World::new(Arc::clone(&scenario));
    let mut history = History::new(Arc::clone(&scenario), DEFAULT_BUDGET);
    let mut ratios: Vec<f64> = (0..30)
        .map(|_| {
            let plain = timed(|| (0..FRAMES).for_each(|_| step(&mut world)));
            let with_history = timed(|| {
                history.run_frames(FRAMES, &mut Breaks::default(), |_| None, |_| (), || true);
            });
            with_history.as_secs_f64() / plain.as_secs_f64()
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    println!("cost of history, {count} agents: {:+.1} % per step", (ratios[15] - 1.0) * 100.0);
}

fn main() {
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    overhead(100);
    overhead(1000);
    step_back(1000, 20_000);
    step_back(1000, 100_000);
    seek(100, 1_000_000);
}
