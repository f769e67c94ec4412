//! Panels: lists over the map. The only state of a panel is its selected row.
//!
//! To add a panel, add a [`Panel`] to this file. Also add two rows to the table of commands: a
//! context, and a command that opens the panel.

use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::debugger::session::Session;
use crate::history::breaks::{Break, Trigger};
use crate::tui::action::{Action, Context};
use crate::tui::draw::list::{List, ListRow};
use crate::tui::draw::{expectations, pane, problems};
use crate::tui::glyph;
use crate::tui::input::Cell;
use crate::tui::layout::{self, Layout};
use crate::tui::overlays::TABLE;
use crate::tui::theme::Theme;

use super::component::Component;
use super::{App, Effect, Mode};

/// Maximum number of visible rows in the lists of breakpoints and bookmarks.
const ROWS: u16 = 12;

/// A list over the map. Its only state is the selected row.
#[derive(Debug)]
pub struct Panel {
    /// Context whose key bindings apply while the panel is open.
    pub context: Context,
    /// Function that returns the list to draw. The last argument is the index of the selected row.
    pub list: for<'a> fn(&'a App, &'a Session, usize) -> List<'a>,
    /// Function that runs the panel's main command. The last argument is the index of the selected
    /// row.
    pub pick: fn(&mut App, usize),
}

impl Component for Panel {
    fn context(&self, _app: &App) -> Context {
        self.context
    }

    fn list<'a>(&self, app: &'a App) -> Option<List<'a>> {
        Some((self.list)(app, app.session.as_ref()?, app.row_of(self)?))
    }

    fn select(&self, app: &mut App, row: usize) -> Option<Effect> {
        if let Mode::Panel(_, selected) = &mut app.mode {
            *selected = row;
        }
        None
    }

    fn pick(&self, app: &mut App) -> Option<Effect> {
        if let Some(row) = app.row_of(self) {
            (self.pick)(app, row);
        }
        None
    }

    fn click(&self, app: &mut App, cell: Cell) -> Option<Effect> {
        app.click_pane(cell);
        None
    }
}

pub(super) static RUNS: Panel = Panel {
    context: Context::Runs,
    list: runs,
    pick: |app, row| {
        let session = app.session.as_ref();
        let run = session.and_then(|session| session.history().runs().iter().nth(row));
        if let Some((run, _)) = run {
            app.switch_run(run);
        }
    },
};

fn runs<'a>(app: &'a App, session: &'a Session, selected: usize) -> List<'a> {
    let (map, theme) = (app.layout().map, &app.setup.theme);
    let count = session.history().runs().len();
    let height = count.saturating_add(3).min(usize::from(map.height)) as u16;
    let area = Rect { width: map.width.min(64), height, ..map };
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

pub(super) static BREAKS: Panel =
    Panel { context: Context::Breaks, list: breaks, pick: App::go_to_last_stop };

fn breaks<'a>(app: &'a App, session: &'a Session, selected: usize) -> List<'a> {
    let (count, theme) = (session.breaks().len(), &app.setup.theme);
    // Longer lines are hard to read.
    let area = pane::at_bottom((count.max(1) as u16).min(ROWS) + 2, 110, app.panel_area());
    let hidden = count.saturating_sub(usize::from(area.height.saturating_sub(2)));
    let row = move |index| breakpoint(session, index, theme);
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

pub(super) static BOOKMARKS: Panel =
    Panel { context: Context::Markers, list: bookmarks, pick: App::go_to_marker };

fn bookmarks<'a>(app: &'a App, session: &'a Session, selected: usize) -> List<'a> {
    let (count, theme) = (session.markers().len(), &app.setup.theme);
    let area = pane::at_bottom((count.max(1) as u16).min(ROWS) + 2, 64, app.panel_area());
    let key = app.setup.keymap.named(Action::ToggleBookmark, Context::Watch);
    let row = move |index| bookmark(session, index, theme);
    List {
        empty: format!("none; {key} or :bookmark NAME adds one"),
        ..List::new("bookmarks", area, count, Some(selected), theme, row)
    }
}

fn bookmark(session: &Session, index: usize, theme: &Theme) -> ListRow {
    let Some(marker) = session.markers().get(index) else { return ListRow::default() };
    let (frame, name) = (marker.frame, &marker.name);
    let time = session.scenario().seconds(frame);
    let note = match frame {
        frame if frame == session.world().frame() => "  current frame",
        frame if frame > session.history().run().end() => "  not simulated yet",
        _ => "",
    };
    let text = format!(" {} {frame:>8}  {time:>8.2} s  {name}{note}", glyph::BOOKMARK);
    vec![(text, theme.text)].into()
}

pub(super) static EXPECTATIONS: Panel = Panel {
    context: Context::Expectations,
    list: |app, session, row| expectations::list(session, row, &app.setup.theme, app.panel_area()),
    pick: App::go_to_verdict,
};

pub(super) static OVERLAYS: Panel = Panel {
    context: Context::Overlays,
    list: overlays,
    pick: |app, row| app.map_view.overlays.toggle(TABLE[row].layer),
};

/// Column widths in the overlay menu, in terminal columns: without and with the description of the
/// overlay.
const OVERLAY: (u16, u16) = (22, 45);

/// Returns the list of all overlays. Uses as many columns as needed to show all overlays at once,
/// if they fit.
fn overlays<'a>(app: &'a App, _session: &'a Session, selected: usize) -> List<'a> {
    let (overlays, theme) = (app.map_view.overlays, &app.setup.theme);
    let area = over_inspector(&app.layout(), app.screen);
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

pub(super) static PROBLEMS: Panel = Panel {
    context: Context::Problems,
    list: |app, session, row| {
        problems::list(session.problems(), row, &app.setup.theme, app.panel_area())
    },
    pick: |_, _| {},
};
