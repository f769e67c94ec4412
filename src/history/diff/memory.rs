//! What a drive remembers, as fields with their values.

use crate::geom::Notch;
use crate::pattern::matrix::MatrixState;
use crate::pattern::path::PathState;
use crate::pattern::steps::StepsState;
use crate::pattern::thrust::ThrustState;
use crate::steering::Memory;
use crate::world::quarry::{Aim, Trip};
use crate::world::{DriveState, Walk};

use super::facts::{Teller, count, point_or_nothing, tile_or_nothing};
use super::value::Value;

/// Which drive it is, then its memory.
pub(super) fn tell(drive: DriveState, about: &mut Teller) {
    about.tell("drive", Value::Word(word(drive).into()));
    match drive {
        DriveState::Stand => {}
        DriveState::Steer(Memory { wander, waypoint, no_route }) => {
            about.detail("wander point", point_or_nothing(wander));
            about.detail("point of the path", count(waypoint));
            about.detail("flow has no way", Value::Yes(no_route));
        }
        DriveState::Path { at: PathState { index, back }, walk } => {
            about.detail("tile of the path", count(index));
            about.detail("on the way back", Value::Yes(back));
            due(walk, about);
        }
        DriveState::Matrix { at: MatrixState { came_by }, walk } => {
            let word = came_by.map_or("nothing", Notch::word);
            about.detail("last step", Value::Word(word.into()));
            due(walk, about);
        }
        DriveState::Steps { at: StepsState { row, done, begun, moved, pace }, walk } => {
            about.detail("row", count(row));
            about.detail("paces of the row", count(done));
            about.detail("row begun", Value::Yes(begun));
            about.detail("moved in the row", Value::Number(moved));
            about.detail("pace", count(pace));
            due(walk, about);
        }
        DriveState::Thrust { at: ThrustState { leg, moved, turned, course } } => {
            about.detail("leg", count(leg));
            about.detail("moved in the leg", Value::Point(moved));
            about.detail("turned in the leg", Value::Number(turned));
            about.detail("last course", point_or_nothing(course));
        }
        DriveState::Keys { walk } => due(walk.unwrap_or_default(), about),
        DriveState::Chase { aim, walk } => {
            about.detail("has a line", Value::Yes(aim.is_some()));
            if let Some(Aim { from, to, done }) = aim {
                about.detail("line from", Value::Tile(from));
                about.detail("line to", Value::Tile(to));
                about.detail("steps of the line", count(done));
            }
            due(walk, about);
        }
        DriveState::FleeTiles { from, walk } => {
            about.detail("flees from tile", tile_or_nothing(from));
            due(walk, about);
        }
        DriveState::Travel { trip, walk } => {
            about.detail("has a way", Value::Yes(trip.is_some()));
            if let Some(Trip { from, to, at, stands, held, done }) = trip {
                about.detail("way from", Value::Tile(from));
                about.detail("way to", Value::Tile(to));
                about.detail("way led to", Value::Tile(at));
                about.detail("target stands", Value::Yes(stands));
                about.detail("tiles held at the start", count(held.into()));
                about.detail("steps of the way", count(done));
            }
            due(walk, about);
        }
    }
}

fn due(Walk { due_in }: Walk, about: &mut Teller) {
    about.detail("frames to the next step", count(due_in));
}

fn word(drive: DriveState) -> &'static str {
    match drive {
        DriveState::Stand => "stand",
        DriveState::Steer(_) => "steer",
        DriveState::Path { .. } => "path",
        DriveState::Matrix { .. } => "matrix",
        DriveState::Steps { .. } => "steps",
        DriveState::Thrust { .. } => "thrust",
        DriveState::Keys { .. } => "keys",
        DriveState::Chase { .. } => "chase",
        DriveState::FleeTiles { .. } => "flee_tiles",
        DriveState::Travel { .. } => "travel",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::{TilePos, Vec2};
    use crate::history::diff::facts::Fact;

    fn told(drive: DriveState) -> Vec<Fact<'static>> {
        let mut facts = Vec::new();
        tell(drive, &mut Teller::of_agent(&mut facts));
        facts
    }

    #[test]
    fn the_memory_of_every_drive_is_told() {
        let (tile, walk) = (TilePos::new(3, 4), Walk { due_in: 2 });
        let steps = StepsState { row: 1, done: 0, begun: false, moved: 0.0, pace: 4 };
        let trip = Trip { from: tile, ..Trip::default() };
        let thrust = ThrustState::default();
        let pairs = [
            (
                "flow has no way",
                [false, true]
                    .map(|no_route| DriveState::Steer(Memory { no_route, ..Memory::default() })),
            ),
            (
                "on the way back",
                [false, true]
                    .map(|back| DriveState::Path { at: PathState { index: 1, back }, walk }),
            ),
            (
                "last step",
                [None, Some(Notch::East)]
                    .map(|came_by| DriveState::Matrix { at: MatrixState { came_by }, walk }),
            ),
            (
                "moved in the row",
                [0.0, 1.0]
                    .map(|moved| DriveState::Steps { at: StepsState { moved, ..steps }, walk }),
            ),
            (
                "last course",
                [None, Some(Vec2::X)]
                    .map(|course| DriveState::Thrust { at: ThrustState { course, ..thrust } }),
            ),
            ("frames to the next step", [None, Some(walk)].map(|walk| DriveState::Keys { walk })),
            (
                "steps of the line",
                [1, 2].map(|done| DriveState::Chase {
                    aim: Some(Aim { from: tile, to: tile, done }),
                    walk,
                }),
            ),
            (
                "flees from tile",
                [None, Some(tile)].map(|from| DriveState::FleeTiles { from, walk }),
            ),
            (
                "tiles held at the start",
                [1, 2].map(|held| DriveState::Travel { trip: Some(Trip { held, ..trip }), walk }),
            ),
            ("has a way", [Some(trip), None].map(|trip| DriveState::Travel { trip, walk })),
        ];
        for (word, drives) in pairs {
            let [one, two] = drives.map(told);
            let differs = |fact: &&Fact| {
                two.iter().any(|other| other.field == fact.field && other.value != fact.value)
            };
            let fields: Vec<_> =
                one.iter().filter(differs).map(|fact| fact.field.to_string()).collect();
            assert_eq!(fields, [word]);
        }
    }
}
