//! The frame before the current frame. It is used to explain the step to the current frame.

use super::History;

impl History {
    /// Stores the current frame before a step.
    pub(super) fn store_previous(&mut self) {
        self.previous.copy_frame(&self.world);
    }

    /// Makes the stored frame the previous frame after a step. Copies the routes that the step
    /// planned, so that explanations can reuse them.
    pub(super) fn take_previous(&mut self) {
        core::mem::swap(&mut self.before, &mut self.previous);
        self.before.learn_routes(&self.world);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::History;
    use crate::agent::Drive;
    use crate::geom::Vec2;
    use crate::map::{Edges, Map};
    use crate::scenario::builder::{Agent, Builder};
    use crate::steering::Target;
    use crate::time::Frame;
    use crate::world::DriveState;

    #[test]
    fn the_previous_frame_knows_the_routes_of_the_step() {
        let map = Map::drawn(&["........", "...##...", "........"], Edges::Wall).unwrap();
        let mut builder = Builder::new(map);
        let travel = Drive::Travel { target: Target::Point(Vec2::new(7.5, 2.5)) };
        let agent = builder.add(Agent::new("a", Vec2::new(0.5, 0.5)).drive(travel));
        let mut history = History::new(Arc::new(builder.build().unwrap()), 1 << 20);
        let knows_route = |history: &History| {
            let DriveState::Travel { progress: Some(progress), .. } =
                history.world().drive_state(agent)
            else {
                return false;
            };
            history.before().route_cache.known(agent, progress).is_some()
        };
        (0..10).for_each(|_| history.step(&[]));
        assert!(knows_route(&history));
        history.go_to(Frame(7));
        assert!(knows_route(&history));
    }
}
