//! Compares the speed of tilewalk with the limit: hand-written code that only moves a flock.
//!
//! `cargo bench -p limit` prints how many times longer tilewalk takes for an agent than the limit takes for a
//! boid. Both run alternately in short slices, and the fastest slice of each counts. The ratios thus hardly
//! depend on other programs.
//!
//! Arguments select cases whose names begin with them: `cargo bench -p limit -- "flock of 10,000"`.
//!
//! With `--check`, ratios are compared with `expected.csv`. The check fails if a ratio is more than 15 % above
//! its expected value in each of three measurements.

#![expect(clippy::print_stdout, reason = "prints the ratios")]
#![expect(clippy::disallowed_methods, reason = "measures time")]

mod kernel;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use kernel::Kernel;
use tilewalk_files::{Options, Origin};
use tilewalk_sim::geom::Instructions;
use tilewalk_sim::step::step;
use tilewalk_sim::world::World;

/// Area per boid in tiles, for 17 neighbours within 4 tiles.
const AREA: f64 = core::f64::consts::PI * 16.0 / 17.0;

fn side(count: usize) -> usize {
    (count as f64 * AREA).sqrt().ceil() as usize
}

fn world(text: String) -> World {
    let origin = Origin::Text { label: "limit.toml".into(), text, set: None };
    let loaded = tilewalk_files::load(&origin, &Options::default()).expect("a map");
    World::new(loaded.scenario.expect("a map without errors"))
}

fn flock(count: usize) -> World {
    let side = side(count);
    world(format!(
        "edges = \"wrap\"\ntiles = '''\n{}'''\n[[agent]]\nname = \"boid\"\nat = \"anywhere\"\n\
         count = {count}\nsteer = [{{ do = \"separation\" }}, {{ do = \"alignment\", weight = 2 }}, \
         {{ do = \"cohesion\" }}, {{ do = \"wander\", weight = 0.25 }}]\n",
        (".".repeat(side) + "\n").repeat(side)
    ))
}

/// Returns agents in rooms with doors.
fn halls(count: usize, steer: &str) -> World {
    let side = ((count as f64).sqrt() * 4.0) as usize + 16;
    let mut rows = String::new();
    for y in 0..side {
        let glyph = |x: usize| match (x % 16, y % 16) {
            (0, 5..=9) | (5..=9, 0) => '.',
            (0, _) | (_, 0) => '#',
            _ => '.',
        };
        rows.extend((0..side).map(glyph));
        rows.push('\n');
    }
    world(format!(
        "tiles = '''\n{rows}'''\n[[agent]]\nname = \"w\"\nat = \"anywhere\"\ncount = {count}\n\
         steer = [{steer}]\n"
    ))
}

/// The expected ratios: name of the case, instructions, ratio.
const EXPECTED: &str = include_str!("../expected.csv");

/// Largest ratio that passes, as a share of the expected one.
const TOLERANCE: f64 = 1.15;

/// Number of measurements of a case that is slower than expected.
const REPEATS: usize = 3;

/// Time for which a case is measured.
const DURATION: Duration = Duration::from_millis(2500);

/// The steering list of wall followers.
const HUG: &str = "{ do = \"hug_walls\" }";

/// The steering list of wanderers.
const WANDER: &str = "{ do = \"avoid_walls\" }, { do = \"wander\" }";

/// Number of agents and boids that a slice moves, at least.
const SLICE: usize = 20_000;

/// Frames in a second of the simulation. Some checks run once a second, so a slice has whole seconds.
const SECOND: usize = 20;

/// A simulation whose speed is compared with the limit.
struct Case {
    name: &'static str,
    world: World,
    agents: usize,
    kernel: Kernel,
    boids: usize,
}

/// The fastest times per agent and per boid, in ns.
struct Times {
    own: f64,
    limit: f64,
}

impl Times {
    fn ratio(&self) -> f64 {
        self.own / self.limit
    }
}

impl Case {
    fn new(name: &'static str, agents: usize, world: World) -> Self {
        let boids = if name.starts_with("flock") { agents } else { 1_000 };
        let mut case =
            Self { name, world, agents, kernel: Kernel::new(boids, side(boids) as f32), boids };
        (0..100.min(1_000_000 / agents)).for_each(|_| step(&mut case.world));
        (0..20).for_each(|_| case.kernel.step());
        case
    }

    fn measure(&mut self) -> Times {
        let (mut own, mut limit) = (f64::INFINITY, f64::INFINITY);
        let start = Instant::now();
        while start.elapsed() < DURATION {
            let (world, kernel) = (&mut self.world, &mut self.kernel);
            own = own.min(time(self.agents, || step(world)));
            limit = limit.min(time(self.boids, || kernel.step()));
        }
        Times { own, limit }
    }
}

/// Returns the time per agent of a slice of steps, in ns.
fn time(agents: usize, mut step: impl FnMut()) -> f64 {
    let steps = (SLICE / agents).next_multiple_of(SECOND).max(SECOND);
    let start = Instant::now();
    (0..steps).for_each(|_| step());
    start.elapsed().as_secs_f64() * 1e9 / (steps * agents) as f64
}

/// Returns the cases whose names begin with one of the given ones, all without a name.
fn cases(names: Vec<String>) -> impl Iterator<Item = Case> {
    let case = |name, agents, world: fn(usize) -> World| (name, agents, world);
    let all = [
        case("flock of 1,000", 1_000, flock),
        case("flock of 10,000", 10_000, flock),
        case("flock of 100,000", 100_000, flock),
        case("wanderers in halls", 2_000, |agents| halls(agents, WANDER)),
        case("wall followers", 2_000, |agents| halls(agents, HUG)),
    ];
    let is_selected =
        move |case: &str| names.is_empty() || names.iter().any(|it| case.starts_with(it.as_str()));
    all.into_iter()
        .filter(move |(name, ..)| is_selected(name))
        .map(|(name, agents, world)| Case::new(name, agents, world(agents)))
}

/// Returns the expected ratio of a case. Returns `None` if none is known for the instructions.
fn expected(name: &str, instructions: &str) -> Option<f64> {
    let mut rows = EXPECTED.lines().map(|line| line.splitn(3, ';').collect::<Vec<_>>());
    let row = rows.find(|row| row[..2] == [name, instructions])?;
    row[2].parse().ok()
}

fn main() -> ExitCode {
    let (options, names): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.starts_with("--"));
    let checks = options.iter().any(|option| option == "--check");
    let instructions = Instructions::all().next().map(|best| best.to_string()).unwrap_or_default();
    println!("with {instructions}: time for an agent and a step, and for a boid of the limit");
    let mut is_slow = false;
    for mut case in cases(names) {
        let expected = expected(case.name, &instructions);
        let is_passed =
            |times: &Times| expected.is_none_or(|most| times.ratio() <= most * TOLERANCE);
        let mut times = case.measure();
        for _ in 1..REPEATS {
            if checks && !is_passed(&times) {
                times = case.measure();
            }
        }
        let wanted =
            expected.map_or("no expected ratio".to_owned(), |it| format!("expected {it:.2}"));
        let Times { own, limit } = times;
        println!(
            "{:20} {own:7.1} ns, limit {limit:5.1} ns: {:5.2} ({wanted})",
            case.name,
            times.ratio()
        );
        is_slow |= checks && !is_passed(&times);
    }
    if is_slow {
        println!("slower than expected; see docs/performance.md");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
