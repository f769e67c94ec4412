//! The surroundings of an agent, such as targets, paths and routes.

use crate::geom::{TilePos, Vec2};
use crate::id::{AgentId, GroupId, SteeringPathId};
use crate::map::Map;
use crate::map::route::NextStep;
use crate::steering::path::PlacedPath;
use crate::steering::{Seen, Target};

use super::World;

impl World {
    /// Returns the offset from an agent to a target, and the velocity and heading of the target.
    /// Returns `None` if the target does not exist, for example for a group without another member.
    pub fn see(&self, id: AgentId, target: Target) -> Option<Seen> {
        let from = self.position(id);
        let fixed = |point| Seen::fixed(self.scenario.map.offset(from, point));
        match target {
            Target::Point(point) => Some(fixed(point)),
            Target::Home => Some(fixed(self.home(id))),
            Target::LastSeen(target) => self.sight(id, target)?.at.map(fixed),
            Target::Agent(other) => self.is_present(other).then(|| self.see_agent(id, other)),
            Target::Instance(instance) => {
                self.instance(instance).map(|other| self.see_agent(id, other))
            }
            Target::Group(group) => {
                self.nearest_member(id, group).map(|other| self.see_agent(id, other))
            }
        }
    }

    pub(crate) fn see_agent(&self, id: AgentId, other: AgentId) -> Seen {
        Seen {
            offset: self.scenario.map.offset(self.position(id), self.position(other)),
            velocity: self.velocity(other),
            heading: self.heading(other),
        }
    }

    /// Returns the tile of a target, wrapped onto the map. For a group, this is the tile of the
    /// member nearest to the agent. Returns `None` if the target does not exist.
    pub fn target_tile(&self, id: AgentId, target: Target) -> Option<TilePos> {
        let tile = match target {
            Target::Point(point) => TilePos::containing(point),
            Target::Home => TilePos::containing(self.home(id)),
            Target::LastSeen(target) => TilePos::containing(self.sight(id, target)?.at?),
            Target::Agent(other) if self.is_present(other) => self.tile(other),
            Target::Agent(_) => return None,
            Target::Instance(instance) => self.tile(self.instance(instance)?),
            Target::Group(group) => self.tile(self.nearest_member(id, group)?),
        };
        Some(self.scenario.map.resolve(tile).unwrap_or(tile))
    }

    /// Returns a steering path, placed on the map for an agent. Returns `None` if the path does not
    /// exist.
    pub fn path(&self, id: AgentId, path: SteeringPathId) -> Option<PlacedPath<'_>> {
        let path = self.scenario.paths.get(path.0 as usize)?;
        let home = TilePos::containing(self.home(id));
        let corner = Vec2::new(home.x as f32, home.y as f32);
        Some(PlacedPath { path, origin: if path.at_home { corner } else { Vec2::ZERO } })
    }

    /// Returns the next step of an agent's body from `tile` towards `goal`. Returns `None` if there
    /// is no route.
    pub(crate) fn next_step(&self, id: AgentId, goal: TilePos, tile: TilePos) -> Option<NextStep> {
        let (map, radius) = (&self.scenario.map, self.body(id).radius);
        self.routes.next_step(map, radius, self.frame, [tile, goal], self.cancel())
    }

    /// Returns the route map of an agent's body. Tiles and steps without room for the body are
    /// closed on this map. Returns `None` if the body uses the map of the scenario.
    pub fn route_map(&self, id: AgentId) -> Option<&Map> {
        self.routes.map(&self.scenario.map, self.body(id).radius)
    }

    /// Returns the member of a group nearest to an agent, except the agent itself. If several are
    /// equally near, returns the first one in agent order. Returns `None` if the group has no other
    /// member in the world.
    pub fn nearest_member(&self, id: AgentId, group: GroupId) -> Option<AgentId> {
        let from = self.position(id);
        let distance =
            |other| self.scenario.map.offset(from, self.position(other)).length_squared();
        let others = self.scenario.members(group).iter().copied();
        let others = others.filter(|&other| other != id && self.is_present(other));
        let nearest = others.map(|other| (distance(other), other));
        nearest.reduce(|near, next| if next.0 < near.0 { next } else { near }).map(|(_, id)| id)
    }
}
