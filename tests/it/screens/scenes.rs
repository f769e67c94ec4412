//! Every scene has one picture. The scenes of the castle are here.

use tilewalk::depth::Depth;
use tilewalk::files::Options;
use tilewalk::files::config::OnReload;
use tilewalk::tui::app::App;
use tilewalk::tui::input::Key;
use tilewalk::tui::theme::{Name, Theme};

use super::{
    breaks, changes, comparison, event_log, expectations, far, inspector, keys, overlays, paint,
    palette, timeline, tuning, whole, zoom,
};
use crate::support::scene::Scene;
use crate::support::screen::Look;
use crate::support::screen::{Size, command, go_to, message_of, press, shipped, typed};
use crate::support::stage::watching;

/// All scenes of the screen.
pub fn all() -> Vec<Scene> {
    let groups = [
        breaks::scenes,
        changes::scenes,
        event_log::scenes,
        expectations::scenes,
        far::scenes,
        inspector::scenes,
        keys::scenes,
        overlays::scenes,
        paint::scenes,
        palette::scenes,
        comparison::scenes,
        timeline::scenes,
        tuning::scenes,
        whole::scenes,
        zoom::scenes,
        castle_scenes,
        looks,
    ];
    groups.into_iter().flat_map(|scenes| scenes()).collect()
}

#[test]
fn every_scene_has_its_picture() {
    for scene in all() {
        scene.check();
    }
}

/// A map in ASCII and in another theme.
fn looks() -> Vec<Scene> {
    let look = |name, theme, ascii| {
        let make = move |(width, height)| {
            let mut app = watching(width, height);
            press(&mut app, &[Key::Tab, Key::Char('>'), Key::Char('.')]);
            (app.ui.setup.theme, app.ui.setup.ascii) = (Theme::of(theme, Depth::TrueColor), ascii);
            app
        };
        Scene::new(name, (80, 24), make)
    };
    vec![look("ascii", Name::Mono, true), look("light", Name::Light, false)]
}

fn castle(size: Size) -> App {
    let mut app = shipped("castle", size);
    go_to(&mut app, 200);
    app
}

/// The map's file was saved with errors.
fn broken(size: Size) -> App {
    let mut app = castle(size);
    saved(&mut app, "tiles = 3\nagents = []\n");
    app
}

/// The file of the map was saved.
fn saved(app: &mut App, text: &str) {
    app.receive(message_of("castle", text, &Options::default()));
}

/// A name, and what is done at frame 200 of the castle.
type Opened = (&'static str, fn(&mut App));

const OPENED: [Opened; 13] = [
    ("help", |app| typed(app, "?")),
    ("help_filtered", |app| typed(app, "?marker")),
    ("search", |app| typed(app, "/t")),
    ("saved", |app| {
        app.wish_on_reload(OnReload::Ask);
        saved(app, "tiles = '''\n...\n'''\n");
    }),
    ("values_typed", |app| {
        typed(app, "xview");
        press(app, &[Key::Enter, Key::Char('3')]);
    }),
    ("values_wrong", |app| {
        typed(app, "xview");
        press(app, &[Key::Enter, Key::Char('a'), Key::Enter]);
    }),
    ("tile_menu", |app| command(app, "tile-menu")),
    ("answer_long", |app| command(app, "break guard.mode == \"chase\" and thief.tile_x > 3")),
    ("messages", |app| {
        command(app, "goto nowhere");
        press(app, &[Key::Esc]);
        typed(app, "f");
        command(app, "messages");
    }),
    ("about", |app| command(app, "about")),
    ("unbound", |app| typed(app, "n")),
    ("map_alone", |app| typed(app, "t")),
    ("inspector_alone", |app| press(app, &[Key::Enter])),
];

fn castle_scenes() -> Vec<Scene> {
    let opened = |(name, act): Opened| {
        let make = move |size| {
            let mut app = castle(size);
            act(&mut app);
            app
        };
        Scene::new(name, (80, 24), make).beside(castle)
    };
    let mut scenes: Vec<Scene> = OPENED.into_iter().map(opened).collect();
    scenes.push(Scene::new("broken", (80, 24), broken).beside(castle));
    let problems = |size| {
        let mut app = broken(size);
        typed(&mut app, "D");
        app
    };
    scenes.push(Scene::new("problems", (80, 24), problems).beside(broken));
    scenes
}
