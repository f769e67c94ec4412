//! The map screen: the open session, the camera and panes, playback, and the popup over the map.

mod breakpoints;
mod commands;
mod inspect;
mod live;
mod make;
mod mouse;
mod paint;
pub mod popup;
mod reload;
mod runs;
mod shared;
mod time;
mod view;
mod write;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::Widget;

use crate::cancel::Cancel;
use crate::debugger::session::{Session, Subject};
use crate::debugger::{FirstView, Opened};
use crate::files::config::OnReload;
use crate::id::AgentId;
use crate::pattern::Pattern;
use crate::time::Frame;

use super::action::{Action, Context};
use super::camera::Camera;
use super::clock::{Clock, Speed};
use super::component::{Component, within};
use super::draw::footer::Footer;
use super::draw::list::List;
use super::draw::{agents, inspector, map, paint as brushes, status, timeline};
use super::effect::Effect;
use super::input::{Cell, Key};
use super::layout::{Contents, Layout, Panes, usual_width};
use super::line::Typed;
use super::messages::Message;
use super::overlays::{Layer, MOST_AGENTS, Overlays};
use super::paint::{Canvas, Paint};
use super::recording::Recording;
use super::tab::Tab;
use super::ui::Ui;
use mouse::Drag;
use popup::values::ValueList;
use popup::{Change, Dock, Next, Popup, lists};
use reload::Reloads;
use time::Seek;

pub(super) use breakpoints::comes_to;
pub use inspect::InspectorView;
pub(super) use inspect::scrolled;
pub(super) use paint::description;
pub(super) use view::PAN;
pub use write::STILL_WRITING;

/// Settings of the map screen that stay the same when another map is opened.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MapSettings {
    /// The overlays drawn on the map, and the agents to which they apply.
    pub overlays: Overlays,
    /// The playback speed.
    pub speed: Speed,
    /// The selected page of the inspector.
    pub tab: Tab,
    /// How a run continues after files of the map change.
    pub on_reload: OnReload,
    /// Width of the inspector beside the map. `None` if the user has not chosen one.
    pub inspector_width: Option<u16>,
}

impl Default for MapSettings {
    fn default() -> Self {
        Self {
            overlays: Overlays::default(),
            speed: Speed::NORMAL,
            tab: Tab::default(),
            on_reload: OnReload::default(),
            inspector_width: None,
        }
    }
}

/// The screen of an open map, with everything that belongs to this map.
#[derive(Debug, Clone)]
pub struct MapScreen {
    /// The open map, its history, breakpoints and edits.
    pub session: Session,
    /// The camera, which determines the visible part of the map.
    pub camera: Camera,
    /// The visible panes: only the map, only the inspector, or all panes.
    pub panes: Panes,
    /// The overlays drawn on the map, and the agents to which they apply.
    pub overlays: Overlays,
    /// The state of paint mode. `None` outside paint mode.
    pub paint: Option<Box<Paint>>,
    /// The selected page of the inspector, and its scroll position.
    pub inspector: InspectorView,
    /// The playback state: whether the run plays, in which direction, and how fast.
    pub clock: Clock,
    /// Whether the simulation is slower than the playback speed.
    pub late: bool,
    /// The drag in progress. `None` unless the left button is held down.
    drag: Option<Drag>,
    seek: Seek,
    /// The action that was refused, and the unsaved changes named in the warning. If the user
    /// repeats the action, the map is left and the changes are discarded.
    leaving: Option<(Action, Vec<String>)>,
    reloads: Reloads,
    /// The open list, menu or question. `None` while the map itself receives keys, and while the
    /// popup handles input.
    popup: Option<Box<dyn Popup>>,
    /// Where the panes leave room for the popup, also while the popup handles input.
    dock: Dock,
    /// Whether a shared view has set the overlays and the page.
    is_shared: bool,
}

impl MapScreen {
    /// Opens the screen of a map. Returns the first view that the map asks for.
    pub(super) fn new(
        mut opened: Opened,
        settings: MapSettings,
        cancel: &Cancel,
        ui: &Ui,
    ) -> (Self, FirstView) {
        let first = opened.first.take().map_or_else(FirstView::default, |first| *first);
        // A recording opens paused, at the requested frame.
        let is_recording = opened.recorded.is_some();
        let mut session = Session::new(opened);
        session.set_cancel(cancel);
        let extent = session.extent();
        let MapSettings { overlays, speed, tab, on_reload, inspector_width } = settings;
        let mut clock = Clock::new(!is_recording);
        clock.speed = speed;
        let mut map = Self {
            session,
            camera: Camera::opening(extent, ui.screen),
            panes: Panes::All,
            overlays,
            paint: None,
            inspector: InspectorView { tab, scroll: 0, width: inspector_width },
            clock,
            late: false,
            drag: None,
            seek: Seek::default(),
            leaving: None,
            reloads: Reloads::new(on_reload),
            popup: None,
            dock: Dock::None,
            is_shared: false,
        };
        let area = map.map_area(ui);
        map.camera = Camera::opening(extent, area);
        // If only a part of the map is visible, the camera follows the selected agent.
        map.camera.follow = !map.camera.view(extent, area).is_whole();
        map.keep_in_view(ui);
        (map, first)
    }

    /// Sets how the run continues after files of the map change.
    pub fn reload_with(&mut self, how: OnReload) {
        self.reloads.how = how;
    }

    /// Returns the settings that the next map inherits.
    pub(super) fn settings(&self) -> MapSettings {
        MapSettings {
            overlays: self.overlays,
            speed: self.clock.speed,
            tab: self.inspector.tab,
            on_reload: self.reloads.how,
            inspector_width: self.inspector.width,
        }
    }

    /// Replaces the settings that the next map inherits. Keeps the overlays and the page of a
    /// shared view.
    pub(super) fn set_up(&mut self, settings: MapSettings) {
        let MapSettings { overlays, speed, tab, on_reload, inspector_width } = settings;
        self.inspector.width = inspector_width;
        (self.clock.speed, self.reloads.how) = (speed, on_reload);
        if !self.is_shared {
            (self.overlays, self.inspector.tab) = (overlays, tab);
        }
    }

    /// Takes over selection, breakpoints, bookmarks and camera of an older screen of the same map.
    pub(super) fn take_over(&mut self, old: &Self, ui: &mut Ui) {
        self.session.take_over(&old.session);
        self.camera = old.camera;
        self.keep_in_view(ui);
        self.note(ui, "map reloaded; restarted at frame 0");
    }

    /// Returns the label of the map and the current frame, for the message log.
    pub(super) fn place(&self) -> (String, Frame) {
        (self.session.label().to_owned(), self.session.world().frame())
    }

    /// Shows a note and adds the note to the message log.
    pub(super) fn note(&self, ui: &mut Ui, text: impl Into<String>) {
        ui.show(Some(self.place()), Message::Note(text.into()));
    }

    /// Shows a warning and adds the warning to the message log.
    pub(super) fn warn(&self, ui: &mut Ui, text: impl Into<String>) {
        ui.show(Some(self.place()), Message::Warning(text.into()));
    }

    /// Opens a popup in place of the open one.
    pub(super) fn open(&mut self, popup: impl Popup + 'static) {
        self.dock = popup.dock();
        self.popup = Some(Box::new(popup));
    }

    /// Closes the open popup, if there is one.
    pub(super) fn close_popup(&mut self) {
        (self.popup, self.dock) = (None, Dock::None);
    }

    /// Returns the open popup if it has this type.
    pub fn popup<P: 'static>(&self) -> Option<&P> {
        self.popup.as_ref()?.as_any().downcast_ref()
    }

    /// Returns true if a list, menu or question is open.
    pub fn has_popup(&self) -> bool {
        self.popup.is_some()
    }

    /// Changes the open popup if it has this type.
    pub(super) fn on_popup<P: 'static>(&mut self, change: impl FnOnce(&mut P, &mut Session)) {
        let popup = self.popup.as_mut().and_then(|popup| popup.as_any_mut().downcast_mut());
        if let Some(popup) = popup {
            change(popup, &mut self.session);
        }
    }

    /// Passes input on to the open popup. Returns `None` if no popup is open.
    fn with_popup(&mut self, act: impl FnOnce(&mut dyn Popup, &mut Self) -> Next) -> Option<Next> {
        let mut popup = self.popup.take()?;
        let next = act(&mut *popup, self);
        match next {
            // The popup may have opened another one.
            _ if self.popup.is_some() => {}
            Next::Stay => self.popup = Some(popup),
            Next::Close => self.close_popup(),
        }
        Some(next)
    }

    /// Returns true if the last warning was about unsaved changes, so that a repeated action leaves
    /// the map.
    pub(super) fn warns_of_changes(&self) -> bool {
        self.leaving.is_some()
    }

    /// Expires the warning about unsaved changes.
    pub(super) fn forget_warning(&mut self) {
        self.leaving = None;
    }

    /// Updates the open popup after a change outside it.
    pub(super) fn renew_popup(&mut self, change: Change) {
        self.with_popup(|popup, map| popup.renew(change, &map.session));
    }

    /// Updates what depends on the session, after input was handled.
    pub(super) fn renew(&mut self, ui: &mut Ui) {
        self.session.settle();
        self.forget_arrival(ui);
        self.report_branch(ui);
        self.observe_others(ui);
        self.renew_popup(Change::Frame);
    }

    /// Returns true if time passes on the map.
    pub(super) fn lets_time_pass(&self) -> bool {
        self.popup.as_ref().is_none_or(|popup| popup.lets_time_pass())
    }

    /// Returns the areas of the panes.
    pub fn layout(&self, ui: &Ui) -> Layout {
        let compares = self.session.compared().is_some();
        let contents = Contents {
            panes: self.panes,
            map: self.session.size(),
            agents: self.session.world().len(),
            // The values of two agents need the usual width.
            inspector: self.inspector.width.or(compares.then(|| usual_width(ui.screen.width))),
        };
        let layout = Layout::of(ui.screen, contents);
        let layout = if compares { layout.comparing(ui.screen) } else { layout };
        match self.dock {
            Dock::None => layout,
            Dock::Side => layout.logging(),
            Dock::Map => layout.logging().tuning(),
        }
    }

    /// Returns the area for lists over the map: the part of the screen above the timeline.
    pub(super) fn list_area(&self, ui: &Ui) -> Rect {
        self.layout(ui).above_timeline(ui.screen)
    }

    /// Returns the last scroll position of the inspector. Returns 0 if all lines are visible.
    pub fn longest_scroll(&self, ui: &Ui) -> usize {
        let (area, tab) = (self.layout(ui).inspector, self.inspector.tab);
        inspector::longest_scroll(&self.session, tab, &ui.setup.theme, area)
    }

    /// Returns the agent whose next frames are previewed: the selected agent while it is edited, or
    /// while it follows a steps or thrust pattern.
    fn previewed(&self) -> Option<AgentId> {
        let id = self.session.selected().filter(|_| self.overlays.has(Layer::Preview))?;
        let used = self.session.world().pattern_use(id).map(|used| &used.pattern);
        let is_usual = matches!(used.map(|it| &**it), Some(Pattern::Steps(_) | Pattern::Thrust(_)));
        // The line of a path that is being drawn would cover the track.
        let is_painted = self.paint.as_ref().is_some_and(|paint| !paint.draws_a_path());
        let is_edited = self.popup::<ValueList>().is_some() || is_painted;
        (is_usual || is_edited).then_some(id)
    }

    /// If overlays are shown for all agents, observes the agents in view, at most [`MOST_AGENTS`].
    /// Otherwise, observes no agents. Also starts or stops the visit counts of the heat map.
    fn observe_others(&mut self, ui: &Ui) {
        self.count_visits();
        self.session.preview(self.previewed());
        if !self.overlays.all {
            self.session.observe(Vec::new(), 0, false);
            return;
        }
        let (view, world) = (self.view(ui), self.session.world());
        let mut in_view: Vec<_> = world
            .ids()
            .filter(|&id| view.body(world.tile(id), world.position(id)).is_some())
            .collect();
        let left_out = in_view.len().saturating_sub(MOST_AGENTS);
        in_view.truncate(MOST_AGENTS);
        self.session.observe(in_view, left_out, self.overlays.need_explanations());
    }

    /// Draws the panes, the open popup and the status line.
    pub(super) fn draw(
        &self,
        ui: &Ui,
        footer: Footer,
        recording: Option<&Recording>,
        buffer: &mut Buffer,
    ) {
        let (layout, theme, keymap) = (self.layout(ui), &ui.setup.theme, &ui.setup.keymap);
        let (session, view, following) = (&self.session, self.view(ui), self.camera.follow);
        // While a path is drawn, the old version of the path is hidden.
        let draws = self.paint.as_ref().is_some_and(|paint| paint.draws_a_path());
        let overlays = if draws { self.overlays.without(Layer::Pattern) } else { self.overlays };
        map::MapPane { session, view, following, overlays, theme }.render(layout.map, buffer);
        if let Some(paint) = &self.paint {
            brushes::PaintMarks { paint, session, view, theme }.draw(buffer);
        }
        let InspectorView { tab, scroll, .. } = self.inspector;
        inspector::Inspector { session, tab, scroll, keymap, theme }
            .render(layout.inspector, buffer);
        agents::AgentTable { session, theme }.render(layout.agents, buffer);
        if let Some(paint) = &self.paint {
            let area = brushes::place(&layout, ui.screen);
            brushes::Pane { paint, session, keymap, theme }.render(area, buffer);
        }
        let (clock, late, message) = (&self.clock, self.late, ui.answers.message.as_ref());
        let under_way = self.long_way();
        let reached = under_way.map(|(_, reached)| reached);
        timeline::Timeline { session, reached, theme }.render(layout.timeline, buffer);
        footer.render(layout.footer, buffer);
        if let Some(list) = self.list(ui) {
            list.render(ui.screen, buffer);
        }
        let recording = recording.filter(|recording| recording.is_of(session.id()));
        // The status line comes last, because a long message covers lists.
        let upper = Rect { height: layout.status.bottom() - ui.screen.y, ..ui.screen };
        let follows = self.follows_end();
        status::Status {
            session,
            clock,
            is_unsaved: session.is_unsaved() || self.unfinished_path().is_some(),
            late,
            follows,
            under_way,
            recording,
            message,
            keymap,
            theme,
        }
        .render(upper, buffer);
    }

    /// Stops a seek, shows all panes, deselects the tile, or ends the comparison. Performs only the
    /// first of these actions that applies.
    fn close_here(&mut self, ui: &mut Ui) {
        if self.is_under_way() {
            self.stop_on_the_way(ui);
        } else if self.paint.is_some() {
            self.leave_paint(ui);
        } else if self.panes != Panes::All {
            self.panes = Panes::All;
            self.refit(ui);
        } else if let Subject::Tile(_) = self.session.subject() {
            self.session.look_at(None);
        } else if !self.end_comparison(ui) && ui.has_gallery {
            let key = ui.setup.keymap.named(Action::ToGallery, Context::Map);
            self.note(ui, format!("nothing to close; {key} opens the gallery"));
        }
    }
}

impl Component for MapScreen {
    fn context(&self) -> Context {
        if let Some(popup) = &self.popup {
            return popup.context();
        }
        match self.paint.as_ref().map(|paint| &paint.canvas) {
            Some(Canvas::Path(_)) => Context::Draw,
            Some(Canvas::Ground | Canvas::Matrix(_)) => Context::Paint,
            None if self.session.driven().is_some() => Context::Drive,
            None => Context::Map,
        }
    }

    fn list<'a>(&'a self, ui: &'a Ui) -> Option<List<'a>> {
        self.popup.as_ref()?.list(self, ui)
    }

    fn edit(&mut self, typed: Typed, _ui: &mut Ui) -> Option<Effect> {
        self.with_popup(|popup, map| {
            popup.edit(typed, &map.session);
            Next::Stay
        });
        None
    }

    fn select(&mut self, row: usize, _ui: &mut Ui) -> Option<Effect> {
        if let Some(popup) = &mut self.popup {
            popup.select(row);
        }
        None
    }

    fn pick(&mut self, ui: &mut Ui) -> Option<Effect> {
        if let Some(row) = self.row_of(&lists::PROBLEMS) {
            return self.open_problem(ui, row);
        }
        self.with_popup(|popup, map| popup.pick(map, ui));
        None
    }

    fn nudge(&mut self, rows: isize) -> bool {
        self.popup.as_mut().is_some_and(|popup| popup.nudge(rows))
    }

    /// Scrolls the inspector.
    fn scroll_by(&mut self, lines: isize, ui: &Ui) {
        self.inspector.scroll = scrolled(self.inspector.scroll, lines, self.longest_scroll(ui));
    }

    fn press(&mut self, key: Key) -> bool {
        let mut is_known = false;
        self.with_popup(|popup, map| {
            is_known = popup.press(key, map);
            Next::Stay
        });
        is_known
    }

    fn close(&mut self, ui: &mut Ui) -> Option<Effect> {
        if self.with_popup(|popup, map| popup.close(map, ui)).is_none() {
            self.close_here(ui);
        }
        None
    }

    fn click(&mut self, cell: Cell, ui: &mut Ui) -> Option<Effect> {
        if self.with_popup(|popup, map| popup.click(cell, map, ui)).is_none() {
            self.click_here(ui, cell);
        }
        None
    }

    fn right_click(&mut self, cell: Cell, ui: &mut Ui) {
        if self.with_popup(|popup, map| popup.right_click(cell, map, ui)).is_none() {
            self.open_menu_at(ui, cell);
        }
    }

    /// Zooms the map, scrolls the inspector or a list, or selects an agent.
    fn wheel(&mut self, at: Cell, by: isize, ui: &mut Ui) -> Option<Effect> {
        let layout = self.layout(ui);
        if self.popup.is_some() {
            return self.move_by(by, false, ui);
        }
        if within(layout.map, at) && !self.covers(ui, at) {
            self.zoom(ui, by < 0, Some(at));
            self.keep_in_view(ui);
        } else if within(layout.inspector, at) {
            self.scroll_by(by * 2, ui);
        } else if within(layout.agents, at) {
            self.session.select_next(if by < 0 { -1 } else { 1 });
            self.show_selected(ui);
        }
        None
    }
}
