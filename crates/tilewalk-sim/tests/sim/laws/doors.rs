//! Crowds leave a room through a door. The room empties, and the people use the whole width of a wide
//! door.
//!
//! `TILEWALK_CASES` is the number of seeds, 3 by default. With `TILEWALK_FIRST`, the first seed less 1, crowds
//! of 500 people are tested, too. `.ci/long doors` does this for 100 seeds.

use tilewalk_files::{Options, Origin};
use tilewalk_sim::event::{Event, EventKind};
use tilewalk_sim::geom::Vec2;
use tilewalk_sim::id::AgentId;
use tilewalk_sim::step::step;
use tilewalk_sim::world::World;

use crate::support::{build, maps};

/// Measured people per second through doors of one, two, four and eight tiles, as the median of 10 seeds
/// with 150 people, or 500 at the widest door.
const FLOWS: [(usize, f32); 4] = [(1, 1.7), (2, 4.4), (4, 6.5), (8, 16.5)];

/// The time that a person takes for the longest way in the room without others, in seconds.
const WALK: f32 = 45.0;

/// The column of the wall with the door.
const WALL: usize = 41;

/// Returns the text of the map `doors/room.toml` with another door and another number of people.
fn room(door: usize, people: usize, seed: u64) -> String {
    let map = include_str!("../../doors/room.toml");
    let top = 12 - door / 2;
    let is_row = |line: &str| line.starts_with('#') && line.len() == 56 && !line.contains(' ');
    let mut row = 0;
    let mut lines = Vec::new();
    for line in map.lines() {
        let mut line = line.to_owned();
        if is_row(&line) {
            let tile = if (top..top + door).contains(&row) { "." } else { "#" };
            line.replace_range(WALL..=WALL, tile);
            row += 1;
        }
        lines.push(line);
    }
    // The room has ten percent more floor tiles than people.
    let columns = (people * 11).div_ceil(220);
    lines
        .join("\n")
        .replace("seed   = 1", &format!("seed   = {seed}"))
        .replace("count  = 150", &format!("count  = {people}"))
        .replace("[33, 1, 40, 22]", &format!("[{}, 1, 40, 22]", WALL - columns))
}

/// A run of a crowd through a door.
struct Exit {
    /// Events of stuck, oscillating and deadlocked people.
    reports: Vec<Event>,
    /// Times at which people passed the door, in seconds, ascending.
    times: Vec<f32>,
    /// Number of people that passed each row of the map.
    rows: [usize; 24],
    people: usize,
}

impl Exit {
    /// Simulates until the room is empty, or for `limit` seconds.
    fn run(door: usize, people: usize, seed: u64, limit: f32) -> Self {
        let origin = Origin::Text {
            label: "room.toml".to_owned(),
            text: room(door, people, seed),
            set: None,
        };
        let loaded = tilewalk_files::load(&origin, &Options::default());
        let scenario = loaded.expect("the room is readable").scenario.expect("the room is valid");
        let mut world = World::new(scenario);
        let mut passed = vec![false; world.len()];
        let mut exit = Self { reports: Vec::new(), times: Vec::new(), rows: [0; 24], people };
        for frame in 1_u32.. {
            let time = frame as f32 * world.scenario().dt();
            if exit.times.len() == people || time > limit {
                break;
            }
            step(&mut world);
            exit.reports.extend(world.events().iter().filter(|event| is_report(event.kind)));
            for id in world.ids() {
                let Vec2 { x, y } = world.position(id);
                if x > WALL as f32 + 0.5 && !passed[id.index()] {
                    passed[id.index()] = true;
                    exit.times.push(time);
                    exit.rows[y as usize] += 1;
                }
            }
        }
        exit
    }

    /// Returns the people per second between the 20th and the 80th percentile.
    fn flow(&self) -> f32 {
        let at = |share: f32| self.times[(share * self.people as f32) as usize];
        0.6 * self.people as f32 / (at(0.8) - at(0.2))
    }
}

fn is_report(kind: EventKind) -> bool {
    matches!(kind, EventKind::Stuck | EventKind::Oscillating { .. } | EventKind::Deadlocked(_))
}

/// Returns the number before the first seed. `None` in a short run.
fn first() -> Option<u64> {
    std::env::var("TILEWALK_FIRST").ok().and_then(|text| text.parse().ok())
}

fn seeds() -> impl Iterator<Item = u64> {
    (first().unwrap_or(0) + 1..).take(build::tries(3))
}

/// Returns the measured flow through a door, in people per second.
fn measured_flow(door: usize) -> f32 {
    FLOWS.iter().find(|(width, _)| *width == door).expect("a measured door").1
}

/// A room is empty in time if all people leave within twice the time that follows from the flow, plus the
/// time of the longest way.
#[test]
fn a_crowd_leaves_a_room_through_a_narrow_door() {
    let crowds: &[usize] = if first().is_some() { &[30, 150, 500] } else { &[30, 150] };
    for door in [1, 2, 4] {
        for &people in crowds {
            let limit = 2.0 * people as f32 / measured_flow(door) + WALK;
            // Long runs of large crowds at the narrowest door take most of the time.
            for seed in seeds().filter(|&seed| door > 1 || seed <= 20) {
                let left = Exit::run(door, people, seed, limit).times.len();
                assert_eq!(left, people, "door {door}, seed {seed}: people who left in {limit} s");
            }
        }
    }
}

/// With these seeds, people form an arch in front of the door soon. It must dissolve.
#[test]
fn an_arch_of_people_at_a_narrow_door_does_not_last() {
    for seed in [1, 10] {
        let (people, limit) = (250, 250.0 / measured_flow(1) + WALK);
        let left = Exit::run(1, people, seed, limit).times.len();
        assert_eq!(left, people, "seed {seed}: people who left in {limit} s");
    }
}

/// People in a queue that moves are not stuck.
#[test]
fn people_in_a_queue_at_a_door_are_not_reported() {
    for (door, people) in [(2, 150), (2, 500), (4, 500)] {
        for seed in 1..=3 {
            let exit = Exit::run(door, people, seed, 400.0);
            assert_eq!(exit.times.len(), people, "door {door}, seed {seed}: people who left");
            assert_eq!(exit.reports, [], "door {door}, {people} people, seed {seed}");
        }
    }
}

#[test]
fn a_crowd_passes_a_wide_door_in_all_rows_and_faster_than_a_narrow_one() {
    let median_flow = |door: usize, people: usize| {
        let mut exits: Vec<Exit> =
            (1..=3).map(|seed| Exit::run(door, people, seed, 300.0)).collect();
        exits.sort_by(|a, b| a.flow().total_cmp(&b.flow()));
        exits.swap_remove(exits.len() / 2)
    };
    for (door, people) in [(1, 150), (2, 150), (4, 150), (8, 500)] {
        let exit = median_flow(door, people);
        let (flow, measured) = (exit.flow(), measured_flow(door));
        assert!(
            (0.9..1.1).contains(&(flow / measured)),
            "door {door}: {flow} instead of {measured}"
        );
        let busiest = exit.rows.into_iter().max().expect("rows");
        assert!(door < 8 || busiest * 4 <= people, "{busiest} people in one row of the door");
    }
}

#[test]
fn solid_guests_of_the_evacuation_leave_with_every_seed() {
    for seed in seeds().chain([6]) {
        let options = Options { seed: Some(seed), ..Options::default() };
        let mut world = World::new(maps::scenario_with("evacuation", &options));
        let guests = |world: &World| -> Vec<AgentId> {
            world.ids().filter(|id| world.kind(*id).name == "guest").collect()
        };
        assert!(guests(&world).into_iter().all(|id| world.body(id).solid));
        (0..1800).for_each(|_| step(&mut world));
        assert_eq!(guests(&world), [], "seed {seed}: guests after 90 s");
    }
}
