//! Facts about a tile: its kind, its obstacles, and the agents, patterns and routes on it.

use crate::agent::AgentKind;
use crate::event::Obstruction;
use crate::geom::TilePos;
use crate::id::AgentId;
use crate::map::{Obstacle, StepError, TILE_RADIUS};
use crate::pattern::{Pattern, Placement};
use crate::tui::draw::facts::Facts;
use crate::tui::glyph;
use crate::words;
use crate::world::{Flags, World};

/// Maximum number of agents, and of routes, shown for a tile.
const LISTED: usize = 8;

/// Maximum number of agents whose patterns or routes are searched for a tile.
const LOOKED_AT: usize = 1000;

/// Maximum number of tiles searched on a route.
const AHEAD: usize = 4096;

/// Adds the facts about the tile `at`. If the tile is outside the map, adds only the fact `outside
/// the map`.
pub fn describe(world: &World, at: TilePos, facts: &mut Facts) {
    let scenario = world.scenario();
    let Some(kind) = scenario.map().kind(at) else {
        facts.fact("tile", "outside the map");
        return;
    };
    facts.fact("tile", format!("{} “{}”", kind.name, glyph::safe(&kind.glyph)));
    let yes_no = |yes, a: &str, b: &str| if yes { a.to_owned() } else { b.to_owned() };
    let theme = facts.theme;
    let walk = yes_no(kind.walk, "walkable", "not walkable");
    let sight = yes_no(kind.opaque, "opaque", "transparent");
    facts.phrases("ground", [(walk, theme.text), (sight, theme.text)]);
    if kind.walk {
        facts.fact("cost", format!("{} to enter", kind.cost));
    }
    if kind.walk && kind.drag > 0.0 {
        facts.fact("drag", format!("{}/s for vehicles", kind.drag));
    }
    let mut obstacles = Vec::new();
    scenario.map().visit_obstacles_on(at, |obstacle| obstacles.push(obstacle));
    scenario.map().visit_obstacles_near(at.centre(), 0.0, |obstacle| {
        if obstacle.radius > TILE_RADIUS && !obstacles.contains(&obstacle) {
            obstacles.push(obstacle);
        }
    });
    for Obstacle { centre, radius, opaque } in obstacles {
        let mut phrases = vec![(format!("circle, radius {radius}"), theme.text)];
        if centre != at.centre() {
            phrases.push((format!("centre {}", words::point(centre)), theme.text));
        }
        phrases.extend(opaque.then(|| ("opaque".to_owned(), theme.text)));
        facts.phrases("obstacle", phrases);
    }
    for id in scenario.map().walls_on(at) {
        let mut phrases = vec![(words::wall(scenario.map(), id), theme.text)];
        let sides = scenario.map().walls().get(id).filter(|wall| wall.one_sided);
        phrases.extend(sides.map(|_| ("one-sided".to_owned(), theme.dim)));
        facts.phrases("free wall", phrases);
    }
    for place in scenario.places().iter().filter(|place| TilePos::containing(place.at) == at) {
        facts.fact("place", place.name.clone());
    }
    agents(world, at, facts);
    refused(world, at, facts);
    for (index, text) in patterns(world, at).into_iter().enumerate() {
        facts.fact(if index == 0 { "patterns" } else { "" }, text);
    }
    routes(world, at, facts);
}

fn agents(world: &World, at: TilePos, facts: &mut Facts) {
    let here: Vec<AgentId> = world.ids().filter(|&id| world.tile(id) == at).collect();
    let theme = facts.theme;
    for (index, &id) in here.iter().take(LISTED).enumerate() {
        let name = world.name(id).to_string();
        let mode = world.mode(id).name.clone();
        let label = if index == 0 { "agents" } else { "" };
        facts.phrases(label, [(name, theme.strong), (mode, theme.dim)]);
    }
    if here.is_empty() {
        facts.phrases("agents", [("none".to_owned(), theme.dim)]);
    }
    if here.len() > LISTED {
        facts.fact("", format!("and {} more", here.len() - LISTED));
    }
}

/// Adds the agents that are blocked at this frame because they cannot enter a tile.
fn refused(world: &World, at: TilePos, facts: &mut Facts) {
    let wants = |id: AgentId| match world.obstruction(id)? {
        Obstruction::Agent(other) if world.is_present(other) => Some(world.tile(other)),
        Obstruction::Ground(
            StepError::Wall(tile)
            | StepError::Obstacle(tile)
            | StepError::FreeWall(tile, _)
            | StepError::Corner(tile),
        ) => Some(tile),
        Obstruction::Ground(StepError::Edge)
        | Obstruction::Agent(_)
        | Obstruction::NoRoute
        | Obstruction::NoWay => None,
    };
    let is_blocked = |id: &AgentId| world.flags(*id).has(Flags::BLOCKED);
    let found = world.ids().filter(is_blocked).filter(|&id| wants(id) == Some(at));
    for (index, id) in found.take(LISTED).enumerate() {
        let (name, due) = (world.name(id).to_string(), words::due(world.step_due_in(id)));
        let phrases = [(name, facts.theme.strong), (format!("retries {due}"), facts.theme.dim)];
        facts.phrases(if index == 0 { "refused" } else { "" }, phrases);
    }
}

/// Describes the patterns that contain a tile, with the agents that use them. Searches all modes of
/// all agents.
fn patterns(world: &World, at: TilePos) -> Vec<String> {
    let scenario = world.scenario();
    let mut texts = Vec::new();
    for kind in scenario.kinds() {
        for mode in &kind.modes {
            for used in mode.drive.patterns() {
                let place = |id: AgentId| {
                    let home = TilePos::containing(world.home(id));
                    let anchor = used.placement.anchor(home);
                    used.pattern.rank_on(scenario.map(), anchor, at)
                };
                // A fixed anchor is the same for all agents.
                let searched = if used.placement == Placement::Home { LOOKED_AT } else { 1 };
                let ids = kind.ids().filter(|&id| world.is_present(id)).take(searched);
                let mut found = ids.filter_map(|id| Some((id, place(id)?)));
                let Some((id, rank)) = found.next() else { continue };
                let owner = owner(world, kind, id, used.placement, found.count());
                let modes =
                    if kind.modes.len() > 1 { format!(", {}", mode.name) } else { String::new() };
                let which = match used.pattern.as_ref() {
                    Pattern::Path(path) => format!("tile {} of {}", rank + 1, path.tiles().len()),
                    Pattern::Matrix(_) | Pattern::Steps(_) | Pattern::Thrust(_) => {
                        format!("one of {} tiles", used.pattern.tiles().len())
                    }
                };
                texts.push(format!("{} ({owner}{modes}): {which}", used.name));
            }
        }
    }
    texts
}

/// Describes the agents that use a pattern. If the pattern starts at each agent's home, names the
/// agent `first` and the number `more` of further agents. Otherwise, returns the name of the agent
/// kind.
fn owner(
    world: &World,
    kind: &AgentKind,
    first: AgentId,
    placement: Placement,
    more: usize,
) -> String {
    match (placement, more) {
        (Placement::At(_), _) => kind.name.clone(),
        (Placement::Home, 0) => world.name(first).to_string(),
        (Placement::Home, more) => format!("{} and {more} more", world.name(first)),
    }
}

/// Adds the agents whose route contains a tile. Each agent has the number of steps to that tile.
fn routes(world: &World, at: TilePos, facts: &mut Facts) {
    let steps = |id: AgentId| world.ahead(id).take(AHEAD).position(|tile| tile == at);
    let found = world.ids().take(LOOKED_AT).filter_map(|id| Some((id, steps(id)?)));
    for (index, (id, steps)) in found.take(LISTED).enumerate() {
        let steps = words::count(steps as u64 + 1, "step");
        let text = format!("{}, in {steps}", world.name(id));
        facts.fact(if index == 0 { "routes" } else { "" }, text);
    }
}
