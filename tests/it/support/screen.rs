//! Using the screen without a terminal: typing, waiting, reading what is drawn.

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tilewalk::debugger::session::{Session, Subject};
use tilewalk::files::changed_files::{WatcherEvent, WatcherMessage};
use tilewalk::files::config::OnReload;
use tilewalk::files::{self, Options};
use tilewalk::id::AgentId;
use tilewalk::tui::app::{App, Message};
use tilewalk::tui::camera::View;
use tilewalk::tui::input::{Input, Key};
use tilewalk::tui::layout::{GalleryLayout, Layout, Panes};
use tilewalk::tui::map_screen::MapScreen;
use tilewalk::tui::{Opened, Start};

use super::maps;
use super::stage::colors;

/// Columns and rows of a terminal.
pub type Size = (u16, u16);

/// What the components below the app know, for tests.
pub trait Look {
    /// The map screen, which is open.
    fn map(&self) -> &MapScreen;
    /// The map screen, to change its state without keys.
    fn map_mut(&mut self) -> &mut MapScreen;
    /// True for the map screen without a list, a page or the gallery.
    fn is_plain_map(&self) -> bool;
    /// The visible part of the map.
    fn view(&self) -> Option<View>;
    /// The minimap's view of the whole map.
    fn minimap(&self) -> Option<View>;
    /// The areas of the panes; those of an empty map in the gallery.
    fn layout(&self) -> Layout;
    /// The areas of the panes of the gallery.
    fn gallery_layout(&self) -> GalleryLayout;
    /// The selected agent or tile.
    fn subject(&self) -> Subject;
    /// The agent under manual control.
    fn driven(&self) -> Option<AgentId>;
    /// True in paint mode.
    fn is_painting(&self) -> bool;
    /// Sets how the run continues after files of the map change.
    fn wish_on_reload(&mut self, how: OnReload);
}

impl Look for App {
    fn map(&self) -> &MapScreen {
        self.map.as_ref().expect("a map")
    }

    fn map_mut(&mut self) -> &mut MapScreen {
        self.map.as_mut().expect("a map")
    }

    fn is_plain_map(&self) -> bool {
        self.page.is_none() && self.map.as_ref().is_some_and(|map| !map.has_popup())
    }

    fn view(&self) -> Option<View> {
        self.map.as_ref().map(|map| map.view(&self.ui))
    }

    fn minimap(&self) -> Option<View> {
        self.map().minimap(&self.ui)
    }

    fn layout(&self) -> Layout {
        match &self.map {
            Some(map) => map.layout(&self.ui),
            None => Layout::of(self.ui.screen, Panes::All, 0, 0),
        }
    }

    fn gallery_layout(&self) -> GalleryLayout {
        self.gallery.layout(&self.ui)
    }

    fn subject(&self) -> Subject {
        self.session().map_or(Subject::None, Session::subject)
    }

    fn driven(&self) -> Option<AgentId> {
        self.session()?.driven()
    }

    fn is_painting(&self) -> bool {
        self.map.as_ref().is_some_and(|map| map.paint.is_some())
    }

    fn wish_on_reload(&mut self, how: OnReload) {
        self.map_mut().reload_with(how);
    }
}

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
    while app.until_next() == Some(Duration::ZERO)
        && app.map.as_ref().is_some_and(|map| !map.clock.playing)
    {
        app.pass(Duration::ZERO, || true);
    }
}

/// The current frame.
pub fn frame(app: &App) -> u64 {
    app.session().expect("a map").world().frame().0
}

/// The current message, marked if it is a warning; empty if there is none.
pub fn said(app: &App) -> String {
    match &app.ui.answers.message {
        Some(Message::Note(text)) => text.clone(),
        Some(Message::Warning(text)) => format!("warning: {text}"),
        None => String::new(),
    }
}

/// The text of the current message.
pub fn message(app: &App) -> &str {
    match app.ui.answers.message.as_ref().expect("a message") {
        Message::Note(text) | Message::Warning(text) => text,
    }
}

/// The error in the command line, which is open.
pub fn complaint(app: &App) -> &str {
    app.prompt.line.as_ref().expect("an open line").complaint().expect("a complaint").1
}

/// The cells of the whole screen.
pub fn drawn(app: &App) -> Buffer {
    let mut buffer = Buffer::empty(app.ui.screen);
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
    rows_of(&drawn(app), app.ui.screen)
}

/// The whole screen as text.
pub fn dump(app: &App) -> String {
    rows(app).iter().map(|row| row.trim_end().to_owned() + "\n").collect()
}
