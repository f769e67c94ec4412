//! An agent at a frame: its position and motion.
#![expect(missing_docs, reason = "docs/output.md describes the columns of a trace")]

use serde::Serialize;

use crate::geom::{Direction, heading};
use crate::id::AgentId;
use crate::words;
use crate::world::World;

use super::{Pair, degrees, number, tile_text};

/// The position and motion of an agent at a frame. The fields have the same names as the columns of
/// a trace.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct State {
    pub mode: String,
    pub x: f32,
    pub y: f32,
    pub vx: f32,
    pub vy: f32,
    pub speed: f32,
    pub heading: f32,
    pub angular_velocity: f32,
    pub tile_x: i32,
    pub tile_y: i32,
    /// The heading shown on the screen, in degrees. If the body smooths its heading, this is the
    /// mean of its last headings.
    pub smoothed_heading: f32,
}

impl State {
    /// Returns the position and motion of an agent at the current frame of `world`.
    pub fn of(world: &World, id: AgentId) -> Self {
        let motion = world.motion(id);
        let tile = world.tile(id);
        Self {
            mode: world.mode(id).name.clone(),
            x: number(motion.position.x),
            y: number(motion.position.y),
            vx: number(motion.velocity.x),
            vy: number(motion.velocity.y),
            speed: motion.velocity.length(),
            heading: number(world.heading_degrees(id)),
            angular_velocity: degrees(motion.angular_velocity),
            tile_x: tile.x,
            tile_y: tile.y,
            smoothed_heading: number(heading::to_degrees(world.shown_heading(id))),
        }
    }

    /// Returns x and y of the position, in tiles.
    pub fn position(&self) -> Pair {
        [self.x, self.y]
    }

    /// Returns x and y of the velocity, in tiles/s.
    pub fn velocity(&self) -> Pair {
        [self.vx, self.vy]
    }

    /// Returns the speed as text such as `2.341 tiles/s`.
    pub fn speed_text(&self) -> String {
        format!("{:.3} tiles/s", self.speed)
    }

    /// Returns the heading and the nearest compass direction as text, such as `12.0° → E`.
    pub fn heading_text(&self) -> String {
        heading_text(self.heading)
    }

    /// Returns the smoothed heading and the nearest compass direction as text, such as `12.0° → E`.
    pub fn smoothed_text(&self) -> String {
        heading_text(self.smoothed_heading)
    }

    /// Returns column and row of the agent's tile as text, such as `(25, 1)`.
    pub fn tile_text(&self) -> String {
        tile_text([self.tile_x, self.tile_y])
    }

    /// Describes the change of heading and speed from this state to `next`, such as `turned 3.0°
    /// right and sped up`.
    pub fn change(&self, next: &Self) -> String {
        let turned = (next.heading - self.heading + 540.0).rem_euclid(360.0) - 180.0;
        let turned = match turned {
            small if small.abs() < 0.05 => "kept its heading".to_owned(),
            right if right > 0.0 => format!("turned {right:.1}° right"),
            left => format!("turned {:.1}° left", -left),
        };
        let speed = match next.speed - self.speed {
            small if small.abs() < 5e-4 => "kept its speed",
            more if more > 0.0 => "sped up",
            _ => "slowed down",
        };
        format!("{turned} and {speed}")
    }
}

/// Formats a heading in degrees, with the nearest compass direction.
fn heading_text(degrees: f32) -> String {
    let way = Direction::nearest(heading::from_degrees(degrees), false);
    format!("{degrees:.1}° {}", words::compass(way))
}
