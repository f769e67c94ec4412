//! `tilewalk man` and `tilewalk completions`: generate the manual page and shell completion
//! scripts. Both come from the command-line arguments; the manual page also lists the keys.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, italic, roman};

use super::output::Output;
use super::{Args, CliError};

/// Arguments of `tilewalk completions`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tilewalk completions bash > tilewalk.bash
  tilewalk completions zsh > _tilewalk
  tilewalk completions fish > tilewalk.fish

To install a script, write it to:
  ~/.local/share/bash-completion/completions/tilewalk    bash
  ~/.zfunc/_tilewalk                                     zsh (if ~/.zfunc is in `fpath`)
  ~/.config/fish/completions/tilewalk.fish               fish")]
pub struct CompletionsArgs {
    /// Shell to generate the script for
    #[arg(value_enum)]
    pub shell: Shell,
}

/// The keys of one mode of the terminal UI: a title and a list of bindings. A binding consists of
/// keys, description and command.
pub type KeySection = (String, Vec<[String; 3]>);

/// Prints the manual page, including the keys of the screen.
pub(super) fn man(keys: &[KeySection], out: &mut Output) -> Result<ExitCode, CliError> {
    let page = page(keys)
        .map_err(|source| CliError::Write { what: "the manual page".to_owned(), source })?;
    out.text(&page)?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn completions(args: &CompletionsArgs, out: &mut Output) -> Result<ExitCode, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "tilewalk", &mut script);
    out.text(&String::from_utf8_lossy(&script))?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the manual page as roff.
fn page(keys: &[KeySection]) -> io::Result<String> {
    let command = Args::command().term_width(0).disable_help_subcommand(true);
    let mut command = command.mut_subcommands(|sub| sub.disable_help_flag(true));
    command.build();
    let usage = usage(&command);
    let man = Man::new(command.clone().override_usage(usage));
    // An empty date would shift the fields that follow.
    let man = man.title("TILEWALK").date(" ").manual("User commands");
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    Roff::new().control("SH", ["COMMANDS"]).to_writer(&mut page)?;
    for sub in command.get_subcommands() {
        subcommand(sub, &mut page)?;
    }
    sections(&command, keys).to_writer(&mut page)?;
    // Every part begins with the same roff definitions. One copy at the top is enough.
    let preamble = Roff::new().render();
    let page = String::from_utf8_lossy(&page).replace(&preamble, "");
    Ok(preamble + &page)
}

/// Writes the usage, description, options and examples of a subcommand, then its own subcommands.
fn subcommand(command: &Command, page: &mut Vec<u8>) -> io::Result<()> {
    let man = Man::new(command.clone());
    let mut headings = Roff::new();
    for form in usage(command).lines() {
        headings.control("SS", [form.trim()]);
    }
    headings.to_writer(page)?;
    page.extend(body(|part| man.render_description_section(part))?);
    page.extend(body(|part| man.render_options_section(part))?);
    let mut end = Roff::new();
    if command.get_after_help().is_some() {
        end.control("PP", []);
    }
    examples(&mut end, command);
    end.to_writer(page)?;
    for sub in command.get_subcommands() {
        subcommand(sub, page)?;
    }
    Ok(())
}

/// Returns a manual section without the heading.
fn body(render: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<Vec<u8>> {
    let mut section = Vec::new();
    render(&mut section)?;
    let section = String::from_utf8_lossy(&section);
    let heading = section.split_once(".SH ").and_then(|(_, section)| section.split_once('\n'));
    Ok(heading.map(|(_, body)| body.as_bytes().to_vec()).unwrap_or_default())
}

/// Returns the usage, one form per line.
fn usage(command: &Command) -> String {
    command.clone().render_usage().to_string().trim_start_matches("Usage: ").to_owned()
}

/// Returns the sections after the commands: examples, keys, files, environment and exit status.
fn sections(command: &Command, keys: &[KeySection]) -> Roff {
    let mut page = Roff::new();
    page.control("SH", ["EXAMPLES"]);
    examples(&mut page, command);
    for (title, rows) in keys {
        page.control("SH", [format!("KEYS: {title}").as_str()]);
        for [keys, about, name] in rows {
            page.control("TP", []);
            let gap = if keys.is_empty() || name.is_empty() { "" } else { "  " };
            page.text([bold(keys.as_str()), roman(gap), italic(name.as_str())]);
            page.text([roman(format!("{about}."))]);
        }
    }
    for (title, rows) in
        [("FILES", &FILES[..]), ("ENVIRONMENT", &ENVIRONMENT), ("EXIT STATUS", &STATUS)]
    {
        page.control("SH", [title]);
        for (tag, text) in rows {
            page.control("TP", []);
            page.text([bold(*tag)]);
            page.text([roman(*text)]);
        }
    }
    page
}

/// Files that tilewalk reads by default.
const FILES: [(&str, &str); 1] = [(
    "$XDG_CONFIG_HOME/tilewalk/config.toml",
    "Configuration file: appearance, defaults and key bindings.",
)];

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

const STATUS: [(&str, &str); 4] = [
    ("0", "Success."),
    (
        "1",
        "A file has errors, runs or path lengths differ, an --until condition is never true, an \
         expectation is not met, a run of a sweep has an error, or verification fails.",
    ),
    ("2", "Invalid arguments, a missing file, a map with errors, or no terminal."),
    (
        "130",
        "Interrupted with ctrl-c outside of the terminal UI. For other signals: 128 plus the \
         number of the signal.",
    ),
];

/// Writes a command's examples (the text after its help), line by line.
fn examples(page: &mut Roff, command: &Command) {
    let Some(text) = command.get_after_help() else { return };
    page.control("nf", []);
    for line in text.to_string().lines() {
        page.text([roman(line)]);
    }
    page.control("fi", []);
}
