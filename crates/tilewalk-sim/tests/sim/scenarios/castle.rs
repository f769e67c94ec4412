//! Claims in the comment of the shipped map `castle`.

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

/// Returns a line for each mode switch of the current frame: frame, agent, from → to, and the condition.
fn mode_switches(world: &World) -> String {
    let mut text = String::new();
    for event in world.events() {
        let EventKind::Mode { from, to, rule: Some(rule) } = event.kind else { continue };
        let modes = &world.kind(event.agent).modes;
        let (from, to) = (&modes[usize::from(from)], &modes[usize::from(to)]);
        let (name, when) = (
            &world.kind(event.agent).name,
            from.rules[usize::from(rule)].when.text().split_whitespace().collect::<Vec<_>>(),
        );
        let switch = format!("{} → {}", from.name, to.name);
        let _ = writeln!(text, "{:>4}  {name}  {switch:<16}  {}", event.frame, when.join(" "));
    }
    text
}

/// Checks all mode switches of the first two minutes. `UPDATE_GOLDEN=1 cargo test castle` updates the
/// golden trace.
#[test]
fn mode_switches_on_the_castle_map_match_the_golden_trace() {
    let mut world = maps::world("castle");
    let mut now = String::new();
    for _ in 0..2400 {
        step(&mut world);
        now += &mode_switches(&world);
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/castle_modes.txt");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, now).expect("a golden trace");
    } else {
        assert_eq!(fs::read_to_string(&path).unwrap_or_default(), now);
    }
}

/// The guard chases the thief, searches where he last saw him, looks round, goes home and resumes his
/// patrol. The first of these cycles ends within a minute, and at least six of them end within six minutes.
#[test]
fn the_castle_guard_completes_six_cycles_of_modes_in_six_minutes() {
    let mut world = maps::world("castle");
    let cycle = ["chase", "search", "look", "home", "patrol"];
    let (mut next, mut cycles) = (0, Vec::new());
    let (mut loot, mut caught) = (0, 0);
    for frame in 1..=6 * 1200 {
        step(&mut world);
        let mode = &world.mode(GUARD).name;
        if *mode == cycle[next] {
            next += 1;
        } else if mode == "scold" {
            next = 0;
        }
        if next == cycle.len() {
            cycles.push((frame - 1) / 1200);
            next = 0;
        }
        for event in world.events() {
            if let (THIEF, EventKind::Mode { to, .. }) = (event.agent, event.kind) {
                let to = &world.kind(THIEF).modes[usize::from(to)].name;
                loot += u32::from(to == "loot");
                caught += u32::from(to == "caught");
            }
        }
    }
    assert!(cycles[0] == 0 && cycles.len() >= 6, "{cycles:?}");
    assert!(loot > 0 && caught > 0, "looted {loot} times, caught {caught} times");
}

/// The guard goes to the tile on which he last saw the thief, and looks round there.
#[test]
fn the_castle_guard_searches_where_he_last_saw_the_thief() {
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

/// The guard sees the thief through an alley, loses him at the gate, searches at the door of the den, and
/// returns to his patrol.
#[test]
fn the_first_chase_on_the_castle_map_matches_its_pictures() {
    let pictures = [
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
    for (mode, picture) in pictures {
        let has_just_begun =
            |world: &World| world.mode(GUARD).name == mode && world.frames_in_mode(GUARD) == 0;
        step(&mut world);
        while !has_just_begun(&world) {
            assert!(world.frame().0 < 1200, "the guard never enters {mode}");
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
