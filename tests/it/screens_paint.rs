//! What paint mode looks like.

use tilewalk::depth::Depth;
use tilewalk::tui::app::App;
use tilewalk::tui::theme::{Name, Theme};

use crate::painting::{click, go, watching};
use crate::stage::{dump, typed};

fn check(name: &str, sizes: &[(u16, u16)], scene: impl Fn((u16, u16)) -> App) {
    for &(width, height) in sizes {
        let screen = dump(&scene((width, height)));
        insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
            insta::assert_snapshot!(format!("{name}_{width}x{height}"), screen);
        });
    }
}

#[test]
fn the_paint_screen() {
    check("paint", &[(80, 24), (120, 40), (40, 12), (40, 10)], |size| {
        let mut app = watching("castle", size);
        typed(&mut app, "p");
        app
    });
}

#[test]
fn a_wall_on_the_paint_screen() {
    check("paint_wall", &[(80, 24), (120, 40)], |size| {
        let mut app = watching("castle", size);
        typed(&mut app, ":goto 100\np");
        go(&mut app, 20, 1);
        typed(&mut app, " tt");
        go(&mut app, 21, 4);
        typed(&mut app, " jll");
        app
    });
}

#[test]
fn the_paint_screen_without_colours() {
    check("paint_mono", &[(80, 24)], |size| {
        let mut app = watching("castle", size);
        app.setup.theme = Theme::of(Name::Mono, Depth::None);
        typed(&mut app, "p");
        go(&mut app, 14, 1);
        typed(&mut app, " l");
        app
    });
}

#[test]
fn a_path_and_a_matrix_that_are_drawn() {
    check("paint_path", &[(80, 24), (120, 40)], |size| {
        let mut app = watching("castle", size);
        typed(&mut app, ":draw-path\n");
        click(&mut app, 20, 1);
        click(&mut app, 20, 4);
        go(&mut app, 28, 4);
        app
    });
    check("paint_matrix", &[(80, 24)], |size| {
        let mut app = watching("matrix", size);
        typed(&mut app, ":draw-matrix\n");
        app
    });
}
