//! A shared recording restores the run, the frame, the selection, the camera and the overlays.

use proptest::prelude::*;
use ratatui::layout::Rect;
use tilewalk::debugger::session::Session;
use tilewalk::debugger::{AskedView, ShownRecording};
use tilewalk::files::config::Config;
use tilewalk::files::read::{recorded, recording_block};
use tilewalk::history::shared::shared;
use tilewalk::tui::app::{App, Effect};
use tilewalk::tui::input::{Input, Key};
use tilewalk::tui::settings::{Asked, Settings};
use tilewalk::tui::{Opened, Start};

use crate::support::sample_maps::dark_theme;
use crate::support::screen::{self, Size};

/// Runs `:share`, and returns the recording that the program would write.
fn share(app: &mut App) -> Vec<u8> {
    let effect = {
        screen::type_text(app, ":share");
        app.update(Input::Key(Key::Enter))
    };
    let Some(Effect::Share { path: None, view }) = effect else { panic!("no effect: {effect:?}") };
    shared(app.session().expect("a map").history(), &view).expect("a recording")
}

/// Opens a recording on another screen, as the program does.
fn open(bytes: &[u8], (width, height): Size) -> App {
    let recorded = recorded::from_bytes("view.twr".to_owned(), bytes, std::path::Path::new(""))
        .expect("a recording");
    let shown = ShownRecording::open(&recorded, &AskedView::default()).expect("a run");
    assert_eq!(shown.warning, None);
    let scenario = shown.history.world().scenario().clone();
    let mut opened = Opened::new("view.twr", "view.twr", scenario);
    opened.first = Some(Box::new(shown.view.into()));
    opened.recorded = Some(Box::new(shown.history));
    let area = Rect::new(0, 0, width, height);
    let mut app = App::new(vec![], Start::Map(opened), area, dark_theme()).0;
    app.set_up(&Settings::of(&Config::default(), &Asked::default(), None, |_| None));
    screen::settle(&mut app);
    app
}

fn session(app: &App) -> &Session {
    app.session().expect("a map")
}

/// Keys that change the view or the run. `b` is left out: it opens a command line.
const KEYS: [&str; 24] = [
    "z",
    "Z",
    "F",
    "h",
    "j",
    "k",
    "l",
    "f",
    "t",
    "\t",
    "H",
    "1",
    "3",
    "6",
    ".",
    ">",
    ",",
    ":50\n",
    ":overlay trail\n",
    ":overlay rulers\n",
    "oa\u{1b}",
    "pll \u{1b}",
    "o0\u{1b}",
    "\u{1b}",
];

fn press(app: &mut App, keys: &str) {
    for key in keys.chars() {
        let key = match key {
            '\n' => Key::Enter,
            '\t' => Key::Tab,
            '\u{1b}' => Key::Esc,
            other => Key::Char(other),
        };
        screen::press(app, &[key]);
    }
    // Commands that don't apply leave the command line open.
    screen::press(app, &[Key::Esc]);
}

proptest! {
    #![proptest_config(crate::support::build::cases(24))]
    #[test]
    fn a_shared_view_restores_run_frame_selection_camera_and_overlays(
        name in prop::sample::select(vec!["castle", "big", "torus", "couriers", "predator"]),
        keys in prop::collection::vec(prop::sample::select(&KEYS[..]), 0..16),
        size in prop::sample::select(vec![(80_u16, 24_u16), (120, 40)]),
    ) {
        let mut app = screen::shipped(name, size);
        for keys in keys {
            press(&mut app, keys);
        }
        let bytes = share(&mut app);
        let block = recording_block::encode(&bytes).expect("a small recording");
        let other = open(&recording_block::decode(&block).expect("a block"), size);
        let (map, opened) = (app.map.as_ref().unwrap(), other.map.as_ref().unwrap());
        let (one, two) = (session(&app), session(&other));
        prop_assert_eq!(one.world().frame(), two.world().frame());
        prop_assert_eq!(one.world().hash(), two.world().hash());
        prop_assert_eq!(one.subject(), two.subject());
        prop_assert_eq!(map.view(&app.ui), opened.view(&other.ui));
        prop_assert_eq!(map.camera.follow, opened.camera.follow);
        prop_assert_eq!(map.overlays, opened.overlays);
        prop_assert_eq!((map.inspector.tab, map.panes), (opened.inspector.tab, opened.panes));
        prop_assert_eq!(
            one.history().comparison().is_some(),
            two.history().comparison().is_some()
        );
        prop_assert!(two.history().run().divergence().is_none());
    }
}

#[test]
fn an_unusable_view_is_reported_and_the_recording_opens_without_it() {
    let mut app = screen::shipped("castle", (80, 24));
    screen::go_to(&mut app, 20);
    for (view, why) in [
        ("{", "EOF while parsing an object at line 1 column 1"),
        ("{\"run\":2,\"frame\":3}", "the recording has no run 2"),
        ("{\"run\":1,\"ghost\":1}", "a run can't be compared with itself"),
        ("{\"run\":1,\"frame\":21}", "run 1 ends at frame 20, before frame 21"),
    ] {
        let bytes = shared(session(&app).history(), view).expect("a recording");
        let recorded =
            recorded::from_bytes("view.twr".to_owned(), &bytes, std::path::Path::new(""))
                .expect("a recording");
        let shown = ShownRecording::open(&recorded, &AskedView::default()).expect("a run");
        let expected = format!("the view in the recording is unusable: {why}");
        assert_eq!(shown.warning, Some(expected));
        assert_eq!((shown.view.run, shown.view.frame), (1, 0));
    }
}
