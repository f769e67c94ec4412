//! The gallery: choosing, opening and leaving maps.

use crate::debugger::session::Session;
use crate::files::Kept;
use crate::tui::action::{Action, Context};
use crate::tui::argument::Argument;
use crate::tui::clock::Clock;
use crate::tui::draw;
use crate::tui::draw::list::List;
use crate::tui::gallery::Gallery;
use crate::tui::input::Cell;
use crate::tui::layout::GalleryLayout;
use crate::tui::library::{GalleryEntry, Opened};
use crate::tui::line::Typed;

use super::component::Component;
use super::list::PAGE;
use super::mouse::within;
use super::pages::Trouble;
use super::{App, Effect, Mode};

/// The component of the gallery. [`GalleryScreen`] holds its state.
pub(super) struct MapList;

impl Component for MapList {
    fn context(&self, app: &App) -> Context {
        if app.gallery.maps.filter().is_some() { Context::FindMap } else { Context::Gallery }
    }

    fn hides_map(&self) -> bool {
        true
    }

    fn lets_time_pass(&self) -> bool {
        true
    }

    fn list<'a>(&self, app: &'a App) -> Option<List<'a>> {
        let area = app.gallery_layout().list;
        Some(draw::gallery::list(&app.gallery.maps, &app.setup.theme, area))
    }

    /// Edits the search text. If this selects another map, returns the effect that reads its
    /// preview.
    fn edit(&self, app: &mut App, typed: Typed) -> Option<Effect> {
        if app.gallery.maps.edit(typed) { app.preview_selected() } else { None }
    }

    fn select(&self, app: &mut App, row: usize) -> Option<Effect> {
        if app.gallery.maps.select(row) { app.wanted_preview() } else { None }
    }

    fn pick(&self, app: &mut App) -> Option<Effect> {
        app.open_selected()
    }

    /// Scrolls the description of the selected map by pages, because the list of maps is too short
    /// for paging.
    fn turn(&self, app: &mut App, pages: isize) -> Option<Effect> {
        app.scroll_about(pages.saturating_mul(PAGE as isize));
        None
    }

    /// Closes the search. If no map matched the search, a map is selected again, and the effect
    /// that reads its preview is returned.
    fn close(&self, app: &mut App) -> Option<Effect> {
        let searched = app.gallery.maps.filter().is_some();
        let none = app.gallery.maps.entry().is_none();
        if searched {
            app.gallery.maps.close_search();
        }
        if searched && none { app.wanted_preview() } else { None }
    }

    fn click(&self, app: &mut App, cell: Cell) -> Option<Effect> {
        if within(app.gallery_layout().preview, cell) { app.open_selected() } else { None }
    }

    fn wheel(&self, app: &mut App, at: Cell, by: isize) -> Option<Effect> {
        if within(app.gallery_layout().about, at) {
            app.scroll_about(by);
            return None;
        }
        app.roll_by(by)
    }
}

/// The state of the gallery. Also contains the breakpoints and bookmarks of maps that were open
/// earlier.
#[derive(Debug, Clone)]
pub struct GalleryScreen {
    /// The maps of the gallery, with the search text and the selection.
    pub maps: Gallery,
    /// The running preview of the selected map, or the error that prevents it. `None` until the map
    /// is read.
    pub preview: Option<Result<Session, String>>,
    /// Playback state of the preview, at normal speed.
    pub(super) clock: Clock,
    /// Breakpoints and bookmarks of maps that were open earlier, each with the id of the map.
    pub(super) kept: Vec<(String, Kept)>,
}

impl GalleryScreen {
    pub(super) fn new(entries: Vec<GalleryEntry>) -> Self {
        let clock = Clock::new(true);
        Self { maps: Gallery::new(entries), preview: None, clock, kept: Vec::new() }
    }
}

impl App {
    /// Shows an opened map. If the map could not be opened, shows the error as a text page.
    pub fn opened(&mut self, result: Result<Opened, String>) {
        match result {
            Ok(opened) => self.go_to_map(opened),
            Err(text) => {
                let title = "cannot play this map";
                self.open_page(Mode::Errors(Trouble { title, text }));
            }
        }
    }

    /// Switches to an opened map. If the same map is already open, keeps its selection,
    /// breakpoints, bookmarks and camera.
    fn go_to_map(&mut self, opened: Opened) {
        let again = self.session.as_ref().is_some_and(|old| old.id() == opened.id);
        let lost = if again { None } else { self.unwritten() };
        let (old, camera) = (self.session.take(), self.map_view.camera);
        if let Some(old) = old.as_ref().filter(|_| !again) {
            self.put_away(old);
        }
        self.watch(opened);
        if let (true, Some(old), Some(session)) = (again, old, &mut self.session) {
            session.take_over(&old);
            self.map_view.camera = camera;
            self.keep_in_view();
            self.note("map reloaded; restarted at frame 0");
        }
        if let Some(lost) = lost {
            self.warn(lost);
        }
    }

    /// Shows the preview of the selected map. If the map could not be read, shows the error in the
    /// preview's pane.
    pub fn previewed(&mut self, result: Result<Opened, String>) {
        self.gallery.preview = Some(result.map(|opened| {
            let mut session = Session::new(opened);
            session.set_cancel(&self.cancel);
            session
        }));
    }

    /// Returns the areas of the gallery's panes.
    pub fn gallery_layout(&self) -> GalleryLayout {
        let about = |width| draw::gallery::rows_wanted(self.gallery.maps.entry(), width);
        GalleryLayout::of(self.screen, self.gallery.maps.all().len(), about)
    }

    pub(super) fn wanted_preview(&self) -> Option<Effect> {
        Some(Effect::Preview(self.gallery.maps.entry()?.id.clone()))
    }

    fn open_selected(&mut self) -> Option<Effect> {
        let id = self.gallery.maps.entry().map(|entry| entry.id.clone());
        if id.is_none() {
            self.warn("no matching map");
        }
        id.map(Effect::Open)
    }

    /// Opens the map in `argument`. Without an argument, opens the command line with `open` typed
    /// in it. If there are unsaved changes, the first call only shows a warning.
    pub(super) fn open_map(&mut self, argument: Option<Argument>) -> Option<Effect> {
        if !self.may_leave(Action::OpenMap) {
            return None;
        }
        if let Some(Argument::Map(id)) = argument {
            return Some(Effect::Open(id));
        }
        self.open_palette_with("open ");
        None
    }

    /// Selects the map of a closed session in the gallery. Stores its breakpoints and bookmarks
    /// until the map is opened again.
    pub(super) fn put_away(&mut self, session: &Session) {
        if !self.gallery.maps.all().is_empty() {
            self.gallery.maps.come_back(session.id(), || session.entry());
        }
        self.gallery.kept.push((session.id().to_owned(), session.kept()));
    }

    pub(super) fn leave(&mut self) -> Option<Effect> {
        if self.gallery.maps.all().is_empty() {
            self.warn("the gallery has no maps");
            return None;
        }
        if !self.may_leave(Action::ToGallery) {
            return None;
        }
        self.seek.goal = None;
        self.map_view.paint = None;
        if let Some(lost) = self.unwritten() {
            self.warn(lost);
        }
        if let Some(session) = self.session.take() {
            self.put_away(&session);
        }
        self.mode = Mode::Gallery;
        self.wanted_preview()
    }

    fn preview_selected(&mut self) -> Option<Effect> {
        let effect = self.wanted_preview();
        if effect.is_none() {
            self.gallery.preview = None;
        }
        effect
    }

    /// Scrolls the description of the selected map down by `lines`. Negative numbers scroll up.
    fn scroll_about(&mut self, lines: isize) {
        let last =
            draw::gallery::longest_scroll(self.gallery.maps.entry(), self.gallery_layout().about);
        let scroll = self.gallery.maps.scroll.min(last).saturating_add_signed(lines);
        self.gallery.maps.scroll = scroll.min(last);
    }
}
