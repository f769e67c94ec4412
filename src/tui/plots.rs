//! What an agent did in the last seconds before the frame that is looked at, as numbers.

use crate::agent::Drive;
use crate::id::AgentId;
use crate::steering::{LedgerRow, Note, RowState};
use crate::step::Explanation;
use crate::time::Frame;
use crate::world::World;

use super::window::Window;

/// The numbers of a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// In tiles/s; `None` where there was no such agent, and as long as the frame has not been seen.
    pub speed: Option<f32>,
    /// What steering came to, in tiles/s² · mass; `None` where nothing steered.
    pub force: Option<f32>,
    /// To the first thing its drive is about, as it was sensed for this frame, in tiles.
    pub distance: Option<f32>,
    /// What became of each row of the steering list.
    pub fates: Fates,
    /// Has the frame been seen? As long as not, there is no speed.
    pub seen: bool,
    /// Is it known why the agent moved so? As long as not, there is neither force nor distance.
    pub explained: bool,
}

/// What became of the rows of a steering list, three bits a row; of the first so many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Fates(u64);

impl Fates {
    /// Those of some rows.
    pub fn of(rows: &[LedgerRow]) -> Self {
        let bits = |(index, row): (usize, &LedgerRow)| number(row.state) << (3 * index);
        Self(rows.iter().take(ROWS).enumerate().map(bits).sum())
    }

    /// Is the fate of a row another one here?
    pub fn differ(self, other: Self, row: usize) -> bool {
        row < ROWS && (self.0 ^ other.0) >> (3 * row) & 0b111 != 0
    }
}

/// Rows whose fates are kept.
const ROWS: usize = 21;

/// A fate as a number from 1 on.
fn number(state: RowState) -> u64 {
    match state {
        RowState::Accepted => 1,
        RowState::Cut => 2,
        RowState::NoRoom => 3,
        RowState::Zero => 4,
        RowState::DitheredOut { .. } => 5,
        RowState::Disabled => 6,
    }
}

impl Sample {
    const NOTHING: Self = Self {
        speed: None,
        force: None,
        distance: None,
        fates: Fates(0),
        seen: false,
        explained: false,
    };
}

/// The last numbers of one agent.
#[derive(Debug, Clone)]
pub struct Plots {
    agent: AgentId,
    samples: Window<Sample>,
}

impl Plots {
    /// None yet.
    pub fn of(agent: AgentId, tick: f64) -> Self {
        Self { agent, samples: Window::new(tick) }
    }

    /// Whose they are.
    pub fn agent(&self) -> AgentId {
        self.agent
    }

    /// Looks at another frame; the plots end there.
    pub fn look_at(&mut self, frame: Frame) {
        self.samples.look_at(frame);
    }

    /// Does a frame lack its explanation?
    pub fn lacks(&mut self, frame: Frame) -> bool {
        self.samples.takes(frame) && self.samples.get(frame).is_none_or(|sample| !sample.explained)
    }

    /// Notes what can be seen of a frame.
    pub fn note(&mut self, world: &World) {
        let there = self.agent.index() < world.len();
        let speed = there.then(|| world.velocity(self.agent).length());
        // Nothing led to frame 0.
        let first = world.frame() == Frame(0);
        self.change(world.frame(), |sample| {
            *sample = Sample { speed, seen: true, explained: sample.explained || first, ..*sample };
        });
    }

    /// Notes why the agent moved so on the way from a frame to the next one.
    pub fn tell(&mut self, before: &World, why: &Explanation) {
        let steers = !why.ledger.rows.is_empty();
        let force = steers.then(|| why.wish.force.length());
        let distance = distance(before, why);
        let fates = Fates::of(&why.ledger.rows);
        self.change(why.frame, |sample| {
            *sample = Sample { force, distance, fates, explained: true, ..*sample };
        });
    }

    /// Notes that nothing tells why the agent moved so on the way to a frame: it was not there.
    pub fn tell_nothing(&mut self, frame: Frame) {
        self.change(frame, |sample| sample.explained = true);
    }

    fn change(&mut self, frame: Frame, change: impl FnOnce(&mut Sample)) {
        if !self.samples.takes(frame) {
            return;
        }
        if let Some(sample) = self.samples.get(frame) {
            change(sample);
        } else {
            let mut sample = Sample::NOTHING;
            change(&mut sample);
            self.samples.put(frame, sample);
        }
    }

    /// The latest frame of which something is missing.
    pub fn missing(&self) -> Option<Frame> {
        self.samples.latest_missing(|sample| sample.explained && sample.seen)
    }

    /// The numbers of a frame, if all of them are known.
    pub fn at(&self, frame: Frame) -> Option<&Sample> {
        let (_, sample) = self.samples.iter().rev().find(|(known, _)| *known == frame)?;
        Some(sample).filter(|sample| sample.explained && sample.seen)
    }

    /// The numbers, the oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Frame, &Sample)> {
        self.samples.iter()
    }
}

/// How far it was to what the agent's drive is about.
fn distance(before: &World, why: &Explanation) -> Option<f32> {
    let map = &before.scenario().map;
    let here = before.position(why.agent);
    let noted = why.ledger.notes.iter().find_map(|(_, note)| {
        let Note::Target(at) = note else { return None };
        Some(map.offset(here, *at).length())
    });
    let (Drive::Chase { target } | Drive::FleeTiles { target } | Drive::Travel { target }) =
        before.mode(why.agent).drive
    else {
        return noted;
    };
    before.see(why.agent, target).map(|seen| seen.offset.length())
}
