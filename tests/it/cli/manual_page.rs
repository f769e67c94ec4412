//! The manual page is complete and up to date, and the shell completions contain the commands.

use std::process::Command;

use clap::CommandFactory;
use tilewalk::cli::Args;
use tilewalk::tui::action::TABLE;

fn printed(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_tilewalk")).args(arguments).output();
    let output = output.expect("the binary starts");
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn the_manual_page_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/tilewalk.1");
    let page = printed(&["man"]);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(path, &page).expect("docs/tilewalk.1 can be written");
    }
    let written = std::fs::read_to_string(path).unwrap_or_default();
    assert_eq!(written, page, "run `UPDATE_DOCS=1 cargo test` to update the page");
}

/// Asserts that `part` of the page has an entry with the help text of each option and argument of a command.
fn assert_lists_options(command: &clap::Command, part: &str) {
    for argument in command.get_arguments() {
        let tag = match argument.get_long() {
            Some(long) => format!("\\fB--{long}\\fR"),
            None => "\\fI".to_owned(),
        };
        let help = argument.get_help().expect("a help text").to_string();
        let entry = part.split(".TP\n").skip(1).any(|entry| {
            entry
                .split_once('\n')
                .is_some_and(|(head, text)| head.contains(&tag) && text.contains(&help))
        });
        assert!(entry, "{}: {tag}: {help}", command.get_name());
    }
}

/// Asserts that a command has a heading for each form of its usage, followed by its options and
/// its subcommands.
fn assert_describes<'a>(
    command: &clap::Command,
    path: &str,
    parts: &mut impl Iterator<Item = &'a str>,
) {
    let mut part = parts.next().unwrap_or_default();
    let rest = part.strip_prefix(path).unwrap_or_else(|| panic!("{path}: {part}"));
    assert!(rest.starts_with([' ', '"']), "{path}: {part}");
    if command.has_subcommands() {
        part = parts.next().unwrap_or_default();
        assert!(part.starts_with(&format!("{path} <COMMAND>\"\n")), "{path}: {part}");
    }
    assert_lists_options(command, part);
    for sub in command.get_subcommands() {
        assert_describes(sub, &format!("{path} {}", sub.get_name()), parts);
    }
}

#[test]
fn the_manual_page_describes_every_action_command_and_option() {
    let page = printed(&["man"]).replace("\\-", "-").replace("\\*(Aq", "'");
    for entry in TABLE {
        let about = entry.about.replace('\'', "\\[aq]");
        assert!(page.contains(entry.about) || page.contains(&about), "{}", entry.name);
    }
    let (options, commands) = page.split_once(".SH COMMANDS\n").expect("commands");
    let (commands, _) = commands.split_once(".SH EXAMPLES\n").expect("examples");
    let command = Args::command();
    assert_lists_options(&command, options);
    let mut parts = commands.split(".SS \"tilewalk ").skip(1);
    for command in command.get_subcommands() {
        assert_describes(command, command.get_name(), &mut parts);
    }
    assert_eq!(parts.next(), None);
    assert!(!page.contains('\u{1b}'));
    let (_, status) = page.split_once(".SH \"EXIT STATUS\"\n").expect("exit codes");
    for text in ["an expectation is not met", "a run of a sweep has an error", "\\fB130\\fR\n"] {
        assert!(status.contains(text), "{text}: {status}");
    }
}

#[test]
fn shell_completions_contain_the_commands() {
    for shell in ["bash", "zsh", "fish"] {
        let script = printed(&["completions", shell]);
        for word in ["explain", "completions", "record"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
}
