//! Finds the neighbours of agents, and computes sums over neighbours. Each group in which at least
//! one agent has neighbours has its own index.
//!
//! The indexes depend only on the positions, so they are rebuilt every frame and never saved. A
//! copy of a world starts with empty indexes. The cell size of an index depends on the map and on
//! the largest radius used *for its group*. Behaviours that use another group thus cannot change
//! the result.
//!
//! Behaviours with the same group, radius and angle share their sums. The sums are computed in one
//! pass before agents think, several agents at a time (see `block`). The neighbours of an agent are
//! always added in the same order. An explanation computes the sums of one agent alone, and gets
//! the same bits.
//!
//! Searches for members of a large group, or for agents on a collision course, use
//! separate indexes (see `search`). Conditions about gaps also have their own indexes (see `gaps`).
//! The cell size of these indexes affects the cost, and the order in which members are visited.

mod block;
pub(super) mod cells;
pub(super) mod gaps;
pub(super) mod index;
mod members;
mod search;

use std::sync::Arc;

use crate::geom::Vec2;
use crate::geom::lanes::{Eight, Instructions, LANES, Simd, dispatch};
use crate::id::{AgentId, GroupId};
use crate::rng::{RngKey, Use};
use crate::scenario::Scenario;
use crate::steering::Searched;
use crate::steering::senses::{Crowd, Neighbourhood, TOUCHING};
use crate::world::neighbours::block::{Block, Region};
use crate::world::neighbours::cells::{Cells, REACH};
use crate::world::neighbours::gaps::GapIndexes;
use crate::world::neighbours::index::{Entry, Index};
use crate::world::neighbours::members::{Members, neighbourhoods};
use crate::world::neighbours::search::GroupSearch;
use crate::world::state::State;

pub(crate) use crate::world::neighbours::search::SMALL_GROUP;

/// The neighbour indexes of a world, rebuilt every frame.
#[derive(Debug)]
pub struct Neighbours {
    groups: Vec<GroupIndex>,
    searches: Vec<GroupSearch>,
    /// The indexes for gaps between bodies. Only conditions use these indexes.
    pub(super) gaps: GapIndexes,
}

/// The id of the sums over one neighbourhood. Valid for all frames of a scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SumsId {
    group: usize,
    view: usize,
}

/// The index of a group, with the sums over the neighbours in that group.
#[derive(Debug)]
struct GroupIndex {
    members: Arc<Members>,
    index: Index,
    views: Vec<SearchView>,
    /// Whether the sums are computed for the current frame.
    summed: bool,
}

/// The neighbour sums of agents for one radius and angle.
#[derive(Debug)]
struct SearchView {
    neighbourhood: Neighbourhood,
    region: Region,
    /// The sums as rows of [`Crowd`], indexed by rank. Empty before the first computation.
    sums: Vec<[f32; LANES]>,
    /// The same sums, indexed by place. They are computed in this order and then copied, since it would
    /// take longer to write each of them to a distant rank at once.
    by_place: Vec<[f32; LANES]>,
}

impl SearchView {
    /// Returns the largest possible difference between two distances: from centre to centre, and
    /// from edge to edge of the bodies. The result is in tiles. Returns 0 if the neighbourhood is
    /// measured between centres. `widest` is the largest radius of a body, in tiles.
    fn edges(&self, widest: f32) -> f32 {
        if self.neighbourhood.by_edges { 2.0 * widest } else { 0.0 }
    }
}

impl Clone for Neighbours {
    /// Creates empty indexes, without the data of the current frame.
    fn clone(&self) -> Self {
        Self {
            groups: self.groups.iter().map(GroupIndex::fresh).collect(),
            searches: self.searches.iter().map(GroupSearch::fresh).collect(),
            gaps: GapIndexes::default(),
        }
    }
}

impl Neighbours {
    /// Creates empty indexes for all neighbourhoods and searches that the steering of a scenario
    /// needs.
    pub fn new(scenario: &Scenario) -> Self {
        let mut asked: Vec<Neighbourhood> = Vec::new();
        for each in scenario.kinds.iter().flat_map(|kind| &kind.modes).flat_map(neighbourhoods) {
            if !asked.contains(&each) {
                asked.push(each);
            }
        }
        let mut groups: Vec<GroupIndex> = Vec::new();
        for neighbourhood in asked {
            let region = Region::of(&neighbourhood, &scenario.map);
            let view = SearchView { neighbourhood, region, sums: Vec::new(), by_place: Vec::new() };
            match groups.iter_mut().find(|group| group.members.group == neighbourhood.of) {
                Some(group) => group.views.push(view),
                None => groups.push(GroupIndex {
                    members: Arc::new(Members::new(scenario, neighbourhood.of)),
                    index: Index::new(Cells::new(&scenario.map, 0.0)),
                    views: vec![view],
                    summed: false,
                }),
            }
        }
        let radii = scenario.kinds.iter().map(|kind| kind.body.radius);
        let widest = radii.fold(0.0, f32::max);
        for group in &mut groups {
            let reach = |view: &SearchView| view.region.radius + view.edges(widest);
            let radius = group.views.iter().map(reach).fold(0.0, f32::max);
            group.index = Index::new(Cells::new(&scenario.map, radius));
        }
        Self { groups, searches: search::searches(scenario), gaps: GapIndexes::default() }
    }

    /// Rebuilds all indexes from the current positions.
    pub(crate) fn sort(&mut self, state: &State) {
        for group in &mut self.groups {
            let members = &group.members;
            group.index.sort(members.len(), |rank| Entry::of_present(state, members.id(rank)));
            group.summed = false;
        }
        for search in &mut self.searches {
            search.sort(state);
        }
    }

    /// Visits all members of a group within a distance, and some members farther away. `reach`
    /// returns the distance in tiles. Its arguments are the highest speed and the largest radius in
    /// the group. Visits nothing if no index exists, see [`Neighbours::search`].
    pub(crate) fn visit_passing(
        &self,
        of: Option<GroupId>,
        at: Vec2,
        reach: impl Fn(f32, f32) -> f32,
        visit: impl FnMut(AgentId),
    ) {
        if let Some(search) = self.search(of) {
            search.visit_within(at, reach(search.max_speed, search.max_radius), visit);
        }
    }

    /// Returns the search index of a group. If `of` is `None`, returns the index of all agents.
    /// Returns `None` if no behaviour needs the index. The nearest member of a small group is found
    /// without an index.
    pub(crate) fn search(&self, of: Option<GroupId>) -> Option<&GroupSearch> {
        self.searches.iter().find(|search| search.members.group == of)
    }

    /// Computes the neighbour sums of each agent whose current mode needs them. Neighbourhoods that
    /// are measured between edges have no sums.
    pub(crate) fn sum(&mut self, state: &State, names: &[u64], instructions: Instructions) {
        for group in &mut self.groups {
            dispatch!(instructions, simd => group.sum(simd, state, names));
        }
    }

    /// Returns the neighbour sums of an agent. Returns `None` if the sums were not computed in this
    /// frame, or if the agent is not in the group of `sums`.
    #[inline]
    pub(crate) fn summed(&self, id: AgentId, sums: SumsId) -> Option<Crowd> {
        let group = &self.groups[sums.group];
        if !group.summed {
            return None;
        }
        let sums = &group.views[sums.view].sums;
        Some(Crowd::from(*sums.get(group.members.rank(id)?)?))
    }

    /// Returns the neighbour sums of `count` consecutive agents as rows of [`Crowd`]. Returns `None`
    /// if one of the agents is not in the group of `sums`, or if the sums were not computed in this
    /// frame.
    #[inline(always)]
    pub(crate) fn summed_from(
        &self,
        first: AgentId,
        count: usize,
        sums: SumsId,
    ) -> Option<&[[f32; LANES]]> {
        let group = &self.groups[sums.group];
        let rank = group.members.rank(first)?;
        let last = group.members.rank(AgentId(first.0 + count as u32 - 1))?;
        if !group.summed || last != rank + count - 1 {
            return None;
        }
        group.views[sums.view].sums.get(rank..=last)
    }

    /// Returns the sums over the neighbours of one agent.
    pub(crate) fn crowd(&self, id: AgentId, sums: SumsId, state: &State, names: &[u64]) -> Crowd {
        let group = &self.groups[sums.group];
        group.sums_of(&group.views[sums.view], id, state, names)
    }

    /// Visits the cells in which an agent searches for neighbours. Then visits the agents in these
    /// cells, in the order of summation. Visits nothing if no behaviour uses the neighbourhood.
    pub(crate) fn search_around(
        &self,
        id: AgentId,
        neighbourhood: &Neighbourhood,
        state: &State,
        mut visit: impl FnMut(Searched),
    ) {
        let Some(sums) = self.sums_id(neighbourhood) else { return };
        let group = &self.groups[sums.group];
        let view = &group.views[sums.view];
        let agent = Entry::of(state, id);
        let index = &group.index;
        let (column, row) = (index.cells.column(agent.x), index.cells.row(agent.y));
        let [across, down] = index.cells.around(row, (column, column), REACH);
        for rows in down.iter().filter(|rows| !rows.is_empty()) {
            for columns in across.iter().filter(|columns| !columns.is_empty()) {
                visit(Searched::Cells(index.cells.block(columns, rows)));
            }
        }
        index.visit_around(row, (column, column), REACH, |places, _| {
            for place in places {
                let other = group.members.id(index.rank(place) as usize);
                let offset = view.region.offset(&agent, &index.entries()[place]);
                if other != id {
                    let at = Vec2::new(agent.x, agent.y) + offset;
                    let is_neighbour = view.region.holds(&agent, offset);
                    visit(Searched::Agent { id: other, at, is_neighbour });
                }
            }
        });
    }

    /// Returns the id of the sums over a neighbourhood. Returns `None` if no behaviour uses the
    /// neighbourhood.
    pub(crate) fn sums_id(&self, neighbourhood: &Neighbourhood) -> Option<SumsId> {
        let group = self.groups.iter().position(|group| group.members.group == neighbourhood.of)?;
        let views = &self.groups[group].views;
        let view = views.iter().position(|view| view.neighbourhood == *neighbourhood)?;
        Some(SumsId { group, view })
    }
}

impl GroupIndex {
    /// Returns an index of the same agents without the data of the current frame.
    fn fresh(&self) -> Self {
        let view =
            |view: &SearchView| SearchView { sums: Vec::new(), by_place: Vec::new(), ..*view };
        Self {
            members: Arc::clone(&self.members),
            index: Index::new(self.index.cells),
            views: self.views.iter().map(view).collect(),
            summed: false,
        }
    }

    /// Computes the sums of each member whose current mode needs sums.
    #[inline(always)]
    fn sum<S: Simd>(&mut self, simd: S, state: &State, names: &[u64]) {
        let Self { members, index, views, summed } = self;
        *summed = true;
        for view in views.iter_mut().filter(|view| !view.neighbourhood.by_edges) {
            if !members.all_need_sums() {
                view.by_place.clear();
            }
            view.by_place.resize(index.len(), [0.0; LANES]);
            for row in 0..index.cells.rows {
                sum_row(simd, members, index, view, row, state, names);
            }
            let SearchView { sums, by_place, .. } = view;
            let of = |&place: &u32| by_place.get(place as usize).copied().unwrap_or_default();
            sums.clear();
            sums.extend(index.places().iter().map(of));
        }
    }

    /// Computes the sums of one agent. The agent need not be a member of the group.
    fn sums_of(&self, view: &SearchView, id: AgentId, state: &State, names: &[u64]) -> Crowd {
        let agent = Entry::of(state, id);
        let (mut crowd, same_place) = block::sums_of(&self.index, &view.region, agent);
        let itself = self.members.rank(id).map_or(0.0, |_| 1.0);
        if same_place > itself {
            add_same_place(&self.members, &self.index, agent, id, names, &mut crowd);
        }
        crowd
    }
}

/// Computes the sums of the members in one row of cells, up to `LANES` members at a time.
#[inline(always)]
fn sum_row<S: Simd>(
    simd: S,
    members: &Members,
    index: &Index,
    view: &mut SearchView,
    row: u32,
    state: &State,
    names: &[u64],
) {
    let mut places =
        index.row(row).filter(|&place| members.needs_sums(index.rank(place), state)).peekable();
    while let Some(first) = places.next() {
        let mut lanes = [first; LANES];
        let mut filled = 1;
        let (left, mut right) = (index.column(first), index.column(first));
        // An agent farther to the right costs less in a batch of its own: the batch would also visit all
        // candidates between the two.
        while filled < LANES
            && let Some(next) = places.next_if(|&next| index.column(next) <= right + 2 * REACH.0)
        {
            lanes[filled] = next;
            filled += 1;
            right = index.column(next);
        }
        let last = lanes[filled - 1];
        lanes[filled..].fill(last);
        let mut block = Block::<Eight<S>>::new(simd, |lane| &index.entries()[lanes[lane]]);
        block.add_around(index, &view.region, row, (left, right));
        let shared = block.shared_places();
        for (lane, row) in block.rows().into_iter().enumerate().take(filled) {
            let place = lanes[lane];
            view.by_place[place] = row;
            if shared >> lane & 1 == 1 {
                let (agent, mut crowd) = (index.entries()[place], Crowd::from(row));
                let id = members.id(index.rank(place) as usize);
                add_same_place(members, index, agent, id, names, &mut crowd);
                view.by_place[place] = crowd.into();
            }
        }
    }
}

/// Adds the other agents at exactly the same position as an agent. These agents are neighbours
/// regardless of direction. Each of them pushes the agent in a random direction. The two agents of
/// a pair get opposite directions.
fn add_same_place(
    members: &Members,
    index: &Index,
    agent: Entry,
    id: AgentId,
    names: &[u64],
    crowd: &mut Crowd,
) {
    let (column, row) = (index.cells.column(agent.x), index.cells.row(agent.y));
    for place in index.range(row, &(column..column + 1)) {
        let other = index.entries()[place];
        let other_id = members.id(index.rank(place) as usize);
        let offset = Vec2::new(other.x - agent.x, other.y - agent.y);
        if other_id == id || offset.length_squared() != 0.0 {
            continue;
        }
        crowd.count += 1.0;
        crowd.headings += Vec2::new(other.hx, other.hy);
        crowd.apart += apart(id, other_id, names) / TOUCHING;
    }
}

/// Returns a random unit vector: the direction in which `id` moves away from `other`. Both agents
/// are at the same position. The two agents get opposite directions.
pub(crate) fn apart(id: AgentId, other: AgentId, names: &[u64]) -> Vec2 {
    let (low, high) = (id.min(other), id.max(other));
    let key = |id: AgentId| names[id.index()];
    let rng_key = RngKey { seed: 0, frame: 0, agent: key(low), mode: key(high), behaviour: 0 };
    let angle = rng_key.stream(Use::Apart).unit() * core::f32::consts::TAU;
    let direction = Vec2::new(libm::cosf(angle), libm::sinf(angle));
    if id == low { direction } else { -direction }
}
