//! Writes the plots of a sweep as a picture.

use std::io::Write;
use std::path::Path;

use crate::files::disk::output_file::Replacement;
use crate::files::show;
use crate::render::Format;
use crate::render::film::{Shown, still};
use crate::sweep::plan::Plan;
use crate::sweep::row::Cell;
use crate::sweep::summary::Summary;
use crate::sweep::table;

use super::super::CliError;
use super::results;
use crate::judge::Outcome;

/// Returns an error if a path can't be that of plots.
pub(super) fn check(path: &Path) -> Result<Format, CliError> {
    let format = Format::of(path).filter(|format| !format.is_film() && !format.is_text());
    format.ok_or_else(|| {
        let path = show::path(path);
        let message = format!("cannot write {path}: plots end in .svg, .pdf or .png");
        CliError::Settings(message)
    })
}

/// Writes the plots of results.
pub(super) fn write(plan: &Plan, results: &Path, path: &Path) -> Result<(), CliError> {
    let format = check(path)?;
    let (summary, _) = Summary::of(results, plan)?;
    let mut values = vec![Vec::new(); summary.columns().len()];
    table::read(results, plan, |row| {
        for (values, cell) in values.iter_mut().zip(&row.cells) {
            values.extend(match *cell {
                Cell::Number(number) if number.is_finite() => Some(number),
                Cell::Empty | Cell::Number(_) => None,
                Cell::Outcome(Outcome::Pass) => Some(1.0),
                Cell::Outcome(Outcome::Fail | Outcome::Inconclusive) => Some(0.0),
            });
        }
    })?;
    let picture = results::picture(plan, &summary, &values);
    let failed = |source| CliError::Write { what: show::path(path), source };
    let bytes = still(format, Shown::Picture(picture), "sweep").map_err(failed)?;
    let mut file = Replacement::begin(path).map_err(failed)?;
    file.write_all(&bytes).map_err(failed)?;
    file.finish().map_err(failed)
}
