//! What a new user does first: choose a map in the gallery, open a map by name, and search the help.

use std::sync::Arc;

use ratatui::layout::Rect;
use tilewalk::builtin;
use tilewalk::files::disk::store::Listing;
use tilewalk::files::{self, Options};
use tilewalk::tui::app::{App, Effect};
use tilewalk::tui::input::{Cell, Input, Key};
use tilewalk::tui::{GalleryEntry, Opened, Start};

use crate::support::host::FakeHost;
use crate::support::pty::Session;
use crate::support::sample_maps::dark_theme;
use crate::support::screen::{Look, dump, press};
use crate::support::temp_folder::TempFolder;

fn opened(id: &str) -> Opened {
    let name = id.trim_start_matches("builtin:");
    let loaded = files::load(&builtin::origin(name), &Options::default()).unwrap();
    Opened::new(id, name, loaded.scenario.unwrap())
}

/// Returns a screen with the gallery of all built-in maps.
fn gallery((width, height): (u16, u16)) -> App {
    let entry = |map: Listing| GalleryEntry {
        id: format!("builtin:{}", map.name),
        title: map.title,
        comment: map.comment,
        error: None,
    };
    let entries = builtin::maps().into_iter().map(entry).collect();
    let screen = Rect::new(0, 0, width, height);
    let (mut app, effect) = App::new(entries, Start::Gallery, screen, dark_theme());
    handle_effect(&mut app, effect);
    app
}

/// Handles an effect as the main loop does.
fn handle_effect(app: &mut App, effect: Option<Effect>) {
    match effect {
        Some(Effect::Preview(id)) => app.previewed(Ok(opened(&id))),
        Some(Effect::Open(id)) if id.starts_with("builtin:") => app.opened(Ok(opened(&id))),
        Some(Effect::Open(id)) => app.opened(Err(format!("error: {id}: no such file"))),
        _ => {}
    }
}

/// Types a text and handles the effects of its keys. A line feed in the text is the Enter key.
fn keys(app: &mut App, text: &str) {
    for c in text.chars() {
        let key = if c == '\n' { Key::Enter } else { Key::Char(c) };
        let effect = app.update(Input::Key(key));
        handle_effect(app, effect);
    }
}

fn selected_map(app: &App) -> &str {
    app.gallery.maps.entry().map_or("", GalleryEntry::name)
}

/// Returns the text of the screen, without its styles.
fn screen(app: &App) -> String {
    dump(app).lines().take(usize::from(app.ui.screen.height)).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_description_of_a_map_scrolls_and_shows_how_much_is_left() {
    for name in ["castle", "couriers", "dodge"] {
        let mut app = gallery((80, 24));
        keys(&mut app, &format!("/{name}"));
        assert_eq!(selected_map(&app), name);
        press(&mut app, &[Key::Esc]);
        let begin = screen(&app);
        assert!(begin.contains("PgDn: ") && begin.contains(" more ╮"), "{begin}");
        assert!(!begin.contains("Try:"), "{begin}");
        for _ in 0..9 {
            press(&mut app, &[Key::PageDown]);
        }
        assert!(screen(&app).contains("Try:"), "{}", screen(&app));
        assert!(screen(&app).contains(" end ╮"), "{}", screen(&app));
        assert_eq!(selected_map(&app), name, "scrolling the description keeps the selection");
        for _ in 0..9 {
            press(&mut app, &[Key::PageUp]);
        }
        assert_eq!(screen(&app), begin);
    }
    // There is no scroll hint if the whole description fits.
    assert!(!screen(&gallery((160, 60))).contains("PgDn"));
}

#[test]
fn the_wheel_scrolls_the_gallery_pane_under_the_pointer() {
    let mut app = gallery((80, 24));
    let layout = app.gallery_layout();
    let inside = |area: Rect| Cell { x: area.x + 2, y: area.y + 2 };
    let begin = screen(&app);
    app.update(Input::Wheel { at: inside(layout.about), up: false });
    assert!(screen(&app) != begin && selected_map(&app) == "castle");
    app.update(Input::Wheel { at: inside(layout.about), up: true });
    assert_eq!(screen(&app), begin);
    app.update(Input::Wheel { at: inside(layout.list), up: false });
    assert_ne!(selected_map(&app), "castle");
    // The description of another map starts at its first line.
    press(&mut app, &[Key::Up, Key::PageDown, Key::Down, Key::Up]);
    assert_eq!(app.gallery.maps.scroll, 0);
}

#[test]
fn about_shows_the_description_of_the_map() {
    let mut app = gallery((80, 24));
    keys(&mut app, "\n:about\n");
    let page = screen(&app);
    assert!(page.contains("╭ Castle: patrol") && page.contains("Try:"), "{page}");
    assert!(page.contains("Watch: the thief leaves its den"), "{page}");
    press(&mut app, &[Key::Esc]);
    assert!(app.is_plain_map());
    // The command also works in the gallery. A map without a comment has no description.
    keys(&mut app, "G:about\n");
    assert!(screen(&app).contains("Try:"));
    press(&mut app, &[Key::Esc]);
    assert!(app.map.is_none());
    let (mut app, _) = App::new(
        vec![],
        Start::Map(crate::support::sample_maps::opened()),
        app.ui.screen,
        dark_theme(),
    );
    keys(&mut app, ":about\n");
    assert!(screen(&app).contains("no description (add a comment"), "{}", screen(&app));
}

#[test]
fn the_gallery_filters_maps_by_title_or_file_name_while_typing() {
    let mut app = gallery((80, 24));
    keys(&mut app, "/flock");
    assert_eq!(selected_map(&app), "flock");
    let found = screen(&app);
    assert!(found.contains("/ flock") && found.contains("1 of "), "{found}");
    assert!(!found.contains("Castle"), "{found}");
    assert!(found.contains("Enter play this map") && found.contains("Esc all maps"), "{found}");
    // Esc lists all maps again and keeps the selection.
    press(&mut app, &[Key::Esc]);
    let all = format!(" of {} ", builtin::maps().len());
    assert!(screen(&app).contains(&all) && selected_map(&app) == "flock", "{}", screen(&app));
    keys(&mut app, "/zzz");
    assert!(screen(&app).contains("no map matches \"zzz\""), "{}", screen(&app));
    assert!(app.gallery.preview.is_none());
    keys(&mut app, "\n");
    assert!(screen(&app).contains("no matching map"));
    let effect = app.update(Input::Key(Key::Esc));
    assert!(matches!(effect, Some(Effect::Preview(_))), "{effect:?}");
    // Letters that are keys elsewhere are text in the filter. Enter plays the map.
    keys(&mut app, "/jkq?\u{8}");
    press(&mut app, &[Key::Ctrl('u')]);
    keys(&mut app, "predator\n");
    assert_eq!(app.session().map(|it| it.label().to_owned()).as_deref(), Some("predator"));
    keys(&mut app, "G");
    assert!(screen(&app).contains(&all) && selected_map(&app) == "predator", "{}", screen(&app));
}

#[test]
fn the_open_command_completes_the_name_of_a_map_and_plays_it() {
    let mut app = gallery((120, 40));
    let paths = vec!["maps/mine.toml".to_owned()];
    let host = FakeHost { paths, ..FakeHost::new(opened) };
    app.prompt.host = Some(Arc::new(host));
    keys(&mut app, ":open couriers\n");
    let label = |app: &App| app.session().unwrap().label().to_owned();
    assert_eq!(label(&app), "couriers");
    // A map can be opened while another map is shown. The other map keeps its bookmarks.
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
    // Opening a file that cannot be read shows an error and keeps the current map.
    keys(&mut app, ":open maps/m");
    press(&mut app, &[Key::Tab]);
    keys(&mut app, "\n");
    assert!(screen(&app).contains("maps/mine.toml: no such file"), "{}", screen(&app));
    press(&mut app, &[Key::Esc]);
    assert_eq!(label(&app), "couriers");
    // Opening another map warns about unsaved values.
    keys(&mut app, ":set pilgrim.pace=7\n");
    keys(&mut app, ":open yard\n");
    assert!(screen(&app).contains(":open again leaves without writing"), "{}", screen(&app));
    assert_eq!(label(&app), "couriers");
    // The command line is still open, so Enter runs the command again.
    keys(&mut app, "\n");
    assert_eq!(label(&app), "yard");
}

#[test]
fn searching_the_help_for_a_key_lists_its_functions_first() {
    let search = |text: &str| {
        let mut app = gallery((80, 24));
        keys(&mut app, "\n?");
        keys(&mut app, text);
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
        let (title, first, page) = search(key);
        assert_eq!(title, format!("Key {}", key.replace("esc", "Esc")), "{page}");
        assert!(first.contains(does), "{key}: {page}");
    }
    // Lower-case and upper-case letters are different keys.
    assert!(search("g").1.contains("go to what blocks the agent"), "{}", search("g").2);
    assert!(search("g").2.contains("move a start position or place"), "{}", search("g").2);
    // Other matches are listed below the functions of the key.
    assert!(search("G").2.contains("Map: time"), "{}", search("G").2);
    assert!(search("zzz").2.contains("no match for \"zzz\""), "{}", search("zzz").2);
    assert!(!search("follow").2.contains("│ Key "));
}

#[test]
fn a_frame_can_be_saved_as_a_map_and_opened_with_completion() {
    let folder = TempFolder::new();
    let mut session = Session::start_with(&[], &[], (80, 24));
    session.wait_for("choose a map");
    session.send("/matrix\r");
    session.wait_for("playing");
    session.send(" ");
    session.wait_for("paused");
    let saved = folder.path_text("m2.toml");
    session.command(&format!("save-map {saved}"));
    session.wait_for("wrote ");
    assert!(folder.path("example_3_11.toml").is_file());
    assert_eq!(files::check(&[folder.path("")], None).unwrap().errors(), 0);
    // Completion skips the pattern file beside the map, because it is not a map.
    session.send(&format!(":open {}\t", &saved[..saved.len() - "m2.toml".len()]));
    session.wait_for("/m2.toml");
    session.send("\r");
    session.wait_for("playing");
    session.command("about");
    session.wait_for("Try:");
    session.escape("Try:");
    session.send("G");
    session.wait_for("choose a map");
    session.quit();
}

#[test]
fn e_opens_the_tiles_file_in_the_editor_at_the_inspected_tile() {
    let folder = TempFolder::new();
    let rows = format!("{}{}", "..........\n".repeat(3), "....#.....\n");
    folder.write("rows.txt", &rows);
    let map = "tiles_file = \"rows.txt\"\nagent = [{ name = 'a', at = [0, 0] }]\n";
    let map = folder.write("map.toml", map);
    let log = folder.path("said");
    let editor = folder.script("hx", &format!("echo \"$*\" > {}", log.display()));
    let variables = [("EDITOR", editor.as_str()), ("VISUAL", "")];
    let mut session = Session::start_with(&[&map], &variables, (120, 40));
    session.pause();
    let place = session.position_of("#");
    session.click(0, place);
    session.wait_for("tile (4, 3)");
    session.send("e");
    session.wait_for("hx closed");
    assert!(folder.read("said").trim_end().ends_with("rows.txt:4:5"), "{}", folder.read("said"));
    session.quit();
}
