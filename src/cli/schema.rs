//! `tilewalk schema`: prints a JSON Schema, which editors use to complete and check keys.

use std::process::ExitCode;

use clap::ValueEnum;

use crate::files::keys::schema;

use super::CliError;
use super::output::Output;

/// Arguments of `tilewalk schema`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tilewalk schema map > map.schema.json
  tilewalk schema pattern > pattern.schema.json
  tilewalk schema sweep > sweep.schema.json

For completion and checking in editors that use taplo, start the map file with the line:
  #:schema ./map.schema.json")]
pub struct SchemaArgs {
    /// File type
    #[arg(value_enum)]
    pub of: SchemaOf,
}

/// File type of a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SchemaOf {
    /// Map files
    Map,
    /// Pattern files
    Pattern,
    /// Sweep files
    Sweep,
}

pub(super) fn schema(args: &SchemaArgs, out: &mut Output) -> Result<ExitCode, CliError> {
    out.json(&match args.of {
        SchemaOf::Map => schema::map(),
        SchemaOf::Pattern => schema::pattern(),
        SchemaOf::Sweep => schema::sweep(),
    })?;
    Ok(ExitCode::SUCCESS)
}
