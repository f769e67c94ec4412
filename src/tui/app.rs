//! The state of the screen, and the one function that changes it.

mod act;
mod answer;
mod breaks;
mod command;
mod compare;
mod drag;
mod draw;
mod drawing;
mod drive;
mod effect;
mod gallery;
mod help;
mod inspect;
mod keyboard;
mod list;
mod log;
mod looks;
mod markers;
mod menu;
mod mode;
mod mouse;
mod outside;
mod overlay_menu;
mod paint;
mod panel;
mod problems;
mod reload;
mod runs;
mod stroke;
mod time;
mod tune;
mod view;
mod write;

use core::time::Duration;

use ratatui::layout::Rect;

use crate::files::Kept;
use crate::history::breaks::Break;
use crate::time::Frame;

use super::action::{Action, Context, Keymap};
use super::camera::{Camera, Extent};
use super::clock::Clock;
use super::gallery::Gallery;
use super::input::{Input, Key};
use super::layout::{Layout, Panes};
use super::library::{Entry, Opened, Start};
use super::messages::Messages;
use super::overlays::{MOST_AGENTS, Overlays};
use super::paint::Paint;
use super::palette::Palette;
use super::recording::Recording;
use super::session::{Session, Subject};
use super::settings::{Looks, Settings};
use super::tab::Tab;
use super::theme::Theme;

pub use super::messages::Message;
use drag::Drag;
pub use effect::Effect;
pub use mode::{Base, Help, Mode, Trouble};
use reload::Reloads;

/// What time is on its way to by itself.
#[derive(Debug, Clone)]
enum Goal {
    /// A frame, whatever would stop time before.
    Frame(Frame),
    /// The same, and what there is to see has been said.
    Told(Frame),
    /// The next hit of a breakpoint after a frame.
    NextHit(Frame),
    /// The last hit of a breakpoint: it is looked for, then gone to.
    LastHit,
    /// Where a value changed last: it is looked for, then gone to.
    LastChange(Box<Break>),
}

/// Everything that is shown, and nothing else.
#[derive(Debug, Clone)]
pub struct App {
    /// What the person is doing.
    pub mode: Mode,
    /// The line for commands, while it is open, over whatever the person is doing.
    pub palette: Option<Palette>,
    /// The line whose command is being tried outside: it may be refused there.
    tried: Option<Palette>,
    /// The commands that were run, the latest last.
    history: Vec<String>,
    /// What time is on its way to by itself.
    goal: Option<Goal>,
    /// The maps of the gallery.
    pub gallery: Gallery,
    /// The paths of maps that begin with a text.
    pub list_paths: fn(&str) -> Vec<String>,
    /// The chosen one, running; or why it can't be shown.
    pub preview: Option<Result<Session, String>>,
    /// The map being watched.
    pub session: Option<Session>,
    /// What was set on the maps that were left, by their ids.
    left: Vec<(String, Kept)>,
    /// The part of it in view.
    pub camera: Camera,
    /// Which panes are shown.
    pub panes: Panes,
    /// The layers over the map.
    pub overlays: Overlays,
    /// Which keys ask for what.
    pub keymap: Keymap,
    /// How fast time runs.
    pub clock: Clock,
    /// The gallery plays on its own, always as fast as the clock on the wall.
    preview_clock: Clock,
    /// Could the machine not keep up?
    pub late: bool,
    /// The page of the inspector.
    pub tab: Tab,
    /// Lines of the inspector, help or errors that are scrolled away.
    pub scroll: usize,
    /// The answer to the last key.
    pub message: Option<Message>,
    /// The last answers.
    pub messages: Messages,
    /// A key that did nothing, and where, until the next one.
    pub idle: Option<(Key, Context)>,
    /// Does the mouse belong to the screen?
    pub mouse: bool,
    /// Columns and rows.
    pub screen: Rect,
    /// All styles.
    pub theme: Theme,
    /// What they are made of, if a person was asked.
    looks: Option<Looks>,
    /// Does the terminal have only ASCII?
    pub ascii: bool,
    /// What is dragged.
    drag: Option<Drag>,
    /// What is painted, while something is.
    pub paint: Option<Box<Paint>>,
    /// The way out that was asked for though edits are not written.
    leaving: Option<Action>,
    /// How long another frame has been sought.
    pub seeking: Duration,
    /// How many runs the person knows of.
    runs: usize,
    /// What becomes of saved files.
    reloads: Reloads,
    /// What is recorded.
    pub recording: Option<Recording>,
}

impl App {
    /// A screen of a size; what has to be done first, the loop is told.
    pub fn new(
        entries: Vec<Entry>,
        start: Start,
        screen: Rect,
        theme: Theme,
    ) -> (Self, Option<Effect>) {
        let mut app = Self {
            mode: Mode::Gallery,
            palette: None,
            tried: None,
            history: Vec::new(),
            goal: None,
            gallery: Gallery::new(entries),
            list_paths: |_| Vec::new(),
            preview: None,
            session: None,
            left: Vec::new(),
            camera: Camera::opening(Extent { width: 1, height: 1, wraps: false }, screen),
            panes: Panes::All,
            overlays: Overlays::default(),
            keymap: Keymap::default(),
            clock: Clock::new(true),
            preview_clock: Clock::new(true),
            late: false,
            tab: Tab::default(),
            scroll: 0,
            message: None,
            messages: Messages::default(),
            idle: None,
            mouse: true,
            screen,
            theme,
            looks: None,
            ascii: false,
            drag: None,
            paint: None,
            leaving: None,
            seeking: Duration::ZERO,
            runs: 1,
            reloads: Reloads::default(),
            recording: None,
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

    /// Begins as a person wishes. What was wrong with the wishes is shown first.
    pub fn set_up(&mut self, settings: &Settings) {
        self.theme = settings.looks.made();
        self.looks = Some(settings.looks.clone());
        self.ascii = settings.looks.ascii.value;
        self.mouse = settings.mouse;
        self.clock.speed = settings.speed;
        self.overlays = settings.overlays;
        self.keymap = settings.keymap.clone();
        self.wish_on_reload(settings.on_reload);
        self.greet();
        if let Some(text) = settings.trouble.clone() {
            let base = if self.session.is_some() { Base::Watch } else { Base::Gallery };
            let title = "configuration has errors; defaults are used";
            self.mode = Mode::Errors(base, Trouble { title, text });
        }
    }

    /// Takes in what a person did.
    pub fn update(&mut self, input: Input) -> Option<Effect> {
        let effect = self.take_in(input);
        self.follow_rival_a_little();
        self.tell_of_branch();
        self.watch_others();
        self.renew_log();
        effect
    }

    fn take_in(&mut self, input: Input) -> Option<Effect> {
        self.idle = None;
        self.tried = None;
        match input {
            Input::Resize { width, height } => self.resize(Rect::new(0, 0, width, height)),
            Input::Key(key) => return self.key(key),
            Input::Paste(text) => return self.paste(&text),
            Input::Click(cell) => return self.click(cell),
            Input::Drag(cell) => self.drag(cell),
            Input::Release => return self.release(),
            Input::RightClick(cell) => self.open_menu_at(cell),
            Input::Wheel { at, up } => return self.wheel(at, up),
        }
        None
    }

    fn resize(&mut self, screen: Rect) {
        self.screen = screen;
        self.keep_in_view();
    }

    fn watch(&mut self, mut opened: Opened) {
        if let Some(place) = self.left.iter().position(|(id, _)| *id == opened.id) {
            opened.kept = self.left.swap_remove(place).1;
        }
        let warnings = core::mem::take(&mut opened.warnings);
        let session = Session::new(opened);
        let extent = session.extent();
        self.session = Some(session);
        self.tell_warnings(warnings);
        self.goal = None;
        self.paint = None;
        self.runs = 1;
        self.preview = None;
        self.mode = Mode::Watch;
        self.panes = Panes::All;
        self.scroll = 0;
        self.clock.set_playing(true);
        let area = self.map_area();
        self.camera = Camera::opening(extent, area);
        // On a map that is seen in part the selected agent would soon be out of sight.
        self.camera.follow = !self.camera.view(extent, area).is_whole();
        self.keep_in_view();
        self.greet();
    }

    /// Where keys are being pressed.
    pub fn context(&self) -> Context {
        if self.palette.is_some() { Context::Palette } else { self.below() }
    }

    /// Where keys are pressed, or would be but for the line for commands.
    fn below(&self) -> Context {
        match self.mode {
            Mode::Gallery if self.gallery.filter().is_some() => Context::FindMap,
            Mode::Gallery => Context::Gallery,
            Mode::Watch if self.is_painting() => self.paint_context().unwrap_or(Context::Watch),
            Mode::Watch if self.driven().is_some() => Context::Drive,
            Mode::Watch => Context::Watch,
            Mode::Search(_) => Context::Search,
            Mode::Panel(panel, _) => panel.context,
            Mode::Log(ref log) if log.is_typing() => Context::Filter,
            Mode::Log(_) => Context::Log,
            Mode::Values(ref values) if values.editor().is_some() => Context::Value,
            Mode::Values(_) => Context::Tune,
            Mode::Menu(_) => Context::Menu,
            Mode::Saved => Context::Saved,
            Mode::Help(_) => Context::Help,
            Mode::Errors(..) | Mode::About(_) | Mode::Messages(_) => Context::Reading,
        }
    }

    /// Where the panes of a map stand.
    pub fn layout(&self) -> Layout {
        let rows = self.session.as_ref().map_or(0, |session| session.size().1);
        let agents = self.session.as_ref().map_or(0, |session| session.world().len());
        let layout = Layout::of(self.screen, self.panes, rows, agents);
        let compares = self.session.as_ref().is_some_and(|session| session.compared().is_some());
        let layout = if compares { layout.comparing(self.screen) } else { layout };
        if matches!(self.mode, Mode::Log(_)) { layout.logging() } else { layout }
    }

    /// Has the agents in view explained, if overlays are shown of all of them.
    fn watch_others(&mut self) {
        self.count_visits();
        let view = self.view().filter(|_| self.overlays.all);
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
        session.watch(in_view, left_out, self.overlays.need_explanations());
    }

    /// What happens can't be recorded any more.
    pub fn recording_failed(&mut self, why: &str) {
        let Some(recording) = &mut self.recording else { return };
        recording.end(why);
        if let Some(text) = recording.ended().map(ToOwned::to_owned) {
            self.warn(text);
        }
    }

    /// What the inspector is about.
    pub fn subject(&self) -> Subject {
        self.session.as_ref().map_or(Subject::Nobody, Session::subject)
    }
}
