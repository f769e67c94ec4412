//! Mode switches to and from drives on tiles: the first step, kept state, and transitions.

use tilewalk_files::Options;
use tilewalk_sim::event::{Event, EventKind};
use tilewalk_sim::geom::{TilePos, Vec2};
use tilewalk_sim::id::AgentId;
use tilewalk_sim::report::words;
use tilewalk_sim::steering::{SightTarget, Target};
use tilewalk_sim::step::step;
use tilewalk_sim::world::{Flags, World};

const ME: AgentId = AgentId(0);

fn world(text: &str) -> World {
    let origin = tilewalk_test_support::builtin::text("switching.toml", text);
    let loaded = tilewalk_files::load(&origin, &Options::default()).expect("a map");
    World::new(loaded.scenario.unwrap_or_else(|| panic!("{}", loaded.report.plain())))
}

/// Returns a world with an agent that has these modes, and an agent that stands to the east.
fn modes(modes: &str) -> World {
    world(&format!(
        "tiles = \"\"\"\n{}\"\"\"\n[[agent]]\nname = \"me\"\nat = [4, 2]\n{modes}\n\
         [[agent]]\nname = \"other\"\nat = [12, 2]\n",
        format!("{}\n", ".".repeat(20)).repeat(5)
    ))
}

/// With any drive on tiles, an agent that enters its mode in frame E takes its first step in frame E +
/// pace.
#[test]
fn the_first_step_after_a_mode_switch_comes_pace_frames_later() {
    for drive in [
        "chase = \"other\"",
        "flee_tiles = \"other\"",
        "travel = \"other\"",
        "pattern = \"cast_off\"",
        "pattern = \"rectangle\"",
        "pattern = [\"jig\", \"hop\"]",
    ] {
        for rest in ["", "steer = [{ do = \"arrive\", target = [4, 2] }]"] {
            let mut world = modes(&format!(
                "[[agent.mode]]\nname = \"rest\"\n{rest}\nswitch = [{{ when = \"frame >= 9\", to = \"go\" }}]\n\
                 [[agent.mode]]\nname = \"go\"\n{drive}\npace = 3"
            ));
            let home = world.tile(ME);
            while world.tile(ME) == home && world.frame().0 < 40 {
                step(&mut world);
            }
            // A condition that holds in frame 9 switches modes in frame 10.
            assert_eq!(world.frame().0, 13, "{drive} after {rest:?}");
        }
    }
}

/// An event names the pattern of the mode in which it happened, even after the agent has left this mode.
#[test]
fn an_event_names_a_pattern_of_the_mode_in_which_it_happened() {
    let mut world = modes(
        "[[agent.mode]]\nname = \"go\"\npattern = [\"jig\", \"hop\"]\n\
         switch = [{ when = \"event(pattern)\", to = \"on\" }]\n\
         [[agent.mode]]\nname = \"on\"\npattern = [\"snake\", \"circle\"]",
    );
    let text = |event: &Event, world: &World| words::event(event, world.scenario(), world);
    let next = |world: &World| {
        world.events().iter().copied().find(|event| event.kind == EventKind::Pattern { pick: 1 })
    };
    let event = loop {
        assert!(world.frame().0 < 1000, "the first pattern never ends");
        step(&mut world);
        if let Some(event) = next(&world) {
            break event;
        }
    };
    assert_eq!(text(&event, &world), "pattern hop");
    (0..2).for_each(|_| step(&mut world));
    assert_eq!(
        (world.mode(ME).name.as_str(), text(&event, &world).as_str()),
        ("on", "pattern hop")
    );
}

/// An agent that walks on tiles has a velocity, which becomes zero when it switches to another mode.
#[test]
fn an_agent_that_leaves_a_mode_on_tiles_loses_its_velocity() {
    for drive in [
        "chase = \"other\"",
        "travel = \"other\"",
        "pattern = [\"jig\", \"hop\"]",
        "pattern = [\"jig\", \"square\"]",
    ] {
        for after in ["", "steer = [{ do = \"tether\", to = [4, 2], radius = 90 }]"] {
            let mut world = modes(&format!(
                "[[agent.mode]]\nname = \"go\"\n{drive}\npace = 2\n\
                 switch = [{{ when = \"frame >= 5\", to = \"rest\" }}]\n\
                 [[agent.mode]]\nname = \"rest\"\n{after}\n"
            ));
            (0..5).for_each(|_| step(&mut world));
            assert_ne!(world.velocity(ME), Vec2::ZERO, "{drive}: the agent walks");
            step(&mut world);
            assert_eq!(world.mode(ME).name, "rest");
            assert_eq!(world.velocity(ME), Vec2::ZERO, "{drive} before {after:?}");
        }
    }
}

/// The transition to the next route follows one frame after the arrival, so here `arrived` is true only in
/// frames with the event.
#[test]
fn arrived_is_true_only_until_the_next_route_starts() {
    let mut world = modes(
        "[[agent.mode]]\nname = \"out\"\ntravel = [6, 2]\npace = 2\nswitch = [{ when = \"arrived\", to = \"back\" }]\n\
         [[agent.mode]]\nname = \"back\"\ntravel = \"home\"\npace = 2\nswitch = [{ when = \"arrived\", to = \"out\" }]",
    );
    let mut arrivals = Vec::new();
    for _ in 0..16 {
        step(&mut world);
        let arrived = world.events().iter().any(|event| event.kind == EventKind::Arrived);
        assert_eq!(arrived, world.flags(ME).has(Flags::ARRIVED), "frame {}", world.frame());
        arrivals.extend(arrived.then_some(world.frame().0));
    }
    // The agent arrives in frame 4, switches modes in frame 5 and takes its next step in frame 7.
    assert_eq!(arrivals, [4, 9, 14]);
}

/// An agent is `finished` when its only pattern ends, and `stuck` when it makes no progress for three
/// seconds.
#[test]
fn transitions_can_use_finished_and_stuck() {
    let finishes = "[[agent.mode]]\nname = \"first\"\npattern = \"cast_off\"\npace = 1\n\
        switch = [{ when = \"finished\", to = \"second\" }]\n[[agent.mode]]\nname = \"second\"";
    let mut world = modes(finishes);
    let mut finished = None;
    while world.mode(ME).name == "first" && world.frame().0 < 500 {
        step(&mut world);
        if world.flags(ME).has(Flags::FINISHED) {
            finished = finished.or(Some(world.frame().0));
        }
    }
    assert_eq!(finished.map(|frame| frame + 1), Some(world.frame().0));

    // A solid tile blocks the agent.
    for drive in ["chase = [9, 0]", "flee_tiles = [0, 0]", "travel = [9, 0]"] {
        let mut world = self::world(&format!(
            "tiles = \"..#.......\"\n[[agent]]\nname = \"me\"\nat = [1, 0]\n[[agent.mode]]\nname = \"go\"\n\
             {drive}\npace = 1\nswitch = [{{ when = \"stuck\", to = \"give_up\" }}]\n[[agent.mode]]\nname = \"give_up\""
        ));
        while world.mode(ME).name == "go" && world.frame().0 < 200 {
            step(&mut world);
        }
        assert_eq!(world.frame().0, 61, "{drive}: sixty frames are three seconds");
    }
}

/// An agent that has never seen its target stands still and is not blocked. Afterwards it
/// walks to or away from the tile on which it last saw its target.
#[test]
fn last_seen_is_a_target_only_after_the_first_sighting() {
    for drive in ["chase", "travel", "flee_tiles"] {
        let text = |view: f32| {
            format!(
                "tiles = \"............\"\n[[agent]]\nname = \"me\"\nat = [4, 0]\nbody = {{ view = {{ range = {view} }} }}\n\
                 {drive} = \"last_seen(other)\"\npace = 1\n[[agent]]\nname = \"other\"\nat = [9, 0]"
            )
        };
        let mut blind = world(&text(2.0));
        let other = SightTarget::Agent(AgentId(1));
        assert_eq!(blind.kind(ME).watched, [other], "{drive} watches its target");
        for _ in 0..80 {
            step(&mut blind);
            assert_eq!(blind.target_tile(ME, Target::LastSeen(other)), None);
            assert_eq!(blind.tile(ME), TilePos::new(4, 0), "{drive}");
            assert_eq!(blind.flags(ME), Flags::default(), "{drive}");
        }
        let mut seeing = world(&text(8.0));
        (0..20).for_each(|_| step(&mut seeing));
        let there = if drive == "flee_tiles" { 0 } else { 9 };
        assert_eq!(seeing.tile(ME), TilePos::new(there, 0), "{drive}");
    }
}

/// The walker and the free body are solid. Their overlap must move only the free body.
#[test]
fn a_free_body_does_not_push_a_walker_off_the_centre_of_its_tile() {
    for drive in ["chase = [5, 1]", "travel = [5, 1]", "flee_tiles = [5, 2]", "pattern = [\"jig\"]"]
    {
        let mut world = world(&format!(
            "tiles = \"\"\"\n.........\n.........\n.........\n\"\"\"\n[[agent]]\nname = \"me\"\nat = [4, 1]\n\
             body = {{ solid = true, radius = 0.4 }}\npace = 5\n{drive}\n\
             [[agent]]\nname = \"bully\"\nat = [2.5, 1.6]\nbody = {{ solid = true, radius = 0.4 }}\n\
             steer = [{{ do = \"seek\", target = \"me\" }}]"
        ));
        let mut overlaps = 0;
        for _ in 0..100 {
            step(&mut world);
            assert_eq!(world.position(ME), world.tile(ME).centre(), "{drive}: on a tile's centre");
            overlaps +=
                world.events().iter().filter(|e| matches!(e.kind, EventKind::Overlap(_))).count();
        }
        assert!(overlaps > 0, "{drive}: the bodies never overlap");
    }
}

/// An agent that switches to a drive on tiles glides to the centre of its tile at its walking speed, and
/// gets there before its first step.
#[test]
fn an_agent_that_starts_to_walk_glides_to_the_centre_of_its_tile() {
    for pace in [1, 2, 5, 10] {
        for at in ["[4.01, 2.02]", "[4.9, 2.5]", "[4.5, 2.99]", "[4.31, 2.77]"] {
            let mut world = world(&format!(
                "tiles = \"\"\"\n{}\"\"\"\n[[agent]]\nname = \"me\"\nat = {at}\n\
                 [[agent.mode]]\nname = \"rest\"\nsteer = [{{ do = \"arrive\", target = [4, 2], weight = 0 }}]\n\
                 switch = [{{ when = \"frame >= 9\", to = \"go\" }}]\n\
                 [[agent.mode]]\nname = \"go\"\nchase = \"other\"\npace = {pace}\n\
                 [[agent]]\nname = \"other\"\nat = [12, 2]\n",
                format!("{}\n", ".".repeat(20)).repeat(5)
            ));
            while world.frame().0 < 9 {
                step(&mut world);
            }
            let (start, centre) = (world.position(ME), world.tile(ME).centre());
            let whole = (centre - start).length();
            // The first step is due in frame 10 + pace.
            for frame in 1..=pace {
                step(&mut world);
                let left = (centre - world.position(ME)).length();
                let expected = (whole - frame as f32 / pace as f32).max(0.0);
                assert!((left - expected).abs() < 1e-5, "{at}, pace {pace}: {left} of {expected}");
            }
            assert_eq!(world.position(ME), centre, "{at}, pace {pace}");
            step(&mut world);
            assert_eq!(world.position(ME), TilePos::new(5, 2).centre());
        }
    }
}

/// A wall separates the agent from the centre of its tile, and a solid tile blocks the diagonal steps. So
/// the agent does not move.
#[test]
fn an_agent_that_starts_to_walk_crosses_no_solid_tile() {
    let mut world = world(
        "tiles = \"\"\"\n...\n.#.\n\"\"\"\n[[wall]]\nfrom = [0.0, 0.7]\nto = [3.0, 0.7]\n\
         [[agent]]\nname = \"me\"\nat = [1.2, 0.9]\nbody = { radius = 0.05 }\n\
         [[agent.mode]]\nname = \"rest\"\nswitch = [{ when = \"frame >= 1\", to = \"go\" }]\n\
         [[agent.mode]]\nname = \"go\"\nchase = \"other\"\npace = 1\n\
         [[agent]]\nname = \"other\"\nat = [0, 1]\n",
    );
    for _ in 0..20 {
        step(&mut world);
        assert_eq!(world.position(ME), Vec2::new(1.2, 0.9));
    }
}

/// A walker is at the centre of an open tile, so it touches no wall.
#[test]
fn switching_to_a_drive_on_tiles_ends_the_contact_with_a_wall() {
    let mut world = modes(
        "[[agent.mode]]\nname = \"rush\"\nsteer = [{ do = \"seek\", target = [19, 2] }]\n\
         switch = [{ when = \"event(bump)\", to = \"walk\" }]\n\
         [[agent.mode]]\nname = \"walk\"\ntravel = [4, 2]\n\
         switch = [{ when = \"not collided and time_in_mode > 1\", to = \"rest\" }]\n\
         [[agent.mode]]\nname = \"rest\"\n",
    );
    while world.mode(ME).name == "rush" {
        step(&mut world);
        assert!(world.frame().0 < 400, "the agent never reaches the border");
    }
    assert_eq!(
        (world.flags(ME).words().any(|word| word == "collided"), world.touches(ME)),
        (false, None)
    );
    for _ in 0..30 {
        step(&mut world);
    }
    assert_eq!(world.mode(ME).name, "rest");
}
