//! Arguments of what prints a file for other programs.

use clap::ValueEnum;
use clap_complete::Shell;

/// Arguments of `tilewalk schema`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  tilewalk schema map > map.schema.json

An editor with taplo completes and checks keys of a file whose first line is
  #:schema ./map.schema.json")]
pub struct SchemaArgs {
    /// What files it is for
    #[arg(value_enum)]
    pub of: SchemaOf,
}

/// Arguments of `tilewalk completions`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tilewalk completions bash > ~/.local/share/bash-completion/completions/tilewalk
  tilewalk completions zsh > ~/.zfunc/_tilewalk
  tilewalk completions fish > ~/.config/fish/completions/tilewalk.fish")]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub shell: Shell,
}

/// What a schema is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SchemaOf {
    /// Maps
    Map,
    /// Patterns
    Pattern,
}
