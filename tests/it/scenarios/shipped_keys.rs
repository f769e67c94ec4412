//! What the comments of the maps with manual control promise.

use std::fmt::Write as _;

use crate::support::maps;
use tilewalk::command::Command;
use tilewalk::event::EventKind;
use tilewalk::geom::{Direction, Vec2};
use tilewalk::id::AgentId;
use tilewalk::step::{step, step_with};
use tilewalk::world::World;

const DRIVEN: AgentId = AgentId(0);
const GUARD: AgentId = AgentId(1);

/// The guard's modes, each with the frame it began in.
fn modes(world: &World, trace: &mut String) {
    for event in world.events() {
        if let EventKind::Mode { to, .. } = event.kind {
            let name = &world.kind(GUARD).modes[usize::from(to)].name;
            writeln!(trace, "{} {name}", world.frame().0).unwrap();
        }
    }
}

/// A step of the thief each six frames: `n e s w`, or `.` for none.
fn steal(world: &mut World, ways: &str) -> String {
    let mut trace = String::new();
    for way in ways.chars() {
        let way = "eswn".find(way).map(|index| Direction::STRAIGHT[index]);
        for _ in 0..6 {
            step_with(world, &[Command::Drive { agent: DRIVEN, direction: way }]);
            modes(world, &mut trace);
        }
    }
    trace
}

#[test]
fn a_thief_who_stays_is_never_found() {
    let mut world = maps::world("thief");
    for _ in 0..4000 {
        step(&mut world);
        assert_eq!(world.mode(GUARD).name, "patrol", "frame {}", world.frame());
    }
}

#[test]
fn a_thief_who_shows_himself_is_chased_searched_and_forgotten() {
    let mut world = maps::world("thief");
    let mut trace = steal(&mut world, "ennn.");
    trace += &steal(&mut world, "ssssswww");
    for _ in 0..200 {
        trace += &steal(&mut world, ".");
        if trace.ends_with("patrol\n") {
            break;
        }
    }
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("thief_modes", trace);
    });
}

#[test]
fn a_missile_has_its_nose_along_its_velocity_and_shoots_past() {
    let mut world = maps::world("dodge");
    let missiles = [1, 2].map(AgentId);
    let (mut nearest, mut after) = (f32::INFINITY, 0.0_f32);
    for _ in 0..1200 {
        step(&mut world);
        for id in missiles {
            let (velocity, heading) = (world.velocity(id), world.heading(id));
            assert!(velocity.length() < 1e-3 || heading.dot(velocity) > velocity.length() * 0.999);
            let map = world.scenario().map();
            let off: Vec2 = map.offset(world.position(id), world.position(DRIVEN));
            nearest = nearest.min(off.length());
            after = if nearest < 0.6 { after.max(off.length()) } else { 0.0 };
        }
    }
    assert!(nearest < 0.6, "an idle ship is hit: {nearest}");
    assert!(after > 2.0, "past it, it can't stop: {after}");
}
