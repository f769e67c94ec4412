//! Whatever a person does, the screen survives it and shows what a run without a screen gives.

use proptest::prelude::*;
use tilewalk::tui::action::TABLE;
use tilewalk::tui::app::{App, Effect};
use tilewalk::tui::input::{Cell, Input, Key};

use crate::comfort::shipped;
use crate::stage::{gallery, watching};

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
    let size = prop_oneof![4 => 0..140_u16, 1 => Just(0), 1 => Just(1000)];
    let commands = [
        "goto 40",
        "select ogre",
        "theme light",
        "save a.svg",
        "save-map a.toml",
        "tile-menu",
        "break guard.x > 4",
        "diff seed 3",
        "runs",
        "speed max",
        "set guard.pace=2",
        "goto 0",
    ];
    prop_oneof![
        12 => key().prop_map(Input::Key),
        2 => cell().prop_map(Input::Click),
        2 => cell().prop_map(Input::RightClick),
        2 => cell().prop_map(Input::Drag),
        2 => Just(Input::Release),
        1 => (cell(), any::<bool>()).prop_map(|(at, up)| Input::Wheel { at, up }),
        1 => (size.clone(), size).prop_map(|(width, height)| Input::Resize { width, height }),
        1 => "\\PC{0,20}".prop_map(Input::Paste),
        2 => proptest::sample::select(commands.to_vec()).prop_map(|text| Input::Paste(text.to_owned())),
    ]
}

/// The frame shown is the frame a plain run gives: its scenario, and the commands of its log.
fn is_plain(app: &App) {
    let Some(session) = &app.session else { return };
    let run = session.history().run();
    let world = session.world();
    let mut plain = tilewalk::world::World::new(std::sync::Arc::clone(run.start()));
    for frame in 1..=world.frame().0 {
        tilewalk::step::step_with(&mut plain, run.log().at(tilewalk::time::Frame(frame)));
    }
    assert_eq!(world.hash(), plain.hash(), "at frame {}", world.frame());
}

fn cases(few: u32) -> u32 {
    std::env::var("TILEWALK_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(few)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(150), ..ProptestConfig::default() })]

    #[test]
    fn any_script_is_survived_and_shows_what_a_plain_run_gives(
        inputs in prop::collection::vec((input(), 0..4_u64), 0..50),
        map in 0..4_usize,
    ) {
        let mut app = match map {
            0 => watching(120, 40),
            1 => shipped("castle"),
            2 => shipped("flock"),
            _ => gallery(80, 24),
        };
        for (input, passes) in inputs {
            let leaves = app.update(input) == Some(Effect::Quit);
            for _ in 0..passes {
                let mut left = 20;
                app.pass(std::time::Duration::from_millis(40), || {
                    left -= 1;
                    left > 0
                });
            }
            dump_any(&app);
            if leaves {
                break;
            }
        }
        is_plain(&app);
    }
}

/// Draws, whatever size the screen has.
fn dump_any(app: &App) {
    let mut buffer = ratatui::buffer::Buffer::empty(app.screen);
    tilewalk::tui::draw::draw(app, &mut buffer);
}
