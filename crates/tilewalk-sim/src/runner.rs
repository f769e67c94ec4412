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

use core::ops::ControlFlow;

use crate::history::Log;
use crate::history::breaks::Break;
use crate::report::summary::Summary;
use crate::step;
use crate::world::{Look, World};

/// The length of a run, the stop condition, and the commands to apply.
#[derive(Debug, Clone, Copy, Default)]
pub struct Plan<'a> {
    /// Maximum number of frames to simulate.
    pub frames: u64,
    /// Stop condition: the run stops at the first frame in which it is true. The start frame is
    /// tested, too. Names refer to the agents and groups of the scenario at each frame. If a reload
    /// makes the text invalid, the condition is false. `None` for no stop condition.
    pub until: Option<&'a Break>,
    /// The commands to apply in each frame; `None` for a run without commands.
    pub commands: Option<&'a Log>,
}

/// Runs a world until the stop condition is true or the last frame is reached. Calls `observe` at
/// every frame, including the start frame. Also ends if a step is cancelled (see
/// [`World::set_cancel`]).
///
/// # Errors
/// Stops at the first error of `observe` and returns that error.
pub fn run<E>(
    world: &mut World,
    plan: &Plan,
    mut observe: impl FnMut(&World) -> Result<(), E>,
) -> Result<Summary, E> {
    let mut summary = Summary { until: plan.until.map(|_| false), ..Summary::default() };
    let frames = Frames {
        last: world.frame().0.saturating_add(plan.frames),
        keeps_previous: plan.until.is_some(),
        commands: plan.commands,
    };
    let mut until = plan.until.cloned();
    let stopped = frames.observe(world, |look| {
        summary.count(look.now);
        if let Err(error) = observe(look.now) {
            return ControlFlow::Break(Some(error));
        }
        if until.as_mut().is_some_and(|until| until.holds(look)) {
            return ControlFlow::Break(None);
        }
        ControlFlow::Continue(())
    });
    match stopped {
        Some(Some(error)) => return Err(error),
        Some(None) => summary.until = Some(true),
        None => {}
    }
    summary.finish(world);
    Ok(summary)
}

/// Settings of a run that ends when its observer decides, or at the last frame.
#[derive(Debug, Clone, Copy)]
pub struct Frames<'a> {
    /// Number of the last frame to observe.
    pub last: u64,
    /// Whether `observe` receives the previous frame. Conditions on events and changes need it.
    pub keeps_previous: bool,
    /// The commands to apply in each frame; `None` for a run without commands.
    pub commands: Option<&'a Log>,
}

impl Frames<'_> {
    /// Runs a world and calls `observe` at every frame, including the current frame. Stops when
    /// `observe` returns `Break`, and returns the value of `Break`.
    ///
    /// Returns `None` after the last frame, or if a step is cancelled (see [`World::set_cancel`]).
    pub fn observe<B>(
        &self,
        world: &mut World,
        mut observe: impl FnMut(&Look) -> ControlFlow<B>,
    ) -> Option<B> {
        let mut before = self.keeps_previous.then(|| world.clone());
        let mut is_first = true;
        loop {
            let last = before.as_ref().filter(|_| !is_first).map(Look::at);
            let look = Look { before: last.as_ref(), ..Look::at(world) };
            if let ControlFlow::Break(result) = observe(&look) {
                return Some(result);
            }
            if world.frame().0 >= self.last {
                return None;
            }
            is_first = false;
            if let Some(before) = &mut before {
                before.clone_from(world);
            }
            let next = world.frame().next();
            if !step::try_step(world, self.commands.map_or(&[], |log| log.at(next))) {
                return None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::sync::Arc;

    use super::*;
    use crate::cancel::Cancel;
    use crate::command::Command;
    use crate::geom::Vec2;
    use crate::history::breaks::Trigger;
    use crate::map::{Edges, Map};
    use crate::scenario::Scenario;
    use crate::scenario::builder::{Agent, Builder};
    use crate::time::Frame;

    #[test]
    fn a_run_stops_at_its_condition_or_when_cancelled() {
        let mut builder = Builder::new(Map::drawn(&["...."], Edges::Wall).expect("a map"));
        let agent = builder.add(Agent::new("cat", Vec2::new(0.5, 0.5)));
        let scenario = Arc::new(builder.build().expect("a valid scenario"));
        let until = Break::read(Trigger::Condition, "cat.x > 2", &scenario).expect("a condition");
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

    /// Builds a scenario with agents in the given order. Each name stands on a tile of its own.
    fn standing(names: &str, has_group: bool) -> Arc<Scenario> {
        let map = Map::drawn(&["......."], Edges::Wall).expect("a map");
        let mut builder = Builder::new(map);
        let group = has_group.then(|| builder.group("g"));
        for name in names.chars() {
            let x = f32::from(name as u8 - b'a') * 2.0 + 0.5;
            let agent = Agent::new(name, Vec2::new(x, 0.5));
            builder.add(match group {
                Some(group) => agent.group(group),
                None => agent,
            });
        }
        Arc::new(builder.build().expect("a valid scenario"))
    }

    #[test]
    fn names_in_the_stop_condition_refer_to_the_current_scenario() {
        let (old, new) = (standing("abc", true), standing("cab", false));
        let agent = new.find("a").expect("an agent");
        let mut commands = Log::default();
        commands.push(Frame(5), &[Command::Reload(new)]);
        commands.push(Frame(9), &[Command::Place { agent, at: Vec2::new(6.5, 0.5) }]);
        for (text, expected) in [
            ("a.x > 3", Some(9)),
            ("changed(a.x)", Some(9)),
            ("changed(c.x)", None),
            ("b.x > 3", None),
            ("any(g, x > 9)", None),
            ("any(g, x > 3)", Some(0)),
        ] {
            let until = Break::read(Trigger::Condition, text, &old).expect("a condition");
            let plan = Plan { frames: 12, until: Some(&until), commands: Some(&commands) };
            let mut world = World::new(Arc::clone(&old));
            let Ok(summary) = run(&mut world, &plan, |_| Ok::<(), Infallible>(()));
            let found = (summary.until == Some(true)).then_some(summary.frames);
            assert_eq!(found, expected, "{text}");
        }
    }
}
