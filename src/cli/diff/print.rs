//! Formats the differences of two runs.

use crate::cli::CliError;
use crate::cli::output::Output;
use crate::report::difference::{DifferenceReport, Differences};

/// Spaces between the columns of the table.
const GAP: usize = 2;

pub(super) fn print(report: &Differences, out: &mut Output) -> Result<(), CliError> {
    let Differences { a, b, first, next, only_in_a, only_in_b, ended, .. } = report;
    out.line(format_args!("A  {a}\nB  {b}\n"))?;
    if let Some(text) = report.no_difference() {
        out.line(text)?;
    }
    if let Some(DifferenceReport { frame, agent, field, a, b }) = first {
        out.line(format_args!("first difference: frame {frame}, {agent}, {field}"))?;
        out.line(format_args!("A  {a}\nB  {b}"))?;
    }
    if !next.is_empty() {
        out.line("")?;
        for line in table(next) {
            out.line(line)?;
        }
    }
    for (name, only) in [("A", only_in_a), ("B", only_in_b)] {
        if let Some(text) = only.text() {
            out.line(format_args!("\nonly in {name}, {text}"))?;
        }
    }
    match ended {
        Some(ended) => out.line(format_args!("\n{}", ended.text())),
        None => Ok(()),
    }
}

fn table(differences: &[DifferenceReport]) -> Vec<String> {
    let header = ["frame", "agent", "field", "A", "B"].map(String::from);
    let row = |difference: &DifferenceReport| {
        let DifferenceReport { frame, agent, field, a, b } = difference;
        [frame.to_string(), agent.clone(), field.clone(), a.to_string(), b.to_string()]
    };
    let rows: Vec<_> = core::iter::once(header).chain(differences.iter().map(row)).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<usize> = (0..5).map(|column| width(column).unwrap_or(0) + GAP).collect();
    let line = |row: &[String; 5]| {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}"));
        cells.collect::<String>().trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}
