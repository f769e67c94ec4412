//! `config.toml`: its keys, its errors, and its documentation in docs/config.md.

use std::fs;

use tilewalk::depth::When;
use tilewalk::files::config::{self, Config, Speed};
use tilewalk::tui::overlays;
use tilewalk::tui::settings::config_schema;
use tilewalk::tui::theme::{Name, STYLES};

/// Reads a configuration. Returns it and its errors as `line:column message (help)`.
fn read(text: &str) -> (Config, Vec<String>) {
    let folder = tempfile::tempdir().expect("folder is created");
    let path = folder.path().join("config.toml");
    fs::write(&path, text).expect("file is written");
    let read = config::read(&path, &config_schema()).expect("file is readable");
    let describe = |entry: tilewalk::files::text::report::ProblemEntry| {
        format!("{}:{} {} ({})", entry.line, entry.column, entry.message, entry.help)
    };
    let errors = read.report.entries().map(describe).collect();
    (read.config, errors)
}

#[test]
fn an_empty_file_is_read_as_the_default_configuration() {
    assert_eq!(read(""), (Config::default(), vec![]));
}

#[test]
fn settings_and_styles_are_read_from_the_configuration_file() {
    let (config, errors) = read(
        "theme = \"light\"\ncolor = 256\nascii = true\nbackground = false\nmouse = false\n\
         speed = \"max\"\noverlays = [\"trail\", \"detection box\"]\n\
         [style]\nborder = { fg = \"#102030\", bold = true }\n",
    );
    assert_eq!(errors, [""; 0]);
    assert_eq!((config.theme, config.color), (Some("light"), "256".parse::<When>().ok()));
    assert_eq!((config.ascii, config.background), (Some(true), Some(false)));
    assert_eq!((config.mouse, config.speed), (Some(false), Some(Speed::Max)));
    assert_eq!(config.overlays, Some(vec!["trail", "detection box"]));
    let [("border", border)] = config.styles.as_slice() else { panic!("{:?}", config.styles) };
    assert_eq!((border.bold, border.italic), (Some(true), None));
    assert!(border.fg.is_some() && border.bg.is_none());
    assert_eq!(read("speed = 0.25").0.speed, Some(Speed::Factor(0.25)));
    assert_eq!(read("color = \"16\"").0.color, "16".parse().ok());
}

#[track_caller]
fn assert_refused(text: &str, expected: &str) {
    let (config, errors) = read(text);
    assert_eq!(errors.join("\n"), expected);
    assert_eq!(config, Config::default(), "a file with errors changes the configuration");
}

#[test]
fn errors_in_the_configuration_have_positions_and_suggestions() {
    assert_refused("\n  them = \"dark\"", "2:3 unknown key `them` (did you mean `theme`?)");
    assert_refused(
        "theme = \"drak\"",
        "1:9 invalid value `drak` for `theme` (did you mean `dark`?)",
    );
    assert_refused("theme = 3", "1:9 `theme` must be a string, but is an integer ()");
    assert_refused("color = 8", "1:9 `color` must be a string, but is an integer ()");
    assert_refused(
        "color = \"allways\"",
        "1:9 invalid value `allways` for `color` (did you mean `always`?)",
    );
    assert_refused("mouse = \"no\"", "1:9 `mouse` must be `true` or `false`, but is a string ()");
    assert_refused(
        "speed = 3",
        "1:9 invalid speed 3 (valid speeds: 0.125, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64 or \"max\")",
    );
    assert_refused("speed = nan", "1:9 `speed` must be a finite number, but is nan ()");
    assert_refused(
        "overlays = [\"trail\", \"feelrs\"]",
        "1:22 invalid value `feelrs` for `overlays` (did you mean `feelers`?)",
    );
    assert_refused("[style]\nbordr = {}", "2:1 unknown style `bordr` (did you mean `border`?)");
    assert_refused(
        "[style]\nborder = { fg = \"rd\", bolt = true }",
        "2:17 invalid colour `rd` (did you mean `red`?)\n2:23 unknown key `bolt` (did you mean `bold`?)",
    );
    assert_refused(
        "theme = \"lihgt\"\nmouse = true\nsped = 1",
        "1:9 invalid value `lihgt` for `theme` (did you mean `light`?)\n3:1 unknown key `sped` (did you mean `speed`?)",
    );
    let (_, errors) = read("theme = \"dark\nmouse = true");
    assert!(errors[0].starts_with("1:14 syntax error"), "{errors:?}");
}

#[test]
fn key_names_are_read_in_any_case_and_stored_in_their_usual_spelling() {
    let (config, errors) = read(
        "[keys]\nplay = \"K\"\nstep = [\"n\", \"RIGHT\"]\nfollow = []\nquit = [\"F11\", \"ctrl-q\"]\n\
         find = \"F3\"\ncommand = \" \"\n",
    );
    // `step` also works in the overlay menu, where `n` toggles an overlay.
    let why = "`n` can't be a key of `step`: it shows or hides the overlay `neighbours`";
    assert_eq!(errors[0], format!("3:9 {why} ()"));
    assert_eq!(config.keys, []);
    let (config, errors) = read(
        "[keys]\nplay = \"F9\"\nstep = [\"F10\", \"RIGHT\"]\nfollow = []\nquit = [\"F11\", \"ctrl-q\"]\nfind = \"f3\"\n",
    );
    assert_eq!(errors, [""; 0]);
    let keys = |keys: &[&str]| keys.iter().map(ToString::to_string).collect::<Vec<_>>();
    let expected = [
        ("play", keys(&["F9"])),
        ("step", keys(&["F10", "Right"])),
        ("follow", keys(&[])),
        ("quit", keys(&["F11", "ctrl-q"])),
        ("find", keys(&["F3"])),
    ];
    assert_eq!(config.keys, expected);
}

#[test]
fn conflicting_and_invalid_key_bindings_are_errors_with_positions() {
    assert_refused(
        "[keys]\nplay = \"f\"",
        "2:8 key `f` is already bound to `follow` (map) (bind `follow` to a different key)",
    );
    assert_refused(
        "[keys]\nplay = \"F9\"\nfollow = [\"f\", \"F9\"]",
        "3:16 key `F9` is already bound to `play` (map) (bind `play` to a different key)",
    );
    // A key can be bound to a second action if the first action gets another key, or if the two actions work in
    // different contexts.
    for text in ["fit = \"f\"\nfollow = \"F9\"", "fit = \"d\"", "toggle-break = \"f\""] {
        assert_eq!(read(&format!("[keys]\n{text}")).1, [""; 0], "{text}");
    }
    assert_refused("[keys]\nplya = \"F9\"", "2:1 unknown action `plya` (did you mean `play`?)");
    assert_refused("[keys]\nplay = \"ctrl-c\"", "2:8 `ctrl-c` always quits tilewalk ()");
    assert_refused(
        "[keys]\nplay = \"ctrl-m\"",
        "2:8 terminals cannot distinguish `ctrl-m` from `Enter` ()",
    );
    assert_refused(
        "[keys]\ntake = []",
        "2:8 `select-match` needs at least one key: it can't be typed as a command ()",
    );
    assert_refused("[keys]\nplay = 3", "2:8 `play` must be a string, but is an integer ()");
    assert_refused("keys = 3", "1:8 `keys` must be a table, but is an integer ()");
    let (_, errors) = read("[keys]\nplay = \"Spcae\"\nstep = \"\\u001b[A\"");
    assert!(errors[0].starts_with("2:8 `Spcae` is not a key: use a character"), "{errors:?}");
    assert!(errors[1].starts_with("3:8 `\\u{1b}[A` is not a key: use a character"), "{errors:?}");
}

#[test]
fn escape_sequences_from_the_file_are_escaped_in_errors() {
    let (_, errors) = read("theme = \"\\u001b[31m\"");
    assert!(errors[0].contains("\\u{1b}[31m") && !errors[0].contains('\u{1b}'), "{errors:?}");
}

#[test]
fn the_documentation_has_every_key_theme_style_and_overlay() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/config.md");
    let document = fs::read_to_string(path).expect("page is readable");
    let has = |text: &str| assert!(document.contains(text), "docs/config.md lacks {text}");
    // The help for an unknown key lists all keys.
    let (_, errors) = read("xxxxxxxxxxxx = 1");
    let (_, known) = errors[0].split_once("(valid keys: ").expect("help lists the keys");
    for key in known.trim_end_matches(')').split(", ") {
        has(&format!("\n| {key} | "));
    }
    for word in Name::WORDS.into_iter().chain(overlays::TABLE.iter().map(|entry| entry.name)) {
        has(&format!("`\"{word}\"`"));
    }
    for (name, about) in STYLES {
        has(&format!("| `{name}` |{about} |\n"));
    }
    let table =
        document.split("| style | used for |").nth(1).expect("page has the table of styles");
    let rows =
        table.split("\n\n").next().unwrap_or("").lines().filter(|line| line.starts_with("| `"));
    assert_eq!(rows.count(), STYLES.len(), "the table has unknown styles");
    for block in document.split("```toml\n").skip(1) {
        let example = block.split("```").next().unwrap_or_default();
        assert_eq!(read(example).1, [""; 0], "{example}");
    }
}
