//! Dragging with the mouse.

use crate::geom::TilePos;
use crate::id::AgentId;
use crate::tui::input::Cell;

/// A drag in progress.
#[derive(Debug, Clone, Copy)]
pub(super) enum Drag {
    /// Pans the map. The next movement is measured from this cell.
    Map(Cell),
    /// Drags the current frame along the timeline.
    Time,
    /// Paints a stroke that starts at tile `from`. `begun` is true if a line or rectangle was
    /// started before the drag.
    Paint { from: TilePos, begun: bool },
    /// Moves an agent from one tile to another.
    Agent { id: AgentId, from: TilePos, to: TilePos },
    /// Moves the visible part of the map by dragging on the minimap.
    Minimap,
}
