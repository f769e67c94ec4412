//! Runs a world without a user interface, for a number of frames or until a condition is true.
//!
//! An observer receives every frame, for traces, hashes and recordings. The result is a
//! [`Summary`].
//!
//! ```
//! use std::convert::Infallible;
//! use std::sync::Arc;
//! use tilewalk_sim::map::{Edges, Map};
//! use tilewalk_sim::runner::{Plan, run};
//! use tilewalk_sim::scenario::builder::Builder;
//! use tilewalk_sim::world::World;
//!
//! let map = Map::drawn(&["....", "...."], Edges::Wall).expect("a map");
//! let mut world = World::new(Arc::new(Builder::new(map).build().expect("a valid scenario")));
//! let mut hashes = Vec::new();
//! let plan = Plan { frames: 100, ..Plan::default() };
//! let Ok(summary) = run(&mut world, &plan, |world| {
//!     hashes.push(world.hash());
//!     Ok::<(), Infallible>(())
//! });
//! assert_eq!((summary.frames, hashes.len()), (100, 101));
//! ```

use crate::condition::Condition;
use crate::history::log::Log;
use crate::report::summary::Summary;
use crate::step;
use crate::world::{Look, World};

/// The length of a run, the stop condition, and the commands to apply.
#[derive(Debug, Clone, Copy, Default)]
pub struct Plan<'a> {
    /// Maximum number of frames to simulate.
    pub frames: u64,
    /// Stops the run at the first frame where this condition is true. The start frame is tested,
    /// too.
    pub until: Option<&'a Condition>,
    /// The commands to apply in each frame; `None` for a run without commands.
    pub commands: Option<&'a Log>,
}

/// Runs a world and calls `observe` at every frame, including the start frame. Ends early if a step
/// is cancelled (see [`World::set_cancel`]).
///
/// # Errors
/// Stops at the first error of `observe` and returns that error.
pub fn run<E>(
    world: &mut World,
    plan: &Plan,
    mut observe: impl FnMut(&World) -> Result<(), E>,
) -> Result<Summary, E> {
    let mut before = plan.until.map(|_| world.clone());
    let mut summary = Summary { until: plan.until.map(|_| false), ..Summary::default() };
    for frame in 0..=plan.frames {
        if frame > 0 {
            if let Some(before) = &mut before {
                before.clone_from(world);
            }
            let next = world.frame().next();
            if !step::try_step(world, plan.commands.map_or(&[], |log| log.at(next))) {
                break;
            }
        }
        summary.count(world);
        observe(world)?;
        if let Some(condition) = plan.until {
            let last = before.as_ref().filter(|_| frame > 0).map(Look::at);
            let look = Look { before: last.as_ref(), ..Look::at(world) };
            if condition.holds(&look, None) {
                summary.until = Some(true);
                break;
            }
        }
    }
    summary.finish(world);
    Ok(summary)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::sync::Arc;

    use super::*;
    use crate::cancel::Cancel;
    use crate::command::Command;
    use crate::condition::ConditionContext;
    use crate::geom::Vec2;
    use crate::map::{Edges, Map};
    use crate::scenario::builder::{Agent, Builder};
    use crate::time::Frame;

    #[test]
    fn a_run_stops_at_its_condition_or_when_cancelled() {
        let mut builder = Builder::new(Map::drawn(&["...."], Edges::Wall).expect("a map"));
        let agent = builder.add(Agent::new("cat", Vec2::new(0.5, 0.5)));
        let scenario = Arc::new(builder.build().expect("a valid scenario"));
        let until = Condition::read("cat.x > 2", &*scenario, ConditionContext::Global)
            .expect("a condition");
        let mut commands = Log::default();
        commands.push(Frame(7), &[Command::Place { agent, at: Vec2::new(3.5, 0.5) }]);
        let (cancel, mut world) = (Cancel::new(), World::new(scenario));
        world.set_cancel(cancel.clone());
        let (commands, until) = (Some(&commands), Some(&until));
        let plan = Plan { frames: 20, until, commands };
        let observe = |world: &World| {
            if world.frame() == Frame(3) {
                cancel.request();
            }
            Ok::<(), Infallible>(())
        };
        let Ok(cancelled) = run(&mut world, &plan, observe);
        assert_eq!((cancelled.frames, cancelled.until), (3, Some(false)));
        cancel.reset();
        let Ok(stopped) = run(&mut world, &plan, |_| Ok::<(), Infallible>(()));
        assert_eq!((stopped.frames, stopped.until), (7, Some(true)));
    }
}
