//! Picks a front end, and nothing else.

use std::process::ExitCode;

use clap::Parser;
use tilewalk::cli;
use tilewalk::cli::args::{Args, Command};

fn main() -> ExitCode {
    let args = Args::parse();
    match args.command.unwrap_or(Command::Play(args.play)) {
        Command::Play(args) => screen::play(&args),
        Command::Check(args) => cli::check(&args),
        Command::Run(args) => cli::run(&args),
        Command::Explain(args) => cli::explain(&args),
    }
}

/// Hands the screen the maps it may show.
#[cfg(feature = "tui")]
mod screen {
    use std::path::Path;
    use std::process::ExitCode;

    use tilewalk::cli::args::{PlayArgs, meant_command};
    use tilewalk::cli::{EXIT_CANNOT, complain, report_problems};
    use tilewalk::files::write::{self, WriteError};
    use tilewalk::files::{self, Options, Origin, builtin, show, tuning};
    use tilewalk::tui::{self, Entry, Library, Opened, Save, Saved, Start, Target};
    use tilewalk::words;

    /// Ids of built-in maps begin so; no path a person types does.
    const BUILTIN: &str = "builtin:";

    pub fn play(args: &PlayArgs) -> ExitCode {
        let options = Options { seed: args.seed, set: args.set.clone() };
        let start = match &args.file {
            None => Start::Gallery,
            Some(path) => {
                let id = path.to_string_lossy().into_owned();
                match files::load(&Origin::Disk(path.clone()), &options) {
                    Err(error) => return cannot(&unreadable(path, &error)),
                    Ok(loaded) if loaded.scenario.is_none() => {
                        report_problems(&loaded.report);
                        return ExitCode::from(EXIT_CANNOT);
                    }
                    Ok(loaded) => match opened(&id, loaded) {
                        Ok(opened) => Start::Map(opened),
                        Err(error) => return cannot(&error),
                    },
                }
            }
        };
        let (open, write) = (Box::new(|id: &str| open(id, &options)), Box::new(write));
        let library = Library { entries: entries(), open, write };
        match tui::play(library, start) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => cannot(&error.to_string()),
        }
    }

    /// What to say of a file that can't be read; it may have been meant as a command.
    fn unreadable(path: &Path, error: &files::LoadError) -> String {
        match meant_command(path) {
            Some(command) => format!("{error}\ndid you mean the command `{command}`?"),
            None => error.to_string(),
        }
    }

    fn cannot(why: &str) -> ExitCode {
        complain(why);
        ExitCode::from(EXIT_CANNOT)
    }

    fn entries() -> Vec<Entry> {
        let entry = |map: builtin::Listing| Entry {
            id: format!("{BUILTIN}{}", map.name),
            title: map.title,
            comment: map.comment,
        };
        builtin::maps().into_iter().map(entry).collect()
    }

    fn open(id: &str, options: &Options) -> Result<Opened, String> {
        let origin = match id.strip_prefix(BUILTIN) {
            Some(name) => Origin::Builtin(name.to_owned()),
            None => Origin::Disk(id.into()),
        };
        opened(id, files::load(&origin, options).map_err(|error| error.to_string())?)
    }

    /// Writes what was set into a map's file, or the map with it into a new one.
    fn write(save: &Save) -> Result<Saved, String> {
        let sources = &save.sources;
        let set = Options::of(sources).map_err(|error| error.to_string())?.set;
        if let Target::New(path) = &save.target {
            let text = tuning::text_with(sources, &set).map_err(|error| error.to_string())?;
            write::new(Path::new(path), &text).map_err(|error| error.to_string())?;
            return Ok(Saved {
                told: format!("wrote the map into {}", show::text(path)),
                text: None,
            });
        }
        if save.id.starts_with(BUILTIN) {
            return Err("a built-in map has no file: `:write FILE` makes one".to_owned());
        }
        let anyway = save.target == Target::FileAnyway;
        let text = write::settings(Path::new(&save.id), &save.known, &set, anyway);
        let text = text.map_err(|error| match error {
            WriteError::Changed(_) => {
                format!("{error}; `:write!` puts the values into it as it is")
            }
            _ => error.to_string(),
        })?;
        let count = tuning::unwritten(sources, &save.known).len();
        let values = words::count(count as u64, "value");
        let told = format!("wrote {values} into {}", show::text(&save.id));
        Ok(Saved { told, text: Some(text.into()) })
    }

    fn opened(id: &str, loaded: files::Loaded) -> Result<Opened, String> {
        let Some(scenario) = loaded.scenario else { return Err(loaded.report.plain()) };
        let label = id.trim_start_matches(BUILTIN).to_owned();
        let in_words = |entry: files::render::Entry| {
            format!("{}:{}: {}", entry.file, entry.line, entry.message)
        };
        let warnings = loaded.report.entries().map(in_words).collect();
        Ok(Opened { id: id.to_owned(), label, scenario, warnings })
    }
}

/// Without the screen, says so.
#[cfg(not(feature = "tui"))]
mod screen {
    use std::process::ExitCode;

    use tilewalk::cli::args::PlayArgs;
    use tilewalk::cli::{EXIT_CANNOT, complain};

    pub fn play(_: &PlayArgs) -> ExitCode {
        complain("this tilewalk was built without its screen; `tilewalk run` needs none");
        ExitCode::from(EXIT_CANNOT)
    }
}
