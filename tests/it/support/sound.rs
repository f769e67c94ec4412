//! Properties of every frame.

use std::collections::BTreeSet;

use tilewalk::agent::Mode;
use tilewalk::geom::TilePos;
use tilewalk::map::sweep;
use tilewalk::world::World;

/// Every centre on ground that is not solid, and no disc overlapping anything.
pub fn assert_out_of_walls(world: &World) {
    let map = world.scenario().map();
    for id in world.ids() {
        let at = world.position(id);
        let name = world.name(id);
        assert!(
            !map.is_solid(TilePos::containing(at)),
            "{name} at {at} in frame {}",
            world.frame()
        );
        let radius = world.body(id).radius;
        assert!(
            !sweep::overlaps(map, at, radius),
            "{name} at {at} overlaps, frame {}",
            world.frame()
        );
    }
}

/// How deep a body may press into a surface when a free wall moves it back, in tiles: the gap that it
/// usually keeps.
const NEAR_WALLS: f32 = 1e-3;

/// Every number is finite, and every agent is on the map and on ground that is not solid. An agent that
/// always walks is at the centre of an open tile. An agent that never walks overlaps nothing. An agent
/// that does both may begin to walk anywhere on a tile, also on the tile of an obstacle.
pub fn assert_sound(world: &World) {
    let map = world.scenario().map();
    let names: BTreeSet<_> = world.ids().map(|id| world.name(id).to_string()).collect();
    assert_eq!(names.len(), world.population(), "frame {}: two agents share a name", world.frame());
    for id in world.ids() {
        let (at, motion) = (world.position(id), world.motion(id));
        let place = || format!("{} at {at}, frame {}", world.name(id), world.frame());
        let vectors = [at, motion.velocity, motion.heading];
        let is_finite = vectors.iter().all(|vector| vector.is_finite());
        assert!(is_finite && motion.angular_velocity.is_finite(), "{}: {motion:?}", place());
        assert!(map.kind(TilePos::containing(at)).is_some(), "{}: outside", place());
        assert!(!map.is_solid(TilePos::containing(at)), "{}: in a solid tile", place());
        let modes = &world.kind(id).modes;
        if modes.iter().all(|mode| drives(mode).all(|walks| walks)) {
            assert_eq!(at, world.tile(id).centre(), "{}: off the centre", place());
            assert!(map.is_open(world.tile(id)), "{}: on a closed tile", place());
        }
        if !modes.iter().any(|mode| drives(mode).any(|walks| walks)) {
            let slack = if map.walls().is_empty() { 0.0 } else { NEAR_WALLS };
            let radius = world.body(id).radius - slack;
            assert!(!sweep::overlaps(map, at, radius), "{}: overlaps", place());
        }
    }
}

/// Whether an agent walks from tile to tile, for each movement of a mode.
fn drives(mode: &Mode) -> impl Iterator<Item = bool> {
    let patterns = mode.drive.patterns().map(|used| used.pattern.is_on_tiles());
    let whole = mode.drive.patterns().next().is_none().then(|| mode.drive.is_on_tiles());
    patterns.chain(whole)
}
