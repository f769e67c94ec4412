//! Claims in the comments of the shipped maps with manual control.

use std::fmt::Write as _;

use tilewalk_sim::command::Command;
use tilewalk_sim::event::EventKind;
use tilewalk_sim::geom::{Direction, Vec2};
use tilewalk_sim::id::AgentId;
use tilewalk_sim::step::{step, step_with};
use tilewalk_sim::world::World;

use crate::support::maps;

const DRIVEN: AgentId = AgentId(0);
const GUARD: AgentId = AgentId(1);

/// Appends the mode that the guard enters in this frame to a trace.
fn trace_mode(world: &World, trace: &mut String) {
    for event in world.events() {
        if let EventKind::Mode { to, .. } = event.kind {
            let name = &world.kind(GUARD).modes[usize::from(to)].name;
            writeln!(trace, "{} {name}", world.frame().0).unwrap();
        }
    }
}

/// Moves the thief one tile per letter `n`, `e`, `s` or `w`; a `.` does not move it. Each letter takes six
/// frames. Returns the modes that the guard enters, each with its first frame.
fn move_thief(world: &mut World, letters: &str) -> String {
    let mut trace = String::new();
    for letter in letters.chars() {
        let direction = "eswn".find(letter).map(|index| Direction::STRAIGHT[index]);
        for _ in 0..6 {
            step_with(world, &[Command::Drive { agent: DRIVEN, direction }]);
            trace_mode(world, &mut trace);
        }
    }
    trace
}

#[test]
fn a_thief_that_does_not_move_is_never_found() {
    let mut world = maps::world("thief");
    for _ in 0..4000 {
        step(&mut world);
        assert_eq!(world.mode(GUARD).name, "patrol", "frame {}", world.frame());
    }
}

#[test]
fn the_guard_chases_a_visible_thief_and_returns_to_its_patrol() {
    let mut world = maps::world("thief");
    let mut trace = move_thief(&mut world, "ennn.");
    trace += &move_thief(&mut world, "ssssswww");
    for _ in 0..200 {
        trace += &move_thief(&mut world, ".");
        if trace.ends_with("patrol\n") {
            break;
        }
    }
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("thief_modes", trace);
    });
}

#[test]
fn a_missile_faces_along_its_velocity_and_overshoots_its_target() {
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
    assert!(nearest < 0.6, "the missiles miss a ship that does not move: {nearest}");
    assert!(after > 2.0, "a missile stops at its target: {after}");
}
