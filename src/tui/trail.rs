//! Where everybody was in the last seconds. The screen keeps it for itself; the world knows nothing
//! of it.
//!
//! *Limitations*: only the first ten thousand agents leave a trail.

use std::collections::VecDeque;

use crate::geom::Vec2;
use crate::id::AgentId;
use crate::world::World;

/// How far back it reaches.
const SECONDS: f64 = 5.0;

/// Positions of an agent that are kept at most; on a map with a short tick not every frame is.
const SAMPLES: usize = 200;

/// Agents that leave a trail.
const MOST_AGENTS: usize = 10_000;

/// The positions of the last seconds.
#[derive(Debug, Clone)]
pub struct Trail {
    /// The oldest first.
    samples: VecDeque<Sample>,
    /// Frames between two samples.
    every: u64,
    /// Seconds a frame.
    tick: f64,
}

#[derive(Debug, Clone)]
struct Sample {
    frame: u64,
    positions: Vec<Vec2>,
}

/// A point of a trail.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Where.
    pub at: Vec2,
    /// Did a second become full here, counted from frame 0?
    pub second: bool,
}

impl Trail {
    /// An empty one, for a map whose frames last `tick` seconds.
    pub fn new(tick: f64) -> Self {
        let every = (SECONDS / tick / SAMPLES as f64).ceil().max(1.0) as u64;
        Self { samples: VecDeque::new(), every, tick }
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.samples.clear();
    }

    /// Notes where everybody is.
    pub fn note(&mut self, world: &World) {
        let frame = world.frame().0;
        if !frame.is_multiple_of(self.every) {
            return;
        }
        let most = (SECONDS / self.tick / self.every as f64) as usize + 1;
        let oldest = if self.samples.len() >= most { self.samples.pop_front() } else { None };
        let mut positions = oldest.map_or_else(Vec::new, |sample| sample.positions);
        positions.clear();
        positions.extend(world.ids().take(MOST_AGENTS).map(|id| world.position(id)));
        self.samples.push_back(Sample { frame, positions });
    }

    /// Where an agent was, the oldest first.
    pub fn of(&self, id: AgentId) -> impl Iterator<Item = Point> {
        let seconds = |frame: u64| (frame as f64 * self.tick + 1e-9) as u64;
        self.samples.iter().filter_map(move |sample| {
            let at = *sample.positions.get(id.index())?;
            let before = sample.frame.saturating_sub(self.every);
            Some(Point { at, second: seconds(before) != seconds(sample.frame) })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::{self, Options, Origin};
    use crate::step::step;

    fn after(tick: &str, frames: u64) -> (World, Trail) {
        let map = format!(
            "tick = {tick}\ntiles = '....'\n[[agent]]\nname = 'a'\nat = [0, 0]\n\
             steer = [{{ do = 'seek', target = [3, 0] }}]\n"
        );
        let origin = Origin::Text { label: "a".into(), text: map };
        let loaded = files::load(&origin, &Options::default()).expect("a text");
        let scenario = loaded.scenario.expect("a map without errors");
        let mut trail = Trail::new(scenario.tick);
        let mut world = World::new(scenario);
        trail.note(&world);
        for _ in 0..frames {
            step(&mut world);
            trail.note(&world);
        }
        (world, trail)
    }

    #[test]
    fn it_reaches_five_seconds_back_with_a_tick_each_second() {
        for (tick, frames) in [("0.05", 130), ("0.1", 60), ("0.001", 6000), ("0.03", 200)] {
            let (world, trail) = after(tick, frames);
            let points: Vec<Point> = trail.of(AgentId(0)).collect();
            assert!(points.len() <= SAMPLES + 1, "{tick}: {}", points.len());
            let ticks = points.iter().filter(|point| point.second).count();
            assert!((5..=6).contains(&ticks), "{tick}: {ticks} ticks");
            let last = points.last().expect("a point");
            assert!((last.at - world.position(AgentId(0))).length() < 0.2, "{tick}");
        }
    }

    #[test]
    fn it_can_be_forgotten() {
        let (_, mut trail) = after("0.05", 10);
        assert_eq!(trail.of(AgentId(0)).count(), 11);
        trail.clear();
        assert_eq!((trail.of(AgentId(0)).count(), trail.of(AgentId(7)).count()), (0, 0));
    }
}
