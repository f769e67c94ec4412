//! Messages: shown in full, listed again, and shown for keys without a function.

use tilewalk::geom::TilePos;
use tilewalk::history::log::Log;
use tilewalk::time::Frame;
use tilewalk::tui::action::Context;
use tilewalk::tui::app::{App, Effect, Message};
use tilewalk::tui::input::{Input, Key};
use tilewalk::tui::{Opened, Saved};

use crate::support::screen::Look;
use crate::support::screen::{self, dump, press, rows, said, typed};
use crate::support::stage::{gallery, opened, watching};

/// The last so many rows but the footer, as one text.
fn told(app: &App, rows_above: usize) -> String {
    let rows = rows(app);
    let status = rows.len() - 2;
    rows[status - rows_above..=status].iter().map(|row| row.trim()).collect::<Vec<_>>().join(" ")
}

/// The castle, paused, so many columns wide.
fn castle(width: u16, height: u16) -> App {
    let mut app = screen::builtin("castle");
    app.update(Input::Resize { width, height });
    app
}

#[test]
fn an_answer_is_shown_whole_at_every_width() {
    let long = "first difference: frame 4, ogre, x: here 2.5, there 2.75 and then \
                /home/somebody/a/very/long/path/that/has/no/spaces/castle.toml which is wide";
    for width in (40..=130).step_by(3) {
        for words in 1..=long.split(' ').count() {
            let text: String = long.split(' ').take(words).collect::<Vec<_>>().join(" ");
            let mut app = watching(width, 24);
            press(&mut app, &[Key::Char(' ')]);
            app.ui.answers.message = Some(Message::Warning(text.clone()));
            let all: String = rows(&app).concat();
            let status = &rows(&app)[22];
            assert!(status.contains("paused ×1  frame 0"), "{width}: {status}");
            // Facts of the last row may stand before its part of the answer, and nothing else.
            let squeezed = |text: &str| text.replace(' ', "");
            let facts = ["paused ×1", "frame 0", "0.00 s", "seed 7"];
            let mut screen = squeezed(&all);
            for fact in facts {
                screen = screen.replace(&squeezed(fact), "");
            }
            let hash = screen.find('#').filter(|_| status.contains('#'));
            let hash = hash.and_then(|_| status.split_whitespace().find(|it| it.starts_with('#')));
            if let Some(hash) = hash {
                screen = screen.replace(hash, "");
            }
            let screen = screen.replace("▮▮", "");
            assert!(screen.contains(&squeezed(&text)), "{width}: `{text}`\n{}", dump(&app));
        }
    }
}

#[test]
fn what_never_changes_gives_way_first_and_a_second_row_is_taken_last() {
    let mut app = castle(80, 24);
    let answer = |app: &mut App, columns: usize| {
        app.ui.answers.message = Some(Message::Note("x".repeat(columns)));
        let rows = rows(app);
        (rows[21].clone(), rows[22].clone())
    };
    let (timeline, status) = answer(&mut app, 20);
    assert!(status.contains("seed ") && status.contains("0.00 s") && !timeline.contains('x'));
    let (timeline, status) = answer(&mut app, 45);
    assert!(!status.contains("seed ") && !status.contains('#'), "{status}");
    assert!(status.contains("0.00 s") && !timeline.contains('x'), "{status}");
    let (timeline, status) = answer(&mut app, 54);
    assert!(!status.contains("0.00 s") && status.contains("frame 0"), "{status}");
    assert!(!timeline.contains('x'), "{timeline}");
    // Now it has a row of its own, and the others come back.
    let (timeline, status) = answer(&mut app, 70);
    assert!(timeline.contains(&"x".repeat(70)) && !status.contains('x'), "{timeline}");
    assert!(status.contains("frame 0") && status.contains("seed "), "{status}");
    let (timeline, status) = answer(&mut app, 90);
    assert!(timeline.contains(&"x".repeat(78)) && status.ends_with(&" ".repeat(3)), "{timeline}");
    assert!(status.contains(&"x".repeat(12)) && status.contains("frame 0"), "{status}");
    // The next key, and all is as before.
    press(&mut app, &[Key::Char('o'), Key::Esc]);
    assert!(!rows(&app)[21].contains('x'), "{}", dump(&app));
}

#[test]
fn an_event_that_passes_by_is_told_whole_where_seed_and_hash_make_room() {
    let mut app = castle(80, 24);
    typed(&mut app, ":goto 40\n");
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
fn in_the_list_of_maps_an_answer_is_whole_too() {
    let mut app = gallery(80, 24);
    let text = "a".repeat(60) + " " + &"b".repeat(40);
    app.ui.answers.message = Some(Message::Warning(text));
    let rows = rows(&app);
    assert!(rows[22].contains(&"a".repeat(60)) && rows[23].contains(&"b".repeat(40)));
}

#[test]
fn the_last_answers_can_be_read_again_with_their_frames() {
    let mut app = castle(80, 24);
    typed(&mut app, ":goto 40\n:mark here\n:goto 20\n:mark\n:messages\n");
    assert!(app.context() == Context::Reading);
    let screen = dump(&app);
    let place = |text: &str| screen.find(text).unwrap_or_else(|| panic!("{text}: {screen}"));
    assert!(
        place("20  bookmark 1 at frame 20") < place("40  bookmark here at frame 40"),
        "{screen}"
    );
    assert!(place("40  bookmark here at frame 40") < place("40  reached frame 40"), "{screen}");
    assert!(!screen.contains("searching"), "{screen}");
    press(&mut app, &[Key::Esc]);
    assert!(app.is_plain_map());
    // What is said while something is under way is not kept, and the latest of an answer is.
    for _ in 0..70 {
        typed(&mut app, "M");
    }
    assert_eq!(app.ui.answers.log.newest_first().count(), 50);
    // They are kept from map to map, which is told then.
    app.gallery.maps = gallery(80, 24).gallery.maps;
    typed(&mut app, "G");
    app.opened(Ok(opened()));
    typed(&mut app, " :messages\n");
    assert!(dump(&app).contains("castle 20"), "{}", dump(&app));
}

#[test]
fn messages_of_the_list_of_maps_are_read_there() {
    let mut app = gallery(80, 24);
    typed(&mut app, ":messages\n");
    assert!(dump(&app).contains("no messages yet"), "{}", dump(&app));
    press(&mut app, &[Key::Esc]);
    typed(&mut app, "m:messages\n");
    assert!(dump(&app).contains("gallery  mouse capture off: the terminal selects text"));
}

#[test]
fn a_key_that_means_nothing_says_so_and_leaves_the_answer() {
    let mut app = castle(80, 24);
    typed(&mut app, ":goto 5\n");
    for key in ['T', 'n', 's', 'g', 'K', 'W'] {
        press(&mut app, &[Key::Char(key), Key::Char(key)]);
        assert_eq!(said(&app), "reached frame 5");
        let screen = dump(&app);
        let text = format!("{key} does nothing here; ? lists the keys");
        assert!(screen.contains(&text) && screen.contains("reached frame 5"), "{screen}");
        assert!(screen.contains("q quit"), "{screen}");
    }
    press(&mut app, &[Key::F(9)]);
    assert!(dump(&app).contains("F9 does nothing here"));
    typed(&mut app, ".");
    assert!(!dump(&app).contains("does nothing"), "the next key ends it");
    typed(&mut app, "Bn");
    assert!(dump(&app).contains("n does nothing here; ? lists the keys"), "{}", dump(&app));
    press(&mut app, &[Key::Esc]);
    // Where the help has no key, and where there is little room, it is not promised.
    typed(&mut app, ":messages\nn");
    let screen = dump(&app);
    assert!(screen.contains("n does nothing here ") && !screen.contains("lists the keys"));
    for width in 40..80 {
        let mut app = castle(width, 24);
        typed(&mut app, "n");
        let screen = dump(&app);
        assert!(screen.contains("n does nothing here") && screen.contains("q quit"), "{screen}");
    }
    // Letters that are text are no keys, and those of layers are some.
    for keys in ["/u", ":u", "?u", "L/u", "ou", "xu"] {
        let mut app = castle(80, 24);
        typed(&mut app, keys);
        assert!(keys == "ou" || !dump(&app).contains("does nothing"), "{keys}");
    }
    let mut app = castle(80, 24);
    typed(&mut app, "ot");
    assert!(!dump(&app).contains("does nothing"), "{}", dump(&app));
    let mut app = gallery(80, 24);
    typed(&mut app, "u");
    assert!(dump(&app).contains("u does nothing here; ? lists the keys"), "{}", dump(&app));
}

#[test]
fn what_only_trying_can_tell_is_mended_in_the_line_too() {
    let mut app = castle(80, 24);
    for (wrong, column, says) in [
        ("set guard.speed=3", "column 5: ", "`speed`"),
        ("set gard.pace=2", "column 5: ", "did you mean `guard`?"),
        ("set thief.max_sped=2", "column 5: ", "unknown key `max_sped`"),
        ("delete-break 7", "column 14: ", "no breakpoint 7"),
        ("save picture", "column 6: ", ".svg"),
    ] {
        typed(&mut app, &format!(":{wrong}\n"));
        let line = app.prompt.line.as_ref().unwrap_or_else(|| panic!("{wrong}: {}", said(&app)));
        assert_eq!((line.line().text(), line.line().cursor()), (wrong, wrong.len()));
        let screen = dump(&app);
        assert!(screen.contains(column) && screen.contains(says), "{wrong}: {screen}");
        assert_eq!(app.ui.answers.message, None, "said once");
        press(&mut app, &[Key::Esc]);
    }
    typed(&mut app, ":set gard.pace=2\n");
    press(&mut app, &[Key::Ctrl('u')]);
    typed(&mut app, "set guard.patrol.pace=2\n");
    assert!(app.prompt.line.is_none() && said(&app).contains("pace"), "{}", said(&app));
    assert_eq!(app.update(Input::Key(Key::Char(':'))), None);
    press(&mut app, &[Key::Up, Key::Up]);
    let line = app.prompt.line.as_ref().map(|line| line.line().text().to_owned());
    assert_eq!(
        line.as_deref(),
        Some("set guard.patrol.pace=2"),
        "what was wrong is not remembered"
    );
}

#[test]
fn of_a_paste_of_several_lines_the_first_is_taken_and_that_is_said() {
    for end in ["\n", "\r", "\r\n"] {
        let paste = |app: &mut App| {
            app.update(Input::Paste(format!("goto 5{end}goto 6")));
            assert!(said(app).contains("only the first line was pasted"), "{}", said(app));
            assert!(dump(app).contains("goto 5") && !dump(app).contains("goto 6"), "{}", dump(app));
        };
        for keys in [":", "/", "L/"] {
            let mut app = castle(80, 24);
            typed(&mut app, keys);
            paste(&mut app);
        }
        let mut app = castle(80, 24);
        typed(&mut app, ":");
        app.update(Input::Paste(format!("goto 5{end}")));
        assert_eq!(app.ui.answers.message, None, "one line is one");
        app.update(Input::Key(Key::Enter));
        let mut app = castle(80, 24);
        app.update(Input::Paste("a\nb".to_owned()));
        assert_eq!(app.ui.answers.message, None, "no message");
    }
}

#[test]
fn a_built_in_map_is_offered_a_new_file() {
    let mut app = castle(80, 24);
    for keys in ["w", ":write\n", ":write!\n"] {
        typed(&mut app, keys);
        assert!(said(&app).contains("nothing to write"), "{}", said(&app));
    }
    typed(&mut app, ":set guard.patrol.pace=2\n");
    for keys in ["w", ":write\n", ":write!\n"] {
        typed(&mut app, keys);
        let line = app.prompt.line.as_ref().expect("the line").line();
        assert_eq!((line.text(), line.cursor()), ("write castle.toml", 17));
        assert_eq!(said(&app), "warning: built-in maps are read-only; save a copy");
        assert!(dump(&app).contains("built-in maps are read-only; save a copy"));
        press(&mut app, &[Key::Esc]);
    }
    typed(&mut app, "w");
    let effect = app.update(Input::Key(Key::Enter));
    assert!(matches!(effect, Some(Effect::Write(_))), "{effect:?}");
    // What is refused outside is mended in the line as well; what no line asked for has none.
    app.saved(Err("castle.toml already exists".to_owned()));
    let line = app.prompt.line.as_ref().and_then(|line| line.complaint());
    assert_eq!(line, Some((Some(6..17), "castle.toml already exists")));
    press(&mut app, &[Key::Esc, Key::Char('.')]);
    app.saved(Err("no room".to_owned()));
    assert_eq!((said(&app).as_str(), app.prompt.line.is_none()), ("warning: no room", true));
}

#[test]
fn the_end_of_a_comparison_says_so() {
    let mut app = watching(80, 24);
    typed(&mut app, " :diff\n");
    assert_eq!(said(&app), "no comparison run; `:diff MAP` or `:diff seed N` starts one");
    app.compared(Ok(opened()), None);
    typed(&mut app, ":diff\n");
    assert_eq!(said(&app), "comparison run closed");
}

#[test]
fn values_are_not_lost_unasked_and_driving_asks_nothing() {
    let mut app = castle(80, 24);
    // Whoever only drives has nothing to write.
    typed(&mut app, "i");
    press(&mut app, &[Key::Down, Key::Down, Key::Right, Key::Esc]);
    assert!(!dump(&app).contains("* unsaved"));
    assert_eq!(app.update(Input::Key(Key::Char('q'))), Some(Effect::Quit));
    typed(&mut app, ":set guard.patrol.pace=2\n");
    press(&mut app, &[Key::Char('o'), Key::Esc]);
    assert!(dump(&app).contains("* unsaved"), "{}", dump(&app));
    assert_eq!(app.update(Input::Key(Key::Char('q'))), None);
    let asked = "warning: not written: guard.patrol.pace 5 → 2; :write FILE saves a copy; q again leaves without writing";
    assert_eq!(said(&app), asked);
    assert!(
        told(&app, 1).contains("guard.patrol.pace 5 → 2; :write FILE saves a copy; q again leaves")
    );
    // A key that means nothing between is none; another one asks anew; typing the way out counts.
    typed(&mut app, "n");
    assert_eq!(app.update(Input::Key(Key::Char('q'))), Some(Effect::Quit));
    typed(&mut app, ".");
    typed(&mut app, ":quit\n");
    assert_eq!(said(&app), asked);
    typed(&mut app, ":quit");
    assert_eq!(app.update(Input::Key(Key::Enter)), Some(Effect::Quit));
    // The list of maps is a way out as well.
    typed(&mut app, ".");
    app.gallery.maps = gallery(80, 24).gallery.maps;
    typed(&mut app, "G");
    assert_eq!(said(&app), asked.replace("q again", "G again"));
    assert!(app.session().is_some());
    // At a frame before it counts, it is told where it does.
    press(&mut app, &[Key::Home]);
    assert_eq!(app.update(Input::Key(Key::Char('q'))), None);
    assert!(said(&app).contains("guard.patrol.pace 5 → 2; End goes to the last frame; "));
    press(&mut app, &[Key::End]);
    // What was painted is named in the same question.
    typed(&mut app, "p");
    app.map_mut().paint.as_mut().expect("paint mode").cursor = TilePos::new(20, 1);
    typed(&mut app, " ");
    press(&mut app, &[Key::Esc]);
    assert_eq!(app.update(Input::Key(Key::Char('q'))), None);
    assert!(
        said(&app).contains("guard.patrol.pace 5 → 2, paint wall on (20, 1); "),
        "{}",
        said(&app)
    );
    // What is written anywhere is not lost.
    app.saved(Ok(Saved { message: "elsewhere".to_owned(), texts: vec![] }));
    assert_eq!(app.unwritten(), None);
    press(&mut app, &[Key::Char('o'), Key::Esc]);
    assert!(!dump(&app).contains("* unsaved"), "{}", dump(&app));
    assert_eq!(app.update(Input::Key(Key::Char('q'))), Some(Effect::Quit));
}

#[test]
fn a_recording_is_called_one_and_asks_for_nothing_it_came_with() {
    let mut played = castle(80, 24);
    typed(&mut played, ":set thief.radius=0.2\n>");
    let history = played.session().expect("a map").history().clone();
    let count = |log: &Log| log.iter().count();
    assert_eq!(count(history.run().log()), 1);
    let opened = Opened { recorded: Some(Box::new(history)), ..opened() };
    let mut app = watching(80, 24);
    app.opened(Ok(Opened { id: "t2.twr".to_owned(), ..opened }));
    typed(&mut app, " ");
    app.update(Input::Key(Key::Esc));
    assert!(dump(&app).contains("replay  "), "{}", dump(&app));
    typed(&mut app, ":last\n");
    let session = app.session().expect("a map");
    assert!(session.world().frame() > Frame(5) && !session.unwritten().is_empty());
    assert!(!dump(&app).contains("* unsaved"), "{}", dump(&app));
    assert_eq!(
        (app.unwritten(), app.update(Input::Key(Key::Char('q')))),
        (None, Some(Effect::Quit))
    );
    typed(&mut app, ":set guard.patrol.pace=2\n");
    assert_eq!(app.unwritten().as_deref(), Some("not written to stage.toml: guard.patrol.pace=2"));
    assert_eq!(app.update(Input::Key(Key::Char('q'))), None);
}

#[test]
fn the_name_of_a_mode_wants_quotes() {
    let mut app = castle(80, 24);
    for (condition, word, column) in
        [("guard.mode == chase", "chase", 21), ("chase == guard.mode", "chase", 7)]
    {
        typed(&mut app, &format!(":break {condition}\n"));
        let screen = dump(&app);
        let text = format!("column {column}: mode names need quotes: \"{word}\"");
        assert!(screen.contains(&text), "{screen}");
        press(&mut app, &[Key::Esc]);
    }
    typed(&mut app, ":break guard.mode == \"chase\"\n");
    assert!(app.prompt.line.is_none(), "{}", dump(&app));
}
