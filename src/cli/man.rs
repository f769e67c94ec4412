//! `tilewalk man` and `tilewalk completions`: what shells and `man` need, made from the arguments and
//! from the table of keys.

use std::process::ExitCode;

use clap::{Arg, Command, CommandFactory};
use roff::{Inline, Roff, bold, italic, roman};

use super::CliError;
use super::args::{Args, CompletionsArgs};
use super::output::Output;

/// Keys of one place of the screen: its title, and for each the keys, what they do and the command.
pub type KeySection = (String, Vec<[String; 3]>);

/// Prints the manual page, with the keys of the screen.
pub(super) fn man(keys: &[KeySection], out: &mut Output) -> Result<ExitCode, CliError> {
    out.text(&page(keys).render())?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Prints a script that has a shell complete what is typed after `tilewalk`.
pub(super) fn completions(args: &CompletionsArgs, out: &mut Output) -> Result<ExitCode, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "tilewalk", &mut script);
    out.text(&String::from_utf8_lossy(&script))?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn page(keys: &[KeySection]) -> Roff {
    let mut command = Args::command().term_width(0);
    command.build();
    let mut page = Roff::new();
    let version = concat!("tilewalk ", env!("CARGO_PKG_VERSION"));
    page.control("TH", ["TILEWALK", "1", " ", version, "User commands"]);
    page.control("SH", ["NAME"]);
    page.text([roman(format!("tilewalk - {}", about(&command)))]);
    page.control("SH", ["SYNOPSIS"]);
    page.text([bold("tilewalk"), roman(" ["), italic("FILE"), roman("] [options]")]);
    page.control("br", []);
    page.text([bold("tilewalk"), roman(" "), italic("COMMAND"), roman(" [options]")]);
    page.control("SH", ["DESCRIPTION"]);
    let long = command.get_long_about().map(ToString::to_string).unwrap_or_default();
    for paragraph in long.split("\n\n").skip(1) {
        page.text([roman(paragraph.replace('\n', " "))]);
    }
    page.control("SH", ["COMMANDS"]);
    for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
        subcommand(&mut page, sub);
    }
    page.control("SH", ["EXAMPLES"]);
    example(&mut page, &command);
    for (title, rows) in keys {
        section(&mut page, title, rows);
    }
    page.control("SH", ["FILES"]);
    tagged(
        &mut page,
        "$XDG_CONFIG_HOME/tilewalk/config.toml",
        "Configuration file: appearance, defaults and key bindings.",
    );
    page.control("SH", ["ENVIRONMENT"]);
    for (name, text) in ENVIRONMENT {
        tagged(&mut page, name, text);
    }
    page.control("SH", ["EXIT STATUS"]);
    for (code, text) in [
        ("0", "Success."),
        (
            "1",
            "A file has errors, runs differ, an --until condition is never true, or verification fails.",
        ),
        ("2", "Invalid arguments, a missing file, a map with errors, or no terminal."),
    ] {
        tagged(&mut page, code, text);
    }
    page
}

/// Variables that count.
const ENVIRONMENT: [(&str, &str); 5] = [
    (
        "TILEWALK_CONFIG",
        "Configuration file to read instead of config.toml. If empty, no configuration file is read.",
    ),
    ("NO_COLOR", "Disables colours if set to a non-empty value."),
    ("CLICOLOR, CLICOLOR_FORCE", "CLICOLOR=0 disables colours; CLICOLOR_FORCE=1 enables colours."),
    ("COLORTERM, TERM", "Terminal type; determines the number of colours."),
    (
        "VISUAL, EDITOR",
        "Editor for maps that are opened from the terminal UI. VISUAL takes precedence.",
    ),
];

fn about(command: &Command) -> String {
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    about.trim_end_matches('.').to_owned()
}

/// One command: how it is called, what it does, its arguments, and what its help ends with.
fn subcommand(page: &mut Roff, command: &Command) {
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ").lines().next().unwrap_or_default().to_owned();
    page.control("SS", [usage.as_str()]);
    page.text([roman(format!("{}.", about(command)))]);
    for argument in command.get_arguments().filter(|each| each.get_id() != "help") {
        page.control("TP", []);
        page.text(name(argument));
        page.text([roman(argument.get_help().map(ToString::to_string).unwrap_or_default())]);
    }
    page.control("PP", []);
    example(page, command);
}

/// An argument as it is typed.
fn name(argument: &Arg) -> Vec<Inline> {
    let takes_value = argument.get_action().takes_values();
    let value = argument.get_value_names().filter(|_| takes_value);
    let value = value.map(|names| names.join(" ")).unwrap_or_default();
    let short = argument.get_short().map(|short| bold(format!("-{short}")));
    let long = argument.get_long().map(|long| bold(format!("--{long}")));
    let mut parts: Vec<Inline> = Vec::new();
    for part in short.into_iter().chain(long) {
        if !parts.is_empty() {
            parts.push(roman(", "));
        }
        parts.push(part);
    }
    if !value.is_empty() {
        if !parts.is_empty() {
            parts.push(roman(" "));
        }
        parts.push(italic(value));
    }
    parts
}

/// What a help ends with, line by line as it is.
fn example(page: &mut Roff, command: &Command) {
    let Some(text) = command.get_after_help() else { return };
    page.control("nf", []);
    for line in text.to_string().lines() {
        page.text([roman(line)]);
    }
    page.control("fi", []);
}

/// Keys of a place.
fn section(page: &mut Roff, title: &str, rows: &[[String; 3]]) {
    page.control("SH", [format!("KEYS: {title}").as_str()]);
    for [keys, about, name] in rows {
        page.control("TP", []);
        let gap = if keys.is_empty() || name.is_empty() { "" } else { "  " };
        page.text([bold(keys.as_str()), roman(gap), italic(name.as_str())]);
        page.text([roman(format!("{about}."))]);
    }
}

fn tagged(page: &mut Roff, tag: &str, text: &str) {
    page.control("TP", []);
    page.text([bold(tag)]);
    page.text([roman(text)]);
}
