//! Manual control on the screen: turns arrow keys into drive commands.
//!
//! Terminals report when a key is pressed and when it repeats, but not when it is released. An
//! arrow key therefore pushes a vehicle for 0.3 seconds after each press or repeat. A walker on
//! tiles takes one step for each press. The 0.3 seconds are real time at every simulation speed:
//! they cover the delay between a press and its first repeat. A [`Hand`] reads no clock; the caller
//! passes in the elapsed time.

use core::time::Duration;

use crate::command::Command;
use crate::geom::Notch;
use crate::id::AgentId;
use crate::world::World;

/// How long an arrow pushes, if it isn't heard of again.
const WHILE: Duration = Duration::from_millis(300);

/// A hand on an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hand {
    agent: AgentId,
    /// The arrow to the left or to the right that pushes a vehicle. Together with one up or down it
    /// pushes along a diagonal.
    across: Option<Push>,
    /// The arrow up or down.
    along: Option<Push>,
    /// The step a walker takes when it may.
    step: Option<Notch>,
}

/// An arrow that was pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Push {
    way: Notch,
    left: Duration,
    /// Has it pushed in a frame? Until then it stays, however slowly time runs.
    used: bool,
}

impl Hand {
    /// A hand that holds an agent still.
    pub fn on(agent: AgentId) -> Self {
        Self { agent, across: None, along: None, step: None }
    }

    /// Whom it drives.
    pub fn agent(&self) -> AgentId {
        self.agent
    }

    /// An arrow was pressed, or repeats. The opposite one is over, and of the steps to come it is the
    /// last one that counts.
    pub fn press(&mut self, arrow: Notch) {
        let push = Push { way: arrow, left: WHILE, used: false };
        match arrow {
            Notch::East | Notch::West => self.across = Some(push),
            Notch::North
            | Notch::NorthEast
            | Notch::SouthEast
            | Notch::South
            | Notch::SouthWest
            | Notch::NorthWest => self.along = Some(push),
        }
        self.step = Some(arrow);
    }

    /// Has a walker a step before it?
    pub fn is_to_step(&self) -> bool {
        self.step.is_some()
    }

    /// Nothing is pressed any more.
    pub fn rest(&mut self) {
        *self = Self::on(self.agent);
    }

    /// Lets real time pass.
    pub fn pass(&mut self, elapsed: Duration) {
        for push in [&mut self.across, &mut self.along] {
            if let Some(pressed) = push {
                pressed.left = pressed.left.saturating_sub(elapsed);
                if pressed.used && pressed.left.is_zero() {
                    *push = None;
                }
            }
        }
    }

    /// What it asks of the frame after `world`, which is going to be made. A walker's step is asked
    /// for until it may be taken.
    pub fn ask(&mut self, world: &World) -> Command {
        let agent = self.agent;
        if world.is_on_tiles(agent) {
            let way = self.step;
            if world.step_due_in(agent) <= 1 {
                self.step = None;
            }
            return Command::Drive { agent, way };
        }
        for push in [&mut self.across, &mut self.along].into_iter().flatten() {
            push.used = true;
        }
        let ways = [self.across, self.along].into_iter().flatten().map(|push| push.way);
        let way = ways
            .reduce(|across, along| Notch::of_step(across.step() + along.step()).unwrap_or(along));
        Command::Drive { agent, way }
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

    fn asked(hand: &mut Hand, world: &World) -> Option<Notch> {
        let Command::Drive { way, .. } = hand.ask(world) else { panic!("a hand drives") };
        way
    }

    #[test]
    fn an_arrow_pushes_for_a_while_and_two_push_along_the_diagonal() {
        let world = world("keys = true");
        let mut hand = Hand::on(A);
        assert_eq!(asked(&mut hand, &world), None);
        hand.press(Notch::East);
        assert_eq!(asked(&mut hand, &world), Some(Notch::East));
        hand.pass(200 * MS);
        hand.press(Notch::North);
        assert_eq!(asked(&mut hand, &world), Some(Notch::NorthEast));
        hand.pass(100 * MS);
        assert_eq!(asked(&mut hand, &world), Some(Notch::North));
        hand.press(Notch::South);
        assert_eq!(asked(&mut hand, &world), Some(Notch::South), "the opposite one is over");
        hand.pass(300 * MS);
        assert_eq!(asked(&mut hand, &world), None);
    }

    #[test]
    fn an_arrow_pushes_in_one_frame_at_least() {
        let world = world("keys = true");
        let mut hand = Hand::on(A);
        hand.press(Notch::West);
        hand.pass(5000 * MS);
        assert_eq!(asked(&mut hand, &world), Some(Notch::West));
        hand.pass(MS);
        assert_eq!(asked(&mut hand, &world), None);
    }

    #[test]
    fn a_press_is_a_step_and_one_is_kept() {
        let mut world = world("keys = true, pace = 3");
        let mut hand = Hand::on(A);
        let mut tiles = String::new();
        for frame in 0..12 {
            if frame < 3 {
                hand.press(Notch::East);
            }
            let command = hand.ask(&world);
            step_with(&mut world, &[command]);
            hand.pass(50 * MS);
            tiles += &world.tile(A).x.to_string();
        }
        assert_eq!(tiles, "111222222222");
    }
}
