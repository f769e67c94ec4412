//! Dragging with the mouse.

use crate::geom::TilePos;
use crate::id::AgentId;
use crate::tui::input::Cell;

/// The dragged object.
#[derive(Debug, Clone, Copy)]
pub(super) enum Drag {
    /// The map, and the cell below the pointer.
    Map(Cell),
    /// The current frame, along the timeline.
    Time,
    /// The brush: the first tile, and whether a line or rectangle was started before the drag.
    Paint { from: TilePos, begun: bool },
    /// An agent that is moved from one tile to another.
    Agent { id: AgentId, from: TilePos, to: TilePos },
    /// The visible part of the map, on the minimap.
    Minimap,
}
