//! Frames that another program appends to its run while agents already follow the run.
//!
//! One thread appends to the [`LiveFrames`], and worlds on other threads read them without waiting.
//! A frame never changes after it was appended, so a step gives the same result whenever it is
//! repeated. All scenarios of a run share its frames: [`LiveAgents`] assigns the agents of the
//! frames to the agents of one scenario.
//!
//! The agents of a scenario are fixed, but a run can introduce agents at any frame. Therefore, a
//! scenario reserves agents without a name. An agent that appears later occupies one of its
//! [`Pool`]. If the pool has no reserved agent left, a new scenario must be created.

use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use crate::id::AgentId;
use crate::rng::name_hash;

use super::Row;

/// A list to which one thread appends while other threads read.
struct Growing<T> {
    /// Parts of 1, 2, 4, … elements, which are created when they are needed.
    parts: [OnceLock<Box<[OnceLock<T>]>>; 32],
    length: AtomicUsize,
}

impl<T> Default for Growing<T> {
    fn default() -> Self {
        Self { parts: Default::default(), length: AtomicUsize::new(0) }
    }
}

impl<T> Growing<T> {
    /// Returns the part of an element, and its index in that part.
    fn place(index: usize) -> (usize, usize) {
        let part = (index + 1).ilog2() as usize;
        (part, index + 1 - (1 << part))
    }

    fn len(&self) -> usize {
        self.length.load(Ordering::Acquire)
    }

    fn get(&self, index: usize) -> Option<&T> {
        if index >= self.len() {
            return None;
        }
        let (part, place) = Self::place(index);
        self.parts[part].get()?[place].get()
    }

    fn push(&self, value: T) {
        let index = self.len();
        let (part, place) = Self::place(index);
        let slots = self.parts[part]
            .get_or_init(|| core::iter::repeat_with(OnceLock::new).take(1 << part).collect());
        // Only one thread appends, so the slot is empty.
        let _ = slots[place].set(value);
        self.length.store(index + 1, Ordering::Release);
    }
}

/// A frame that was appended to a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LiveFrame {
    /// Seconds since frame 0; `None` if all frames have the same length.
    pub seconds: Option<f32>,
    /// Numbers of the agents with rows, ascending. The agents of the table come first. The numbers
    /// after them are indices of [`LiveFrames::join`].
    pub agents: Box<[u32]>,
    /// The row of each agent, with a mode of the table.
    pub rows: Box<[Row]>,
    /// The values of all rows in the first column, then those in the other columns. Numbers are
    /// stored as bits.
    pub values: Box<[u32]>,
    /// Agent and text of each event.
    pub events: Box<[(u32, u32)]>,
}

impl LiveFrame {
    /// Returns the index of an agent's row.
    pub(super) fn index(&self, agent: u32) -> Option<usize> {
        // In most frames, all agents have rows.
        let guess = agent as usize;
        if self.agents.get(guess) == Some(&agent) {
            return Some(guess);
        }
        self.agents.binary_search(&agent).ok()
    }

    pub(super) fn value(&self, column: usize, row: usize) -> u32 {
        self.values[column * self.rows.len() + row]
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
            + size_of_val(&*self.agents)
            + size_of_val(&*self.rows)
            + size_of_val(&*self.values)
            + size_of_val(&*self.events)
    }
}

/// Reserved agents that are alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pool {
    /// The group of the agents, if any.
    pub group: Option<String>,
    /// Number of reserved agents.
    pub count: u32,
}

/// The frames that follow those of a table.
pub struct LiveFrames {
    frames: Growing<LiveFrame>,
    /// Name of each agent that is not in the table, and its reserved place. Places are numbered
    /// through all pools.
    joined: Growing<(String, u32)>,
    texts: Growing<(String, u64)>,
    /// For each reserved place, the index in `joined` of the agent that occupies it.
    places: Box<[OnceLock<u32>]>,
    pools: Vec<Pool>,
    /// Number of agents of the table.
    known: u32,
    bytes: AtomicUsize,
    closed: AtomicBool,
}

impl LiveFrames {
    /// Creates an empty list of frames after a table with `known` agents.
    pub fn new(known: u32, pools: Vec<Pool>) -> Self {
        let count: u32 = pools.iter().map(|pool| pool.count).sum();
        Self {
            frames: Growing::default(),
            joined: Growing::default(),
            texts: Growing::default(),
            places: (0..count).map(|_| OnceLock::new()).collect(),
            pools,
            known,
            bytes: AtomicUsize::new(0),
            closed: AtomicBool::new(false),
        }
    }

    /// Returns the number of frames so far.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Returns true if no frame was appended.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the memory of the frames, in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    pub(super) fn frame(&self, index: usize) -> Option<&LiveFrame> {
        self.frames.get(index)
    }

    pub(super) fn text(&self, index: usize) -> Option<(&str, u64)> {
        self.texts.get(index).map(|(text, key)| (text.as_str(), *key))
    }

    /// Returns the pools of reserved agents.
    pub fn pools(&self) -> &[Pool] {
        &self.pools
    }

    /// Gives a name to a reserved agent of a group. Returns the number of the agent in later frames.
    /// Returns `None` if the pool of the group has no reserved agent left.
    pub fn join(&self, name: &str, group: Option<&str>) -> Option<u32> {
        let mut first = 0;
        for pool in &self.pools {
            if pool.group.as_deref() == group {
                let mut places = first..first + pool.count;
                let place = places.find(|&place| self.places[place as usize].get().is_none())?;
                let index = self.joined.len() as u32;
                self.joined.push((name.to_owned(), place));
                let _ = self.places[place as usize].set(index);
                return Some(self.known + index);
            }
            first += pool.count;
        }
        None
    }

    /// Appends a text. The texts of the table have the indices before the first one.
    pub fn add_text(&self, text: &str) {
        self.bytes.fetch_add(text.len(), Ordering::Relaxed);
        self.texts.push((text.to_owned(), name_hash(text)));
    }

    /// Appends a frame, whose agents and texts were added before. Only one thread may append.
    pub fn push(&self, frame: LiveFrame) {
        self.bytes.fetch_add(frame.bytes(), Ordering::Relaxed);
        self.frames.push(frame);
    }

    /// Declares that no frames follow.
    pub fn close(&self) {
        self.closed.store(true, Ordering::Release);
    }

    /// Returns true if no frames follow.
    pub fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Acquire)
    }
}

impl core::fmt::Debug for LiveFrames {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("LiveFrames").field("frames", &self.len()).finish_non_exhaustive()
    }
}

/// The agents of a scenario that follow appended frames.
#[derive(Debug, Clone)]
pub struct LiveAgents {
    frames: Arc<LiveFrames>,
    /// For each agent of the table, the agent of the scenario.
    ids: Vec<Option<AgentId>>,
    /// For each agent of the scenario, the agent of the table that it follows in appended frames.
    agents: Vec<Option<u32>>,
    /// The first reserved agent. The other reserved agents follow, in the order of the pools.
    reserved: AgentId,
}

impl PartialEq for LiveAgents {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.frames, &other.frames) && self.ids == other.ids
    }
}

impl LiveAgents {
    /// Assigns the agents of a table to agents of a scenario. `ids` has an agent of the scenario for
    /// each agent of the table. If several agents of the table are instances with the same id, new
    /// rows belong to the last one. `reserved` is the first reserved agent.
    pub fn new(frames: Arc<LiveFrames>, ids: Vec<Option<AgentId>>, reserved: AgentId) -> Self {
        let mut agents = vec![None; reserved.index()];
        for (agent, id) in (0..).zip(&ids) {
            if let Some(id) = id {
                agents[id.index()] = Some(agent);
            }
        }
        Self { frames, ids, agents, reserved }
    }

    pub(super) fn frames(&self) -> &LiveFrames {
        &self.frames
    }

    fn joined(&self, id: AgentId) -> Option<u32> {
        let place = id.index().checked_sub(self.reserved.index())?;
        self.frames.places.get(place)?.get().copied()
    }

    /// Returns true if an agent can have rows in appended frames.
    pub(super) fn follows(&self, id: AgentId) -> bool {
        self.agents.get(id.index()).is_some_and(Option::is_some) || self.is_reserved(id)
    }

    fn is_reserved(&self, id: AgentId) -> bool {
        let end = self.reserved.index() + self.frames.places.len();
        (self.reserved.index()..end).contains(&id.index())
    }

    pub(super) fn name(&self, id: AgentId) -> Option<&str> {
        Some(self.frames.joined.get(self.joined(id)? as usize)?.0.as_str())
    }

    pub(super) fn find(&self, name: &str) -> Option<AgentId> {
        let joined = (0..self.frames.joined.len()).filter_map(|it| self.frames.joined.get(it));
        let place = joined.filter(|(known, _)| known == name).map(|(_, place)| *place).next()?;
        Some(AgentId(self.reserved.0 + place))
    }

    /// Returns the number in appended frames of an agent of the scenario.
    pub(super) fn agent(&self, id: AgentId) -> Option<u32> {
        match self.agents.get(id.index()) {
            Some(agent) => *agent,
            None => Some(self.frames.known + self.joined(id)?),
        }
    }

    /// Returns the agent of the scenario with a number in appended frames.
    pub(super) fn id(&self, agent: u32) -> Option<AgentId> {
        if let Some(&id) = self.ids.get(agent as usize) {
            return id;
        }
        let joined = self.frames.joined.get((agent - self.frames.known) as usize)?;
        Some(AgentId(self.reserved.0 + joined.1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readers_on_another_thread_see_complete_elements_in_order() {
        let list = Arc::new(Growing::default());
        let reader = Arc::clone(&list);
        let count = 100_000;
        let read = std::thread::spawn(move || {
            let mut seen = 0;
            while seen < count {
                let length = reader.len();
                for index in seen..length {
                    assert_eq!(reader.get(index), Some(&vec![index; 2]));
                }
                assert_eq!(reader.get(count), None);
                seen = length;
            }
        });
        (0..count).for_each(|index| list.push(vec![index; 2]));
        read.join().unwrap();
    }

    #[test]
    fn agents_join_the_pool_of_their_group_until_it_is_full() {
        let pool = |group: Option<&str>, count| Pool { group: group.map(ToOwned::to_owned), count };
        let frames = LiveFrames::new(3, vec![pool(None, 1), pool(Some("orcs"), 2)]);
        let joined = [Some("orcs"), None, Some("orcs"), Some("orcs"), None, Some("elves")];
        let joined = joined.map(|group| frames.join("name", group));
        assert_eq!(joined, [Some(3), Some(4), Some(5), None, None, None]);
        let ids = vec![Some(AgentId(0)), Some(AgentId(2)), None];
        let agents = LiveAgents::new(Arc::new(frames), ids, AgentId(4));
        let ids = [0, 1, 2, 3, 4, 5].map(|agent| agents.id(agent).map(|id| id.0));
        assert_eq!(ids, [Some(0), Some(2), None, Some(5), Some(4), Some(6)]);
        let numbers = [0, 1, 2, 3, 4, 5, 6, 7].map(|id| agents.agent(AgentId(id)));
        let expected = [Some(0), None, Some(1), None, Some(4), Some(3), Some(5), None];
        assert_eq!(numbers, expected);
    }
}
