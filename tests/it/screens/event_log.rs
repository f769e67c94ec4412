//! The event log and bookmarks.

use tilewalk::debugger::session::Session;
use tilewalk::event::Event;
use tilewalk::time::Frame;
use tilewalk::tui::Opened;
use tilewalk::tui::app::App;
use tilewalk::tui::input::{Cell, Input, Key};
use tilewalk::tui::map_screen::popup::log::EventLog;
use tilewalk::tui::timeline::MarkKind;

use crate::support::scene::Scene;
use crate::support::screen::{
    Look, command, dump, frame, go_to, message, press, settle, shipped, type_text,
};

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (200, 60)];

/// Returns the castle at frame 300 of a run of 600 frames.
fn castle(size: (u16, u16)) -> App {
    let mut app = shipped("castle", size);
    go_to(&mut app, 600);
    go_to(&mut app, 300);
    app
}

/// Returns all events of the simulated part of the run.
fn events(app: &App) -> Vec<Event> {
    app.session().unwrap().history().run().events().iter().copied().collect()
}

/// Returns the events that the open event log lists.
fn listed(app: &App) -> Vec<Event> {
    let (Some(log), Some(session)) = (app.map().popup::<EventLog>(), app.session()) else {
        panic!("no list")
    };
    (0..log.len()).map(|index| *log.get(index, session).unwrap()).collect()
}

fn selected_event(app: &App) -> Event {
    let Some(log) = app.map().popup::<EventLog>() else { panic!("no list") };
    listed(app)[log.selected()]
}

pub fn scenes() -> Vec<Scene> {
    let open = |keys: &'static str| {
        move |size| {
            let mut app = castle(size);
            type_text(&mut app, keys);
            app
        }
    };
    let with_bookmarks = |size| {
        let mut app = castle(size);
        type_text(&mut app, "M>>M");
        go_to(&mut app, 40);
        command(&mut app, "mark the gate");
        app
    };
    let bookmarks = move |size| {
        let mut app = with_bookmarks(size);
        command(&mut app, "markers");
        press(&mut app, &[Key::Down]);
        app
    };
    vec![
        Scene::new("log", (120, 40), open("L")).differing_from(castle),
        Scene::new("log_filtered", (120, 40), open("L/guard sees")).differing_from(castle),
        Scene::new("markers", (80, 24), bookmarks).differing_from(with_bookmarks),
    ]
}

/// Returns the map of a session with its bookmarks and breakpoints, for opening it again.
fn reopened(session: &Session) -> Opened {
    let scenario = session.scenario().clone();
    Opened { kept: session.kept(), ..Opened::new(session.id(), session.label(), scenario) }
}

#[test]
fn the_event_log_is_filtered_by_words_kinds_and_agents() {
    let mut app = castle(SIZES[1]);
    let all = events(&app);
    type_text(&mut app, "L");
    assert_eq!(listed(&app), all);
    // The last event up to the current frame is selected.
    assert_eq!(selected_event(&app), *all.iter().rfind(|event| event.frame.0 <= 300).unwrap());
    let mut seen: Vec<Event> = Vec::new();
    let mut kinds: Vec<&str> = all.iter().map(|event| event.kind.word()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    for kind in &kinds {
        press(&mut app, &[Key::Tab]);
        let of_kind: Vec<_> =
            all.iter().copied().filter(|event| event.kind.word() == *kind).collect();
        assert_eq!(listed(&app), of_kind, "{kind}");
        seen.extend(of_kind);
    }
    assert_eq!(seen.len(), all.len());
    press(&mut app, &[Key::Tab]);
    assert_eq!(listed(&app), all, "all kinds follow the last kind");
    press(&mut app, &[Key::BackTab]);
    assert_eq!(listed(&app)[0].kind.word(), *kinds.last().unwrap());
    press(&mut app, &[Key::Esc]);
    assert_eq!(listed(&app), all, "Esc clears the filter");
    type_text(&mut app, "s");
    let mine: Vec<_> = all.iter().copied().filter(|event| event.agent.0 == 0).collect();
    assert_eq!(listed(&app), mine);
    press(&mut app, &[Key::Esc]);
    type_text(&mut app, "/LOST Guard");
    let is_match = |event: &&Event| event.agent.0 == 0 && event.kind.word() == "lost";
    assert_eq!(listed(&app), all.iter().filter(is_match).copied().collect::<Vec<_>>());
    type_text(&mut app, " nothing like this");
    assert!(listed(&app).is_empty());
    assert!(dump(&app).contains("no matching event"));
    press(&mut app, &[Key::Enter, Key::Enter]);
    assert_eq!(message(&app), "no event selected: the list is empty");
    press(&mut app, &[Key::Esc, Key::Esc]);
    assert!(app.is_plain_map());
}

#[test]
fn events_of_the_selected_agent_stay_listed_after_it_has_left_the_world() {
    let mut app = shipped("sortie", SIZES[1]);
    go_to(&mut app, 45);
    command(&mut app, "select bomb.1");
    let bomb = app.session().unwrap().selected().expect("bomb.1");
    type_text(&mut app, "Ls>>>");
    assert_eq!((frame(&app), app.session().unwrap().selected()), (75, None));
    let is_of_bomb = |event: &Event| (event.agent, event.number) == (bomb, 1);
    let mine: Vec<_> = events(&app).into_iter().filter(is_of_bomb).collect();
    assert!(!mine.is_empty() && mine.len() < events(&app).len());
    assert_eq!(listed(&app), mine);
}

#[test]
fn enter_in_the_event_log_goes_to_the_event_and_selects_its_agent() {
    let mut app = castle(SIZES[0]);
    type_text(&mut app, "L");
    press(&mut app, &[Key::PageUp; 9]);
    let first = selected_event(&app);
    assert_eq!(first, events(&app)[0]);
    press(&mut app, &[Key::Enter]);
    assert_eq!((frame(&app), selected_event(&app)), (first.frame.0, first));
    assert_eq!(app.session().unwrap().selected(), Some(first.agent));
    // Frames after the current frame are in parentheses. Enter goes to such a frame, too.
    let last = *events(&app).last().unwrap();
    press(&mut app, &[Key::PageDown; 9]);
    assert!(dump(&app).contains(&format!("({})", last.frame)), "{}", dump(&app));
    press(&mut app, &[Key::Enter]);
    assert_eq!(frame(&app), last.frame.0);
    assert!(!dump(&app).contains(&format!("({})", last.frame)));
}

#[test]
fn the_selected_event_follows_the_current_frame_until_a_key_selects_another() {
    let mut app = castle(SIZES[1]);
    type_text(&mut app, "L");
    let last = |app: &App| {
        let now = frame(app);
        events(app).into_iter().rfind(|event| event.frame.0 <= now).unwrap()
    };
    type_text(&mut app, ">>>>");
    assert_eq!((frame(&app), selected_event(&app)), (340, last(&app)));
    press(&mut app, &[Key::Up]);
    let kept = selected_event(&app);
    type_text(&mut app, "<<<<<<");
    assert_eq!((frame(&app), selected_event(&app)), (280, kept));
    type_text(&mut app, "f");
    assert_eq!(selected_event(&app), last(&app));
    // Playback continues while the log is open.
    type_text(&mut app, " ");
    app.pass(std::time::Duration::from_secs(1), || true);
    assert!(frame(&app) > 280);
    assert_eq!(selected_event(&app), last(&app));
}

#[test]
fn a_click_selects_an_event_and_another_click_goes_to_it() {
    let mut app = castle(SIZES[1]);
    type_text(&mut app, "L");
    press(&mut app, &[Key::PageUp; 9]);
    let area = app.list().expect("the log").area;
    let third = Cell { x: area.x + 5, y: area.y + 3 };
    app.update(Input::Click(third));
    assert_eq!(selected_event(&app), events(&app)[2]);
    assert_eq!(frame(&app), 300);
    app.update(Input::Click(third));
    assert_eq!(frame(&app), events(&app)[2].frame.0);
    app.update(Input::Wheel { at: third, up: false });
    assert_eq!(selected_event(&app), events(&app)[3]);
}

#[test]
fn the_log_command_accepts_a_filter() {
    let mut app = castle(SIZES[1]);
    type_text(&mut app, ":log thief lost");
    press(&mut app, &[Key::Enter]);
    assert!(!listed(&app).is_empty());
    assert!(listed(&app).iter().all(|event| event.kind.word() == "lost"));
}

#[test]
fn bookmarks_are_set_named_listed_visited_and_deleted() {
    let mut app = castle(SIZES[1]);
    type_text(&mut app, "M");
    assert_eq!(message(&app), "bookmark 1 at frame 300; ': next bookmark, \": previous bookmark");
    type_text(&mut app, ">>M");
    go_to(&mut app, 40);
    type_text(&mut app, ":mark the gate");
    press(&mut app, &[Key::Enter]);
    let marks = |app: &App| -> Vec<u64> {
        let marks = app.session().unwrap().marks().into_iter();
        marks.filter(|mark| mark.kind == MarkKind::Bookmark).map(|mark| mark.frame.0).collect()
    };
    assert_eq!(marks(&app), [40, 300, 320]);
    let mut visited = Vec::new();
    for key in ['\'', '\'', '\'', '"', '"', '"'] {
        press(&mut app, &[Key::Char(key)]);
        visited.push(frame(&app));
    }
    assert_eq!(visited, [300, 320, 320, 300, 40, 40]);
    assert!(message(&app).starts_with("no earlier bookmark; M deletes the one at frame 40"));
    type_text(&mut app, ":markers");
    press(&mut app, &[Key::Enter, Key::Down]);
    press(&mut app, &[Key::Enter]);
    assert_eq!((frame(&app), app.is_plain_map()), (300, true));
    // At a frame with a bookmark, the same key deletes the bookmark.
    type_text(&mut app, "M");
    assert_eq!((message(&app), marks(&app)), ("bookmark 1 at frame 300 deleted", vec![40, 320]));
    // Bookmarks stay after a restart and when the map is opened again.
    type_text(&mut app, "r");
    assert_eq!(marks(&app), [40, 320]);
    let again = shipped("castle", SIZES[1]).map.unwrap().session;
    let opened = reopened(&again);
    app.opened(Ok(opened));
    assert_eq!(marks(&app), [40, 320]);
    // They also stay after a visit to the gallery, which lists the map first.
    let id = app.session().unwrap().id().to_owned();
    app.gallery = crate::support::sample_maps::gallery(120, 40).gallery;
    type_text(&mut app, "G");
    assert_eq!((app.gallery.maps.selected(), &app.gallery.maps.all()[0].id), (0, &id));
    let session = shipped("castle", SIZES[1]).map.unwrap().session;
    app.opened(Ok(reopened(&session)));
    assert_eq!(marks(&app), [40, 320]);
    // The bookmark keys also go to frames that are not simulated yet.
    type_text(&mut app, " ''");
    settle(&mut app);
    assert!(frame(&app) == 320 || frame(&app) == 40, "{}", frame(&app));
    type_text(&mut app, ":markers");
    press(&mut app, &[Key::Enter]);
    type_text(&mut app, "dd");
    assert!(marks(&app).is_empty() && dump(&app).contains("none; M or :bookmark NAME"));
    assert_eq!(app.session().unwrap().bookmarks().at(Frame(40)), None);
}
