//! Entry point of the program: parses the arguments and runs the command.

use std::process::ExitCode;

use clap::Parser;
use tilewalk::cli::{self, Args, Command, args};

#[cfg(feature = "tui")]
mod screen;

fn main() -> ExitCode {
    match Args::try_parse() {
        Ok(Args { command, play }) => {
            cli::execute(&command.unwrap_or(Command::Play(play)), &screen::Terminal)
        }
        Err(error) => args::refuse(&error, std::env::args_os().nth(1).as_deref()),
    }
}

/// Replacement for the terminal UI in builds without the `tui` feature.
#[cfg(not(feature = "tui"))]
mod screen {
    use std::process::ExitCode;

    use tilewalk::cli::args::{LookArgs, PlayArgs, ReplayArgs};
    use tilewalk::cli::{
        EXIT_CANNOT, Finding, KeySection, OpenArgs, Screen, ScreenPainter, complain,
    };
    use tilewalk::files::config::ConfigSchema;
    use tilewalk::render::run::Painter;

    pub struct Terminal;

    impl Screen for Terminal {
        fn play(&self, _: &PlayArgs) -> ExitCode {
            complain("this build has no terminal UI; use `tilewalk run`");
            ExitCode::from(EXIT_CANNOT)
        }

        fn replay(&self, _: &ReplayArgs) -> ExitCode {
            self.play(&PlayArgs::default())
        }

        fn open_pasted(&self, _: Vec<u8>, _: &LookArgs) -> ExitCode {
            complain("this build has no terminal UI; use `tilewalk paste --output FILE.twr`");
            ExitCode::from(EXIT_CANNOT)
        }

        fn open_run(&self, _: &OpenArgs) -> ExitCode {
            self.play(&PlayArgs::default())
        }

        fn painter(&self, _: ScreenPainter) -> Result<Box<Painter<'static>>, String> {
            Err("this build has no terminal UI; use --look map".to_owned())
        }

        fn config_schema(&self) -> Option<ConfigSchema> {
            None
        }

        fn keys(&self) -> Vec<KeySection> {
            Vec::new()
        }

        fn findings(&self, _: &LookArgs) -> Result<Vec<Finding>, String> {
            Ok(vec![("screen", "not included in this build".to_owned())])
        }
    }
}
