//! Using the screen without a terminal: typing, waiting, reading what is drawn.

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tilewalk::files::read::changed_files::{WatcherEvent, WatcherMessage};
use tilewalk::files::{self, Options};
use tilewalk::tui::app::{App, Message};
use tilewalk::tui::input::{Input, Key};
use tilewalk::tui::{Opened, Start};

use super::maps;
use super::stage::colors;

/// Columns and rows of a terminal.
pub type Size = (u16, u16);

/// A built-in map, paused at frame 0.
pub fn shipped(name: &str, (width, height): Size) -> App {
    let opened = Opened::new(name, &format!("{name}.toml"), maps::scenario(name));
    let mut app = App::new(vec![], Start::Map(opened), Rect::new(0, 0, width, height), colors()).0;
    typed(&mut app, " ");
    app
}

/// A map opened from the gallery, paused at frame 0. It has no file.
pub fn builtin(name: &str) -> App {
    let mut opened = Opened::new(&format!("builtin:{name}"), name, maps::scenario(name));
    opened.new_name = Some(format!("{name}.toml"));
    let mut app = App::new(vec![], Start::Map(opened), Rect::new(0, 0, 120, 40), colors()).0;
    typed(&mut app, " ");
    app
}

/// The news that the file of a map was saved with this text.
pub fn message_of(id: &str, text: &str, options: &Options) -> WatcherMessage {
    let origin = tilewalk::builtin::text(format!("{id}.toml"), text.to_owned());
    let result = files::load(&origin, options).map(Box::new).map_err(|error| error.to_string());
    WatcherMessage { id: id.to_owned(), event: WatcherEvent::Read(result) }
}

/// A map that is read from a text, with the id `map`.
pub fn opened(text: &str, options: &Options) -> Opened {
    let WatcherEvent::Read(Ok(loaded)) = message_of("map", text, options).event else {
        panic!("a readable map")
    };
    let scenario = loaded.scenario.clone();
    let scenario = scenario.unwrap_or_else(|| panic!("{}", loaded.report.plain()));
    Opened::new("map", "map.toml", scenario)
}

/// Presses keys, one after the other, and simulates what the screen needs of the past.
pub fn press(app: &mut App, keys: &[Key]) {
    for &key in keys {
        app.update(Input::Key(key));
    }
    settle(app);
}

/// Types a text; a line end is Enter.
pub fn typed(app: &mut App, text: &str) {
    for c in text.chars() {
        press(app, &[if c == '\n' { Key::Enter } else { Key::Char(c) }]);
    }
}

/// Types a command and runs it.
pub fn command(app: &mut App, text: &str) {
    typed(app, &format!(":{text}\n"));
}

/// Goes to a frame and waits until it is simulated.
pub fn go_to(app: &mut App, frame: u64) {
    command(app, &format!("goto {frame}"));
}

/// Gives the screen all the time it asks for, none of which passes on the map.
pub fn settle(app: &mut App) {
    while app.until_next() == Some(Duration::ZERO) && !app.clock.playing {
        app.pass(Duration::ZERO, || true);
    }
}

/// The current frame.
pub fn frame(app: &App) -> u64 {
    app.session.as_ref().expect("a map").world().frame().0
}

/// The current message, marked if it is a warning; empty if there is none.
pub fn said(app: &App) -> String {
    match &app.answers.message {
        Some(Message::Note(text)) => text.clone(),
        Some(Message::Warning(text)) => format!("warning: {text}"),
        None => String::new(),
    }
}

/// The text of the current message.
pub fn message(app: &App) -> &str {
    match app.answers.message.as_ref().expect("a message") {
        Message::Note(text) | Message::Warning(text) => text,
    }
}

/// The error in the command line, which is open.
pub fn complaint(app: &App) -> &str {
    app.prompt.palette.as_ref().expect("an open line").complaint().expect("a complaint").1
}

/// The cells of the whole screen.
pub fn drawn(app: &App) -> Buffer {
    let mut buffer = Buffer::empty(app.screen);
    app.draw(&mut buffer);
    buffer
}

/// The rows of an area as text.
pub fn rows_of(buffer: &Buffer, area: Rect) -> Vec<String> {
    let row = |y| (area.x..area.right()).map(|x| buffer[(x, y)].symbol()).collect();
    (area.y..area.bottom()).map(row).collect()
}

/// The rows of the whole screen as text.
pub fn rows(app: &App) -> Vec<String> {
    rows_of(&drawn(app), app.screen)
}

/// The whole screen as text.
pub fn dump(app: &App) -> String {
    rows(app).iter().map(|row| row.trim_end().to_owned() + "\n").collect()
}
