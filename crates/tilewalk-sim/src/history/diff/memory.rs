//! The state of a drive as a list of fields with values.

use crate::geom::Direction;
use crate::pattern::matrix::MatrixState;
use crate::pattern::path::PathState;
use crate::pattern::steps::StepsState;
use crate::pattern::thrust::ThrustState;
use crate::steering::memory::Remembered;
use crate::world::route_progress::{ChaseLine, RouteProgress};
use crate::world::{DriveState, StepTimer};

use super::fact::{FactWriter, count, point_or_nothing, tile_or_nothing};
use super::value::Value;

/// Appends the drive under `name`, then the fields of its state.
pub(super) fn append(name: &'static str, drive: DriveState, out: &mut FactWriter) {
    out.add(name, Value::Word(word(drive).into()));
    match drive {
        DriveState::Stand => {}
        DriveState::Steer(memory) => {
            for each in memory.values() {
                let value = match each.value {
                    Remembered::Point(point) => point_or_nothing(point),
                    Remembered::Index(index) => count(index),
                    Remembered::Problem(is_set) => Value::Yes(is_set),
                };
                out.add_detail(each.name, value);
            }
        }
        DriveState::Path { at: PathState { index, back }, walk } => {
            out.add_detail("path tile index", count(index));
            out.add_detail("walking path backwards", Value::Yes(back));
            due(walk, out);
        }
        DriveState::Matrix { at: MatrixState { came_by }, walk } => {
            let word = came_by.map_or("none", Direction::word);
            out.add_detail("last step", Value::Word(word.into()));
            due(walk, out);
        }
        DriveState::Steps { at: StepsState { row, done, begun, moved, pace }, walk } => {
            out.add_detail("row", count(row));
            out.add_detail("paces done in row", count(done));
            out.add_detail("row started", Value::Yes(begun));
            out.add_detail("distance moved in row", Value::Number(moved));
            out.add_detail("pace", count(pace));
            due(walk, out);
        }
        DriveState::Thrust { at: ThrustState { leg, moved, turned, course } } => {
            out.add_detail("leg", count(leg));
            out.add_detail("displacement in leg", Value::Point(moved));
            out.add_detail("angle turned in leg", Value::Number(turned));
            out.add_detail("last direction", point_or_nothing(course));
        }
        DriveState::Keys { walk } => due(walk.unwrap_or_default(), out),
        DriveState::Chase { aim, walk } => {
            out.add_detail("has chase line", Value::Yes(aim.is_some()));
            if let Some(ChaseLine { from, to, done }) = aim {
                out.add_detail("chase line start", Value::Tile(from));
                out.add_detail("chase line end", Value::Tile(to));
                out.add_detail("steps along chase line", count(done));
            }
            due(walk, out);
        }
        DriveState::FleeTiles { from, walk } => {
            out.add_detail("tile fled from", tile_or_nothing(from));
            due(walk, out);
        }
        DriveState::Travel { trip, walk } => {
            out.add_detail("has route", Value::Yes(trip.is_some()));
            if let Some(RouteProgress { from, to, at, stands, held, done }) = trip {
                out.add_detail("route start", Value::Tile(from));
                out.add_detail("route target", Value::Tile(to));
                out.add_detail("route position", Value::Tile(at));
                out.add_detail("target is stationary", Value::Yes(stands));
                out.add_detail("tiles occupied at route start", count(held.into()));
                out.add_detail("steps along route", count(done));
            }
            due(walk, out);
        }
    }
}

fn due(StepTimer { due_in }: StepTimer, out: &mut FactWriter) {
    out.add_detail("frames until next step", count(due_in));
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
    use crate::history::diff::fact::Fact;
    use crate::steering::Memory;

    fn facts(drive: DriveState) -> Vec<Fact<'static>> {
        let mut facts = Vec::new();
        append("drive", drive, &mut FactWriter::of_agent(&mut facts));
        facts
    }

    #[test]
    fn lists_the_memory_of_each_drive() {
        let (tile, walk) = (TilePos::new(3, 4), StepTimer { due_in: 2 });
        let steps = StepsState { row: 1, done: 0, begun: false, moved: 0.0, pace: 4 };
        let trip = RouteProgress { from: tile, ..RouteProgress::default() };
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
                [None, Some(Direction::East)]
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
                    aim: Some(ChaseLine { from: tile, to: tile, done }),
                    walk,
                }),
            ),
            ("tile fled from", [None, Some(tile)].map(|from| DriveState::FleeTiles { from, walk })),
            (
                "tiles occupied at route start",
                [1, 2].map(|held| DriveState::Travel {
                    trip: Some(RouteProgress { held, ..trip }),
                    walk,
                }),
            ),
            ("has route", [Some(trip), None].map(|trip| DriveState::Travel { trip, walk })),
        ];
        for (word, drives) in pairs {
            let [one, two] = drives.map(facts);
            let differs = |fact: &&Fact| {
                two.iter().any(|other| other.field == fact.field && other.value != fact.value)
            };
            let fields: Vec<_> =
                one.iter().filter(differs).map(|fact| fact.field.to_string()).collect();
            assert_eq!(fields, [word]);
        }
    }
}
