//! The surroundings of an agent, such as targets, paths and routes, with the visibility of targets
//! and the positions where the agent last saw them.

use crate::agent::AgentKind;
use crate::body::Motion;
use crate::event::EventKind;
use crate::geom::{TilePos, Vec2};
use crate::id::{AgentId, GroupId, SteeringPathId};
use crate::map::route::{NextStep, WayAhead};
use crate::map::{Map, Obstacle, WallId};
use crate::steering::path::PlacedPath;
use crate::steering::{Seen, SightTarget, Target};
use crate::world::World;

/// An agent's latest observation of a target that the agent watches.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sight {
    /// Whether the agent saw the target at the last check.
    pub seen: bool,
    /// The position where the agent last saw the target, in tiles. `None` before the first
    /// sighting.
    pub at: Option<Vec2>,
}

/// The position of a target relative to an agent, and the objects that block the line of sight.
/// Used for explanations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ViewCheck {
    /// Distance from the agent to the target, in tiles.
    pub distance: f32,
    /// Angle between the heading and the direction to the target, in degrees, 0 to 180.
    pub angle: f32,
    /// The first opaque tile on the line of sight, starting at the agent. `None` if no tile blocks
    /// sight.
    pub tile: Option<TilePos>,
    /// The opaque wall that blocks sight; of several walls, the first in the map file. `None` if no
    /// wall blocks sight.
    pub wall: Option<WallId>,
    /// The first opaque obstacle on the line of sight, starting at the agent. `None` if no obstacle
    /// blocks sight.
    pub obstacle: Option<Obstacle>,
}

impl World {
    /// Checks a target against an agent's field of view and line of sight. For a group, checks the
    /// nearest member. Returns `None` if the target does not exist.
    pub fn check_view(&self, id: AgentId, target: Target) -> Option<ViewCheck> {
        let Motion { position, heading, .. } = self.motion(id);
        let offset = self.see(id, target)?.offset;
        let map = &self.scenario().map;
        let other = position + offset;
        Some(ViewCheck {
            distance: offset.length(),
            angle: libm::atan2f(heading.perp_dot(offset), heading.dot(offset)).to_degrees().abs(),
            tile: map.tile_blocking_sight(position, other),
            wall: map.wall_blocking_sight(position, other),
            obstacle: map.obstacle_blocking_sight(position, other),
        })
    }

    /// Returns true if a target is in an agent's field of view and nothing blocks sight.
    ///
    /// For a group, returns true if the agent sees any other member. For a last known position,
    /// returns true if the agent sees that position.
    pub fn sees(&self, id: AgentId, target: Target) -> bool {
        self.visible_offset(id, target).is_some()
    }

    /// Returns the shortest vector to a target that the agent sees, in tiles. For a group, this is
    /// the vector to the nearest visible member. Returns `None` if the agent does not see the
    /// target.
    fn visible_offset(&self, id: AgentId, target: Target) -> Option<Vec2> {
        let Motion { position, heading, .. } = self.motion(id);
        let visible_offset = |target: Target| {
            let offset = self.see(id, target)?.offset;
            let view = self.body(id).view.holds(offset, heading);
            (view && self.scenario().map.sees(position, position + offset)).then_some(offset)
        };
        let Target::Group(group) = target else { return visible_offset(target) };
        let others = self.scenario().members(group).iter().filter(|&&other| other != id);
        let seen = others.filter_map(|&other| visible_offset(Target::Agent(other)));
        let near = |a: Vec2, b: Vec2| if b.length_squared() < a.length_squared() { b } else { a };
        seen.reduce(near)
    }

    /// Returns an agent's latest observation of a target. Returns `None` if the agent does not
    /// watch the target.
    pub fn sight(&self, id: AgentId, target: SightTarget) -> Option<Sight> {
        let kind = self.kind(id);
        let index = kind.watched.iter().position(|&watched| watched == target)?;
        Some(self.state.sights[self.first_sight(kind, id) + index])
    }

    /// Returns an agent's latest observation of each target in [`AgentKind::watched`], in the same
    /// order.
    pub fn sights(&self, id: AgentId) -> &[Sight] {
        let kind = self.kind(id);
        let first = self.first_sight(kind, id);
        &self.state.sights[first..first + kind.watched.len()]
    }

    /// Returns the index of an agent's first entry in the column of perceived targets.
    pub(super) fn first_sight(&self, kind: &AgentKind, id: AgentId) -> usize {
        let kind_index = self.scenario().starts[id.index()].kind as usize;
        self.layout.sights[kind_index] + (id.0 - kind.first.0) as usize * kind.watched.len()
    }

    /// Checks which watched targets an agent sees. Stores the results, and reports changes as
    /// events.
    pub(crate) fn look_around(&mut self, id: AgentId) {
        let scenario = self.scenario().clone();
        let kind = scenario.kind(id);
        let first = self.first_sight(kind, id);
        for (index, &target) in kind.watched.iter().enumerate() {
            let at = self.visible_position(id, target);
            let sight = &mut self.state.sights[first + index];
            let changed = sight.seen != at.is_some();
            *sight = Sight { seen: at.is_some(), at: at.or(sight.at) };
            match at {
                Some(_) if changed => self.report(id, EventKind::Seen(target)),
                None if changed => self.report(id, EventKind::Lost(target)),
                _ => {}
            }
        }
    }

    /// Checks whether an agent sees the watched target with this index, and stores the result as
    /// the first observation. Reports no event.
    pub(super) fn look_at(&mut self, id: AgentId, index: usize) {
        let kind = self.kind(id);
        let (target, first) = (kind.watched[index], self.first_sight(kind, id));
        let at = self.visible_position(id, target);
        self.state.sights[first + index] = Sight { seen: at.is_some(), at };
    }

    /// Returns the position of a target if the agent sees it, in tiles.
    fn visible_position(&self, id: AgentId, target: SightTarget) -> Option<Vec2> {
        let offset = self.visible_offset(id, target.target())?;
        Some(self.scenario().map.wrap(self.position(id) + offset))
    }
}

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

    /// Calls `visit` with the tiles after `tile` on the route of an agent's body towards `goal`,
    /// until it returns false or the route ends. The next step from `tile` must be known.
    pub(crate) fn follow_route(
        &self,
        id: AgentId,
        goal: TilePos,
        tile: TilePos,
        visit: impl FnMut(TilePos) -> bool,
    ) {
        let (map, radius) = (&self.scenario.map, self.body(id).radius);
        self.routes.follow(map, radius, self.frame, [tile, goal], visit);
    }

    /// Returns the tile that agents with the same radius can move to in a straight line from
    /// `tile`, on the route towards `goal`. Calls `compute` if it is not known.
    pub(crate) fn way_ahead(
        &self,
        id: AgentId,
        goal: TilePos,
        tile: TilePos,
        compute: impl FnOnce() -> WayAhead,
    ) -> WayAhead {
        let (map, radius) = (&self.scenario.map, self.body(id).radius);
        self.routes.way_ahead(map, radius, self.frame, [tile, goal], compute)
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
