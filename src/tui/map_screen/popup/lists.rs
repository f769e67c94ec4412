//! Lists over the map whose only state is the selected row.
//!
//! To add a list, add a [`ListSpec`] to this file, and two rows to the table of commands: a context
//! of the group `List`, and the command that opens the list. The shared rows of that table give the
//! list its keys for closing, moving, paging and help. A list with a main command also needs a row
//! that binds Enter to the action `Pick`.

use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::debugger::session::Session;
use crate::history::breaks::{Break, Trigger};
use crate::tui::action::{Action, Context};
use crate::tui::draw::list::{List, ListRow};
use crate::tui::draw::{expectations, pane, problems};
use crate::tui::glyph;
use crate::tui::input::{Cell, Key};
use crate::tui::layout::{self, Layout};
use crate::tui::map_screen::MapScreen;
use crate::tui::overlays::TABLE;
use crate::tui::theme::Theme;
use crate::tui::ui::Ui;

use super::{Change, Next, Popup};

/// Maximum number of visible rows in the lists of breakpoints and bookmarks.
const ROWS: u16 = 12;

/// The properties of a list over the map.
#[derive(Debug)]
pub(in crate::tui) struct ListSpec {
    /// Context whose key bindings apply while the list is open.
    context: Context,
    /// Function that returns the number of rows.
    count: fn(&Session) -> usize,
    /// Function that returns the list to draw. The last argument is the index of the selected row.
    list: for<'a> fn(&'a MapScreen, &'a Ui, usize) -> List<'a>,
    /// Function that runs the main command of the list. The last argument is the index of the
    /// selected row.
    pick: fn(&mut MapScreen, &mut Ui, usize) -> Next,
    /// Function that handles a letter without a binding. Returns the row to select, or `None` if
    /// the letter has no meaning.
    letter: fn(&mut MapScreen, char) -> Option<usize>,
    /// The change after which the first row is selected. If the list is then empty, it closes.
    first_after: Option<Change>,
}

/// A list without commands, as a base for others.
const PLAIN: ListSpec = ListSpec {
    context: Context::Problems,
    count: |_| 0,
    list: |_, ui, row| {
        List::new("", Rect::ZERO, 0, Some(row), &ui.setup.theme, |_| ListRow::default())
    },
    pick: |_, _, _| Next::Stay,
    letter: |_, _| None,
    first_after: None,
};

/// An open list whose only state is the selected row.
#[derive(Debug, Clone)]
pub(in crate::tui) struct ListPopup {
    spec: &'static ListSpec,
    row: usize,
}

impl ListPopup {
    /// Opens a list with the row at index `row` selected.
    pub(in crate::tui) fn new(spec: &'static ListSpec, row: usize) -> Self {
        Self { spec, row }
    }

    /// Returns the index of the selected row if this list is `spec`.
    pub(in crate::tui) fn row_of(&self, spec: &ListSpec) -> Option<usize> {
        core::ptr::eq(self.spec, spec).then_some(self.row)
    }
}

impl Popup for ListPopup {
    fn context(&self) -> Context {
        self.spec.context
    }

    fn list<'a>(&'a self, map: &'a MapScreen, ui: &'a Ui) -> Option<List<'a>> {
        Some((self.spec.list)(map, ui, self.row))
    }

    fn select(&mut self, row: usize) {
        self.row = row;
    }

    fn pick(&mut self, map: &mut MapScreen, ui: &mut Ui) -> Next {
        (self.spec.pick)(map, ui, self.row)
    }

    fn press(&mut self, key: Key, map: &mut MapScreen) -> bool {
        let Key::Char(letter) = key else { return false };
        let row = (self.spec.letter)(map, letter);
        self.row = row.unwrap_or(self.row);
        row.is_some()
    }

    fn click(&mut self, cell: Cell, map: &mut MapScreen, ui: &mut Ui) -> Next {
        map.click_pane(ui, cell);
        Next::Stay
    }

    /// Selects an existing row.
    fn renew(&mut self, change: Change, session: &Session) -> Next {
        let count = (self.spec.count)(session);
        let restarts = self.spec.first_after == Some(change);
        self.row = if restarts { 0 } else { self.row.min(count.saturating_sub(1)) };
        if restarts && count == 0 { Next::Close } else { Next::Stay }
    }
}

pub(in crate::tui) static RUNS: ListSpec = ListSpec {
    context: Context::Runs,
    count: |session| session.history().runs().len(),
    list: runs,
    pick: |map, ui, row| {
        let run = map.session.history().runs().iter().nth(row).map(|(run, _)| run);
        if let Some(run) = run {
            map.switch_run(ui, run);
        }
        Next::Close
    },
    ..PLAIN
};

fn runs<'a>(map: &'a MapScreen, ui: &'a Ui, selected: usize) -> List<'a> {
    let (session, area, theme) = (&map.session, map.layout(ui).map, &ui.setup.theme);
    let count = session.history().runs().len();
    let height = count.saturating_add(3).min(usize::from(area.height)) as u16;
    let area = Rect { width: area.width.min(64), height, ..area };
    let row = move |index| vec![(run(session, index), theme.text)].into();
    let head = format!("  {:>4}  {:<16} {:<7} {:>8} {:>8}", "run", "start", "", "end", "commands");
    List { head: Some(head), ..List::new("runs", area, count, Some(selected), theme, row) }
}

fn run(session: &Session, index: usize) -> String {
    let history = session.history();
    let Some((id, run)) = history.runs().iter().nth(index) else { return String::new() };
    let start = match run.branch() {
        None => "frame 0".to_owned(),
        Some(branch) => format!("run {} at {}", branch.parent.0 + 1, branch.at),
    };
    let role = match id {
        id if id == history.present() => "current",
        id if Some(id) == history.comparison() => "ghost",
        _ => "",
    };
    let (end, commands) = (run.end().0, run.log().len());
    format!(" {:>4}  {start:<16} {role:<7} {end:>8} {commands:>8}", id.0 + 1)
}

pub(in crate::tui) static BREAKS: ListSpec = ListSpec {
    context: Context::Breaks,
    count: |session| session.breaks().len(),
    list: breaks,
    pick: MapScreen::go_to_last_stop,
    ..PLAIN
};

fn breaks<'a>(map: &'a MapScreen, ui: &'a Ui, selected: usize) -> List<'a> {
    let (count, theme) = (map.session.breaks().len(), &ui.setup.theme);
    // Longer lines are hard to read.
    let area = pane::at_bottom((count.max(1) as u16).min(ROWS) + 2, 110, map.list_area(ui));
    let hidden = count.saturating_sub(usize::from(area.height.saturating_sub(2)));
    let row = move |index| breakpoint(&map.session, index, theme);
    List {
        right: if hidden > 0 { format!("{hidden} more") } else { String::new() },
        empty: "none; add with :break CONDITION or :watch FIELD".to_owned(),
        ..List::new("breakpoints", area, count, Some(selected), theme, row)
    }
}

fn breakpoint(session: &Session, index: usize, theme: &Theme) -> ListRow {
    let Some(each) = session.breaks().get(index) else { return ListRow::default() };
    let style = if each.enabled { theme.text } else { theme.dim };
    let check = if each.enabled { "[x]" } else { "[ ]" };
    let hit = if session.hits().contains(&index) { glyph::BREAK } else { " " };
    let word = match each.trigger() {
        Trigger::Condition => "",
        Trigger::Change => "watch ",
    };
    let text = format!("{check} {hit} {} {word}{}", index + 1, each.text());
    let results = session.results(each);
    let gap = if results.is_empty() { "" } else { "  " };
    let spans = vec![(text, style), (format!("{gap}{results}"), theme.dim)];
    ListRow { spans, right: Some(hits(session, each, theme)) }
}

/// Describes the hits of a breakpoint. If its condition is invalid on this map, describes the
/// error.
fn hits(session: &Session, each: &Break, theme: &Theme) -> (String, Style) {
    if let Err(error) = each.clone().condition(session.scenario()) {
        return (pane::fitted(&error.message, 40), theme.warn);
    }
    let text = match each.last() {
        Some(frame) if each.hits() == 1 => format!("1 hit, at frame {frame} "),
        Some(frame) => format!("{} hits, last at frame {frame} ", each.hits()),
        None => "no hits ".to_owned(),
    };
    (text, theme.dim)
}

pub(in crate::tui) static BOOKMARKS: ListSpec = ListSpec {
    context: Context::Bookmarks,
    count: |session| session.bookmarks().len(),
    list: bookmarks,
    pick: MapScreen::go_to_bookmark,
    ..PLAIN
};

fn bookmarks<'a>(map: &'a MapScreen, ui: &'a Ui, selected: usize) -> List<'a> {
    let (count, theme) = (map.session.bookmarks().len(), &ui.setup.theme);
    let area = pane::at_bottom((count.max(1) as u16).min(ROWS) + 2, 64, map.list_area(ui));
    let key = ui.setup.keymap.named(Action::ToggleBookmark, Context::Map);
    let row = move |index| bookmark(&map.session, index, theme);
    List {
        empty: format!("none; {key} or :bookmark NAME adds one"),
        ..List::new("bookmarks", area, count, Some(selected), theme, row)
    }
}

fn bookmark(session: &Session, index: usize, theme: &Theme) -> ListRow {
    let Some(bookmark) = session.bookmarks().get(index) else { return ListRow::default() };
    let (frame, name) = (bookmark.frame, &bookmark.name);
    let time = session.scenario().seconds(frame);
    let note = match frame {
        frame if frame == session.world().frame() => "  current frame",
        frame if frame > session.history().run().end() => "  not simulated yet",
        _ => "",
    };
    let text = format!(" {} {frame:>8}  {time:>8.2} s  {name}{note}", glyph::BOOKMARK);
    vec![(text, theme.text)].into()
}

pub(in crate::tui) static EXPECTATIONS: ListSpec = ListSpec {
    context: Context::Expectations,
    count: |session| session.expectations().count(),
    list: |map, ui, row| expectations::list(&map.session, row, &ui.setup.theme, map.list_area(ui)),
    pick: MapScreen::go_to_verdict,
    ..PLAIN
};

pub(in crate::tui) static OVERLAYS: ListSpec = ListSpec {
    context: Context::Overlays,
    count: |_| TABLE.len(),
    list: overlays,
    pick: |map, _, row| {
        map.overlays.toggle(TABLE[row].layer);
        Next::Stay
    },
    letter: |map, letter| Some(map.overlays.toggle_key(letter)?.layer as usize),
    ..PLAIN
};

/// Column widths in the overlay menu, in terminal columns: without and with the description of the
/// overlay.
const OVERLAY: (u16, u16) = (22, 45);

/// Returns the list of all overlays. Uses as many columns as needed to show all overlays at once,
/// if they fit.
fn overlays<'a>(map: &'a MapScreen, ui: &'a Ui, selected: usize) -> List<'a> {
    let (overlays, theme) = (map.overlays, &ui.setup.theme);
    let area = over_inspector(&map.layout(ui), ui.screen);
    let inside = layout::inside(area);
    let is_wide = inside.width >= OVERLAY.1 && usize::from(inside.height) >= TABLE.len();
    let has_note = !is_wide && inside.height > 1;
    let rows = usize::from(inside.height - u16::from(has_note)).max(1);
    let fitting = usize::from(inside.width / OVERLAY.0).max(1);
    let row = move |index: usize| {
        let entry = &TABLE[index];
        let check = if overlays.has(entry.layer) { "[x]" } else { "[ ]" };
        let about = if is_wide { entry.about } else { "" };
        let spans = vec![
            (format!("{check} "), theme.text),
            (format!("{} ", entry.key), theme.key),
            (format!("{:<14}", entry.name), theme.text),
            (about.to_owned(), theme.dim),
        ];
        spans.into()
    };
    // Without room for all descriptions, only the selected overlay is described.
    let note = (format!(" {}", TABLE[selected].about), theme.dim);
    List {
        right: if overlays.all { "a: all agents in view" } else { "a: selected agent" }.to_owned(),
        columns: TABLE.len().div_ceil(rows).min(fitting) as u16,
        notes: if has_note { vec![note] } else { Vec::new() },
        ..List::new("overlays", area, TABLE.len(), Some(selected), theme, row)
    }
}

/// Returns the area of the overlay menu. The menu covers the inspector, so that the map stays
/// visible. If the inspector is hidden, the menu is at the bottom of the map pane.
fn over_inspector(layout: &Layout, screen: Rect) -> Rect {
    let area = layout.over_inspector(screen);
    let height = area.height.min(TABLE.len() as u16 + 3);
    let y = if layout.inspector.is_empty() { area.bottom() - height } else { area.y };
    Rect { y, height, ..area }
}

pub(in crate::tui) static PROBLEMS: ListSpec = ListSpec {
    context: Context::Problems,
    count: |session| session.problems().list().len(),
    list: |map, ui, row| {
        problems::list(map.session.problems(), row, &ui.setup.theme, map.list_area(ui))
    },
    first_after: Some(Change::Problems),
    ..PLAIN
};
