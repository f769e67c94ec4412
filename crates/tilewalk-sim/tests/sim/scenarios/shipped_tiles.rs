//! Claims in the comments of the shipped maps with drives on tiles.

use tilewalk_sim::event::{EventKind, Obstruction};
use tilewalk_sim::geom::TilePos;
use tilewalk_sim::id::AgentId;
use tilewalk_sim::step::step;
use tilewalk_sim::world::{Flags, World};

use crate::support::maps;

fn find(world: &World, name: &str) -> AgentId {
    world.scenario().find(name).expect("an agent of that name")
}

#[test]
fn the_hunter_catches_the_runner_and_pillars_block_the_dog() {
    let mut world = maps::world("tile_chase");
    let [hunter, runner, drover, dog] =
        ["hunter", "runner", "drover", "dog"].map(|n| find(&world, n));
    let (mut caught, mut blocked, mut met) = (0, 0, 0);
    for _ in 0..3000 {
        step(&mut world);
        caught += u32::from(world.tile(hunter) == world.tile(runner));
        met += u32::from(world.tile(dog) == world.tile(drover));
        let block = |event: &&tilewalk_sim::event::Event| {
            event.agent == dog && matches!(event.kind, EventKind::Blocked(Obstruction::Ground(_)))
        };
        blocked += world.events().iter().filter(block).count();
    }
    assert!(caught > 0, "the runner is caught");
    assert!(blocked > 0 && met > 0, "blocked {blocked} times, met {met} times");
}

#[test]
fn the_courier_avoids_mud_and_crosses_the_south_bridge() {
    let mut world = maps::world("couriers");
    let [courier, herald, king, pilgrim] =
        ["courier", "herald", "king", "pilgrim"].map(|name| find(&world, name));
    let map = world.scenario().map().clone();
    let mut crossed = None;
    let mut arrivals = 0;
    for _ in 0..1500 {
        step(&mut world);
        let at = world.tile(courier);
        assert_ne!(map.kind(at).map(|kind| kind.name.as_str()), Some("mud"), "{at}");
        if at.x == 15 || at.x == 16 {
            crossed = Some(at.y);
        }
        let gap = world.tile(herald).king_distance(world.tile(king));
        assert!(world.frame().0 < 150 || gap <= 2, "the herald is {gap} tiles off");
        let arrived = |event: &&tilewalk_sim::event::Event| event.kind == EventKind::Arrived;
        arrivals += world.events().iter().filter(arrived).count();
    }
    assert_eq!(crossed, Some(11), "the south bridge");
    assert_eq!(world.tile(courier), TilePos::new(29, 6));
    assert!(world.flags(courier).has(Flags::ARRIVED) && arrivals > 10);
    assert_eq!(world.obstruction(pilgrim), Some(Obstruction::NoRoute));
    assert_eq!(world.tally(king).blocked, 0, "no agent blocks the king");
}

#[test]
fn the_sentry_alternates_patterns_and_the_sprite_picks_at_random() {
    let mut world = maps::world("rota");
    let [sentry, sprite] = ["sentry", "sprite"].map(|name| find(&world, name));
    let mut picks = [vec![], vec![]];
    let mut tiles = std::collections::BTreeSet::new();
    for _ in 0..4000 {
        step(&mut world);
        tiles.insert(world.tile(sentry));
        for event in world.events() {
            if let EventKind::Pattern { pick } = event.kind {
                picks[usize::from(event.agent == sprite)].push(pick);
            }
        }
    }
    let turns: Vec<u16> = (0..picks[0].len() as u16).map(|index| (index + 1) % 2).collect();
    assert_eq!(picks[0], turns);
    let counts = [0, 1, 2].map(|pick| picks[1].iter().filter(|&&other| other == pick).count());
    assert!(counts.iter().all(|&count| count >= picks[1].len() / 5), "{counts:?}");
    assert!(tiles.len() >= 12, "the sentry strolls: {tiles:?}");
    assert_eq!(world.tally(sentry).blocked + world.tally(sprite).blocked, 0);
}
