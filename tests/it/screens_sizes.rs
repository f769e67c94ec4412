//! Every screen and overlay at nine sizes, and in each depth of colours: what lies over the map, or differs
//! from the plain screen, cut out. So the pictures stay small, and a change shows where it was made.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tilewalk::depth::Depth;
use tilewalk::files::Options;
use tilewalk::files::config::OnReload;
use tilewalk::tui::app::App;
use tilewalk::tui::input::{Cell, Input, Key};
use tilewalk::tui::theme::{Name, Theme};

use crate::inspector::{go_to, keys, shipped};
use crate::stage::{cut, gallery, press, watching};

/// From one that is too small to one that is larger than most; the layout changes between them.
const SIZES: [(u16, u16); 9] =
    [(20, 5), (40, 12), (60, 20), (80, 24), (84, 46), (100, 30), (120, 40), (200, 60), (300, 80)];

const DEPTHS: [Depth; 4] = [Depth::None, Depth::Sixteen, Depth::Indexed, Depth::TrueColor];

/// A name, and what is done in the castle at frame 200.
type Scene = (&'static str, fn(&mut App));

/// Where the plain screen of some scenes is another one.
const BEFORE: [Scene; 4] =
    [("markers", marked), ("breaks", stopping), ("runs", branch), ("problems", broken)];

/// What is opened.
const SCENES: [Scene; 39] = [
    ("palette", |app| keys(app, ":go")),
    ("palette_wrong", |app| command(app, "goto nowhere")),
    ("palette_argument", |app| keys(app, ":select ")),
    ("help", |app| keys(app, "?")),
    ("help_filtered", |app| keys(app, "?marker")),
    ("search", |app| keys(app, "/t")),
    ("layers", |app| keys(app, "o")),
    ("log", |app| keys(app, "L")),
    ("log_filtered", |app| keys(app, "L/guard sees")),
    ("markers", |app| command(app, "markers")),
    ("breaks", |app| keys(app, "B")),
    ("runs", |app| command(app, "runs")),
    ("ghost", branch),
    ("broken", broken),
    ("problems", |app| keys(app, "D")),
    ("saved", |app| {
        app.wish_on_reload(OnReload::Ask);
        saved(app, "tiles = '''\n...\n'''\n");
    }),
    ("values", |app| keys(app, "x")),
    ("values_typed", |app| {
        keys(app, "xview");
        press(app, &[Key::Enter, Key::Char('3')]);
    }),
    ("values_wrong", |app| {
        keys(app, "xview");
        press(app, &[Key::Enter, Key::Char('a'), Key::Enter]);
    }),
    ("tile_menu", |app| command(app, "tile-menu")),
    ("tile", |app| {
        let view = app.view().expect("a map");
        let at = Cell { x: view.area.x + view.area.width / 2, y: view.area.y + 2 };
        app.update(Input::Click(at));
        app.update(Input::Release);
    }),
    ("answer_long", |app| command(app, "break guard.mode == \"chase\" and thief.tile_x > 3")),
    ("messages", |app| {
        command(app, "goto nowhere");
        press(app, &[Key::Esc]);
        keys(app, "f");
        command(app, "messages");
    }),
    ("about", |app| command(app, "about")),
    ("unbound", |app| keys(app, "u")),
    ("driven", |app| keys(app, "i")),
    ("compare", |app| {
        keys(app, "v");
        press(app, &[Key::Tab]);
    }),
    ("compare_bodies", |app| {
        keys(app, "v2");
        press(app, &[Key::Tab]);
    }),
    ("tab_body", |app| keys(app, "2")),
    ("tab_forces", |app| keys(app, "3")),
    ("tab_pattern", |app| keys(app, "4")),
    ("tab_modes", |app| keys(app, "5")),
    ("tab_plots", |app| keys(app, "6")),
    ("tab_events", |app| keys(app, "7")),
    ("map_alone", |app| keys(app, "t")),
    ("inspector_alone", |app| press(app, &[Key::Enter])),
    ("zoomed_in", |app| keys(app, "z")),
    ("zoomed_out", |app| keys(app, "ZZZ")),
    ("visits_and_rulers", |app| keys(app, "HHHor")),
];

fn command(app: &mut App, text: &str) {
    keys(app, &format!(":{text}"));
    press(app, &[Key::Enter]);
}

/// Something else is done in the past: the old future is a ghost.
fn branch(app: &mut App) {
    go_to(app, 150);
    keys(app, "i");
    press(app, &[Key::Up, Key::Esc, Key::Char('.')]);
}

fn marked(app: &mut App) {
    keys(app, "M");
    go_to(app, 40);
    command(app, "mark he wakes");
}

fn stopping(app: &mut App) {
    command(app, "break guard.mode == \"chase\"");
    command(app, "watch thief.tile_x");
    keys(app, "C");
}

fn broken(app: &mut App) {
    saved(app, "tiles = 3\nagents = []\n");
}

/// The file of the map was saved.
fn saved(app: &mut App, text: &str) {
    app.heard(crate::reload::news_of("castle", text, &Options::default()));
}

/// The plain screen of a scene.
fn castle(scene: &str, size: (u16, u16)) -> App {
    let mut app = shipped("castle", size);
    go_to(&mut app, 200);
    if let Some((_, before)) = BEFORE.iter().find(|(name, _)| *name == scene) {
        before(&mut app);
    }
    app
}

fn drawn(app: &App) -> Buffer {
    let mut buffer = Buffer::empty(app.screen);
    app.draw(&mut buffer);
    buffer
}

/// The smallest areas, one below the other, with all cells that differ; few equal rows between two don't
/// part them.
fn differing(a: &Buffer, b: &Buffer, within: Rect) -> Vec<Rect> {
    const NEAR: u16 = 3;
    let mut areas: Vec<Rect> = Vec::new();
    for at in within.positions().filter(|&at| a[at] != b[at]) {
        let cell = Rect::new(at.x, at.y, 1, 1);
        match areas.last_mut() {
            Some(last) if cell.y < last.bottom() + NEAR => *last = last.union(cell),
            _ => areas.push(cell),
        }
    }
    areas
}

/// The parts of a screen above status and footer that differ from the plain one; and these two lines.
fn difference(plain: &App, app: &App) -> String {
    let (before, after) = (drawn(plain), drawn(app));
    let body = Rect { height: app.screen.height.saturating_sub(2), ..app.screen };
    let lines = Rect { y: body.bottom(), height: app.screen.height - body.height, ..app.screen };
    let mut areas = differing(&before, &after, body);
    areas.push(lines);
    let part = |area| format!("{area}\n{}", cut(&after, area, app.setup.theme.screen));
    areas.into_iter().map(part).collect()
}

fn check(name: &str, text: &str) {
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!(name.to_owned(), text);
    });
}

#[test]
fn every_overlay_at_nine_sizes() {
    for (name, act) in SCENES {
        let pictures: String = SIZES
            .map(|size| {
                let (plain, mut app) = (castle(name, size), castle(name, size));
                act(&mut app);
                format!("=== {}x{}\n", size.0, size.1) + &difference(&plain, &app)
            })
            .concat();
        check(&format!("sizes_{name}"), &pictures);
    }
}

#[test]
fn every_overlay_in_each_depth_of_colours() {
    for (name, act) in SCENES {
        let pictures: String = DEPTHS
            .map(|depth| {
                let (mut plain, mut app) = (castle(name, (60, 20)), castle(name, (60, 20)));
                act(&mut app);
                for app in [&mut plain, &mut app] {
                    app.setup.theme = Theme::of(Name::Dark, depth);
                }
                format!("=== {}\n", depth.word()) + &difference(&plain, &app)
            })
            .concat();
        check(&format!("depths_{name}"), &pictures);
    }
}

/// The screens that lie under the overlays, whole.
#[test]
fn the_two_screens_at_the_other_sizes() {
    for (width, height) in [(40, 12), (60, 20), (100, 30), (300, 80)] {
        let mut watch = watching(width, height);
        press(&mut watch, &[Key::Char('>'), Key::Char('.'), Key::Char('.')]);
        for (name, app) in [("path", &watch), ("gallery", &gallery(width, height))] {
            let buffer = drawn(app);
            let picture = cut(&buffer, buffer.area, app.setup.theme.screen);
            check(&format!("{name}_{width}x{height}"), &picture);
        }
    }
}
