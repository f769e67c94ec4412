//! The menu of a tile: what can be done there.

use crate::geom::TilePos;
use crate::id::AgentId;

use super::input::Cell;
use super::session::Session;

/// Agents of one tile that are listed at most.
const MOST: usize = 5;

/// Something that can be done on a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Item {
    /// Select an agent that stands there.
    Select(AgentId),
    /// Look at the tile.
    Inspect,
    /// Stop time when an agent comes there.
    Break(AgentId),
    /// Put an agent there.
    Put(AgentId),
}

/// The menu of a tile.
#[derive(Debug, Clone)]
pub struct Menu {
    /// The tile.
    pub tile: TilePos,
    /// Where it was asked for.
    pub at: Cell,
    /// What can be done, and how that is told.
    pub items: Vec<(Item, String)>,
    /// The marked one.
    pub marked: usize,
}

impl Menu {
    /// What can be done on a tile of a session: with those who stand there, and with who is driven
    /// or selected.
    pub fn new(session: &Session, tile: TilePos, at: Cell) -> Self {
        let world = session.world();
        let name = |id| world.scenario().name(id).to_string();
        let here = world.ids().filter(|&id| world.tile(id) == tile).take(MOST);
        let mut items: Vec<_> =
            here.map(|id| (Item::Select(id), format!("select {}", name(id)))).collect();
        items.push((Item::Inspect, "inspect tile".to_owned()));
        if let Some(id) = session.driven().or(session.selected()) {
            items.push((Item::Break(id), format!("break when {} comes here", name(id))));
            if world.tile(id) != tile {
                items.push((Item::Put(id), format!("move {} here", name(id))));
            }
        }
        Self { tile, at, items, marked: 0 }
    }
}
