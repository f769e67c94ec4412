//! The event log: which events of a run are listed, and which one is selected.
//!
//! The log also lists events after the current frame. They are part of the run, and a user who
//! stepped back may want to return to them.

use crate::event::Event;
use crate::id::AgentId;
use crate::words;
use crate::world::World;

use super::input::Key;
use super::line::Line;
use super::session::Session;
use super::sift::EventFilter;

/// Events of a run, one of them marked.
#[derive(Debug, Clone)]
pub struct Log {
    /// Words that all have to be in a line.
    filter: Line,
    /// Is the filter being typed?
    typing: bool,
    /// Only events of this kind, if of one.
    kind: Option<&'static str>,
    /// Only those of the selected agent.
    selected: bool,
    /// Is the last event up to the frame that is looked at the marked one?
    follows: bool,
    marked: usize,
    /// Whose events are asked for, if only one agent's.
    whose: Option<AgentId>,
    sift: EventFilter,
}

/// What a line of the log says.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    /// Whom it happened to.
    pub name: String,
    /// The word of its kind.
    pub kind: &'static str,
    /// What happened.
    pub text: String,
}

impl Told {
    /// What there is to say of an event.
    pub fn of(event: &Event, world: &World) -> Self {
        let there = event.agent.index() < world.len();
        // In a run that changed its map there may be fewer agents now.
        let name = if there { world.scenario().name(event.agent).to_string() } else { "?".into() };
        let text = if there { words::event(event, world) } else { String::new() };
        Self { name, kind: event.kind.word(), text }
    }
}

impl Log {
    /// Everything is listed, and the present is followed.
    pub fn new(filter: &str, session: &Session) -> Self {
        let mut log = Self {
            filter: Line::default(),
            typing: false,
            kind: None,
            selected: false,
            follows: true,
            marked: 0,
            whose: None,
            sift: EventFilter::default(),
        };
        log.filter.set(filter);
        log.renew(session);
        log
    }

    /// Takes in what happened since, and which frame is looked at.
    pub fn renew(&mut self, session: &Session) {
        let whose = session.selected().filter(|_| self.selected);
        if self.whose != whose {
            self.whose = whose;
            self.sift.forget();
        }
        let world = session.world();
        let (kind, filter) = (self.kind, self.filter.text().to_lowercase());
        let asked = |event: &Event| {
            whose.is_none_or(|id| event.agent == id)
                && kind.is_none_or(|kind| event.kind.word() == kind)
                && has_words(event, &filter, world)
        };
        self.sift.update(session.history(), asked);
        if self.follows {
            self.marked = self.sift.until_now(session.history()).saturating_sub(1);
        }
        self.marked = self.marked.min(self.sift.len().saturating_sub(1));
    }

    /// Other events are asked for: the one nearest to the present is marked.
    fn change(&mut self, session: &Session) {
        self.sift.forget();
        let follows = core::mem::replace(&mut self.follows, true);
        self.renew(session);
        self.follows = follows;
    }

    /// A key of the filter.
    pub fn key(&mut self, key: Key, session: &Session) {
        if self.typing && self.filter.key(key) {
            self.change(session);
        }
    }

    /// A pasted text; only its first line counts.
    pub fn paste(&mut self, text: &str, session: &Session) {
        if self.typing && self.filter.paste(text) {
            self.change(session);
        }
    }

    /// Begins or ends the typing of the filter.
    pub fn set_typing(&mut self, typing: bool) {
        self.typing = typing;
    }

    /// Is the filter being typed?
    pub fn is_typing(&self) -> bool {
        self.typing
    }

    /// What is typed to shorten the list.
    pub fn filter(&self) -> &Line {
        &self.filter
    }

    /// Takes away what shortens the list; was there anything?
    pub fn clear(&mut self, session: &Session) -> bool {
        let was = !self.filter.text().is_empty() || self.kind.is_some() || self.selected;
        self.filter.set("");
        (self.typing, self.kind, self.selected) = (false, None, false);
        self.change(session);
        was
    }

    /// Lists events of the selected agent alone, or of everybody.
    pub fn toggle_selected(&mut self, session: &Session) {
        self.selected = !self.selected;
        self.change(session);
    }

    /// Lists events of the next kind that the run has any of; after the last one all kinds.
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

    /// Follows the frame that is looked at, or no longer does.
    pub fn toggle_follow(&mut self, session: &Session) {
        self.follows = !self.follows;
        self.renew(session);
    }

    /// Marks the event so many lines further; the present is no longer followed.
    pub fn mark(&mut self, by: isize) {
        self.mark_at(self.marked.saturating_add_signed(by));
    }

    /// Marks the one at a place.
    pub fn mark_at(&mut self, place: usize) {
        self.follows = false;
        self.marked = place.min(self.len().saturating_sub(1));
    }

    /// The place of the marked one.
    pub fn marked(&self) -> usize {
        self.marked
    }

    /// How many are listed.
    pub fn len(&self) -> usize {
        self.sift.len()
    }

    /// Is none listed?
    pub fn is_empty(&self) -> bool {
        self.sift.is_empty()
    }

    /// The one at a place.
    pub fn get<'a>(&self, place: usize, session: &'a Session) -> Option<&'a Event> {
        self.sift.get(session.history(), place)
    }

    /// What shortens the list and whether it follows, in a few words.
    pub fn about(&self) -> String {
        let mut words = Vec::new();
        words.extend(self.kind);
        words.extend(self.selected.then_some("selected agent"));
        words.extend(self.follows.then_some("following"));
        words.join(", ")
    }
}

/// Does its line have all these words?
fn has_words(event: &Event, words: &str, world: &World) -> bool {
    if words.is_empty() {
        return true;
    }
    let Told { name, kind, text } = Told::of(event, world);
    let line = format!("{name} {kind} {text}").to_lowercase();
    words.split_whitespace().all(|word| line.contains(word))
}
