//! Scenes of paint mode.

use tilewalk::depth::Depth;
use tilewalk::tui::theme::{Name, Theme};

use super::painting::{click, move_cursor};
use crate::support::scene::Scene;
use crate::support::screen::{shipped, type_text};

pub fn scenes() -> Vec<Scene> {
    vec![
        Scene::new("paint", (80, 24), |size| {
            let mut app = shipped("castle", size);
            type_text(&mut app, "p");
            app
        }),
        Scene::new("paint_wall", (80, 24), |size| {
            let mut app = shipped("castle", size);
            type_text(&mut app, ":goto 100\np");
            move_cursor(&mut app, 20, 1);
            type_text(&mut app, " tt");
            move_cursor(&mut app, 21, 4);
            type_text(&mut app, " jll");
            app
        }),
        Scene::new("paint_mono", (80, 24), |size| {
            let mut app = shipped("castle", size);
            app.ui.setup.theme = Theme::of(Name::Mono, Depth::None);
            type_text(&mut app, "p");
            move_cursor(&mut app, 14, 1);
            type_text(&mut app, " l");
            app
        }),
        Scene::new("paint_path", (80, 24), |size| {
            let mut app = shipped("castle", size);
            type_text(&mut app, ":draw-path\n");
            click(&mut app, 20, 1);
            click(&mut app, 20, 4);
            move_cursor(&mut app, 28, 4);
            app
        })
        .min_size((80, 24)),
        Scene::new("paint_matrix", (80, 24), |size| {
            let mut app = shipped("matrix", size);
            type_text(&mut app, ":draw-matrix\n");
            app
        }),
    ]
}
