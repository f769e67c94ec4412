//! Paint mode: tiles, starts, places, paths and matrices, with keys and the mouse. Also undo and writing.

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

use crate::support::screen::{Look, command_error, dump, press, shipped, shown_message, type_text};

/// Returns the name of a tile in the world.
fn tile_name(app: &App, x: i32, y: i32) -> String {
    let map = app.session().unwrap().scenario().map();
    map.kind(TilePos::new(x, y)).unwrap().name.clone()
}

fn cell(app: &App, x: i32, y: i32) -> Cell {
    app.view().unwrap().cell(TilePos::new(x, y)).expect("in view")
}

/// Drags the mouse from one tile to another.
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

pub fn move_cursor(app: &mut App, x: i32, y: i32) {
    app.map_mut().paint.as_mut().unwrap().cursor = TilePos::new(x, y);
}

fn text_of(app: &App, role: &FileRole) -> String {
    let draft = app.session().unwrap().draft();
    draft.files().file(role).unwrap().text.to_string()
}

fn runs(app: &App) -> usize {
    app.session().unwrap().history().runs().len()
}

#[test]
fn painting_with_keys_simulates_the_run_again() {
    let mut app = shipped("castle", (80, 24));
    type_text(&mut app, ":goto 100\n");
    type_text(&mut app, "p");
    assert_eq!(app.context(), Context::Paint);
    assert!(
        shown_message(&app).starts_with("paint mode (Space: paint, u: undo, w: write"),
        "{}",
        shown_message(&app)
    );
    // At first, the brush is the wall. Other brushes are selected by number, with Tab, or from a tile.
    move_cursor(&mut app, 20, 1);
    type_text(&mut app, " ");
    assert_eq!(tile_name(&app, 20, 1), "wall");
    assert!(
        shown_message(&app)
            .starts_with("paint wall on (20, 1): run 2 first differs from run 1 at frame 35"),
        "{}",
        shown_message(&app)
    );
    assert_eq!(app.session().unwrap().world().frame().0, 100);
    type_text(&mut app, "4");
    press(&mut app, &[Key::Enter]);
    assert_eq!(tile_name(&app, 20, 1), "water");
    type_text(&mut app, "9");
    press(&mut app, &[Key::Tab, Key::Tab, Key::BackTab, Key::Char(' ')]);
    assert_eq!(tile_name(&app, 20, 1), "gold");
    move_cursor(&mut app, 19, 2);
    type_text(&mut app, "ikl ");
    assert_eq!(tile_name(&app, 20, 1), "wall");
    type_text(&mut app, " ");
    assert_eq!(shown_message(&app), "paint wall on (20, 1): no change");
    let mut names = vec![];
    for _ in 0..4 {
        type_text(&mut app, "u");
        names.push(tile_name(&app, 20, 1));
    }
    assert_eq!(names, ["gold", "water", "wall", "floor"]);
    let expected = "undid paint wall on (20, 1): run 9 (same as run 1) first differs from run";
    assert!(shown_message(&app).starts_with(expected), "{}", shown_message(&app));
    type_text(&mut app, "u");
    assert_eq!(shown_message(&app), "nothing to undo");
    assert!(!app.session().unwrap().draft().is_unsaved());
    for _ in 0..3 {
        type_text(&mut app, "U");
    }
    press(&mut app, &[Key::Ctrl('r'), Key::Ctrl('r')]);
    assert_eq!(
        (tile_name(&app, 20, 1).as_str(), shown_message(&app).as_str()),
        ("wall", "nothing to redo")
    );
}

#[test]
fn the_mouse_paints_strokes_lines_and_rectangles() {
    let mut app = shipped("castle", (80, 24));
    type_text(&mut app, "p");
    // A fast stroke has no gaps and is one edit.
    drag(&mut app, (15, 4), (19, 4));
    assert!((15..20).all(|x| tile_name(&app, x, 4) == "wall"));
    assert!(shown_message(&app).starts_with("paint wall on 5 tiles"), "{}", shown_message(&app));
    type_text(&mut app, "ut");
    assert!(shown_message(&app).contains("line"), "{}", shown_message(&app));
    click(&mut app, 15, 4);
    assert_eq!(tile_name(&app, 15, 4), "floor");
    click(&mut app, 18, 4);
    assert!((15..19).all(|x| tile_name(&app, x, 4) == "wall"));
    type_text(&mut app, "ut");
    drag(&mut app, (25, 5), (22, 4));
    assert!((22..26).all(|x| tile_name(&app, x, 4) == "wall" && tile_name(&app, x, 5) == "wall"));
    type_text(&mut app, "u ");
    press(&mut app, &[Key::Esc]);
    assert!(app.is_painting(), "Esc cancels the rectangle and keeps paint mode");
    type_text(&mut app, "t");
    // A right click on a tile selects its kind as the brush. So does a click in the list of brushes.
    let tree = cell(&app, 1, 0);
    app.update(Input::RightClick(tree));
    assert_eq!(shown_message(&app), "brush: tree");
    app.update(Input::Click(Cell { x: 5, y: 15 }));
    assert_eq!(app.map().paint.as_ref().unwrap().brush, 3);
    press(&mut app, &[Key::Esc]);
    assert!(!app.is_painting());
}

#[test]
fn painting_a_wall_on_a_start_is_refused_and_starts_can_be_moved() {
    let mut app = shipped("castle", (80, 24));
    type_text(&mut app, "p");
    click(&mut app, 13, 1);
    assert!(
        shown_message(&app)
            .starts_with("warning: paint wall on (13, 1): `guard` starts on (13, 1)"),
        "{}",
        shown_message(&app)
    );
    assert_eq!((tile_name(&app, 13, 1).as_str(), runs(&app)), ("floor", 1));
    drag(&mut app, (13, 1), (15, 1));
    assert!(
        shown_message(&app).starts_with("move start of guard to (15, 1)"),
        "{}",
        shown_message(&app)
    );
    assert!(text_of(&app, &FileRole::Map).contains("at      = [15, 1]\n"));
    // A start on a solid tile is refused.
    drag(&mut app, (15, 1), (0, 3));
    assert!(
        shown_message(&app).starts_with("warning: move start of guard to (0, 3)"),
        "{}",
        shown_message(&app)
    );
    // `g` picks up a place, `k` moves it up, and `g` drops it.
    move_cursor(&mut app, 32, 4);
    type_text(&mut app, "g");
    assert!(shown_message(&app).contains("picked up the place gold"), "{}", shown_message(&app));
    type_text(&mut app, "kkg");
    assert!(text_of(&app, &FileRole::Map).contains("gold = [32, 2]\n"));
    type_text(&mut app, "uu");
    assert!(!app.session().unwrap().draft().is_unsaved());
    type_text(&mut app, "g");
    assert!(
        shown_message(&app).contains("no start or place to pick up on"),
        "{}",
        shown_message(&app)
    );
    let mut flock = shipped("flock", (80, 24));
    type_text(&mut flock, "pg");
    assert!(
        shown_message(&flock)
            .contains("boid starts at a random tile; set `at = [x, y]` for a fixed start")
    );
}

/// The route of a new path is visible without colours, the old path is hidden, and a solid tile on the
/// route is named.
#[test]
fn a_path_being_drawn_shows_its_route_and_a_solid_tile_on_it() {
    let mut app = shipped("castle", (80, 24));
    type_text(&mut app, ":draw-path\n");
    assert!(dump(&app).contains("remove last  c open "), "the old path is closed");
    type_text(&mut app, "c");
    assert!(dump(&app).contains("remove last  c close "));
    click(&mut app, 18, 1);
    let shown = dump(&app);
    assert!(!shown.contains("crosses"), "{shown}");
    assert!(shown.contains("##· ◆→• • • • ◆ ·"), "{shown}");
    move_cursor(&mut app, 18, 4);
    let shown = dump(&app);
    assert!(shown.contains("crosses wall (18, 2)"), "{shown}");
    let view = app.view().unwrap();
    let mut buffer = Buffer::empty(app.ui.screen);
    app.draw(&mut buffer);
    let old = view.cell(TilePos::new(29, 5)).unwrap();
    assert_ne!(
        Some(buffer[(old.x, old.y)].bg),
        app.ui.setup.theme.pattern.bg,
        "the old path is hidden"
    );
}

#[test]
fn a_path_can_be_drawn_shortened_closed_and_undone() {
    let mut app = shipped("castle", (80, 24));
    let pattern = FileRole::Pattern("castle_round".to_owned());
    let before = text_of(&app, &pattern);
    type_text(&mut app, ":draw-path\n");
    assert_eq!(app.context(), Context::Draw);
    // The first vertex is the start of the agent, so it cannot be removed.
    press(&mut app, &[Key::Backspace]);
    assert!(
        shown_message(&app).contains("first vertex is fixed at the start of"),
        "{}",
        shown_message(&app)
    );
    type_text(&mut app, "w");
    assert!(shown_message(&app).contains("needs at least two vertices"), "{}", shown_message(&app));
    click(&mut app, 29, 1);
    click(&mut app, 29, 4);
    press(&mut app, &[Key::Backspace]);
    click(&mut app, 29, 8);
    click(&mut app, 29, 8);
    assert!(
        shown_message(&app).starts_with("redraw path castle_round: "),
        "{}",
        shown_message(&app)
    );
    let after = text_of(&app, &pattern);
    assert_eq!(after, before.replace(", [0, 7]]", "]"));
    type_text(&mut app, "u");
    assert_eq!(text_of(&app, &pattern), before);
    // Only a second Esc discards the path.
    type_text(&mut app, ":draw-path\n");
    click(&mut app, 29, 1);
    press(&mut app, &[Key::Esc]);
    assert!(shown_message(&app).contains("Esc: discard"), "{}", shown_message(&app));
    press(&mut app, &[Key::Esc]);
    assert!(!app.is_painting());
    // A path with a new name becomes a new pattern, which the next command attaches.
    type_text(&mut app, ":draw-path beat\n");
    click(&mut app, 14, 1);
    click(&mut app, 16, 1);
    click(&mut app, 16, 4);
    click(&mut app, 14, 1);
    assert!(shown_message(&app).contains("closed"), "{}", shown_message(&app));
    type_text(&mut app, "w");
    let beat = FileRole::Pattern("beat".to_owned());
    let text = text_of(&app, &beat);
    assert!(text.contains("vertices = [[14, 1], [16, 1], [16, 4]]\nclosed   = true\n"), "{text}");
    assert_eq!(app.prompt.line.as_ref().expect("an offer").line().text(), "attach beat");
    press(&mut app, &[Key::Enter]);
    assert!(shown_message(&app).starts_with("attach beat to guard: "), "{}", shown_message(&app));
    assert!(text_of(&app, &FileRole::Map).contains("pattern = \"beat\"\npace    = 5"));
    type_text(&mut app, "uu");
    assert!(app.session().is_some_and(|session| !session.has_pattern("beat")));
    assert_eq!(app.context(), Context::Paint);
    type_text(&mut app, ":draw-path ../x\n");
    assert!(command_error(&app).contains("invalid pattern name"), "{}", command_error(&app));
    press(&mut app, &[Key::Esc]);
    type_text(&mut app, ":draw-path look_round\n");
    assert!(command_error(&app).contains("is not a path"), "{}", command_error(&app));
}

#[test]
fn cells_of_a_matrix_can_be_painted() {
    let mut app = shipped("matrix", (80, 24));
    type_text(&mut app, ":draw-matrix\n");
    let Some(Canvas::Matrix(matrix)) = app.map().paint.as_ref().map(|paint| &paint.canvas) else {
        panic!("no matrix")
    };
    let (name, count) = (matrix.name.clone(), matrix.tiles().count());
    let free =
        (0..10).map(|x| TilePos::new(x, 5)).find(|&tile| !matrix.allows(tile)).expect("a cell");
    move_cursor(&mut app, free.x, free.y);
    type_text(&mut app, " ");
    assert!(
        shown_message(&app).starts_with(&format!("paint 1 cell of matrix {name}: ")),
        "{}",
        shown_message(&app)
    );
    let Some(Canvas::Matrix(matrix)) = app.map().paint.as_ref().map(|paint| &paint.canvas) else {
        panic!("no matrix")
    };
    assert!(matrix.allows(free) && matrix.tiles().count() == count + 1);
    // Cells of a segment of the matrix cannot be erased.
    let drawn = matrix.cells.drawn.first().copied().expect("a segment") + matrix.shift;
    move_cursor(&mut app, drawn.x, drawn.y);
    type_text(&mut app, "i2 ");
    assert!(
        shown_message(&app).contains(&format!("a segment of `{name}` contains")),
        "{}",
        shown_message(&app)
    );
    type_text(&mut app, "u");
    assert!(!app.session().unwrap().draft().is_unsaved());
}

#[test]
fn quitting_warns_of_painted_tiles_that_are_not_written() {
    let mut app = shipped("castle", (80, 24));
    type_text(&mut app, "p");
    move_cursor(&mut app, 20, 1);
    type_text(&mut app, " ");
    assert!(dump(&app).contains("1 edit not written"));
    press(&mut app, &[Key::Esc]);
    assert!(
        shown_message(&app).contains("1 edit not written; w: write"),
        "{}",
        shown_message(&app)
    );
    press(&mut app, &[Key::Char('o'), Key::Esc]);
    assert!(dump(&app).contains("* unsaved"));
    assert_eq!(app.update(Input::Key(Key::Char('q'))), None);
    assert!(
        shown_message(&app)
            .contains("not written: paint wall on (20, 1); w writes; q again leaves"),
        "{}",
        shown_message(&app)
    );
    // After another key, the question is asked again.
    type_text(&mut app, ".");
    assert_eq!(app.update(Input::Key(Key::Char('q'))), None);
    assert_eq!(app.update(Input::Key(Key::Char('q'))), Some(Effect::Quit));
    assert_eq!(app.update(Input::Key(Key::Ctrl('c'))), Some(Effect::Quit));
    let Some(Effect::Write(save)) = app.update(Input::Key(Key::Char('w'))) else {
        panic!("no write")
    };
    assert_eq!(save.draft.unsaved_count(), 1);
    let text: Arc<str> = text_of(&app, &FileRole::Map).into();
    app.saved(Ok(Saved {
        message: "wrote it".to_owned(),
        texts: vec![(FileRole::Map, text)],
        moved: None,
    }));
    press(&mut app, &[Key::Char('o'), Key::Esc]);
    assert!(!dump(&app).contains("* unsaved"));
    assert_eq!(app.update(Input::Key(Key::Char('q'))), Some(Effect::Quit));
    // Undoing an edit that is already written is an unsaved change.
    type_text(&mut app, "pu");
    assert!(dump(&app).contains("1 edit not written"));
    assert_eq!(app.update(Input::Key(Key::Char('q'))), None);
    app.saved(Ok(Saved { message: "elsewhere".to_owned(), texts: vec![], moved: None }));
    assert_eq!(app.update(Input::Key(Key::Char('q'))), Some(Effect::Quit));
}

#[test]
fn the_other_keys_of_the_map_work_in_paint_mode() {
    let mut app = shipped("castle", (80, 24));
    type_text(&mut app, "p.");
    assert_eq!(app.session().unwrap().world().frame().0, 1);
    assert!(app.is_painting());
    // Closing a list or the help returns to paint mode. `a` shows the previous run.
    type_text(&mut app, "o");
    press(&mut app, &[Key::Esc]);
    type_text(&mut app, "?");
    press(&mut app, &[Key::Esc]);
    assert_eq!(app.context(), Context::Paint);
    move_cursor(&mut app, 20, 1);
    type_text(&mut app, " a");
    assert_eq!(tile_name(&app, 20, 1), "floor");
    type_text(&mut app, "a");
    assert_eq!(tile_name(&app, 20, 1), "wall");
    // Painting in the previous run keeps all earlier edits.
    type_text(&mut app, "a");
    move_cursor(&mut app, 22, 1);
    type_text(&mut app, " ");
    assert!(tile_name(&app, 20, 1) == "wall" && tile_name(&app, 22, 1) == "wall");
    // Painting keeps changed values.
    type_text(&mut app, ":set guard.patrol.pace=3\n");
    move_cursor(&mut app, 24, 1);
    type_text(&mut app, " ");
    let session = app.session().unwrap();
    assert_eq!(session.unwritten().len(), 1);
    assert_eq!(tile_name(&app, 24, 1), "wall");
    type_text(&mut app, "p");
    assert!(!app.is_painting());
}

/// Delivers the file watcher's message that the files have these contents.
fn deliver_files(app: &mut App, files: &tilewalk::scenario::sources::Sources) {
    let loaded = files::reload(&Arc::new(files.clone()), &Options::default()).unwrap();
    let event = files::read::changed_files::WatcherEvent::Read(Ok(Box::new(loaded)));
    app.receive(files::WatcherMessage { id: "castle".to_owned(), event });
}

/// Acts as if all edits were written to the map file. Returns the written files.
fn write_edits(app: &mut App) -> Arc<tilewalk::scenario::sources::Sources> {
    let files = app.session().unwrap().draft().files().clone();
    let text = text_of(app, &FileRole::Map).into();
    app.saved(Ok(Saved {
        message: "wrote it".to_owned(),
        texts: vec![(FileRole::Map, text)],
        moved: None,
    }));
    files
}

#[test]
fn files_read_before_the_first_write_are_not_reloaded_if_reported_late() {
    let mut app = shipped("castle", (80, 24));
    let opened = app.session().unwrap().draft().files().clone();
    type_text(&mut app, "p");
    move_cursor(&mut app, 20, 1);
    type_text(&mut app, " ");
    let first = write_edits(&mut app);
    // The watcher began with the map before the write, and reports its first state afterwards.
    deliver_files(&mut app, &opened);
    assert_eq!((tile_name(&app, 20, 1).as_str(), runs(&app)), ("wall", 2));
    deliver_files(&mut app, &first);
    assert_eq!((tile_name(&app, 20, 1).as_str(), runs(&app)), ("wall", 2));
    // Another program restores the file.
    deliver_files(&mut app, &opened);
    assert_eq!((tile_name(&app, 20, 1).as_str(), runs(&app)), ("floor", 3));
}

#[test]
fn files_written_by_the_screen_are_not_reloaded_even_if_reported_late() {
    let mut app = shipped("castle", (80, 24));
    type_text(&mut app, "p");
    move_cursor(&mut app, 20, 1);
    type_text(&mut app, " ");
    let first = write_edits(&mut app);
    type_text(&mut app, "u");
    let second = write_edits(&mut app);
    // The watcher read the first version before the second was written, but reports both afterwards.
    deliver_files(&mut app, &first);
    deliver_files(&mut app, &second);
    assert_eq!((tile_name(&app, 20, 1).as_str(), runs(&app)), ("floor", 3));
    // If another program writes the first version again, the map changes.
    deliver_files(&mut app, &first);
    assert_eq!((tile_name(&app, 20, 1).as_str(), runs(&app)), ("wall", 4));
}
