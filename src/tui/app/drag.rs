//! Drags with the left mouse button.

use crate::geom::TilePos;
use crate::tui::input::Cell;

/// A drag in progress.
#[derive(Debug, Clone)]
pub(super) enum Drag {
    /// Pans the map. The value is the cell from which the next movement is measured.
    Map(Cell),
    /// Moves the current frame along the timeline.
    Time,
    /// Paints a stroke that starts at tile `from`. `begun` is true if the line or rectangle already
    /// had a corner before this drag.
    Paint { from: TilePos, begun: bool },
    /// Moves an agent. `from` is the tile of the agent, and `to` is the tile under the pointer. The
    /// agent is stored by name, because its id can change during the drag.
    Agent { name: String, from: TilePos, to: TilePos },
    /// Moves the view of the map to the pointer's position on the minimap.
    Minimap,
}
