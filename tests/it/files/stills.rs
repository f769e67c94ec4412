//! A single frame saved as a map.

use tilewalk::builtin;
use tilewalk::files::{self, Options, Origin, still, write};
use tilewalk::history::History;
use tilewalk::scenario::spawn::Spawn;
use tilewalk::step;
use tilewalk::world::World;

/// Where everybody is, what they face and do, by number.
fn places(history: &History) -> Vec<(f32, f32, i32, String)> {
    let world = history.world();
    let of = |id| {
        let (at, mode) = (world.position(id), world.mode(id).name.clone());
        (at.x, at.y, (world.heading_degrees(id) * 100.0).round() as i32 % 36000, mode)
    };
    world.ids().map(of).collect()
}

/// A saved frame is a map that can be read, in which everybody stands where they were.
#[track_caller]
fn saved_at(name: &str, frame: u64) {
    let loaded = files::load(&builtin::origin(name), &Options::default()).unwrap();
    let mut history = History::new(loaded.scenario.unwrap(), 1 << 22);
    history.go_to(tilewalk::time::Frame(frame));
    let text = match still::text(history.world()) {
        Ok(text) => text,
        // Bodies that overlap can't begin so.
        Err(why) => return assert!(why.contains("solid"), "{name} at {frame}: {why}"),
    };
    let origin = builtin::text(format!("{name}.toml"), text.clone());
    let loaded = files::load(&origin, &Options::default()).unwrap();
    let report = loaded.report.plain();
    let again = History::new(
        loaded.scenario.unwrap_or_else(|| panic!("{name}: {report}\n{text}")),
        1 << 22,
    );
    let (was, is) = (places(&history), places(&again));
    for (index, (was, is)) in was.iter().zip(&is).enumerate() {
        assert!((was.0, was.1) == (is.0, is.1), "{name} at {frame}, {index}: {was:?} {is:?}");
        assert!((was.2 - is.2).abs() <= 2, "{name} at {frame}, {index}: {was:?} {is:?}");
        assert_eq!(was.3, is.3, "{name} at {frame}, {index}");
    }
    assert_eq!(was.len(), is.len());
}

#[test]
fn any_frame_of_every_shipped_map_is_a_map_again() {
    for map in builtin::maps() {
        for frame in [0, 7, 100] {
            saved_at(&map.name, frame);
        }
    }
}

#[test]
fn a_saved_frame_keeps_the_round_of_a_patrol_and_the_way_home() {
    let loaded = files::load(&builtin::origin("castle"), &Options::default()).unwrap();
    let mut history = History::new(loaded.scenario.unwrap(), 1 << 22);
    history.go_to(tilewalk::time::Frame(90));
    let text = still::text(history.world()).unwrap();
    assert!(text.contains("# State machines: a guard patrols a castle"), "comments stay");
    assert!(text.contains("travel = [13, 1]"), "home is where it was: {text}");
}

/// One rule has created two of its three instances, one has created all of them, and one has no
/// total.
#[test]
fn spawn_rules_of_a_saved_frame_continue_in_every_spelling() {
    let agent = "[[agent]]\nname = 'drop'\ntemplate = true\nmax = 9\nat = [1, 1]\n";
    let rules = [
        "agent = 'drop', every = 0.5, first = 0.2, total = 3",
        "agent = 'drop', every = 0.5, total = 1",
        "agent = 'drop', every = 4",
    ];
    let tables = rules.map(|rule| format!("[[spawn]]\n{}\n", rule.replace(", ", "\n"))).concat();
    let inline = rules.map(|rule| format!("  {{ {rule} }},\n")).concat();
    for spelling in [format!("{agent}{tables}"), format!("spawn = [\n{inline}]\n{agent}")] {
        let map = format!("tick = 0.05\ntiles = '''\n....\n....\n'''\n{spelling}");
        let loaded = files::load(&builtin::text("rain.toml", map), &Options::default()).unwrap();
        let mut world = World::new(loaded.scenario.expect("a map without errors"));
        for _ in 0..20 {
            step::step(&mut world);
        }
        let text = still::text(&world).unwrap();
        let loaded =
            files::load(&builtin::text("rain.toml", text.clone()), &Options::default()).unwrap();
        let scenario = loaded.scenario.expect("a map without errors");
        let clocks = scenario.spawns().iter().filter_map(Spawn::clock);
        let clocks: Vec<_> = clocks.map(|clock| (clock.first, clock.total)).collect();
        // Frames 4 and 14 have an instance of the first rule; frame 20 is now frame 0.
        assert_eq!(clocks, [(4, Some(1)), (60, None)], "{text}");
    }
}

/// Every step of the first hundred frames, by number.
fn walk(world: &mut World) -> Vec<Vec<(f32, f32, f32)>> {
    let mut frames = Vec::new();
    for _ in 0..=100 {
        let of = |id| (world.position(id).x, world.position(id).y, world.heading_degrees(id));
        frames.push(world.ids().map(of).collect());
        step::step(world);
    }
    frames
}

/// What a map can't say (velocities, how long a mode lasts, what a drive remembers) is nothing yet at
/// frame 0: so that one, saved into an empty folder, goes on as the map did.
#[test]
fn a_frame_of_every_shipped_map_is_saved_with_all_it_needs() {
    let folder = tempfile::tempdir().unwrap();
    for map in builtin::maps() {
        let loaded = files::load(&builtin::origin(&map.name), &Options::default()).unwrap();
        let mut world = World::new(loaded.scenario.unwrap());
        let Ok(text) = still::text(&world) else { continue };
        let home = folder.path().join(&map.name);
        std::fs::create_dir_all(&home).unwrap();
        let path = home.join("saved.toml");
        let written = write::map(&path, &text, &world.scenario().sources().clone()).unwrap();
        for name in &written {
            assert!(home.join(name).is_file(), "{}: {name}", map.name);
        }
        let report = files::check(&[home], None).unwrap();
        assert_eq!(report.errors(), 0, "{}: {}", map.name, report.plain());
        let saved = files::load(&Origin::Disk(path), &Options::default()).unwrap();
        let mut saved = World::new(saved.scenario.expect("a map that can be read"));
        // Who was one of a lot has another name, and with it other dice.
        let lots = world.scenario().kinds().iter().any(|kind| kind.count > 1);
        let same = if lots { 1 } else { 101 };
        let frames = walk(&mut saved).into_iter().zip(walk(&mut world)).take(same);
        for (frame, (is, was)) in frames.enumerate() {
            assert_eq!(is, was, "{} at frame {frame}", map.name);
        }
    }
}
