//! How long a frame of the screen takes, up to the bytes for the terminal: 200 × 60 cells, a map of
//! 100 × 60 tiles with a thousand wanderers.
//!
//! The goal is half a millisecond for a frame of a running world.

use std::cell::RefCell;
use std::io::{self, Sink};
use std::time::Duration;

use divan::Bencher;
use ratatui::layout::Rect;
use ratatui::{Terminal, TerminalOptions, Viewport};
use tilewalk::files::{self, Options};
use tilewalk::tui::app::App;
use tilewalk::tui::input::{Input, Key};
use tilewalk::tui::wire::Wire;
use tilewalk::tui::{Opened, Start, theme};

const SCREEN: Rect = Rect { x: 0, y: 0, width: 200, height: 60 };

fn main() {
    divan::main();
}

/// A meadow full of wanderers.
fn crowd() -> Opened {
    meadow(&format!("{}\n", ".".repeat(100)).repeat(60))
}

/// The largest map, with a wall every now and then.
fn country() -> Opened {
    let open = format!("{}\n", ".".repeat(4096));
    let walls = format!("{}\n", "..####....##..##".repeat(256));
    meadow(&format!("{}{walls}", open.repeat(31)).repeat(128))
}

/// A thousand wanderers on some ground.
fn meadow(tiles: &str) -> Opened {
    let map = format!(
        "tiles = '''\n{tiles}'''\n[[agent]]\nname = \"w\"\ncount = 1000\nat = \"anywhere\"\n\
         steer = [{{ do = \"avoid_walls\" }}, {{ do = \"wander\" }}]\n",
    );
    let origin = tilewalk::builtin::text("crowd.toml", map);
    let loaded = files::load(&origin, &Options::default()).expect("a text can be read");
    let scenario = loaded.scenario.expect("a map without errors");
    Opened::new("crowd", "crowd.toml", scenario)
}

fn app() -> App {
    watching(crowd())
}

fn watching(opened: Opened) -> App {
    App::new(
        vec![],
        Start::Map(opened),
        SCREEN,
        theme::Theme::of(theme::Name::Dark, tilewalk::depth::Depth::TrueColor),
    )
    .0
}

fn terminal() -> Terminal<Wire<Sink>> {
    let options = TerminalOptions { viewport: Viewport::Fixed(SCREEN) };
    Terminal::with_options(Wire::new(io::sink()), options).expect("a sink")
}

fn drawn(app: &App, terminal: &mut Terminal<Wire<Sink>>) {
    terminal.draw(|frame| app.draw(frame.buffer_mut())).expect("a sink takes all");
}

/// The drawing of frame after frame; making them doesn't count.
fn frames_of(app: App, bencher: Bencher) {
    let (app, mut terminal) = (RefCell::new(app), terminal());
    drawn(&app.borrow(), &mut terminal);
    bencher
        .with_inputs(|| app.borrow_mut().pass(Duration::from_millis(50), || true))
        .bench_local_values(|_| drawn(&app.borrow(), &mut terminal));
}

/// The drawing of a frame in which every agent may have moved.
#[divan::bench]
fn running(bencher: Bencher) {
    frames_of(app(), bencher);
}

/// The largest map there may be, all of it on the screen.
#[divan::bench]
fn running_on_the_largest_map(bencher: Bencher) {
    let mut app = watching(country());
    app.update(Input::Key(Key::Char('F')));
    frames_of(app, bencher);
}

/// The meadow with the visits of all agents.
#[divan::bench]
fn running_with_visits(bencher: Bencher) {
    let mut app = app();
    for _ in 0..3 {
        app.update(Input::Key(Key::Char('H')));
    }
    frames_of(app, bencher);
}

/// The same with every layer of everybody in view, as far as they are told about.
#[divan::bench]
fn all_overlays_of_all(bencher: Bencher) {
    frames_of(telling_all(), bencher);
}

/// What comes before that: a step, and the explanations of 200 agents.
#[divan::bench]
fn the_step_of_all_overlays(bencher: Bencher) {
    let mut app = telling_all();
    bencher.bench_local(|| app.pass(Duration::from_millis(50), || true));
}

fn telling_all() -> App {
    let mut app = app();
    for key in "oavfwnl".chars() {
        app.update(Input::Key(Key::Char(key)));
    }
    app.update(Input::Key(Key::Esc));
    app
}

/// What comes before it: a step of the world, the copy of the frame before, and the explanation
/// for the inspector.
#[divan::bench]
fn only_the_step(bencher: Bencher) {
    let mut app = app();
    bencher.bench_local(|| app.pass(Duration::from_millis(50), || true));
}

/// A drawing in which nothing has changed.
#[divan::bench]
fn idle(bencher: Bencher) {
    let (mut app, mut terminal) = (app(), terminal());
    app.update(Input::Key(Key::Char(' ')));
    drawn(&app, &mut terminal);
    bencher.bench_local(|| drawn(&app, &mut terminal));
}

/// The whole screen anew.
#[divan::bench]
fn from_nothing(bencher: Bencher) {
    let app = app();
    bencher.with_inputs(terminal).bench_local_refs(|terminal| drawn(&app, terminal));
}
