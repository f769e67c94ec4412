//! Breakpoints: running forwards and searching backwards find the same hits as a check of every frame.

use std::sync::Arc;

use tilewalk_files::{Options, Origin};
use tilewalk_sim::command::Command;
use tilewalk_sim::condition::words::EVENTS;
use tilewalk_sim::condition::{Condition, ConditionContext};
use tilewalk_sim::geom::Direction;
use tilewalk_sim::history::breaks::{Break, Breaks, Trigger};
use tilewalk_sim::history::search::{BreakpointSearch, Progress};
use tilewalk_sim::history::{DEFAULT_BUDGET, History};
use tilewalk_sim::id::AgentId;
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::step::{step, step_with};
use tilewalk_sim::time::Frame;
use tilewalk_sim::world::{Look, World};
use tilewalk_test_support::builtin;

use crate::support::maps;

const FRAMES: u64 = 150;

fn load(origin: &Origin) -> Arc<Scenario> {
    let loaded = tilewalk_files::load(origin, &Options::default()).expect("a readable map");
    let report = loaded.report.plain();
    loaded.scenario.unwrap_or_else(|| panic!("{report}"))
}

/// A generator of pseudo-random numbers and conditions.
struct Random(u64);

impl Random {
    /// Returns a number less than `below`, or 0 if `below` is 0.
    fn below(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695);
        (self.0 >> 33) as usize % below.max(1)
    }

    fn pick<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[self.below(items.len())]
    }

    fn agent(&mut self, scenario: &Scenario) -> String {
        scenario.name(AgentId(self.below(scenario.starts().len()) as u32)).to_string()
    }

    /// Returns a field of a random agent.
    fn field(&mut self, scenario: &Scenario) -> String {
        let agent = self.agent(scenario);
        let fields = ["x", "tile_x", "tile_y", "speed", "heading", "mode", "blocked", "collided"];
        format!("{agent}.{}", self.pick(&fields))
    }

    /// Returns a random condition that [`Random::breakpoint`] can combine with others.
    fn simple_condition(&mut self, scenario: &Scenario) -> String {
        let (agent, other) = (self.agent(scenario), self.agent(scenario));
        let sign = self.pick(&["<", ">=", ">", "=="]);
        match self.below(15) {
            0 => format!("{agent}.tile_x {sign} {}", self.below(scenario.map().width() as usize)),
            1 => format!("{agent}.tile_y {sign} {}", self.below(scenario.map().height() as usize)),
            2 => format!("{agent}.speed {sign} 0.{}", self.below(10)),
            3 => format!("{agent}.{}", self.pick(&["blocked", "collided", "arrived", "joining"])),
            4 => format!("distance({agent}, {other}) < {}", self.below(20)),
            5 => format!("sees({agent}, {other})"),
            6 => format!("event({agent}, {})", self.pick(&EVENTS)),
            7 => format!("event({})", self.pick(&EVENTS)),
            8 => format!("changed({})", self.field(scenario)),
            9 => format!("gap({agent}, {other}) {sign} 0.{}", self.below(10)),
            10 => format!("touching({agent}, {other}) or {agent}.overlapping"),
            11 => {
                format!(
                    "abs({agent}.vx) + abs({other}.vy) {sign} {agent}.speed * 0.{}",
                    self.below(9)
                )
            }
            12 => format!("count({agent}, x > {}) == 1", self.below(20)),
            13 => format!("any(a in {agent}, a != {other} and a.x {sign} {other}.x)"),
            _ => {
                let id = AgentId(self.below(scenario.starts().len()) as u32);
                let modes = &scenario.kind(id).modes;
                let name = &modes[self.below(modes.len())].name;
                format!("{}.mode == \"{name}\"", scenario.name(id))
            }
        }
    }

    /// Returns the trigger and the text of a random breakpoint.
    fn breakpoint(&mut self, scenario: &Scenario) -> (Trigger, String) {
        let condition = self.simple_condition(scenario);
        match self.below(5) {
            0 => (Trigger::Change, self.field(scenario)),
            1 => (Trigger::Condition, format!("not {condition}")),
            2 => {
                (Trigger::Condition, format!("{condition} and {}", self.simple_condition(scenario)))
            }
            3 => {
                (Trigger::Condition, format!("{condition} or {}", self.simple_condition(scenario)))
            }
            _ => (Trigger::Condition, condition),
        }
    }
}

/// Returns the worlds of all frames, simulated in order, with their events.
fn plain_run(scenario: &Arc<Scenario>) -> Vec<World> {
    let mut worlds = vec![World::new(Arc::clone(scenario))];
    for _ in 0..FRAMES {
        let mut next = worlds[worlds.len() - 1].clone();
        step(&mut next);
        worlds.push(next);
    }
    worlds
}

/// Returns the frames of all hits of a breakpoint, as the documentation defines a hit.
fn hits(worlds: &[World], trigger: Trigger, text: &str) -> Vec<u64> {
    let text =
        if trigger == Trigger::Change { format!("changed({text})") } else { text.to_owned() };
    let scenario = worlds[0].scenario();
    let condition =
        Condition::read(&text, &**scenario, ConditionContext::Global).expect("a condition");
    let holds = |frame: usize| {
        let before = frame.checked_sub(1).map(|before| Look::at(&worlds[before]));
        condition.holds(&Look { before: before.as_ref(), ..Look::at(&worlds[frame]) }, None)
    };
    let momentary = text.contains("changed(") || text.contains("event(");
    let is_hit = |&frame: &usize| holds(frame) && (momentary || frame == 0 || !holds(frame - 1));
    (0..worlds.len()).filter(is_hit).map(|frame| frame as u64).collect()
}

fn breaks(scenario: &Arc<Scenario>, trigger: Trigger, text: &str) -> Breaks {
    let read = Break::read(trigger, text, scenario);
    [read.unwrap_or_else(|error| panic!("{text}: {error}"))].into_iter().collect()
}

/// Returns the last hit before the current frame. Interrupts the search after every `slice` steps.
fn previous(history: &History, breaks: &Breaks, slice: u32) -> Option<u64> {
    let mut search = BreakpointSearch::new(history, breaks.clone());
    loop {
        let mut left = slice;
        let in_time = || {
            left -= 1;
            left > 0
        };
        match search.continue_search(history.run(), in_time) {
            Progress::Looking(_) => {}
            Progress::Found(frame) => return Some(frame.0),
            Progress::Nothing => return None,
        }
    }
}

/// Runs to the first hit after the current frame, but not beyond the frame `up_to`. Returns the frame of
/// the hit.
fn next(history: &mut History, breaks: &mut Breaks, up_to: u64) -> Option<u64> {
    let left = (up_to - history.frame().0) as u32;
    let before: u64 = breaks.iter().map(Break::hits).sum();
    history.run_frames(left, breaks, |_| None, |_| {}, || true);
    let after: u64 = breaks.iter().map(Break::hits).sum();
    (after > before).then_some(history.frame().0)
}

#[test]
fn running_forwards_and_searching_backwards_find_the_nearest_hit() {
    let mut random = Random(5);
    let small = |name: &&str| maps::scenario(name).starts().len() <= 200;
    let maps = builtin::maps();
    let maps: Vec<&str> = maps.iter().map(|map| map.name.as_str()).filter(small).collect();
    let per_map = 500usize.div_ceil(maps.len());
    let (mut checked, mut found) = (0, 0);
    for map in maps {
        let scenario = maps::scenario(map);
        let worlds = plain_run(&scenario);
        let mut history = History::new(Arc::clone(&scenario), [1, DEFAULT_BUDGET][random.below(2)]);
        for _ in 0..per_map {
            let (trigger, text) = random.breakpoint(&scenario);
            let expected = hits(&worlds, trigger, &text);
            let mut breaks = breaks(&scenario, trigger, &text);
            let from = random.below(FRAMES as usize + 1) as u64;
            history.go_to(Frame(from));
            let last = expected.iter().copied().rfind(|&frame| frame < from);
            let slice = [1, 7, 1000][random.below(3)];
            assert_eq!(previous(&history, &breaks, slice), last, "{map}: before {from}: {text}");
            let first = expected.iter().copied().find(|&frame| frame > from);
            let ran = next(&mut history, &mut breaks, FRAMES);
            assert_eq!(ran, first, "{map}: after {from}: {text}");
            assert_eq!(history.frame().0, first.unwrap_or(FRAMES), "{map}: {text}");
            checked += 1;
            found += usize::from(last.is_some()) + usize::from(first.is_some());
        }
    }
    assert!(checked >= 500 && found >= 300, "{checked} checked, {found} found");
}

#[test]
fn each_hit_counts_once_and_disabled_breakpoints_do_not_pause() {
    let scenario = maps::scenario("castle");
    let expected = hits(&plain_run(&scenario), Trigger::Change, "guard.tile_x");
    let mut history = History::new(Arc::clone(&scenario), DEFAULT_BUDGET);
    let mut breaks = breaks(&scenario, Trigger::Change, "guard.tile_x");
    let mut stops = Vec::new();
    while let Some(frame) = next(&mut history, &mut breaks, FRAMES) {
        stops.push(frame);
        let counted = breaks.get(0).expect("the breakpoint");
        assert_eq!((counted.hits(), counted.last()), (stops.len() as u64, Some(Frame(frame))));
    }
    assert_eq!(stops, expected);
    assert!(!expected.is_empty());
    breaks.get_mut(0).expect("the breakpoint").enabled = false;
    history.go_to(Frame(0));
    assert_eq!(next(&mut history, &mut breaks, FRAMES), None);
    assert_eq!(previous(&history, &breaks, 1000), None);
}

/// The reload changes the index of the agent `it`.
#[test]
fn breakpoint_searches_continue_across_a_reload() {
    let map = |first: &str| {
        let text = format!(
            "tiles = '''\n......................\n'''\n{first}[[agent]]\nname = \"it\"\nat = [1, 0]\n\
             steer = [{{ do = \"seek\", target = [20, 0] }}]\n"
        );
        load(&builtin::text("row", text))
    };
    let old = map("");
    let new = map("[[agent]]\nname = \"new\"\nat = [15, 0]\n");
    let mut history = History::new(Arc::clone(&old), DEFAULT_BUDGET);
    let mut world = World::new(Arc::clone(&old));
    let mut tiles = vec![1];
    for frame in 1..=FRAMES {
        let reload = (frame == 10).then(|| Command::Reload(Arc::clone(&new)));
        step_with(&mut world, reload.as_slice());
        history.step(reload.as_slice());
        let it = world.scenario().find("it").expect("`it` is in both scenarios");
        tiles.push(world.tile(it).x);
    }
    let reached = tiles.iter().position(|&x| x == 12).expect("`it` reaches column 12") as u64;
    let mut arrival = breaks(&old, Trigger::Condition, "it.tile_x >= 12");
    assert_eq!(previous(&history, &arrival, 3), Some(reached));
    history.go_to(Frame(2));
    assert_eq!(next(&mut history, &mut arrival, FRAMES), Some(reached));
    // After the reload, agent 0 is `new` in column 15. This does not count as a change of `it.tile_x`.
    let mut moves = breaks(&old, Trigger::Change, "it.tile_x");
    history.go_to(Frame(9));
    let change = tiles.windows(2).skip(9).position(|pair| pair[0] != pair[1]).expect("`it` moves");
    let first = (change + 10) as u64;
    let found = next(&mut history, &mut moves, FRAMES);
    assert!(found == Some(first) || first == 10, "{found:?}, {first}");
}

#[test]
fn searching_backwards_finds_the_hits_of_a_run_with_manual_control() {
    let scenario = maps::scenario("dodge");
    let mut history = History::new(Arc::clone(&scenario), 1);
    let drive = Command::Drive { agent: AgentId(0), direction: Some(Direction::East) };
    let mut worlds = vec![history.world().clone()];
    for frame in 0..FRAMES {
        let commands = if frame % 3 == 0 { std::slice::from_ref(&drive) } else { &[] };
        history.step(commands);
        worlds.push(history.world().clone());
    }
    let name = scenario.name(AgentId(0)).to_string();
    for text in [format!("{name}.tile_x"), format!("{name}.speed > 1"), format!("{name}.collided")]
    {
        let expected = hits(&worlds, Trigger::Change, &text);
        let breaks = breaks(&scenario, Trigger::Change, &text);
        for from in [150, 149, 100, 51, 50, 49, 1, 0] {
            history.go_to(Frame(from));
            let last = expected.iter().copied().rfind(|&frame| frame < from);
            assert_eq!(previous(&history, &breaks, 11), last, "before {from}: {text}");
        }
    }
}

#[test]
fn invalid_breakpoints_are_refused_with_the_position_of_the_error() {
    let scenario = maps::scenario("castle");
    let refused = |trigger, text| {
        let error = Break::read(trigger, text, &scenario).expect_err(text);
        (error.span, error.message)
    };
    let (span, message) = refused(Trigger::Condition, "guard.mode == ");
    assert_eq!((span, message.as_str()), (14..14, "unexpected end of the condition"));
    let (span, message) = refused(Trigger::Condition, "guard.speed > gaurd.speed");
    assert_eq!((span.start, message.as_str()), (14, "unknown name `gaurd`"));
    let (span, message) = refused(Trigger::Change, "guard.tile_z");
    assert_eq!((span, message.as_str()), (0..12, "unknown field `tile_z`"));
    let (span, message) = refused(Trigger::Change, "guard.x) or (true");
    assert_eq!((span, message.as_str()), (7..8, "unexpected `)`"));
    let (span, message) = refused(Trigger::Change, "event(bump)");
    assert_eq!(
        (span, message.as_str()),
        (0..11, "`changed` can't be used with a condition that lasts only one frame")
    );
}
