//! Draws the values of an agent that follows the run of another program: its vectors, its goal and the
//! place that it wants to reach next.

use crate::id::AgentId;
use crate::trace::TraceValue;
use crate::tui::draw::canvas::Canvas;
use crate::tui::glyph;
use crate::tui::overlays::{Layer, Overlays};
use crate::world::World;

use super::vectors;

/// Draws the values of an agent. Draws nothing for an agent that moves by itself.
pub fn draw(world: &World, id: AgentId, overlays: Overlays, canvas: &mut Canvas) {
    let scenario = world.scenario();
    let Some(traced) = scenario.traced().filter(|_| scenario.is_traced(id)) else { return };
    let (trace, frame) = (&traced.trace, world.frame());
    if overlays.has(Layer::Behaviours) {
        for (index, columns) in trace.vectors().iter().enumerate() {
            if let Some(vector) = trace.vector(id, frame, columns) {
                vectors::numbered(world.position(id), vector, columns.longest, index, canvas);
            }
        }
    }
    if overlays.has(Layer::Targets) {
        let style = canvas.theme.target;
        if let Some(wants) = trace.wants(id, frame) {
            canvas.sign(wants, glyph::WAYPOINT, style);
        }
        if let Some(goal) = trace.goal(id, frame) {
            canvas.target(goal, glyph::TARGET, style);
        }
        let column = trace.columns().iter().position(|column| column.name == "target");
        if let Some(TraceValue::Text(name)) = column.and_then(|it| trace.value(id, frame, it))
            && let Some(target) = world.find(name).filter(|&target| world.is_present(target))
        {
            canvas.target(world.position(target), glyph::TARGET, style);
        }
    }
}
