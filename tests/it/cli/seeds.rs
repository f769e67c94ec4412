//! The seeds of `tilewalk test`: how many, when one is enough, and which are kept.

use std::fs;
use std::path::Path;

use super::test_command::{folder, test};

/// A coin and a standing agent. `rare` is the probability of the event per frame.
fn coin(rare: f64, expectation: &str) -> String {
    format!(
        "tiles = '.....'\n\
         [[agent]]\nname = 'coin'\nat = [0, 0]\n\
         [[agent.mode]]\nname = 'wait'\ntravel = [4, 0]\n\
         switch = [{{ to = 'lost', when = 'time > 0.1 and time < 0.16 and chance({rare})' }}]\n\
         [[agent.mode]]\nname = 'lost'\n\
         [[agent]]\nname = 'post'\nat = [2, 0]\n\
         [[expect]]\nname = 'not lost'\nnever = 'coin.mode == \"lost\"'\nduration = 1\n{expectation}"
    )
}

#[test]
fn expectations_without_seeds_are_judged_with_20_seeds() {
    let folder = folder(&[("a.toml", &coin(1e-9, "")), ("b.toml", &coin(0.2, ""))]);
    let (code, printed, _) = test(folder.path(), &["a.toml"]);
    let line =
        "pass          a.toml::not lost  20 of 20 seeds: a failure rate above 14 % is unlikely\n";
    assert_eq!((code, printed.as_str()), (0, &*format!("{line}1 passed, 0 failed\n")));
    let (code, printed, _) = test(folder.path(), &["b.toml"]);
    assert!(code == 1 && printed.contains("(of up to 20)"), "{printed}");
    // One seed is not a sample.
    for (options, seeds) in [("seeds = 1\n", "1 of 1 seed"), ("seeds = [0, 5]\n", "2 of 2 seeds")] {
        fs::write(folder.path().join("a.toml"), coin(1e-9, options)).unwrap();
        let (_, printed, _) = test(folder.path(), &["a.toml"]);
        assert!(
            printed.starts_with(&format!("pass          a.toml::not lost  {seeds}\n")),
            "{printed}"
        );
    }
}

#[test]
fn runs_without_random_numbers_are_judged_once() {
    let map = "tiles = '.....'\n[[agent]]\nname = 'a'\nat = [0, 0]\ntravel = [4, 0]\n";
    let expect = |name: &str, more: &str| format!("[[expect]]\nname = '{name}'\n{more}\n");
    let claim = "at_least = 0.5\nconfidence = 0.9\nseeds = 40";
    let text = [
        map.to_owned(),
        expect("goes", "eventually = 'a.x > 4'"),
        expect("stays", "never = 'a.x > 4'"),
        expect("mostly goes", &format!("eventually = 'a.x > 4'\n{claim}")),
        expect("no trigger", "when = 'a.x > 9'\nthen = 'a.x > 9'\nwithin = 1"),
        expect("unchanged", "golden = ''"),
    ];
    let folder = folder(&[("a.toml", &text.concat())]);
    for all in [&[][..], &["--all-seeds"]] {
        let (_, printed, _) = test(folder.path(), &[&["a.toml"], all].concat());
        let lines: Vec<&str> = printed.lines().filter(|line| line.contains("::")).collect();
        let once = "no random numbers";
        assert_eq!(
            lines,
            [
                format!("pass          a.toml::goes  1 of 1 seed, {once}"),
                format!("FAIL          a.toml::stays  0 of 1 seed, {once}"),
                format!("pass          a.toml::mostly goes  1 of 1 seed, {once}"),
                format!("INCONCLUSIVE  a.toml::no trigger  0 of 1 seed, 1 inconclusive, {once}"),
                format!("INCONCLUSIVE  a.toml::unchanged  0 of 1 seed, 1 inconclusive, {once}"),
            ],
        );
    }
}

/// Agents at random positions, and a random heading, depend on the seed before the first frame.
#[test]
fn random_starts_count_as_random_numbers() {
    let map = "tiles = '.....'\n[[agent]]\nname = 'a'\nat = 'anywhere'\n\
               [[expect]]\nname = 'far'\nalways = 'a.x < 9'\nduration = 0\n";
    let folder = folder(&[("a.toml", map)]);
    let (_, printed, _) = test(folder.path(), &["a.toml"]);
    assert!(printed.contains("20 of 20 seeds"), "{printed}");
}

/// A rare failure is found with fresh seeds, kept beside the map, judged first in later tests, and
/// passes after the map is fixed.
#[test]
fn fresh_seeds_that_fail_are_kept_beside_the_map_and_judged_first() {
    let folder = folder(&[("coin.toml", &coin(0.026, ""))]);
    let kept = folder.path().join("coin.seeds.toml");
    let (code, printed, errors) =
        test(folder.path(), &["coin.toml", "--fresh-seeds", "--seeds", "2000"]);
    assert_eq!((code, errors.as_str()), (1, ""), "{printed}");
    assert!(printed.contains("failed seeds added to: coin.seeds.toml"), "{printed}");
    let text = fs::read_to_string(&kept).unwrap();
    let seed = text.split(['[', ']']).find_map(|part| part.parse::<u64>().ok()).expect("a seed");
    assert_eq!(text, format!("format = 1\n\n[[expect]]\nname = \"not lost\"\nseeds = [{seed}]\n"));

    let (code, printed, _) = test(folder.path(), &["coin.toml", "--seeds", "1"]);
    assert!(code == 1 && printed.contains(&format!("seed {seed}, frame")), "{printed}");
    assert_eq!(fs::read_to_string(&kept).unwrap(), text, "tests without the option write nothing");
    // Directories skip the file, and `check` reads it with the map.
    let (_, printed, errors) = test(folder.path(), &["."]);
    assert!(printed.contains("0 passed, 1 failed") && errors.is_empty(), "{printed}{errors}");

    fs::write(folder.path().join("coin.toml"), coin(1e-9, "")).unwrap();
    let (code, printed, _) = test(folder.path(), &["coin.toml"]);
    // The kept seed is no part of the random choice.
    let passes = "21 of 21 seeds: a failure rate above 14 % is unlikely";
    assert!(code == 0 && printed.contains(passes), "{printed}");

    fs::write(&kept, "[[expect]]\nname = 'not lost'\nseeds = [1, -2]\n").unwrap();
    let (code, _, errors) = test(folder.path(), &["coin.toml"]);
    assert!(code == 2 && errors.contains("coin.seeds.toml:3:13"), "{errors}");
    fs::write(&kept, "[[expect]]\nname = 'lost'\nseeds = [1]\n").unwrap();
    let (_, _, errors) = test(folder.path(), &["coin.toml"]);
    assert!(errors.contains("no expectation `lost`") && errors.contains("toml:2:8"), "{errors}");
}

/// Seeds of a claim about a share, listed seeds and golden states are never replaced or kept.
#[test]
fn only_expectations_that_no_seed_may_fail_keep_seeds() {
    for more in ["at_least = 0.1\n", "seeds = [0, 1, 2, 3]\n", "fails = 'known'\n"] {
        let folder = folder(&[("coin.toml", &coin(0.9, more))]);
        test(folder.path(), &["coin.toml", "--fresh-seeds"]);
        assert!(!Path::new(&folder.path().join("coin.seeds.toml")).exists(), "{more}");
    }
}

#[test]
fn a_margin_needs_a_claim_with_confidence() {
    for (more, message) in [
        ("at_least = 0.5\nmargin = 0.1\n", "`margin` needs `confidence`"),
        ("at_least = 0.1\nconfidence = 0.9\nmargin = 0.1\nseeds = 60\n", "`margin` must be below"),
    ] {
        let folder = folder(&[("coin.toml", &coin(0.9, more))]);
        let (code, _, errors) = test(folder.path(), &["coin.toml"]);
        assert!(code == 2 && errors.contains(message), "{errors}");
    }
    let claim = "at_least = 0.5\nconfidence = 0.9\nmargin = 0.15\nseeds = 2000\n";
    let folder = folder(&[("coin.toml", &coin(0.5, claim))]);
    let (code, printed, _) = test(folder.path(), &["coin.toml"]);
    assert!(code == 0 && printed.contains(", within the margin\n"), "{printed}");
}
