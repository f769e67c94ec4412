//! `--shrink` keeps the reason for a failure: the difference from a passing map, or the frame.

use std::fs;
use std::path::Path;

use super::test_command::{folder, test};

/// A guard that sees a thief. `reaction` is the mode that it changes to.
fn guard(reaction: &str, edit: impl Fn(String) -> String) -> String {
    edit(format!(
        "tiles = '''\n..........\n..........\n..........\n'''\n\
         [[agent]]\nname = 'guard'\nat = [0, 0]\n\
         [[agent.mode]]\nname = 'patrol'\ntravel = [8, 0]\nswitch = [\n\
         {{ to = 'scold', when = 'time > 90' }},\n\
         {{ to = '{reaction}', when = 'distance(thief) < 2' }},\n]\n\
         [[agent.mode]]\nname = 'scold'\n[[agent.mode]]\nname = 'home'\ntravel = [0, 0]\n\
         [[agent]]\nname = 'thief'\nat = [6, 1]\n[[agent]]\nname = 'cat'\nat = [6, 2]\n\
         [[expect]]\nname = 'the thief is scolded'\neventually = 'guard.mode == \"scold\"'\n"
    ))
}

/// Shrinks the failure of a map with the passing version. Returns the small map.
fn shrunk(failing: &str, passing: &str) -> String {
    let folder = folder(&[("map.toml", failing), ("old.toml", passing)]);
    let (code, printed, errors) =
        test(folder.path(), &["map.toml", "--shrink", "--passing", "old.toml"]);
    assert!(code == 1 && !errors.contains("error"), "{printed}{errors}");
    let small = fs::read_to_string(folder.path().join("map-the-thief-is-scolded.shrunk.toml"));
    small.unwrap_or_else(|error| panic!("{error}: {printed}"))
}

/// Deleting the mode `home` would delete the planted transition to it.
#[test]
fn with_a_passing_map_shrinking_keeps_all_differences() {
    let passing = guard("scold", |text| text);
    let small = shrunk(&guard("home", |text| text), &passing);
    assert!(small.contains("\"home\"") || small.contains("'home'"), "{small}");
    assert!(small.contains("distance(thief)") && !small.contains("cat"), "{small}");
    // A changed number and a changed tile stay, too. The unchanged rest goes.
    let small = shrunk(&guard("scold", |text| text.replace("< 2", "< 0.5")), &passing);
    assert!(small.contains("< 0.5") && !small.contains("cat"), "{small}");
    let wall = |text: String| text.replacen("..........\n", "...#......\n", 3);
    let small = shrunk(&guard("scold", wall), &passing);
    assert_eq!(small.matches('#').count() - small.matches("# ").count(), 3, "{small}");
}

/// A hall with a slow ball. With the usual pace, the ball is fast.
const HALL: &str = "tiles = '''\n....................\n....................\n'''\n\
     [[agent]]\nname = 'ball'\nat = [0, 0]\npace = 40\ntravel = [19, 0]\n\
     [[agent]]\nname = 'slow'\nat = [19, 1]\n\
     [[expect]]\nname = 'short'\nnever = 'ball.x > 15'\n";

#[test]
fn without_a_passing_map_a_changed_frame_is_reported_and_a_closer_map_is_kept() {
    let map = HALL.replace("[[expect]]", "[[expect]]\nduration = 200");
    let folder = folder(&[("map.toml", &map)]);
    let (_, printed, errors) = test(folder.path(), &["map.toml", "--shrink"]);
    assert_eq!(errors, "", "{printed}");
    let warning = printed.lines().find(|line| line.contains("the reason may differ"));
    let warning = warning.unwrap_or_else(|| panic!("{printed}"));
    let numbers: Vec<u64> =
        warning.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect();
    let [before, now] = numbers[..] else { panic!("{warning}") };
    assert!(before > 3 * now, "{warning}");
    assert_eq!(
        warning.trim(),
        format!("failed at frame {before}, now {now}: the reason may differ")
    );
    let close = folder.path().join("map-short-close.shrunk.toml");
    assert!(printed.contains("nearly the same frame: map-short-close.shrunk.toml"), "{printed}");
    assert!(fs::read_to_string(&close).unwrap().contains("pace"));
    let failed_at = |path: &Path| -> u64 {
        let (_, printed, _) = test(folder.path(), &[path.to_str().unwrap()]);
        let (_, rest) = printed.split_once("frame ").unwrap();
        rest.split_whitespace().next().unwrap().parse().unwrap()
    };
    assert!(failed_at(&close).abs_diff(before) * 10 <= before);
    assert_eq!(failed_at(&folder.path().join("map-short.shrunk.toml")), now);
}
