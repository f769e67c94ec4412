//! Walkers to or from a target: what they aim at, how they get there, what is left.

use crate::cli::explain::wire::{Chase, Flight, Journey, Target};
use crate::map::search::Way;
use crate::world::quarry::Trip;
use crate::world::{DriveState, Flags};

use super::{Moment, tile};
use crate::words;

impl Moment<'_> {
    pub(super) fn target(&self) -> Option<Target> {
        let (world, id) = (self.now, self.agent);
        let drive = &world.mode(id).drive;
        let target = drive.target()?;
        let (walk, at) = match world.drive_state(id) {
            DriveState::Chase { aim, walk } => (walk, aim.map(|aim| aim.to)),
            DriveState::FleeTiles { from, walk } => (walk, from),
            DriveState::Travel { trip, walk } => (walk, trip.map(|trip| trip.to)),
            _ => return None,
        };
        let attempt = self.why.and_then(|why| why.attempt);
        Some(Target {
            kind: drive.word(),
            name: words::target(target, world.scenario()),
            at: at.map(tile),
            due_in: walk.due_in,
            attempt: attempt.map(|attempt| self.attempt(attempt)),
            next: world.ahead(id).next().map(tile),
            chase: self.chase(),
            flight: self.flight(),
            journey: self.journey(),
        })
    }

    fn chase(&self) -> Option<Chase> {
        let DriveState::Chase { aim: Some(aim), .. } = self.now.drive_state(self.agent) else {
            return None;
        };
        let steps = self.now.scenario().map.line(aim.from, aim.to).len();
        Some(Chase { aimed_from: tile(aim.from), step: aim.done, steps })
    }

    fn flight(&self) -> Option<Flight> {
        let (world, id) = (self.now, self.agent);
        let DriveState::FleeTiles { from: Some(from), .. } = world.drive_state(id) else {
            return None;
        };
        let offset = world.scenario().map.offset(from.centre(), world.tile(id).centre());
        Some(Flight { distance: offset.length() })
    }

    fn journey(&self) -> Option<Journey> {
        let (world, id) = (self.now, self.agent);
        let DriveState::Travel { trip: Some(trip), .. } = world.drive_state(id) else {
            return None;
        };
        let Trip { from, held, done, .. } = trip;
        let way = world.way(id);
        Some(Journey {
            arrived: world.flags(id).has(Flags::ARRIVED),
            planned_from: tile(from),
            step: done,
            steps: way.map(|way| way.steps.len()),
            cost: way.map(Way::cost),
            cost_left: way.map(|_| world.cost_ahead(id)),
            detour: held != 0,
        })
    }
}
