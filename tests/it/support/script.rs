//! Random scripts of keys, mouse events, screen sizes and commands.

use std::sync::Arc;
use std::time::Duration;

use proptest::prelude::*;
use ratatui::buffer::Buffer;
use tilewalk::step::step_with;
use tilewalk::time::Frame;
use tilewalk::tui::action::TABLE;
use tilewalk::tui::app::App;
use tilewalk::tui::input::{Cell, Input, Key};
use tilewalk::world::World;

use super::host::{FakeHost, perform};
use super::sample_maps::opened;

/// Inputs that are sent one after the other, and the number of times that 40 ms pass after them.
pub type Action = (Vec<Input>, u64);

fn key() -> impl Strategy<Value = Key> {
    let known: Vec<Key> = TABLE.iter().flat_map(|entry| entry.keys).copied().collect();
    prop_oneof![
        6 => proptest::sample::select(known),
        2 => proptest::char::range(' ', '~').prop_map(Key::Char),
        1 => any::<char>().prop_map(Key::Char),
    ]
}

fn input() -> impl Strategy<Value = Input> {
    let cell = || (0..130_u16, 0..50_u16).prop_map(|(x, y)| Cell { x, y });
    let size = prop_oneof![8 => 0..140_u16, 1 => Just(0), 1 => Just(1000)];
    prop_oneof![
        12 => key().prop_map(Input::Key),
        2 => cell().prop_map(Input::Click),
        2 => cell().prop_map(Input::RightClick),
        2 => cell().prop_map(Input::Drag),
        2 => Just(Input::Release),
        1 => (cell(), any::<bool>()).prop_map(|(at, up)| Input::Wheel { at, up }),
        1 => (size.clone(), size).prop_map(|(width, height)| Input::Resize { width, height }),
        1 => "\\PC{0,20}".prop_map(Input::Paste),
    ]
}

/// Returns inputs that type and run a command: each name of the table alone, and some with arguments.
fn command() -> impl Strategy<Value = Vec<Input>> {
    let with_arguments = [
        "goto 40",
        "goto 2.5s",
        "goto 0",
        "step 7",
        "select ogre",
        "select boid.7",
        "select thief",
        "theme light",
        "save a.svg",
        "save-map a.toml",
        "write a.toml",
        "break guard.x > 4",
        "break event bump",
        "watch guard.mode",
        "watch boid.3.tile_x",
        "last guard.tile_x",
        "delete-break 1",
        "diff seed 3",
        "diff",
        "speed max",
        "speed 1/4",
        "set guard.pace=2",
        "set boid.steer.2.weight=0",
        "pin ogre",
        "mark here",
        "log guard",
    ];
    let names = TABLE.iter().map(|entry| entry.name.to_owned());
    let lines: Vec<String> = with_arguments.map(str::to_owned).into_iter().chain(names).collect();
    let typed = |line| vec![Input::Key(Key::Char(':')), Input::Paste(line), Input::Key(Key::Enter)];
    proptest::sample::select(lines).prop_map(typed)
}

/// Contents of the map file for a reload: two versions with other agents, and an invalid version.
pub const SAVED: [&str; 3] = [
    r#"tiles = "....."
[[agent]]
name = "guard"
at = [1, 0]
steer = [{ do = "wander" }]
"#,
    r#"tiles = "..#.."
[[agent]]
name = "boid"
at = "anywhere"
count = 3
"#,
    "tiles = 3\n",
];

/// Asserts that the current frame equals that of a plain run with the same scenario and command log.
fn assert_equals_plain_run(app: &App) {
    let Some(session) = app.session() else { return };
    let run = session.history().run();
    let world = session.world();
    let mut plain = World::new(Arc::clone(run.start()));
    for frame in 1..=world.frame().0 {
        step_with(&mut plain, run.log().at(Frame(frame)));
    }
    assert_eq!(world.hash(), plain.hash(), "at frame {}", world.frame());
}

/// Generates an action: one input, or the inputs of a command.
pub fn action() -> impl Strategy<Value = Action> {
    let done = prop_oneof![9 => input().prop_map(|input| vec![input]), 2 => command()];
    (done, 0..4_u64)
}

/// Generates a script of fewer than 50 actions.
pub fn script() -> impl Strategy<Value = Vec<Action>> {
    prop::collection::vec(action(), 0..50)
}

/// Plays a script and draws the screen after each action. Asserts that the last frame equals that of a plain
/// run. `saved` is the text of a map file that is read again.
pub fn play(mut app: App, script: Vec<Action>, saved: &str) {
    let host = FakeHost { saved: saved.to_owned(), ..FakeHost::new(|_| opened()) };
    let mut buffer = Buffer::empty(app.ui.screen);
    for (inputs, passes) in script {
        let mut quits = false;
        for input in inputs {
            let effect = app.update(input);
            quits |= perform(&mut app, effect, &host);
        }
        for _ in 0..passes {
            let mut left = 20;
            app.pass(Duration::from_millis(40), || {
                left -= 1;
                left > 0
            });
        }
        draw_any(&app, &mut buffer);
        if quits {
            break;
        }
    }
    assert_equals_plain_run(&app);
}

/// Draws the screen at its current size.
fn draw_any(app: &App, buffer: &mut Buffer) {
    buffer.resize(app.ui.screen);
    buffer.reset();
    app.draw(buffer);
}
