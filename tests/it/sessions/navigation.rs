//! Navigation in the real program: gallery, panes, terminal sizes, command line, lists and help.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

use crate::support::pty::{Session, frame_on};

/// Returns the titles of the shipped maps.
fn titles() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("maps");
    let maps = fs::read_dir(folder).expect("maps").map(|entry| entry.expect("a map").path());
    let maps = maps.filter(|path| path.extension().is_some_and(|ending| ending == "toml"));
    let text = |path| fs::read_to_string(path).expect("a map");
    let title = |text: String| {
        let line = text.lines().find_map(|line| line.strip_prefix("title")).map(str::to_owned);
        line.map(|line| line.trim_matches([' ', '=', '"']).to_owned())
    };
    maps.map(text).filter_map(title).collect()
}

#[test]
fn every_shipped_map_is_in_the_gallery_with_a_preview_and_its_comment() {
    let titles = titles();
    let mut session = Session::start_with(&[], &[], (160, 60));
    session.wait_for("choose a map");
    for title in &titles {
        session.wait_for(title.split(':').next().unwrap_or_default());
    }
    let mut seen = Vec::new();
    for _ in &titles {
        session.wait_for("Watch:");
        seen.push(session.screen());
        session.send("j");
        let last = seen.last().unwrap().clone();
        if seen.len() < titles.len() {
            session.wait_until("the next preview", |screen| screen != last);
        }
    }
    seen.dedup();
    assert_eq!(seen.len(), titles.len());
    session.quit();
}

#[test]
fn every_shipped_map_can_be_played_from_the_gallery_and_left_again() {
    let mut session = Session::start_with(&[], &[("TILEWALK_CONFIG", "")], (120, 40));
    session.wait_for("choose a map");
    for _ in titles() {
        session.send("\r");
        session.wait_for("playing");
        session.wait_until("time", |screen| frame_on(screen).is_some_and(|frame| frame > 0));
        session.wait_for("╭ agents");
        session.send("G");
        session.wait_for("choose a map");
        session.send("j");
    }
    session.quit();
}

#[test]
fn t_shows_only_the_map_then_only_the_inspector_then_all_panes() {
    let mut session = Session::paused("maps/castle.toml", (80, 24));
    session.send("t");
    session.wait_until("the map alone", |screen| {
        !screen.contains("╭ guard ─") && screen.contains("╭ Castle")
    });
    session.send("t");
    session.wait_until("the inspector alone", |screen| {
        screen.contains("╭ guard ─") && !screen.contains("╭ Castle")
    });
    // Now the whole inspector fits.
    session.wait_for("home     (13.500, 1.500)");
    session.send("t");
    session.wait_until("all panes", |screen| {
        screen.contains("╭ guard ─") && screen.contains("╭ Castle")
    });
    session.send("\r");
    session.wait_until_gone("╭ Castle");
    session.escape("home     (13.500");
    session.wait_for("╭ Castle");
    session.quit();
}

#[test]
fn many_resizes_while_playing_leave_a_complete_screen() {
    let mut session = Session::start_with(&["maps/flock.toml"], &[], (80, 24));
    session.wait_for("playing");
    for round in 0..60_u16 {
        session.resize(20 + round * 37 % 200, 5 + round * 23 % 60);
        if round % 8 == 0 {
            thread::sleep(Duration::from_millis(20));
        }
    }
    session.resize(0, 0);
    session.resize(100, 30);
    session.wait_for("playing");
    session.send(" ");
    session.wait_for("paused");
    // The screen is redrawn for its last size, with all borders in place.
    session.wait_for("Space play/pause");
    let screen = session.redrawn((100, 30));
    let lines: Vec<_> = screen.lines().collect();
    assert_eq!(lines.len(), 30, "{screen}");
    assert!(lines[0].starts_with("╭ Flock") && lines[0].ends_with('╮'), "{screen}");
    assert!(lines[1..26].iter().all(|line| line.chars().count() == 100), "{screen}");
    assert!(lines[28].contains("paused"), "{screen}");
    session.quit();
}

#[test]
fn a_terminal_that_is_too_small_shows_the_required_size() {
    let mut session = Session::start_with(&["maps/castle.toml"], &[], (12, 3));
    session.wait_for("need 40×12");
    session.resize(40, 12);
    session.wait_for("╭ guard ─");
    session.send(" ");
    session.wait_for("paused");
    session.resize(39, 12);
    session.wait_for("need 40×12");
    // Keys still work.
    session.send(":goto 33\r");
    session.resize(80, 24);
    session.wait_for_frame(33);
    session.quit();
}

#[test]
fn typing_filters_the_help_and_escape_clears_the_filter_then_closes_it() {
    let mut session = Session::paused("maps/castle.toml", (80, 24));
    session.send("?");
    session.wait_for("play / pause");
    session.send("bookmark");
    session.wait_until_gone("play / pause");
    session.wait_for("go to the next bookmark");
    session.send("\u{1b}");
    session.wait_for("play / pause");
    session.send("\u{1b}");
    session.wait_for("╭ guard ─");
    session.send("\u{1b}OP");
    session.wait_for("play / pause");
    session.escape("play / pause");
    session.quit();
}

#[test]
fn search_finds_one_of_sixty_boids_by_name() {
    let mut session = Session::paused("maps/flock.toml", (100, 30));
    session.send("/bd4");
    session.wait_for("found");
    session.send("\u{7f}\u{7f}\u{7f}boid.4");
    session.wait_for("▸ v boid.4 ");
    session.send("2\r");
    session.wait_for("╭ boid.42 ─");
    session.wait_for("42 of 60");
    session.send("/nobody");
    session.wait_for("0 found");
    session.send("\r");
    session.wait_for("╭ boid.42 ─");
    session.send("f");
    session.wait_for("following");
    session.send("\u{3}");
    assert_eq!(session.wait_for_end(), 0);
}

#[test]
fn the_command_line_completes_commands_keeps_a_history_and_shows_errors() {
    let mut session = Session::paused("maps/castle.toml", (100, 30));
    session.send(":got");
    session.wait_for("goto FRAME");
    session.send("\t");
    session.wait_for(":goto ");
    session.send("12a\r");
    session.wait_for("column 6");
    session.send("\u{7f}\r");
    session.wait_for_frame(12);
    session.command("frobnicate");
    session.wait_for("no command");
    session.escape("frobnicate");
    session.send(":");
    session.wait_for("╭ command");
    session.send("\u{1b}[A");
    session.wait_for(":goto 12");
    session.send("\u{7f}\u{7f}34\r");
    session.wait_for_frame(34);
    session.quit();
}

#[test]
fn a_paste_runs_no_commands_and_is_inserted_into_an_open_command_line() {
    let mut session = Session::paused("maps/castle.toml", (100, 30));
    session.send("\u{1b}[200~qqq\r\u{1b}[201~");
    session.send(":\u{1b}[200~goto 5\r:quit\r\u{1b}[201~");
    session.wait_for("goto 5");
    session.wait_for("╭ command");
    session.send("\u{15}goto 6\r");
    session.wait_for_frame(6);
    session.quit();
}

#[test]
fn the_event_log_is_filtered_by_agent_and_follows_new_events() {
    let mut session = Session::paused("maps/castle.toml", (120, 40));
    session.go_to(300);
    session.send("L");
    session.wait_for("following");
    session.send("s");
    session.wait_until_gone("thief        mode");
    session.send("\t");
    session.wait_for("listed");
    session.send("k");
    session.wait_until_gone("following");
    session.send("f");
    session.wait_for("following");
    session.send(">");
    session.wait_for_frame(310);
    session.send("\r");
    session.wait_until("an event's frame", |screen| frame_on(screen).is_some_and(|it| it < 310));
    // The first `L` removes the filter, and the second closes the event log.
    session.send("L");
    session.wait_for("thief        mode");
    session.send("L");
    session.wait_until_gone("╭ events ─");
    session.quit();
}

#[test]
fn overlays_can_be_toggled_one_by_one_and_reset_to_the_defaults() {
    let mut session = Session::paused("maps/castle.toml", (120, 40));
    session.send("o");
    session.wait_for("[ ] r rulers");
    session.send("r");
    session.wait_for("[x] r rulers");
    session.wait_until("columns over the map", |screen| {
        screen.lines().any(|line| line.contains("10") && line.contains("20") && line.contains("30"))
    });
    session.send("h");
    session.wait_for("[ ] h heading");
    session.wait_until_gone("G→");
    session.send("0");
    session.wait_for("[ ] r rulers");
    session.wait_for("[x] h heading");
    session.escape("[x] h heading");
    session.quit();
}

#[test]
fn y_copies_the_text_of_the_inspector_to_the_clipboard() {
    let mut session = Session::paused("maps/castle.toml", (100, 30));
    session.send("y");
    session.wait_for("lines to the clipboard");
    let raw = session.raw();
    let copied = raw.split("\u{1b}]52;c;").nth(1).expect("clipboard sequence is sent");
    let text: String =
        copied.chars().take_while(|c| c.is_ascii_alphanumeric() || "+/=".contains(*c)).collect();
    assert!(text.len() > 100, "{text}");
    session.quit();
}
