//! Checks the pictures of all scenes, and defines the scenes of the castle and of the themes.

use tilewalk::depth::Depth;
use tilewalk::files::Options;
use tilewalk::files::config::OnReload;
use tilewalk::tui::app::App;
use tilewalk::tui::input::Key;
use tilewalk::tui::theme::{Name, Theme};

use super::{
    breakpoints, changing_values, comparison, event_log, expectations, fitted_maps, inspector,
    manual_control, map_screen, overlays, paint_scenes, palette, timeline, unsaved_changes, zoom,
};
use crate::support::sample_maps::map_screen;
use crate::support::scene::Scene;
use crate::support::screen::{
    Look, Size, command, go_to, press, saved_message, shipped, type_text,
};

/// Returns the scenes of all modules.
pub fn all() -> Vec<Scene> {
    let groups = [
        breakpoints::scenes,
        unsaved_changes::scenes,
        event_log::scenes,
        expectations::scenes,
        fitted_maps::scenes,
        inspector::scenes,
        manual_control::scenes,
        overlays::scenes,
        paint_scenes::scenes,
        palette::scenes,
        comparison::scenes,
        timeline::scenes,
        changing_values::scenes,
        map_screen::scenes,
        zoom::scenes,
        castle_scenes,
        theme_scenes,
    ];
    groups.into_iter().flat_map(|scenes| scenes()).collect()
}

#[test]
fn every_scene_matches_its_picture() {
    for scene in all() {
        scene.check();
    }
}

/// The sample map in ASCII, and in the light theme.
fn theme_scenes() -> Vec<Scene> {
    let scene = |name, theme, ascii| {
        let make = move |(width, height)| {
            let mut app = map_screen(width, height);
            press(&mut app, &[Key::Tab, Key::Char('>'), Key::Char('.')]);
            (app.ui.setup.theme, app.ui.setup.ascii) = (Theme::of(theme, Depth::TrueColor), ascii);
            app
        };
        Scene::new(name, (80, 24), make)
    };
    vec![scene("ascii", Name::Mono, true), scene("light", Name::Light, false)]
}

fn castle(size: Size) -> App {
    let mut app = shipped("castle", size);
    go_to(&mut app, 200);
    app
}

/// The castle after its file was saved with errors.
fn broken(size: Size) -> App {
    let mut app = castle(size);
    saved(&mut app, "tiles = 3\nagents = []\n");
    app
}

/// Reports to the screen that the castle was saved with this text.
fn saved(app: &mut App, text: &str) {
    app.receive(saved_message("castle", text, &Options::default()));
}

/// The name of a scene, and the action on the castle at frame 200 that leads to it.
type SceneAction = (&'static str, fn(&mut App));

const ACTIONS: [SceneAction; 13] = [
    ("help", |app| type_text(app, "?")),
    ("help_filtered", |app| type_text(app, "?marker")),
    ("search", |app| type_text(app, "/t")),
    ("saved", |app| {
        app.wish_on_reload(OnReload::Ask);
        saved(app, "tiles = '''\n...\n'''\n");
    }),
    ("values_typed", |app| {
        type_text(app, "xview");
        press(app, &[Key::Enter, Key::Char('3')]);
    }),
    ("values_wrong", |app| {
        type_text(app, "xview");
        press(app, &[Key::Enter, Key::Char('a'), Key::Enter]);
    }),
    ("tile_menu", |app| command(app, "tile-menu")),
    ("answer_long", |app| command(app, "break guard.mode == \"chase\" and thief.tile_x > 3")),
    ("messages", |app| {
        command(app, "goto nowhere");
        press(app, &[Key::Esc]);
        type_text(app, "f");
        command(app, "messages");
    }),
    ("about", |app| command(app, "about")),
    ("unbound", |app| type_text(app, "n")),
    ("map_alone", |app| type_text(app, "t")),
    ("inspector_alone", |app| press(app, &[Key::Enter])),
];

fn castle_scenes() -> Vec<Scene> {
    let scene = |(name, action): SceneAction| {
        let make = move |size| {
            let mut app = castle(size);
            action(&mut app);
            app
        };
        Scene::new(name, (80, 24), make).differing_from(castle)
    };
    let mut scenes: Vec<Scene> = ACTIONS.into_iter().map(scene).collect();
    scenes.push(Scene::new("broken", (80, 24), broken).differing_from(castle));
    let problems = |size| {
        let mut app = broken(size);
        type_text(&mut app, "D");
        app
    };
    scenes.push(Scene::new("problems", (80, 24), problems).differing_from(broken));
    scenes
}
