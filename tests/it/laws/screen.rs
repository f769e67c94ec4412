//! Random input never breaks the screen, and the screen shows the frames of a plain run.

use std::sync::OnceLock;
use std::time::Duration;

use proptest::prelude::*;
use ratatui::layout::Rect;
use tilewalk::step::step;
use tilewalk::tui::Start;
use tilewalk::tui::app::App;
use tilewalk::tui::input::{Cell, Input, Key};
use tilewalk::world::World;

use crate::support::sample_maps::{dark_theme, opened};
use crate::support::screen::dump;

/// Returns the state hash of a frame of a plain run.
fn plain_hash(frame: u64) -> u64 {
    static HASHES: OnceLock<Vec<u64>> = OnceLock::new();
    let hashes = HASHES.get_or_init(|| {
        let mut world = World::new(opened().scenario);
        let next = |world: &mut World| {
            let hash = world.hash();
            step(world);
            hash
        };
        (0..2000).map(|_| next(&mut world)).collect()
    });
    hashes[frame as usize]
}

#[derive(Debug, Clone)]
enum Action {
    Key(Key),
    Click(u16, u16),
    Wheel(u16, u16, bool),
    Resize(u16, u16),
    Pass(u64),
}

/// Keys that do not change the run.
const KEYS: &str = "1234567{}PEMtfosbB/'\"'.,<>kjc0 \u{1}\u{2}\u{3}\u{4}\u{5}\u{6}\u{7}";

fn action() -> impl Strategy<Value = Action> {
    let keys: Vec<Key> = KEYS.chars().map(key).collect();
    prop_oneof![
        12 => prop::sample::select(keys).prop_map(Action::Key),
        2 => (0..210_u16, 0..64_u16).prop_map(|(x, y)| Action::Click(x, y)),
        1 => (0..210_u16, 0..64_u16, any::<bool>()).prop_map(|(x, y, up)| Action::Wheel(x, y, up)),
        1 => (0..210_u16, 0..64_u16).prop_map(|(x, y)| Action::Resize(x, y)),
        1 => (0..200_u64).prop_map(Action::Pass),
    ]
}

fn key(c: char) -> Key {
    match c {
        '\u{1}' => Key::Enter,
        '\u{2}' => Key::Esc,
        '\u{3}' => Key::Tab,
        '\u{4}' => Key::BackTab,
        '\u{5}' => Key::PageDown,
        '\u{6}' => Key::Up,
        '\u{7}' => Key::Down,
        c => Key::Char(c),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn random_input_causes_no_panic_and_the_screen_shows_frames_of_a_plain_run(
        actions in prop::collection::vec(action(), 1..60)
    ) {
        let mut app = App::new(vec![], Start::Map(opened()), Rect::new(0, 0, 120, 40), dark_theme()).0;
        for action in &actions {
            match *action {
                Action::Key(key) => drop(app.update(Input::Key(key))),
                Action::Click(x, y) => {
                    app.update(Input::Click(Cell { x, y }));
                    app.update(Input::Release);
                }
                Action::Wheel(x, y, up) => drop(app.update(Input::Wheel { at: Cell { x, y }, up })),
                Action::Resize(width, height) => drop(app.update(Input::Resize { width, height })),
                Action::Pass(millis) => {
                    let mut left = 200;
                    app.pass(Duration::from_millis(millis), || {
                        left -= 1;
                        left > 0
                    });
                }
            }
            dump(&app);
            let session = app.session().expect("a map");
            let world = session.world();
            if world.frame().0 < 2000 {
                prop_assert_eq!(world.hash(), plain_hash(world.frame().0), "frame {}", world.frame());
            }
        }
    }
}
