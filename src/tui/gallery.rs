//! The gallery: the list of maps, the map search, and the preview of the selected map.

use core::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::Widget;

use crate::cancel::Cancel;
use crate::debugger::Opened;
use crate::debugger::session::Session;
use crate::files::{Kept, show};

use super::action::{Action, Context, Keymap};
use super::camera::{Camera, View, Zoom};
use super::clock::Clock;
use super::component::{Component, PAGE, within};
use super::draw::line::LineRow;
use super::draw::list::{List, ListRow};
use super::draw::map::MapView;
use super::draw::{answer, footer, pane, reading};
use super::effect::Effect;
use super::host::GalleryEntry;
use super::input::Cell;
use super::layout;
use super::layout::GalleryLayout;
use super::line::{Line, Typed};
use super::map_screen::scrolled;
use super::messages::Message;
use super::theme::Theme;
use super::ui::Ui;
use tilewalk_sim::sort::SmallSort;

/// All maps of the gallery, and the maps that match the current search.
#[derive(Debug, Clone, Default)]
pub struct Gallery {
    entries: Vec<GalleryEntry>,
    /// The listed maps, as indices into `entries`.
    listed: Vec<usize>,
    /// The selected map, as an index into `listed`.
    selected: usize,
    /// The search text. `None` while the search is closed.
    filter: Option<Line>,
    /// Number of lines of the description that are scrolled off the top.
    pub scroll: usize,
}

impl Gallery {
    /// Creates a gallery that lists all maps and selects the first one.
    pub fn new(entries: Vec<GalleryEntry>) -> Self {
        let listed = (0..entries.len()).collect();
        Self { entries, listed, ..Self::default() }
    }

    /// Replaces the maps, because files may have changed. Closes the search.
    pub fn renew(&mut self, entries: Vec<GalleryEntry>) {
        self.entries = entries;
        self.close_search();
    }

    /// Returns all maps, listed or not.
    pub fn all(&self) -> &[GalleryEntry] {
        &self.entries
    }

    /// Returns the maps that match the current search. Returns all maps without a search.
    pub fn listed(&self) -> impl ExactSizeIterator<Item = &GalleryEntry> {
        self.listed.iter().map(|&place| &self.entries[place])
    }

    /// Returns the index of the selected map in the list.
    pub fn selected(&self) -> usize {
        self.selected
    }

    /// Returns the selected map. Returns `None` if no map is listed.
    pub fn entry(&self) -> Option<&GalleryEntry> {
        self.listed().nth(self.selected)
    }

    /// Returns the search text. Returns `None` while the search is closed.
    pub fn filter(&self) -> Option<&Line> {
        self.filter.as_ref()
    }

    /// Selects the map at the index `place` of the list, or the last map if the index is too large.
    /// Returns true if the selection changed.
    pub fn select(&mut self, place: usize) -> bool {
        let place = place.min(self.listed.len().saturating_sub(1));
        let another = place != self.selected;
        self.selected = place;
        if another {
            self.scroll = 0;
        }
        another
    }

    pub fn open_search(&mut self) {
        self.filter = Some(Line::default());
    }

    /// Edits the search text and selects the first match. Returns true if another map is now
    /// selected.
    pub fn edit(&mut self, typed: Typed) -> bool {
        let Some(filter) = &mut self.filter else { return false };
        if !filter.edit(typed) {
            return false;
        }
        let before = self.entry().map(|entry| entry.id.clone());
        let text = self.filter.as_ref().map_or("", Line::text);
        self.listed = matching(&self.entries, text);
        self.selected = 0;
        self.scroll = 0;
        self.entry().map(|entry| &entry.id) != before.as_ref()
    }

    /// Closes the search. The selected map stays selected.
    pub fn close_search(&mut self) {
        self.filter = None;
        self.selected = self.listed.get(self.selected).copied().unwrap_or(0);
        self.listed = (0..self.entries.len()).collect();
    }

    /// Closes the search and selects the map `id`, which the user has just closed. If the gallery
    /// does not contain the map, adds it at the top of the list.
    pub fn come_back(&mut self, id: &str, entry: impl FnOnce() -> GalleryEntry) {
        self.close_search();
        let place = self.entries.iter().position(|entry| entry.id == id);
        let place = place.unwrap_or_else(|| {
            self.entries.insert(0, entry());
            0
        });
        self.close_search();
        self.select(place);
    }
}

/// The screen without an open map. Also holds the breakpoints and bookmarks of maps that were open
/// earlier.
#[derive(Debug, Clone)]
pub struct GalleryScreen {
    /// The maps of the gallery, with the search text and the selection.
    pub maps: Gallery,
    /// The running preview of the selected map, or the error that prevents it. `None` until the map
    /// is read.
    pub preview: Option<Result<Session, String>>,
    /// Playback state of the preview, at normal speed.
    clock: Clock,
    /// Breakpoints and bookmarks of maps that were open earlier, each with the id of the map.
    kept: Vec<(String, Kept)>,
}

impl GalleryScreen {
    pub(super) fn new(entries: Vec<GalleryEntry>) -> Self {
        let clock = Clock::new(true);
        Self { maps: Gallery::new(entries), preview: None, clock, kept: Vec::new() }
    }

    /// Returns true if no map was closed yet.
    pub(super) fn is_first_map(&self) -> bool {
        self.kept.is_empty()
    }

    /// Puts the breakpoints and bookmarks of an earlier session into a map that opens again. Ends
    /// the preview.
    pub(super) fn restore(&mut self, opened: &mut Opened) {
        if let Some(place) = self.kept.iter().position(|(id, _)| *id == opened.id) {
            opened.kept = self.kept.swap_remove(place).1;
        }
        self.preview = None;
    }

    /// Selects the map of a closed session in the gallery. Stores its breakpoints and bookmarks
    /// until the map is opened again.
    pub(super) fn put_away(&mut self, session: &Session) {
        if !self.maps.all().is_empty() {
            self.maps.come_back(session.id(), || session.entry());
        }
        self.kept.push((session.id().to_owned(), session.kept()));
    }

    /// Shows the preview of the selected map. If the map could not be read, shows the error in the
    /// preview's pane.
    pub(super) fn show_preview(&mut self, result: Result<Opened, String>, cancel: &Cancel) {
        self.preview = Some(result.map(|opened| {
            let mut session = Session::new(opened);
            session.set_cancel(cancel);
            session
        }));
    }

    fn running(&self) -> Option<&Session> {
        self.preview.as_ref()?.as_ref().ok()
    }

    pub(super) fn running_mut(&mut self) -> Option<&mut Session> {
        self.preview.as_mut()?.as_mut().ok()
    }

    /// Advances the preview by `elapsed` real time. Simulates frames until `in_time` returns false.
    /// Returns true if the preview may have changed.
    pub(super) fn pass(&mut self, elapsed: Duration, in_time: impl FnMut() -> bool) -> bool {
        let Some(Ok(preview)) = &mut self.preview else { return false };
        let due = self.clock.advance(elapsed, preview.scenario().tick());
        preview.run(due, in_time) > 0
    }

    /// Returns the real time until the next frame of the preview is due.
    pub(super) fn until_next(&self) -> Option<Duration> {
        self.clock.until_next(self.running()?.scenario().tick())
    }

    /// Returns the areas of the panes.
    pub fn layout(&self, ui: &Ui) -> GalleryLayout {
        let about = |width| rows_wanted(self.maps.entry(), width);
        GalleryLayout::of(ui.screen, self.maps.all().len(), about)
    }

    /// Returns the effect that reads the preview of the selected map.
    pub(super) fn wanted_preview(&self) -> Option<Effect> {
        Some(Effect::Preview(self.maps.entry()?.id.clone()))
    }

    fn open_selected(&self, ui: &mut Ui) -> Option<Effect> {
        let id = self.maps.entry().map(|entry| entry.id.clone());
        if id.is_none() {
            ui.show(None, Message::Warning("no matching map".to_owned()));
        }
        id.map(Effect::Open)
    }

    /// Scrolls the description of the selected map down by `lines`. Negative numbers scroll up.
    fn scroll_about(&mut self, lines: isize, ui: &Ui) {
        let last = longest_scroll(self.maps.entry(), self.layout(ui).about);
        self.maps.scroll = scrolled(self.maps.scroll, lines, last);
    }

    /// Draws the list, the description and the preview. A message covers the footer.
    pub(super) fn draw(&self, ui: &Ui, footer: footer::Footer, buffer: &mut Buffer) {
        let (layout, gallery) = (self.layout(ui), &self.maps);
        let (keymap, theme) = (&ui.setup.keymap, &ui.setup.theme);
        list(gallery, theme, layout.list).render(ui.screen, buffer);
        Description { gallery, keymap, theme }.render(layout.about, buffer);
        Preview { preview: self.preview.as_ref(), theme }.render(layout.preview, buffer);
        match &ui.answers.message {
            Some(message) => answer::Answer { message, theme }.render(ui.screen, buffer),
            None => footer.render(layout.footer, buffer),
        }
    }
}

impl Component for GalleryScreen {
    fn context(&self) -> Context {
        if self.maps.filter().is_some() { Context::FindMap } else { Context::Gallery }
    }

    fn list<'a>(&'a self, ui: &'a Ui) -> Option<List<'a>> {
        Some(list(&self.maps, &ui.setup.theme, self.layout(ui).list))
    }

    /// Edits the search text. If this selects another map, returns the effect that reads its
    /// preview.
    fn edit(&mut self, typed: Typed, _ui: &mut Ui) -> Option<Effect> {
        if !self.maps.edit(typed) {
            return None;
        }
        let effect = self.wanted_preview();
        if effect.is_none() {
            self.preview = None;
        }
        effect
    }

    fn select(&mut self, row: usize, _ui: &mut Ui) -> Option<Effect> {
        if self.maps.select(row) { self.wanted_preview() } else { None }
    }

    fn pick(&mut self, ui: &mut Ui) -> Option<Effect> {
        self.open_selected(ui)
    }

    fn scroll_by(&mut self, lines: isize, ui: &Ui) {
        self.scroll_about(lines, ui);
    }

    /// Scrolls the description of the selected map by pages, because the list of maps is too short
    /// for paging.
    fn turn(&mut self, pages: isize, ui: &mut Ui) -> Option<Effect> {
        self.scroll_about(pages.saturating_mul(PAGE as isize), ui);
        None
    }

    /// Closes the search. If no map matched the search, a map is selected again, and the effect
    /// that reads its preview is returned.
    fn close(&mut self, _ui: &mut Ui) -> Option<Effect> {
        let searched = self.maps.filter().is_some();
        let none = self.maps.entry().is_none();
        if searched {
            self.maps.close_search();
        }
        if searched && none { self.wanted_preview() } else { None }
    }

    fn click(&mut self, cell: Cell, ui: &mut Ui) -> Option<Effect> {
        if within(self.layout(ui).preview, cell) { self.open_selected(ui) } else { None }
    }

    fn wheel(&mut self, at: Cell, by: isize, ui: &mut Ui) -> Option<Effect> {
        if within(self.layout(ui).about, at) {
            self.scroll_about(by, ui);
            return None;
        }
        self.move_by(by, false, ui)
    }
}

/// Returns the indices of the maps whose title or file name contains all words of `text`. Maps
/// whose title or file name starts with `text` come first.
fn matching(maps: &[GalleryEntry], text: &str) -> Vec<usize> {
    let text = text.trim().to_lowercase();
    let names = |entry: &GalleryEntry| [entry.name().to_lowercase(), entry.title.to_lowercase()];
    let has = |&place: &usize| {
        let [name, title] = names(&maps[place]);
        text.split_whitespace().all(|word| name.contains(word) || title.contains(word))
    };
    let mut places: Vec<_> = (0..maps.len()).filter(has).collect();
    // The sort is stable, so the maps otherwise keep their order.
    places.small_sort_by_key(|&place| {
        !names(&maps[place]).iter().any(|name| name.starts_with(&text))
    });
    places
}

/// Returns the file names of the maps that match `text`.
pub fn names(maps: &[GalleryEntry], text: &str) -> Vec<String> {
    matching(maps, text).into_iter().map(|place| maps[place].name().to_owned()).collect()
}

/// Finds a map by title, file name, or a unique part of either, and returns the id of the map. Any
/// other text with `/` or `.` is returned unchanged, as a path.
///
/// # Errors
/// Returns a message for the user if no map, or more than one map, matches.
pub fn find(maps: &[GalleryEntry], text: &str) -> Result<String, String> {
    let same = |name: &str| name.to_lowercase() == text.to_lowercase();
    let exact =
        |entry: &&GalleryEntry| entry.id == text || same(entry.name()) || same(&entry.title);
    if let Some(entry) = maps.iter().find(exact) {
        return Ok(entry.id.clone());
    }
    if text.contains(['/', '.']) {
        return Ok(text.to_owned());
    }
    let found = matching(maps, text);
    match found[..] {
        [only] => Ok(maps[only].id.clone()),
        [] => {
            let near = show::nearest(text, maps.iter().map(GalleryEntry::name));
            let near = show::did_you_mean(near);
            Err(format!("unknown map `{}`{near}", show::text(text)))
        }
        _ => {
            let names = show::list(found.iter().take(5).map(|&place| maps[place].name()));
            let more = if found.len() > 5 { ", …" } else { "" };
            Err(format!("`{}` is ambiguous: {names}{more}", show::text(text)))
        }
    }
}

/// Returns the list of maps that match the search text. Without a search, the list contains all
/// maps.
fn list<'a>(gallery: &'a Gallery, theme: &'a Theme, area: Rect) -> List<'a> {
    let (selected, count) = (gallery.selected(), gallery.listed().len());
    let row = |index| {
        let Some(entry) = gallery.listed().nth(index) else { return ListRow::default() };
        let own = if entry.is_own() && entry.title != entry.id {
            format!("  {}", entry.id)
        } else {
            String::new()
        };
        if entry.error.is_some() {
            return vec![(format!(" ✗ {}{own}", entry.title), theme.bad)].into();
        }
        vec![(format!(" {}", entry.title), theme.text), (own, theme.dim)].into()
    };
    List {
        right: if count == 0 { String::new() } else { format!("{} of {count}", selected + 1) },
        empty: match gallery.filter() {
            Some(line) => format!("no map matches \"{}\"", line.text()),
            None => "no maps found".to_owned(),
        },
        input: gallery.filter().map(|line| LineRow { sign: " / ", line, wrong: None, theme }),
        ..List::new("tilewalk: choose a map", area, count, Some(selected), theme, row)
    }
}

/// The pane with the description of the selected map. If the description is too long, the pane
/// scrolls.
#[derive(Debug)]
struct Description<'a> {
    gallery: &'a Gallery,
    keymap: &'a Keymap,
    theme: &'a Theme,
}

impl Widget for Description<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let Some(entry) = self.gallery.entry().filter(|_| !area.is_empty()) else { return };
        let lines = reading::description(&entry.comment, columns(area), self.theme);
        let rows = usize::from(layout::inside(area).height);
        let scroll = self.gallery.scroll.min(lines.len().saturating_sub(rows));
        let key = self.keymap.named(Action::PageDown, Context::Gallery);
        let more = pane::more(&key, scroll, lines.len().saturating_sub(scroll + rows));
        let inside = pane::frame("description", &more, self.theme, area, buffer);
        pane::write(lines.iter().skip(scroll), inside, buffer);
    }
}

/// Returns the width of text in a pane, in columns, without border and margins. `area` includes the
/// border.
fn columns(area: Rect) -> usize {
    usize::from(area.width.saturating_sub(4))
}

/// Returns the maximum scroll position of the description, in lines. `area` includes the border.
fn longest_scroll(entry: Option<&GalleryEntry>, area: Rect) -> usize {
    let lines = entry.map_or(0, |entry| reading::wrapped(&entry.comment, columns(area)).len());
    lines.saturating_sub(layout::inside(area).height.into())
}

/// Returns the pane height, in rows, that the whole description needs. Height and `width` include
/// the border.
fn rows_wanted(entry: Option<&GalleryEntry>, width: u16) -> u16 {
    let width = usize::from(width.saturating_sub(4));
    let lines = entry.map_or(0, |entry| reading::wrapped(&entry.comment, width).len());
    (lines as u16).saturating_add(2)
}

/// The pane with the running preview of the selected map.
#[derive(Debug)]
struct Preview<'a> {
    /// The running map, or the error message if the map can't be played. `None` until the map is
    /// read.
    preview: Option<&'a Result<Session, String>>,
    theme: &'a Theme,
}

impl Widget for Preview<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        if area.is_empty() {
            return;
        }
        let (title, right) = match self.preview {
            Some(Ok(session)) => {
                let (width, height) = session.size();
                let agents = crate::words::count(session.world().population() as u64, "agent");
                (session.scenario().title(), format!("{width}×{height} · {agents}"))
            }
            _ => ("", String::new()),
        };
        let inside = pane::frame(title, &right, self.theme, area, buffer);
        match self.preview {
            Some(Ok(session)) => {
                let view = Self::view(session, inside);
                MapView { session, view, overlays: None, theme: self.theme }.render(inside, buffer);
            }
            Some(Err(text)) => {
                for (row, line) in text.lines().take(inside.height.into()).enumerate() {
                    let line = pane::fitted(line, inside.width.into());
                    let (x, y) = (inside.x, inside.y + row as u16);
                    buffer.set_stringn(x, y, line, inside.width.into(), self.theme.bad);
                }
            }
            None => {}
        }
    }
}

impl Preview<'_> {
    /// Returns a view of the whole map if the map fits into `area`. Otherwise returns a view around
    /// the selected agent.
    fn view(session: &Session, area: Rect) -> View {
        let extent = session.extent();
        let mut camera = Camera::opening(extent, area);
        if !camera.view(extent, area).is_whole() {
            camera.zoom = Zoom::Narrow;
        }
        if let Some(id) = session.selected() {
            camera.keep(session.world().position(id), extent, area);
        }
        camera.view(extent, area)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn maps() -> Vec<GalleryEntry> {
        let maps = [
            ("builtin:castle", "Castle: a guard and a thief"),
            ("builtin:thief", "You are the thief"),
            ("builtin:flock", "Flock: boids"),
            ("maps/mine.toml", "A castle of my own"),
        ];
        let entry = |(id, title): (&str, &str)| GalleryEntry {
            id: id.into(),
            title: title.into(),
            comment: String::new(),
            error: None,
        };
        maps.into_iter().map(entry).collect()
    }

    fn listed(gallery: &Gallery) -> Vec<&str> {
        gallery.listed().map(GalleryEntry::name).collect()
    }

    #[test]
    fn the_filter_narrows_the_list_and_closing_it_keeps_the_selection() {
        let mut gallery = Gallery::new(maps());
        gallery.open_search();
        assert_eq!(gallery.filter().map(Line::text), Some(""));
        assert!(gallery.edit(Typed::Paste("th")));
        assert_eq!(listed(&gallery), ["thief", "castle"], "a beginning comes first");
        assert!(gallery.select(9) && gallery.entry().unwrap().name() == "castle");
        gallery.close_search();
        assert_eq!((gallery.selected(), gallery.listed().len()), (0, 4));
        gallery.open_search();
        gallery.edit(Typed::Paste("OWN castle"));
        assert_eq!(listed(&gallery), ["mine"]);
        assert!(gallery.edit(Typed::Paste("z")) && gallery.entry().is_none());
        gallery.come_back("maps/mine.toml", || panic!("it is there"));
        assert_eq!((gallery.selected(), gallery.all().len()), (3, 4));
        gallery.come_back("new.toml", || maps().remove(0));
        assert_eq!((gallery.selected(), gallery.all().len()), (0, 5));
        assert!(gallery.filter().is_none());
    }

    #[test]
    fn maps_are_found_by_name_title_unique_prefix_or_path() {
        let maps = maps();
        let find = |text| find(&maps, text);
        assert_eq!(find("Thief").as_deref(), Ok("builtin:thief"));
        assert_eq!(find("flock: BOIDS").as_deref(), Ok("builtin:flock"));
        assert_eq!(find("boi").as_deref(), Ok("builtin:flock"));
        assert_eq!(find("castle").as_deref(), Ok("builtin:castle"));
        assert_eq!(find("./castle.toml").as_deref(), Ok("./castle.toml"));
        assert_eq!(find("th"), Err("`th` is ambiguous: `thief`, `castle`".to_owned()));
        assert_eq!(find("flokc"), Err("unknown map `flokc`: did you mean `flock`?".to_owned()));
        assert_eq!(names(&maps, "fl"), ["flock"]);
    }
}
