//! The state of the screen, and the handling of user input.

mod act;
mod answer;
mod breaks;
mod changes;
mod command;
mod compare;
mod component;
mod drag;
mod draw;
mod drawing;
mod drive;
mod effect;
mod expectations;
mod gallery;
mod help;
mod inspect;
mod keyboard;
mod list;
mod log;
mod looks;
mod markers;
mod menu;
mod mouse;
mod outside;
mod pages;
mod paint;
mod panels;
mod reload;
mod runs;
mod search;
mod stroke;
mod time;
mod tune;
mod view;
mod watch;
mod write;

use core::time::Duration;

use ratatui::layout::Rect;

use crate::cancel::Cancel;
use crate::history::breaks::Break;
use crate::time::Frame;

use super::action::{Action, Context};
use super::camera::Camera;
use super::clock::Clock;
use super::input::Input;
use super::layout::{Layout, Panes};
use super::library::{GalleryEntry, Opened, Start};
use super::log::Log;
use super::menu::Menu;
use super::overlays::MOST_AGENTS;
use super::recording::Recording;
use super::search::AgentFinder;
use super::settings::Settings;
use super::theme::Theme;
use super::values::ValueList;
use crate::debugger::FirstView;
use crate::debugger::session::{Session, Subject};

pub use super::messages::Message;
use answer::Answers;
pub use changes::{PendingChange, PendingChanges};
use command::Prompt;
use component::Component;
use drag::Drag;
pub use effect::Effect;
use gallery::GalleryScreen;
pub use help::Help;
use inspect::Reader;
use looks::Setup;
pub use pages::Trouble;
use panels::Panel;
use reload::Reloads;
use view::MapView;
pub use write::STILL_WRITING;

/// The list, page or pane that receives keys and clicks while the command line is closed.
///
/// To add a mode, add its state to this enum and its component to `App::component`.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the names of most modes say it")]
pub enum Mode {
    /// The gallery with the list of maps. No map is open.
    Gallery,
    /// The map screen without a list or page over the map.
    Watch,
    /// A list panel over the map, and the index of its selected row.
    Panel(&'static Panel, usize),
    Search(AgentFinder),
    Log(Box<Log>),
    /// The list of an agent's values, for editing.
    Values(ValueList),
    Menu(Menu),
    /// The list of unsaved changes. The user confirms the list before the changes are written.
    Changes(Box<PendingChanges>),
    /// The question that asks how the run continues after a file of the map was saved.
    Saved,
    Help(Help),
    /// The text page with errors of a map that cannot be opened, or of the configuration.
    Errors(Trouble),
    /// The text page with the description of the map.
    About,
    Messages,
}

#[derive(Debug, Clone)]
enum Goal {
    /// Seeks to a frame, ignores breakpoints, and reports the arrival.
    Frame(Frame),
    /// Seeks to a frame, ignores breakpoints, and does not report the arrival.
    Told(Frame),
    /// Seeks to a frame. Stops earlier if a breakpoint is hit.
    Step(Frame),
    /// Seeks to the next breakpoint hit after this frame.
    NextHit(Frame),
    /// Seeks backwards to the previous breakpoint hit.
    LastHit,
    /// Seeks backwards to the last change of the value that this watchpoint observes.
    LastChange(Box<Break>),
}

/// The state of a seek to another frame.
#[derive(Debug, Clone, Default)]
struct Seek {
    /// Destination of the current seek. `None` without a seek, or if the destination is already
    /// recorded.
    goal: Option<Goal>,
    /// Real time since the seek started. Long seeks show their progress.
    elapsed: Duration,
    /// Name of the agent to select when the seek arrives.
    select: Option<String>,
}

/// The state of the screen: the open map, the mode, the command line and the settings.
#[derive(Debug, Clone)]
pub struct App {
    /// The list, page or pane that receives keys and clicks while the command line is closed.
    pub mode: Mode,
    /// The open map. `None` while the gallery is open.
    pub session: Option<Session>,
    /// The area of the whole screen, in terminal cells.
    pub screen: Rect,
    /// The state of the command line, and the history of commands.
    pub prompt: Prompt,
    /// The maps of the gallery and the preview. Also contains the breakpoints and bookmarks of maps
    /// that were open earlier.
    pub gallery: GalleryScreen,
    /// The camera, panes and overlays of the map screen, and the state of paint mode.
    pub map_view: MapView,
    /// The selected page of the inspector, and the scroll position of pages.
    pub reader: Reader,
    /// The message in the status line, and the message log.
    pub answers: Answers,
    /// The theme, key bindings and terminal settings.
    pub setup: Setup,
    /// The playback state: whether the run plays, in which direction, and how fast.
    pub clock: Clock,
    /// Whether the simulation is slower than the playback speed.
    pub late: bool,
    seek: Seek,
    /// The action that was refused, and the unsaved changes named in the warning. If the user
    /// repeats the action, the map is left and the changes are discarded.
    leaving: Option<(Action, Vec<String>)>,
    reloads: Reloads,
    /// The recording of the session to a file. After a recording has failed, contains its error.
    /// `None` without a recording.
    pub recording: Option<Recording>,
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
            mode: Mode::Gallery,
            session: None,
            screen,
            prompt: Prompt::default(),
            gallery: GalleryScreen::new(entries),
            map_view: MapView::new(screen),
            reader: Reader::default(),
            answers: Answers::default(),
            setup: Setup::new(theme),
            clock: Clock::new(true),
            late: false,
            seek: Seek::default(),
            leaving: None,
            reloads: Reloads::default(),
            recording: None,
            cancel: Cancel::default(),
        };
        let effect = match start {
            Start::Gallery => app.wanted_preview(),
            Start::Map(opened) => {
                app.watch(opened);
                None
            }
        };
        (app, effect)
    }

    /// Applies the settings of the configuration file. If the configuration has errors, shows them
    /// as a text page.
    pub fn set_up(&mut self, settings: &Settings) {
        self.setup = Setup::of(settings);
        self.clock.speed = settings.speed;
        self.map_view.overlays = settings.overlays;
        self.wish_on_reload(settings.on_reload);
        self.greet();
        if let Some(text) = settings.trouble.clone() {
            let title = "configuration has errors; defaults are used";
            self.mode = Mode::Errors(Trouble { title, text });
        }
    }

    /// Replaces the flag with which another thread cancels simulation steps. Applies to open
    /// sessions and to sessions opened later.
    pub fn set_cancel(&mut self, cancel: Cancel) {
        let preview = self.gallery.preview.as_mut().and_then(|preview| preview.as_mut().ok());
        for session in self.session.iter_mut().chain(preview) {
            session.set_cancel(&cancel);
        }
        self.cancel = cancel;
    }

    /// Handles user input. Returns an effect that the event loop must perform, such as opening a
    /// map. Returns `None` if no effect is needed.
    pub fn update(&mut self, input: Input) -> Option<Effect> {
        let effect = self.take_in(input);
        if let Some(session) = &mut self.session {
            session.settle();
        }
        self.report_branch();
        self.watch_others();
        self.renew_log();
        self.renew_search();
        // If the effect of a typed command fails, the command line reopens.
        if self.prompt.tried.is_none() {
            self.ask_about_saved();
        }
        effect
    }

    fn take_in(&mut self, input: Input) -> Option<Effect> {
        self.answers.idle = None;
        self.prompt.tried = None;
        match input {
            Input::Resize { width, height } => self.resize(Rect::new(0, 0, width, height)),
            Input::Key(key) => return self.key(key),
            Input::Paste(text) => return self.paste(&text),
            Input::Click(cell) => return self.click(cell),
            Input::Drag(cell) => self.drag(cell),
            Input::Release => return self.release(),
            Input::RightClick(cell) => self.right_click(cell),
            Input::Wheel { at, up } => return self.wheel(at, up),
        }
        None
    }

    fn resize(&mut self, screen: Rect) {
        self.screen = screen;
        self.keep_in_view();
    }

    fn watch(&mut self, mut opened: Opened) {
        if let Some(place) = self.gallery.kept.iter().position(|(id, _)| *id == opened.id) {
            opened.kept = self.gallery.kept.swap_remove(place).1;
        }
        let warnings = core::mem::take(&mut opened.warnings);
        let first = opened.first.take().map_or_else(FirstView::default, |first| *first);
        // A recording opens paused, at the requested frame.
        let is_recording = opened.recorded.is_some();
        let mut session = Session::new(opened);
        session.set_cancel(&self.cancel);
        let extent = session.extent();
        self.session = Some(session);
        self.warn_all(warnings);
        self.seek.goal = None;
        (self.map_view.paint, self.map_view.drag) = (None, None);
        self.reloads.runs = 1;
        self.reloads.forget_waiting();
        self.gallery.preview = None;
        self.mode = Mode::Watch;
        self.map_view.panes = Panes::All;
        self.reader.scroll = 0;
        self.clock.set_playing(!is_recording);
        let area = self.map_area();
        self.map_view.camera = Camera::opening(extent, area);
        // If only a part of the map is visible, the camera follows the selected agent.
        self.map_view.camera.follow = !self.map_view.camera.view(extent, area).is_whole();
        self.keep_in_view();
        self.greet();
        self.seek.select = first.agent;
        match first.frame {
            Some(frame) => self.go_to(frame),
            None => self.select_at_destination(),
        }
    }

    /// Returns the context whose key bindings apply now.
    pub fn context(&self) -> Context {
        if self.prompt.palette.is_some() {
            Context::Palette
        } else {
            self.component().context(self)
        }
    }

    fn component(&self) -> &'static dyn Component {
        match self.mode {
            Mode::Gallery => &gallery::MapList,
            Mode::Watch if self.is_painting() => &paint::PaintScreen,
            Mode::Watch => &watch::MapScreen,
            Mode::Panel(panel, _) => panel,
            Mode::Search(_) => &search::AgentSearch,
            Mode::Log(_) => &log::EventLog,
            Mode::Values(_) => &tune::Values,
            Mode::Menu(_) => &menu::TileMenu,
            Mode::Changes(_) => &changes::ChangeList,
            Mode::Saved => &reload::ReloadQuestion,
            Mode::Help(_) => &help::HelpPage,
            Mode::Errors(_) => &pages::ERRORS,
            Mode::About => &pages::ABOUT,
            Mode::Messages => &pages::MESSAGES,
        }
    }

    /// Returns the areas of the panes on the map screen.
    pub fn layout(&self) -> Layout {
        let rows = self.session.as_ref().map_or(0, |session| session.size().1);
        let agents = self.session.as_ref().map_or(0, |session| session.world().len());
        let layout = Layout::of(self.screen, self.map_view.panes, rows, agents);
        let compares = self.session.as_ref().is_some_and(|session| session.compared().is_some());
        let layout = if compares { layout.comparing(self.screen) } else { layout };
        if matches!(self.mode, Mode::Log(_)) { layout.logging() } else { layout }
    }

    /// If overlays are shown for all agents, observes the agents in view, at most [`MOST_AGENTS`].
    /// Otherwise, observes no agents. Also starts or stops the visit counts of the heat map.
    fn watch_others(&mut self) {
        self.count_visits();
        let view = self.view().filter(|_| self.map_view.overlays.all);
        let Some(session) = &mut self.session else { return };
        let Some(view) = view else {
            session.watch(Vec::new(), 0, false);
            return;
        };
        let world = session.world();
        let mut in_view: Vec<_> = world
            .ids()
            .filter(|&id| view.body(world.tile(id), world.position(id)).is_some())
            .collect();
        let left_out = in_view.len().saturating_sub(MOST_AGENTS);
        in_view.truncate(MOST_AGENTS);
        session.watch(in_view, left_out, self.map_view.overlays.need_explanations());
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

    /// Returns the selected agent or tile. Returns `Subject::Nobody` if no map is open.
    pub fn subject(&self) -> Subject {
        self.session.as_ref().map_or(Subject::Nobody, Session::subject)
    }
}
