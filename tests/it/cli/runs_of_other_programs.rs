//! Runs of other programs on the command line: traces of this program open with the same motion, and an agent can be
//! taken over.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use tempfile::TempDir;

fn tilewalk(args: &[&str]) -> (i32, String, String) {
    let mut command = Command::cargo_bin("tilewalk").expect("the binary");
    let output = command.current_dir(env!("CARGO_MANIFEST_DIR")).args(args).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

fn write(folder: &TempDir, name: &str, text: &str) -> String {
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Runs a map, opens its trace on the same map, and compares the trace of this run with the first one.
#[test]
fn a_trace_of_each_map_opens_with_the_same_rows() {
    let folder = TempDir::new().unwrap();
    for entry in fs::read_dir("maps").unwrap() {
        let map = entry.unwrap().path();
        let is_big = map.file_stem().is_some_and(|stem| stem == "big");
        if map.extension().is_none_or(|ending| ending != "toml") || is_big {
            continue;
        }
        let map = map.to_str().unwrap();
        for ending in ["csv", "ndjson"] {
            let path = |name: &str| folder.path().join(format!("{name}.{ending}"));
            let (first, second) = (path("first"), path("second"));
            let [first, second] = [&first, &second].map(|path| path.to_str().unwrap());
            let (code, _, err) = tilewalk(&["run", map, "--frames", "60", "--trace", first]);
            assert_eq!(code, 0, "{map}: {err}");
            let (code, _, err) = tilewalk(&["run", first, "--map", map, "--trace", second]);
            assert_eq!((code, err.as_str()), (0, ""), "{map}");
            let equal = fs::read(first).unwrap() == fs::read(second).unwrap();
            assert!(equal, "{map}: the traces differ");
        }
    }
}

const RUN: &str = "frame,agent,x,y,state,hp\n0,guard,1.5,2.5,patrol,10\n0,thief,8.5,2.5,hide,5\n\
                   1,guard,1.6,2.5,patrol,10\n1,thief,8.5,2.5,hide,5\n\
                   2,guard,1.7,2.5,chase,9\n2,thief,8.4,2.5,flee,5\n";

#[test]
fn a_condition_reads_the_values_of_a_run() {
    let folder = TempDir::new().unwrap();
    let run = write(&folder, "game.csv", RUN);
    let columns = ["--columns", "mode=state"];
    let until = |condition: &str| {
        let args = [&["run", &run, "--until", condition][..], &columns].concat();
        tilewalk(&args)
    };
    let (code, out, _) = until("guard.hp < 10");
    assert_eq!(code, 0);
    assert!(out.contains("until   true at frame 2"), "{out}");
    assert_eq!(until("agent[\"thief\"].hp < 5").0, 1);
    let (code, _, err) = until("guard.mana < 5");
    assert_eq!(code, 2);
    assert!(err.contains("unknown field `mana`") && err.contains("`hp`"), "{err}");
}

#[test]
fn expectations_judge_several_runs() {
    let folder = TempDir::new().unwrap();
    let good = write(&folder, "good.csv", RUN);
    let bad = write(&folder, "bad.csv", &RUN.replace("1.7,2.5", "7.7,2.5"));
    let expect = "[[expect]]\nname = 'slow'\nalways = 'guard.speed < 4'\n";
    let expect = write(&folder, "game.expect.toml", expect);
    let (code, out, _) = tilewalk(&["test", &good, "--expect", &expect]);
    assert_eq!(code, 0, "{out}");
    let (code, out, _) = tilewalk(&["test", &good, &bad, "--expect", &expect]);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("frame 2") && out.contains("1 passed, 1 failed"), "{out}");
    let (code, _, err) = tilewalk(&["test", &good]);
    assert_eq!(code, 2);
    assert!(err.contains("--expect"), "{err}");
}

#[test]
fn expectations_about_frames_after_the_end_are_inconclusive() {
    let folder = TempDir::new().unwrap();
    let run = write(&folder, "game.csv", RUN);
    let verdict = |expectation: &str| {
        let text = format!("[[expect]]\nname = 'it'\n{expectation}\n");
        let expect = write(&folder, "game.expect.toml", &text);
        let (code, out, err) = tilewalk(&["test", &run, "--expect", &expect]);
        assert!(err.is_empty() && !out.contains("frame 60 ("), "{expectation}: {out}{err}");
        (code, out)
    };
    let inconclusive = |expectation: &str, why: &str| {
        let (code, out) = verdict(expectation);
        assert_eq!(code, 1, "{out}");
        assert!(out.contains("INCONCLUSIVE") && out.contains(why), "{expectation}: {out}");
    };
    let late = "the window starts at frame 60, but the run ends at frame 2";
    for form in [
        "always = 'guard.hp > 0'",
        "eventually = 'guard.hp > 0'",
        "never = 'guard.hp > 99'",
        "always = 'guard.hp > 99'",
        "settles = 'guard.hp > 0'\nfor = 0.1",
        "value = 'guard.hp'\nabove = 0",
    ] {
        inconclusive(&format!("{form}\nfrom = 3"), late);
    }
    inconclusive("never = 'guard.hp > 99'\nfrom = 'guard.hp > 50'", "never held up to frame 2");
    let response = |within: &str| {
        format!("when = 'guard.mode == \"chase\"'\nthen = 'guard.hp < 9'\nwithin = {within}")
    };
    // The guard chases in the last frame.
    let waiting = "became true at frame 2; the run ends at frame 2 without an answer";
    inconclusive(&response("1").replace("guard.mode", "guard.state"), waiting);
    // The last frame itself is judged.
    let last = "never = 'guard.hp < 10'\nfrom = 0.1";
    let (code, out) = verdict(last);
    assert!(code == 1 && out.contains("frame 2") && !out.contains("INCONCLUSIVE"), "{out}");
    let answered = response("1").replace("guard.mode", "guard.state").replace("hp < 9", "hp < 10");
    assert_eq!(verdict(&answered).0, 0);
    // A time that is over before the end of the run is a failure.
    let over = "when = 'guard.hp == 10'\nthen = 'guard.hp < 9'\nwithin = 0.1";
    let (code, out) = verdict(over);
    assert!(code == 1 && out.contains("no answer up to frame 2"), "{out}");
}

#[test]
fn explain_says_when_an_agent_appears_and_how_long_it_is_in_its_mode() {
    let folder = TempDir::new().unwrap();
    let rows = "frame,time,agent,x,y,mode\n0,0,a,1.5,1,walk\n1,0.1,a,1.5,1,walk\n2,0.3,a,1.5,1,wait\n\
                3,1.3,a,1.5,1,wait\n3,1.3,b,2,1,walk\n";
    let run = write(&folder, "game.csv", rows);
    let explain = |frame: &str, agent: &str| {
        let (_, out, err) = tilewalk(&["explain", &run, "--frame", frame, "--agent", agent]);
        out + &err
    };
    let text = explain("1", "b");
    assert!(text.contains("b is not in the world at frame 1: it appears at frame 3"), "{text}");
    for (frame, mode) in
        [("1", "walk (trace), for 1 frame (0.1 s)"), ("3", "wait (trace), for 1 frame (1 s)")]
    {
        let text = explain(frame, "a");
        assert!(text.contains(mode), "{text}");
    }
    let (code, out, _) = tilewalk(&["run", &run, "--until", "a.time_in_mode > 0.9"]);
    assert!(code == 0 && out.contains("true at frame 3"), "{out}");
}

#[test]
fn options_for_runs_of_other_programs_are_refused_for_maps() {
    let folder = TempDir::new().unwrap();
    let expect =
        write(&folder, "game.expect.toml", "[[expect]]\nname = 'x'\nalways = 'guard.hp > 1'\n");
    for (args, option) in [
        (&["test", "maps/yard.toml", "--expect", &expect][..], "--expect"),
        (&["run", "maps/yard.toml", "--frames", "1", "--map", "maps/castle.toml"], "--map"),
        (&["run", "maps/yard.toml", "--frames", "1", "--scale", "7"], "--map"),
        (
            &["explain", "maps/yard.toml", "--frame", "1", "--agent", "hound", "--columns", "x=y"],
            "--map",
        ),
    ] {
        let (code, out, err) = tilewalk(args);
        assert!(code == 2 && out.is_empty(), "{args:?}: {out}");
        let reason = "the run of another program, for which this command has options such as ";
        assert!(err.contains(&format!("{reason}{option}")), "{args:?}: {err}");
    }
    // One of the two sides of a comparison can be a map.
    let run = write(&folder, "game.csv", &RUN.replace("agent,", "who,"));
    let (code, _, err) = tilewalk(&["diff", &run, "maps/castle.toml", "--columns", "agent=who"]);
    assert_eq!((code, err.as_str()), (1, ""));
}

#[test]
fn diff_finds_the_first_difference_of_two_builds() {
    let folder = TempDir::new().unwrap();
    let old = write(&folder, "old.csv", RUN);
    let new = write(&folder, "new.csv", &RUN.replace("2,guard,1.7", "2,guard,1.72"));
    assert_eq!(tilewalk(&["diff", &old, &old]).0, 0);
    let (code, out, _) = tilewalk(&["diff", &old, &new]);
    assert_eq!(code, 1);
    assert!(out.contains("frame 2") && out.contains("guard"), "{out}");
    assert_eq!(tilewalk(&["diff", &old, &new, "--tolerance", "0.5"]).0, 0);
}

#[test]
fn a_mode_of_the_map_takes_over_an_agent_of_a_run() {
    let folder = TempDir::new().unwrap();
    let map = "tiles = '''\n..........\n..........\n..........\n'''\n\
               [[agent]]\nname = 'guard'\nat = [1, 2]\n\
               [[agent.mode]]\nname = 'patrol'\n\
               [[agent.mode]]\nname = 'rush'\nsteer = [{ do = 'seek', target = [9, 2] }]\n";
    let map = write(&folder, "level.toml", map);
    let run = write(&folder, "game.csv", &RUN.replace("state", "mode"));
    let explain = |more: &[&str]| {
        let args = ["explain", &run, "--map", &map, "--frame", "2", "--agent", "guard"];
        tilewalk(&[&args, more].concat())
    };
    let (code, out, _) = explain(&[]);
    assert_eq!(code, 0);
    assert!(out.contains("chase (trace)"), "{out}");
    let (code, out, err) = explain(&["--take-over", "guard=rush"]);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("rush (steer)") && out.contains("seek"), "{out}");
    let (code, _, err) = explain(&["--take-over", "guard=fly"]);
    assert_eq!(code, 2);
    assert!(err.contains("guard has no mode \"fly\"; its modes: patrol, rush"), "{err}");
}

#[test]
fn check_warns_about_field_names_uneven_frames_and_unknown_places() {
    let folder = TempDir::new().unwrap();
    let good = write(&folder, "good.csv", &RUN.replace("frame,", "time,"));
    let (code, out, _) = tilewalk(&["check", &good]);
    assert_eq!(code, 0);
    assert_eq!(out, format!("{good}: 2 agents, 3 frames: no warnings\n"));
    let text = "time,agent,x,y,speed,goal\n0,guard,1.5,0.5,3,\n0.1,guard,1.6,0.5,3,\n\
                0.2,guard,1.7,0.5,3,kitchen\n0.35,guard,1.8,0.5,3,\n";
    let bad = write(&folder, "bad.csv", text);
    let (code, out, _) = tilewalk(&["check", &bad]);
    assert_eq!(code, 0);
    for part in [
        "the value `speed` has the name of a field",
        "frame 3 takes 0.150 s instead of 0.100 s",
        "the column `goal` names no place: `kitchen`",
        "1 agent, 4 frames: 3 warnings",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
    assert_eq!(tilewalk(&["check", &bad, "--strict"]).0, 1);
    let (_, out, _) = tilewalk(&["check", &bad, "--json"]);
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(json[0]["warnings"][1]["kind"], "uneven");
    let even = tilewalk(&["check", &bad, "--fps", "10"]).1;
    assert!(!even.contains("takes"), "{even}");
}

#[test]
fn check_warns_about_detectors_that_need_goals() {
    let folder = TempDir::new().unwrap();
    let run = write(&folder, "game.csv", RUN);
    let map = "tiles = '''\n..........\n..........\n..........\n'''\n\
               [[agent]]\nname = 'guard'\nat = [1, 2]\n\
               [[expect]]\nname = 'free'\nnever = 'guard.deadlocked'\n";
    let map = write(&folder, "level.toml", map);
    write(&folder, "level.breaks.toml", "[[break]]\nwhen = 'event(guard, stuck)'\n");
    let expect = "[[expect]]\nname = 'moves'\nnever = 'guard.stuck or guard.x < 0'\n";
    let expect = write(&folder, "game.expect.toml", expect);
    let check = |run: &str| {
        tilewalk(&["check", run, "--map", &map, "--expect", &expect, "--columns", "mode=state"])
    };
    let (code, out, err) = check(&run);
    assert_eq!(code, 0, "{err}");
    for part in [
        "the expectations of the map use `deadlocked`, which is always false",
        "the breakpoints of the map use `stuck`",
        &format!("the expectations in {expect} use `stuck`"),
        "3 warnings",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
    let with_goals = RUN.replace(",hp", ",hp,goal.x,goal.y");
    let with_goals: String =
        with_goals
            .lines()
            .map(|line| {
                if line.starts_with("frame") {
                    format!("{line}\n")
                } else {
                    format!("{line},1,2\n")
                }
            })
            .collect();
    let (_, out, _) = check(&write(&folder, "goals.csv", &with_goals));
    assert!(out.ends_with("no warnings\n"), "{out}");
}

#[test]
fn a_failed_expectation_prints_a_command_with_the_options_of_the_run() {
    let folder = TempDir::new().unwrap();
    let run = write(&folder, "a game.csv", RUN);
    let map =
        write(&folder, "level.toml", &format!("tiles = '''\n{}'''\n", "..........\n".repeat(4)));
    let expect = "[[expect]]\nname = 'idle'\nnever = 'guard.hp < 10'\n";
    let expect = write(&folder, "game.expect.toml", expect);
    let options = ["--map", &map, "--columns", "mode=state", "--origin", "-1,0", "--fps", "10"];
    let (code, out, err) = tilewalk(&[&["test", &run, "--expect", &expect], &options[..]].concat());
    assert_eq!(code, 1, "{err}");
    let line = out.lines().find(|line| line.trim().starts_with("tilewalk ")).unwrap();
    let words = shlex::split(line).unwrap();
    let rest = ["--seed", "0", "--goto", "2", "--agent", "guard"];
    assert_eq!(words[1], run);
    assert_eq!(words[2..], [&options[..], &rest].concat(), "{line}");
}

#[test]
fn robots_that_block_each_other_are_deadlocked() {
    let folder = TempDir::new().unwrap();
    write(&folder, "lane.map", "type octile\nheight 1\nwidth 4\nmap\n....\n");
    let plan = r#"{"actionModel":"MAPF","start":[[0,1,"N/A"],[0,2,"N/A"]],
        "actualPaths":["W,W,W,W,W,W","W,W,W,W,W,W"],
        "plannerPaths":["R,R,R,R,R,R","L,L,L,L,L,L"]}"#;
    let plan = write(&folder, "plan.json", plan);
    let map = folder.path().join("lane.map");
    let until = ["--until", "all(robots, deadlocked)"];
    let (code, out, err) =
        tilewalk(&[&["run", &plan, "--map", map.to_str().unwrap()], &until[..]].concat());
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("until   true at frame 4"), "{out}");
}

/// The recipe in docs/traces.md writes rows that tilewalk opens. Skipped without Python.
#[test]
#[expect(clippy::print_stdout, reason = "a skipped test says so")]
fn the_python_recipe_of_the_docs_writes_a_run() {
    let docs = fs::read_to_string("docs/traces.md").unwrap();
    let recipe = docs.split("```python\n").nth(1).unwrap().split("```").next().unwrap();
    let folder = TempDir::new().unwrap();
    let program = format!(
        "{recipe}\nclass Agent:\n    name, x, y, state, hp = 'guard', 1.5, 2.5, 'idle', 3\n\
         for frame in range(3):\n    trace(frame, [Agent])\n    Agent.x += 0.5\n"
    );
    let ran = std::process::Command::new("python3")
        .args(["-c", &program])
        .current_dir(folder.path())
        .status();
    if !ran.is_ok_and(|status| status.success()) {
        println!("skipped: python3 is not installed");
        return;
    }
    let run = folder.path().join("run.ndjson");
    assert!(Path::exists(&run));
    let (code, out, err) = tilewalk(&["run", run.to_str().unwrap(), "--until", "guard.x > 2"]);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("until   true at frame 2"), "{out}");
}

/// Records the run of a file, and returns the paths of the run and of the recording.
fn recorded(folder: &TempDir) -> (String, String) {
    let run = write(folder, "game.csv", RUN);
    let recording = folder.path().join("game.twr").to_str().unwrap().to_owned();
    let (code, _, err) =
        tilewalk(&["run", &run, "--columns", "mode=state", "--record", &recording]);
    assert_eq!((code, err.as_str()), (0, ""));
    (run, recording)
}

#[test]
fn a_recording_of_a_run_reads_the_file_again() {
    let folder = TempDir::new().unwrap();
    let (run, recording) = recorded(&folder);
    let bytes = fs::read(&recording).unwrap();
    assert!(!bytes.windows(5).any(|part| part == b"8.5,2"), "the recording contains no rows");
    assert_eq!(u16::from_le_bytes([bytes[8], bytes[9]]), 3, "older versions refuse the recording");
    let (code, out, _) = tilewalk(&["verify", &recording]);
    assert_eq!(code, 0, "{out}");
    let direct = tilewalk(&["run", &run, "--columns", "mode=state", "--json"]).1;
    let replayed = tilewalk(&["run", &recording, "--json"]).1;
    let hash = |text: &str| text.split("\"hash\"").nth(1).map(ToOwned::to_owned);
    assert_eq!(hash(&direct), hash(&replayed));
    let (code, out, _) = tilewalk(&["run", &recording, "--until", "guard.hp < 10"]);
    assert_eq!(code, 0);
    assert!(out.contains("true at frame 2"), "{out}");
    // A recording that is moved together with its run finds the run beside it.
    let other = TempDir::new().unwrap();
    let moved = |path: &str| other.path().join(Path::new(path).file_name().unwrap());
    for path in [&run, &recording] {
        fs::rename(path, moved(path)).unwrap();
    }
    assert_eq!(tilewalk(&["verify", moved(&recording).to_str().unwrap()]).0, 0);
}

#[test]
fn a_recording_names_a_run_that_is_missing_or_differs() {
    let folder = TempDir::new().unwrap();
    let (run, recording) = recorded(&folder);
    fs::write(&run, RUN.replace("8.4", "8.3")).unwrap();
    for command in [&["verify", &recording][..], &["replay", &recording]] {
        let (code, _, err) = tilewalk(command);
        assert_eq!(code, 2, "{command:?}");
        let size = RUN.len();
        assert!(err.contains("game.csv"), "{err}");
        assert!(err.matches(&format!("{size} bytes and hash ")).count() == 2, "{err}");
    }
    fs::remove_file(&run).unwrap();
    let (code, _, err) = tilewalk(&["verify", &recording]);
    assert_eq!(code, 2);
    assert!(err.contains("game.csv") && err.contains("can't be read"), "{err}");
}

#[test]
fn diff_compares_values_too() {
    let folder = TempDir::new().unwrap();
    let old = write(&folder, "old.csv", RUN);
    let new = write(&folder, "new.csv", &RUN.replace("chase,9", "chase,8"));
    let (code, out, _) = tilewalk(&["diff", &old, &new]);
    assert_eq!(code, 1);
    assert!(out.contains("first difference: frame 2, guard, hp"), "{out}");
    assert!(out.contains("A  9\nB  8"), "{out}");
    assert_eq!(tilewalk(&["diff", &old, &new, "--tolerance", "1"]).0, 0);
}

/// A small step to the side is within the tolerance, but it turns the velocity that follows from it by 6°.
#[test]
fn diff_with_a_tolerance_leaves_out_motion_that_neither_file_contains() {
    let folder = TempDir::new().unwrap();
    let diff = |name: &str, columns: &str, more: [&str; 2], words: &[&str]| {
        let paths = [("old", "1"), ("new", "1.01")].map(|(side, y)| {
            let more = more[usize::from(side == "new")];
            let rows = format!("0,a,1,1{more}\n1,a,1.1,{y}{more}\n2,a,1.2,1{more}\n");
            write(
                &folder,
                &format!("{name}_{side}.csv"),
                &format!("frame,agent,x,y{columns}\n{rows}"),
            )
        });
        let [old, new] = &paths;
        let (code, out, err) = tilewalk(&[&["diff", old, new], words].concat());
        assert_eq!(err, "", "{name}");
        (code, out)
    };
    let near: &[&str] = &["--tolerance", "0.05"];
    let (code, out) = diff("places", "", ["", ""], near);
    assert_eq!(code, 0, "{out}");
    let (code, out) = diff("exact", "", ["", ""], &[]);
    assert!(code == 1 && out.contains("a      heading vector"), "{out}");
    // The heading follows from the velocities of the files, which are compared.
    let (code, out) = diff("velocities", ",vx,vy", [",2,0", ",2,0.04"], near);
    assert_eq!(code, 0, "{out}");
    let (code, out) = diff("velocities", ",vx,vy", [",2,0", ",2,0.06"], near);
    assert!(code == 1 && out.contains("frame 0, a, vy") && !out.contains("heading"), "{out}");
    let (code, out) = diff("headings", ",heading", [",0", ",5"], near);
    assert!(code == 1 && out.contains("frame 0, a, heading") && !out.contains(" vy"), "{out}");
}

#[test]
fn diff_compares_runs_without_a_map_with_negative_coordinates() {
    let folder = TempDir::new().unwrap();
    let old = write(&folder, "old.csv", RUN);
    let away = "2,bat,-3.5,2.5,fly,1\n";
    let new = write(&folder, "new.csv", &format!("{RUN}{away}"));
    let (code, out, _) = tilewalk(&["diff", &old, &new]);
    assert_eq!(code, 1);
    assert!(out.contains("bat") && !out.contains("guard"), "{out}");
}

#[test]
fn only_files_of_rows_can_be_followed() {
    let folder = TempDir::new().unwrap();
    let plan = write(&folder, "plan.csv", "0:(5,16),(21,29),\n1:(5,17),(21,29),\n");
    let (code, _, err) = tilewalk(&[&plan, "--follow"]);
    assert_eq!(code, 2);
    assert!(err.contains("cannot be followed: open it without --follow"), "{err}");
    let (code, _, err) = tilewalk(&["maps/castle.toml", "--follow"]);
    assert_eq!(code, 2);
    assert!(err.contains("--follow needs a run"), "{err}");
    let run = write(&folder, "game.csv", RUN);
    let (code, _, err) = tilewalk(&[&run, "--follow", "--rows-of", "guard"]);
    assert_eq!(code, 2);
    assert!(err.contains("--rows-of"), "{err}");
}

#[test]
fn ignored_times_and_rounded_integers_are_warned_about() {
    let folder = TempDir::new().unwrap();
    let text = "frame,time,x,y,id\n0,0,1.5,0.5,7\n1,0.1,1.6,0.5,1764387691\n2,0.1,1.7,0.5,7\n";
    let run = write(&folder, "game.csv", text);
    let expect = write(&folder, "game.expect.toml", "[[expect]]\nname = 'a'\nalways = 'true'\n");
    let time = format!("{run}:4:3: frame 2 has the same time as frame 1: the times are ignored");
    let id = format!("{run}:3:15: the value `id` has 1764387691");
    let (code, out, _) = tilewalk(&["check", &run]);
    assert!(code == 0 && out.contains(&time) && out.contains(&id), "{out}");
    let (_, out, _) = tilewalk(&["check", &run, "--json"]);
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    let first = &json[0]["warnings"][0];
    assert_eq!((&first["kind"], &first["line"]), (&"time".into(), &4.into()));
    for args in [&["run", &run][..], &["test", &run, "--expect", &expect]] {
        let (code, _, err) = tilewalk(args);
        assert_eq!(code, 0, "{err}");
        for part in [&time, &id] {
            assert!(err.contains(&format!("warning: {part}")), "{part}: {err}");
        }
    }
    let (_, out, err) = tilewalk(&["run", &run, "--fps", "20"]);
    assert!(!err.contains("time") && out.contains("frames  2 (0.1 s)"), "{out}{err}");
}

#[test]
fn diff_reads_a_trace_with_a_comma_in_a_name() {
    let folder = TempDir::new().unwrap();
    let text = "frame,agent,x,y\n0,\"Guard, left\",1.5,1.5\n1,\"Guard, left\",2.5,1.5\n";
    let run = write(&folder, "game.csv", text);
    let trace = folder.path().join("trace.csv");
    let trace = trace.to_str().unwrap();
    assert_eq!(tilewalk(&["run", &run, "--trace", trace]).0, 0);
    let (code, out, err) = tilewalk(&["diff", &run, trace]);
    assert!(code == 0 && out.contains("no differences"), "{out}{err}");
}
