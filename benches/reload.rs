//! How long a saved map takes to be on the screen: 1,000 frames of 1,000 agents made again with it, and
//! compared with the run before: `cargo bench --bench reload`. Each is done once, so it counts by itself.

#![expect(clippy::disallowed_methods, reason = "a benchmark measures real time")]
#![expect(clippy::print_stdout, reason = "a benchmark says what it measured")]
#![expect(clippy::unwrap_used, reason = "the map is the benchmark's own")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use tilewalk::files::{self, Options};
use tilewalk::scenario::Scenario;
use tilewalk::time::Frame;
use tilewalk::tui::Opened;
use tilewalk::tui::session::Session;

const FRAMES: Frame = Frame(1000);

/// 1,000 wanderers on a torus of 64 x 64 tiles.
fn crowd(speed: f32) -> Arc<Scenario> {
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
    let mut session = Session::new(Opened::new("bench", "bench.toml", crowd(4.0)));
    session.go_to(FRAMES);
    while !session.pursue(|| true) {}
    let saved = crowd(3.5);
    let made = timed(|| {
        let incoming = session.take_in(&saved).expect("nothing is edited");
        session.resimulate(incoming);
        while !session.pursue(|| true) {}
    });
    assert_eq!(session.world().frame(), FRAMES);
    println!("1,000 frames of 1,000 agents made again: {made:?}");
    println!("  compared with the run before: {:?}", timed(|| while !session.recall(|| true) {}));
}
