//! Invariants that hold in every frame of every world.

use std::collections::BTreeSet;

use tilewalk_sim::agent::Mode;
use tilewalk_sim::geom::TilePos;
use tilewalk_sim::map::sweep;
use tilewalk_sim::world::World;

/// Asserts that no agent's centre is on a solid tile, and that no agent's disc overlaps a wall or an
/// obstacle.
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

/// The allowed penetration of a body into a surface near free walls, in tiles. It equals the gap that
/// bodies usually keep.
const ALLOWED_PENETRATION: f32 = 1e-3;

/// Asserts that all names differ, that every number is finite, and that every agent is on the map and not
/// on a solid tile.
///
/// An agent that always moves from tile to tile is at the centre of an open tile. An agent that always
/// moves freely overlaps nothing. An agent that does both may switch modes anywhere on a
/// tile, even on the tile of an obstacle. An agent that follows a trace can be anywhere.
pub fn assert_valid(world: &World) {
    let map = world.scenario().map();
    let names: BTreeSet<_> = world.ids().map(|id| world.name(id).to_string()).collect();
    assert_eq!(names.len(), world.population(), "frame {}: two agents share a name", world.frame());
    for id in world.ids() {
        let (at, motion) = (world.position(id), world.motion(id));
        let place = || format!("{} at {at}, frame {}", world.name(id), world.frame());
        let vectors = [at, motion.velocity, motion.heading];
        let is_finite = vectors.iter().all(|vector| vector.is_finite());
        assert!(is_finite && motion.angular_velocity.is_finite(), "{}: {motion:?}", place());
        if world.scenario().is_traced(id) {
            // The rows of a run can place an agent anywhere.
            continue;
        }
        assert!(map.kind(TilePos::containing(at)).is_some(), "{}: outside", place());
        assert!(!map.is_solid(TilePos::containing(at)), "{}: in a solid tile", place());
        let modes = &world.kind(id).modes;
        if modes.iter().all(|mode| moves_on_tiles(mode).all(|on_tiles| on_tiles)) {
            assert_eq!(at, world.tile(id).centre(), "{}: off the centre", place());
            assert!(map.is_open(world.tile(id)), "{}: on a closed tile", place());
        }
        if !modes.iter().any(|mode| moves_on_tiles(mode).any(|on_tiles| on_tiles)) {
            let slack = if map.walls().is_empty() { 0.0 } else { ALLOWED_PENETRATION };
            let radius = world.body(id).radius - slack;
            assert!(!sweep::overlaps(map, at, radius), "{}: overlaps", place());
        }
    }
}

/// Returns whether an agent moves from tile to tile, for each pattern of a mode, or for its drive if it has
/// no pattern.
fn moves_on_tiles(mode: &Mode) -> impl Iterator<Item = bool> {
    let patterns = mode.drive.patterns().map(|used| used.pattern.is_on_tiles());
    let whole = mode.drive.patterns().next().is_none().then(|| mode.drive.is_on_tiles());
    patterns.chain(whole)
}
