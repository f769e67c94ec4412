//! Picks a front end, and nothing else.

use std::process::ExitCode;

use clap::Parser;
use tilewalk::cli;
use tilewalk::cli::args::{self, Args, Command};

#[cfg(feature = "tui")]
mod screen;

fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => return args::refuse(&error, std::env::args_os().nth(1).as_deref()),
    };
    match args.command.unwrap_or(Command::Play(args.play)) {
        Command::Play(args) => screen::play(&args),
        Command::Check(args) => screen::check(&args),
        Command::Run(args) => cli::run(&args),
        Command::Explain(args) => cli::explain(&args),
        Command::Diff(args) => cli::diff(&args),
        Command::Replay(args) => screen::replay(&args),
        Command::Verify(args) => cli::verify(&args),
        Command::Import(args) => cli::import(&args),
        Command::New(args) => cli::new(&args),
        Command::Schema(args) => cli::schema(&args),
        Command::Completions(args) => cli::completions(&args),
        Command::Man => screen::man(),
        Command::Doctor(args) => screen::doctor(&args),
    }
}

/// Without the screen, says so.
#[cfg(not(feature = "tui"))]
mod screen {
    use std::process::ExitCode;

    use tilewalk::cli::args::{CheckArgs, DoctorArgs, PlayArgs, ReplayArgs};
    use tilewalk::cli::{self, EXIT_CANNOT, complain};

    pub fn check(args: &CheckArgs) -> ExitCode {
        cli::check(args, None)
    }

    pub fn man() -> ExitCode {
        cli::man(&[])
    }

    pub fn doctor(args: &DoctorArgs) -> ExitCode {
        cli::doctor(args, &[("screen", "not included in this build".to_owned())])
    }

    pub fn replay(_: &ReplayArgs) -> ExitCode {
        play(&PlayArgs::default())
    }

    pub fn play(_: &PlayArgs) -> ExitCode {
        complain("this build has no terminal UI; use `tilewalk run`");
        ExitCode::from(EXIT_CANNOT)
    }
}
