//! Picks a front end, and nothing else.

use std::process::ExitCode;

use clap::Parser;
use tilewalk::cli;
use tilewalk::cli::args::{Args, Command};

fn main() -> ExitCode {
    let args = Args::parse();
    match args.command.unwrap_or(Command::Play(args.play)) {
        Command::Play(_) => ExitCode::SUCCESS,
        Command::Check(args) => cli::check(&args),
        Command::Run(args) => cli::run(&args),
    }
}
