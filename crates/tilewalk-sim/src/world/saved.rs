//! The parts of saved values. Each part is listed once, in the order of the state hash, with its
//! name in `diff`.
//!
//! The listings destructure structs in full. A new field therefore does not compile until the field
//! is listed.

use crate::event::Obstruction;
use crate::geom::{Direction, TilePos, Vec2};
use crate::map::Touch;
use crate::pattern::matrix::MatrixState;
use crate::pattern::path::PathState;
use crate::pattern::steps::StepsState;
use crate::pattern::thrust::ThrustState;
use crate::steering::Memory;

use super::drive_state::{ChaseLine, RouteProgress};
use super::oscillation::OscillationDetector;
use super::patterns::SavedPattern;
use super::population::{Birth, Presence, Spawner};
use super::progress::{Detectors, EventCounts};
use super::{DriveState, Flags, Sight, StepTimer};

/// A part of a saved value, such as a number or a position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum SavedPart {
    /// A code for the state hash, and the corresponding word for `diff`.
    Word(u32, &'static str),
    Count(u32),
    Yes(bool),
    Flags(Flags),
    Number(f32),
    Point(Vec2),
    MaybePoint(Option<Vec2>),
    Tile(TilePos),
    MaybeTile(Option<TilePos>),
}

/// A visitor of the parts of saved values, such as the state hash or the list of facts for `diff`.
pub(crate) trait SavedVisitor {
    /// Whether the visitor also visits the details of a missing value. These details have default
    /// values.
    const VISITS_MISSING: bool;

    fn part(&mut self, name: &'static str, part: SavedPart);

    /// Visits a part that exists only for some values of the preceding part.
    fn detail(&mut self, name: &'static str, part: SavedPart);

    fn memory(&mut self, memory: &Memory);

    fn obstruction(&mut self, name: &'static str, reason: Option<Obstruction>);
}

/// A value of the saved state, which consists of parts.
pub(crate) trait Saved {
    /// Visits all parts of the value. `name` is the name of the value in `diff`.
    fn visit<V: SavedVisitor>(&self, name: &'static str, visitor: &mut V);
}

/// Implements [`Saved`] for types that consist of one part.
macro_rules! single_parts {
    ($($Type:ty: $value:ident => $part:expr;)*) => {
        $(impl Saved for $Type {
            #[inline]
            fn visit<V: SavedVisitor>(&self, name: &'static str, visitor: &mut V) {
                let $value = *self;
                visitor.part(name, $part);
            }
        })*
    };
}

single_parts! {
    f32: number => SavedPart::Number(number);
    u16: count => SavedPart::Count(count.into());
    u32: count => SavedPart::Count(count);
    Vec2: point => SavedPart::Point(point);
    Flags: flags => SavedPart::Flags(flags);
}

impl Saved for Option<Touch> {
    #[inline]
    fn visit<V: SavedVisitor>(&self, name: &'static str, visitor: &mut V) {
        visitor.part(name, SavedPart::MaybeTile(self.map(|touch| touch.tile)));
        if let Some(Touch { wall: Some(wall), .. }) = *self {
            visitor.detail("touched wall", SavedPart::Count(wall.0));
        }
    }
}

impl Saved for Option<Obstruction> {
    #[inline]
    fn visit<V: SavedVisitor>(&self, name: &'static str, visitor: &mut V) {
        visitor.obstruction(name, *self);
    }
}

impl Saved for DriveState {
    #[inline]
    fn visit<V: SavedVisitor>(&self, name: &'static str, visitor: &mut V) {
        let (code, word) = match self {
            Self::Stand => (0, "stand"),
            Self::Steer(_) => (1, "steer"),
            Self::Path { .. } => (2, "path"),
            Self::Matrix { .. } => (3, "matrix"),
            Self::Steps { .. } => (4, "steps"),
            Self::Thrust { .. } => (5, "thrust"),
            Self::Chase { .. } => (6, "chase"),
            Self::FleeTiles { .. } => (7, "flee_tiles"),
            Self::Travel { .. } => (8, "travel"),
            Self::Keys { .. } => (9, "keys"),
        };
        visitor.part(name, SavedPart::Word(code, word));
        let timer = match *self {
            Self::Stand => None,
            Self::Steer(memory) => {
                visitor.memory(&memory);
                None
            }
            Self::Path { at: PathState { index, back }, timer } => {
                visitor.detail("path tile index", SavedPart::Count(index));
                visitor.detail("walking path backwards", SavedPart::Yes(back));
                Some(timer)
            }
            Self::Matrix { at: MatrixState { came_by }, timer } => {
                let code = came_by.map_or(0, |direction| direction as u32 + 1);
                let word = came_by.map_or("none", Direction::word);
                visitor.detail("last step", SavedPart::Word(code, word));
                Some(timer)
            }
            Self::Steps { at: StepsState { row, done, begun, moved, pace }, timer } => {
                visitor.detail("row", SavedPart::Count(row));
                visitor.detail("paces done in row", SavedPart::Count(done));
                visitor.detail("row started", SavedPart::Yes(begun));
                visitor.detail("distance moved in row", SavedPart::Number(moved));
                visitor.detail("pace", SavedPart::Count(pace));
                Some(timer)
            }
            Self::Thrust { at: ThrustState { leg, moved, turned, direction, signalled } } => {
                visitor.detail("leg", SavedPart::Count(leg));
                visitor.detail("displacement in leg", SavedPart::Point(moved));
                visitor.detail("angle turned in leg", SavedPart::Number(turned));
                visitor.detail("last direction", SavedPart::MaybePoint(direction));
                // Hashes of patterns without signals stay the same.
                if signalled {
                    visitor.detail("signal of leg sent", SavedPart::Yes(signalled));
                }
                None
            }
            Self::Keys { timer } => Some(timer.unwrap_or_default()),
            Self::Chase { aim, timer } => {
                visitor.detail("has chase line", SavedPart::Yes(aim.is_some()));
                if let Some(ChaseLine { from, to, done }) = visited::<_, V>(aim) {
                    visitor.detail("chase line start", SavedPart::Tile(from));
                    visitor.detail("chase line end", SavedPart::Tile(to));
                    visitor.detail("steps along chase line", SavedPart::Count(done));
                }
                Some(timer)
            }
            Self::FleeTiles { from, timer } => {
                visitor.detail("tile fled from", SavedPart::MaybeTile(from));
                Some(timer)
            }
            Self::Travel { progress, timer } => {
                visitor.detail("has route", SavedPart::Yes(progress.is_some()));
                if let Some(RouteProgress { from, to, at, stands, held, done }) =
                    visited::<_, V>(progress)
                {
                    visitor.detail("route start", SavedPart::Tile(from));
                    visitor.detail("route target", SavedPart::Tile(to));
                    visitor.detail("route position", SavedPart::Tile(at));
                    visitor.detail("target is stationary", SavedPart::Yes(stands));
                    visitor.detail("tiles occupied at route start", SavedPart::Count(held.into()));
                    visitor.detail("steps along route", SavedPart::Count(done));
                }
                Some(timer)
            }
        };
        if let Some(StepTimer { due_in }) = timer {
            visitor.detail("frames until next step", SavedPart::Count(due_in));
        }
    }
}

/// Returns the value whose details are visited. A missing value is replaced by the default if the
/// visitor visits missing values.
fn visited<T: Default, V: SavedVisitor>(value: Option<T>) -> Option<T> {
    value.or_else(|| V::VISITS_MISSING.then(T::default))
}

impl Saved for Detectors {
    #[inline]
    fn visit<V: SavedVisitor>(&self, _name: &'static str, visitor: &mut V) {
        let Self { anchor, frames, counts_from, centre, turned, reversals, jitter_seconds } = *self;
        visitor.part("stuck anchor", SavedPart::Point(anchor));
        visitor.part("frames near stuck anchor", SavedPart::Count(frames));
        visitor.part("frames until last wait", SavedPart::Count(counts_from));
        visitor.part("circling centre", SavedPart::Point(centre));
        visitor.part("circling angle", SavedPart::Number(turned));
        visitor.part("reversals in this second", SavedPart::Count(reversals.into()));
        visitor.part("seconds of jitter", SavedPart::Count(jitter_seconds.into()));
    }
}

impl Saved for EventCounts {
    #[inline]
    fn visit<V: SavedVisitor>(&self, _name: &'static str, visitor: &mut V) {
        let Self { bumps, blocked, stuck, circling, oscillating, deadlocked } = *self;
        visitor.part("bump count", SavedPart::Count(bumps));
        visitor.part("blocked count", SavedPart::Count(blocked));
        visitor.part("stuck count", SavedPart::Count(stuck));
        visitor.part("circling count", SavedPart::Count(circling));
        visitor.part("oscillating count", SavedPart::Count(oscillating));
        visitor.part("deadlocked count", SavedPart::Count(deadlocked));
    }
}

impl Saved for Option<OscillationDetector> {
    fn visit<V: SavedVisitor>(&self, name: &'static str, visitor: &mut V) {
        visitor.part(name, SavedPart::Yes(self.is_some()));
        let Some(oscillation) = visited::<_, V>(*self) else { return };
        let OscillationDetector {
            start,
            end,
            turned,
            seconds,
            turns,
            total,
            place,
            nearest,
            reach,
            reached,
            strays,
        } = oscillation;
        visitor.detail("leg start", SavedPart::Point(start));
        visitor.detail("leg end", SavedPart::Point(end));
        visitor.detail("leg is over", SavedPart::Yes(turned));
        visitor.detail("time in leg", SavedPart::Number(seconds));
        visitor.detail("turns without headway", SavedPart::Count(turns));
        visitor.detail("time without headway", SavedPart::Number(total));
        visitor.detail("place to reach", SavedPart::MaybePoint(place));
        visitor.detail("distance at last headway", SavedPart::Number(nearest));
        visitor.detail("reach of place", SavedPart::Number(reach));
        visitor.detail("leg has reached place", SavedPart::Yes(reached));
        visitor.detail("leg led to another place", SavedPart::Yes(strays));
    }
}

impl Saved for Presence {
    /// Visits nothing, because the hash and `diff` omit absent agents.
    #[inline]
    fn visit<V: SavedVisitor>(&self, _name: &'static str, _visitor: &mut V) {}
}

impl Saved for Birth {
    #[inline]
    fn visit<V: SavedVisitor>(&self, _name: &'static str, visitor: &mut V) {
        let Self { number, home, frames_left } = *self;
        visitor.part("number", SavedPart::Count(number));
        visitor.part("start position", SavedPart::Point(home));
        visitor.part("frames until removal", SavedPart::Count(frames_left));
    }
}

impl Saved for Spawner {
    #[inline]
    fn visit<V: SavedVisitor>(&self, _name: &'static str, visitor: &mut V) {
        let Self { due_in, spawned } = *self;
        visitor.part("frames until next spawn", SavedPart::Count(due_in));
        visitor.part("spawned", SavedPart::Count(spawned));
    }
}

impl Saved for Option<SavedPattern> {
    fn visit<V: SavedVisitor>(&self, name: &'static str, visitor: &mut V) {
        visitor.part(name, SavedPart::Yes(self.is_some()));
        if let Some(SavedPattern { pick, tile, drive }) = *self {
            visitor.detail("pattern index", SavedPart::Count(pick.into()));
            visitor.detail("tile", SavedPart::Tile(tile));
            drive.visit("drive", visitor);
        }
    }
}

impl Saved for Sight {
    #[inline]
    fn visit<V: SavedVisitor>(&self, _name: &'static str, visitor: &mut V) {
        let Self { seen, at } = *self;
        visitor.part("sees", SavedPart::Yes(seen));
        visitor.part("last known position of", SavedPart::MaybePoint(at));
    }
}
