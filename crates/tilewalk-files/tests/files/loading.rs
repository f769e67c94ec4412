//! Reading valid maps into scenarios. No input makes the reader panic.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use tilewalk_files::{Loaded, Options, Origin, settings};
use tilewalk_sim::agent::Drive;
use tilewalk_sim::geom::{TilePos, Vec2};
use tilewalk_sim::id::AgentId;
use tilewalk_sim::pattern::{Pattern, Placement};
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::steering::combine::Combine;
use tilewalk_sim::steering::{
    Arrive, AvoidObstacles, AvoidWalls, Behaviour, DynamicArrive, Evade, Flee, MatchVelocity,
    OffsetPursue, Pursue, Target, Tether, WeightedBehaviour,
};

use crate::support::workspace;

fn load(path: &Path) -> Loaded {
    tilewalk_files::load(&Origin::Disk(path.to_owned()), &Options::default()).unwrap()
}

/// Loads a map and patterns, given as texts, from a temporary folder.
fn loaded(map: &str, patterns: &[(&str, &str)], options: &Options) -> Loaded {
    let folder = tempfile::tempdir().unwrap();
    for name in ["maps", "patterns"] {
        fs::create_dir(folder.path().join(name)).unwrap();
    }
    for (name, text) in patterns {
        fs::write(folder.path().join("patterns").join(name).with_extension("toml"), text).unwrap();
    }
    let path = folder.path().join("maps/map.toml");
    fs::write(&path, map).unwrap();
    tilewalk_files::load(&Origin::Disk(path), options).unwrap()
}

/// Returns the scenario of a map and patterns, given as texts. Asserts that they have no problems.
pub fn scenario(map: &str, patterns: &[(&str, &str)]) -> Scenario {
    let loaded = loaded(map, patterns, &Options::default());
    assert_eq!(loaded.report.plain(), "");
    Scenario::clone(&loaded.scenario.unwrap())
}

#[test]
fn every_built_in_map_is_valid() {
    let maps = tilewalk_test_support::builtin::maps();
    assert_ne!(maps.len(), 0);
    for map in maps {
        let origin = tilewalk_test_support::builtin::origin(&map.name);
        let loaded = tilewalk_files::load(&origin, &Options::default()).unwrap();
        assert_eq!(loaded.report.plain(), "", "{}", map.name);
        assert_eq!(loaded.scenario.unwrap().title(), map.title);
        assert_eq!(loaded.comment, map.comment);
    }
    let report = tilewalk_files::check(&["maps", "patterns"].map(workspace), None).unwrap();
    assert_eq!(report.plain(), "");
    let error = tilewalk_files::load(
        &tilewalk_test_support::builtin::origin("rectangel"),
        &Options::default(),
    )
    .unwrap_err();
    assert_eq!(error.to_string(), "unknown built-in map `rectangel`: did you mean `rectangle`?");
}

#[test]
fn the_keys_of_a_map_are_read_into_the_scenario() {
    let map = r##"
        format = 1
        title = "All of it"
        tick = 0.1
        seed = 9007199254740991
        edges = "wrap"
        corners = "block"
        tiles = """
.....
.x.#.
....."""
        [legend]
        x = { name = "mud", cost = 3, drag = 0.5, color = "#102030", glyph = "%" }
        [places]
        well = [4, 2]
        [[obstacle]]
        at = [0.5, 2.5]
        radius = 0.25
        [[agent]]
        name = "boid"
        count = 3
        group = "flock"
        at = { within = [0, 0, 4, 0] }
        heading = 90
        steer = [{ do = "seek", target = "fox" }, { do = "flee", target = "boid", panic = 2 }]
        [[agent]]
        name = "fox"
        glyph = "f"
        color = "red"
        at = [2.25, 1.5]
        body = { mass = 2, max_turn_rate = 180 }
        steer = [
            { do = "arrive", target = "boid.2", deceleration = "fast" },
            { do = "seek", target = "well", weight = 2, enabled = false },
            { do = "seek", target = "home" },
            { do = "avoid_walls" },
        ]
    "##;
    let scenario = scenario(map, &[]);
    assert_eq!((scenario.tick(), scenario.seed()), (0.1, (1 << 53) - 1));
    let mud = scenario.map().kind(TilePos::new(1, 1)).unwrap();
    assert_eq!((mud.name.as_str(), mud.cost, mud.drawn.as_str()), ("mud", 3.0, "%"));
    assert_eq!(scenario.map().obstacles().standing()[0].radius, 0.25);
    let names: Vec<String> =
        (0..4).map(|index| scenario.name(AgentId(index)).to_string()).collect();
    assert_eq!(names, ["boid.1", "boid.2", "boid.3", "fox"]);
    let groups: Vec<_> =
        scenario.groups().iter().map(|group| (group.name.as_str(), group.members.len())).collect();
    assert_eq!(groups, [("boid", 3), ("flock", 3)]);
    assert_eq!(scenario.starts()[0].heading, Vec2::Y);
    assert_eq!(scenario.starts()[3].position, Vec2::new(2.25, 1.5));
    let fox = &scenario.kinds()[1];
    assert_eq!(fox.body.max_turn_rate, Some(core::f32::consts::PI));
    let Drive::Steer { rows, .. } = &fox.modes[0].drive else { panic!("no steering") };
    let targets: Vec<_> = rows.iter().map(|row| row.target).collect();
    let expected = [
        Some(Target::Agent(AgentId(1))),
        Some(Target::Point(Vec2::new(4.5, 2.5))),
        Some(Target::Home),
        None,
    ];
    assert_eq!(targets, expected);
    assert_eq!(rows.iter().map(|row| row.weight).collect::<Vec<_>>(), [1.0, 2.0, 1.0, 10.0]);
}

#[test]
fn patterns_are_placed_at_their_offset_at_home_or_at_absolute_tiles() {
    let agent = |name: &str, more: &str| {
        format!("[[agent]]\nname = \"{name}\"\nat = [1.2, 1.7]\npattern = \"{name}\"\n{more}\n")
    };
    let map = format!(
        "tiles = '''\n......\n......\n......\n'''\n{}{}{}{}",
        agent("round", "offset = [2, 0]"),
        agent("cells", ""),
        agent("fixed", ""),
        agent("snake", "pace = 9"),
    );
    let patterns = [
        ("round", "kind = \"path\"\nvertices = [[3, 1], [5, 1], [5, 2]]\nclosed = true"),
        ("cells", "kind = \"matrix\"\ncells = '''\n.1.\n111\n'''\nsegments = [[[2, 0], [2, 1]]]"),
        ("fixed", "kind = \"path\"\nvertices = [[1, 1], [2, 1]]\nabsolute = true"),
        ("snake", "kind = \"steps\"\nmoves = 4\nsteps = [{ forward = 2 }, { left = 1 }]"),
    ];
    let scenario = scenario(&map, &patterns);
    let drive = |index: usize| match &scenario.kinds()[index].modes[0].drive {
        Drive::Pattern(used) => (used.pattern.as_ref(), used.placement),
        other => panic!("{other:?}"),
    };
    let (Pattern::Path(path), placement) = drive(0) else { panic!("no path") };
    assert_eq!(
        (path.tiles()[0], placement),
        (TilePos::new(0, 0), Placement::At(TilePos::new(2, 0)))
    );
    let (Pattern::Matrix(matrix), placement) = drive(1) else { panic!("no matrix") };
    let tiles = [(-1, 0), (0, 0), (-2, 1), (-1, 1), (0, 1)];
    assert_eq!(matrix.tiles(), tiles.map(|(x, y)| TilePos::new(x, y)));
    assert_eq!(placement, Placement::Home);
    let (Pattern::Path(path), placement) = drive(2) else { panic!("no path") };
    assert_eq!(
        (path.tiles()[0], placement),
        (TilePos::new(1, 1), Placement::At(TilePos::new(0, 0)))
    );
    let modes: Vec<_> = scenario.kinds().iter().map(|kind| kind.modes[0].name.as_str()).collect();
    assert_eq!(modes, ["path", "matrix", "path", "steps"]);
    assert_eq!(scenario.kinds()[3].modes[0].pace, 9);
    assert_eq!(
        scenario.starts()[0].position,
        Vec2::new(1.5, 1.5),
        "a tile drive starts on a centre"
    );
}

#[test]
fn random_starts_are_distinct_and_depend_on_the_seed_but_not_the_count() {
    let map = |count: u32| {
        format!(
            "tiles = '''\n#####\n#...#\n#...#\n#####\n'''\n[[agent]]\nname = \"a\"\n\
             at = \"anywhere\"\ncount = {count}\n[[agent]]\nname = \"b\"\nat = [2, 1]\n"
        )
    };
    let tiles = |scenario: &Scenario| -> Vec<TilePos> {
        scenario.starts().iter().map(|start| TilePos::containing(start.position)).collect()
    };
    let five = scenario(&map(5), &[]);
    let mut all = tiles(&five);
    assert_eq!(all[5], TilePos::new(2, 1));
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 6);
    assert_eq!(tiles(&scenario(&map(3), &[]))[..3], tiles(&five)[..3]);
    let options = Options { seed: Some(5), ..Options::default() };
    let other = loaded(&map(5), &[], &options).scenario.unwrap();
    assert_eq!(other.seed(), 5);
    assert_ne!(tiles(&other), tiles(&five));
    let full = loaded(&map(6), &[], &Options::default());
    let message = "only 5 of 6 agents of `a` fit between (0, 0) and (4, 3)";
    assert_eq!(full.report.diagnostics()[0].message, message);
}

#[test]
fn settings_are_validated_like_keys_of_the_map() {
    let map = "# Hello.\ntiles = '...'\n[[agent]]\nname = \"a\"\nat = [0, 0]\n";
    let set = |text: &str| {
        let options = Options { set: vec![settings::parse(text).unwrap()], ..Options::default() };
        loaded(map, &[], &options)
    };
    let fast = set("a.max_speed=6");
    assert_eq!(
        (fast.scenario.unwrap().kinds()[0].body.max_speed, fast.comment),
        (6.0, "Hello.".into())
    );
    let message = "`max_speed` must be between 0 and 1000, but is -6";
    assert_eq!(set("a.max_speed=-6").report.diagnostics()[0].message, message);
    assert_eq!(set("a.max_sped=6").report.diagnostics()[0].message, "unknown key `max_sped`");
}

#[test]
fn octile_maps_are_read_with_the_default_legend() {
    let folder = tempfile::tempdir().unwrap();
    let file = "type octile\r\nheight 2\r\nwidth 4\r\nmap\r\n.GS@\r\nOTW.\r\n";
    fs::write(folder.path().join("a.map"), file).unwrap();
    let path = folder.path().join("map.toml");
    fs::write(&path, "tiles_file = \"a.map\"\n[legend]\nW = { name = \"ford\" }\n").unwrap();
    let loaded = load(&path);
    assert_eq!(loaded.report.plain(), "");
    let scenario = loaded.scenario.unwrap();
    let map = scenario.map();
    let walkable: String = (0..8)
        .map(|index| map.refusal(TilePos::new(index % 4, index / 4)))
        .map(|refusal| if refusal.is_none() { '.' } else { '#' })
        .collect();
    assert_eq!(walkable, "...###..");
}

#[test]
fn a_tiles_file_can_contain_rows_of_glyphs() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.txt"), "\u{feff}#é#\r\n#é#\r\n").unwrap();
    let path = folder.path().join("map.toml");
    fs::write(&path, "tiles_file = \"a.txt\"\nlegend.é = { cost = 2 }\n").unwrap();
    let loaded = load(&path);
    assert!(loaded.report.plain().contains("syntax error"), "bare keys are ASCII");
    fs::write(&path, "tiles_file = \"a.txt\"\nlegend.\"é\" = { cost = 2 }\n").unwrap();
    let loaded = load(&path);
    assert_eq!(loaded.report.plain(), "");
    assert_eq!(loaded.report.sources().len(), 2);
    let scenario = loaded.scenario.unwrap();
    let map = scenario.map();
    assert_eq!((map.width(), map.height()), (3, 2));
    assert_eq!(map.kind(TilePos::new(1, 1)).unwrap().cost, 2.0);
}

/// Valid files, which a test mutates.
const VALID: [&str; 5] = [
    include_str!("../../../../maps/yard.toml"),
    include_str!("../../../../patterns/rectangle.toml"),
    r#"kind = "matrix"
cells = """
.1.
1\u0031\
  .
"""
segments = [[[0, 0], [2, 9]]]
moves = 4
"#,
    r#"kind = "steps"
unit = "degrees"
steps = [{ forward = 2.5, left = 3 }, { signal = "a", pace = 2 }]
"#,
    r#"tiles = '''
ab
cd
'''
legend.a = {}
legend.b = { obstacle = 0.2 }
[places]
p = [1, 1]
[[agent]]
name = "x"
at = { within = [0, 0, 1, 1] }
count = 2
steer = [{ do = "seek", target = "p" }, { do = "flee", target = "x.1", panic = 2 }]
"#,
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_loader_does_not_panic_on_random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        assert_loads_without_panic(&bytes);
    }

    #[test]
    fn the_loader_does_not_panic_on_mutations_of_valid_files(
        which in 0..VALID.len(),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), 0..20_usize, "\\PC{0,6}|[0-9.,'\"=\\[\\]{}#\\\\\n -]{0,6}"), 1..6)
    ) {
        let mut text: Vec<char> = VALID[which].chars().collect();
        for (at, length, insert) in cuts {
            let at = at.index(text.len() + 1);
            let end = (at + length).min(text.len());
            text.splice(at..end, insert.chars());
            if text.is_empty() { break; }
        }
        assert_loads_without_panic(text.into_iter().collect::<String>().as_bytes());
    }
}

fn assert_loads_without_panic(bytes: &[u8]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("map.toml");
    fs::write(&path, bytes).unwrap();
    let loaded = load(&path);
    assert_eq!(loaded.scenario.is_some(), loaded.report.errors() == 0);
    for report in [loaded.report, tilewalk_files::check(&[path], None).unwrap()] {
        let _ = report.styled();
        assert!(report.plain().chars().all(|c| c == '\n' || !c.is_control()));
        assert!(report.entries().all(|entry| entry.line > 0 && entry.column > 0));
    }
}

#[test]
fn behaviours_are_read_with_their_targets_and_defaults() {
    let map = r#"
        tiles = "..\n.."
        [[agent]]
        name = "a"
        at = [0, 0]
        combine = "dithered"
        steer = [
          { do = "pursue", target = "b", turn_time = 0.5 },
          { do = "evade", target = "b", probability = 0.25, weight = 3 },
          { do = "interpose", between = ["b", [1, 1]] },
          { do = "offset_pursue", leader = "b", offset = [-2, 0.5] },
          { do = "dynamic_seek", target = "home" },
          { do = "dynamic_flee", target = "b" },
          { do = "dynamic_arrive", target = "b", slow_radius = 5 },
          { do = "match_velocity", target = "b" },
          { do = "tether", to = [1.5, 1.5], radius = 4 },
          { do = "avoid_obstacles", box = 3 },
          { do = "avoid_walls" },
          { do = "flee", target = "b" },
          { do = "arrive", target = "b" },
        ]
        [[agent]]
        name = "b"
        at = [1, 0]
    "#;
    let scenario = scenario(map, &[]);
    let Drive::Steer { combine, rows } = &scenario.kinds()[0].modes[0].drive else {
        panic!("the drive is not steering")
    };
    assert_eq!(*combine, Combine::Dithered);
    let b = Target::Agent(AgentId(1));
    let corner = Target::Point(Vec2::new(1.5, 1.5));
    let behind = OffsetPursue { offset: Vec2::new(-2.0, 0.5) };
    let slow = DynamicArrive { slow_radius: 5.0, ..DynamicArrive::default() };
    let long = AvoidObstacles { box_length: 3.0, ..AvoidObstacles::default() };
    let expected = [
        (Behaviour::Pursue(Pursue { turn_time: 0.5, ..Pursue::default() }), Some(b), 1.0, 0.8),
        (Behaviour::Evade(Evade { threat: Some(6.0) }), Some(b), 3.0, 0.25),
        (Behaviour::Interpose, Some(b), 1.0, 0.8),
        (Behaviour::OffsetPursue(behind), Some(b), 1.0, 0.8),
        (Behaviour::DynamicSeek, Some(Target::Home), 1.0, 0.8),
        (Behaviour::DynamicFlee, Some(b), 1.0, 0.8),
        (Behaviour::DynamicArrive(slow), Some(b), 1.0, 0.8),
        (
            Behaviour::MatchVelocity(MatchVelocity { time_to_target: 0.1, opposite: false }),
            Some(b),
            1.0,
            0.8,
        ),
        (Behaviour::Tether(Tether { radius: 4.0 }), Some(corner), 1.0, 0.8),
        (Behaviour::AvoidObstacles(long), None, 10.0, 0.5),
        (Behaviour::AvoidWalls(AvoidWalls::default()), None, 10.0, 0.5),
        (Behaviour::Flee(Flee { panic: None }), Some(b), 1.0, 0.6),
        (Behaviour::Arrive(Arrive::default()), Some(b), 1.0, 0.5),
    ];
    assert_eq!(rows.len(), expected.len());
    for (row, (behaviour, target, weight, probability)) in rows.iter().zip(expected) {
        let other = (behaviour == Behaviour::Interpose).then_some(corner);
        let expected =
            WeightedBehaviour { behaviour, target, other, weight, probability, enabled: true };
        assert_eq!(*row, expected);
    }
    for (word, combine) in Combine::WORDS {
        let map = format!(
            "tiles = '.'\nagent = [{{ name = 'a', at = [0, 0], combine = '{word}', steer = [{{ do = 'wander' }}] }}]"
        );
        let scenario = self::scenario(&map, &[]);
        let Drive::Steer { combine: read, .. } = scenario.kinds()[0].modes[0].drive else {
            panic!("the drive is not steering")
        };
        assert_eq!(read, combine);
    }
}
