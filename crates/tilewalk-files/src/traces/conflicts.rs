//! Finds the conflicts of a plan: agents that are at the same place, exchange their tiles, enter a
//! wall, jump, or start at the wrong tile.
//!
//! An agent occupies a square of one tile around its position. Agents that stand at the centres of
//! tiles are in conflict if they are on the same tile. A plan can also have positions between tiles.
//! Then two agents are in conflict if their squares overlap, and the conflict counts once, in the
//! first frame of the overlap.
//!
//! The conflicts are those of R. Stern et al., "Multi-Agent Pathfinding: Definitions, Variants, and
//! Benchmarks" (2019): vertex conflicts and swapping conflicts. Following another agent closely is
//! not a conflict.

use tilewalk_sim::geom::{TilePos, Vec2};
use tilewalk_sim::map::Map;
use tilewalk_sim::scenario::run::{RunRow, RunTable};
use tilewalk_sim::sort::SmallSort;
use tilewalk_sim::trace::Values;

/// Largest number of conflicts to find.
const MAX_FOUND: usize = 100_000;

/// Largest error of a position, in tiles.
const TOLERANCE: f32 = 1e-3;

/// A kind of conflicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ConflictKind {
    /// An agent starts at another tile than it has to.
    Start,
    /// An agent is on a tile that can't be entered, or outside the map.
    Wall,
    /// An agent moves to a tile that is not a neighbour of its tile.
    Jump,
    /// Several agents are at the same place.
    Vertex,
    /// Agents exchange their tiles.
    Edge,
}

impl ConflictKind {
    /// All kinds, in the order in which the conflicts of a frame are listed.
    pub const ALL: [Self; 5] = [Self::Start, Self::Wall, Self::Jump, Self::Vertex, Self::Edge];

    /// Returns the name of the kind for output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Wall => "wall",
            Self::Jump => "jump",
            Self::Vertex => "vertex",
            Self::Edge => "edge",
        }
    }
}

/// A conflict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// Kind of the conflict.
    pub kind: ConflictKind,
    /// Frame of the conflict. For an edge conflict and a jump, the frame after the move.
    pub frame: u32,
    /// Tile of the conflict.
    pub tile: TilePos,
    /// The other tile of an edge conflict, the tile before a jump, or the tile at which the agent
    /// has to start.
    pub other: Option<TilePos>,
    /// Indices of the agents, in order.
    pub agents: Vec<u32>,
}

/// The conflicts of a plan.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Conflicts {
    /// The conflicts, in order of frames.
    pub list: Vec<Conflict>,
    /// Whether the search ended early because there are too many conflicts.
    pub is_cut: bool,
}

impl Conflicts {
    /// Returns the number of conflicts of a kind.
    pub fn count(&self, kind: ConflictKind) -> usize {
        self.list.iter().filter(|conflict| conflict.kind == kind).count()
    }
}

/// Finds the conflicts of a plan. Without a map, no tile is a wall. `starts` has the tile at which
/// each agent has to start; it can be shorter than the list of agents.
///
/// The columns `from.x` and `from.y` of the plan replace the positions of the frame before.
pub fn find(table: &RunTable, map: Option<&Map>, starts: &[Option<TilePos>]) -> Conflicts {
    let mut search = Search {
        table,
        map,
        starts,
        given: numbers(table, "from.x").zip(numbers(table, "from.y")).map(|(x, y)| [x, y]),
        next_rows: vec![0; table.agents.len()],
        now: Vec::new(),
        before: vec![None; table.agents.len()],
        moved: Vec::new(),
        found: Vec::new(),
    };
    let is_centred = |row: &RunRow| {
        let off = row.position - TilePos::containing(row.position).centre();
        off.x.abs() < TOLERANCE && off.y.abs() < TOLERANCE
    };
    let on_tiles = table.rows.iter().all(is_centred);
    let mut list = Vec::new();
    for frame in 0..table.frames {
        search.begin(frame);
        search.check_agents(frame, on_tiles);
        if on_tiles {
            search.check_tiles(frame);
            search.check_swaps(frame);
        } else {
            search.check_overlaps(frame);
        }
        search
            .found
            .small_sort_by(|a, b| (a.kind, a.tile, &a.agents).cmp(&(b.kind, b.tile, &b.agents)));
        list.append(&mut search.found);
        if list.len() >= MAX_FOUND {
            list.truncate(MAX_FOUND);
            return Conflicts { list, is_cut: true };
        }
        search.end();
    }
    Conflicts { list, is_cut: false }
}

/// Returns a column of numbers.
fn numbers<'a>(table: &'a RunTable, name: &str) -> Option<&'a [f32]> {
    match &table.columns.iter().find(|column| column.name == name)?.values {
        Values::Numbers(numbers) => Some(numbers),
        Values::Texts(_) => None,
    }
}

/// An agent in a frame.
#[derive(Debug, Clone, Copy)]
struct Place {
    tile: TilePos,
    agent: u32,
    position: Vec2,
    /// Position one frame earlier, if the agent was in the world.
    from: Option<Vec2>,
}

struct Search<'a> {
    table: &'a RunTable,
    map: Option<&'a Map>,
    starts: &'a [Option<TilePos>],
    /// The columns `from.x` and `from.y`.
    given: Option<[&'a [f32]; 2]>,
    /// For each agent, the number of rows before the current frame.
    next_rows: Vec<usize>,
    /// The agents of the current frame, sorted by tile and agent.
    now: Vec<Place>,
    /// For each agent, the position of the frame before.
    before: Vec<Option<Vec2>>,
    /// The moves from a tile to another one, sorted.
    moved: Vec<(TilePos, TilePos, u32)>,
    /// The conflicts of the current frame.
    found: Vec<Conflict>,
}

impl Search<'_> {
    /// Collects the agents of a frame.
    fn begin(&mut self, frame: u32) {
        self.now.clear();
        for agent in 0..self.table.agents.len() {
            let index = self.next_rows[agent];
            let Some(row) = self.table.rows_of(agent).get(index) else { continue };
            if row.frame != frame {
                continue;
            }
            self.next_rows[agent] += 1;
            let from = self.given_from(self.table.first_rows[agent] as usize + index);
            self.now.push(Place {
                tile: TilePos::containing(row.position),
                agent: agent as u32,
                position: row.position,
                from: from.or(self.before[agent]),
            });
        }
        self.now.sort_unstable_by_key(|place| (place.tile, place.agent));
    }

    /// Keeps the positions for the next frame.
    fn end(&mut self) {
        self.before.fill(None);
        for place in &self.now {
            self.before[place.agent as usize] = Some(place.position);
        }
    }

    /// Returns the position of the frame before that the plan names.
    fn given_from(&self, row: usize) -> Option<Vec2> {
        let [x, y] = self.given?;
        let from = Vec2::new(x[row] + 0.5, y[row] + 0.5);
        Some(from).filter(|from| from.is_finite())
    }

    fn add(
        &mut self,
        kind: ConflictKind,
        frame: u32,
        tiles: (TilePos, Option<TilePos>),
        agents: Vec<u32>,
    ) {
        self.found.push(Conflict { kind, frame, tile: tiles.0, other: tiles.1, agents });
    }

    /// Finds wrong starts, walls and jumps.
    fn check_agents(&mut self, frame: u32, on_tiles: bool) {
        for index in 0..self.now.len() {
            let place = self.now[index];
            let agent = place.agent as usize;
            let start = self.starts.get(agent).copied().flatten();
            if self.next_rows[agent] == 1
                && let Some(start) = start.filter(|start| *start != place.tile)
            {
                self.add(ConflictKind::Start, frame, (place.tile, Some(start)), vec![place.agent]);
            }
            if let Some(wall) = self.wall(place, on_tiles) {
                self.add(ConflictKind::Wall, frame, (wall, None), vec![place.agent]);
            }
            let Some(from) = place.from else { continue };
            let way = place.position - from;
            if way.x.abs() + way.y.abs() > 1.0 + TOLERANCE {
                let from = TilePos::containing(from);
                self.add(ConflictKind::Jump, frame, (place.tile, Some(from)), vec![place.agent]);
            }
        }
    }

    /// Returns the first tile under an agent that can't be entered.
    fn wall(&self, place: Place, on_tiles: bool) -> Option<TilePos> {
        let map = self.map?;
        if on_tiles {
            return Some(place.tile).filter(|tile| !map.is_open(*tile));
        }
        let low = TilePos::containing(place.position - Vec2::splat(0.5 - TOLERANCE));
        let high = TilePos::containing(place.position + Vec2::splat(0.5 - TOLERANCE));
        let tiles =
            (low.y..=high.y).flat_map(|y| (low.x..=high.x).map(move |x| TilePos::new(x, y)));
        tiles.into_iter().find(|tile| !map.is_open(*tile))
    }

    /// Finds tiles with several agents.
    fn check_tiles(&mut self, frame: u32) {
        let now = core::mem::take(&mut self.now);
        for group in now.chunk_by(|a, b| a.tile == b.tile) {
            if group.len() > 1 {
                let agents = group.iter().map(|place| place.agent).collect();
                self.add(ConflictKind::Vertex, frame, (group[0].tile, None), agents);
            }
        }
        self.now = now;
    }

    /// Finds agents that exchange their tiles.
    fn check_swaps(&mut self, frame: u32) {
        let mut moved = core::mem::take(&mut self.moved);
        moved.clear();
        moved.extend(self.now.iter().filter_map(|place| {
            let from = TilePos::containing(place.from?);
            (from != place.tile).then_some((from, place.tile, place.agent))
        }));
        moved.sort_unstable();
        for group in moved.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let (from, to, _) = group[0];
            if from > to {
                continue;
            }
            let first = moved.partition_point(|it| (it.0, it.1) < (to, from));
            let back = moved[first..].iter().take_while(|it| (it.0, it.1) == (to, from));
            let back: Vec<u32> = back.map(|it| it.2).collect();
            if back.is_empty() {
                continue;
            }
            let mut agents: Vec<u32> = group.iter().map(|it| it.2).chain(back).collect();
            agents.sort_unstable();
            self.add(ConflictKind::Edge, frame, (from, Some(to)), agents);
        }
        self.moved = moved;
    }

    /// Finds pairs of agents whose squares begin to overlap.
    fn check_overlaps(&mut self, frame: u32) {
        let now = core::mem::take(&mut self.now);
        for place in &now {
            for y in -1..=1 {
                let row = TilePos::new(place.tile.x - 1, place.tile.y + y);
                let first = now.partition_point(|other| other.tile < row);
                let near = now[first..].iter();
                let near = near
                    .take_while(|other| other.tile.y == row.y && other.tile.x <= place.tile.x + 1);
                for other in near.filter(|other| other.agent > place.agent) {
                    if overlap(place.position, other.position)
                        && !place.from.zip(other.from).is_some_and(|(a, b)| overlap(a, b))
                    {
                        self.add_overlap(frame, place, other);
                    }
                    if self.found.len() > MAX_FOUND {
                        return;
                    }
                }
            }
        }
        self.now = now;
    }

    fn add_overlap(&mut self, frame: u32, place: &Place, other: &Place) {
        let motion = |place: &Place| place.from.map_or(Vec2::ZERO, |from| place.position - from);
        let (a, b) = (motion(place), motion(other));
        let is_towards = a.dot(b) < 0.0 && a.dot(other.position - place.position) > 0.0;
        let agents = vec![place.agent, other.agent];
        if is_towards && place.tile != other.tile {
            let tiles = (place.tile.min(other.tile), Some(place.tile.max(other.tile)));
            self.add(ConflictKind::Edge, frame, tiles, agents);
        } else {
            let middle = TilePos::containing((place.position + other.position) * 0.5);
            self.add(ConflictKind::Vertex, frame, (middle, None), agents);
        }
    }
}

/// Returns true if the squares around two positions overlap.
fn overlap(a: Vec2, b: Vec2) -> bool {
    let apart = a - b;
    apart.x.abs().max(apart.y.abs()) < 1.0 - TOLERANCE
}
