//! Checks what explanations report about the search for neighbours: the searched cells, the agents in the
//! cells, and the neighbours.

use proptest::prelude::*;
use tilewalk_sim::agent::Drive;
use tilewalk_sim::body::Body;
use tilewalk_sim::geom::Vec2;
use tilewalk_sim::id::AgentId;
use tilewalk_sim::map::Edges;
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::steering::combine::Combine;
use tilewalk_sim::steering::{Behaviour, CellBlock, Neighbourhood, Note, Separation};
use tilewalk_sim::step::{explain, step};
use tilewalk_sim::world::World;

use crate::support::build;

/// Returns a scenario in which all agents have `separation` with a neighbourhood of this radius.
fn scenario(edges: Edges, size: (usize, usize), radius: f32, at: &[(f32, f32)]) -> Scenario {
    let mut scenario = build::scenario(build::map(&vec![".".repeat(size.0); size.1], edges));
    for (index, &(x, y)) in at.iter().enumerate() {
        let neighbourhood = Neighbourhood { radius, angle: None, of: None, by_edges: false };
        let rows = vec![build::behaviour(Behaviour::Separation(Separation(neighbourhood)), None)];
        let at = Vec2::new(x * size.0 as f32, y * size.1 as f32);
        let drive = Drive::Steer { combine: Combine::Prioritized, rows };
        build::add(&mut scenario, &format!("a{index}"), at, Body::default(), drive);
    }
    scenario
}

/// What an explanation reports about an agent's search for neighbours.
#[derive(Default)]
struct Search {
    cells: Vec<CellBlock>,
    candidates: Vec<(AgentId, bool)>,
    neighbours: Vec<AgentId>,
}

fn search(world: &World, id: AgentId) -> Search {
    let mut search = Search::default();
    for (_, note) in explain(world, id).forces.notes {
        match note {
            Note::Cells(block) => search.cells.push(block),
            Note::Candidate { agent, is_neighbour, .. } => {
                search.candidates.push((agent, is_neighbour));
            }
            Note::Neighbour(agent) => search.neighbours.push(agent),
            _ => {}
        }
    }
    search
}

/// Returns the distance between two agents in f64. On maps that wrap, it is measured along the
/// shorter way around.
fn distance(world: &World, a: AgentId, b: AgentId) -> f64 {
    let map = world.scenario().map();
    let along_axis = |from: f32, to: f32, size: u32| {
        let away = (f64::from(to) - f64::from(from)).abs();
        if map.edges() == Edges::Wrap { away.min(f64::from(size) - away) } else { away }
    };
    let (a, b) = (world.position(a), world.position(b));
    along_axis(a.x, b.x, map.width()).hypot(along_axis(a.y, b.y, map.height()))
}

/// Returns whether a position is in a block of cells, or `None` if the result depends on rounding.
fn is_in(block: &CellBlock, at: Vec2) -> Option<bool> {
    let near = |a: f32, b: f32| (a - b).abs() < 1e-3;
    if [(at.x, block.from.x), (at.x, block.to.x), (at.y, block.from.y), (at.y, block.to.y)]
        .into_iter()
        .any(|(a, b)| near(a, b))
    {
        return None;
    }
    let inside = |at, from, to| from < at && at < to;
    Some(inside(at.x, block.from.x, block.to.x) && inside(at.y, block.from.y, block.to.y))
}

/// Asserts that the candidates of an agent are the agents in the reported cells, and that its neighbours
/// are those that a check of all agents finds. Returns the number of neighbours.
fn check(world: &World, id: AgentId, radius: f32) -> Result<usize, TestCaseError> {
    let found = search(world, id);
    prop_assert!((1..=4).contains(&found.cells.len()));
    for other in world.ids().filter(|&other| other != id) {
        let candidate = found.candidates.iter().find(|(agent, _)| *agent == other);
        let at = world.position(other);
        let is_in_blocks: Option<Vec<bool>> =
            found.cells.iter().map(|block| is_in(block, at)).collect();
        if let Some(is_in_blocks) = is_in_blocks {
            let count = is_in_blocks.into_iter().filter(|inside| *inside).count();
            prop_assert_eq!(count, usize::from(candidate.is_some()), "{:?} at {}", other, at);
        }
        let away = distance(world, id, other);
        let is_neighbour = found.neighbours.contains(&other);
        if (away - f64::from(radius)).abs() > 1e-4 {
            prop_assert_eq!(is_neighbour, away < f64::from(radius), "{:?}: {}", other, away);
        }
        prop_assert_eq!(candidate.is_some_and(|(_, neighbour)| *neighbour), is_neighbour);
        prop_assert!(!is_neighbour || candidate.is_some());
    }
    prop_assert!(found.candidates.iter().all(|(agent, _)| *agent != id));
    Ok(found.neighbours.len())
}

proptest! {
    #![proptest_config(build::cases(200))]

    /// The candidates are the agents in the searched cells. All neighbours are candidates, and a check of
    /// all agents finds the same neighbours.
    #[test]
    fn the_search_finds_all_neighbours_in_the_reported_cells(
        at in prop::collection::vec((0.001_f32..0.999, 0.001_f32..0.999), 2..60),
        size in (3_usize..40, 3_usize..30),
        radius in 0.3_f32..12.0,
        wraps in any::<bool>(),
    ) {
        let edges = if wraps { Edges::Wrap } else { Edges::Wall };
        let mut world = build::world(scenario(edges, size, radius, &at));
        for _ in 0..3 {
            for id in world.ids().collect::<Vec<_>>() {
                check(&world, id, radius)?;
            }
            step(&mut world);
        }
    }
}

/// With a small radius on a large map, the searched cells contain few agents.
#[test]
fn distant_agents_are_not_in_the_searched_cells() {
    let at: Vec<_> = (0..40).map(|index| ((index as f32 + 0.5) / 40.0, 0.5)).collect();
    let world = build::world(scenario(Edges::Wrap, (40, 40), 3.0, &at));
    let found = search(&world, AgentId(0));
    let [columns, rows] = found.cells[0].grid;
    let searched: u32 = found.cells.iter().map(|block| block.size[0] * block.size[1]).sum();
    assert!(searched * 5 < columns * rows, "{searched} of {}", columns * rows);
    assert_eq!(found.neighbours.len(), 4, "two on each side");
    assert!(found.candidates.len() < 12, "{}", found.candidates.len());
    assert!(check(&world, AgentId(0), 3.0).is_ok());
}
