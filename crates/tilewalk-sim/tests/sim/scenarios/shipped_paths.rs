//! Claims in the comments of the shipped maps about paths and places.

use tilewalk_sim::event::EventKind;
use tilewalk_sim::geom::{TilePos, Vec2};
use tilewalk_sim::id::{AgentId, SteeringPathId};
use tilewalk_sim::step::step;
use tilewalk_sim::world::{Flags, World};

use crate::support::maps;

fn find(world: &World, name: &str) -> AgentId {
    world.scenario().find(name).expect("an agent of that name")
}

/// Returns the distance from a position to the nearest solid tile, by checking all tiles.
fn distance_to_wall(world: &World, at: Vec2) -> f32 {
    let map = world.scenario().map();
    let walls = map.tiles().iter().map(|(tile, _)| tile).filter(|&tile| map.is_solid(tile));
    let distances = walls.map(|tile| {
        let low = Vec2::new(tile.x as f32, tile.y as f32);
        (at - at.clamp(low, low + Vec2::ONE)).length()
    });
    distances.fold(f32::INFINITY, f32::min)
}

#[test]
fn courier_and_drunkard_stay_on_their_paths_and_the_postman_arrives() {
    let mut world = maps::world("paths");
    let [courier, postman, drunkard] =
        ["courier", "postman", "drunkard"].map(|name| find(&world, name));
    let off = |world: &World, id, path| {
        let laid = world.path(id, SteeringPathId(path)).expect("a path");
        laid.nearest(world.scenario().map(), world.position(id)).length()
    };
    let mut laps = 0;
    let mut before = world.position(courier);
    let mut spread = (f32::INFINITY, 0.0_f32);
    for _ in 0..2400 {
        step(&mut world);
        assert!(off(&world, courier, 0) < 1.0, "the courier, frame {}", world.frame());
        assert!(off(&world, drunkard, 2) < 1.0, "the drunkard, frame {}", world.frame());
        let now = world.position(courier);
        // The closing segment leads from row 8 to row 3, so each lap crosses row 5 once.
        laps += u32::from(before.y > 5.5 && now.y <= 5.5 && now.x < 6.0);
        before = now;
        let x = world.position(drunkard).x;
        spread = (spread.0.min(x), spread.1.max(x));
    }
    assert!(laps >= 8, "{laps} laps in two minutes");
    assert!(world.velocity(postman).length() < 1e-3);
    assert_eq!(world.tile(postman), TilePos::new(23, 6));
    assert!(spread.1 - spread.0 > 8.0, "the drunkard stays in one place: {spread:?}");
}

/// Returns the number of laps of an agent around a point, positive if clockwise on the screen. Calls
/// `check` after each frame.
fn turns(world: &mut World, id: AgentId, about: Vec2, frames: u32, check: impl Fn(&World)) -> f32 {
    let mut turned = 0.0;
    for _ in 0..frames {
        let before = world.position(id) - about;
        step(world);
        check(world);
        let now = world.position(id) - about;
        turned += libm::atan2f(before.perp_dot(now), before.dot(now));
    }
    turned / core::f32::consts::TAU
}

/// Each mouse keeps its distance in at least nine of ten frames, and its laps have the expected direction.
#[test]
fn mice_keep_their_distance_from_the_wall_and_complete_laps() {
    let room = Vec2::new(19.0, 9.0);
    let pillar = Vec2::new(10.0, 5.0);
    for (name, distance, about, direction) in
        [("left", 0.8, room, 1.0), ("right", 0.8, room, -1.0), ("pillar", 0.6, pillar, -1.0)]
    {
        let mut world = maps::world("mouse");
        let id = find(&world, name);
        (0..100).for_each(|_| step(&mut world));
        let kept = std::cell::Cell::new(0);
        let laps = turns(&mut world, id, about, 2400, |world| {
            let gap = distance_to_wall(world, world.position(id));
            kept.set(kept.get() + u32::from((gap - distance).abs() <= 0.3));
        });
        assert!(kept.get() >= 2400 * 9 / 10, "{name}: {} of 2400 frames", kept.get());
        assert!(laps * direction >= 1.7, "{name}: {laps} laps");
    }
}

/// Returns true if a tree or pillar covers the line between two positions.
fn is_covered(world: &World, a: Vec2, b: Vec2) -> bool {
    let mut covered = false;
    let along = b - a;
    world.scenario().map().visit_obstacles_near((a + b) / 2.0, along.length(), |obstacle| {
        let share = (obstacle.centre - a).dot(along) / along.length_squared();
        let near = a + along * share.clamp(0.0, 1.0);
        covered |=
            (0.0..1.0).contains(&share) && (near - obstacle.centre).length() < obstacle.radius;
    });
    covered
}

#[test]
fn hares_keep_a_pillar_between_themselves_and_the_hound() {
    let mut world = maps::world("hide");
    let hound = find(&world, "hound");
    let hares: Vec<_> = (1..=5).map(|n| find(&world, &format!("hare.{n}"))).collect();
    let (mut covered, mut checked) = (0, 0);
    for frame in 0..2400 {
        step(&mut world);
        if frame >= 100 {
            checked += 5;
            covered += hares
                .iter()
                .filter(|&&hare| is_covered(&world, world.position(hound), world.position(hare)))
                .count();
        }
    }
    assert!(covered * 10 >= checked * 9, "covered in {covered} of {checked}");
}

#[test]
fn the_guests_leave_the_building_and_the_captive_stays() {
    let mut world = maps::world("evacuation");
    let captive = find(&world, "captive");
    let mut blocked = 0;
    for _ in 0..900 {
        step(&mut world);
        let is_blocked = |event: &&tilewalk_sim::event::Event| {
            matches!(event.kind, EventKind::Blocked(_)) && event.agent == captive
        };
        blocked += world.events().iter().filter(is_blocked).count();
    }
    let left: Vec<_> = world.ids().map(|id| world.name(id).to_string()).collect();
    assert_eq!(left, ["captive", "visitor", "warden"], "all guests have left at the gate");
    assert_eq!(blocked, 1);
    assert!(world.flags(captive).has(Flags::BLOCKED));
    let [visitor, warden] = ["visitor", "warden"].map(|name| find(&world, name));
    let gap = (world.position(visitor) - world.position(warden)).length();
    assert!(gap < 1.5, "the warden is {gap} tiles off");
}
