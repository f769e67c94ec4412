//! The memory of a drive as a list of fields with values.

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

/// Appends the drive under `name`, then its memory.
pub(super) fn tell(name: &'static str, drive: DriveState, about: &mut Teller) {
    about.tell(name, Value::Word(word(drive).into()));
    match drive {
        DriveState::Stand => {}
        DriveState::Steer(Memory { wander, waypoint, no_route }) => {
            about.detail("wander point", point_or_nothing(wander));
            about.detail("path point index", count(waypoint));
            about.detail("flow field has no route", Value::Yes(no_route));
        }
        DriveState::Path { at: PathState { index, back }, walk } => {
            about.detail("path tile index", count(index));
            about.detail("walking path backwards", Value::Yes(back));
            due(walk, about);
        }
        DriveState::Matrix { at: MatrixState { came_by }, walk } => {
            let word = came_by.map_or("none", Notch::word);
            about.detail("last step", Value::Word(word.into()));
            due(walk, about);
        }
        DriveState::Steps { at: StepsState { row, done, begun, moved, pace }, walk } => {
            about.detail("row", count(row));
            about.detail("paces done in row", count(done));
            about.detail("row started", Value::Yes(begun));
            about.detail("distance moved in row", Value::Number(moved));
            about.detail("pace", count(pace));
            due(walk, about);
        }
        DriveState::Thrust { at: ThrustState { leg, moved, turned, course } } => {
            about.detail("leg", count(leg));
            about.detail("displacement in leg", Value::Point(moved));
            about.detail("angle turned in leg", Value::Number(turned));
            about.detail("last direction", point_or_nothing(course));
        }
        DriveState::Keys { walk } => due(walk.unwrap_or_default(), about),
        DriveState::Chase { aim, walk } => {
            about.detail("has chase line", Value::Yes(aim.is_some()));
            if let Some(Aim { from, to, done }) = aim {
                about.detail("chase line start", Value::Tile(from));
                about.detail("chase line end", Value::Tile(to));
                about.detail("steps along chase line", count(done));
            }
            due(walk, about);
        }
        DriveState::FleeTiles { from, walk } => {
            about.detail("tile fled from", tile_or_nothing(from));
            due(walk, about);
        }
        DriveState::Travel { trip, walk } => {
            about.detail("has route", Value::Yes(trip.is_some()));
            if let Some(Trip { from, to, at, stands, held, done }) = trip {
                about.detail("route start", Value::Tile(from));
                about.detail("route target", Value::Tile(to));
                about.detail("route position", Value::Tile(at));
                about.detail("target is stationary", Value::Yes(stands));
                about.detail("tiles occupied at route start", count(held.into()));
                about.detail("steps along route", count(done));
            }
            due(walk, about);
        }
    }
}

fn due(Walk { due_in }: Walk, about: &mut Teller) {
    about.detail("frames until next step", count(due_in));
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
        tell("drive", drive, &mut Teller::of_agent(&mut facts));
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
                "flow field has no route",
                [false, true]
                    .map(|no_route| DriveState::Steer(Memory { no_route, ..Memory::default() })),
            ),
            (
                "walking path backwards",
                [false, true]
                    .map(|back| DriveState::Path { at: PathState { index: 1, back }, walk }),
            ),
            (
                "last step",
                [None, Some(Notch::East)]
                    .map(|came_by| DriveState::Matrix { at: MatrixState { came_by }, walk }),
            ),
            (
                "distance moved in row",
                [0.0, 1.0]
                    .map(|moved| DriveState::Steps { at: StepsState { moved, ..steps }, walk }),
            ),
            (
                "last direction",
                [None, Some(Vec2::X)]
                    .map(|course| DriveState::Thrust { at: ThrustState { course, ..thrust } }),
            ),
            ("frames until next step", [None, Some(walk)].map(|walk| DriveState::Keys { walk })),
            (
                "steps along chase line",
                [1, 2].map(|done| DriveState::Chase {
                    aim: Some(Aim { from: tile, to: tile, done }),
                    walk,
                }),
            ),
            ("tile fled from", [None, Some(tile)].map(|from| DriveState::FleeTiles { from, walk })),
            (
                "tiles occupied at route start",
                [1, 2].map(|held| DriveState::Travel { trip: Some(Trip { held, ..trip }), walk }),
            ),
            ("has route", [Some(trip), None].map(|trip| DriveState::Travel { trip, walk })),
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
