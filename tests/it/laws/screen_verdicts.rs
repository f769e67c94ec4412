//! The verdicts on the screen are those of a run without the screen, however the user gets to a frame.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use proptest::prelude::*;
use ratatui::layout::Rect;
use tilewalk::condition::{Condition, ConditionContext};
use tilewalk::judge::{JudgedRun, judge};
use tilewalk::scenario::Scenario;
use tilewalk::scenario::expectation::{Expectation, Form, WindowStart};
use tilewalk::tui::app::App;
use tilewalk::tui::input::{Input, Key};
use tilewalk::tui::{Opened, Start};

use crate::support::build;
use crate::support::maps;
use crate::support::sample_maps::dark_theme;
use crate::support::screen::{Look, settle};

/// Names of maps, each with conditions for its expectations.
const MAPS: [(&str, [&str; 4]); 3] = [
    (
        "castle",
        ["guard.mode == \"chase\"", "sees(guard, thief)", "changed(guard.mode)", "event(bump)"],
    ),
    ("yard", ["frame == 100", "event(bump)", "event(arrived)", "time > 20"]),
    ("flock", ["event(bump)", "time > 7", "frame == 333", "event(overlap)"]),
];

/// A map with expectations of many forms, and their verdicts in a run without a screen.
struct Known {
    scenario: Arc<Scenario>,
    runs: Vec<JudgedRun>,
}

fn known() -> &'static [Known] {
    static KNOWN: OnceLock<Vec<Known>> = OnceLock::new();
    KNOWN.get_or_init(|| MAPS.iter().map(|(name, texts)| with_expectations(name, texts)).collect())
}

/// Loads a map and adds expectations about the conditions in `texts`.
fn with_expectations(name: &str, texts: &[&str]) -> Known {
    let mut scenario = Scenario::clone(&maps::scenario(name));
    let read = |text: &&str| {
        Condition::read(text, &scenario, ConditionContext::Global).expect("a condition")
    };
    let conditions: Vec<Condition> = texts.iter().map(read).collect();
    let mut list = Vec::new();
    for (index, one) in conditions.iter().enumerate() {
        let other = conditions[(index + 1) % conditions.len()].clone();
        let forms = [
            Form::Eventually(one.clone()),
            Form::Never(one.clone()),
            Form::Always(one.clone()),
            Form::Response { when: one.clone(), then: other.clone(), within: 30 },
            Form::Precedence { first: one.clone(), before: other.clone() },
            Form::Settles { condition: one.clone(), hold: 20 },
            Form::Repeats { condition: one.clone(), every: 150 },
        ];
        for form in forms {
            let from = if list.len() % 3 == 0 {
                WindowStart::When { condition: Box::new(other.clone()), by: 200 }
            } else {
                WindowStart::Frame(list.len() as u64 * 5)
            };
            let name = format!("expectation {}", list.len());
            list.push(Expectation { from, duration: 400, ..Expectation::new(name, form) });
        }
    }
    build::edit(&mut scenario, |parts| parts.expectations = list);
    let scenario = Arc::new(scenario);
    let runs = 0..scenario.expectations().len();
    let runs = runs.map(|index| judge(&scenario, index).expect("not cancelled")).collect();
    Known { scenario, runs }
}

/// A way for the user to get to another frame.
#[derive(Debug, Clone)]
enum Move {
    Step(u32),
    GoTo(u64),
    /// Plays for a number of milliseconds, but at most for a number of frames.
    Play(u64, u32),
    Idle,
}

fn random_move() -> impl Strategy<Value = Move> {
    prop_oneof![
        (1..40_u32).prop_map(Move::Step),
        (0..700_u64).prop_map(Move::GoTo),
        (0..3_000_u64, 1..60_u32).prop_map(|(millis, frames)| Move::Play(millis, frames)),
        Just(Move::Idle),
    ]
}

fn type_text(app: &mut App, text: &str) {
    for c in text.chars() {
        app.update(Input::Key(if c == '\n' { Key::Enter } else { Key::Char(c) }));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn the_screen_shows_the_same_verdicts_as_a_run_without_the_screen(
        map in 0..MAPS.len(),
        moves in prop::collection::vec(random_move(), 1..12),
    ) {
        let known = &known()[map];
        let opened = Opened::new("map", "map.toml", Arc::clone(&known.scenario));
        let screen = Rect::new(0, 0, 80, 24);
        let mut app = App::new(vec![], Start::Map(opened), screen, dark_theme()).0;
        type_text(&mut app, " ");
        for each in moves {
            match each {
                Move::Step(frames) => type_text(&mut app, &format!(":step {frames}\n")),
                Move::GoTo(frame) => type_text(&mut app, &format!(":goto {frame}\n")),
                Move::Play(millis, mut left) => {
                    type_text(&mut app, " ");
                    app.pass(Duration::from_millis(millis), || {
                        left = left.saturating_sub(1);
                        left > 0
                    });
                    app.map_mut().clock.set_playing(false);
                }
                Move::Idle => settle(&mut app),
            }
            check(&app, known, false)?;
        }
        settle(&mut app);
        check(&app, known, true)?;
    }
}

/// Compares all verdicts on the screen with those of the run. Verdicts can be missing unless `complete`
/// is true.
fn check(app: &App, known: &Known, complete: bool) -> Result<(), TestCaseError> {
    let session = app.session().expect("a map");
    let now = session.world().frame().0;
    for (shown, run) in session.expectations().zip(&known.runs) {
        let expected = Some(run).filter(|run| run.verdict.frame <= now);
        let decided = shown.decided();
        if decided.is_none() && !complete {
            continue;
        }
        let found = decided.map(|it| (it.verdict, it.why.clone(), it.agent.clone()));
        let name = |run: &JudgedRun| run.agent.map(|id| known.scenario.name(id).to_string());
        let expected = expected.map(|run| (run.verdict, run.why.clone(), name(run)));
        prop_assert_eq!(found, expected, "{} at frame {}", shown.expectation.name, now);
    }
    Ok(())
}
