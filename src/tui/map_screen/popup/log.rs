//! The event log: the listed events of a run, and the selected one.
//!
//! The log also lists events after the current frame. They are part of the run, and a user who
//! stepped back may want to return to them.

use ratatui::layout::Rect;

use crate::debugger::event_filter::EventFilter;
use crate::debugger::past_event;
use crate::debugger::session::Session;
use crate::event::Event;
use crate::history::History;
use crate::id::AgentId;
use crate::tui::action::{Action, Context, Keymap};
use crate::tui::draw::line::LineRow;
use crate::tui::draw::list::{List, ListRow};
use crate::tui::draw::pane;
use crate::tui::input::Cell;
use crate::tui::layout::{self, Layout};
use crate::tui::line::{Line, Typed};
use crate::tui::map_screen::MapScreen;
use crate::tui::theme::Theme;
use crate::tui::ui::Ui;

use super::{Change, Dock, Next, Popup};

/// Width of the column with frame numbers, in terminal columns.
const FRAME: usize = 8;
const NAME: usize = 12;
const KIND: usize = 11;

/// Minimum width of the list, without the border, for a column with the event kind.
const ROOMY: u16 = 52;

/// The filtered events of a run, and the selected event.
#[derive(Debug, Clone)]
pub struct EventLog {
    /// Filter text. The log lists only events that contain all of its words.
    filter: Line,
    /// Whether typed keys edit the filter text.
    typing: bool,
    /// Kind of the listed events. `None` lists all kinds.
    kind: Option<&'static str>,
    /// Whether the log lists only events of the selected agent.
    only_selected_agent: bool,
    /// Whether the selection follows the current frame. If true, the last event up to the current
    /// frame is selected.
    follows: bool,
    selected: usize,
    /// Agent of the listed events at the last update, with its instance number. `None` lists the
    /// events of all agents.
    agent: Option<(AgentId, u32)>,
    filtered: EventFilter,
}

/// An event as shown to the user.
#[derive(Debug, Clone, PartialEq)]
pub struct EventText {
    /// Name of the event's agent at the frame of the event.
    pub name: String,
    /// Word for the kind of event, such as `bump`.
    pub kind: &'static str,
    /// Description of the event in words.
    pub text: String,
}

impl EventText {
    /// Describes an event of the current run.
    pub fn of(event: &Event, history: &History) -> Self {
        let name = past_event::name(event, history).to_string();
        Self { name, kind: event.kind.word(), text: past_event::text(event, history) }
    }
}

impl EventLog {
    /// Creates a log of the events that contain all words of `filter`. The log follows the current
    /// frame.
    pub fn new(filter: &str, session: &Session) -> Self {
        let mut log = Self {
            filter: Line::default(),
            typing: false,
            kind: None,
            only_selected_agent: false,
            follows: true,
            selected: 0,
            agent: None,
            filtered: EventFilter::default(),
        };
        log.filter.set(filter);
        log.renew(session);
        log
    }

    /// Updates the list. The caller calls this function after new events, and after a change of the
    /// current frame or of the selected agent.
    pub fn renew(&mut self, session: &Session) {
        let agent = session.selection().filter(|_| self.only_selected_agent);
        if self.agent != agent {
            self.agent = agent;
            self.filtered.forget();
        }
        let history = session.history();
        let (kind, filter) = (self.kind, self.filter.text().to_lowercase());
        let asked = |event: &Event| {
            agent.is_none_or(|agent| past_event::is_about(event, agent, history))
                && kind.is_none_or(|kind| event.kind.word() == kind)
                && has_words(event, &filter, history)
        };
        self.filtered.update(history, asked);
        if self.follows {
            self.selected = self.filtered.until_now(history).saturating_sub(1);
        }
        self.selected = self.selected.min(self.filtered.len().saturating_sub(1));
    }

    /// Filters all events again, because a reload can have changed the ids of agents.
    pub fn read_again(&mut self, session: &Session) {
        self.filtered.forget();
        self.renew(session);
    }

    /// Applies a changed filter, and selects the last event up to the current frame.
    fn change(&mut self, session: &Session) {
        self.filtered.forget();
        let follows = core::mem::replace(&mut self.follows, true);
        self.renew(session);
        self.follows = follows;
    }

    /// Edits the filter text. Does nothing unless the filter receives keys.
    pub fn edit(&mut self, typed: Typed, session: &Session) {
        if self.typing && self.filter.edit(typed) {
            self.change(session);
        }
    }

    /// Directs keys to the filter text if `typing` is true, otherwise to the list.
    pub fn set_typing(&mut self, typing: bool) {
        self.typing = typing;
    }

    /// Returns true if keys go to the filter.
    pub fn is_typing(&self) -> bool {
        self.typing
    }

    /// Returns the filter text with its cursor.
    pub fn filter(&self) -> &Line {
        &self.filter
    }

    /// Removes all filters. Returns true if a filter was active.
    pub fn clear(&mut self, session: &Session) -> bool {
        let was = !self.filter.text().is_empty() || self.kind.is_some() || self.only_selected_agent;
        self.filter.set("");
        (self.typing, self.kind, self.only_selected_agent) = (false, None, false);
        self.change(session);
        was
    }

    /// Switches between events of the selected agent and events of all agents.
    pub fn toggle_selected(&mut self, session: &Session) {
        self.only_selected_agent = !self.only_selected_agent;
        self.change(session);
    }

    /// Moves the kind filter by `by` kinds, among the kinds of events that occur in the run. A
    /// negative number moves backwards. After the last kind, the log lists all events.
    pub fn next_kind(&mut self, by: isize, session: &Session) {
        let events = session.history().run().events();
        let mut kinds: Vec<_> = events.iter().map(|event| event.kind.word()).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let all = kinds.len() + 1;
        let place = self.kind.and_then(|kind| kinds.iter().position(|&known| known == kind));
        let place = place.map_or(0, |place| place + 1);
        let next = (place + all).saturating_add_signed(by) % all;
        self.kind = next.checked_sub(1).map(|place| kinds[place]);
        self.change(session);
    }

    /// Starts or stops following the current frame.
    pub fn toggle_follow(&mut self, session: &Session) {
        self.follows = !self.follows;
        self.renew(session);
    }

    /// Selects the event at an index, or the last event if the index is too large. The log stops
    /// following the current frame.
    pub fn select(&mut self, index: usize) {
        self.follows = false;
        self.selected = index.min(self.len().saturating_sub(1));
    }

    /// Stops following the current frame.
    pub fn stop_following(&mut self) {
        self.follows = false;
    }

    /// Returns the index of the selected event in the list; 0 for an empty list.
    pub fn selected(&self) -> usize {
        self.selected
    }

    /// Returns the number of listed events.
    pub fn len(&self) -> usize {
        self.filtered.len()
    }

    /// Returns true if no event is listed.
    pub fn is_empty(&self) -> bool {
        self.filtered.is_empty()
    }

    /// Returns the listed event at the index `place`, or `None` after the end of the list.
    pub fn get<'a>(&self, place: usize, session: &'a Session) -> Option<&'a Event> {
        self.filtered.get(session.history(), place)
    }

    /// Describes the active filters, such as `bump, following`. The filter text is not included.
    pub fn about(&self) -> String {
        let mut words = Vec::new();
        words.extend(self.kind);
        words.extend(self.only_selected_agent.then_some("selected agent"));
        words.extend(self.follows.then_some("following"));
        words.join(", ")
    }
}

impl Popup for EventLog {
    fn context(&self) -> Context {
        if self.typing { Context::Filter } else { Context::Log }
    }

    fn dock(&self) -> Dock {
        Dock::Side
    }

    fn list<'a>(&'a self, map: &'a MapScreen, ui: &'a Ui) -> Option<List<'a>> {
        let area = place(&map.layout(ui), ui.screen);
        Some(list(self, &map.session, &ui.setup.keymap, &ui.setup.theme, area))
    }

    fn edit(&mut self, typed: Typed, session: &Session) {
        self.edit(typed, session);
    }

    fn select(&mut self, row: usize) {
        self.select(row);
    }

    /// Goes to the frame of the selected event, and selects the agent of the event.
    fn pick(&mut self, map: &mut MapScreen, ui: &mut Ui) -> Next {
        let Some(&event) = self.get(self.selected, &map.session) else {
            map.warn(ui, "no event selected: the list is empty");
            return Next::Stay;
        };
        self.stop_following();
        map.session.select_agent_of(&event);
        map.inspector.scroll = 0;
        map.leave_goal();
        map.go_to(ui, event.frame);
        map.show_selected(ui);
        Next::Stay
    }

    /// Clears the filters. If there are no filters, closes the log.
    fn close(&mut self, map: &mut MapScreen, _ui: &mut Ui) -> Next {
        let typing = self.typing;
        if self.clear(&map.session) || typing { Next::Stay } else { Next::Close }
    }

    fn click(&mut self, cell: Cell, map: &mut MapScreen, ui: &mut Ui) -> Next {
        map.click_pane(ui, cell);
        Next::Stay
    }

    fn renew(&mut self, change: Change, session: &Session) -> Next {
        match change {
            Change::Frame => self.renew(session),
            Change::Scenario => self.read_again(session),
            Change::Values | Change::Problems => {}
        }
        Next::Stay
    }
}

/// Returns true if the text of an event contains all words. The words must be in lower case.
fn has_words(event: &Event, words: &str, history: &History) -> bool {
    if words.is_empty() {
        return true;
    }
    let EventText { name, kind, text } = EventText::of(event, history);
    let line = format!("{name} {kind} {text}").to_lowercase();
    words.split_whitespace().all(|word| line.contains(word))
}

/// Returns the area of the event log.
///
/// If the layout has no area for the log, the log covers the rows of the inspector, over the full
/// width of the screen.
fn place(layout: &Layout, screen: Rect) -> Rect {
    if layout.log.is_empty() {
        Rect { width: screen.width, ..layout.inspector }
    } else {
        layout.log
    }
}

/// Returns the list of events that match the filters, with frame, agent, kind and text.
fn list<'a>(
    log: &'a EventLog,
    session: &'a Session,
    keymap: &Keymap,
    theme: &'a Theme,
    area: Rect,
) -> List<'a> {
    let about = log.about();
    let comma = if about.is_empty() { "" } else { ", " };
    let empty = if session.history().run().events().is_empty() {
        "no events yet".to_owned()
    } else {
        let key = keymap.named(Action::Close, Context::Log);
        format!("no matching event; {key} clears the filter")
    };
    let has_filter = log.is_typing() || !log.filter().text().is_empty();
    let input = LineRow { sign: " / ", line: log.filter(), wrong: None, theme };
    let is_roomy = layout::inside(area).width >= ROOMY;
    let row = move |index| row(log, session, index, is_roomy, theme);
    List {
        right: format!("{} listed{comma}{about}", log.len()),
        empty,
        input: has_filter.then_some(input),
        ..List::new("events", area, log.len(), Some(log.selected()), theme, row)
    }
}

/// Formats an event. Events of frames after the current one are dim, with the frame number in
/// parentheses.
fn row(log: &EventLog, session: &Session, index: usize, is_roomy: bool, theme: &Theme) -> ListRow {
    let Some(event) = log.get(index, session) else { return ListRow::default() };
    let world = session.world();
    let is_later = event.frame > world.frame();
    let style = if is_later { theme.dim } else { theme.text };
    let frame = if is_later { format!("({})", event.frame) } else { event.frame.to_string() };
    let EventText { name, kind, text } = EventText::of(event, session.history());
    let name = pane::fitted(&name, NAME);
    let kind = if is_roomy { format!("{kind:<KIND$} ") } else { String::new() };
    vec![(format!("{frame:>FRAME$}  {name:<NAME$} {kind}{text}"), style)].into()
}
