//! What pictures remember of earlier frames: the last positions of the agents, and visits of tiles.

use std::collections::VecDeque;

use crate::geom::{TilePos, Vec2};
use crate::id::AgentId;
use crate::world::World;

/// Largest number of positions in a trail.
const MOST_POINTS: f64 = 120.0;

/// Largest number of agents with trails.
const MOST_AGENTS: usize = 10_000;

/// The positions of the agents at a frame: their instance numbers and positions by id.
type Sample = (u64, Vec<Option<(u32, Vec2)>>);

/// The last positions of the agents.
#[derive(Debug, Clone)]
pub struct Trails {
    samples: VecDeque<Sample>,
    /// Length of a trail in frames.
    frames: u64,
    /// Frames between two positions.
    every: u64,
}

impl Trails {
    /// Creates empty trails of `seconds` seconds.
    pub fn new(seconds: f64, tick: f64) -> Self {
        let frames = (seconds / tick).clamp(0.0, 1e9) as u64;
        let every = (frames as f64 / MOST_POINTS).ceil().max(1.0) as u64;
        Self { samples: VecDeque::new(), frames, every }
    }

    /// Remembers the positions of a frame.
    pub fn note(&mut self, world: &World) {
        let now = world.frame().0;
        if self.frames == 0 || !now.is_multiple_of(self.every) {
            return;
        }
        // After a reload, ids can belong to other agents.
        if self
            .samples
            .back()
            .is_some_and(|(_, sample)| sample.len() != world.len().min(MOST_AGENTS))
        {
            self.samples.clear();
        }
        let first = now.saturating_sub(self.frames);
        while self.samples.front().is_some_and(|(frame, _)| *frame < first) {
            self.samples.pop_front();
        }
        let mut sample = vec![None; world.len().min(MOST_AGENTS)];
        for id in world.ids().filter(|id| id.index() < MOST_AGENTS) {
            sample[id.index()] = Some((world.number(id), world.position(id)));
        }
        self.samples.push_back((now, sample));
    }

    /// Returns the last positions of an agent in the world, oldest first, and its current position.
    pub fn of(&self, world: &World, id: AgentId) -> Vec<Vec2> {
        let (now, number) = (world.frame().0, world.number(id));
        let first = now.saturating_sub(self.frames);
        let past = self.samples.iter().filter(|(frame, _)| (first..now).contains(frame));
        let past = past.filter_map(|(_, sample)| {
            let (then, at) = (*sample.get(id.index())?)?;
            (then == number).then_some(at)
        });
        past.chain([world.position(id)]).collect()
    }
}

/// The number of frames that agents spent on each tile.
#[derive(Debug, Clone, Default)]
pub struct Visits {
    width: u32,
    counts: Vec<u32>,
}

impl Visits {
    /// Counts the tiles of agents in a frame.
    pub fn note(&mut self, world: &World, agents: &[AgentId]) {
        let map = world.scenario().map();
        let tiles = (map.width() * map.height()) as usize;
        if self.counts.len() != tiles || self.width != map.width() {
            *self = Self { width: map.width(), counts: vec![0; tiles] };
        }
        for &id in agents {
            if let Some(TilePos { x, y }) = map.resolve(world.tile(id)) {
                self.counts[y as usize * self.width as usize + x as usize] += 1;
            }
        }
    }

    /// Returns the visited tiles, each with its share of the largest number of visits.
    pub fn tiles(&self) -> impl Iterator<Item = (TilePos, f32)> {
        let most = self.counts.iter().copied().max().unwrap_or(0).max(1) as f32;
        let visited = self.counts.iter().enumerate().filter(|(_, count)| **count > 0);
        visited.map(move |(index, &count)| {
            let (x, y) = (index as u32 % self.width, index as u32 / self.width);
            // The square root shows rare visits, too.
            (TilePos::new(x.cast_signed(), y.cast_signed()), (count as f32 / most).sqrt())
        })
    }
}
