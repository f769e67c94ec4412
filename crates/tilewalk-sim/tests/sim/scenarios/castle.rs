//! The shipped map `castle`: its story happens as its comment says.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use tilewalk_sim::event::EventKind;
use tilewalk_sim::id::AgentId;
use tilewalk_sim::steering::{SightTarget, Target};
use tilewalk_sim::step::step;
use tilewalk_sim::world::{DriveState, World};

use super::pictures::drawn;
use crate::support::maps;

const GUARD: AgentId = AgentId(0);
const THIEF: AgentId = AgentId(1);

/// The changes of mode on the way to this frame: frame, agent, from → to, and the rule.
fn changes(world: &World) -> String {
    let mut text = String::new();
    for event in world.events() {
        let EventKind::Mode { from, to, rule } = event.kind else { continue };
        let modes = &world.kind(event.agent).modes;
        let (from, to) = (&modes[usize::from(from)], &modes[usize::from(to)]);
        let (name, when) = (
            &world.kind(event.agent).name,
            from.rules[usize::from(rule)].when.text().split_whitespace().collect::<Vec<_>>(),
        );
        let way = format!("{} → {}", from.name, to.name);
        let _ = writeln!(text, "{:>4}  {name}  {way:<16}  {}", event.frame, when.join(" "));
    }
    text
}

/// Golden: all changes of mode in the first two minutes. `UPDATE_GOLDEN=1 cargo test castle` renews it.
#[test]
fn the_changes_of_mode_are_what_they_were() {
    let mut world = maps::world("castle");
    let mut now = String::new();
    for _ in 0..2400 {
        step(&mut world);
        now += &changes(&world);
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/castle_modes.txt");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, now).expect("a golden trace");
    } else {
        assert_eq!(fs::read_to_string(&path).unwrap_or_default(), now);
    }
}

/// Within a minute the guard sees the thief, chases him, loses him, searches where he last saw him, looks
/// round, goes home and patrols on; and so again and again, as often as there are minutes.
#[test]
fn the_whole_story_is_told_in_a_minute_and_again() {
    let mut world = maps::world("castle");
    let story = ["chase", "search", "look", "home", "patrol"];
    let (mut chapter, mut told) = (0, Vec::new());
    let (mut loot, mut caught) = (0, 0);
    for frame in 1..=6 * 1200 {
        step(&mut world);
        let mode = &world.mode(GUARD).name;
        if *mode == story[chapter] {
            chapter += 1;
        } else if mode == "scold" {
            chapter = 0;
        }
        if chapter == story.len() {
            told.push((frame - 1) / 1200);
            chapter = 0;
        }
        for event in world.events() {
            if let (THIEF, EventKind::Mode { to, .. }) = (event.agent, event.kind) {
                let to = &world.kind(THIEF).modes[usize::from(to)].name;
                loot += u32::from(to == "loot");
                caught += u32::from(to == "caught");
            }
        }
    }
    assert!(told[0] == 0 && told.len() >= 6, "{told:?}");
    assert!(loot > 0 && caught > 0, "{loot} times the gold, {caught} times caught");
}

/// What is searched is the tile the thief was on when he was last seen, and on it the guard looks round.
#[test]
fn the_guard_searches_where_he_last_saw_the_thief() {
    let mut world = maps::world("castle");
    let last_seen = Target::LastSeen(SightTarget::Agent(THIEF));
    let mut seen = None;
    let mut looks = 0;
    for _ in 0..2400 {
        if world.sees(GUARD, Target::Agent(THIEF)) {
            seen = Some(world.tile(THIEF));
        }
        assert_eq!(world.target_tile(GUARD, last_seen), seen, "frame {}", world.frame());
        step(&mut world);
        if let DriveState::Travel { progress: Some(progress), .. } = world.drive_state(GUARD)
            && world.mode(GUARD).name == "search"
        {
            assert_eq!(Some(progress.to), seen, "frame {}", world.frame());
        }
        if world.mode(GUARD).name == "look" && world.frames_in_mode(GUARD) == 0 {
            assert_eq!(Some(world.tile(GUARD)), seen, "frame {}", world.frame());
            looks += 1;
        }
    }
    assert!(looks >= 2, "{looks} times");
}

/// Through an alley the guard sees the thief in the street; at the gate he has lost him; he searches at the
/// door of the den, where he last saw him; and is back on his round.
#[test]
fn the_first_chase_in_pictures() {
    let chapters = [
        (
            "chase",
            "
        .T...T....T########################
        ....T..T...#......................#
        T.T........#..######...######.....#
        ####..T..T.#..######...######.#####
        #..#.......+........t.........+.$$#
        #.##.T...T.#..................#.$$#
        #..+......T#..######...######.#####
        ####.T.....#..######...######.....#
        ..T....T.T.#...........G..........#
        T.....T...T########################",
        ),
        (
            "search",
            "
        .T...T....T########################
        ....T..T...#......................#
        T.T........#..######...######.....#
        ####..T..T.#..######...######.#####
        #..#......t+..................+.$$#
        #.##.T...T.#.G................#.$$#
        #..+......T#..######...######.#####
        ####.T.....#..######...######.....#
        ..T....T.T.#......................#
        T.....T...T########################",
        ),
        (
            "look",
            "
        .T...T....T########################
        ....T..T...#......................#
        T.T........#..######...######.....#
        ####..T..T.#..######...######.#####
        #.t#.......+..................+.$$#
        #.##.T...T.#..................#.$$#
        #..+G.....T#..######...######.#####
        ####.T.....#..######...######.....#
        ..T....T.T.#......................#
        T.....T...T########################",
        ),
        (
            "patrol",
            "
        .T...T....T########################
        ....T..T...#.G....................#
        T.T........#..######...######.....#
        ####..T..T.#..######...######.#####
        #.t#.......+..................+.$$#
        #.##.T...T.#..................#.$$#
        #..+......T#..######...######.#####
        ####.T.....#..######...######.....#
        ..T....T.T.#......................#
        T.....T...T########################",
        ),
    ];
    let mut world = maps::world("castle");
    for (mode, picture) in chapters {
        let begins =
            |world: &World| world.mode(GUARD).name == mode && world.frames_in_mode(GUARD) == 0;
        step(&mut world);
        while !begins(&world) {
            assert!(world.frame().0 < 1200, "{mode} never comes");
            step(&mut world);
        }
        let expected = picture.split_whitespace().collect::<Vec<_>>().join("\n") + "\n";
        assert_eq!(
            drawn(&world),
            expected,
            "{mode} at frame {}:\n{}",
            world.frame(),
            drawn(&world)
        );
    }
}
