//! `tilewalk sweep --plot`.

use std::fs;
use std::path::Path;

use super::command::{map, run};

const MAP: &str = "map = \"MAP\"\nframes = 30\nseeds = 6\n";

fn labels(folder: &Path, sweep: &str, jobs: &str) -> (Vec<u8>, Vec<String>) {
    fs::write(folder.join("s.toml"), sweep).expect("a file");
    let args = ["sweep", "s.toml", "--restart", "--plot", "p.svg", "--jobs", jobs];
    let (code, out, err) = run(folder, &args);
    let out = String::from_utf8_lossy(&out).into_owned();
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.contains("wrote p.svg"), "{out}");
    let bytes = fs::read(folder.join("p.svg")).expect("a picture");
    let text = core::str::from_utf8(&bytes).expect("text");
    usvg::Tree::from_str(text, &usvg::Options::default()).expect("a document");
    let document = roxmltree::Document::parse(text).expect("a document");
    let labels = document.descendants().filter_map(|node| node.attribute("aria-label"));
    let labels = labels.map(str::to_owned).collect();
    (bytes, labels)
}

#[test]
fn a_sweep_over_numbers_has_a_line_a_distribution_and_differences() {
    let folder = tempfile::tempdir().expect("a folder");
    let head = MAP.replace("MAP", &map("flock"));
    let vary = "[vary]\n\"boid.body.max_speed\" = [1, 2, 4]\n";
    let measure = "[measure]\norder = { value = \"polarisation(boid)\" }\n\
                   fast = { first = \"polarisation(boid) > 0.2\" }\n";
    let sweep = format!("{head}{vary}{measure}");
    let (bytes, labels_1) = labels(folder.path(), &sweep, "1");
    let (other, _) = labels(folder.path(), &sweep, "4");
    assert!(bytes == other, "the bytes don't depend on the number of threads");
    for expected in [
        "mean of order",
        "mean, 95 % interval",
        "distribution of order",
        "18 runs",
        "difference of order",
        "from the first design point",
        "boid.body.max_speed (tiles/s)",
        "mean of fast (first frame)",
    ] {
        assert!(labels_1.iter().any(|label| label == expected), "{expected}: {labels_1:?}");
    }
}

#[test]
fn a_sweep_over_a_grid_has_a_heat_map() {
    let folder = tempfile::tempdir().expect("a folder");
    let head = MAP.replace("MAP", &map("flock"));
    let vary = "[vary]\n\"boid.body.max_speed\" = [1, 2]\n\
                \"boid.steer.separation.weight\" = [0.5, 1, 2]\n";
    let measure = "[measure]\norder = { value = \"polarisation(boid)\" }\n";
    let (_, labels) = labels(folder.path(), &format!("{head}{vary}{measure}"), "2");
    for expected in ["mean of order", "boid.body.max_speed (tiles/s)", "0.5", "design point"] {
        assert!(labels.iter().any(|label| label == expected), "{expected}: {labels:?}");
    }
    assert!(labels.iter().any(|label| label.starts_with("↑ boid.steer")), "{labels:?}");
}

#[test]
fn plots_with_another_ending_are_refused_before_the_sweep_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let sweep = MAP.replace("MAP", &map("flock"))
        + "[vary]\n\"boid.body.max_speed\" = [1, 2]\n"
        + "[measure]\norder = { value = \"polarisation(boid)\" }\n";
    fs::write(folder.path().join("s.toml"), sweep).expect("a file");
    let (code, _, err) = run(folder.path(), &["sweep", "s.toml", "--plot", "p.gif"]);
    assert_eq!(code, 2);
    assert!(err.contains("cannot write p.gif: plots end in .svg, .pdf or .png"), "{err}");
    assert!(!folder.path().join("s.csv").exists());
}
