//! An agent that walks toward or away from a target: its next step, and its distance to the target.
#![expect(missing_docs, reason = "docs/explain.md describes each field of the JSON object")]

use serde::Serialize;

use crate::geom::TilePos;
use crate::map::search::FoundPath;
use crate::words;
use crate::world::{ChaseLine, DriveState, Flags, RouteProgress};

use super::{AgentStep, Attempt};
use crate::report::{DirectionName, Tile, tile};

/// The progress of an agent that chases, flees from or travels to a target.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Target {
    pub kind: &'static str,
    /// The activity as a verb: `chases`, `flees` or `travels`.
    #[serde(skip)]
    pub verb: &'static str,
    pub name: String,
    /// The tile of the target. `None` if no target was found.
    pub at: Option<Tile>,
    /// The reason why no target was found, such as `target thief has left the world`. `None` if the
    /// target exists.
    #[serde(skip)]
    pub absence: Option<String>,
    pub due_in: u32,
    pub attempt: Option<Attempt>,
    pub next: Option<Tile>,
    /// The direction of the step to `next`. `None` if no step is planned.
    #[serde(skip)]
    pub way: Option<DirectionName>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chase: Option<Chase>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flight: Option<Flight>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub journey: Option<Journey>,
}

/// A chaser's progress along the straight line to its target.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Chase {
    pub aimed_from: Tile,
    pub step: u32,
    pub steps: u32,
}

/// The distance between a fleeing agent and the tile it flees from, in tiles.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Flight {
    pub distance: f32,
}

/// The progress of a traveller along its route.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Journey {
    pub arrived: bool,
    pub planned_from: Tile,
    pub step: u32,
    /// Number of steps of the route. `None` before the first step is due, and without a route. The
    /// costs are `None` in the same cases.
    pub steps: Option<usize>,
    pub cost: Option<f64>,
    pub cost_left: Option<f64>,
    pub detour: bool,
}

impl AgentStep<'_> {
    pub(super) fn target(&self) -> Option<Target> {
        let (world, id) = (self.now, self.agent);
        let drive = &world.mode(id).drive;
        let sought = drive.target()?;
        let mut target = Target {
            kind: drive.word(),
            verb: "",
            name: words::target(sought, world.scenario()),
            at: None,
            absence: None,
            due_in: 0,
            attempt: self.attempt(),
            next: world.ahead(id).next().map(tile),
            way: None,
            chase: None,
            flight: None,
            journey: None,
        };
        let (verb, timer, at) = match world.drive_state(id) {
            DriveState::Chase { aim, timer } => {
                if let Some(aim) = aim {
                    self.chase(aim, &mut target);
                }
                ("chases", timer, aim.map(|aim| aim.to))
            }
            DriveState::FleeTiles { from, timer } => {
                target.flight = from.map(|from| self.flight(from));
                ("flees", timer, from)
            }
            DriveState::Travel { progress, timer } => {
                if let Some(progress) = progress {
                    self.journey(progress, &mut target);
                }
                ("travels", timer, progress.map(|progress| progress.to))
            }
            DriveState::Stand
            | DriveState::Steer(_)
            | DriveState::Path { .. }
            | DriveState::Matrix { .. }
            | DriveState::Steps { .. }
            | DriveState::Thrust { .. }
            | DriveState::Keys { .. } => return None,
        };
        if at.is_none() && world.target_tile(id, sought).is_none() {
            target.absence = Some(words::absent_target(sought, world));
        }
        Some(Target { verb, due_in: timer.due_in, at: at.map(tile), ..target })
    }

    fn chase(&self, aim: ChaseLine, target: &mut Target) {
        let line = self.now.scenario().map.line(aim.from, aim.to);
        target.way = line.direction(aim.done).map(DirectionName);
        let aimed_from = tile(aim.from);
        target.chase = Some(Chase { aimed_from, step: aim.done, steps: line.len() });
    }

    fn flight(&self, from: TilePos) -> Flight {
        let map = &self.now.scenario().map;
        let offset = map.offset(from.centre(), self.now.tile(self.agent).centre());
        Flight { distance: offset.length() }
    }

    fn journey(&self, RouteProgress { from, held, done, .. }: RouteProgress, target: &mut Target) {
        let (world, id) = (self.now, self.agent);
        let route = world.found_path(id);
        let way = route.and_then(|route| route.steps.get(done as usize));
        target.way = way.copied().map(DirectionName);
        target.journey = Some(Journey {
            arrived: world.flags(id).has(Flags::ARRIVED),
            planned_from: tile(from),
            step: done,
            steps: route.map(|route| route.steps.len()),
            cost: route.map(FoundPath::cost),
            cost_left: route.map(|_| world.cost_ahead(id)),
            detour: held != 0,
        });
    }
}
