//! Benchmark of a reload: simulates 1,000 frames of 1,000 agents again with the changed map, then
//! compares them with the previous run. Run it with `cargo bench --bench reload`.
//!
//! It measures without divan, because each step is measured only once.

#![expect(clippy::disallowed_methods, reason = "a benchmark measures real time")]
#![expect(clippy::print_stdout, reason = "a benchmark prints its results")]
#![expect(clippy::unwrap_used, reason = "the map is the benchmark's own")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use tilewalk::debugger::session::Session;
use tilewalk::files::{self, Options};
use tilewalk::scenario::Scenario;
use tilewalk::time::Frame;
use tilewalk::tui::Opened;

const FRAMES: Frame = Frame(1000);

/// Returns 1,000 wanderers on a torus of 64 × 64 tiles.
fn wanderers(speed: f32) -> Arc<Scenario> {
    let rows = format!("{}\n", ".".repeat(64)).repeat(64);
    let text = format!(
        "tiles = \"\"\"\n{rows}\"\"\"\nedges = \"wrap\"\n[[agent]]\nname = \"boid\"\n\
         at = \"anywhere\"\ncount = 1000\nbody = {{ max_speed = {speed} }}\n\
         steer = [{{ do = \"separation\" }}, {{ do = \"wander\" }}]\n",
    );
    let origin = tilewalk::builtin::text("bench.toml", text);
    files::load(&origin, &Options::default()).unwrap().scenario.expect("a map without errors")
}

fn timed(work: impl FnOnce()) -> Duration {
    let begin = Instant::now();
    work();
    begin.elapsed()
}

fn main() {
    let mut session = Session::new(Opened::new("bench", "bench.toml", wanderers(4.0)));
    session.go_to(FRAMES);
    while !session.pursue(|| true) {}
    let changed = wanderers(3.5);
    let resimulated = timed(|| {
        let incoming = session.take_in(&changed).expect("nothing is edited");
        session.resimulate(incoming);
        while !session.pursue(|| true) {}
    });
    assert_eq!(session.world().frame(), FRAMES);
    println!("1,000 frames of 1,000 agents simulated again: {resimulated:?}");
    println!("  compared with the previous run: {:?}", timed(|| while !session.recall(|| true) {}));
}
