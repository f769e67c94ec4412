//! Reading turning behaviours, `track` and turn limits from files.

use tilewalk_files::Options;
use tilewalk_sim::agent::Drive;
use tilewalk_sim::geom::{Vec2, heading};
use tilewalk_sim::id::{AgentId, GroupId};
use tilewalk_sim::steering::{Align, Behaviour, Noise, Target, Track, Turning, WeightedBehaviour};

use super::loading::scenario;

/// Returns the behaviours of an agent `a` with this value of `steer`.
fn behaviours(steer: &str) -> Vec<WeightedBehaviour> {
    let map = format!(
        "tiles = '''\n...\n...'''\n[[agent]]\nname = 'a'\nat = [0, 0]\nsteer = {steer}\n\
         [[agent]]\nname = 'b'\nat = [1, 0]\n[[agent]]\nname = 'c'\nat = [2, 0]\ngroup = 'g'\n"
    );
    match scenario(&map, &[]).kinds()[0].modes[0].drive.clone() {
        Drive::Steer { rows, .. } => rows,
        _ => panic!("the drive is not steering"),
    }
}

/// Returns a behaviour with the default weight and probability.
fn weighted(behaviour: Behaviour, target: Option<Target>) -> WeightedBehaviour {
    WeightedBehaviour {
        behaviour,
        target,
        other: None,
        weight: 1.0,
        probability: 0.8,
        enabled: true,
    }
}

#[test]
fn turning_behaviours_are_read_with_their_targets_and_defaults() {
    let b = Some(Target::Agent(AgentId(1)));
    let to = |degrees| Align { to: Some(heading::from_degrees(degrees)), ..Align::default() };
    let gentle = Turning {
        target_angle: 2.0_f32.to_radians(),
        slow_angle: 60.0_f32.to_radians(),
        time_to_target: 0.5,
        opposite: true,
    };
    let read = behaviours(
        "[
          { do = 'align', to = 90 },
          { do = 'align', to = -12.5 },
          { do = 'align', to = 'b' },
          { do = 'align', to = 'g', target_angle = 2, slow_angle = 60, time_to_target = 0.5, opposite = true },
          { do = 'face', target = 'b' },
          { do = 'face', target = [1.5, 0.5] },
          { do = 'look_ahead', slow_angle = 60, target_angle = 2, time_to_target = 0.5, opposite = true },
          { do = 'look_ahead', weight = 2, probability = 0.3 },
        ]",
    );
    let point = Some(Target::Point(Vec2::new(1.5, 0.5)));
    let same = Align { to: None, turning: gentle };
    let expected = [
        weighted(Behaviour::Align(to(90.0)), None),
        weighted(Behaviour::Align(to(-12.5)), None),
        weighted(Behaviour::Align(Align::default()), b),
        weighted(Behaviour::Align(same), Some(Target::Group(GroupId(0)))),
        weighted(Behaviour::Face(Turning::default()), b),
        weighted(Behaviour::Face(Turning::default()), point),
        weighted(Behaviour::LookAhead(gentle), None),
        WeightedBehaviour {
            weight: 2.0,
            probability: 0.3,
            ..weighted(Behaviour::LookAhead(Turning::default()), None)
        },
    ];
    assert_eq!(read, expected);
}

#[test]
fn track_is_read_with_its_defaults() {
    let b = Some(Target::Agent(AgentId(1)));
    let default = Track {
        rate: 0.4,
        range: 12.0,
        noise: 0.1,
        noise_chance: 0.1,
        noise_kind: Noise::Uniform,
        slow: 0.75,
    };
    let read = behaviours("[{ do = 'track', target = 'b' }]");
    assert_eq!(read, [weighted(Behaviour::Track(default), b)]);
    let other = Track {
        rate: 1.0,
        range: 3.0,
        noise: 0.0,
        noise_chance: 1.0,
        noise_kind: Noise::Integers,
        slow: 0.5,
    };
    let read = behaviours(
        "[{ do = 'track', target = 'b', rate = 1, range = 3, noise = 0, noise_chance = 1, noise_kind = 'integers', slow = 0.5 }]",
    );
    assert_eq!(read, [weighted(Behaviour::Track(other), b)]);
}

#[test]
fn turn_limits_are_read_in_degrees() {
    let body = |keys: &str| {
        let map =
            format!("tiles = '.'\nagent = [{{ name = 'a', at = [0, 0], body = {{ {keys} }} }}]");
        scenario(&map, &[]).kinds()[0].body
    };
    let default = body("");
    assert_eq!((default.max_turn_accel, default.smoothing), (1440.0_f32.to_radians(), 0));
    assert_eq!((default.max_turn_rate, default.top_turn_rate()), (None, 360.0_f32.to_radians()));
    let slow = body("max_turn_accel = 90, max_turn_rate = 45, smoothing = 100");
    assert_eq!((slow.max_turn_accel, slow.smoothing), (90.0_f32.to_radians(), 100));
    assert_eq!(slow.top_turn_rate(), 45.0_f32.to_radians());
}

/// Returns the headings at frame 0, in degrees, of four agents with this value of `heading`.
fn headings(value: &str, seed: u64) -> Result<Vec<f32>, String> {
    let text = format!(
        "tiles = '....'\nseed = {seed}\n[[agent]]\nname = 'a'\nat = 'anywhere'\ncount = 4\nheading = {value}\n"
    );
    let origin = tilewalk_test_support::builtin::text("headings.toml", text);
    let loaded = tilewalk_files::load(&origin, &Options::default()).expect("text is readable");
    let scenario = loaded.scenario.ok_or_else(|| loaded.report.plain())?;
    Ok(scenario.starts().iter().map(|start| heading::to_degrees(start.heading)).collect())
}

#[test]
fn headings_can_be_fixed_random_or_in_a_range() {
    assert_eq!(headings("90", 1), Ok(vec![90.0; 4]));
    let (mut all, mut ahead) = (Vec::new(), Vec::new());
    for seed in 0..200 {
        all.extend(headings("'random'", seed).unwrap());
        ahead.extend(headings("[350, 20]", seed).unwrap());
    }
    for quarter in [0.0, 90.0, 180.0, 270.0] {
        let count = all.iter().filter(|it| (quarter..quarter + 90.0).contains(*it)).count();
        assert!((150..=250).contains(&count), "{count} of 800 in the quarter at {quarter}");
    }
    assert!(ahead.iter().all(|&it| it >= 349.99 || it <= 20.01), "{ahead:?}");
    let left = ahead.iter().filter(|&&it| it >= 349.99).count();
    assert!((200..=334).contains(&left), "{left} of 800 in the first third");
    assert_eq!(headings("'random'", 7), headings("'random'", 7));
}

#[test]
fn headings_of_other_types_or_out_of_range_are_errors() {
    for (value, message) in [
        ("'randm'", "did you mean `random`?"),
        ("[1, 2, 3]", "heading"),
        ("[0, 400]", "between -360 and 360"),
        ("400", "between -360 and 360"),
        ("true", "an angle in degrees, `[from, to]` or `random`"),
    ] {
        let report = headings(value, 1).expect_err("heading is invalid");
        assert!(report.contains(message) && report.contains("headings.toml:7:"), "{report}");
    }
}
