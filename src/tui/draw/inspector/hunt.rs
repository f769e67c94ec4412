//! A chase or a flight on tiles: what it is about, and which tile is next.

use crate::geom::TilePos;
use crate::id::AgentId;
use crate::tui::draw::facts::Facts;
use crate::words;
use crate::world::quarry::Aim;
use crate::world::{DriveState, Walk, World};

use super::about::About;

/// The lines of a chaser.
pub fn chase(about: About, aim: Option<Aim>, walk: Walk, facts: &mut Facts) {
    let (world, id, theme) = (about.world, about.id, facts.theme);
    let Some(aim) = aim else { return nothing(world.drive_state(id), facts) };
    let map = &world.scenario().map;
    let line = map.line(aim.from, aim.to);
    facts.phrases(
        "chases",
        [
            (format!("{} on {}", whom(world, id), aim.to), theme.strong),
            (format!("step {} of {}, line from {}", aim.done, line.len(), aim.from), theme.text),
        ],
    );
    match line.way(aim.done) {
        Some(way) => {
            let to = world.tile(id).neighbour(way);
            let to = map.resolve(to).unwrap_or(to);
            let next = format!("{to} {}", words::way(way));
            facts.phrases("next", [(next, theme.strong), (words::due(walk.due_in), theme.text)]);
        }
        None => facts.fact("next", "none: on the target tile"),
    }
}

/// The lines of one who flees.
pub fn flee(about: About, from: Option<TilePos>, walk: Walk, facts: &mut Facts) {
    let (world, id, theme) = (about.world, about.id, facts.theme);
    let Some(from) = from else { return nothing(world.drive_state(id), facts) };
    let offset = world.scenario().map.offset(from.centre(), world.tile(id).centre());
    let far = format!("{:.2} tiles away", offset.length());
    let from = format!("from {} on {from}", whom(world, id));
    facts.phrases("flees", [(from, theme.strong), (far, theme.text)]);
    facts.fact("next", format!("farthest from target, {}", words::due(walk.due_in)));
}

/// The name of what its drive is about.
pub(super) fn whom(world: &World, id: AgentId) -> String {
    let target = world.mode(id).drive.target();
    target.map_or_else(String::new, |target| words::target(target, world.scenario()))
}

/// There is no target, or it has not been looked for yet.
pub(super) fn nothing(drive: DriveState, facts: &mut Facts) {
    let label = match drive {
        DriveState::Chase { .. } => "chases",
        DriveState::FleeTiles { .. } => "flees",
        _ => "travels",
    };
    facts.fact(label, "no target yet");
}
