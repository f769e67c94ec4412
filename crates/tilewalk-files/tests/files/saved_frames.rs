//! Saving a frame as a map.

use tilewalk_files::{Options, Origin, write, write::frame_to_map};
use tilewalk_sim::history::History;
use tilewalk_sim::scenario::spawn::Spawn;
use tilewalk_sim::step;
use tilewalk_sim::world::World;
use tilewalk_test_support::builtin;

/// Returns the position, heading in hundredths of a degree, and mode of each agent, in order of id.
fn agent_states(history: &History) -> Vec<(f32, f32, i32, String)> {
    let world = history.world();
    let state = |id| {
        let (at, mode) = (world.position(id), world.mode(id).name.clone());
        (at.x, at.y, (world.heading_degrees(id) * 100.0).round() as i32 % 36000, mode)
    };
    world.ids().map(state).collect()
}

/// Saves a frame of a built-in map. Asserts that the saved map is readable and has the same agent states.
#[track_caller]
fn assert_saves_frame(name: &str, frame: u64) {
    let loaded = tilewalk_files::load(&builtin::origin(name), &Options::default()).unwrap();
    let mut history = History::new(loaded.scenario.unwrap(), 1 << 22);
    history.go_to(tilewalk_sim::time::Frame(frame));
    let text = match frame_to_map::text(history.world()) {
        Ok(text) => text,
        // Overlapping solid bodies are not valid starts.
        Err(why) => return assert!(why.contains("solid"), "{name} at {frame}: {why}"),
    };
    let origin = builtin::text(format!("{name}.toml"), text.clone());
    let loaded = tilewalk_files::load(&origin, &Options::default()).unwrap();
    let report = loaded.report.plain();
    let again = History::new(
        loaded.scenario.unwrap_or_else(|| panic!("{name}: {report}\n{text}")),
        1 << 22,
    );
    let (before, after) = (agent_states(&history), agent_states(&again));
    for (index, (was, is)) in before.iter().zip(&after).enumerate() {
        assert!((was.0, was.1) == (is.0, is.1), "{name} at {frame}, {index}: {was:?} {is:?}");
        assert!((was.2 - is.2).abs() <= 2, "{name} at {frame}, {index}: {was:?} {is:?}");
        assert_eq!(was.3, is.3, "{name} at {frame}, {index}");
    }
    assert_eq!(before.len(), after.len());
}

#[test]
fn frames_of_every_shipped_map_can_be_saved_and_loaded_as_maps() {
    for map in builtin::maps() {
        for frame in [0, 7, 100] {
            assert_saves_frame(&map.name, frame);
        }
    }
}

#[test]
fn a_saved_frame_keeps_comments_and_the_position_of_home() {
    let loaded = tilewalk_files::load(&builtin::origin("castle"), &Options::default()).unwrap();
    let mut history = History::new(loaded.scenario.unwrap(), 1 << 22);
    history.go_to(tilewalk_sim::time::Frame(90));
    let text = frame_to_map::text(history.world()).unwrap();
    assert!(text.contains("# State machines: a guard patrols a castle"), "the comment is missing");
    assert!(text.contains("travel = [13, 1]"), "home has moved: {text}");
}

/// When the frame is saved, the first rule has spawned two of its three instances and the second all of
/// them. The third rule has no total.
#[test]
fn spawn_rules_continue_in_a_saved_frame_in_every_toml_spelling() {
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
        let loaded =
            tilewalk_files::load(&builtin::text("rain.toml", map), &Options::default()).unwrap();
        let mut world = World::new(loaded.scenario.expect("map is valid"));
        for _ in 0..20 {
            step::step(&mut world);
        }
        let text = frame_to_map::text(&world).unwrap();
        let loaded =
            tilewalk_files::load(&builtin::text("rain.toml", text.clone()), &Options::default())
                .unwrap();
        let scenario = loaded.scenario.expect("map is valid");
        let clocks = scenario.spawns().iter().filter_map(Spawn::clock);
        let clocks: Vec<_> = clocks.map(|clock| (clock.first, clock.total)).collect();
        // The first rule has spawned in frames 4 and 14, and its next instance is due in frame 24. The saved
        // frame 20 is the new frame 0.
        assert_eq!(clocks, [(4, Some(1)), (60, None)], "{text}");
    }
}

/// Returns the position and heading of each agent in frames 0 to 100.
fn walk(world: &mut World) -> Vec<Vec<(f32, f32, f32)>> {
    let mut frames = Vec::new();
    for _ in 0..=100 {
        let state = |id| (world.position(id).x, world.position(id).y, world.heading_degrees(id));
        frames.push(world.ids().map(state).collect());
        step::step(world);
    }
    frames
}

/// A map can't express velocities, the time in a mode or the memory of a drive. Frame 0 has none of them, so
/// a map of frame 0 that is saved to an empty folder continues like the original map.
#[test]
fn frame_0_saved_with_its_files_continues_like_the_shipped_map() {
    let folder = tempfile::tempdir().unwrap();
    for map in builtin::maps() {
        let loaded =
            tilewalk_files::load(&builtin::origin(&map.name), &Options::default()).unwrap();
        let mut world = World::new(loaded.scenario.unwrap());
        let Ok(text) = frame_to_map::text(&world) else { continue };
        let home = folder.path().join(&map.name);
        std::fs::create_dir_all(&home).unwrap();
        let path = home.join("saved.toml");
        let written = write::map(&path, &text, &world.scenario().sources().clone()).unwrap();
        for name in &written {
            assert!(home.join(name).is_file(), "{}: {name}", map.name);
        }
        let report = tilewalk_files::check(&[home], None).unwrap();
        assert_eq!(report.errors(), 0, "{}: {}", map.name, report.plain());
        let saved = tilewalk_files::load(&Origin::Disk(path), &Options::default()).unwrap();
        let mut saved = World::new(saved.scenario.expect("map is valid"));
        // Members of groups get new names, so they draw other random numbers after frame 0.
        let groups = world.scenario().kinds().iter().any(|kind| kind.count > 1);
        let compared = if groups { 1 } else { 101 };
        let frames = walk(&mut saved).into_iter().zip(walk(&mut world)).take(compared);
        // The file has headings in degrees, which rounds the unit vectors of random headings.
        let rounding = if groups { 1e-4 } else { 0.0 };
        for (frame, (is, was)) in frames.enumerate() {
            assert_eq!(is.len(), was.len(), "{} at frame {frame}", map.name);
            for (is, was) in is.into_iter().zip(was) {
                let same = (is.0, is.1) == (was.0, was.1) && (is.2 - was.2).abs() <= rounding;
                assert!(same, "{} at frame {frame}: {is:?} instead of {was:?}", map.name);
            }
        }
    }
}
