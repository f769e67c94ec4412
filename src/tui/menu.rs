//! The tile menu: commands for a tile.

use crate::geom::TilePos;
use crate::id::AgentId;

use super::input::Cell;
use crate::debugger::session::Session;

/// Maximum number of listed agents on one tile.
const MOST: usize = 5;

/// A command of the tile menu.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Item {
    /// Selects an agent on the tile.
    Select(AgentId),
    /// Shows the tile in the inspector.
    Inspect,
    /// Adds a breakpoint that is hit when the agent enters the tile.
    Break(AgentId),
    /// Moves an agent to the tile.
    Put(AgentId),
}

/// An open tile menu.
#[derive(Debug, Clone)]
pub struct Menu {
    /// The tile that the items act on.
    pub tile: TilePos,
    /// The cell at which the menu was opened.
    pub at: Cell,
    /// The commands with their texts.
    pub items: Vec<(Item, String)>,
    pub selected: usize,
}

impl Menu {
    /// Creates the menu of a tile. The menu has commands for the agents on the tile, and for the
    /// driven or selected agent.
    pub fn new(session: &Session, tile: TilePos, at: Cell) -> Self {
        let world = session.world();
        let name = |id| world.name(id).to_string();
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
        Self { tile, at, items, selected: 0 }
    }
}
