//! Scenes in which `evade` and `pursue` have a group as their target.

use tilewalk_sim::geom::Vec2;
use tilewalk_sim::id::AgentId;
use tilewalk_sim::report::explanation::AgentStep;
use tilewalk_sim::report::steering::BehaviourReport;
use tilewalk_sim::steering::note::NoteValue;
use tilewalk_sim::step::{explain, step};
use tilewalk_sim::world::World;

use super::pictures::load;

fn id(world: &World, name: &str) -> AgentId {
    world.find(name).unwrap_or_else(|| panic!("no agent {name}"))
}

fn position(world: &World, name: &str) -> Vec2 {
    world.position(id(world, name))
}

/// Steps a world, and returns the positions of an agent in all frames.
fn track(world: &mut World, name: &str, frames: u32) -> Vec<Vec2> {
    let agent = id(world, name);
    (0..frames)
        .map(|_| {
            step(world);
            world.position(agent)
        })
        .collect()
}

/// Returns the report of an agent's first behaviour in the next step.
fn row(world: &World, name: &str) -> BehaviourReport {
    let agent = id(world, name);
    let why = explain(world, agent);
    let mut next = world.clone();
    step(&mut next);
    let step = AgentStep { agent, before: Some(world), now: &next, why: Some(&why) };
    step.report().steering.expect("a steering mode").rows.swap_remove(0)
}

const PREY: &str = r#"
[[agent]]
name = "E"
at = @E
steer = [{ do = "evade", target = "hunters" }]
"#;

const STANDING: &str = r#"
[[agent]]
name = "H"
group = "hunters"
at = @H
[[agent]]
name = "J"
group = "hunters"
at = @J
"#;

/// The prey starts nearer to the left hunter. It comes to rest halfway between both hunters.
#[test]
fn a_prey_between_two_hunters_comes_to_rest() {
    let picture = "
        .............
        ..H..E....J..
        .............";
    let mut world = load(picture, &format!("{PREY}{STANDING}"));
    let track = track(&mut world, "E", 600);
    let last = &track[500..];
    let ends = |least: f32, most: f32, x: f32| (least.min(x), most.max(x));
    let (least, most) = last.iter().fold((f32::MAX, f32::MIN), |(a, b), at| ends(a, b, at.x));
    assert!(most - least < 0.01, "the prey rocks between x = {least} and {most}");
    assert!((most - 6.5).abs() < 0.05, "the prey rests at x = {most}");
}

/// Both hunters run at the prey, which is half a tile beside the line between them.
#[test]
fn a_prey_beside_the_line_between_two_hunters_escapes_sideways() {
    let floor = "...............\n".repeat(14);
    let picture = format!("{floor}H.............J\n{floor}");
    let mut world = load(
        &picture,
        r#"
        [[agent]]
        name = "E"
        at = [7.5, 14.2]
        steer = [{ do = "evade", target = "hunters" }]
        [[agent]]
        name = "H"
        group = "hunters"
        at = @H
        body = { max_speed = 3 }
        steer = [{ do = "seek", target = "E" }]
        [[agent]]
        name = "J"
        group = "hunters"
        at = @J
        body = { max_speed = 3 }
        steer = [{ do = "seek", target = "E" }]
        "#,
    );
    let mut nearest = f32::MAX;
    for _ in 0..60 {
        step(&mut world);
        for hunter in ["H", "J"] {
            nearest = nearest.min(position(&world, hunter).distance(position(&world, "E")));
        }
    }
    let y = position(&world, "E").y;
    assert!(y < 9.0, "the prey is still at y = {y}");
    assert!(nearest > 1.0, "a hunter came within {nearest} tiles of the prey");
}

/// The hunter is as far from one quarry as from the other. In the middle between both, it reaches neither.
#[test]
fn pursue_reaches_one_of_two_quarries_at_the_same_distance() {
    let picture = "
        ..H........
        ...........
        ...........
        ...........
        ...........
        P..........
        ...........
        ...........
        ...........
        ...........
        ..J........";
    let mut world = load(
        picture,
        &format!(
            "{STANDING}
        [[agent]]
        name = 'P'
        at = @P
        steer = [{{ do = 'pursue', target = 'hunters' }}]"
        ),
    );
    let reached = |world: &World| {
        ["H", "J"].iter().any(|it| position(world, it).distance(position(world, "P")) < 0.3)
    };
    let frame = (0..200).find(|_| {
        step(&mut world);
        reached(&world)
    });
    assert!(frame.is_some_and(|frame| frame < 60), "reached after {frame:?} frames");
}

/// Three quarries run from a hunter that is a quarter faster.
#[test]
fn pursue_catches_a_member_of_a_running_group() {
    let picture = "
        ...............H....................................................
        ...............J....................................................
        ....................................................................
        ....................................................................
        P...............K...................................................";
    let quarry = |name: &str, y: f32| {
        format!(
            "[[agent]]\nname = '{name}'\ngroup = 'quarry'\nat = @{name}\nbody = {{ max_speed = 2.4 \
             }}\nsteer = [{{ do = 'seek', target = [900.5, {y}] }}]\n"
        )
    };
    let hunter = "[[agent]]\nname = 'P'\nat = @P\nbody = { max_speed = 3 }\n\
                  steer = [{ do = 'pursue', target = 'quarry' }]\n";
    let quarries = [("H", 0.5), ("J", 1.5), ("K", 4.5)].map(|(name, y)| quarry(name, y)).concat();
    let mut world = load(picture, &format!("{hunter}{quarries}"));
    let caught = (0..1200).find(|_| {
        step(&mut world);
        let at = |name: &str| position(&world, name);
        ["H", "J", "K"].iter().any(|it| at(it).distance(at("P")) < 0.5)
    });
    assert!(caught.is_some(), "no quarry was caught");
}

/// Compares a group of one member with the member itself as the target. For `evade`, a second member is
/// too far away to count.
#[test]
fn a_group_with_one_member_in_range_is_the_same_as_the_member() {
    let picture = "
        ............................
        ....H......A.............J..
        ............................
        ............................";
    for (behaviour, more) in [("pursue", ""), ("evade", "group = 'pack'")] {
        let world = |target: &str| {
            let rest = format!(
                "[[agent]]\nname = 'A'\nat = @A\nsteer = [{{ do = '{behaviour}', target = \
                 '{target}' }}, {{ do = 'wander' }}]\n\
                 [[agent]]\nname = 'H'\ngroup = 'pack'\nat = @H\nbody = {{ max_speed = 1.5 }}\n\
                 steer = [{{ do = 'wander' }}]\n\
                 [[agent]]\nname = 'J'\nat = @J\n{more}\n"
            );
            load(picture, &rest)
        };
        let (mut one, mut other) = (world("pack"), world("H"));
        for frame in 1..=200 {
            step(&mut one);
            step(&mut other);
            let bits = |world: &World| {
                let motion = world.motion(id(world, "A"));
                [motion.position, motion.velocity].map(|v| v.to_array().map(f32::to_bits))
            };
            assert_eq!(bits(&one), bits(&other), "{behaviour}, frame {frame}");
            if behaviour == "evade" && position(&one, "A").distance(position(&one, "J")) < 8.0 {
                break;
            }
        }
    }
}

#[test]
fn an_explanation_lists_the_members_with_their_weights() {
    let picture = "
        ..............
        ..H...E..J....
        ..............";
    let world = load(picture, &format!("{PREY}{STANDING}"));
    let row = row(&world, "E");
    // The distances are 4 and 3 tiles: (3 / 4)² = 0.56.
    assert_eq!(row.inputs().last().unwrap(), "2 members: H weight 0.56, J weight 1.00");
    let members = row.looked_at.iter().filter(|note| note.kind == "member");
    let fields: Vec<_> = members.map(|note| note.fields.clone()).collect();
    let fields_of = |name: &str, weight: f32| {
        vec![("agent", NoteValue::Agent(name.to_owned())), ("weight", NoteValue::Number(weight))]
    };
    assert_eq!(fields, [fields_of("H", 0.5625), fields_of("J", 1.0)]);
}

/// Computes the desired velocities from the documented formulas, for groups below and above the size that is
/// searched with an index. All members stand still, so that their predicted positions are their positions.
#[test]
fn desired_velocities_match_the_documented_formulas() {
    for count in [3, 12, 33, 70] {
        for seed in 0..8 {
            let rest = format!(
                "edges = 'wrap'\nseed = {seed}\n\
                 [[agent]]\nname = 'E'\nat = [20, 12]\n\
                 steer = [{{ do = 'evade', target = 'pack', threat = 9 }}]\n\
                 [[agent]]\nname = 'P'\nat = [8, 3]\nsteer = [{{ do = 'pursue', target = 'pack' }}]\n\
                 [[agent]]\nname = 'pack'\nat = 'anywhere'\ncount = {count}\n"
            );
            let world = load(&format!("{}\n", ".".repeat(40)).repeat(24), &rest);
            let offsets = |of: &str| -> Vec<[f64; 2]> {
                let from = position(&world, of);
                let members = (1..=count).map(|number| format!("pack.{number}"));
                let map = world.scenario().map();
                members
                    .map(|it| map.offset(from, position(&world, &it)).as_dvec2().into())
                    .collect()
            };
            let length = |[x, y]: [f64; 2]| x.hypot(y);
            let sum = |weighted: &[([f64; 2], f64)]| {
                weighted.iter().fold([0.0, 0.0], |[x, y], ([dx, dy], w)| [x + dx * w, y + dy * w])
            };
            let least =
                |all: &[[f64; 2]]| all.iter().map(|&it| length(it)).fold(f64::MAX, f64::min);

            let all = offsets("E");
            let near = least(&all);
            let in_range = all.iter().filter(|&&it| length(it) <= 9.0);
            let evasions: Vec<_> = in_range
                .map(|&[x, y]| {
                    let distance = length([x, y]);
                    ([-x, -y], near * near / (distance * distance * distance))
                })
                .collect();
            let evaded = sum(&evasions);
            let factor = if evasions.len() > 1 { 4.0 } else { 1.0 };
            let cut = (factor * length(evaded)).max(1.0);
            check(&world, "E", evaded.map(|part| part * factor / cut));

            let all = offsets("P");
            let near = least(&all);
            let first = *all.iter().find(|&&it| length(it) <= near).unwrap();
            let weight = |[x, y]: [f64; 2]| {
                let distance = length([x, y]);
                let cosine = (x * first[0] + y * first[1]) / (distance * near);
                (2.0 - distance / near).max(0.0) * cosine.max(0.0) / distance
            };
            let pursued = sum(&all.iter().map(|&it| (it, weight(it))).collect::<Vec<_>>());
            check(&world, "P", pursued.map(|part| part / length(pursued)));
        }
    }
}

/// Asserts the desired velocity of an agent at rest, as a multiple of its top speed.
#[track_caller]
fn check(world: &World, name: &str, expected: [f64; 2]) {
    let row = row(world, name);
    let body = world.body(id(world, name));
    let unit = body.max_speed * body.gain.min(1.0 / 0.05);
    let desired = row.raw.force.map(|part| f64::from(part / unit));
    let apart = (desired[0] - expected[0]).hypot(desired[1] - expected[1]);
    assert!(apart < 1e-4, "{name} desires {desired:?} instead of {expected:?}");
}
