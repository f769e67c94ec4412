//! A cancelled step leaves the world unchanged, and later frames equal those of a run without cancellations.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use tilewalk::cancel::Cancel;
use tilewalk::command::Command;
use tilewalk::debugger::Opened;
use tilewalk::debugger::session::Session;
use tilewalk::files::{self, Options};
use tilewalk::history::breaks::Breaks;
use tilewalk::history::{DEFAULT_BUDGET, History};
use tilewalk::id::AgentId;
use tilewalk::step::{explain_with, try_explain, try_step};
use tilewalk::time::Frame;
use tilewalk::world::World;

/// Calls `work` while another thread requests the cancellation after some microseconds. Withdraws the
/// request afterwards.
fn cancelled_after<R>(cancel: &Cancel, micros: u64, work: impl FnOnce() -> R) -> R {
    thread::scope(|scope| {
        let canceller = scope.spawn(|| {
            thread::sleep(Duration::from_micros(micros));
            cancel.request();
        });
        let result = work();
        canceller.join().expect("the canceller does not panic");
        cancel.reset();
        result
    })
}

fn world(map: &str) -> World {
    let loaded = files::load(&tilewalk::builtin::origin(map), &Options::default());
    World::new(loaded.expect("a built-in map").scenario.expect("a map without errors"))
}

#[test]
fn a_cancelled_step_leaves_the_world_unchanged() {
    for map in tilewalk::builtin::maps() {
        let mut world = world(&map.name);
        let cancel = Cancel::new();
        world.set_cancel(cancel.clone());
        for _ in 0..20 {
            let before = (world.hash(), world.events().to_vec());
            cancel.request();
            assert!(!try_step(&mut world, &[]), "{}", map.name);
            assert_eq!((world.hash(), world.events().to_vec()), before, "{}", map.name);
            cancel.reset();
            assert!(try_step(&mut world, &[]), "{}", map.name);
        }
    }
}

/// The moment of each cancellation depends on the machine, but the property holds for every moment.
#[test]
fn cancelled_steps_change_no_later_frame() {
    for map in tilewalk::builtin::maps() {
        let (mut world, mut plain) = (world(&map.name), world(&map.name));
        let cancel = Cancel::new();
        world.set_cancel(cancel.clone());
        for frame in 0..60 {
            let before = world.hash();
            let complete = cancelled_after(&cancel, frame * 7 % 50, || try_step(&mut world, &[]));
            if !complete {
                assert_eq!(world.hash(), before, "{} frame {frame}", map.name);
                assert!(try_step(&mut world, &[]));
            }
            try_step(&mut plain, &[]);
            assert_eq!(world.hash(), plain.hash(), "{} frame {frame}", map.name);
        }
    }
}

#[test]
fn a_history_loses_no_frame_or_command_when_it_is_cancelled() {
    let start = world("mouse");
    let agent = AgentId(0);
    let command = |world: &World| {
        let direction =
            world.frame().0.is_multiple_of(3).then_some(tilewalk::geom::Direction::East);
        Some(Command::Drive { agent, direction })
    };
    let run = |history: &mut History, until: u64| {
        let left = (until - history.frame().0) as u32;
        history.run_frames(left, &mut Breaks::default(), command, |_| {}, || true);
    };
    let mut plain = History::new(start.scenario().clone(), DEFAULT_BUDGET);
    run(&mut plain, 200);
    let mut history = History::new(start.scenario().clone(), DEFAULT_BUDGET);
    let cancel = Cancel::new();
    history.set_cancel(&cancel);
    for attempt in 0.. {
        cancelled_after(&cancel, attempt * 13 % 200, || run(&mut history, 200));
        let (before, now) = (history.before().frame(), history.frame());
        assert!(now == Frame(0) || before.next() == now, "{before} before {now}");
        if history.frame() == Frame(200) {
            break;
        }
    }
    assert_eq!(history.world().hash(), plain.world().hash());
    assert_eq!(history.before().hash(), plain.before().hash());
    let command_count = |history: &History| history.run().log().len();
    assert_eq!(command_count(&history), command_count(&plain));
    for frame in [150, 40, 199, 3] {
        history.seek(Frame(frame));
        for attempt in 0.. {
            if cancelled_after(&cancel, attempt * 31 % 400, || history.pursue(|| true)) {
                break;
            }
        }
        plain.go_to(Frame(frame));
        assert_eq!(history.world().hash(), plain.world().hash(), "frame {frame}");
        assert_eq!(history.before().hash(), plain.before().hash(), "before frame {frame}");
    }
}

#[test]
fn cancelling_a_command_in_a_past_frame_creates_no_run() {
    let scenario = world("mouse").scenario().clone();
    let mut history = History::new(scenario, DEFAULT_BUDGET);
    let cancel = Cancel::new();
    history.set_cancel(&cancel);
    let run = |history: &mut History, command: Option<Command>| {
        history.run_frames(1, &mut Breaks::default(), |_| command.clone(), |_| {}, || true)
    };
    while history.frame() < Frame(20) {
        run(&mut history, None);
    }
    history.go_to(Frame(10));
    let command = Some(Command::Drive { agent: AgentId(0), direction: None });
    cancel.request();
    assert_eq!(run(&mut history, command.clone()), 0);
    assert_eq!((history.runs().len(), history.frame(), history.run().end().0), (1, Frame(10), 20));
    cancel.reset();
    assert_eq!(run(&mut history, command), 1);
    assert_eq!((history.runs().len(), history.frame()), (2, Frame(11)));
    assert_eq!(history.comparison_world().map(World::frame), Some(Frame(11)));
}

#[test]
fn try_explain_returns_a_complete_explanation_or_none_if_cancelled() {
    for map in tilewalk::builtin::maps() {
        let mut world = world(&map.name);
        let cancel = Cancel::new();
        world.set_cancel(cancel.clone());
        for _ in 0..5 {
            let hash = world.hash();
            let complete = explain_with(&world, &[], world.ids());
            assert_eq!(try_explain(&world, &[], world.ids()).as_ref(), Some(&complete));
            cancel.request();
            assert_eq!(try_explain(&world, &[], world.ids()), None, "{}", map.name);
            // `explain_with` ignores the cancellation and returns the whole explanation.
            assert_eq!(explain_with(&world, &[], world.ids()), complete, "{}", map.name);
            assert_eq!(world.hash(), hash, "{}", map.name);
            cancel.reset();
            assert!(try_step(&mut world, &[]), "{}", map.name);
        }
    }
}

#[test]
fn a_session_explains_a_frame_again_after_a_cancellation() {
    let scenario = Arc::clone(world("forest").scenario());
    let mut session = Session::new(Opened::new("forest", "forest", scenario));
    let cancel = Cancel::new();
    session.set_cancel(&cancel);
    session.run(20, || true);
    let explained = session.explanation().cloned();
    assert!(explained.is_some());
    while !session.recall(|| true) {}
    let first = session.selected().expect("a selected agent");
    cancel.request();
    session.select_next(1);
    session.select(first);
    session.observe(vec![AgentId(1), AgentId(2)], 0, true);
    assert!(session.explanation().is_none() && session.explanation_of(AgentId(1)).is_none());
    assert!(!session.recall(|| true) && !session.is_recalled());
    cancel.reset();
    while !session.recall(|| true) {}
    assert_eq!(session.explanation(), explained.as_ref());
    session.observe(vec![AgentId(1), AgentId(2)], 0, true);
    assert!(session.explanation_of(AgentId(1)).is_some());
}
