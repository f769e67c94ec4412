//! The whole screen: passes input on to the component that has the focus, and draws all of them.
//!
//! From bottom to top, these are the gallery or the map screen with its popup, a text page, and the
//! command line. The topmost one receives keys and clicks.

mod commands;

use core::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::Widget;

use crate::cancel::Cancel;
use crate::debugger::session::Session;
use crate::files::WatcherMessage;
use crate::files::read::recording_block;

use super::action::{Action, Context, Invocation};
use super::argument::Argument;
use super::command_line::{Prompt, Scene};
use super::component::Component;
use super::draw::footer::Footer;
use super::draw::list::List;
use super::draw::pane;
use super::gallery::GalleryScreen;
use super::glyph;
use super::host::{GalleryEntry, LiveNews, Opened, Saved, Start};
use super::input::{Cell, Input, Key};
use super::layout::SMALLEST;
use super::line::{Line, Typed};
use super::map_screen::{MapScreen, MapSettings};
use super::page::{Content, Page};
use super::recording::Recording;
use super::settings::Settings;
use super::theme::Theme;
use super::ui::{Setup, Ui};

pub use super::effect::Effect;
pub use super::map_screen::STILL_WRITING;
pub use super::messages::Message;
pub use super::page::ErrorText;

/// The state of the screen.
#[derive(Debug, Clone)]
pub struct App {
    /// What all components share: size, settings and messages.
    pub ui: Ui,
    /// The lowest component while no map is open.
    pub gallery: GalleryScreen,
    /// The lowest component while a map is open. `None` while the gallery is visible.
    pub map: Option<Box<MapScreen>>,
    /// The text page over the gallery or the map.
    pub page: Option<Page>,
    /// The command line, and the history of commands.
    pub prompt: Prompt,
    /// The recording of the session to a file. After a recording has failed, contains its error.
    /// `None` without a recording.
    pub recording: Option<Recording>,
    /// Settings that the next map inherits.
    map_settings: MapSettings,
    /// The last key that was pressed.
    pressed: Option<Key>,
    /// Whether the program quits, because a save has ended.
    leaves: bool,
    /// Flag with which another thread cancels the simulation steps of all sessions.
    cancel: Cancel,
}

impl App {
    /// Creates the state of the screen with default settings. `entries` are the maps of the
    /// gallery.
    ///
    /// The caller must perform the returned effect first. For example, the effect reads the preview
    /// of the first map.
    pub fn new(
        entries: Vec<GalleryEntry>,
        start: Start,
        screen: Rect,
        theme: Theme,
    ) -> (Self, Option<Effect>) {
        let mut app = Self {
            ui: Ui::new(screen, theme, !entries.is_empty()),
            gallery: GalleryScreen::new(entries),
            map: None,
            page: None,
            prompt: Prompt::default(),
            recording: None,
            map_settings: MapSettings::default(),
            pressed: None,
            leaves: false,
            cancel: Cancel::default(),
        };
        let effect = match start {
            Start::Gallery => app.gallery.wanted_preview(),
            Start::Map(opened) => {
                app.open_map_screen(opened);
                None
            }
        };
        (app, effect)
    }

    /// Applies the settings of the configuration file. If the configuration has errors, shows them
    /// as a text page.
    pub fn set_up(&mut self, settings: &Settings) {
        self.ui.setup = Setup::of(settings);
        let Settings { speed, overlays, on_reload, .. } = *settings;
        self.map_settings = MapSettings { overlays, speed, on_reload, ..self.map_settings };
        if let Some(map) = &mut self.map {
            map.set_up(self.map_settings);
        }
        self.greet();
        if let Some(text) = settings.trouble.clone() {
            let title = "configuration has errors; defaults are used";
            self.open_page(Content::Errors(ErrorText { title, text }));
        }
    }

    /// Replaces the flag with which another thread cancels simulation steps. Applies to open
    /// sessions and to sessions opened later.
    pub fn set_cancel(&mut self, cancel: Cancel) {
        let open = self.map.as_mut().map(|map| &mut map.session);
        for session in open.into_iter().chain(self.gallery.running_mut()) {
            session.set_cancel(&cancel);
        }
        self.cancel = cancel;
    }

    /// Returns the open session. Returns `None` while the gallery is visible.
    pub fn session(&self) -> Option<&Session> {
        self.map.as_ref().map(|map| &map.session)
    }

    /// Handles user input. Returns an effect that the event loop must perform, such as opening a
    /// map. Returns `None` if no effect is needed.
    pub fn update(&mut self, input: Input) -> Option<Effect> {
        if let Input::Answer(answer) = input {
            self.ui.setup.adapt(answer);
            return None;
        }
        let effect = self.take_in(input);
        self.open_offered_command();
        if let Some(map) = &mut self.map {
            map.renew(&mut self.ui);
        }
        // If the effect of a typed command fails, the command line reopens.
        if self.prompt.tried.is_none() {
            self.ask_about_saved();
        }
        effect
    }

    fn take_in(&mut self, input: Input) -> Option<Effect> {
        self.ui.answers.idle = None;
        self.prompt.tried = None;
        match input {
            Input::Resize { width, height } => {
                self.ui.screen = Rect::new(0, 0, width, height);
                if let Some(map) = &mut self.map {
                    map.refit(&self.ui);
                }
            }
            Input::Key(key) => return self.key(key),
            Input::Paste(text) => return self.paste(&text),
            Input::Click(cell) => return self.click(cell),
            Input::Drag(cell) => {
                if let Some(map) = &mut self.map {
                    map.drag(&mut self.ui, cell);
                }
            }
            Input::Release => {
                if let Some(map) = &mut self.map {
                    map.release(&mut self.ui);
                }
            }
            Input::RightClick(cell) if self.prompt.line.is_none() => {
                let (top, ui) = self.top_mut();
                top.right_click(cell, ui);
            }
            Input::RightClick(_) | Input::Answer(_) => {}
            Input::Wheel { at, up } => {
                let rows = if up { -1 } else { 1 };
                if !self.with_prompt(|prompt, scene| prompt.move_by(rows, scene)) {
                    let (top, ui) = self.top_mut();
                    return top.wheel(at, rows, ui);
                }
            }
        }
        None
    }

    /// Returns the topmost component below the command line.
    fn top(&self) -> &dyn Component {
        match (&self.page, &self.map) {
            (Some(page), _) => page,
            (None, Some(map)) => &**map,
            (None, None) => &self.gallery,
        }
    }

    fn top_mut(&mut self) -> (&mut dyn Component, &mut Ui) {
        let top: &mut dyn Component = match (&mut self.page, &mut self.map) {
            (Some(page), _) => page,
            (None, Some(map)) => &mut **map,
            (None, None) => &mut self.gallery,
        };
        (top, &mut self.ui)
    }

    /// Returns the context whose key bindings apply now.
    pub fn context(&self) -> Context {
        if self.prompt.line.is_some() { Context::CommandLine } else { self.top().context() }
    }

    fn with_prompt<R>(&mut self, change: impl FnOnce(&mut Prompt, Scene) -> R) -> R {
        let mut prompt = core::mem::take(&mut self.prompt);
        let host = prompt.host.clone();
        let world = self.session().map(Session::world);
        let scene = Scene::new(self.top().context(), world, &self.ui.setup.keymap);
        let scene = Scene { maps: self.gallery.maps.all(), host: host.as_deref(), ..scene };
        let result = change(&mut prompt, scene);
        self.prompt = prompt;
        result
    }

    fn key(&mut self, key: Key) -> Option<Effect> {
        self.pressed = Some(key);
        let context = self.context();
        if let Some(action) = self.ui.setup.keymap.bound(key, context) {
            self.ui.answers.message = None;
            let invocation = self.invoked(action, key);
            return self.act(invocation);
        }
        if context.takes_text() {
            self.ui.answers.message = None;
            return self.edit(Typed::Key(key));
        }
        // Without a meaning, the footer reports the key, and the status line keeps its message.
        if self.top_mut().0.press(key) {
            self.ui.answers.message = None;
        } else {
            self.ui.answers.idle = Some((key, context));
            self.explain_layout(key);
        }
        None
    }

    /// Explains a letter of another alphabet without an action. Does so only once.
    fn explain_layout(&mut self, key: Key) {
        let Key::Char(letter) = key else { return };
        if letter.is_alphabetic() && !letter.is_ascii() && !self.ui.answers.is_layout_explained {
            self.ui.answers.is_layout_explained = true;
            self.warn(format!("this layout sends {letter}; tilewalk's keys are Latin letters"));
        }
    }

    /// Returns the command that a key runs. For a key of the brush command, the argument is the
    /// position of the key among that command's keys, counted from 1.
    fn invoked(&self, action: Action, key: Key) -> Invocation {
        let keys = self.ui.setup.keymap.keys_of(action, self.context());
        let place = keys.iter().position(|&other| other == key).filter(|_| action == Action::Brush);
        Invocation { action, argument: place.map(|place| Argument::Count(place as u32 + 1)) }
    }

    /// Handles a pasted text. A recording opens in every context; other text goes to the text input.
    fn paste(&mut self, text: &str) -> Option<Effect> {
        if recording_block::is_block(text) {
            return self.open_pasted(text);
        }
        if !self.context().takes_text() {
            return None;
        }
        if Line::first_of(text).1 {
            self.warn("only the first line was pasted");
        }
        self.edit(Typed::Paste(text))
    }

    /// Edits the command line if it is open, otherwise the text input of the topmost component.
    fn edit(&mut self, typed: Typed) -> Option<Effect> {
        let edited = self.with_prompt(|prompt, scene| {
            prompt.line.as_mut().map(|line| line.edit(typed, scene)).is_some()
        });
        if edited {
            return None;
        }
        let (top, ui) = self.top_mut();
        top.edit(typed, ui)
    }

    /// Handles a click with the left button: on the command line, on a list, or elsewhere.
    fn click(&mut self, cell: Cell) -> Option<Effect> {
        let clicked = self.command_list().map(|list| (list.row_at(cell), list.selected));
        if let Some((row, selected)) = clicked {
            if row.is_some() && row == selected {
                return self.run_command();
            }
            if let (Some(row), Some(line)) = (row, &mut self.prompt.line) {
                line.select(row);
            }
            return None;
        }
        let (top, ui) = self.top_mut();
        match top.click_list(cell, ui) {
            Ok(effect) => effect,
            Err(_) => top.click(cell, ui),
        }
    }

    /// Returns the suggestions of the command line. Returns `None` if the command line is closed.
    fn command_list(&self) -> Option<List<'_>> {
        let covers_map = self.page.is_some() || self.map.is_none();
        self.prompt.list(if covers_map { 1 } else { 2 }, &self.ui)
    }

    /// Returns the suggestions if the command line is open, otherwise the list of the topmost
    /// component. Returns `None` if neither exists.
    pub fn list(&self) -> Option<List<'_>> {
        self.command_list().or_else(|| self.top().list(&self.ui))
    }

    /// Draws the whole screen into a buffer. Uses only the characters and colours that the terminal
    /// supports.
    pub fn draw(&self, buffer: &mut Buffer) {
        self.draw_components(buffer);
        self.ui.setup.theme.fill(buffer);
        if self.ui.setup.ascii {
            glyph::ascii::replace(buffer);
        }
    }

    fn draw_components(&self, buffer: &mut Buffer) {
        let screen = self.ui.screen.intersection(buffer.area);
        if screen.width < SMALLEST.0 || screen.height < SMALLEST.1 {
            draw_too_small(screen, buffer);
            return;
        }
        let context = self.context();
        let idle = self.ui.answers.idle.filter(|&(_, at)| at == context).map(|(key, _)| key);
        let Setup { keymap, theme, .. } = &self.ui.setup;
        let footer = Footer { context, idle, keymap, theme };
        match &self.map {
            None => self.gallery.draw(&self.ui, footer, buffer),
            Some(map) => map.draw(&self.ui, footer, self.recording.as_ref(), buffer),
        }
        if let Some(page) = &self.page {
            page.draw(&self.ui, screen, buffer);
        }
        if let Some(list) = self.command_list() {
            list.render(screen, buffer);
        }
    }

    /// Advances the open map by `elapsed` real time, or the preview if no map is open. Simulates
    /// frames until `in_time` returns false.
    ///
    /// Returns true if the contents of the screen may have changed.
    pub fn pass(&mut self, elapsed: Duration, in_time: impl FnMut() -> bool) -> bool {
        match &mut self.map {
            _ if self.page.is_some() => false,
            Some(map) => map.pass(&mut self.ui, elapsed, in_time),
            None => self.gallery.pass(elapsed, in_time),
        }
    }

    /// Returns the real time until the next frame is due. Returns zero if work is left, such as a
    /// seek. Returns `None` if nothing changes without user input.
    pub fn until_next(&self) -> Option<Duration> {
        match &self.map {
            _ if self.page.is_some() => None,
            Some(map) => map.until_next(),
            None => self.gallery.until_next(),
        }
    }

    /// Shows a note and adds the note to the message log.
    fn note(&mut self, text: impl Into<String>) {
        let at = self.map.as_ref().map(|map| map.place());
        self.ui.show(at, Message::Note(text.into()));
    }

    /// Shows a warning and adds the warning to the message log.
    pub fn warn(&mut self, text: impl Into<String>) {
        let at = self.map.as_ref().map(|map| map.place());
        self.ui.show(at, Message::Warning(text.into()));
    }

    /// Adds the warnings of an opened map to the message log. Shows the first warning, and the
    /// number of further warnings.
    fn warn_all(&mut self, warnings: Vec<String>) {
        self.ui.answers.message = None;
        let more = warnings.len().saturating_sub(1);
        for warning in warnings.into_iter().rev() {
            self.warn(warning);
        }
        if let (Some(Message::Warning(first)), 1..) = (&self.ui.answers.message, more) {
            let text = format!("{first} (and {more} more; :messages lists all)");
            self.ui.answers.message = Some(Message::Warning(text));
        }
    }

    /// Shows a first hint if no other message is shown. For an opened recording, the hint explains
    /// how to play it. When the first map opens, the hint is for new users.
    fn greet(&mut self) {
        let Some(map) = self.map.as_ref().filter(|_| self.ui.answers.message.is_none()) else {
            return;
        };
        let history = map.session.history();
        let key = self.ui.setup.keymap.named(Action::PlayPause, Context::Map);
        if let Some(end) = history.run().recorded_end() {
            let frame = map.session.sought().map_or(history.frame(), |(sought, _)| sought);
            let (run, runs) = (history.present().0 + 1, history.runs().len());
            map.note(
                &mut self.ui,
                format!("run {run} of {runs}, frame {frame} of {end}; {key} plays"),
            );
        } else if self.ui.setup.looks.is_some() && self.gallery.is_first_map() {
            let about = self.ui.setup.keymap.named(Action::About, Context::Map);
            let verb = if map.clock.playing { "pauses" } else { "plays" };
            let text = format!("{key} {verb}; {about} describes the map; click an agent");
            map.note(&mut self.ui, text);
        }
    }

    /// Opens the screen of a map in place of the gallery or of the open map.
    fn open_map_screen(&mut self, mut opened: Opened) {
        self.gallery.restore(&mut opened);
        let warnings = core::mem::take(&mut opened.warnings);
        let (map, first) = MapScreen::new(opened, self.map_settings, &self.cancel, &self.ui);
        self.map = Some(Box::new(map));
        self.page = None;
        self.warn_all(warnings);
        if let Some(map) = &mut self.map {
            map.show_first(first, &self.ui);
        }
        self.greet();
    }

    /// Closes the open map, and keeps what later maps and the gallery need of it.
    fn close_map_screen(&mut self) -> Option<Box<MapScreen>> {
        let map = self.map.take()?;
        self.map_settings = map.settings();
        Some(map)
    }

    /// Shows an opened map. If the map could not be opened, shows the error as a text page.
    pub fn opened(&mut self, result: Result<Opened, String>) {
        self.opened_or("cannot play this map", result);
    }

    /// Shows the recording in a pasted text. If it could not be opened, shows the error as a text
    /// page, and the open map stays.
    pub fn opened_pasted(&mut self, result: Result<Opened, String>) {
        self.opened_or("cannot open the pasted recording", result);
    }

    fn opened_or(&mut self, title: &'static str, result: Result<Opened, String>) {
        match result {
            Ok(opened) => self.go_to_map(opened),
            Err(text) => self.open_page(Content::Errors(ErrorText { title, text })),
        }
    }

    /// Switches to an opened map. If the same map is already open, keeps its selection,
    /// breakpoints, bookmarks and camera.
    fn go_to_map(&mut self, mut opened: Opened) {
        let again = self.session().is_some_and(|old| old.id() == opened.id);
        if again {
            opened.first = None;
        }
        let lost = if again { None } else { self.unwritten() };
        let old = self.close_map_screen();
        if let Some(old) = old.as_ref().filter(|_| !again) {
            self.gallery.put_away(&old.session);
        }
        self.open_map_screen(opened);
        if let (true, Some(old), Some(map)) = (again, old, &mut self.map) {
            map.take_over(&old, &mut self.ui);
        }
        if let Some(lost) = lost {
            self.warn(lost);
        }
    }

    /// Shows the preview of the selected map. If the map could not be read, shows the error in the
    /// preview's pane.
    pub fn previewed(&mut self, result: Result<Opened, String>) {
        self.gallery.show_preview(result, &self.cancel);
    }

    /// Starts the comparison with an opened map, and searches for the first difference. If the map
    /// could not be opened, shows the error. `seed` is the seed of the comparison run. `None`
    /// stands for the map's own seed.
    pub fn compared(&mut self, result: Result<Opened, String>, seed: Option<u64>) {
        match (result, &mut self.map) {
            (Ok(opened), Some(map)) => map.compare_with(&mut self.ui, opened, seed),
            (Ok(_), None) => {}
            (Err(text), _) => {
                let title = "cannot compare with this run";
                self.open_page(Content::Errors(ErrorText { title, text }));
            }
        }
    }

    /// Handles a report of the file watcher. Updates the list of problems, and applies changed
    /// contents to the run. Ignores a report about another map.
    pub fn receive(&mut self, message: WatcherMessage) {
        if let Some(map) = &mut self.map {
            map.receive(&mut self.ui, message);
        }
        self.ask_about_saved();
    }

    /// Handles a report about the run that another program still writes. Without an open map, does
    /// nothing.
    pub fn take_live(&mut self, news: LiveNews) {
        if let Some(map) = &mut self.map {
            map.take_live(&mut self.ui, news);
        }
    }

    /// Handles the result of reading the map's files again on request. If nothing changed, shows a
    /// note.
    pub fn reread(&mut self, message: WatcherMessage) {
        if let Some(map) = &mut self.map {
            map.reread(&mut self.ui, message);
        }
        self.ask_about_saved();
    }

    /// Asks how the run continues after a file was saved, unless a page or the command line is
    /// open.
    fn ask_about_saved(&mut self) {
        if let Some(map) = &mut self.map
            && self.page.is_none()
            && self.prompt.line.is_none()
        {
            map.ask_about_saved(&mut self.ui);
        }
    }

    /// Shows that a write takes long. Until it ends, the files of the map cannot be edited.
    pub fn write_continues(&mut self) {
        if let Some(map) = &mut self.map {
            map.session.lock_draft(Some(STILL_WRITING));
        }
        self.warn("writing takes long; edits wait until the file is written");
    }

    /// Allows edits again after [`App::write_continues`].
    pub fn write_ended(&mut self) {
        if let Some(map) = &mut self.map {
            map.session.lock_draft(None);
        }
    }

    /// Shows the result of a save. If values and edits were written, marks them as saved.
    /// Otherwise, shows the error.
    pub fn saved(&mut self, result: Result<Saved, String>) {
        match (result, &mut self.map) {
            (Ok(saved), Some(map)) => map.wrote(&mut self.ui, saved),
            (Ok(saved), None) => self.note(saved.message),
            (Err(why), _) => self.refuse(why),
        }
    }

    /// Shows the result of a save like [`App::saved`]. If the save succeeded, [`App::leaves`]
    /// returns true from then on.
    pub fn saved_last(&mut self, result: Result<Saved, String>) {
        self.leaves = result.is_ok();
        self.saved(result);
    }

    /// Returns true if the program quits now, because the changes are saved.
    pub fn leaves(&self) -> bool {
        self.leaves
    }

    /// Shows the path of the file to which breakpoints and bookmarks were saved, or the error.
    pub fn saved_breaks(&mut self, saved: Result<String, String>) {
        match saved {
            Ok(path) => self.note(format!("breakpoints and bookmarks written to {path}")),
            Err(why) => self.warn(why),
        }
    }

    /// Opens a new map in paint mode. If the map could not be written, shows the error.
    pub fn opened_new(&mut self, result: Result<Opened, String>) {
        match result {
            Ok(opened) => {
                let label = opened.label.clone();
                self.prompt.tried = None;
                self.go_to_map(opened);
                if let Some(map) = &mut self.map {
                    map.toggle_paint(&mut self.ui);
                    map.move_cursor(&self.ui, 1, 1);
                }
                let key = |action| self.ui.setup.keymap.named(action, Context::Paint);
                let text = format!(
                    "new map {label}: {}: paint, {}: line, `:add-agent NAME`: agent here",
                    key(Action::PaintHere),
                    key(Action::NextTool),
                );
                self.note(text);
            }
            Err(why) => self.refuse(why),
        }
    }

    /// Shows the message of a completed effect, or its error. If a typed command caused the error,
    /// the command line reopens.
    pub fn report(&mut self, result: Result<String, String>) {
        match result {
            Ok(text) => {
                self.prompt.tried = None;
                self.note(text);
            }
            Err(why) => self.refuse(why),
        }
    }

    /// Drops the oldest runs if the old runs need too much memory, and reports it. All frames of
    /// old runs must be recorded before, because a dropped run is no longer recorded.
    pub fn drop_old_runs(&mut self) {
        if let Some(map) = &mut self.map {
            map.drop_old_runs(&mut self.ui);
        }
    }

    /// Returns a message that lists the unsaved changes that are lost when the map closes. Returns
    /// `None` if no change is lost.
    pub fn unwritten(&self) -> Option<String> {
        self.map.as_ref()?.unwritten()
    }

    /// Shows that a recording has started. `id` is the id of the recorded map.
    pub fn recording_begun(&mut self, id: String) {
        self.recording = Some(Recording::of(id));
        self.report(Ok("recording all runs of this map".to_owned()));
    }

    /// Shows that the recording has stopped, with the reason `why`. `is_complete` is true if the file
    /// contains everything up to this moment. Does nothing without a recording.
    pub fn recording_stopped(&mut self, why: &str, is_complete: bool) {
        let Some(recording) = &mut self.recording else { return };
        recording.stop(why, is_complete);
        if let Some(message) = recording.stopped().map(|stop| stop.message.clone()) {
            self.warn(message);
        }
    }
}

fn draw_too_small(screen: Rect, buffer: &mut Buffer) {
    if screen.is_empty() {
        return;
    }
    let text = format!("need {}×{}", SMALLEST.0, SMALLEST.1);
    let width = text.chars().count() as u16;
    let x = screen.x + screen.width.saturating_sub(width) / 2;
    buffer.set_stringn(x, screen.y + screen.height / 2, text, screen.width.into(), pane::PLAIN);
}
