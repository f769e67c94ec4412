//! `sees` and `noticed`: line of sight now, and the result of the last check of an agent that does not
//! look in each frame.

use std::sync::Arc;

use tilewalk_files::{Loaded, Options};
use tilewalk_sim::condition::{Condition, ConditionContext};
use tilewalk_sim::history::breaks::{Break, Trigger};
use tilewalk_sim::judge::{Outcome, judge};
use tilewalk_sim::report::parts;
use tilewalk_sim::step::step;
use tilewalk_sim::world::{Look, World};
use tilewalk_test_support::builtin;

/// The thief comes into the range of the guard after about 4 s. `EVERY` is the number of frames between
/// two looks of the guard.
const MAP: &str = r#"
tiles = '''
..............
..............
'''
[[agent]]
name = "guard"
at = [1, 0]
every = EVERY
body = { view = { range = 5, angle = 360 } }
[[agent.mode]]
name = "watch"
switch = [{ when = "sees(thief)", to = "chase" }]
[[agent.mode]]
name = "chase"
[[agent]]
name = "cat"
at = [2, 1]
[[agent]]
name = "thief"
at = [12, 0]
travel = [1, 1]
pace = 10
"#;

fn load(every: u32, rest: &str) -> Loaded {
    let text = MAP.replace("EVERY", &every.to_string()) + rest;
    tilewalk_files::load(&builtin::text("m.toml", &text), &Options::default()).expect("readable")
}

fn problems(loaded: &Loaded) -> Vec<String> {
    loaded.report.entries().map(|it| format!("{}:{}: {}", it.line, it.column, it.message)).collect()
}

/// A guard that looks too rarely does not react in time. The expectation about it fails, but passes for
/// a guard that looks in each frame.
#[test]
fn an_expectation_about_sight_finds_a_guard_that_looks_too_rarely() {
    let expect = |word: &str| {
        format!(
            "[[expect]]\nname = 'reacts'\nwhen = '{word}(guard, thief)'\n\
             then = 'guard.mode == \"chase\"'\nwithin = 0.5\nduration = 20\n"
        )
    };
    let outcome = |every, word| {
        let loaded = load(every, &expect(word));
        assert_eq!(problems(&loaded), [""; 0]);
        judge(&loaded.scenario.unwrap(), 0).unwrap().verdict.outcome
    };
    assert_eq!(outcome(1, "sees"), Outcome::Pass);
    assert_eq!(outcome(200, "sees"), Outcome::Fail);
    // The mode changes in the frame in which a check of the guard is due, and each check comes with a
    // test of the transitions.
    assert_eq!(outcome(1, "noticed"), Outcome::Pass);
}

/// In each frame, `sees` is line of sight and `noticed` is the last check. Breakpoints agree.
#[test]
fn sees_is_line_of_sight_and_noticed_is_the_last_check() {
    let scenario = load(40, "").scenario.unwrap();
    let read = |text| Condition::read(text, &*scenario, ConditionContext::Global).unwrap();
    let (sees, noticed) = (read("sees(guard, thief)"), read("noticed(guard, thief)"));
    let mut breakpoint = Break::read(Trigger::Condition, "sees(guard, thief)", &scenario).unwrap();
    let breakpoint = breakpoint.condition(&scenario).unwrap();
    let mut world = World::new(Arc::clone(&scenario));
    let (mut last, mut differ) = (false, 0);
    for frame in 0..=200_u64 {
        let [guard, thief] = ["guard", "thief"].map(|name| scenario.find(name).unwrap());
        let gap = (world.position(guard) - world.position(thief)).length();
        let is_near = gap <= 5.0;
        if frame % 40 == 0 {
            last = is_near;
        }
        let look = Look::at(&world);
        assert_eq!(sees.holds(&look, None), is_near, "frame {frame}");
        assert_eq!(breakpoint.holds(&look, None), is_near, "frame {frame}");
        assert_eq!(noticed.holds(&look, None), last, "frame {frame}");
        if last != is_near {
            differ += 1;
            let why = parts::why(&noticed, &look, None);
            assert!(why.contains("not seen at the last check, range"), "{why}");
        }
        step(&mut world);
    }
    assert!(differ > 0, "{differ}");
}

/// In a transition, both words mean the last check, so the runs are equal.
#[test]
fn sees_in_a_transition_is_the_last_check() {
    for every in [1, 7, 40] {
        let text = MAP.replace("EVERY", &every.to_string());
        let worlds = [text.clone(), text.replace("sees(thief)", "noticed(thief)")].map(|text| {
            let loaded = tilewalk_files::load(&builtin::text("m.toml", &text), &Options::default());
            let loaded = loaded.expect("readable");
            assert_eq!(problems(&loaded), [""; 0]);
            World::new(loaded.scenario.unwrap())
        });
        let [mut sees, mut noticed] = worlds;
        for frame in 0..300 {
            step(&mut sees);
            step(&mut noticed);
            assert_eq!(sees.hash(), noticed.hash(), "{every} {frame}");
        }
    }
}

/// `noticed` is an error where it could never be true: in expectations, in transitions of other agents,
/// and in spawn rules.
#[test]
fn noticed_needs_an_agent_that_watches_the_target() {
    let unwatched = "does not watch cat, so it never notices it";
    let [expect, own, other, spawn] = [
        "[[expect]]\nname = 'e'\nnever = 'noticed(guard, cat)'\n",
        "[[agent]]\nname = 'dog'\nat = [3, 1]\nremove = 'noticed(cat)'\n",
        "[[agent]]\nname = 'dog'\nat = [3, 1]\nremove = 'guard.x > 90 or noticed(guard, cat)'\n",
        "[[agent]]\nname = 'shot'\ntemplate = true\nmax = 3\n[[spawn]]\nagent = 'shot'\nat = 'anywhere'\n\
         every = 1\nwhen = 'noticed(guard, cat)'\n",
    ]
    .map(|rest| problems(&load(1, rest)));
    let lines = MAP.lines().count();
    assert_eq!(expect, [format!("{}:25: guard {unwatched}", lines + 3)]);
    assert_eq!(own, [""; 0]);
    assert_eq!(other, [format!("{}:42: guard {unwatched}", lines + 4)]);
    assert_eq!(spawn, [format!("{}:24: guard {unwatched}", lines + 9)]);
    let place = problems(&load(1, "[[expect]]\nname = 'e'\nnever = 'noticed(guard, [3, 1])'\n"));
    assert_eq!(place.len(), 1);
    assert!(place[0].ends_with("`noticed` needs the name of an agent or a group"), "{place:?}");
}

/// `check --deprecated` suggests `noticed` only for agents that do not look in each frame.
#[test]
fn noticed_is_suggested_for_agents_that_look_rarely() {
    for (every, expected) in [(1, None), (3, Some("with `every = 3`, `sees` is what"))] {
        let loaded = load(every, "");
        assert_eq!(problems(&loaded), [""; 0]);
        let report = loaded.report.with_deprecated();
        let messages: Vec<_> = report.entries().map(|it| it.message.to_owned()).collect();
        assert_eq!(messages.len(), usize::from(expected.is_some()), "{messages:?}");
        assert!(messages.iter().all(|it| it.starts_with(expected.unwrap())), "{messages:?}");
        if expected.is_some() {
            let at = report.entries().next().map(|it| (it.line, it.column));
            assert_eq!(at, Some((13, 21)));
        }
    }
}
