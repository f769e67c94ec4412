//! Explanations of behaviours whose target is not in the world, and of `hide` without a hiding spot.

use tilewalk_sim::report::explanation::AgentStep;
use tilewalk_sim::step::{explain, step};
use tilewalk_sim::world::World;

use super::pictures::load;

/// Returns the inputs of the agent `A`'s first behaviour in the next step, and the state of this behaviour.
fn inputs(world: &World) -> (Vec<String>, &'static str, f32) {
    let agent = world.find("A").expect("the agent A");
    let why = explain(world, agent);
    let mut next = world.clone();
    step(&mut next);
    let step = AgentStep { agent, before: Some(world), now: &next, why: Some(&why) };
    let row = step.report().steering.expect("a steering mode").rows.swap_remove(0);
    assert_eq!(row.short_inputs(), row.inputs(), "the inspector shows the same inputs");
    (row.inputs(), row.state.words(), row.raw.length())
}

/// Returns a world with an agent that pursues a target, after some frames.
fn pursuer(target: &str, frames: u32) -> World {
    let mut world = load(
        "
        ..........
        A...B....C
        ..........",
        &format!(
            r#"
        [[agent]]
        name = "A"
        at = @A
        group = "loners"
        steer = [{{ do = "pursue", target = {target} }}]
        [[agent]]
        name = "thief"
        at = @B
        remove = "time > 0.3"
        [[agent]]
        name = "guard"
        at = @C
        [[agent]]
        name = "ghost"
        group = "ghosts"
        template = true
        max = 2
        at = @C
        [[spawn]]
        agent = "ghost"
        every = 1
        lifetime = 1
    "#
        ),
    );
    (0..frames).for_each(|_| step(&mut world));
    world
}

#[test]
fn an_explanation_gives_the_reason_for_an_absent_target() {
    let cases = [
        ("'thief'", 10, "target thief has left the world"),
        ("'ghosts'", 3, "no other member of ghosts is in the world"),
        ("'loners'", 3, "no other member of loners is in the world"),
        ("'ghost.1'", 3, "target ghost.1 has not appeared yet"),
        ("'ghost.1'", 19, "target ghost.1 has not appeared yet"),
        ("'ghost.1'", 45, "target ghost.1 has left the world"),
        ("'last_seen(ghosts)'", 3, "ghosts has not been seen yet"),
    ];
    for (target, frames, text) in cases {
        let world = pursuer(target, frames);
        assert_eq!(inputs(&world), (vec![text.to_owned()], "zero", 0.0), "{target}, {frames}");
    }
}

#[test]
fn hide_without_a_hiding_spot_evades_within_its_threat_distance() {
    let force = |keys: &str| {
        let world = load(
            "
            ...........
            A.......B..
            ...........",
            &format!(
                "[[agent]]\nname = 'A'\nat = @A\nsteer = [{{ do = 'hide', from = 'B'{keys} }}]\n\
                 [[agent]]\nname = 'B'\nat = @B\n"
            ),
        );
        let agent = world.find("A").unwrap();
        explain(&world, agent).output.force.length()
    };
    assert_eq!(force(""), 0.0, "the default is 6 tiles");
    assert_eq!(force(", threat = 7.9"), 0.0);
    assert!(force(", threat = 8.1") > 1.0);
}
