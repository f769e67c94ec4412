//! Suggestions for mistyped commands and paths.

use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use clap::CommandFactory;
use clap::error::ErrorKind;

use crate::builtin;
use crate::cli::{Args, CliError, EXIT_CANNOT, complain, finish};
use crate::files::show;

/// Prints a usage error, or the requested help or version text, and returns the exit code.
///
/// The parser treats a mistyped command as a map. If `first`, the first argument, looks like a
/// mistyped command, a suggestion replaces the usage error.
pub fn refuse(error: &clap::Error, first: Option<&OsStr>) -> ExitCode {
    let mistyped = first.filter(|_| error.use_stderr()).and_then(|word| mistyped(error, word));
    let arguments = || std::env::args_os().map(|word| word.to_string_lossy().into_owned());
    let unquoted = || unquoted(error, &arguments().collect::<Vec<_>>());
    if let Some(why) = unquoted().or(mistyped) {
        complain(&why);
        return ExitCode::from(EXIT_CANNOT);
    }
    if error.use_stderr() {
        // clap quotes arguments as they are.
        let text = show::escaped_except(&error.render().to_string(), &['\n']);
        let _ = write!(io::stderr(), "{text}");
    } else if let Err(source) = error.print().and_then(|()| io::stdout().flush()) {
        return finish(Err(CliError::Write { what: "standard output".to_owned(), source }));
    }
    u8::try_from(error.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from)
}

/// Returns an error message if a value of `--set` consists of several arguments, because it has spaces
/// and no quotes.
fn unquoted(error: &clap::Error, arguments: &[String]) -> Option<String> {
    let is_possible = matches!(
        error.kind(),
        ErrorKind::UnknownArgument
            | ErrorKind::ValueValidation
            | ErrorKind::InvalidSubcommand
            | ErrorKind::ArgumentConflict
    );
    let is_set = |word: &String| word == "--set";
    for at in (0..arguments.len()).filter(|&at| is_possible && is_set(&arguments[at])) {
        let rest = &arguments[at + 1..];
        let end = rest.iter().position(|word| word.starts_with("--")).unwrap_or(rest.len());
        let words = &rest[..end];
        // A file can follow the value of the last option.
        let (first, more) = words.split_first()?;
        let is_value = |word: &String| !Path::new(word).is_file();
        if !more.is_empty() && (more.iter().all(is_value) || first.ends_with('=')) {
            let whole = show::escaped(&words.join(" "));
            let quoted = shlex::try_quote(&whole).map_or_else(|_| whole.clone(), Into::into);
            return Some(format!(
                "the value of `--set` has spaces, so it needs quotes: write --set {quoted}"
            ));
        }
    }
    None
}

/// Returns an error message if `word`, the first argument, is a missing file. Also returns a
/// message if the arguments contain a second map. Otherwise returns `None`.
fn mistyped(error: &clap::Error, word: &OsStr) -> Option<String> {
    let path = Path::new(word);
    let is_option = word.as_encoded_bytes().starts_with(b"-");
    let is_command = Args::command().find_subcommand(word).is_some() || word == "help";
    if is_option || is_command {
        return None;
    }
    let missing = format!("{}: no such file", show::path(path));
    match meant(path) {
        Some(advice) => Some(format!("{missing}\n{advice}")),
        None if error.kind() != ErrorKind::ArgumentConflict => None,
        None if path.exists() => Some(
            "only one map can be opened; use `tilewalk diff A B` to compare two maps".to_owned(),
        ),
        None => Some(missing),
    }
}

/// Returns a suggestion for the path of a missing file. It can be an existing map file, a built-in
/// map, a similar command, or the list of commands.
///
/// Returns `None` if the file exists. Also returns `None` if nothing similar exists and `path`
/// cannot be a command.
pub fn meant(path: &Path) -> Option<String> {
    let word = path.to_str().filter(|_| !path.exists())?;
    let file = format!("{}.toml", word.strip_suffix(".toml").unwrap_or(word));
    let near = [Path::new(&file).to_owned(), Path::new("maps").join(&file)];
    if let Some(file) = near.into_iter().find(|file| file.is_file()) {
        return Some(format!("did you mean `{}`?", show::path(&file)));
    }
    if let Some(name) = builtin_map(word) {
        return Some(format!(
            "`{name}` is a built-in map: run `tilewalk` and choose the map in the gallery"
        ));
    }
    let near = |name: &str| strsim::damerau_levenshtein(word, name) <= 2;
    let command = Args::command();
    let mut names = command.get_subcommands().map(clap::Command::get_name);
    if let Some(name) = names.find(|name| near(name)) {
        return Some(format!("did you mean the command `{name}`?"));
    }
    let plain = word.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    plain.then(|| "run `tilewalk --help` to list the commands".to_owned())
}

/// Returns the name of the built-in map that a word names: `castle`, `castle.toml` or
/// `maps/castle.toml`.
fn builtin_map(word: &str) -> Option<String> {
    let name = word.strip_prefix("maps/").unwrap_or(word);
    let name = name.strip_suffix(".toml").unwrap_or(name);
    builtin::maps().into_iter().map(|map| map.name).find(|known| known == name)
}
