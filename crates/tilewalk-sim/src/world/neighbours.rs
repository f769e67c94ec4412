//! Finds the neighbours of agents: an index for each group in which some agent has neighbours, and
//! sums over neighbours.
//!
//! The indexes are rebuilt in every frame and never saved, because they follow from the positions.
//! A copy of a world has none. An index holds one group. Its cell size follows from the map and
//! from the largest radius used *for that group*, so a behaviour that looks at another group cannot
//! change the result.
//!
//! Behaviours with the same group, radius and angle share their sums. The sums are computed in one
//! pass before agents think, several agents at a time (see `kernel`). The neighbours of an agent
//! are always added in the same order, so the bits are the same whether the sums are computed for
//! one agent or for all. An explanation computes them for one agent.
//!
//! Searches for the nearest member of a large group, or for agents on a collision course, use
//! indexes of their own (see `search`). The cell size of those affects only the cost.

pub(super) mod cells;
pub(super) mod index;
mod kernel;
mod roster;
pub(super) mod search;

use std::sync::Arc;

use crate::agent::{Drive, Mode};
use crate::geom::Vec2;
use crate::geom::lanes::LANES;
use crate::id::{AgentId, GroupId};
use crate::map::{Edges, Map};
use crate::rng::{Dice, Use};
use crate::scenario::Scenario;
use crate::steering::crowd::{Crowd, Neighbourhood, TOUCHING};
use crate::steering::{Behaviour, Row, Target};

use super::state::State;
use cells::{Cells, REACH};
use index::Index;
use kernel::{Block, Member, Region};
use roster::Roster;
use search::Search;

/// All indexes of a world.
#[derive(Debug)]
pub struct Neighbours {
    circles: Vec<Circle>,
    searches: Vec<Search>,
}

/// Where the sums of a neighbourhood are: the same in every frame of a world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    circle: usize,
    view: usize,
}

/// A group up to this size is looked through, rather than sorted.
const FEW: usize = 32;

/// A group in which somebody has neighbours.
#[derive(Debug)]
struct Circle {
    roster: Arc<Roster>,
    index: Index,
    views: Vec<View>,
    /// Have the sums of this frame been worked out?
    summed: bool,
}

/// Rows that share their sums.
#[derive(Debug)]
struct View {
    neighbourhood: Neighbourhood,
    region: Region,
    /// By place, as they are worked out.
    made: Vec<Crowd>,
    /// By rank; empty until they are first worked out.
    sums: Vec<Crowd>,
}

impl Clone for Neighbours {
    /// What is made anew from every frame is left behind.
    fn clone(&self) -> Self {
        Self {
            circles: self.circles.iter().map(Circle::fresh).collect(),
            searches: self.searches.iter().map(Search::fresh).collect(),
        }
    }
}

impl Neighbours {
    /// Empty indexes of all groups that the steering of a scenario asks for.
    pub fn new(scenario: &Scenario) -> Self {
        let mut asked: Vec<Neighbourhood> = Vec::new();
        for each in scenario.kinds.iter().flat_map(|kind| &kind.modes).flat_map(neighbourhoods) {
            if !asked.contains(&each) {
                asked.push(each);
            }
        }
        let mut circles: Vec<Circle> = Vec::new();
        for neighbourhood in asked {
            let region = region(&neighbourhood, &scenario.map);
            let view = View { neighbourhood, region, made: Vec::new(), sums: Vec::new() };
            match circles.iter_mut().find(|circle| circle.roster.group == neighbourhood.of) {
                Some(circle) => circle.views.push(view),
                None => circles.push(Circle {
                    roster: Arc::new(Roster::new(scenario, neighbourhood.of)),
                    index: Index::new(Cells::new(&scenario.map, 0.0)),
                    views: vec![view],
                    summed: false,
                }),
            }
        }
        for circle in &mut circles {
            let radius = circle.views.iter().map(|view| view.region.radius).fold(0.0, f32::max);
            circle.index = Index::new(Cells::new(&scenario.map, radius));
        }
        Self { circles, searches: searches(scenario) }
    }

    /// Sorts everyone to where they are.
    pub(crate) fn sort(&mut self, state: &State) {
        for circle in &mut self.circles {
            let roster = &circle.roster;
            circle.index.sort(roster.len(), |rank| member(state, roster.id(rank)));
            circle.summed = false;
        }
        for search in &mut self.searches {
            search.sort(state);
        }
    }

    /// Shows all members of a group within so many seconds at `speed` and at their own fastest, and
    /// perhaps others.
    pub(crate) fn visit_passing(
        &self,
        of: Option<GroupId>,
        at: Vec2,
        reach: impl Fn(f32) -> f32,
        visit: impl FnMut(AgentId),
    ) {
        if let Some(search) = self.search(of) {
            search.visit_within(at, reach(search.fastest), visit);
        }
    }

    /// The index in which members of a group (`None`: everyone) are looked for; `None` when it is so
    /// small that looking through it is less work.
    pub(crate) fn search(&self, of: Option<GroupId>) -> Option<&Search> {
        self.searches.iter().find(|search| search.roster.group == of)
    }

    /// Works out the sums of all who may ask for them in their present mode.
    pub(crate) fn sum(&mut self, state: &State, names: &[u64]) {
        for circle in &mut self.circles {
            circle.sum(state, names);
        }
    }

    /// What the neighbours of an agent come to, if it is among those whose sums were worked out.
    #[inline]
    pub(crate) fn summed(&self, id: AgentId, place: Place) -> Option<&Crowd> {
        let circle = &self.circles[place.circle];
        if !circle.summed {
            return None;
        }
        circle.views[place.view].sums.get(circle.roster.rank(id)?)
    }

    /// The same for agents that stand one after the other.
    #[inline]
    pub(crate) fn summed_from(&self, first: AgentId, place: Place) -> Option<&[Crowd; LANES]> {
        let circle = &self.circles[place.circle];
        let rank = circle.roster.rank(first)?;
        let last = circle.roster.rank(AgentId(first.0 + LANES as u32 - 1))?;
        if !circle.summed || last != rank + LANES - 1 {
            return None;
        }
        circle.views[place.view].sums.get(rank..=last)?.try_into().ok()
    }

    /// What the neighbours of an agent come to, worked out for it alone.
    pub(crate) fn crowd(&self, id: AgentId, place: Place, state: &State, names: &[u64]) -> Crowd {
        let circle = &self.circles[place.circle];
        circle.ask(&circle.views[place.view], id, state, names)
    }

    /// Shows the neighbours of an agent, in the order in which they are added up, and the short way
    /// to each.
    pub(crate) fn visit(
        &self,
        id: AgentId,
        who: &Neighbourhood,
        state: &State,
        mut visit: impl FnMut(AgentId, Vec2),
    ) {
        let Some(place) = self.place(who) else { return };
        let circle = &self.circles[place.circle];
        let view = &circle.views[place.view];
        let agent = member(state, id);
        let index = &circle.index;
        let (column, row) = (index.cells.column(agent.x), index.cells.row(agent.y));
        index.visit_around(row, (column, column), REACH, |places, _| {
            for place in places {
                let other = circle.roster.id(index.rank(place) as usize);
                let offset = view.region.offset(&agent, &index.members()[place]);
                if other != id && view.region.holds(&agent, offset) {
                    visit(other, offset);
                }
            }
        });
    }

    /// Where the sums of a neighbourhood are; `None` when no row asks for it.
    pub(crate) fn place(&self, who: &Neighbourhood) -> Option<Place> {
        let circle = self.circles.iter().position(|circle| circle.roster.group == who.of)?;
        let views = &self.circles[circle].views;
        let view = views.iter().position(|view| view.neighbourhood == *who)?;
        Some(Place { circle, view })
    }
}

impl Circle {
    /// The same without what follows from a frame.
    fn fresh(&self) -> Self {
        let view = |view: &View| View { made: Vec::new(), sums: Vec::new(), ..*view };
        Self {
            roster: Arc::clone(&self.roster),
            index: Index::new(self.index.cells),
            views: self.views.iter().map(view).collect(),
            summed: false,
        }
    }

    /// Works out the sums of all members who may ask.
    fn sum(&mut self, state: &State, names: &[u64]) {
        let Self { roster, index, views, summed } = self;
        *summed = true;
        for view in views {
            view.made.resize(index.len(), Crowd::default());
            for row in 0..index.cells.rows {
                sum_row(roster, index, view, row, state, names);
            }
            // In a large flock it takes long to reach what lies far from each other: apart from the
            // sums, many wait for that at a time.
            view.sums.clear();
            view.sums.extend(index.places().iter().map(|&place| view.made[place as usize]));
        }
    }

    /// The sums of one agent, whether it is a member or not.
    fn ask(&self, view: &View, id: AgentId, state: &State, names: &[u64]) -> Crowd {
        let agent = member(state, id);
        let (mut crowd, same_place) = self.index.crowd(&view.region, agent);
        let itself = self.roster.rank(id).map_or(0.0, |_| 1.0);
        if same_place > itself {
            add_same_place(&self.roster, &self.index, agent, id, names, &mut crowd);
        }
        crowd
    }
}

/// Works out the sums of the members of a row who may ask, as many at a time as there are lanes.
fn sum_row(
    roster: &Roster,
    index: &Index,
    view: &mut View,
    row: u32,
    state: &State,
    names: &[u64],
) {
    let mut places =
        index.row(row).filter(|&place| roster.asks(index.rank(place), state)).peekable();
    while let Some(first) = places.next() {
        let mut lanes = [first; LANES];
        let mut filled = 1;
        let left = index.column(first);
        // Who stands further to the right looks at quite other candidates.
        while filled < LANES
            && let Some(next) = places.next_if(|&next| index.column(next) <= left + REACH.0)
        {
            lanes[filled] = next;
            filled += 1;
        }
        let last = lanes[filled - 1];
        lanes[filled..].fill(last);
        let agents = lanes.map(|place| &index.members()[place]);
        let mut block = Block::new(agents);
        index.add_around(&mut block, &view.region, row, (left, index.column(last)));
        let (crowds, same_place) = (block.crowds(), block.in_same_place());
        for lane in 0..filled {
            let crowd = &mut view.made[lanes[lane]];
            *crowd = crowds[lane];
            if same_place[lane] > 1.0 {
                let id = roster.id(index.rank(lanes[lane]) as usize);
                add_same_place(roster, index, *agents[lane], id, names, crowd);
            }
        }
    }
}

/// Adds those who stand in the very place of an agent: they are neighbours in any direction, and
/// push it aside along a direction that the two names give, opposite for the two.
fn add_same_place(
    roster: &Roster,
    index: &Index,
    agent: Member,
    id: AgentId,
    names: &[u64],
    crowd: &mut Crowd,
) {
    let (column, row) = (index.cells.column(agent.x), index.cells.row(agent.y));
    for place in index.stretch(row, &(column..column + 1)) {
        let other = index.members()[place];
        let other_id = roster.id(index.rank(place) as usize);
        let way = Vec2::new(other.x - agent.x, other.y - agent.y);
        if other_id == id || way.length_squared() != 0.0 {
            continue;
        }
        crowd.count += 1.0;
        crowd.headings += Vec2::new(other.hx, other.hy);
        crowd.apart += apart(id, other_id, names) / TOUCHING;
    }
}

/// The direction in which an agent leaves another in the very same place: a keyed one, opposite for
/// the two.
pub(crate) fn apart(id: AgentId, other: AgentId, names: &[u64]) -> Vec2 {
    let (low, high) = (id.min(other), id.max(other));
    let key = |id: AgentId| names[id.index()];
    let dice = Dice { seed: 0, frame: 0, agent: key(low), mode: key(high), behaviour: 0 };
    let angle = dice.die(Use::Apart).unit() * core::f32::consts::TAU;
    let direction = Vec2::new(libm::cosf(angle), libm::sinf(angle));
    if id == low { direction } else { -direction }
}

pub(super) fn member(state: &State, id: AgentId) -> Member {
    let index = id.index();
    Member { x: state.x[index], y: state.y[index], hx: state.hx[index], hy: state.hy[index] }
}

fn region(who: &Neighbourhood, map: &Map) -> Region {
    let around = match map.edges() {
        Edges::Wall => Vec2::ZERO,
        Edges::Wrap => Vec2::new(map.width() as f32, map.height() as f32),
    };
    Region { radius: who.radius, cone: who.cone(), around }
}

/// The groups in which steering looks for others: whom it would run into, or the nearest of many.
fn searches(scenario: &Scenario) -> Vec<Search> {
    let mut searches: Vec<Search> = Vec::new();
    let many = |target: Target| match target {
        Target::Group(group) if scenario.members(group).len() > FEW => Some(Some(group)),
        _ => None,
    };
    for row in scenario.kinds.iter().flat_map(|kind| &kind.modes).flat_map(rows) {
        let passing = match row.behaviour {
            Behaviour::AvoidAgents(agents) => Some(agents.of),
            _ => None,
        };
        let targets = [row.target, row.other].into_iter().flatten().filter_map(many);
        for of in targets.chain(passing) {
            if !searches.iter().any(|search| search.roster.group == of) {
                searches.push(Search::new(&scenario.map, Roster::new(scenario, of)));
            }
        }
    }
    searches
}

/// The neighbourhoods the steering of a mode asks for.
fn neighbourhoods(mode: &Mode) -> impl Iterator<Item = Neighbourhood> {
    rows(mode).filter_map(|row| row.behaviour.neighbourhood())
}

/// The steering rows of a mode that take part.
fn rows(mode: &Mode) -> impl Iterator<Item = &Row> {
    let rows = match &mode.drive {
        Drive::Steer { rows, .. } => rows.as_slice(),
        _ => &[],
    };
    rows.iter().filter(|row| row.enabled)
}
