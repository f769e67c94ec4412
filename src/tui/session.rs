//! One map being watched: its history, who is selected and why it moved.
//!
//! It changes the world through its history alone.

mod breaks;
mod draft;
mod markers;
mod pin;
mod placed;
mod placing;
mod reload;
mod told;
mod travel;
mod tuning;
mod visits;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use crate::event::Event;
use crate::files::edit::draft::Draft;
use crate::files::settings::Setting;
use crate::files::{Kept, comment};
use crate::geom::{Notch, TilePos};
use crate::history::breaks::Breaks;
use crate::history::markers::Markers;
use crate::history::search::Search;
use crate::history::{DEFAULT_BUDGET, History};
use crate::id::AgentId;
use crate::pattern::matrix::Choice;
use crate::scenario::Scenario;
use crate::step::Explanation;
use crate::world::{Flags, World};

pub use draft::Incoming;
pub use reload::Edit;
use reload::Live;

use super::camera::Extent;
use super::hand::Hand;
use super::library::{Entry, Opened};
use super::past::Past;
use super::pyramid::Pyramid;
use super::rival::Rival;
use super::sift::Sift;
use super::timeline::Mark;
use super::visits::Visits;

use pin::Pinned;

/// What the inspector is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// Nobody: there is no agent.
    Nobody,
    /// An agent.
    Agent(AgentId),
    /// A tile that was clicked.
    Tile(TilePos),
}

/// A map being watched.
#[derive(Debug, Clone)]
pub struct Session {
    id: String,
    label: String,
    /// A name for its new file, if it has none that can be written.
    new_name: Option<String>,
    /// Is it a recording?
    replay: bool,
    history: History,
    selected: Option<AgentId>,
    tile: Option<TilePos>,
    explanation: Option<Explanation>,
    coming: Option<Choice>,
    /// Who else is told about, in agent order, and how many are not though they are in view.
    watched: Vec<AgentId>,
    left_out: usize,
    /// Why they moved as they did.
    others: Vec<Explanation>,
    /// The person's hand on an agent.
    hand: Option<Hand>,
    /// The last seconds of the run, and of the ghost's.
    past: Past,
    shadow: Past,
    /// How often tiles were visited, if that is counted.
    visits: Option<Visits>,
    /// Is all of these known that can be?
    recalled: bool,
    /// Frames to be marked on the timeline, ascending.
    marks: Vec<Mark>,
    /// Frames that the person marked.
    markers: Markers,
    /// Who is compared with the selected agent.
    pinned: Option<Pinned>,
    /// What happened to the selected agent.
    mine: Sift,
    /// Another run that is shown beside.
    rival: Option<Rival>,
    breaks: Breaks,
    /// Those that the frame that is looked at is a hit of, by their places.
    hits: Vec<usize>,
    /// A look back that is under way.
    search: Option<Search>,
    /// The scenario that everything above is about.
    seen: Arc<Scenario>,
    /// What its map looks like from far away.
    pyramid: Arc<Pyramid>,
    /// The text of the map's file.
    file: Arc<str>,
    /// The settings that the file doesn't have.
    unwritten: Vec<Setting>,
    /// Settings that it came with, or that were written elsewhere: nobody would lose them.
    kept: BTreeSet<String>,
    /// Its files, as they are edited here.
    draft: Box<Draft>,
    /// What is known of its files, and what saving them has changed.
    live: Live,
}

impl Session {
    /// Frame 0 of a map, its first agent selected.
    pub fn new(opened: Opened) -> Self {
        let live = Live::new(&opened.scenario);
        let draft = Box::new(Draft::new(Arc::clone(&opened.scenario.sources)));
        let (seen, file) = (Arc::clone(&opened.scenario), tuning::file_of(&opened.scenario));
        let fresh = || History::new(opened.scenario, DEFAULT_BUDGET);
        let replay = opened.recorded.is_some();
        let history = opened.recorded.map_or_else(fresh, |recorded| *recorded);
        let past = Past::new(&history);
        let selected = history.world().ids().next();
        let mut session = Self {
            id: opened.id,
            label: opened.label,
            new_name: opened.new_name,
            replay,
            kept: tuning::settings_of(&history),
            history,
            selected,
            tile: None,
            explanation: None,
            coming: None,
            watched: Vec::new(),
            left_out: 0,
            others: Vec::new(),
            hand: None,
            shadow: past.clone(),
            past,
            visits: None,
            recalled: false,
            marks: Vec::new(),
            markers: Markers::default(),
            pinned: None,
            mine: Sift::default(),
            rival: None,
            breaks: opened.kept.breaks,
            hits: Vec::new(),
            search: None,
            pyramid: Arc::new(Pyramid::of(&seen.map)),
            seen,
            file: "".into(),
            unwritten: Vec::new(),
            draft,
            live,
        };
        session.written(file);
        session.set_markers(opened.kept.markers);
        session.refresh();
        session.past.note(session.history.world());
        session
    }

    /// All runs of the map, and where in them one looks.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// What is kept of it beside its map, or while another map is watched.
    pub fn kept(&self) -> Kept {
        Kept { breaks: self.breaks.clone(), markers: self.markers.clone() }
    }

    /// What the list of maps says of it: its file, as a map that is built in may have the same title.
    pub fn entry(&self) -> Entry {
        let (id, title) = (self.id.clone(), self.label.clone());
        Entry { id, title, comment: comment::top(&self.file) }
    }

    /// The other run that is shown beside.
    pub fn rival(&self) -> Option<&Rival> {
        self.rival.as_ref()
    }

    /// The same, to lead it.
    pub fn rival_mut(&mut self) -> Option<&mut Rival> {
        self.rival.as_mut()
    }

    /// Shows another run beside, or none; was there one?
    pub fn set_rival(&mut self, rival: Option<Rival>) -> bool {
        core::mem::replace(&mut self.rival, rival).is_some()
    }

    /// Takes the place of another session of the same map: who was selected or driven stays so, by name.
    pub fn take_over(&mut self, old: &Self) {
        let scenario = Arc::clone(self.scenario());
        let here = |id| scenario.find(&old.scenario().name(id).to_string());
        self.choose(old.selected.and_then(here).or(self.selected));
        self.hand = old.driven().and_then(here).map(Hand::on);
        self.tile = old.tile.filter(|&tile| self.scenario().map.tiles().contains(tile));
        self.breaks.clone_from(&old.breaks);
        self.pinned = old.pinned().and_then(here).map(Pinned::on);
        self.set_markers(old.markers.clone());
        self.refresh();
    }

    /// Makes up to `frames` frames, as long as there is time and nothing stops it; says how many.
    pub fn run(&mut self, frames: u32, in_time: impl FnMut() -> bool) -> u32 {
        let mut breaks = core::mem::take(&mut self.breaks);
        let made = self.run_with(&mut breaks, frames, in_time);
        self.breaks = breaks;
        self.find_hits();
        made
    }

    /// Makes up to `frames` frames, as long as there is time, whatever would stop it otherwise; says
    /// how many.
    pub fn run_past(&mut self, frames: u32, in_time: impl FnMut() -> bool) -> u32 {
        let made = self.run_with(&mut Breaks::default(), frames, in_time);
        self.find_hits();
        made
    }

    fn run_with(&mut self, breaks: &mut Breaks, frames: u32, in_time: impl FnMut() -> bool) -> u32 {
        self.search = None;
        let (hand, past, visits) = (&mut self.hand, &mut self.past, &mut self.visits);
        let ask = |world: &World| hand.as_mut().map(|hand| hand.ask(world));
        let seen = |world: &World| {
            past.note(world);
            if let Some(visits) = visits {
                visits.note(world);
            }
        };
        let made = self.history.run_on(frames, breaks, ask, seen, in_time);
        if made > 0 {
            self.refresh();
        }
        made
    }

    /// Who is driven by hand.
    pub fn driven(&self) -> Option<AgentId> {
        self.hand.as_ref().map(Hand::agent)
    }

    /// Takes an agent by the hand, or lets it go.
    pub fn drive(&mut self, agent: Option<AgentId>) {
        self.hand = agent.map(Hand::on);
        self.refresh();
    }

    /// An arrow pushes who is driven.
    pub fn push(&mut self, arrow: Notch) {
        if let Some(hand) = &mut self.hand {
            hand.press(arrow);
        }
    }

    /// Makes the frames one press of an arrow is about: for a walker those of a step, if it is one.
    pub fn run_push(&mut self) {
        let Some(id) = self.driven() else { return };
        let frames = if self.world().is_on_tiles(id) { self.world().mode(id).pace } else { 1 };
        for _ in 0..frames {
            self.run(1, || true);
            if !self.hits.is_empty() {
                break;
            }
            // What was refused took no time: the person sees why, and tries another way.
            let tried = !self.hand.as_ref().is_some_and(Hand::is_to_step);
            if tried && self.world().flags(id).has(Flags::BLOCKED) {
                break;
            }
        }
        if let Some(hand) = &mut self.hand {
            hand.rest();
        }
    }

    /// Lets real time pass.
    pub fn pass(&mut self, elapsed: Duration) {
        if let Some(hand) = &mut self.hand {
            hand.pass(elapsed);
        }
    }

    /// Another agent is selected: what is known of the last one is forgotten.
    fn choose(&mut self, id: Option<AgentId>) {
        if self.selected != id {
            self.mine.forget();
        }
        self.selected = id;
    }

    /// Selects an agent.
    pub fn select(&mut self, id: AgentId) {
        self.choose(Some(id));
        self.tile = None;
        self.refresh();
    }

    /// Looks at a tile; the selected agent stays selected behind it.
    pub fn look_at(&mut self, tile: Option<TilePos>) {
        self.tile = tile;
        self.refresh();
    }

    /// Selects the agent so many places further in agent order, around the end.
    pub fn select_next(&mut self, by: i32) {
        let count = self.world().len() as u32;
        if count > 0 {
            let from = self.selected.map_or(0, |id| id.0);
            self.select(AgentId((from + count).saturating_add_signed(by) % count));
        }
    }

    /// What the inspector is about.
    pub fn subject(&self) -> Subject {
        match (self.tile, self.selected) {
            (Some(tile), _) => Subject::Tile(tile),
            (None, Some(id)) => Subject::Agent(id),
            (None, None) => Subject::Nobody,
        }
    }

    /// What [`super::library::Library::open`] knows the map by.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// What people know the map by.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The present frame.
    pub fn world(&self) -> &World {
        self.history.world()
    }

    /// The map with everything on it.
    pub fn scenario(&self) -> &Arc<Scenario> {
        self.world().scenario()
    }

    /// Columns and rows of the map.
    pub fn size(&self) -> (u32, u32) {
        (self.scenario().map.width(), self.scenario().map.height())
    }

    /// How much of the map there is to see.
    pub fn extent(&self) -> Extent {
        Extent::of(&self.scenario().map)
    }

    /// What its map looks like from far away.
    pub fn pyramid(&self) -> &Pyramid {
        &self.pyramid
    }

    /// The selected agent, whatever the inspector is about.
    pub fn selected(&self) -> Option<AgentId> {
        self.selected
    }

    /// The frame before this one; at frame 0 the same.
    pub fn before(&self) -> &World {
        self.history.before()
    }

    /// What happened up to this frame, the latest first.
    pub fn events(&self) -> impl Iterator<Item = &Event> {
        let events = self.history.run().events();
        events.iter().take(events.count_until(self.world().frame())).rev()
    }
}
