//! Reloads on the screen: the run and the messages after a file is saved.

use std::sync::Arc;
use std::time::Duration;

use ratatui::layout::{Position, Rect};
use tilewalk::debugger::session::Session;
use tilewalk::files::Options;
use tilewalk::files::config::OnReload;
use tilewalk::files::read::changed_files::{WatcherEvent, WatcherMessage};
use tilewalk::geom::TilePos;
use tilewalk::history::run::RunId;
use tilewalk::rng::{RngKey, Use};
use tilewalk::tui::Start;
use tilewalk::tui::action::Context;
use tilewalk::tui::app::{App, Effect};
use tilewalk::tui::input::Key;
use tilewalk::tui::overlays::Overlays;

use crate::support::build;
use crate::support::sample_maps::dark_theme;
use crate::support::screen::{
    Look, drawn, dump, opened, press, saved_message, shown_message, type_text, wait_until_idle,
};

const MAP: &str = r#"
tiles = """
................
................
.....##.........
................
................
"""
[[agent]]
name = "cat"
at = [1, 1]
steer = [{ do = "wander" }]
[[agent]]
name = "dog"
at = [14, 3]
steer = [{ do = "pursue", target = "cat", weight = 1.0 }]
"#;

fn message(text: &str, options: &Options) -> WatcherMessage {
    saved_message("map", text, options)
}

/// Returns the map, paused at a frame.
fn paused_at(frame: u64) -> App {
    paused_with(frame, &Options::default(), (120, 40))
}

fn paused_with(frame: u64, options: &Options, (width, height): (u16, u16)) -> App {
    let screen = Rect::new(0, 0, width, height);
    let mut app = App::new(vec![], Start::Map(opened(MAP, options)), screen, dark_theme()).0;
    press(&mut app, &[Key::Char(' ')]);
    type_text(&mut app, &format!(":goto {frame}\n"));
    wait_until_idle(&mut app);
    app
}

fn save(app: &mut App, text: &str) {
    app.receive(message(text, &Options::default()));
    wait_until_idle(app);
}

fn session(app: &App) -> &Session {
    app.session().expect("a map")
}

fn frame(app: &App) -> u64 {
    session(app).world().frame().0
}

fn hash(app: &App) -> u64 {
    session(app).world().hash()
}

fn name_of_selected(app: &App) -> String {
    let id = session(app).selected().expect("a selected agent");
    session(app).scenario().name(id).to_string()
}

#[test]
fn a_save_is_applied_at_the_current_frame_and_can_be_reverted() {
    let mut app = paused_at(80);
    press(&mut app, &[Key::Tab]);
    let first = hash(&app);
    save(&mut app, &MAP.replace(".....##.", "..#..##."));
    assert_eq!((frame(&app), name_of_selected(&app).as_str()), (80, "dog"));
    assert!(
        shown_message(&app).starts_with("run 2 first differs from run 1 at frame "),
        "{}",
        shown_message(&app)
    );
    assert!(shown_message(&app).ends_with("ghost: run 1"), "{}", shown_message(&app));
    save(&mut app, MAP);
    assert_eq!((frame(&app), hash(&app)), (80, first));
    assert!(
        shown_message(&app).contains("run 3 (same as run 1) first differs"),
        "{}",
        shown_message(&app)
    );
    // A save with the same contents changes nothing.
    app.ui.answers.message = None;
    save(&mut app, MAP);
    assert_eq!((session(&app).history().runs().len(), shown_message(&app)), (3, String::new()));
}

#[test]
fn after_a_save_the_first_difference_between_runs_is_reported_and_marked() {
    let mut app = paused_at(60);
    save(&mut app, &MAP.replace("at = [14, 3]", "at = [13, 3]"));
    assert!(
        shown_message(&app)
            .contains("run 2 first differs from run 1 at frame 0 (dog, x): map.toml;"),
        "{}",
        shown_message(&app)
    );
    let parts = session(&app).differs("dog").expect("a difference");
    assert_eq!((parts.0, parts.1.frame.0), (RunId(0), 0));
    let screen = dump(&app);
    assert!(screen.contains('≠'), "{screen}");
    press(&mut app, &[Key::Tab]);
    let screen = dump(&app);
    assert!(screen.contains("differs from run 1 since frame 0"), "{screen}");
    // Run 1 shows where it differs from run 2.
    press(&mut app, &[Key::Char('a')]);
    wait_until_idle(&mut app);
    assert_eq!(session(&app).history().present(), RunId(0));
    assert!(dump(&app).contains("differs from run 2 since frame 0"), "{}", dump(&app));
    press(&mut app, &[Key::Char('a')]);
    wait_until_idle(&mut app);
    assert_eq!((session(&app).history().present(), frame(&app)), (RunId(1), 60));
    type_text(&mut app, ":before\n:before\n");
    assert!(shown_message(&app).contains("the first run"), "{}", shown_message(&app));
}

/// A map with two runners: the cat in row `y`, and the dog in row 5.
fn runners(y: i32) -> String {
    let rows = ".".repeat(16) + "\n";
    let runner = |name: &str, y: i32| {
        format!(
            "[[agent]]\nname = '{name}'\nat = [1, {y}]\n\
             steer = [{{ do = 'seek', target = [14, {y}] }}]\n"
        )
    };
    format!("tiles = '''\n{}'''\n{}{}", rows.repeat(6), runner("cat", y), runner("dog", 5))
}

#[test]
fn the_ghost_trail_belongs_to_the_selected_agent() {
    let options = Options::default();
    let screen = Rect::new(0, 0, 120, 40);
    let mut app =
        App::new(vec![], Start::Map(opened(&runners(0), &options)), screen, dark_theme()).0;
    app.map_mut().overlays = Overlays::NONE;
    type_text(&mut app, " :goto 30\n");
    wait_until_idle(&mut app);
    let new = runners(2);
    let ant = new.replacen("[[agent]]", "[[agent]]\nname = 'ant'\nat = [1, 3]\n[[agent]]", 1);
    save(&mut app, &ant);
    assert_eq!((frame(&app), name_of_selected(&app).as_str()), (30, "cat"));
    let dotted = |app: &App, y: i32| {
        let (view, buffer) = (app.view().expect("a map"), drawn(app));
        let is_dotted = |at: Position| {
            let sign = buffer[at].symbol().chars().next();
            sign.is_some_and(|sign| ('\u{2801}'..='\u{28ff}').contains(&sign))
        };
        let cells = (0..16).filter_map(|x| view.cells(TilePos::new(x, y)));
        cells.flat_map(Rect::positions).any(is_dotted)
    };
    assert!(dotted(&app, 0) && !dotted(&app, 5), "{}", dump(&app));
    // The trail stays after the end of the ghost's run.
    type_text(&mut app, ":goto 40\n");
    wait_until_idle(&mut app);
    assert!(dotted(&app, 0) && !dotted(&app, 5), "{}", dump(&app));
}

#[test]
fn a_reload_reports_added_removed_and_renamed_agents_and_a_new_map_size() {
    let cases = [
        (MAP.replace("name = \"dog\"", "name = \"hound\""), "dog renamed to hound"),
        (format!("{MAP}[[agent]]\nname = \"ant\"\nat = [9, 0]\n"), "ant added"),
        (MAP.split("[[agent]]\nname = \"dog\"").next().expect("a map").to_owned(), "dog removed"),
        (
            MAP.replace("\n.....##.........", "\n.....##.........\n................"),
            "map size 16×6, was 16×5",
        ),
        (
            format!("{MAP}count = 1\n[[agent]]\nname = \"a\"\nat = \"anywhere\"\ncount = 9\n"),
            "a.1 and 8 more added",
        ),
    ];
    for (text, expected) in cases {
        let mut app = paused_at(50);
        press(&mut app, &[Key::Tab]);
        save(&mut app, &text);
        assert!(shown_message(&app).contains(expected), "{expected}: {}", shown_message(&app));
        assert_eq!(frame(&app), 50);
        let _ = dump(&app);
        for key in ['a', 'a', '.', ','] {
            press(&mut app, &[Key::Char(key)]);
            wait_until_idle(&mut app);
            let _ = dump(&app);
        }
    }
}

#[test]
fn manual_control_is_replayed_after_a_reload() {
    let mut app = paused_at(20);
    type_text(&mut app, "i");
    for _ in 0..10 {
        press(&mut app, &[Key::Right]);
    }
    press(&mut app, &[Key::Esc]);
    let (at, end) = (frame(&app), hash(&app));
    save(&mut app, &format!("{MAP}# a comment\n"));
    assert_eq!((frame(&app), hash(&app)), (at, end));
    assert!(
        shown_message(&app).contains(&format!("run 2 matches run 1 up to frame {at}: map.toml")),
        "{}",
        shown_message(&app)
    );
    // The manual commands for the cat, which this save removes, are dropped.
    let text = MAP
        .replace("name = \"cat\"", "name = \"lion\"")
        .replace("target = \"cat\"", "target = \"lion\"");
    save(&mut app, &text);
    assert!(
        shown_message(&app).contains("dropped 10 commands for removed agents"),
        "{}",
        shown_message(&app)
    );
}

#[test]
fn values_changed_on_the_screen_stay_unless_the_file_changes_them() {
    let options = Options { seed: Some(5), ..Options::default() };
    let mut app = paused_with(30, &options, (120, 40));
    type_text(&mut app, ":set dog.steer.1.weight=3\n");
    type_text(&mut app, ":set dog.max_speed=2\n");
    type_text(&mut app, ":goto 60\n");
    wait_until_idle(&mut app);
    let before = hash(&app);
    let comment = format!("{MAP}# a comment\n");
    app.receive(message(&comment, &options));
    wait_until_idle(&mut app);
    assert_eq!((frame(&app), hash(&app)), (60, before));
    assert_eq!(session(&app).scenario().seed(), 5);
    assert_eq!(session(&app).unwritten().len(), 2);
    let weight = comment.replace("weight = 1.0", "weight = 4.0");
    app.receive(message(&weight, &options));
    wait_until_idle(&mut app);
    let left: Vec<_> = session(&app).unwritten().iter().map(ToString::to_string).collect();
    assert_eq!(left, ["dog.max_speed=2"]);
    assert_eq!(session(&app).history().runs().len(), 3);
}

#[test]
fn a_file_written_from_the_screen_is_not_reloaded() {
    let mut app = paused_at(30);
    type_text(&mut app, ":set dog.steer.1.weight=3\n");
    let text: Arc<str> = MAP.replace("weight = 1.0", "weight = 3").into();
    let texts = vec![(tilewalk::scenario::sources::FileRole::Map, Arc::clone(&text))];
    app.saved(Ok(tilewalk::tui::Saved { message: "wrote".to_owned(), texts, moved: None }));
    save(&mut app, &text);
    assert_eq!(session(&app).history().runs().len(), 1);
    assert_eq!(shown_message(&app), "wrote");
}

#[test]
fn a_save_with_errors_changes_nothing_and_shows_the_first_error() {
    let mut app = paused_at(40);
    let before = hash(&app);
    save(&mut app, &MAP.replace("wander", "wonder").replace("pursue", "persue"));
    assert_eq!((frame(&app), hash(&app)), (40, before));
    let screen = dump(&app);
    assert!(
        screen.contains("map.toml:12:17: ") && screen.contains("2 errors, D: list"),
        "{screen}"
    );
    press(&mut app, &[Key::Char('D'), Key::Down]);
    let screen = dump(&app);
    assert!(screen.contains("did you mean `pursue`?") && screen.contains("^^^^^^^^"), "{screen}");
    save(&mut app, MAP);
    assert!(app.is_plain_map());
    assert!(
        shown_message(&app).contains("fixed: the files match the running map again"),
        "{}",
        shown_message(&app)
    );
    assert!(!dump(&app).contains("D: list"));
}

#[test]
fn warnings_about_a_saved_file_are_counted_and_listed() {
    let mut app = paused_at(40);
    save(&mut app, &MAP.replace("weight = 1.0", "weight = 0"));
    app.ui.answers.message = None;
    let screen = dump(&app);
    assert!(screen.contains("1 warning") && !screen.contains("error"), "{screen}");
    // A message takes the place of the first error, but not of the number of errors.
    save(&mut app, &MAP.replace("weight = 1.0", "weight = 0").replace("pursue", "pursu"));
    press(&mut app, &[Key::Esc]);
    let screen = dump(&app);
    assert!(screen.contains("ghost hidden") && screen.contains("1 error"), "{screen}");
    save(&mut app, &MAP.replace("weight = 1.0", "weight = 0"));
    press(&mut app, &[Key::Char('D')]);
    let screen = dump(&app);
    assert!(screen.contains("warning map.toml:16:"), "{screen}");
}

#[test]
fn a_long_resimulation_shows_its_progress_and_can_be_cancelled() {
    let mut app = paused_at(30_000);
    let before = hash(&app);
    app.receive(message(&MAP.replace("at = [14, 3]", "at = [13, 3]"), &Options::default()));
    app.pass(Duration::from_millis(200), || false);
    app.pass(Duration::from_millis(200), || false);
    let screen = dump(&app);
    assert!(screen.contains("seeking frame 30000"), "{screen}");
    // The newest save replaces a save whose run is still being simulated.
    app.receive(message(&MAP.replace("at = [14, 3]", "at = [12, 3]"), &Options::default()));
    let branch = session(&app).history().run().branch().expect("a parent");
    assert_eq!(branch.parent, RunId(0));
    press(&mut app, &[Key::Esc]);
    wait_until_idle(&mut app);
    assert_eq!(
        (session(&app).history().present(), frame(&app), hash(&app)),
        (RunId(0), 30_000, before)
    );
}

#[test]
fn the_reload_key_reads_the_files_again_and_reports_if_nothing_changed() {
    let mut app = paused_at(40);
    let effect = app.update(tilewalk::tui::input::Input::Key(Key::Char('R')));
    assert_eq!(effect, Some(Effect::Reread("map".to_owned())));
    app.reread(message(MAP, &Options::default()));
    assert_eq!(shown_message(&app), "map.toml has not changed");
    app.reread(message(&MAP.replace("wander", "wonder"), &Options::default()));
    assert!(app.context() == Context::Problems);
    let gone = WatcherEvent::Read(Err("map.toml: no such file".to_owned()));
    app.receive(WatcherMessage { id: "map".to_owned(), event: gone });
    assert!(dump(&app).contains("no such file"));
}

#[test]
fn the_option_on_reload_decides_at_which_frame_the_run_continues() {
    let text = MAP.replace("at = [14, 3]", "at = [13, 3]");
    let policies =
        [(OnReload::Resimulate, 40, 0), (OnReload::FromHere, 41, 40), (OnReload::Restart, 0, 0)];
    for (how, at, branch) in policies {
        let mut app = paused_at(40);
        app.wish_on_reload(how);
        save(&mut app, &text);
        let run = session(&app).history().run();
        assert_eq!((frame(&app), run.branch().map(|it| it.at.0)), (at, Some(branch)), "{how:?}");
    }
}

/// Mixes saves with and without errors. `TILEWALK_CASES` sets their number.
#[test]
fn saves_with_errors_do_not_change_the_run() {
    let cases = build::tries(60) as u64;
    let mut app = paused_at(20);
    let random = |case: u64, below: usize| {
        let rng_key = RngKey { seed: case, frame: 0, agent: 0, mode: 0, behaviour: 0 };
        rng_key.stream(Use::Pattern).index(below)
    };
    let mut at = 20;
    for case in 0..cases {
        let good = MAP.replace("at = [14, 3]", &format!("at = [{}, 3]", 8 + random(case, 7)));
        let (begin, length) = (random(case + 1_000_000, good.len()), random(case + 2_000_000, 40));
        let mut broken = good.clone().into_bytes();
        let end = (begin + length).min(broken.len());
        match case % 4 {
            0 => broken.truncate(begin),
            1 => drop(broken.drain(begin..end)),
            2 => broken[begin] = b"\"[]=#\x00\xff\n"[random(case + 3_000_000, 8)],
            _ => broken = good.clone().into_bytes(),
        }
        let runs = session(&app).history().runs().len();
        let (before, text) = (hash(&app), String::from_utf8_lossy(&broken).into_owned());
        save(&mut app, &text);
        let errors = session(&app).problems().errors();
        if errors > 0 {
            assert_eq!(
                (session(&app).history().runs().len(), hash(&app)),
                (runs, before),
                "{text}"
            );
            let first = &session(&app).problems().list()[0];
            let words: String = first.message.chars().take(20).collect();
            assert!(dump(&app).contains(&words), "{words}: {}", dump(&app));
        }
        press(&mut app, &[Key::Char('.')]);
        at += 1;
        assert_eq!(frame(&app), at, "steps still work");
    }
}
