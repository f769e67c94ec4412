//! Old runs are dropped to limit memory, and a change of `tick` restarts the run. Both show messages.

use std::sync::Arc;

use ratatui::layout::Rect;
use tilewalk::debugger::session::Session;
use tilewalk::files::Options;
use tilewalk::files::config::OnReload;
use tilewalk::files::read::recorded;
use tilewalk::history::recorder::Recorder;
use tilewalk::history::recording::Recording;
use tilewalk::history::run::RunId;
use tilewalk::history::{DEFAULT_BUDGET, History};
use tilewalk::tui::Start;
use tilewalk::tui::app::App;
use tilewalk::tui::input::Key;

use crate::support::sample_maps::dark_theme;
use crate::support::screen::{
    Look, dump, opened, press, saved_message, shown_message, type_text, wait_until_idle,
};

const MAP: &str = r#"
tick = 0.05
tiles = """
................
.....##.........
................
"""
[[agent]]
name = "cat"
at = [1, 1]
steer = [{ do = "wander" }]
"#;

/// Returns a map, paused at frame 40.
fn paused_map(text: &str) -> App {
    let start = Start::Map(opened(text, &Options::default()));
    let mut app = App::new(vec![], start, Rect::new(0, 0, 120, 40), dark_theme()).0;
    press(&mut app, &[Key::Char(' ')]);
    type_text(&mut app, ":goto 40\n");
    wait_until_idle(&mut app);
    app
}

fn save(app: &mut App, text: &str) {
    app.receive(saved_message("map", text, &Options::default()));
    wait_until_idle(app);
}

fn session(app: &App) -> &Session {
    app.session().expect("a map")
}

fn history(app: &App) -> &History {
    session(app).history()
}

#[test]
fn a_changed_tick_restarts_the_run_with_a_message() {
    let saved = MAP.replace("tick = 0.05", "tick = 0.1");
    for how in [OnReload::Resimulate, OnReload::FromHere, OnReload::Restart] {
        let mut app = paused_map(MAP);
        app.wish_on_reload(how);
        save(&mut app, &saved);
        let world = session(&app).world();
        assert_eq!((world.frame().0, world.time()), (0, 0.0), "{how:?}");
        assert_eq!((history(&app).runs().len(), history(&app).run().log().len()), (2, 0));
        assert!(
            shown_message(&app).contains("restarted, because `tick` changed"),
            "{}",
            shown_message(&app)
        );
    }
    // `tick` is set on the screen, and then the change is undone.
    let mut app = paused_map(MAP);
    for (input, tick) in [(":set tick=0.1\n", 0.1), ("u", 0.05)] {
        type_text(&mut app, input);
        wait_until_idle(&mut app);
        assert!(
            shown_message(&app).contains("restarted, because `tick` changed"),
            "{}",
            shown_message(&app)
        );
        assert_eq!((session(&app).world().frame().0, session(&app).scenario().tick()), (0, tick));
        type_text(&mut app, ":goto 9\n");
        wait_until_idle(&mut app);
    }
    // A change of another value does not restart the run.
    save(&mut app, &MAP.replace("at = [1, 1]", "at = [2, 1]"));
    assert_eq!(session(&app).world().frame().0, 9);
}

/// Saves versions of the map, each with a comment of 1 MB, until old runs are dropped.
fn with_dropped_runs() -> (App, Vec<String>) {
    let text = |number: u32| format!("{MAP}# {number}{}\n", " ".repeat(1_000_000));
    let mut app = paused_map(&text(0));
    type_text(&mut app, ":mark chase\n:break cat.x > 3\n");
    let mut messages = Vec::new();
    for number in 1..=70 {
        let value = number % 9 + 1;
        save(&mut app, &text(number).replace("at = [1, 1]", &format!("at = [{value}, 0]")));
        app.ui.answers.message = None;
        app.drop_old_runs();
        messages.extend(Some(shown_message(&app)).filter(|text| !text.is_empty()));
    }
    (app, messages)
}

#[test]
fn above_64_mib_the_oldest_runs_are_dropped_with_a_message() {
    let (mut app, messages) = with_dropped_runs();
    assert_eq!(messages[0], "dropped run 1: old runs need more than 64 MiB");
    let kept = history(&app).runs().len();
    assert_eq!(kept + messages.len(), 71);
    assert!((50..70).contains(&kept), "{kept}");
    assert_eq!((history(&app).present(), history(&app).comparison()), (RunId(70), Some(RunId(69))));
    // Bookmarks and breakpoints are kept, because they belong to all runs.
    assert_eq!((session(&app).bookmarks().len(), session(&app).breaks().len()), (1, 1));
    // The list shows the ids of the remaining runs.
    type_text(&mut app, ":runs\n");
    assert!(dump(&app).contains("71"), "{}", dump(&app));
    press(&mut app, &[Key::Home, Key::Enter]);
    wait_until_idle(&mut app);
    let oldest = history(&app).runs().iter().next().expect("a run").0;
    assert_eq!((history(&app).present(), oldest.0), (oldest, messages.len() as u32));
    type_text(&mut app, ":before\n");
    assert!(shown_message(&app).contains("the first run"), "{}", shown_message(&app));
    // After runs were dropped, the file can still be saved, and values can still be changed.
    save(&mut app, MAP);
    assert_eq!(history(&app).present(), RunId(71));
    type_text(&mut app, ":set cat.max_speed=1\nu");
    wait_until_idle(&mut app);
    press(&mut app, &[Key::Char('a')]);
    wait_until_idle(&mut app);
}

#[test]
fn a_recording_contains_runs_that_were_dropped_after_they_were_recorded() {
    let text = |number: u32| format!("{MAP}# {number}{}\n", " ".repeat(1_000_000));
    let mut app = paused_map(&text(0));
    let mut recorder = Recorder::begin(Vec::new()).unwrap();
    for number in 1..=70 {
        save(&mut app, &text(number));
        recorder.update(history(&app)).unwrap();
        app.drop_old_runs();
    }
    // A recording that begins now contains only the remaining runs.
    let mut late = Recorder::begin(Vec::new()).unwrap();
    late.update(history(&app)).unwrap();
    let kept = history(&app).runs().len();
    assert!(kept < 71, "{kept}");
    for (recorder, runs) in [(recorder, 71), (late, kept)] {
        let bytes = recorder.finish().unwrap();
        let recording = Recording::read(&bytes).unwrap();
        assert!(recording.is_complete());
        assert_eq!(recording.runs.len(), runs);
        assert!(recording.runs.iter().all(|run| run.end.0 >= 40));
    }
}

/// Earlier versions could write a recording in which `tick` changes within a run.
#[test]
fn a_recorded_change_of_tick_is_replayed() {
    use tilewalk::command::Command;
    use tilewalk::files::read::recorded::recording;
    let scenario = |text: &str| opened(text, &Options::default()).scenario;
    let mut history = History::new(scenario(MAP), DEFAULT_BUDGET);
    history.step(&[]);
    history.step(&[Command::Reload(scenario(&MAP.replace("0.05", "0.1")))]);
    (0..20).for_each(|_| history.step(&[]));
    let mut recorder = Recorder::begin(Vec::new()).unwrap();
    recorder.update(&history).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old.twr");
    std::fs::write(&path, recorder.finish().unwrap()).unwrap();
    let recorded: recorded::Recorded = recording(&path).unwrap();
    let mut replayed = History::replay(&recorded.recording, &recorded.scenarios, DEFAULT_BUDGET);
    replayed.go_to(history.frame());
    assert_eq!(replayed.world().hash(), history.world().hash());
    assert_eq!(replayed.world().time(), history.world().time());
    assert!(replayed.run().divergence().is_none() && !replayed.run().checks().is_empty());
    let first = Arc::clone(replayed.run().start());
    replayed.go_to(tilewalk::time::Frame(1));
    assert_eq!(replayed.world().scenario().tick(), first.tick());
    // The runs of a recording are never dropped.
    assert!(replayed.drop_old_runs().is_empty());
}
