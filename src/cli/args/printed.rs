//! Arguments of what prints a file for other programs.

use clap::ValueEnum;
use clap_complete::Shell;

/// Arguments of `tilewalk schema`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tilewalk schema map > map.schema.json
  tilewalk schema pattern > pattern.schema.json

For completion and checking in editors that use taplo, start the map file with the line:
  #:schema ./map.schema.json")]
pub struct SchemaArgs {
    /// File type
    #[arg(value_enum)]
    pub of: SchemaOf,
}

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

/// File type of a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SchemaOf {
    /// Map files
    Map,
    /// Pattern files
    Pattern,
}
