//! A game without a screen: a guard walks around a block of walls, and looks for the cause of a noise.
//!
//! The game writes its run to standard output, one JSON object per line, for tilewalk. The guard has a
//! bug: after the noise, it walks through the walls. docs/your-game.md finds the cause.
//!
//! `cargo run -- --fixed` runs the game without the bug.

use std::io::{self, Write};
use std::time::Duration;

use bevy_app::{App, Startup, Update};
use bevy_ecs::prelude::*;
use bevy_time::{Time, TimePlugin, TimeUpdateStrategy};
use serde_json::json;

const FRAMES: u32 = 100;
const FRAME: Duration = Duration::from_millis(50);

/// Speed of the guard, in tiles per second.
const SPEED: f32 = 4.0;

/// The corners of the guard's round, in tiles.
const ROUND: [[f32; 2]; 4] = [[2.5, 1.5], [13.5, 1.5], [13.5, 6.5], [2.5, 6.5]];

/// Time and place of the noise.
const NOISE: (f32, [f32; 2]) = (1.5, [9.5, 1.5]);

/// Time for which the guard looks around at the place of the noise, in seconds.
const LOOKS_FOR: f32 = 0.5;

#[derive(Component)]
struct Position([f32; 2]);

#[derive(Clone, Copy, PartialEq)]
enum State {
    Patrol,
    Search,
    Look,
}

#[derive(Component)]
struct Guard {
    state: State,
    /// Index of the next corner in [`ROUND`].
    corner: usize,
    /// Seconds since the state began.
    seconds: f32,
}

/// Whether the game runs without the bug.
#[derive(Resource)]
struct Fixed(bool);

impl Guard {
    /// Returns the place to which the guard walks.
    fn wants(&self) -> [f32; 2] {
        if self.state == State::Patrol { ROUND[self.corner] } else { NOISE.1 }
    }

    fn enter(&mut self, state: State) {
        (self.state, self.seconds) = (state, 0.0);
    }
}

fn begin(mut commands: Commands) {
    let guard = Guard { state: State::Patrol, corner: 1, seconds: 0.0 };
    commands.spawn((Name::new("guard"), Position(ROUND[0]), guard));
    println!("{}", json!({"tilewalk": {"map": "level.toml", "tick": FRAME.as_secs_f64(), "columns": {"mode": "state"}}}));
}

fn decide(time: Res<Time>, fixed: Res<Fixed>, mut guards: Query<(&Position, &mut Guard)>) {
    let now = time.elapsed_secs();
    for (position, mut guard) in &mut guards {
        guard.seconds += time.delta_secs();
        let arrived = distance(position.0, guard.wants()) < 0.01;
        match guard.state {
            State::Patrol if now >= NOISE.0 && now - time.delta_secs() < NOISE.0 => guard.enter(State::Search),
            State::Patrol if arrived => guard.corner = (guard.corner + 1) % ROUND.len(),
            State::Search if arrived => guard.enter(State::Look),
            State::Look if guard.seconds >= LOOKS_FOR => {
                if !fixed.0 {
                    // The bug: the place of the noise is not a corner of the round.
                    guard.corner = (guard.corner + 1) % ROUND.len();
                }
                guard.enter(State::Patrol);
            }
            State::Patrol | State::Search | State::Look => {}
        }
    }
}

fn walk(time: Res<Time>, mut guards: Query<(&mut Position, &Guard)>) {
    for (mut position, guard) in &mut guards {
        let (to, left) = (guard.wants(), distance(position.0, guard.wants()));
        let share = (SPEED * time.delta_secs() / left.max(1e-6)).min(1.0);
        position.0 = [0, 1].map(|axis| position.0[axis] + (to[axis] - position.0[axis]) * share);
    }
}

/// Writes the row of each guard.
fn trace(mut frame: Local<u32>, guards: Query<(&Name, &Position, &Guard)>) {
    let mut out = io::stdout().lock();
    for (name, Position([x, y]), guard) in &guards {
        let state = match guard.state {
            State::Patrol => "patrol",
            State::Search => "search",
            State::Look => "look",
        };
        let rounded = |tiles: &f32| (f64::from(*tiles) * 1000.0).round() / 1000.0;
        let row = json!({"frame": *frame, "agent": name.as_str(), "x": rounded(x), "y": rounded(y),
            "state": state, "wants": guard.wants(), "corner": guard.corner});
        writeln!(out, "{row}").expect("standard output");
    }
    *frame += 1;
}

fn distance(from: [f32; 2], to: [f32; 2]) -> f32 {
    (to[0] - from[0]).hypot(to[1] - from[1])
}

fn main() {
    let mut app = App::new();
    app.add_plugins(TimePlugin)
        // All runs have the same frames, so that they can be compared.
        .insert_resource(TimeUpdateStrategy::ManualDuration(FRAME))
        .insert_resource(Fixed(std::env::args().any(|word| word == "--fixed")))
        .add_systems(Startup, begin)
        .add_systems(Update, (decide, walk, trace).chain());
    for _ in 0..FRAMES {
        app.update();
    }
}
