//! Updates the targets of chases, flights and routes on tiles, from the state of the previous
//! frame.

use crate::geom::TilePos;
use crate::id::AgentId;
use crate::steering::Target;
use crate::world::route_progress::{ChaseLine, RouteProgress};
use crate::world::{DriveState, World};

/// Updates the target tile of a chase, a flight or a route. Other drives do not change.
///
/// A line or a route is kept while the target stays on its tile and the agent stays on course.
/// Otherwise a new line or route starts at the agent's tile.
pub(super) fn aim(world: &mut World, id: AgentId) {
    let Some(target) = world.mode(id).drive.target() else { return };
    let (here, to) = (world.tile(id), world.target_tile(id, target));
    let fixed = matches!(target, Target::Point(_) | Target::Home);
    let drive = match world.drive_state(id) {
        DriveState::Chase { aim, timer } => {
            let aim = to.map(|to| match aim {
                Some(aim) if aim.to == to && on_line(world, aim, here) => aim,
                _ => ChaseLine { from: here, to, done: 0 },
            });
            DriveState::Chase { aim, timer }
        }
        DriveState::FleeTiles { timer, .. } => DriveState::FleeTiles { from: to, timer },
        DriveState::Travel { progress, timer } => {
            let progress = to.map(|to| match progress {
                Some(progress) if progress.to == to && progress.at == here => {
                    RouteProgress { stands: true, ..progress }
                }
                _ => RouteProgress { from: here, to, at: here, stands: fixed, held: 0, done: 0 },
            });
            DriveState::Travel { progress, timer }
        }
        other @ (DriveState::Stand
        | DriveState::Steer(_)
        | DriveState::Path { .. }
        | DriveState::Matrix { .. }
        | DriveState::Steps { .. }
        | DriveState::Thrust { .. }
        | DriveState::Keys { .. }) => other,
    };
    world.state.drive[id.index()] = drive;
}

/// Returns true if the agent is on the tile of the line up to which its chase has advanced.
fn on_line(world: &World, aim: ChaseLine, here: TilePos) -> bool {
    let map = &world.scenario().map;
    map.resolve(map.line(aim.from, aim.to).tile(aim.done)) == Some(here)
}
