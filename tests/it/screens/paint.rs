//! Scenes of paint mode.

use tilewalk::depth::Depth;
use tilewalk::tui::theme::{Name, Theme};

use super::painting::{click, go};
use crate::support::scene::Scene;
use crate::support::screen::{shipped, typed};

pub fn scenes() -> Vec<Scene> {
    vec![
        Scene::new("paint", (80, 24), |size| {
            let mut app = shipped("castle", size);
            typed(&mut app, "p");
            app
        }),
        Scene::new("paint_wall", (80, 24), |size| {
            let mut app = shipped("castle", size);
            typed(&mut app, ":goto 100\np");
            go(&mut app, 20, 1);
            typed(&mut app, " tt");
            go(&mut app, 21, 4);
            typed(&mut app, " jll");
            app
        }),
        Scene::new("paint_mono", (80, 24), |size| {
            let mut app = shipped("castle", size);
            app.ui.setup.theme = Theme::of(Name::Mono, Depth::None);
            typed(&mut app, "p");
            go(&mut app, 14, 1);
            typed(&mut app, " l");
            app
        }),
        Scene::new("paint_path", (80, 24), |size| {
            let mut app = shipped("castle", size);
            typed(&mut app, ":draw-path\n");
            click(&mut app, 20, 1);
            click(&mut app, 20, 4);
            go(&mut app, 28, 4);
            app
        })
        .needs((80, 24)),
        Scene::new("paint_matrix", (80, 24), |size| {
            let mut app = shipped("matrix", size);
            typed(&mut app, ":draw-matrix\n");
            app
        }),
    ]
}
