//! The oscillation detector, which finds agents that move to and fro without headway.
//!
//! A leg is the motion between two turns. A turn is the point of a leg that is farthest from its
//! start. The detector finds the turn after the agent has moved back from this point. At each turn,
//! the detector compares the leg with the agent's destination. An agent makes headway if it comes to
//! rest at the destination, circles it, or turns back nearer to it than before. Several turns
//! without headway are an oscillation. An agent that swings through its destination, because it
//! cannot stop there, makes no headway.

use crate::geom::Vec2;
use crate::map::Map;
use crate::steering::intent::Intent;
use crate::steering::path::nearest_on_segment;

/// Distance by which an agent must move back to end a leg, in tiles. It is larger than the jitter
/// of bodies. An agent that stays within this distance is stuck, not oscillating.
const BACK: f32 = 0.5;

/// Headway: an agent must turn back nearer to its destination than before by this distance, in
/// tiles.
const HEADWAY: f32 = 0.5;

/// Largest distance between a leg and a destination that the agent circles, as a share of the leg's
/// length.
const CIRCLED: f32 = 0.25;

/// Largest distance between two destinations that count as the same destination, in tiles.
const SAME_PLACE: f32 = 1.0;

/// Number of turns without headway after which an agent oscillates: three times to and fro. An
/// agent that goes round an obstacle makes fewer turns.
const MAX_TURNS: u32 = 6;

/// Least time from the first to the last turn of an oscillation, in seconds. An agent that turns
/// faster is still trying to make headway.
const LEAST_TIME: f32 = 4.0;

/// Longest time between two turns of an oscillation, in seconds. A longer leg restarts the
/// detector.
const LONGEST_LEG: f32 = 10.0;

/// The state of an agent's oscillation detector.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct OscillationDetector {
    /// Position where the current leg starts, in tiles: the last turn.
    pub start: Vec2,
    /// Position of the current leg that is farthest from `start`, in tiles.
    pub end: Vec2,
    /// Whether the agent has moved back from `end`, which ends the leg.
    pub turned: bool,
    /// Seconds since the last turn.
    pub seconds: f32,
    /// Number of turns without headway towards the destination `place`.
    pub turns: u32,
    /// Seconds since the first turn counted in `turns`.
    pub total: f32,
    /// Position of the agent's destination, in tiles. `None` before the first turn.
    pub place: Option<Vec2>,
    /// Distance from `place` at which the agent turned back at the last headway, in tiles.
    pub nearest: f32,
    /// Distance within which `place` is reached, in tiles.
    pub reach: f32,
    /// Whether the current leg has reached `place`.
    pub reached: bool,
    /// Whether the destination of the last leg differed from `place`.
    pub strays: bool,
}

impl OscillationDetector {
    fn at(position: Vec2) -> Self {
        Self { start: position, end: position, ..Self::default() }
    }

    pub(crate) fn is_oscillating(&self) -> bool {
        self.turns >= MAX_TURNS && self.total >= LEAST_TIME
    }

    /// Updates the detector with the agent's position after a frame of `dt` seconds. Returns true
    /// if the agent oscillates. `rests` is true if the agent is at rest, or rests at the end of each
    /// step, as on tiles. `intent` is needed only in the frame after a turn.
    fn follow(&mut self, map: &Map, here: Vec2, rests: bool, intent: Intent, dt: f32) -> bool {
        if self.turned {
            self.judge(map, intent);
            self.reached = false;
            self.start = self.end;
            self.end = here;
            self.seconds = 0.0;
            self.turned = false;
        }
        self.seconds += dt;
        self.total += dt;
        if self.seconds > LONGEST_LEG {
            *self = Self::at(here);
        }
        // Most agents on tiles are between two steps, at the end of the leg.
        if here != self.end {
            let away = map.offset(self.start, here).length();
            let farthest = map.offset(self.start, self.end).length();
            if away >= farthest {
                self.end = here;
            } else {
                self.turned = away < farthest - BACK;
            }
        }
        if let Some(place) = self.place {
            let is_near = map.offset(here, place).length() <= self.reach;
            self.reached |= is_near;
            if is_near && rests {
                self.turns = 0;
            }
        }
        self.is_oscillating()
    }

    /// Compares the completed leg with the agent's destination.
    fn judge(&mut self, map: &Map, intent: Intent) {
        let goal = match intent {
            Intent::Reach(goal) if goal.stands => goal,
            Intent::Rest(_) => {
                self.turns = 0;
                return;
            }
            // Routes to a place that moves to and fro also lead to and fro.
            Intent::Reach(_) | Intent::Move | Intent::Unchecked => {
                if self.reached {
                    self.turns = 0;
                }
                return;
            }
        };
        let place = map.wrap(goal.at);
        let (from, to) = (map.offset(place, self.start), map.offset(place, self.end));
        let is_same = self.place.is_some_and(|old| map.offset(old, place).length() <= SAME_PLACE);
        if goal.can_circle && !(is_same && self.reached) && is_around(from, to) {
            *self = Self { turns: 0, place: Some(place), reach: goal.reach, ..*self };
        } else if self.turns > 0 && !is_same && self.reached {
            // Two modes can lead to two places in turn.
            *self = Self { turns: 0, place: Some(place), reach: goal.reach, ..*self };
        } else if self.turns > 0 && !is_same && !self.strays {
            // A retreat can have a place of its own.
            self.strays = true;
            return;
        } else if self.turns == 0 || !is_same {
            let (nearest, reach) = (from.length().min(to.length()), goal.reach);
            *self = Self { turns: 1, total: 0.0, place: Some(place), nearest, reach, ..*self };
        } else if to.length() < self.nearest - HEADWAY {
            *self = Self { turns: 1, total: 0.0, nearest: to.length(), ..*self };
        } else {
            self.turns = self.turns.saturating_add(1);
        }
        self.strays = false;
    }
}

/// Returns true if a leg passes close to the origin and ends on its other side. `from` and `to` are
/// the ends of the leg.
fn is_around(from: Vec2, to: Vec2) -> bool {
    let leg = to - from;
    from.dot(to) < 0.0 && nearest_on_segment(from, leg).length() <= leg.length() * CIRCLED
}

/// Updates the detector with the position of an agent after a frame of `dt` seconds. Starts the
/// detector if `detector` is `None`. Returns true if the agent oscillates. `rests` is true if the
/// agent is at rest, or rests at the end of each step, as on tiles.
pub(crate) fn follow(
    detector: &mut Option<OscillationDetector>,
    map: &Map,
    here: Vec2,
    rests: bool,
    intent: Intent,
    dt: f32,
) -> bool {
    let detector = detector.get_or_insert_with(|| OscillationDetector::at(here));
    detector.follow(map, here, rests, intent, dt)
}
