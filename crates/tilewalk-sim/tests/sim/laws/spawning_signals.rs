//! Signals of modes, transitions and legs, and random arrivals.

use std::sync::Arc;

use tilewalk_files::Options;
use tilewalk_sim::report::words;
use tilewalk_sim::scenario::sources::{FileRole, SourceFile, Sources};
use tilewalk_sim::step::{SpawnWait, spawn_wait, step};
use tilewalk_sim::world::World;

use super::spawning::{frames_of, world};

/// Steps `frames` frames. Returns the texts of all signals, mode changes and spawns, with their frames.
fn events(world: &mut World, frames: u32) -> Vec<(u64, String)> {
    let mut texts = Vec::new();
    for _ in 0..frames {
        step(world);
        let shown = world
            .events()
            .iter()
            .filter(|event| matches!(event.kind.word(), "signal" | "mode" | "spawned"));
        texts.extend(
            shown.map(|event| (event.frame.0, words::event(event, world.scenario(), world))),
        );
    }
    texts
}

const GUARD: &str = "
[[agent]]
name = 'shell'
template = true
max = 9
[[on]]
signal = 'fire'
spawn = 'shell'
lifetime = 0.5
[[agent]]
name = 'guard'
at = [4, 2]
";

#[test]
fn a_transition_sends_the_signals_of_the_old_mode_the_transition_and_the_new_mode() {
    let mut world = world(&format!(
        "{GUARD}
        [[agent.mode]]
        name = 'watch'
        on_enter = 'back'
        on_leave = 'out'
        switch = [
          {{ when = 'time > 9', to = 'watch' }},
          {{ when = 'time_in_mode > 0.12', to = 'shoot', signal = 'fire' }},
        ]
        [[agent.mode]]
        name = 'shoot'
        on_enter = 'in'
        switch = [{{ when = 'time_in_mode > 0.12', to = 'watch' }}]"
    ));
    let texts = events(&mut world, 8);
    let expected = [
        (4, "signal “out”"),
        (4, "signal “fire”"),
        (4, "watch → shoot: time_in_mode > 0.12"),
        (4, "signal “in”"),
        (4, "spawned by guard"),
        (8, "shoot → watch: time_in_mode > 0.12"),
        (8, "signal “back”"),
    ];
    let texts: Vec<_> = texts.iter().map(|(frame, text)| (*frame, text.as_str())).collect();
    assert_eq!(texts, expected, "entering the first mode at frame 0 sends no signal");
}

#[test]
fn a_transition_into_the_same_mode_sends_its_signals() {
    let mut world = world(&format!(
        "{GUARD}
        [[agent.mode]]
        name = 'shoot'
        on_enter = 'fire'
        on_leave = 'out'
        switch = [{{ when = 'time_in_mode > 0.4', to = 'shoot' }}]"
    ));
    let fired = events(&mut world, 200).into_iter().filter(|(_, text)| text == "signal “fire”");
    assert_eq!(fired.count(), 20, "once every ten frames");
}

/// The craft is at rest at the start of the first leg, so that its heading is undefined for some frames.
#[test]
fn a_leg_sends_its_signal_once_when_it_begins() {
    let map = format!(
        "tiles = '''\n{}'''\n[[agent]]\nname = 'boat'\nat = [2, 2]\npattern = 'dive'\n\
         [[agent]]\nname = 'mine'\ntemplate = true\nmax = 9\n\
         [[on]]\nsignal = 'drop'\nspawn = 'mine'\n",
        format!("{}\n", ".".repeat(60)).repeat(5)
    );
    let pattern = "kind = 'thrust'\nrepeat = false\nlegs = [{ until_moved = 3, signal = 'start' }, \
                   { until_moved = 3 }, { until_moved = 3, signal = 'drop' }]\n";
    let file =
        |place, text: &str| SourceFile { place, label: "law.toml".into(), text: text.into() };
    let files =
        vec![file(FileRole::Map, &map), file(FileRole::Pattern("dive".to_owned()), pattern)];
    let sources = Arc::new(Sources { files, ..Sources::default() });
    let loaded = tilewalk_files::reload(&sources, &Options::default()).expect("stored files");
    let report = loaded.report.plain();
    let mut world = World::new(loaded.scenario.unwrap_or_else(|| panic!("{report}")));
    let texts = events(&mut world, 300);
    let words: Vec<_> = texts.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(words, ["signal “start”", "signal “drop”", "spawned by boat"]);
    assert_eq!(texts[0].0, 1);
    let mine = world.find("mine.1").unwrap();
    // The first two legs end after 3 tiles each; the craft drifts over the limit by part of a frame.
    assert!((8.5..9.2).contains(&world.position(mine).x), "{}", world.position(mine));
}

const VISITORS: &str = "
[[agent]]
name = 'visitor'
template = true
max = 2
at = [3, 3]
[[spawn]]
agent = 'visitor'
every = 0.05
lifetime = 0.05
when = 'chance(0.1)'
";

fn arrivals(agents: &str, frames: u64) -> Vec<u64> {
    let spawned = frames_of(&mut world(agents), frames, "spawned");
    let mut frames: Vec<u64> = spawned
        .into_iter()
        .filter(|(name, _)| name.starts_with("visitor"))
        .flat_map(|(_, frames)| frames)
        .collect();
    frames.sort_unstable();
    frames
}

/// The gaps between arrivals have a geometric distribution: a gap of n frames has the probability
/// 0.9ⁿ⁻¹ · 0.1.
#[test]
fn random_arrivals_have_the_rate_and_the_gaps_of_their_chance() {
    let frames = arrivals(VISITORS, 20_000);
    let (count, mean, deviation) = (frames.len() as f64, 2000.0, (20_000.0_f64 * 0.09).sqrt());
    assert!((count - mean).abs() < 4.0 * deviation, "{count} arrivals in 20,000 frames");
    let gaps = frames.windows(2).map(|pair| pair[1] - pair[0]);
    let mut counts = [0.0; 21];
    for gap in gaps {
        counts[(gap - 1).min(20) as usize] += 1.0;
    }
    let probability = |bin: usize| {
        let at_least: f64 = (0..bin).map(|_| 0.9).product();
        if bin < 20 { at_least * 0.1 } else { at_least }
    };
    let expected = |bin: usize| probability(bin) * (count - 1.0);
    let off = |bin: usize| counts[bin] - expected(bin);
    let chi2: f64 = (0..21).map(|bin| off(bin) * off(bin) / expected(bin)).sum();
    assert!(chi2 < 45.3, "χ² = {chi2} with 20 degrees of freedom (p < 0.001)");
}

#[test]
fn random_arrivals_depend_on_no_other_agent_and_on_no_rule_of_another_template() {
    let alone = arrivals(VISITORS, 1000);
    let other = "[[agent]]\nname = 'other'\ntemplate = true\nmax = 1\nat = [9, 1]\n\
                 [[spawn]]\nagent = 'other'\nevery = 0.05\nwhen = 'chance(0.3) or chance(0.2)'\n\
                 [[agent]]\nname = 'mouse'\nat = [12, 2]\nsteer = [{ do = 'wander' }]\n";
    assert_eq!(arrivals(&format!("{other}{VISITORS}"), 1000), alone);
    let second = "[[spawn]]\nagent = 'visitor'\nevery = 0.05\nlifetime = 0.05\nat = [9, 4]\n\
                  when = 'chance(0.1)'\n";
    let both = arrivals(&format!("{VISITORS}{second}"), 1000);
    let joint = both.windows(2).filter(|pair| pair[0] == pair[1]).count();
    assert!(joint < 30, "two rules of a template share {joint} of {} draws", alone.len());
    assert!(both.len() > alone.len() + 50);
}

#[test]
fn spawn_wait_of_a_random_rule_reports_its_condition() {
    let mut world = world(VISITORS);
    for _ in 0..200 {
        let wait = spawn_wait(&world, 0);
        step(&mut world);
        let appeared = world.events().iter().any(|event| event.kind.word() == "spawned");
        let expected = if appeared { SpawnWait::Due(1) } else { SpawnWait::Condition };
        assert_eq!(wait, expected, "frame {}", world.frame().0);
    }
}
