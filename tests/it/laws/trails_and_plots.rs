//! Trails and plots show the frames of a plain run, however the current frame is reached.

use std::time::Duration;

use proptest::prelude::*;
use ratatui::layout::Rect;
use tilewalk::debugger::session::Session;
use tilewalk::geom::{Direction, Vec2};
use tilewalk::history::History;
use tilewalk::history::run::RunId;
use tilewalk::id::AgentId;
use tilewalk::step::{explain_with, step_with};
use tilewalk::time::Frame;
use tilewalk::tui::Start;
use tilewalk::tui::app::App;
use tilewalk::tui::input::{Input, Key};
use tilewalk::world::World;

use crate::support::sample_maps::{dark_theme, opened};
use crate::support::screen::{Look, frame};

/// The agent `vagabond`, which has a steering list.
const VAGABOND: AgentId = AgentId(3);

/// Length of trails and plots, in frames.
const REACH: u64 = 100;

/// An action of the user in a session.
#[derive(Debug, Clone)]
pub enum Action {
    Run(u32),
    Seek(u64),
    Back(u64),
    Drive(Direction, u32),
    SwitchRun(usize),
    Restart,
    /// Computes missing trails and plots, for a limited number of frames.
    Recall(u32),
}

/// Generates a random action.
pub fn action() -> impl Strategy<Value = Action> {
    prop_oneof![
        3 => (1..80_u32).prop_map(Action::Run),
        3 => (0..220_u64).prop_map(Action::Seek),
        4 => (1..12_u64).prop_map(Action::Back),
        2 => (prop::sample::select(vec![Direction::North, Direction::East]), 1..9_u32)
            .prop_map(|(direction, frames)| Action::Drive(direction, frames)),
        1 => (0..4_usize).prop_map(Action::SwitchRun),
        1 => Just(Action::Restart),
        3 => (1..40_u32).prop_map(Action::Recall),
    ]
}

/// Performs an action, and waits for the frame that it seeks.
pub fn perform(session: &mut Session, action: &Action) {
    let now = session.world().frame().0;
    match *action {
        Action::Run(frames) => {
            session.run(frames, || true);
        }
        Action::Seek(frame) => session.go_to(Frame(frame)),
        Action::Back(frames) => session.go_to(Frame(now.saturating_sub(frames))),
        Action::Drive(direction, frames) => {
            session.drive(Some(VAGABOND));
            for _ in 0..frames {
                session.push(direction);
                session.run(1, || true);
            }
            session.drive(None);
        }
        Action::SwitchRun(run) => session.switch_run(RunId(run as u32)),
        Action::Restart => session.restart(),
        Action::Recall(frames) => {
            let mut left = frames;
            session.recall(|| {
                left = left.saturating_sub(1);
                left > 0
            });
        }
    }
    while !session.pursue(|| true) {}
}

/// Values of a plain run with the same commands, up to the current frame.
struct Plain {
    hash: u64,
    positions: Vec<Vec2>,
    speeds: Vec<f32>,
    forces: Vec<Option<f32>>,
}

fn plain(history: &History) -> Plain {
    let run = history.run();
    let mut world = World::new(run.start().clone());
    let (mut positions, mut speeds) =
        (vec![world.position(VAGABOND)], vec![world.velocity(VAGABOND).length()]);
    let mut forces = vec![None];
    while world.frame() < history.frame() {
        let commands = run.log().at(world.frame().next());
        let why = explain_with(&world, commands, [VAGABOND]).remove(0);
        forces.push((!why.forces.rows.is_empty()).then(|| why.output.force.length()));
        step_with(&mut world, commands);
        positions.push(world.position(VAGABOND));
        speeds.push(world.velocity(VAGABOND).length());
    }
    Plain { hash: world.hash(), positions, speeds, forces }
}

fn check_past(session: &Session) {
    let plain = plain(session.history());
    let now = session.world().frame().0;
    assert_eq!(session.world().hash(), plain.hash, "frame {now}");
    let first = now.saturating_sub(REACH) as usize;
    let trail: Vec<Vec2> = session.past().trail().of(VAGABOND, 0).map(|point| point.at).collect();
    assert_eq!(trail, plain.positions[first..], "the trail at frame {now}");
    let plots = session.past().plots(VAGABOND).expect("plots of the selected agent");
    let (mut speeds, mut forces) = (vec![], vec![]);
    for (_, sample) in plots.iter() {
        assert!(sample.explained);
        speeds.push(sample.speed.expect("a known speed"));
        forces.push(sample.force);
    }
    assert_eq!(speeds, plain.speeds[first..], "speeds at frame {now}");
    assert_eq!(forces, plain.forces[first..], "forces at frame {now}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn trails_and_plots_equal_those_of_a_plain_run(
        actions in prop::collection::vec(action(), 1..14)
    ) {
        let mut session = Session::new(opened());
        session.select(VAGABOND);
        for action in &actions {
            perform(&mut session, action);
        }
        while !session.recall(|| true) {}
        check_past(&session);
        // The trail of the comparison run shows the frames of that run.
        if let Some(ghost) = session.history().comparison() {
            let history = session.history();
            let run = &history.runs()[ghost];
            let mut world = World::new(run.start().clone());
            let last = history.frame().min(run.end());
            let mut positions = vec![world.position(VAGABOND)];
            while world.frame() < last {
                let commands = run.log().at(world.frame().next());
                step_with(&mut world, commands);
                positions.push(world.position(VAGABOND));
            }
            let first = last.0.saturating_sub(REACH) as usize;
            let trail = session.ghost_trail().expect("the trail of the comparison run");
            let trail: Vec<Vec2> = trail.of(VAGABOND, 0).map(|point| point.at).collect();
            prop_assert_eq!(trail, &positions[first..]);
            if let Some(shown) = history.comparison_world() {
                prop_assert_eq!(shown.hash(), world.hash());
            }
        }
    }
}

fn app() -> App {
    let mut app = App::new(vec![], Start::Map(opened()), Rect::new(0, 0, 100, 40), dark_theme()).0;
    app.update(Input::Key(Key::Char(' ')));
    app
}

#[test]
fn backward_playback_runs_at_the_chosen_speed_and_pauses_at_frame_zero() {
    let mut app = app();
    app.map_mut().session.run(50, || true);
    app.update(Input::Key(Key::Backspace));
    assert!(app.map().clock.playing && app.map().clock.backwards);
    app.pass(Duration::from_millis(100), || true);
    assert_eq!(frame(&app), 48);
    app.update(Input::Key(Key::Char('+')));
    app.pass(Duration::from_millis(100), || true);
    assert_eq!(frame(&app), 44);
    app.update(Input::Key(Key::Char('.')));
    assert_eq!(
        (frame(&app), app.map().clock.playing),
        (45, false),
        "a step continues from the current frame"
    );
    app.update(Input::Key(Key::Backspace));
    for _ in 0..20 {
        app.pass(Duration::from_millis(200), || true);
    }
    assert_eq!(
        (frame(&app), app.map().clock.playing, app.map().clock.backwards),
        (0, false, false)
    );
    assert_eq!(app.session().expect("a map").history().run().end(), Frame(50));
    app.update(Input::Key(Key::Backspace));
    assert!(!app.map().clock.playing, "there is nothing before frame 0");
}

#[test]
fn stepping_back_during_a_seek_counts_from_the_sought_frame() {
    let mut app = app();
    let session = &mut app.map_mut().session;
    session.run(20_000, || true);
    session.go_to(Frame(19_000));
    while !session.pursue(|| true) {}
    // The seek to a distant frame is not complete at once.
    app.update(Input::Key(Key::Home));
    app.update(Input::Key(Key::End));
    app.update(Input::Key(Key::Char(',')));
    while app.session().is_some_and(|session| session.sought().is_some()) {
        app.pass(Duration::ZERO, || true);
    }
    assert_eq!(frame(&app), 19_999);
}
