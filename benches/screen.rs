//! Benchmark of drawing, including the bytes for the terminal: `cargo bench --bench screen`.
//!
//! The screen has 200 × 60 cells. The map has 100 × 60 tiles and 1,000 wanderers, unless stated
//! otherwise. The goal is 0.5 ms per frame while playing.

use std::cell::RefCell;
use std::io::{self, Sink};
use std::time::Duration;

use divan::Bencher;
use ratatui::layout::Rect;
use ratatui::{Terminal, TerminalOptions, Viewport};
use tilewalk::files::{self, Options};
use tilewalk::tui::app::App;
use tilewalk::tui::input::{Cell, Input, Key};
use tilewalk::tui::wire::TerminalBackend;
use tilewalk::tui::{Opened, Start, theme};

const SCREEN: Rect = Rect { x: 0, y: 0, width: 200, height: 60 };

fn main() {
    divan::main();
}

/// Returns an open map of 100 × 60 tiles with wanderers.
fn small_map() -> Opened {
    map_with_wanderers(&format!("{}\n", ".".repeat(100)).repeat(60))
}

/// Returns a map of the maximum size, with scattered walls and wanderers.
fn largest_map() -> Opened {
    let open = format!("{}\n", ".".repeat(4096));
    let walls = format!("{}\n", "..####....##..##".repeat(256));
    map_with_wanderers(&format!("{}{walls}", open.repeat(31)).repeat(128))
}

/// Returns a square map of rooms and corridors in rock.
fn dungeon(side: usize) -> Opened {
    let row = |y: usize| -> String {
        let open = |x: usize| {
            (y % 16 < 7 && x % 24 < 9) || y % 16 == 3 || (x % 24 == 5 && !y.is_multiple_of(5))
        };
        (0..side).map(|x| if open(x) { '.' } else { '#' }).chain(['\n']).collect()
    };
    map_with_wanderers(&(0..side).map(row).collect::<String>())
}

/// Returns a map with 1,000 wanderers.
fn map_with_wanderers(tiles: &str) -> Opened {
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
    app_with(small_map())
}

fn app_with(opened: Opened) -> App {
    App::new(
        vec![],
        Start::Map(opened),
        SCREEN,
        theme::Theme::of(theme::Name::Dark, tilewalk::depth::Depth::TrueColor),
    )
    .0
}

fn terminal() -> Terminal<TerminalBackend<Sink>> {
    let options = TerminalOptions { viewport: Viewport::Fixed(SCREEN) };
    Terminal::with_options(TerminalBackend::new(io::sink()), options).expect("a sink")
}

fn draw_frame(app: &App, terminal: &mut Terminal<TerminalBackend<Sink>>) {
    terminal.draw(|frame| app.draw(frame.buffer_mut())).expect("a sink accepts all bytes");
}

/// Measures the drawing of consecutive frames, without their simulation.
fn bench_drawing(app: App, bencher: Bencher) {
    let (app, mut terminal) = (RefCell::new(app), terminal());
    draw_frame(&app.borrow(), &mut terminal);
    bencher
        .with_inputs(|| app.borrow_mut().pass(Duration::from_millis(50), || true))
        .bench_local_values(|_| draw_frame(&app.borrow(), &mut terminal));
}

/// Draws frames in which every agent may have moved.
#[divan::bench]
fn playing(bencher: Bencher) {
    bench_drawing(app(), bencher);
}

/// Draws a map of the maximum size, all of it in view.
#[divan::bench]
fn playing_on_the_largest_map(bencher: Bencher) {
    let mut app = app_with(largest_map());
    app.update(Input::Key(Key::Char('F')));
    bench_drawing(app, bencher);
}

/// Draws and pans with the mouse on a dungeon with 1,000 wanderers. `side` is the side length of
/// the map: dragging on a large map takes as long as on a small one.
#[divan::bench(args = [256, 4096])]
fn dragging(bencher: Bencher, side: usize) {
    let (mut app, mut terminal) = (app_with(dungeon(side)), terminal());
    app.update(Input::Key(Key::Char(' ')));
    let [from, to] = [Cell { x: 60, y: 20 }, Cell { x: 63, y: 22 }];
    bencher.bench_local(|| {
        app.update(Input::Click(from));
        app.update(Input::Drag(to));
        app.update(Input::Release);
        draw_frame(&app, &mut terminal);
    });
}

/// Simulates and draws frames that follow the selected agent on a dungeon.
#[divan::bench(args = [256, 4096])]
fn following(bencher: Bencher, side: usize) {
    let (mut app, mut terminal) = (app_with(dungeon(side)), terminal());
    app.update(Input::Key(Key::Tab));
    app.map.as_mut().expect("a map").camera.follow = true;
    bencher.bench_local(|| {
        app.pass(Duration::from_millis(50), || true);
        draw_frame(&app, &mut terminal);
    });
}

/// Selects the next agent and draws the fitted dungeon.
#[divan::bench(args = [256, 4096])]
fn selecting_on_a_fitted_map(bencher: Bencher, side: usize) {
    let (mut app, mut terminal) = (app_with(dungeon(side)), terminal());
    app.update(Input::Key(Key::Char(' ')));
    app.update(Input::Key(Key::Char('F')));
    bencher.bench_local(|| {
        app.update(Input::Key(Key::Tab));
        draw_frame(&app, &mut terminal);
    });
}

/// Draws frames with the heat map of all agents.
#[divan::bench]
fn playing_with_heat_map(bencher: Bencher) {
    let mut app = app();
    for _ in 0..3 {
        app.update(Input::Key(Key::Char('H')));
    }
    bench_drawing(app, bencher);
}

/// Draws frames with all overlays of all visible agents, up to the limit of explained agents.
#[divan::bench]
fn playing_with_all_overlays(bencher: Bencher) {
    bench_drawing(app_with_overlays(), bencher);
}

/// Simulates a frame and explains 200 agents, without drawing.
#[divan::bench]
fn step_with_all_overlays(bencher: Bencher) {
    let mut app = app_with_overlays();
    bencher.bench_local(|| app.pass(Duration::from_millis(50), || true));
}

/// Returns an app with all overlays enabled for all agents.
fn app_with_overlays() -> App {
    let mut app = app();
    for key in "oavfwnl".chars() {
        app.update(Input::Key(Key::Char(key)));
    }
    app.update(Input::Key(Key::Esc));
    app
}

/// Simulates a frame, copies the previous one and explains the selected agent, without drawing.
#[divan::bench]
fn step_without_overlays(bencher: Bencher) {
    let mut app = app();
    bencher.bench_local(|| app.pass(Duration::from_millis(50), || true));
}

/// Draws an unchanged frame.
#[divan::bench]
fn idle(bencher: Bencher) {
    let (mut app, mut terminal) = (app(), terminal());
    app.update(Input::Key(Key::Char(' ')));
    draw_frame(&app, &mut terminal);
    bencher.bench_local(|| draw_frame(&app, &mut terminal));
}

/// Draws the first frame on an empty terminal.
#[divan::bench]
fn first_frame(bencher: Bencher) {
    let app = app();
    bencher.with_inputs(terminal).bench_local_refs(|terminal| draw_frame(&app, terminal));
}
