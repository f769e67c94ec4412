//! `tilewalk explain`: its output is correct, and the explanation of a frame matches the simulated step.

use std::sync::Arc;

use assert_cmd::Command;
use proptest::prelude::*;
use serde_json::Value;
use tilewalk::builtin;
use tilewalk::event::{Event, EventKind};
use tilewalk::files::{self, Options};
use tilewalk::id::AgentId;
use tilewalk::step::{explain, explain_all, step};
use tilewalk::world::World;

const MAP: &str = "tests/explain/meadow.toml";

fn tilewalk(args: &[&str]) -> (i32, String, String) {
    let mut command = Command::cargo_bin("tilewalk").expect("the binary");
    let output = command.current_dir(env!("CARGO_MANIFEST_DIR")).args(args).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

fn explained(map: &str, frame: u64, agent: &str, more: &[&str]) -> String {
    let frame = frame.to_string();
    let args = [&["explain", map, "--frame", &frame, "--agent", agent], more].concat();
    let (code, out, err) = tilewalk(&args);
    assert_eq!((code, err.as_str()), (0, ""), "{args:?}");
    out
}

fn json(map: &str, frame: u64, agent: &str, more: &[&str]) -> Value {
    let more = [&["--json"], more].concat();
    serde_json::from_str(&explained(map, frame, agent, &more)).expect("JSON")
}

fn snapshot(name: &str, text: &str) {
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!(name, text);
    });
}

#[test]
fn json_output_of_each_combine_mode_matches_its_snapshot() {
    for combine in ["prioritized", "weighted", "dithered", "first"] {
        let set = format!("hare.combine={combine}");
        let out = explained(MAP, 11, "hare", &["--json", "--set", &set]);
        snapshot(&format!("explain_{combine}_json"), &out);
    }
}

/// A spawned agent can be explained while it is in the world. Otherwise the error says why it is absent.
#[test]
fn the_error_for_an_absent_agent_says_why_it_is_absent() {
    let map = "maps/sortie.toml";
    for (agent, frame, expected) in [
        ("bomb.1", "10", "no instance has appeared yet; next on the signal “bomb”"),
        ("bomb.1", "67", "removed: end of its lifetime"),
        ("bomb.1", "200", "it left the world earlier"),
        ("bomb", "200", "unknown agent `bomb`: a template; name one instance, such as `bomb.1`"),
        ("bomb.01", "200", "unknown agent `bomb.01`"),
    ] {
        let (code, out, err) = tilewalk(&["explain", map, "--frame", frame, "--agent", agent]);
        assert_eq!((code, out.as_str()), (2, ""), "{agent} at {frame}");
        assert!(err.contains(expected), "{agent} at {frame}: {err}");
    }
    assert!(explained(map, 37, "bomb.1", &[]).contains("the agent appeared in this frame"));
    assert!(explained(map, 38, "bomb.1", &[]).contains("before                now"));
    let rocket = json(map, 60, "rocket.1", &[]);
    assert_eq!(rocket["removal"][0]["when"], "distance(echoes) < 0.6");
    assert_eq!(rocket["removal"][0]["holds"], false);
}

#[test]
fn text_output_of_agents_in_the_meadow_matches_its_snapshot() {
    let mut all = String::new();
    for (agent, frame) in [("hare", 0), ("hare", 11), ("guard", 4), ("ogre", 16), ("plough", 12)] {
        all.push_str(&explained(MAP, frame, agent, &[]));
        all.push_str("\n---\n\n");
    }
    all.push_str(&explained(MAP, 11, "hare", &["--set", "hare.combine=dithered"]));
    assert!(all.lines().all(|line| line.chars().count() <= 80), "{all}");
    snapshot("explain_text", &all);
}

#[test]
fn json_output_of_each_kind_of_walker_matches_its_snapshot() {
    for (agent, frame) in [("guard", 4), ("ogre", 16), ("plough", 12), ("plough", 0)] {
        let out = explained(MAP, frame, agent, &["--json"]);
        snapshot(&format!("explain_{agent}_{frame}_json"), &out);
    }
}

/// Walkers with a target, each with the frame that is explained.
const TARGET_WALKERS: [(&str, u64); 10] = [
    ("hound", 4),
    ("hound", 5),
    ("hare", 6),
    ("cat", 9),
    ("courier", 9),
    ("courier", 60),
    ("monk", 8),
    ("lost", 8),
    ("seeker", 8),
    ("fool", 20),
];

#[test]
fn text_output_of_walkers_with_a_target_matches_its_snapshot() {
    let mut all = String::new();
    for (agent, frame) in TARGET_WALKERS {
        all.push_str(&explained("tests/explain/hunt.toml", frame, agent, &[]));
        all.push_str("\n---\n\n");
    }
    assert!(all.lines().all(|line| line.chars().count() <= 80), "{all}");
    snapshot("explain_targets_text", &all);
}

#[test]
fn json_output_of_walkers_with_a_target_matches_its_snapshot() {
    for (agent, frame) in [("hound", 4), ("hare", 6), ("courier", 9), ("fool", 20)] {
        let out = explained("tests/explain/hunt.toml", frame, agent, &["--json"]);
        snapshot(&format!("explain_{agent}_{frame}_json"), &out);
    }
}

#[test]
fn explain_refuses_unknown_agents_and_broken_maps() {
    let error_for = |map: &str, agent: &str| {
        let (code, out, err) = tilewalk(&["explain", map, "--frame", "1", "--agent", agent]);
        assert_eq!((code, out.as_str()), (2, ""), "{err}");
        err
    };
    assert!(error_for(MAP, "har").contains("unknown agent `har`: did you mean `hare`?"));
    assert!(error_for(MAP, "xylophone").contains("the map has `hare`, `hound`"));
    let group = error_for("maps/forest.toml", "deer");
    assert!(group.contains("a group of 8 agents; name one agent, such as `deer.1`"), "{group}");
    assert!(error_for("maps/forest.toml", "dear.3").contains("did you mean `deer.3`?"));
    assert!(
        error_for("crates/tilewalk-files/tests/broken/ragged_rows.toml", "a").contains("error")
    );
    assert!(error_for("nowhere.toml", "a").contains("nowhere.toml"));
    assert!(!error_for(MAP, "\u{1b}[31m").contains('\u{1b}'));
}

/// Parses a printed pair of `f32`.
fn pair(value: &Value) -> [f32; 2] {
    let number = |index: usize| value[index].to_string().parse::<f32>().expect("an f32");
    [number(0), number(1)]
}

#[test]
fn printed_forces_add_up_exactly_to_the_applied_force() {
    for combine in ["prioritized", "weighted", "dithered", "first"] {
        let set = format!("hare.combine={combine}");
        for frame in 1..40 {
            let explanation = json(MAP, frame, "hare", &["--set", &set]);
            let steering = &explanation["steering"];
            let mut sum = [0.0_f32; 2];
            for row in steering["rows"].as_array().unwrap() {
                let accepted = pair(&row["accepted"]["force"]);
                sum = [sum[0] + accepted[0], sum[1] + accepted[1]];
                let total = pair(&row["total"]["force"]);
                assert_eq!(sum, total, "{combine} {frame}: {row}");
            }
            assert_eq!(sum, pair(&steering["force"]), "{combine} {frame}");
        }
    }
}

#[test]
fn the_explained_state_equals_the_state_in_the_trace() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("trace.csv");
    let shown = path.display().to_string();
    assert_eq!(tilewalk(&["run", MAP, "--frames", "30", "--trace", &shown]).0, 0);
    let trace = std::fs::read_to_string(&path).unwrap();
    let names: Vec<&str> = trace.lines().next().unwrap().split(',').collect();
    let agents = ["hare", "hound", "guard", "ogre", "plough"];
    for (index, row) in trace.lines().skip(1).enumerate().step_by(7) {
        let columns: Vec<&str> = row.split(',').collect();
        let explanation = json(MAP, (index / 5) as u64, agents[index % 5], &[]);
        // The trace also has the heading as a unit vector.
        let both = names.iter().zip(&columns).filter(|(name, _)| !["hx", "hy"].contains(name));
        for (name, &value) in both {
            let shown = if explanation["now"][*name].is_null() {
                &explanation[*name]
            } else {
                &explanation["now"][*name]
            };
            match shown {
                Value::String(text) => assert_eq!(text, value, "{row}"),
                number => {
                    let number: f32 = number.to_string().parse().expect("a number");
                    assert_eq!(number.to_string(), value, "{name} of {row}");
                }
            }
        }
    }
}

const FOX_MAP: &str = "\
tiles = \"\"\"\n..........\n..........\n..........\n\"\"\"
[[agent]]
name = \"fox\"
at = [1.5, 1.5]
[[agent.mode]]
name = \"still\"
steer = [{ do = \"arrive\", target = \"home\" }]
switch = [{ when = \"distance(hen) < 3 and time_in_mode > 0.5\", to = \"hunt\" }]
[[agent.mode]]
name = \"hunt\"
steer = [{ do = \"pursue\", target = \"hen\" }, { do = \"wander\" }]
[[agent]]
name = \"hen\"
at = [4.0, 1.5]
";

/// From the frame of the mode change on, the agent moves in its new mode, and the explanation shows the
/// behaviours of that mode.
#[test]
fn the_explanation_of_a_mode_change_shows_behaviours_of_the_new_mode() {
    let origin = builtin::text("fox", FOX_MAP);
    let loaded = files::load(&origin, &Options::default()).expect("a text");
    let mut world = World::new(loaded.scenario.expect("a map without errors"));
    for _ in 0..30 {
        let before = world.clone();
        step(&mut world);
        let why = explain(&before, AgentId(0));
        let behaviours: Vec<&str> = why.forces.rows.iter().map(|row| row.behaviour).collect();
        let hunts = world.mode(AgentId(0)).name == "hunt";
        let expected = if hunts { &["pursue", "wander"][..] } else { &["arrive"] };
        assert_eq!(behaviours, expected, "frame {}", world.frame());
    }
    assert_eq!(world.mode(AgentId(0)).name, "hunt");
}

#[test]
fn explanations_show_transitions_with_the_values_of_their_conditions() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("fox.toml");
    std::fs::write(&path, FOX_MAP).unwrap();
    let path = path.display().to_string();
    let explanation = json(&path, 4, "fox", &[]);
    let rule = &explanation["rules"][0];
    assert_eq!((&rule["to"], &rule["holds"]), (&"hunt".into(), &false.into()));
    assert_eq!(rule["parts"][0]["holds"], true);
    assert_eq!(rule["parts"][0]["value"].as_f64(), Some(2.5));
    let frame = (1..30).find(|&frame| json(&path, frame, "fox", &[])["mode"] == "hunt").unwrap();
    let explanation = json(&path, frame, "fox", &[]);
    assert_eq!(
        (&explanation["before"]["mode"], &explanation["rules"][0]["holds"]),
        (&"still".into(), &true.into())
    );
    assert_eq!(explanation["events"][0]["event"], "mode");
    let text = explained(&path, frame, "fox", &[]);
    assert!(text.contains("distance(hen) < 3: 2.50"), "{text}");
}

fn shipped(name: &str, seed: u64) -> World {
    let options = Options { seed: Some(seed), ..Options::default() };
    let loaded = files::load(&builtin::origin(name), &options).expect("it is built in");
    World::new(Arc::clone(&loaded.scenario.expect("a valid map")))
}

proptest! {
    #![proptest_config(crate::support::build::cases(12))]

    #[test]
    fn explaining_does_not_change_the_run(map in 0..builtin::maps().len(), seed in 0..1000_u64) {
        let name = &builtin::maps()[map].name;
        if name != "big" {
            let (mut observed, mut plain) = (shipped(name, seed), shipped(name, seed));
            for _ in 0..60 {
                let before: Vec<_> = observed.ids().collect();
                let all = explain_all(&observed, before.iter().copied());
                step(&mut observed);
                // An agent that leaves in this frame has no motion to explain.
                let left = |event: &&Event| matches!(event.kind, EventKind::Removed(_));
                let left = observed.events().iter().filter(left).count();
                prop_assert_eq!(all.len() + left, before.len());
                step(&mut plain);
                prop_assert_eq!(observed.hash(), plain.hash());
            }
        }
    }

    #[test]
    fn explain_all_equals_explain_for_each_agent(map in 0..builtin::maps().len(), seed in 0..1000_u64) {
        let name = &builtin::maps()[map].name;
        if name != "big" {
            let mut world = shipped(name, seed);
            for _ in 0..20 {
                let all = explain_all(&world, world.ids());
                for explanation in &all {
                    prop_assert_eq!(explanation, &explain(&world, explanation.agent));
                }
                step(&mut world);
            }
        }
    }
}
