//! How long it takes to go back, how much that needs, and what it costs a running step:
//! `cargo bench --bench history`. Percentiles matter more than means here, so it counts by itself.

#![expect(clippy::disallowed_methods, reason = "a benchmark measures real time")]
#![expect(clippy::print_stdout, reason = "a benchmark says what it measured")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use tilewalk::files::{self, Options};
use tilewalk::history::breaks::Breaks;
use tilewalk::history::{DEFAULT_BUDGET, History};
use tilewalk::scenario::Scenario;
use tilewalk::step::step;
use tilewalk::time::Frame;
use tilewalk::world::World;

/// So many wanderers on a walled map of so many tiles a side.
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

/// Says how the times are spread.
fn tell(what: &str, mut times: Vec<Duration>) {
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    println!("{what}: median {:?}, p99 {:?}, worst {:?}", at(0.5), at(0.99), at(1.0));
}

fn recorded(scenario: &Arc<Scenario>, frames: u32) -> History {
    let mut history = History::new(Arc::clone(scenario), DEFAULT_BUDGET);
    history.run_on(frames, &mut Breaks::default(), |_| None, |_| (), || true);
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

/// Steps back a thousand frames, one after the other, from the end.
fn step_back(count: usize, frames: u32) {
    let mut history = recorded(&wanderers(count, 256), frames);
    let back = |n: u64| timed(|| history.go_to(Frame(u64::from(frames) - n)));
    tell(&format!("step back, {count} agents"), (1..=1000).map(back).collect());
}

/// Goes to frames here and there.
fn seek(count: usize, frames: u32) {
    let mut history = recorded(&wanderers(count, 256), frames);
    let next = |n: &u64| Some(n.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695));
    let places =
        std::iter::successors(Some(12_345_u64), next).map(|n| (n >> 33) % u64::from(frames));
    let times = places.take(300).map(|frame| timed(|| history.go_to(Frame(frame)))).collect();
    tell(&format!("seek, {count} agents"), times);
}

/// What history costs a running step, in pairs of runs so that a busy machine hits both.
fn cost(count: usize) {
    const FRAMES: u32 = 200;
    let scenario = wanderers(count, 256);
    let mut world = World::new(Arc::clone(&scenario));
    let mut history = History::new(Arc::clone(&scenario), DEFAULT_BUDGET);
    let mut ratios: Vec<f64> = (0..30)
        .map(|_| {
            let plain = timed(|| (0..FRAMES).for_each(|_| step(&mut world)));
            let kept = timed(|| {
                history.run_on(FRAMES, &mut Breaks::default(), |_| None, |_| (), || true);
            });
            kept.as_secs_f64() / plain.as_secs_f64()
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    println!("cost of history, {count} agents: {:+.1} % a step", (ratios[15] - 1.0) * 100.0);
}

fn main() {
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    cost(100);
    cost(1000);
    step_back(1000, 20_000);
    step_back(1000, 100_000);
    seek(100, 1_000_000);
}
