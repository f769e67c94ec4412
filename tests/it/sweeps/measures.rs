//! Measures are compared with values computed from the trace of the same run.

use std::fs;

use super::SweepDir;

/// One frame of a trace: the positions of cat and dog, and the speed of the dog.
struct TraceFrame {
    frame: u64,
    cat: [f64; 2],
    dog: [f64; 2],
    speed: f64,
}

/// Runs a command with a trace, and returns the frames of the trace.
fn trace(dir: &SweepDir, words: &str) -> Vec<TraceFrame> {
    dir.ok(&format!("{words} --trace trace.csv"));
    let text = dir.read("trace.csv");
    let rows: Vec<Vec<&str>> = text.lines().skip(1).map(|row| row.split(',').collect()).collect();
    // Positions are single-precision numbers.
    let number = |text: &str| f64::from(text.parse::<f32>().unwrap());
    let frame = |rows: &[Vec<&str>]| {
        let [cat, dog] = rows else { panic!("two agents") };
        let at = |row: &[&str]| [number(row[4]), number(row[5])];
        let [vx, vy] = [6, 7].map(|column| dog[column].parse::<f32>().unwrap());
        TraceFrame {
            frame: cat[0].parse().unwrap(),
            cat: at(cat),
            dog: at(dog),
            speed: f64::from((vx * vx + vy * vy).sqrt()),
        }
    };
    rows.chunks(2).map(frame).collect()
}

#[test]
fn measures_agree_with_values_computed_from_the_trace_of_the_run() {
    let dir = SweepDir::new();
    let results = dir.results();
    let mut ended_early = 0;
    for line in results.lines().skip(1).step_by(7) {
        let fields: Vec<_> = line.split(',').collect();
        let [_, seed, max_speed, jitter, tick, measures @ .., frames, end, hash] = &fields[..]
        else {
            panic!("{line}");
        };
        let words = format!(
            "run yard.toml --seed {seed} --frames {frames} --set cat.max_speed={max_speed} \
             --set dog.steer.wander.jitter={jitter} --set tick={tick}"
        );
        let out = dir.ok(&words);
        assert!(out.contains(&format!("hash    {hash}")), "{line}: {out}");
        let trace = trace(&dir, &words);
        let x = || trace.iter().map(|frame| frame.dog[0]);
        let sum = x().fold(0.0, |sum, x| sum + x);
        let distance_between = |frame: &TraceFrame| {
            let [dx, dy] = [0, 1].map(|axis| frame.cat[axis] - frame.dog[axis]);
            (dx * dx + dy * dy).sqrt()
        };
        let near = |text: &str, expected: f64| {
            let value: f64 = text.parse().unwrap();
            assert!(
                (value - expected).abs() < 1e-4 * expected.abs().max(1.0),
                "{line}: {expected}"
            );
        };
        let [last, mean, least, greatest, distance, west, arrived, stays] = measures else {
            panic!("{line}");
        };
        assert_eq!(last.parse(), Ok(trace.last().unwrap().dog[0]), "{line}");
        near(mean, sum / trace.len() as f64);
        let smallest = trace.iter().map(|frame| frame.dog[1]).fold(f64::INFINITY, f64::min);
        assert_eq!(least.parse(), Ok(smallest), "{line}");
        near(greatest, trace.iter().map(|frame| frame.speed).fold(0.0, f64::max));
        near(distance, trace.iter().map(distance_between).sum());
        let in_west = trace.iter().filter(|frame| (2.0..4.0).contains(&frame.cat[0])).count();
        assert_eq!(west.parse(), Ok(in_west), "{line}");
        let first =
            trace.iter().find(|frame| frame.cat[0] > 5.0).map(|frame| frame.frame.to_string());
        assert_eq!(arrived.to_string(), first.unwrap_or_default(), "{line}");
        // The expectation is judged for 3 seconds.
        let judged = (3.0 / tick.parse::<f64>().unwrap()).round() as usize;
        let left = trace.iter().take(judged + 1).any(|frame| frame.dog[0] >= 8.0);
        let verdict = match (left, trace.len() > judged) {
            (true, _) => "fail",
            (false, true) => "pass",
            (false, false) => "inconclusive",
        };
        assert_eq!(*stays, verdict, "{line}");
        let is_near = distance_between(trace.last().unwrap()) < 0.3;
        assert_eq!((*end, is_near), (if is_near { "until" } else { "frames" }, is_near), "{line}");
        assert!(
            trace.iter().rev().skip(1).all(|frame| distance_between(frame) >= 0.3 - 1e-6),
            "{line}"
        );
        ended_early += u32::from(is_near);
    }
    assert!(ended_early > 0);
}

/// A walker that never reaches the wanted place, and a cart that ends the run when it arrives.
const ROAD: &str = r#"
tiles = """
##########
#........#
#........#
##########
"""
places = { goal = [8, 1] }

[[agent]]
name = "cart"
at = [1, 1]
travel = "goal"
pace = 2

[[agent]]
name = "walker"
at = { within = [1, 2, 8, 2] }
steer = [{ do = "avoid_walls" }, { do = "wander" }]
"#;

#[test]
fn a_run_without_the_event_counts_with_its_own_last_frame() {
    let dir = SweepDir::new();
    fs::write(dir.path("road.toml"), ROAD).unwrap();
    let sweep = "map = 'road.toml'\nframes = 100\nseeds = 2\nuntil = 'cart.arrived'\n\
                 [vary]\n'cart.pace' = [2, 3]\n\
                 [measure]\nfar = { first = 'walker.x > 100' }\n";
    fs::write(dir.path("road_sweep.toml"), sweep).unwrap();
    for output in ["road.csv", "road.ndjson"] {
        dir.ok(&format!("sweep road_sweep.toml --output {output}"));
        let text = dir.ok(&format!("sweep road_sweep.toml --output {output}"));
        let rows = dir.read("road.csv");
        let ends: Vec<&str> =
            rows.lines().skip(1).map(|row| row.split(',').nth(4).unwrap()).collect();
        assert_eq!(ends, ["14", "14", "21", "21"], "{rows}");
        let lines: Vec<Vec<&str>> =
            text.lines().map(|line| line.split_whitespace().collect()).collect();
        let row = |start: &[&str]| lines.iter().filter(|line| line.starts_with(start)).count();
        assert_eq!((row(&["2", "14.00"]), row(&["3", "21.00"])), (1, 1), "{text}");
        // The difference between both design points.
        assert_eq!(row(&["3", "7.000"]), 1, "{text}");
        let best = dir.ok(&format!("sweep best {output} --by far"));
        assert!(best.starts_with("far 21.0000"), "{best}");
    }
    let line = dir.ok("eval road_sweep.toml");
    assert!(line.contains("\"far\":{\"n\":0,\"mean\":14.0,"), "{line}");
}
