//! What the mouse holds while its button is down.

use crate::geom::TilePos;
use crate::id::AgentId;
use crate::tui::input::Cell;

/// What is dragged with the mouse.
#[derive(Debug, Clone, Copy)]
pub(super) enum Drag {
    /// The map, from a cell.
    Map(Cell),
    /// The frame that is looked at, along the timeline.
    Time,
    /// The brush, from a tile; of a stroke that was begun before?
    Paint { from: TilePos, begun: bool },
    /// An agent, from a tile to another one.
    Agent { id: AgentId, from: TilePos, to: TilePos },
    /// The view, over the minimap.
    Minimap,
}
