//! Messages of the screen: their layout, their list, hints, errors of commands, and warnings before quitting.

use tilewalk::geom::TilePos;
use tilewalk::history::Log;
use tilewalk::time::Frame;
use tilewalk::tui::action::Context;
use tilewalk::tui::app::{App, Effect, Message};
use tilewalk::tui::input::{Input, Key};
use tilewalk::tui::{Opened, Saved};

use crate::support::sample_maps::{gallery, map_screen, opened};
use crate::support::screen::{self, Look, dump, press, rows, shown_message, type_text};

/// Returns the status row and the `rows_above` rows above it as one text.
fn status_rows(app: &App, rows_above: usize) -> String {
    let rows = rows(app);
    let status = rows.len() - 2;
    rows[status - rows_above..=status].iter().map(|row| row.trim()).collect::<Vec<_>>().join(" ")
}

/// Returns the castle, paused, on a screen of the given size.
fn castle(width: u16, height: u16) -> App {
    let mut app = screen::builtin("castle");
    app.update(Input::Resize { width, height });
    app
}

#[test]
fn messages_are_shown_in_full_at_every_width() {
    let long = "first difference: frame 4, ogre, x: here 2.5, there 2.75 and then \
                /home/somebody/a/very/long/path/that/has/no/spaces/castle.toml which is wide";
    for width in (40..=130).step_by(3) {
        for words in 1..=long.split(' ').count() {
            let text: String = long.split(' ').take(words).collect::<Vec<_>>().join(" ");
            let mut app = map_screen(width, 24);
            press(&mut app, &[Key::Char(' ')]);
            app.ui.answers.message = Some(Message::Warning(text.clone()));
            let all: String = rows(&app).concat();
            let status = &rows(&app)[22];
            assert!(status.contains("paused ×1  frame 0"), "{width}: {status}");
            // The facts of the status row come between two rows of the message. They are removed first.
            let without_spaces = |text: &str| text.replace(' ', "");
            let facts = ["paused ×1", "frame 0", "0.00 s", "seed 7"];
            let mut screen = without_spaces(&all);
            for fact in facts {
                screen = screen.replace(&without_spaces(fact), "");
            }
            let hash = screen.find('#').filter(|_| status.contains('#'));
            let hash = hash.and_then(|_| status.split_whitespace().find(|it| it.starts_with('#')));
            if let Some(hash) = hash {
                screen = screen.replace(hash, "");
            }
            let screen = screen.replace("▮▮", "");
            assert!(screen.contains(&without_spaces(&text)), "{width}: `{text}`\n{}", dump(&app));
        }
    }
}

#[test]
fn a_longer_message_hides_the_seed_then_the_time_then_needs_a_second_row() {
    let mut app = castle(80, 24);
    let show_message = |app: &mut App, columns: usize| {
        app.ui.answers.message = Some(Message::Note("x".repeat(columns)));
        let rows = rows(app);
        (rows[21].clone(), rows[22].clone())
    };
    let (timeline, status) = show_message(&mut app, 20);
    assert!(status.contains("seed ") && status.contains("0.00 s") && !timeline.contains('x'));
    let (timeline, status) = show_message(&mut app, 45);
    assert!(!status.contains("seed ") && !status.contains('#'), "{status}");
    assert!(status.contains("0.00 s") && !timeline.contains('x'), "{status}");
    let (timeline, status) = show_message(&mut app, 54);
    assert!(!status.contains("0.00 s") && status.contains("frame 0"), "{status}");
    assert!(!timeline.contains('x'), "{timeline}");
    // The message has a row of its own, so the seed is shown again.
    let (timeline, status) = show_message(&mut app, 70);
    assert!(timeline.contains(&"x".repeat(70)) && !status.contains('x'), "{timeline}");
    assert!(status.contains("frame 0") && status.contains("seed "), "{status}");
    let (timeline, status) = show_message(&mut app, 90);
    assert!(timeline.contains(&"x".repeat(78)) && status.ends_with(&" ".repeat(3)), "{timeline}");
    assert!(status.contains(&"x".repeat(12)) && status.contains("frame 0"), "{status}");
    // The next key closes the message.
    press(&mut app, &[Key::Char('o'), Key::Esc]);
    assert!(!rows(&app)[21].contains('x'), "{}", dump(&app));
}

#[test]
fn the_status_line_truncates_an_event_only_if_the_seed_is_hidden() {
    let mut app = castle(80, 24);
    type_text(&mut app, ":goto 40\n");
    press(&mut app, &[Key::Char('o'), Key::Esc]);
    let mut longest = 0;
    for _ in 0..60 {
        press(&mut app, &[Key::Char('>'), Key::Char('o'), Key::Esc]);
        let status = &rows(&app)[22];
        let event = app.session().expect("a map").events().next();
        let Some(event) = event else { continue };
        assert!(status.contains("frame ") && status.contains(" s "), "{status}");
        let seeded = status.contains("seed ");
        let cut = status.contains('…');
        assert!(!(seeded && cut), "frame {}: {status}", event.frame);
        longest = longest.max(status.trim().chars().count());
    }
    assert!(longest > 60, "{longest}");
}

#[test]
fn messages_in_the_gallery_are_shown_in_full() {
    let mut app = gallery(80, 24);
    let text = "a".repeat(60) + " " + &"b".repeat(40);
    app.ui.answers.message = Some(Message::Warning(text));
    let rows = rows(&app);
    assert!(rows[22].contains(&"a".repeat(60)) && rows[23].contains(&"b".repeat(40)));
}

#[test]
fn messages_are_listed_with_their_frames() {
    let mut app = castle(80, 24);
    type_text(&mut app, ":goto 40\n:mark here\n:goto 20\n:mark\n:messages\n");
    assert!(app.context() == Context::Reading);
    let screen = dump(&app);
    let position_of = |text: &str| screen.find(text).unwrap_or_else(|| panic!("{text}: {screen}"));
    assert!(
        position_of("20  bookmark 1 at frame 20") < position_of("40  bookmark here at frame 40"),
        "{screen}"
    );
    assert!(
        position_of("40  bookmark here at frame 40") < position_of("40  reached frame 40"),
        "{screen}"
    );
    assert!(!screen.contains("searching"), "{screen}");
    press(&mut app, &[Key::Esc]);
    assert!(app.is_plain_map());
    // The list keeps the latest 50 messages.
    for _ in 0..70 {
        type_text(&mut app, "M");
    }
    assert_eq!(app.ui.answers.log.newest_first().count(), 50);
    // Messages stay in the list when another map opens, and then show the name of their map.
    app.gallery.maps = gallery(80, 24).gallery.maps;
    type_text(&mut app, "G");
    app.opened(Ok(opened()));
    type_text(&mut app, " :messages\n");
    assert!(dump(&app).contains("castle 20"), "{}", dump(&app));
}

#[test]
fn messages_can_be_listed_in_the_gallery() {
    let mut app = gallery(80, 24);
    type_text(&mut app, ":messages\n");
    assert!(dump(&app).contains("no messages yet"), "{}", dump(&app));
    press(&mut app, &[Key::Esc]);
    type_text(&mut app, "m:messages\n");
    assert!(dump(&app).contains("gallery  mouse capture off: the terminal selects text"));
}

#[test]
fn an_unbound_key_shows_a_hint_and_keeps_the_message() {
    let mut app = castle(80, 24);
    type_text(&mut app, ":goto 5\n");
    for key in ['T', 'n', 's', 'N', 'K', 'W'] {
        press(&mut app, &[Key::Char(key), Key::Char(key)]);
        assert_eq!(shown_message(&app), "reached frame 5");
        let screen = dump(&app);
        let text = format!("{key} does nothing here; ? lists the keys");
        assert!(screen.contains(&text) && screen.contains("reached frame 5"), "{screen}");
        assert!(screen.contains("q quit"), "{screen}");
    }
    press(&mut app, &[Key::F(9)]);
    assert!(dump(&app).contains("F9 does nothing here"));
    type_text(&mut app, ".");
    assert!(!dump(&app).contains("does nothing"), "the next key closes the hint");
    type_text(&mut app, "Bn");
    assert!(dump(&app).contains("n does nothing here; ? lists the keys"), "{}", dump(&app));
    press(&mut app, &[Key::Esc]);
    // The hint does not mention the help if no key opens it or if there is little room.
    type_text(&mut app, ":messages\nn");
    let screen = dump(&app);
    assert!(screen.contains("n does nothing here ") && !screen.contains("lists the keys"));
    for width in 40..80 {
        let mut app = castle(width, 24);
        type_text(&mut app, "n");
        let screen = dump(&app);
        assert!(screen.contains("n does nothing here") && screen.contains("q quit"), "{screen}");
    }
    // Letters that are typed as text or that toggle overlays show no hint.
    for keys in ["/u", ":u", "?u", "L/u", "ou", "xu"] {
        let mut app = castle(80, 24);
        type_text(&mut app, keys);
        assert!(keys == "ou" || !dump(&app).contains("does nothing"), "{keys}");
    }
    let mut app = castle(80, 24);
    type_text(&mut app, "ot");
    assert!(!dump(&app).contains("does nothing"), "{}", dump(&app));
    let mut app = gallery(80, 24);
    type_text(&mut app, "u");
    assert!(dump(&app).contains("u does nothing here; ? lists the keys"), "{}", dump(&app));
}

#[test]
fn errors_of_a_typed_command_are_shown_in_the_command_line() {
    let mut app = castle(80, 24);
    for (wrong, column, expected) in [
        ("set guard.speed=3", "column 5: ", "`speed`"),
        ("set gard.pace=2", "column 5: ", "did you mean `guard`?"),
        ("set thief.max_sped=2", "column 5: ", "unknown key `max_sped`"),
        ("delete-break 7", "column 14: ", "no breakpoint 7"),
        ("save picture", "column 6: ", ".svg"),
    ] {
        type_text(&mut app, &format!(":{wrong}\n"));
        let line =
            app.prompt.line.as_ref().unwrap_or_else(|| panic!("{wrong}: {}", shown_message(&app)));
        assert_eq!((line.line().text(), line.line().cursor()), (wrong, wrong.len()));
        let screen = dump(&app);
        assert!(screen.contains(column) && screen.contains(expected), "{wrong}: {screen}");
        assert_eq!(app.ui.answers.message, None, "the error is shown once");
        press(&mut app, &[Key::Esc]);
    }
    type_text(&mut app, ":set gard.pace=2\n");
    press(&mut app, &[Key::Ctrl('u')]);
    type_text(&mut app, "set guard.patrol.pace=2\n");
    assert!(
        app.prompt.line.is_none() && shown_message(&app).contains("pace"),
        "{}",
        shown_message(&app)
    );
    assert_eq!(app.update(Input::Key(Key::Char(':'))), None);
    press(&mut app, &[Key::Up, Key::Up]);
    let line = app.prompt.line.as_ref().map(|line| line.line().text().to_owned());
    assert_eq!(
        line.as_deref(),
        Some("set guard.patrol.pace=2"),
        "wrong commands are not in the history"
    );
}

#[test]
fn a_paste_inserts_only_its_first_line_and_shows_a_message() {
    for end in ["\n", "\r", "\r\n"] {
        let paste = |app: &mut App| {
            app.update(Input::Paste(format!("goto 5{end}goto 6")));
            assert!(
                shown_message(app).contains("only the first line was pasted"),
                "{}",
                shown_message(app)
            );
            assert!(dump(app).contains("goto 5") && !dump(app).contains("goto 6"), "{}", dump(app));
        };
        for keys in [":", "/", "L/"] {
            let mut app = castle(80, 24);
            type_text(&mut app, keys);
            paste(&mut app);
        }
        let mut app = castle(80, 24);
        type_text(&mut app, ":");
        app.update(Input::Paste(format!("goto 5{end}")));
        assert_eq!(app.ui.answers.message, None, "a single line shows no message");
        app.update(Input::Key(Key::Enter));
        let mut app = castle(80, 24);
        app.update(Input::Paste("a\nb".to_owned()));
        assert_eq!(app.ui.answers.message, None, "no message");
    }
}

#[test]
fn writing_a_built_in_map_suggests_a_new_file() {
    let mut app = castle(80, 24);
    for keys in ["w", ":write\n", ":write!\n"] {
        type_text(&mut app, keys);
        assert!(shown_message(&app).contains("nothing to write"), "{}", shown_message(&app));
    }
    type_text(&mut app, ":set guard.patrol.pace=2\n");
    for keys in ["w", ":write\n", ":write!\n"] {
        type_text(&mut app, keys);
        let line = app.prompt.line.as_ref().expect("the line").line();
        assert_eq!((line.text(), line.cursor()), ("write castle.toml", 17));
        assert_eq!(shown_message(&app), "warning: built-in maps are read-only; save a copy");
        assert!(dump(&app).contains("built-in maps are read-only; save a copy"));
        press(&mut app, &[Key::Esc]);
    }
    type_text(&mut app, "w");
    let effect = app.update(Input::Key(Key::Enter));
    assert!(matches!(effect, Some(Effect::Write(_))), "{effect:?}");
    // If `:write` was typed, its error is shown in the command line. Otherwise, it is a warning.
    app.saved(Err("castle.toml already exists".to_owned()));
    let line = app.prompt.line.as_ref().and_then(|line| line.complaint());
    assert_eq!(line, Some((Some(6..17), "castle.toml already exists")));
    press(&mut app, &[Key::Esc, Key::Char('.')]);
    app.saved(Err("no room".to_owned()));
    assert_eq!(
        (shown_message(&app).as_str(), app.prompt.line.is_none()),
        ("warning: no room", true)
    );
}

#[test]
fn closing_a_comparison_run_shows_a_message() {
    let mut app = map_screen(80, 24);
    type_text(&mut app, " :diff\n");
    assert_eq!(
        shown_message(&app),
        "no comparison run; `:diff SEED`, `:diff MAP` or `:diff PATH=VALUE` starts one"
    );
    app.compared(Ok(opened()), None);
    type_text(&mut app, ":diff\n");
    assert_eq!(shown_message(&app), "comparison run closed");
}

#[test]
fn quitting_asks_about_unsaved_values_but_not_about_manual_control() {
    let mut app = castle(80, 24);
    // Manual control leaves nothing to write.
    type_text(&mut app, "i");
    press(&mut app, &[Key::Down, Key::Down, Key::Right, Key::Esc]);
    assert!(!dump(&app).contains("* unsaved"));
    assert_eq!(app.update(Input::Key(Key::Char('q'))), Some(Effect::Quit));
    type_text(&mut app, ":set guard.patrol.pace=2\n");
    press(&mut app, &[Key::Char('o'), Key::Esc]);
    assert!(dump(&app).contains("* unsaved"), "{}", dump(&app));
    assert_eq!(app.update(Input::Key(Key::Char('q'))), None);
    let question = "warning: not written: guard.patrol.pace 5 → 2; :write FILE saves a copy; q again leaves without writing";
    assert_eq!(shown_message(&app), question);
    assert!(
        status_rows(&app, 1)
            .contains("guard.patrol.pace 5 → 2; :write FILE saves a copy; q again leaves")
    );
    // An unbound key keeps the question open, and any other key closes it. `:quit` answers it too.
    type_text(&mut app, "n");
    assert_eq!(app.update(Input::Key(Key::Char('q'))), Some(Effect::Quit));
    type_text(&mut app, ".");
    type_text(&mut app, ":quit\n");
    assert_eq!(shown_message(&app), question);
    type_text(&mut app, ":quit");
    assert_eq!(app.update(Input::Key(Key::Enter)), Some(Effect::Quit));
    // Opening the gallery asks the same question.
    type_text(&mut app, ".");
    app.gallery.maps = gallery(80, 24).gallery.maps;
    type_text(&mut app, "G");
    assert_eq!(shown_message(&app), question.replace("q again", "G again"));
    assert!(app.session().is_some());
    // Before the frame of the change, the message names the key that goes to the last frame.
    press(&mut app, &[Key::Home]);
    assert_eq!(app.update(Input::Key(Key::Char('q'))), None);
    assert!(shown_message(&app).contains("guard.patrol.pace 5 → 2; End goes to the last frame; "));
    press(&mut app, &[Key::End]);
    // The question also lists painted tiles.
    type_text(&mut app, "p");
    app.map_mut().paint.as_mut().expect("paint mode").cursor = TilePos::new(20, 1);
    type_text(&mut app, " ");
    press(&mut app, &[Key::Esc]);
    assert_eq!(app.update(Input::Key(Key::Char('q'))), None);
    assert!(
        shown_message(&app).contains("guard.patrol.pace 5 → 2, paint wall on (20, 1); "),
        "{}",
        shown_message(&app)
    );
    // After a save to another file, nothing is unsaved.
    app.saved(Ok(Saved { message: "elsewhere".to_owned(), texts: vec![], moved: None }));
    assert_eq!(app.unwritten(), None);
    press(&mut app, &[Key::Char('o'), Key::Esc]);
    assert!(!dump(&app).contains("* unsaved"), "{}", dump(&app));
    assert_eq!(app.update(Input::Key(Key::Char('q'))), Some(Effect::Quit));
}

#[test]
fn quitting_a_replay_does_not_ask_about_recorded_changes() {
    let mut played = castle(80, 24);
    type_text(&mut played, ":set thief.radius=0.2\n>");
    let history = played.session().expect("a map").history().clone();
    let count = |log: &Log| log.iter().count();
    assert_eq!(count(history.run().log()), 1);
    let opened = Opened { recorded: Some(Box::new(history)), ..opened() };
    let mut app = map_screen(80, 24);
    app.opened(Ok(Opened { id: "t2.twr".to_owned(), ..opened }));
    type_text(&mut app, " ");
    app.update(Input::Key(Key::Esc));
    assert!(dump(&app).contains("replay  "), "{}", dump(&app));
    type_text(&mut app, ":last\n");
    let session = app.session().expect("a map");
    assert!(session.world().frame() > Frame(5) && !session.unwritten().is_empty());
    assert!(!dump(&app).contains("* unsaved"), "{}", dump(&app));
    assert_eq!(
        (app.unwritten(), app.update(Input::Key(Key::Char('q')))),
        (None, Some(Effect::Quit))
    );
    type_text(&mut app, ":set guard.patrol.pace=2\n");
    assert_eq!(app.unwritten().as_deref(), Some("not written to stage.toml: guard.patrol.pace=2"));
    assert_eq!(app.update(Input::Key(Key::Char('q'))), None);
}

#[test]
fn mode_names_need_quotes_in_conditions() {
    let mut app = castle(80, 24);
    for (condition, word, column) in
        [("guard.mode == chase", "chase", 21), ("chase == guard.mode", "chase", 7)]
    {
        type_text(&mut app, &format!(":break {condition}\n"));
        let screen = dump(&app);
        let text = format!("column {column}: mode names need quotes: \"{word}\"");
        assert!(screen.contains(&text), "{screen}");
        press(&mut app, &[Key::Esc]);
    }
    type_text(&mut app, ":break guard.mode == \"chase\"\n");
    assert!(app.prompt.line.is_none(), "{}", dump(&app));
}
