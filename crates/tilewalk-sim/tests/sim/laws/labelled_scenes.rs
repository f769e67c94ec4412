//! Checks the events of stuck, oscillating and deadlocked agents in the labelled scenes against the
//! positions and obstructions of the agents. Distances are computed in f64.

use tilewalk_sim::event::{EventKind, Obstruction};
use tilewalk_sim::geom::Vec2;
use tilewalk_sim::id::AgentId;
use tilewalk_sim::map::Edges;
use tilewalk_sim::step::step;
use tilewalk_sim::world::{Flags, World};

use crate::scenarios::stuck_detectors::{DURATION, Scene, all_scenes};

type Point = (f64, f64);

/// The positions of all agents in all frames, on a map that does not wrap.
struct Tracks(Vec<Vec<Point>>);

impl Tracks {
    fn new(world: &World) -> Self {
        Self(vec![Vec::new(); world.len()])
    }

    fn add(&mut self, world: &World) {
        for id in world.ids() {
            let Vec2 { x, y, .. } = world.position(id);
            self.0[id.index()].push((f64::from(x), f64::from(y)));
        }
    }
}

fn distance(a: Point, b: Point) -> f64 {
    (a.0 - b.0).hypot(a.1 - b.1)
}

/// Returns how often a track turns back by more than half a tile.
fn turns(track: &[Point]) -> usize {
    let (mut start, mut far, mut turns) = (track[0], track[0], 0);
    for &at in track {
        if distance(start, at) >= distance(start, far) {
            far = at;
        } else if distance(start, at) < distance(start, far) - 0.5 {
            (start, far, turns) = (far, at, turns + 1);
        }
    }
    turns
}

/// Returns the largest number of turns from any full second to the end of a track. From the start of the
/// track there can be fewer turns, because the agent may come from far away. `frames` is the number of
/// frames in a second.
fn most_turns(track: &[Point], frames: usize) -> usize {
    (0..track.len()).step_by(frames).map(|start| turns(&track[start..])).max().expect("a track")
}

/// Calls `visit` after each frame of each scene whose map does not wrap.
fn each_frame(mut visit: impl FnMut(&Scene, &World, &Tracks)) {
    let mut count = 0;
    for scene in all_scenes() {
        let mut world = scene.world();
        if world.scenario().map().edges() == Edges::Wrap {
            continue;
        }
        count += 1;
        let mut tracks = Tracks::new(&world);
        tracks.add(&world);
        for _ in 0..(DURATION / world.scenario().tick()).round() as u32 {
            step(&mut world);
            tracks.add(&world);
            visit(&scene, &world, &tracks);
        }
    }
    assert!(count > 80, "{count} scenes");
}

#[test]
fn a_stuck_agent_has_stayed_in_place_for_three_seconds() {
    let mut count = 0;
    each_frame(|scene, world, tracks| {
        let frames = (3.0 / world.scenario().tick()).ceil() as usize;
        for event in world.events().iter().filter(|event| event.kind == EventKind::Stuck) {
            let track = &tracks.0[event.agent.index()];
            let recent = &track[track.len() - frames..];
            let last = recent[frames - 1];
            // All positions are within half a tile of an anchor, so within one tile of each other.
            assert!(recent.iter().all(|&at| distance(at, last) <= 1.0), "{}", scene.name);
            count += 1;
        }
    });
    assert!(count > 60, "{count} events");
}

#[test]
fn an_oscillating_agent_has_turned_back_at_least_six_times() {
    let mut count = 0;
    each_frame(|scene, world, tracks| {
        let to_and_fro = EventKind::Oscillating { row: None };
        for event in world.events().iter().filter(|event| event.kind == to_and_fro) {
            let second = (1.0 / world.scenario().tick()).round() as usize;
            let turns = most_turns(&tracks.0[event.agent.index()], second);
            assert!(turns >= 6, "{}: {turns} turns", scene.name);
            assert!(f64::from(world.time()) >= 4.0, "{}", scene.name);
            count += 1;
        }
    });
    assert!(count >= 20, "{count} events");
}

/// Returns the agent on the tile that a walker wants to enter.
fn blocker(world: &World, id: AgentId) -> Option<AgentId> {
    match world.obstruction(id)? {
        Obstruction::Agent(other) => Some(other),
        _ => None,
    }
}

/// Returns the blocker of an agent, the blocker of this blocker, and so on.
fn reachable(world: &World, id: AgentId) -> Vec<AgentId> {
    let mut found = Vec::new();
    let mut at = blocker(world, id);
    while let Some(next) = at.filter(|next| !found.contains(next)) {
        found.push(next);
        at = blocker(world, next);
    }
    found
}

#[test]
fn a_deadlock_event_lists_the_cycle_of_agents_that_block_each_other() {
    let mut count = 0;
    each_frame(|scene, world, _| {
        for event in world.events() {
            let EventKind::Deadlocked(cycle) = event.kind else { continue };
            let found = reachable(world, event.agent);
            assert_eq!(found.last(), Some(&event.agent), "{}", scene.name);
            assert_eq!(cycle.count as usize, found.len(), "{}", scene.name);
            assert_eq!(cycle.named(), &found[..found.len().min(4)], "{}", scene.name);
            count += 1;
        }
    });
    assert!(count > 50, "{count} events");
}

#[test]
fn deadlocked_agents_at_the_end_of_a_scene_are_those_in_cycles_of_blockers() {
    let mut count = 0;
    for scene in all_scenes() {
        let mut world = scene.world();
        (0..(DURATION / world.scenario().tick()).round() as u32).for_each(|_| step(&mut world));
        for id in world.ids() {
            let flags = world.flags(id);
            let in_cycle = reachable(&world, id).contains(&id);
            assert_eq!(flags.has(Flags::DEADLOCKED), in_cycle, "{}", scene.name);
            assert!(!in_cycle || flags.has(Flags::STUCK), "{}", scene.name);
            count += usize::from(in_cycle);
        }
    }
    assert!(count > 50, "{count} agents");
}
