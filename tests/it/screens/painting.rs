//! Paint mode: keys, mouse, display.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use tilewalk::files::{self, Options};
use tilewalk::geom::TilePos;

use tilewalk::scenario::sources::FileRole;
use tilewalk::tui::Saved;
use tilewalk::tui::action::Context;
use tilewalk::tui::app::{App, Effect};
use tilewalk::tui::input::{Cell, Input, Key};
use tilewalk::tui::paint::Canvas;

use crate::support::screen::Look;
use crate::support::screen::{complaint, dump, press, said, shipped, typed};

/// The name of the tile the world has there.
fn ground(app: &App, x: i32, y: i32) -> String {
    let map = &app.session().unwrap().scenario().map;
    map.kind(TilePos::new(x, y)).unwrap().name.clone()
}

fn cell(app: &App, x: i32, y: i32) -> Cell {
    app.view().unwrap().cell(TilePos::new(x, y)).expect("in view")
}

/// From one tile to another with the button down.
fn drag(app: &mut App, from: (i32, i32), to: (i32, i32)) -> Option<Effect> {
    let (from, to) = (cell(app, from.0, from.1), cell(app, to.0, to.1));
    app.update(Input::Click(from));
    if from != to {
        app.update(Input::Drag(to));
    }
    app.update(Input::Release)
}

pub fn click(app: &mut App, x: i32, y: i32) -> Option<Effect> {
    drag(app, (x, y), (x, y))
}

pub fn go(app: &mut App, x: i32, y: i32) {
    app.map_mut().paint.as_mut().unwrap().cursor = TilePos::new(x, y);
}

fn text_of(app: &App, place: &FileRole) -> String {
    let draft = app.session().unwrap().draft();
    draft.files().file(place).unwrap().text.to_string()
}

fn runs(app: &App) -> usize {
    app.session().unwrap().history().runs().len()
}

#[test]
fn tiles_are_painted_by_keys_and_the_run_is_made_again() {
    let mut app = shipped("castle", (80, 24));
    typed(&mut app, ":goto 100\n");
    typed(&mut app, "p");
    assert_eq!(app.context(), Context::Paint);
    assert!(
        said(&app).starts_with("paint mode (Space: paint, u: undo, w: write"),
        "{}",
        said(&app)
    );
    // The wall is the first brush; by number, around the end, and from the tile.
    go(&mut app, 20, 1);
    typed(&mut app, " ");
    assert_eq!(ground(&app, 20, 1), "wall");
    assert!(
        said(&app).starts_with("paint wall on (20, 1): run 2 first differs from run 1 at frame 35"),
        "{}",
        said(&app)
    );
    assert_eq!(app.session().unwrap().world().frame().0, 100);
    typed(&mut app, "4");
    press(&mut app, &[Key::Enter]);
    assert_eq!(ground(&app, 20, 1), "water");
    typed(&mut app, "9");
    press(&mut app, &[Key::Tab, Key::Tab, Key::BackTab, Key::Char(' ')]);
    assert_eq!(ground(&app, 20, 1), "gold");
    go(&mut app, 19, 2);
    typed(&mut app, "ikl ");
    assert_eq!(ground(&app, 20, 1), "wall");
    typed(&mut app, " ");
    assert_eq!(said(&app), "paint wall on (20, 1): no change");
    let mut names = vec![];
    for _ in 0..4 {
        typed(&mut app, "u");
        names.push(ground(&app, 20, 1));
    }
    assert_eq!(names, ["gold", "water", "wall", "floor"]);
    let again = "undid paint wall on (20, 1): run 9 (same as run 1) first differs from run";
    assert!(said(&app).starts_with(again), "{}", said(&app));
    typed(&mut app, "u");
    assert_eq!(said(&app), "nothing to undo");
    assert!(!app.session().unwrap().draft().is_unsaved());
    for _ in 0..3 {
        typed(&mut app, "U");
    }
    press(&mut app, &[Key::Ctrl('r'), Key::Ctrl('r')]);
    assert_eq!((ground(&app, 20, 1).as_str(), said(&app).as_str()), ("wall", "nothing to redo"));
}

#[test]
fn lines_and_rectangles_and_strokes_of_the_mouse() {
    let mut app = shipped("castle", (80, 24));
    typed(&mut app, "p");
    // A quick hand leaves no gap, and it is one edit.
    drag(&mut app, (15, 4), (19, 4));
    assert!((15..20).all(|x| ground(&app, x, 4) == "wall"));
    assert!(said(&app).starts_with("paint wall on 5 tiles"), "{}", said(&app));
    typed(&mut app, "ut");
    assert!(said(&app).contains("line"), "{}", said(&app));
    click(&mut app, 15, 4);
    assert_eq!(ground(&app, 15, 4), "floor");
    click(&mut app, 18, 4);
    assert!((15..19).all(|x| ground(&app, x, 4) == "wall"));
    typed(&mut app, "ut");
    drag(&mut app, (25, 5), (22, 4));
    assert!((22..26).all(|x| ground(&app, x, 4) == "wall" && ground(&app, x, 5) == "wall"));
    typed(&mut app, "u ");
    press(&mut app, &[Key::Esc]);
    assert!(app.is_painting(), "the rectangle was given up, not the mode");
    typed(&mut app, "t");
    // The right button takes what is there, and the list can be clicked.
    let tree = cell(&app, 1, 0);
    app.update(Input::RightClick(tree));
    assert_eq!(said(&app), "brush: tree");
    app.update(Input::Click(Cell { x: 5, y: 15 }));
    assert_eq!(app.map().paint.as_ref().unwrap().brush, 3);
    press(&mut app, &[Key::Esc]);
    assert!(!app.is_painting());
}

#[test]
fn a_wall_over_a_start_is_refused_and_a_start_moves() {
    let mut app = shipped("castle", (80, 24));
    typed(&mut app, "p");
    click(&mut app, 13, 1);
    assert!(
        said(&app).starts_with("warning: paint wall on (13, 1): `guard` starts on (13, 1)"),
        "{}",
        said(&app)
    );
    assert_eq!((ground(&app, 13, 1).as_str(), runs(&app)), ("floor", 1));
    drag(&mut app, (13, 1), (15, 1));
    assert!(said(&app).starts_with("move start of guard to (15, 1)"), "{}", said(&app));
    assert!(text_of(&app, &FileRole::Map).contains("at      = [15, 1]\n"));
    // Where it can't stand it is not put.
    drag(&mut app, (15, 1), (0, 3));
    assert!(said(&app).starts_with("warning: move start of guard to (0, 3)"), "{}", said(&app));
    // By keys: taken up, carried, put down.
    go(&mut app, 32, 4);
    typed(&mut app, "g");
    assert!(said(&app).contains("picked up the place gold"), "{}", said(&app));
    typed(&mut app, "kkg");
    assert!(text_of(&app, &FileRole::Map).contains("gold = [32, 2]\n"));
    typed(&mut app, "uu");
    assert!(!app.session().unwrap().draft().is_unsaved());
    typed(&mut app, "g");
    assert!(said(&app).contains("no start or place to pick up on"), "{}", said(&app));
    let mut flock = shipped("flock", (80, 24));
    typed(&mut flock, "pg");
    assert!(
        said(&flock).contains("boid starts at a random tile; set `at = [x, y]` for a fixed start")
    );
}

/// The way of a path is seen without colours, the old one is out of the way, and what a walker can't
/// enter is named.
#[test]
fn a_path_shows_its_way_and_what_is_in_it() {
    let mut app = shipped("castle", (80, 24));
    typed(&mut app, ":draw-path\n");
    assert!(dump(&app).contains("remove last  c open "), "it was closed before");
    typed(&mut app, "c");
    assert!(dump(&app).contains("remove last  c close "));
    click(&mut app, 18, 1);
    let shown = dump(&app);
    assert!(!shown.contains("crosses"), "{shown}");
    assert!(shown.contains("##· ◆→• • • • ◆ ·"), "{shown}");
    go(&mut app, 18, 4);
    let shown = dump(&app);
    assert!(shown.contains("crosses wall (18, 2)"), "{shown}");
    let view = app.view().unwrap();
    let mut buffer = Buffer::empty(app.ui.screen);
    app.draw(&mut buffer);
    let old = view.cell(TilePos::new(29, 5)).unwrap();
    assert_ne!(Some(buffer[(old.x, old.y)].bg), app.ui.setup.theme.pattern.bg, "the old path");
}

#[test]
fn a_path_is_drawn_taken_back_closed_and_undone() {
    let mut app = shipped("castle", (80, 24));
    let pattern = FileRole::Pattern("castle_round".to_owned());
    let before = text_of(&app, &pattern);
    typed(&mut app, ":draw-path\n");
    assert_eq!(app.context(), Context::Draw);
    // It begins where its walker starts.
    press(&mut app, &[Key::Backspace]);
    assert!(said(&app).contains("first vertex is fixed at the start of"), "{}", said(&app));
    typed(&mut app, "w");
    assert!(said(&app).contains("needs at least two vertices"), "{}", said(&app));
    click(&mut app, 29, 1);
    click(&mut app, 29, 4);
    press(&mut app, &[Key::Backspace]);
    click(&mut app, 29, 8);
    click(&mut app, 29, 8);
    assert!(said(&app).starts_with("redraw path castle_round: "), "{}", said(&app));
    let after = text_of(&app, &pattern);
    assert_eq!(after, before.replace(", [0, 7]]", "]"));
    typed(&mut app, "u");
    assert_eq!(text_of(&app, &pattern), before);
    // Given up only when that is said twice.
    typed(&mut app, ":draw-path\n");
    click(&mut app, 29, 1);
    press(&mut app, &[Key::Esc]);
    assert!(said(&app).contains("Esc: discard"), "{}", said(&app));
    press(&mut app, &[Key::Esc]);
    assert!(!app.is_painting());
    // One that isn't there yet is a file to be made; what can't be written stays.
    typed(&mut app, ":draw-path beat\n");
    click(&mut app, 14, 1);
    click(&mut app, 16, 1);
    click(&mut app, 16, 4);
    click(&mut app, 14, 1);
    assert!(said(&app).contains("closed"), "{}", said(&app));
    let Some(Effect::NewPattern(new)) = app.update(Input::Key(Key::Char('w'))) else {
        panic!("no")
    };
    assert!(
        new.text.contains("vertices = [[14, 1], [16, 1], [16, 4]]\nclosed   = true\n"),
        "{}",
        new.text
    );
    app.drawn_pattern(Err("no".to_owned()));
    assert_eq!(app.context(), Context::Draw);
    app.drawn_pattern(Ok("yes".to_owned()));
    assert_eq!(app.context(), Context::Paint);
    typed(&mut app, ":draw-path ../x\n");
    assert!(complaint(&app).contains("invalid pattern name"), "{}", complaint(&app));
    press(&mut app, &[Key::Esc]);
    typed(&mut app, ":draw-path look_round\n");
    assert!(complaint(&app).contains("is not a path"), "{}", complaint(&app));
}

#[test]
fn the_cells_of_a_matrix_are_painted() {
    let mut app = shipped("matrix", (80, 24));
    typed(&mut app, ":draw-matrix\n");
    let Some(Canvas::Matrix(matrix)) = app.map().paint.as_ref().map(|paint| &paint.canvas) else {
        panic!("no")
    };
    let (name, count) = (matrix.name.clone(), matrix.tiles().count());
    let free = (0..10).map(|x| TilePos::new(x, 5)).find(|&tile| !matrix.allows(tile)).expect("one");
    go(&mut app, free.x, free.y);
    typed(&mut app, " ");
    assert!(said(&app).starts_with(&format!("paint 1 cell of matrix {name}: ")), "{}", said(&app));
    let Some(Canvas::Matrix(matrix)) = app.map().paint.as_ref().map(|paint| &paint.canvas) else {
        panic!("no")
    };
    assert!(matrix.allows(free) && matrix.tiles().count() == count + 1);
    // Its segments can't be painted away.
    let drawn = matrix.cells.drawn.first().copied().expect("a segment") + matrix.shift;
    go(&mut app, drawn.x, drawn.y);
    typed(&mut app, "i2 ");
    assert!(said(&app).contains(&format!("a segment of `{name}` contains")), "{}", said(&app));
    typed(&mut app, "u");
    assert!(!app.session().unwrap().draft().is_unsaved());
}

#[test]
fn nothing_painted_is_lost_unasked() {
    let mut app = shipped("castle", (80, 24));
    typed(&mut app, "p");
    go(&mut app, 20, 1);
    typed(&mut app, " ");
    assert!(dump(&app).contains("1 edit not written"));
    press(&mut app, &[Key::Esc]);
    assert!(said(&app).contains("1 edit not written; w: write"), "{}", said(&app));
    press(&mut app, &[Key::Char('o'), Key::Esc]);
    assert!(dump(&app).contains("* unsaved"));
    assert_eq!(app.update(Input::Key(Key::Char('q'))), None);
    assert!(
        said(&app).contains("not written: paint wall on (20, 1); w writes; q again leaves"),
        "{}",
        said(&app)
    );
    // Another key between, and it asks again.
    typed(&mut app, ".");
    assert_eq!(app.update(Input::Key(Key::Char('q'))), None);
    assert_eq!(app.update(Input::Key(Key::Char('q'))), Some(Effect::Quit));
    assert_eq!(app.update(Input::Key(Key::Ctrl('c'))), Some(Effect::Quit));
    let Some(Effect::Write(save)) = app.update(Input::Key(Key::Char('w'))) else { panic!("no") };
    assert_eq!(save.draft.unsaved_count(), 1);
    let text: Arc<str> = text_of(&app, &FileRole::Map).into();
    app.saved(Ok(Saved { message: "wrote it".to_owned(), texts: vec![(FileRole::Map, text)] }));
    press(&mut app, &[Key::Char('o'), Key::Esc]);
    assert!(!dump(&app).contains("* unsaved"));
    assert_eq!(app.update(Input::Key(Key::Char('q'))), Some(Effect::Quit));
    // What was written can be taken back, and is to be written then.
    typed(&mut app, "pu");
    assert!(dump(&app).contains("1 edit not written"));
    assert_eq!(app.update(Input::Key(Key::Char('q'))), None);
    app.saved(Ok(Saved { message: "elsewhere".to_owned(), texts: vec![] }));
    assert_eq!(app.update(Input::Key(Key::Char('q'))), Some(Effect::Quit));
}

#[test]
fn paint_is_a_layer_over_watching() {
    let mut app = shipped("castle", (80, 24));
    typed(&mut app, "p.");
    assert_eq!(app.session().unwrap().world().frame().0, 1);
    assert!(app.is_painting());
    // Lists and help close back into it; a run before is looked at from it.
    typed(&mut app, "o");
    press(&mut app, &[Key::Esc]);
    typed(&mut app, "?");
    press(&mut app, &[Key::Esc]);
    assert_eq!(app.context(), Context::Paint);
    go(&mut app, 20, 1);
    typed(&mut app, " a");
    assert_eq!(ground(&app, 20, 1), "floor");
    typed(&mut app, "a");
    assert_eq!(ground(&app, 20, 1), "wall");
    // Painting in the run before goes on with all that was painted.
    typed(&mut app, "a");
    go(&mut app, 22, 1);
    typed(&mut app, " ");
    assert!(ground(&app, 20, 1) == "wall" && ground(&app, 22, 1) == "wall");
    // Values that were set stay.
    typed(&mut app, ":set guard.patrol.pace=3\n");
    go(&mut app, 24, 1);
    typed(&mut app, " ");
    let session = app.session().unwrap();
    assert_eq!(session.unwritten().len(), 1);
    assert_eq!(ground(&app, 24, 1), "wall");
    typed(&mut app, "p");
    assert!(!app.is_painting());
}

/// What the files were read to hold, as whoever watches them tells it.
fn heard(app: &mut App, files: &tilewalk::scenario::sources::Sources) {
    let loaded = files::reload(&Arc::new(files.clone()), &Options::default()).unwrap();
    let event = files::changed_files::WatcherEvent::Read(Ok(Box::new(loaded)));
    app.receive(files::WatcherMessage { id: "castle".to_owned(), event });
}

#[test]
fn what_was_written_here_is_no_news_however_late_it_is_told() {
    let mut app = shipped("castle", (80, 24));
    typed(&mut app, "p");
    let write = |app: &mut App| {
        let files = app.session().unwrap().draft().files().clone();
        let text = text_of(app, &FileRole::Map).into();
        app.saved(Ok(Saved { message: "wrote it".to_owned(), texts: vec![(FileRole::Map, text)] }));
        files
    };
    go(&mut app, 20, 1);
    typed(&mut app, " ");
    let first = write(&mut app);
    typed(&mut app, "u");
    let second = write(&mut app);
    // The first one was read before the second was written.
    heard(&mut app, &first);
    heard(&mut app, &second);
    assert_eq!((ground(&app, 20, 1).as_str(), runs(&app)), ("floor", 3));
    // Whoever writes the first one again now has changed something.
    heard(&mut app, &first);
    assert_eq!((ground(&app, 20, 1).as_str(), runs(&app)), ("wall", 4));
}
