//! Positions of all agents over the last seconds before the current frame.
//!
//! *Limitations*: only the first ten thousand agents have a trail.

use crate::geom::Vec2;
use crate::id::AgentId;
use crate::time::Frame;
use crate::world::World;

use super::samples::Samples;
use super::translation::Translation;

/// Maximum number of agents that have a trail.
const MOST_AGENTS: usize = 10_000;

/// Positions of the first ten thousand agents over the last five simulated seconds.
#[derive(Debug, Clone)]
pub struct Trail {
    positions: Samples<Vec<Option<TrailPosition>>>,
    /// Duration of a frame, in seconds.
    tick: f64,
}

/// The position of an agent in a frame, in tiles.
#[derive(Debug, Clone, Copy)]
struct TrailPosition {
    at: Vec2,
    /// The instance number of the agent, see [`World::number`].
    number: u32,
}

/// The position of an agent at one frame of its trail.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    pub frame: Frame,
    /// The position, in tiles.
    pub at: Vec2,
    /// Whether a full second of simulated time was completed since the previous sample.
    pub second: bool,
}

impl Trail {
    /// Creates an empty trail. `tick` is the duration of a frame in seconds.
    pub fn new(tick: f64) -> Self {
        Self { positions: Samples::new(tick), tick }
    }

    /// Removes the recorded positions of all agents.
    pub fn clear(&mut self) {
        self.positions.clear();
    }

    /// Sets the current frame, which becomes the end of the trail. Removes the positions of later
    /// frames.
    pub fn look_at(&mut self, frame: Frame) {
        self.positions.look_at(frame);
    }

    /// Records the positions of all agents at the frame of `world`. `agents` translates the ids of
    /// the current frame. Does nothing if that frame is already recorded, or is not one of the
    /// sampled frames.
    pub fn note(&mut self, world: &World, agents: &Translation) {
        let frame = world.frame();
        if self.positions.takes(frame) && self.positions.get(frame).is_none() {
            let place = |id| {
                let id = agents.id(id).filter(|&id| world.is_present(id))?;
                Some(TrailPosition { at: world.position(id), number: world.number(id) })
            };
            let ids = (0..agents.count().min(MOST_AGENTS) as u32).map(AgentId);
            self.positions.put(frame, ids.map(place).collect());
        }
    }

    /// Returns the latest frame without recorded positions. Returns `None` if no frame is missing.
    pub fn missing(&self) -> Option<Frame> {
        self.positions.latest_missing(|_| true)
    }

    /// Returns the points of an agent's trail, oldest first. `number` is the instance number of the
    /// agent, see [`World::number`].
    pub fn of(&self, id: AgentId, number: u32) -> impl Iterator<Item = Point> {
        let seconds = |frame: u64| (frame as f64 * self.tick + 1e-9) as u64;
        let every = self.positions.every();
        self.positions.iter().filter_map(move |(frame, positions)| {
            let place = (*positions.get(id.index())?)?;
            if place.number != number {
                return None;
            }
            let at = place.at;
            let before = frame.0.saturating_sub(every);
            Some(Point { frame, at, second: seconds(before) != seconds(frame.0) })
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::files::{self, Options};
    use crate::step::step;

    fn after(tick: &str, frames: u64) -> (World, Trail) {
        let map = format!(
            "tick = {tick}\ntiles = '....'\n[[agent]]\nname = 'a'\nat = [0, 0]\n\
             steer = [{{ do = 'seek', target = [3, 0] }}]\n"
        );
        let origin = crate::builtin::text("a", map);
        let loaded = files::load(&origin, &Options::default()).expect("a text");
        let scenario = loaded.scenario.expect("a map without errors");
        let mut trail = Trail::new(scenario.tick());
        let mut world = World::new(Arc::clone(&scenario));
        let same = Translation::new(&scenario, &scenario);
        trail.note(&world, &same);
        for _ in 0..frames {
            step(&mut world);
            trail.look_at(world.frame());
            trail.note(&world, &same);
        }
        (world, trail)
    }

    #[test]
    fn a_trail_covers_five_seconds_with_a_mark_each_second() {
        for (tick, frames) in [("0.05", 130), ("0.1", 60), ("0.001", 6000), ("0.03", 200)] {
            let (world, trail) = after(tick, frames);
            assert_eq!(trail.missing(), None, "{tick}");
            let points: Vec<Point> = trail.of(AgentId(0), 0).collect();
            assert!(points.len() <= 201, "{tick}: {}", points.len());
            let ticks = points.iter().filter(|point| point.second).count();
            assert!((5..=6).contains(&ticks), "{tick}: {ticks} ticks");
            let last = points.last().expect("a point");
            assert!((last.at - world.position(AgentId(0))).length() < 0.2, "{tick}");
        }
    }

    #[test]
    fn a_cleared_trail_is_empty() {
        let (_, mut trail) = after("0.05", 10);
        assert_eq!(trail.of(AgentId(0), 0).count(), 11);
        trail.clear();
        assert_eq!((trail.of(AgentId(0), 0).count(), trail.of(AgentId(7), 0).count()), (0, 0));
        assert_eq!(trail.missing(), Some(Frame(10)));
    }
}
