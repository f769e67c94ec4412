//! The first steps of a new user: gallery, maps opened by name, searches in the help.

use ratatui::layout::Rect;
use std::sync::Arc;

use tilewalk::builtin;
use tilewalk::files::embedded::Listing;
use tilewalk::files::{self, Options};
use tilewalk::tui::app::{App, Effect};
use tilewalk::tui::input::{Cell, Input, Key};
use tilewalk::tui::{GalleryEntry, Opened, Start};

use crate::support::desk::Desk;
use crate::support::host::FakeHost;
use crate::support::pty::Session;
use crate::support::screen::Look;
use crate::support::screen::{dump, press};
use crate::support::stage::colors;

fn opened(id: &str) -> Opened {
    let name = id.trim_start_matches("builtin:");
    let loaded = files::load(&builtin::origin(name), &Options::default()).unwrap();
    Opened::new(id, name, loaded.scenario.unwrap())
}

/// The gallery of all built-in maps.
fn gallery((width, height): (u16, u16)) -> App {
    let entry = |map: Listing| GalleryEntry {
        id: format!("builtin:{}", map.name),
        title: map.title,
        comment: map.comment,
    };
    let entries = builtin::maps().into_iter().map(entry).collect();
    let screen = Rect::new(0, 0, width, height);
    let (mut app, effect) = App::new(entries, Start::Gallery, screen, colors());
    follow(&mut app, effect);
    app
}

/// What the loop around the screen would do.
fn follow(app: &mut App, effect: Option<Effect>) {
    match effect {
        Some(Effect::Preview(id)) => app.previewed(Ok(opened(&id))),
        Some(Effect::Open(id)) if id.starts_with("builtin:") => app.opened(Ok(opened(&id))),
        Some(Effect::Open(id)) => app.opened(Err(format!("error: {id}: no such file"))),
        _ => {}
    }
}

/// Types a text and does what the screen asks for; a line end is Enter.
fn keys(app: &mut App, text: &str) {
    for c in text.chars() {
        let key = if c == '\n' { Key::Enter } else { Key::Char(c) };
        let effect = app.update(Input::Key(key));
        follow(app, effect);
    }
}

fn chosen(app: &App) -> &str {
    app.gallery.maps.entry().map_or("", GalleryEntry::name)
}

/// The text of the screen, without its styles.
fn screen(app: &App) -> String {
    dump(app).lines().take(usize::from(app.ui.screen.height)).collect::<Vec<_>>().join("\n")
}

#[test]
fn what_to_watch_says_how_much_more_there_is_and_can_be_scrolled_to_its_end() {
    for name in ["castle", "couriers", "dodge"] {
        let mut app = gallery((80, 24));
        keys(&mut app, &format!("/{name}"));
        assert_eq!(chosen(&app), name);
        press(&mut app, &[Key::Esc]);
        let begin = screen(&app);
        assert!(begin.contains("PgDn: ") && begin.contains(" more ╮"), "{begin}");
        assert!(!begin.contains("Try:"), "{begin}");
        for _ in 0..9 {
            press(&mut app, &[Key::PageDown]);
        }
        assert!(screen(&app).contains("Try:"), "{}", screen(&app));
        assert!(screen(&app).contains(" end ╮"), "{}", screen(&app));
        assert_eq!(chosen(&app), name, "what is read is no choice");
        for _ in 0..9 {
            press(&mut app, &[Key::PageUp]);
        }
        assert_eq!(screen(&app), begin);
    }
    // With room there is nothing to be said.
    assert!(!screen(&gallery((160, 60))).contains("PgDn"));
}

#[test]
fn the_wheel_scrolls_what_it_is_over() {
    let mut app = gallery((80, 24));
    let layout = app.gallery_layout();
    let inside = |area: Rect| Cell { x: area.x + 2, y: area.y + 2 };
    let begin = screen(&app);
    app.update(Input::Wheel { at: inside(layout.about), up: false });
    assert!(screen(&app) != begin && chosen(&app) == "castle");
    app.update(Input::Wheel { at: inside(layout.about), up: true });
    assert_eq!(screen(&app), begin);
    app.update(Input::Wheel { at: inside(layout.list), up: false });
    assert_ne!(chosen(&app), "castle");
    // Another map is read from its beginning.
    press(&mut app, &[Key::Up, Key::PageDown, Key::Down, Key::Up]);
    assert_eq!(app.gallery.maps.scroll, 0);
}

#[test]
fn what_to_watch_is_a_page_of_its_own_while_a_map_runs() {
    let mut app = gallery((80, 24));
    keys(&mut app, "\n:about\n");
    let page = screen(&app);
    assert!(page.contains("╭ Castle: patrol") && page.contains("Try:"), "{page}");
    assert!(page.contains("Watch: the thief leaves its den"), "{page}");
    press(&mut app, &[Key::Esc]);
    assert!(app.is_plain_map());
    // In the gallery, too; a map without a comment says so.
    keys(&mut app, "G:about\n");
    assert!(screen(&app).contains("Try:"));
    press(&mut app, &[Key::Esc]);
    assert!(app.map.is_none());
    let (mut app, _) =
        App::new(vec![], Start::Map(crate::support::stage::opened()), app.ui.screen, colors());
    keys(&mut app, ":about\n");
    assert!(screen(&app).contains("no description (add a comment"), "{}", screen(&app));
}

#[test]
fn a_map_is_found_by_its_title_or_file_name_while_one_types() {
    let mut app = gallery((80, 24));
    keys(&mut app, "/flock");
    assert_eq!(chosen(&app), "flock");
    let found = screen(&app);
    assert!(found.contains("/ flock") && found.contains("1 of "), "{found}");
    assert!(!found.contains("Castle"), "{found}");
    assert!(found.contains("Enter play this map") && found.contains("Esc all maps"), "{found}");
    // Esc lists all maps again; the choice stays.
    press(&mut app, &[Key::Esc]);
    let all = format!(" of {} ", builtin::maps().len());
    assert!(screen(&app).contains(&all) && chosen(&app) == "flock", "{}", screen(&app));
    keys(&mut app, "/zzz");
    assert!(screen(&app).contains("no map matches \"zzz\""), "{}", screen(&app));
    assert!(app.gallery.preview.is_none());
    keys(&mut app, "\n");
    assert!(screen(&app).contains("no matching map"));
    let effect = app.update(Input::Key(Key::Esc));
    assert!(matches!(effect, Some(Effect::Preview(_))), "{effect:?}");
    // Letters that are keys elsewhere are text here; Enter plays.
    keys(&mut app, "/jkq?\u{8}");
    press(&mut app, &[Key::Ctrl('u')]);
    keys(&mut app, "predator\n");
    assert_eq!(app.session().map(|it| it.label().to_owned()).as_deref(), Some("predator"));
    keys(&mut app, "G");
    assert!(screen(&app).contains(&all) && chosen(&app) == "predator", "{}", screen(&app));
}

#[test]
fn open_plays_a_map_by_name_and_completes_it() {
    let mut app = gallery((120, 40));
    let paths = vec!["maps/mine.toml".to_owned()];
    let host = FakeHost { paths, ..FakeHost::new(opened) };
    app.prompt.host = Some(Arc::new(host));
    keys(&mut app, ":open couriers\n");
    let label = |app: &App| app.session().unwrap().label().to_owned();
    assert_eq!(label(&app), "couriers");
    // From a map to the next one; the way back is as it was left.
    keys(&mut app, "M:open cas");
    assert!(screen(&app).contains("castle"), "{}", screen(&app));
    press(&mut app, &[Key::Tab]);
    assert!(screen(&app).contains(":open castle"), "{}", screen(&app));
    keys(&mut app, "\n");
    assert_eq!(label(&app), "castle");
    keys(&mut app, ":open couriers\n");
    assert_eq!(app.session().unwrap().bookmarks().len(), 1);
    keys(&mut app, ":open flokc\n");
    assert!(screen(&app).contains("did you mean `flock`?"), "{}", screen(&app));
    press(&mut app, &[Key::Esc]);
    // A file that can't be read leaves everything as it is.
    keys(&mut app, ":open maps/m");
    press(&mut app, &[Key::Tab]);
    keys(&mut app, "\n");
    assert!(screen(&app).contains("maps/mine.toml: no such file"), "{}", screen(&app));
    press(&mut app, &[Key::Esc]);
    assert_eq!(label(&app), "couriers");
    // What is not written is told when it is left behind.
    keys(&mut app, ":set pilgrim.pace=7\n");
    keys(&mut app, ":open yard\n");
    assert!(screen(&app).contains(":open again leaves without writing"), "{}", screen(&app));
    assert_eq!(label(&app), "couriers");
    // The line is still open: Enter says it again.
    keys(&mut app, "\n");
    assert_eq!(label(&app), "yard");
}

#[test]
fn the_help_answers_a_question_about_a_key() {
    let asked = |keys_: &str| {
        let mut app = gallery((80, 24));
        keys(&mut app, "\n?");
        keys(&mut app, keys_);
        let page = screen(&app);
        let mut rows = page.lines().skip_while(|line| !line.contains("help: ")).skip(1);
        let inside =
            |row: Option<&str>| row.unwrap_or_default().trim_matches(['│', ' ']).to_owned();
        (inside(rows.next()), inside(rows.next()), page)
    };
    for (key, does) in [
        ("G", "open the map gallery"),
        ("x", "edit the agent's values"),
        (",", "step back one frame"),
        ("Tab", "select the next agent"),
        ("esc", "close enlarged pane, tile or ghost"),
        ("ctrl-z", "suspend tilewalk to the shell"),
        ("Space", "play / pause"),
        ("PgDn", "scroll down one page"),
    ] {
        let (title, first, page) = asked(key);
        assert_eq!(title, format!("Key {}", key.replace("esc", "Esc")), "{page}");
        assert!(first.contains(does), "{key}: {page}");
    }
    // Small and large letters are different keys.
    assert!(asked("g").1.contains("move a start position or place"), "{}", asked("g").2);
    // What else has the letter comes below.
    assert!(asked("G").2.contains("Map: time"), "{}", asked("G").2);
    assert!(asked("zzz").2.contains("no match for \"zzz\""), "{}", asked("zzz").2);
    assert!(!asked("follow").2.contains("│ Key "));
}

#[test]
fn somebody_finds_a_map_saves_a_frame_of_it_and_opens_that() {
    let desk = Desk::new();
    let mut session = Session::start_with(&[], &[], (80, 24));
    session.wait_for("choose a map");
    session.keys("/matrix\r");
    session.wait_for("playing");
    session.keys(" ");
    session.wait_for("paused");
    let saved = desk.name("m2.toml");
    session.command(&format!("save-map {saved}"));
    session.wait_for("wrote ");
    assert!(desk.path("example_3_11.toml").is_file());
    assert_eq!(files::check(&[desk.path("")], None).unwrap().errors(), 0);
    // Its pattern lies beside it, and is no map.
    session.keys(&format!(":open {}\t", &saved[..saved.len() - "m2.toml".len()]));
    session.wait_for("/m2.toml");
    session.keys("\r");
    session.wait_for("playing");
    session.command("about");
    session.wait_for("Try:");
    session.escape("Try:");
    session.keys("G");
    session.wait_for("choose a map");
    session.quit();
}

#[test]
fn the_editor_opens_the_tiles_file_at_the_tile() {
    let desk = Desk::new();
    let rows = format!("{}{}", "..........\n".repeat(3), "....#.....\n");
    desk.write("rows.txt", &rows);
    let map = "tiles_file = \"rows.txt\"\nagent = [{ name = 'a', at = [0, 0] }]\n";
    let map = desk.write("map.toml", map);
    let said = desk.path("said");
    let editor = desk.script("hx", &format!("echo \"$*\" > {}", said.display()));
    let variables = [("EDITOR", editor.as_str()), ("VISUAL", "")];
    let mut session = Session::start_with(&[&map], &variables, (120, 40));
    session.pause();
    let place = session.place("#");
    session.click(0, place);
    session.wait_for("tile (4, 3)");
    session.keys("e");
    session.wait_for("hx closed");
    assert!(desk.read("said").trim_end().ends_with("rows.txt:4:5"), "{}", desk.read("said"));
    session.quit();
}
