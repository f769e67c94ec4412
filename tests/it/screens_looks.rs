//! The looks of the main screens: each theme, each depth of colours, and ASCII alone.

use ratatui::buffer::Buffer;
use tilewalk::depth::Depth;
use tilewalk::tui::app::App;
use tilewalk::tui::input::Key;
use tilewalk::tui::theme::{Name, Theme};

use crate::stage::{dump, gallery, press, watching};

/// Frames on, the vagabond's overlays in sight.
fn watch(width: u16, height: u16) -> App {
    let mut app = watching(width, height);
    press(&mut app, &[Key::Tab, Key::Char('>'), Key::Char('.')]);
    app
}

fn help(width: u16, height: u16) -> App {
    let mut app = watch(width, height);
    press(&mut app, &[Key::Char('?')]);
    app
}

type Scene = fn(u16, u16) -> App;
const SCENES: [(&str, Scene); 3] = [("watch", watch), ("gallery", gallery), ("help", help)];

fn check(name: &str, size: (u16, u16), screen: &str) {
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!(format!("looks_{name}_{}x{}", size.0, size.1), screen);
    });
}

#[test]
fn every_theme_in_every_depth() {
    for (scene, make) in SCENES {
        for name in Name::ALL {
            for depth in [Depth::Sixteen, Depth::Indexed, Depth::TrueColor] {
                if name == Name::Mono && depth != Depth::TrueColor {
                    continue;
                }
                let mut app = make(80, 24);
                app.setup.theme = Theme::of(name, depth);
                check(&format!("{scene}_{name}_{}", depth.word()), (80, 24), &dump(&app));
            }
        }
    }
}

#[test]
fn dark_and_mono_on_other_sizes() {
    for size in [(40, 10), (84, 46), (120, 40)] {
        for (scene, make) in SCENES {
            let mut app = make(size.0, size.1);
            app.setup.theme = Theme::of(Name::Dark, Depth::TrueColor);
            check(&format!("{scene}_dark_truecolor"), size, &dump(&app));
            app.setup.theme = Theme::of(Name::Dark, Depth::None);
            check(&format!("{scene}_dark_none"), size, &dump(&app));
        }
    }
}

#[test]
fn ascii_alone() {
    for size in [(80, 24), (120, 40)] {
        for (scene, make) in SCENES {
            let mut app = make(size.0, size.1);
            app.setup.theme = Theme::of(Name::Mono, Depth::None);
            app.setup.ascii = true;
            check(&format!("{scene}_ascii"), size, &dump(&app));
        }
    }
}

/// Every screen there is, with every layer: all its bytes are ASCII, and no sign of ours is lost.
#[test]
fn in_ascii_every_byte_is_ascii() {
    let all_layers: Vec<Key> = "oafhvwnl".chars().map(Key::Char).collect();
    let scripts: [&[Key]; 9] = [
        &[],
        &[Key::Char('>'), Key::Char('>')],
        &[Key::Tab, Key::Tab, Key::Tab, Key::Char('>'), Key::Enter],
        &all_layers,
        &[Key::Char('?'), Key::PageDown],
        &[Key::Char('?'), Key::PageDown, Key::PageDown, Key::PageDown],
        &[Key::Char('/'), Key::Char('a')],
        &[Key::Char('i'), Key::Right],
        &[Key::Char(':')],
    ];
    for (width, height) in [(20, 5), (38, 9), (40, 10), (80, 24), (84, 46), (120, 40), (200, 60)] {
        for script in scripts {
            for make in [watching, gallery] {
                let mut app = make(width, height);
                app.setup.ascii = true;
                press(&mut app, script);
                let mut buffer = Buffer::empty(app.screen);
                app.draw(&mut buffer);
                for cell in buffer.content() {
                    assert!(cell.symbol().is_ascii(), "{} after {script:?}", cell.symbol());
                }
            }
        }
    }
}
