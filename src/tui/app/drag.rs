//! Drags with the left mouse button.

use crate::geom::TilePos;
use crate::id::AgentId;
use crate::tui::input::Cell;

/// A drag in progress.
#[derive(Debug, Clone, Copy)]
pub(super) enum Drag {
    /// Pans the map. The next movement is measured from this cell.
    Map(Cell),
    /// Moves the current frame along the timeline.
    Time,
    /// Paints a stroke that starts at tile `from`. `begun` is true if the line or rectangle was
    /// started before this drag.
    Paint { from: TilePos, begun: bool },
    /// Moves an agent that is on tile `from`. `to` is the tile under the pointer.
    Agent { id: AgentId, from: TilePos, to: TilePos },
    /// Moves the view of the map to the pointer's position on the minimap.
    Minimap,
}
