//! Rung 5: the state of one frame, built from a scenario, and what can be asked of it.
//!
//! A [`World`] is a structure of arrays: one column per property, one entry per agent, in agent
//! order. Only `step` changes it. Everything else, here and above, looks.

pub(crate) mod bodies;
pub mod drive_state;
pub mod facts;
pub mod flags;
mod flows;
pub mod hash;
pub mod neighbours;
pub mod occupancy;
pub mod sight;
mod smoothing;
pub mod state;

use std::sync::{Arc, OnceLock};

use crate::agent::{AgentKind, Drive, Mode};
use crate::body::{Body, Motion};
use crate::event::{Event, Obstruction};
use crate::geom::{Notch, TilePos, Vec2, heading};
use crate::id::{AgentId, CourseId, GroupId};
use crate::map::route::{Lead, RouteField};
use crate::pattern::matrix::Candidates;
use crate::pattern::{Pattern, Placement};
use crate::rng::name_hash;
use crate::scenario::Scenario;
use crate::steering::course::Laid;
use crate::steering::{Seen, Target, Wish};
use crate::time::Frame;

use bodies::Bodies;
pub use drive_state::{DriveState, Walk};
pub use facts::Look;
pub use flags::Flags;
use flows::Flows;
use neighbours::Neighbours;
use occupancy::Occupancy;
pub use sight::Sight;
use smoothing::Smoother;
use state::State;

/// One frame of a run.
#[derive(Debug)]
pub struct World {
    scenario: Arc<Scenario>,
    frame: Frame,
    pub(crate) state: State,
    pub(crate) events: Vec<Event>,
    /// Hash of each agent's name: part of the keys of its dice. Shared, as it never changes.
    pub(crate) names: Arc<[u64]>,
    /// Which tiles solid agents hold; made anew every frame, never saved.
    pub(crate) occupancy: Occupancy,
    /// Who is near whom; made anew every frame, never saved.
    pub(crate) neighbours: Neighbours,
    /// Solid bodies that may overlap, if there can be any; made anew every frame, never saved.
    pub(crate) bodies: Option<Bodies>,
    /// The ways to the patterns of each kind's modes, each made when it is first asked for. They
    /// follow from the scenario alone, so all copies of a world share them.
    routes: Arc<[Box<[OnceLock<RouteField>]>]>,
    /// Where the sights of each kind's first agent begin; shared, as it never changes.
    first_sights: Arc<[usize]>,
    /// Who changes the mode in the frame that is being made; never saved.
    pub(crate) switches: Vec<Switch>,
    /// Who smooths, and where their last headings are. Shared, as it never changes.
    smoothers: Arc<[Smoother]>,
    /// The ways to the tiles that somebody flows to, made when they are asked for. They follow from
    /// the map alone, so all copies of a world share them.
    flows: Arc<Flows>,
    /// What steering wishes in the frame that is being made; never saved.
    pub(crate) wishes: Vec<Wish>,
}

/// A change of mode that was decided on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Switch {
    /// Whose.
    pub agent: AgentId,
    /// The rule that holds, by its index.
    pub rule: u16,
    /// The mode it leads to.
    pub to: u16,
}

impl Clone for World {
    fn clone(&self) -> Self {
        Self {
            scenario: Arc::clone(&self.scenario),
            frame: self.frame,
            state: self.state.clone(),
            events: self.events.clone(),
            names: Arc::clone(&self.names),
            occupancy: self.occupancy.clone(),
            neighbours: self.neighbours.clone(),
            bodies: self.bodies.as_ref().map(Bodies::fresh),
            routes: Arc::clone(&self.routes),
            first_sights: Arc::clone(&self.first_sights),
            switches: Vec::new(),
            smoothers: Arc::clone(&self.smoothers),
            flows: Arc::clone(&self.flows),
            wishes: self.wishes.clone(),
        }
    }

    /// Reuses what this world has allocated.
    fn clone_from(&mut self, other: &Self) {
        if !Arc::ptr_eq(&self.scenario, &other.scenario) {
            self.neighbours = other.neighbours.clone();
            self.bodies = other.bodies.as_ref().map(Bodies::fresh);
        }
        self.scenario.clone_from(&other.scenario);
        self.frame = other.frame;
        self.state.clone_from(&other.state);
        self.events.clone_from(&other.events);
        self.names.clone_from(&other.names);
        self.occupancy.clone_from(&other.occupancy);
        self.routes.clone_from(&other.routes);
        self.first_sights.clone_from(&other.first_sights);
        self.smoothers.clone_from(&other.smoothers);
        self.flows.clone_from(&other.flows);
        self.wishes.clone_from(&other.wishes);
    }
}

impl World {
    /// Frame 0 of a scenario.
    pub fn new(scenario: Arc<Scenario>) -> Self {
        let ids = (0..scenario.starts.len() as u32).map(AgentId);
        let names = ids.clone().map(|id| name_hash(&scenario.name(id).to_string())).collect();
        let mut world = Self {
            frame: Frame(0),
            state: State::at_start(&scenario),
            events: Vec::new(),
            names,
            occupancy: Occupancy::new(&scenario),
            neighbours: Neighbours::new(&scenario),
            bodies: Bodies::new(&scenario),
            routes: scenario.kinds.iter().map(|kind| no_routes(kind.modes.len())).collect(),
            first_sights: first_sights(&scenario),
            switches: Vec::new(),
            smoothers: smoothing::smoothers(&scenario).collect(),
            flows: Arc::new(Flows::new(&scenario.map)),
            wishes: vec![Wish::NONE; scenario.starts.len()],
            scenario,
        };
        for id in ids.clone() {
            world.enter_mode(id, 0);
        }
        world.remember_headings();
        for id in ids {
            world.look_around(id);
        }
        // Frame 0 has no events.
        world.events.clear();
        world
    }

    /// What it was built from.
    pub fn scenario(&self) -> &Arc<Scenario> {
        &self.scenario
    }

    /// The number of the frame.
    pub fn frame(&self) -> Frame {
        self.frame
    }

    /// Seconds since frame 0.
    pub fn time(&self) -> f32 {
        self.scenario.seconds(self.frame)
    }

    /// How many agents there are.
    pub fn len(&self) -> usize {
        self.state.x.len()
    }

    /// Are there no agents?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All agents, in agent order.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = AgentId> + use<> {
        (0..self.len() as u32).map(AgentId)
    }

    /// What happened on the way to this frame, in the order it happened.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Where an agent is and how it moves.
    #[inline]
    pub fn motion(&self, id: AgentId) -> Motion {
        self.state.motion(id.index())
    }

    /// An agent's position, in tiles.
    #[inline]
    pub fn position(&self, id: AgentId) -> Vec2 {
        self.state.position(id.index())
    }

    /// An agent's velocity, in tiles/s.
    #[inline]
    pub fn velocity(&self, id: AgentId) -> Vec2 {
        self.state.velocity(id.index())
    }

    /// The unit vector an agent faces.
    #[inline]
    pub fn heading(&self, id: AgentId) -> Vec2 {
        self.state.heading(id.index())
    }

    /// An agent's heading in degrees, clockwise from east, in [0, 360).
    pub fn heading_degrees(&self, id: AgentId) -> f32 {
        heading::to_degrees(self.heading(id))
    }

    /// The tile an agent is on: the projection of its position.
    #[inline]
    pub fn tile(&self, id: AgentId) -> TilePos {
        TilePos::containing(self.position(id))
    }

    /// Where an agent started.
    pub fn home(&self, id: AgentId) -> Vec2 {
        self.scenario.starts[id.index()].position
    }

    /// An agent's design.
    #[inline]
    pub fn kind(&self, id: AgentId) -> &AgentKind {
        self.scenario.kind(id)
    }

    /// An agent's body.
    #[inline]
    pub fn body(&self, id: AgentId) -> &Body {
        &self.kind(id).body
    }

    /// The mode an agent is in.
    #[inline]
    pub fn mode(&self, id: AgentId) -> &Mode {
        &self.kind(id).modes[usize::from(self.state.mode[id.index()])]
    }

    /// Frames since the agent entered its mode.
    pub fn frames_in_mode(&self, id: AgentId) -> u32 {
        self.state.mode_frames[id.index()]
    }

    /// Seconds since the agent entered its mode.
    pub fn seconds_in_mode(&self, id: AgentId) -> f32 {
        self.scenario.seconds(Frame(u64::from(self.frames_in_mode(id))))
    }

    /// What is true of an agent in this frame.
    #[inline]
    pub fn flags(&self, id: AgentId) -> Flags {
        self.state.flags[id.index()]
    }

    /// What an agent's drive remembers.
    #[inline]
    pub fn drive_state(&self, id: AgentId) -> DriveState {
        self.state.drive[id.index()]
    }

    /// Why the last step on tiles was refused, if it was.
    pub fn obstruction(&self, id: AgentId) -> Option<Obstruction> {
        self.state.obstruction[id.index()]
    }

    /// What a body touches, if anything: a solid tile, or the tile of an obstacle.
    pub fn touches(&self, id: AgentId) -> Option<TilePos> {
        self.state.touches[id.index()]
    }

    /// The pattern an agent follows in its present mode, and the tile its anchor stands on.
    pub fn pattern(&self, id: AgentId) -> Option<(&Pattern, TilePos)> {
        match &self.mode(id).drive {
            Drive::Pattern { pattern, placement, .. } => {
                Some((pattern.as_ref(), self.anchor(id, *placement)))
            }
            Drive::Stand | Drive::Steer { .. } => None,
        }
    }

    /// What to do to reach the nearest tile of the agent's pattern; `None` when no way leads there.
    pub(crate) fn way_to_pattern(&self, id: AgentId) -> Option<Lead> {
        let (pattern, anchor) = self.pattern(id)?;
        let kind = self.scenario.starts[id.index()].kind as usize;
        let mode = usize::from(self.state.mode[id.index()]);
        let goals = pattern.tiles().iter().map(|&tile| anchor + tile);
        // Who has to travel has a pattern whose place is fixed, the same for all of its kind: a
        // pattern placed at home begins there.
        let field =
            self.routes[kind][mode].get_or_init(|| RouteField::towards(&self.scenario.map, goals));
        field.lead(self.tile(id))
    }

    /// The tile a way leads an agent to, and whether it belongs to its pattern.
    pub(crate) fn lead_in_pattern(&self, id: AgentId, way: Notch) -> (TilePos, bool) {
        let map = &self.scenario.map;
        let ahead = self.tile(id).neighbour(way);
        let to = map.resolve(ahead).unwrap_or(ahead);
        let pattern = self.pattern(id);
        let belongs =
            pattern.is_some_and(|(pattern, anchor)| pattern.rank_on(map, anchor, to).is_some());
        (to, belongs)
    }

    /// The ways the ground leaves a matrix walker, but the one back; who else holds a tile is only
    /// known when the step is due.
    pub fn candidates(&self, id: AgentId) -> Option<Candidates> {
        let (Some((Pattern::Matrix(matrix), _)), DriveState::Matrix { at, .. }) =
            (self.pattern(id), self.drive_state(id))
        else {
            return None;
        };
        let here = self.tile(id);
        let lead = |way| {
            let (to, belongs) = self.lead_in_pattern(id, way);
            (to, belongs && self.scenario.map.step(here, way, false).is_ok())
        };
        Some(matrix.candidates(at, here, lead))
    }

    fn anchor(&self, id: AgentId, placement: Placement) -> TilePos {
        placement.anchor(TilePos::containing(self.home(id)))
    }

    /// Where a target is as an agent sees it; `None` when it does not exist (a group without
    /// another member).
    pub fn see(&self, id: AgentId, target: Target) -> Option<Seen> {
        let from = self.position(id);
        let fixed = |point| Seen {
            offset: self.scenario.map.offset(from, point),
            velocity: Vec2::ZERO,
            heading: Vec2::X,
        };
        match target {
            Target::Point(point) => Some(fixed(point)),
            Target::Home => Some(fixed(self.home(id))),
            Target::LastSeen(whom) => self.sight(id, whom)?.at.map(fixed),
            Target::Agent(other) => Some(self.see_agent(id, other)),
            Target::Group(group) => {
                self.nearest_member(id, group).map(|other| self.see_agent(id, other))
            }
        }
    }

    /// Another agent as an agent sees it.
    pub fn see_agent(&self, id: AgentId, other: AgentId) -> Seen {
        Seen {
            offset: self.scenario.map.offset(self.position(id), self.position(other)),
            velocity: self.velocity(other),
            heading: self.heading(other),
        }
    }

    /// A course as it lies for an agent; `None` when there is no such course.
    pub fn course(&self, id: AgentId, course: CourseId) -> Option<Laid<'_>> {
        let course = self.scenario.courses.get(course.0 as usize)?;
        let home = TilePos::containing(self.home(id));
        let corner = Vec2::new(home.x as f32, home.y as f32);
        Some(Laid { course, origin: if course.at_home { corner } else { Vec2::ZERO } })
    }

    /// What to do on a tile to walk to another; `None` when no way leads there.
    pub(crate) fn lead(&self, goal: TilePos, tile: TilePos) -> Option<Lead> {
        self.flows.lead(&self.scenario.map, self.frame, goal, tile)
    }

    /// The member of a group nearest to an agent, never itself; of equals the first.
    pub fn nearest_member(&self, id: AgentId, group: GroupId) -> Option<AgentId> {
        let from = self.position(id);
        let distance =
            |other| self.scenario.map.offset(from, self.position(other)).length_squared();
        let others = self.scenario.members(group).iter().copied().filter(|&other| other != id);
        let nearest = others.map(|other| (distance(other), other));
        nearest.reduce(|near, next| if next.0 < near.0 { next } else { near }).map(|(_, id)| id)
    }

    /// A hash of every saved number of the frame; equal worlds have equal hashes on any machine.
    pub fn hash(&self) -> u64 {
        hash::of(self.frame, &self.names, &self.state)
    }

    /// Puts an agent into a mode, at the beginning of its drive.
    pub(crate) fn enter_mode(&mut self, id: AgentId, mode: u16) {
        let index = id.index();
        self.state.mode[index] = mode;
        self.state.mode_frames[index] = 0;
        self.state.obstruction[index] = None;
        for flag in [Flags::ARRIVED, Flags::FINISHED, Flags::BLOCKED, Flags::JOINING] {
            self.state.flags[index].set(flag, false);
        }
        let tile = self.tile(id);
        let mode = self.mode(id);
        let on_tiles = mode.drive.is_on_tiles();
        let entry = DriveState::enter(mode, &self.scenario.map, |placement| {
            (self.anchor(id, placement), tile)
        });
        self.state.angular_velocity[index] = 0.0;
        if on_tiles {
            self.state.set_position(index, tile.centre());
            self.state.set_velocity(index, Vec2::ZERO);
        }
        if let Some(notch) = drive_state::first_notch(self.mode(id), self.heading(id)) {
            self.state.set_heading(index, notch.vector());
        }
        self.state.drive[index] = entry.state;
        self.state.flags[index].set(Flags::JOINING, entry.joining);
    }

    /// Begins the next frame: its number, and no events yet.
    pub(crate) fn begin_frame(&mut self) {
        self.frame = self.frame.next();
        self.events.clear();
    }

    pub(crate) fn report(&mut self, agent: AgentId, kind: crate::event::EventKind) {
        self.events.push(Event { frame: self.frame, agent, kind });
    }
}

/// Where the sights of each kind's first agent begin.
fn first_sights(scenario: &Scenario) -> Arc<[usize]> {
    let begin = |next: &mut usize, kind: &AgentKind| {
        let first = *next;
        *next += kind.watched.len() * kind.count as usize;
        Some(first)
    };
    scenario.kinds.iter().scan(0, begin).collect()
}

fn no_routes(modes: usize) -> Box<[OnceLock<RouteField>]> {
    (0..modes).map(|_| OnceLock::new()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::{Edges, tests::drawn};
    use crate::scenario::Start;
    use crate::steering::{Behaviour, Row, Turning, combine::Combine};

    #[test]
    fn a_mode_begins_without_a_turn_of_the_last_one() {
        let row = Row {
            behaviour: Behaviour::LookAhead(Turning::default()),
            target: None,
            other: None,
            weight: 1.0,
            probability: 0.8,
            enabled: true,
        };
        let steer = || Drive::Steer { combine: Combine::default(), rows: vec![row.clone()] };
        let modes = [steer(), steer(), Drive::Stand].map(|drive| Mode::new("m".into(), 1, drive));
        let mut scenario = Scenario {
            title: String::new(),
            tick: 0.05,
            seed: 1,
            map: drawn(&["...."], Edges::Wall),
            places: vec![],
            courses: vec![],
            kinds: vec![AgentKind {
                name: "a".into(),
                glyph: "A".into(),
                color: None,
                group: None,
                body: Body::default(),
                watched: vec![],
                every: 1,
                modes: modes.into(),
                first: AgentId(0),
                count: 1,
            }],
            starts: vec![],
            groups: vec![],
        };
        let position = Vec2::new(1.5, 0.5);
        scenario.starts.push(Start { kind: 0, number: 0, position, heading: Vec2::X });
        let mut world = World::new(Arc::new(scenario));
        for mode in [1, 2, 0] {
            world.state.angular_velocity[0] = 3.0;
            world.enter_mode(AgentId(0), mode);
            assert_eq!(world.motion(AgentId(0)).angular_velocity, 0.0);
        }
    }
}
