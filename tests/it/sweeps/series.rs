//! Series of measures, and the results that are computed from them: warm-up, quantiles, deviation.

use std::fs;

use super::SweepDir;

const SWEEP: &str = r#"
map = "yard.toml"
frames = 60
seeds = 3

[vary]
tick = [0.05, 0.1]

[measure]
all = { value = "dog.x" }
late = { value = "dog.x", take = "mean", from = 1.5 }
median = { value = "dog.x", take = "median", from = 1 }
low = { value = "dog.x", quantile = 0.1 }
sd = { value = "dog.x", take = "sd" }
frames_late = { count = "cat.x > -1", from = 2.5 }
first_late = { first = "cat.x > -1", from = 2.5 }
"#;

/// Returns the fields of the lines of a CSV text, without the header.
fn rows(text: &str) -> Vec<Vec<&str>> {
    text.lines().skip(1).map(|line| line.split(',').collect()).collect()
}

#[test]
fn results_agree_with_values_computed_from_the_series() {
    let dir = SweepDir::new();
    fs::write(dir.path("sweep.toml"), SWEEP).unwrap();
    dir.ok("sweep sweep.toml --output results.csv --series series.csv");
    let (results, series) = (dir.read("results.csv"), dir.read("series.csv"));
    assert!(series.starts_with("run,seed,frame,all,late,median,low,sd\n0,4,0,"), "{series}");
    assert_eq!(series.lines().count(), 1 + 6 * 61);
    let series = rows(&series);
    for (run, row) in rows(&results).into_iter().enumerate() {
        let [_, seed, tick, all, late, median, low, sd, frames_late, first_late, ..] = row[..]
        else {
            panic!("{row:?}")
        };
        let tick: f64 = tick.parse().unwrap();
        let frames: Vec<_> = series.iter().filter(|it| it[0] == run.to_string()).collect();
        assert!(frames.iter().all(|it| it[1] == seed));
        let x = |from: f64| -> Vec<f64> {
            let first = (from / tick).round() as usize;
            frames[first..].iter().map(|it| it[3].parse().unwrap()).collect()
        };
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let quantile = |mut values: Vec<f64>, share: f64| {
            values.sort_by(f64::total_cmp);
            let place = share * (values.len() - 1) as f64;
            let (below, above) = (values[place.floor() as usize], values[place.ceil() as usize]);
            below + place.fract() * (above - below)
        };
        let near = |text: &str, expected: f64| {
            let value: f64 = text.parse().unwrap();
            assert!((value - expected).abs() < 1e-9, "{row:?}: {expected}");
        };
        near(all, *x(0.0).last().unwrap());
        near(late, mean(&x(1.5)));
        near(median, quantile(x(1.0), 0.5));
        near(low, quantile(x(0.0), 0.1));
        let (values, middle) = (x(0.0), mean(&x(0.0)));
        let squares: f64 = values.iter().map(|value| (value - middle) * (value - middle)).sum();
        near(sd, (squares / (values.len() - 1) as f64).sqrt());
        // Before `from`, the cells of a series are empty.
        let warm_up = frames.iter().filter(|it| it[4].is_empty()).count();
        assert_eq!(warm_up as f64, (1.5 / tick).round());
        let start = (2.5 / tick).round();
        near(frames_late, 61.0 - start);
        near(first_late, start);
    }
    // The series are the same with any number of threads, and files are replaced only on request.
    dir.ok("sweep sweep.toml --output results.csv --series again.csv --jobs 3");
    assert_eq!(dir.read("again.csv"), dir.read("series.csv"));
    let message = dir.refused("sweep sweep.toml --output results.csv --series again.csv");
    assert!(message.contains("again.csv exists already"), "{message}");
    dir.ok("sweep sweep.toml --output results.csv --series again.csv --force");
}

#[test]
fn mistakes_in_measures_are_reported_at_their_place() {
    let dir = SweepDir::new();
    for (measure, message) in [
        ("{ value = 'dog.x', take = 'sd', quantile = 0.2 }", "`take` and `quantile` can't be"),
        ("{ count = 'dog.x > 1', quantile = 0.2 }", "`quantile` needs `value`"),
        ("{ value = 'dog.x', quantile = 1.2 }", "quantile"),
        ("{ value = 'dog.x', from = 4 }", "`from` is after the last frame of the runs, 3 s"),
        ("{ expect = 'the dog stays west', from = 1 }", "`from` and `expect` can't be used"),
    ] {
        let text = format!("map = 'yard.toml'\nframes = 60\n[measure]\nx = {measure}\n");
        fs::write(dir.path("sweep.toml"), text).unwrap();
        let problems = dir.refused("sweep sweep.toml");
        assert!(problems.contains(message) && problems.contains("sweep.toml:4:"), "{problems}");
    }
    let text = "map = 'yard.toml'\nframes = 60\n[measure]\nx = { count = 'dog.x > 1' }\n";
    fs::write(dir.path("sweep.toml"), text).unwrap();
    let problems = dir.refused("sweep sweep.toml --series series.csv");
    assert!(problems.contains("has no `value` measure"), "{problems}");
}

#[test]
fn different_values_have_different_labels() {
    let dir = SweepDir::new();
    let values = "[vary]\n'cat.max_speed' = [5, 5.0004, 5.001, 5.0014]\n";
    let text =
        format!("map = 'yard.toml'\nframes = 2\n{values}[measure]\nx = {{ value = 'dog.x' }}\n");
    fs::write(dir.path("sweep.toml"), text).unwrap();
    let out = dir.ok("sweep sweep.toml");
    let labels: Vec<_> = out.lines().filter_map(|line| line.split_whitespace().next()).collect();
    for label in ["5", "5.0004", "5.001", "5.0014"] {
        assert!(labels.contains(&label), "{label} in {out}");
    }
}
