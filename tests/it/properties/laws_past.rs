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

use crate::support::screen::Look;
use crate::support::screen::frame;
use crate::support::stage::{colors, opened};

/// The vagabond, who steers.
const WHO: AgentId = AgentId(3);

/// Frames that a trail reaches back, at 0.05 s each.
const REACH: u64 = 100;

/// Something that is done in time.
#[derive(Debug, Clone)]
pub enum Deed {
    Run(u32),
    Seek(u64),
    Back(u64),
    Drive(Direction, u32),
    Return(usize),
    Restart,
    /// Looks on for what is missing, for so many frames.
    Recall(u32),
}

/// Any of them.
pub fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        3 => (1..80_u32).prop_map(Deed::Run),
        3 => (0..220_u64).prop_map(Deed::Seek),
        4 => (1..12_u64).prop_map(Deed::Back),
        2 => (prop::sample::select(vec![Direction::North, Direction::East]), 1..9_u32)
            .prop_map(|(way, frames)| Deed::Drive(way, frames)),
        1 => (0..4_usize).prop_map(Deed::Return),
        1 => Just(Deed::Restart),
        3 => (1..40_u32).prop_map(Deed::Recall),
    ]
}

/// Does it.
pub fn do_it(session: &mut Session, deed: &Deed) {
    let now = session.world().frame().0;
    match *deed {
        Deed::Run(frames) => {
            session.run(frames, || true);
        }
        Deed::Seek(frame) => session.go_to(Frame(frame)),
        Deed::Back(frames) => session.go_to(Frame(now.saturating_sub(frames))),
        Deed::Drive(way, frames) => {
            session.drive(Some(WHO));
            for _ in 0..frames {
                session.push(way);
                session.run(1, || true);
            }
            session.drive(None);
        }
        Deed::Return(run) => session.switch_run(RunId(run as u32)),
        Deed::Restart => session.restart(),
        Deed::Recall(frames) => {
            let mut left = frames;
            session.recall(|| {
                left = left.saturating_sub(1);
                left > 0
            });
        }
    }
    while !session.pursue(|| true) {}
}

/// What the frames up to the one that is looked at are in a plain run with the same commands.
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
        (vec![world.position(WHO)], vec![world.velocity(WHO).length()]);
    let mut forces = vec![None];
    while world.frame() < history.frame() {
        let commands = run.log().at(world.frame().next());
        let why = explain_with(&world, commands, [WHO]).remove(0);
        forces.push((!why.forces.rows.is_empty()).then(|| why.output.force.length()));
        step_with(&mut world, commands);
        positions.push(world.position(WHO));
        speeds.push(world.velocity(WHO).length());
    }
    Plain { hash: world.hash(), positions, speeds, forces }
}

fn check_past(session: &Session) {
    let plain = plain(session.history());
    let now = session.world().frame().0;
    assert_eq!(session.world().hash(), plain.hash, "frame {now}");
    let first = now.saturating_sub(REACH) as usize;
    let trail: Vec<Vec2> = session.past().trail().of(WHO, 0).map(|point| point.at).collect();
    assert_eq!(trail, plain.positions[first..], "the trail at frame {now}");
    let plots = session.past().plots(WHO).expect("the selected agent's");
    let (mut speeds, mut forces) = (vec![], vec![]);
    for (_, sample) in plots.iter() {
        assert!(sample.explained);
        speeds.push(sample.speed.expect("a frame that was seen"));
        forces.push(sample.force);
    }
    assert_eq!(speeds, plain.speeds[first..], "speeds at frame {now}");
    assert_eq!(forces, plain.forces[first..], "forces at frame {now}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn what_is_shown_of_the_past_is_what_a_plain_run_has(
        deeds in prop::collection::vec(deed(), 1..14)
    ) {
        let mut session = Session::new(opened());
        session.select(WHO);
        for deed in &deeds {
            do_it(&mut session, deed);
        }
        while !session.recall(|| true) {}
        check_past(&session);
        // The ghost's way is that of its own run.
        if let Some(ghost) = session.history().ghost() {
            let history = session.history();
            let run = &history.runs()[ghost];
            let mut world = World::new(run.start().clone());
            let last = history.frame().min(run.end());
            let mut positions = vec![world.position(WHO)];
            while world.frame() < last {
                let commands = run.log().at(world.frame().next());
                step_with(&mut world, commands);
                positions.push(world.position(WHO));
            }
            let first = last.0.saturating_sub(REACH) as usize;
            let trail = session.ghost_trail().expect("a ghost's");
            let trail: Vec<Vec2> = trail.of(WHO, 0).map(|point| point.at).collect();
            prop_assert_eq!(trail, &positions[first..]);
            if let Some(shown) = history.ghost_world() {
                prop_assert_eq!(shown.hash(), world.hash());
            }
        }
    }
}

fn app() -> App {
    let mut app = App::new(vec![], Start::Map(opened()), Rect::new(0, 0, 100, 40), colors()).0;
    app.update(Input::Key(Key::Char(' ')));
    app
}

#[test]
fn time_runs_back_at_its_speed_and_stops_where_it_began() {
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
    assert_eq!((frame(&app), app.map().clock.playing), (45, false), "a step goes on from there");
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
fn stepping_back_while_a_frame_is_sought_counts_from_that_frame() {
    let mut app = app();
    let session = &mut app.map_mut().session;
    session.run(20_000, || true);
    session.go_to(Frame(19_000));
    while !session.pursue(|| true) {}
    // A far frame that is not found at once.
    app.update(Input::Key(Key::Home));
    app.update(Input::Key(Key::End));
    app.update(Input::Key(Key::Char(',')));
    while app.session().is_some_and(|session| session.sought().is_some()) {
        app.pass(Duration::ZERO, || true);
    }
    assert_eq!(frame(&app), 19_999);
}
