//! `tilewalk doctor`, and the colours of printed text.

#[cfg(feature = "tui")]
use std::fs;

use assert_cmd::Command;

fn output(arguments: &[&str], variables: &[(&str, &str)]) -> (i32, String, String) {
    let mut command = Command::cargo_bin("tilewalk").expect("the binary");
    command.current_dir(env!("CARGO_MANIFEST_DIR")).env_clear().args(arguments);
    command.envs(variables.iter().copied());
    let output = command.output().expect("the command runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

#[cfg(feature = "tui")]
#[track_caller]
fn assert_reports(arguments: &[&str], variables: &[(&str, &str)], lines: &[&str]) {
    let mut all = vec!["doctor"];
    all.extend(arguments);
    let (code, out, errors) = output(&all, variables);
    assert_eq!((code, errors.as_str()), (0, ""), "{out}");
    for line in lines {
        assert!(out.lines().any(|each| each == *line), "`{line}` is not in:\n{out}");
    }
}

#[cfg(feature = "tui")]
#[test]
fn doctor_reports_each_setting_with_its_reason() {
    let version = format!("tilewalk     {}, map format 1", env!("CARGO_PKG_VERSION"));
    assert_reports(
        &[],
        &[("TERM", "xterm-256color"), ("TILEWALK_CONFIG", ""), ("LANG", "C.UTF-8")],
        &[
            &version,
            "colours      256: TERM is xterm-256color",
            "theme        dark: default",
            "symbols      Unicode: LANG is C.UTF-8",
            "mouse        captured by tilewalk; `m` releases the mouse",
            "config       none: TILEWALK_CONFIG is empty",
            "stdout       without colour: not a terminal",
        ],
    );
    assert_reports(
        &["--theme", "light"],
        &[("NO_COLOR", "1"), ("HOME", "/nowhere"), ("LC_ALL", "C")],
        &[
            "colours      none: NO_COLOR is set",
            "theme        light, shown as mono: set on the command line",
            "symbols      ASCII: LC_ALL is C",
            "config       /nowhere/.config/tilewalk/config.toml: not found",
        ],
    );
    assert_reports(
        &["--color", "truecolor", "--ascii"],
        &[("XDG_CONFIG_HOME", "/nowhere/else"), ("CLICOLOR_FORCE", "1")],
        &[
            "colours      truecolor: as requested",
            "symbols      ASCII: set on the command line",
            "config       /nowhere/else/tilewalk/config.toml: not found",
            "stdout       in colour: as requested",
        ],
    );
}

#[cfg(feature = "tui")]
#[test]
fn doctor_reads_the_configuration_and_shows_its_errors() {
    let folder = tempfile::tempdir().expect("a folder");
    let tilewalk = folder.path().join("tilewalk");
    fs::create_dir(&tilewalk).expect("a folder");
    let path = tilewalk.join("config.toml");
    let home = folder.path().display().to_string();
    let named = path.display().to_string();
    fs::write(&path, "mouse = false\ntheme = \"mono\"\n").expect("a file");
    assert_reports(
        &[],
        &[("XDG_CONFIG_HOME", &home)],
        &[
            "theme        mono: set in the configuration file",
            "mouse        not captured; `m` captures the mouse",
            &format!("config       {named}: loaded"),
        ],
    );
    fs::write(&path, "mouse = 1\n").expect("a file");
    assert_reports(
        &["--config", &named],
        &[],
        &[
            "mouse        captured by tilewalk; `m` releases the mouse",
            &format!("config       {named} (--config): has errors; defaults are used"),
            "             error: `mouse` must be `true` or `false`, but is an integer",
        ],
    );
    assert_reports(
        &[],
        &[("TILEWALK_CONFIG", "/nowhere/x.toml")],
        &[
            "config       /nowhere/x.toml (TILEWALK_CONFIG): has errors; defaults are used",
            "             error: /nowhere/x.toml: no such file",
        ],
    );
}

#[test]
fn doctor_prints_no_escape_sequences_from_environment_variables() {
    let (code, out, _) =
        output(&["doctor"], &[("TERM", "x\u{1b}[31mterm"), ("LANG", "\u{1b}]0;x\u{7}")]);
    assert_eq!(code, 0);
    assert!(!out.contains('\u{1b}'), "{out}");
}

#[test]
fn options_and_variables_select_whether_diagnostics_are_coloured() {
    let broken = "crates/tilewalk-files/tests/broken/edges.toml";
    let coloured = |arguments: &[&str], variables: &[(&str, &str)]| {
        let (_, out, errors) = output(arguments, variables);
        (out + &errors).contains('\u{1b}')
    };
    for command in [
        &["check", broken][..],
        &["run", broken, "--frames", "1"],
        &["explain", broken, "--frame", "1", "--agent", "a"],
    ] {
        let with = |option| [command, &[option]].concat();
        assert!(!coloured(command, &[]), "no colours without a terminal");
        assert!(coloured(&with("--color=always"), &[("NO_COLOR", "1")]));
        assert!(coloured(command, &[("CLICOLOR_FORCE", "1")]));
        assert!(!coloured(command, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
        assert!(!coloured(&with("--color=never"), &[("CLICOLOR_FORCE", "1")]));
    }
    let (code, _, errors) = output(&["check", broken, "--color=sometimes"], &[]);
    assert_eq!(code, 2);
    assert!(errors.contains("truecolor"), "{errors}");
}
