//! Manual control: turns arrow keys into drive commands.
//!
//! Terminals report when a key is pressed and when it repeats, but not when it is released. An
//! arrow key therefore pushes a vehicle for 0.3 seconds after each press or repeat. A walker on
//! tiles takes one step for each press. The 0.3 seconds are real time at every simulation speed,
//! because they cover the delay between a press and its first repeat. This module reads no clock.
//! The caller passes the elapsed time.

use core::time::Duration;

use crate::command::Command;
use crate::geom::Direction;
use crate::id::AgentId;
use crate::world::World;

/// Time for which an arrow key counts as held after each press or repeat.
const HELD: Duration = Duration::from_millis(300);

/// Manual control of one agent with the arrow keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManualControl {
    agent: AgentId,
    /// The pressed left or right arrow. If `vertical` is also pressed, a vehicle is pushed
    /// diagonally.
    horizontal: Option<Push>,
    /// The pressed up or down arrow.
    vertical: Option<Push>,
    /// The pending step of a walker. The walker takes it as soon as a step is due.
    step: Option<Direction>,
}

/// A pressed arrow key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Push {
    direction: Direction,
    left: Duration,
    /// Whether a simulated frame has used this key press. A key is not released before a frame has
    /// used its press.
    used: bool,
}

impl ManualControl {
    /// Creates manual control of an agent, with no key pressed.
    pub fn of(agent: AgentId) -> Self {
        Self { agent, horizontal: None, vertical: None, step: None }
    }

    pub fn agent(&self) -> AgentId {
        self.agent
    }

    /// Handles a press or a repeat of an arrow key. Replaces the opposite arrow, and the pending
    /// step of a walker.
    pub fn press(&mut self, arrow: Direction) {
        let push = Push { direction: arrow, left: HELD, used: false };
        match arrow {
            Direction::East | Direction::West => self.horizontal = Some(push),
            Direction::North
            | Direction::South
            | Direction::NorthEast
            | Direction::NorthWest
            | Direction::SouthEast
            | Direction::SouthWest => self.vertical = Some(push),
        }
        self.step = Some(arrow);
    }

    /// Returns true if a walker still has to take the step of the last key press.
    pub fn has_pending_step(&self) -> bool {
        self.step.is_some()
    }

    /// Releases all keys.
    pub fn release(&mut self) {
        *self = Self::of(self.agent);
    }

    /// Subtracts `elapsed` real time from the hold times, and releases keys whose hold time has
    /// expired.
    pub fn pass(&mut self, elapsed: Duration) {
        for push in [&mut self.horizontal, &mut self.vertical] {
            if let Some(pressed) = push {
                pressed.left = pressed.left.saturating_sub(elapsed);
                if pressed.used && pressed.left.is_zero() {
                    *push = None;
                }
            }
        }
    }

    /// Returns the command for the frame after `world`. The caller must simulate that frame next.
    /// The pending step of a walker is kept until a step is due.
    pub fn command(&mut self, world: &World) -> Command {
        let agent = self.agent;
        if world.is_on_tiles(agent) {
            let direction = self.step;
            if world.step_due_in(agent) <= 1 {
                self.step = None;
            }
            return Command::Drive { agent, direction };
        }
        for push in [&mut self.horizontal, &mut self.vertical].into_iter().flatten() {
            push.used = true;
        }
        let directions =
            [self.horizontal, self.vertical].into_iter().flatten().map(|push| push.direction);
        let direction = directions.reduce(|horizontal, vertical| {
            Direction::of_step(horizontal.step() + vertical.step()).unwrap_or(vertical)
        });
        Command::Drive { agent, direction }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::files::{self, Options};
    use crate::step::step_with;

    const A: AgentId = AgentId(0);
    const MS: Duration = Duration::from_millis(1);

    fn world(keys: &str) -> World {
        let text =
            format!("tiles = '''\n.....\n'''\nagent = [{{ name = \"a\", at = [0, 0], {keys} }}]");
        let origin = crate::builtin::text("test", text);
        let loaded = files::load(&origin, &Options::default()).unwrap();
        World::new(Arc::clone(&loaded.scenario.unwrap()))
    }

    fn direction(control: &mut ManualControl, world: &World) -> Option<Direction> {
        let Command::Drive { direction, .. } = control.command(world) else {
            panic!("no drive command")
        };
        direction
    }

    #[test]
    fn an_arrow_key_pushes_for_a_while_and_two_keys_push_diagonally() {
        let world = world("keys = true");
        let mut control = ManualControl::of(A);
        assert_eq!(direction(&mut control, &world), None);
        control.press(Direction::East);
        assert_eq!(direction(&mut control, &world), Some(Direction::East));
        control.pass(200 * MS);
        control.press(Direction::North);
        assert_eq!(direction(&mut control, &world), Some(Direction::NorthEast));
        control.pass(100 * MS);
        assert_eq!(direction(&mut control, &world), Some(Direction::North));
        control.press(Direction::South);
        assert_eq!(
            direction(&mut control, &world),
            Some(Direction::South),
            "replaces the opposite arrow"
        );
        control.pass(300 * MS);
        assert_eq!(direction(&mut control, &world), None);
    }

    #[test]
    fn an_arrow_key_pushes_for_at_least_one_frame() {
        let world = world("keys = true");
        let mut control = ManualControl::of(A);
        control.press(Direction::West);
        control.pass(5000 * MS);
        assert_eq!(direction(&mut control, &world), Some(Direction::West));
        control.pass(MS);
        assert_eq!(direction(&mut control, &world), None);
    }

    #[test]
    fn a_key_press_is_one_step_and_one_more_press_is_stored() {
        let mut world = world("keys = true, pace = 3");
        let mut control = ManualControl::of(A);
        let mut tiles = String::new();
        for frame in 0..12 {
            if frame < 3 {
                control.press(Direction::East);
            }
            let command = control.command(&world);
            step_with(&mut world, &[command]);
            control.pass(50 * MS);
            tiles += &world.tile(A).x.to_string();
        }
        assert_eq!(tiles, "111222222222");
    }
}
