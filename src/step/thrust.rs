//! Carrying out a thrust pattern: the thrusters of the present leg push a craft, and how far it then
//! came and turned says whether the leg is over.

use crate::event::EventKind;
use crate::id::AgentId;
use crate::locomotion::craft::{Burn, sail};
use crate::pattern::ThrustPattern;
use crate::pattern::thrust::ThrustState;
use crate::world::{DriveState, Flags, World};

use super::act::touch;
use super::quarantine::settle_motion;

/// A frame of a thrust pattern. After the last leg the engine is off, and the craft drifts to rest.
pub(super) fn thrust(world: &mut World, id: AgentId, pattern: &ThrustPattern, at: ThrustState) {
    let scenario = world.scenario();
    let map = &scenario.map;
    let burn = Burn {
        ahead: pattern.leg(at).is_some(),
        side: pattern.side_share(at),
        tile_drag: map.kind(world.tile(id)).map_or(0.0, |kind| kind.drag),
    };
    let before = world.motion(id);
    let sailed = sail(before, burn, world.body(id), map, scenario.dt());
    if !settle_motion(world, id, sailed.motion) {
        return;
    }
    touch(world, id, sailed.contact);
    let next = pattern.advance(at, before, sailed.motion, sailed.moved);
    world.state.drive[id.index()] = DriveState::Thrust { at: next };
    if pattern.leg(next).is_none() && !world.flags(id).has(Flags::FINISHED) {
        world.state.flags[id.index()].set(Flags::FINISHED, true);
        world.report(id, EventKind::Finished);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::agent::{AgentKind, Drive, Mode};
    use crate::body::Body;
    use crate::geom::Vec2;
    use crate::map::{Edges, tests::drawn};
    use crate::pattern::thrust::{HeadingFrom, Leg};
    use crate::pattern::{Pattern, Placement};
    use crate::scenario::{Scenario, Start};
    use crate::step::step;

    const CRAFT: AgentId = AgentId(0);

    /// A craft with two modes: two legs, and standing.
    fn harbour() -> World {
        let legs = vec![
            Leg { until_moved: Some(1.0), ..Leg::default() },
            Leg { port: true, until_turned: Some(90.0), ..Leg::default() },
        ];
        let pattern = ThrustPattern { legs, heading_from: HeadingFrom::Velocity, repeat: true };
        let drive = Drive::Pattern {
            name: "legs".to_owned(),
            pattern: Arc::new(Pattern::Thrust(pattern)),
            placement: Placement::Home,
        };
        let kind = AgentKind {
            name: "c".to_owned(),
            glyph: "C".to_owned(),
            color: None,
            group: None,
            body: Body::default(),
            watched: Vec::new(),
            every: 1,
            modes: vec![
                Mode::new("sail".to_owned(), 1, drive),
                Mode::new("wait".to_owned(), 1, Drive::Stand),
            ],
            first: CRAFT,
            count: 1,
        };
        let start = Start { kind: 0, number: 0, position: Vec2::splat(10.5), heading: Vec2::X };
        World::new(Arc::new(Scenario {
            title: String::new(),
            tick: 0.05,
            seed: 0,
            map: drawn(&["....................."; 21], Edges::Wall),
            places: vec![],
            kinds: vec![kind],
            starts: vec![start],
            groups: vec![],
        }))
    }

    fn state(world: &World) -> ThrustState {
        match world.drive_state(CRAFT) {
            DriveState::Thrust { at } => at,
            other => panic!("no craft but {other:?}"),
        }
    }

    #[test]
    fn a_program_that_was_interrupted_begins_anew_from_where_the_craft_is() {
        let mut world = harbour();
        while state(&world).leg == 0 || state(&world).turned < 40.0 {
            step(&mut world);
        }
        let velocity = world.velocity(CRAFT);
        world.enter_mode(CRAFT, 1);
        step(&mut world);
        world.enter_mode(CRAFT, 0);
        assert_eq!(state(&world), ThrustState::default());
        let position = world.position(CRAFT);
        assert_eq!(world.velocity(CRAFT), velocity, "it goes on as it went");
        step(&mut world);
        let moved = world.position(CRAFT) - position;
        assert!((state(&world).moved - moved).length() < 1e-5, "measured from here");
        // The course it was on, not that of the first start, is where the turn is counted from.
        assert!(state(&world).leg == 0 && state(&world).turned.abs() < 10.0);
    }
}
