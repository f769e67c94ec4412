//! Verdicts for all forms of expectations: examples of each outcome, and a comparison with a slow evaluator
//! that follows the definitions.
//!
//! The conditions are built from lists of frame numbers, so that a test can choose the frames at which they
//! hold.

use std::sync::Arc;

use proptest::prelude::*;
use tilewalk_sim::condition::{Condition, ConditionContext, NumberCondition};
use tilewalk_sim::judge::{Finding, Outcome, Verdict, judge, judge_world};
use tilewalk_sim::map::{Edges, Map};
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::scenario::builder::Builder;
use tilewalk_sim::scenario::expectation::{Expectation, Form, Golden, WindowStart};
use tilewalk_sim::step::{self, ENGINE_REVISION};
use tilewalk_sim::world::World;

use super::slow_verdicts::{Values, slow};

use crate::support::build;

fn scenario() -> Scenario {
    Builder::new(Map::drawn(&["."], Edges::Wall).expect("a map")).build().expect("a scenario")
}

/// Returns a condition that holds in the given frames.
fn at(frames: &[u64]) -> Condition {
    let terms: Vec<_> = frames.iter().map(|frame| format!("frame == {frame}")).collect();
    let text = if terms.is_empty() { "false".to_owned() } else { terms.join(" or ") };
    Condition::read(&text, &scenario(), ConditionContext::Global).expect("a condition")
}

fn verdict(form: Form, from: WindowStart, duration: u64) -> Verdict {
    let mut scenario = scenario();
    let expectation = Expectation { from, duration, ..Expectation::new("test", form) };
    build::edit(&mut scenario, |parts| parts.expectations.push(expectation));
    judge(&Arc::new(scenario), 0).expect("not cancelled").verdict
}

/// Asserts the verdict of a form on the frames 10 to 20, with both kinds of window start. Also asserts that
/// the verdict is inconclusive if the window never starts.
#[track_caller]
fn check(form: &Form, outcome: Outcome, frame: u64, finding: Finding) {
    let starts =
        [WindowStart::Frame(10), WindowStart::When { condition: Box::new(at(&[10])), by: 10 }];
    for from in starts {
        let expected = Verdict { outcome, frame, finding };
        assert_eq!(verdict(form.clone(), from, 10), expected, "{form:?}");
    }
    let from = WindowStart::When { condition: Box::new(at(&[8])), by: 7 };
    let none = Verdict { outcome: Outcome::Inconclusive, frame: 7, finding: Finding::NoStart };
    assert_eq!(verdict(form.clone(), from, 10), none, "{form:?}");
}

#[test]
fn eventually_never_and_always_use_only_frames_of_the_window() {
    use Outcome::{Fail, Pass};
    check(&Form::Eventually(at(&[9, 20])), Pass, 20, Finding::Held);
    check(&Form::Eventually(at(&[9, 21])), Fail, 20, Finding::HeldNever);
    check(&Form::Never(at(&[9, 21])), Pass, 20, Finding::HeldNever);
    check(&Form::Never(at(&[10])), Fail, 10, Finding::Held);
    check(&Form::Never(at(&[20])), Fail, 20, Finding::Held);
    let inside: Vec<u64> = (10..=20).collect();
    check(&Form::Always(at(&inside)), Pass, 20, Finding::HeldAlways);
    check(&Form::Always(at(&inside[..10])), Fail, 20, Finding::NotHeld);
    check(&Form::Always(at(&inside[1..])), Fail, 10, Finding::NotHeld);
}

#[test]
fn a_response_is_judged_for_each_trigger_in_the_window() {
    use Outcome::{Fail, Inconclusive, Pass};
    let form = |when: &[u64], then: &[u64]| {
        let (when, then) = (at(when), at(then));
        Form::Response { when, then, within: 3 }
    };
    check(&form(&[12], &[12]), Pass, 20, Finding::Answered(1));
    check(&form(&[12], &[15]), Pass, 20, Finding::Answered(1));
    check(&form(&[12], &[11, 16]), Fail, 15, Finding::Unanswered(12));
    // A condition that holds at the first frame of the window is a trigger there, even if it held before.
    check(&form(&[9, 10], &[13]), Pass, 20, Finding::Answered(1));
    // A condition that continues to hold is not a new trigger.
    check(&form(&[12, 13, 14], &[15]), Pass, 20, Finding::Answered(1));
    check(&form(&[12, 14], &[14]), Pass, 20, Finding::Answered(2));
    check(&form(&[12, 14, 16], &[14]), Fail, 19, Finding::Unanswered(16));
    // The run continues until the last trigger is judged.
    check(&form(&[20], &[23]), Pass, 23, Finding::Answered(1));
    check(&form(&[20], &[24]), Fail, 23, Finding::Unanswered(20));
    // A trigger after the window does not count.
    check(&form(&[19, 22], &[21]), Pass, 21, Finding::Answered(1));
    check(&form(&[9, 21], &[]), Inconclusive, 20, Finding::NoTrigger);
}

#[test]
fn precedence_passes_if_the_first_condition_holds_no_later_than_the_second() {
    use Outcome::{Fail, Inconclusive, Pass};
    let form =
        |first: &[u64], before: &[u64]| Form::Precedence { first: at(first), before: at(before) };
    check(&form(&[12], &[13]), Pass, 12, Finding::Held);
    check(&form(&[12], &[12]), Pass, 12, Finding::Held);
    check(&form(&[12], &[]), Pass, 12, Finding::Held);
    check(&form(&[12], &[11]), Fail, 11, Finding::TooEarly);
    check(&form(&[9], &[20]), Fail, 20, Finding::TooEarly);
    check(&form(&[9], &[9, 21]), Inconclusive, 20, Finding::NeitherHeld);
}

#[test]
fn settles_requires_the_condition_to_hold_until_the_end_of_the_window() {
    use Outcome::{Fail, Pass};
    let form = |frames: core::ops::RangeInclusive<u64>, hold| Form::Settles {
        condition: at(&frames.collect::<Vec<_>>()),
        hold,
    };
    check(&form(16..=20, 4), Pass, 20, Finding::Settled(16));
    check(&form(8..=20, 10), Pass, 20, Finding::Settled(10));
    check(&form(20..=20, 0), Pass, 20, Finding::Settled(20));
    check(&form(17..=20, 4), Fail, 16, Finding::Unsettled(4));
    check(&form(10..=19, 0), Fail, 20, Finding::Unsettled(0));
    check(&form(10..=18, 0), Fail, 20, Finding::Unsettled(0));
    check(&form(10..=18, 1), Fail, 19, Finding::Unsettled(1));
}

#[test]
fn repeats_requires_the_condition_to_become_true_in_each_span() {
    use Outcome::{Fail, Inconclusive, Pass};
    let form = |frames: &[u64], every| Form::Repeats { condition: at(frames), every };
    check(&form(&[13, 17], 3), Pass, 20, Finding::Repeated(2));
    check(&form(&[13, 18], 3), Fail, 17, Finding::NotRepeated(Some(13)));
    check(&form(&[14, 17], 3), Fail, 13, Finding::NotRepeated(None));
    check(&form(&[13, 16], 3), Fail, 20, Finding::NotRepeated(Some(16)));
    // The condition becomes true at the first frame of the window, and not again while it holds.
    check(&form(&[9, 10, 11, 12], 5), Fail, 16, Finding::NotRepeated(Some(10)));
    check(&form(&[], 11), Inconclusive, 20, Finding::NoSpan);
}

#[test]
fn bounds_are_exclusive_and_undefined_values_are_skipped() {
    use Outcome::{Fail, Inconclusive, Pass};
    let form = |text, below, above| {
        let value = NumberCondition::read(text, &scenario(), ConditionContext::Global);
        Form::Bounds { value: value.expect("a number"), below, above }
    };
    let within = Finding::Within(10.0, 20.0);
    check(&form("frame", Some(20.1), Some(9.9)), Pass, 20, within);
    check(&form("frame", Some(21.0), None), Pass, 20, within);
    check(&form("frame", Some(20.0), None), Fail, 20, Finding::OutOfBounds(20.0));
    check(&form("frame", None, Some(10.0)), Fail, 10, Finding::OutOfBounds(10.0));
    check(&form("1 / (frame - 10)", None, Some(0.0)), Pass, 20, Finding::Within(0.1, 1.0));
    check(&form("1 / (frame - frame)", Some(0.0), None), Inconclusive, 20, Finding::Undefined);
}

#[test]
fn a_golden_hash_is_compared_at_the_end_of_the_window() {
    let mut world = World::new(Arc::new(scenario()));
    (0..20).for_each(|_| step::step(&mut world));
    let (engine, hash) = (ENGINE_REVISION, world.hash());
    let form = |engine, hash| Form::Golden(Some(Golden { engine, hash }));
    check(&form(engine, hash), Outcome::Pass, 20, Finding::Hash(hash));
    check(&form(engine, !hash), Outcome::Fail, 20, Finding::OtherHash(hash, !hash));
    let other = Finding::OtherEngine(engine - 1, hash);
    check(&form(engine - 1, hash), Outcome::Inconclusive, 20, other);
    check(&Form::Golden(None), Outcome::Inconclusive, 20, Finding::NoGolden(hash));
}

fn values() -> impl Strategy<Value = Values> {
    (0.05..0.95).prop_flat_map(|p| prop::collection::vec(prop::bool::weighted(p), 60))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    #[test]
    fn verdicts_on_random_values_agree_with_the_slow_evaluator(
        (a, b) in (values(), values()),
        (first, duration) in (0_usize..10, 0_usize..30),
        part in 0.0..1.0_f64,
        form in 0..7,
    ) {
        let frames = |values: &Values| {
            let held = values.iter().enumerate().filter(|(_, held)| **held);
            at(&held.map(|(frame, _)| frame as u64).collect::<Vec<_>>())
        };
        let span = (part * (duration + 1) as f64) as usize;
        let (one, two, length) = (frames(&a), frames(&b), span as u64);
        let form = match form {
            0 => Form::Eventually(one),
            1 => Form::Never(one),
            2 => Form::Always(one),
            3 => Form::Response { when: one, then: two, within: length },
            4 => Form::Precedence { first: one, before: two },
            5 => Form::Settles { condition: one, hold: length },
            _ => Form::Repeats { condition: one, every: length },
        };
        let expected = slow(form.word(), &a, &b, span, first, first + duration);
        let found = verdict(form, WindowStart::Frame(first as u64), duration as u64);
        prop_assert_eq!(found.outcome, expected);
    }
}

/// A judge that is created during a run, for example after a reload, starts with the current frame.
#[test]
fn the_search_for_the_start_of_a_window_begins_at_the_current_frame() {
    let mut scenario = scenario();
    let from = WindowStart::When { condition: Box::new(at(&[30])), by: 7 };
    let form = Form::Eventually(at(&[32]));
    build::edit(&mut scenario, |parts| {
        parts.expectations.push(Expectation { from, ..Expectation::new("test", form) });
    });
    let mut world = World::new(Arc::new(scenario));
    while world.frame().0 < 25 {
        step::step(&mut world);
    }
    let verdict = judge_world(&mut world, 0).expect("not cancelled").verdict;
    assert_eq!((verdict.outcome, verdict.frame), (Outcome::Pass, 32));
}
