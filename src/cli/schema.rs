//! `tilewalk schema`: what editors need to complete and check keys.

use std::process::ExitCode;

use crate::files::schema;

use super::CliError;
use super::args::{SchemaArgs, SchemaOf};
use super::output::Output;

/// Prints a schema.
pub(super) fn schema(args: &SchemaArgs, out: &mut Output) -> Result<ExitCode, CliError> {
    out.json(&match args.of {
        SchemaOf::Map => schema::map(),
        SchemaOf::Pattern => schema::pattern(),
    })?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
