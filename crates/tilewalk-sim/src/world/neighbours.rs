//! Finds the neighbours of agents, and computes sums over neighbours. Each group in which at least
//! one agent has neighbours has its own index.
//!
//! The indexes depend only on the positions, so they are rebuilt every frame and never saved. A
//! copy of a world starts with empty indexes. The cell size of an index depends on the map and on
//! the largest radius used *for its group*. Behaviours that use another group thus cannot change
//! the result.
//!
//! Behaviours with the same group, radius and angle share their sums. The sums are computed in one
//! pass before agents think, several agents at a time (see `index`). The neighbours of an agent are
//! always added in the same order. An explanation computes the sums of one agent alone, and gets
//! the same bits.
//!
//! Searches for members of a large group, or for agents on a collision course, use
//! separate indexes (see `index`). Conditions about gaps also have their own indexes (see `gaps`).
//! The cell size of these indexes affects the cost, and the order in which members are visited.

pub(super) mod gaps;
pub(super) mod index;

use std::sync::Arc;

use crate::agent::Mode;
use crate::geom::Vec2;
use crate::geom::lanes::{Eight, Instructions, LANES, Simd, dispatch};
use crate::id::{AgentId, GroupId};
use crate::map::{Edges, Map};
use crate::rng::{RngKey, Use};
use crate::scenario::Scenario;
use crate::steering::senses::{Crowd, Neighbourhood, TOUCHING};
use crate::steering::{Searched, WeightedBehaviour};
use crate::world::neighbours::gaps::GapIndexes;
use crate::world::neighbours::index::{Block, Cells, GroupSearch, Index, Member, REACH, Region};
use crate::world::state::State;

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

/// Maximum number of members of a group that is searched without an index.
pub(crate) const SMALL_GROUP: usize = 32;

/// The index of a group, with the sums over the neighbours in that group.
#[derive(Debug)]
struct GroupIndex {
    agents: Arc<AgentIndex>,
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
            let region = region(&neighbourhood, &scenario.map);
            let view = SearchView { neighbourhood, region, sums: Vec::new(), by_place: Vec::new() };
            match groups.iter_mut().find(|group| group.agents.group == neighbourhood.of) {
                Some(group) => group.views.push(view),
                None => groups.push(GroupIndex {
                    agents: Arc::new(AgentIndex::new(scenario, neighbourhood.of)),
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
        Self { groups, searches: index::searches(scenario), gaps: GapIndexes::default() }
    }

    /// Rebuilds all indexes from the current positions.
    pub(crate) fn sort(&mut self, state: &State) {
        for group in &mut self.groups {
            let agents = &group.agents;
            group.index.sort(agents.len(), |rank| present_member(state, agents.id(rank)));
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
        self.searches.iter().find(|search| search.agents.group == of)
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
        Some(Crowd::from(*sums.get(group.agents.rank(id)?)?))
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
        let rank = group.agents.rank(first)?;
        let last = group.agents.rank(AgentId(first.0 + count as u32 - 1))?;
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
        let agent = member(state, id);
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
                let other = group.agents.id(index.rank(place) as usize);
                let offset = view.region.offset(&agent, &index.members()[place]);
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
        let group = self.groups.iter().position(|group| group.agents.group == neighbourhood.of)?;
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
            agents: Arc::clone(&self.agents),
            index: Index::new(self.index.cells),
            views: self.views.iter().map(view).collect(),
            summed: false,
        }
    }

    /// Computes the sums of each member whose current mode needs sums.
    #[inline(always)]
    fn sum<S: Simd>(&mut self, simd: S, state: &State, names: &[u64]) {
        let Self { agents, index, views, summed } = self;
        *summed = true;
        for view in views.iter_mut().filter(|view| !view.neighbourhood.by_edges) {
            if !agents.needs_sums.is_empty() {
                view.by_place.clear();
            }
            view.by_place.resize(index.len(), [0.0; LANES]);
            for row in 0..index.cells.rows {
                sum_row(simd, agents, index, view, row, state, names);
            }
            let SearchView { sums, by_place, .. } = view;
            let of = |&place: &u32| by_place.get(place as usize).copied().unwrap_or_default();
            sums.clear();
            sums.extend(index.places().iter().map(of));
        }
    }

    /// Computes the sums of one agent. The agent need not be a member of the group.
    fn sums_of(&self, view: &SearchView, id: AgentId, state: &State, names: &[u64]) -> Crowd {
        let agent = member(state, id);
        let (mut crowd, same_place) = self.index.crowd(&view.region, agent);
        let itself = self.agents.rank(id).map_or(0.0, |_| 1.0);
        if same_place > itself {
            add_same_place(&self.agents, &self.index, agent, id, names, &mut crowd);
        }
        crowd
    }
}

/// Computes the sums of the members in one row of cells, up to `LANES` members at a time.
#[inline(always)]
fn sum_row<S: Simd>(
    simd: S,
    agents: &AgentIndex,
    index: &Index,
    view: &mut SearchView,
    row: u32,
    state: &State,
    names: &[u64],
) {
    let mut places =
        index.row(row).filter(|&place| agents.needs_sums(index.rank(place), state)).peekable();
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
        let mut block = Block::<Eight<S>>::new(simd, |lane| &index.members()[lanes[lane]]);
        index.add_around(&mut block, &view.region, row, (left, right));
        let shared = block.shared_places();
        for (lane, row) in block.rows().into_iter().enumerate().take(filled) {
            let place = lanes[lane];
            view.by_place[place] = row;
            if shared >> lane & 1 == 1 {
                let (agent, mut crowd) = (index.members()[place], Crowd::from(row));
                let id = agents.id(index.rank(place) as usize);
                add_same_place(agents, index, agent, id, names, &mut crowd);
                view.by_place[place] = crowd.into();
            }
        }
    }
}

/// Adds the other agents at exactly the same position as an agent. These agents are neighbours
/// regardless of direction. Each of them pushes the agent in a random direction. The two agents of
/// a pair get opposite directions.
fn add_same_place(
    agents: &AgentIndex,
    index: &Index,
    agent: Member,
    id: AgentId,
    names: &[u64],
    crowd: &mut Crowd,
) {
    let (column, row) = (index.cells.column(agent.x), index.cells.row(agent.y));
    for place in index.range(row, &(column..column + 1)) {
        let other = index.members()[place];
        let other_id = agents.id(index.rank(place) as usize);
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

pub(super) fn member(state: &State, id: AgentId) -> Member {
    let index = id.index();
    Member { x: state.x[index], y: state.y[index], hx: state.hx[index], hy: state.hy[index] }
}

/// Returns the entry of an agent in an index. Returns `None` if the agent is absent.
pub(super) fn present_member(state: &State, id: AgentId) -> Option<Member> {
    state.is_present(id).then(|| member(state, id))
}

fn region(neighbourhood: &Neighbourhood, map: &Map) -> Region {
    let around = match map.edges() {
        Edges::Wall => Vec2::ZERO,
        Edges::Wrap => Vec2::new(map.width() as f32, map.height() as f32),
    };
    Region { radius: neighbourhood.radius, cone: neighbourhood.cone(), around }
}

fn neighbourhoods(mode: &Mode) -> impl Iterator<Item = Neighbourhood> {
    rows(mode).filter_map(|row| row.behaviour.neighbourhood())
}

fn rows(mode: &Mode) -> impl Iterator<Item = &WeightedBehaviour> {
    mode.drive.steering().iter().filter(|row| row.enabled)
}

/// The agents in an index, and the modes that need sums over neighbours. The rank of a member is
/// its index in the list of members, in agent order.
#[derive(Debug)]
pub struct AgentIndex {
    /// The indexed group; `None` if the index contains all agents.
    pub group: Option<GroupId>,
    ids: Ids,
    /// For each kind, its first agent, and one bool per mode. The bool is true if the mode needs
    /// sums. Empty if all modes of all members need sums.
    needs_sums: Vec<(AgentId, Box<[bool]>)>,
}

#[derive(Debug)]
enum Ids {
    /// A range of consecutive agents: the first member, and the number of members.
    Range(AgentId, usize),
    List(Box<[AgentId]>),
}

impl AgentIndex {
    /// Creates the list of the agents in a group. If `group` is `None`, the list contains all
    /// agents.
    pub fn new(scenario: &Scenario, group: Option<GroupId>) -> Self {
        let ids = match group.map(|group| scenario.members(group)) {
            None => Ids::Range(AgentId(0), scenario.starts.len()),
            Some([]) => Ids::Range(AgentId(0), 0),
            Some(members @ [first, .., last])
                if (last.0 - first.0) as usize + 1 == members.len() =>
            {
                Ids::Range(*first, members.len())
            }
            Some(members) => Ids::List(members.into()),
        };
        let mut agents = Self { group, ids, needs_sums: Vec::new() };
        let needs_sums = |mode| neighbourhoods(mode).any(|each| each.of == group);
        let kinds = scenario.kinds.iter();
        let needs_sums =
            kinds.map(|kind| (kind.first, kind.modes.iter().map(needs_sums).collect()));
        let needs_sums: Vec<(AgentId, Box<[bool]>)> = needs_sums.collect();
        let member = |kind: &&(AgentId, Box<[bool]>)| agents.rank(kind.0).is_some();
        if !needs_sums
            .iter()
            .filter(member)
            .all(|(_, modes)| modes.iter().all(|&needs_sums| needs_sums))
        {
            agents.needs_sums = needs_sums;
        }
        agents
    }

    pub fn len(&self) -> usize {
        match &self.ids {
            Ids::Range(_, count) => *count,
            Ids::List(ids) => ids.len(),
        }
    }

    #[inline]
    pub fn id(&self, rank: usize) -> AgentId {
        match &self.ids {
            Ids::Range(first, _) => AgentId(first.0 + rank as u32),
            Ids::List(ids) => ids[rank],
        }
    }

    /// Returns the rank of an agent among the members. Returns `None` if the agent is not a member.
    #[inline]
    pub fn rank(&self, id: AgentId) -> Option<usize> {
        match &self.ids {
            Ids::Range(first, count) => {
                id.0.checked_sub(first.0).map(|rank| rank as usize).filter(|rank| rank < count)
            }
            Ids::List(ids) => ids.binary_search(&id).ok(),
        }
    }

    /// Returns true if the current mode of the member with a given rank needs sums over neighbours.
    #[inline]
    pub fn needs_sums(&self, rank: u32, state: &State) -> bool {
        if self.needs_sums.is_empty() {
            return true;
        }
        let id = self.id(rank as usize);
        let kind = self.needs_sums.partition_point(|(first, _)| *first <= id) - 1;
        self.needs_sums[kind].1[usize::from(state.mode[id.index()])]
    }
}
