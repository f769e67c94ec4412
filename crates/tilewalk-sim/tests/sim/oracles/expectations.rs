//! Oracle for expectations: a slow evaluator that reads a trace.
//!
//! Each run is first written as text: a trace with an additional column for flags and additional lines for
//! events. The evaluator reads only this text. It computes the values of all conditions in all frames, and
//! then follows the definition of each form of expectation. This command compares more expectations:
//!
//! ```sh
//! TILEWALK_CASES=10000 cargo test --release --test sim oracles::expectations -- --nocapture
//! ```
#![expect(clippy::print_stdout, reason = "long tests print their figures")]

mod generator;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use tilewalk_files::Options;
use tilewalk_sim::judge::{Outcome, judge};
use tilewalk_sim::report::frame::State;
use tilewalk_sim::scenario::sources::Sources;
use tilewalk_sim::step::step;
use tilewalk_sim::world::{Flags, World};

use crate::laws::slow_verdicts::slow;
use crate::laws::swarm_maps;
use crate::support::random::TestRng;

use generator::Generator;

/// Frames of each run. Windows and response times end earlier.
const FRAMES: usize = 120;

/// Number of expectations for each world.
const PER_WORLD: usize = 10;

/// A condition. Each agent is given by its name, and the current member of a group function by `a`.
enum Test {
    Compare(String, &'static str, &'static str, f64),
    Mode(String, bool, String),
    Flag(String, &'static str),
    Event(Option<String>, &'static str),
    Any(String, Box<Test>),
    All(String, Box<Test>),
    Count(String, Box<Test>, usize),
    Changed(String, &'static str),
    Not(Box<Test>),
    Both(&'static str, Box<Test>, Box<Test>),
}

impl Test {
    fn text(&self) -> String {
        match self {
            Self::Compare(agent, column, sign, number) => {
                format!("{agent}.{column} {sign} {number:?}")
            }
            Self::Mode(agent, equal, mode) => {
                format!("{agent}.mode {} '{mode}'", if *equal { "==" } else { "!=" })
            }
            Self::Flag(agent, flag) => format!("{agent}.{flag}"),
            Self::Event(None, word) => format!("event({word})"),
            Self::Event(Some(agent), word) => format!("event({agent}, {word})"),
            Self::Any(group, part) => format!("any(a in {group}, {})", part.text()),
            Self::All(group, part) => format!("all(a in {group}, {})", part.text()),
            Self::Count(group, part, most) => {
                format!("count(a in {group}, {}) <= {most}", part.text())
            }
            Self::Changed(agent, column) => format!("changed({agent}.{column})"),
            Self::Not(part) => format!("not ({})", part.text()),
            Self::Both(word, first, second) => {
                format!("({}) {word} ({})", first.text(), second.text())
            }
        }
    }
}

/// Values of an agent in a frame, by column name.
type Row = BTreeMap<&'static str, String>;

/// The rows of each frame, by agent name, and the events of each frame, as pairs of agent name and event
/// word.
#[derive(Default)]
struct Lines {
    frames: Vec<BTreeMap<String, Row>>,
    events: Vec<Vec<(String, String)>>,
}

const COLUMNS: [&str; 9] = ["mode", "x", "y", "vx", "vy", "heading", "tile_x", "tile_y", "flags"];

/// Writes a frame as lines: a row per agent, then a line per event.
fn write(world: &World, text: &mut String) {
    for id in world.ids() {
        let State { mode, x, y, vx, vy, heading, tile_x, tile_y, .. } = State::of(world, id);
        let set = Flags::WORDS.iter().filter(|(flag, _)| world.flags(id).has(*flag));
        let flags: Vec<_> = set.map(|(_, word)| *word).collect();
        let (name, flags) = (world.name(id), flags.join("+"));
        let columns = format!("{mode},{x},{y},{vx},{vy},{heading},{tile_x},{tile_y},{flags}");
        let _ = writeln!(text, "row,{name},{columns}");
    }
    for event in world.events() {
        let name = world.scenario().numbered(event.agent, event.number);
        let _ = writeln!(text, "event,{name},{}", event.kind.word().replace(' ', "_"));
    }
    text.push_str("end\n");
}

fn read(text: &str) -> Lines {
    let mut lines = Lines::default();
    let (mut rows, mut events) = (BTreeMap::new(), Vec::new());
    for line in text.lines() {
        let fields: Vec<_> = line.split(',').collect();
        match fields[0] {
            "row" => {
                let row = COLUMNS.into_iter().zip(fields[2..].iter().map(ToString::to_string));
                rows.insert(fields[1].to_owned(), row.collect());
            }
            "event" => events.push((fields[1].to_owned(), fields[2].to_owned())),
            _ => {
                lines.frames.push(std::mem::take(&mut rows));
                lines.events.push(std::mem::take(&mut events));
            }
        }
    }
    lines
}

impl Lines {
    /// Returns the present members of a group: all agents whose name up to the first dot is the name of the
    /// group.
    fn members(&self, frame: usize, group: &str) -> Vec<String> {
        let is_member = |name: &&String| name.split('.').next() == Some(group);
        self.frames[frame].keys().filter(is_member).cloned().collect()
    }

    fn holds(&self, frame: usize, test: &Test, member: Option<&str>) -> bool {
        let row = |agent: &str| {
            let agent = if agent == "a" { member.unwrap_or("a") } else { agent };
            self.frames[frame].get(agent)
        };
        let each = |group: &str, part: &Test| -> Vec<bool> {
            let members = self.members(frame, group);
            members.iter().map(|name| self.holds(frame, part, Some(name))).collect()
        };
        match test {
            Test::Compare(agent, column, sign, number) => row(agent).is_some_and(|row| {
                let value: f64 = row[column].parse::<f32>().expect("a number").into();
                match *sign {
                    "<" => value < *number,
                    ">=" => value >= *number,
                    other => unreachable!("{other}"),
                }
            }),
            Test::Mode(agent, equal, mode) => {
                row(agent).is_some_and(|row| (row["mode"] == *mode) == *equal)
            }
            Test::Flag(agent, flag) => {
                row(agent).is_some_and(|row| row["flags"].split('+').any(|word| word == *flag))
            }
            Test::Event(agent, word) => self.events[frame].iter().any(|(name, event)| {
                event == word && agent.as_ref().is_none_or(|agent| agent == name)
            }),
            Test::Any(group, part) => each(group, part).contains(&true),
            Test::All(group, part) => !each(group, part).contains(&false),
            Test::Count(group, part, most) => {
                each(group, part).into_iter().filter(|holds| *holds).count() <= *most
            }
            Test::Changed(agent, column) => {
                let value = |frame: usize| self.frames[frame].get(agent).map(|row| &row[column]);
                frame > 0 && value(frame) != value(frame - 1)
            }
            Test::Not(part) => !self.holds(frame, part, member),
            Test::Both("and", first, second) => {
                self.holds(frame, first, member) && self.holds(frame, second, member)
            }
            Test::Both(_, first, second) => {
                self.holds(frame, first, member) || self.holds(frame, second, member)
            }
        }
    }

    fn values(&self, test: &Test) -> Vec<bool> {
        (0..self.frames.len()).map(|frame| self.holds(frame, test, None)).collect()
    }
}

/// An expectation as text for a map file, and its parts for the evaluator.
struct Written {
    text: String,
    word: &'static str,
    tests: [Test; 2],
    bounds: Bounds,
    start: Result<usize, (Test, usize)>,
    duration: usize,
    span: usize,
}

/// Bounds for the values in a column of an agent.
struct Bounds {
    agent: String,
    column: &'static str,
    above: f64,
    below: f64,
}

/// Writes a random expectation. Durations are whole frames, or a little more.
fn expectation(author: &mut Generator, number: usize, tick: f64) -> Written {
    let words = ["eventually", "never", "always", "when", "first", "settles", "repeats", "value"];
    let word = author.one(&words);
    let tests = [author.test(2), author.test(2)];
    let above = author.rng.below(30) as f64 / 4.0 - 1.0;
    let bounds = Bounds {
        agent: author.agent().0,
        column: author.one(&["x", "y", "vx", "tile_x"]),
        above,
        below: above + 0.25 + author.rng.below(60) as f64 / 4.0,
    };
    let duration = 1 + author.rng.below(50);
    let span = (1 + author.rng.below(30)).min(duration);
    let start = match author.rng.below(2) {
        0 => Ok(author.rng.below(20)),
        _ => Err((author.test(1), author.rng.below(30))),
    };
    let mut more = || if author.rng.below(2) == 0 { 0.0 } else { 0.4 };
    let mut seconds = |frames: usize| (frames as f64 + more()) * tick;
    let quoted = |test: &Test| format!("{:?}", test.text());
    let (a, b, length) = (quoted(&tests[0]), quoted(&tests[1]), seconds(span));
    let form = match word {
        "when" => format!("when = {a}\nthen = {b}\nwithin = {length:?}"),
        "first" => format!("first = {a}\nbefore = {b}"),
        "settles" => format!("settles = {a}\nfor = {length:?}"),
        "repeats" => format!("repeats = {a}\nevery = {length:?}"),
        "value" => {
            let Bounds { agent, column, above, below } = &bounds;
            format!("value = '{agent}.{column}'\nabove = {above:?}\nbelow = {below:?}")
        }
        _ => format!("{word} = {a}"),
    };
    let from = match &start {
        Ok(frame) => format!("from = {:?}", seconds(*frame)),
        Err((test, by)) => format!("from = {}\nstart_by = {:?}", quoted(test), seconds(*by)),
    };
    let window = (duration as f64 + 0.5) * tick;
    let text = format!("\n[[expect]]\nname = 'e{number}'\n{form}\n{from}\nduration = {window:?}\n");
    Written { text, word, tests, bounds, start, duration, span }
}

/// Returns the outcome of an expectation by its definition, for the run in a trace.
fn expected(lines: &Lines, written: &Written) -> Outcome {
    let first = match &written.start {
        Ok(frame) => Some(*frame),
        Err((test, by)) => (0..=*by).find(|&frame| lines.holds(frame, test, None)),
    };
    let Some(first) = first else { return Outcome::Inconclusive };
    if written.word == "value" {
        let Bounds { agent, column, above, below } = &written.bounds;
        let rows = lines.frames[first..=first + written.duration].iter();
        let values: Vec<f64> = rows
            .filter_map(|rows| rows.get(agent))
            .map(|row| row[column].parse::<f32>().expect("a number").into())
            .collect();
        let passes = values.iter().all(|value| above < value && value < below);
        return match (values.is_empty(), passes) {
            (true, _) => Outcome::Inconclusive,
            (false, true) => Outcome::Pass,
            (false, false) => Outcome::Fail,
        };
    }
    let [a, b] = written.tests.each_ref().map(|test| lines.values(test));
    slow(written.word, &a, &b, written.span, first, first + written.duration)
}

/// Compares the outcomes of random expectations about a random world with the evaluator. Returns the
/// outcomes, or none if the map has errors, no agents or too many agents.
fn compare(case: u64) -> Vec<(&'static str, Outcome)> {
    let mut rng = TestRng(case << 20);
    let sources = swarm_maps::sources(&mut rng);
    let load = |sources: &Arc<Sources>| {
        let loaded = tilewalk_files::reload(sources, &Options::default()).expect("stored files");
        (loaded.scenario.clone(), loaded.report.plain())
    };
    let Some(scenario) = load(&sources).0 else { return Vec::new() };
    if scenario.starts().len() > 100 || scenario.kinds().is_empty() {
        return Vec::new();
    }
    let mut author = Generator { rng: &mut rng, scenario: &scenario };
    let written: Vec<_> =
        (0..PER_WORLD).map(|number| expectation(&mut author, number, scenario.tick())).collect();
    let mut with = Sources::clone(&sources);
    let mut text = with.files[0].text.to_string();
    text.extend(written.iter().map(|written| written.text.as_str()));
    with.files[0].text = text.as_str().into();
    let (judged, report) = load(&Arc::new(with));
    let judged = judged.unwrap_or_else(|| panic!("case {case}: {report}\n{text}"));
    let mut trace = String::new();
    let mut world = World::new(Arc::clone(&judged));
    write(&world, &mut trace);
    for _ in 0..FRAMES {
        step(&mut world);
        write(&world, &mut trace);
    }
    let lines = read(&trace);
    let mut outcomes = Vec::new();
    for (index, written) in written.iter().enumerate() {
        let expected = expected(&lines, written);
        let found = judge(&judged, index).expect("not cancelled").verdict;
        assert_eq!(found.outcome, expected, "case {case}: {}\n{found:?}\n{text}", written.text);
        outcomes.push((written.word, expected));
    }
    outcomes
}

#[test]
fn outcomes_of_expectations_agree_with_a_slow_evaluator_of_traces() {
    let cases = std::env::var("TILEWALK_CASES").ok().and_then(|cases| cases.parse().ok());
    let cases: usize = cases.unwrap_or(400);
    let mut counts = BTreeMap::new();
    let mut compared = 0;
    for case in 0.. {
        if compared >= cases {
            break;
        }
        for (word, outcome) in compare(case) {
            *counts.entry((word, outcome.word())).or_insert(0) += 1;
            compared += 1;
        }
    }
    println!("{compared} pairs: {counts:?}");
    // At least 20 of the 24 pairs of form and outcome occur.
    assert!(counts.len() >= 20, "{counts:?}");
}
