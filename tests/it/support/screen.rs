//! Uses the screen without a terminal: types, waits, and reads what is drawn.

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tilewalk::debugger::session::{Session, Subject};
use tilewalk::files::config::OnReload;
use tilewalk::files::read::changed_files::{WatcherEvent, WatcherMessage};
use tilewalk::files::{self, Options};
use tilewalk::id::AgentId;
use tilewalk::tui::app::{App, Message};
use tilewalk::tui::camera::View;
use tilewalk::tui::input::{Input, Key};
use tilewalk::tui::layout::{Contents, GalleryLayout, Layout};
use tilewalk::tui::map_screen::MapScreen;
use tilewalk::tui::{Opened, Start};

use super::maps;
use super::sample_maps::dark_theme;

/// Columns and rows of a screen.
pub type Size = (u16, u16);

/// Gives tests access to the state of the app's components.
pub trait Look {
    /// Returns the map screen. Panics if no map is open.
    fn map(&self) -> &MapScreen;
    /// Returns the map screen, for changes without keys. Panics if no map is open.
    fn map_mut(&mut self) -> &mut MapScreen;
    /// Returns true if the map screen is open and no list or page covers it.
    fn is_plain_map(&self) -> bool;
    /// Returns the visible part of the map, or `None` without a map.
    fn view(&self) -> Option<View>;
    /// Returns the minimap's view of the whole map, or `None` if there is no minimap.
    fn minimap(&self) -> Option<View>;
    /// Returns the areas of the panes. In the gallery, they are those of an empty map.
    fn layout(&self) -> Layout;
    /// Returns the areas of the panes of the gallery.
    fn gallery_layout(&self) -> GalleryLayout;
    /// Returns the selected agent or tile.
    fn subject(&self) -> Subject;
    /// Returns the agent under manual control.
    fn driven(&self) -> Option<AgentId>;
    /// Returns true in paint mode.
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
            None => Layout::of(self.ui.screen, Contents::default()),
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

/// Opens a built-in map, paused at frame 0.
pub fn shipped(name: &str, (width, height): Size) -> App {
    let opened = Opened::new(name, &format!("{name}.toml"), maps::scenario(name));
    let mut app =
        App::new(vec![], Start::Map(opened), Rect::new(0, 0, width, height), dark_theme()).0;
    type_text(&mut app, " ");
    app
}

/// Opens a built-in map as the gallery does: without a file. It is paused at frame 0.
pub fn builtin(name: &str) -> App {
    let mut opened = Opened::new(&format!("builtin:{name}"), name, maps::scenario(name));
    opened.new_name = Some(format!("{name}.toml"));
    let mut app = App::new(vec![], Start::Map(opened), Rect::new(0, 0, 120, 40), dark_theme()).0;
    type_text(&mut app, " ");
    app
}

/// Returns the file watcher's message that the file of a map was saved with this text.
pub fn saved_message(id: &str, text: &str, options: &Options) -> WatcherMessage {
    let origin = tilewalk::builtin::text(format!("{id}.toml"), text.to_owned());
    let result = files::load(&origin, options).map(Box::new).map_err(|error| error.to_string());
    WatcherMessage { id: id.to_owned(), event: WatcherEvent::Read(result) }
}

/// Opens a map from its text, with the id `map`.
pub fn opened(text: &str, options: &Options) -> Opened {
    let WatcherEvent::Read(Ok(loaded)) = saved_message("map", text, options).event else {
        panic!("map is not readable")
    };
    let scenario = loaded.scenario.clone();
    let scenario = scenario.unwrap_or_else(|| panic!("{}", loaded.report.plain()));
    Opened::new("map", "map.toml", scenario)
}

/// Presses keys in order, then waits until the screen has simulated all frames that it needs.
pub fn press(app: &mut App, keys: &[Key]) {
    for &key in keys {
        app.update(Input::Key(key));
    }
    settle(app);
}

/// Types text. Each line break presses Enter.
pub fn type_text(app: &mut App, text: &str) {
    for c in text.chars() {
        press(app, &[if c == '\n' { Key::Enter } else { Key::Char(c) }]);
    }
}

/// Types a command and runs it.
pub fn command(app: &mut App, text: &str) {
    type_text(app, &format!(":{text}\n"));
}

/// Goes to a frame and waits until it is simulated.
pub fn go_to(app: &mut App, frame: u64) {
    command(app, &format!("goto {frame}"));
}

/// Lets the screen finish its background work. No time passes on the map.
pub fn settle(app: &mut App) {
    while app.until_next() == Some(Duration::ZERO)
        && app.map.as_ref().is_some_and(|map| !map.clock.playing)
    {
        app.pass(Duration::ZERO, || true);
    }
}

/// Lets time pass until the screen is idle. Panics if it stays busy.
pub fn wait_until_idle(app: &mut App) {
    for _ in 0..10_000 {
        if app.until_next().is_none() {
            return;
        }
        app.pass(Duration::from_millis(1), || true);
    }
    panic!("the screen is never idle");
}

/// Returns the current frame.
pub fn frame(app: &App) -> u64 {
    app.session().expect("map is open").world().frame().0
}

/// Returns the current message, with `warning: ` before a warning, or an empty string if there is none.
pub fn shown_message(app: &App) -> String {
    match &app.ui.answers.message {
        Some(Message::Note(text)) => text.clone(),
        Some(Message::Warning(text)) => format!("warning: {text}"),
        None => String::new(),
    }
}

/// Returns the text of the current message. Panics if there is none.
pub fn message(app: &App) -> &str {
    match app.ui.answers.message.as_ref().expect("screen shows a message") {
        Message::Note(text) | Message::Warning(text) => text,
    }
}

/// Returns the error in the open command line.
pub fn command_error(app: &App) -> &str {
    app.prompt
        .line
        .as_ref()
        .expect("command line is open")
        .complaint()
        .expect("command line shows an error")
        .1
}

/// Returns the cells of the whole screen.
pub fn drawn(app: &App) -> Buffer {
    let mut buffer = Buffer::empty(app.ui.screen);
    app.draw(&mut buffer);
    buffer
}

/// Returns the rows of an area as text.
pub fn rows_of(buffer: &Buffer, area: Rect) -> Vec<String> {
    let row = |y| (area.x..area.right()).map(|x| buffer[(x, y)].symbol()).collect();
    (area.y..area.bottom()).map(row).collect()
}

/// Returns the rows of the whole screen as text.
pub fn rows(app: &App) -> Vec<String> {
    rows_of(&drawn(app), app.ui.screen)
}

/// Returns the whole screen as text.
pub fn dump(app: &App) -> String {
    rows(app).iter().map(|row| row.trim_end().to_owned() + "\n").collect()
}
